"""Evaluating bounds at 10^7 points, against the same formulas written by hand in NumPy.

    python benchmarks/evaluate.py [--json FILE] [--points N] [--repetitions N]

Everything is a ratio within one run: by-hand and `evaluate` take turns, and medians over the turns are compared.
The library's side is the public path, with all its checks of names, signs and finiteness; the side by hand
checks nothing. The formulas by hand are what a careful user writes: intermediate quantities named and computed
once, square roots by np.sqrt, no blocks and no output buffers.
"""

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from machine import interleaved, machine, print_table, write_json
from numpy.typing import NDArray

import bounds

Array = NDArray[np.float64]
Inputs = dict[str, Array]

AGREEMENT = 1e-13
FLAT_TARGET, GRID_TARGET, TERMS_TARGET = 2.0, 10.0, 2.0


def theorem_1_by_hand(
    f0_gap: Array,
    K: Array,
    eta: Array,
    R: Array,
    beta: Array,
    p: Array,
    sigma_DP: Array,
    M: Array,
    L: Array,
    T: Array,
    Delta_inf: Array,
) -> Array:
    gamma = 1 / (2 * L)
    B = 2 * (1 - p) ** 2 / p + 2 * (1 - p) + 2 * sigma_DP**2 / p
    drift = np.where(T != 1, 8 * L * np.sqrt(2 * L * Delta_inf), 0.0)
    return (
        3 * f0_gap / ((K + 1) * eta)
        + 2 * R
        + 2 * beta * np.sqrt(B * (K + 1) / M)
        + eta * L / 2
        + gamma * drift
    )


def theorem_2_by_hand(
    C_hat: Array, L: Array, D0: Array, K: Array, E: Array, alpha: Array, rho: Array, Delta_star_mean: Array
) -> Array:
    gamma = K * C_hat * E * rho**2 / (2 * alpha)
    return C_hat * (L * D0**2 / gamma + gamma / L) * rho + 3 * E / (2 * alpha) * Delta_star_mean * rho


def lemma_f3_by_hand(
    f0_gap: Array,
    eta: Array,
    mu: Array,
    R: Array,
    alpha: Array,
    zeta: Array,
    L: Array,
    sigma: Array,
    M: Array,
) -> Array:
    a = alpha - 1
    speed = eta * mu * R * a * f0_gap**a / 4
    return (
        f0_gap / (speed + 1) ** (1 / a)
        + 2 * (zeta**2 / mu) ** (1 / alpha)
        + 2 * (2 * L * eta * sigma**2 / (M * mu)) ** (1 / alpha)
    )


@dataclass(frozen=True, slots=True)
class Case:
    identity: str
    by_hand: Callable[..., Array]
    ranges: Mapping[str, tuple[float, float]]
    integers: frozenset[str]
    axes: tuple[str, ...]  # of the product grid; all other inputs are single numbers


CASES = (
    Case(
        "fed_norm_ec.theorem_1.main",
        theorem_1_by_hand,
        {
            "f0_gap": (1, 5),
            "K": (1, 1000),
            "eta": (0.01, 1),
            "R": (0.1, 1),
            "beta": (0.01, 1),
            "p": (0.1, 1),
            "sigma_DP": (0.1, 1),
            "M": (1, 100),
            "L": (0.5, 2),
            "T": (1, 4),
            "Delta_inf": (0.1, 2),
        },
        frozenset({"K", "M", "T"}),
        ("K", "eta", "beta", "sigma_DP", "M"),
    ),
    Case(
        "dp_fedavg.theorem_2",
        theorem_2_by_hand,
        {
            "C_hat": (1, 5),
            "L": (0.5, 2),
            "D0": (1, 4),
            "K": (1, 1000),
            "E": (1, 10),
            "alpha": (1, 4),
            "rho": (0.01, 0.2),
            "Delta_star_mean": (0.1, 1),
        },
        frozenset({"K", "E"}),
        ("K", "E", "alpha", "rho", "C_hat"),
    ),
    Case(
        "fedavg_lojasiewicz.lemma_f3",
        lemma_f3_by_hand,
        {
            "f0_gap": (1, 5),
            "eta": (0.01, 0.5),
            "mu": (0.1, 1),
            "R": (1, 1000),
            "alpha": (1.05, 2),
            "zeta": (0.1, 1),
            "L": (0.5, 2),
            "sigma": (0.1, 1),
            "M": (1, 100),
        },
        frozenset({"R", "M"}),
        ("R", "eta", "alpha", "mu", "zeta"),
    ),
)


def flat(case: Case, points: int) -> Inputs:
    generator = np.random.default_rng(0)
    return {name: _draw(generator, case, name, points) for name in case.ranges}


def grid(case: Case, points: int) -> Inputs:
    """Axes as NumPy broadcasts them; about `points` points on their product."""
    generator = np.random.default_rng(1)
    length = round(points ** (1 / len(case.axes)))
    inputs = {name: _draw(generator, case, name, 1)[0] for name in case.ranges}
    for position, name in enumerate(case.axes):
        shape = [1] * len(case.axes)
        shape[position] = length
        inputs[name] = np.sort(_draw(generator, case, name, length)).reshape(shape)
    return inputs


def _draw(generator: np.random.Generator, case: Case, name: str, size: int) -> Array:
    low, high = case.ranges[name]
    if name in case.integers:
        return generator.integers(int(low), int(high), size, endpoint=True).astype(np.float64)
    return generator.uniform(low, high, size)


def measure(case: Case, points: int, repetitions: int) -> list[dict[str, Any]]:
    statement = bounds.get(case.identity)
    listed, axes = flat(case, points), grid(case, points)
    # What "all combinations of these values" costs where every array has one entry per combination.
    full = dict(
        zip(axes, (np.ascontiguousarray(a) for a in np.broadcast_arrays(*axes.values())), strict=True)
    )
    for inputs, spread in ((listed, listed), (axes, full)):
        difference = np.max(np.abs(statement.evaluate(**inputs).value / case.by_hand(**spread) - 1))
        if not difference <= AGREEMENT:
            sys.exit(f"{case.identity}: the two sides differ by {difference:.1e}")

    def row(
        what: str, target: float, slow: Callable[[], Any], fast: Callable[[], Any], inverse: bool
    ) -> dict[str, Any]:
        numerator, denominator = interleaved([slow, fast], repetitions)
        ratios = [n / d for n, d in zip(numerator, denominator, strict=True)]
        return {
            "statement": case.identity,
            "what": what,
            "target": f"<= {target:g}" if inverse else f">= {target:g}",
            "median": float(np.median(numerator) / np.median(denominator)),
            "lowest": min(ratios),
            "highest": max(ratios),
            "seconds": [float(np.median(numerator)), float(np.median(denominator))],
        }

    def value(inputs: Inputs) -> Callable[[], Any]:
        return lambda: statement.evaluate(**inputs).value

    def by_hand(inputs: Inputs) -> Callable[[], Any]:
        return lambda: case.by_hand(**inputs)

    return [
        row("list: by hand / value", FLAT_TARGET, by_hand(listed), value(listed), False),
        row(
            "list: terms / value",
            TERMS_TARGET,
            lambda: statement.evaluate(**listed).terms,
            value(listed),
            True,
        ),
        row("grid: by hand on all points / value", GRID_TARGET, by_hand(full), value(axes), False),
        row("grid: by hand, broadcast / value", 1.0, by_hand(axes), value(axes), False),
        row("grid: terms / value", TERMS_TARGET, lambda: statement.evaluate(**axes).terms, value(axes), True),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results here too")
    parser.add_argument("--points", type=int, default=10**7)
    parser.add_argument("--repetitions", type=int, default=7)
    options = parser.parse_args()
    rows = [row for case in CASES for row in measure(case, options.points, options.repetitions)]
    print_table(rows)
    if options.json:
        write_json(options.json, {"machine": machine(), "points": options.points, "rows": rows})


if __name__ == "__main__":
    main()
