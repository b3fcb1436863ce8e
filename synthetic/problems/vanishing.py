"""Falling to an infimum that no point attains, on the line: f_i(x) = b_i + h_i tail((x - c_i)/w_i).

logistic: tail(t) = log(1 + exp(-t)), convex, 1/4-smooth, 1-Lipschitz.
exponential: tail(t) = exp(-t) for t >= 0 and 1 - t + t^2/2 before, convex and 1-smooth.
The second derivative is 1/(6 sqrt(3))-Lipschitz of the first, and 1-Lipschitz of the second.
Both decrease to 0, so the infimum of every client is b_i, that of the mean is the mean of the b_i, and the
heterogeneity f* - mean f_i* is 0 whatever the clients are.

Lojasiewicz inequality with exponent 2, |f_i'|^2 >= mu (f_i - b_i)^2 for |x| <= R: |tail'|/tail rises with t
(logistic: log(1 + exp(s)) is log-concave in s; exponential: 1 from 0 on, (1 + u)/(1 + u + u^2/2) at t = -u),
so that mu is its square at t = (-R - c_i)/w_i, over w_i^2, smallest over the clients, and attained.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, final

import numpy as np

from synthetic.arguments import Scalar, one_of, positive
from synthetic.certified import enclosures
from synthetic.certified.divergence import DIVERGENCES, divergences_between
from synthetic.certified.enclosures import Ball, ball, functions_for
from synthetic.certified.facts import (
    Constant,
    Facts,
    Lojasiewicz,
    exactly,
    known,
    lower,
    single,
    upper,
)
from synthetic.engine.arithmetic import Array
from synthetic.errors import NotAttained
from synthetic.problem import Problem, per_client
from synthetic.problems._columns import all_positive, beside, filled

TAILS = ("logistic", "exponential")


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Vanishing(Problem):
    """centers, widths, heights, offsets (n,); the inequality is stated for |x| <= set_radius."""

    tail: str
    centers: Array
    widths: Array
    heights: Array
    offsets: Array
    set_radius: float

    @property
    def clients(self) -> int:
        return len(self.centers)

    @property
    def dimension(self) -> int:
        return 1

    def client_values(self, points: Array) -> Array:
        tails = self.tails_at(self._arguments(points))[0]
        return beside(self.offsets, tails) + beside(self.heights, tails) * tails

    def client_gradients(self, points: Array) -> Array:
        slopes = self.tails_at(self._arguments(points))[1]
        return -(beside(self.heights / self.widths, slopes) * slopes)[..., None]

    def minimiser(self) -> Array:
        raise NotAttained(
            asked="minimizer of a vanishing problem",
            failed="the infimum is not attained",
            found=f"the limit {self.minimum()} as x rises",
            needed="a point with that value",
            change="measure the gap to the infimum, or choose a problem with a minimizer",
        )

    def minimum(self) -> Any:
        """The infimum, which is a limit."""
        return single(known(self.constants(), "minimum").value)

    def constants(self) -> dict[str, Constant | None]:
        return dict(_known(self))

    def facts(self) -> Facts:
        constants = self.constants()
        return Facts(
            clients=self.clients,
            dimension=1,
            convex=True,
            quadratic=False,
            smoothness=upper(constants, "smoothness"),
            strong_convexity=0.0,
            lipschitz=None if constants["lipschitz"] is None else upper(constants, "lipschitz"),
            bounded_below=True,
            minimum_attained=False,
            bounded_gradient_divergence=constants["gradient_divergence"] is not None,
            lojasiewicz=Lojasiewicz(
                exponent=2.0,
                constant=lower(constants, "lojasiewicz"),
                radius=self.set_radius,
            ),
        )

    def _arguments(self, points: Array) -> Array:
        x = per_client(points, self.clients, 1)[..., 0]
        return (x - beside(self.centers, x)) / beside(self.widths, x)

    def tails_at(self, arguments: Array) -> tuple[Array, Array]:
        """tail and -tail' at the arguments."""
        functions = functions_for(arguments)
        far, near = arguments.clip(0.0), (-arguments).clip(0.0)
        decay = functions.exp(-far)
        if self.tail == "exponential":
            return decay + near + near * near / 2, decay + near
        # log(1 + exp(-t)) = max(-t, 0) + log(1 + exp(-|t|)), which never overflows
        shrunk = functions.exp(-(far + near))
        return near + functions.log1p(shrunk), decay / (shrunk + 1.0)


def tails(
    tail: str = "logistic",
    centers: Sequence[Any] = (0.0,),
    widths: Sequence[Any] | None = None,
    heights: Sequence[Any] | None = None,
    offsets: Sequence[Any] | None = None,
    set_radius: Scalar = 4.0,
) -> Vanishing:
    """One client per centre; widths and heights are 1, offsets 0 if not given."""
    one_of("tail", tail, TAILS)
    positive("set_radius", set_radius)
    clients = len(centers)
    columns = {
        "centers": filled("centers", centers, clients, 0),
        "widths": filled("widths", widths, clients, 1),
        "heights": filled("heights", heights, clients, 1),
        "offsets": filled("offsets", offsets, clients, 0),
    }
    all_positive("widths", columns["widths"])
    all_positive("heights", columns["heights"])
    return Vanishing(tail=tail, set_radius=float(set_radius), **columns)


# a run asks for the infimum again and again
@lru_cache(maxsize=32)
def _known(problem: Vanishing) -> dict[str, Constant | None]:
    widths, heights = ball(problem.widths), ball(problem.heights)
    bends = heights / widths / widths * (0.25 if problem.tail == "logistic" else 1.0)
    slopes = heights / widths
    third = bends / widths * (4 * 0.0962251 if problem.tail == "logistic" else 1.0)  # bends have the 1/4
    return {
        "smoothness": enclosures.constant(enclosures.maximum(bends)),
        "client_smoothness": enclosures.constant(bends),
        # each client has its largest curvature at its centre, and the others are convex
        "mean_smoothness": enclosures.at_most(
            enclosures.mean(bends).upper, lower=(enclosures.maximum(bends) / problem.clients).lower
        ),
        "hessian_lipschitz": enclosures.at_most(third.upper.max(), lower=0.0),
        "strong_convexity": exactly(0.0),
        "client_strong_convexity": exactly((0.0,) * problem.clients),
        "lipschitz": enclosures.constant(enclosures.maximum(slopes)) if problem.tail == "logistic" else None,
        "lojasiewicz": enclosures.constant(_quotient(problem)),
        "lojasiewicz_exponent": exactly(2.0),
        "lojasiewicz_radius": exactly(problem.set_radius),
        "minimum": enclosures.constant(enclosures.mean(ball(problem.offsets))),
        "client_minima": exactly(tuple(problem.offsets.tolist())),
        "infimum_gap": exactly(0.0),
        # what speaks of a minimiser does not exist
        "minimiser": None,
        "client_gaps_at_minimiser": None,
        "largest_client_gap_at_minimiser": None,
        "client_gradient_norms_at_minimiser": None,
        "mean_squared_client_gradient_at_minimiser": None,
        **_divergences(problem, bends, slopes),
    }


def _quotient(problem: Vanishing) -> Ball:
    """The smallest (f_i'/(f_i - b_i))^2 at x = -R."""
    arguments: Any = (ball(-problem.set_radius) - problem.centers) / problem.widths
    values, slopes = problem.tails_at(arguments)
    ratios: Any = slopes / values / problem.widths
    return -enclosures.maximum(-(ratios * ratios))


def _divergences(problem: Vanishing, bends: Ball, slopes: Ball) -> dict[str, Constant | None]:
    """Above: derivatives of translates differ by at most L|c_i - c_k|, of logistic tails by the larger slope.

    Below: as x falls, logistic derivatives tend to the slopes; exponential ones of translates are parallel.
    """
    centers, logistic = problem.centers, problem.tail == "logistic"
    rows = np.stack([problem.widths, problem.heights], axis=1)
    translates = (rows[:, None] == rows).all(axis=-1)
    if not (logistic or translates.all()):
        return dict.fromkeys(DIVERGENCES)
    apart = bends * enclosures.norm((ball(centers)[:, None] - centers)[..., None])
    steeper = (
        np.maximum(slopes.upper[:, None], slopes.upper) if logistic else np.full(translates.shape, np.inf)
    )
    above = enclosures.mean(ball(np.minimum(np.where(translates, apart.upper, np.inf), steeper)))
    far = slopes if logistic else bends * centers
    here = enclosures.norm((far - enclosures.mean(far))[:, None])
    return divergences_between(here.lower, above.upper)
