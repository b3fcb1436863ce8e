"""What a few replicates of a cell say to the search: both sides, and what roundings leave of their excess."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from bounds.language.statement import Statement
from synthetic.outside.algorithms import is_outside
from verify.cell import Cell
from verify.falsify.fresh_run import qualifies
from verify.matching.joined import get_runs
from verify.matching.linear_bound import LinearBound, linear_bound
from verify.matching.measurements.measurement import Exact, Measurement, Sampled
from verify.records import record
from verify.search.trial import Trial

SEEN: Final = 48  # replicates of one trial
AGAIN_OUTSIDE: Final = 256  # replicates of the best trial of an algorithm from outside, measured afresh


def trial_of(
    statement: Statement, cell: Cell, seed: int, *, replicates: int = SEEN, stream: str = ""
) -> Trial | None:
    """What a few replicates say; None where the cell is held to something that it does not meet."""
    try:
        if not qualifies(statement, cell):
            return None
        bound = linear_bound(statement, cell)
        # The same noise for every cell: what differs between neighbours is then the cell.
        stream = stream or f"{statement.id}/search"
        with np.errstate(all="ignore"):
            seen = get_runs(statement).measure(statement, cell, replicates, seed, stream)
            return _trial(bound, seen)
    except (ArithmeticError, ValueError, LookupError, AssertionError, TypeError):
        return None


def _trial(bound: LinearBound, seen: Measurement) -> Trial:
    if isinstance(seen, Exact):
        means: dict[str, Any] = {n: float(v) for n, v in seen.observables.items()}
    else:
        combined = np.asarray(bound.combine(seen.observables), dtype=np.float64)
        by_round = combined.ndim == (2 if isinstance(seen, Sampled) else 1)
        means_by_round = combined.mean(axis=-1) if combined.ndim == 2 else combined
        chosen = int(np.argmin(means_by_round)) if by_round else None
        means = {n: float(np.mean(v if chosen is None else v[chosen])) for n, v in seen.observables.items()}
    left = sum(float(a) * means[n] for n, a in bound.left.items())
    added = {n: float(b) * means[n] for n, b in bound.right.items()}
    right = float(bound.constant) + sum(added.values())
    size = abs(left) + abs(float(bound.constant)) + sum(abs(v) for v in added.values())
    weights = (*bound.left.items(), *bound.right.items())
    roundings = _list_roundings(seen)
    rounding = sum(abs(float(weight)) * roundings.get(name, 0.0) for name, weight in weights)
    excess = abs(left - right) if bound.equality else left - right
    return Trial(
        left=left,
        right=right,
        share=max((excess - rounding) / size, -1.0) if size > 0 else 0.0,
        equality=bound.equality,
        positive=left >= 0 and float(bound.constant) > 0,
        rounding=rounding,
    )


def _list_roundings(seen: Measurement) -> Mapping[str, float]:
    """The roundings that are known without another run; see `verify.matching.measurements.point_rounding`."""
    if isinstance(seen, Exact):
        return {}
    return seen.rounding if isinstance(seen, Sampled) else seen.of_points


def measured_again(statement: Statement, instance: Mapping[str, Any]) -> Trial | None:
    """On fresh randomness and more of it: what the search saw had the luck for which it was selected."""
    entry = instance["cell"]
    cell, seed, replicates = record.cell_of(entry), int(entry["seed"]), int(entry["replicates"])
    if is_outside(cell.algorithm):  # each is a call of an author's function, and no verdict rests on them
        replicates = min(replicates, AGAIN_OUTSIDE)
    return trial_of(statement, cell, seed, replicates=replicates, stream=f"{cell.digest}/again")
