"""A notebook of the gallery as a page: its code is run, in order, and what it prints stands below."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

# Runs the cells in one namespace; the value of a last expression is printed as a prompt would.
RUNNER: Final = """
import ast, contextlib, io, json, sys
names, shown = {"__name__": "__main__"}, []
for source in json.load(sys.stdin):
    tree, out = ast.parse(source), io.StringIO()
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(out):
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
            if value is not None:
                print(repr(value))
    shown.append(out.getvalue())
json.dump(shown, sys.stdout)
"""


class FailedNotebook(RuntimeError):
    """A notebook of ours whose code raises."""


def render(notebook: Path) -> str:
    """Markdown with the output of each cell."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    outputs = iter(run_cells(notebook, [_source(c) for c in cells if c["cell_type"] == "code"]))
    parts = []
    for cell in cells:
        text = _source(cell)
        if cell["cell_type"] == "code":
            shown = next(outputs).rstrip("\n")
            text = f"```python\n{text}\n```" + (f"\n\n```text\n{shown}\n```" if shown else "")
        parts.append(text)
    return "\n\n".join(parts) + "\n"


def run_cells(notebook: Path, sources: list[str]) -> list[str]:
    """What each cell prints, in a fresh process."""
    done = subprocess.run(
        [sys.executable, "-c", RUNNER], input=json.dumps(sources), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise FailedNotebook(f"{notebook.name}: {done.stderr.strip().splitlines()[-1]}")
    found: list[str] = json.loads(done.stdout)
    return found


def _source(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])
