"""Measures of the state before the first round, on the safe side of their roundings."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

import numpy as np

from bounds import discovery
from bounds.errors import Misuse
from bounds.language.part import KNOWN_FROM_BELOW, Of, Part
from bounds.language.statement import Kind, Statement
from synthetic.errors import Refusal
from synthetic.problem import Problem
from verify.matching.constants.certified import as_points, exact_lower, exact_upper, squared_distance
from verify.matching.constants.constants import Offered, parts_of, rooted
from verify.matching.constants.known import known

ABOVE: Final = 1 + 1e-12
BELOW: Final = 1 - 1e-12
# A value of f is a sum of products, whose roundings are below half of this share of its largest term.
OF_A_VALUE: Final = 1e-13

Measured = tuple[
    float, float
]  # a value, and twice how far roundings may have moved it beyond ABOVE and BELOW
Measure = Callable[[Problem, Any], Measured]


def _distance(problem: Problem, start: Any) -> Measured:
    return float(np.linalg.norm(start - np.asarray(problem.minimiser(), dtype=np.float64))), 0.0


def _gap(problem: Problem, start: Any) -> Measured:
    """The value less the certified lower end of the minimum, or infimum, of f."""
    return _gap_to(problem, start, known(problem, {}).lower("minimum"))


def _gap_from_below(problem: Problem, start: Any) -> Measured:
    """The value less the certified upper end of the minimum."""
    return _gap_to(problem, start, known(problem, {}).upper("minimum"))


def _gap_to(problem: Problem, start: Any, end: float | None) -> Measured:
    """The value less an end of the minimum, or less the minimum itself where none is certified."""
    value = float(problem.value(start[None, :])[0])
    lowest = float(problem.minimum()) if end is None else end
    return max(value - lowest, 0.0), OF_A_VALUE * (abs(value) + abs(lowest))


def _gap_to_client_minima(problem: Problem, start: Any) -> Measured:
    """The gap, and how far the mean of the clients' minima is below the minimum of f."""
    apart = known(problem, {}).upper("infimum_gap")
    gap, rounding = _gap(problem, start)
    return (float("inf") if apart is None else gap + apart), rounding


def _gradient_norm(problem: Problem, start: Any) -> Measured:
    return float(np.linalg.norm(np.asarray(problem.gradient(start[None, :]))[0])), 0.0


def _largest_client_gradient_norm(problem: Problem, start: Any) -> Measured:
    slopes = np.asarray(problem.client_gradients(start[None, :]), dtype=np.float64)
    return float(np.sqrt((slopes**2).sum(axis=-1)).max()), 0.0


def _squared(measure: Measure) -> Measure:
    return lambda problem, start: (measure(problem, start)[0] ** 2, 0.0)


MEASURES: Final[Mapping[str, Measure]] = {
    "distance": _distance,
    "squared_distance": _squared(_distance),
    "gap": _gap,
    "gap_to_client_minima": _gap_to_client_minima,
    "gradient_norm": _gradient_norm,
    "largest_client_gradient_norm": _largest_client_gradient_norm,
    "squared_gradient_norm": _squared(_gradient_norm),
}
MEASURES_FROM_BELOW: Final = {**MEASURES, "gap": _gap_from_below}


def _compute_gap(problem: Problem, start: Sequence[Fraction]) -> Fraction:
    return Fraction(problem.value(as_points(start))[0]) - exact_lower(problem, "minimum")


def _compute_gap_from_below(problem: Problem, start: Sequence[Fraction]) -> Fraction:
    return Fraction(problem.value(as_points(start))[0]) - exact_upper(problem, "minimum")


def _compute_gap_to_client_minima(problem: Problem, start: Sequence[Fraction]) -> Fraction:
    return _compute_gap(problem, start) + exact_upper(problem, "infimum_gap")


def _square_slope(problem: Problem, start: Sequence[Fraction]) -> Fraction:
    return _square_length(problem.gradient(as_points(start))[0])


def _square_largest_slope(problem: Problem, start: Sequence[Fraction]) -> Fraction:
    return max(_square_length(slope) for slope in problem.client_gradients(as_points(start))[:, 0])


def _square_length(vector: Any) -> Fraction:
    return sum((Fraction(x) ** 2 for x in vector), Fraction(0))


# A power of each measure that is a fraction at an exact start.
OF_EXACT: Final[Mapping[str, tuple[Callable[[Problem, Sequence[Fraction]], Fraction], int]]] = {
    "distance": (squared_distance, 2),
    "squared_distance": (squared_distance, 1),
    "gap": (_compute_gap, 1),
    "gap_to_client_minima": (_compute_gap_to_client_minima, 1),
    "gradient_norm": (_square_slope, 2),
    "largest_client_gradient_norm": (_square_largest_slope, 2),
    "squared_gradient_norm": (_square_slope, 1),
}
OF_EXACT_FROM_BELOW: Final = {**OF_EXACT, "gap": (_compute_gap_from_below, 1)}


def parts_at_start(statement: Statement) -> dict[str, Part]:
    """The measures of the start; one that the bound subtracts is safe from below, whatever its part says."""
    parts = parts_of(statement.notation, Of.START)
    return {
        name: replace(part, lower=part.lower or _subtracted(statement, name, part))
        for name, part in parts.items()
    }


def _subtracted(statement: Statement, name: str, part: Part) -> bool:
    """Whether the right side of a bound falls with the measure, which nothing else of the statement asks."""
    if part.name not in KNOWN_FROM_BELOW or statement.kind is not Kind.UPPER_BOUND or not statement.terms:
        return False
    right = statement.right
    elsewhere = [side for c in statement.conditions for side in (c.value, c.limit)]
    elsewhere += [d.expression for d in statement.where] + [c.expression for c in statement.choices]
    elsewhere += [statement.left] if statement.left is not None else []
    if any(symbol.name == name for side in elsewhere for symbol in side.free_symbols):
        return False
    slopes = [right.diff(symbol) for symbol in right.free_symbols if symbol.name == name]
    if any(slope.is_nonpositive is None for slope in slopes):
        return _falls_at_example(statement, name)
    return any(slope.is_nonpositive for slope in slopes)


@lru_cache(maxsize=256)
def _falls_at_example(statement: Statement, name: str) -> bool:
    """Whether a larger measure makes the bound smaller at the example: for a sign that no formula shows."""
    at = dict(statement.example)
    try:
        values = [statement.evaluate(**{**at, name: at[name] * larger}).value for larger in (1, 1.001)]
    except (KeyError, Misuse):  # an example that lacks the quantity, or is none
        return False
    first, second = values
    return first is not None and second is not None and second < first


def measured_at_start(
    statement: Statement, problem: Problem, start: Sequence[float], *, other_side: bool = False
) -> dict[str, float]:
    """Every quantity that is a measure of the start; infinite where the problem does not tell it."""
    parts = parts_at_start(statement)
    if other_side:
        parts = {name: replace(part, lower=not part.lower) for name, part in parts.items()}
    return _each(parts, problem, start, _safe)


def ask_at_start(statement: Statement, problem: Problem, start: Sequence[float]) -> dict[str, float]:
    """What the same quantities must be at least, or at most where they are taken from below.

    With half of the allowance for roundings: what was measured on another processor, with all of it, fits.
    """
    return _each(parts_at_start(statement), problem, start, _ask)


def _each(
    parts: Mapping[str, Part], problem: Problem, start: Sequence[float], value: Callable[..., float]
) -> dict[str, float]:
    at = np.asarray([float(x) for x in start], dtype=np.float64)
    return {name: value(part, problem, at) for name, part in parts.items() if part.name in MEASURES}


def measure_powers_at_start(
    statement: Statement, problem: Problem, start: Sequence[Fraction]
) -> dict[str, tuple[Fraction, int]]:
    """For every measure of an exact start, give the power of it that is a fraction, and the exponent."""
    found: dict[str, tuple[Fraction, int]] = {}
    for name, part in parts_at_start(statement).items():
        if part.name in OF_EXACT:
            measure, power = (OF_EXACT_FROM_BELOW if part.lower else OF_EXACT)[part.name]
            value = part.times**power * measure(problem, start)
            found[name] = (value, 2 * power if part.root else power)
    return found


def with_start(
    tables: Mapping[str, Mapping[str, Offered]], problem: Problem, start: float
) -> dict[str, dict[str, Offered]]:
    """Quantities by paper, with those that are measures of a start whose coordinates all are `start`."""
    at = np.full(problem.dimension, float(start))
    out = {paper: dict(table) for paper, table in tables.items()}
    for paper, notation in discovery.notations().items():
        for name, part in parts_of(notation, Of.START).items():
            if part.name in MEASURES:
                out.setdefault(paper, {})[name] = _offered(part, _safe(part, problem, at))
    return out


def _offered(part: Part, value: float) -> Offered:
    """A measure is rounded up where bounds grow with it, and down where they fall."""
    if not np.isfinite(value):
        reason = f"{part.name} at the start is not known on this problem"
        return Offered(
            value=None, lower=None, upper=None, provenance="none", constant=part.name, reason=reason
        )
    return Offered(
        value=value,
        lower=value if part.lower else None,
        upper=None if part.lower else value,
        provenance="enclosed",
        constant=f"{part.name} at the start",
    )


def _safe(part: Part, problem: Problem, start: Any) -> float:
    return _move_to_its_side(part, problem, start, 1.0, BELOW if part.lower else ABOVE)


def _ask(part: Part, problem: Problem, start: Any) -> float:
    return _move_to_its_side(part, problem, start, 0.5, 1.0)


def _move_to_its_side(part: Part, problem: Problem, start: Any, share: float, factor: float) -> float:
    """The measure, moved by a share of what roundings may have done."""
    try:
        value, rounding = (MEASURES_FROM_BELOW if part.lower else MEASURES)[part.name](problem, start)
    except Refusal:
        return float("inf")
    moved = max(value - share * rounding, 0.0) if part.lower else value + share * rounding
    return rooted(float(part.times) * moved * factor, part)
