"""Local steps that are no gradient steps: momentum, decay and their kin, each with its constant.

On <1, y> + h y^2/2, with y = x - center, each rule is a recursion whose one constant is fitted where it was
measured first; a rule explains the code if it gives every other number as well. What is sent is where the
steps end, or the sum of the gradients on the way.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.lab import is_near
from verify.conformance.listing import Point

LARGEST = 0.999  # of a constant
STEPS = 200  # halvings of an interval of constants
FITTED = 100.0  # the constant is fitted, so that the numbers agree to 7 digits


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Shares of the movement along coordinates of these curvatures, at a point of settings."""

    at: Point
    curvatures: Floats
    center: Floats
    shares: Floats

    def gradient(self, y: Floats) -> Floats:
        slopes: Floats = 1 + self.curvatures * y
        return slopes


Rule = Callable[[Shown, float], Floats]  # the movement under a constant, up to a factor
Path = Callable[[Shown, float], Iterator[tuple[Floats, Floats]]]  # each local step's gradient, and its end


def _momentum(shown: Shown, constant: float) -> Iterator[tuple[Floats, Floats]]:
    y = v = np.zeros_like(shown.curvatures)
    for _ in range(shown.at.E):
        gradient = shown.gradient(y)
        v = constant * v + gradient
        y = y - shown.at.eta * v
        yield gradient, y


def _nesterov(shown: Shown, constant: float) -> Iterator[tuple[Floats, Floats]]:
    y = v = np.zeros_like(shown.curvatures)
    for _ in range(shown.at.E):
        gradient = shown.gradient(y)
        v = constant * v + gradient
        y = y - shown.at.eta * (gradient + constant * v)
        yield gradient, y


def _damped(shown: Shown, constant: float) -> Iterator[tuple[Floats, Floats]]:
    """A moving average of the gradients, as the first moment of Adam."""
    y = v = np.zeros_like(shown.curvatures)
    for _ in range(shown.at.E):
        gradient = shown.gradient(y)
        v = constant * v + (1 - constant) * gradient
        y = y - shown.at.eta * v
        yield gradient, y


def _accumulated(shown: Shown, constant: float) -> Iterator[tuple[Floats, Floats]]:
    y = total = np.zeros_like(shown.curvatures)
    for _ in range(shown.at.E):
        gradient = shown.gradient(y)
        total = total + gradient
        y = y - shown.at.eta * total
        yield gradient, y


def _decay(shown: Shown, constant: float) -> Iterator[tuple[Floats, Floats]]:
    y = np.zeros_like(shown.curvatures)
    for _ in range(shown.at.E):
        gradient = shown.gradient(y)
        y = y - shown.at.eta * (gradient + constant * (shown.center + y))
        yield gradient, y


def _proximal(shown: Shown, constant: float) -> Iterator[tuple[Floats, Floats]]:
    y = np.zeros_like(shown.curvatures)
    for _ in range(shown.at.E):
        gradient = shown.gradient(y)
        y = y - shown.at.eta * (gradient + constant * y)
        yield gradient, y


def _with_steps(step: Callable[[int, float], float]) -> Path:
    """Descent whose local step is multiplied by a factor of its number, from 0 on, and the constant."""

    def path(shown: Shown, constant: float) -> Iterator[tuple[Floats, Floats]]:
        y = np.zeros_like(shown.curvatures)
        for t in range(shown.at.E):
            gradient = shown.gradient(y)
            y = y - shown.at.eta * step(t, constant) * gradient
            yield gradient, y

    return path


_plain = _with_steps(lambda t, constant: 1.0)
_falling = _with_steps(lambda t, constant: 1 / (t + 1))
_power = _with_steps(lambda t, constant: float((t + 1) ** -constant))
_geometric = _with_steps(lambda t, constant: float(constant**t))
_first = _with_steps(lambda t, constant: 1.0 if t else constant)


def _normalized(shown: Shown, constant: float) -> Iterator[tuple[Floats, Floats]]:
    y = np.zeros_like(shown.curvatures)
    for _ in range(shown.at.E):
        gradient = shown.gradient(y)
        y = y - shown.at.eta * gradient / np.linalg.norm(gradient)
        yield gradient, y


def _end(path: Path) -> Rule:
    return lambda shown, constant: [y for _, y in path(shown, constant)][-1]


def _sum(path: Path) -> Rule:
    """The sum of the gradients on a path that does more than follow them."""
    return lambda shown, constant: np.sum([gradient for gradient, _ in path(shown, constant)], axis=0)


def _mean(shown: Shown, constant: float) -> Floats:
    points: Floats = np.mean([y for _, y in _plain(shown, constant)], axis=0)
    return points


def _ahead(shown: Shown, constant: float) -> Floats:
    """The sum of the gradients where each local step has ended."""
    total: Floats = np.sum([shown.gradient(y) for _, y in _plain(shown, constant)], axis=0)
    return total


def _late(shown: Shown, constant: float) -> Floats:
    y = before = np.zeros_like(shown.curvatures)
    for _ in range(shown.at.E):
        y, before = y - shown.at.eta * shown.gradient(before), y
    return y


def _last(shown: Shown, constant: float) -> Floats:
    return [gradient for gradient, _ in _plain(shown, constant)][-1]


def _next(shown: Shown, constant: float) -> Floats:
    """The gradient where the last local step has ended."""
    return shown.gradient(_end(_plain)(shown, constant))


KEPT: Sequence[tuple[str, Path]] = (
    ("local_decay", _falling),
    ("local_accumulated", _accumulated),
    ("local_momentum", _momentum),
    ("local_momentum", _nesterov),
    ("local_momentum", _damped),
    ("weight_decay", _decay),
    ("proximal", _proximal),
    ("local_geometric", _geometric),
    ("local_power", _power),
    ("local_first", _first),
)
RULES: Sequence[tuple[str, Rule]] = (
    ("gradient_normalized", _end(_normalized)),
    ("local_mean", _mean),
    ("local_last", _last),
    ("local_last", _next),
    ("local_late", _late),
    ("local_ahead", _ahead),
    *((name, _end(path)) for name, path in KEPT),
    *((name, _sum(path)) for name, path in KEPT),
)


def explained_by(measured: Sequence[Shown]) -> tuple[str, float] | None:
    """The rule and its constant that give all shares; None if no rule does."""
    several = [one for one in measured if one.at.E > 1]
    for name, rule in RULES:
        for constant in _constants(rule, several[0]):
            if all(is_near(_shares(rule, one, constant), one.shares, FITTED) for one in several):
                return name, constant
    return None


def _shares(rule: Rule, shown: Shown, constant: float) -> Floats:
    moved = rule(shown, constant)
    shares: Floats = moved / moved[0]
    return shares


def _constants(rule: Rule, shown: Shown) -> Iterator[float]:
    """Zero, for a rule without a constant; then those that give the last share, below the largest."""
    yield 0.0
    grid = np.linspace(0.0, LARGEST, 40)
    away = [float(_shares(rule, shown, constant)[-1] - shown.shares[-1]) for constant in grid]
    for i in range(len(grid) - 1):
        if away[i] * away[i + 1] <= 0:
            yield _root(rule, shown, float(grid[i]), float(grid[i + 1]))


def _root(rule: Rule, shown: Shown, low: float, high: float) -> float:
    sign = np.sign(_shares(rule, shown, low)[-1] - shown.shares[-1])
    for _ in range(STEPS):
        middle = (low + high) / 2
        if np.sign(_shares(rule, shown, middle)[-1] - shown.shares[-1]) == sign:
            low = middle
        else:
            high = middle
    return (low + high) / 2
