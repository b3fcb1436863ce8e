"""One judge for "the same": what came out again against what is on file.

Equal to the bit agrees. Otherwise a number may differ by the rounding that the record states for it, and only
if the replay finds a rounding of the same size: a record cannot widen its own tolerance. Everything else is
equal, and a sentence has the same words and numbers within the six digits that it shows. An entry that states
no rounding, from before there was one, is compared up to `AGREEMENT` of each number.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import floor, log10
from typing import Any, Final, final

from verify.json_numbers import NUMBER, agree_on_objects, differing, is_finite
from verify.workers.watched import is_theirs

ROUNDING: Final = "rounding"
# The same disturbance on another kernel, with roundings on top: a stated rounding beyond this is another one.
SAME_SIZE: Final = 4.0
SHOWN: Final = 6  # digits of a number in a sentence
# The stated amount by which each number of a cell may differ.
AMOUNTS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "measured": {"estimate": ("estimate",), "lower": ("ends",), "upper": ("ends",)},
    "excess": {"estimate": ("estimate", "bound"), "lower": ("ends", "bound"), "upper": ("ends", "bound")},
    "bound": {"value": ("bound",)},
}


Draws = Callable[[Mapping[str, Any]], bool]


def _none(_: Mapping[str, Any]) -> bool:
    return False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """`unlike` are the keys that differ; `largest` is the largest difference within rounding."""

    unlike: tuple[str, ...]
    largest: float = 0.0

    @property
    def agrees(self) -> bool:
        return not self.unlike

    @property
    def sentence(self) -> str:
        if self.unlike:
            return f"differs in {', '.join(self.unlike)}"
        return f"agrees within rounding (largest: {self.largest:.3g})" if self.largest else "agrees"


def compare(again: Mapping[str, Any], recorded: Mapping[str, Any], draws: Draws = _none) -> Agreement:
    """`again` came out this time, `recorded` is on file; `draws` tells whether a property tries a case."""
    if same(again, recorded):
        return Agreement(unlike=())
    if ROUNDING not in recorded:  # a record from before
        current = {key: value for key, value in again.items() if key != ROUNDING}
        return Agreement(unlike=tuple(differing(current, recorded)))
    amounts = _stated(again.get(ROUNDING), recorded[ROUNDING])
    if amounts is None:
        unlike = _unequal(again, recorded)
        return Agreement(unlike=() if unlike == ("sentence",) and _is_authors_mistake(again) else unlike)
    if "kind" in again:
        return _compare_property(again, recorded, amounts, draws)
    return _compare_cell(again, recorded, amounts)


def _is_authors_mistake(entry: Mapping[str, Any]) -> bool:
    """Why it is refused then names a file of one machine, and a line where a call was ended."""
    return entry.get("verdict") == "refused" and is_theirs(
        entry.get("id"), entry.get("algorithm"), entry.get("problem")
    )


def same(again: Any, recorded: Any) -> bool:
    """Equal to the bit, and of one type: true is not the number 1."""
    if isinstance(again, Mapping) and isinstance(recorded, Mapping):
        return again.keys() == recorded.keys() and all(same(again[key], recorded[key]) for key in again)
    if isinstance(again, list | tuple) and isinstance(recorded, list | tuple):
        return len(again) == len(recorded) and all(map(same, again, recorded))
    return isinstance(again, bool) == isinstance(recorded, bool) and bool(again == recorded)


def _unequal(again: Mapping[str, Any], recorded: Mapping[str, Any]) -> tuple[str, ...]:
    keys = [*again, *(key for key in recorded if key not in again)]
    return tuple(k for k in keys if k not in again or k not in recorded or not same(again[k], recorded[k]))


def _stated(own: Any, stated: Any) -> dict[str, float] | None:
    """The stated amounts; None if there are none, or if those found again are of another size."""
    if not isinstance(own, Mapping) or not isinstance(stated, Mapping) or own.keys() != stated.keys():
        return None
    pairs = [(own[name], stated[name]) for name in own]
    alike = all(is_finite(b) and b >= 0 and a <= SAME_SIZE * b and b <= SAME_SIZE * a for a, b in pairs)
    return dict(stated) if alike else None


def _compare_cell(
    again: Mapping[str, Any], recorded: Mapping[str, Any], amounts: Mapping[str, float]
) -> Agreement:
    far = _Far()
    unlike = []
    for key in _unequal(again, recorded):
        if key not in again or key not in recorded:
            unlike.append(key)
        elif key in AMOUNTS:
            allowed = {name: sum(amounts[a] for a in of) for name, of in AMOUNTS[key].items()}
            if not far.within(again[key], recorded[key], allowed, amounts["bound"]):
                unlike.append(key)
        elif key == "ratio":
            unlike += [] if far.number(again[key], recorded[key], amounts.get("ratio", 0.0)) else [key]
        elif key == "sentence":
            near = same_words(again[key], recorded[key], sum(amounts.values()))
            unlike += [] if near and far.largest > 0 else [key]
        elif key == "privacy":
            unlike += [] if not differing(again[key], recorded[key]) else [key]
        elif key != ROUNDING:
            unlike.append(key)
    return Agreement(unlike=tuple(unlike), largest=far.largest)


def _compare_property(
    again: Mapping[str, Any], recorded: Mapping[str, Any], amounts: Mapping[str, float], draws: Draws
) -> Agreement:
    """The worst case may be another one that is drawn too, if it comes as near within rounding."""
    far, unlike = _Far(), []
    for key in _unequal(again, recorded):
        if key not in again or key not in recorded:
            unlike.append(key)
        elif key == "worst":
            unlike += [] if _as_near(far, again[key], recorded[key], amounts, draws) else [key]
        elif key == "sentence":
            near = same_words(again[key], recorded[key], _sum_of_sides(again, recorded))
            unlike += [] if near and not same(again["worst"], recorded["worst"]) else [key]
        elif key != ROUNDING:
            unlike.append(key)
    return Agreement(unlike=tuple(unlike), largest=far.largest)


def _as_near(far: "_Far", again: Any, recorded: Any, amounts: Mapping[str, float], draws: Draws) -> bool:
    if not isinstance(again, Mapping) or not isinstance(recorded, Mapping) or again.keys() != recorded.keys():
        return False
    sides = amounts["sides"]
    near = {"excess": sides, "ratio": amounts.get("ratio", 0.0)}
    if again["family"] == recorded["family"] and agree_on_objects(again["objects"], recorded["objects"]):
        near |= {"left": sides, "right": sides}
    elif not draws(recorded) or not _is_excess(recorded):
        return False
    return all(far.number(again[name], recorded[name], amount) for name, amount in near.items())


def _is_excess(worst: Mapping[str, Any]) -> bool:
    """Another case has sides of its own, which give its excess and its ratio."""
    left, right = worst["left"], worst["right"]
    if not is_finite(left) or not is_finite(right):
        return False
    ratio = left / right if left > 0 and right > 0 else None
    return same(left - right, worst["excess"]) and same(ratio, worst["ratio"])


def _sum_of_sides(again: Mapping[str, Any], recorded: Mapping[str, Any]) -> float:
    """How far apart the sides in the two sentences may be; the sides themselves are compared as numbers."""
    one, other = again["worst"], recorded["worst"]
    if not isinstance(one, Mapping) or not isinstance(other, Mapping):
        return 0.0
    pairs: list[tuple[Any, Any]] = [(one.get(side), other.get(side)) for side in ("left", "right")]
    return float(sum(abs(a - b) for a, b in pairs if is_finite(a) and is_finite(b)))


def same_words(again: Any, recorded: Any, amount: float) -> bool:
    """The same text around numbers, and the numbers as near as their shown digits tell."""
    if (
        not isinstance(again, str)
        or not isinstance(recorded, str)
        or NUMBER.split(again) != NUMBER.split(recorded)
    ):
        return False
    pairs = zip(map(float, NUMBER.findall(again)), map(float, NUMBER.findall(recorded)), strict=True)
    return all(abs(a - b) <= amount + _unit(max(abs(a), abs(b))) for a, b in pairs)


def _unit(size: float) -> float:
    """The last digit that is shown, which the next number rounds to; a little more for its own rounding."""
    return 1.001 * 10.0 ** (floor(log10(size)) + 1 - SHOWN) if size > 0 else 0.0


class _Far:
    """Compares numbers and remembers the largest difference that was allowed."""

    def __init__(self) -> None:
        self.largest = 0.0

    def number(self, again: Any, recorded: Any, amount: float) -> bool:
        if not is_finite(again) or not is_finite(recorded):
            return same(again, recorded)
        distance = abs(again - recorded)
        if distance <= amount:
            self.largest = max(self.largest, distance)
            return True
        return False

    def within(self, again: Any, recorded: Any, allowed: Mapping[str, float], of_terms: float) -> bool:
        """Tables of numbers; a name without an amount of its own is equal, terms of a bound aside."""
        if (
            not isinstance(again, Mapping)
            or not isinstance(recorded, Mapping)
            or again.keys() != recorded.keys()
        ):
            return False
        return all(self._entry(name, again[name], recorded[name], allowed, of_terms) for name in again)

    def _entry(
        self, name: str, again: Any, recorded: Any, allowed: Mapping[str, float], of_terms: float
    ) -> bool:
        if name == "terms":
            return self.within(again, recorded, dict.fromkeys(again, of_terms), of_terms)
        return self.number(again, recorded, allowed[name]) if name in allowed else same(again, recorded)
