"""Exit codes: scripts rely on them. Where several apply, misuse comes first, then refutation, then doubt."""

from collections.abc import Iterable

OK = 0
REFUTED = 1  # violated, refuted, or a recheck that failed
MISUSE = 2
OPEN = 3  # inconclusive, refused, not applicable, no solution
CRASHED = 70  # a defect of fedbounds; Python's own code for it is 1, which means `refuted` here
INTERRUPTED = 130

_PRECEDENCE = (MISUSE, REFUTED, OPEN, OK)

# A vacuous cell says that the statement claims nothing there: neither against it nor in doubt.
OF_VERDICT = {"holds": OK, "violated": REFUTED, "vacuous": OK, "inconclusive": OPEN, "refused": OPEN}


def worst(codes: Iterable[int]) -> int:
    found = set(codes)
    return next((code for code in _PRECEDENCE if code in found), OK)


def of_verdicts(verdicts: Iterable[str]) -> int:
    # A verdict that this version does not know is no ground for success.
    return worst(OF_VERDICT.get(verdict, OPEN) for verdict in verdicts)
