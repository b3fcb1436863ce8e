"""The constants of a large quadratic problem, by floating-point arithmetic with proved error bounds.

Exact rationals cost about n d^3 operations on numbers that grow; these bounds cost a few matrix products.
They rest on a point w near the minimiser w*. With g the gradient at w and the mean mu-strongly convex,
f(w) - f* <= ||g||^2/(2 mu) and ||w - w*|| <= ||g||/mu. Where the mean is not certified strongly convex,
f* is at least the mean of the client minima, so that every w* has
0 <= f_i(w*) - min f_i <= n (f(w) - mean of min f_i).
"""

from typing import Any

import numpy as np

from synthetic.certified import enclosures
from synthetic.certified.divergence import DIVERGENCES
from synthetic.certified.enclosures import Ball, Floats, ball
from synthetic.certified.facts import Constant, exactly
from synthetic.engine.arithmetic import Array
from synthetic.problems._minimum import AtMinimiser, minima, of_some_minimiser, of_the_minimiser
from synthetic.problems.quadratics.curvature import Curvature


def near_minimiser(curvature: Curvature, centers: Array) -> Floats:
    """The float64 solution of smallest norm, refined; nothing is proved here."""
    mean = curvature.mean_matrix()
    point: Floats = np.zeros(centers.shape[1])
    for _ in range(3):
        slope = curvature.times((point - centers)[:, None]).sum(axis=(0, 1)) / len(centers)
        point = point - np.linalg.lstsq(mean, slope, rcond=1e-13)[0]
    return point


def constants_near(
    point: Floats, curvature: Curvature, centers: Array, offsets: Array
) -> dict[str, Constant | None]:
    smallest, largest = curvature.extreme_eigenvalues()
    weakest, strongest = curvature.extreme_eigenvalues_of_mean()
    away: Any = (ball(point) - centers)[:, None]  # the formulas of a curvature take balls as well as arrays
    slopes: Any = curvature.times(away)
    bowls = (away * slopes).sum(axis=-1)[:, 0] / 2
    known = _at_minimiser(point, bowls, slopes[:, 0], largest, weakest)
    return {
        "smoothness": enclosures.constant(enclosures.maximum(largest)),
        "client_smoothness": enclosures.constant(largest),
        "mean_smoothness": enclosures.constant(strongest),
        "hessian_lipschitz": exactly(0.0),
        # semidefinite by certificate, so a bound below zero only lost sharpness
        "strong_convexity": enclosures.constant(weakest, low=0.0),
        "client_strong_convexity": enclosures.constant(smallest, low=0.0),
        **minima(known, ball(offsets)),
        **_divergences(curvature, centers),
    }


def _at_minimiser(point: Floats, bowls: Ball, slopes: Ball, largest: Ball, weakest: Ball) -> AtMinimiser:
    if not weakest.lower > 0:
        return of_some_minimiser(point, bowls, slopes, largest)
    slope = ball(enclosures.norm(enclosures.mean(slopes)).upper)
    shift, descent = slope / ball(weakest.lower), slope * slope / (ball(weakest.lower) * 2.0)
    return of_the_minimiser(point, bowls, slopes, largest, shift=shift, descent=descent)


def _divergences(curvature: Curvature, centers: Array) -> dict[str, Constant | None]:
    if not curvature.shared():
        return dict.fromkeys(DIVERGENCES)
    shifts: Any = (ball(centers) - enclosures.mean(ball(centers)))[None]
    lengths = enclosures.norm(curvature.of(slice(0, 1)).times(shifts)[0])
    squares = lengths * lengths
    found = (lengths, enclosures.mean(lengths), enclosures.mean(squares), enclosures.maximum(lengths))
    return {name: enclosures.constant(each, low=0.0) for name, each in zip(DIVERGENCES, found, strict=True)}
