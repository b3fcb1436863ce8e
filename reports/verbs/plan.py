"""`fedbounds plan`: choose a setting for a problem and a privacy target, and say what it is worth."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from reports.cli import exits, terminal
from reports.documents import json_border
from reports.verbs.options import (
    Accountant,
    Constants,
    DeltaOfTarget,
    Json,
    RelationOfTarget,
    Variant,
    check_seed,
    take_number,
    take_path,
    take_whole_number,
    take_words,
)

if TYPE_CHECKING:
    from reports.documents.types.plan import Planned

Source = Annotated[
    str | None, Parameter(help="Problem or data file. Without it --set and --constants state the numbers.")
]
Rounds = Annotated[int, take_whole_number("Number of rounds, an integer >= 1.")]
Given = Annotated[
    list[str] | None,
    take_words("NAME=VALUE fixes a quantity of the statement, problem.NAME=VALUE one of the problem."),
]
Epsilon = Annotated[float | None, take_number("Privacy target, a number > 0 (no unit).")]
Sampling = Annotated[
    str, Parameter(help="Sampling of clients, or of records: full, independent:P or fixed_size:M/N.")
]
AccountantOption = Annotated[
    Accountant | None,
    Parameter(help="Default: exact with full participation, rdp of a fixed size, else pld."),
]
Start = Annotated[
    str | None,
    Parameter(help="Every coordinate of the start, a number in the unit X (default 0), or `choose`."),
]
Statements = Annotated[
    Literal["all"] | None,
    Parameter(
        help="`all`: every bound that can be run, ranked; with --epsilon of private runs, else others."
    ),
]
Run = Annotated[Literal["on", "off"], Parameter(help="`off`: the bound alone, without simulation.")]
Replicates = Annotated[int, take_whole_number("Number of independent runs, at least 2.")]
Seed = Annotated[int, take_whole_number("Random seed, an integer >= 0.")]
Out = Annotated[Path | None, take_path("Folder for plan.json, figure.svg and figure.pdf.")]
Ids = Annotated[str, Parameter(name="ID", help="Ids of statements to plan with.")]


def run(
    *ids: Ids,
    problem: Source = None,
    rounds: Rounds,
    set_: Given = None,
    constants: Constants = None,
    epsilon: Epsilon = None,
    delta: DeltaOfTarget = None,
    relation: RelationOfTarget = None,
    sampling: Sampling = "full",
    accountant: AccountantOption = None,
    start: Start = None,
    statements: Statements = None,
    run_: Run = "on",
    replicates: Replicates = 32,
    seed: Seed = 20240601,
    variant: Variant = None,
    out: Out = None,
    json: Json = False,
) -> int:
    """Choose what a statement leaves free; print what the bound says beyond doing nothing, and run it."""
    from reports.inputs.problems import settings, within_machine

    _check(ids, statements, rounds, replicates, seed, out)
    _check_source(problem, constants, start)
    given = settings(set_)
    words = {"epsilon": epsilon, "delta": delta, "relation": relation, "accountant": accountant}
    chosen = _statements(ids, statements, variant, private=epsilon is not None)
    asked = {"rounds": rounds, "sampling": sampling, "start": start or "0", "constants": constants}
    options = {"run": run_ == "on", "replicates": replicates, "seed": seed}
    with within_machine(f"plan on {problem or 'constants'}", given | asked):
        task, own = _task([s for s, _ in chosen], problem, given, words, asked)
        plans, refused = _planned([s for s, _ in chosen], task, own, options, choose_start=start == "choose")
    return _answer(plans, refused, {s.id: n for s, n in chosen}, out, json, ranked=statements == "all")


def _check(
    ids: tuple[str, ...], statements: str | None, rounds: int, replicates: int, seed: int, out: Path | None
) -> None:
    """Refuse unusable options before the work."""
    from reports.errors import BadOption
    from reports.inputs.files import check_folder

    if bool(ids) == (statements is not None):
        raise BadOption("plan takes the ID of a statement, or --statements all")
    if rounds < 1:
        raise BadOption(f"--rounds must be an integer >= 1, but is {rounds}")
    if replicates < 2:
        raise BadOption(f"--replicates must be at least 2, not {replicates}")
    check_seed(seed)
    if out is not None:
        check_folder(out)


def _check_source(problem: str | None, constants: Path | None, start: str | None) -> None:
    from reports.errors import BadOption

    if problem is not None and constants is not None:
        raise BadOption("--constants goes without --problem, which knows its constants")
    if problem is None and start is not None:
        raise BadOption("--start needs --problem; without one state the start by its measures, such as D0")


def _statements(
    ids: tuple[str, ...], every: str | None, variant: str | None, *, private: bool
) -> list[tuple[Any, str | None]]:
    from verify.ledger.true_form import trusted

    if every is None:
        return [trusted(identity, variant) for identity in dict.fromkeys(ids)]
    import bounds
    from verify.planning.planned import plannable

    return [trusted(s.id, variant) for s in plannable(bounds.statements(), private=private)]


def _task(
    statements: list[Any],
    name: str | None,
    given: dict[str, Any],
    words: dict[str, Any],
    asked: dict[str, Any],
) -> tuple[Any, list[dict[str, float]]]:
    """The task, and what is set of each statement."""
    from reports.inputs.numerals import number
    from reports.inputs.plans import divided, stated, target
    from reports.inputs.privacy_words import drawing
    from reports.inputs.problems import problem as build
    from verify.planning.task import Task

    sampling = drawing(asked["sampling"])
    common = {"rounds": asked["rounds"], "sampling": sampling, "target": target(words, sampling)}
    if name is None:
        constants, own = stated(statements, given, asked["constants"])
        return Task(problem=None, arguments={}, start=(), constants=constants, **common), own
    of_problem, own = divided(statements, name, given)
    built, _ = build(name, of_problem)
    start = 0.0 if asked["start"] == "choose" else number(asked["start"], "--start")
    return Task(problem=name, arguments=of_problem, start=(start,) * built.dimension, **common), own


def _planned(
    statements: list[Any],
    task: Any,
    own: list[dict[str, float]],
    options: dict[str, Any],
    *,
    choose_start: bool,
) -> tuple[list[Any], list[dict[str, str]]]:
    """Plans, and for each statement without one the reason."""
    from reports.errors import UnusableRun
    from synthetic.errors import Refusal
    from verify.planning import starts
    from verify.planning.planned import plan
    from verify.planning.task import NotPlanned
    from verify.privacy.errors import Unaccountable

    progress, plans, refused = terminal.Progress(), [], []
    alone = len(statements) == 1
    for statement, given in zip(statements, own, strict=True):
        if not alone:
            terminal.say(f"planning with {statement.id}")
        try:
            at = starts.choose_start(statement, task, given) if choose_start else task
            plans.append(plan(statement, at, given, search=alone, progress=progress, **options))
        except (NotPlanned, Unaccountable) as error:
            refused.append({"id": statement.id, "reason": str(error)})
        except Refusal as error:
            if alone:
                raise UnusableRun(str(error)) from error
            refused.append({"id": statement.id, "reason": str(error)})
    progress.close()
    return plans, refused


def _answer(
    plans: list[Any],
    refused: list[dict[str, str]],
    notes: dict[str, str | None],
    out: Path | None,
    json: bool,
    *,
    ranked: bool,
) -> int:
    from reports.documents.plan import document

    order = sorted(range(len(plans)), key=lambda i: _rank(plans[i]))
    plans = [plans[i] for i in order]
    bodies = [document(plan, notes[plan.statement.id]) for plan in plans]
    for body, paths in zip(bodies, _files(plans, bodies, out), strict=True):
        body["files"] = [str(path) for path in paths]
    if json:
        terminal.write(_as_json(bodies, refused, ranked=ranked))
    else:
        _print(plans, bodies, refused)
    return exits.OK if bodies else exits.OPEN


def _rank(plan: Any) -> float:
    """The gap after the last round; for a plan without a run its bound over the free bound."""
    if plan.simulated is not None:
        return float(plan.simulated.gap.mean[-1])
    free = plan.worth.informed.free.value
    return float(plan.evaluation.value) / free if free else float("inf")


def _as_json(bodies: "list[Planned]", refused: list[dict[str, str]], *, ranked: bool) -> str:
    if len(bodies) + len(refused) > 1 or ranked:
        return json_border.document("plan-ranking", {"plans": bodies, "refused": refused})
    if bodies:
        return json_border.document("plan", bodies[0])
    only = refused[0]
    return json_border.document("plan", {"id": only["id"], "setting": None, "reason": only["reason"]})


def _files(plans: list[Any], bodies: "list[Planned]", out: Path | None) -> list[list[Path]]:
    """A folder for each plan where there are several; all are drawn before any is written."""
    from reports.inputs.files import write_together
    from reports.plots.plan_picture import pictures

    if out is None:
        return [[] for _ in plans]
    files_of_plans: list[dict[Path, bytes]] = []
    for plan, body in zip(plans, bodies, strict=True):
        folder = out if len(plans) == 1 else out / plan.statement.id
        document = json_border.document("plan", body).encode("utf-8")
        files_of_plans.append(
            {folder / name: content for name, content in {**pictures(plan), "plan.json": document}.items()}
        )
    write_together({path: content for files in files_of_plans for path, content in files.items()})
    return [list(files) for files in files_of_plans]


def _print(plans: list[Any], bodies: "list[Planned]", refused: list[dict[str, str]]) -> None:
    from reports.cli.terminal import Page
    from reports.documents.plan_page import page

    out = Page()
    for plan, body in zip(plans, bodies, strict=True):
        if out.lines:
            out.lines.append("")
        page(body, plan.statement.title, out)
        if body["note"]:
            out.heading("Note")
            out.item(body["note"])
    if len(bodies) > 1:
        _ranking(out, bodies)
    if refused:
        out.heading("Refused")
        for entry in refused:
            named = entry["reason"].startswith(entry["id"])
            out.item(entry["reason"] if named else f"{entry['id']}: {entry['reason']}")
    terminal.write(str(out))
    for body in bodies:
        for path in body["files"]:
            terminal.say(path)


def _ranking(out: Any, bodies: "list[Planned]") -> None:
    private = " at this privacy" if any(body["privacy"]["noise_multiplier"] for body in bodies) else ""
    measure = "the gap after the last round" if bodies[0]["run"] else "bound over what is known without a run"
    out.heading(f"Ranking on this problem{private}, by {measure}")
    words = {True: "informative", False: "says less than doing nothing", None: "not compared"}
    out.columns_of(
        (
            f"{place}.",
            body["id"],
            f"{body['run']['gap']['mean']:.4g} F" if body["run"] else "not run",
            f"bound {body['bound']['value']:.4g} {body['bound']['unit']}: {words[body['informative']]}",
        )
        for place, body in enumerate(bodies, 1)
    )
