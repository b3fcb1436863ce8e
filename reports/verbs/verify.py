"""`fedbounds verify`: run the standard cells, judge them, write the record."""

from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from reports import exits, json_border, terminal
from reports.terminal import Page
from reports.verbs.options import Identities, Json


def run(
    *ids: Identities,
    out: Annotated[Path | None, Parameter(name="--out", help="Folder for record.json.")] = None,
    level: Annotated[
        float,
        Parameter(
            name="--level", help="Probability that any verdict of this run is wrong, asymptotic ones aside."
        ),
    ] = 1e-3,
    seed: Annotated[int, Parameter(name="--seed", help="Equal seeds repeat a run.")] = 20240601,
    quick: Annotated[bool, Parameter(name="--quick", negative="", help="Fewer replicates per cell.")] = False,
    exit_zero: Annotated[
        bool, Parameter(name="--exit-zero", negative="", help="Exit with 0 whatever the verdicts are.")
    ] = False,
    json: Json = False,
) -> int:
    """Run the standard cells, judge them, write the record."""
    _check(out, level, seed)
    from verify import record
    from verify.run import verify

    chosen = _chosen(ids)
    progress = terminal.Progress()
    results = verify(chosen, level=level, seed=seed, quick=quick, progress=progress)
    progress.close()
    data = record.document(results, level=level, seed=seed)
    path = record.write(data, out) if out is not None else None
    if json:
        terminal.write(json_border.document("verify", _body(data, path)))
    else:
        terminal.write(str(page(data)))
    if path is not None:
        terminal.say(f"record: {path}")
    return exits.OK if exit_zero else _code(data)


def _check(out: Path | None, level: float, seed: int) -> None:
    """Before minutes of work, not after them."""
    from reports.errors import BadOption, RefusedTarget

    if not 0 < level < 1:
        raise BadOption(f"--level must be between 0 and 1, but is {level}")
    if seed < 0:
        raise BadOption(f"--seed must be an integer >= 0, but is {seed}")
    if out is not None and out.exists() and not out.is_dir():
        raise RefusedTarget(f"--out must be a folder, and {out} is a file")


def _chosen(ids: tuple[str, ...]) -> list[str] | None:
    if not ids:
        return None
    from reports.selection import select
    from verify.run import standard_cells

    statements = select(ids)
    chosen = [statement.id for statement in statements]
    covered = {cell.statement for cell in standard_cells(statements)}
    if covered and (left := [identity for identity in chosen if identity not in covered]):
        terminal.say(f"no cell exists for {', '.join(left)}: it speaks of no run that can be made here")
    return chosen


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
