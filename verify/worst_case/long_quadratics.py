"""The run of quadratic clients over many local steps, in integers over one growing denominator.

In the coordinates (u, v) of what the clients share and of their own direction a local step is
z -> z - step (Q z + b), and a round moves the state, which has v = 0, by the shared part of what the steps
moved. Fractions would spend their time on common divisors.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from operator import mul

from verify.worst_case.checker import NotACertificate
from verify.worst_case.federated_averaging import variance
from verify.worst_case.instance import Attained, Quadratic
from verify.worst_case.quadratic_instance import check_class
from verify.worst_case.setting import (
    DISTANCE,
    GAP,
    GRADIENT,
    MEAN_GAP,
    SMALLEST_GAP,
    Setting,
)

DIGITS = 2**200  # the objective is rounded down to multiples of one over it
Numbers = tuple[Fraction, ...]


def followed_in_integers(setting: Setting, quadratic: Quadratic) -> Attained:
    """The clients with their objective; raises NotACertificate if they violate an assumption."""
    check_class(quadratic, setting.curvature / setting.scale)
    width, own = len(quadratic.start), quadratic.spread
    _check(_square(quadratic.start) <= 1, "the distance at the start")
    if setting.clients == 1 or setting.alike_at_minimizer:
        _check(not any(own), "equal gradients at x*")
    states, spread = _states(setting, quadratic)
    gradients = [_gradient(quadratic, (*x, *(Fraction(0),) * len(own))) for x in states]
    seen = gradients[:-1] if setting.observable in (DISTANCE, MEAN_GAP) else gradients
    _check_spread(setting, own, [g[width:] for g in seen])
    objective = _observed(setting, states, [g[:width] for g in gradients])
    if setting.observable == DISTANCE:
        objective += setting.left_out * _square(spread) + variance(setting) / setting.squared_length
    rounded = Fraction(objective.numerator * DIGITS // objective.denominator, DIGITS)
    return Attained(coordinates=(), values=(), objective=rounded, quadratic=quadratic)


def _states(setting: Setting, quadratic: Quadratic) -> tuple[list[Numbers], Numbers]:
    """x_0..x_K, and the part of the last server's update that is a client's own."""
    scale = lcm(1, *(a.denominator for row in quadratic.hessian for a in row))
    matrix = [[int(a * scale) for a in row] for row in quadratic.hessian]
    step = setting.local_step * setting.scale
    above, below = step.numerator, step.denominator * scale
    width = len(quadratic.start)
    states, moved = [quadratic.start], quadratic.spread
    for _ in range(setting.rounds):
        start: Numbers = (*states[-1], *(Fraction(0),) * len(quadratic.spread))
        slope: Numbers = (*(Fraction(0),) * width, *quadratic.spread)
        common = lcm(1, *(a.denominator for a in (*start, *slope)))
        z, b = [int(a * common) for a in start], [int(a * common) * scale for a in slope]
        for _ in range(setting.local_steps):
            gradients = [sum(map(mul, row, z)) + a for row, a in zip(matrix, b, strict=True)]
            z = [a * below - above * g for a, g in zip(z, gradients, strict=True)]
            b, common = [a * below for a in b], common * below
        ends = [Fraction(a, common) for a in z]
        update = [setting.server_step * (end - a) for end, a in zip(ends, start, strict=True)]
        states.append(tuple(a + u for a, u in zip(states[-1], update[:width], strict=True)))
        moved = tuple(update[width:])
    return states, moved


def _gradient(quadratic: Quadratic, z: Numbers) -> Numbers:
    slope = (*(Fraction(0),) * len(quadratic.start), *quadratic.spread)
    return tuple(_inner(row, z) + a for row, a in zip(quadratic.hessian, slope, strict=True))


def _check_spread(setting: Setting, at_minimizer: Numbers, at_states: Sequence[Numbers]) -> None:
    unit = setting.scale**2 * setting.squared_length
    if setting.zeta_star is not None:
        _check(_square(at_minimizer) <= setting.zeta_star**2 / unit, "zeta_star at x*")
    for name, level in setting.spread_limits.items():
        _check(all(_square(v) <= level for v in (at_minimizer, *at_states)), f"{name} at a point")


def _observed(setting: Setting, states: Sequence[Numbers], gradients: Sequence[Numbers]) -> Fraction:
    name = setting.observable
    if name == DISTANCE:
        return _square(states[-1])
    if name in (GAP, MEAN_GAP, SMALLEST_GAP):
        gaps = [_inner(x, g) / 2 for x, g in zip(states, gradients, strict=True)]
        of_rounds = {GAP: gaps[-1:], MEAN_GAP: gaps[:-1]}
        chosen = of_rounds.get(name, [min(gaps)])
        return sum(chosen, Fraction(0)) / len(chosen)
    squares = [_square(g) for g in gradients]
    return squares[-1] if name == GRADIENT else min(squares)


def _square(vector: Numbers) -> Fraction:
    return _inner(vector, vector)


def _inner(first: Sequence[Fraction], second: Sequence[Fraction]) -> Fraction:
    return sum(map(mul, first, second), Fraction(0))


def _check(is_met: bool, assumption: str) -> None:
    if not is_met:
        raise NotACertificate(f"the instance violates: {assumption}")
