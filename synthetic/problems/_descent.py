"""Minimisation of smooth convex functions: a float64 search, and a certificate for where it ended."""

from collections.abc import Callable

import numpy as np

from synthetic.certified import enclosures
from synthetic.certified.enclosures import Ball, Floats, ball

STEPS = 500
DAMPINGS = 40
DOUBLINGS = 60
FAR = 1e9  # no minimum is looked for beyond: a function that falls for ever ends there


def newton(
    value: Callable[[Floats], float],
    gradient: Callable[[Floats], Floats],
    hessian: Callable[[Floats], Floats],
    start: Floats,
) -> Floats:
    """Newton steps, damped until the value falls (Levenberg and Marquardt); the answer only suggests."""
    point, damping = start, 0.0
    for _ in range(STEPS):
        slope, bend = gradient(point), hessian(point)
        size = float(np.trace(bend)) + 1e-300
        found = _falling(value, point, slope, bend, damping, size)
        if found is None:
            break
        point, damping = found[0], found[1] / 10 if found[1] > 1e-13 * size else 0.0
    return _polished(gradient, hessian, point)


def _falling(
    value: Callable[[Floats], float], point: Floats, slope: Floats, bend: Floats, damping: float, size: float
) -> tuple[Floats, float] | None:
    """The first step that makes the value fall, with its damping; None where none does."""
    here = value(point)
    for _ in range(DAMPINGS):
        following = point - _solved(bend, slope, damping)
        if np.abs(following).max() < FAR and value(following) < here:
            return following, damping
        damping = max(10 * damping, 1e-12 * size)
    return None


def _polished(
    gradient: Callable[[Floats], Floats], hessian: Callable[[Floats], Floats], start: Floats
) -> Floats:
    """At the floor of rounding the values no longer tell, but the gradients still do."""
    points, slopes = [start], [gradient(start)]
    for _ in range(5):
        points.append(points[-1] - _solved(hessian(points[-1]), slopes[-1], 0.0))
        slopes.append(gradient(points[-1]))
    return points[int(np.argmin([np.linalg.norm(slope) for slope in slopes]))]


def _solved(bend: Floats, slope: Floats, damping: float) -> Floats:
    solution = np.linalg.lstsq(bend + damping * np.eye(len(slope)), slope, rcond=None)[0]
    return np.asarray(solution, dtype=np.float64)


def certificate(gradient: Ball, convexity: Callable[[float], float]) -> tuple[Ball, Ball] | None:
    """Bounds on ||w - w*|| and on f(w) - f*, from the gradient (d,) of a convex function at w.

    `convexity(radius)` is a lower bound on the eigenvalues of the Hessian within the radius of w. Where
    ||g|| < convexity(r) r/2, the function exceeds f(w) on the sphere of radius r, so that its minimiser w* is
    inside, is the only one, and ||w - w*|| <= ||g||/mu, f(w) - f* <= ||g||^2/(2 mu) with mu = convexity(r).
    """
    slope = float(enclosures.norm(gradient).upper)
    around = convexity(0.0)
    if not around > 0:
        return None
    for doublings in range(DOUBLINGS):
        radius = 2.0**doublings * slope / around
        least = convexity(radius)
        if slope < least * radius * 0.49:  # below 1/2: room for the rounding of this line
            return ball(slope) / ball(least), ball(slope) * slope / (ball(least) * 2.0)
    return None
