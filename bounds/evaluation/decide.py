"""Whether a condition holds: float64 with a rounding bound first, ball arithmetic near the limit.

Inputs are the exact rationals that the floats are. Within 1e-9 of the limit ball arithmetic decides:
holds, fails, or tie (within 4 units in the last place of the limit). A tie holds when the relation is not
strict. The margin is relative to the limit and positive when the condition is satisfied; where the limit
is zero it is the slack itself and marked absolute.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, final

import numpy as np
from mpmath import mp
from numpy.typing import NDArray

from bounds.arithmetic.multiprecision import DIGITS, enclose, exact
from bounds.arithmetic.program import MOST_SUMMANDS, Program, compile_expressions, run
from bounds.arithmetic.running_error import ULP, Pair, RunningError
from bounds.errors import MalformedStatement, TooManySummands
from bounds.language.condition import Condition, Relation

NEAR = 1e-9
TIE = 4 * ULP
NOTHING = 1e-100  # what hundreds of digits leave of an exact zero


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A condition at given parameters. `holds` is None where a quantity that it `needs` was not given.

    A side that adds up too many summands for its roundings to be bounded leaves it undecided too.
    """

    condition: Condition
    holds: Any
    tie: Any
    margin: Any
    absolute: Any
    missing: tuple[str, ...] = ()
    too_long: bool = False

    def __repr__(self) -> str:
        return f"<Checked {self.condition.id}: holds {self.holds}, margin {self.margin}>"

    @property
    def needs(self) -> tuple[str, ...]:
        """What would decide it, in words; empty where it is decided."""
        return (f"a sum of at most {MOST_SUMMANDS} summands",) if self.too_long else self.missing


@lru_cache(maxsize=4096)
def _program(value: Any, limit: Any) -> Program:
    return compile_expressions([value, limit])


def decide(
    condition: Condition,
    value: Any,
    limit: Any,
    given: dict[str, Any],
    *,
    within_rounding: bool = False,
) -> Checked:
    """Decide `value relation limit` (both already in terms of inputs) at arrays or numbers `given`.

    `within_rounding` forgives what the rounding of the inputs explains: 1 - eta mu may fall below 0 by 1e-16
    though eta was meant to be 1/mu.
    """
    program = _program(value, limit)
    missing = tuple(name for name in program.inputs if name not in given)
    if missing:
        return _leave_open(condition, missing=missing)
    try:
        return _decide_at(condition, program, given, within_rounding=within_rounding)
    except TooManySummands:
        return _leave_open(condition, too_long=True)


def _leave_open(condition: Condition, missing: tuple[str, ...] = (), *, too_long: bool = False) -> Checked:
    return Checked(
        condition=condition,
        holds=None,
        tie=False,
        margin=None,
        absolute=False,
        missing=missing,
        too_long=too_long,
    )


def _decide_at(
    condition: Condition, program: Program, given: dict[str, Any], *, within_rounding: bool
) -> Checked:
    inputs = {name: np.asarray(given[name], dtype=np.float64) for name in program.inputs}
    shape = np.broadcast_shapes((), *(a.shape for a in inputs.values()))
    with np.errstate(all="ignore"):
        left, right = run(program, RunningError(), {name: Pair(a, 0.0) for name, a in inputs.items()})
    holds, tie, margin, absolute = _from_floats(condition.relation, left, right, shape)
    for index in np.argwhere(np.isnan(holds)):
        where = tuple(index)
        point = {name: exact(float(np.broadcast_to(a, shape)[where])) for name, a in inputs.items()}
        holds[where], tie[where], margin[where] = _by_balls(condition.relation, program, point)
    if within_rounding and not condition.relation.strict:
        room = 2 * (left.error + right.error)
        holds = np.where(np.abs(left.value - right.value) <= room, 1.0, holds)
    plain = _plain(shape)
    return Checked(
        condition=condition,
        holds=plain(holds.astype(bool)),
        tie=plain(tie),
        margin=plain(margin),
        absolute=plain(absolute),
    )


def _from_floats(
    relation: Relation, left: Pair, right: Pair, shape: tuple[int, ...]
) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.float64], NDArray[np.bool_]]:
    """Certain decisions as 1.0 or 0.0; nan where ball arithmetic must decide."""
    with np.errstate(all="ignore"):
        sign = 1.0 if relation.upper else -1.0
        slack = np.asarray(sign * (right.value - left.value))
        size = np.abs(right.value)
        margin = np.where(size > 0, slack / np.where(size > 0, size, 1.0), slack)
        # An infinite limit leaves nothing to compare with: the sign of the slack decides.
        margin = np.where(np.isinf(right.value), np.sign(slack) * np.inf, margin)
        error = left.error + right.error + ULP * np.abs(slack)
        # A limit of zero has no last place to be near to: far is what rounding does not reach by far.
        apart = np.where(size == 0, np.abs(slack) > error / NEAR, np.abs(margin) > NEAR)
        certain = (np.abs(slack) > error) & apart & np.isfinite(error)
        certain = certain | (np.isinf(slack) & np.isinf(right.value) & np.isfinite(left.value))
        holds = np.where(certain, (slack > 0).astype(np.float64), np.nan)
    full = tuple(np.array(np.broadcast_to(a, shape)) for a in (holds, margin, size == 0))
    return full[0], np.zeros(shape, dtype=bool), full[1], full[2]


def _by_balls(relation: Relation, program: Program, point: dict[str, Any]) -> tuple[bool, bool, float]:
    try:
        (low, high), (limit_low, limit_high) = enclose(program, point)
    except (ZeroDivisionError, ValueError):
        return False, False, float("nan")
    with mp.workdps(DIGITS):
        value, limit = (low + high) / 2, (limit_low + limit_high) / 2
        slack = limit - value if relation.upper else value - limit
        margin = slack / abs(limit) if limit else slack
        width = (high - low) + (limit_high - limit_low)
        if not mp.isfinite(width):  # a side has no value here
            return False, False, float("nan")
        # Hundreds of digits leave a width far below a tie; a case that could not be decided leaves more.
        if width > max(TIE / 8 * max(abs(limit), abs(slack)), NOTHING):
            raise MalformedStatement(f"ball arithmetic cannot decide a case at {point}")
    if mp.isnan(margin):
        return False, False, float("nan")
    if abs(slack) <= width or (limit and abs(margin) <= TIE):
        return not relation.strict, True, float(margin)
    return bool(margin > 0), False, float(margin)


def _plain(shape: tuple[int, ...]) -> Any:
    """Arrays stay arrays; single points become Python scalars."""
    return (lambda a: a) if shape else (lambda a: a.item())
