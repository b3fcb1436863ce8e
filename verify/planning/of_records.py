"""Plans whose noise protects a record of a client, and is drawn anew in every local step.

The sampling of such a task draws records and not clients, and the noise depends on the number of local steps.
"""

from collections.abc import Mapping

from bounds.evaluation.resolve import names_taken
from bounds.language.part import Of
from bounds.language.statement import Statement
from verify.matching.constants.constants import parts_of
from verify.planning.task import NotPlanned, Task
from verify.privacy.conventions import CONVENTIONS, Convention
from verify.privacy.mechanism import FixedSize


def find_convention(statement: Statement) -> Convention | None:
    """The paper's own convention for the noise that the statement names."""
    conventions = CONVENTIONS.get(statement.paper.key, ())
    named = [c for c in conventions if c.named and c.symbol in names_taken(statement)]
    return named[0] if named else None


def protects_records(statement: Statement) -> bool:
    convention = find_convention(statement)
    return convention is not None and convention.unit == "sample"


def find_count(statement: Statement) -> str | None:
    """The quantity that counts the local steps, each of which is a release; None where a round is one."""
    return _find(statement, "local_steps") if protects_records(statement) else None


def count_releases(statement: Statement, parameters: Mapping[str, float]) -> int:
    """The noisy sums of a round."""
    name = find_count(statement)
    return 1 if name is None else int(parameters[name])


def check_draws_of_records(statement: Statement, task: Task) -> None:
    if isinstance(task.sampling, FixedSize):
        raise NotPlanned(f"{statement.id} draws each record by itself", "use --sampling independent:P")


def find_batch(statement: Statement, task: Task, given: Mapping[str, float]) -> dict[str, float]:
    """All records of the smallest client, where the data are known; else the batch has to be given."""
    name = _find(statement, "batch_size")
    if name is None or name in given:
        return {}
    sizes = None if task.problem is None else _count_records(task)
    if sizes is None:
        raise NotPlanned(
            f"{statement.id} needs {name}, the records that a client draws for a step: all of them with "
            "--sampling full, a share P of them with --sampling independent:P",
            f"give it by --set {name}=",
        )
    return {name: float(min(sizes))}


def _count_records(task: Task) -> list[int] | None:
    """Records of each client; None for a problem that is not made of records."""
    problem = task.build()
    count = getattr(problem, "data_points", None)
    return None if count is None else [int(count(client)) for client in range(problem.clients)]


def _find(statement: Statement, setting: str) -> str | None:
    taken = names_taken(statement)
    parts = parts_of(statement.notation, Of.SETTING)
    return next((n for n, part in parts.items() if part.name == setting and n in taken), None)
