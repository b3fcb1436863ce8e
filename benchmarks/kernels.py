"""No verdict depends on the processor: shown under every BLAS kernel that this processor can run.

    python benchmarks/kernels.py [--kernels NAME ...] [--statements ID ...] [--out DIR]

OPENBLAS_CORETYPE chooses the kernel, so one processor stands for several. Under each kernel the engine's
tests run, and two verifications, with one BLAS thread and with as many as the library likes, whose records
must be the same to the bit. Then each kernel replays the record of the kernel before it, the first that of
the last: all must agree, exactly or within the rounding that the record states. Exits with 1 if anything
fails. A kernel that needs instructions that the processor lacks is named and left out.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from machine import machine

HERE = Path(__file__).parent.parent
# From the oldest instructions to the newest; Zen has the routines of Haswell and parameters of its own.
KERNELS = ("Prescott", "Nehalem", "Sandybridge", "Haswell", "Zen", "SkylakeX", "Cooperlake", "Sapphirerapids")
ENGINE_TESTS = ("test_bits.py", "test_panels.py", "test_plan.py", "test_listings.py")
LOADED = """
import numpy, threadpoolctl
numpy.random.default_rng(0).random((60, 70)) @ numpy.random.default_rng(1).random((70, 80))
print(*{i["architecture"] for i in threadpoolctl.threadpool_info() if i["internal_api"] == "openblas"})
"""
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
SAME = {"error_level", "seed", "summary", "cells", "properties"}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kernels", nargs="+", default=KERNELS, choices=KERNELS)
    parser.add_argument("--statements", nargs="+", default=(), help="verify these only; all by default")
    parser.add_argument("--no-tests", action="store_true", help="leave out the engine's tests")
    parser.add_argument("--out", type=Path, help="keep the records here")
    given = parser.parse_args()
    print(", ".join(f"{key} {value}" for key, value in machine().items()))
    found = {name: kernel_loaded_as(name) for name in given.kernels}
    for name, loaded in found.items():
        print(f"{name}: {'this processor cannot run it' if loaded is None else f'loaded as {loaded}'}")
    able = [name for name, loaded in found.items() if loaded is not None]
    with tempfile.TemporaryDirectory() as folder:
        failures = check(able, given.statements, given.out or Path(folder), tests=not given.no_tests)
    print(f"{len(able)} kernels, {failures} failures")
    sys.exit(1 if failures or not able else 0)


def environment(kernel: str, **more: str) -> dict[str, str]:
    return os.environ | {"OPENBLAS_CORETYPE": kernel, "PYTHONPATH": str(HERE)} | more


def kernel_loaded_as(kernel: str) -> str | None:
    """What the library calls the kernel; None where its instructions end the process."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, env=environment(kernel)
    )
    return done.stdout.strip() or None if done.returncode == 0 else None


def check(kernels: Sequence[str], statements: Sequence[str], folder: Path, *, tests: bool) -> int:
    """How many of the checks failed; each has its line."""
    failures = 0
    for kernel in kernels:
        if tests:
            failures += report(f"{kernel}: the engine's tests", run_engine_tests(kernel))
        one, many = (verify(kernel, statements, folder / kernel / name, **threads) for name, threads in MODES)
        failures += report(f"{kernel}: one BLAS thread and several", differences(one, many))
    for kernel, other in zip(kernels, [*kernels[-1:], *kernels[:-1]], strict=True):
        answer = replay(kernel, folder / other / "one")
        failures += report(f"{kernel}: replay of the record of {other}", *answer)
    return failures


MODES: tuple[tuple[str, Mapping[str, str]], ...] = (("one", ONE_THREAD), ("many", {}))


def report(what: str, failure: str, remark: str = "") -> bool:
    print(
        f"  {'FAILS' if failure else 'holds'}  {what}{': ' if failure or remark else ''}{failure or remark}"
    )
    return bool(failure)


def run_engine_tests(kernel: str) -> str:
    files = [str(HERE / "tests" / "synthetic" / name) for name in ENGINE_TESTS]
    command = [sys.executable, "-m", "pytest", "-q", "-n", "auto", *files]
    done = subprocess.run(
        command, cwd=HERE, capture_output=True, text=True, env=environment(kernel, **ONE_THREAD)
    )
    return "" if done.returncode == 0 else done.stdout.strip().splitlines()[-1]


def verify(kernel: str, statements: Sequence[str], folder: Path, **threads: str) -> dict[str, Any]:
    workers = "1" if statements else "2"  # for a few statements a worker takes longer to start than to work
    command = ["verify", *statements, "--quick", "--exit-zero", "--workers", workers, "--out", str(folder)]
    fedbounds(command, kernel, **threads)
    record: dict[str, Any] = json.loads((folder / "record.json").read_text(encoding="utf-8"))
    return record


def differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """Names the parts of two records that are not the same to the bit."""
    apart = sorted(key for key in SAME if one[key] != other[key])
    return f"{', '.join(apart)} differ" if apart else ""


def replay(kernel: str, folder: Path) -> tuple[str, str]:
    """Names what differs, and counts what agrees exactly and within rounding."""
    document = json.loads(fedbounds(["replay", str(folder), "--json"], kernel, **ONE_THREAD))
    every = [*document["cells"], *document["properties"]]
    differing = [f"{e['id']} ({e['sentence']})" for e in every if not e["agrees"]]
    rounded = sum("agrees within rounding" in e["sentence"] for e in every)
    remark = f"{len(every)} agree, {rounded} of them within rounding"
    return ("; ".join(differing) or ("" if document["agrees"] else "the whole differs")), remark


def fedbounds(arguments: Sequence[str], kernel: str, **more: str) -> str:
    command = [sys.executable, "-c", "from reports.command_line import main; main()", *arguments]
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, env=environment(kernel, **more))
    if done.returncode not in (0, 1, 3):
        raise SystemExit(
            f"{' '.join(arguments)} under {kernel}: exit {done.returncode}\n{done.stderr[-2000:]}"
        )
    return done.stdout


if __name__ == "__main__":
    main()
