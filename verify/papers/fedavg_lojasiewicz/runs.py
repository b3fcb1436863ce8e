"""Statements about runs of FedAVG with stochastic gradients, all agents in every round.

Where exponent 1 is asked, or none, the agents are quadratics: the process is linear and the observables are
exact (`runs_on_quadratics`). A quadratic has no inequality with an exponent above 1 on the whole space:
there the agents have a power core, and the noise is bounded, so that the run provably stays where their
inequality is certified (`runs_in_a_ball`).

`claims_of_lemma_f1.complete` has a summand without an observable on its left-hand side: no cell measures it,
it is tested on objects. One client with full gradients is a control:
`verify.papers.textbook.runs_one_client`.

By hand, because ours is not sampled where it has exact moments, and is proved to stay in a ball elsewhere; no
declaration says either. Another algorithm is measured as the observables declare.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import floor, frexp
from typing import Any

import numpy as np

from bounds.evaluation.resolve import names_taken
from bounds.language.statement import Statement
from synthetic.algorithms.fedavg import Settings
from synthetic.oracles import Sphere
from synthetic.participation import Full
from verify.cell import Cell, Scalar, revived
from verify.matching.certified import Requirement
from verify.matching.measurement import Measurement
from verify.matching.runs import Runs
from verify.papers.fedavg_lojasiewicz import runs_in_a_ball as in_a_ball
from verify.papers.fedavg_lojasiewicz import runs_on_quadratics as on_quadratics

_PAPER = "fedavg_lojasiewicz"
EXPONENT_ONE = tuple(f"{_PAPER}.{name}" for name in on_quadratics.STATEMENTS)
EXPONENT_ABOVE_ONE = tuple(f"{_PAPER}.{name}" for name in in_a_ball.STATEMENTS)
STATEMENTS = (*EXPONENT_ONE, *EXPONENT_ABOVE_ONE)

# Steps keep few binary digits: in exact runs the digits of a step multiply with every round.
STEP_DIGITS = 16


def _where(statement: str) -> Any:
    return on_quadratics if statement in EXPONENT_ONE else in_a_ball


def cells(statement: Statement) -> tuple[Cell, ...]:
    return tuple(_cell(statement, role) for role in _where(statement.id).roles(statement))


def _cell(statement: Statement, role: Any) -> Cell:
    common: dict[str, Any] = {
        "statement": statement.id,
        "variant": statement.variant,
        "algorithm": "fedavg",
        "role": role.name,
        "problem": role.problem,
        "problem_arguments": role.arguments,
    }
    problem = Cell(**common, parameters={}, engine={}).build_problem()
    values = dict(role.values)
    values["eta"] = _step(statement, role, values | _where(statement.id).quantities(problem, values))
    known = values | _where(statement.id).quantities(problem, values)
    taken = names_taken(statement) - _DERIVED
    return Cell(
        **common,
        parameters={n: v for n, v in known.items() if n in taken},
        engine={n: v for n, v in known.items() if n in _OF_THE_RUN - taken},
    )


# A statement derives them itself.
_DERIVED = {"beta", "F_0", "F_star", "C_F3", "C_F4", "kappa_F3", "kappa_F4"}
_OF_THE_RUN = {"start", "participants", "H", "R", "r", "sigma", "eta", "reach"}


def _step(statement: Statement, role: Any, known: Mapping[str, Any]) -> Scalar:
    """A fraction of the largest step that the statement allows; without a condition, the role's own."""
    given = {n: float(v) for n, v in known.items() if n in names_taken(statement)}
    limits = [
        float(known["eta"]) / (1 - c.margin)
        for c in statement.evaluate(**given).conditions
        if str(c.condition.value) == "eta"
    ]
    return _few_digits(min(limits) * role.fraction) if limits else Fraction(known["eta"])


def _few_digits(step: float) -> Fraction:
    """The largest number of so few binary digits that does not exceed the step."""
    mantissa, exponent = frexp(step)
    return Fraction(floor(mantissa * 2**STEP_DIGITS), 2**STEP_DIGITS) * Fraction(2) ** exponent


def values_of(cell: Cell) -> dict[str, Any]:
    return {"H": 1, **revived(cell.engine), **revived(cell.parameters)}


def requirements(statement: Statement, cell: Cell) -> list[Requirement]:
    problem, values = cell.build_problem(), values_of(cell)
    agents = Requirement(
        "agents in a round",
        Fraction(values["participants"]),
        at_least=Fraction(problem.clients),
        because=f"the server averages over all {problem.clients} agents",
    )
    where, name = _where(cell.statement), cell.statement.removeprefix(f"{_PAPER}.")
    single = [
        Requirement(counted, Fraction(values[symbol]), at_most=Fraction(1))
        for counted, symbol, statements in (
            ("local steps", "H", where.ONE_LOCAL_STEP),
            ("rounds", "R", where.ONE_ROUND),
        )
        if name in statements
    ]
    return [agents, *single, *where.requirements(problem, values, cell.parameters)]


# What is bounded after one round, in whatever round that is; all else after as many as this says.
_ROUNDS = {"final_gap": "R", "last_s": "R", "mean_gap": "r"}


def settings(statement: Statement, cell: Cell) -> Settings:
    values, counted = values_of(cell), _ROUNDS.get(str(statement.left))
    sigma = float(values["sigma"])
    return Settings(
        start=np.array(values["start"], dtype=float),
        rounds=1 if counted is None else int(values[counted]),
        local_steps=int(values["H"]),
        local_step=float(values["eta"]),
        participation=Full(),
        oracle=Sphere(scale=sigma) if sigma > 0 else None,
    )


def measure(statement: Statement, cell: Cell, replicates: int, seed: int, stream: str) -> Measurement:
    how: Measurement = _where(cell.statement).measure(
        str(statement.left),
        cell.build_problem(),
        values_of(cell),
        settings(statement, cell),
        replicates,
        seed,
        stream,
    )
    return how


RUNS = Runs(
    algorithm="fedavg",
    statements=STATEMENTS,
    cells=cells,
    fills={"homogeneous, exact gradients": "homogeneous"},
    requirements=requirements,
    settings=settings,
    observe=measure,
    in_fractions=True,
)
