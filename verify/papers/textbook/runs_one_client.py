"""FedAVG with one client and full gradients, the control T.fedavg.one: gradient descent in float64.

D0 exceeds the distance of the start by more than rounding, so that where the bound is an equality the
verdict is not left to the last digit. The cells are by hand, because no standard one is tight.
"""

from typing import Any

from bounds.language.statement import Statement
from verify.cell import Cell
from verify.matching.cells.required import requirements
from verify.matching.cells.sketch import Sketch, fill
from verify.matching.cells.standard import exclude_by_settings
from verify.matching.constants.certified import Requirement
from verify.matching.runs import Runs

ROUNDS, LOCAL_STEPS, SMOOTHNESS, DISTANCE = 4, 3, 2.0, 1.5
# Above the rounding of a few hundred steps, below anything that a verdict could hang on.
ABOVE = 1 + 1e-9


def cells(statement: Statement) -> tuple[Cell, ...]:
    steps, usual = ROUNDS * LOCAL_STEPS, {"rounds": ROUNDS, "E": LOCAL_STEPS, "D0": DISTANCE * ABOVE}
    worst = {"smoothness": SMOOTHNESS, "distance": DISTANCE, "steps": steps}
    one: dict[str, Any] = {
        "clients": 1,
        "dimension": 4,
        "heterogeneity": 0.0,
        "smoothness": SMOOTHNESS,
        "seed": 6,
    }
    return fill(
        statement,
        (
            Sketch(
                role="tight",
                problem="huber.worst_case_of_gradient_descent",
                arguments=worst,
                values=usual,
                away=DISTANCE,
            ),
            *(
                Sketch(
                    role=role,
                    problem="quadratic.small",
                    arguments=one | clients,
                    values=usual | change,
                    away=(0.0, 0.0, 0.0, DISTANCE),
                )
                for role, clients, change in (
                    ("homogeneous", {}, {}),
                    ("one round", {}, {"rounds": 1, "E": steps}),
                    ("before any round", {}, {"rounds": 0}),
                    ("heterogeneous", {"clients": 2, "heterogeneity": 1.0}, {}),
                )
            ),
        ),
    )


def require_one_client(statement: Statement, cell: Cell) -> list[Requirement]:
    clients = cell.build_problem().clients
    alone = Requirement("clients", clients, at_most=1, because="the statement is about one client")
    return [alone, *requirements(statement, cell)]


RUNS = Runs(
    algorithm="fedavg",
    statements=("textbook.federated_averaging_one_client",),
    cells=cells,
    requirements=require_one_client,
    excluded=exclude_by_settings,
    in_fractions=True,
)
