"""`fedbounds report`: HTML, Markdown and LaTeX from a record."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from reports.cli import exits, terminal
from reports.documents import json_border
from reports.verbs.options import Json, check_workers, place, whole


def run(
    directory: Annotated[
        Path,
        Parameter(
            converter=place,
            name="DIR",
            help="Folder with record.json, as written by `fedbounds verify --out`.",
        ),
    ],
    /,
    *,
    only: Annotated[
        str | None,
        Parameter(name="--only", help="Report on one paper: dp_fedavg, or the key of a package."),
    ] = None,
    review: Annotated[
        str | None,
        Parameter(name="--review", help="Write two pages on one paper for a referee, as HTML and LaTeX."),
    ] = None,
    compare: Annotated[
        Path | None,
        Parameter(
            converter=place, name="--compare", help="Write what changed since the record in this folder."
        ),
    ] = None,
    pictures: Annotated[
        bool,
        Parameter(
            name="--pictures",
            negative="--no-pictures",
            help="Draw bound against run over rounds, from short runs per statement.",
        ),
    ] = True,
    audit: Annotated[
        bool,
        Parameter(
            name="--audit",
            negative="--no-audit",
            help="Include the audit: satisfiability and information of each statement.",
        ),
    ] = True,
    workers: Annotated[
        int, Parameter(converter=whole, name="--workers", help="Number of parallel processes, from 1 to 256.")
    ] = 1,
    json: Json = False,
) -> int:
    """Write HTML, Markdown, LaTeX and one record per cell into DIR/report."""
    from reports import page
    from reports.errors import BadOption
    from reports.inputs.files import check_folder
    from reports.plots.dates import check_dates

    check_workers(workers)
    if sum(option is not None for option in (only, review, compare)) > 1:
        raise BadOption("--only, --review and --compare make different reports; keep one of them")
    data = _record(directory)
    folder = directory / "report"
    check_folder(folder)  # refuse before the work, not after it
    check_dates()
    if compare is not None:
        return _changes(compare, directory, data, folder, json)
    progress = terminal.Progress()
    made = page.contents(
        data,
        directory,
        only=review or only,
        pictures=pictures and review is None,
        audit=audit,
        explore=review is None,
        workers=workers,
        progress=progress,
    )
    progress.close()
    if review is not None:
        found = page.review(made)
        name = f"review-{found['paper']['key']}"
        pages = {f"{name}.html": page.review_html(found), f"{name}.tex": page.review_latex(found)}
        return _write(pages, {}, folder, json)
    # Every page is composed before any is written.
    pages = {
        "index.html": page.html(made),
        "report.md": page.markdown(made),
        "report.tex": page.latex(made),
        "verdicts.tex": page.latex_table(made),
    }
    return _write(pages, made["files"], folder, json)


def _record(directory: Path) -> dict[str, Any]:
    from reports.documents.record import parent, read
    from reports.errors import UnreadableFile

    if not directory.is_dir():
        raise UnreadableFile(
            f"{directory} is not a folder with a record; `fedbounds verify --out {directory}` makes one"
        )
    data = read(directory)
    if parent(data):
        terminal.say(f"{directory} is {parent(data)}: the standings are those of the entries in it")
    return data


def _changes(old: Path, new: Path, data: dict[str, Any], folder: Path, json: bool) -> int:
    """Compare the record with an older one."""
    from reports import page

    found = page.changes(_record(old), data, (old, new))
    return _write(
        {"changes.html": page.changes_html(found)}, {}, folder, json, changes=found, lines=page.lines(found)
    )


def _write(
    pages: dict[str, str],
    files: dict[str, str],
    folder: Path,
    json: bool,
    *,
    changes: dict[str, Any] | None = None,
    lines: Sequence[str] = (),
) -> int:
    from reports.inputs.files import write_text

    for name, text in (pages | files).items():
        write_text(folder / name, text)
    paths = [str(folder / name) for name in pages]
    if json:
        body: dict[str, Any] = {"paths": paths, "replay": str(folder / "replay")}
        terminal.write(
            json_border.document("report", body | ({} if changes is None else {"changes": changes}))
        )
    else:
        terminal.write("".join(f"{line}\n" for line in (*lines, *paths)))
    return exits.OK
