"""No module, no folder imports itself by way of others, and CONTRIBUTING.md names places that are there."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from verify.sources import walk_statements

ROOT = Path(__file__).resolve().parents[1]
FLOORS = ("bounds", "synthetic", "verify", "reports")
Graph = Mapping[str, set[str]]

# A statement evaluates itself (`Statement.evaluate`, `.on`): a facade of the language before what computes.
ON_PURPOSE = {
    "bounds.evaluation.compiled",
    "bounds.evaluation.evaluate",
    "bounds.evaluation.on_objects",
    "bounds.evaluation.resolve",
    "bounds.language.statement",
}

# Folders and modules that lie side by side and import each other, for the same reason: a statement evaluates
# itself, and has the objects of a lemma.
SIDE_BY_SIDE = [
    {"bounds.evaluation", "bounds.language"},
    {"bounds.language.lemmas", "bounds.language.proof", "bounds.language.statement"},
]


def files() -> dict[str, Path]:
    found = {}
    for floor in FLOORS:
        for path in (ROOT / floor).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(tree: ast.AST, known: Mapping[str, Path]) -> Iterator[str]:
    """What a module names in its imports, wherever they stand."""
    for node in walk_statements(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in known else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@cache
def graph() -> dict[str, set[str]]:
    known = files()
    return {
        name: {
            other
            for other in imported(ast.parse(path.read_text(encoding="utf-8")), known)
            if other in known and other != name
        }
        for name, path in known.items()
    }


def circles(arrows: Graph) -> list[set[str]]:
    """Sets of modules each of which reaches each other one."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            for other in arrows.get(waiting.pop(), set()) - seen:
                seen.add(other)
                waiting.append(other)
        return seen

    reach = {name: reached(name) for name in arrows}
    found: list[set[str]] = []
    for name in arrows:
        circle = {other for other in reach[name] if name in reach[other]}
        if circle and circle not in found:
            found.append(circle)
    return found


def test_the_only_circle_of_imports_is_the_facade_of_a_statement() -> None:
    assert [sorted(circle) for circle in circles(graph())] == [sorted(ON_PURPOSE)]


def inside(folder: str, arrows: Graph) -> Graph:
    """What lies in a folder, modules and folders, and what each imports of the others, as a whole."""
    depth = folder.count(".") + 2

    def part(name: str) -> str:
        return ".".join(name.split(".")[:depth])

    found: dict[str, set[str]] = {}
    for name, others in arrows.items():
        if name.startswith(f"{folder}."):
            below = {part(other) for other in others if other.startswith(f"{folder}.")}
            found.setdefault(part(name), set()).update(below - {part(name)})
    return found


def circles_of_rooms(arrows: Graph) -> list[set[str]]:
    folders = sorted({name.rpartition(".")[0] for name in arrows if "." in name})
    return [circle for folder in folders for circle in circles(inside(folder, arrows))]


def test_what_lies_side_by_side_does_not_import_each_other() -> None:
    """A value that two rooms need is in the lower of them, or below both."""
    assert circles_of_rooms(graph()) == SIDE_BY_SIDE


def test_a_planted_circle_of_rooms_is_seen() -> None:
    arrows = {name: {*others} for name, others in graph().items()}
    arrows["verify.audit.satisfiable.judge"].add("verify.audit.informative.judge")
    new = [circle for circle in circles_of_rooms(arrows) if circle not in SIDE_BY_SIDE]
    assert new == [{"verify.audit.informative", "verify.audit.satisfiable"}]


def test_a_planted_circle_is_seen() -> None:
    arrows = {name: {*others} for name, others in graph().items()}
    arrows["verify.records.refuted"] = {*arrows["verify.records.refuted"], "verify.ledger.recheck"}
    assert any({"verify.records.refuted", "verify.ledger.recheck"} <= circle for circle in circles(arrows))


def test_the_places_that_contributors_are_sent_to_are_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.partition("## Where to look\n")[2].partition("\n## ")[0]
    places = [place for place in re.findall(r"`([^`]+)`", table) if "/" in place and place != "witnesses/"]
    assert len(places) > 20
    assert [place for place in places if not (ROOT / place).exists()] == []
