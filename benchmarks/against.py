"""Verification of this tree against that of an earlier commit: the cells that both have, on the same numbers.

    python benchmarks/against.py [COMMIT] [--turns N] [--cells N]

Processor time of judging, with problems and their constants and without imports, trees taking turns; verdicts
must be the same, and how far estimates are apart is told. Cells are equal where their digests are: statement,
problem, parameters and what the engine needs. The commit is read from the history of this checkout; without
one it is the last whose engine took local steps one by one.
"""

import argparse
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from io import BytesIO
from math import inf, isfinite
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent.parent
STEP_BY_STEP = "33f2b5e"
LEVEL, SEED, REPLICATES = 1e-4, 20240601, 2048
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("commit", nargs="?", default=STEP_BY_STEP)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--cells", type=int, default=60, help="at most so many, spread over all")
    parser.add_argument("--judge", type=json.loads, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.judge is not None:
        json.dump(_digests() if not given.judge else _judged(given.judge), sys.stdout)
        return
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(
            ["git", "archive", given.commit], cwd=HERE, capture_output=True, check=True
        ).stdout
        with tarfile.open(fileobj=BytesIO(archive)) as tree:
            tree.extractall(folder, filter="data")
        print(report(Path(folder), given.commit, given.turns, given.cells))


def report(before: Path, commit: str, turns: int, most: int) -> str:
    here = _ask(HERE, [])
    common = sorted(set(_ask(before, [])) & set(here))
    if not common:
        return f"no cell is the same here and in {commit}"
    chosen = common[:: -(-len(common) // most)]
    ratios, apart = [], 0.0
    for _ in range(turns):
        old, new = _ask(before, chosen), _ask(HERE, chosen)
        for digest in chosen:
            if old[digest]["verdict"] != new[digest]["verdict"]:
                sys.exit(f"{digest}: {old[digest]['verdict']} before, {new[digest]['verdict']} now")
            apart = max(apart, _apart(old[digest]["estimate"], new[digest]["estimate"]))
        ratios.append(sum(c["seconds"] for c in old.values()) / sum(c["seconds"] for c in new.values()))
    told = ", ".join(f"{ratio:.3g}" for ratio in sorted(ratios))
    return (
        f"{len(chosen)} of {len(common)} cells that both have ({len(here)} here): {commit} / this tree takes "
        f"{told} times the processor time; same verdicts, estimates equal to {apart:.1g}"
    )


def _ask(tree: Path, digests: list[str]) -> Any:
    # this file, in another tree: what it imports is that tree's
    call = [sys.executable, str(Path(__file__).resolve()), "--judge", json.dumps(digests)]
    with tempfile.TemporaryDirectory() as empty:  # no plan of the user's
        environment = os.environ | ONE_THREAD | {"PYTHONPATH": str(tree), "XDG_CONFIG_HOME": empty}
        done = subprocess.run(call, cwd=tree, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{tree}: {done.stderr.strip().splitlines()[-1]}")
    return json.loads(done.stdout)


def _cells() -> dict[str, Any]:
    import bounds
    from verify.runs.check import standard_cells

    return {cell.digest: cell for cell in standard_cells(list(bounds.statements()))}


def _digests() -> list[str]:
    return list(_cells())


def _judged(digests: list[str]) -> dict[str, Any]:
    import time

    from verify.runs.check import run_cell

    cells, found = _cells(), {}
    for digest in digests:
        start = time.process_time()
        result = run_cell(cells[digest], level=LEVEL, seed=SEED, replicates=REPLICATES)
        seconds = time.process_time() - start
        measured = getattr(result, "measured", None)
        estimate = None if measured is None else getattr(measured, "estimate", None)
        found[digest] = {
            "seconds": seconds,
            "verdict": str(result.verdict),
            "estimate": None if estimate is None else float(estimate),
        }
    return found


def _apart(one: float | None, other: float | None) -> float:
    """Infinite where only one of them is a number."""
    if one == other:
        return 0.0
    if one is None or other is None or not isfinite(one - other):
        return inf
    return abs(one - other) / max(1.0, abs(one))


if __name__ == "__main__":
    main()
