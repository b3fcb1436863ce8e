"""`fedbounds verify`: run the standard cells, try lemmas on objects, judge, write the record."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from reports.cli import exits, terminal
from reports.cli.counterexample import print_counterexample
from reports.cli.terminal import Page
from reports.documents import json_border
from reports.verbs.options import Identities, Json, On, check_seed, check_workers, place, real, whole

if TYPE_CHECKING:
    from bounds.language.finding import Standing


def run(
    *ids: Identities,
    out: Annotated[
        Path | None,
        Parameter(
            converter=place,
            name="--out",
            help="Folder for the record. An interrupted run with the same folder resumes.",
        ),
    ] = None,
    problem: Annotated[
        str | None,
        Parameter(
            name="--problem",
            help="Run only cells on this problem; a data set or a data file gets cells of its own.",
        ),
    ] = None,
    set_: Annotated[
        list[str] | None,
        Parameter(
            name="--set",
            consume_multiple=True,
            negative="",
            help="Arguments of the data in --problem, NAME=VALUE, such as clients=10.",
        ),
    ] = None,
    algorithm: Annotated[
        str | None, Parameter(name="--algorithm", help="Run only cells with this algorithm.")
    ] = None,
    variant: Annotated[
        str | None, Parameter(name="--variant", help="`printed` or `amended`. Default: both.")
    ] = None,
    level: Annotated[
        float | None,
        Parameter(
            converter=real,
            name="--level",
            help="Probability that any verdict is wrong, at most: between 0 and 1. Default: 0.001.",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        Parameter(
            converter=whole,
            name="--seed",
            help="Random seed, an integer >= 0. Equal seeds repeat a run. Default: 20240601.",
        ),
    ] = None,
    workers: Annotated[
        int, Parameter(converter=whole, name="--workers", help="Number of parallel processes, from 1 to 256.")
    ] = 1,
    on: On = "local",
    study: Annotated[
        Path | None,
        Parameter(
            name="--study",
            converter=place,
            help="TOML file of statements, parameters and problems; see `fedbounds study show`.",
        ),
    ] = None,
    epsilon: Annotated[
        float | None,
        Parameter(
            converter=real,
            name="--epsilon",
            help="Privacy target of the private cells, a number > 0 (no unit). Default: 8 at 1e-5.",
        ),
    ] = None,
    delta: Annotated[
        float | None,
        Parameter(
            converter=real,
            name="--delta",
            help="Delta of the target, between 0 and 1; with --epsilon.",
        ),
    ] = None,
    relation: Annotated[
        Literal["add-or-remove", "replace-one"] | None,
        Parameter(name="--relation", help="Neighboring relation; required with --epsilon."),
    ] = None,
    accountant: Annotated[
        Literal["pld", "rdp", "exact"] | None,
        Parameter(
            name="--accountant",
            help="Accountant. Default: exact, valid because all clients take part in these cells.",
        ),
    ] = None,
    quick: Annotated[
        bool,
        Parameter(
            name="--quick", negative="", help="Use fewer replicates per cell and fewer cases per lemma."
        ),
    ] = False,
    force: Annotated[
        bool,
        Parameter(name="--force", negative="", help="Replace a record in --out that holds other statements."),
    ] = False,
    exit_zero: Annotated[
        bool,
        Parameter(
            name="--exit-zero", negative="", help="Exit with 0 even if a statement is violated or refuted."
        ),
    ] = False,
    json: Json = False,
) -> int:
    """Run the standard cells, try lemmas on objects, judge both and write a record."""
    _check(out, level, seed, workers)
    from reports.inputs.verification import (
        certified_worst_cases,
        jobs_on_data,
        names_data,
        privacy_target,
        read_cells_of_study,
        refuse_beside_a_study,
        standard_jobs,
    )
    from verify.campaign.campaign import run_campaign
    from verify.campaign.store import Store
    from verify.objects.check import QUICK_TRIALS, TRIALS
    from verify.places.place import place_named
    from verify.records import record
    from verify.runs.check import LEVEL, QUICK_REPLICATES, REPLICATES, SEED

    if study is None:
        target = privacy_target(epsilon, delta, relation, accountant)
        jobs = jobs_on_data(ids, problem, set_, variant, target) if names_data(problem, set_) else None
        jobs = standard_jobs(ids, problem, algorithm, variant, target) if jobs is None else jobs
        level, seed = LEVEL if level is None else level, SEED if seed is None else seed
        replicates = QUICK_REPLICATES if quick else REPLICATES
    else:
        refuse_beside_a_study(
            {"an ID": ids, "--problem": problem, "--algorithm": algorithm, "--variant": variant}
            | {"--level": level, "--seed": seed, "--epsilon": epsilon, "--quick": quick, "--set": set_}
        )
        jobs, level, seed, replicates = read_cells_of_study(study)
    if out is not None and not force:
        _check_replaced(out, {job.statement for job in jobs})
    progress = terminal.Progress()
    with nullcontext() if out is None else Store(out) as kept:
        entries = run_campaign(
            jobs,
            kept,
            level=level,
            seed=seed,
            replicates=replicates,
            trials=QUICK_TRIALS if quick else TRIALS,
            place=place_named(on, workers),
            progress=progress,
        )
    progress.close()
    terminal.say(progress.took(len(entries)))
    certified = [] if problem or algorithm or study else certified_worst_cases(ids, variant)
    data = record.document(entries, level=level, seed=seed, worst_cases=certified)
    path = record.write(data, out) if out is not None else None
    if json:
        terminal.write(json_border.document("verify", _body(data, path)))
    else:
        terminal.write(str(page(data)))
    if path is not None:
        terminal.say(f"record: {path}")
    return exits.OK if exit_zero else _code(data)


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
    from verify.records.form import NotARecord
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
    summary = data["summary"] | {"standings": _sentences(data)}
    return body | {"summary": summary, "record": str(path) if path is not None else None}


def _sentences(data: dict[str, Any]) -> dict[str, str]:
    return {identity: str(standing) for identity, standing in _standings(data).items()}


def _standings(data: dict[str, Any]) -> "dict[str, Standing]":
    """Standings of this run's statements; one that the ledger refutes is refuted."""
    from reports.documents.record import standings

    known = standings(data)
    return {identity: known[identity] for identity in data["summary"]["standings"]}


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


def page(data: dict[str, Any]) -> Page:
    from reports.documents.record import by_statement, counts

    out = Page()
    standing, amended = _sentences(data), data["summary"]["amended"]
    for identity, entries in by_statement([*data["cells"], *data["properties"]]).items():
        if out.lines:
            out.lines.append("")
        also = f"; amended: {amended[identity]}" if identity in amended else ""
        out.title(f"{identity}: {standing.get(identity, 'unchecked')}{also}")
        out.columns_of(_row(entry) for entry in entries)
        for entry in entries:
            print_counterexample(out, entry.get("counterexample"))
    out.heading("Summary")
    if data["cells"]:
        out.paragraph(counts(data))
    if data["properties"]:
        out.paragraph(_tried(data["summary"]["properties"], data["properties"]))
    if data.get("worst_cases"):
        out.heading("Certified for the whole class, at the values that the record names")
        out.columns_of(_certified(entry) for entry in data["worst_cases"])
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
    from reports.documents.record import label, ratio, told

    if entry.get("kind") == "property":
        form = "" if entry["variant"] == "printed" else f" [{entry['variant']}]"
        worst = entry["worst"] or {}
        name, share = f"tried on objects{form}", ratio(worst)
    else:
        name, share = label(entry), ratio(entry)
    parts = [told(entry)]
    if entry.get("privacy"):
        kept = entry["privacy"]
        parts.append(f"epsilon {kept['epsilon']:.4g} at delta {kept['delta']:g}, {kept['relation']}")
    if share:
        parts.append(f"ratio {share}")
    if entry["verdict"] == "holds" and entry.get("certified") is False:
        parts.append("asymptotic: by the normal approximation")
    return entry["verdict"], name, "; ".join(parts)
