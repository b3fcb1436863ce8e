"""Every statement is written in one order, that of the fields of the class."""

import ast
from dataclasses import fields
from pathlib import Path

import pytest
from every_statement import statement_makers

from bounds.language.statement import Amendment, Statement

ROOT = Path(__file__).parents[2]
# what an amended form changes, and why, comes before what it then says
RANK = {field.name: rank for rank, field in enumerate([*fields(Amendment), *fields(Statement)])}
FILES = [
    *sorted((ROOT / "bounds" / "papers").rglob("*.py")),
    ROOT / "reports/templates/package/theorem.py.txt",
    ROOT / "reports/templates/package/bound.py.txt",
    ROOT / "docs/your_theorem.md",
]


def program(file: Path) -> str:
    """The Python of a file; of a document, its last block that is a file."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".md":
        return text.split("```python file=")[-1].split("\n", 1)[1].split("```")[0]
    return text.replace("@PAPER@", "paper").replace("@NAME@", "name")


def out_of_order(source: str) -> list[str]:
    """The calls that make a statement and give its fields in another order."""
    found, tree = [], ast.parse(source)
    makers = statement_makers(tree)
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            continue
        names = [keyword.arg for keyword in call.keywords if keyword.arg is not None]
        makes_one = call.func.id in makers and RANK.keys() >= set(names)
        if makes_one and names != sorted(names, key=RANK.__getitem__):
            found.append(f"{call.lineno}: {', '.join(names)}")
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_statements_have_the_order_of_the_fields(file: Path) -> None:
    assert out_of_order(program(file)) == []


@pytest.mark.parametrize("call", ["Statement(", "amend(THEOREM, change=c, ", "replace(THEOREM, ", "claim("])
def test_another_order_is_caught(call: str) -> None:
    call = f"claim = partial(Statement, kind=CLAIM)\nA = {call}"
    assert out_of_order(f"{call}printed=p, reading=r, terms=t)") == []
    (found,) = out_of_order(f"{call}reading=r, printed=p)")
    assert found.endswith("reading, printed")
    assert out_of_order("T = replace(TERM, vanishes='never', expression=0)") == []
