"""Tests on a copy of the tree with some mutants in it, and which of the mutants made a test fail."""

import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

from code_mutants_drawn import Mutant

# A test without the values of its case, which a mutant may change.
FAILED = re.compile(r"^(?:FAILED|ERROR) (tests/\S+?\.py(?:::[^\[\s]+)?)", flags=re.M)
NOTHING_FAILED = (0, 5)  # 5: every test is in the other tier


@dataclass(frozen=True, slots=True)
class Tests:
    selection: str  # what -m takes
    names: tuple[str, ...]
    stop: bool = False  # at the first failure
    workers: int = 0
    seconds: float = 3600.0


@dataclass(frozen=True, slots=True)
class Tree:
    root: Path
    failing_anyway: set[str] = field(default_factory=set)
    passing: set[str] = field(default_factory=set)  # seen to pass without any change


def failing(tree: Tree, tests: Tests) -> tuple[str, ...] | None:
    """The tests that fail in the tree as it is; None if the time is over."""
    command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-p", "no:cacheprovider"]
    command += ["-n", str(tests.workers), "--dist", "loadfile", "-m", tests.selection]
    command += ["-x"] if tests.stop else []
    command += [f"--deselect={name}" for name in sorted(tree.failing_anyway)] + list(tests.names)
    environment = os.environ | {"PYTHONPATH": str(tree.root)}
    environment |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    # Names in full; and a stale .pyc would hide a change.
    environment |= {"COLUMNS": "1000", "PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen(
        command, cwd=tree.root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        process_group=0,  # not a session of its own, which would not share the low priority of this one
    ) as process:  # fmt: skip
        try:
            output, _ = process.communicate(timeout=tests.seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # with what its tests have started
            return None
    if process.returncode in NOTHING_FAILED:
        return ()
    return tuple(dict.fromkeys(FAILED.findall(output))) or tests.names  # the tests do not even start


def failing_with(tree: Tree, mutants: list[Mutant], tests: Tests) -> tuple[str, ...] | None:
    originals = {path: (tree.root / path).read_text(encoding="utf-8") for path in {m.path for m in mutants}}
    try:
        for path, original in originals.items():
            text = original
            for mutant in sorted((m for m in mutants if m.path == path), key=lambda m: -m.start):
                text = mutant.text(text)
            (tree.root / path).write_text(text, encoding="utf-8")
        return failing(tree, tests)
    finally:
        for path, original in originals.items():
            (tree.root / path).write_text(original, encoding="utf-8")


def failing_for_them(tree: Tree, mutants: list[Mutant], tests: Tests) -> tuple[str, ...] | None:
    """Without what fails in the unchanged tree too. A run that stopped at such a test is made again."""
    while found := failing_with(tree, mutants, tests):
        if unseen := tuple(name for name in found if name not in tree.passing):
            anyway = failing(tree, replace(tests, names=unseen, stop=False))
            if anyway is None:
                return None
            tree.failing_anyway.update(anyway)
            tree.passing.update(set(unseen) - set(anyway))
        if left := tuple(name for name in found if name not in tree.failing_anyway):
            return left
        if not tests.stop:
            return ()
    return found


def settle(tree: Tree, mutants: list[Mutant], tests: Tests) -> dict[Mutant, str | None]:
    """A test that fails because of the mutant, "" if none does, None if the time was over."""
    found: dict[Mutant, str | None] = {}
    for group in disjoint(mutants):
        found |= _halved(tree, group, tests)
    return found


def _halved(tree: Tree, mutants: list[Mutant], tests: Tests) -> dict[Mutant, str | None]:
    failed = failing_for_them(tree, mutants, tests)
    if failed == ():
        return dict.fromkeys(mutants, "")
    if len(mutants) == 1:
        return {mutants[0]: None if failed is None else failed[0]}
    middle = len(mutants) // 2
    # What failed for all of them tells them apart; with no answer in time, the halves run everything.
    below = tests if failed is None else replace(tests, names=failed)
    return _halved(tree, mutants[:middle], below) | _halved(tree, mutants[middle:], below)


def disjoint(mutants: list[Mutant]) -> list[list[Mutant]]:
    """Groups in which no two mutants touch the same text."""
    groups: list[list[Mutant]] = []
    for mutant in mutants:
        for group in groups:
            if not any(_overlap(mutant, other) for other in group):
                group.append(mutant)
                break
        else:
            groups.append([mutant])
    return groups


def _overlap(one: Mutant, other: Mutant) -> bool:
    return one.path == other.path and one.start < other.end and other.start < one.end
