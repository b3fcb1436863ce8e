"""Evaluating bounds at 10^7 points, against the same formulas written by hand in NumPy.

    python benchmarks/evaluate.py [--json FILE] [--points N] [--repetitions N]

Everything is a ratio within one run: by-hand and `evaluate` take turns, and medians over the turns are
compared. The library's side is the public path, with all its checks of names, signs and finiteness; the side
by hand checks nothing. The formulas by hand are what a careful user writes: intermediate quantities named and
computed once, square roots joined, no blocks and no output buffers.

`list` has 10^7 numbers for every input. `grid` is a product of five axes with 10^7 points; by hand on all
points, and by hand with broadcasting (for the record, without a target). The second grid of Theorem 2 is the
worst case: all five axes meet in one product.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import points_by_hand
from machine import interleaved, machine, print_table, write_json
from numpy.typing import NDArray

import bounds

Array = NDArray[np.float64]
Inputs = dict[str, Array]

AGREEMENT = 1e-13


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


@dataclass(frozen=True, slots=True)
class Case:
    identity: str
    by_hand: Callable[..., Array]
    at_a_point: Callable[..., float]
    ranges: Mapping[str, tuple[float, float]]
    integers: frozenset[str]
    grids: tuple[tuple[str, ...], ...]  # axes of product grids; all other inputs are single numbers


CASES = (
    Case(
        "fed_norm_ec.theorem_1.main",
        theorem_1_by_hand,
        points_by_hand.theorem_1,
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
        (("K", "eta", "beta", "sigma_DP", "M"),),
    ),
    Case(
        "dp_fedavg.theorem_2",
        points_by_hand.theorem_2,
        points_by_hand.theorem_2,
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
        (("K", "E", "alpha", "D0", "Delta_star_mean"), ("K", "E", "alpha", "rho", "C_hat")),
    ),
    Case(
        "fedavg_lojasiewicz.lemma_f3",
        points_by_hand.lemma_f3,
        points_by_hand.lemma_f3,
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
        (("R", "eta", "alpha", "mu", "zeta"),),
    ),
)


def flat(case: Case, points: int) -> Inputs:
    generator = np.random.default_rng(0)
    return {name: _draw(generator, case, name, points) for name in case.ranges}


def grid(case: Case, axes: tuple[str, ...], points: int) -> Inputs:
    """Axes as NumPy broadcasts them; about `points` points on their product."""
    generator = np.random.default_rng(1)
    length = round(points ** (1 / len(axes)))
    inputs = {name: _draw(generator, case, name, 1)[0] for name in case.ranges}
    for position, name in enumerate(axes):
        shape = [1] * len(axes)
        shape[position] = length
        inputs[name] = np.sort(_draw(generator, case, name, length)).reshape(shape)
    return inputs


def _draw(generator: np.random.Generator, case: Case, name: str, size: int) -> Array:
    low, high = case.ranges[name]
    if name in case.integers:
        return generator.integers(int(low), int(high), size, endpoint=True).astype(np.float64)
    return generator.uniform(low, high, size)


@dataclass(frozen=True, slots=True)
class Comparison:
    what: str
    target: str
    slow: Callable[[], Any]
    fast: Callable[[], Any]


def measure(case: Case, points: int, repetitions: int) -> Iterator[dict[str, Any]]:
    grids = (c for axes in case.grids for c in _grid(case, axes, points))
    for comparison in (_one_after_the_other(case), _compiled(case), *_list(case, points), *grids):
        slow, fast = interleaved([comparison.slow, comparison.fast], repetitions)
        ratios = [s / f for s, f in zip(slow, fast, strict=True)]
        yield {
            "statement": case.identity,
            "what": comparison.what,
            "target": comparison.target,
            "median": float(np.median(slow) / np.median(fast)),
            "lowest": min(ratios),
            "highest": max(ratios),
            "seconds": [float(np.median(slow)), float(np.median(fast))],
        }


def _one_after_the_other(case: Case) -> Comparison:
    """What a loop or an optimiser pays for the checks; for the record."""
    statement, drawn = bounds.get(case.identity), flat(case, 1000)
    names = list(drawn)
    each = [dict(zip(names, row, strict=True)) for row in np.stack([*drawn.values()], axis=1).tolist()]

    def evaluated() -> Any:
        return [statement.evaluate(**point).value for point in each]

    def by_hand() -> Any:
        return [case.by_hand(**point) for point in each]

    return Comparison("1000 single points: value / by hand", "", evaluated, by_hand)


def _compiled(case: Case) -> Comparison:
    """The function that a loop or an optimizer calls instead."""
    drawn = flat(case, 1000)
    function, by_hand = bounds.get(case.identity).compile(*drawn), case.at_a_point
    each = np.stack([*drawn.values()], axis=1).tolist()
    if {*drawn} != {*signature(by_hand).parameters}:
        sys.exit(f"{case.identity}: the formula by hand has other quantities")
    order = [[*drawn].index(name) for name in signature(by_hand).parameters]
    same = [[point[i] for i in order] for point in each]
    _agree(case, np.array([function(*x) for x in each]), np.array([by_hand(*x) for x in same]))

    def compiled() -> Any:
        return [function(*point) for point in each]

    def written() -> Any:
        return [by_hand(*point) for point in same]

    return Comparison("1000 single points: compiled / by hand in Python", "<= 5", compiled, written)


def _list(case: Case, points: int) -> Iterator[Comparison]:
    statement, inputs = bounds.get(case.identity), flat(case, points)
    _agree(case, statement.evaluate(**inputs).value, case.by_hand(**inputs))

    def value() -> Any:
        return statement.evaluate(**inputs).value

    yield Comparison("list: by hand / value", ">= 2", lambda: case.by_hand(**inputs), value)
    yield Comparison("list: terms / value", "<= 2", lambda: statement.evaluate(**inputs).terms, value)


def _grid(case: Case, axes: tuple[str, ...], points: int) -> Iterator[Comparison]:
    statement, inputs = bounds.get(case.identity), grid(case, axes, points)
    spread = [np.ascontiguousarray(array) for array in np.broadcast_arrays(*inputs.values())]
    everywhere = dict(zip(inputs, spread, strict=True))
    _agree(case, statement.evaluate(**inputs).value, case.by_hand(**everywhere))

    def value() -> Any:
        return statement.evaluate(**inputs).value

    yield Comparison("grid: by hand / value", ">= 10", lambda: case.by_hand(**everywhere), value)
    yield Comparison("grid: by hand, broadcast / value", "", lambda: case.by_hand(**inputs), value)
    yield Comparison("grid: terms / value", "<= 2", lambda: statement.evaluate(**inputs).terms, value)


def _agree(case: Case, ours: Array, by_hand: Array) -> None:
    difference = np.max(np.abs(ours / by_hand - 1))
    if not difference <= AGREEMENT:
        sys.exit(f"{case.identity}: the two sides differ by {difference:.1e}")


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
