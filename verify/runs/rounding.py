"""What rounding may change in a cell's numbers on another kernel, library or device; see docs/replay.md.

Numbers of a formula have a running error bound. Numbers of a run are measured: the same cell is run again
while every product of the engine is moved by what its rounding may be (`synthetic.engine.disturbance`), and
what changes is the amount.
"""

from collections.abc import Callable
from math import copysign, isfinite, isinf, log2

import numpy as np

from bounds.arithmetic.program import compile_expressions
from bounds.arithmetic.program import run as run_program
from bounds.arithmetic.running_error import ULP, Pair, RunningError
from bounds.evaluation.evaluate import Evaluation
from bounds.language.finding import Verdict
from synthetic.engine.disturbance import disturbed
from verify.matching.linear_bound import LinearBound
from verify.matching.measurements.measurement import Computed, Measurement, Sampled
from verify.runs.judge import Judged

Roundings = dict[str, float]
# Of the distance of an interval's end from the floor of its samples: where `verify.statistics.betting` stops
# its search.
SEARCH = 1e-10
TURNS = 4  # where few outcomes of a run are all that there is
CLEAR = 16.0  # times what one disturbance changes: another one changes more
FEW = 64  # replicates that are disturbed where each is a call of an author's function
# An author's cancellation leaves a few last bits, of which several runs have the same by chance.
AGAIN = 8
STEADY = 0.25  # of what the excesses of these runs differ by: the least that is no rounding


def measure_on_cell(
    evaluation: Evaluation,
    bound: LinearBound,
    judged: Judged,
    again: Callable[[], Judged],
    replicates: int,
    turns: int,
) -> Roundings | None:
    """Absolute amounts by group of numbers; None where none is known. `again` judges the cell once more.

    Where one run is all there is, one disturbance may change next to nothing by chance: hence several.
    """
    if judged.measured.exact is not None:
        return _together(evaluation, bound, judged, {"estimate": 0.0, "ends": 0.0})
    found = []
    for turn in range(turns):
        with disturbed(turn):
            moved = again()
        if moved.verdict is not judged.verdict:
            return None
        found.append(_bound_of_measured(bound, judged, moved, replicates))
    means = {name: sum(amounts[name] for amounts in found) / turns for name in found[0]}
    return _together(evaluation, bound, judged, means)


def measure_on_samples(
    evaluation: Evaluation,
    bound: LinearBound,
    judged: Judged,
    seen: Sampled,
    moved: Measurement,
    replicates: int,
) -> Roundings | None:
    """The same from the replicates of `seen`, or the first few of them; `moved` is a disturbed run of these.

    The verdict is read here and never made. What the mean moves by is at most the mean of what its replicates
    move by. An end of an interval has a derivative in each sample that is not negative, and these add up to 1
    at most, as the stakes fall with the distance from the floor: it moves by no more than a replicate does.
    Both amounts are sums and maxima of sizes: what the mean itself moves by may be next to nothing by chance,
    and on another device it would not be.
    """
    if not isinstance(moved, Sampled):  # it draws in some replicates only, and in none of these
        return None
    with np.errstate(invalid="ignore"):  # one that diverges: infinity less infinity is no amount
        after = np.asarray(bound.combine(moved.observables), dtype=np.float64)
        before = np.asarray(bound.combine(seen.observables), dtype=np.float64)[..., : after.shape[-1]]
        changes = np.abs(before - after)
    amounts = {
        "estimate": float(changes.mean(axis=-1).max()) + _bound_of_mean(bound, judged, replicates),
        "ends": float(changes.max()) + _bound_of_ends(bound, judged, replicates),
    }
    ends = (judged.excess.lower, judged.excess.upper)
    near = any(end is not None and abs(end) <= amounts["ends"] for end in ends)
    return None if near else _together(evaluation, bound, judged, amounts)


def explain(bound: LinearBound, seen: Sampled, moved: Measurement) -> bool:
    """Whether roundings may make most of what the replicates exceed the bound by; `moved` is a disturbed run.

    Each replicate is compared with its own change: what roundings send elsewhere in a few of them, as a sign
    does, explains nothing of the others.
    """
    if not isinstance(moved, Sampled):
        return False
    with np.errstate(invalid="ignore"):
        after = np.asarray(bound.combine(moved.observables), dtype=np.float64)
        before = np.asarray(bound.combine(seen.observables), dtype=np.float64)[..., : after.shape[-1]]
        excess, changes = np.abs(before - float(bound.constant)), np.abs(before - after)
    if not (np.isfinite(excess).all() and np.isfinite(changes).all()):
        return False
    explained = excess <= CLEAR * changes
    return bool(excess[explained].sum() >= excess.sum() / 2)


def recurs(judged: Judged, main: Computed, again: Callable[[], Judged]) -> bool:
    """Whether a refutation without sampling error recurs in disturbed runs, and hardly changes there.

    What an author subtracts may leave nothing but roundings, and these are as large in every run: then the
    excesses differ by more than the least of them, or have both signs.
    """
    side = copysign(1.0, judged.excess.estimate)
    excesses = [side * judged.excess.estimate]
    for turn in range(AGAIN if main.outcomes == 1 and not main.normals else 1):
        with disturbed(turn):
            moved = again()
        if moved.verdict is not Verdict.VIOLATED:
            return False
        excesses.append(side * moved.excess.estimate)
    least, most = min(excesses), max(excesses)
    return least > 0 and (isinf(most) or least >= STEADY * (most - least))


def _together(
    evaluation: Evaluation, bound: LinearBound, judged: Judged, amounts: Roundings
) -> Roundings | None:
    """The amounts, and those of the formula and of the ratio."""
    constant = abs(float(bound.constant))
    amounts = {"bound": of_formula(evaluation) + ULP * constant} | amounts
    if constant > 0:
        share = abs(judged.measured.estimate) / constant
        amounts["ratio"] = (amounts["estimate"] + share * amounts["bound"]) / constant + ULP * share
    return amounts if all(map(isfinite, amounts.values())) else None


def of_formula(evaluation: Evaluation) -> float:
    """The rounding of the value and of each of its terms."""
    program = compile_expressions(list(evaluation.resolved.terms))
    known = {name: Pair(np.float64(evaluation.inputs[name]), 0.0) for name in program.inputs}
    with np.errstate(all="ignore"):  # an amount that is not finite is no amount
        pairs = run_program(program, RunningError(), known)
        return float(sum(pair.error + len(pairs) * ULP * abs(pair.value) for pair in pairs))


def _bound_of_measured(bound: LinearBound, judged: Judged, moved: Judged, replicates: int) -> Roundings:
    """What the disturbance changed, with the sum of the mean, and the search for the ends of the interval."""
    one, other = judged.measured, moved.measured
    change = max(_change(one.lower, other.lower), _change(one.upper, other.upper))
    return {
        "estimate": abs(one.estimate - other.estimate) + _bound_of_mean(bound, judged, replicates),
        "ends": change + _bound_of_ends(bound, judged, replicates),
    }


def _bound_of_mean(bound: LinearBound, judged: Judged, replicates: int) -> float:
    # no sample is below the floor, which bounds the mean of the magnitudes
    below = _below_zero(float(bound.floor()), _size(bound, judged))
    return ULP * log2(replicates + 1) * (abs(judged.measured.estimate) + 2 * below)


def _bound_of_ends(bound: LinearBound, judged: Judged, replicates: int) -> float:
    return (2 * SEARCH + ULP * log2(replicates + 1)) * _size(bound, judged)


def _size(bound: LinearBound, judged: Judged) -> float:
    one = judged.measured
    sizes = [abs(x) for x in (one.lower, one.upper, float(bound.floor())) if x is not None and isfinite(x)]
    return max((abs(one.estimate), *sizes))


def _below_zero(floor: float, size: float) -> float:
    return max(0.0, -floor) if isfinite(floor) else size


def _change(one: float | None, other: float | None) -> float:
    """Infinite if only one of the two exists."""
    if one is None or other is None:
        return 0.0 if one is other else float("inf")
    return abs(one - other)
