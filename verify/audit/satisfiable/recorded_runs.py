"""Runs that are carried out, for statements that ask for quantities of a run.

Such a quantity is no free input: a search would choose the distances, the gaps and the gradients of a run
each for itself, and meet no problem of the class. So the point is that of a run, and its problem is named.
"""

import math
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
    variant: str
    problem: str
    run: Callable[[], Point]


def asks_for_a_run(statement: Statement) -> bool:
    resolved, known = resolve(statement), statement.notation.quantities
    inputs = (resolved.required | resolved.optional) & known.keys()
    return any(known[name].role is Role.RUN for name in inputs)


def of(statement: Statement) -> CarriedOut | None:
    return next(
        (c for c in CARRIED_OUT if c.variant == statement.variant and statement.id in c.statements), None
    )


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


def _far_away() -> Point:
    """x^2/2 up to 1 and x - 1/2 beyond, far from the bend: each step lowers x, and with it the gap, by eta.

    The bound pays for a batch of one sample that is drawn, whatever the client has.
    """
    steps, eta, start = 1000, 0.125, 1000.0
    gap = start - eta * steps - 0.5
    measured = {"auxiliary_gap_mean": gap, "averaged_gap_mean": gap, "gradient_square": 1.0}
    chosen = {"T": steps, "tau": 1, "eta": eta, "sigma": 0.0, "B": 1, "lam": gap}
    problem = {"beta": 1.0, "rho": 1.0, "C": 1.0, "xi": 0.0, "d": 1, "f0_gap": start - 0.5}
    budgets = {"R_S": steps, "R_C": steps, "tau_star": 1}
    return measured | chosen | problem | budgets | {"omega_mean": 1 / start**2}


def _one_client() -> Point:
    """w^2/2 from distance 1: w* is the minimizer of the only client, so that Delta* is 0 in any run."""
    rho, delta, steps = 0.01, 1e-5, 20_000
    chosen = {"K": steps, "E": 1, "C_hat": 1.0, "alpha": 1.0, "gamma": steps * rho**2 / 2, "q": 1.0}
    private = {"epsilon": math.sqrt(math.log(1 / delta)) / rho, "delta": delta}
    problem = {"n": 1, "r": 1, "L": 1.0, "D0": 1.0, "d": 1, "Delta_star_max": 0.0}
    return chosen | private | problem | {"unclipped_scaled_delta": 0.0}


OF_NORMALIZATION = (
    "dp_fedavg.theorem_4",
    "dp_fedavg.theorem_6.specific",
    "dp_fedavg.theorem_6.general",
    "dp_fedavg.equation_16.rate",
)
OF_THEOREM_2 = (
    "als_dpfl.theorem_2.theorem_omega",
    "als_dpfl.theorem_2.lemma_6_omega",
    "als_dpfl.optimal_tau",
)
CARRIED_OUT = (
    CarriedOut(
        statements=OF_THEOREM_2,
        variant="printed",
        problem="one client of loss x^2/2 up to 1 and linear beyond, one sample, no noise, ten steps from 1",
        run=_halving,
    ),
    CarriedOut(
        statements=OF_THEOREM_2,
        variant="amended",
        problem="one client of loss x^2/2 up to 1 and linear beyond, no noise, 1000 steps from 1000",
        run=_far_away,
    ),
    *(
        CarriedOut(
            statements=OF_NORMALIZATION,
            variant=variant,
            problem="one client of loss w^2/2 at distance 1 from its minimizer, rho = 1/100, 20000 rounds",
            run=_one_client,
        )
        for variant in ("printed", "amended")
    ),
)
