"""`fedbounds report`: HTML and Markdown from a record."""

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
    json: Json = False,
) -> int:
    """One HTML file that opens offline, and the same in Markdown, in DIR/report."""
    from reports import page
    from reports.errors import UnreadableFile
    from reports.files import write_text
    from reports.record import read

    if not directory.is_dir():
        raise UnreadableFile(
            f"{directory} is not a folder with a record; `fedbounds verify --out {directory}` makes one"
        )
    data = read(directory)
    # Both are composed before either is written.
    texts = {"index.html": page.html(data), "report.md": page.markdown(data)}
    paths = [directory / "report" / name for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        write_text(path, text)
    if json:
        terminal.write(json_border.document("report", {"paths": [str(path) for path in paths]}))
    else:
        terminal.write("".join(f"{path}\n" for path in paths))
    return exits.OK
