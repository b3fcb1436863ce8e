"""Places in the code that can be changed, and what each becomes; a sample of them by a seed."""

import ast
import copy
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGES = ("bounds", "synthetic", "verify")
NEGATED = {
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
TURNED = {ast.Add: ast.Sub, ast.Sub: ast.Add}
SWAPPED = {ast.And: ast.Or, ast.Or: ast.And}
# What lies in these is no expression whose value a test could see, or has no exact place in the text.
UNTOUCHED = (ast.JoinedStr,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    path: str
    line: int
    operator: str
    before: str
    after: str
    start: int  # in bytes of the file
    end: int

    def text(self, original: str) -> str:
        raw = original.encode()
        return (raw[: self.start] + f"({self.after})".encode() + raw[self.end :]).decode()


def changed(node: ast.AST) -> tuple[str, ast.expr] | None:
    """The operator and the expression that takes the place of the node's."""
    other = copy.copy(node)  # its parts are those of the node, and stay as they are
    match other:
        case ast.Constant(value=bool()):
            return None
        case ast.Constant(value=int(x)):
            return "constant", ast.Constant(x + 1)
        case ast.Constant(value=float(x)):
            return "constant", ast.Constant(2 * x if x else 1.0)
        case ast.Compare(ops=[op]):
            other.ops = [NEGATED[type(op)]()]
            return "comparison", other
        case ast.BinOp(op=ast.Add() | ast.Sub() as op) if not _is_text(other.left) and not _is_text(
            other.right
        ):
            other.op = TURNED[type(op)]()
            return "sign", other
        case ast.BoolOp(op=op):
            other.op = SWAPPED[type(op)]()
            return "and, or", other
        case ast.UnaryOp(op=ast.Not() | ast.USub() as op, operand=operand):
            return ("not" if isinstance(op, ast.Not) else "sign"), operand
    return None


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _expressions(node: ast.AST) -> Iterator[ast.AST]:
    """Without annotations, which are not run."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, UNTOUCHED):
                yield child
                yield from _expressions(child)


def places(root: Path, path: Path) -> Iterator[Mutant]:
    text = path.read_text(encoding="utf-8")
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in _expressions(ast.parse(text)):
        if (found := changed(node)) is not None:
            assert isinstance(node, ast.expr)
            assert node.end_lineno is not None
            assert node.end_col_offset is not None
            yield Mutant(
                path=path.relative_to(root).as_posix(), line=node.lineno, operator=found[0],
                before=ast.unparse(node), after=ast.unparse(found[1]),
                start=starts[node.lineno - 1] + node.col_offset,
                end=starts[node.end_lineno - 1] + node.end_col_offset,
            )  # fmt: skip


def draw(root: Path, number: int, chance: random.Random) -> list[Mutant]:
    """As many of each package, since the statements of bounds/ would otherwise be most of the sample."""
    drawn: list[Mutant] = []
    for position, package in enumerate(PACKAGES):
        every = [m for path in sorted((root / package).rglob("*.py")) for m in places(root, path)]
        share = number // len(PACKAGES) + (position < number % len(PACKAGES))
        drawn += chance.sample(every, min(share, len(every)))
    chance.shuffle(drawn)  # the first rows are a sample too
    return drawn
