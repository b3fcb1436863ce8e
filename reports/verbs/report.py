"""`fedbounds report`: HTML, Markdown and LaTeX from a record."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from reports import exits, json_border, terminal
from reports.verbs.options import Json


def run(
    directory: Annotated[
        Path, Parameter(name="DIR", help="The folder with record.json, as `verify --out` made it.")
    ],
    /,
    *,
    pictures: Annotated[
        bool,
        Parameter(
            name="--pictures",
            negative="--no-pictures",
            help="Bound against run over rounds: some short runs per statement.",
        ),
    ] = True,
    json: Json = False,
) -> int:
    """One HTML file that opens offline, Markdown, LaTeX tables and a record for each cell, in DIR/report."""
    from reports import page
    from reports.errors import UnreadableFile
    from reports.files import write_text
    from reports.record import read

    if not directory.is_dir():
        raise UnreadableFile(
            f"{directory} is not a folder with a record; `fedbounds verify --out {directory}` makes one"
        )
    progress = terminal.Progress()
    contents = page.contents(read(directory), directory, pictures=pictures, progress=progress)
    progress.close()
    # All are composed before one is written.
    pages = {
        "index.html": page.html(contents),
        "report.md": page.markdown(contents),
        "report.tex": page.latex(contents),
        "verdicts.tex": page.latex_table(contents),
    }
    folder = directory / "report"
    for name, text in (pages | contents["files"]).items():
        write_text(folder / name, text)
    paths = [str(folder / name) for name in pages]
    if json:
        terminal.write(json_border.document("report", {"paths": paths, "replay": str(folder / "replay")}))
    else:
        terminal.write("".join(f"{path}\n" for path in paths))
    return exits.OK
