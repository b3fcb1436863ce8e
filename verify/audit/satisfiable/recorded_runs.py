"""Runs that are carried out, for statements that ask for quantities of a run.

Such a quantity is no free input: a search would choose the distances, the gaps and the gradients of a run
each for itself, and meet no problem of the class. So the point is that of a run, and its problem is named.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from bounds.evaluation.resolve import resolve
from bounds.language.quantity import Role
from bounds.language.statement import Statement

Point = dict[str, float]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedOut:
    """`run` carries it out, and gives every input of the statements."""

    statements: tuple[str, ...]
    problem: str
    run: Callable[[], Point]


def asks_for_a_run(statement: Statement) -> bool:
    resolved, known = resolve(statement), statement.notation.quantities
    inputs = (resolved.required | resolved.optional) & known.keys()
    return any(known[name].role is Role.RUN for name in inputs)


def of(statement: Statement) -> CarriedOut | None:
    printed = statement.variant == "printed"
    return next((c for c in CARRIED_OUT if printed and statement.id in c.statements), None)


def point(statement: Statement) -> Point | None:
    """The inputs of the statement, as the run on file has them."""
    found, resolved = of(statement), resolve(statement)
    names = resolved.required | resolved.optional
    return None if found is None else {n: x for n, x in found.run().items() if n in names}


def _halving() -> Point:
    """x^2/2 up to 1 and x - 1/2 beyond: 1-smooth and 1-Lipschitz, so that nothing is clipped at C = 1."""
    steps, eta, start = 10, 0.5, 1.0
    path = [start]
    for _ in range(steps):
        path.append(path[-1] - eta * max(min(path[-1], 1.0), -1.0))
    gap = path[-1] ** 2 / 2
    measured = {"auxiliary_gap": gap, "final_gap": gap, "gradient_square": min(x**2 for x in path)}
    chosen = {"T": steps, "tau": steps, "eta": eta, "sigma": 0.0, "B": 1, "lam": gap}
    problem = {"beta": 1.0, "rho": 1.0, "C": 1.0, "xi": 0.0, "d": 1}
    budgets = {"R_S": 1, "R_C": steps, "tau_star": steps / 2}
    return measured | chosen | problem | budgets | {"omega": 1 / start, "omega_lemma_6": 1 / start**2}


CARRIED_OUT = (
    CarriedOut(
        statements=(
            *("als_dpfl.theorem_2.theorem_omega", "als_dpfl.theorem_2.lemma_6_omega"),
            "als_dpfl.optimal_tau",
        ),
        problem="one client of loss x^2/2 up to 1 and linear beyond, one sample, no noise, ten steps from 1",
        run=_halving,
    ),
)
