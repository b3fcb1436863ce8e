"""A mean of convex losses of linear scores plus a penalty, at single points: in float64, and enclosed."""

from dataclasses import dataclass
from typing import Any, Protocol, final

import numpy as np

from synthetic.certified import enclosures
from synthetic.certified.enclosures import Ball, ball
from synthetic.engine.arithmetic import Array


class Loss(Protocol):
    """A non-negative convex function of k scores and the sample's answer, stacked as (..., k, m)."""

    @property
    def curvature(self) -> float:
        """An upper bound on the eigenvalues of the Hessian in the scores."""
        ...

    @property
    def steepness(self) -> float:
        """s: where the scores W x become (W + V) x, that Hessian keeps the fraction exp(-s ||V|| ||x||)."""
        ...

    @property
    def third_derivative(self) -> float:
        """An upper bound on the third derivative along a unit vector of scores, in absolute value."""
        ...

    def slope_radius(self, outputs: int) -> float | None:
        """All slopes of a sample lie within this distance of its slopes at scores 0; None: unbounded."""
        ...

    @property
    def largest_slope(self) -> float | None:
        """The least upper bound on the norm of a sample's slopes."""
        ...

    def shown_curvature(self, outputs: int, *, intercept: bool) -> float:
        """An eigenvalue that all samples attain or approach together, with one eigenvector."""
        ...

    def values(self, scores: Array, answers: Array) -> Array:
        """(..., m)"""
        ...

    def slopes(self, scores: Array, answers: Array) -> Array:
        """Derivatives in the scores, (..., k, m), which may take their place."""
        ...

    def curvatures(self, slopes: Array, answers: Array) -> Array:
        """Second derivatives, (k, k, m), at the scores that have these slopes; also of balls."""
        ...

    def enclosed_values(self, scores: Ball, answers: Array) -> Ball: ...

    def enclosed_slopes(self, scores: Ball, answers: Array) -> Ball: ...

    def margins(self, scores: Ball, answers: Array) -> Ball | None:
        """Where all are positive, growing multiples of the scores bring the loss to 0; None: nothing does."""
        ...

    def margin_rows(self, features: Array, answers: Array) -> Any:
        """The margins as a sparse matrix that acts on the parameters; None as above."""
        ...

    def idle_scores(self, answers: Array) -> Array:
        """(k,): which scores only add to the loss, whatever the sample."""
        ...

    def flat_directions(self, outputs: int) -> Array:
        """(k, k), semidefinite, its range made of directions in the scores that never change the loss."""
        ...


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Minimum:
    """lower <= infimum <= upper. `distance`: from `point` to a minimiser at most, None where none is known.

    attained None: not decided. The value at the point is at most `upper` where a minimiser may exist.
    """

    lower: float
    upper: float
    point: Array
    distance: float | None
    attained: bool | None


class Penalty(Protocol):
    """A function of the parameters alone, 0 at 0 and positive elsewhere unless its strength is 0."""

    @property
    def curvatures(self) -> tuple[float, float]:
        """Bounds on the eigenvalues of its Hessian; the upper one is attained at 0."""
        ...

    @property
    def slope(self) -> float | None:
        """A bound on the derivative in a coordinate; None: unbounded."""
        ...

    @property
    def third_derivative(self) -> float:
        """A bound on the third derivative along a unit vector, in absolute value."""
        ...

    def values(self, points: Array) -> Array: ...

    def gradients(self, points: Array) -> Array: ...

    def enclosed_value(self, point: Array) -> Ball: ...

    def enclosed_gradient(self, point: Array) -> Ball: ...

    def lowest(self, objective: "Objective") -> "Minimum":
        """The infimum of an objective with this penalty."""
        ...


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Objective:
    """features (m, d), answers (k, m), weights (m,): sum_j weights_j loss(W x_j, y_j) + penalty(W)."""

    features: Array
    answers: Array
    weights: Ball
    loss: Loss
    penalty: Penalty

    @property
    def outputs(self) -> int:
        return int(self.answers.shape[0])

    @property
    def dimension(self) -> int:
        return self.outputs * int(self.features.shape[1])

    @property
    def ridge(self) -> float:
        """The strong convexity that does not depend on the data."""
        return max(self.penalty.curvatures[0], 0.0)

    @property
    def reach(self) -> float:
        return float(enclosures.maximum(enclosures.norm(ball(self.features))).upper)

    @property
    def intercept(self) -> bool:
        """Whether a feature has the same value, not 0, in all samples."""
        first = self.features[0]
        return bool(((self.features == first).all(axis=0) & (first != 0)).any())

    def scores(self, point: Array) -> Array:
        return point.reshape(self.outputs, -1) @ self.features.T

    def value(self, point: Array) -> float:
        losses = self.loss.values(self.scores(point), self.answers)
        return float(losses @ self.weights.middle + self.penalty.values(point))

    def gradient(self, point: Array) -> Array:
        slopes = self.loss.slopes(self.scores(point), self.answers)
        gradient: Array = ((slopes * self.weights.middle) @ self.features).ravel()
        return gradient + self.penalty.gradients(point)

    def hessian(self, point: Array) -> Array:
        slopes = self.loss.slopes(self.scores(point), self.answers)
        curvatures = self.loss.curvatures(slopes, self.answers) * self.weights.middle
        blocks = [[(self.features.T * entry) @ self.features for entry in row] for row in curvatures]
        return np.block(blocks) + self.ridge * np.eye(self.dimension)

    def enclosed_scores(self, point: Array) -> Ball:
        return ball(point.reshape(self.outputs, -1)) @ self.features.T

    def enclosed_value(self, point: Array) -> Ball:
        losses = self.loss.enclosed_values(self.enclosed_scores(point), self.answers)
        return (losses * self.weights).sum(axis=-1) + self.penalty.enclosed_value(point)

    def enclosed_gradient(self, point: Array) -> Ball:
        slopes = self.loss.enclosed_slopes(self.enclosed_scores(point), self.answers)
        rows = (slopes * self.weights) @ self.features
        return Ball(rows.middle.ravel(), rows.radius.ravel()) + self.penalty.enclosed_gradient(point)

    def curvature_below(self, point: Array) -> float:
        """Below all eigenvalues of the Hessian, but for directions along which the function is constant."""
        slopes = self.loss.enclosed_slopes(self.enclosed_scores(point), self.answers)
        curvatures = self.loss.curvatures(slopes, self.answers) * self.weights  # type: ignore[arg-type]  # arrays of either library
        blocks = [[(entry * self.features.T) @ self.features for entry in row] for row in _rows(curvatures)]
        middle = np.block([[block.middle for block in row] for row in blocks])
        radius = np.block([[block.radius for block in row] for row in blocks])
        lifted = Ball(middle, radius) + (self.constant_directions() + self.ridge * np.eye(self.dimension))
        return float(enclosures.extreme_eigenvalues(lifted)[0].lower)

    def separated(self, point: Array) -> bool:
        """Whether the point, proved whatever is lost in rounding, answers every sample rightly."""
        margins = self.loss.margins(self.enclosed_scores(point), self.answers)
        return margins is not None and bool((margins.lower > 0).all())

    def constant_directions(self) -> Array:
        """A positive semidefinite matrix whose range is made of directions that change no loss."""
        if self.ridge:
            return np.zeros((self.dimension, self.dimension))
        unused = np.diag((self.features == 0).all(axis=0).astype(float))
        features = self.features.shape[1]
        shifts = np.kron(self.loss.flat_directions(self.outputs), np.eye(features))
        return shifts + np.kron(np.eye(self.outputs), unused)


def _rows(curvatures: Ball) -> list[list[Ball]]:
    outputs = curvatures.shape[0]
    return [[curvatures[a, b] for b in range(outputs)] for a in range(outputs)]
