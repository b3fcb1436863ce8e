"""`fedbounds verify`: run the standard cells, try lemmas on objects, judge, write the record."""

from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from reports.cli import exits, terminal
from reports.cli.counterexample import print_counterexample
from reports.cli.interrupts import NOTHING, naming_what_is_left, say_what_resumes
from reports.cli.terminal import Page
from reports.documents import json_border
from reports.verbs.options import (
    Accountant,
    DeltaOfTarget,
    Identities,
    Json,
    On,
    RelationOfTarget,
    Workers,
    check_seed,
    check_workers,
    take_flag,
    take_number,
    take_path,
    take_whole_number,
    take_words,
)

if TYPE_CHECKING:
    from bounds.language.finding import Standing
    from reports.inputs.verification import Task
    from verify.workers.place import Place


Out = Annotated[
    Path | None, take_path("Folder for the record. An interrupted run with the same folder resumes.")
]
Problem = Annotated[
    str | None,
    Parameter(help="Run only cells on this problem; a data set or a data file gets cells of its own."),
]
Given = Annotated[
    list[str] | None, take_words("NAME=VALUE of the data in --problem, or of a quantity of the statements.")
]
Algorithm = Annotated[str | None, Parameter(help="Run only cells with this algorithm.")]
Variant = Annotated[str | None, Parameter(help="`printed` or `amended`. Default: both.")]
Level = Annotated[
    float | None,
    take_number("Largest probability that any verdict is wrong, between 0 and 1. Default: 0.001."),
]
Seed = Annotated[
    int | None,
    take_whole_number("Random seed, an integer >= 0. Equal seeds repeat a run. Default: 20240601."),
]
Study = Annotated[
    Path | None, take_path("TOML file of statements, parameters and problems; see `fedbounds study show`.")
]
Epsilon = Annotated[
    float | None,
    take_number("Privacy target of the private cells, a number > 0 (no unit). Default: 8 at 1e-5."),
]
AccountantOption = Annotated[
    Accountant | None,
    Parameter(help="Accountant. Default: exact, valid because all clients take part in these cells."),
]
Quick = Annotated[bool, take_flag("Use fewer replicates per cell and fewer cases per lemma.")]
Force = Annotated[bool, take_flag("Replace a record in --out that holds other statements.")]
ExitZero = Annotated[bool, take_flag("Exit with 0 even if a statement is violated or refuted.")]


def run(
    *ids: Identities,
    out: Out = None,
    problem: Problem = None,
    set_: Given = None,
    algorithm: Algorithm = None,
    variant: Variant = None,
    level: Level = None,
    seed: Seed = None,
    workers: Workers = 1,
    on: On = "local",
    study: Study = None,
    epsilon: Epsilon = None,
    delta: DeltaOfTarget = None,
    relation: RelationOfTarget = None,
    accountant: AccountantOption = None,
    quick: Quick = False,
    force: Force = False,
    exit_zero: ExitZero = False,
    json: Json = False,
) -> int:
    """Run the standard cells, try lemmas on objects, judge both and write a record."""
    _check(out, level, seed, workers)
    from reports.inputs.verification import certified_worst_cases, read_task
    from verify.records import record
    from verify.workers.place import place_named

    cells = {"problem": problem, "set": set_, "algorithm": algorithm, "variant": variant}
    target = {"epsilon": epsilon, "delta": delta, "relation": relation, "accountant": accountant}
    task = read_task(ids, cells, target, study, level=level, seed=seed, quick=quick)
    if out is not None and not force:
        _check_replaced(out, {job.statement for job in task.jobs})
    entries = _run_task(task, out, place_named(on, workers))
    certified = [] if problem or algorithm or study else certified_worst_cases(ids, variant)
    data = record.document(entries, level=task.level, seed=task.seed, worst_cases=certified)
    path = record.write(data, out) if out is not None else None
    _print(data, task.not_run, path, json=json)
    return exits.OK if exit_zero else _code(data)


def _run_task(task: "Task", out: Path | None, place: "Place") -> list[dict[str, Any]]:
    from verify.campaign.campaign import run_campaign
    from verify.campaign.store import Store

    progress = terminal.Progress()
    kept = NOTHING if out is None else say_what_resumes("cells", out)
    with naming_what_is_left(kept), nullcontext() if out is None else Store(out) as store:
        entries = run_campaign(
            task.jobs,
            store,
            level=task.level,
            seed=task.seed,
            replicates=task.replicates,
            trials=task.trials,
            place=place,
            progress=progress,
        )
    progress.close()
    terminal.say(progress.took(len(entries)))
    return entries


def _print(data: dict[str, Any], not_run: dict[str, str], path: Path | None, *, json: bool) -> None:
    if json:
        terminal.write(json_border.document("verify", _body(data, path) | {"not_run": not_run}))
    else:
        terminal.write(str(page(data, not_run)))
    if path is not None:
        terminal.say(f"record: {path}")


def _check(out: Path | None, level: float | None, seed: int | None, workers: int) -> None:
    """Refuse unusable options before the work, not after it."""
    from reports.errors import BadOption, RefusedTarget
    from reports.inputs.files import check_folder

    if level is not None and not 0 < level < 1:
        raise BadOption(f"--level must be between 0 and 1, but is {level}")
    if seed is not None:
        check_seed(seed)
    check_workers(workers)
    if out is not None:
        if out.exists() and not out.is_dir():
            raise RefusedTarget(f"--out must be a folder, and {out} is a file")
        check_folder(out)


def _check_replaced(out: Path, statements: set[str]) -> None:
    """A record in the folder is replaced only by one that has its statements too."""
    from reports.errors import RefusedTarget
    from verify.records.field_types import NotARecord
    from verify.records.record import FILE, read

    if not (out / FILE).exists():
        return
    change = "give another folder to --out, or --force to replace it"
    try:
        data = read(out)
    except NotARecord as error:
        raise RefusedTarget(f"--out {out} has a {FILE} that cannot be read ({error}); {change}") from error
    others = sorted({entry["id"] for entry in (*data["cells"], *data["properties"])} - statements)
    if others:
        more = f" and {len(others) - 2} more" if len(others) > 2 else ""
        raise RefusedTarget(f"--out {out} has a record of {', '.join(others[:2])}{more}; {change}")


def _body(data: dict[str, Any], path: Path | None) -> dict[str, Any]:
    """The record, with standings that know the ledger too; the file has those of its own entries."""
    body = {key: value for key, value in data.items() if key != "schema"}
    summary = data["summary"] | {"standings": _sentences(data), "amended": _say_amended(data)}
    written = str(path) if path is not None else None
    return body | {"summary": summary, "units": _units(data), "record": written}


def _units(data: dict[str, Any]) -> dict[str, list[str]]:
    """Where units disagree, by statement of an installed package."""
    from bounds import discovery
    from verify.notes_on_packages import say_units

    found = {
        identity: list(dict.fromkeys(s for form in discovery.variants(identity) for s in say_units(form)))
        for identity in data["summary"]["standings"]
    }
    return {identity: sentences for identity, sentences in found.items() if sentences}


def _sentences(data: dict[str, Any]) -> dict[str, str]:
    return {identity: str(standing) for identity, standing in _standings(data).items()}


def _standings(data: dict[str, Any]) -> "dict[str, Standing]":
    """Standings of this run's statements; one that the ledger refutes is refuted."""
    from reports.documents.record import standings

    known = standings(data)
    return {identity: known[identity] for identity in data["summary"]["standings"]}


def _say_amended(data: dict[str, Any]) -> dict[str, str]:
    from bounds.language.statement import AMENDED
    from reports.documents.record import standings

    return {identity: str(standing) for identity, standing in standings(data, AMENDED).items()}


def _code(data: dict[str, Any]) -> int:
    """A statement that the ledger refutes is refuted, even if all cells of this run hold."""
    from bounds.language.finding import REFUTED
    from reports.documents.record import verdicts

    refuted = REFUTED in _standings(data).values()
    certified = [entry["verdict"] for entry in data.get("worst_cases", [])]
    if {"violated", "refused"} & {*certified}:  # a kept certificate that proves nothing is a failed recheck
        return exits.REFUTED
    judged = [*verdicts(data["cells"]), *(p["verdict"] for p in data["properties"])]
    return exits.worst([exits.of_verdicts(judged), exits.REFUTED if refuted else exits.OK])


def page(data: dict[str, Any], not_run: Mapping[str, str]) -> Page:
    from reports.documents.record import by_statement, counted, counts
    from reports.inputs.verification import list_not_run

    out = Page()
    standing, amended, units = _sentences(data), _say_amended(data), _units(data)
    for identity, entries in by_statement([*data["cells"], *data["properties"]]).items():
        if out.lines:
            out.lines.append("")
        also = f"; amended: {amended[identity]}" if identity in amended else ""
        out.title(f"{identity}: {standing.get(identity, 'unchecked')}{also}")
        out.columns_of(_row(entry) for entry in entries)
        for sentence in units.get(identity, ()):
            out.item(sentence)
        for entry in entries:
            print_counterexample(out, entry.get("counterexample"), entry["variant"])
    out.heading("Summary")
    if data["cells"]:
        out.paragraph(counts(data))
    if data["properties"]:
        out.paragraph(_tried(data["summary"]["properties"], data["properties"]))
    if data.get("worst_cases"):
        out.heading("Certified worst cases of the whole class, at the values that the record names")
        out.columns_of(_certified(entry) for entry in data["worst_cases"])
    if not_run:
        out.heading(f"Not run: {counted(len(not_run), 'statement')}")
        for sentence in list_not_run(not_run):
            out.item(sentence)
    return out


def _certified(entry: dict[str, Any]) -> tuple[str, str, str]:
    form = "" if entry["variant"] == "printed" else f" [{entry['variant']}]"
    worst = f"bound {entry['bound']:.6g}, worst case at most {entry['upper']:.6g}, ratio {entry['ratio']:.6g}"
    return entry["verdict"], f"{entry['id']}{form}", worst


def _tried(counts: dict[str, int], properties: list[dict[str, Any]]) -> str:
    """One sentence on the lemmas."""
    from reports.documents.record import counted

    parts = [f"{count} {verdict}" for verdict, count in counts.items() if count]
    cases = sum(entry["cases"] for entry in properties)
    return f"{counted(len(properties), 'statement')} tried on objects, {cases} cases: {', '.join(parts)}"


def _row(entry: dict[str, Any]) -> tuple[str, str, str]:
    from reports.documents.record import describe_verdict, label, ratio

    if entry.get("kind") == "property":
        form = "" if entry["variant"] == "printed" else f" [{entry['variant']}]"
        worst = entry["worst"] or {}
        name, share = f"tried on objects{form}", ratio(worst)
    else:
        name, share = label(entry), ratio(entry)
    parts = [describe_verdict(entry)]
    if entry.get("privacy"):
        privacy = entry["privacy"]
        parts.append(f"epsilon {privacy['epsilon']:.4g} at delta {privacy['delta']:g}, {privacy['relation']}")
    if share:
        parts.append(f"ratio {share}")
    if entry["verdict"] == "holds" and entry.get("certified") is False:
        parts.append("asymptotic: by the normal approximation")
    return entry["verdict"], name, "; ".join(parts)
