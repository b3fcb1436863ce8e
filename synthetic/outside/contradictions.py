"""Compare what an author claims of a problem with the values of the functions, before anything uses it."""

from typing import Any

import numpy as np

from synthetic.errors import FalseClaim
from synthetic.outside.false_curvature import refuse_false_curvature
from synthetic.outside.false_gradients import refuse_false_gradients, show
from synthetic.outside.false_hessians import refuse_false_hessians
from synthetic.outside.false_minima import (
    refuse_bottomless,
    refuse_false_divergences,
    refuse_false_gaps,
    refuse_false_minima,
)
from synthetic.outside.probe import Probe

NEAR = 20.0  # a function on the whole space has values at this distance


def refuse_false_claims(problem: Any) -> None:
    """Refuse the first claim that two points contradict; what passes is not proved by it."""
    stated = {name: constant for name, constant in problem.stated.items() if constant is not None}
    minimizer, minimum = problem.stated_minimizer, problem.stated_minimum
    center = np.zeros(problem.dimension) if minimizer is None else minimizer
    probe = Probe(problem, center)
    _refuse_holes(probe)
    refuse_false_gradients(probe)
    refuse_false_curvature(probe, stated, problem.properties)
    refuse_false_hessians(probe, stated)
    refuse_false_divergences(probe, stated)
    refuse_false_minima(probe, minimum, minimizer)
    known = minimum is not None or minimizer is not None
    refuse_false_gaps(probe, stated, problem.minimum() if known else None)
    if problem.properties["bounded_below"]:
        refuse_bottomless(probe)


def _refuse_holes(probe: Probe) -> None:
    """A function on R^d has a value and a gradient at every point; far away they may overflow."""
    near = np.linalg.norm(probe.points - probe.center, axis=1) <= NEAR
    lost = np.isnan(probe.values) | np.isnan(probe.gradients).any(axis=2)
    for client, point in np.argwhere(lost & near):
        raise FalseClaim(
            asked=f"client {client}",
            failed="no value or no gradient at a point of R^d",
            found=f"NaN at x = {show(probe.points[point])}",
            needed="finite numbers",
            change="define the functions on the whole space",
        )
