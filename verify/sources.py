"""Digests of the code that makes a result: what acts and judges, and the files of one statement.

Code is compared as its syntax tree without docstrings, so comments, layout and line numbers change nothing,
and every constant and every operation does.
"""

import ast
import hashlib
import importlib
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from bounds import discovery

# In the order of the import law: what states, what acts, what judges.
PACKAGES: Final = ("bounds", "synthetic", "verify")
DOCUMENTED: Final = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
BLOCKS: Final = (ast.stmt, ast.excepthandler, ast.match_case)
PAPERS: Final = "papers"  # below `bounds`: statements, of which a result depends on its own alone
# The last digest of all code, beside what Python remembers of the same files: it takes 1.6 s to make.
REMEMBERED: Final = Path(__file__).parent / "__pycache__" / "code.digest"


@cache
def code() -> str:
    """A digest of the language, the engine and the judges, without any paper."""
    roots = {name: Path(str(importlib.import_module(name).__file__)).parent for name in PACKAGES}
    files = {
        f"{name}/{relative.as_posix()}": root / relative
        for name, root in roots.items()
        for relative in sorted(path.relative_to(root) for path in root.rglob("*.py"))
        if (name, relative.parts[0]) != ("bounds", PAPERS)
    }
    of_bytes = hashlib.sha256(sys.version.encode())
    for place, file in files.items():
        of_bytes.update(f"\0{place}\0{hashlib.sha256(file.read_bytes()).hexdigest()}".encode())
    if (known := _recall(of_bytes.hexdigest())) is not None:
        return known
    digest = _digest((place, _tree(file)) for place, file in files.items())
    _remember(of_bytes.hexdigest(), digest)
    return digest


def _recall(of_bytes: str) -> str | None:
    """The digest that was made of files with the same bytes, if it was the last one."""
    try:
        remembered, digest = REMEMBERED.read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return None
    return digest if remembered == of_bytes else None


def _remember(of_bytes: str, digest: str) -> None:
    """Nothing is written where Python writes nothing either: a folder of somebody else's, or python -B."""
    if sys.dont_write_bytecode:
        return
    unfinished = REMEMBERED.with_suffix(f".{os.getpid()}")
    with suppress(OSError):
        unfinished.write_text(f"{of_bytes} {digest}", encoding="ascii")
        unfinished.replace(REMEMBERED)


@cache
def statement(identity: str) -> str:
    """A digest of the file of a statement, and of all files of papers that it imports."""
    module = discovery.module_of(identity)
    # A package of another distribution may keep what its statements share beside the papers.
    root = discovery.HOME if module.startswith(f"{discovery.HOME}.") else module.partition(".")[0]
    found, open_ones = dict[str, ast.Module](), [module]
    while open_ones:
        name = open_ones.pop()
        if name in found or (file := _file_of(name)) is None:
            continue
        found[name] = _tree(file)
        inside = (other for other in _imported(found[name], name) if f"{other}.".startswith(f"{root}."))
        open_ones += [*inside, name.rpartition(".")[0]] if "." in name else inside
    return _digest(sorted(found.items()))


@cache
def package(key: str) -> str:
    """A digest of every file of an installed package: what its algorithms and problems do may be anywhere."""
    spec = find_spec(discovery.installed()[key])
    roots = [Path(root) for root in (spec.submodule_search_locations or ())] if spec is not None else []
    files = sorted(file for root in roots for file in root.rglob("*.py"))
    return _digest((file.as_posix(), _tree(file)) for file in files)


def packages_of(*names: str) -> list[str]:
    """Digests of the installed packages that these names of algorithms and problems begin with."""
    keys = {name.partition(".")[0] for name in names}
    return [package(key) for key in sorted(keys & discovery.installed().keys())]


def _digest(trees: Iterable[tuple[str, ast.Module]]) -> str:
    digest = hashlib.sha256()
    for name, tree in trees:
        digest.update(f"{name}\0{ast.dump(tree)}\0".encode())
    return digest.hexdigest()


def _tree(file: Path) -> ast.Module:
    tree = ast.parse(file.read_bytes())
    for node in walk_statements(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
    return tree


def walk_statements(node: ast.AST) -> Iterator[ast.AST]:
    """The node and every statement inside it, without expressions, which are nine tenths of a syntax tree."""
    yield node
    for part in ast.iter_child_nodes(node):
        if isinstance(part, BLOCKS):
            yield from walk_statements(part)


def _file_of(module: str) -> Path | None:
    """None for the name of a member, and for a package without a file."""
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:  # the member of a module
        return None
    return Path(spec.origin) if spec is not None and spec.origin is not None else None


def _imported(tree: ast.Module, module: str) -> Iterator[str]:
    """Names of modules, and of members that may be modules."""
    for node in walk_statements(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = module.rsplit(".", node.level)[0] if node.level else ""
            source = ".".join(filter(None, (above, node.module)))
            yield source
            yield from (f"{source}.{alias.name}" for alias in node.names)
