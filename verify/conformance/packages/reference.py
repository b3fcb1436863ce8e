"""An algorithm of a package as what code is compared with."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from synthetic.errors import BadValue
from synthetic.outside.algorithm import REQUIRED
from synthetic.outside.algorithms import outside_algorithm
from verify.conformance.subject import Subject, subject


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reference:
    """An algorithm of a package as what code is compared with; settings: the values at which it is run."""

    algorithm: str
    subject: Subject
    settings: Mapping[str, Any]
    optional: tuple[str, ...] = ()


def reference(name: str, given: Mapping[str, Any]) -> Reference:
    """The algorithm of this name with its defaults and what is given; refused if a value is missing."""
    algorithm = outside_algorithm(name)
    unknown = [setting for setting in given if setting not in algorithm.settings]
    values = {n: _match_kind(given.get(n, default), default) for n, default in algorithm.settings.items()}
    missing = [setting for setting, value in values.items() if value is REQUIRED]
    if unknown or missing:
        raise BadValue(
            asked=f"conform --as {name}",
            failed="the algorithm has no such setting" if unknown else "a setting has no value",
            found=", ".join(unknown) or (", ".join(given) or "no --set"),
            needed=", ".join(algorithm.settings if unknown else missing) or "no setting",
            change="correct the name" if unknown else f"add --set {' '.join(f'{m}=...' for m in missing)}",
        )
    return Reference(algorithm=name, subject=subject(algorithm, values), settings=values)


def _match_kind(value: Any, default: Any) -> Any:
    """Make a whole number a float where the default is one: it is no count then."""
    return float(value) if isinstance(default, float) and type(value) is int else value
