"""The program of a linear method, in the units of federated averaging: L = 1 and the start at 1.

Every client has a function of its own, whose points are where the client is asked, the iterates that are
measured, and x*; one Gram matrix holds x_0 and all gradients. Where all clients play the same part, one
stands for all of them, by the two Gram matrices of means and of deviations (docs/worst_case.md).
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from verify.worst_case.checker import Form, Program
from verify.worst_case.interpolation import Point, all_interpolations, bound_below, limit_subgradients
from verify.worst_case.methods.linear import Place
from verify.worst_case.methods.setting import MethodSetting
from verify.worst_case.observables import measured_rounds, observed
from verify.worst_case.setting import DISTANCE
from verify.worst_case.space import MEAN, Space
from verify.worst_case.vectors import Sum, Vector, mean

Key = tuple[tuple[tuple[int, Fraction], ...], ...]  # the multiples of gradients that make a point


@final
@dataclass(slots=True, kw_only=True)
class MethodRun:
    """The points of each client, or of the one that stands for all, after x*, if there is one."""

    space: Space
    scale: Fraction
    start: Vector
    gradients: list[Vector]  # the answers to the questions of the method
    minimizers: tuple[Point, ...]
    points: tuple[dict[Key, Point], ...]

    def place(self, at: Place) -> Vector:
        total = self.start
        for number, times in at.own.items():
            total = total.plus(self.gradients[number], times * self.scale)
        for number, times in at.of_mean.items():
            total = total.plus(self.gradients[number].part(MEAN), times * self.scale)
        return total

    def ask(self, client: int, at: Place) -> Point:
        """The point of a client, which has a new gradient unless the client was asked there before.

        The basis vector is the difference from the gradient at x*. So the length of that one enters the
        program only if it matters: if nothing limits it, its products with other vectors are free numbers.
        """
        key = tuple(sorted(at.own.items())), tuple(sorted(at.of_mean.items()))
        own = self.points[client]
        if key not in own:
            gradient = self.space.vector()
            for minimizer in self.minimizers[client : client + 1]:
                gradient = gradient + minimizer.gradient
            own[key] = Point(
                name=f"point {len(own) + 1} of client {client + 1}",
                x=self.place(at),
                gradient=gradient,
                value=self.space.value(),
            )
        return own[key]

    def ask_all(self, at: Place) -> list[Point]:
        return [self.ask(client, at) for client in range(len(self.points))]

    def points_of(self, client: int) -> list[Point]:
        return [*self.minimizers[client : client + 1], *self.points[client].values()]

    @property
    def all_points(self) -> list[Point]:
        return [point for client in range(len(self.points)) for point in self.points_of(client)]


START = Place({}, {})


def method_run(setting: MethodSetting) -> MethodRun:
    """Follow the method with formal vectors, as far as what is assumed and measured needs points."""
    method = setting.method
    space = Space(blocks=2 if method.is_alike else 1)
    run = MethodRun(
        space=space,
        scale=setting.scale,
        start=space.common() if setting.has_minimizer else space.zero,
        gradients=[],
        minimizers=_minimizers(setting, space),
        points=tuple({} for _ in range(1 if method.is_alike else setting.clients)),
    )
    for question in method.asked:
        run.gradients.append(run.ask(question.client or 0, question.at).gradient)
    last = len(method.iterates) - 1
    common = [method.iterates[k] for k in measured_rounds(setting.observable, last)]
    for at in [START, *common] if setting.D0 is None else common:
        run.ask_all(at)
    return run


def _minimizers(setting: MethodSetting, space: Space) -> tuple[Point, ...]:
    """x* for each client, whose gradients there add up to 0; none without convexity."""
    if not setting.has_minimizer:
        return ()
    return tuple(
        Point(name=f"x* of client {client + 1}", x=space.zero, gradient=gradient, value=None)
        for client, gradient in enumerate(_gradients_at_minimizer(setting, space))
    )


def _gradients_at_minimizer(setting: MethodSetting, space: Space) -> list[Vector]:
    nothing = setting.clients == 1 or setting.zeta_star == 0
    if setting.method.is_alike:
        return [space.zero if nothing else space.deviation()]
    gradients = [space.zero if nothing else space.common() for _ in range(setting.clients - 1)]
    rest = space.zero
    for gradient in gradients:
        rest = rest - gradient
    return [*gradients, rest]


def method_program(setting: MethodSetting) -> Program:
    """The largest value of the observable, in units of `setting.unit`."""
    run = method_run(setting)
    constraints = [
        form
        for client in range(len(run.points))
        for form in all_interpolations(run.points_of(client), setting.scaled_curvature)
    ]
    constraints += [] if setting.G is None else limit_subgradients(run.all_points)
    constraints += [] if setting.has_minimizer else bound_below(run.all_points)
    constraints += [_limit_start(setting, run), *_limit_spread(setting, run)]
    objective, more = _observable(setting, run)
    return Program(
        blocks=tuple(run.space.sizes[: run.space.blocks]),
        values=run.space.values,
        objective=objective,
        constraints=(*constraints, *more),
    )


def _limit_start(setting: MethodSetting, run: MethodRun) -> Form:
    if setting.D0 is not None:
        return Sum(Fraction(1)).add_inner(run.start, run.start, -1).form("distance at the start")
    points = run.ask_all(START)
    at_start = Sum(Fraction(1))
    for point in points:
        at_start.add_value(point.value, Fraction(-1, len(points)))
    return at_start.form("gap at the start")


def _limit_spread(setting: MethodSetting, run: MethodRun) -> list[Form]:
    if not setting.zeta_star or not run.minimizers or setting.clients == 1:
        return []
    limit = Sum(setting.zeta_star**2 / (setting.scale**2 * setting.squared_length))
    for point in run.minimizers:
        limit.add_inner(point.gradient, point.gradient, Fraction(-1, len(run.minimizers)))
    return [limit.form("zeta_star")]


def _observable(setting: MethodSetting, run: MethodRun) -> tuple[Form, list[Form]]:
    iterates = setting.method.iterates
    if setting.observable == DISTANCE:
        end = run.place(iterates[-1])
        return Sum().add_inner(end, end).form(DISTANCE), []

    def gap(k: int) -> Sum:
        return mean([Sum().add_value(point.value, 1) for point in run.ask_all(iterates[k])])

    def gradient(k: int) -> Vector:
        points = run.ask_all(iterates[k])
        total = run.space.zero
        for point in points:
            total = total.plus(point.gradient.part(MEAN), Fraction(1, len(points)))
        return total

    return observed(setting.observable, len(iterates) - 1, run.space, gap, gradient)
