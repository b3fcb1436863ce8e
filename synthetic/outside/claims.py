"""What an author states of a problem: constants on their safe side, with the reason why they hold."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal, final

import numpy as np

from synthetic.certified.divergence import DIVERGENCES
from synthetic.certified.facts import Constant, Value
from synthetic.errors import BadValue

Side = Literal["upper", "lower"]

# The constants that the engine's own problems state, and the side on which each is used. One with another
# name is the author's own: it is passed on to the statements, and nothing here can contradict it.
SIDES: dict[str, Side] = {
    "smoothness": "upper",
    "client_smoothness": "upper",
    "mean_smoothness": "upper",
    "hessian_lipschitz": "upper",
    "strong_convexity": "lower",
    "client_strong_convexity": "lower",
    "lipschitz": "upper",
    "client_lipschitz": "upper",
    "infimum_gap": "upper",
    "largest_client_gap_at_minimiser": "upper",
    **dict.fromkeys(DIVERGENCES, "upper"),
}
FROM_MINIMUM = ("minimum", "minimiser")
# An author's inequality rarely has the exponent of the problem of ours that has this constant, and on which a
# theorem about it would be run. Nothing compares the growth of a divergence with the functions.
OF_OURS = {
    **dict.fromkeys(
        ("lojasiewicz", "lojasiewicz_exponent", "lojasiewicz_radius"),
        "||grad f_i||^2 >= lojasiewicz (f_i - inf f_i)^lojasiewicz_exponent within lojasiewicz_radius of 0",
    ),
    "mean_squared_divergence_growth": "with d_i = grad f_i - grad f, a bound on the mean over the clients of "
    "||d_i(x) - d_i(y)||^2/||x - y||^2",
}
ALIKE = 0.85  # names that are this similar differ by a typing error


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """One fact that rests on the author's word: its name, what is claimed, and the reason."""

    name: str
    claim: str
    because: str


def given_at_most(value: object, *, because: str) -> Constant:
    """An upper bound, a number or one for each client, with the reason why it holds."""
    bound = _bound("given_at_most", value, because)
    return Constant(value=bound, lower=None, upper=bound, provenance="given", because=because)


def given_at_least(value: object, *, because: str) -> Constant:
    """A lower bound, a number or one for each client, with the reason why it holds."""
    bound = _bound("given_at_least", value, because)
    return Constant(value=bound, lower=bound, upper=None, provenance="given", because=because)


def _bound(name: str, value: Any, because: object) -> Value:
    if not isinstance(because, str) or not because.strip():
        raise _wrong(f"{name}(...)", "no reason", repr(because), 'because="..." in words')
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return tuple(_finite(name, entry) for entry in value)
    return _finite(name, value)


def _finite(name: str, value: Any) -> float:
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not number or not math.isfinite(value):
        raise _wrong(f"{name}({value!r})", "not a finite number", repr(value), "a finite number")
    return float(value)


def check_constants(constants: Mapping[str, Any], clients: int) -> None:
    """Refuse what is no claim, a known name on its unsafe side, and a misspelled name."""
    for name, constant in constants.items():
        asked = f"constants[{name!r}]"
        if not isinstance(constant, Constant):
            raise _wrong(asked, "not a claim", repr(constant), "given_at_most(...) or given_at_least(...)")
        if name in FROM_MINIMUM:
            raise _wrong(asked, "it has an argument of its own", name, "minimizer=... and minimum=...")
        if name in OF_OURS:
            raise _wrong(
                asked, f"problems of ours have it, where it means {OF_OURS[name]}", name, "another name"
            )
        side = SIDES.get(name)
        if side is not None and getattr(constant, side) is None:
            needed = "given_at_most(...)" if side == "upper" else "given_at_least(...)"
            raise _wrong(asked, f"only its {side} bound is of use", constant.value, needed)
        if side == "upper" and min(np.atleast_1d(np.asarray(constant.upper))) < 0:
            raise _wrong(asked, "a size is never negative", constant.value, "a number >= 0")
        if isinstance(constant.value, tuple) and len(constant.value) != clients:
            raise _wrong(asked, "not one entry for each client", len(constant.value), str(clients))
        close = [] if side else get_close_matches(name, [*SIDES, *FROM_MINIMUM], n=1, cutoff=ALIKE)
        if close:
            raise _wrong(asked, "an unknown constant with almost the name of a known one", name, close[0])


def _wrong(asked: str, failed: str, found: object, needed: str) -> BadValue:
    return BadValue(asked=asked, failed=failed, found=found, needed=needed, change="correct the claim")
