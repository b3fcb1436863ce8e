"""The sentences in which a judged cell says its numbers, and whether a sentence on file is one of them."""

from collections.abc import Iterator
from math import inf
from typing import Final

# A measured value is compared with these; the random part of a right side is moved to the left.
BOUND: Final = "the bound"
CONSTANT_PART: Final = "the constant part of the right"
GOES_ON: Final = "0123456789.e"  # a number in a sentence that goes on is another one


def say_exact(verdict: str, value: float, excess: float, constant: float) -> str:
    how = "with equality" if excess == 0 else f"by {abs(excess):.6g}"
    return f"{verdict} {how}: {value:.6g} exactly, against {constant:.6g}"


def say_computed(value: float, outcomes: str, relation: str, constant: float) -> str:
    return f"computed {value:.6g}{outcomes}, which is {relation} {BOUND} {constant:.6g}"


def say_measured(estimate: float, lower: float, upper: float) -> str:
    return f"measured {estimate:.6g}, between {lower:.6g} and {upper:.6g}"


def say_compared(measured: str, relation: str, limit: str, constant: float) -> str:
    return f"{measured}: {relation} {limit} {constant:.6g}"


def say_equal(measured: str, constant: float) -> str:
    return f"{measured} by the normal approximation: equal to {constant:.6g}"


def says_numbers(
    sentence: str,
    verdict: str,
    *,
    estimate: float,
    lower: float | None,
    upper: float | None,
    excess: float,
    constant: float,
) -> bool:
    """Whether the sentence of a verdict, holds or violated, has these numbers."""
    low, high = -inf if lower is None else lower, inf if upper is None else upper
    measured, relations = say_measured(estimate, low, high), _relations(verdict, excess)
    known = [say_exact(verdict, estimate, excess, constant), say_equal(measured, constant)]
    known += [
        say_compared(measured, r, limit, constant) for r in relations for limit in (BOUND, CONSTANT_PART)
    ]
    if any(_has(sentence, one) for one in known):
        return True
    ends = (f"{relation} {BOUND} {constant:.6g}" for relation in relations)
    return _has(sentence, f"computed {estimate:.6g}") and any(_has(sentence, end) for end in ends)


def _relations(verdict: str, excess: float) -> tuple[str, ...]:
    """An equality is violated on either side."""
    if verdict == "holds":
        return "below", "equal to", "within rounding of"
    return ("above" if excess > 0 else "below",)


def _has(sentence: str, part: str) -> bool:
    return any(following not in GOES_ON for following in _followings(sentence, part))


def _followings(sentence: str, part: str) -> Iterator[str]:
    """What follows each place at which the part is; a blank at the end of the sentence."""
    at = sentence.find(part)
    while at >= 0:
        yield sentence[at + len(part) : at + len(part) + 1] or " "
        at = sentence.find(part, at + 1)
