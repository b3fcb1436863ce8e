"""Eq. (17): the heterogeneity of normalization when the threshold grows with the largest gap."""

from typing import Any

from sympy import sqrt

from bounds.language.condition import above, at_least
from bounds.language.dimension import F
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.drawn import drawn
from bounds.language.lemmas.functions_of_numbers import sqrt as root
from bounds.language.lemmas.indices import index
from bounds.language.lemmas.measures import largest
from bounds.language.lemmas.objects import number
from bounds.language.quantity import POSITIVE
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Setting, Statement, Term, sets
from bounds.language.vanishing import Grows
from bounds.papers.dp_fedavg import PAPER
from bounds.papers.dp_fedavg.notation import (
    B_2,
    NO_HETEROGENEITY,
    C_hat,
    Delta_star_max,
    E,
    L,
    alpha,
    c,
    rho,
    unclipped_scaled_delta,
    unclipped_share,
)

THRESHOLD = sets(C_hat, c * sqrt(L * Delta_star_max), locator="B.eq17")
CONDITIONS = (
    at_least(c, 4, locator="B.eq17", printed=r"c\geq 4"),
    above(
        Delta_star_max,
        0,
        locator="B.eq17",
        printed=r"\hat{C}=c\sqrt{L\max_{j\in[n]}\Delta_{j}^{*}}",
        part="positive",
    ),
)
TERMS = (
    Term(
        "stretching",
        c**2 * E / (2 * alpha) * Delta_star_max * rho * unclipped_share,
        "short updates stretched to the length C",
        (Grows(alpha),),
        remark="when every update is longer than C",
    ),
    Term(
        "clients",
        rho * E**2 / alpha**2 * rho * unclipped_scaled_delta,
        "clients with different minima",
        (NO_HETEROGENEITY, Grows(alpha)),
    ),
)
EDGES = (
    Edge(Delta_star_max, 0, EdgeOutcome.NOT_APPLICABLE, "the threshold would be zero"),
    Edge(E, 1, EdgeOutcome.REGULAR, "one local step: the centralized method when n = 1"),
    Edge(unclipped_scaled_delta, 0, EdgeOutcome.REGULAR, "every client with Delta_i* > 0 is clipped"),
)


def _numbers(update_norms: Any, gaps: Any, c: Any, L: Any, E: Any, alpha: Any, rho: Any) -> dict[str, Any]:
    """B_2 as eq. (16) has it, from the updates of one round: clients are on the last axis."""
    largest = np.max(gaps, axis=-1)
    threshold = np.asarray(c * np.sqrt(L * largest))[..., None]
    short = np.asarray(update_norms) <= threshold * E
    gain = threshold * E / update_norms
    inside = threshold**2 / (2 * alpha * L) + gain * gaps * rho * E / alpha**2
    return {
        "c": c,
        "L": L,
        "E": E,
        "alpha": alpha,
        "rho": rho,
        "Delta_star_max": largest,
        "unclipped_share": np.mean(short, axis=-1),
        "unclipped_scaled_delta": np.mean(np.where(short, gain * gaps, 0.0), axis=-1),
        "unclipped_delta": np.mean(np.where(short, gaps, 0.0), axis=-1),
        "B_2": np.mean(np.where(short, inside * E, 0.0), axis=-1) * rho,
    }


_client = index("client")
_gaps = number("gaps", POSITIVE, F, over=_client)
_times = number("times", POSITIVE, over=_client)  # an update's length in units of the threshold

CONCRETE = Concrete(
    objects={
        "update_norms": "norm of every client's update in a round, (..., n), none of them zero",
        "gaps": "heterogeneity gap Delta_i* of every client, (..., n)",
        "c": "multiple in the threshold",
        "L": "smoothness constant of the clients",
        "E": "number of local steps",
        "alpha": "free constant of the theorems",
        "rho": "key quantity",
    },
    numbers=_numbers,
    drawn=drawn(
        **{"update_norms": _times * c * root(L * largest(_gaps, _client)) * E, "gaps": _gaps},
        **{"c": c, "L": L, "E": E, "alpha": alpha, "rho": rho},
    ),
)

EXAMPLE = {"E": 3, "rho": 0.1, "alpha": 2, "c": 4, "Delta_star_max": 0.5, "unclipped_scaled_delta": 0.4}

EQUATION = Statement(
    locator="B.eq17",
    kind=Kind.EQUALITY,
    paper=PAPER,
    title="Eq. (17): heterogeneity of normalization, threshold that grows with the largest gap",
    algorithm="dp_norm_fedavg",
    follows_from="dp_fedavg.equation_16.heterogeneity",
    printed=(
        r"\textup{B}_{2}={\mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}\mathbbm{1}(\|\bm{u}_{"
        r"\tilde{k}}^{(i)}\|\leq\hat{C}E)\Bigg\{\Bigg(\frac{c^{2}E}{2\alpha}\Bigg)\max_{j\in[n]}"
        r"\Delta_{j}^{*}+\Bigg(\frac{\hat{C}E}{\|\bm{u}_{\tilde{k}}^{(i)}\|}\Bigg)\Bigg(\frac{"
        r"\Delta_{i}^{*}\rho E^{2}}{\alpha^{2}}\Bigg)\Bigg\}\Bigg]}\rho",
    ),
    reading="B_2 is the term of eq. (16) with this name; the largest gap is not zero, as C > 0.",
    left=B_2,
    terms=TERMS,
    setting=(Setting("B.eq16", "B_2 is the effect of heterogeneity in eq. (16)"),),
    choices=(THRESHOLD,),
    conditions=CONDITIONS,
    example=EXAMPLE,
    concrete=CONCRETE,
    increasing=(c, E, rho, Delta_star_max, unclipped_scaled_delta),
    decreasing=(alpha,),
    edges=EDGES,
)
