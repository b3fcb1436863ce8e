"""What the amended forms share: where they are derived, and what local passes need of gamma."""

from bounds.language.condition import Condition, at_most
from bounds.papers.fed_norm_ec.notation import L, gamma

DERIVATION = "docs/amended/fed_norm_ec.md"


def short_pass(locator: str, printed: str = r"\gamma\leq\frac{1}{2L}") -> Condition:
    return at_most(gamma, 1 / (2 * L), locator=locator, printed=printed)
