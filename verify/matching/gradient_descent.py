"""The control `textbook.gradient_descent_convex`: deterministic, in exact rationals."""

from fractions import Fraction
from typing import Any

from bounds.statement import Statement
from synthetic.algorithms.gradient_descent import Settings
from synthetic.run import run
from verify.cell import Cell, Scalar, revived
from verify.matching import certified
from verify.matching.certified import Requirement
from verify.measurement import Exact

STATEMENTS = ("textbook.gradient_descent_convex",)


def cells(statement: Statement) -> tuple[Cell, ...]:
    """The tight function, on which the bound is an equality, and a quadratic of slow curvature."""
    steps, smoothness, distance = 5, Fraction(2), Fraction(3, 2)
    point: dict[str, Scalar] = {"N": steps, "L": smoothness, "D0": distance}
    slow = smoothness / (2 * steps + 1)
    common: dict[str, Any] = {
        "statement": statement.id,
        "variant": statement.variant,
        "algorithm": "gradient_descent",
    }
    return (
        Cell(
            **common,
            role="tight",
            problem="huber.worst_case_of_gradient_descent",
            problem_arguments={"smoothness": smoothness, "distance": distance, "steps": steps},
            parameters=point,
            engine={"start": [distance]},
        ),
        Cell(
            **common,
            role="quadratic",
            problem="quadratic.diagonal",
            problem_arguments={
                "curvatures": [[smoothness, slow]],
                "centers": [[Fraction(0), Fraction(0)]],
            },
            parameters=point,
            engine={"start": [Fraction(0), distance]},
        ),
    )


def requirements(statement: Statement, cell: Cell) -> list[Requirement]:
    problem, p = cell.build_problem(), cell.parameters
    return [
        Requirement("L", Fraction(p["L"]), at_least=certified.exact_upper(problem, "smoothness")),
        Requirement(
            "D0^2",
            Fraction(p["D0"]) ** 2,
            at_least=certified.squared_distance(problem, revived(cell.engine["start"])),
        ),
    ]


def measure(statement: Statement, cell: Cell, replicates: int, seed: int, stream: str) -> Exact:
    settings = Settings(
        start=cell.engine["start"],
        steps=int(cell.parameters["N"]),
        step=1 / Fraction(cell.parameters["L"]),
    )
    trace = run("gradient_descent", cell.build_problem(), settings, replicates=1, seed=seed, stream=stream)
    return Exact(observables={"final_gap": trace.measurements["gap"][0, -1]}, method="exact rational run")
