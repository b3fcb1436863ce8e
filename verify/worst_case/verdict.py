"""What the two ends of a worst case say of a bound, in exact arithmetic."""

from fractions import Fraction

HOLDS, VIOLATED, TIGHT, OPEN = "holds", "violated", "tight", "inconclusive"
SLACK = Fraction(1, 10**6)  # of the larger number: a bound that the two ends leave open within it is tight


def judged(bound: Fraction, upper: Fraction, lower: Fraction | None, *, exact_class: bool) -> str:
    """`holds` for the whole class, `violated` by an instance of it, `tight` within SLACK, else open.

    Without an instance nothing says that the bound is not below the worst case, so that it is not tight.
    """
    if bound >= upper:
        return HOLDS
    if lower is not None and bound < lower and exact_class:
        return VIOLATED
    close = upper - bound <= SLACK * max(abs(bound), upper)
    return TIGHT if close and lower is not None and bound >= lower else OPEN
