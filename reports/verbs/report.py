"""`fedbounds report`: HTML, Markdown and LaTeX from a record."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from reports.cli import exits, terminal
from reports.documents import json_border
from reports.verbs.options import Json, Workers, check_workers, place, take_path

Directory = Annotated[
    Path,
    Parameter(
        converter=place, name="DIR", help="Folder with record.json, as written by `fedbounds verify --out`."
    ),
]
Only = Annotated[str | None, Parameter(help="Report on one paper: dp_fedavg, or the key of a package.")]
Review = Annotated[
    str | None, Parameter(help="Write two pages on one paper for a referee, as HTML and LaTeX.")
]
Compare = Annotated[Path | None, take_path("Write what changed since the record in this folder.")]
Pictures = Annotated[
    bool,
    Parameter(
        negative="--no-pictures", help="Draw bound against run over rounds, from short runs per statement."
    ),
]
Audit = Annotated[
    bool,
    Parameter(
        negative="--no-audit", help="Include the audit: satisfiability and information of each statement."
    ),
]


def run(
    directory: Directory,
    /,
    *,
    only: Only = None,
    review: Review = None,
    compare: Compare = None,
    pictures: Pictures = True,
    audit: Audit = True,
    workers: Workers = 1,
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
    full_report = review is None  # a review has neither pictures nor the explorer
    parts = {"pictures": pictures and full_report, "audit": audit, "explore": full_report}
    contents = page.contents(
        data, directory, only=review or only, workers=workers, progress=progress, **parts
    )
    progress.close()
    # Every page is composed before any is written.
    pages = _compose(contents) if review is None else _compose_review(contents)
    return _write(pages, contents["files"] if review is None else {}, folder, json)


def _compose(contents: dict[str, Any]) -> dict[str, str]:
    from reports import page

    return {
        "index.html": page.html(contents),
        "report.md": page.markdown(contents),
        "report.tex": page.latex(contents),
        "verdicts.tex": page.latex_table(contents),
    }


def _compose_review(contents: dict[str, Any]) -> dict[str, str]:
    from reports import page

    found = page.review(contents)
    name = f"review-{found['paper']['key']}"
    return {f"{name}.html": page.review_html(found), f"{name}.tex": page.review_latex(found)}


def _record(directory: Path) -> dict[str, Any]:
    from reports.documents.record import parent, read
    from reports.errors import UnreadableFile

    if directory.is_file():
        raise UnreadableFile(f"{directory} is a file; give the folder that has record.json in it")
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
    from reports.inputs.files import write_together

    write_together({folder / name: text.encode("utf-8") for name, text in (pages | files).items()})
    paths = [str(folder / name) for name in pages]
    if json:
        body: dict[str, Any] = {"paths": paths, "replay": str(folder / "replay")}
        terminal.write(
            json_border.document("report", body | ({} if changes is None else {"changes": changes}))
        )
    else:
        terminal.write("".join(f"{line}\n" for line in (*lines, *paths)))
    return exits.OK
