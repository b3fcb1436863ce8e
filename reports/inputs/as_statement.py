"""`run --as STATEMENT`: the words of a statement, and the settings of the run that they make."""

from collections.abc import Mapping
from typing import Any

from reports.errors import BadAssignment, NothingApplies, UnusableRun
from reports.inputs.plans import number
from reports.inputs.run_settings import divided
from synthetic.problem import Problem
from verify.ledger.true_form import trusted
from verify.planning.as_statement import AsStatement, as_statement, rounds_of
from verify.planning.task import NotPlanned, SaysNothing, Task
from verify.privacy.errors import Unaccountable
from verify.privacy.mechanism import Sampling


def algorithm_of(identity: str, named: str | None) -> str:
    """The algorithm of the statement, which the command line may name too."""
    statement, _ = trusted(identity, None)
    if statement.algorithm is None:
        raise UnusableRun(f"{identity} names no algorithm, so nothing is run as it says")
    if named is not None and named != statement.algorithm:
        raise UnusableRun(f"{identity} is about {statement.algorithm}, not {named}")
    return str(statement.algorithm)


def settings_as(identity: str, problem_name: str, problem: Problem, given: Mapping[str, Any]) -> AsStatement:
    """--set names quantities of the statement, `start`, and how clients are drawn."""
    statement, _ = trusted(identity, None)
    of_problem, own = divided(given)
    start, sampling = number("start", own.pop("start", 0.0)), _sampling(own.pop("participation", "full"))
    values = {name: number(name, value) for name, value in own.items()}
    try:
        task = Task(
            problem=problem_name,
            arguments=of_problem,
            start=(start,) * problem.dimension,
            rounds=rounds_of(statement, values),
            sampling=sampling,
            target=None,
        )
        return as_statement(statement, task, values)
    except SaysNothing as error:
        raise NothingApplies(str(error)) from error
    except (NotPlanned, Unaccountable) as error:
        raise UnusableRun(str(error)) from error


def _sampling(word: Any) -> Sampling:
    from reports.inputs.privacy_words import drawing

    if not isinstance(word, str):
        raise BadAssignment(f"participation takes full or independent:P, not {word!r}")
    return drawing(word)
