"""The constants of component sums, partly those of the quadratic problem that holds the components."""

from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from synthetic.certified import enclosures, rationals
from synthetic.certified.divergence import DIVERGENCES
from synthetic.certified.enclosures import Ball, ball, between
from synthetic.certified.facts import Constant, joined, known, lower, upper
from synthetic.certified.rationals import mean, mean_matrix, mean_of, solve, times
from synthetic.engine.arithmetic import Array
from synthetic.problems._minimum import minima, of_some_minimiser, of_the_minimiser
from synthetic.problems.quadratics.constants import ExactData, constants_of_data, exact_data
from synthetic.problems.quadratics.data import Quadratic, is_small

Known = dict[str, Constant | None]


class Sum(Protocol):
    @property
    def parts(self) -> Quadratic: ...

    @property
    def components(self) -> int: ...

    @property
    def clients(self) -> int: ...

    @property
    def exact(self) -> bool: ...

    def client_values(self, points: Array) -> Array: ...

    def client_gradients(self, points: Array) -> Array: ...

    def client_parts(self, client: int) -> Quadratic: ...


def constants_of(problem: Sum) -> Known:
    parts = problem.parts
    if problem.exact or is_small(*parts.curvature.shape):
        own = constants_of_data(_aggregated(problem), exact=problem.exact)
    else:
        own = _enclosed(problem)
    return {**own, **_compute_for_components(problem)}


def _aggregated(problem: Sum) -> ExactData:
    """Each client as one quadratic, in rationals."""
    parts, number = problem.parts, problem.components
    data = exact_data(parts.curvature.exact_matrices(), parts.centers, parts.offsets)
    groups = [slice(first, first + number) for first in range(0, parts.clients, number)]
    hessians = [mean_matrix(data.hessians[group]) for group in groups]
    centers = [
        solve(hessian, mean_of([times(a, c) for a, c in zip(data.hessians[g], data.centers[g], strict=True)]))
        for g, hessian in zip(groups, hessians, strict=True)
    ]
    offsets = [
        mean([data.client_value(part, center) for part in range(group.start, group.stop)])
        for group, center in zip(groups, centers, strict=True)
    ]
    return ExactData(hessians=hessians, centers=centers, offsets=offsets, minimiser=data.minimiser)


def _enclosed(problem: Sum) -> Known:
    """As for large quadratics, with each client's own constants from the problem of its components."""
    total = problem.parts.constants()
    groups = [problem.client_parts(client).constants() for client in range(problem.clients)]
    smoothness, infima = _gathered(groups, "mean_smoothness"), _gathered(groups, "minimum")
    point = problem.parts.minimiser()
    place: Any = ball(point[None])
    values: Any = problem.client_values(place)[:, 0]
    gradients: Any = problem.client_gradients(place)[:, 0]
    minimiser = known(total, "minimiser")
    if minimiser.provenance == "estimated":
        around = of_some_minimiser(point, values - infima, gradients, smoothness)
    else:
        shift = enclosures.norm(ball(minimiser.upper) - ball(minimiser.lower))
        descent = enclosures.mean(values) - float(lower(total, "minimum"))
        around = of_the_minimiser(
            point, values - infima, gradients, smoothness, shift=shift, descent=ball(descent.upper)
        )
    return {
        "smoothness": enclosures.constant(enclosures.maximum(smoothness)),
        "client_smoothness": enclosures.constant(smoothness),
        "mean_smoothness": total["mean_smoothness"],
        "hessian_lipschitz": total["hessian_lipschitz"],
        "strong_convexity": total["strong_convexity"],
        "client_strong_convexity": joined([known(group, "strong_convexity") for group in groups]),
        **minima(around, infima),
        # shared Hessians are recognised in exact arithmetic only
        **dict.fromkeys(DIVERGENCES),
    }


def _compute_for_components(problem: Sum) -> Known:
    total = problem.parts.constants()
    return {
        "component_smoothness": total["client_smoothness"],
        "largest_component_smoothness": total["smoothness"],
        "component_minima": total["client_minima"],
        "component_infimum_gaps": _gaps(problem, total),
    }


def _gaps(problem: Sum, total: Known) -> Constant:
    """Per client: the minimum of the mean minus the mean of the minima of the client's components."""
    low = Fraction(lower(total, "minimum"))
    high = Fraction(upper(total, "minimum"))
    offsets = rationals.to_vector(problem.parts.offsets)
    means = [mean(offsets[i : i + problem.components]) for i in range(0, len(offsets), problem.components)]
    return joined([rationals.constant(low - each, high - each, exact=problem.exact) for each in means])


def _gathered(groups: list[Known], name: str) -> Ball:
    return between(
        np.array([float(lower(group, name)) for group in groups]),
        np.array([float(upper(group, name)) for group in groups]),
    )
