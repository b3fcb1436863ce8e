"""Whose code failed: an exception that goes through an installed paper is for its author to mend."""

import ast
import sys
from collections.abc import Iterator
from traceback import walk_tb
from types import FrameType

from bounds import errors
from bounds.discovery import broken, installed
from bounds.language.statement import Statement


def blamed(error: BaseException) -> errors.BrokenPaper | None:
    """The installed paper whose code, or else whose statement, the innermost call that knows one is about."""
    papers = installed()
    calls = list(walk_tb(error.__traceback__))[::-1]
    for frame, line in calls:
        for key, package in papers.items():
            root = package.partition(".")[0]
            if str(frame.f_globals.get("__name__")).partition(".")[0] == root:
                place = f"{frame.f_code.co_filename}, line {line}"
                return broken(key, root, "cannot be used", place, error)
    for frame, _ in calls:
        for statement in _statements_in(frame):
            if (key := statement.paper.key) in papers:
                return _undecided(statement, papers[key].partition(".")[0], calls[0], error)
    return None


def _undecided(
    statement: Statement, root: str, innermost: tuple[FrameType, int], error: BaseException
) -> errors.BrokenPaper:
    """No code of the paper's was running: the statement may be at fault, and so may fedbounds."""
    frame, line = innermost
    what = f"{type(error).__name__}: {' '.join(str(error).split()) or 'without a word'}"
    return errors.BrokenPaper(
        f"the paper {statement.paper.key} of the package {root} cannot be used: {statement.id} "
        f"({_defined(statement, root)}) made fedbounds fail in {frame.f_code.co_filename}, line {line}: "
        f"{what}; if the statement is written as docs/your_theorem.md says, this is a defect of fedbounds: "
        "report it"
    )


def _statements_in(frame: FrameType) -> Iterator[Statement]:
    return (value for value in frame.f_locals.values() if isinstance(value, Statement))


def _defined(statement: Statement, root: str) -> str:
    """File and line where the statement, or another form of it, is assigned to a name."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] != root or not getattr(module, "__file__", None):
            continue
        for variable, value in vars(module).items():
            if isinstance(value, Statement) and value.locator == statement.locator:
                line = _line(str(module.__file__), variable)
                if line is not None:
                    return f"{module.__file__}, line {line}"
    return root


def _line(file: str, variable: str) -> int | None:
    try:
        with open(file, encoding="utf-8") as stream:
            tree = ast.parse(stream.read())
    except (OSError, ValueError, SyntaxError):
        return None
    assigned = (node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign))
    for node in assigned:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(isinstance(target, ast.Name) and target.id == variable for target in targets):
            return node.lineno
    return None
