"""`fedbounds report`: HTML, Markdown and LaTeX from a record."""

from pathlib import Path
from typing import Annotated

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
    from reports.documents.record import parent, read
    from reports.errors import UnreadableFile
    from reports.inputs.files import check_folder, write_text
    from reports.plots.dates import check_dates

    check_workers(workers)
    if not directory.is_dir():
        raise UnreadableFile(
            f"{directory} is not a folder with a record; `fedbounds verify --out {directory}` makes one"
        )
    data = read(directory)
    if parent(data):
        terminal.say(f"{directory} is {parent(data)}: the standings are those of the entries in it")
    folder = directory / "report"
    check_folder(folder)  # refuse before the work, not after it
    check_dates()
    progress = terminal.Progress()
    contents = page.contents(
        data, directory, only=only, pictures=pictures, audit=audit, workers=workers, progress=progress
    )
    progress.close()
    # Every page is composed before any is written.
    pages = {
        "index.html": page.html(contents),
        "report.md": page.markdown(contents),
        "report.tex": page.latex(contents),
        "verdicts.tex": page.latex_table(contents),
    }
    for name, text in (pages | contents["files"]).items():
        write_text(folder / name, text)
    paths = [str(folder / name) for name in pages]
    if json:
        terminal.write(json_border.document("report", {"paths": paths, "replay": str(folder / "replay")}))
    else:
        terminal.write("".join(f"{path}\n" for path in paths))
    return exits.OK
