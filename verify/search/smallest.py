"""The smallest value of a function over a statement's region: random steps around the best point so far.

The generator has a fixed seed and the budget is a count of points, so that the answer does not depend on the
machine. What is found is a point, which its caller decides exactly; that nothing is found proves nothing.
"""

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from verify.parameters.region import Region
from verify.parameters.valid import UnsolvableCondition

Point = dict[str, float]
# Values of many points at once: arrays by name.
Objective = Callable[[Mapping[str, np.ndarray]], np.ndarray]

SEED = 20240607
STARTS = 256
RESTARTS = 5
GENERATION = 24
GENERATIONS = 30
SPREAD = 3.0
WIDEST, NARROWEST = 2.0, 0.03


def smallest(
    region: Region,
    objective: Objective,
    known: Iterable[Point] = (),
    *,
    enough: float = -math.inf,
    restarts: int = RESTARTS,
) -> tuple[float, Point] | tuple[float, None]:
    """The best point found, with its value; infinity where no point could be made.

    A value of `enough` or less ends the search.
    """
    generator = random.Random(SEED)
    best = _best([*known], objective)
    if best[0] <= enough:
        return best
    scattered = sorted(_tried(region, objective, _scattered(region, generator)), key=lambda tried: tried[2])
    for coordinates, point, value in scattered[:restarts]:
        found = _improved(region, objective, generator, (coordinates, point, value), enough)
        if found[0] < best[0] or best[1] is None:
            best = found
        if best[0] <= enough:
            break
    return best


def _improved(
    region: Region,
    objective: Objective,
    generator: random.Random,
    start: tuple[Point, Point, float],
    enough: float,
) -> tuple[float, Point]:
    """Ever shorter random steps around the best point."""
    coordinates, point, value = start
    for generation in range(GENERATIONS):
        if value <= enough:
            break
        width = WIDEST * (NARROWEST / WIDEST) ** (generation / (GENERATIONS - 1))
        around = [_moved(coordinates, width, generator) for _ in range(GENERATION)]
        for there, other, found in _tried(region, objective, around):
            if found < value:
                coordinates, point, value = there, other, found
    return value, point


def _best(points: Sequence[Point], objective: Objective) -> tuple[float, Point] | tuple[float, None]:
    if not points:
        return math.inf, None
    values = _values(points, objective)
    index = int(np.argmin(values))
    return (float(values[index]), points[index]) if math.isfinite(values[index]) else (math.inf, None)


def _scattered(region: Region, generator: random.Random) -> list[dict[str, float]]:
    return [{name: generator.gauss(0, SPREAD) for name in region.order} for _ in range(STARTS)]


def _moved(coordinates: Mapping[str, float], width: float, generator: random.Random) -> dict[str, float]:
    """Half of the coordinates move: a good point often is good in most of them."""
    return {
        name: value + generator.gauss(0, width) if generator.random() < 0.5 else value
        for name, value in coordinates.items()
    }


def _tried(
    region: Region, objective: Objective, candidates: Sequence[dict[str, float]]
) -> list[tuple[dict[str, float], Point, float]]:
    feasible = []
    for coordinates in candidates:
        try:
            feasible.append((coordinates, region.at(coordinates)))
        except (UnsolvableCondition, OverflowError, ZeroDivisionError):
            continue
    if not feasible:
        return []
    values = _values([point for _, point in feasible], objective)
    return [(c, p, float(v)) for (c, p), v in zip(feasible, values, strict=True)]


def _values(points: Sequence[Point], objective: Objective) -> NDArray[np.float64]:
    stacked = {name: np.array([point[name] for point in points]) for name in points[0]}
    with np.errstate(all="ignore"):
        values = np.asarray(objective(stacked), dtype=np.float64)
    return np.where(np.isnan(values), np.inf, values)
