"""The source of the documentation site: the guides of docs/, a page for each statement, and the public names.

`python -m reports.site docs OUT` writes it, and `make docs` builds it with Sphinx. The guides are copied and
the rest is made from the objects, so that no page can be out of date.
"""

import inspect
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bounds.language.statement import Paper, Statement
from reports.notebook_page import render

Plain = dict[str, Any]

GUIDES = {
    "For engineers": ("plan", "python", "compare", "privacy", "check_your_code", "report", "studies"),
    "For reviewers": ("audit", "falsify", "proofs", "worst_case", "error_level", "replay", "trust"),
    "For authors": (
        "your_theorem",
        "your_lemma",
        "your_problem",
        "your_algorithm",
        "prove_your_lemma",
        "your_errata",
        "example_packages",
    ),
    "Reference": ("glossary", "errors", "engine", "examples", "bibliography"),
}
# folders of guides, and those that are only copied
FOLDERS = {"frameworks": "Frameworks, compared with the listings", "amended": "Amended statements, derived"}
COPIED = (*FOLDERS, "figures", "_static")
NOTEBOOKS = "notebooks"  # a page of each is made by running it
FENCE = "```"
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")


def make(docs: Path, out: Path) -> None:
    """Write the whole source; `docs` is the folder of the guides."""
    from bounds import statements

    for folder in COPIED:
        shutil.copytree(docs / folder, out / folder, dirs_exist_ok=True)
    shutil.copy(docs / "conf.py", out)
    for source in [*docs.glob("*.md"), *(file for name in FOLDERS for file in (docs / name).glob("*.md"))]:
        _write(out / source.relative_to(docs), _guide(source, docs))
    for notebook in sorted((docs / NOTEBOOKS).glob("*.ipynb")):
        _write(out / NOTEBOOKS / f"{notebook.stem}.md", render(notebook))
    every = statements()
    papers = {s.paper.key: s.paper for s in every}
    for key, paper in papers.items():
        own = [s for s in every if s.paper.key == key]
        _write(out / "papers" / f"{key}.md", _paper(paper, own))
        for statement in own:
            _write(out / "statements" / f"{statement.id}.md", page(statement))
    _write(out / "api.md", "\n".join(_names()))
    folders = {NOTEBOOKS: sorted(file.stem for file in (docs / NOTEBOOKS).glob("*.ipynb"))}
    folders |= {name: sorted(file.stem for file in (docs / name).glob("*.md")) for name in FOLDERS}
    _write(out / "index.md", _index(list(papers), folders))


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text if text.endswith("\n") else f"{text}\n", encoding="utf-8")


def _guide(source: Path, docs: Path) -> str:
    """The guide, with links that lead out of the site as plain words: no source tree lies beside it."""

    def replace_link(found: re.Match[str]) -> str:
        if found[3].startswith("https://"):
            return found[0]
        place = (source.parent / found[3]).resolve()
        own = [docs.resolve(), *((docs / folder).resolve() for folder in COPIED)]
        return found[0] if place.is_file() and place.parent in own else found[2]

    return _LINK.sub(replace_link, source.read_text(encoding="utf-8"))


def page(statement: Statement) -> str:
    """One statement as Markdown whose body is HTML: its formulas are MathML, which needs no script."""
    from bounds.discovery import variants
    from reports.documents.description import describe
    from reports.page.refutation import refutation
    from reports.page.render import statement_html
    from verify.ledger.true_form import findings

    body = describe(statement, findings(statement)) | {
        "refutation": refutation(statement, [], Path("DIR")),
        "forms": [describe(form, ()) for form in variants(statement.id)[1:]],
        "commands": _commands(statement),
    }
    return f"# {statement.title}\n\n{FENCE}{{raw}} html\n{statement_html(body)}\n{FENCE}\n"


def _commands(statement: Statement) -> list[str]:
    """What a reader types next."""
    out = [f"fedbounds show {statement.id}"]
    if statement.evaluable and statement.example:
        given = " ".join(f"{name}={value:g}" for name, value in statement.example.items())
        out.append(f"fedbounds eval {statement.id} --set {given}")
    return [*out, f"fedbounds verify {statement.id} --quick"]


def _paper(paper: Paper, own: list[Statement]) -> str:
    from reports.page.section import TIERS, tier

    lines = [f"# {paper.title}", "", paper.authors, ""]
    lines += [f"<{paper.url}>", ""] if paper.url else []
    for name, title in TIERS.items():
        group = [f"/statements/{s.id}" for s in own if tier(s) == name]
        if group:
            lines += [f"## {title}", "", *_contents(group)]
    return "\n".join(lines)


def _contents(places: list[str], caption: str = "") -> list[str]:
    named = [f":caption: {caption}"] if caption else []
    return [f"{FENCE}{{toctree}}", ":maxdepth: 1", *named, "", *places, FENCE, ""]


def _names() -> Iterator[str]:
    """The public names of `import fedbounds`: signature and docstring."""
    import fedbounds
    from reports.command_line import VERBS

    yield "# Public names\n\n`import fedbounds` has them all.\n"
    for name in sorted(fedbounds.__all__):
        thing = getattr(fedbounds, name)
        text = inspect.getdoc(thing) if callable(thing) else ""
        words = f"{name}{_signature(thing)}\n\n{text or type(thing).__name__}"
        yield f"## {name}\n\n{FENCE}text\n{words}\n{FENCE}\n"
    yield "## Verbs\n"
    yield from (f"- `fedbounds.{verb}`: {summary}" for verb, summary in VERBS.items())


def _signature(thing: Any) -> str:
    try:
        return str(inspect.signature(thing)) if callable(thing) else ""
    except ValueError:  # a type without one
        return ""


def _index(papers: list[str], folders: Mapping[str, list[str]]) -> str:
    lines = ["# fedbounds", "", "Convergence bounds of private federated optimization as objects.", ""]
    for title, names in GUIDES.items():
        lines += _contents(list(names), title)
    lines += _contents([f"papers/{key}" for key in papers], "Papers")
    for folder, title in {NOTEBOOKS: "Notebooks, executed", **FOLDERS}.items():
        lines += _contents([f"{folder}/{name}" for name in folders[folder]], title)
    return "\n".join([*lines, *_contents(["api"], "Python")])


if __name__ == "__main__":
    make(Path(sys.argv[1]), Path(sys.argv[2]))
