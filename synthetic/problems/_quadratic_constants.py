"""The constants of a quadratic problem, from its data as exact rationals."""

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from synthetic import rational
from synthetic.arithmetic import Array
from synthetic.facts import Constant, joined
from synthetic.rational import Matrix, Vector, dot, minus, times

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
        values = [self.client_value(client, self.minimiser) for client in self.clients]
        return sum(values, Fraction(0)) / len(values)


def exact_data(hessians: Array, centers: Array, offsets: Array) -> ExactData:
    matrices = [rational.to_matrix(hessian) for hessian in hessians]
    vectors = [rational.to_vector(center) for center in centers]
    # always consistent: the range of a sum of semidefinite matrices holds the range of each of them
    right = rational.mean_of(
        [times(matrix, vector) for matrix, vector in zip(matrices, vectors, strict=True)]
    )
    return ExactData(
        hessians=matrices,
        centers=vectors,
        offsets=rational.to_vector(offsets),
        minimiser=rational.solve(rational.mean_matrix(matrices), right),
    )


def constants_of(data: ExactData, *, exact: bool) -> dict[str, Constant | None]:
    return {**_curvatures(data, exact=exact), **_minima(data, exact=exact), **_divergences(data, exact=exact)}


def _curvatures(data: ExactData, *, exact: bool) -> dict[str, Constant | None]:
    largest = [rational.largest_eigenvalue_bounds(hessian) for hessian in data.hessians]
    smallest = [_not_negative(rational.smallest_eigenvalue_bounds(hessian)) for hessian in data.hessians]
    mean = rational.mean_matrix(data.hessians)
    return {
        "smoothness": rational.constant(*rational.maximum_of(largest), exact=exact),
        "client_smoothness": joined([rational.constant(*bounds, exact=exact) for bounds in largest]),
        "mean_smoothness": rational.constant(*rational.largest_eigenvalue_bounds(mean), exact=exact),
        "strong_convexity": rational.constant(
            *_not_negative(rational.smallest_eigenvalue_bounds(mean)), exact=exact
        ),
        "client_strong_convexity": joined([rational.constant(*bounds, exact=exact) for bounds in smallest]),
    }


def _not_negative(bounds: Bounds) -> Bounds:
    # semidefiniteness is certified when the problem is made, so a bound below zero only lost sharpness
    return max(bounds[0], Fraction(0)), max(bounds[1], Fraction(0))


def _minima(data: ExactData, *, exact: bool) -> dict[str, Constant | None]:
    minimum = data.minimum
    gaps = [data.client_value(client, data.minimiser) - data.offsets[client] for client in data.clients]
    gradients = [data.client_gradient(client, data.minimiser) for client in data.clients]
    squares = sum((dot(gradient, gradient) for gradient in gradients), Fraction(0)) / len(gradients)
    return {
        "minimum": rational.point(minimum, exact=exact),
        "minimiser": rational.points(data.minimiser, exact=exact),
        "client_minima": rational.points(data.offsets, exact=exact),
        "infimum_gap": rational.point(sum(gaps, Fraction(0)) / len(gaps), exact=exact),
        "client_gaps_at_minimiser": rational.points(gaps, exact=exact),
        "largest_client_gap_at_minimiser": rational.point(max(gaps), exact=exact),
        "mean_squared_client_gradient_at_minimiser": rational.point(squares, exact=exact),
    }


def _divergences(data: ExactData, *, exact: bool) -> dict[str, Constant | None]:
    names = ("client_gradient_divergence", "gradient_divergence", "largest_gradient_divergence")
    if any(hessian != data.hessians[0] for hessian in data.hessians):
        # the difference of two gradients is then a non-constant linear function, unbounded on R^d
        return dict.fromkeys(names)
    middle = rational.mean_of(data.centers)
    shifts = [times(data.hessians[0], minus(center, middle)) for center in data.centers]
    bounds = [rational.root_bounds(dot(shift, shift)) for shift in shifts]
    return {
        names[0]: joined([rational.constant(*pair, exact=exact) for pair in bounds]),
        names[1]: rational.constant(*rational.mean_of_bounds(bounds), exact=exact),
        names[2]: rational.constant(*rational.maximum_of(bounds), exact=exact),
    }


def gradient_bound_on_ball(data: ExactData, radius: Fraction) -> Constant:
    """Largest eigenvalue times radius plus gradient norm at the centre of the ball, for the worst client."""
    highs = []
    for client in data.clients:
        gradient = data.client_gradient(client, data.minimiser)
        slope = rational.largest_eigenvalue_bounds(data.hessians[client])[1]
        highs.append(slope * radius + rational.root_bounds(dot(gradient, gradient))[1])
    upper = rational.float_above(max(highs))
    return Constant(value=upper, lower=None, upper=upper, provenance="enclosed")
