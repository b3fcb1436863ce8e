"""How far client gradients are from the mean gradient, over all points: names and bounds."""

import numpy as np

from synthetic.certified import enclosures
from synthetic.certified.enclosures import Floats, ball
from synthetic.certified.facts import Constant

DIVERGENCES = (
    "client_gradient_divergence",
    "gradient_divergence",
    "mean_squared_gradient_divergence",
    "largest_gradient_divergence",
)


def divergences_between(lower: Floats, upper: Floats) -> dict[str, Constant | None]:
    """From bounds per client on sup ||grad f_i - grad f||; the lower ones reached at one common point."""
    lower = np.maximum(lower, 0.0)  # norms, so a bound below zero only lost sharpness
    low, high = ball(lower), ball(upper)
    squares = enclosures.mean(low * low), enclosures.mean(high * high)
    found = (
        enclosures.at_most(upper, lower=lower),
        enclosures.at_most(enclosures.mean(high).upper, lower=enclosures.mean(low).lower),
        enclosures.at_most(squares[1].upper, lower=squares[0].lower),
        enclosures.at_most(upper.max(), lower=lower.max()),
    )
    return dict(zip(DIVERGENCES, found, strict=True))
