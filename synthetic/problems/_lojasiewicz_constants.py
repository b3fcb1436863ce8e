"""The constants of the power-core family; the mathematics is in lojasiewicz.py."""

from typing import Any, Protocol

import numpy as np

from synthetic.certified import enclosures
from synthetic.certified.divergence import divergences_between
from synthetic.certified.enclosures import Ball, Floats, ball
from synthetic.certified.facts import Constant, exactly
from synthetic.engine.arithmetic import Array
from synthetic.problems._descent import certificate, newton
from synthetic.problems._minimum import AtMinimiser, minima, of_some_minimiser, of_the_minimiser

MOST_PAIRED = 500  # clients whose centers are compared pair by pair: time and memory grow as their square


class Cored(Protocol):
    @property
    def centers(self) -> Array: ...

    @property
    def power(self) -> float: ...

    @property
    def core(self) -> float: ...

    @property
    def curvature(self) -> float: ...

    @property
    def exponent(self) -> float: ...

    @property
    def set_radius(self) -> float: ...

    def value(self, points: Array) -> Array: ...

    def gradient(self, points: Array) -> Array: ...

    def client_values(self, points: Array) -> Array: ...

    def client_gradients(self, points: Array) -> Array: ...


def near_minimiser(problem: Cored) -> Floats:
    return newton(
        lambda x: float(problem.value(x[None])[0]),
        lambda x: problem.gradient(x[None])[0],
        lambda x: _mean_hessian(problem, x),
        problem.centers.mean(axis=0),
    )


def constants_near(problem: Cored, point: Floats) -> dict[str, Constant | None]:
    clients = len(problem.centers)
    place: Any = ball(point[None])
    values: Any = problem.client_values(place)[:, 0]
    gradients: Any = problem.client_gradients(place)[:, 0]
    smoothness = ball(problem.curvature) * (ball(problem.power) - 1.0)
    each = smoothness + np.zeros(clients)
    flat = problem.power > 2
    return {
        "smoothness": enclosures.constant(smoothness),
        "client_smoothness": enclosures.constant(each),
        # far out the Hessian tends to curvature * identity
        "mean_smoothness": enclosures.at_most(smoothness.upper, lower=problem.curvature),
        "strong_convexity": enclosures.constant(
            enclosures.between(0.0 if flat else problem.curvature, problem.curvature), guess=0.0, low=0.0
        ),
        "client_strong_convexity": exactly((0.0 if flat else problem.curvature,) * clients),
        "lojasiewicz": enclosures.constant(_quotient(problem)),
        "lojasiewicz_exponent": exactly(problem.exponent),
        "lojasiewicz_radius": exactly(problem.set_radius),
        **minima(_at_minimiser(problem, point, values, gradients, each), ball(np.zeros(clients))),
        **_divergences(problem, gradients, smoothness),
    }


def _quotient(problem: Cored) -> Ball:
    """||grad f_i||^2 over (f_i - min f_i)^exponent at the point of the set farthest from a centre."""
    farthest = enclosures.maximum(enclosures.norm(ball(problem.centers))) + problem.set_radius
    reach = farthest / problem.core
    inner, outer = reach.clip(0.0, 1.0), reach.clip(1.0)
    slope = problem.curvature * farthest * inner ** (problem.power - 2)
    scale = ball(problem.curvature) * problem.core * problem.core
    value = scale * (inner**problem.power / problem.power + (outer - 1.0) * (outer + 1.0) / 2)
    return slope * slope / value**problem.exponent


def _at_minimiser(
    problem: Cored, point: Floats, values: Ball, gradients: Ball, smoothness: Ball
) -> AtMinimiser:
    if (problem.centers == point).all():
        return of_the_minimiser(point, values, gradients, smoothness, shift=ball(0.0), descent=ball(0.0))
    found = certificate(enclosures.mean(gradients), lambda radius: _least_bend(problem, point, radius))
    if found is None:
        return of_some_minimiser(point, values, gradients, smoothness)
    return of_the_minimiser(point, values, gradients, smoothness, shift=found[0], descent=found[1])


def _least_bend(problem: Cored, point: Floats, radius: float) -> float:
    """The mean over clients of the tangential, smaller curvature at the nearest point of the ball."""
    distances = enclosures.norm(ball(point) - problem.centers)
    nearest = ((distances - radius) / problem.core).clip(0.0, 1.0)
    return float((enclosures.mean(nearest ** (problem.power - 2)) * problem.curvature).lower)


def _mean_hessian(problem: Cored, point: Floats) -> Floats:
    away = point - problem.centers
    squares = (away * away).sum(axis=1)
    reach = np.sqrt(squares) / problem.core
    bends = problem.curvature * np.minimum(reach, 1.0) ** (problem.power - 2)
    stretch = np.where((reach < 1) & (squares > 0), problem.power - 2, 0.0) / np.maximum(squares, 1e-300)
    radial = (bends * stretch)[:, None, None] * away[:, :, None] * away[:, None]
    return (bends.sum() * np.eye(len(point)) + radial.sum(axis=0)) / len(away)


def _divergences(problem: Cored, gradients: Ball, smoothness: Ball) -> dict[str, Constant | None]:
    """Above: the clients are translates, so their gradients differ by at most L||c_i - c_k||."""
    above = _mean_distances(problem.centers) * smoothness
    here = enclosures.norm(gradients - enclosures.mean(gradients))
    return divergences_between(here.lower, above.upper)


def _mean_distances(centers: Array) -> Ball:
    """Above the mean distance of each center from all of them; of many clients the root of the mean square.

    That needs no pairs: the mean over k of ||c_i - c_k||^2 is ||c_i - mean||^2 plus the mean over k of
    ||c_k - mean||^2.
    """
    around = ball(centers)
    if len(centers) <= MOST_PAIRED:
        return enclosures.mean(enclosures.norm(around[:, None] - centers).swapaxes(0, 1))
    away = enclosures.norm(around - enclosures.mean(around))
    squares = away * away
    return enclosures.sqrt(squares + enclosures.mean(squares))
