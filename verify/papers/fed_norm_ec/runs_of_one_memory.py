"""Lemma 1 of Fed-alpha-NormEC on f = x^2/2 in one dimension, in exact rationals.

The proof bounds |1 - beta/(alpha + t)| t by its value at t = C, where it is largest only if beta is small
beside alpha: h5 keeps beta below alpha + C, not below alpha. With a small memory error t the normalized
correction overshoots by almost beta, and the move of the model comes on top.
"""

from fractions import Fraction
from typing import Any

from bounds.language.statement import Statement
from synthetic.algorithms.memory_update import Settings
from synthetic.engine.trace import Trace
from synthetic.run import run
from verify.cell import Cell, revived
from verify.matching.constants.certified import Requirement
from verify.matching.measurements.measurement import Exact
from verify.matching.runs import Runs

STATEMENTS = ("fed_norm_ec.lemma_1",)

REALISED = ("memory_error", "server_move", "operator_move")
STEP, LIPSCHITZ = Fraction(1, 2), Fraction(2)  # gamma = 1/(2L) and rho = 2, as Theorem 1 uses the lemma


def excluded(statement: Statement) -> dict[str, str]:
    one = "it speaks of one client and one step, for every realisation"
    near = (
        "the cell with the smoothing far below the memory step has beta/(alpha + C) 0.1% below 1 (A.lem1.h5)"
    )
    others = ("homogeneous", "heterogeneous", "strong noise", "partial participation")
    return dict.fromkeys(others, one) | {"edge of its conditions": near}


def cells(statement: Statement) -> tuple[Cell, ...]:
    """A correction that overshoots, and one that cannot: smoothing below and above the memory step.

    The amended lemma leaves room for the overshoot (sqrt(beta) - sqrt(alpha))^2: a cell is at that limit.
    """
    limited = any(c.id == "A.lem1.h6.overshoot" for c in statement.conditions)
    quarter = Fraction(1, 4)
    at_edge = _cell(
        statement, "edge of its conditions", beta=Fraction(1), alpha=quarter, start=quarter
    )  # overshoot 1/4: what is left for eta is 15/16 of what h6 allows
    inner_cells = (
        _cell(
            statement,
            "smoothing far below the memory step",
            beta=Fraction(1),
            alpha=Fraction(1, 1024),
            start=Fraction(31, 1024),  # where t - beta t/(alpha + t) is most negative: sqrt(alpha) - alpha
        ),
        _cell(
            statement,
            "smoothing above the memory step",
            beta=Fraction(1, 2),
            alpha=Fraction(1),
            start=Fraction(31, 1024),
        ),
    )
    return (*inner_cells, at_edge) if limited else inner_cells


def _cell(
    statement: Statement,
    role: str,
    *,
    beta: Fraction,
    alpha: Fraction,
    start: Fraction,
    share: Fraction = Fraction(15, 16),
) -> Cell:
    """Memory 0, bound C = 1, and a move that is a share of what h6 allows."""
    bound = Fraction(1)
    eta = share * STEP * beta * bound / ((1 + LIPSCHITZ) * (alpha + bound))
    common: dict[str, Any] = {
        "statement": statement.id,
        "variant": statement.variant,
        "algorithm": "memory_update",
        "role": role,
        "problem": "quadratic.diagonal",
        "problem_arguments": {"curvatures": [[Fraction(1)]], "centers": [[Fraction(0)]]},
        "engine": {"start": [start], "moved": [start - eta], "memory": [Fraction(0)]},
    }
    chosen = {"C": bound, "alpha": alpha, "beta": beta, "gamma": STEP, "rho": LIPSCHITZ, "eta": eta}
    trace = _trace(Cell(**common, parameters=chosen))
    realised = {name: trace.measurements[name][0, 0] for name in REALISED}
    return Cell(**common, parameters=chosen | realised)


def requirements(statement: Statement, cell: Cell) -> list[Requirement]:
    """The lengths among the hypotheses are those of the step itself."""
    measured = _trace(cell).measurements
    return [
        Requirement(name, Fraction(cell.parameters[name]), at_least=length, at_most=length)
        for name in REALISED
        for length in [measured[name][0, 0]]
    ]


def measure(statement: Statement, cell: Cell, of_run: None, replicates: int, seed: int, stream: str) -> Exact:
    value = _trace(cell).measurements["next_memory_error"][0, 0]
    return Exact(observables={"next_memory_error": value}, method="exact rational step")


def _trace(cell: Cell) -> Trace:
    p, engine = cell.parameters, revived(cell.engine)
    settings = Settings(
        start=engine["start"],
        moved=engine["moved"],
        memory=engine["memory"],
        local_steps=1,
        local_step=p["gamma"],  # type: ignore[arg-type]  # a fraction
        memory_step=p["beta"],  # type: ignore[arg-type]  # a fraction
        smoothing=p["alpha"],  # type: ignore[arg-type]  # a fraction
    )
    return run("memory_update", cell.build_problem(), settings, replicates=1, seed=0, stream="memory")


RUNS = Runs(
    algorithm="memory_update",
    statements=STATEMENTS,
    cells=cells,
    excluded=excluded,
    requirements=requirements,
    settings=None,
    observe=measure,
)
