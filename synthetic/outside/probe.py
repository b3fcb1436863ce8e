"""Where an author's functions are looked at: seeded points near and far, structured ones, and pairs of them.

Nothing here proves a claim. A claim is refused only if two points contradict it by more than rounding: the
margins below are far above what sums in float64 lose, and a contradiction must persist at points nearby.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from synthetic.engine.arithmetic import Array, norm
from synthetic.engine.randomness import Floats

MEAN = -1  # the index of the mean of the clients among the functions
RADII = (1.0, 10.0, 1e-3, 1e3, 0.1, 1e6)
ROUNDING = 1e-10  # of the sizes that a value or gradient is computed from
NUMBERS = 4_000_000  # of all gradients at all points together
FEWEST, MOST = 10, 48  # points
SEED = 0
CLIENTS = 16  # as many are searched one by one; the points are shown to all


def generator(purpose: int) -> np.random.Generator:
    return np.random.default_rng((SEED, purpose))


def probe_points(problem: Any, center: Floats) -> Floats:
    """The origin, the minimizer, steps along axes, and random directions of six lengths from the center."""
    dimension, random = problem.dimension, generator(0)
    axes = np.eye(dimension)[:4]
    directions = random.standard_normal((3, len(RADII), dimension))
    directions /= norm(directions)[..., None]
    around = (center + np.array(RADII)[None, :, None] * directions).reshape(-1, dimension)
    structured = [np.zeros((1, dimension)), center[None], center + axes, -axes, np.ones((1, dimension))]
    count = int(np.clip(NUMBERS // (problem.clients * dimension), FEWEST, MOST))
    return np.unique(np.concatenate([around[:6], *structured, around[6:]])[:count], axis=0)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pairs:
    """Points x, y (m, d) with values and gradients of one function, and how much of them may be rounding."""

    x: Floats
    y: Floats
    fx: Floats
    fy: Floats
    gx: Floats
    gy: Floats
    value_noise: Floats
    gradient_noise: Floats

    @property
    def distance(self) -> Floats:
        return norm(self.x - self.y)

    @property
    def slope(self) -> Floats:
        """<grad f(x) - grad f(y), x - y>."""
        return ((self.gx - self.gy) * (self.x - self.y)).sum(axis=1)

    def chosen(self, which: Any) -> "Pairs":
        return Pairs(**{name: getattr(self, name)[which] for name in self.__slots__})


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Function:
    """One client, or the mean, with what is known of its sizes: a gradient, and how fast gradients change."""

    index: int
    name: str
    value: Callable[[Array], Array]
    gradient: Callable[[Array], Array]
    base: float  # the largest gradient within reach of the center
    rate: float  # the largest change of the gradient over the distance, among the points
    level: float

    def pairs(self, x: Floats, y: Floats) -> Pairs:
        return self.known_pairs(x, y, self.value(x), self.value(y), self.gradient(x), self.gradient(y))

    def known_pairs(self, x: Floats, y: Floats, fx: Floats, fy: Floats, gx: Floats, gy: Floats) -> Pairs:
        reach = norm(x) + norm(y)
        gradients = norm(gx) + norm(gy) + self.base + self.rate * reach
        with np.errstate(all="ignore"):
            values = abs(fx) + abs(fy) + self.level + gradients * reach
            pairs = Pairs(
                x=x,
                y=y,
                fx=fx,
                fy=fy,
                gx=gx,
                gy=gy,
                value_noise=ROUNDING * values,
                gradient_noise=ROUNDING * gradients,
            )
            sizes = pairs.value_noise + pairs.gradient_noise + pairs.slope + pairs.distance
        # what overflows far away says nothing
        return pairs.chosen(np.isfinite(sizes) & (pairs.distance > 0))


@final
class Probe:
    """Values (n, P) and gradients (n, P, d) of all clients at all points, and the functions behind them."""

    def __init__(self, problem: Any, center: Floats) -> None:
        self.problem, self.center = problem, center
        self.points = probe_points(problem, center)
        with np.errstate(all="ignore"):
            self.values = problem.client_values(self.points)
            self.gradients = problem.client_gradients(self.points)
        self._mean = (self.values.mean(axis=0), self.gradients.mean(axis=0))
        self._functions: dict[int, Function] = {}
        self.searched = self._searched(problem.clients)

    @staticmethod
    def _searched(clients: int) -> tuple[int, ...]:
        if clients <= CLIENTS:
            return tuple(range(clients))
        return tuple(sorted(generator(1).choice(clients, CLIENTS, replace=False).tolist()))

    def known(self, index: int) -> tuple[Floats, Floats]:
        return self._mean if index == MEAN else (self.values[index], self.gradients[index])

    def function(self, index: int) -> Function:
        """One client, or the mean; what is known of its sizes is computed once."""
        if index not in self._functions:
            self._functions[index] = self._function(index)
        return self._functions[index]

    def _function(self, index: int) -> Function:
        problem, (values, gradients) = self.problem, self.known(index)
        first, second = _all_pairs(len(self.points))
        with np.errstate(all="ignore"):
            apart = norm(self.points[first] - self.points[second])
            rates = norm(gradients[first] - gradients[second]) / apart
            near = norm(self.points - self.center) <= 10 * (1 + norm(self.center))
        mean = index == MEAN
        return Function(
            index=index,
            name="the mean" if mean else f"client {index}",
            value=problem.value if mean else lambda rows: problem.client_value(index, rows),
            gradient=problem.gradient if mean else lambda rows: problem.client_gradient(index, rows),
            base=_largest(norm(gradients[near])),
            rate=_largest(rates),
            level=_largest(abs(values[near])),
        )

    def pairs(self, function: Function) -> Pairs:
        """All pairs of the points."""
        first, second = _all_pairs(len(self.points))
        values, gradients = self.known(function.index)
        return function.known_pairs(
            self.points[first],
            self.points[second],
            values[first],
            values[second],
            gradients[first],
            gradients[second],
        )


def _all_pairs(count: int) -> tuple[Any, Any]:
    first, second = np.triu_indices(count, 1)
    return np.concatenate([first, second]), np.concatenate([second, first])


def _largest(sizes: Floats) -> float:
    finite = sizes[np.isfinite(sizes)]
    return float(finite.max()) if len(finite) else 0.0
