"""Lemma 6: growth of the mean reciprocal gap of the auxiliary sequence in one step."""

from typing import Any

from bounds.language.condition import at_least, at_most
from bounds.language.lazy_numpy import np
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Statement, Term, amend, defined_by
from bounds.language.vanishing import Equal, ToZero
from bounds.papers.als_dpfl import PAPER
from bounds.papers.als_dpfl import omega as printed_omega
from bounds.papers.als_dpfl.assumptions import CENTRALIZED, STANDING
from bounds.papers.als_dpfl.lemma_4 import small_noise
from bounds.papers.als_dpfl.notation import (
    auxiliary_gap,
    auxiliary_gap_mean,
    beta,
    d,
    eta,
    lam,
    next_reciprocal_mean_theta,
    next_reciprocal_theta,
    omega_lemma_6,
    omega_mean,
    reciprocal_mean_theta,
    reciprocal_theta,
    sigma_v,
)
from bounds.papers.als_dpfl.shared.vectors import (
    Function,
    independent_steps,
    inner,
    mean,
    norm,
    per_coordinate_deviation,
)


def _one_step(
    loss: Function,
    gradient: Function,
    v: Any,
    noise: Any,
    minimizer: Any,
    starts: Any,
    ends: Any,
    eta: Any,
    beta: Any,
    lam: Any,
) -> dict[str, Any]:
    v, lowest = np.asarray(v, dtype=float), loss(minimizer)
    return {
        "reciprocal_theta": mean(1 / (loss(v) - lowest)),
        "next_reciprocal_theta": mean(1 / (loss(independent_steps(gradient, v, noise, eta)) - lowest)),
        "omega_lemma_6": (1 / norm(starts - minimizer) ** 2).min(-1),
        "auxiliary_gap": (loss(ends) - lowest).min(-1),
        "sigma_v": per_coordinate_deviation(noise),
        "d": v.shape[-1],
        "eta": eta,
        "beta": beta,
        "lam": lam,
    }


CONCRETE = Concrete(
    objects={
        "loss": "F, convex and beta-smooth",
        "gradient": "the gradient of F",
        "v": "outcomes of v_[k](t), equally likely, on the axis before the last",
        "noise": "outcomes of the noise, of mean zero and independent of v, likewise",
        "minimizer": "w*",
        "starts": "the models at the starts of the intervals, on the axis before the last",
        "ends": "outcomes of the auxiliary sequence at the ends of the intervals, on that axis",
        "eta": "the step size",
        "beta": "a smoothness constant of F",
        "lam": "lambda",
    },
    numbers=_one_step,
)

GAP_LEFT = at_least(
    auxiliary_gap,
    lam,
    locator="C.thm2.3",
    printed=r"F(\hat{\mathbf{v}}_{[k]}(k\tau)) - F(\mathbf{w}^*) \geq \lambda",
)
MEAN_GAP_LEFT = at_least(
    auxiliary_gap_mean,
    lam,
    locator="C.thm2.3",
    printed=r"\mathbb{E}F(\hat{\mathbf{v}}_{[k]}(k\tau)) - F(\mathbf{w}^*) \geq \lambda",
)

LEMMA = Statement(
    locator="C.lem6",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Lemma 6: growth of the mean reciprocal gap",
    algorithm="dpfl",
    printed=(
        r"\mathbb{E}\left(\frac{1}{\theta_{[k]}(t+1)}\right) - "
        r"\mathbb{E}\left(\frac{1}{\theta_{[k]}(t)}\right) \geq \omega \eta "
        r"\left(1 - \frac{\beta\eta}{2}\right) - \frac{\eta\sigma^2 d}{\lambda^2} \quad (22)",
        r"\omega = \min_k \frac{1}{\|\hat{\mathbf{v}}_{[k]}((k-1)\tau) - \mathbf{w}^*\|^2}",
    ),
    reading=(
        "turned round: what the mean reciprocal gap loses is at most the sum of the terms. lambda, which the "
        "lemma does not introduce, is that of Theorem 2, as in C.lem6.s12: the third hypothesis there binds. "
        "The noise is that of the proof: standard deviation sigma per coordinate, sigma^2 d in total, on the "
        "centralized gradient; it has this variance and need not be Gaussian, as Gaussian noise keeps no gap "
        "above lambda on every path. sigma has the unit of a gradient. Gradients of F are not clipped."
    ),
    other_readings=(
        "the noise printed below eq. (8), standard deviation sigma C per coordinate.",
        "Gaussian noise, with lambda a lower bound of the mean gap at the ends of the intervals.",
        "the hypotheses of Lemma 4 bind too: step C.lem6.s6 needs distances that do not grow.",
    ),
    left=reciprocal_theta - next_reciprocal_theta,
    terms=(
        Term(
            "progress",
            -omega_lemma_6 * eta * (1 - beta * eta / 2),
            "one step towards w*",
            (ToZero(omega_lemma_6),),
            non_negative=False,
        ),
        Term("noise", eta * sigma_v**2 * d / lam**2, "private noise", (Equal(sigma_v, 0),)),
    ),
    setting=CENTRALIZED,
    assumptions=STANDING,
    where=(defined_by(printed_omega.LEMMA_6, locator="C.lem6", needed=False),),
    conditions=(
        at_most(eta, 1 / beta, locator="C.lem6", printed=r"\eta \leq \frac{1}{\beta}"),
        GAP_LEFT,
    ),
    example={
        "omega_lemma_6": 0.25,
        "eta": 0.5,
        "beta": 1,
        "sigma_v": 0.01,
        "d": 4,
        "lam": 0.1,
        "auxiliary_gap": 0.2,
    },
    concrete=CONCRETE,
    increasing=(sigma_v, d, beta),
    decreasing=(omega_lemma_6, lam),
    edges=(
        Edge(sigma_v, 0, EdgeOutcome.REGULAR, "gradient descent: the reciprocal gap grows"),
        Edge(lam, 0, EdgeOutcome.OUT_OF_DOMAIN, "the lemma divides by lambda^2"),
    ),
    proof=("C.lem6.s1..C.lem6.s12",),
)


def _mean_gaps(
    loss: Function,
    gradient: Function,
    starts: Any,
    noise: Any,
    minimizer: Any,
    made: int,
    left: int,
    eta: Any,
    beta: Any,
    lam: Any,
) -> dict[str, Any]:
    lowest, path = loss(minimizer), [np.asarray(starts, dtype=float)]
    for _ in range(made + 1 + left):
        path.append(independent_steps(gradient, path[-1], noise, eta))
    slopes = [gradient(outcomes) for outcomes in path[:-1]]
    return {
        "reciprocal_mean_theta": 1 / mean(loss(path[made]) - lowest),
        "next_reciprocal_mean_theta": 1 / mean(loss(path[made + 1]) - lowest),
        "omega_mean": 1 / mean(norm(path[0] - minimizer) ** 2),
        "auxiliary_gap_mean": mean(loss(path[-1]) - lowest),
        "gradient_square": np.min([mean(inner(slope, slope)) for slope in slopes], axis=0),
        "sigma_v": per_coordinate_deviation(noise),
        "d": path[0].shape[-1],
        "eta": eta,
        "beta": beta,
        "lam": lam,
    }


AMENDED = amend(
    LEMMA,
    change=(
        "reciprocals of mean gaps in place of mean reciprocal gaps, omega of mean squared distances, "
        "beta eta^2 sigma^2 d/(2 lambda^2) in place of eta sigma^2 d/lambda^2, and the hypothesis of "
        "Lemma 4"
    ),
    because=(
        "of means the steps are true: Lemma 5 in mean, Cauchy-Schwarz in mean, and a gap that does not "
        "grow; 1/theta after the step depends on the noise, so that step C.lem6.s11 may not factorise it"
    ),
    derivation="docs/amended/als_dpfl.md#lemma-6",
    needed="of the hypothesis of Lemma 4: sufficient, not shown necessary; of means: als_dpfl.lemma_6",
    printed=(
        r"\frac{1}{\mathbb{E}\theta_{[k]}(t+1)} - \frac{1}{\mathbb{E}\theta_{[k]}(t)} \geq \omega \eta "
        r"\left(1 - \frac{\beta\eta}{2}\right) - \frac{\beta\eta^2\sigma^2 d}{2\lambda^2}",
        r"\omega = \min_k \frac{1}{\mathbb{E}\|\hat{\mathbf{v}}_{[k]}((k-1)\tau) - \mathbf{w}^*\|^2}",
    ),
    reading=(
        "turned round: what the reciprocal of the mean gap loses is at most the sum of the terms. lambda is "
        "a lower bound of the mean gaps at the ends of the intervals, and the hypothesis on the noise holds "
        "at every step of the interval. The noise is that of the proof: standard deviation sigma per "
        "coordinate, sigma^2 d in total, on the centralized gradient."
    ),
    other_readings=(),
    left=reciprocal_mean_theta - next_reciprocal_mean_theta,
    terms=(
        Term(
            "progress",
            -omega_mean * eta * (1 - beta * eta / 2),
            "one step towards w*",
            (ToZero(omega_mean),),
            non_negative=False,
        ),
        Term("noise", beta * eta**2 * sigma_v**2 * d / (2 * lam**2), "private noise", (Equal(sigma_v, 0),)),
    ),
    where=(defined_by(printed_omega.LEMMA_6_AMENDED, locator="C.lem6", needed=False),),
    conditions=(
        LEMMA.conditions[0],
        MEAN_GAP_LEFT,
        small_noise(sigma_v),
    ),
    example={
        "omega_mean": 0.25,
        "eta": 0.5,
        "beta": 1,
        "sigma_v": 0.01,
        "d": 4,
        "lam": 0.1,
        "auxiliary_gap_mean": 0.2,
        "gradient_square": 0.01,
    },
    concrete=Concrete(
        objects={
            **{
                name: CONCRETE.objects[name]
                for name in ("loss", "gradient", "minimizer", "eta", "beta", "lam")
            },
            "starts": "equally likely outcomes of the model at the start of the interval",
            "noise": "those of the noise of every step, of mean zero, independent of all before it",
            "made": "steps of the interval before this one",
            "left": "steps of the interval after this one",
        },
        numbers=_mean_gaps,
    ),
    increasing=(sigma_v, d, beta),
    decreasing=(omega_mean, lam),
)
