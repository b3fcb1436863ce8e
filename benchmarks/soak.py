"""What continuous integration has no time for: the error level on 1,000 cells, and fifty kills of `verify`.

    python benchmarks/soak.py [--json FILE] [--cells N] [--kills N]

The cells and the checks are those of tests/verify/test_calibration.py and test_store.py, in larger numbers.
It ends with an error where a count is beyond its limit.
"""

import argparse
import runpy
import tempfile
import time
from pathlib import Path

from machine import machine, write_json

TESTS = Path(__file__).resolve().parent.parent / "tests" / "verify"


def calibration(cells: int) -> dict[str, int]:
    tests = runpy.run_path(str(TESTS / "test_calibration.py"))
    found = dict(tests["tally"](cells)) | {"limit of false verdicts": tests["largest_number"](cells)}
    for kind in ("false violated", "upper limit missed, certified"):
        assert found[kind] <= found["limit of false verdicts"], f"{kind}: {found[kind]}"
    narrow = f"relative deviation {tests['NARROW']}"
    assert found[f"{narrow}, caught"] >= 0.99 * found[narrow]
    return found


def kills(times: int) -> dict[str, int]:
    tests = runpy.run_path(str(TESTS / "test_store.py"))
    with tempfile.TemporaryDirectory() as folder:
        found: dict[str, int] = tests["killed_at_random_moments"](Path(folder), times=times, seed=5)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", type=Path)
    parser.add_argument("--cells", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=50)
    options = parser.parse_args()
    print(", ".join(f"{key} {value}" for key, value in machine().items()))
    results = {}
    for name, count, check in (("calibration", options.cells, calibration), ("kills", options.kills, kills)):
        began = time.monotonic()
        results[name] = check(count)
        print(f"\n{name}, {time.monotonic() - began:.0f} s")
        for what, number in sorted(results[name].items()):
            print(f"  {number:6d}  {what}", flush=True)
    if options.json is not None:
        write_json(options.json, {"machine": machine(), "results": results})


if __name__ == "__main__":
    main()
