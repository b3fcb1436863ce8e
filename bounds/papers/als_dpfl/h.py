"""h(x), the bound on the gap between the federated and the auxiliary sequence, printed twice."""

from dataclasses import replace

from sympy import Expr, Integer, Symbol, sqrt

from bounds.language.statement import Edge, EdgeOutcome, Kind, Statement, Term, amend
from bounds.language.vanishing import Equal, Grows, together
from bounds.papers.als_dpfl import PAPER
from bounds.papers.als_dpfl.notation import B, C, beta, d, eta, h_x, sigma, x, xi


def growth(steps: Expr) -> Expr:
    return (xi + 2 * sqrt(d) * sigma * C / B) / beta * ((eta * beta + 1) ** steps - 1)


def linear(steps: Expr) -> Expr:
    return eta * (xi + 2 * sqrt(d) * sigma * C) / B * steps


def amended_terms(divergence: Symbol, steps: Symbol, factor: Expr = Integer(1)) -> tuple[Term, ...]:
    """What a step adds in mean, compounded; `factor` turns distances into values."""
    compounded = factor / beta * ((eta * beta + 1) ** steps - 1)
    none = Equal(steps, 0)
    return (
        Term(
            "divergence",
            divergence * compounded,
            "clients with different gradients",
            (none, Equal(divergence, 0)),
        ),
        Term("sampling", C / sqrt(B) * compounded, "batches at the clients", (none, Grows(B))),
        Term(
            "client_noise",
            sqrt(d) * sigma * C / B * compounded,
            "private noise at the clients",
            (none, Equal(sigma, 0)),
        ),
        Term(
            "auxiliary_noise",
            sqrt(d) * sigma * C * compounded,
            "noise of the auxiliary sequence",
            (none, Equal(sigma, 0)),
        ),
    )


def terms(steps: Expr) -> tuple[Term, ...]:
    return (
        Term(
            "growth",
            growth(steps),
            "divergence and noise, compounded",
            (Equal(x, 0), together(Equal(xi, 0), Equal(sigma, 0))),
        ),
        Term(
            "linear",
            linear(steps),
            "divergence and noise, once per step",
            (Equal(x, 0), together(Equal(xi, 0), Equal(sigma, 0))),
        ),
    )


MAIN = Statement(
    locator="C.h.main",
    kind=Kind.DEFINITION,
    paper=PAPER,
    title="h(x) as printed in Theorem 1",
    printed=(
        r"h(x) \triangleq \frac{\xi + \frac{2\sqrt{d}\sigma C}{B}}{\beta} ((\eta\beta + 1)^x - 1)"
        r" + \eta \cdot \frac{\xi + 2\sqrt{d}\sigma C}{B} \cdot x",
    ),
    reading="as printed: B divides the whole numerator of the second summand, and its sign is plus.",
    left=h_x,
    terms=terms(x),
    example={"x": 5, "eta": 0.1, "beta": 1, "xi": 0.5, "d": 100, "sigma": 1.1, "C": 1, "B": 64},
    increasing=(x, eta, xi, sigma, C, d),
    decreasing=(B,),
    edges=(
        Edge(x, 0, EdgeOutcome.REGULAR, "h(0) = 0: the sequences have just been synchronized"),
        Edge(sigma, 0, EdgeOutcome.REGULAR, "no noise: divergence alone"),
        Edge(xi, 0, EdgeOutcome.REGULAR, "homogeneous clients: noise alone"),
        Edge(
            beta,
            0,
            EdgeOutcome.OUT_OF_DOMAIN,
            "0/0; as beta -> 0 the first summand tends to eta x times its factor",
        ),
    ),
)

APPENDIX = replace(
    MAIN,
    locator="C.h.app",
    title="h(x) as printed at the end of Appendix A.1",
    follows_from="als_dpfl.h.main",
    printed=(
        r"h(x) \triangleq \frac{\xi + \frac{2\sqrt{d}\sigma C}{B}}{\beta} ((\eta\beta + 1)^x - 1)"
        r" + \eta \left(\frac{\xi + 2\sqrt{d}\sigma C}{B} \right) x",
    ),
)

PRINTED_AMENDED = (
    r"h(x) \triangleq \frac{\xi + \nu}{\beta} ((\eta\beta + 1)^x - 1)",
    r"\nu \triangleq \frac{C}{\sqrt{B}} + \frac{\sqrt{d}\sigma C}{B} + \sqrt{d}\sigma C",
)
MAIN_AMENDED = amend(
    MAIN,
    change=(
        "nu, the deviations of a batch, of the clients' noise and of the auxiliary noise, in place of 2 "
        "sqrt(d) sigma C/B; no second summand"
    ),
    because=(
        "step C.thm1.s2 drops the divergence and the noises, and the second summand is what the sum of "
        "C.thm1.s6 then lacks; with them the sum is the first summand alone"
    ),
    derivation="docs/amended/als_dpfl.md#h",
    printed=PRINTED_AMENDED,
    reading=(
        "the auxiliary noise is N(0, sigma^2 C^2) as printed below eq. (8), the clients' that of the listing."
    ),
    terms=amended_terms(xi, x),
)
APPENDIX_AMENDED = replace(
    MAIN_AMENDED, locator=APPENDIX.locator, title=APPENDIX.title, follows_from=APPENDIX.follows_from
)
