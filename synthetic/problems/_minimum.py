"""Values known at the minimizer w* of the mean, from values and gradients enclosed at a point w near it."""

from dataclasses import dataclass
from typing import final

import numpy as np

from synthetic.certified import enclosures
from synthetic.certified.enclosures import Ball, Floats, ball, between
from synthetic.certified.facts import Constant, single


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class AtMinimiser:
    """Values at w and at the minimizer w*.

    At w: f_i - inf f_i and the gradient norms of the clients. At w*: its place (None if it is not unique),
    the mean of f_i - inf f_i, each of them, and the gradient norms.
    """

    point: Floats
    gaps_at_point: Ball
    slopes_at_point: Ball
    place: Ball | None
    mean_gap: Ball
    gaps: Ball
    slopes: Ball


def of_the_minimiser(
    point: Floats, gaps: Ball, gradients: Ball, smoothness: Ball, *, shift: Ball, descent: Ball
) -> AtMinimiser:
    """From ||w - w*|| <= shift and f(w) - f* <= descent, by smoothness of the clients."""
    slopes, mean_gap = enclosures.norm(gradients), enclosures.mean(gaps)
    return AtMinimiser(
        point=point,
        gaps_at_point=gaps,
        slopes_at_point=slopes,
        place=enclosures.around(ball(point), shift),
        mean_gap=between((mean_gap - descent).lower, mean_gap.upper),
        gaps=enclosures.around(gaps, slopes * shift + smoothness * shift * shift / 2),
        slopes=enclosures.around(slopes, smoothness * shift),
    )


def of_some_minimiser(point: Floats, gaps: Ball, gradients: Ball, smoothness: Ball) -> AtMinimiser:
    """Where nothing is known of the place: 0 <= f_i(w*) - inf f_i <= n (f(w) - mean of inf f_i)."""
    mean_gap = enclosures.mean(gaps)
    highest = np.broadcast_to(np.maximum(gaps.sum(axis=0).upper, 0.0), gaps.shape)
    steepest = enclosures.sqrt(ball(smoothness.upper) * ball(highest) * 2.0).upper
    return AtMinimiser(
        point=point,
        gaps_at_point=gaps,
        slopes_at_point=enclosures.norm(gradients),
        place=None,
        mean_gap=between(0.0, np.maximum(mean_gap.upper, 0.0)),
        gaps=between(np.zeros_like(highest), highest),
        slopes=between(np.zeros_like(steepest), steepest),
    )


def minima(known: AtMinimiser, client_minima: Ball) -> dict[str, Constant | None]:
    gaps, slopes = known.gaps_at_point.middle, known.slopes_at_point.middle
    infimum_gap = enclosures.constant(known.mean_gap, guess=gaps.mean(), low=0.0)
    return {
        "minimum": _shifted(infimum_gap, enclosures.mean(client_minima)),
        "minimiser": _place(known),
        "client_minima": enclosures.constant(client_minima),
        "infimum_gap": infimum_gap,
        "client_gaps_at_minimiser": enclosures.constant(known.gaps, guess=gaps, low=0.0),
        "largest_client_gap_at_minimiser": enclosures.constant(
            enclosures.maximum(known.gaps), guess=gaps.max(), low=0.0
        ),
        "client_gradient_norms_at_minimiser": enclosures.constant(known.slopes, guess=slopes, low=0.0),
        "mean_squared_client_gradient_at_minimiser": enclosures.constant(
            enclosures.mean(known.slopes * known.slopes), guess=(slopes**2).mean(), low=0.0
        ),
    }


def _shifted(gap: Constant, mean_of_minima: Ball) -> Constant:
    assert gap.lower is not None and gap.upper is not None  # noqa: PT018  # both ends of an enclosure
    within = mean_of_minima + between(single(gap.lower), single(gap.upper))
    return enclosures.constant(within, guess=mean_of_minima.middle + float(single(gap.value)))


def _place(known: AtMinimiser) -> Constant:
    if known.place is None:
        return Constant(value=tuple(known.point.tolist()), lower=None, upper=None, provenance="estimated")
    return enclosures.constant(known.place, guess=known.point)
