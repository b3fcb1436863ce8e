"""Lemma 8: drift of the local incremental-gradient iterates."""

from collections.abc import Sequence
from typing import Any

from sympy import sqrt

from bounds.language.assumptions import BOUNDED_BELOW, SMOOTH_CLIENTS, as_stated
from bounds.language.condition import above
from bounds.language.lazy_numpy import NDArray, np
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Setting, Statement, Term, amend
from bounds.language.vanishing import Equal, together
from bounds.papers.fed_norm_ec import PAPER
from bounds.papers.fed_norm_ec.heterogeneity import between_clients, inside_clients
from bounds.papers.fed_norm_ec.lemma_6 import NO_HETEROGENEITY
from bounds.papers.fed_norm_ec.notation import (
    Delta_i_inf_mean,
    Delta_inf,
    L,
    gamma,
    gap,
    mean_ig_drift,
)
from bounds.papers.fed_norm_ec.shared.amended import DERIVATION, short_pass
from bounds.papers.fed_norm_ec.shared.local_steps import Gradient, Points, mean_length, path


def _numbers(
    gradients: Sequence[Sequence[Gradient]], x: Points, f: Any, f_ij_inf: NDArray[Any], **given: Any
) -> dict[str, Any]:
    """f_ij_inf (M, N); the cyclic pass of every client from the same point."""
    drifts = []
    for components in gradients:
        points = path(components[:-1], x, given["gamma"] / len(components))
        drifts.append(mean_length([point - x for point in points]))
    return {
        "L": given["L"],
        "gamma": given["gamma"],
        "gap": f - given["f_inf"],
        "f_inf": given["f_inf"],
        "f_i_inf_mean": np.mean(given["f_i_inf"]),
        "f_ij_inf_mean": f_ij_inf.mean(),
        "mean_ig_drift": sum(drifts) / len(drifts),
    }


LEMMA = Statement(
    locator="A.lem8",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Lemma 8: drift of local incremental-gradient steps",
    printed=(
        r"\frac{1}{M}\sum^{M}_{i=1}\frac{1}{N}\sum^{N-1}_{j=0}\left\|x^{k,j}_{i}-x^{k}\right\|\leq"
        r"\frac{2\sqrt{2}L\gamma(f(x^{k})-f^{\inf})}{\sqrt{L\Delta^{\inf}}}"
        r"+\sqrt{2}\gamma\sqrt{L\Delta^{\inf}}"
        r"+2\gamma\sqrt{L\frac{1}{M}\sum^{M}_{i=1}\Delta^{\inf}_{i}},",
    ),
    reading=(
        "for every realisation; no limit on gamma is printed, so none is asked; Delta_i^inf is taken against "
        "f^inf, as printed, and only its mean over the clients enters; the first summand divides by the root "
        "of Delta_inf: the lemma is read where Delta_inf > 0."
    ),
    other_readings=("gamma <= 1/(2L), as Lemma 9 and Theorem 2 ask.",),
    left=mean_ig_drift,
    terms=(
        Term(
            "gap",
            2 * sqrt(2) * L * gamma * gap / sqrt(L * Delta_inf),
            "distance from the infimum",
            remark="when f(x^k) = f^inf",
        ),
        Term(
            "heterogeneity_between",
            sqrt(2) * gamma * sqrt(L * Delta_inf),
            "clients with different infima",
            (Equal(Delta_inf, 0),),
        ),
        Term(
            "heterogeneity_within",
            2 * gamma * sqrt(L * Delta_i_inf_mean),
            "data points with different infima",
            (Equal(Delta_i_inf_mean, 0),),
        ),
    ),
    setting=(Setting("A.lem8.h1", "one cyclic pass of local incremental-gradient steps, eq. (3)"),),
    assumptions=(
        as_stated(BOUNDED_BELOW, "f is bounded below by f^inf", "A.lem8.h2"),
        as_stated(BOUNDED_BELOW, "every f_i is bounded below by f_i^inf", "A.lem8.h3"),
        as_stated(BOUNDED_BELOW, "every f_ij is bounded below by f_ij^inf", "A.lem8.h4"),
        as_stated(SMOOTH_CLIENTS, "every f_ij is L-smooth", "A.lem8.h4"),
    ),
    where=(
        between_clients("A.lem8"),
        inside_clients("A.lem8"),
    ),
    conditions=(
        above(
            Delta_inf,
            0,
            locator="A.lem8",
            printed=r"\frac{2\sqrt{2}L\gamma(f(x^{k})-f^{\inf})}{\sqrt{L\Delta^{\inf}}}",
        ),
    ),
    example={"L": 1, "gamma": 0.1, "gap": 1, "Delta_inf": 0.5, "Delta_i_inf_mean": 0.75},
    concrete=Concrete(
        objects={
            "gradients": "for every client, the gradient of each f_ij as a function of points",
            "x": "point x^k",
            "f": "f(x^k)",
            "f_inf": "f^inf",
            "f_i_inf": "f_i^inf for every client, (M,)",
            "f_ij_inf": "f_ij^inf, (M, N)",
            "gamma": "length of the whole pass",
            "L": "smoothness constant of the f_ij",
        },
        numbers=_numbers,
    ),
    increasing=(L, gamma, gap, Delta_i_inf_mean),
    edges=(
        NO_HETEROGENEITY,
        Edge(Delta_i_inf_mean, 0, EdgeOutcome.OUT_OF_DOMAIN, "Theorem 2 asks Delta_i^inf > 0"),
        Edge(gap, 0, EdgeOutcome.REGULAR, "at the infimum of f: heterogeneity alone"),
        Edge(gamma, 0, EdgeOutcome.OUT_OF_DOMAIN, "Algorithm 1 asks gamma > 0"),
    ),
    proof=("A.lem8.s1..A.lem8.s7",),
)

AMENDED = amend(
    LEMMA,
    change="gamma <= 1/(2L) is asked, as in Lemma 9; the bound is one root, as s3 has it, and divides by "
    "nothing",
    because="a pass drifts by at most gamma times a weighted mean of slopes at its start, whose weights "
    "have a mean square below 1/2",
    derivation=f"{DERIVATION}#lemma-8",
    needed="fed_norm_ec.lemma_8",
    printed=(
        r"\frac{1}{M}\sum^{M}_{i=1}\frac{1}{N}\sum^{N-1}_{j=0}\left\|x^{k,j}_{i}-x^{k}\right\|\leq"
        r"\gamma\sqrt{L\left(f(x^{k})-f^{\inf}+\frac{1}{M}\sum^{M}_{i=1}\Delta^{\inf}_{i}\right)}",
    ),
    reading=(
        "for every realisation; Delta_i^inf is taken against f^inf, as printed, and only its mean over the "
        "clients enters; Delta_inf does not. It is at most the printed sum wherever that one has a value."
    ),
    other_readings=(),
    terms=(
        Term(
            "drift",
            gamma * sqrt(L * (gap + Delta_i_inf_mean)),
            "distance from the infima of the data points",
            (together(Equal(gap, 0), Equal(Delta_i_inf_mean, 0)),),
        ),
    ),
    where=(inside_clients("A.lem8"),),
    conditions=(short_pass("A.lem9.h4"),),
    example={n: x for n, x in LEMMA.example.items() if n != "Delta_inf"},
    edges=tuple(e for e in LEMMA.edges if e.symbol is not Delta_inf),
)
