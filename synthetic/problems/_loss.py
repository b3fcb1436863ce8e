"""What a linear model asks of its loss and of its penalty."""

from typing import TYPE_CHECKING, Any, Protocol

from synthetic.arithmetic import Array
from synthetic.enclosure import Ball

if TYPE_CHECKING:
    from synthetic.problems._infimum import Minimum
    from synthetic.problems._objective import Objective


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

    def values(self, points: Array) -> Array: ...

    def gradients(self, points: Array) -> Array: ...

    def enclosed_value(self, point: Array) -> Ball: ...

    def enclosed_gradient(self, point: Array) -> Ball: ...

    def lowest(self, objective: "Objective") -> "Minimum":
        """The infimum of an objective with this penalty."""
        ...
