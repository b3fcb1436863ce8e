"""Conditions that the amended forms share: what Lemma 1 needs of beta, and what local passes need of gamma.

docs/amended/fed_norm_ec.md derives every amended form.
"""

from bounds.condition import Condition, Solved, at_most
from bounds.papers.fed_norm_ec.notation import L, alpha, beta, gamma

DERIVATION = "docs/amended/fed_norm_ec.md"


def monotone_correction(locator: str, solved: Solved | None = None) -> Condition:
    """Up to beta = alpha a longer memory error is never corrected to a shorter one than a shorter error."""
    return at_most(beta, alpha, locator=locator, printed=r"\beta\leq\alpha", solved=solved)


def short_pass(locator: str, printed: str = r"\gamma\leq\frac{1}{2L}") -> Condition:
    return at_most(gamma, 1 / (2 * L), locator=locator, printed=printed)
