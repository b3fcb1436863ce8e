"""Counterexamples on the line: each client is a building block f_i(x) = b_i + h_i shape(s_i (x - c_i)/w_i).

Blocks (see _shapes.py): quadratic, huber, hinge, linear, step, well. With height h, width w and direction
s = 1 or -1 a block is h/w^2-smooth (linear: 0), and h/w-Lipschitz unless it is quadratic. `curved` makes
convex clients of any number of pieces from their second derivatives. The mean is piecewise quadratic, so its
minimum and all constants are found exactly, in rationals, convex or not. If any number is a Fraction, values
and gradients are exact too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any, final

import numpy as np

from synthetic.arguments import inside_float64, integer_at_least
from synthetic.certified import rationals
from synthetic.certified.facts import Constant, Facts, lower, upper
from synthetic.engine.arithmetic import Array, as_numbers, holds_fractions, like, namespace
from synthetic.errors import BadValue, NotAttained
from synthetic.problem import Problem, per_client
from synthetic.problems._columns import all_positive, beside, filled
from synthetic.problems.on_the_line.constants import constants_of
from synthetic.problems.on_the_line.curves import Block
from synthetic.problems.on_the_line.shapes import Shape, shape
from synthetic.problems.on_the_line.shapes import curved as curved_shape


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PiecewiseQuadratic(Problem):
    """centers, widths, heights, directions, offsets (n,); pieces (n, P, 4), breaks (n, P - 1) as in Shape."""

    shapes: tuple[Shape, ...]
    centers: Array
    widths: Array
    heights: Array
    directions: Array
    offsets: Array
    pieces: Array
    breaks: Array

    @property
    def clients(self) -> int:
        return len(self.shapes)

    @property
    def dimension(self) -> int:
        return 1

    @property
    def exact(self) -> bool:
        return bool(self.centers.dtype == object)

    def client_values(self, points: Array) -> Array:
        away, value, slope, bend = self._local(points)
        shapes = value + slope * away + bend * away * away / 2
        return beside(self.offsets, shapes) + beside(self.heights, shapes) * shapes

    def client_gradients(self, points: Array) -> Array:
        away, _, slope, bend = self._local(points)
        slopes = slope + bend * away
        rates = beside(self.heights * self.directions, slopes) / beside(self.widths, slopes)
        return (rates * slopes)[..., None]

    def minimiser(self) -> Array:
        """The minimizer, or of several the one nearest to 0."""
        return as_numbers(_existing(self, "minimiser"), exact=self.exact)

    def minimum(self) -> Any:
        return _existing(self, "minimum")

    def constants(self) -> dict[str, Constant | None]:
        return dict(_known(self))

    def facts(self) -> Facts:
        constants = self.constants()
        return Facts(
            clients=self.clients,
            dimension=1,
            convex=bool((self.pieces[..., 3] >= 0).all()),
            quadratic=all(len(each.pieces) == 1 for each in self.shapes),
            smoothness=upper(constants, "smoothness"),
            strong_convexity=lower(constants, "strong_convexity"),
            lipschitz=None if constants["lipschitz"] is None else upper(constants, "lipschitz"),
            bounded_below=constants["client_minima"] is not None,
            minimum_attained=constants["minimum"] is not None,
            bounded_gradient_divergence=constants["gradient_divergence"] is not None,
        )

    def _local(self, points: Array) -> tuple[Array, Array, Array, Array]:
        """The argument of the shape from the anchor of its piece, and the piece, each (n, R)."""
        x = per_client(points, self.clients, 1)[..., 0]
        argument = beside(self.directions, x) * (x - beside(self.centers, x)) / beside(self.widths, x)
        pieces, breaks = like(self.pieces, x), like(self.breaks, x)
        chosen = pieces[:, 0, :, None]
        for k in range(breaks.shape[1]):
            beyond = (argument > breaks[:, k, None])[:, None]
            chosen = namespace(x).where(beyond, pieces[:, k + 1, :, None], chosen)
        return argument - chosen[:, 0], chosen[:, 1], chosen[:, 2], chosen[:, 3]


def _existing(problem: PiecewiseQuadratic, name: str) -> Any:
    constant = problem.constants()[name]
    if constant is None:
        raise NotAttained(
            asked=f"{name} of a piecewise quadratic problem",
            failed="the mean is unbounded below",
            found="a slope that leads down for ever",
            needed="a mean that rises, or is flat, on both sides",
            change="add a client that rises where the others fall",
        )
    return constant.value


@lru_cache(maxsize=32)
def _known(problem: PiecewiseQuadratic) -> dict[str, Constant | None]:
    columns = (problem.centers, problem.widths, problem.heights, problem.directions, problem.offsets)
    numbers = zip(*(rationals.to_vector(column) for column in columns), strict=True)
    found = [
        Block(shape=each, center=c, width=w, height=h, direction=s, offset=b)
        for each, (c, w, h, s, b) in zip(problem.shapes, numbers, strict=True)
    ]
    with inside_float64("a piecewise quadratic problem"):
        return constants_of(found, exact=problem.exact)


def blocks(
    shapes: Sequence[str],
    centers: Sequence[Any] | None = None,
    widths: Sequence[Any] | None = None,
    heights: Sequence[Any] | None = None,
    directions: Sequence[int] | None = None,
    offsets: Sequence[Any] | None = None,
) -> PiecewiseQuadratic:
    """One block per client; centres and offsets are 0, widths, heights and directions 1 if not given."""
    given = {
        "centers": centers,
        "widths": widths,
        "heights": heights,
        "directions": directions,
        "offsets": offsets,
    }
    exact = holds_fractions(*(column for column in given.values() if column is not None))
    columns = {
        name: filled(name, column, len(shapes), 0 if name in ("centers", "offsets") else 1, exact=exact)
        for name, column in given.items()
    }
    all_positive("widths", columns["widths"])
    all_positive("heights", columns["heights"])
    if any(direction not in (1, -1) for direction in columns["directions"]):
        raise BadValue(
            asked="directions",
            failed="not a direction",
            found=list(columns["directions"]),
            needed="1 or -1",
            change="put the scale into widths",
        )
    return _assembled(tuple(shape(name) for name in shapes), columns, exact=exact)


def curved(
    *,
    curvatures: Sequence[Any],
    breaks: Sequence[Any],
    centers: Sequence[Any] | None = None,
    clients: int = 1,
) -> PiecewiseQuadratic:
    """Clients f_i(x) = g(x - c_i): g'' is curvatures[j] up to breaks[j], and the last one beyond.

    g is lowest at 0. With curvatures between mu and L it is mu-strongly convex, L-smooth. Counterexamples to
    rates that are proved on quadratics have three pieces [Lessard, Recht and Packard 2016, section 4.6].
    """
    integer_at_least("clients", clients, 1)
    bends, ends = (tuple(Fraction(number) for number in given) for given in (curvatures, breaks))
    middle = bends[sum(t <= 0 for t in ends)] if len(bends) == len(ends) + 1 else 0
    if min(bends, default=-1) < 0 or middle == 0 or any(s >= t for s, t in pairwise(ends)):
        raise BadValue(
            asked="curvatures and breaks",
            failed="no convex function with a minimum at 0",
            found=f"{list(curvatures)} with breaks {list(breaks)}",
            needed="curvatures >= 0, positive around 0, and one break fewer, in increasing order",
            change="give for example curvatures=[25, 1, 25] and breaks=[1, 2]",
        )
    exact = holds_fractions(curvatures, breaks, *([] if centers is None else [centers]))
    ones = filled("widths", None, clients, 1, exact=exact)
    columns = dict.fromkeys(("widths", "heights", "directions"), ones)
    columns["centers"] = filled("centers", centers, clients, 0, exact=exact)
    columns["offsets"] = filled("offsets", None, clients, 0, exact=exact)
    return _assembled((curved_shape(bends, ends),) * clients, columns, exact=exact)


def _assembled(found: tuple[Shape, ...], columns: dict[str, Array], *, exact: bool) -> PiecewiseQuadratic:
    longest = max(len(each.pieces) for each in found)
    # a piece that is repeated, from the same break on or from any, changes nothing
    pieces = [[*each.pieces, *[each.pieces[-1]] * (longest - len(each.pieces))] for each in found]
    breaks = [[*each.breaks, *[(0, *each.breaks)[-1]] * (longest - len(each.pieces))] for each in found]
    return PiecewiseQuadratic(
        shapes=found,
        pieces=as_numbers(pieces, exact=exact),
        breaks=as_numbers(np.reshape(np.array(breaks, dtype=object), (len(found), longest - 1)), exact=exact),
        **columns,
    )
