"""What the paper reads off eqs. (15) and (16): normalization has the larger left side.

Not so where a client with a short update is nearer to its own minimum than w* is: its gap is negative, and
normalization weighs it most.
"""

from dataclasses import replace
from typing import Any

from bounds.language.condition import at_least, at_most
from bounds.language.dimension import F
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.drawn import drawn
from bounds.language.lemmas.functions_of_numbers import maximum, sqrt
from bounds.language.lemmas.indices import index
from bounds.language.lemmas.measures import smallest
from bounds.language.lemmas.objects import number
from bounds.language.quantity import OPEN_UNIT, POSITIVE, REAL
from bounds.language.statement import (
    Concrete,
    Edge,
    EdgeOutcome,
    Kind,
    Setting,
    Statement,
    Term,
    amend,
    define,
)
from bounds.papers.dp_fedavg import PAPER, theorem_2
from bounds.papers.dp_fedavg.notation import (
    NOTATION,
    C_hat,
    E,
    L,
    alpha,
    client_update_norm,
    clipped_norm,
    clipping_coefficient,
    least_unclipped_gap,
    rho,
    scaled_gap,
    z,
)

_THRESHOLD, _LOCAL_STEPS = theorem_2.THEOREM.conditions


def _numbers(gaps: Any, update_norms: Any, **given: Any) -> dict[str, Any]:
    """Both left sides from the updates of one round: clients are on the last axis."""
    threshold = np.asarray(given["C_hat"] * given["E"])[..., None]
    short = np.asarray(update_norms) <= threshold
    long_norms = np.mean(np.where(short, 0.0, update_norms), axis=-1)
    return given | {
        "unclipped_gap": np.mean(np.where(short, gaps, 0.0), axis=-1),
        "scaled_gap": np.mean(np.where(short, threshold / update_norms * gaps, 0.0), axis=-1),
        "clipped_update_norm": long_norms,
        "clipped_norm": long_norms,
    }


_client = index("client")
_gaps = number("gaps", REAL, F, over=_client)
_least = maximum(0, -smallest(_gaps, _client))  # with gaps of at least -Delta_i* no largest one is smaller
_C_hat = 4 * sqrt(L * _least) + number("more", POSITIVE)

CONCRETE = Concrete(
    objects={
        "gaps": "f_i(w) - f_i(w*) of every client in a round, (..., n)",
        "update_norms": "norm of every client's update in that round, (..., n), none of them zero",
        "C_hat": "threshold per local step",
        "L": "smoothness constant of the clients",
        "E": "number of local steps",
        "alpha": "free constant of the theorems",
        "rho": "key quantity",
    },
    numbers=_numbers,
    drawn=drawn(
        {"Delta_star_max": _least},
        **{"gaps": _gaps, "update_norms": number("times", POSITIVE, over=_client) * _C_hat * E},
        **{"C_hat": _C_hat, "L": L, "E": E, "rho": rho},
        alpha=maximum(1, 2 * rho * E) / number("share", OPEN_UNIT),
    ),
)

LEFT_SIDES = Statement(
    locator="B.eq16.cmp",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Comparison of eqs. (15) and (16): the left sides",
    printed=(r"the LHS of eq. (16) is larger than the LHS of eq. (15)",),
    reading=(
        "at the same iterates, with the same C_hat and w*, as the text compares the two factors that the "
        "under-braces bound; larger is not asked strictly where no client is unclipped."
    ),
    other_readings=("each left side at the iterates of its own algorithm.",),
    left=theorem_2.THEOREM.left,
    terms=(
        Term(
            "unclipped",
            (2 - rho**2 * E**2 / alpha**2) * scaled_gap,
            "gaps of the clients with short updates, stretched",
            remark="when every update is clipped",
            non_negative=False,
        ),
        Term(
            "clipped",
            3 * C_hat / (8 * L * E) * clipped_norm,
            "clients with long updates, the same in both",
            remark="when no update is clipped",
        ),
    ),
    setting=(
        Setting("B.eq15", "the left side of eq. (15), with clipping"),
        Setting("B.eq16", "the left side of eq. (16), with normalization"),
    ),
    assumptions=theorem_2.THEOREM.assumptions,
    conditions=(_THRESHOLD, _LOCAL_STEPS),
    example={
        "L": 1,
        "C_hat": 3,
        "E": 3,
        "rho": 0.1,
        "alpha": 2,
        "Delta_star_max": 0.5,
        "scaled_gap": 1,
        "clipped_norm": 2,
    },
    concrete=CONCRETE,
    increasing=(scaled_gap, clipped_norm),
    edges=(
        Edge(scaled_gap, 0, EdgeOutcome.REGULAR, "the gaps of the short updates balance"),
        Edge(clipped_norm, 0, EdgeOutcome.REGULAR, "no update is clipped"),
    ),
)


def _with_least_gap(gaps: Any, update_norms: Any, **given: Any) -> dict[str, Any]:
    threshold = np.asarray(given["C_hat"] * given["E"])[..., None]
    least = np.where(np.asarray(update_norms) <= threshold, gaps, np.inf).min(axis=-1)
    # Where every update is clipped there is no such gap, and the condition asks nothing.
    return _numbers(gaps, update_norms, **given) | {
        "least_unclipped_gap": np.where(np.isinf(least), 0.0, least)
    }


LEFT_SIDES_AMENDED = amend(
    LEFT_SIDES,
    change="where no client with a short update has a negative gap f_i(w) - f_i(w*)",
    because=(
        "stretching multiplies every such gap by a number of at least 1, a negative one as well: the "
        "client nearest to its own minimum has the shortest update and is weighed most"
    ),
    derivation="docs/amended/dp_fedavg.md#left-sides",
    needed="dp_fedavg.equation_16_comparison.left_sides",
    printed=(
        *LEFT_SIDES.printed,
        r"f_{i}(\bm{w}_{\tilde{k}})-f_{i}(\bm{w}^{*})\geq0\text{ where }"
        r"\|\bm{u}_{\tilde{k}}^{(i)}\|\leq\hat{C}E",
    ),
    conditions=(
        *LEFT_SIDES.conditions,
        at_least(
            least_unclipped_gap,
            0,
            locator="B.eq16.cmp",
            printed=(
                r"f_{i}(\bm{w}_{\tilde{k}})-f_{i}(\bm{w}^{*})\geq0\text{ where }"
                r"\|\bm{u}_{\tilde{k}}^{(i)}\|\leq\hat{C}E"
            ),
            part="gaps",
        ),
    ),
    example={**LEFT_SIDES.example, "least_unclipped_gap": 0.25},
    concrete=replace(CONCRETE, numbers=_with_least_gap),
)


def _coefficient(**given: Any) -> dict[str, Any]:
    step = given["rho"] * given["E"] / given["alpha"]
    return given | {"clipping_coefficient": 2 - step - step**2}


_PARAMETERS = (E, rho, alpha, C_hat, client_update_norm)

COEFFICIENTS = Statement(
    locator="B.eq16.cmp",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Comparison of eqs. (15) and (16): what multiplies an unclipped gap",
    printed=(
        r"\Big(2-\frac{\rho^{2}E^{2}}{\alpha^{2}}\Big)>"
        r"(2-\frac{\rho E}{\alpha}-\frac{\rho^{2}E^{2}}{\alpha^{2}})",
        r"\Bigg(\frac{\hat{C}E}{\|\bm{u}_{\tilde{k}}^{(i)}\|}\Bigg)\geq 1",
    ),
    reading="both under-braces of eq. (16) at once: the coefficient of eq. (15) is below that of eq. (16).",
    left=clipping_coefficient,
    terms=(
        Term("stretched", (2 - rho**2 * E**2 / alpha**2) * z, "a short update stretched to the length C"),
    ),
    where=(define(z, C_hat * E / client_update_norm, locator="B.thm6.eq80"),),
    conditions=(
        _LOCAL_STEPS,
        at_most(
            client_update_norm,
            C_hat * E,
            locator="B.eq16.cmp",
            printed=r"\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|\leq\hat{C}E)",
        ),
    ),
    example={"C_hat": 3, "E": 3, "rho": 0.1, "alpha": 2, "client_update_norm": 4},
    concrete=Concrete(
        objects={s.name: NOTATION.quantities[s.name].meaning for s in _PARAMETERS}, numbers=_coefficient
    ),
    edges=(Edge(client_update_norm, 0, EdgeOutcome.OUT_OF_DOMAIN, "eq. (12) leaves out the zero vector"),),
)

TERM_A = Statement(
    locator="B.eq16.cmp",
    kind=Kind.CLAIM,
    paper=PAPER,
    title="Comparison of eqs. (15) and (16): the effect of initialization",
    printed=(r"thus term A affects normalization less than clipping",),
    reading=(
        "term A is the same expression on both right sides, and the left side of eq. (16) is said to be the "
        "larger."
    ),
    not_checkable=(
        "to affect less is no relation among numbers: term A is equal in both, and the claim rests on the "
        "comparison of the left sides, which is stated by itself and is false where some client's gap is "
        "negative."
    ),
)
