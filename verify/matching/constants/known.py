"""Facts of a problem, its certified constants, and constants that follow from those.

The mean of the clients f_i is f; at its minimizer w* let s^2 be the mean of ||grad f_i(w*)||^2.

gradient_dissimilarity_factor B and gradient_dissimilarity_floor G: the mean of ||grad f_i||^2 is at most
G^2 + B^2 ||grad f||^2. Where gradients diverge by at most zeta in mean square the mean of ||grad f_i||^2 is
||grad f||^2 + zeta^2 at most: B = 1, G = zeta. Where all f_i are convex and L-smooth,
||grad f_i(w) - grad f_i(w*)||^2 <= 2 L (f_i(w) - f_i(w*) - <grad f_i(w*), w - w*>), whose mean over i is
2 L (f(w) - f(w*)); with (a + b)^2 <= 2 a^2 + 2 b^2 and f - f(w*) <= ||grad f||^2/(2 mu) for a mu-strongly
convex f: B^2 = 2 L/mu, G^2 = 2 s^2.

gradient_difference_smoothness delta: grad f_i - grad f is delta-Lipschitz. Hessians between 0 and L, or
between -L and L, have a mean in the same interval: delta = L for convex clients, 2 L for others.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from synthetic.certified.facts import Constant, Facts, certified_lower, certified_upper
from synthetic.errors import NotCertified
from synthetic.problem import Problem
from verify.cell import Scalar
from verify.matching.constants.lojasiewicz import NO_CLAIM, Inequality

ABOVE = 1 + 1e-15  # roundings of a product, a quotient and a root together


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """`parameters` are the quantities of the cell; `claimed` is what they say of LOJASIEWICZ."""

    facts: Facts
    constants: Mapping[str, Constant | None]
    parameters: Mapping[str, Scalar]
    claimed: Inequality = NO_CLAIM

    def upper(self, name: str) -> float | None:
        """The certified upper end of a constant, the largest of the clients'; None where there is none."""
        return _end(self.constants, name, upper=True)

    def lower(self, name: str) -> float | None:
        """The certified lower end, the smallest of the clients'; None where there is none."""
        return _end(self.constants, name, upper=False)


def known(problem: Problem, parameters: Mapping[str, Scalar]) -> Known:
    return Known(facts=problem.facts(), constants=constants_of(problem), parameters=parameters)


def constants_of(problem: Problem) -> dict[str, Constant | None]:
    """The constants that the problem states, and those that follow from them."""
    stated, facts = problem.constants(), problem.facts()
    return _dissimilarity(facts, stated) | _similarity(facts) | stated


def _dissimilarity(facts: Facts, stated: Mapping[str, Constant | None]) -> dict[str, Constant | None]:
    names = ("gradient_dissimilarity_factor", "gradient_dissimilarity_floor")
    zeta = _end(stated, "mean_squared_gradient_divergence", upper=True)
    if zeta is not None:
        return dict(zip(names, (_above(1.0), _above(math.sqrt(zeta))), strict=True))
    noise = _end(stated, "mean_squared_client_gradient_at_minimiser", upper=True)
    if (
        noise is None
        or not facts.convex
        or facts.strong_convexity <= 0
        or not math.isfinite(facts.smoothness)
    ):
        return dict.fromkeys(names)
    factor = math.sqrt(2 * float(facts.smoothness) / float(facts.strong_convexity))
    return dict(zip(names, (_above(factor), _above(math.sqrt(2 * noise))), strict=True))


def _similarity(facts: Facts) -> dict[str, Constant | None]:
    if not math.isfinite(facts.smoothness):
        return {"gradient_difference_smoothness": None}
    return {"gradient_difference_smoothness": _above(float(facts.smoothness) * (1 if facts.convex else 2))}


def _above(value: float) -> Constant:
    """A constant of which only an upper end is known."""
    return Constant(value=value * ABOVE, lower=None, upper=value * ABOVE, provenance="enclosed")


def _end(constants: Mapping[str, Constant | None], name: str, *, upper: bool) -> float | None:
    constant = constants.get(name)
    if constant is None:
        return None
    try:
        end = (certified_upper if upper else certified_lower)(name, constant)
    except NotCertified:
        return None
    return float((max if upper else min)(end) if isinstance(end, tuple) else end)
