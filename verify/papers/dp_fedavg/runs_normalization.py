"""DP-NormFedAvg, where every update is scaled to one length: Theorems 4 and 6, and eq. (16).

The mean of Delta_i* C/||u|| on their right has no bound known beforehand. Where the clients share a minimiser
it is zero; elsewhere it is measured on the same replicates as the rest. A weighed gap may then be arbitrarily
low, so such a cell can hold but nothing can refute it.
"""

from functools import partial
from typing import Any

from bounds.language.statement import Statement
from verify.cell import NAMED, Cell
from verify.matching.constants import certified
from verify.matching.constants.certified import Requirement
from verify.matching.runs import Runs
from verify.papers.dp_fedavg import runs_shared as averaging
from verify.papers.dp_fedavg.runs_shared import FIXED_SIZE, HOMOGENEOUS, QUADRATIC, make

STATEMENTS = (
    "dp_fedavg.theorem_4",
    "dp_fedavg.theorem_6.general",
    "dp_fedavg.theorem_6.specific",
    "dp_fedavg.equation_16.rate",
)

FREE_GAMMA = "dp_fedavg.theorem_6.general"
# The bound grows with the square of the distance, the root of the certified second moment with the distance.
FAR = 6.0
# Moments of 1/||u|| where u has a Gaussian part: the density of ||u|| near 0 is of the order ||u||^(d - 1).
ENOUGH_DIMENSIONS = 3
TOO_FLAT = "the mean of 1/||u|| exists for d >= 2 and its variance for d >= 3, as noise may bring u near 0"


def cells(statement: Statement) -> tuple[Cell, ...]:
    free = statement.id == FREE_GAMMA
    base: dict[str, Any] = {"K": 20, "E": 3, "alpha": 2.0, "rho": 0.2} | ({"gamma": 2.0} if free else {})
    strong, longest = {"E": 1, "rho": 0.8}, {"E": 1 if free else 5}
    line = QUADRATIC | {"dimension": 1}
    same, mixed = QUADRATIC | HOMOGENEOUS, {"C_hat": 2.0}  # longer than some updates, shorter than others
    return (
        make(statement, "homogeneous", base | mixed, arguments=same),
        make(statement, "heterogeneous", base, offset=FAR),
        make(
            statement,
            "edge of its conditions",
            base | longest,
            offset=FAR,
            threshold=1.0,
            shares={"gamma": 1.0} if free else {},
        ),
        make(statement, "strong noise", base | strong),
        make(statement, "partial participation", base, offset=FAR, clients_per_round=1.0),
        make(statement, "exactly one client", base, offset=FAR, clients_per_round=1.0, reading=FIXED_SIZE),
        make(statement, "heterogeneous on the line", base, arguments=line),
        _overshoot(statement, "overshoot, partial participation"),
        _overshoot(statement, "overshoot, full participation", clients_per_round=5.0),
        _overshoot(statement, "overshoot, one client", reading=FIXED_SIZE),
    )


def _overshoot(
    statement: Statement, role: str, *, clients_per_round: float = 1.0, reading: str = NAMED
) -> Cell:
    """Identical clients of slope 1 whose updates are stretched until the run jumps about its minimum.

    With coins of probability r/n the server's average has the second moment C^2 (1 + (1 - r/n)/r) instead of
    C^2, for which the bound has no room; with exactly r clients it is C^2.
    """
    own = {"K": 100, "E": 1, "rho": 0.02, "alpha": 1.0, "C_hat": 1e4}
    if statement.id == FREE_GAMMA:
        own = {"K": 100, "E": 1, "rho": 0.02, "gamma": 200.0, "C_hat": 1e3}
    return make(
        statement,
        role,
        own,
        problem="huber.small",
        arguments={"clients": 5, "dimension": 1, "heterogeneity": 0.0, "seed": 2},
        offset=50.0,
        clients_per_round=clients_per_round,
        reading=reading,
    )


def requirements(statement: Statement, cell: Cell) -> list[Requirement]:
    problem = cell.build_problem()
    held = averaging.requirements(statement, cell)
    if max(certified.uppers(problem, "client_gaps_at_minimiser")) > 0:
        d = float(problem.dimension)
        held.append(Requirement("d", d, at_least=ENOUGH_DIMENSIONS, because=TOO_FLAT))
    return held


RUNS = Runs(
    algorithm="dp_norm_fedavg",
    statements=STATEMENTS,
    cells=cells,
    fills={"heterogeneous on the line": "heterogeneous"},
    private_cells=averaging.private_cells,
    settings=partial(averaging.tell, bound="update_length"),
    requirements=requirements,
    certified=partial(averaging.certify, normalised=True),
)
