"""Worst cases beside PEPit with the same solver: time with the build included, and what each one prints.

    python benchmarks/worst_case.py            # needs clarabel, PEPit and cvxpy
    python benchmarks/worst_case.py --long     # n E K = 200 as well, without PEPit

PEPit solves the full program of all clients and prints a floating-point number; ours is the certified upper
end. Times are processor seconds of the best of REPEATS runs, in one process on one thread.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("RAYON_NUM_THREADS", "1")

import argparse
import time
from collections.abc import Callable, Mapping
from fractions import Fraction

from verify.worst_case.checker import NotACertificate, Program, certified_bound
from verify.worst_case.federated_averaging import program
from verify.worst_case.free_vectors import without_unmeasured
from verify.worst_case.rounding import rational_multipliers
from verify.worst_case.setting import Setting
from verify.worst_case.solver import solve
from verify.worst_case.worst import MARGINS, is_promising

SIZES = ((2, 2, 1), (2, 2, 5), (2, 2, 10), (4, 4, 2))
REPEATS = 3
STEP = Fraction(1, 2)


def setting(n: int, E: int, K: int) -> Setting:
    return Setting(
        clients=n,
        local_steps=E,
        rounds=K,
        local_step=STEP,
        L=Fraction(1),
        D0=Fraction(1),
        zeta_star=Fraction(1),
    )


def solve_with_pepit(n: int, E: int, K: int, *, zeta: float = 1.0) -> float:
    """The same question in PEPit, as its examples write it."""
    from PEPit import PEP
    from PEPit.functions import SmoothConvexFunction

    problem = PEP()
    clients = [problem.declare_function(SmoothConvexFunction, L=1.0) for _ in range(n)]
    mean = sum(clients[1:], clients[0]) / n
    minimizer = mean.stationary_point()
    lowest = mean(minimizer)
    x = problem.set_initial_point()
    problem.set_initial_condition((x - minimizer) ** 2 <= 1)
    spread = sum((f.gradient(minimizer) ** 2 for f in clients[1:]), clients[0].gradient(minimizer) ** 2) / n
    problem.add_constraint(spread <= zeta**2)
    for _ in range(K):
        last = []
        for f in clients:
            y = x
            for _ in range(E):
                y = y - float(STEP) * f.gradient(y)
            last.append(y)
        x = sum(last[1:], last[0]) / n
    problem.set_performance_metric(mean(x) - lowest)
    return float(problem.solve(wrapper="cvxpy", solver="CLARABEL", verbose=0))


def ours(n: int, E: int, K: int) -> tuple[float, float, float]:
    """The certified upper end; seconds for build and solution, and for rounding and checking, at every margin
    that is needed.
    """
    started = time.process_time()
    small = without_unmeasured(program(setting(n, E, K)))
    certifying = 0.0
    for margin in MARGINS:
        proposal = solve(small, margin=margin)
        solved = time.process_time()
        bound = _certified(small, rational_multipliers(small, proposal.multipliers))
        certifying += time.process_time() - solved
        if bound is not None:
            return bound, time.process_time() - started - certifying, certifying
    raise AssertionError(f"no certificate at {n}, {E}, {K}")


def _certified(small: Program, multipliers: Mapping[int, Fraction]) -> float | None:
    try:
        return float(certified_bound(small, multipliers)) if is_promising(small, multipliers) else None
    except NotACertificate:
        return None


def timed(call: Callable[[], float]) -> tuple[float, float]:
    best, value = float("inf"), 0.0
    for _ in range(REPEATS):
        started = time.process_time()
        value = call()
        best = min(best, time.process_time() - started)
    return value, best


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare worst cases with PEPit, times included.")
    parser.add_argument("--long", action="store_true", help="solve the largest sizes too, without PEPit")
    asked = parser.parse_args()
    print("| n, E, K | PEPit | seconds | ours, certified | build and solve | certify | times faster |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    ours(2, 1, 1)  # imports
    for size in SIZES:
        theirs, seconds = timed(lambda size=size: solve_with_pepit(*size))
        runs = [ours(*size) for _ in range(REPEATS)]
        value, solved, certified = min(runs, key=lambda run: run[1] + run[2])
        faster = seconds / (solved + certified)
        print(
            f"| {', '.join(map(str, size))} | {theirs:.10f} | {seconds:.3f} | {value:.10f} | {solved:.3f} | "
            f"{certified:.3f} | {faster:.1f} |"
        )
    if asked.long:
        for size in ((2, 2, 20), (2, 2, 30), (2, 2, 50), (1000, 10, 4)):
            value, solved, certified = ours(*size)
            print(
                f"| {', '.join(map(str, size))} | - | - | {value:.10f} | {solved:.1f} | {certified:.1f} | - |"
            )


if __name__ == "__main__":
    main()
