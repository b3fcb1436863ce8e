"""Claims in prose: consequences (b) and (c) of Theorem 2, introduction and discussion."""

from functools import partial
from typing import Any

from bounds.language.assumptions import CONVEX_CLIENTS, SMOOTH_CLIENTS, as_stated
from bounds.language.condition import above, below
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.drawn import drawn
from bounds.language.lemmas.indices import index
from bounds.language.lemmas.objects import function, number, vector
from bounds.language.quantity import PROBABILITY
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Setting, Statement, Term, amend
from bounds.language.vanishing import ToZero
from bounds.papers.dp_fedavg import PAPER, theorem_2
from bounds.papers.dp_fedavg.notation import (
    E_1,
    E_2,
    C,
    L,
    SNR_clipping,
    SNR_normalization,
    bias,
    bias_at_larger_C,
    c_BST14,
    gap,
    larger_C,
    rho,
    update_per_step_E_1,
    update_per_step_E_2,
)
from bounds.papers.dp_fedavg.shared import start
from bounds.papers.dp_fedavg.shared.local_steps import Function, Points, length, local_iterates

_claim = partial(Statement, kind=Kind.CLAIM, paper=PAPER)
_bound = partial(Statement, kind=Kind.UPPER_BOUND, paper=PAPER)

ROUNDS_AGAINST_HETEROGENEITY = _claim(
    locator="B.rem4b",
    title="Consequence (b): initialization and heterogeneity",
    algorithm="dp_fedavg",
    printed=(
        r"Increasing $\alpha$, i.e. $K$, makes the effect of B die down; the effect of A cannot be "
        r"diminished by increasing $\alpha$.",
    ),
    reading=(
        "of the two terms on the right of eq. (6), with everything but alpha and K kept: term A does not "
        "hold alpha, and term B is at most 3 E rho/(2 alpha) times the mean of the Delta_i*."
    ),
    refuted_by="a larger alpha at which term A of eq. (6) is smaller, or the limit of term B is not zero.",
    setting=(Setting("B.thm2", "A and B are the terms of eq. (6)"),),
)


def _per_step(gradient: Function, w: Points, eta: Any, E_1: int, E_2: int) -> dict[str, Any]:
    iterates = local_iterates(gradient, w, eta, max(E_1, E_2))
    per_step = {E: length(w - iterates[E]) / np.asarray(eta) / E for E in (E_1, E_2)}
    return {
        "E_1": E_1,
        "E_2": E_2,
        "update_per_step_E_1": per_step[E_1],
        "update_per_step_E_2": per_step[E_2],
    }


_f = function("f", convex=True, smooth=L)

UPDATE_PER_STEP = _bound(
    locator="B.rem4c",
    title="Consequence (c): the update per local step",
    algorithm="dp_fedavg",
    printed=(
        r"\frac{\big\|\bm{u}_{\tilde{k}}^{(i)}\big\|}{E}=\frac{\big\|\sum_{\tau=0}^{E-1}\nabla f_{i}("
        r"\bm{w}_{\tilde{k},\tau}^{(i)})\big\|}{E}",
        r"is a non-increasing function of $E$",
    ),
    reading=(
        "for one client, one point and one step size, that of Theorem 2, so that eta <= 1/(2L). It is proved "
        "wherever eta L E_2 <= 2, and so within Theorem 2, which limits E to alpha/(2 rho) "
        "(docs/amended/dp_fedavg.md, consequence (c))."
    ),
    left=update_per_step_E_2,
    terms=(
        Term("update", update_per_step_E_1, "the update over fewer steps", remark="at a stationary point"),
    ),
    setting=(Setting("B.alg1", "local gradient steps"),),
    assumptions=(
        as_stated(CONVEX_CLIENTS, "each f_i is convex", "B.thm2"),
        as_stated(SMOOTH_CLIENTS, "each f_i is L-smooth", "B.thm2"),
    ),
    conditions=(above(E_2, E_1, locator="B.rem4c", printed=r"E_{1}<E_{2}"),),
    example={"E_1": 2, "E_2": 5, "update_per_step_E_1": 1},
    concrete=Concrete(
        objects={
            "gradient": "the gradient of a client",
            "w": "the point at which the round starts",
            "eta": "step size, at most 1/(2L)",
            "E_1": "fewer local steps",
            "E_2": "more local steps",
        },
        numbers=_per_step,
        drawn=drawn(
            **{"gradient": _f.gradient, "w": vector("w"), "eta": number("share", PROBABILITY) / (2 * L)},
            **{"E_1": E_1, "E_2": E_2},
        ),
    ),
    increasing=(update_per_step_E_1,),
    edges=(
        Edge(update_per_step_E_1, 0, EdgeOutcome.REGULAR, "started at a stationary point"),
        Edge(E_2, 1, EdgeOutcome.NOT_APPLICABLE, "E_2 is above E_1, which is at least 1"),
    ),
)

SMALLER_THRESHOLD = _claim(
    locator="B.rem4c",
    title="Consequence (c): the threshold falls with the number of local steps",
    algorithm="dp_fedavg",
    printed=(
        r"\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|\leq\hat{C}_{1}E_{1})="
        r"\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|\leq\hat{C}_{2}E_{2})",
        r"\hat{C_{2}}\leq\hat{C_{1}}",
    ),
    reading=(
        "the same amount of clipping, that is equal indicators for all clients and rounds, is said to imply "
        "the order of the two thresholds, for any two numbers of local steps E_1 < E_2."
    ),
    other_readings=("the smallest thresholds with that amount of clipping are ordered so.",),
    refuted_by="two thresholds C_hat_2 > C_hat_1 with equal indicators, for instance both so large that no "
    "update is clipped.",
    setting=(Setting("B.thm2", "C_hat is the threshold per local step"),),
)

SMALLER_THRESHOLD_AMENDED = amend(
    SMALLER_THRESHOLD,
    change="the smallest thresholds with that amount of clipping, in place of any two",
    because=(
        "the smallest is the largest update per step among those that are not clipped: a maximum over "
        "the same clients of what falls with E"
    ),
    derivation="docs/amended/dp_fedavg.md#consequence-c",
    printed=(
        r"\hat{C}_{j}:=\max_{i\in\mathcal{U}}\frac{\|\bm{u}_{\tilde{k}}^{(i)}\|}{E_{j}},\quad j\in\{1,2\}",
        r"\hat{C}_{2}\leq\hat{C}_{1}",
    ),
    reading=(
        "for a set U of clients and points, the same for both numbers of local steps, whose updates are not "
        "to be clipped; under the display that ||u||/E does not grow with E, a statement of its own."
    ),
    other_readings=(),
    refuted_by="a client whose update per step grows with the number of local steps.",
)


def _clipped(updates: Points, C: Any) -> Points:
    """Eq. (4); no update is divided by, so that a zero one stays zero."""
    threshold = np.asarray(C)[..., None]
    return np.asarray(updates * (threshold / np.maximum(length(updates), threshold))[..., None])


def _bias(updates: Points, C: Any, larger_C: Any) -> dict[str, Any]:
    """`updates` has the clients on the axis before the last."""

    def distance(threshold: Any) -> Points:
        return length(np.mean(updates - _clipped(updates, threshold), axis=-2))

    return {"C": C, "larger_C": larger_C, "bias": distance(C), "bias_at_larger_C": distance(larger_C)}


_updates = vector("updates", over=(_client := index("client")))

BIAS = _bound(
    locator="B.claim.bias",
    title="A higher threshold has a lower bias",
    algorithm="dp_fedavg",
    printed=(
        r"the variance of the added noise is proportional to $C^{2}$",
        r"the average of the clipped updates is biased, and the higher the value of $C$, the lower is the "
        r"bias, and vice versa",
    ),
    reading=(
        "the bias is the distance of the average of the clipped updates from the average of the updates of "
        "all clients, in one round; the variance of the noise is that of eq. (5)."
    ),
    other_readings=("the bias of each client's own clipped update, which does fall as C grows.",),
    left=bias_at_larger_C,
    terms=(Term("bias", bias, "the bias at the smaller threshold", remark="when no update is clipped"),),
    setting=(Setting("B.clip", "updates are clipped"), Setting("B.thm1", "the noise is that of eq. (5)")),
    conditions=(
        below(
            C,
            larger_C,
            locator="B.claim.bias",
            printed=r"the higher the value of $C$",
        ),
    ),
    example={"C": 1, "larger_C": 2, "bias": 0.5},
    concrete=Concrete(
        objects={
            "updates": "the clients' updates: clients on the axis before the last",
            "C": "clipping threshold",
            "larger_C": "a larger one",
        },
        numbers=_bias,
        drawn=drawn(updates=_updates, C=C, larger_C=larger_C),
    ),
    increasing=(bias,),
    edges=(
        Edge(C, 0, EdgeOutcome.OUT_OF_DOMAIN, "a threshold is positive"),
        Edge(bias, 0, EdgeOutcome.REGULAR, "no bias at the smaller threshold, so none at the larger one"),
    ),
)

LIPSCHITZ_THRESHOLD = _claim(
    locator="B.claim.lip",
    title="No bias with the threshold at the Lipschitz constant",
    algorithm="dp_fedavg",
    printed=(r"for Lipschitz functions, setting $C$ equal to the Lipschitz constant gives zero bias",),
    reading="C = G, where the updates that are clipped are those of the algorithm: sums of E gradients.",
    other_readings=(
        "gradients are clipped (one local step), or C_hat = G, as eq. (8) has it: then no update is clipped.",
    ),
    refuted_by=(
        "G-Lipschitz clients and a round in which an update is longer than C = G: two local steps with "
        "nearly the same gradient, of length close to G, are enough."
    ),
    setting=(Setting("B.def3", "the Lipschitz constant is the largest gradient norm"),),
)

HETEROGENEITY_SLOWS = _claim(
    locator="B.claim.fedavg",
    title="Heterogeneity worsens convergence",
    printed=(r"for the same number of local updates, convergence worsens as heterogeneity increases",),
    reading="a summary of the literature on FedAvg and other algorithms.",
    not_checkable="no measure of heterogeneity or convergence is named, nor what is kept fixed.",
)

SIMILAR_CLIENTS = _claim(
    locator="B.claim.similar",
    title="Similar clients have small gaps",
    printed=(
        r"if the $\mathcal{P}_{i}$ are similar, the $\Delta_{i}^{*}$ are expected to be small (smaller "
        r"heterogeneity)",
    ),
    reading="an expectation, not a bound.",
    not_checkable=(
        "how similar distributions are and how small a gap is have no measure; clients with one distribution "
        "and finitely many samples already have positive gaps."
    ),
    setting=(Setting("B.def1", "Delta_i* is the gap of Definition 1"),),
)

CENTRALIZED = Statement(
    locator="B.claim.bst14",
    kind=Kind.RATE,
    paper=PAPER,
    title="The centralized convex Lipschitz case",
    printed=(
        r"the suboptimality gap $\mathbb{E}[f(\bm{w}_{\text{priv}})]-\min_{\bm{w}}f(\bm{w})$ is "
        r"$\mathcal{O}(\rho)$",
    ),
    reading=(
        "one client, clipped at its Lipschitz constant; the constant of the O(.) depends on the problem and "
        "not on rho. That no private method does better is cited from [BST14] and has no number here."
    ),
    left=gap,
    terms=(Term("privacy", c_BST14 * rho, "privacy", (ToZero(rho),)),),
    # nothing is said of smoothness
    before_any_run=(start.AT_W0_LIPSCHITZ[0], start.AT_W0_LIPSCHITZ[2]),
    explicit="dp_fedavg.equation_8",
    setting=(
        Setting("B.def3", "f is convex and Lipschitz, and the threshold is its Lipschitz constant"),
        Setting("B.dp", "privacy is that of eq. (2)"),
    ),
    where=theorem_2.THEOREM.where,
    example={"rho": 0.1, "c_BST14": 1},
    increasing=(rho,),
    edges=(Edge(rho, 0, EdgeOutcome.OUT_OF_DOMAIN, "the regime without privacy is excluded"),),
)

INITIALIZATION_FOR_HETEROGENEITY = _claim(
    locator="B.claim.tradeoff",
    title="More local steps trade initialization for heterogeneity",
    algorithm="dp_fedavg",
    printed=(
        r"increasing $E$ allows $\hat{C}$ to be reduced, which mitigates the effect of initialization (term "
        r"A in eq. (6)) at the cost of increasing the effect of heterogeneity (term B in eq. (6))",
    ),
    reading=(
        "with the threshold of Proposition 1, alpha = 1 and everything else kept: no update is clipped, so "
        "term A is proportional to C_hat and term B is 3 E rho/2 times the mean of the Delta_i*."
    ),
    refuted_by=(
        "two numbers of local steps, both at most 1/(2 rho), the larger of which has the larger C_hat or the "
        "smaller term B."
    ),
    setting=(
        Setting("B.thm2", "A and B are the terms of eq. (6)"),
        Setting("B.prop1", "C_hat is the threshold of Proposition 1"),
    ),
)


def _ratios(updates: Points, noise: Points, C: Any) -> dict[str, Any]:
    """Both arrays have the clients of the round on the axis before the last."""
    normalized = updates * (np.asarray(C)[..., None] / length(updates))[..., None]
    disturbance = length(np.mean(noise, axis=-2))
    return {
        "SNR_clipping": length(np.mean(_clipped(updates, C), axis=-2)) / disturbance,
        "SNR_normalization": length(np.mean(normalized, axis=-2)) / disturbance,
    }


SIGNAL_TO_NOISE = _bound(
    locator="B.claim.snr",
    title="The signal-to-noise ratio of normalization is never lower",
    printed=(
        r"normalization has a higher signal (update norm) to noise ratio than clipping",
        r"the SNR of normalization is never lower",
    ),
    reading=(
        "for the same updates of one round, none of them zero, and the same noise, with C for both; the "
        "ratio is that of the averages over the clients of the round."
    ),
    other_readings=(
        "of one client's update alone, where it holds: a vector that is not longer than C is stretched.",
        "along the trajectories of the two algorithms, which part after the first round, as in Figure 2.",
    ),
    left=SNR_clipping,
    terms=(Term("normalization", SNR_normalization, "the ratio with normalization"),),
    setting=(
        Setting("B.snr", "the ratio is that of the averaged updates to the averaged noise"),
        Setting("B.clip", "clipping at C"),
        Setting("B.norm", "normalization to the length C"),
    ),
    example={"SNR_normalization": 2},
    concrete=Concrete(
        objects={
            "updates": "the updates of the round, none zero: clients on the axis before the last",
            "noise": "the noise that they add, in the same shape",
            "C": "clipping threshold and scaling factor",
        },
        numbers=_ratios,
        drawn=drawn(updates=_updates, noise=vector("noise", over=_client), C=C),
    ),
    increasing=(SNR_normalization,),
    edges=(Edge(SNR_normalization, 0, EdgeOutcome.REGULAR, "normalized updates that cancel"),),
)

MANY_ROUNDS = _claim(
    locator="B.claim.asym",
    title="Normalization is better after many rounds",
    printed=(
        r"with a large number of rounds the right sides of eqs. (15) and (16) become the same, as the effect "
        r"of heterogeneity dies down",
        r"thus the asymptotic convergence of normalization (eq. (16)) is better than that of clipping "
        r"(eq. (15))",
    ),
    reading=(
        "as alpha -> infinity with everything else but K kept, both B and B_2 tend to zero, so that A is "
        "left on both right sides; to converge better is to have the smaller mean gap f(w) - f(w*) over the "
        "rounds in the end, with the same problem, noise and choices. It is drawn from the left sides, of "
        "which B.eq16.cmp says that eq. (16) has the larger one: false where some client's gap is negative."
    ),
    other_readings=(
        "of what the two bounds say: with one right side, the larger left side says more, which is that of "
        "eq. (16) wherever no client's gap f_i(w) - f_i(w*) is negative. What converges is the run.",
    ),
    refuted_by=(
        "a problem on which normalization keeps the larger mean gap however many rounds there are: where "
        "clients disagree it goes to the geometric median of their minimizers. Of the first half: one on "
        "which B_2 does not tend to zero, as in one dimension, where C_hat E/||u|| has no mean."
    ),
    setting=(
        Setting("B.eq15", "the rate of clipping"),
        Setting("B.eq16", "the rate of normalization"),
    ),
)
