"""What `fedbounds verify` is asked to run: standard cells, cells on own data, or those of a study."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, final

from reports.cli import terminal

if TYPE_CHECKING:
    from bounds.language.statement import Statement

Chosen = tuple[list[Any], dict[str, str]]  # what is run, and why other statements are not
NO_CELL: Final = "no cell exists, and no objects to try it on"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """Jobs with what all of them share; `not_run` has the reason for each statement without a job."""

    jobs: list[Any]
    not_run: dict[str, str]
    level: float
    seed: int
    replicates: int
    trials: int


def read_task(
    ids: tuple[str, ...],
    cells: dict[str, Any],
    target: dict[str, Any],
    study: Path | None,
    *,
    level: float | None,
    seed: int | None,
    quick: bool,
) -> Task:
    """The jobs of a study's file, else those that the options name: `cells` selects, `target` is private."""
    from verify.objects.check import QUICK_TRIALS, TRIALS
    from verify.runs.check import LEVEL, QUICK_REPLICATES, REPLICATES, SEED

    if study is not None:
        chosen = {"problem": cells["problem"], "algorithm": cells["algorithm"], "variant": cells["variant"]}
        chosen |= {"level": level, "seed": seed, "epsilon": target["epsilon"], "quick": quick}
        _refuse_beside_a_study(ids, chosen | {"set": cells["set"]})
        jobs, level, seed, replicates = read_cells_of_study(study)
        return Task(jobs=jobs, not_run={}, level=level, seed=seed, replicates=replicates, trials=TRIALS)
    jobs, not_run = _chosen_jobs(ids, cells, privacy_target(**target))
    return Task(
        jobs=jobs,
        not_run=not_run,
        level=LEVEL if level is None else level,
        seed=SEED if seed is None else seed,
        replicates=QUICK_REPLICATES if quick else REPLICATES,
        trials=QUICK_TRIALS if quick else TRIALS,
    )


def _chosen_jobs(ids: tuple[str, ...], cells: dict[str, Any], target: Any) -> Chosen:
    problem, variant = cells["problem"], cells["variant"]
    if names_data(problem, cells["set"]):
        return jobs_on_data(ids, problem, cells["set"], variant, target)
    return standard_jobs(ids, problem, cells["algorithm"], variant, target)


def _refuse_beside_a_study(ids: tuple[str, ...], options: dict[str, Any]) -> None:
    from reports.errors import BadOption

    named = {"an ID": ids} | {f"--{name}": value for name, value in options.items()}
    given = [name for name, value in named.items() if value not in (None, (), False)]
    if given:
        raise BadOption(f"{given[0]} cannot go with --study: the study's file says it")


def read_cells_of_study(file: Path) -> tuple[list[Any], float, int, int]:
    """Its cells, level, seed and replicates."""
    from reports.inputs.studies import read_study
    from verify.study.study import cells_of

    study = read_study(file)
    return list(cells_of(study)), study.level, study.seed, study.replicates


def privacy_target(
    epsilon: float | None, delta: float | None, relation: str | None, accountant: str | None
) -> Any:
    """The privacy target of the private cells, or None if --epsilon is absent."""
    from reports.errors import BadOption
    from verify.matching.privacy import Target
    from verify.privacy.accountants import Accountant
    from verify.privacy.mechanism import Relation

    if epsilon is None:
        words = {"delta": delta, "relation": relation, "accountant": accountant}
        idle = [name for name, word in words.items() if word is not None]
        if idle:
            raise BadOption(f"--{idle[0]} goes with --epsilon, which is missing")
        return None
    if delta is None:
        raise BadOption("--epsilon needs --delta")
    if relation is None:
        raise BadOption("--epsilon needs --relation: add-or-remove or replace-one; there is no default")
    counted = Accountant(accountant or "exact")
    return Target(epsilon=epsilon, delta=delta, relation=Relation(relation), accountant=counted)


def _standard_cells(statements: Sequence[Any], target: Any) -> list[Any]:
    from reports.errors import BadOption, EmptySelection
    from verify.matching.privacy import STANDARD
    from verify.privacy.errors import Unaccountable
    from verify.runs.check import standard_cells

    try:
        cells = list(standard_cells(statements, target or STANDARD))
    except Unaccountable as error:
        raise BadOption(f"no noise was found for --epsilon {target.epsilon:g}: {error}") from error
    if target is not None and not any("privacy" in cell.engine for cell in cells):
        raise EmptySelection("--epsilon has no effect: the selection has no private cell")
    return cells


def names_data(problem: str | None, set_: list[str] | None) -> bool:
    from reports.errors import BadOption
    from synthetic.problems.from_data.problem import is_data

    own = problem is not None and is_data(problem)
    if set_ is not None and not own:
        raise BadOption("--set gives arguments of a data set or a data file; name one by --problem")
    return own


def jobs_on_data(
    ids: tuple[str, ...], name: str | None, set_: list[str] | None, variant: str | None, target: Any
) -> Chosen:
    """Cells on the user's data; a statement that cannot be run there is refused by name."""
    from reports.errors import BadOption, NothingApplies, UnusableProblem
    from reports.inputs.plans import divided
    from reports.inputs.problems import problem, settings, within_machine
    from reports.inputs.statements import select
    from synthetic.errors import Refusal
    from verify.planning.own_cells import own_cells
    from verify.planning.task import NotPlanned
    from verify.privacy.errors import Unaccountable
    from verify.runs.check import forms

    if not ids:
        raise BadOption("--problem with data needs the ids of the statements to judge on it")
    given = settings(set_)
    cells: list[Any] = []
    reasons: dict[str, list[str]] = {}
    not_run: dict[str, dict[str, list[str]]] = {}  # of each statement the reasons, and the forms with each
    asked = forms(select(ids), variant)
    with within_machine(str(name), given):
        arguments, own = divided(asked, str(name), given)
        built, _ = problem(str(name), arguments)
        for statement, numbers in zip(asked, own, strict=True):
            try:
                cells += own_cells(statement, str(name), arguments, built, numbers, target=target)
            except (NotPlanned, Unaccountable) as error:
                reason = error.reason if isinstance(error, NotPlanned) else str(error)
                reasons.setdefault(reason, []).append(statement.variant)
                not_run.setdefault(statement.id, {}).setdefault(reason, []).append(statement.variant)
            except Refusal as error:
                raise UnusableProblem(str(error)) from error
    refused = _list_by_form(reasons)
    if not cells:
        raise NothingApplies(f"nothing to run on {name}: {'; '.join(refused)}")
    for sentence in refused:
        terminal.say(f"refused, {sentence}")
    ran = {cell.statement for cell in cells}
    return cells, {identity: join_reasons(why) for identity, why in not_run.items() if identity not in ran}


def join_reasons(reasons: dict[str, list[str]]) -> str:
    """The reason of all forms of a statement, or each after the forms that have it."""
    return next(iter(reasons)) if len(reasons) == 1 else "; ".join(_list_by_form(reasons))


def _list_by_form(reasons: dict[str, list[str]]) -> list[str]:
    """Each reason after the forms, printed or amended, that it keeps from a run."""
    return [f"{' and '.join(dict.fromkeys(forms_))}: {reason}" for reason, forms_ in reasons.items()]


def standard_jobs(
    ids: tuple[str, ...], problem: str | None, algorithm: str | None, variant: str | None, target: Any
) -> Chosen:
    """Cells, then properties; a property runs no algorithm on a problem, so those options leave it out."""
    from reports.errors import BadOption, EmptySelection
    from reports.inputs.statements import select
    from verify.objects.check import properties
    from verify.runs.check import forms

    if variant not in (None, "printed", "amended"):
        raise BadOption(f"--variant must be printed or amended, but is {variant}")
    statements = forms(select(ids), variant)
    cells = _standard_cells(statements, target)
    tried = list(properties(statements))
    covered = {cell.statement for cell in cells} | {lemma.statement for lemma in tried}
    not_run = _why_not_run([s for s in statements if s.id not in covered], named=bool(ids))
    if covered:
        say_what_is_missing(not_run)
    for option, wanted in _options(problem, algorithm):
        name = option.removeprefix("--")
        known = sorted({getattr(cell, name) for cell in cells})
        if wanted is not None and known and wanted not in known:
            raise EmptySelection(f"{option} {wanted} selects no cell; there are cells on {', '.join(known)}")
        cells = [cell for cell in cells if wanted in (None, getattr(cell, name))]
        tried = tried if wanted is None else []
    if not cells and not tried:
        reasons = {identity: why for identity, why in not_run.items() if why != NO_CELL}
        one = len(reasons) < 2
        lacking = "".join(reasons.values()) if one else "; ".join(list_not_run(reasons))
        raise EmptySelection(f"nothing to run: {lacking or 'the selection has no cell'}")
    left = {job.statement for job in (*cells, *tried)}
    chosen = " and ".join(f"{option} {word}" for option, word in _options(problem, algorithm) if word)
    not_run |= dict.fromkeys(sorted(covered - left) if ids else (), f"it has no cell with {chosen}")
    return [*cells, *tried], not_run


def _options(problem: str | None, algorithm: str | None) -> tuple[tuple[str, str | None], ...]:
    return ("--problem", problem), ("--algorithm", algorithm)


def _why_not_run(missing: "Sequence[Statement]", *, named: bool) -> dict[str, str]:
    """The reason for each statement that nothing runs; of our own papers only if they are asked for."""
    from verify.notes_on_packages import lacks

    reasons = {statement.id: lacks(statement) or NO_CELL for statement in missing}
    return {identity: why for identity, why in reasons.items() if named or why != NO_CELL}


def say_what_is_missing(not_run: Mapping[str, str]) -> None:
    for sentence in list_not_run(not_run):
        terminal.say(f"nothing to run for {sentence}")


def list_not_run(not_run: Mapping[str, str]) -> list[str]:
    """Statements with their reason; those of one reason together."""
    reasons: dict[str, list[str]] = {}
    for identity, why in not_run.items():
        reasons.setdefault(why, []).append(identity)
    return [f"{', '.join(ids)}: {why}" for why, ids in reasons.items()]


def certified_worst_cases(ids: tuple[str, ...], variant: str | None) -> list[Any]:
    """The certified worst cases of the distribution, checked again; a choice of cells leaves them out."""
    from reports.inputs.statements import select
    from verify.runs.check import forms
    from verify.worst_case.stored_answers import entries_of

    return entries_of(forms(select(ids), variant))
