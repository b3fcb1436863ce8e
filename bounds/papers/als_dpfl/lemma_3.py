"""Lemma 3: a client's model stays within g_i of the auxiliary sequence between two aggregations."""

from sympy import sqrt

from bounds.language.condition import at_most
from bounds.language.statement import Edge, EdgeOutcome, Kind, Statement, Term, amend
from bounds.language.vanishing import Equal, together
from bounds.papers.als_dpfl import PAPER, h
from bounds.papers.als_dpfl.assumptions import FEDERATED, STANDING
from bounds.papers.als_dpfl.notation import (
    B,
    C,
    beta,
    client_distance,
    d,
    eta,
    g_i_x,
    sigma,
    tau,
    x,
    xi_i,
)

_TERMS = (
    Term(
        "growth",
        (xi_i + 2 * sqrt(d) * sigma * C / B) / beta * ((eta * beta + 1) ** x - 1),
        "divergence and noise, compounded",
        (Equal(x, 0), together(Equal(xi_i, 0), Equal(sigma, 0))),
    ),
)
_EDGES = (
    Edge(x, 0, EdgeOutcome.REGULAR, "just synchronized: 0"),
    Edge(sigma, 0, EdgeOutcome.REGULAR, "no noise: divergence alone"),
    Edge(xi_i, 0, EdgeOutcome.REGULAR, "the client has the mean gradient: noise alone"),
    Edge(beta, 0, EdgeOutcome.OUT_OF_DOMAIN, "0/0; the limit is eta x times its factor"),
)
_EXAMPLE = {"x": 5, "eta": 0.1, "beta": 1, "xi_i": 0.5, "d": 100, "sigma": 1.1, "C": 1, "B": 64}

BOUND_FUNCTION = Statement(
    locator="C.gi",
    kind=Kind.DEFINITION,
    paper=PAPER,
    title="g_i(x), the bound function of Lemma 3",
    printed=(r"g_i(x) \triangleq \frac{\xi_i + \frac{2\sqrt{d}\sigma C}{B}}{\beta} ((\eta\beta + 1)^x - 1)",),
    reading="B divides the noise alone; g_i(x) is a number, and no gradient.",
    left=g_i_x,
    terms=_TERMS,
    example=_EXAMPLE,
    increasing=(x, eta, xi_i, sigma, C, d),
    decreasing=(B,),
    edges=_EDGES,
)

LEMMA = Statement(
    locator="C.lem3",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Lemma 3: distance of a client's model from the auxiliary sequence",
    algorithm="dpfl",
    printed=(
        r"\mathbb{E} \|\hat{\mathbf{w}}_i(t) - \hat{\mathbf{v}}_{[k]}(t)\| \leq "
        r"g_i(t - (k-1)\tau) \quad (15)",
    ),
    reading=(
        "at t = k tau the client's model is the one before the aggregation. Noises independent: the "
        "client's is N(0, sigma^2 C^2)/B, standard deviation sigma C/B per coordinate, as in the listing; "
        "the auxiliary noise is N(0, sigma^2 C^2), standard deviation sigma C per coordinate, as printed "
        "below eq. (8)."
    ),
    other_readings=(
        "auxiliary noise divided by B, like the client's: the proof pays for both noises with one deviation "
        "bound, which is twice the deviation of either.",
    ),
    left=client_distance,
    terms=_TERMS,
    setting=FEDERATED,
    assumptions=STANDING,
    conditions=(at_most(x, tau, locator="C.lem3", printed=r"t \in [(k-1)\tau, k\tau]"),),
    example=_EXAMPLE | {"tau": 5},
    increasing=(x, eta, xi_i, sigma, C, d),
    decreasing=(B,),
    edges=_EDGES,
    proof=("C.lem3.s1..C.lem3.s7",),
)

_CHANGE = (
    "nu, the deviations of a batch, of the client's noise and of the auxiliary noise, in place of 2 "
    "sqrt(d) sigma C/B"
)
_BECAUSE = (
    "step C.lem3.s4 pays for both noises with one deviation bound, although the auxiliary noise of eq. (8) "
    "is not divided by B, and for no batch"
)
_DERIVATION = "docs/amended/als_dpfl.md#lemma-3"
_PRINTED_AMENDED = r"g_i(x) \triangleq \frac{\xi_i + \nu}{\beta} ((\eta\beta + 1)^x - 1)"
BOUND_FUNCTION_AMENDED = amend(
    BOUND_FUNCTION,
    change=_CHANGE,
    because=_BECAUSE,
    derivation=_DERIVATION,
    printed=(_PRINTED_AMENDED, h.PRINTED_AMENDED[1]),
    terms=h.amended_terms(xi_i, x),
)
LEMMA_AMENDED = amend(
    LEMMA,
    change=f"g_i with {_CHANGE}",
    because=_BECAUSE,
    derivation=_DERIVATION,
    printed=(*LEMMA.printed, _PRINTED_AMENDED, h.PRINTED_AMENDED[1]),
    other_readings=(),
    terms=h.amended_terms(xi_i, x),
)
