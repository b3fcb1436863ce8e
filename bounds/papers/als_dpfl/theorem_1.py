"""Theorem 1: the averaged model stays within h of the auxiliary centralized sequence.

The host of h. Its proof replaces the difference of the two noisy gradients by the difference of the gradients
(C.thm1.s2) without a word on how the two noises are coupled.
"""

from dataclasses import replace

from bounds.language.condition import at_most
from bounds.language.statement import Edge, EdgeOutcome, Kind, Statement, amend
from bounds.papers.als_dpfl import PAPER, h
from bounds.papers.als_dpfl.assumptions import FEDERATED, STANDING
from bounds.papers.als_dpfl.notation import (
    B,
    C,
    d,
    distance_to_auxiliary,
    eta,
    rho,
    sigma,
    tau,
    value_difference,
    x,
    xi,
)

DISTANCE = Statement(
    locator="C.thm1",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Theorem 1: distance of the averaged model from the auxiliary sequence",
    algorithm="dpfl",
    printed=(
        r"\mathbb{E} \|\hat{\mathbf{w}}(t) - \hat{\mathbf{v}}_{[k]}(t)\| \leq h(t - (k-1)\tau) \quad (10)",
    ),
    reading=(
        "noises independent: the clients' and the auxiliary sequence's noises are separate draws, as the "
        "proof couples nothing; the client noise is N(0, sigma^2 C^2)/B as in the listing, the auxiliary "
        "noise N(0, sigma^2 C^2) as printed below eq. (8); the average at t is "
        "of the models at t, eq. (16), not at t-1, eq. (7); x = t-(k-1)tau."
    ),
    other_readings=(
        "auxiliary noise divided by B, like the clients': what eq. (15) needs, since its proof (C.lem3.s4) "
        "pays for both noises with one 2 sqrt(d) sigma C/B. Step C.thm1.s2 still drops the noises.",
        "noises coupled: the auxiliary noise is the average of the clients' noises. Step C.thm1.s2 is then "
        "valid, since the noise cancels in the average.",
    ),
    left=distance_to_auxiliary,
    terms=h.terms(x),
    setting=FEDERATED,
    assumptions=STANDING,
    conditions=(at_most(x, tau, locator="C.thm1", printed=r"t \in [k]"),),
    example={**h.MAIN.example, "tau": 5},
    increasing=(x, eta, xi, sigma, C, d),
    decreasing=(B,),
    edges=(
        Edge(x, 0, EdgeOutcome.REGULAR, "just synchronized: both sides are 0"),
        Edge(sigma, 0, EdgeOutcome.REGULAR, "no noise: the reading of the noises does not matter"),
    ),
    proof=("C.thm1.s1..C.thm1.s7",),
)

VALUE = replace(
    DISTANCE,
    locator="C.thm1.F",
    title="Theorem 1: difference of the losses of the averaged model and the auxiliary sequence",
    printed=(
        r"\mathbb{E} \|F(\hat{\mathbf{w}}(t) - F(\hat{\mathbf{v}}_{[k]}(t)))\| \leq \rho h(t - (k-1)\tau)",
    ),
    reading=DISTANCE.reading + " The misplaced parenthesis is read as |F(w) - F(v)|.",
    left=value_difference,
    terms=tuple(replace(term, expression=rho * term.expression) for term in h.terms(x)),
    example={**h.MAIN.example, "tau": 5, "rho": 1},
    increasing=(*DISTANCE.increasing, rho),
    proof=(),
)

DISTANCE_AMENDED = amend(
    DISTANCE,
    change="h with nu, and without its second summand, as h amended",
    because=(
        "the average of the clients' models is no farther away than their distances on average, Lemma 3"
    ),
    derivation="docs/amended/als_dpfl.md#theorem-1",
    printed=(*DISTANCE.printed, *h.PRINTED_AMENDED),
    other_readings=(),
    terms=h.amended_terms(xi, x),
)
VALUE_AMENDED = amend(
    VALUE,
    change="h with nu, and without its second summand, as h amended",
    because="rho times the distance, as printed",
    derivation="docs/amended/als_dpfl.md#theorem-1",
    printed=(
        r"\mathbb{E} \|F(\hat{\mathbf{w}}(t)) - F(\hat{\mathbf{v}}_{[k]}(t))\| \leq \rho h(t - (k-1)\tau)",
        *h.PRINTED_AMENDED,
    ),
    other_readings=(),
    terms=h.amended_terms(xi, x, rho),
)
