"""How often the tests catch a changed line of bounds/, synthetic/ or verify/, by tier.

    python benchmarks/code_mutants.py [--number 200] [--seed 20261123] [--at-most N] [--seconds S]
                                       [--first-tier-alone]

Draws mutants (a constant, a comparison, a sign, `and` and `or`, a lost `not`), puts each into a copy of the
tree and runs the tests, those nearest to the changed module first, until one fails. Only what the first
tier misses is shown to the slow tests. A failure counts if the same test passes in the copy without the
change. Rows go to benchmarks/code_mutants.jsonl, so that a run can be stopped and continued;
benchmarks/code_mutants.md has the counts. A sample belongs to a state of the tree: remove the rows before
another state is judged.
"""

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

from code_mutants_drawn import Mutant, draw
from code_mutants_order import in_order
from machine import machine

ROOT = Path(__file__).resolve().parent.parent
ROWS = Path(__file__).with_suffix(".jsonl")
REPORT = Path(__file__).with_suffix(".md")
LEFTOVERS = shutil.ignore_patterns(
    "__pycache__", "*.egg-info", ".*_cache", ".hypothesis", ".git", ".venv", "out"
)
# Test files of the first two runs: most mutants need no more, and to collect everything takes half a minute.
NEAREST = (6, 30)
CAUGHT, MISSED, OUT_OF_TIME, NOT_TRIED = "caught", "missed", "out of time", "not tried"
VERDICTS = (CAUGHT, MISSED, OUT_OF_TIME, NOT_TRIED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    seed: int
    number: int
    path: str
    line: int
    operator: str
    before: str
    after: str
    tier_one: str
    everything: str
    by: str | None  # the test that failed
    seconds: float


def failing(
    tree: Path, selection: str, files: list[str], passed_over: set[str], seconds: float
) -> str | None:
    """The first test that fails, "" if none does; None if the time is over."""
    if not files:
        return ""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "--tb=no",
        "-p",
        "no:cacheprovider",
        "-m",
        selection,
    ]
    command += [f"--deselect={name}" for name in sorted(passed_over)] + files
    environment = os.environ | {"PYTHONPATH": str(tree), "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    environment |= {
        "COLUMNS": "1000",
        "PYTHONDONTWRITEBYTECODE": "1",
    }  # whole names; a stale .pyc hides a change
    with subprocess.Popen(
        command, cwd=tree, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        start_new_session=True,
    ) as process:  # fmt: skip
        try:
            output, _ = process.communicate(timeout=max(seconds, 1.0))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # with what its tests have started
            return None
    if process.returncode in (0, 5):  # 5: every test is in the other tier
        return ""
    found = re.search(r"^(?:FAILED|ERROR) (tests/\S+?\.py(?:::.*?)?)(?: - .*)?$", output, flags=re.M)
    return found[1] if found else "the tests do not start"


def verdict(
    tree: Path, mutant: Mutant, selection: str, files: list[str], until: float
) -> tuple[str, str | None]:
    """What a tier says of a mutant; failures that the unchanged tree has too are passed over."""
    passed_over: set[str] = set()
    place = tree / mutant.path
    original = place.read_text(encoding="utf-8")
    first, second = NEAREST
    for part in (files[:first], files[first:second], files[second:]):
        while True:
            place.write_text(mutant.text(original), encoding="utf-8")
            try:
                name = failing(tree, selection, part, passed_over, until - time.monotonic())
            finally:
                place.write_text(original, encoding="utf-8")
            if name is None:
                return OUT_OF_TIME, None
            if not name:
                break
            alone = [name] if name.startswith("tests/") else files[:1]
            if not failing(tree, selection, alone, set(), 300.0):
                return CAUGHT, name
            passed_over.add(name)
    return MISSED, None


def judged(tree: Path, mutant: Mutant, number: int, options: argparse.Namespace) -> Row:
    began = time.monotonic()
    files = in_order(tree, mutant.path)
    first, by = verdict(tree, mutant, "not slow", files, began + options.seconds)
    everything = first
    if first != CAUGHT and options.first_tier_alone:
        everything = NOT_TRIED
    elif first != CAUGHT:
        slow, by = verdict(tree, mutant, "slow", files, time.monotonic() + options.seconds)
        everything = CAUGHT if slow == CAUGHT else OUT_OF_TIME if OUT_OF_TIME in (first, slow) else MISSED
    said = {"path": mutant.path, "line": mutant.line, "operator": mutant.operator}
    said |= {"before": mutant.before, "after": mutant.after}
    return Row(
        seed=options.seed, number=number, tier_one=first, everything=everything, by=by,
        seconds=round(time.monotonic() - began, 1), **said,
    )  # fmt: skip


def kept_rows() -> list[dict[str, object]]:
    return (
        [json.loads(line) for line in ROWS.read_text(encoding="utf-8").splitlines()] if ROWS.exists() else []
    )


def report(rows: list[dict[str, object]], wanted: int) -> str:
    def count(key: str, value: str) -> int:
        return sum(row[key] == value for row in rows)

    here = machine()
    lines = [
        "# Mutants of the code",
        "",
        "What `python benchmarks/code_mutants.py` found: how many changed lines of bounds/, synthetic/ and",
        "verify/ each tier of the tests catches. The rows are in [code_mutants.jsonl](code_mutants.jsonl).",
        "",
        f"{date.today()}, {here['cores']} cores of an {here['cpu']} shared with other work,",
        f"Python {here['python']}:",
        f"{len(rows)} of {wanted} drawn mutants tried. Out of time says nothing about a tier.",
        "",
        "| tests | caught | missed | out of time | not tried |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for title, key in (
        ("first tier (`make test`)", "tier_one"),
        ("everything (`make test-all`)", "everything"),
    ):
        lines.append(f"| {title} | {' | '.join(str(count(key, v)) for v in VERDICTS)} |")
    lines += ["", "## Not caught by the first tier", ""]
    lines += [
        "| place | operator | before | after | first tier | everything |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        if row["tier_one"] != CAUGHT:
            before, after = (f"`{str(row[k]).replace('|', chr(92) + '|')}`" for k in ("before", "after"))
            place = f"{row['path']}:{row['line']}"
            cells = (place, row["operator"], before, after, row["tier_one"], row["everything"])
            lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--number", type=int, default=200, help="mutants of the sample")
    parser.add_argument("--seed", type=int, default=20261123)
    parser.add_argument("--at-most", type=int, default=10**6, help="mutants of this run")
    parser.add_argument("--seconds", type=float, default=1800.0, help="limit for a mutant and a tier")
    parser.add_argument("--first-tier-alone", action="store_true", help="try nothing on the second tier")
    options = parser.parse_args()
    drawn = draw(ROOT, options.number, random.Random(options.seed))
    done = {row["number"] for row in kept_rows() if row["seed"] == options.seed}
    todo = [number for number in range(len(drawn)) if number not in done][: options.at_most]
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(shutil.copytree(ROOT, Path(folder) / "tree", ignore=LEFTOVERS))
        for number in todo:
            row = judged(tree, drawn[number], number, options)
            with ROWS.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(row)) + "\n")
            change = f"{row.path}:{row.line} {row.before} -> {row.after}"
            print(f"{number} {change}: {row.tier_one}, {row.everything}", flush=True)
            rows = [row for row in kept_rows() if row["seed"] == options.seed]
            REPORT.write_text(report(rows, len(drawn)), encoding="utf-8")


if __name__ == "__main__":
    main()
