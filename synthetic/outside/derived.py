"""Constants of an author's problem that follow from what the author states."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from synthetic.certified.facts import Constant
from synthetic.engine.arithmetic import Array
from synthetic.outside.claims import given_at_least, given_at_most

OF_GRADIENTS: Final = 1e-9  # the rounding of a gradient, far above it


def derive_constants(
    stated: Mapping[str, Constant], at_minimizer: Array | None, *, quadratic: bool
) -> dict[str, Constant]:
    """Those that are not stated; at_minimizer: the gradient of every client there, (n, d)."""
    found = _derive_for_mean(stated)
    if quadratic:
        found["hessian_lipschitz"] = given_at_most(0.0, because="every client is quadratic")
    if at_minimizer is not None:
        squares = (at_minimizer**2).sum(axis=1) * (1 + OF_GRADIENTS)
        because = "the gradients at the minimizer are computed"
        found |= {
            "client_gradient_norms_at_minimiser": given_at_most(np.sqrt(squares), because=because),
            "mean_squared_client_gradient_at_minimiser": given_at_most(squares.mean(), because=because),
        }
    return {name: constant for name, constant in found.items() if name not in stated}


def _derive_for_mean(stated: Mapping[str, Constant]) -> dict[str, Constant]:
    """What a mean of functions has of each of them."""
    found = {}
    smooth = stated.get("client_smoothness", stated.get("smoothness"))
    if smooth is not None:
        found["smoothness"] = given_at_most(_entries(smooth.upper).max(), because="of every client")
        found["mean_smoothness"] = given_at_most(_entries(smooth.upper).mean(), because="of every client")
    curved = stated.get("client_strong_convexity")
    if curved is not None:
        found["strong_convexity"] = given_at_least(_entries(curved.lower).mean(), because="of every client")
    return found


def _entries(value: Any) -> Array:
    return np.atleast_1d(np.asarray(value, dtype=np.float64))
