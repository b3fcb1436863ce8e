"""What a user waits for before anything happens: imports and the first verbs of the command line.

    python benchmarks/startup.py [--json FILE] [--repetitions N]

Every measurement is a fresh interpreter that finds compiled bytecode, as it does where pip has installed the
package: the turn that is not counted makes it. Importing sympy alone is measured in the same turns, and taken
off where the target says so: that part is not ours to shorten.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from machine import interleaved, machine, print_table, write_json

COMMAND = "import sys; from reports.command_line import main; sys.argv[0] = 'fedbounds'; main()"

SYMPY = ["-c", "import sympy"]
CASES: tuple[tuple[str, Sequence[str], bool, float], ...] = (
    ("bounds' three names, less sympy", ["-c", "from bounds import Statement, get, statements"], True, 0.1),
    ("fedbounds --help", ["-c", COMMAND, "--help"], False, 0.35),
    ("fedbounds errata", ["-c", COMMAND, "errata"], False, 1.0),
    ("fedbounds list, less sympy", ["-c", COMMAND, "list"], True, 0.5),
    ("fedbounds show, less sympy", ["-c", COMMAND, "show", "dp_fedavg.theorem_2"], True, 0.5),
)


def fresh(arguments: Sequence[str]) -> Callable[[], Any]:
    """Run a new interpreter from the repository's root."""
    root = Path(__file__).resolve().parent.parent
    call = [sys.executable, *arguments]
    compiled = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return lambda: subprocess.run(call, check=True, cwd=root, env=compiled, stdout=subprocess.DEVNULL)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results here too")
    parser.add_argument("--repetitions", type=int, default=9)
    options = parser.parse_args()
    cases = [case for case in CASES if COMMAND not in case[1] or find_spec("reports") is not None]
    sides = [fresh(SYMPY), *(fresh(arguments) for _, arguments, _, _ in cases)]
    baseline, *taken = interleaved(sides, options.repetitions)
    rows = []
    for (what, _, less, target), seconds in zip(cases, taken, strict=True):
        ours = [s - (b if less else 0.0) for s, b in zip(seconds, baseline, strict=True)]
        rows.append(
            {
                "what": what,
                "target": f"<= {target:g} s",
                "median": float(np.median(ours)),
                "lowest": min(ours),
                "highest": max(ours),
            }
        )
    print_table(rows)
    print(f"import sympy alone: {np.median(baseline):.3g} s")
    if options.json:
        write_json(options.json, {"machine": machine(), "sympy": float(np.median(baseline)), "rows": rows})


if __name__ == "__main__":
    main()
