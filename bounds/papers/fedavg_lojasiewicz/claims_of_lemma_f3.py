"""Claims in prose in the proof of Lemma F.3."""

from dataclasses import replace
from functools import partial
from typing import Any

from sympy import Expr, Integer

from bounds.language.condition import above, at_least, at_most, solved_at_most
from bounds.language.dimension import F
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.drawn import drawn
from bounds.language.lemmas.indices import index
from bounds.language.lemmas.objects import number
from bounds.language.quantity import NON_NEGATIVE
from bounds.language.statement import (
    Concrete,
    Edge,
    EdgeOutcome,
    Kind,
    Setting,
    Statement,
    Term,
    amend,
    defined_by,
)
from bounds.language.vanishing import Equal, together
from bounds.papers.fedavg_lojasiewicz import PAPER, definitions, equation_40
from bounds.papers.fedavg_lojasiewicz.notation import (
    C_F3,
    L,
    M,
    a,
    alpha,
    b,
    bound_35,
    eta,
    g_between,
    gap,
    gradient_norm,
    kappa_F3,
    largest_later_s,
    mean_power,
    mu,
    power,
    power_of_mean,
    s_r,
    sigma,
    sum_of_powers,
    weight,
    x,
    y,
    zeta,
)
from bounds.papers.fedavg_lojasiewicz.shared.sequences import addition_of_one_step, given, path

_bound = partial(Statement, kind=Kind.UPPER_BOUND, paper=PAPER)


def _bound_35(gap: Any, gradient_norm: Any, **others: Any) -> dict[str, Any]:
    eta, L = others["eta"], others["L"]
    noise = L * eta**2 * others["sigma"] ** 2 / others["M"]
    bound = gap - eta * (1 - L * eta) * gradient_norm**2 + noise
    return others | {"gap": gap, "gradient_norm": gradient_norm, "bound_35": bound}


ETA1L = replace(
    equation_40.BOUND,
    locator="D.claim.eta1L",
    title="(35) and (19) give (40)",
    algorithm=None,
    printed=(r"using $\eta \leq 1/L$, (35) and (19) give (40)",),
    reading="wherever (19) holds, the right-hand side of (35) is at most that of (40); both less F*.",
    left=bound_35,
    setting=(Setting("D.eq35", "one round with one local step"),),
    assumptions=(),
    conditions=(
        at_most(eta, 1 / L, locator="D.claim.eta1L", printed=r"\eta \leq 1/L"),
        at_least(
            gradient_norm**2,
            mu * gap**alpha - zeta**2,
            locator="D.eq19",
            printed=r"\|\nabla F(\theta)\|_2^2 \ge \mu\,(F(\theta)-F^*)^\alpha-\zeta^2",
            solved=solved_at_most(mu, (gradient_norm**2 + zeta**2) / gap**alpha),
        ),
    ),
    example={**equation_40.BOUND.example, "gradient_norm": 1.2},
    concrete=Concrete(
        objects=given(gap, gradient_norm, eta, mu, alpha, L, M, zeta, sigma), numbers=_bound_35
    ),
    edges=(Edge(sigma, 0, EdgeOutcome.REGULAR, "exact gradients"),),
)


ETA1L_AMENDED = amend(
    ETA1L,
    change="eta <= 1/(2L) in place of eta <= 1/L",
    because="1 - L eta is then at least 1/2, which is the factor of the descent in (40)",
    derivation="docs/amended/fedavg_lojasiewicz.md#step-size-of-lemma-f3",
    needed="fedavg_lojasiewicz.claims_of_lemma_f3.eta1l",
    printed=(r"using $\eta \leq 1/(2L)$, (35) and (19) give (40)",),
    reading=ETA1L.reading,
    conditions=(
        at_most(eta, 1 / (2 * L), locator="D.claim.eta1L", printed=r"\eta \leq 1/(2L)"),
        *ETA1L.conditions[1:],
    ),
)


def _jensen(gaps: Any, alpha: Any) -> dict[str, Any]:
    exponent = np.asarray(alpha, dtype=float)
    return {
        "alpha": alpha,
        "mean_power": np.mean(gaps ** exponent[..., None], axis=-1),
        "power_of_mean": np.mean(gaps, axis=-1) ** exponent,
    }


JENSEN = _bound(
    locator="D.claim.jensen",
    title="Jensen's inequality for the power of the gap",
    printed=("Jensen turns (40) into D.F3.s3",),
    reading="the term on which the two differ: the power of the mean is at most the mean of the powers.",
    left=power_of_mean,
    terms=(Term("powers", mean_power, "spread of the gaps", remark="when the gap is 0 on every path"),),
    # The exponent enters the units of both sides.
    conditions=(above(alpha, 1, locator="D.F3", printed=r"$\alpha > 1$"),),
    example={"mean_power": 2, "alpha": 1.5},
    concrete=Concrete(
        objects={
            "gaps": "F(theta_r) - F* on equally likely paths, (..., paths)",
            "alpha": "Lojasiewicz exponent",
        },
        numbers=_jensen,
        drawn=drawn(gaps=number("gaps", NON_NEGATIVE, F, over=index("path")), alpha=alpha),
    ),
    increasing=(mean_power,),
    edges=(Edge(mean_power, 0, EdgeOutcome.REGULAR, "at F* on every path"),),
)

EULER = Statement(
    locator="D.claim.euler",
    kind=Kind.CLAIM,
    paper=PAPER,
    title="The recursion as an Euler discretization",
    printed=(
        "the recursion is an Euler discretization of a Bernoulli differential equation, as a difference"
        " inequality",
    ),
    reading="of v_r = s_r - C, which the next sentence takes: v' = -kappa v^alpha, with a step of one round.",
    other_readings=(
        "of s_r, whose recursion adds a constant: then 0 is no solution, as it is of Bernoulli's.",
    ),
    refuted_by="a step that leaves the solution of the equation by more than the square of its length",
)


def _powers(a: Any, b: Any, power: Any) -> dict[str, Any]:
    return {"a": a, "b": b, "power": power, "sum_of_powers": a**power + b**power}


SUPER = _bound(
    locator="D.claim.super",
    title="The power of a sum",
    printed=(r"for $\alpha \geq 1$ and $a, b \geq 0$: $(a + b)^\alpha \geq a^\alpha + b^\alpha$",),
    reading=(
        "turned round; alpha is any exponent of at least 1 here: Theorem F.4 needs it for 1/(alpha-1) too, "
        "which is one where alpha <= 2."
    ),
    left=sum_of_powers,
    terms=(Term("power", (a + b) ** power, "the sum, to the power", (together(Equal(a, 0), Equal(b, 0)),)),),
    example={"a": 1, "b": 2, "power": 1.5},
    concrete=Concrete(
        objects={"a": "a number >= 0", "b": "another", "power": "an exponent >= 1"}, numbers=_powers
    ),
    increasing=(a, b),
    edges=(
        Edge(power, 1, EdgeOutcome.REGULAR, "equality"),
        Edge(a, 0, EdgeOutcome.REGULAR, "equality"),
        Edge(b, 0, EdgeOutcome.REGULAR, "equality"),
    ),
)


def _g(at: Expr) -> Expr:
    return at ** (1 - alpha)


def _between(x: Any, y: Any, weight: Any, alpha: Any) -> dict[str, Any]:
    middle = weight * x + (1 - weight) * y
    return {"x": x, "y": y, "weight": weight, "alpha": alpha, "g_between": middle ** -(alpha - 1)}


CONVEX = _bound(
    locator="D.claim.convex",
    title="The negative power g is convex",
    printed=(r"$g(x)=x^{-(\alpha-1)}$ is convex on $\mathbb{R}_+^*$",),
    reading="as the definition of convexity has it, with t the weight of x.",
    left=g_between,
    terms=(
        Term("first", weight * _g(x), "g at x", (Equal(weight, 0),)),
        Term("second", (Integer(1) - weight) * _g(y), "g at y", (Equal(weight, 1),)),
    ),
    example={"x": 1, "y": 3, "weight": 0.25, "alpha": 1.5},
    concrete=Concrete(
        objects={"x": "a number > 0", "y": "another", "weight": "t in [0, 1]", "alpha": "exponent"},
        numbers=_between,
    ),
    decreasing=(x, y),
    edges=(
        Edge(weight, 0, EdgeOutcome.REGULAR, "g at y on both sides"),
        Edge(weight, 1, EdgeOutcome.REGULAR, "g at x on both sides"),
        Edge(x, 0, EdgeOutcome.OUT_OF_DOMAIN, "g has a pole at 0"),
    ),
)


def _later(s_r: Any, rounds: Any, mu: Any, alpha: Any, **others: Any) -> dict[str, Any]:
    """The recursion D.F3.s4 with equality."""
    sequence = path(s_r, rounds, alpha, others["eta"] * mu / 2, addition_of_one_step(**others))
    return others | {"s_r": s_r, "mu": mu, "alpha": alpha, "largest_later_s": sequence[1:].max(axis=0)}


TWICE_THE_FLOOR = _bound(
    locator="D.claim.2C",
    title="Below the floor once, below twice the floor ever after",
    printed=(r"if some $s_r \leq C$ the sequence stays smaller than $2C$",),
    reading=(
        "for every sequence s_r >= 0 that obeys D.F3.s4; smaller is read as at most, so that C = 0 is no "
        "exception."
    ),
    other_readings=(
        "for the gaps of a run: FL-1 and FL-2 then keep every gap below (2L/mu)^(1/(alpha-1)), which the "
        "recursion alone does not know.",
    ),
    left=largest_later_s,
    terms=(Term("floor", 2 * C_F3, "heterogeneity and noise", (together(Equal(zeta, 0), Equal(sigma, 0)),)),),
    setting=(Setting("D.F3.s4", "s_r obeys the recursion of Lemma F.3, one local step"),),
    where=(defined_by(definitions.FLOOR_F3, locator="D.F3.s12"),),
    conditions=(
        at_most(eta, 1 / L, locator="D.F3", printed=r"\eta \leq 1/L"),
        at_most(s_r, C_F3, locator="D.claim.2C", printed=r"s_r \leq C"),
    ),
    example={"s_r": 0.2, "eta": 0.1, "mu": 0.5, "alpha": 1.5, "zeta": 0.3, "sigma": 1.5, "L": 4, "M": 10},
    concrete=Concrete(
        objects=given(s_r, mu, alpha, L, M, eta, zeta, sigma)
        | {"rounds": "how many rounds follow, at least one"},
        numbers=_later,
    ),
    increasing=(zeta, sigma),
    decreasing=(M, mu),
    edges=(
        Edge(zeta, 0, EdgeOutcome.REGULAR, "homogeneous agents"),
        Edge(s_r, 0, EdgeOutcome.REGULAR, "from F*"),
    ),
)

# kappa C^(alpha-1) is proportional to mu^(1/alpha).
_ADDED = (zeta**2) ** (1 / alpha) + (2 * L * eta * sigma**2 / M) ** (1 / alpha)

TWICE_THE_FLOOR_AMENDED = amend(
    TWICE_THE_FLOOR,
    change="kappa C^(alpha-1) <= 1 is asked",
    because="a round adds at most kappa C^alpha, which then is at most C, and nothing above C",
    derivation="docs/amended/fedavg_lojasiewicz.md#twice-the-floor",
    needed="fedavg_lojasiewicz.claims_of_lemma_f3.twice_the_floor",
    printed=(r"if $\kappa C^{\alpha-1} \leq 1$ and some $s_r \leq C$ the sequence stays at most $2C$",),
    reading=(
        "for every sequence s_r >= 0 that obeys D.F3.s4; the gaps of a run meet the added condition, or C is "
        "above them all."
    ),
    other_readings=(),
    where=(*TWICE_THE_FLOOR.where, defined_by(definitions.RATE_F3, locator="D.F3.s6")),
    conditions=(
        *TWICE_THE_FLOOR.conditions,
        at_most(
            kappa_F3 * C_F3 ** (alpha - 1),
            1,
            locator="D.claim.2C",
            printed=r"\kappa C^{\alpha-1} \leq 1",
            solved=solved_at_most(mu, (2 / (eta * _ADDED ** (alpha - 1))) ** alpha),
            part="short_round",
        ),
    ),
)
