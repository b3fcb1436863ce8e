"""Where clipping and normalization are the same map: at updates that are at least as long as the threshold.

Both are positive multiples of the update, so that they are equal exactly where their lengths are.
"""

from dataclasses import replace
from typing import Any

from bounds.language.condition import above, at_least, at_most
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.drawn import drawn
from bounds.language.lemmas.measures import norm
from bounds.language.lemmas.objects import number, vector
from bounds.language.quantity import OPEN_UNIT, PROBABILITY
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Setting, Statement, Term
from bounds.papers.dp_fedavg import PAPER
from bounds.papers.dp_fedavg.notation import (
    C,
    C_low,
    client_update_norm,
    clipped_update_length,
)
from bounds.papers.dp_fedavg.shared.local_steps import Points, length


def _numbers(u: Points, C: Any, **given: Any) -> dict[str, Any]:
    factor = np.minimum(1.0, C / length(u))
    return given | {
        "C": C,
        "client_update_norm": length(u),
        "clipped_update_length": length(u * factor[..., None]),
    }


_OBJECTS = {
    "u": "update of a client, not zero",
    "C": "clipping threshold and scaling factor",
}

_u = vector("u")
_lowest = number("lowest", OPEN_UNIT) * norm(_u)

ALL_UPDATES = Statement(
    locator="B.equiv",
    kind=Kind.EQUALITY,
    paper=PAPER,
    title="Clipping is normalization when no update is short",
    printed=(r"clipping with threshold $C$ is equivalent to normalization with the same scaling factor",),
    reading=(
        "for every update that the lower bound holds for; clip(u, C) and norm(u, C) point along u, so that "
        "they are equal where their lengths are, and norm(u, C) has the length C."
    ),
    left=clipped_update_length,
    terms=(Term("scaling", C, "length of a normalized update"),),
    setting=(Setting("B.clip", "clip(u, C)"), Setting("B.norm", "norm(u, C), which has the length C")),
    conditions=(
        at_least(
            client_update_norm,
            C_low,
            locator="B.equiv",
            printed=r"The client update norms are lower bounded by ${C}_{\text{low}}$.",
            part="lower_bound",
        ),
        at_most(C, C_low, locator="B.equiv", printed=r"C\leq{C}_{\text{low}}", part="threshold"),
    ),
    example={"C": 1, "C_low": 2, "client_update_norm": 3},
    concrete=Concrete(
        objects=_OBJECTS | {"C_low": "lower bound on the norms of the updates"},
        numbers=_numbers,
        drawn=drawn(u=_u, C=number("share", PROBABILITY) * _lowest, C_low=_lowest),
    ),
    increasing=(C,),
    edges=(
        Edge(C, 0, EdgeOutcome.OUT_OF_DOMAIN, "nothing would be sent"),
        Edge(client_update_norm, 0, EdgeOutcome.OUT_OF_DOMAIN, "eq. (12) leaves out the zero vector"),
    ),
)

ONE_UPDATE = replace(
    ALL_UPDATES,
    title="Clipping is normalization for an update above the threshold",
    printed=(r"they are equivalent when $\|\bm{u}_{\tilde{k}}^{(i)}\|>\hat{C}E$",),
    reading=(
        "for one update; clip(u, C) and norm(u, C) point along u, so that they are equal where their lengths "
        "are, and norm(u, C) has the length C = C_hat E."
    ),
    conditions=(
        above(
            client_update_norm,
            C,
            locator="B.equiv",
            printed=r"\|\bm{u}_{\tilde{k}}^{(i)}\|>\hat{C}E",
        ),
    ),
    example={"C": 1, "client_update_norm": 3},
    concrete=Concrete(
        objects=_OBJECTS,
        numbers=_numbers,
        drawn=drawn(u=_u, C=number("part", OPEN_UNIT) * norm(_u)),
    ),
)
