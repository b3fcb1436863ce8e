"""`fedbounds study`: what a study comes to, its results as a table, and stores of several machines in one."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import App, Parameter

from reports.cli import exits, terminal
from reports.cli.terminal import Page
from reports.documents import json_border
from reports.verbs.options import Json, place, take_path

if TYPE_CHECKING:
    from reports.documents.types import study as types

PILOT: float = 5.0  # seconds of cells that are run to say how long all of them take

app = App(
    name="study",
    help="Count the cells of a study, tabulate its results, or merge stores of several machines.",
    help_format="plaintext",
)


File = Annotated[Path, Parameter(name="FILE", converter=place, help="Study, a TOML or JSON file.")]
Pilot = Annotated[bool, Parameter(help="Run a few cells to estimate the time of all of them.")]


@app.command
def show(
    file: File,
    /,
    *,
    pilot: Pilot = True,
    json: Json = False,
) -> int:
    """Count the cells of a study and estimate its time; `fedbounds verify --study FILE` runs it."""
    from reports.inputs.studies import read_study
    from verify.study.study import cells_of

    study = read_study(file)
    cells = cells_of(study)
    counts: dict[tuple[str, Any], int] = {}
    for cell in cells:
        counts[cell.statement, cell.variant] = counts.get((cell.statement, cell.variant), 0) + 1
    body: types.StudyShow = {
        "cells": len(cells),
        "level": study.level,
        "level_per_cell": study.level / len(cells),
        "replicates": study.replicates,
        "seed": study.seed,
        "statements": [{"id": i, "variant": v, "cells": n} for (i, v), n in counts.items()],
        "estimate": _estimate(study, cells) if pilot else None,
    }
    terminal.write(json_border.document("study-show", body) if json else str(_shown(body)))
    return exits.OK


def _estimate(study: Any, cells: Any) -> "types.Estimate":
    """Seconds of one process, from cells at even distances."""
    from verify.runs.check import run_cell
    from verify.statistics.error_level import per_cell

    began, tried = time.monotonic(), 0
    order = sorted(range(len(cells)), key=lambda n: (n * 0.6180339887498949) % 1)
    for number in order:
        if time.monotonic() - began > PILOT:
            break
        level = per_cell(study.level, len(cells))
        run_cell(cells[number], level=level, seed=study.seed, replicates=study.replicates)
        tried += 1
    each = (time.monotonic() - began) / tried
    return {"seconds_of_one_process": each * len(cells), "cells_tried": tried}


def _shown(body: "types.StudyShow") -> Page:
    page = Page()
    page.title(f"{body['cells']} cells")
    page.columns_of((s["id"], s["variant"], str(s["cells"])) for s in body["statements"])
    page.heading("Together")
    page.paragraph(
        f"error level {body['level']:g} for all of them, {body['level_per_cell']:.3g} for each; "
        f"{body['replicates']} replicates, seed {body['seed']}"
    )
    estimate = body["estimate"]
    if estimate is not None:
        page.paragraph(
            f"about {_duration(estimate['seconds_of_one_process'])} in one process, "
            f"from {estimate['cells_tried']} of them, which were run"
        )
    return page


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


Record = Annotated[
    Path, Parameter(name="DIR", converter=place, help="Folder of a record, as `verify --out` writes it.")
]
Format = Annotated[
    Literal["csv", "parquet", "netcdf"],
    Parameter(help="`csv` or `parquet`: a row for each cell; `netcdf`: an array over what varies."),
]
Out = Annotated[Path | None, take_path("File to write. Default for csv: standard output.")]


@app.command
def table(
    record: Record,
    /,
    *,
    format_: Format = "csv",
    out: Out = None,
    json: Json = False,
) -> int:
    """Write the cells of a record as data."""
    from reports.errors import BadOption
    from reports.inputs.files import check_target, write_text
    from verify.records.record import read
    from verify.study import table as tables

    if json and (out is not None or format_ != "csv"):
        raise BadOption("--json prints to standard output, without --format and --out")
    if out is None and format_ != "csv":
        raise BadOption(f"--format {format_} needs --out FILE")
    if out is not None:
        check_target(out)
    found = tables.rows(read(record))
    if json:
        body = {"columns": tables.columns(found), "rows": found}
        terminal.write(json_border.document("study-table", body))
        return exits.OK
    if format_ == "csv":
        text = tables.as_csv(found)
        if out is None:
            terminal.write(text)
            return exits.OK
        write_text(out, text)
    else:
        _write_binary(out, tables.as_bytes(found, format_))
    terminal.say(f"{len(found)} cells: {out}")
    return exits.OK


def _write_binary(out: Path | None, content: bytes) -> None:
    from reports.inputs.files import write_bytes

    if out is not None:
        write_bytes(out, content)


MergeOut = Annotated[Path, take_path("Folder whose store receives all results.")]
Stores = Annotated[
    Path, Parameter(name="DIR", converter=place, help="Folders whose stores (cells.sqlite) are read.")
]


@app.command
def merge(
    *stores: Stores,
    out: MergeOut,
    json: Json = False,
) -> int:
    """Put the results of several stores into one; two results under one key must be the same."""
    from reports.errors import BadOption
    from verify.campaign.merge import merge as merged

    if not stores:
        raise BadOption("study merge needs the folders whose stores are to be merged")
    found = merged(stores, out)
    body: types.StudyMerge = {
        "stores": [{"folder": str(f), "added": n} for f, n in zip(stores, found.added, strict=True)],
        "results": found.results,
        "out": str(out),
    }
    page = Page()
    page.title(f"{found.results} results in {out}")
    page.columns_of((f"{n} added", str(f)) for f, n in zip(stores, found.added, strict=True))
    terminal.write(json_border.document("study-merge", body) if json else str(page))
    return exits.OK
