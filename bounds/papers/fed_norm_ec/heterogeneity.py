"""The two measures of heterogeneity, and the mean of the second that Theorem 2 and Corollaries 5, 6 use.

They are facts of a problem: a statement takes them as inputs, or derives them where the infima are given.
"""

from bounds.language.statement import Definition, Edge, EdgeOutcome, Kind, Statement, Term, defined_by
from bounds.papers.fed_norm_ec import PAPER
from bounds.papers.fed_norm_ec.notation import (
    Delta_i_inf,
    Delta_i_inf_mean,
    Delta_inf,
    f_i_inf_mean,
    f_ij_inf_mean,
    f_ij_inf_mean_i,
    f_inf,
)

_INFIMUM = Term("infimum", f_inf, "the infimum of the objective", non_negative=False)

CLIENTS = Statement(
    locator="A.def.Delta",
    kind=Kind.DEFINITION,
    paper=PAPER,
    title="Heterogeneity between clients",
    printed=(r"\Delta^{\inf}=f^{\inf}-\frac{1}{M}\sum_{i=1}^{M}f_{i}^{\inf}\geq 0",),
    reading=(
        "f^inf and f_i^inf are any lower bounds in Assumption 1; the sign is that of the infima themselves, "
        "for which the mean of the f_i is at least the mean of the f_i^inf."
    ),
    other_readings=("for any lower bounds, as Assumption 1 has them: then Delta_inf may be negative.",),
    left=Delta_inf,
    terms=(
        _INFIMUM,
        Term("clients", -f_i_inf_mean, "what the clients reach on their own", non_negative=False),
    ),
    example={"f_inf": 1, "f_i_inf_mean": 0.25},
    increasing=(f_inf,),
    decreasing=(f_i_inf_mean,),
    edges=(Edge(f_inf, 0, EdgeOutcome.REGULAR, "losses that the mean model brings to zero"),),
)

COMPONENTS = Statement(
    locator="A.def.Delta",
    kind=Kind.DEFINITION,
    paper=PAPER,
    title="Heterogeneity inside a client",
    printed=(r"\Delta^{\inf}_{i}=f^{\inf}-\frac{1}{N}\sum_{j=1}^{N}f_{i,j}^{\inf}",),
    reading="against the infimum f^inf of the mean objective, as printed.",
    other_readings=(
        "against f_i^inf, the infimum of the client: then it vanishes where its f_ij share one.",
    ),
    left=Delta_i_inf,
    terms=(
        _INFIMUM,
        Term("components", -f_ij_inf_mean_i, "what the data points reach on their own", non_negative=False),
    ),
    example={"f_inf": 1, "f_ij_inf_mean_i": 0.25},
    increasing=(f_inf,),
    decreasing=(f_ij_inf_mean_i,),
    edges=(Edge(f_inf, 0, EdgeOutcome.REGULAR, "losses that the mean model brings to zero"),),
)


def between_clients(locator: str) -> Definition:
    return defined_by(CLIENTS, locator=locator, needed=False)


def inside_clients(locator: str) -> Definition:
    """The mean over the clients, which is linear in the infima."""
    mean = COMPONENTS.right.xreplace({f_ij_inf_mean_i: f_ij_inf_mean})
    return Definition(Delta_i_inf_mean, mean, locator, source=COMPONENTS.locator, needed=False)
