"""What an algorithm is told that stands in the place of one of ours: our settings, as numbers and words.

It has no objects of ours: participation is a `probability`, an oracle the `noise_scale` of the gradients,
and K + 1 rounds are `rounds`, whatever our listing calls its last one.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from fractions import Fraction
from typing import Any, Final

from bounds.errors import Misuse
from synthetic.outside.settings import make_settings
from synthetic.participation import FixedSize, Full, Independent
from synthetic.run import runnable

ABSENT: Final[Mapping[str, Any]] = {"noise_scale": 0.0, "noise_multiplier": 0.0, "probability": 1.0}
SAME_AS: Final[Mapping[str, str]] = {"server_step": "local_step"}  # what None means among settings of ours


def translate_settings(settings: Any) -> dict[str, Any]:
    """Every setting of ours but the start, under the name that an algorithm from outside has for it."""
    found = _translate_as_given(settings)
    left_out = {name: other for name, other in SAME_AS.items() if found.get(name, MISSING) is None}
    return found | {name: found[other] for name, other in left_out.items()}


def _translate_as_given(settings: Any) -> dict[str, Any]:
    """As `translate_settings`, with None where ours has None."""
    found: dict[str, Any] = {}
    for name, value in _values(settings).items():
        found |= _plain(name, value)
    if found.pop("private", True) is False:
        found["noise_scale"] = 0.0
    return found


def _plain(name: str, value: Any) -> dict[str, Any]:
    if name == "last_round":
        return {"rounds": int(value) + 1}
    if name == "auxiliary_noise":  # of the companion of DPFL, which is ours whoever its clients are
        return {}
    if name == "oracle":
        return {"noise_scale": 0.0 if value is None else float(value.scale)}
    if isinstance(value, Full):
        return {"probability": 1.0}
    if isinstance(value, Independent):
        return {"probability": float(value.probability)}
    if isinstance(value, FixedSize):
        return {"clients_per_round": value.count}
    return {name: float(value) if isinstance(value, Fraction) else value}


def needed(settings: Any) -> dict[str, Any]:
    """The settings that an algorithm cannot leave out: no default of ours, and nothing that is absent."""
    defaults = {f.name: f.default for f in fields(settings) if f.default is not MISSING}
    usual = {name: value for old, default in defaults.items() for name, value in _plain(old, default).items()}
    # how many take part in the mean says it already
    given = _translate_as_given(settings)
    known = {"probability"} if "clients_per_round" in given else set()
    return {
        name: value
        for name, value in given.items()
        if name not in known | {"rounds"} and not _is(value, {**usual, **ABSENT}.get(name, MISSING))
    }


def _is(value: Any, usual: Any) -> bool:
    """Whether they are equal; arrays are equal to nothing here."""
    return value is usual or (isinstance(value, str | int | float) and bool(value == usual))


def settings_in_place(algorithm: str, ours: Any, start: object) -> Any:
    """The settings of another algorithm, from those of ours; refused with the name that is missing."""
    kind = runnable(algorithm).settings
    known = {field.name: field for field in fields(kind)}
    values = translate_settings(ours) if runnable(algorithm).outside else _values(ours)
    without = [name for name in needed(ours) if name not in known] if runnable(algorithm).outside else []
    if without:
        raise Misuse(
            f"{algorithm} has no setting {without[0]}, which the statement gives it; write "
            f'Algorithm(..., settings={{"{without[0]}": REQUIRED}})'
        )
    missing = [n for n, f in known.items() if _has_no_default(f) and n not in {*values, "start"}]
    if missing:
        given = ", ".join(values)
        raise Misuse(
            f"{algorithm} needs the setting {missing[0]}, which nothing gives; the statement gives {given}"
        )
    fit = {name: value for name, value in values.items() if name in known}
    return make_settings(algorithm, kind, fit | {"start": start})


def _values(settings: Any) -> dict[str, Any]:
    return {f.name: getattr(settings, f.name) for f in fields(settings) if f.name != "start"}


def _has_no_default(field: Any) -> bool:
    return field.default is MISSING and field.default_factory is MISSING
