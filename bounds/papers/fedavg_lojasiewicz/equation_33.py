"""Equation (33): the variance of the virtual estimator, as an equality and as the bound that FL-4 gives."""

from dataclasses import replace
from typing import Any

from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Statement, Term
from bounds.language.vanishing import Equal
from bounds.papers.fedavg_lojasiewicz import PAPER
from bounds.papers.fedavg_lojasiewicz.assumptions import FL_4, INDEPENDENT, UNBIASED
from bounds.papers.fedavg_lojasiewicz.notation import (
    M,
    estimator_variance,
    mean_noise_variance,
    sigma,
)
from bounds.papers.fedavg_lojasiewicz.shared.one_round import (
    SAMPLES,
    Points,
    mean_of_agents,
    noise_level,
    square,
)


def _numbers(deviations: Points) -> dict[str, Any]:
    return {
        "M": deviations.shape[-3],
        "sigma": noise_level(deviations),
        "mean_noise_variance": square(deviations).mean(axis=(-1, -2)),
        "estimator_variance": square(mean_of_agents(deviations)).mean(axis=-1),
    }


BOUND = Statement(
    locator="D.eq33",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="(33): the variance of the virtual estimator",
    printed=(
        r"\mathbb{E} [\|\nabla F^Z(\theta) - \nabla F(\theta)\|_2^2] &= \frac{1}{M^2} \sum_{c=1}^M"
        r" \sum_{c'=1}^M \mathbb{E} \left[\langle \nabla f_c^{Z^c}(\theta) - \nabla f_c(\theta),"
        r" \nabla f_{c'}^{Z^{c'}}(\theta) - \nabla f_{c'}(\theta) \rangle \right]",
        r"&= \frac{1}{M^2} \sum_{c=1}^M \mathbb{E} \left[\|\nabla f_c^{Z^c}(\theta)"
        r" - \nabla f_c(\theta)\|_2^2 \right] \leq \frac{\sigma^2}{M} ,",
    ),
    reading="the chain from end to end; sigma^2 bounds the total variance of one agent's gradient.",
    left=estimator_variance,
    terms=(Term("noise", sigma**2 / M, "noise of the gradients", (Equal(sigma, 0),)),),
    setting=(INDEPENDENT,),
    assumptions=(FL_4, UNBIASED),
    example={"sigma": 1.5, "M": 10},
    concrete=Concrete(objects=SAMPLES, numbers=_numbers),
    increasing=(sigma,),
    decreasing=(M,),
    edges=(
        Edge(sigma, 0, EdgeOutcome.REGULAR, "exact gradients"),
        Edge(M, 1, EdgeOutcome.REGULAR, "one agent: its own variance"),
    ),
)

EQUALITY = replace(
    BOUND,
    kind=Kind.EQUALITY,
    title="(33): the variance of the virtual estimator is that of an agent, divided by M",
    printed=BOUND.printed[1:],
    reading="the equality before the last relation: the cross terms are zero.",
    terms=(
        Term("noise", mean_noise_variance / M, "noise of the gradients", (Equal(mean_noise_variance, 0),)),
    ),
    assumptions=(UNBIASED,),
    example={"mean_noise_variance": 2, "M": 10},
    increasing=(mean_noise_variance,),
    edges=(Edge(mean_noise_variance, 0, EdgeOutcome.REGULAR, "exact gradients"),),
)
