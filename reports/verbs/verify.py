"""`fedbounds verify`: run the standard cells, judge them, write the record."""

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from reports import exits, json_border, terminal
from reports.terminal import Page
from reports.verbs.options import Identities, Json


def run(
    *ids: Identities,
    out: Annotated[
        Path | None,
        Parameter(
            name="--out", help="Folder for the record and the judged cells; an interrupted run resumes."
        ),
    ] = None,
    problem: Annotated[str | None, Parameter(name="--problem", help="Only cells on this problem.")] = None,
    algorithm: Annotated[
        str | None, Parameter(name="--algorithm", help="Only cells that run this algorithm.")
    ] = None,
    level: Annotated[
        float,
        Parameter(
            name="--level", help="Probability that any verdict of this run is wrong, asymptotic ones aside."
        ),
    ] = 1e-3,
    seed: Annotated[int, Parameter(name="--seed", help="Equal seeds repeat a run.")] = 20240601,
    workers: Annotated[int, Parameter(name="--workers", help="Processes that run cells side by side.")] = 1,
    quick: Annotated[bool, Parameter(name="--quick", negative="", help="Fewer replicates per cell.")] = False,
    exit_zero: Annotated[
        bool, Parameter(name="--exit-zero", negative="", help="Exit with 0 whatever the verdicts are.")
    ] = False,
    json: Json = False,
) -> int:
    """Run the standard cells, judge them, write the record."""
    _check(out, level, seed, workers)
    from verify import record
    from verify.campaign import run_campaign
    from verify.run import QUICK_REPLICATES, REPLICATES
    from verify.store import Store

    cells = _cells(ids, problem, algorithm)
    progress = terminal.Progress()
    with nullcontext() if out is None else Store(out) as kept:
        entries = run_campaign(
            cells,
            kept,
            level=level,
            seed=seed,
            replicates=QUICK_REPLICATES if quick else REPLICATES,
            workers=workers,
            progress=progress,
        )
    progress.close()
    data = record.document(entries, level=level, seed=seed)
    path = record.write(data, out) if out is not None else None
    if json:
        terminal.write(json_border.document("verify", _body(data, path)))
    else:
        terminal.write(str(page(data)))
    if path is not None:
        terminal.say(f"record: {path}")
    return exits.OK if exit_zero else _code(data)


def _check(out: Path | None, level: float, seed: int, workers: int) -> None:
    """Before minutes of work, not after them."""
    from reports.errors import BadOption, RefusedTarget

    if not 0 < level < 1:
        raise BadOption(f"--level must be between 0 and 1, but is {level}")
    if seed < 0:
        raise BadOption(f"--seed must be an integer >= 0, but is {seed}")
    if workers < 1:
        raise BadOption(f"--workers must be an integer >= 1, but is {workers}")
    if out is not None and out.exists() and not out.is_dir():
        raise RefusedTarget(f"--out must be a folder, and {out} is a file")


def _cells(ids: tuple[str, ...], problem: str | None, algorithm: str | None) -> list[Any]:
    from reports.errors import EmptySelection
    from reports.selection import select
    from verify.run import standard_cells

    statements = select(ids)
    cells = list(standard_cells(statements))
    covered = {cell.statement for cell in cells}
    missing = [statement.id for statement in statements if statement.id not in covered]
    if ids and covered and missing:
        terminal.say(f"no cell exists for {', '.join(missing)}: it speaks of no run that can be made here")
    for option, wanted, name in (("--problem", problem, "problem"), ("--algorithm", algorithm, "algorithm")):
        known = sorted({getattr(cell, name) for cell in cells})
        if wanted is not None and known and wanted not in known:
            raise EmptySelection(f"{option} {wanted} selects no cell; there are cells on {', '.join(known)}")
        cells = [cell for cell in cells if wanted in (None, getattr(cell, name))]
    if not cells:
        raise EmptySelection("nothing to run: no cell exists for what was selected")
    return cells


def _body(data: dict[str, Any], path: Path | None) -> dict[str, Any]:
    body = {key: value for key, value in data.items() if key != "schema"}
    return body | {"record": str(path) if path is not None else None}


def _code(data: dict[str, Any]) -> int:
    from reports.record import verdicts

    return exits.of_verdicts(verdicts(data["cells"]))


def page(data: dict[str, Any]) -> Page:
    from reports.record import by_statement, counts, label, standings

    out = Page()
    standing = standings(data)
    for identity, cells in by_statement(data["cells"]).items():
        if out.lines:
            out.lines.append("")
        out.title(f"{identity}: {standing.get(identity, 'unchecked')}")
        out.columns_of((cell["verdict"], label(cell), _sentence(cell)) for cell in cells)
    out.heading("Summary")
    out.paragraph(counts(data))
    return out


def _sentence(cell: dict[str, Any]) -> str:
    from reports.record import ratio, told

    parts = [told(cell)]
    if ratio(cell):
        parts.append(f"ratio {ratio(cell)}")
    if cell["verdict"] == "holds" and cell.get("certified") is False:
        parts.append("asymptotic: by the normal approximation")
    return "; ".join(parts)
