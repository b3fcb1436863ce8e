"""The constants of a quadratic problem, from its data as exact rationals."""

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from synthetic.certified import rationals
from synthetic.certified.divergence import DIVERGENCES
from synthetic.certified.facts import Constant, joined
from synthetic.certified.rationals import Matrix, Vector, dot, minus, times
from synthetic.engine.arithmetic import Array

Bounds = tuple[Fraction, Fraction]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ExactData:
    hessians: list[Matrix]
    centers: list[Vector]
    offsets: Vector
    minimiser: Vector

    def client_value(self, client: int, point: Vector) -> Fraction:
        offset = minus(point, self.centers[client])
        return dot(offset, times(self.hessians[client], offset)) / 2 + self.offsets[client]

    def client_gradient(self, client: int, point: Vector) -> Vector:
        return times(self.hessians[client], minus(point, self.centers[client]))

    @property
    def clients(self) -> range:
        return range(len(self.centers))

    @property
    def minimum(self) -> Fraction:
        return rationals.mean([self.client_value(client, self.minimiser) for client in self.clients])


def exact_data(matrices: list[Matrix], centers: Array, offsets: Array) -> ExactData:
    vectors = [rationals.to_vector(center) for center in centers]
    # always consistent: the range of a sum of semidefinite matrices holds the range of each of them
    right = rationals.mean_of(
        [times(matrix, vector) for matrix, vector in zip(matrices, vectors, strict=True)]
    )
    return ExactData(
        hessians=matrices,
        centers=vectors,
        offsets=rationals.to_vector(offsets),
        minimiser=rationals.solve(rationals.mean_matrix(matrices), right),
    )


def constants_of_data(data: ExactData, *, exact: bool) -> dict[str, Constant | None]:
    return {
        **_curvatures(data, exact=exact),
        "hessian_lipschitz": rationals.point(Fraction(0), exact=exact),
        **_minima(data, exact=exact),
        **_divergences(data, exact=exact),
    }


def _curvatures(data: ExactData, *, exact: bool) -> dict[str, Constant | None]:
    largest = [rationals.largest_eigenvalue_bounds(hessian) for hessian in data.hessians]
    smallest = [_not_negative(rationals.smallest_eigenvalue_bounds(hessian)) for hessian in data.hessians]
    mean = rationals.mean_matrix(data.hessians)
    return {
        "smoothness": rationals.constant(*rationals.maximum_of(largest), exact=exact),
        "client_smoothness": joined([rationals.constant(*bounds, exact=exact) for bounds in largest]),
        "mean_smoothness": rationals.constant(*rationals.largest_eigenvalue_bounds(mean), exact=exact),
        "strong_convexity": rationals.constant(
            *_not_negative(rationals.smallest_eigenvalue_bounds(mean)), exact=exact
        ),
        "client_strong_convexity": joined([rationals.constant(*bounds, exact=exact) for bounds in smallest]),
    }


def _not_negative(bounds: Bounds) -> Bounds:
    # semidefiniteness is certified when the problem is made, so a bound below zero only lost sharpness
    return max(bounds[0], Fraction(0)), max(bounds[1], Fraction(0))


def _minima(data: ExactData, *, exact: bool) -> dict[str, Constant | None]:
    minimum = data.minimum
    gaps = [data.client_value(client, data.minimiser) - data.offsets[client] for client in data.clients]
    gradients = [data.client_gradient(client, data.minimiser) for client in data.clients]
    squares = [dot(gradient, gradient) for gradient in gradients]
    return {
        "minimum": rationals.point(minimum, exact=exact),
        "minimiser": rationals.points(data.minimiser, exact=exact),
        "client_minima": rationals.points(data.offsets, exact=exact),
        "infimum_gap": rationals.point(rationals.mean(gaps), exact=exact),
        "client_gaps_at_minimiser": rationals.points(gaps, exact=exact),
        "largest_client_gap_at_minimiser": rationals.point(max(gaps), exact=exact),
        "client_gradient_norms_at_minimiser": joined(
            [rationals.constant(*rationals.root_bounds(square), exact=exact) for square in squares]
        ),
        "mean_squared_client_gradient_at_minimiser": rationals.point(rationals.mean(squares), exact=exact),
    }


def _divergences(data: ExactData, *, exact: bool) -> dict[str, Constant | None]:
    if any(hessian != data.hessians[0] for hessian in data.hessians):
        # the difference of two gradients is then a non-constant linear function, unbounded on R^d
        return dict.fromkeys(DIVERGENCES)
    middle = rationals.mean_of(data.centers)
    shifts = [times(data.hessians[0], minus(center, middle)) for center in data.centers]
    squares = [dot(shift, shift) for shift in shifts]
    bounds = [rationals.root_bounds(square) for square in squares]
    found = (
        joined([rationals.constant(*pair, exact=exact) for pair in bounds]),
        rationals.constant(*rationals.mean_of_bounds(bounds), exact=exact),
        rationals.point(rationals.mean(squares), exact=exact),
        rationals.constant(*rationals.maximum_of(bounds), exact=exact),
    )
    return dict(zip(DIVERGENCES, found, strict=True))
