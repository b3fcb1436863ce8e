"""What a statement assumes of a problem, all at once, and what a penalty on data would change in it."""

from collections.abc import Mapping
from typing import Final

from bounds.language.statement import Statement
from synthetic.errors import Refusal
from synthetic.problems.from_data.problem import is_data
from verify.cell import Scalar, build_problem
from verify.matching.assumptions import list_unmet
from verify.planning.task import NotPlanned, Task

PENALTY: Final = "l2"
SOME: Final = 0.1  # a penalty: what is certified with one is so with every other


def refuse_assumptions(statement: Statement, task: Task, parameters: Mapping[str, Scalar]) -> None:
    """NotPlanned names every assumption that the problem is not certified to meet.

    A user who meets one reason after the other would walk in a circle where a penalty heals one assumption
    and breaks another.
    """
    reasons = list(list_unmet(statement, task.build(), parameters))
    if not reasons:
        return
    without = f"{statement.id}: {'; '.join(reasons)}"
    other = _try_other_penalty(statement, task, parameters)
    if other is None or set(reasons) <= set(other[1]):
        raise NotPlanned(without)
    penalty, changed = other
    if not changed:
        raise NotPlanned(f"{without}; with {penalty} it is met")
    raise NotPlanned(
        f"{without}; with {penalty} in its place {'; '.join(changed)}; "
        f"no {PENALTY} is certified to meet all of them",
        "plan with constants alone if you can answer for them",
    )


def _try_other_penalty(
    statement: Statement, task: Task, parameters: Mapping[str, Scalar]
) -> tuple[str, list[str]] | None:
    """List what the data are not certified to meet with a penalty, or without; None for other problems."""
    name = str(task.problem)
    if not is_data(name):
        return None
    other = (f"{PENALTY}=0", 0) if task.arguments.get(PENALTY) else (f"{PENALTY} above 0", SOME)
    try:
        problem = build_problem(name, {**task.arguments, PENALTY: other[1]})
    except Refusal:
        return None
    return other[0], list(list_unmet(statement, problem, parameters))
