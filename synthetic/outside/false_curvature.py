"""Claims about pairs of points: smoothness, convexity, strong convexity, Lipschitz, quadratic.

Beside the pairs of all points there are pairs along the directions in which the gradient changes fastest and
slowest: of a Hessian taken by differences of gradients, or by power iteration if there are many coordinates.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from synthetic.certified.facts import Constant
from synthetic.engine.arithmetic import norm
from synthetic.engine.randomness import Floats
from synthetic.errors import FalseClaim
from synthetic.outside.false_gradients import show
from synthetic.outside.probe import MEAN, Function, Pairs, Probe, generator

ITERATIONS, LEAST_ITERATIONS = 25, 5
CALLS = 6_000  # of one client's gradient, in the search along one function
FULL = 32  # up to this dimension the whole Hessian is taken by differences; beyond it power iteration
LARGE = 1e150
AGAIN = 3  # a contradiction must persist as often at points nearby
NEARBY = 1e-6  # of the distance of the two points


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """A claim about pairs: measured(pairs) is at most `limit` up to margin(pairs), in the same unit."""

    name: str
    limit: float
    measured: Callable[[Pairs], Floats]
    margin: Callable[[Pairs], Floats]
    sign: str = "<="
    searched: bool = True  # whether the extreme directions say more than random ones

    def excess(self, pairs: Pairs) -> Floats:
        with np.errstate(all="ignore"):
            allowed = self.limit + 1e-9 * abs(self.limit) + self.margin(pairs)
            return np.nan_to_num(self.measured(pairs) - allowed, nan=-np.inf)

    @property
    def stated(self) -> float:
        return self.limit if self.sign == "<=" else 0.0 - self.limit

    def number(self, pairs: Pairs) -> float:
        return float(self.measured(pairs)[0]) * (1 if self.sign == "<=" else -1)


def _gradient_margin(pairs: Pairs) -> Floats:
    return pairs.gradient_noise / pairs.distance


def smooth(name: str, limit: float) -> Law:
    return Law(
        name=name,
        limit=limit,
        measured=lambda p: norm(p.gx - p.gy) / p.distance,
        margin=_gradient_margin,
    )


def curved(name: str, least: float) -> Law:
    """<grad f(x) - grad f(y), x - y> >= least ||x - y||^2, its sign turned."""
    return Law(
        name=name,
        limit=-least,
        measured=lambda p: -p.slope / p.distance**2,
        margin=_gradient_margin,
        sign=">=",
    )


def lipschitz(name: str, limit: float) -> Law:
    return Law(
        name=name,
        limit=limit,
        measured=lambda p: np.maximum(norm(p.gx), abs(p.fx - p.fy) / p.distance),
        margin=lambda p: p.gradient_noise + p.value_noise / p.distance,
        searched=False,
    )


def above_tangents() -> Law:
    """f(y) >= f(x) + <grad f(x), y - x>."""
    return Law(
        name="convex",
        limit=0.0,
        measured=lambda p: p.fx + (p.gx * (p.y - p.x)).sum(axis=1) - p.fy,
        margin=lambda p: p.value_noise,
        searched=False,
    )


def quadratic() -> Law:
    """f(y) - f(x) is the mean of the two gradients along y - x."""
    return Law(
        name="quadratic",
        limit=0.0,
        measured=lambda p: abs(p.fy - p.fx - ((p.gx + p.gy) * (p.y - p.x)).sum(axis=1) / 2),
        margin=lambda p: p.value_noise,
        searched=False,
    )


def laws_of(stated: dict[str, Constant], properties: dict[str, bool], index: int) -> list[Law]:
    """The claims about one client, or about the mean."""
    mean, laws = index == MEAN, []
    makers: dict[str, Any] = {"mean_smoothness": smooth, "strong_convexity": curved}
    of_clients = {
        "smoothness": smooth,
        "client_smoothness": smooth,
        "client_strong_convexity": curved,
        "lipschitz": lipschitz,
        "client_lipschitz": lipschitz,
    }
    for name, make in (makers if mean else of_clients).items():
        if (constant := stated.get(name)) is not None:
            value: Any = constant.value
            number = float(value[index] if isinstance(value, tuple) else value)
            # as the engine's own problems use it, strong convexity 0 says that none is known
            if make is not curved or number > 0:
                laws.append(make(name, number))
    if not mean and properties["convex"]:
        laws += [curved("convex", 0.0), above_tangents()]
    if not mean and properties["quadratic"]:
        laws.append(quadratic())
    return laws


def refuse_false_curvature(probe: Probe, stated: dict[str, Constant], properties: dict[str, bool]) -> None:
    for index in (*range(probe.problem.clients), MEAN):
        laws = laws_of(stated, properties, index)
        if not laws:
            continue
        function = probe.function(index)
        _refuse(function, laws, probe.pairs(function))
        searched = [law for law in laws if law.searched]
        if searched and (index == MEAN or index in probe.searched):
            for pairs in _extreme_pairs(function, probe):
                _refuse(function, searched, pairs)


def _refuse(function: Function, laws: list[Law], pairs: Pairs) -> None:
    for law in laws:
        excess = law.excess(pairs)
        worst = int(np.argmax(excess)) if len(excess) else -1
        if worst < 0 or excess[worst] <= 0:
            continue
        found = pairs.chosen(slice(worst, worst + 1))
        if _persists(function, law, found):
            raise FalseClaim(
                asked=f"claim {law.name} of {function.name}",
                failed="the functions contradict it",
                found=f"{law.number(found):.10g} at x = {show(found.x[0])}, y = {show(found.y[0])}",
                needed=f"{law.sign} {law.stated:.10g}",
                change="correct the claim or the functions",
            )


def _persists(function: Function, law: Law, pairs: Pairs) -> bool:
    """Whether points nearby contradict the claim too: a result of rounding would come and go."""
    random, reach = generator(3), NEARBY * pairs.distance[0]
    for _ in range(AGAIN):
        away = random.standard_normal((2, *pairs.x.shape))
        away *= reach / norm(away)[..., None]
        excess = law.excess(function.pairs(pairs.x + away[0], pairs.y + away[1]))
        if not len(excess) or excess[0] <= 0:
            return False
    return True


def _extreme_pairs(function: Function, probe: Probe) -> Iterator[Pairs]:
    """Pairs along the directions of largest and smallest curvature, at the center and at random points."""
    random, dimension = generator(4), probe.problem.dimension
    bases = probe.center + np.concatenate([np.zeros((1, dimension)), random.standard_normal((2, dimension))])
    step = 1e-3 * (1 + norm(bases))[:, None]
    each = probe.problem.clients if function.index == MEAN else 1
    if dimension <= FULL and 2 * len(bases) * dimension * each <= CALLS:
        for directions in _axes_of_curvature(function, bases, step):
            yield function.pairs(bases + step * directions, bases - step * directions)
        return
    iterations = int(np.clip(CALLS // (12 * each), LEAST_ITERATIONS, ITERATIONS))

    def change(directions: Floats) -> Floats:
        with np.errstate(all="ignore"):
            ends = function.gradient(np.concatenate([bases + step * directions, bases - step * directions]))
            return np.nan_to_num((ends[: len(bases)] - ends[len(bases) :]) / (2 * step))

    shift = 0.0
    for _ in ("largest", "smallest"):
        directions = _unit(random.standard_normal(bases.shape))
        for _ in range(iterations):
            moved = change(directions)
            directions = _unit(moved if not shift else shift * directions - moved)
        shift = float(norm(change(directions)).max())
        yield function.pairs(bases + step * directions, bases - step * directions)


def _axes_of_curvature(function: Function, bases: Floats, step: Floats) -> tuple[Floats, Floats]:
    """The eigenvectors of the largest and of the smallest eigenvalue of a difference Hessian at each base."""
    dimension = bases.shape[1]
    moves = step[:, None] * np.eye(dimension)
    ends = np.concatenate([bases[:, None] + moves, bases[:, None] - moves]).reshape(-1, dimension)
    with np.errstate(all="ignore"):
        gradients = function.gradient(ends).reshape(2, len(bases), dimension, dimension)
        hessians = (gradients[0] - gradients[1]) / (2 * step[:, None])
    hessians = np.where(abs(hessians) < LARGE, hessians, 0.0)
    _, vectors = np.linalg.eigh((hessians + hessians.swapaxes(1, 2)) / 2)
    return vectors[..., -1], vectors[..., 0]


def _unit(directions: Floats) -> Floats:
    lengths = norm(directions)[:, None]
    unit: Floats = directions / np.where((lengths == 0) | ~np.isfinite(lengths), 1.0, lengths)
    return np.nan_to_num(unit)
