"""The words of `plan`: those of the problem, those of a statement, and the privacy target."""

from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, Final

from bounds.errors import nearest
from bounds.evaluation.free_bound import free_names
from bounds.evaluation.resolve import names_taken
from bounds.language.part import Of
from bounds.language.statement import Statement
from reports.errors import BadAssignment, BadOption
from reports.inputs.numbers import constants, separated
from reports.inputs.privacy_words import counted_by
from reports.inputs.problems import argument_names
from reports.inputs.run_settings import OF_PROBLEM
from verify.matching.constants.constants import parts_of
from verify.matching.privacy import Target
from verify.planning.task import Constants
from verify.privacy.accountants import Accountant, check_delta
from verify.privacy.calibration import check_target
from verify.privacy.mechanism import Full, Relation, Sampling

SIZES: Final = ("clients", "dimension")


def divided(
    statements: Sequence[Statement], problem: str, given: Mapping[str, Any]
) -> tuple[dict[str, Any], list[dict[str, float]]]:
    """Arguments of the problem, and numbers of each statement; a name that both have is refused."""
    arguments = argument_names(problem)
    taken = [names_taken(s) - free_names(s) for s in statements]
    of_problem: dict[str, Any] = {}
    own: list[dict[str, float]] = [{} for _ in statements]
    for name, value in given.items():
        plain = name.removeprefix(OF_PROBLEM)
        takers = [i for i, names in enumerate(taken) if name in names]
        if plain != name or (name in arguments and not takers):
            of_problem[plain] = value
        elif name in arguments:
            raise BadAssignment(
                f"{name} is a quantity of {statements[takers[0]].id} and an argument of {problem}; "
                f"write {OF_PROBLEM}{name} for the latter"
            )
        elif not takers:
            known = [*arguments, *(n for names in taken for n in names)]
            raise BadAssignment(f"neither {problem} nor a statement takes {name}; {nearest(name, known)}")
        for i in takers:
            own[i][name] = number(name, value)
    return of_problem, own


def stated(
    statements: Sequence[Statement], given: Mapping[str, Any], file: Path | None
) -> tuple[Constants, list[dict[str, float]]]:
    """Without a problem: its size, and numbers of each statement, by --constants and --set."""
    sizes = {name: number(name, value) for name, value in given.items() if name in SIZES}
    rest = {name: number(name, value) for name, value in given.items() if name not in SIZES}
    known = [names_taken(s) | free_names(s) for s in statements]
    for name in rest:
        if not any(name in names for names in known):
            near = nearest(name, [*SIZES, *(n for names in known for n in names)])
            raise BadAssignment(f"no statement takes {name}; {near}")
    own: list[dict[str, float]] = []
    at_start: dict[str, float] = {}
    for statement, names in zip(statements, known, strict=True):
        numbers = {name: value for name, value in rest.items() if name in names}
        numbers |= {} if file is None else constants(file, statement, numbers).used
        numbers, more = separated(statement, numbers)
        for name, part in parts_of(statement.notation, Of.CONSTANT).items():
            if part.name in SIZES and name in numbers:
                sizes.setdefault(part.name, numbers.pop(name))
        own.append(numbers)
        at_start |= more
    counts = {name: _read_count(name, value) for name, value in sizes.items()}
    return Constants(**counts, at_start=at_start), own


def _read_count(name: str, value: float) -> int:
    if value < 1 or value != int(value):
        raise BadAssignment(f"{name} must be an integer >= 1, not {value:g}")
    return int(value)


def number(name: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if isinstance(value, bool) or not isfinite(number):
        raise BadAssignment(f"{name} must be a finite number, not {value!r}")
    return number


def target(words: Mapping[str, Any], sampling: Sampling) -> Target | None:
    """The privacy target; None where no epsilon is asked for."""
    if words["epsilon"] is None:
        idle = [name for name, word in words.items() if word is not None]
        if idle:
            raise BadOption(f"--{idle[0]} goes with --epsilon, which is missing")
        return None
    for name in ("delta", "relation"):
        if words[name] is None:
            raise BadOption(f"--epsilon needs --{name}; there is no default")
    check_target(words["epsilon"])
    check_delta(words["delta"])
    exact = words["accountant"] is None and isinstance(sampling, Full)
    counted = Accountant.EXACT if exact else counted_by(words["accountant"], sampling)
    return Target(
        epsilon=words["epsilon"],
        delta=words["delta"],
        relation=Relation(words["relation"]),
        accountant=counted,
    )
