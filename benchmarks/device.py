"""The engine on one device of torch: agreement with numpy, laws of noise, transfers to the host, and speed.

    python benchmarks/device.py [--device cuda] [--quick] [--write] [--workers 2]

Five parts; each check must pass, or the command ends with 1.

- agreement: every algorithm on quadratic and Huber functions against numpy, on the same random numbers;
- law: the displacement of a noisy round is standard normal after division by its deviation, at level 1e-6,
  of the numbers of the host and, on CUDA, of those that the device draws itself;
- transfers: on CUDA, a run of 16 rounds may not wait for the host more often than a run of 2 does;
- speed: W1 and W2 (benchmarks/engine.py) as fractions of what the device's own square products reach in
  double and in single precision, in the same run;
- verification: the standard cells, judged by numpy, are judged again on the device; the verdicts must be
  equal and the numbers within the rounding that a record states (device_cells.py).

`--write` puts a dated section into benchmarks/device.md. It runs on "cpu" as well: that tests the command.
"""

import argparse
import sys
import warnings
from collections.abc import Callable
from datetime import date
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import device_cells
import numpy as np
import torch
from engine import RANK, W2_ROUNDS, engine_w1, w1_problem
from machine import interleaved, machine

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "synthetic"))

import test_noise_law as laws
import test_torch as backends

from synthetic import Plan, run
from synthetic.algorithms import fedavg
from synthetic.engine.plan import Draws
from synthetic.participation import Full
from synthetic.problems import logistic

REPORT = Path(__file__).with_suffix(".md")
AGREEMENT = 1e-9  # relative, or absolute below 1: other routines sum in another order
SQUARE = {"cpu": 1024, "cuda": 8192}
FEW_ROUNDS, MANY_ROUNDS = 2, 16


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--quick", action="store_true", help="fewer replicates and turns")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--workers", type=int, default=2, help="processes of the verification")
    parser.add_argument("--seconds", type=float, default=900, help="in which its cells may begin")
    asked = parser.parse_args()
    cells = partial(device_cells.verification, workers=asked.workers, seconds=asked.seconds)
    lines, failures = report(asked.device, cells, quick=asked.quick)
    text = "\n".join(lines)
    if asked.write:
        before = REPORT.read_text(encoding="utf-8") if REPORT.exists() else HEAD
        REPORT.write_text(f"{before.rstrip()}\n\n{text}\n", encoding="utf-8")
    if failures:
        raise SystemExit(f"failed: {'; '.join(failures)}")


HEAD = """# The engine on a device

Written by `make device` (`benchmarks/device.py`), which says what each part is.
"""


def report(
    device: str, verification: Callable[..., tuple[list[str], list[str]]], *, quick: bool
) -> tuple[list[str], list[str]]:
    """Lines of the section, printed as they come, and what failed."""
    on = torch.cuda.get_device_name(device) if device.startswith("cuda") else machine()["cpu"]
    lines = [f"### {date.today()}, {device}: {on}, torch {torch.__version__}", ""]
    failures: list[str] = []
    print("\n".join(lines), flush=True)
    for part in (agreement, law, transfers, partial(speed, quick=quick), partial(verification, quick=quick)):
        said, failed = part(device)
        lines += [f"- {sentence}" for sentence in said]
        failures += failed
        print("\n".join(lines[-len(said) :]), flush=True)
    return lines, failures


def agreement(device: str) -> tuple[list[str], list[str]]:
    worst, failures = 0.0, []
    for name, made in backends.CASES:
        for problem in backends.PROBLEMS:
            asked: dict[str, Any] = {"replicates": 67, "seed": 3, "stream": "backends"}
            asked["observe"] = backends.everything(name)
            ours = run(name, problem, made, plan=Plan(backend="torch", device=device), **asked)
            apart = _apart(run(name, problem, made, **asked), ours)
            worst = max(worst, apart)
            if not apart <= AGREEMENT:
                failures.append(f"{name} is {apart:.2g} from numpy")
    count = len(backends.CASES) * len(backends.PROBLEMS)
    return [f"agreement: {count} runs of all algorithms, at most {worst:.1e} from numpy"], failures


def _apart(one: Any, other: Any) -> float:
    """Largest difference relative to max(1, size), over everything that was observed and the final state."""
    pairs = [(one.measurements[key], other.measurements[key]) for key in one.measurements]
    pairs.append((one.final_state, other.final_state))
    found = 0.0
    for a, b in pairs:
        if not np.array_equal(np.isfinite(a), np.isfinite(b)):
            return np.inf
        a, b = np.where(np.isfinite(a), a, 0.0), np.where(np.isfinite(b), b, 0.0)
        found = max(found, float(np.max(np.abs(a - b) / np.maximum(1.0, np.abs(a)), initial=0.0)))
    return found


def law(device: str) -> tuple[list[str], list[str]]:
    failures, drawn = [], ("host", "device") if device.startswith("cuda") else ("host",)
    for (name, settings), draws in product(laws.SAMPLED.items(), drawn):
        made, own, _ = settings(Full(), "clients")
        plan = Plan(backend="torch", device=device, draws=draws)
        asked: dict[str, Any] = {"seed": 11, "stream": f"law of {name}", "observe": ["taking_part"]}
        trace = run(name, laws.FLAT, made, replicates=laws.SIZE, plan=plan, **asked)
        try:
            laws.assert_standard_normal(trace.final_state / (own * np.sqrt(laws.CLIENTS)))
        except AssertionError:
            failures.append(f"the noise of {name}, drawn by the {draws}, is not of its law")
    words = " and ".join(f"the {draws}" for draws in drawn)
    return [
        f"law: the noise of {len(laws.SAMPLED)} algorithms, drawn by {words}, level {laws.LEVEL:g} each"
    ], failures


def transfers(device: str) -> tuple[list[str], list[str]]:
    if not device.startswith("cuda"):
        return [
            "transfers: not measured on the cpu (tests/synthetic/test_torch.py has a device that pretends)"
        ], []
    told, failed = [], []
    for draws in ("host", "device"):
        few, many = (_waits(device, rounds, draws) for rounds in (FEW_ROUNDS, MANY_ROUNDS))
        said = (
            f"transfers, numbers of the {draws}: {few} waits for the host in {FEW_ROUNDS} rounds, "
            f"{many} in {MANY_ROUNDS}"
        )
        told.append(said)
        failed += [] if many <= few else [said]
    return told, failed


def _waits(device: str, rounds: int, draws: Draws) -> int:
    problem, start = w1_problem()
    plan = Plan(backend="torch", device=device, draws=draws)
    job = engine_w1(problem, start, replicates=64, rounds=rounds, plan=plan)
    job()  # data are moved once
    torch.cuda.set_sync_debug_mode("warn")
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            job()
    finally:
        torch.cuda.set_sync_debug_mode("default")
    return sum("synchroniz" in str(warning.message) for warning in caught)


def speed(device: str, *, quick: bool) -> tuple[list[str], list[str]]:
    kind = device.partition(":")[0]
    turns, many = (1, 256) if quick else (5, 65_536 if kind == "cuda" else 1024)
    rounds = 500 if kind == "cuda" and not quick else 20  # as published; the results move to the host once
    size = SQUARE[kind]
    problem, start = w1_problem()
    jobs: list[Callable[[], Any]] = [
        _product(device, size, kind_) for kind_ in (torch.float64, torch.float32)
    ]
    draws: Draws = "device" if kind == "cuda" else "host"
    counts = (64, many) if quick else tuple(dict.fromkeys((1024, many)))
    for replicates in counts:
        rows = replicates if kind == "cuda" else 64  # a device computes a product of all rows at once
        plan = Plan(
            backend="torch", device=device, rows=rows, block=max(256, rows), noise="together", draws=draws
        )
        jobs.append(
            _waiting(device, engine_w1(problem, start, replicates=replicates, rounds=rounds, plan=plan))
        )
    jobs.append(_waiting(device, _w2(device, 32)))
    double, single, *ours = (float(np.median(seconds)) for seconds in interleaved(jobs, turns))
    rates = {"double": 2 * size**3 / double, "single": 2 * size**3 / single}
    told = ", ".join(f"{name} {rate / 1e9:.0f} GFLOP/s" for name, rate in rates.items())
    said = [f"square products of {size}: {told}"]
    for replicates, seconds in zip(counts, ours, strict=False):
        work = 4 * problem.clients * RANK * problem.dimension * replicates * rounds
        share = work / seconds / rates["double"]
        said.append(
            f"W1, R = {replicates:,}, numbers of the {draws}: {share:.2f} of the double rate "
            f"({1000 * seconds / rounds:.2f} ms a round)"
        )
    said.append(f"W2, R = 32: {1000 * ours[-1] / W2_ROUNDS:.1f} ms a round")
    return said, []


def _product(device: str, size: int, kind: torch.dtype) -> Callable[[], Any]:
    one = torch.randn(size, size, dtype=kind, device=device)
    return _waiting(device, lambda: one @ one)


def _waiting(device: str, job: Callable[[], Any]) -> Callable[[], Any]:
    def done() -> Any:
        found = job()
        if device.startswith("cuda"):
            torch.cuda.synchronize(device)
        return found

    return done


def _w2(device: str, replicates: int) -> Callable[[], Any]:
    problem = logistic.small(clients=50, samples=200, dimension=50)
    made = fedavg.Settings(
        start=np.ones(50), rounds=W2_ROUNDS, local_steps=10, local_step=0.1, participation=Full()
    )
    plan = Plan(backend="torch", device=device, rows=32)
    common: dict[str, Any] = {"replicates": replicates, "seed": 1, "stream": "bench", "observe": ["gap"]}
    return partial(run, "fedavg", problem, made, plan=plan, **common)


if __name__ == "__main__":
    main()
