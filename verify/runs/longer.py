"""A cell whose samples lean against its bound and decide nothing is run with more replicates.

The wealth of a bet may be looked at after any number of samples (docs/error_level.md), and the first samples
of a longer run are those of the shorter one. So going on costs no part of the level, as long as nothing but
the rejection by such a bet is taken from the longer run.
"""

from collections.abc import Callable
from typing import TypeVar

from bounds.language.finding import Verdict
from verify.runs.judge import Judged

Run = TypeVar("Run")

TIMES = 4  # as many replicates as before
LONGEST = 16  # times the first number
NEAR = 0.25  # of the way from the lower end to the bound: about one standard error, of the four or five


def refute_by_more(
    first: Judged, replicates: int, most: int, run_with: Callable[[int], tuple[Run, Judged]]
) -> tuple[Run, Judged] | None:
    """Return the longer run, of at most `most` replicates, that refutes, with its verdict, or None."""
    judged, times = first, TIMES
    while times <= LONGEST and times * replicates <= most and leans_against(judged):
        run, judged = run_with(times * replicates)
        if judged.verdict is Verdict.VIOLATED and _is_one_sided(judged):
            return run, judged
        times *= TIMES
    return None


def list_lengths(replicates: int) -> list[int]:
    """The numbers of replicates that a run of so many may go on to."""
    lengths = [TIMES]
    while lengths[-1] * TIMES <= LONGEST:
        lengths.append(lengths[-1] * TIMES)
    return [times * replicates for times in lengths]


def _is_one_sided(judged: Judged) -> bool:
    """Whether the bet on one side rejects: the mean is above the bound, or below what it is said to equal.

    Below it a truncation may have decided, which is another test in a longer run, and no bet that goes on.
    """
    lower, upper = judged.excess.lower, judged.excess.upper
    return (lower is not None and lower > 0) or (judged.below and upper is not None and upper < 0)


def leans_against(judged: Judged) -> bool:
    """Whether the estimate is above the bound by about a standard error, without a verdict.

    Or it is below the value of an equality by several of them, where a range lets a bet on that side go on.
    Without a lower end no bet is safe, and more samples would refute nothing; an end by truncation, which
    depends on their number, would be tested once more at the whole level.
    """
    excess = judged.excess
    if judged.verdict is Verdict.INCONCLUSIVE and judged.below:
        return True
    if judged.verdict is not Verdict.INCONCLUSIVE or excess.lower is None or not judged.continues:
        return False
    return excess.estimate > NEAR * -excess.lower
