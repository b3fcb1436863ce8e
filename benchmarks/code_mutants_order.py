"""Test files in the order in which they are likely to notice a changed module: nearest imports first."""

import ast
from collections import deque
from functools import cache
from pathlib import Path

PACKAGES = ("bounds", "synthetic", "verify", "reports")
# Discovery imports these by their place, so that no import statement names them.
DISCOVERED = {
    "bounds.discovery": "bounds.papers.", "verify.matching.joined": "verify.papers.",
}  # fmt: skip


def imported(path: Path) -> set[str]:
    """Names of modules, and of what is taken from them, which may be modules too."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            package = path.parent.parts[-node.level + 1 :] if node.level > 1 else path.parent.parts
            base = (
                ".".join((*_below(package), *([node.module] if node.module else [])))
                if node.level
                else node.module
            )
            names |= {str(base)} | {f"{base}.{alias.name}" for alias in node.names}
    return names


def _below(parts: tuple[str, ...]) -> tuple[str, ...]:
    """From the package on."""
    first = max((i for i, part in enumerate(parts) if part in PACKAGES), default=len(parts))
    return parts[first:]


def module(root: Path, path: Path) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


@cache
def importers(root: Path) -> dict[str, set[str]]:
    """Who imports a module: modules by name, test files by path."""
    paths = [path for package in PACKAGES for path in (root / package).rglob("*.py")]
    names = {module(root, path): path for path in paths}
    users = {name: imported(path) for name, path in names.items()}
    users |= {p.relative_to(root).as_posix(): imported(p) for p in (root / "tests").rglob("test_*.py")}
    found: dict[str, set[str]] = {name: set() for name in names}
    for user, taken in users.items():
        for name in taken & names.keys():
            found[name].add(user)
    for finder, prefix in DISCOVERED.items():
        for name in names:
            if name.startswith(prefix):
                found[name].add(finder)
    return found


def order_tests(root: Path, path: str) -> list[str]:
    """Every test file; those whose name speaks of the module first, then by the number of imports between."""
    start = module(root, root / path)
    distance, queue, edges = {start: 0}, deque([start]), importers(root)
    while queue:
        here = queue.popleft()
        for user in sorted(edges.get(here, ())):
            if user not in distance:
                distance[user] = distance[here] + 1
                queue.append(user)
    words = set(start.split(".")) - {"papers"}
    first = set()
    if start.startswith("bounds.papers."):  # the certificate of a proof, or the numbers of a statement
        first = {"tests/verify/test_prove.py" if ".proofs." in start else "tests/bounds/test_golden.py"}

    def key(test: str) -> tuple[bool, int, int]:
        stem = Path(test).stem.removeprefix("test_")
        return stem not in words and test not in first, distance.get(test, 1000), (root / test).stat().st_size

    tests = [p.relative_to(root).as_posix() for p in (root / "tests").rglob("test_*.py")]
    return sorted(tests, key=key)
