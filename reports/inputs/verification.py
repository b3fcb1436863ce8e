"""What `fedbounds verify` is asked to run: standard cells, cells on own data, or those of a study."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

from reports.cli import terminal

if TYPE_CHECKING:
    from bounds.language.statement import Statement


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """Jobs with what all of them share."""

    jobs: list[Any]
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
        return Task(jobs=jobs, level=level, seed=seed, replicates=replicates, trials=TRIALS)
    return Task(
        jobs=_chosen_jobs(ids, cells, privacy_target(**target)),
        level=LEVEL if level is None else level,
        seed=SEED if seed is None else seed,
        replicates=QUICK_REPLICATES if quick else REPLICATES,
        trials=QUICK_TRIALS if quick else TRIALS,
    )


def _chosen_jobs(ids: tuple[str, ...], cells: dict[str, Any], target: Any) -> list[Any]:
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
    from synthetic.data.problems import is_data

    own = problem is not None and is_data(problem)
    if set_ is not None and not own:
        raise BadOption("--set gives arguments of a data set or a data file; name one by --problem")
    return own


def jobs_on_data(
    ids: tuple[str, ...], name: str | None, set_: list[str] | None, variant: str | None, target: Any
) -> list[Any]:
    """Cells on the user's data; a statement that cannot be run there is refused by name."""
    from reports.errors import BadOption, NothingApplies, UnusableProblem
    from reports.inputs.plans import divided
    from reports.inputs.problems import problem, settings, within_machine
    from reports.inputs.statements import select
    from synthetic.errors import Refusal
    from verify.planning.own_cells import own_cells
    from verify.planning.task import NotPlanned
    from verify.runs.check import forms

    if not ids:
        raise BadOption("--problem with data needs the ids of the statements to judge on it")
    if target is not None:
        raise BadOption("--epsilon is for the standard cells; on data of your own use `plan`")
    given = settings(set_)
    cells: list[Any] = []
    reasons: dict[str, list[str]] = {}
    asked = forms(select(ids), variant)
    with within_machine(str(name), given):
        arguments, own = divided(asked, str(name), given)
        built, _ = problem(str(name), arguments)
        for statement, numbers in zip(asked, own, strict=True):
            try:
                cells += own_cells(statement, str(name), arguments, built, numbers)
            except NotPlanned as error:
                reasons.setdefault(error.reason, []).append(statement.variant)
            except Refusal as error:
                raise UnusableProblem(str(error)) from error
    refused = [f"{' and '.join(dict.fromkeys(forms_))}: {reason}" for reason, forms_ in reasons.items()]
    if not cells:
        raise NothingApplies(f"nothing to run on {name}: {'; '.join(refused)}")
    for sentence in refused:
        terminal.say(f"refused, {sentence}")
    return cells


def standard_jobs(
    ids: tuple[str, ...], problem: str | None, algorithm: str | None, variant: str | None, target: Any
) -> list[Any]:
    """Cells, then properties; a property runs no algorithm on a problem, so those options leave it out."""
    from reports.errors import BadOption, EmptySelection
    from reports.inputs.statements import select
    from verify.notes_on_packages import lacks
    from verify.objects.check import properties
    from verify.runs.check import forms

    if variant not in (None, "printed", "amended"):
        raise BadOption(f"--variant must be printed or amended, but is {variant}")
    statements = forms(select(ids), variant)
    cells = _standard_cells(statements, target)
    tried = list(properties(statements))
    covered = {cell.statement for cell in cells} | {lemma.statement for lemma in tried}
    missing = [s for s in statements if s.id not in covered]
    if ids and covered:
        say_what_is_missing(missing)
    for option, wanted, name in (("--problem", problem, "problem"), ("--algorithm", algorithm, "algorithm")):
        known = sorted({getattr(cell, name) for cell in cells})
        if wanted is not None and known and wanted not in known:
            raise EmptySelection(f"{option} {wanted} selects no cell; there are cells on {', '.join(known)}")
        cells = [cell for cell in cells if wanted in (None, getattr(cell, name))]
        tried = tried if wanted is None else []
    if not cells and not tried:
        lacking = next((why for s in missing if (why := lacks(s))), None)
        raise EmptySelection(f"nothing to run: {lacking or 'the selection has no cell'}")
    return [*cells, *tried]


def say_what_is_missing(missing: "Sequence[Statement]") -> None:
    """Each statement that nothing runs, with its own reason; those of one reason together."""
    from verify.notes_on_packages import lacks

    reasons: dict[str, dict[str, None]] = {}
    for statement in missing:
        why = lacks(statement) or "no cell exists, and no objects to try it on"
        reasons.setdefault(why, {})[statement.id] = None
    for why, ids in reasons.items():
        terminal.say(f"nothing to run for {', '.join(ids)}: {why}")


def certified_worst_cases(ids: tuple[str, ...], variant: str | None) -> list[Any]:
    """The certified worst cases of the distribution, checked again; a choice of cells leaves them out."""
    from reports.inputs.statements import select
    from verify.runs.check import forms
    from verify.worst_case.stored_answers import entries_of

    return entries_of(forms(select(ids), variant))
