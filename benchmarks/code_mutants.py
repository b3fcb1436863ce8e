"""How often the tests catch a changed line of bounds/, synthetic/ or verify/, by tier.

    python benchmarks/code_mutants.py [--number 200] [--seed 20261123] [--at-most N] [--workers W]
                                       [--slow-files N] [--seconds S]

Draws mutants (a constant, a comparison, a sign, `and` and `or`, a lost `not`) and judges them in three
stages. First each one alone, in a copy of the tree, on the few test files of the first tier that are nearest
to its module. Then all that are left at once, on the whole first tier: if a test fails, the halves of the
mutants are tried on what failed, and so on down to one mutant, so that a tier runs once and not once a
mutant. Last, what the first tier misses, in the same way on the slow tests. A failure counts if the same test
passes in the copy without any change. Rows go to benchmarks/code_mutants.jsonl as they are found, so that a
run can be stopped and continued; benchmarks/code_mutants.md has the counts. A sample belongs to a state of
the tree: remove the rows before another state is judged.
"""

import argparse
import json
import random
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from code_mutants_drawn import Mutant, draw
from code_mutants_order import order_tests
from code_mutants_tried import Tests, Tree, settle
from machine import machine

ROOT = Path(__file__).resolve().parent.parent
ROWS = Path(__file__).with_suffix(".jsonl")
REPORT = Path(__file__).with_suffix(".md")
LEFTOVERS = shutil.ignore_patterns(
    "__pycache__", "*.egg-info", ".*_cache", ".hypothesis", ".git", ".venv", "out"
)
NEAREST = 6  # test files: most mutants need no more, and to collect everything takes half a minute
CAUGHT, MISSED, OUT_OF_TIME, LEFT = "caught", "missed", "out of time", "not tried"
VERDICTS = (CAUGHT, MISSED, OUT_OF_TIME, LEFT)
HEAD = """# Mutants of the code

What `python benchmarks/code_mutants.py` found: how many changed lines of bounds/, synthetic/ and
verify/ each tier of the tests catches. The rows are in [code_mutants.jsonl](code_mutants.jsonl).

{day}, {cores} cores of an {cpu} shared with other work, Python {python}, the tree of commit {commit}:
{tried} of {wanted} drawn mutants tried. Out of time says nothing about a tier.

| tests | caught | missed | out of time | not tried |
| --- | ---: | ---: | ---: | ---: |
{counts}

## Not caught by the first tier

A row says what the change does to a result where somebody has looked: its `note`, written by hand.

| place | operator | before | after | first tier | with slow tests | note |
| --- | --- | --- | --- | --- | --- | --- |
{missed}
"""
Row = dict[str, Any]


def read_rows(seed: int) -> list[Row]:
    if not ROWS.exists():
        return []
    rows = [json.loads(line) for line in ROWS.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["seed"] == seed]


def write(rows: list[Row], options: argparse.Namespace) -> None:
    ROWS.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    counts = "\n".join(
        f"| {title} | {' | '.join(str(sum(row[key] == v for row in rows)) for v in VERDICTS)} |"
        for title, key in (
            ("first tier (`make test`)", "tier_one"),
            (_name_everything(options.slow_files), "everything"),
        )
    )
    missed = "\n".join(_line(row) for row in rows if row["tier_one"] != CAUGHT)
    here = machine()
    REPORT.write_text(
        HEAD.format(
            day=date.today(), cores=here["cores"], cpu=here["cpu"], python=here["python"],
            commit=rows[0]["commit"], tried=len(rows), wanted=options.number,
            counts=counts, missed=missed,
        ),
        encoding="utf-8",
    )  # fmt: skip


def _name_everything(slow_files: int | None) -> str:
    if slow_files is None:
        return "everything (`make test-all`)"
    return f"first tier, and the slow tests of the {slow_files} files nearest to each mutant"


def _line(row: Row) -> str:
    before, after = (f"`{str(row[k]).replace('|', chr(92) + '|')}`" for k in ("before", "after"))
    cells = (
        f"{row['path']}:{row['line']}", row["operator"], before, after, row["tier_one"], row["everything"],
        row.get("note", ""),
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"


def row_of(mutant: Mutant, number: int, seed: int, commit: str) -> Row:
    return {
        "seed": seed, "commit": commit, "number": number, "path": mutant.path, "line": mutant.line,
        "operator": mutant.operator, "before": mutant.before, "after": mutant.after,
        "tier_one": LEFT, "everything": LEFT, "by": None,
    }  # fmt: skip


def commit_of_now() -> str:
    command = ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def note(row: Row, by: str | None, tiers: tuple[str, ...], otherwise: str) -> None:
    """What a stage found: a test that failed, None if the time was over, "" if every test passed."""
    for tier in tiers:
        row[tier] = CAUGHT if by else OUT_OF_TIME if by is None else otherwise
    row["by"] = by or row["by"]


def nearest_files(tree: Tree, mutants: list[Mutant], number: int) -> list[str]:
    found = {file for mutant in mutants for file in order_tests(tree.root, mutant.path)[:number]}
    return sorted(found)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--number", type=int, default=200, help="mutants of the sample")
    parser.add_argument("--seed", type=int, default=20261128)
    parser.add_argument("--at-most", type=int, default=10**6, help="mutants that the first stage adds")
    parser.add_argument("--workers", type=int, default=2, help="processes of a stage")
    parser.add_argument("--slow-files", type=int, help="only slow tests of so many nearest files")
    parser.add_argument("--seconds", type=float, default=3600.0, help="limit for a run of tests")
    options = parser.parse_args()
    drawn = draw(ROOT, options.number, random.Random(options.seed))
    rows = read_rows(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        trees = [
            Tree(Path(shutil.copytree(ROOT, Path(folder) / f"tree{number}", ignore=LEFTOVERS)))
            for number in range(options.workers)
        ]
        try_nearest(trees, drawn, rows, options)
        try_first_tier(trees[0], drawn, rows, options)
        try_slow_tests(trees[0], drawn, rows, options)


def try_nearest(trees: list[Tree], drawn: list[Mutant], rows: list[Row], options: argparse.Namespace) -> None:
    """Each mutant that has no row yet, alone, in whichever copy of the tree is free."""
    commit = rows[0]["commit"] if rows else commit_of_now()
    free: SimpleQueue[Tree] = SimpleQueue()
    for tree in trees:
        free.put(tree)

    def judge(number: int) -> Row:
        mutant, tree = drawn[number], free.get()
        row = row_of(mutant, number, options.seed, commit)
        files = order_tests(tree.root, mutant.path)[:NEAREST]
        near = Tests("not slow", tuple(files), stop=True, workers=0, seconds=options.seconds)
        for by in settle(tree, [mutant], near).values():
            note(row, by, ("tier_one", "everything"), LEFT)
        free.put(tree)
        return row

    with ThreadPoolExecutor(len(trees)) as pool:
        for row in pool.map(judge, range(len(rows), min(len(drawn), len(rows) + options.at_most))):
            rows.append(row)
            write(rows, options)
            print(f"{row['number']} {_line(row)}", flush=True)


def try_first_tier(tree: Tree, drawn: list[Mutant], rows: list[Row], options: argparse.Namespace) -> None:
    """What the nearest tests miss, all at once."""
    left = [drawn[row["number"]] for row in rows if row["tier_one"] == LEFT]
    tests = Tests("not slow", ("tests",), workers=options.workers, seconds=options.seconds)
    found = settle(tree, left, tests)
    for row in rows:
        if (mutant := drawn[row["number"]]) in found:
            note(row, found[mutant], ("tier_one", "everything"), MISSED)
            row["everything"] = LEFT if row["tier_one"] == MISSED else row["everything"]
    write(rows, options)


def try_slow_tests(tree: Tree, drawn: list[Mutant], rows: list[Row], options: argparse.Namespace) -> None:
    """What the first tier misses, all at once."""
    left = [drawn[row["number"]] for row in rows if row["everything"] == LEFT]
    few = options.slow_files
    files = ["tests"] if few is None else nearest_files(tree, left, few)
    tests = Tests("slow", tuple(files), workers=options.workers, seconds=options.seconds)
    found = settle(tree, left, tests)
    for row in rows:
        if (mutant := drawn[row["number"]]) in found:
            note(row, found[mutant], ("everything",), MISSED)
    write(rows, options)


if __name__ == "__main__":
    main()
