"""The statements of a source file, without its expressions, which are nine tenths of a syntax tree."""

import ast
from collections.abc import Iterator

BLOCKS = ast.stmt | ast.excepthandler | ast.match_case


def walk_statements(node: ast.AST) -> Iterator[ast.AST]:
    """The node itself, and every statement inside it, however deep."""
    yield node
    for part in ast.iter_child_nodes(node):
        if isinstance(part, BLOCKS):
            yield from walk_statements(part)
