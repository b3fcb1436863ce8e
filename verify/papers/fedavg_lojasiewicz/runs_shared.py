"""What the runs of FedAVG with stochastic gradients share, all agents in every round.

Where exponent 1 is asked, or none, the agents are quadratics: the process is linear and the observables are
exact (`runs_on_quadratics`). A quadratic has no inequality with an exponent above 1 on the whole space:
there the agents have a power core, and the noise is bounded, so that the run provably stays where their
inequality is certified (`runs_in_a_ball`). By hand are the numbers of the point where a round starts, such as
its gap to the agents' minima, and steps of few digits for the exact runs.

`claims_of_lemma_f1.complete` has a summand without an observable on its left-hand side: no cell measures it,
it is tested on objects. One client with full gradients is a control:
`verify.papers.textbook.runs_one_client`.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor, frexp
from typing import Any, final

from bounds.evaluation.resolve import names_taken
from bounds.language.statement import Statement
from synthetic.algorithms.fedavg import Settings
from synthetic.participation import Full
from verify.cell import Cell, Scalar, build_problem, revived
from verify.matching.cells import required
from verify.matching.cells.sketch import Sketch, fill
from verify.matching.constants.certified import Requirement
from verify.matching.run_settings import settings_of

PAPER = "fedavg_lojasiewicz"

Values = Mapping[str, Any]

# Steps keep few binary digits: in exact runs the digits of a step multiply with every round.
STEP_DIGITS = 16
_OF_THE_RUN = {"participants", "H", "R", "r", "sigma", "eta", "reach"}


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """`fraction`: of the longest step that the statement allows."""

    name: str
    problem: str
    arguments: Mapping[str, Any]
    values: Values
    fraction: float


def make(statement: Statement, role: Role, quantities: Callable[[Any, Values], dict[str, Scalar]]) -> Cell:
    """`quantities` are those of the run and of its start that no part declares."""
    problem, taken = build_problem(role.problem, role.arguments), names_taken(statement)

    def cell_with(step: Scalar) -> Cell:
        values = {**role.values, "eta": step}
        values |= quantities(problem, values)
        sketch = Sketch(
            role=role.name,
            problem=role.problem,
            arguments=role.arguments,
            values=values,
            start=values["start"],
            settings={n: v for n, v in values.items() if n in _OF_THE_RUN and n not in taken},
        )
        (cell,) = fill(statement, (sketch,))
        return cell

    usual = role.values["eta"]
    return cell_with(_choose_step(statement, cell_with(usual), role.fraction, usual))


def _choose_step(statement: Statement, cell: Cell, fraction: float, usual: Scalar) -> Scalar:
    """A fraction of the largest step that the statement allows; without a condition, the role's own."""
    evaluation = statement.evaluate(**{n: float(v) for n, v in cell.parameters.items()})
    bounding = [c for c in evaluation.conditions if str(c.condition.value) == "eta"]
    limits = [float(usual) / (1 - c.margin) for c in bounding]
    return _few_digits(min(limits) * fraction) if limits else Fraction(usual)


def _few_digits(step: float) -> Fraction:
    """The largest number of so few binary digits that does not exceed the step."""
    mantissa, exponent = frexp(step)
    return Fraction(floor(mantissa * 2**STEP_DIGITS), 2**STEP_DIGITS) * Fraction(2) ** exponent


def values_of(cell: Cell) -> dict[str, Any]:
    return {"H": 1, **revived(cell.engine), **revived(cell.parameters)}


def require_counts(
    statement: Statement, cell: Cell, *, one_local_step: Collection[str], one_round: Collection[str] = ()
) -> list[Requirement]:
    """Everybody takes part; what is said of one step or one round is not said of more."""
    clients, values, name = cell.build_problem().clients, values_of(cell), cell.statement.partition(".")[2]
    everybody = Requirement(
        "agents in a round",
        Fraction(values["participants"]),
        at_least=Fraction(clients),
        because=f"the server averages over all {clients} agents",
    )
    counted = (("local steps", "H", one_local_step), ("rounds", "R", one_round))
    single = [
        Requirement(what, Fraction(values[symbol]), at_most=Fraction(1))
        for what, symbol, statements in counted
        if name in statements
    ]
    return [everybody, *single, *required.requirements(statement, cell)]


# These are bounded after as many rounds as there are; every other observable after one, whichever it is.
_AFTER_ALL = ("final_gap", "last_s", "mean_gap")


def settings(statement: Statement, cell: Cell) -> Settings:
    of_run: Settings = settings_of(statement, cell, participation=Full())
    return of_run if str(statement.left) in _AFTER_ALL else replace(of_run, rounds=1)
