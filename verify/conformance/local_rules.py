"""Local steps that are no gradient steps: momentum, decay and their kin, each with its constant.

On <1, y> + h y^2/2, with y = x - center, each rule is a recursion whose one constant is fitted where it was
measured first; a rule explains the code if it gives every other number as well.
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


Rule = Callable[[Shown, float], Floats]  # the movement under a constant


def _momentum(shown: Shown, constant: float) -> Floats:
    y = v = np.zeros_like(shown.curvatures)
    for _ in range(shown.at.E):
        v = constant * v + 1 + shown.curvatures * y
        y = y - shown.at.eta * v
    return y


def _nesterov(shown: Shown, constant: float) -> Floats:
    y = v = np.zeros_like(shown.curvatures)
    for _ in range(shown.at.E):
        gradient = 1 + shown.curvatures * y
        v = constant * v + gradient
        y = y - shown.at.eta * (gradient + constant * v)
    return y


def _decay(shown: Shown, constant: float) -> Floats:
    y = np.zeros_like(shown.curvatures)
    for _ in range(shown.at.E):
        y = y - shown.at.eta * (1 + shown.curvatures * y + constant * (shown.center + y))
    return y


def _proximal(shown: Shown, constant: float) -> Floats:
    y = np.zeros_like(shown.curvatures)
    for _ in range(shown.at.E):
        y = y - shown.at.eta * (1 + shown.curvatures * y + constant * y)
    return y


def _falling(shown: Shown, constant: float) -> Floats:
    y = np.zeros_like(shown.curvatures)
    for t in range(shown.at.E):
        y = y - shown.at.eta / (t + 1) * (1 + shown.curvatures * y)
    return y


def _power(shown: Shown, constant: float) -> Floats:
    y = np.zeros_like(shown.curvatures)
    for t in range(shown.at.E):
        y = y - shown.at.eta * (t + 1) ** -constant * (1 + shown.curvatures * y)
    return y


def _accumulated(shown: Shown, constant: float) -> Floats:
    y = total = np.zeros_like(shown.curvatures)
    for _ in range(shown.at.E):
        total = total + 1 + shown.curvatures * y
        y = y - shown.at.eta * total
    return y


def _geometric(shown: Shown, constant: float) -> Floats:
    y = np.zeros_like(shown.curvatures)
    for t in range(shown.at.E):
        y = y - shown.at.eta * constant**t * (1 + shown.curvatures * y)
    return y


def _damped(shown: Shown, constant: float) -> Floats:
    """A moving average of the gradients, as the first moment of Adam."""
    y = v = np.zeros_like(shown.curvatures)
    for _ in range(shown.at.E):
        v = constant * v + (1 - constant) * (1 + shown.curvatures * y)
        y = y - shown.at.eta * v
    return y


def _mean(shown: Shown, constant: float) -> Floats:
    y = total = np.zeros_like(shown.curvatures)
    for _ in range(shown.at.E):
        y = y - shown.at.eta * (1 + shown.curvatures * y)
        total = total + y
    return total / shown.at.E


def _late(shown: Shown, constant: float) -> Floats:
    y = before = np.zeros_like(shown.curvatures)
    for _ in range(shown.at.E):
        y, before = y - shown.at.eta * (1 + shown.curvatures * before), y
    return y


def _last(shown: Shown, more: int) -> Floats:
    """The gradient of the last local step, or that of one more step."""
    y = gradient = np.zeros_like(shown.curvatures)
    for _ in range(shown.at.E + more):
        gradient = 1 + shown.curvatures * y
        y = y - shown.at.eta * gradient
    return -gradient


def _normalized(shown: Shown, constant: float) -> Floats:
    y = np.zeros_like(shown.curvatures)
    for _ in range(shown.at.E):
        gradient = 1 + shown.curvatures * y
        y = y - shown.at.eta * gradient / np.linalg.norm(gradient)
    return y


RULES: Sequence[tuple[str, Rule]] = (
    ("gradient_normalized", _normalized),
    ("local_mean", _mean),
    ("local_last", lambda shown, constant: _last(shown, 0)),
    ("local_last", lambda shown, constant: _last(shown, 1)),
    ("local_late", _late),
    ("local_decay", _falling),
    ("local_accumulated", _accumulated),
    ("local_momentum", _momentum),
    ("local_momentum", _nesterov),
    ("local_momentum", _damped),
    ("weight_decay", _decay),
    ("proximal", _proximal),
    ("local_geometric", _geometric),
    ("local_power", _power),
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
