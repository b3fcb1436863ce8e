"""Equal clients c/2 ||x||^2: what a random run attains on them, exactly.

Equal clients satisfy every limit on heterogeneity. A round multiplies the state by a number and adds noise of
mean 0, so the second moment has an exact recursion.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from verify.worst_case.federated_averaging import variance
from verify.worst_case.setting import (
    DISTANCE,
    GRADIENT,
    MEAN_GAP,
    SMALLEST_GAP,
    SMALLEST_GRADIENT,
    Setting,
)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class EqualQuadratics:
    """The curvature of every client, the squared distance of the start, and the observable there."""

    curvature: Fraction
    squared_start: Fraction
    observable: Fraction


# Constant functions alone meet mu_1 > 2 L.
CONSTANT = EqualQuadratics(curvature=Fraction(0), squared_start=Fraction(0), observable=Fraction(0))


def equal_quadratics(setting: Setting) -> EqualQuadratics:
    """The worse of the two curvatures at the ends of the class, among those that the assumptions allow."""
    assert setting.L is not None
    least = (setting.mu_1 or Fraction(0)) / 2  # of a curvature c: ||grad f||^2 = 2 c (f - inf f)
    ends = {c for c in (setting.curvature, setting.L) if c >= least and (c > 0 or setting.D0 is not None)}
    found = [_attaining(setting, c) for c in sorted(ends) if c >= 0]
    return max(found, key=lambda one: one.observable, default=CONSTANT)


def _attaining(setting: Setting, curvature: Fraction) -> EqualQuadratics:
    factor_of_step = 1 - setting.local_step * curvature
    factor = 1 - setting.server_step * (1 - factor_of_step**setting.local_steps)
    start = setting.D0**2 if setting.D0 is not None else 2 * (setting.f0_gap or Fraction(0)) / curvature
    squares = [start]
    for _ in range(setting.rounds):
        squares.append(factor**2 * squares[-1] + variance(setting, factor_of_step))
    of_square = {DISTANCE: Fraction(1), GRADIENT: curvature**2, SMALLEST_GRADIENT: curvature**2}
    scale = of_square.get(setting.observable, curvature / 2)
    if setting.observable == MEAN_GAP:
        value = sum(squares[:-1], Fraction(0)) / setting.rounds
    else:
        smallest = setting.observable in (SMALLEST_GAP, SMALLEST_GRADIENT)
        value = min(squares) if smallest else squares[-1]
    return EqualQuadratics(curvature=curvature, squared_start=start, observable=scale * value)
