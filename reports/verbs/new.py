"""`fedbounds new`: scaffolds."""

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from reports.cli import exits, terminal
from reports.documents import json_border
from reports.verbs.options import Json, take_path

app = App(
    name="new",
    help="Create a package for a theorem, a lemma, an algorithm or a problem of your own.",
    help_format="plaintext",
)

Name = Annotated[
    str, Parameter(name="PAPER/NAME", help="Name of the package and of what it brings: my-paper/theorem-1.")
]
Out = Annotated[
    Path,
    take_path("Folder to create. It must not exist, or must be empty."),
]


@app.command
def theorem(name: Name, /, *, out: Out, json: Json = False) -> int:
    """Create a package with a bound on gradient descent, which is judged as it stands, and its tests."""
    return _create("theorem", name, out, json=json)


@app.command
def lemma(name: Name, /, *, out: Out, json: Json = False) -> int:
    """Create a package with a lemma about smooth functions, which is judged as it stands, and its test."""
    return _create("lemma", name, out, json=json)


@app.command
def algorithm(name: Name, /, *, out: Out, json: Json = False) -> int:
    """Create a package with an algorithm, a bound on it that is judged as it stands, and its test."""
    return _create("algorithm", name, out, json=json)


@app.command
def problem(name: Name, /, *, out: Out, json: Json = False) -> int:
    """Create a package with a problem, a bound that is judged on it, and its test."""
    return _create("problem", name, out, json=json)


PaperName = Annotated[str, Parameter(name="PAPER", help="Name of the package, such as my-paper.")]


@app.command
def paper(
    name: PaperName,
    /,
    *,
    out: Out,
    json: Json = False,
) -> int:
    """Create a package with a theorem, a lemma, an algorithm with a bound, and a problem, all judged."""
    return _create("paper", f"{name}/one_client", out, json=json)


def _create(kind: str, name: str, out: Path, *, json: bool) -> int:
    from reports.scaffold import check_free, names, scaffold

    paper, own = names(name, kind)
    check_free(paper)
    identity, written = scaffold(kind, paper, own, out)
    if json:
        terminal.write(json_border.document("new", {"id": identity, "directory": str(out), "paths": written}))
        return exits.OK
    terminal.write("".join(f"{out / path}\n" for path in written))
    terminal.say(f"next: python -m pip install -e {out} && fedbounds verify {identity} --quick")
    return exits.OK
