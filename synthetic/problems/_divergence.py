"""How far client gradients are from the mean gradient, over all points: names and bounds."""

import numpy as np

from synthetic import enclosure
from synthetic.enclosure import Floats, ball
from synthetic.facts import Constant

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
    squares = enclosure.mean(low * low), enclosure.mean(high * high)
    found = (
        enclosure.at_most(upper, lower=lower),
        enclosure.at_most(enclosure.mean(high).upper, lower=enclosure.mean(low).lower),
        enclosure.at_most(squares[1].upper, lower=squares[0].lower),
        enclosure.at_most(upper.max(), lower=lower.max()),
    )
    return dict(zip(DIVERGENCES, found, strict=True))
