"""The program of federated averaging: full local gradients, E local steps, K rounds, any number of clients.

Units: L = 1 and the start at 1. The blocks are the Gram matrix of what the clients have in common and that of
their deviations; with one client there is no second block. No size depends on the number of clients.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import final

from verify.worst_case.checker import Form, Program
from verify.worst_case.interpolation import (
    Point,
    all_interpolations,
    bound_below,
    interpolation,
    limit_subgradients,
)
from verify.worst_case.noise import Noise
from verify.worst_case.observables import measured_rounds, observed
from verify.worst_case.quadratics import quadratic_conditions
from verify.worst_case.setting import CENTRAL, DISTANCE, Setting
from verify.worst_case.space import MEAN, Space
from verify.worst_case.vectors import Sum, Vector

# Local steps between two points that a long run compares; near pairs raised the value by at most 0.05 % in
# five runs of 24 to 30 steps.
NEAR = 6
START = "distance at the start"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The points of a run, in basis vectors: `states` are x_0..x_K, `local` all points with gradients."""

    space: Space
    minimizer: Point | None
    infimum: Point | None
    states: tuple[Vector, ...]  # and after them the end of central steps, if it is measured
    points: dict[
        tuple[int, int], Point
    ]  # (round, local step); (K, 0) is the last state, where it is measured
    moments: tuple[Form, ...]  # of the noise

    @property
    def fixed_points(self) -> list[Point]:
        return [point for point in (self.minimizer, self.infimum) if point is not None]

    @property
    def all_points(self) -> list[Point]:
        return [*self.fixed_points, *self.points.values()]


def federated_run(setting: Setting) -> Run:
    """Follow the algorithm with formal vectors."""
    space = Space(blocks=1 if setting.clients == 1 else 2)
    zero = space.zero
    minimizer = infimum = None
    if setting.has_minimizer:
        gradient = zero if setting.alike_at_minimizer else space.deviation()
        minimizer = Point(name="x*", x=zero, gradient=gradient, value=None)
    if setting.Delta_star:
        infimum = Point(name="x_i*", x=space.vector(), gradient=zero, value=space.value())
    state = space.common() if setting.has_minimizer else zero
    states, points, noise = [state], {}, Noise(setting, space)
    step = setting.local_step * setting.scale
    for k in range(setting.rounds):
        x = state
        for h in range(setting.local_steps):
            own = space.common() if h == 0 and setting.alike else space.vector()
            is_last = h == setting.local_steps - 1
            gradient = own if setting.has_all_pairs else _place_gradient(own, x, states, setting, is_last)
            points[k, h] = Point(name=f"x_{k},{h}", x=x, gradient=gradient, value=space.value())
            x = x.plus(noise.disturb(gradient), -step)
        state = noise.move(state, x - state)
        states.append(state)
    if setting.rounds in measured_rounds(setting.observable, setting.rounds):
        k = setting.rounds
        gradient = space.common() if setting.alike else space.vector()
        points[k, 0] = Point(name=f"x_{k}", x=state, gradient=gradient, value=space.value())
    if setting.observable == CENTRAL:
        states.append(_step_centrally(setting, space, points))
    return Run(
        space=space,
        minimizer=minimizer,
        infimum=infimum,
        states=tuple(states),
        points=points,
        moments=tuple(noise.moments),
    )


def _step_centrally(setting: Setting, space: Space, points: dict[tuple[int, int], Point]) -> Vector:
    """Where as many steps along the mean gradient lead from x_0; their points are common to the clients."""
    place = points[0, 0]
    for h in range(1, setting.local_steps + 1):
        x = place.x.plus(place.gradient.part(MEAN), -setting.local_step * setting.scale)
        if h == setting.local_steps:
            return x
        place = points[h, 0] = Point(name=f"v_{h}", x=x, gradient=space.vector(), value=space.value())
    raise AssertionError("a round has a step")


def _place_gradient(
    moved: Vector, x: Vector, states: list[Vector], setting: Setting, is_last: bool
) -> Vector:
    """The gradient whose step from x is `moved` away from x_0, and in the mean so is the state after a round.

    With this basis gradients are differences of neighbors, and conditions on near points have few entries.
    """
    start, state = states[0], states[-1]
    after = start + moved
    if is_last:
        common = moved.part(MEAN)
        after = state + (1 / setting.server_step) * (start + common - state) + (moved - common)
    return (1 / (setting.local_step * setting.scale)) * (x - after)


def program(setting: Setting) -> Program:
    """The largest value of the observable, in units of `setting.unit`."""
    run = federated_run(setting)
    curvature = setting.scaled_curvature
    outside = program_outside_the_class(setting, run)
    if not setting.quadratic:
        return replace(
            outside, constraints=(*_class_conditions(setting, run, curvature), *outside.constraints)
        )
    assert run.minimizer is not None
    assert curvature is not None
    points = [*run.points.values()]
    conditions = quadratic_conditions(run.minimizer, points, curvature, run.space.blocks)
    return replace(
        outside,
        blocks=(*outside.blocks, len(points)),
        constraints=(*conditions, *outside.constraints),
    )


def _class_conditions(setting: Setting, run: Run, curvature: Fraction | None) -> list[Form]:
    """Compare every pair of points, or in a long run near ones: fewer conditions can only raise the value.

    The slack matrices of near pairs have few entries, so that the solver splits them into small ones.
    """
    if setting.has_all_pairs:
        return all_interpolations(run.all_points, curvature)
    fixed, places = run.fixed_points, [*run.points]
    found = all_interpolations(fixed, curvature)
    for i, late in enumerate(places):
        near = [early for j, early in enumerate(places[:i]) if i - j <= NEAR or _shares_a_round(early, late)]
        for other in [*fixed, *(run.points[early] for early in near)]:
            found.append(interpolation(run.points[late], other, curvature))
            found.append(interpolation(other, run.points[late], curvature))
    return found


def _shares_a_round(early: tuple[int, int], late: tuple[int, int]) -> bool:
    """Whether one is the server's state before or after a round, and the other a point of this round."""
    before, after = early[1] == 0 and early[0] == late[0], late[1] == 0 and early[0] == late[0] - 1
    return before or after


def program_outside_the_class(setting: Setting, run: Run) -> Program:
    """The program without the conditions that make points and gradients those of functions of the class."""
    constraints = [] if setting.G is None else limit_subgradients(run.all_points)
    constraints += _start(setting, run)
    constraints += [] if setting.has_minimizer else bound_below(run.all_points)
    constraints += _heterogeneity(setting, run) + _gradient_dominance(setting, run)
    objective, more = _observable(setting, run)
    return Program(
        blocks=tuple(run.space.sizes[: run.space.blocks]),
        values=run.space.values,
        objective=objective,
        constraints=(*constraints, *run.moments, *more),
    )


def _start(setting: Setting, run: Run) -> list[Form]:
    if setting.D0 is not None:
        return [Sum(Fraction(1)).add_inner(run.states[0], run.states[0], -1).form(START)]
    first = run.points[0, 0].value
    return [Sum(Fraction(1)).add_value(first, -1).form("gap at the start")]


def _heterogeneity(setting: Setting, run: Run) -> list[Form]:
    found: list[Form] = []
    scale = setting.scale**2 * setting.squared_length
    at_states = [point for (_, h), point in run.points.items() if h == 0]
    everywhere = at_states if run.minimizer is None else [run.minimizer, *at_states]
    if setting.zeta_star and run.minimizer is not None:
        found.append(_spread(run.minimizer, setting.zeta_star**2 / scale, "zeta_star"))
    limits = [(name, level) for name, level in setting.spread_limits.items() if level]
    found += [_spread(point, level, name) for name, level in limits for point in everywhere]
    if setting.Delta_star and run.infimum is not None:
        level = setting.Delta_star / (setting.scale * setting.squared_length)
        found.append(Sum(level).add_value(run.infimum.value, 1).form("Delta_star"))
    return found


def _spread(point: Point, limit: Fraction, name: str) -> Form:
    """The mean squared deviation of the clients' gradients at a common point is at most `limit`."""
    deviation = point.gradient.plus(point.gradient.part(MEAN), -1)
    return Sum(limit).add_inner(deviation, deviation, -1).form(f"{name} at {point.name}")


def _gradient_dominance(setting: Setting, run: Run) -> list[Form]:
    if setting.mu_1 is None:
        return []
    constant = setting.mu_1 / setting.scale
    return [
        Sum().add_inner(p.gradient, p.gradient).add_value(p.value, -constant).form(f"mu_1 at {p.name}")
        for (_, h), p in run.points.items()
        if h == 0
    ]


def _observable(setting: Setting, run: Run) -> tuple[Form, list[Form]]:
    """The objective, and the constraints of a free number that stands for a minimum."""
    last, name = setting.rounds, setting.observable
    if name == CENTRAL:
        apart = run.states[-2] - run.states[-1]
        return Sum().add_inner(apart, apart).form(name), []
    if name == DISTANCE:
        return _squared_distance(setting, run), []
    return observed(
        name,
        last,
        run.space,
        gap=lambda k: Sum().add_value(run.points[k, 0].value, 1),
        gradient=lambda k: run.points[k, 0].gradient.part(MEAN),
    )


def _squared_distance(setting: Setting, run: Run) -> Form:
    """The mean over the draw of the clients and over the noise: a variance is a form of the deviations."""
    if setting.follows_moments:
        return Sum().add_inner(run.states[-1], run.states[-1]).form(setting.observable)
    total = Sum(variance(setting) / setting.squared_length)
    total.add_inner(run.states[-1], run.states[-1])
    if setting.cohort is not None and setting.clients > 1:
        update = run.space.zero
        for (k, _), point in run.points.items():
            if k == 0:
                update = update.plus(point.gradient, setting.server_step * setting.local_step * setting.scale)
        spread = update.plus(update.part(MEAN), -1)
        total.add_inner(spread, spread, setting.left_out)
    return total.form(setting.observable)


def variance(setting: Setting, factor: Fraction = Fraction(1)) -> Fraction:
    """What noise of mean 0 adds to the squared distance in one round; a local step multiplies by `factor`."""
    of_server = (setting.server_noise or Fraction(0)) ** 2
    heard = setting.clients if setting.cohort is None else setting.cohort
    of_gradients = (setting.server_step * setting.local_step * (setting.sigma or Fraction(0))) ** 2 / heard
    return of_server + of_gradients * sum(factor ** (2 * h) for h in range(setting.local_steps))
