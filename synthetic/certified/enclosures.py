"""Functions of enclosed arrays, and the constants that they become; the arithmetic is in _ball.py."""

import math
import sys
from typing import Any

import numpy as np

from synthetic.certified.balls import LIBRARY_ULPS as LIBRARY_ULPS
from synthetic.certified.balls import UNIT as UNIT
from synthetic.certified.balls import Ball as Ball
from synthetic.certified.balls import Floats as Floats
from synthetic.certified.balls import ball as ball
from synthetic.certified.balls import between as between
from synthetic.certified.balls import monotone
from synthetic.certified.facts import Constant, Provenance, Value
from synthetic.engine.arithmetic import namespace


def functions_for(points: Any) -> Any:
    """The module whose exp, log, sqrt, amax, ... take these points: this one for balls."""
    return sys.modules[__name__] if isinstance(points, Ball) else namespace(points)


def exp(argument: Ball) -> Ball:
    return monotone(np.exp, argument, LIBRARY_ULPS)


def log(argument: Ball) -> Ball:
    """The logarithm of a ball that is certainly positive."""
    return monotone(np.log, argument, LIBRARY_ULPS)


def log1p(argument: Ball) -> Ball:
    """log(1 + x) of a ball that is certainly above -1."""
    return monotone(np.log1p, argument, LIBRARY_ULPS)


def sqrt(argument: Ball) -> Ball:
    """The root of the part of the ball that is not negative; IEEE rounds roots correctly."""
    return monotone(lambda ends: np.sqrt(np.maximum(ends, 0.0)), argument, 1, 0.0)


def broadcast_to(balls: Ball, shape: tuple[int, ...]) -> Ball:
    return Ball(np.broadcast_to(balls.middle, shape), np.broadcast_to(balls.radius, shape))


def amax(balls: Ball, axis: int) -> Floats:
    """The largest middle: a number near the maximum, and an exact one."""
    return balls.middle.max(axis=axis)


def norm(vectors: Ball) -> Ball:
    return sqrt((vectors * vectors).sum(axis=-1))


def extreme_eigenvalues(matrices: Ball) -> tuple[Ball, Ball]:
    """The smallest and the largest eigenvalue of symmetric matrices (..., d, d).

    With V the computed eigenvectors, V^T B V is within delta of a diagonal (Weyl), and V^T V within epsilon
    of the identity; by Ostrowski each eigenvalue of V^T B V is one of B times a factor in [1 - epsilon,
    1 + epsilon].
    """
    basis = np.linalg.eigh(matrices.middle)[1]
    turned = basis.swapaxes(-1, -2) @ (matrices @ basis)
    values = np.diagonal(turned.middle, axis1=-2, axis2=-1)
    identity = np.eye(values.shape[-1])
    delta = _row_sum(turned - values[..., None] * identity)
    epsilon = _row_sum(ball(basis).swapaxes(-1, -2) @ basis - identity)
    factor = between(1 - epsilon, 1 + epsilon)
    spread = Ball(np.zeros_like(delta), delta)
    return (spread + values.min(axis=-1)) / factor, (spread + values.max(axis=-1)) / factor


def _row_sum(matrices: Ball) -> Floats:
    """The largest absolute row sum: for symmetric matrices at least the spectral norm."""
    return ball(matrices.magnitude).sum(axis=-1).upper.max(axis=-1)


def mean(balls: Ball) -> Ball:
    """Over the first axis."""
    return balls.sum(axis=0) / balls.shape[0]


def maximum(balls: Ball) -> Ball:
    return between(balls.lower.max(), balls.upper.max())


def around(balls: Ball, distance: Ball) -> Ball:
    """Everything within the distance of the balls."""
    return balls + Ball(np.zeros_like(balls.middle), np.broadcast_to(distance.upper, balls.shape))


def constant(enclosed: Ball, *, guess: Any = None, low: float = -math.inf) -> Constant:
    """One number, or a column, in the ball and not below `low`; its value as near the guess as it may be."""
    lower, upper = np.maximum(enclosed.lower, low) + 0.0, np.maximum(enclosed.upper, low) + 0.0  # -0 + 0 is 0
    value = np.clip(enclosed.middle if guess is None else guess, lower, upper) + 0.0
    provenance: Provenance = "exact" if (lower == upper).all() else "enclosed"
    return Constant(value=_plain(value), lower=_plain(lower), upper=_plain(upper), provenance=provenance)


def at_most(upper: Any, *, lower: Any) -> Constant:
    """A proved upper bound, which is the value, with the best lower bound known beside it."""
    high = np.asarray(upper, dtype=np.float64)
    low = np.minimum(lower, high)
    provenance: Provenance = "exact" if (low == high).all() else "enclosed"
    return Constant(value=_plain(high), lower=_plain(low), upper=_plain(high), provenance=provenance)


def _plain(values: Floats) -> Value:
    return tuple(values.tolist()) if values.ndim else float(values)
