"""Listings and case distinctions carried out as they are printed, an index or a line out of its place."""

from bounds.language.finding import FindingClass
from verify.witness import Measured, Witness


def rounds_until_the_return() -> Measured:
    """Lines 2 to 14 for K = 3: the rounds that are carried out, with line 13 before the end of the loop."""
    rounds, loop, passed, line = 3, range(2, 15), 0, 2
    while line in loop and passed < rounds:
        if line == 12:
            passed += 1
        line = 15 if line == 13 else 2 if line == 14 else line + 1
    return Measured(left=float(passed), right=float(rounds), applicable=True, equality=True)


def aggregations_of_the_guard() -> Measured:
    """Lines 1, 2, 13 and 14 for K = 3, against T = K tau local steps, which are K intervals."""
    intervals, k, aggregations = 3, 1, 0
    while k < intervals:
        k += 1
        aggregations += 1
    return Measured(left=float(aggregations), right=float(intervals), applicable=True, equality=True)


def steps_of_the_auxiliary_sequence() -> Measured:
    """The interval k = 2 with tau = 3, t from 3 to 6: at how many points (8) has a value, and of how many."""
    k, tau = 2, 3
    interval = range((k - 1) * tau, k * tau + 1)
    defined = [t for t in interval if t >= k * tau]
    return Measured(left=float(len(defined)), right=float(len(interval)), applicable=True, equality=True)


WITNESSES = (
    *(
        Witness(
            statement=f"dp_fedavg.algorithm_{number}",
            line="line 13",
            display=6,
            measure=rounds_until_the_return,
            why="the return stands inside the loop over the rounds: the first of three rounds is the last",
            right="after the loop: the round that is returned is drawn from all of them",
            grade=FindingClass.TYPO,
        )
        for number in (1, 2)
    ),
    Witness(
        statement="als_dpfl.algorithm_1",
        line="line 2",
        display=0,
        measure=aggregations_of_the_guard,
        why="from k = 1 the guard k < K lets K - 1 rounds pass, and T = K tau local steps are K intervals",
        right="k <= K, with w(K + 1) returned, or k = 0 at the start, with k tau for (k - 1) tau in line 5: "
        "else the model of the round before the last is returned, or t starts below 0",
        grade=FindingClass.TYPO,
    ),
    Witness(
        statement="als_dpfl.definitions.auxiliary_sequence",
        display=0,
        measure=steps_of_the_auxiliary_sequence,
        why="of the points of its interval the last alone has a value, and it is the model of that round, "
        "which C.sync puts at the start",
        right="(k - 1) tau in both cases, as the start of an interval is defined and every proof has it",
        grade=FindingClass.INCONSISTENT,
    ),
)
