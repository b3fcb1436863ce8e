"""`fedbounds new`: scaffolds."""

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from reports.cli import exits, terminal
from reports.documents import json_border
from reports.verbs.options import Json, place

app = App(name="new", help="Create a package for a theorem of your own.", help_format="plaintext")


@app.command
def theorem(
    name: Annotated[
        str,
        Parameter(name="PAPER/NAME", help="Name of the paper and the statement, such as my-paper/theorem-1."),
    ],
    /,
    *,
    out: Annotated[
        Path,
        Parameter(
            converter=place, name="--out", help="Folder to create. It must not exist, or must be empty."
        ),
    ],
    json: Json = False,
) -> int:
    """Create a package with one example statement, its transcription and its test."""
    from reports.scaffold import check_free, names, scaffold

    paper, statement = names(name)
    check_free(paper)
    written = scaffold(paper, statement, out)
    identity = f"{paper}.{statement}"
    if json:
        terminal.write(json_border.document("new", {"id": identity, "directory": str(out), "paths": written}))
        return exits.OK
    terminal.write("".join(f"{out / path}\n" for path in written))
    terminal.say(f"next: python -m pip install -e {out} && fedbounds show {identity}")
    return exits.OK
