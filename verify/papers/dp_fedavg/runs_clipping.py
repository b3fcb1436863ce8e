"""DP-FedAvg with clipping: Theorem 2 and what the paper draws from it.

Eq. (11) is stated under Assumption 1, and its cells are refused by that name: only constant clients satisfy
it. Let g = grad f(w) be other than 0. With eta L < 1 there is a w' with w = w' - eta g', g' = grad f(w'), and
g' is not 0. Convexity and smoothness give eta <g' - g, g'> >= ||g' - g||^2/L, and part (i) gives
||g' - g|| >= eta lambda ||g'||, so that
    ||g||^2 <= ||g'||^2 - (2/(eta L) - 1) ||g' - g||^2 <= (1 - (eta lambda)^2) ||g'||^2.
Backwards step by step gradients grow geometrically, while part (ii) bounds them by G.
"""

from dataclasses import replace
from functools import partial
from math import sqrt
from typing import Any

from bounds.language.statement import Kind, Statement
from verify.cell import Cell
from verify.matching.constants import certified
from verify.matching.linear_bound import linear_bound
from verify.matching.measurements.measurement import Certificates
from verify.matching.runs import Runs
from verify.papers.dp_fedavg import runs_shared as averaging
from verify.papers.dp_fedavg.runs_shared import HOMOGENEOUS, HUBER, QUADRATIC, make

STATEMENTS = (
    "dp_fedavg.theorem_2",
    "dp_fedavg.theorem_3",
    "dp_fedavg.theorem_5.general",
    "dp_fedavg.theorem_5.specific",
    "dp_fedavg.equation_8",
    "dp_fedavg.equation_11",
    "dp_fedavg.equation_15",
)

FREE_GAMMA = "dp_fedavg.theorem_5.general"
WITHOUT_DELTA = "dp_fedavg.equation_15"
SIMPLIFIED = "dp_fedavg.theorem_3"
RULE_FOR_ROUNDS = "dp_fedavg.equation_11"
LIPSCHITZ = ("dp_fedavg.equation_8", RULE_FOR_ROUNDS)
# 4 sqrt(L Delta) = G for centres at 1/sqrt(8) thresholds from w*; a little beyond, and G is enlarged to it.
AT_THE_THRESHOLD = {"heterogeneity": 0.354}


def cells(statement: Statement) -> tuple[Cell, ...]:
    """Homogeneous and heterogeneous clients, the edge of the conditions, strong noise, one client a round.

    Theorem 3 as printed has constants that nobody gives; its amended form names them.
    """
    if statement.kind is Kind.RATE:
        return ()
    if statement.id in LIPSCHITZ:
        return _lipschitz_cells(statement)
    if statement.id == FREE_GAMMA:
        return _cells_with_free_gamma(statement)
    base = {"K": 20, "E": 3, "alpha": 2.0, "rho": 0.2}
    standard = (
        make(statement, "homogeneous", base, arguments=QUADRATIC | HOMOGENEOUS),
        make(statement, "heterogeneous", base),
        make(statement, "edge of its conditions", base | {"E": 5}, threshold=1.0),
        make(statement, "strong noise", base | {"E": 1, "rho": 0.8}),
        make(statement, "partial participation", base, offset=4.0, clients_per_round=1.0),
    )
    if statement.id == SIMPLIFIED:
        return tuple(_with_least_constant(statement, cell) for cell in standard)
    return (*standard, _far_minima(statement)) if statement.id == WITHOUT_DELTA else standard


def _with_least_constant(statement: Statement, cell: Cell) -> Cell:
    """The smallest c_gamma with 1/c_gamma <= gamma/(L ||w_0 - w*||) <= c_gamma."""
    given = {name: float(value) for name, value in cell.parameters.items()} | {"c_gamma": 1.0}
    ratio = float(statement.evaluate(**given).derived["gamma"]) / (given["L"] * given["D0"])
    least = max(ratio, 1 / ratio) * averaging.SAFE
    return replace(cell, parameters={**cell.parameters, "c_gamma": least})


def _far_minima(statement: Statement) -> Cell:
    """Two clients in balance far from their minima: f_1 = (w - 100)^2/2 and f_2 = (w + 1000)^2/20, w* = 0.

    500 local steps shift the balance to about -10.433, where the run starts: with little noise it stays
    there. The gap grows with the unit of f, and term B as it is printed does not.
    """
    return make(
        statement,
        "clients with far minima",
        {"K": 40, "E": 500, "alpha": 1.0, "rho": 0.001},
        problem="quadratic.diagonal",
        arguments={"curvatures": [[1.0], [0.1]], "centers": [[100.0], [-1000.0]]},
        offset=-10.433,
        threshold=1.0,
    )


def _cells_with_free_gamma(statement: Statement) -> tuple[Cell, ...]:
    base = {"K": 20, "E": 3, "rho": 0.2, "gamma": 2.0}
    return (
        make(statement, "homogeneous", base | {"gamma": 0.5}, arguments=QUADRATIC | HOMOGENEOUS),
        make(statement, "heterogeneous", base),
        make(statement, "edge of its conditions", base | {"E": 1}, threshold=1.0, shares={"gamma": 1.0}),
        make(statement, "strong noise", base | {"E": 1, "rho": 0.8}),
        make(statement, "partial participation", base, clients_per_round=1.0),
    )


def _lipschitz_cells(statement: Statement) -> tuple[Cell, ...]:
    rule_for_rounds = statement.id == RULE_FOR_ROUNDS
    base: dict[str, Any] = {"K": 20, "E": 3, "alpha": 2.0, "rho": 0.2}
    edge, strong = {"E": 5}, {"E": 1, "rho": 0.8}
    if rule_for_rounds:  # alpha = 1 leaves E <= 1/(2 rho)
        base = {"lam": 1.0, "E": 3, "rho": 0.1}
        edge, strong = {"E": 5}, {"E": 1, "rho": 0.5}

    def cell(role: str, change: dict[str, Any], clients: dict[str, Any], **more: Any) -> Cell:
        arguments = HUBER | clients
        built = make(statement, role, base | change, problem="huber.small", arguments=arguments, **more)
        return _with_integer_rounds(statement, built) if rule_for_rounds else built

    return (
        cell("homogeneous", {}, HOMOGENEOUS),
        cell("heterogeneous", {}, {}),
        cell("edge of its conditions", edge, AT_THE_THRESHOLD, threshold=1.0),
        cell("strong noise", strong, {}),
        cell("partial participation", {}, {}, clients_per_round=1.0),
    )


def _with_integer_rounds(statement: Statement, cell: Cell) -> Cell:
    """The start for which the K = 2 gamma/(C_hat E rho^2) of eq. (11), gamma = L ||w_0 - w*||, is 20."""
    rounds = 20
    p, problem = {n: float(v) for n, v in cell.parameters.items()}, cell.build_problem()
    threshold = float(statement.evaluate(**p).derived["C_hat"])
    distance = rounds * threshold * p["E"] * p["rho"] ** 2 / (2 * p["L"])
    start = problem.minimiser() + distance / averaging.SAFE / sqrt(problem.dimension)
    engine = {**cell.engine, "start": start.tolist(), "rounds": rounds}
    return replace(cell, parameters={**cell.parameters, "D0": distance}, engine=engine)


def certify(statement: Statement, cell: Cell) -> Certificates:
    known = averaging.certify(statement, cell, normalised=False)
    if "unclipped_gap" in linear_bound(statement, cell).left:
        known["floor"] = _floor(statement, cell, averaging.point(statement, cell).threshold)
    return known


def _floor(statement: Statement, cell: Cell, threshold: float) -> float:
    """Below every sample of left minus random right, tighter than the ends of the observables one by one.

    With a and b the coefficients of the gap and of the norm: where no client is clipped the left is
    a (f(w) - f(w*)) >= 0; else one at least adds more than b C/n, and the others at least -a Delta_i/n each.
    """
    deltas = certified.uppers(cell.build_problem(), "client_gaps_at_minimiser")
    bound = linear_bound(statement, cell)
    a, b = (float(bound.left[name]) for name in ("unclipped_gap", "clipped_update_norm"))
    left = min(0.0, (b * threshold - a * sum(deltas)) / len(deltas))
    right = sum(float(weight) * float(bound.highest[name]) for name, weight in bound.right.items())
    return left - right * averaging.SAFE


RUNS = Runs(
    algorithm="dp_fedavg",
    statements=STATEMENTS,
    cells=cells,
    private_cells=averaging.private_cells,
    settings=partial(averaging.tell, bound="clip_threshold"),
    requirements=averaging.requirements,
    certified=certify,
)
