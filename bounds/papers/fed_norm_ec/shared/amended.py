"""What the amended forms share: where they are derived, and what memories and local passes ask."""

from sympy import Expr, Symbol, sqrt

from bounds.language.condition import Condition, at_most, solved_at_least, solved_at_most
from bounds.papers.fed_norm_ec.notation import L, R, alpha, beta, eta, gamma

DERIVATION = "docs/amended/fed_norm_ec.md"


def short_pass(locator: str, printed: str = r"\gamma\leq\frac{1}{2L}") -> Condition:
    return at_most(gamma, 1 / (2 * L), locator=locator, printed=printed)


def no_overshoot(
    locator: str, solved: tuple[Symbol, Expr] | None = None, *, least: bool = False
) -> Condition:
    """An update leaves no memory error above R; `solved` is an input and its largest or least value."""
    symbol, limit = solved or (beta, (sqrt(alpha) + sqrt(R)) ** 2)
    return at_most(
        beta,
        (sqrt(alpha) + sqrt(R)) ** 2,
        locator=locator,
        printed=r"\beta\leq(\sqrt{\alpha}+\sqrt{R})^{2}",
        solved=(solved_at_least if least else solved_at_most)(symbol, limit),
    )


def memory_step(locator: str) -> Condition:
    """After the server's step the memory errors are still small enough for the next update."""
    return at_most(
        eta,
        3 * beta * R / (4 * L * (alpha + R)),
        locator=locator,
        printed=r"\frac{3}{4L}\frac{\beta R}{\alpha+R}",
        part="memory",
    )
