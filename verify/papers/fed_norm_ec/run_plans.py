"""What each statement about Fed-alpha-NormEC is run at: its free quantities, and what cells change."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, final

from synthetic.problems.component_sums import small

# A run needs these settings; a statement leaves them open, takes them, or prescribes them.
OPEN = ("T", "p", "sigma_DP")

COMPONENTS = 4  # of a client: an incremental pass makes one step for each


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """`base` are the statement's own quantities, `engine` what the run needs beyond them.

    The conditions stop the parameter `free`; cells away from the edge have the fraction `usual` of its
    largest value. A gamma that the statement leaves open is 1/(2L), the longest step that any of them allows.
    """

    base: Mapping[str, Any]
    engine: Mapping[str, Any]
    free: str = ""
    usual: float = 0.9
    noisy_fraction: float | None = None
    noisy: Mapping[str, Any]
    sampled: Mapping[str, Any]
    edge: Mapping[str, Any]
    several_steps: bool = False
    incremental: bool = False

    @property
    def problem(self) -> str:
        return "component_sums.component_sum" if self.incremental else "quadratic.small"

    def clients(self, heterogeneity: float) -> Mapping[str, Any]:
        if self.incremental:
            return _components(heterogeneity)
        return {"clients": 5, "dimension": 4, "heterogeneity": heterogeneity, "seed": 1}


@cache
def _components(heterogeneity: float) -> Mapping[str, Any]:
    """Identical clients have the components of the first one, which differ from each other."""
    clients = 3
    parts = small(clients=clients, components=COMPONENTS, dimension=3, seed=1).parts
    source = [0] * clients if heterogeneity == 0 else range(clients)

    def rows(table: Any) -> Any:
        own = table.reshape(clients, COMPONENTS, *table.shape[1:])
        return [own[c].tolist() for c in source]

    return {"hessians": rows(parts.hessians), "centers": rows(parts.centers), "offsets": rows(parts.offsets)}


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    name: str
    changes: Mapping[str, Any]
    fraction: float
    problem: Mapping[str, Any]


def roles(plan: Plan) -> list[Role]:
    """The cells of every statement; with several local steps too, where one step is the usual number."""
    noisy = plan.usual if plan.noisy_fraction is None else plan.noisy_fraction
    table: list[tuple[str, Mapping[str, Any], float, float]] = [
        ("homogeneous", {}, plan.usual, 0.0),
        ("heterogeneous", {}, plan.usual, 1.0),
        ("edge of its conditions", plan.edge, 1.0, 1.0),
        ("partial participation", plan.sampled, plan.usual, 1.0),
        ("strong noise", plan.noisy, noisy, 1.0),
    ]
    if plan.several_steps:
        table.append(("local steps", {"T": 5, "p": 0.5, "sigma_DP": 0.2}, plan.usual, 1.0))
    return [
        Role(name=name, changes=changes, fraction=fraction, problem=plan.clients(heterogeneity))
        for name, changes, fraction, heterogeneity in table
    ]


_OPENLY: dict[str, Any] = {"noisy": {"sigma_DP": 1.0}, "sampled": {"p": 0.5}, "edge": {}}
_FULL_AND_EXACT: dict[str, Any] = {"p": 1.0, "sigma_DP": 0.0}
_STEP = {"K": 8, "R": 0.5, "alpha": 0.5, "beta": 0.2, "eta": 1e-3}

_THEOREM_1 = Plan(
    base=_STEP | _FULL_AND_EXACT | {"T": 1},
    engine={},
    free="eta",
    several_steps=True,
    **_OPENLY,
)
# It prescribes one local step, full participation and no noise: what differs is refused.
_FULL = Plan(
    base=_STEP,
    engine=_FULL_AND_EXACT | {"T": 1},
    free="eta",
    several_steps=True,
    **_OPENLY,
)
_THEOREM_2 = Plan(
    base=_STEP | _FULL_AND_EXACT,
    engine={"T": COMPONENTS},
    free="eta",
    incremental=True,
    **_OPENLY,
)


def _rate(*, local_steps: int, incremental: bool = False, takes_steps: bool = True) -> Plan:
    steps = {"T": local_steps}
    return Plan(
        base={"K": 8, "alpha": 0.5, "D_1": 1.0, "D_2": 0.5}
        | _FULL_AND_EXACT
        | (steps if takes_steps else {}),
        engine={} if takes_steps else steps,
        free="D_2",
        usual=0.1,
        incremental=incremental,
        **_OPENLY,
    )


def _utility(*, local_steps: int, takes_steps: bool) -> Plan:
    """The noise follows from epsilon: the conditions ask for enough of it."""
    steps = {"T": local_steps}
    return Plan(
        base={"K": 8, "R": 0.5, "c": 1.5, "epsilon": 1.0, "delta": 1e-5, "B_hat": 5}
        | (steps if takes_steps else {}),
        engine={} if takes_steps else steps,
        free="epsilon",
        usual=0.5,
        noisy_fraction=1e-3,
        noisy={},
        sampled={"B_hat": 2},
        edge={},
    )


# No condition limits it, and any local operator will do; its smallest run has one round.
_LEMMA_3 = Plan(
    base={"K": 8, "beta": 0.2, "p": 1.0, "sigma_DP": 0.2},
    engine={"T": 1, "gamma": 0.5, "R": 0.5, "alpha": 0.5, "eta": 0.05},
    several_steps=True,
    **_OPENLY | {"edge": {"K": 0}},
)

PLANS: dict[str, Plan] = {
    f"fed_norm_ec.{name}": plan
    for name, plan in {
        "theorem_1.main": _THEOREM_1,
        "theorem_1.appendix": _THEOREM_1,
        "theorem_2": _THEOREM_2,
        "claims.full": _FULL,
        "corollary_1.explicit": _utility(local_steps=1, takes_steps=False),
        "corollary_2": _rate(local_steps=5),
        "corollary_3.explicit": _utility(local_steps=5, takes_steps=True),
        "corollary_4": _rate(local_steps=1, takes_steps=False),
        "corollary_5": _rate(local_steps=COMPONENTS, incremental=True),
        "lemma_3": _LEMMA_3,
    }.items()
}
