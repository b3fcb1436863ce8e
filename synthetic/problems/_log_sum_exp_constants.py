"""The constants of smooth maxima; the mathematics is in log_sum_exp.py."""

import math
from typing import Any, Final, Protocol

import numpy as np

from synthetic.certified import enclosures
from synthetic.certified.divergence import divergences_between
from synthetic.certified.enclosures import Ball, Floats, ball, between
from synthetic.certified.facts import Constant, exactly
from synthetic.engine.arithmetic import Array
from synthetic.errors import UnknownMinimum
from synthetic.problems._descent import certificate, newton
from synthetic.problems._minimum import minima, of_the_minimiser

THIRD_MOMENT: Final = 0.0962251  # above 1/(6 sqrt(3)) = 0.09622504...


class Smoothed(Protocol):
    @property
    def rows(self) -> Array: ...

    @property
    def levels(self) -> Array: ...

    @property
    def temperature(self) -> float: ...

    @property
    def l2(self) -> float: ...

    @property
    def clients(self) -> int: ...

    @property
    def dimension(self) -> int: ...

    def value(self, points: Array) -> Array: ...

    def gradient(self, points: Array) -> Array: ...

    def client_values(self, points: Array) -> Array: ...

    def client_gradients(self, points: Array) -> Array: ...

    def weights(self, points: Array) -> Array: ...

    def of(self, client: int) -> "Smoothed": ...

    def heated(self, temperature: float) -> "Smoothed": ...


def near_minimiser(problem: Smoothed) -> Floats:
    """Through falling temperatures: at a low one the Hessian vanishes almost everywhere."""
    point = np.zeros(problem.dimension)
    temperature = max(problem.temperature, float(np.abs(problem.rows).max()))
    while temperature > problem.temperature:
        point = _newton_at(problem.heated(temperature), point)
        temperature /= 4
    return _newton_at(problem, point)


def _newton_at(problem: Smoothed, start: Floats) -> Floats:
    return newton(
        lambda x: float(problem.value(x[None])[0]),
        lambda x: problem.gradient(x[None])[0],
        lambda x: _covariances(problem, x).mean(axis=0) + problem.l2 * np.eye(problem.dimension),
        start,
    )


def constants_near(problem: Smoothed, point: Floats) -> dict[str, Constant | None]:
    apart = _farthest(problem.rows)
    diameters = ball(apart.diagonal())
    bends = (diameters * diameters / (4 * problem.temperature) + problem.l2).upper
    third = diameters * diameters * diameters * THIRD_MOMENT / problem.temperature / problem.temperature
    reached = _bends_reached(problem, point)
    infima = _infima(problem)
    shift, descent = _certified(problem, point, "the mean")
    place: Any = ball(point[None])
    values: Any = problem.client_values(place)[:, 0]
    gradients: Any = problem.client_gradients(place)[:, 0]
    known = of_the_minimiser(point, values - infima, gradients, ball(bends), shift=shift, descent=descent)
    return {
        "smoothness": enclosures.at_most(bends.max(), lower=reached.max()),
        "client_smoothness": enclosures.at_most(bends, lower=reached),
        "mean_smoothness": enclosures.at_most(
            enclosures.mean(ball(bends)).upper, lower=_mean_bend(problem, point).lower
        ),
        "hessian_lipschitz": enclosures.at_most(third.upper.max(), lower=0.0),
        # far out the weights gather on one piece, and the covariance vanishes
        "strong_convexity": exactly(problem.l2),
        "client_strong_convexity": exactly((problem.l2,) * problem.clients),
        "lipschitz": None if problem.l2 > 0 else enclosures.constant(_longest(problem.rows)),
        **minima(known, infima),
        **_divergences(gradients, np.where(_same(problem), 0.0, apart)),
    }


def _certified(problem: Smoothed, point: Floats, whose: str) -> tuple[Ball, Ball]:
    """Bounds on ||w - w*|| and f(w) - f*."""
    place: Any = ball(point[None])
    gradient: Any = problem.client_gradients(place)[:, 0]
    least = float(_least_bend(problem, point))
    diameter = float(_farthest(problem.rows).diagonal().max())

    def convexity(radius: float) -> float:
        # each weight keeps the fraction exp(-D r/s), a covariance is a sum over products of two weights
        share = math.exp(-2 * diameter * radius / problem.temperature) * (1 - 1e-12)
        return problem.l2 + least * share

    found = certificate(enclosures.mean(gradient), convexity)
    if found is None:
        raise UnknownMinimum(
            asked=f"minimum of a smooth maximum, {whose}",
            failed="the rows do not surround the origin, or hardly",
            found=f"gradient norm {np.linalg.norm(gradient.middle.mean(axis=0)):.3g} at the best point",
            needed="rows with the origin inside their convex hull, or l2 > 0",
            change="center the rows, add opposite rows, or set l2",
        )
    return found


def _infima(problem: Smoothed) -> Ball:
    lows, highs = [], []
    for client in range(problem.clients):
        alone = problem.of(client)
        point = near_minimiser(alone)
        _, descent = _certified(alone, point, f"client {client}")
        place: Any = ball(point[None])
        value: Any = alone.client_values(place)[0, 0]
        lows.append(float((value - descent).lower))
        highs.append(float(value.upper))
    return between(lows, highs)


def _covariances(problem: Smoothed, point: Any) -> Any:
    """Over the temperature, (n, d, d), at an array or a ball (d,)."""
    weights = problem.weights(point[None])[:, 0]
    center = weights[:, None] @ problem.rows
    away = problem.rows - center
    return away.swapaxes(-1, -2) @ (weights[..., None] * away) / problem.temperature


def _mean_bend(problem: Smoothed, point: Floats) -> Ball:
    """The largest eigenvalue of the mean Hessian at the point."""
    return enclosures.extreme_eigenvalues(enclosures.mean(_covariances(problem, ball(point))))[1] + problem.l2


def _least_bend(problem: Smoothed, point: Floats) -> Floats:
    smallest: Ball = enclosures.extreme_eigenvalues(enclosures.mean(_covariances(problem, ball(point))))[0]
    return np.maximum(smallest.lower, 0.0)


def _bends_reached(problem: Smoothed, point: Floats) -> Floats:
    """Per client, a certified lower bound on the largest eigenvalue of its Hessian over a few points."""
    tried = np.concatenate([point[None], *(_ties(problem, client) for client in range(problem.clients))])
    largest = np.stack([np.linalg.eigvalsh(_covariances(problem, x))[:, -1] for x in tried])
    reached = [
        enclosures.extreme_eigenvalues(_covariances(problem.of(client), ball(tried[best])))[1].lower[0]
        for client, best in enumerate(largest.argmax(axis=0))
    ]
    return (ball(reached) + problem.l2).lower


def _ties(problem: Smoothed, client: int) -> Floats:
    """Points where the two rows farthest apart have equal scores, on the way out along their middle."""
    rows, levels = problem.rows[client], problem.levels[client]
    lengths = np.linalg.norm(rows[:, None] - rows, axis=-1)
    first, second = np.unravel_index(lengths.argmax(), lengths.shape)
    across, outward = rows[first] - rows[second], rows[first] + rows[second]
    outward = outward - (outward @ across) / (across @ across) * across
    foot = (levels[first] - levels[second]) / (across @ across) * across
    reach = problem.temperature * np.array([0.0, 1.0, 4.0, 16.0]) / max(float(outward @ outward), 1e-300)
    return foot + reach[:, None] * outward


def _longest(rows: Array) -> Ball:
    """Gradients come as near to any vertex of the hull as one likes: the longest row is the supremum."""
    return enclosures.maximum(enclosures.norm(ball(rows)))


def _farthest(rows: Array) -> Floats:
    """(n, n): upper bounds on the distance between a row of client i and a row of client k."""
    return np.array([[_distance(left, right) for right in rows] for left in rows])


def _distance(left: Array, right: Array) -> float:
    return float(enclosures.norm(ball(left)[:, None] - right).upper.max())


def _divergences(gradients: Ball, apart: Floats) -> dict[str, Constant | None]:
    """Above: gradients are means of rows, so those of i and k differ by at most the farthest rows.

    Below: the differences at the minimiser. With l2 its part cancels in the difference.
    """
    here = enclosures.norm(gradients - enclosures.mean(gradients)).lower
    return divergences_between(here, (ball(apart).sum(axis=1) / len(apart)).upper)


def _same(problem: Smoothed) -> Array:
    """(n, n): clients with the same pieces have the same gradient everywhere."""
    pieces = np.concatenate([problem.rows, problem.levels[..., None]], axis=-1)
    return (pieces[:, None] == pieces).all(axis=(2, 3))
