"""The controls about gradient descent with step 1/L: deterministic, in exact rationals.

An objective that meets a statement's assumptions is a cell of it; on one of them its bound is an equality.
Clients that differ are one objective here, their mean. Cells are by hand, because no standard one is tight.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import bounds
from bounds.language.statement import Statement
from verify.cell import Cell
from verify.matching.assumptions import refusal
from verify.matching.cells.sketch import Sketch, fill
from verify.matching.cells.standard import exclude_by_settings
from verify.matching.runs import Runs

ALGORITHM = "gradient_descent"
STATEMENTS = tuple(s.id for s in bounds.statements("textbook") if s.algorithm == ALGORITHM)

STEPS, SMOOTHNESS, DISTANCE = 5, Fraction(2), Fraction(3, 2)


EDGE = "edge of its conditions"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """`attains` is the statement whose bound is an equality there."""

    name: str
    problem: str
    arguments: Mapping[str, Any]
    start: list[Fraction]
    steps: int = STEPS
    attains: str = ""


def _quadratic(
    name: str,
    curvatures: list[list[Fraction]],
    centers: list[list[Fraction]],
    start: list[Fraction],
    **more: Any,
) -> Instance:
    arguments = {"curvatures": curvatures, "centers": centers}
    return Instance(name=name, problem="quadratic.diagonal", arguments=arguments, start=start, **more)


def sawtooth(smoothness: Fraction, gradient: Fraction, steps: int) -> Instance:
    """The f of T.gd.nonconvex.tight, whose slope is `gradient` at every iterate and half of it between two.

    With h = gradient/L its slope bends by L at -(N + 1) h, by -2 L and 2 L in turn, and by -L at 0. One
    `step` bends by L, -2 L and L, one `hinge` by L and -L; the mean of n blocks bends n times less than they.
    """
    h, n = gradient / smoothness, steps + 2
    half = h / 2
    small = [("step", -(2 * k - 1) * half, half) for k in range(steps, 1, -1)]
    rise = [("hinge", -(2 * steps - 1) * half, half), ("hinge", -half, half)]
    blocks = [("step", -(steps + 1) * h, h), *rise, *small]
    arguments = {
        "shapes": [shape for shape, _, _ in blocks],
        "centers": [center for _, center, _ in blocks],
        "widths": [width for _, _, width in blocks],
        "heights": [n * smoothness * width**2 for _, _, width in blocks],
    }
    return Instance(
        name="sawtooth",
        problem="piecewise_quadratic.blocks",
        arguments=arguments,
        start=[Fraction(0)],
        attains="T.gd.nonconvex",
    )


def instances() -> tuple[Instance, ...]:
    slow, flat, zero = SMOOTHNESS / (2 * STEPS + 1), SMOOTHNESS / 8, Fraction(0)
    line: dict[str, Any] = {"smoothness": SMOOTHNESS, "distance": DISTANCE, "steps": STEPS}
    away = [Fraction(9, 10), Fraction(6, 5)]  # of length 3/2
    apart = [[SMOOTHNESS, slow], [flat, SMOOTHNESS]], [[Fraction(1), zero], [Fraction(-1, 2), Fraction(3)]]
    best = [
        sum((a[i] * c[i] for a, c in zip(*apart, strict=True)), zero) / (apart[0][0][i] + apart[0][1][i])
        for i in range(2)
    ]
    return (
        Instance(
            name="huber",
            problem="huber.worst_case_of_gradient_descent",
            arguments=line,
            start=[DISTANCE],
            attains="T.gd.convex",
        ),
        _quadratic("quadratic", [[SMOOTHNESS, slow]], [[zero] * 2], [zero, DISTANCE]),
        _quadratic("flat quadratic", [[flat] * 2], [[zero] * 2], away, attains="T.gd.strong"),
        sawtooth(SMOOTHNESS, Fraction(3), STEPS),
        _quadratic("homogeneous", [[SMOOTHNESS, slow]] * 2, [[zero] * 2] * 2, away),
        _quadratic("heterogeneous", *apart, [b + a for a, b in zip(away, best, strict=True)]),
        _quadratic(EDGE, [[SMOOTHNESS] * 2], [[zero] * 2], away),
        _quadratic("before any step", [[SMOOTHNESS] * 2], [[zero] * 2], away, steps=0),
    )


def cells(statement: Statement) -> tuple[Cell, ...]:
    """The instances that meet the assumptions; the edge of conditions is only where there are some."""
    filled = fill(
        statement,
        (
            _sketch(statement, instance)
            for instance in instances()
            if statement.conditions or instance.name != EDGE
        ),
    )
    return tuple(c for c in filled if refusal(statement, c) is None)


def _sketch(statement: Statement, instance: Instance) -> Sketch:
    return Sketch(
        role="tight" if instance.attains == statement.locator else instance.name,
        problem=instance.problem,
        arguments=instance.arguments,
        values={"N": instance.steps, "L": SMOOTHNESS},
        start=instance.start,
    )


RUNS = Runs(
    algorithm=ALGORITHM,
    statements=STATEMENTS,
    cells=cells,
    excluded=exclude_by_settings,
    in_fractions=True,
)
