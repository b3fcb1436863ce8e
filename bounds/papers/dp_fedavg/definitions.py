"""Section 2 of the paper: the objective, Definitions 1 to 5, and differential privacy (eqs. (1) to (3))."""

from dataclasses import replace
from functools import partial
from typing import Any

from sympy import Rational, log, sqrt

from bounds.language.assumptions import SMOOTH_CLIENTS, as_stated
from bounds.language.condition import at_least, at_most, below, solved_above
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.drawn import drawn
from bounds.language.lemmas.objects import function, vector
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
from bounds.language.vanishing import Grows
from bounds.papers.dp_fedavg import PAPER
from bounds.papers.dp_fedavg.notation import (
    Delta_2,
    Delta_i_star,
    L,
    client_minimum,
    client_value_at_minimizer,
    d,
    delta,
    epsilon,
    g_slope,
    g_value,
    g_value_there,
    mechanism_variance,
    n,
    q,
    rho,
    smallest_delta,
    theta_distance,
)
from bounds.papers.dp_fedavg.shared.local_steps import Function, Points, length

_definition = partial(Statement, kind=Kind.DEFINITION, paper=PAPER)

OBJECTIVE = _definition(
    locator="B.obj",
    title="Objective, eq. (1)",
    printed=(
        r"f(\bm{w}):=\frac{1}{n}\sum_{i=1}^{n}{f_{i}}(\bm{w}),\text{ where }f_{i}(\bm{w}):="
        r"\frac{1}{m}\sum_{j=1}^{m}\ell(\bm{x}_{j}^{(i)},\bm{w})",
        r"\mathcal{P}_{1}=\ldots=\mathcal{P}_{n}",
    ),
    reading=(
        "every client has m samples and the same weight; the setting is homogeneous where all clients draw "
        "their samples from one distribution, else heterogeneous."
    ),
)

_GAP = (
    r"\Delta_{i}^{*}:=f_{i}(\bm{w}^{*})-\min_{\bm{w}^{\prime}\in\mathbb{R}^{d}}f_{i}(\bm{w}^{\prime})\geq 0"
)

HETEROGENEITY = _definition(
    locator="B.def1",
    title="Definition 1: heterogeneity",
    printed=(
        r"$\bm{w}^{*}\in\arg\min_{\bm{w}^{\prime}\in\mathbb{R}^{d}}f(\bm{w}^{\prime})$",
        _GAP,
    ),
    reading=(
        "f and every f_i attain their minima; the measure of heterogeneity is some increasing function of "
        "all the Delta_i*, read off from each theorem. Delta_i* depends on which minimizer w* of f is meant."
    ),
    left=Delta_i_star,
    terms=(
        Term("value", client_value_at_minimizer, "the client at the minimizer of f", non_negative=False),
        Term("minimum", -client_minimum, "the best that the client could have", non_negative=False),
    ),
    setting=(Setting("B.obj", "f is the average of the f_i"),),
    conditions=(at_least(client_value_at_minimizer, client_minimum, locator="B.def1", printed=_GAP),),
    example={"client_value_at_minimizer": 1.5, "client_minimum": 1},
    increasing=(client_value_at_minimizer,),
    decreasing=(client_minimum,),
)

DIFFERENTIAL_PRIVACY = _definition(
    locator="B.dp",
    title="Differential privacy, eq. (2)",
    printed=(
        r"\mathbb{P}(\mathcal{M}(h(\mathcal{D}))\in\mathcal{R})\leq e^{\varepsilon}"
        r"\mathbb{P}(\mathcal{M}(h(\mathcal{D}^{\prime}))\in\mathcal{R})+\delta",
        r"|\mathcal{D}-\mathcal{D}^{\prime}|=1",
    ),
    reading=(
        "for every measurable set R of outputs, which is printed as an element of the output space; "
        "neighbours differ in exactly one sample, by replacement, so they have the same size."
    ),
    other_readings=("neighbours differ by one sample added or removed.",),
)

NOISE = _definition(
    locator="B.def2",
    title="Definition 2: the noise of the Gaussian mechanism",
    printed=(
        r"\bm{Z}\sim\mathcal{N}\Big(\vec{0}_{p},\frac{2\log(1.25/\delta)\Delta_{2}^{2}}{\varepsilon^{2}}"
        r"\textup{I}_{p}\Big)",
        r"\Delta_{2}:=\sup_{\mathcal{D},\mathcal{D}^{\prime}\in{D}_{c}:|\mathcal{D}-\mathcal{D}^{\prime}|=1}"
        r"\|h(\mathcal{D})-h(\mathcal{D}^{\prime})\|_{2}",
    ),
    reading="the variance of every coordinate; the query is measured in the units of an update.",
    left=mechanism_variance,
    terms=(
        Term(
            "noise",
            2 * log(Rational(5, 4) / delta) * Delta_2**2 / epsilon**2,
            "hiding one sample",
            remark="when the query does not depend on any one sample",
        ),
    ),
    example={"Delta_2": 1, "delta": 1e-5, "epsilon": 1},
    increasing=(Delta_2,),
    decreasing=(epsilon, delta),
    edges=(
        Edge(Delta_2, 0, EdgeOutcome.REGULAR, "nothing to hide: no noise"),
        Edge(epsilon, 0, EdgeOutcome.OUT_OF_DOMAIN, "infinite noise"),
        Edge(delta, 0, EdgeOutcome.OUT_OF_DOMAIN, "infinite noise: pure privacy needs another mechanism"),
        Edge(delta, 1, EdgeOutcome.OUT_OF_DOMAIN, "delta < 1 is asked"),
    ),
)


def _mechanism(value: Points, neighbour: Points, epsilon: Any, delta: Any) -> dict[str, Any]:
    """The supremum in eq. (2) over all sets R, which a half-space attains for two shifted Gaussians."""
    from scipy.special import log_ndtr, ndtr  # here, so that stating and evaluating a bound never loads it

    # Standard deviations of noise in one unit of privacy; the distance is this pair's own sensitivity.
    scale = np.sqrt(2 * np.log(1.25 / delta))
    shift = epsilon / scale / 2
    apart = ndtr(shift - scale) - np.exp(epsilon + log_ndtr(-shift - scale))
    return {"delta": delta, "smallest_delta": np.where(length(value - neighbour) > 0, apart, 0.0)}


_PRIVATE = Concrete(
    objects={
        "value": "the query on a data set",
        "neighbour": "the query on a neighbour, at the distance Delta_2",
        "epsilon": "privacy parameter",
        "delta": "privacy parameter",
    },
    numbers=_mechanism,
    drawn=drawn(value=vector("value"), neighbour=vector("neighbour"), epsilon=epsilon, delta=delta),
)

PRIVACY = Statement(
    locator="B.def2",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Definition 2: the Gaussian mechanism is private",
    printed=(r"\mathcal{M}(h(\mathcal{D}))=h(\mathcal{D})+\bm{Z}",),
    reading=(
        "for every finite epsilon > 0 and every delta < 1: eq. (2) holds for two neighbours at the distance "
        "Delta_2; the left side is the smallest delta for which it does."
    ),
    other_readings=("epsilon below 1, as the cited book asks.",),
    left=smallest_delta,
    terms=(Term("delta", delta, "the delta that is asked for"),),
    setting=(
        Setting("B.dp", "privacy is that of eq. (2)"),
        Setting("B.def2", "Z has the variance of Definition 2"),
    ),
    where=(defined_by(NOISE, locator="B.def2", needed=False),),
    example={"delta": 1e-5},
    concrete=_PRIVATE,
    increasing=(delta,),
    edges=(
        Edge(delta, 0, EdgeOutcome.OUT_OF_DOMAIN, "no finite noise gives pure privacy"),
        Edge(delta, 1, EdgeOutcome.OUT_OF_DOMAIN, "delta < 1 is asked"),
    ),
)

PRIVACY_AMENDED = amend(
    PRIVACY,
    change="epsilon <= 1",
    because="the tail of the noise is then at most 1/2 e^(1/2) e^(-log(1.25/delta)) < delta",
    derivation="docs/amended/dp_fedavg.md#definition-2",
    needed="dp_fedavg.definitions.privacy refutes it at epsilon = 20; that 1 is the limit is not claimed",
    printed=(*PRIVACY.printed, r"\varepsilon\leq 1"),
    reading=(
        "for every delta < 1: eq. (2) holds for two neighbours at the distance Delta_2; the left side is the "
        "smallest delta for which it does."
    ),
    other_readings=(),
    conditions=(at_most(epsilon, 1, locator="B.def2", printed=r"\varepsilon\leq 1"),),
    example={"delta": 1e-5, "epsilon": 1},
    concrete=replace(
        _PRIVATE, numbers=lambda epsilon, **more: _mechanism(epsilon=epsilon, **more) | {"epsilon": epsilon}
    ),
)

LIPSCHITZ = _definition(
    locator="B.def3",
    title="Definition 3: Lipschitz",
    printed=(r"$\sup_{\bm{\theta}\in\Theta}\|\nabla g(\bm{\theta})\|_{2}\leq G$",),
    reading="of differentiable functions: the bound is on the gradient.",
)

SMOOTHNESS = _definition(
    locator="B.def4",
    title="Definition 4: smoothness",
    printed=(
        r"$\|\nabla g(\bm{\theta})-\nabla g(\bm{\theta}^{\prime})\|_{2}\leq L"
        r"\|\bm{\theta}-\bm{\theta}^{\prime}\|_{2}$",
    ),
    reading="for all points of the domain.",
)


def _along(g: Function, gradient: Function, theta: Points, theta_prime: Points, L: Any) -> dict[str, Any]:
    way = theta_prime - theta
    return {
        "L": L,
        "g_value": g(theta),
        "g_slope": np.sum(gradient(theta) * way, axis=-1),
        "theta_distance": length(way),
        "g_value_there": g(theta_prime),
    }


_g = function("g", smooth=L)

QUADRATIC_BOUND = Statement(
    locator="B.def4",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Definition 4: the quadratic bound that smoothness gives",
    printed=(
        r"g(\bm{\theta}^{\prime})\leq g(\bm{\theta})+\langle\nabla g(\bm{\theta}),"
        r"\bm{\theta}^{\prime}-\bm{\theta}\rangle+\frac{L}{2}\|\bm{\theta}^{\prime}-\bm{\theta}\|_{2}^{2}",
    ),
    reading=(
        "for all points of the domain, whose shape is not printed: every use has the whole space, where the "
        "way from one point to the other stays inside. Twice differentiable is asked and not needed."
    ),
    other_readings=("a domain in which the way between two points may leave it.",),
    left=g_value_there,
    terms=(
        Term("value", g_value, "value at the point", non_negative=False),
        Term(
            "slope", g_slope, "what the gradient predicts", remark="across the gradient", non_negative=False
        ),
        Term(
            "curvature", L / 2 * theta_distance**2, "curvature on the way", remark="where the points are one"
        ),
    ),
    assumptions=(as_stated(SMOOTH_CLIENTS, "g is L-smooth", "B.def4"),),
    example={"g_value": 1, "g_slope": -0.5, "theta_distance": 1, "L": 1},
    concrete=Concrete(
        objects={
            "g": "the function",
            "gradient": "its gradient",
            "theta": "a point",
            "theta_prime": "another point",
            "L": "smoothness constant of g",
        },
        numbers=_along,
        drawn=drawn(
            **{"g": _g, "gradient": _g.gradient, "L": L},
            **{"theta": vector("theta"), "theta_prime": vector("theta_prime")},
        ),
    ),
    increasing=(g_value, g_slope, L, theta_distance),
    edges=(
        Edge(L, 0, EdgeOutcome.OUT_OF_DOMAIN, "L > 0 is asked"),
        Edge(theta_distance, 0, EdgeOutcome.REGULAR, "one point"),
    ),
)

RHO = _definition(
    locator="B.def5",
    title="Definition 5: the key quantity rho, eq. (3)",
    printed=(
        r"\rho:=\frac{\sqrt{qd\log({1}/{\delta})}}{n\varepsilon}",
        r"with $\rho=0$ Algorithm 1 reduces to plain non-private FedAvg",
    ),
    reading=(
        "q is the absolute constant of Theorem 1, whose value is not given; n, here the number of samples, "
        "is the number of clients wherever rho is used. With rho = 0 there is no privacy and the learning "
        "rates of the proofs change (footnote 3)."
    ),
    left=rho,
    terms=(
        Term(
            "privacy",
            sqrt(q * d * log(1 / delta)) / (n * epsilon),
            "noise against the number of clients",
            (Grows(n), Grows(epsilon)),
        ),
    ),
    conditions=(
        below(
            sqrt(q * d * log(1 / delta)) / (n * epsilon),
            1,
            locator="B.def5",
            printed=r"$\rho<1$",
            solved=solved_above(epsilon, sqrt(q * d * log(1 / delta)) / n),
        ),
    ),
    example={"q": 1, "d": 100, "delta": 1e-5, "n": 1000, "epsilon": 1},
    increasing=(q, d),
    decreasing=(delta, n, epsilon),
    edges=(
        Edge(epsilon, 0, EdgeOutcome.OUT_OF_DOMAIN, "epsilon > 0 is asked"),
        Edge(delta, 0, EdgeOutcome.OUT_OF_DOMAIN, "pure privacy: rho is infinite"),
        Edge(delta, 1, EdgeOutcome.OUT_OF_DOMAIN, "the vacuous regime rho = 0, which is excluded"),
    ),
)
