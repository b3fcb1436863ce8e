"""Claims in prose about the mathematics: h, the auxiliary sequence, expectations, the end of a proof.

One file in spite of its length: the id of a claim begins with the name of its file.
"""

from dataclasses import replace
from functools import partial
from typing import Any

from sympy import Integer, sqrt

from bounds.language.condition import above, at_most, below
from bounds.language.lazy_numpy import np
from bounds.language.statement import (
    Amendment,
    Concrete,
    Edge,
    EdgeOutcome,
    Kind,
    Statement,
    Term,
    amend,
    sets,
)
from bounds.language.vanishing import Equal, ToZero
from bounds.papers.als_dpfl import PAPER, h
from bounds.papers.als_dpfl.assumptions import CENTRALIZED, FEDERATED, STANDING, convex, smooth
from bounds.papers.als_dpfl.lemma_4 import small_noise
from bounds.papers.als_dpfl.lemma_5 import CONCRETE as ONE_STEP
from bounds.papers.als_dpfl.means import MEANS
from bounds.papers.als_dpfl.notation import (
    NOTATION,
    K,
    T,
    a,
    bernoulli_line,
    beta,
    eta,
    gradient_norm,
    h_value,
    h_x,
    largest_difference,
    largest_final_gap,
    line_value,
    mean_cubed_gap,
    mean_multiple,
    mean_noisy_gradient_norm,
    mean_product,
    mean_reciprocal_cubed_gap,
    mean_sum,
    mean_X,
    mean_Y,
    next_theta,
    next_theta_mean,
    noisy_gradient_norm,
    sigma_v,
    tau,
    theta,
    theta_mean,
    unit_point,
    x,
)
from bounds.papers.als_dpfl.shared.expectations import FINAL_GAPS, INDEPENDENT_VARIABLES

_bound = partial(Statement, kind=Kind.UPPER_BOUND, paper=PAPER)
_equality = partial(Statement, kind=Kind.EQUALITY, paper=PAPER)

# ---- h and its pieces

TRIVIAL = Statement(
    locator="C.claim.trivial",
    kind=Kind.CLAIM,
    paper=PAPER,
    title="eta and beta are positive",
    printed=(r"$\eta>0$ and $\beta>0$ always, otherwise the process or the loss is trivial",),
    reading="with eta = 0 no model moves; with beta = 0 a convex loss that has a minimizer is constant.",
    refuted_by="a loss with a minimizer and beta = 0 that is not constant, or a run with eta = 0 that moves",
)

BERNOULLI = _bound(
    locator="C.claim.bern",
    title="Bernoulli's inequality",
    printed=(r"$(\eta\beta + 1)^x \geq \eta\beta x + 1$ for $x = 0, 1, 2, \dots$",),
    reading="for whole x and eta beta > 0.",
    left=bernoulli_line,
    terms=(Term("power", (eta * beta + 1) ** x, "growth, compounded"),),
    example={"eta": 0.1, "beta": 1, "x": 5},
    concrete=Concrete(
        objects={"eta": "the step size", "beta": "the smoothness constant", "x": "the number of steps"},
        numbers=lambda eta, beta, x: {
            "eta": eta,
            "beta": beta,
            "x": x,
            "bernoulli_line": np.asarray(eta) * beta * x + 1,
        },
    ),
    increasing=(eta, beta, x),
    edges=(Edge(x, 0, EdgeOutcome.REGULAR, "1 on both sides"), Edge(x, 1, EdgeOutcome.REGULAR, "equality")),
)

_OF_H = ("x", "eta", "beta", "xi", "d", "sigma", "C", "B")


def _h(**point: Any) -> dict[str, Any]:
    value = h.MAIN.evaluate(**point).value
    return point | {"h_x": value, "h_value": value}


_PARAMETERS_OF_H = Concrete(objects={name: NOTATION.quantities[name].meaning for name in _OF_H}, numbers=_h)

H_NON_NEGATIVE = _bound(
    locator="C.claim.hpos",
    title="h is not negative",
    printed=(r"confirms $h(x) \geq 0$",),
    reading="h as printed in (11), for every whole x; turned round: -h(x) is at most 0.",
    left=-h_value,
    terms=(Term("zero", Integer(0), "nothing", remark="always"),),
    concrete=_PARAMETERS_OF_H,
)

H_STARTS_AT_ZERO = replace(
    H_NON_NEGATIVE,
    locator="C.claim.h0",
    kind=Kind.EQUALITY,
    title="h(0) = 0",
    follows_from="als_dpfl.h.main",
    printed=(r"$h(0) = 0$, so the bound (10) is zero at $t=(k-1)\tau$",),
    reading="h as printed in (11), at x = 0.",
    left=h_x,
    choices=(sets(x, 0, locator="C.claim.h0"),),
)

H_VANISHES_AT_ONE = replace(
    H_STARTS_AT_ZERO,
    locator="C.claim.h1",
    title="tau = 1 makes h vanish",
    follows_from="als_dpfl.h.main",
    printed=(r"$\tau = 1$ is a value that makes $h(x) = 0$",),
    reading="h as printed in (11), at x = tau = 1.",
    choices=(sets(x, 1, locator="C.claim.h1"),),
)

H_GROWS_EXPONENTIALLY = Statement(
    locator="C.claim.exp",
    kind=Kind.CLAIM,
    paper=PAPER,
    title="The difference of the two sequences can grow exponentially",
    printed=(r"can grow exponentially in $t$",),
    reading=(
        "of h, as printed in (11), and of the difference of the averaged model from the auxiliary sequence "
        "itself: `can` means on some problem of Assumption 1. Its constants stay as x grows: the sentence "
        "begins with `for large x`."
    ),
    other_readings=(
        "within one interval, the problem chosen for its length: true if eta beta > 2; with a Huber client "
        "of slope 2^120 beside a flat one and eta beta = 3 the difference comes to about 2^99 in 100 steps",
    ),
    refuted_by=(
        "an upper bound on the mean difference, on every problem of Assumption 1, that grows more slowly "
        "than any exponential"
    ),
    setting=FEDERATED,
    assumptions=STANDING,
)

# ---- the auxiliary sequence

LOSS_DECREASES = _bound(
    locator="C.claim.mono.F",
    title="The loss of the auxiliary sequence does not increase",
    algorithm="dpfl",
    printed=(r"$F(\hat{\mathbf{v}}_{[k]}(t)) \geq F(\hat{\mathbf{v}}_{[k]}(t+1))$",),
    reading="for every realisation of the noise, as the proofs use it; the gaps stand for the losses.",
    left=next_theta,
    terms=(Term("before", theta, "the gap before the step", remark="at the minimizer"),),
    setting=CENTRALIZED,
    assumptions=STANDING,
    conditions=(at_most(eta, 1 / beta, locator="C.lem5", printed=r"\eta \leq \frac{1}{\beta}"),),
    example={"theta": 1, "eta": 0.5, "beta": 1},
    concrete=ONE_STEP,
    increasing=(theta,),
    edges=(Edge(theta, 0, EdgeOutcome.REGULAR, "at the minimizer: no noise may move it"),),
)

LOSS_DECREASES_AMENDED = amend(
    LOSS_DECREASES,
    change="in mean, and where (2/beta - eta) E||grad F||^2 >= eta sigma^2 d",
    because="in mean Lemma 5 loses eta (1 - beta eta/2) E||grad F||^2 and gains beta eta^2 sigma^2 d/2",
    derivation="docs/amended/als_dpfl.md#the-loss-decreases",
    needed="als_dpfl.claims.loss_decreases",
    printed=(r"\mathbb{E}F(\hat{\mathbf{v}}_{[k]}(t)) \geq \mathbb{E}F(\hat{\mathbf{v}}_{[k]}(t+1))",),
    reading="in mean over the run; the gaps stand for the losses.",
    left=next_theta_mean,
    terms=(Term("before", theta_mean, "the mean gap before the step", remark="at the minimizer"),),
    conditions=(*LOSS_DECREASES.conditions, small_noise(sigma_v)),
    example={"theta_mean": 1, "eta": 0.5, "beta": 1, "gradient_square": 1, "sigma_v": 0.1, "d": 4},
    concrete=MEANS,
    increasing=(theta_mean,),
    edges=(Edge(theta_mean, 0, EdgeOutcome.REGULAR, "at the minimizer: the hypothesis forbids noise"),),
)

GAP_DECREASES = replace(
    LOSS_DECREASES,
    locator="C.claim.mono.theta",
    title="The gap of the auxiliary sequence does not increase",
    printed=(r"$0 < \theta_{[k]}(t+1) \leq \theta_{[k]}(t)$",),
    reading="for every realisation of the noise; the positive lower end is eq. (20).",
    conditions=(
        above(theta, 0, locator="C.pos", printed=r"\theta_{[k]}(t) > 0"),
        *LOSS_DECREASES.conditions,
    ),
    edges=(Edge(theta, 0, EdgeOutcome.NOT_APPLICABLE, "eq. (20) excludes it"),),
)

GAP_DECREASES_AMENDED = replace(
    LOSS_DECREASES_AMENDED,
    locator=GAP_DECREASES.locator,
    title=GAP_DECREASES.title,
    amendment=Amendment(
        change="in mean, and where (2/beta - eta) E||grad F||^2 >= eta sigma^2 d",
        because="as the loss; that the gap is positive is eq. (20), which fails, and is claimed no more",
        derivation="docs/amended/als_dpfl.md#the-loss-decreases",
        needed="als_dpfl.claims.gap_decreases",
    ),
)

NOISE_LENGTHENS = _bound(
    locator="C.claim.gradnoise",
    title="Noise does not shorten a gradient",
    printed=(
        r"$\lVert\nabla F(\hat{\mathbf{v}}_{[k]}(t))\rVert \leq "
        r"\lVert\nabla F(\hat{\mathbf{v}}_{[k]}(t)) + \mathbf{n}_{\mathbf{v}}^t\rVert$",
    ),
    reading="for every realisation of the noise, as (24) prints it.",
    other_readings=("in mean, where it is Jensen's inequality.",),
    left=gradient_norm,
    terms=(
        Term(
            "noisy", noisy_gradient_norm, "the noisy gradient", remark="where the noise cancels the gradient"
        ),
    ),
    setting=CENTRALIZED,
    assumptions=(convex, smooth),
    example={"noisy_gradient_norm": 1},
    concrete=ONE_STEP,
    increasing=(noisy_gradient_norm,),
    edges=(Edge(noisy_gradient_norm, 0, EdgeOutcome.REGULAR, "the noise cancels the gradient"),),
)

NOISE_LENGTHENS_AMENDED = amend(
    NOISE_LENGTHENS,
    change="in mean over the noise",
    because="the norm is convex and the noise has mean zero: Jensen",
    derivation="docs/amended/als_dpfl.md#noise-lengthens-a-gradient",
    printed=(
        r"\|\nabla F(\hat{\mathbf{v}}_{[k]}(t))\| \leq "
        r"\mathbb{E}\|\nabla F(\hat{\mathbf{v}}_{[k]}(t)) + \mathbf{n}_{\mathbf{v}}^t\|",
    ),
    reading="in mean over the noise of a step, from any outcome of the auxiliary sequence and so over all.",
    other_readings=(),
    terms=(
        Term("noisy", mean_noisy_gradient_norm, "the noisy gradient", remark="without gradient and noise"),
    ),
    example={"mean_noisy_gradient_norm": 1},
    concrete=MEANS,
    increasing=(mean_noisy_gradient_norm,),
    edges=(Edge(mean_noisy_gradient_norm, 0, EdgeOutcome.REGULAR, "neither gradient nor noise"),),
)

# ---- expectations


INDEPENDENT_PRODUCT = _equality(
    locator="C.claim.indep",
    title="Mean of a product of independent variables",
    printed=(r"if $X$ and $Y$ are two independent events, then $\mathbb{E}(XY)=\mathbb{E}(X)\mathbb{E}(Y)$",),
    reading="X and Y are independent random variables with finite means, not events.",
    left=mean_product,
    terms=(
        Term("product", mean_X * mean_Y, "both means", remark="when either mean is 0", non_negative=False),
    ),
    example={"mean_X": 2, "mean_Y": 3},
    concrete=INDEPENDENT_VARIABLES,
    edges=(Edge(mean_X, 0, EdgeOutcome.REGULAR, "noise of mean zero"),),
)

MEAN_OF_SUM = replace(
    INDEPENDENT_PRODUCT,
    locator="C.claim.linear",
    title="Mean of a sum",
    printed=(r"$\mathbb{E}(X+Y) = \mathbb{E}(X) + \mathbb{E}(Y)$",),
    reading="X and Y have finite means.",
    left=mean_sum,
    terms=(
        Term("first", mean_X, "the mean of X", remark="when it is 0", non_negative=False),
        Term("second", mean_Y, "the mean of Y", remark="when it is 0", non_negative=False),
    ),
    edges=(Edge(mean_X, 0, EdgeOutcome.REGULAR, "the mean of Y is left"),),
)

MEAN_OF_MULTIPLE = replace(
    MEAN_OF_SUM,
    title="Mean of a multiple",
    printed=(r"$\mathbb{E}(aX) = a\mathbb{E}(X)$",),
    reading="X has a finite mean and a is a number.",
    left=mean_multiple,
    terms=(Term("multiple", a * mean_X, "the mean of X", (Equal(a, 0),), non_negative=False),),
    example={"mean_X": 2, "a": 3},
    edges=(Edge(a, 0, EdgeOutcome.REGULAR, "0 on both sides"),),
)

# ---- the end of the proof of Theorem 2


JENSEN = _bound(
    locator="C.claim.jensen",
    title="Jensen's inequality with 1/x^3",
    printed=(r"Jensen with $f(x)=\frac{1}{x^3}$ for $0 < F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*) < 1$",),
    reading=(
        "what it is said to give, C.thm2.s15(a): the mean reciprocal of the cube is at most the reciprocal "
        "of the mean cube."
    ),
    left=mean_reciprocal_cubed_gap,
    terms=(Term("reciprocal", 1 / mean_cubed_gap, "the mean cube"),),
    conditions=(
        below(
            largest_final_gap,
            1,
            locator="C.claim.jensen",
            printed=r"0 < F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*) < 1",
        ),
    ),
    example={"mean_cubed_gap": 0.1, "largest_final_gap": 0.5},
    concrete=FINAL_GAPS,
    decreasing=(mean_cubed_gap,),
    edges=(Edge(mean_cubed_gap, 0, EdgeOutcome.OUT_OF_DOMAIN, "the gap is positive"),),
)

JENSEN_AMENDED = amend(
    JENSEN,
    change="in the other direction, and for any positive gap",
    because="1/x^3 is convex on the positive numbers",
    derivation="docs/amended/als_dpfl.md#jensen",
    printed=(
        r"\frac{1}{\mathbb{E} [F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*)]^3} \leq "
        r"\mathbb{E} \frac{1}{[F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*)]^3}",
    ),
    reading=(
        "turned round: less the mean reciprocal of the cube is at most less the reciprocal of the mean cube."
    ),
    left=-mean_reciprocal_cubed_gap,
    terms=(Term("reciprocal", -1 / mean_cubed_gap, "the mean cube", (), non_negative=False),),
    conditions=(),
    example={"mean_cubed_gap": 0.1},
    increasing=(mean_cubed_gap,),
    decreasing=(),
)

MAX_DIFFERENCE = _equality(
    locator="C.claim.maxdiff",
    title="Largest difference of y = x and y = x^3 on (0, 1)",
    printed=(
        r"for $0 < x < 1$ the maximum difference between $y = x$ and $y = x^3$ is $\frac{\sqrt{3}}{3}$",
    ),
    reading="the maximum over the open interval is this number, and not only at most this number.",
    left=largest_difference,
    terms=(Term("difference", sqrt(3) / 3, "largest difference", remark="never"),),
    concrete=Concrete(
        objects={"points": "numbers between 0 and 1, on the last axis, the maximizer among them"},
        numbers=lambda points: {"largest_difference": (np.asarray(points) - np.asarray(points) ** 3).max(-1)},
    ),
)

MAX_DIFFERENCE_AMENDED = amend(
    MAX_DIFFERENCE,
    change="2 sqrt(3)/9 in place of sqrt(3)/3",
    because="x - x^3 is largest at x = 1/sqrt(3), where it is 1/sqrt(3) - 1/(3 sqrt(3))",
    derivation="docs/amended/als_dpfl.md#the-largest-difference",
    printed=(r"\max_{0 < x < 1} (x - x^3) = \frac{2\sqrt{3}}{9}",),
    reading="the maximum over the open interval.",
    terms=(Term("difference", 2 * sqrt(3) / 9, "largest difference", remark="never"),),
)

MAX_DIFFERENCE_AS_USED = replace(
    MAX_DIFFERENCE,
    kind=Kind.UPPER_BOUND,
    title="Difference of y = x and y = x^3 on (0, 1), as the proof uses it",
    reading="no difference is larger than the number; that one is as large is another claim.",
    left=line_value,
    terms=(Term("cube", unit_point**3, "y = x^3", (ToZero(unit_point),)), *MAX_DIFFERENCE.terms),
    example={"unit_point": 0.5},
    concrete=Concrete(
        objects={"unit_point": "a number between 0 and 1"},
        numbers=lambda unit_point: {"unit_point": unit_point, "line_value": unit_point},
    ),
    increasing=(unit_point,),
    edges=(
        Edge(unit_point, 0, EdgeOutcome.OUT_OF_DOMAIN, "x > 0 is asked"),
        Edge(unit_point, 1, EdgeOutcome.OUT_OF_DOMAIN, "x < 1 is asked"),
    ),
)

STEPS_OF_ALL_ROUNDS = _equality(
    locator="C.claim.Texact",
    title="T = K tau",
    algorithm="dpfl",
    printed=(r"$T = K\tau$",),
    reading="K aggregations, each after tau local steps.",
    other_readings=("Algorithm 1 as listed, with K-1 aggregations: T = (K-1) tau.",),
    left=T,
    terms=(Term("steps", K * tau, "every local step"),),
    example={"K": 50, "tau": 2},
    concrete=Concrete(
        objects={"rounds": "the number of local steps of each round, on the last axis, all equal"},
        numbers=lambda rounds: {
            "K": np.shape(rounds)[-1],
            "tau": np.asarray(rounds).max(-1),
            "T": np.asarray(rounds).sum(-1),
        },
    ),
    increasing=(K, tau),
    edges=(Edge(K, 1, EdgeOutcome.REGULAR, "one round"),),
)
