"""What a plan.json gives to runs: the problem, the start, and the settings of the planned algorithm."""

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, final

from reports.documents.types.plan import Planned
from reports.errors import BadOption, MalformedFile
from reports.inputs.files import read_table
from reports.inputs.numbers import PLAN_SCHEMA
from reports.inputs.run_settings import OF_PROBLEM
from synthetic.run import runnable
from verify.records.field_types import check_types

FILE: Final = "plan.json"


@final
@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRun:
    """`settings` have the start among them."""

    algorithm: str
    problem: str
    arguments: Mapping[str, Any]
    settings: Mapping[str, Any]


def read_plan(path: Path) -> PlannedRun:
    """From the file or from the folder that `plan --out` wrote."""
    file = path / FILE if path.is_dir() else path
    table = read_table(file)
    if table.get("schema") != PLAN_SCHEMA:
        raise MalformedFile(f"{file} is no plan: `fedbounds plan ... --out DIR` writes DIR/{FILE}")
    if table.get("setting") is None:
        raise MalformedFile(f"{file} is a plan without a setting")
    check_types(table, Planned, str(file), MalformedFile)
    algorithm, settings = table["algorithm"]["name"], table["algorithm"]["settings"]
    if table["problem"] is None or algorithm is None:
        raise MalformedFile(f"{file} was planned from constants alone: there is no problem to run it on")
    start = {} if table["start"] is None else {"start": table["start"]}
    return PlannedRun(
        algorithm=algorithm,
        problem=table["problem"],
        arguments=table["arguments"],
        settings={**settings, **start},
    )


def merge_plan(
    path: Path | None, names: Sequence[str], problem: str | None, given: Mapping[str, Any]
) -> tuple[tuple[str, ...], str, dict[str, Any], list[str]]:
    """The algorithms, the problem, what is set of both, and notes; what the user sets comes first."""
    if path is None:
        if not names:
            raise BadOption("compare algorithms needs at least one ALGORITHM, or a plan after --from")
        if problem is None:
            raise BadOption("compare algorithms needs --problem, or a plan after --from")
        return tuple(names), problem, dict(given), []
    plan = read_plan(path)
    if problem not in (None, plan.problem):
        raise BadOption(f"--from has a plan on {plan.problem}, and --problem names {problem}; leave one out")
    algorithms = names if plan.algorithm in names else (plan.algorithm, *names)
    merged = {f"{OF_PROBLEM}{name}": value for name, value in plan.arguments.items()}
    notes = []
    for algorithm in algorithms:
        taken = _list_taken(plan, algorithm, given)
        merged |= {f"{algorithm}.{name}": plan.settings[name] for name in taken}
        if algorithm != plan.algorithm:
            notes.append(f"{algorithm} takes from the plan: {', '.join(taken) or 'nothing'}")
    return tuple(algorithms), plan.problem, {**merged, **given}, notes


def _list_taken(plan: PlannedRun, algorithm: str, given: Mapping[str, Any]) -> list[str]:
    """Settings of the plan that the algorithm has under the same name, and that nobody sets."""
    fields = {field.name for field in dataclasses.fields(runnable(algorithm).settings)}
    return [name for name in plan.settings if name in fields and name not in given]
