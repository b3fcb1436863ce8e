"""Every planted slip, examined by `conform`: the line that differs, its cause, and false alarms.

    python benchmarks/conform.py

The slips and the right implementations are those of tests/verify/conformance. It writes benchmarks/conform.md
and ends with an error if fewer than 95% of the slips are found at their line, fewer than 80% get their cause,
or right code is said to differ.
"""

import sys
import tempfile
import time
from collections import defaultdict
from datetime import date
from pathlib import Path

from machine import machine

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "synthetic"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "verify" / "conformance"))

from others import RIGHT
from others_replayed import RIGHT as REPLAYED
from others_replayed import WHOLE
from slips_planted import FILES, PLANTED, Planted, function

from verify import conform

REPORT = Path(__file__).with_suffix(".md")
LINES, CAUSES = 0.95, 0.8
Row = tuple[Planted, str, str, bool, bool, bool, float]


def examine(planted: Planted, folder: str) -> Row:
    code = function(folder, planted.algorithm, planted.old, planted.new)
    began = time.process_time()
    found = conform(code, like=planted.algorithm)
    seconds = time.process_time() - began
    differing = {line.line.locator: line.observation for line in found.differing}
    at_line = planted.line in differing
    cause = at_line and differing[planted.line].slip == planted.slip
    named = (differing[planted.line].cause or "no known slip") if at_line else "-"
    return planted, ", ".join(differing) or "-", named, at_line, cause, len(differing) == 1, seconds


def alarms(folder: str) -> tuple[int, list[str]]:
    """How many right implementations were examined, and those that are said to differ."""
    right = [(name, function(folder, name), "numpy") for name in FILES]
    every = [*right, *RIGHT, *REPLAYED, *WHOLE]
    found = [_name(code) for name, code, lib in every if conform(code, like=name, library=lib).differing]
    return len(every), found


def _name(code: object) -> str:
    name: str = getattr(getattr(code, "round", code), "__name__", "")
    return name


def table(rows: list[Row], right: tuple[int, list[str]]) -> str:
    count = len(rows)
    lines, causes, only = (sum(row[i] for row in rows) for i in (3, 4, 5))
    by_algorithm = defaultdict(list)
    for row in rows:
        by_algorithm[row[0].algorithm].append(row)
    counts = ", ".join(f"{name} {len(of)}" for name, of in by_algorithm.items())
    slowest = max(row[6] for row in rows)
    text = [
        "# Planted slips that conform finds",
        "",
        f"`python benchmarks/conform.py`, {date.today()}, {machine()['cpu']}, {machine()['cores']} cores.",
        "",
        f"{lines} of {count} slips differ at the line that they break, {causes} with the cause",
        f"of the catalog ({only} of {count} at that line alone). A slip that it does not have counts as",
        f"right if no cause is named. {len(right[1])} of {right[0]} right implementations differ.",
        f"The slowest check took {slowest:.1f} s of CPU. Slips by algorithm: {counts}.",
        "",
        "The catalog of causes was written together with these slips: the counts say that its entries are",
        "recognized, not how many slips of other people it covers.",
        "",
        "| algorithm | slip | line | lines that differ | cause that is named |",
        "|---|---|---|---|---|",
    ]
    text += [f"| {p.algorithm} | {p.name} | {p.line} | {differ} | {cause} |" for p, differ, cause, *_ in rows]
    missed = defaultdict(list)
    for planted, *_, at_line, cause, _, _ in rows:
        if not (at_line and cause):
            missed[planted.algorithm].append(planted.name)
    text += ["", "Missed: " + ("; ".join(f"{a}: {', '.join(n)}" for a, n in missed.items()) or "none") + "."]
    return "\n".join(text) + "\n"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        rows = [examine(planted, folder) for planted in PLANTED]
        right = alarms(folder)
    REPORT.write_text(table(rows, right), encoding="utf-8")
    lines, causes = (sum(row[i] for row in rows) / len(rows) for i in (3, 4))
    if lines < LINES or causes < CAUSES or right[1]:
        sys.exit(f"{lines:.0%} at the right line, {causes:.0%} with the right cause, alarms: {right[1]}")


if __name__ == "__main__":
    main()
