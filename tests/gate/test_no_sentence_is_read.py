"""No program reads a sentence: a fact that code needs is a value of its own.

Fields that hold sentences are printed, copied and compared as a whole. What takes one apart is found in the
syntax trees of the floors.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SENTENCES = {
    *("sentence", "evidence", "where", "standing", "meaning", "pays_for", "remark", "role", "right"),
    *("because", "reading", "title", "detail"),
}
READERS = {
    *("startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition", "split", "rsplit"),
    *("replace", "find", "index", "match", "search", "fullmatch", "findall", "sub", "finditer"),
}
# What is left, with the value that should be there instead.
LEFT = {
    "reports/documents/record.py": "an entry of a record has its verdict inside the sentence, and is on file",
    "verify/records/follows.py": "whether that sentence and the verdict of an entry agree is what it asks",
}


def fields(node: ast.AST) -> Iterator[str]:
    """Names of fields that an expression takes from an object or a mapping."""
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute):
            yield part.attr
        elif isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Constant):
            yield str(part.slice.value)
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == "get":
            yield from (str(a.value) for a in part.args[:1] if isinstance(a, ast.Constant))


def reads(tree: ast.AST) -> list[int]:
    """Lines on which a method of text, or a pattern, takes a sentence apart."""
    found = []
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        if call.func.attr in READERS:
            taken = [call.func.value, *call.args]
            found += [call.lineno] * any(SENTENCES & set(fields(part)) for part in taken)
    return found


def test_no_program_reads_a_sentence() -> None:
    rooms = (
        "bounds/language",
        "bounds/evaluation",
        "verify",
        "reports",
    )  # papers declare and compute nothing
    files = [file for room in rooms for file in Path(room).rglob("*.py")]
    found = {str(file): reads(ast.parse(file.read_text(encoding="utf-8"))) for file in files}
    assert {file for file, lines in found.items() if lines} == LEFT.keys(), found


@pytest.mark.parametrize(
    "planted",
    [
        'section["standing"].split(" ")[0]',
        'shown["evidence"].startswith("units: ")',
        'judged.sentence.replace("the bound", "it")',
        'str(row.get("sentence", "")).removeprefix("refuted: ")',
        "pattern.search(quantity.meaning)",
        're.split(", ", term.pays_for)',
        "any(cell.role.startswith(name) for cell in cells)",
    ],
)
def test_what_takes_a_sentence_apart_is_found(planted: str) -> None:
    assert reads(ast.parse(planted))


def test_what_prints_or_compares_a_sentence_is_let_through() -> None:
    assert not reads(ast.parse('f"{found.sentence}, {name.split()}" + other["where"]'))
    assert not reads(ast.parse('cell.role == "heterogeneous"'))
