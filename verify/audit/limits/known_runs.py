"""Runs in one dimension that are known exactly, and the part that quantities of the papers play in them.

Gradient descent on c x^2/2, with or without noise, and on the Huber function whose linear part the run just
does not leave: the worst case of the convex smooth class, L D^2/(2 (2 N eta L + 1)). With steps of a fixed
length on the linear part the gradient stays what it is, however the direction is made. Constants are powers
of two, so that the floats are what they stand for; what has no short float is rounded down, which is the side
that keeps it true: Lojasiewicz constants, lower bounds, 1/D0 with which bounds fall, and values that a bound
must not undercut.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import nextafter
from typing import final

QUADRATIC, HUBER = "quadratic", "Huber function"
FIXED_LENGTH = "linear part, in steps of fixed length"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """`facts` by the part they play, `values` of what is bounded; who speaks of it has to know of `shown`."""

    name: str
    shown: frozenset[str]
    facts: Mapping[str, Fraction]
    values: Mapping[str, Fraction]


# Each name with its part; what is not listed has none, and a statement that needs it is not compared.
PARTS: Mapping[str, Mapping[str, str]] = {
    "textbook": {
        **{name: name for name in ("L", "eta", "sigma", "D0", "f0_gap")},
        **{"mu": "stated_curvature", "N": "rounds", "K": "rounds", "rounds": "rounds", "E": "local"},
    },
    "fedavg_lojasiewicz": {
        **{name: name for name in ("L", "eta", "sigma", "f0_gap")},
        **{"gap": "f0_gap", "s_r": "f0_gap", "gradient_norm": "slope", "mu_1": "lojasiewicz_1"},
        **{"mu": "lojasiewicz_2", "alpha": "two", "zeta": "zero", "M": "one"},
        **{"H": "local", "R": "rounds", "r": "rounds"},
    },
    "als_dpfl": {
        **{"beta": "L", "eta": "eta", "T": "rounds", "tau": "local_one", "B": "many", "d": "one"},
        **{"sigma": "sigma", "sigma_v": "sigma", "xi": "zero", "xi_i": "zero"},
        **{"rho": "slope_everywhere", "C": "slope_everywhere", "lam": "last_gap"},
        **{"auxiliary_gap": "last_gap", "final_gap": "last_gap", "gradient_square": "last_slope_square"},
        **{"omega": "per_D0", "omega_lemma_6": "per_D0_square", "omega_mean": "per_D0_square"},
        **{"auxiliary_gap_mean": "last_gap", "averaged_gap_mean": "last_gap", "farthest_start": "D0"},
        **{"farthest_start_square": "D0_square", "theta": "f0_gap", "theta_mean": "f0_gap"},
        **{"distance_to_optimum": "D0", "distance_square": "D0_square"},
    },
    "fed_norm_ec": {
        **{"L": "length_L", "f0_gap": "length_gap", "K": "length_rounds", "eta": "length", "T": "one"},
        **{"p": "one", "M": "one", "sigma_DP": "zero", "Delta_inf": "zero", "gamma": "knob_gamma"},
        **{"beta": "knob", "alpha": "knob", "R": "knob", "D_1": "knob", "D_2": "knob"},
    },
}
# A method may set these freely; a prescription may set them otherwise.
KNOBS = ("knob", "knob_gamma")
OBSERVED: Mapping[str, str] = {
    "textbook.final_gap": "gap",
    "textbook.federated_gap": "gap",
    "textbook.squared_distance": "squared_distance",
    "textbook.min_squared_gradient": "least_slope_square",
    "fedavg_lojasiewicz.final_gap": "gap",
    "fedavg_lojasiewicz.mean_gap": "gap",
    "fedavg_lojasiewicz.last_s": "gap",
    "fedavg_lojasiewicz.mean_next_gap": "gap_after_a_round",
    "fedavg_lojasiewicz.next_s": "gap_after_a_round",
    "als_dpfl.final_gap_mean": "gap",
    "als_dpfl.next_theta": "gap_after_a_step",
    "als_dpfl.next_theta_mean": "gap_after_a_step",
    "als_dpfl.next_distance_to_optimum": "distance_after_a_step",
    "als_dpfl.next_distance_square": "squared_distance_after_a_step",
    "fed_norm_ec.min_gradient_norm": "slope_that_stays",
}
# Hypotheses that one of the functions breaks.
ONLY: Mapping[str, str] = {"lipschitz clients": HUBER, "strongly convex": QUADRATIC}

CONSTANTS = (  # curvature and smoothness
    (Fraction(1), Fraction(1)),
    (Fraction(1, 2), Fraction(2)),
    (Fraction(1, 2**14), Fraction(1, 2**14)),
)
LENGTHS = (Fraction(1, 4), Fraction(64))
ROUNDS, LOCAL = (1, 2, 8), (1, 2)
STEPS = (Fraction(1), Fraction(1, 2), Fraction(1, 64), Fraction(15, 8))  # of 1/L
STATED = (Fraction(1), Fraction(1, 4))  # of the curvature: a smaller strong convexity is as true


@lru_cache(maxsize=1)
def runs() -> tuple[Run, ...]:
    return (*_descents(), *_fixed_lengths())


def _descents() -> Iterator[Run]:
    for (c, L), length, rounds, local, step_of in product(CONSTANTS, LENGTHS, ROUNDS, LOCAL, STEPS):
        step = _Step(L=L, eta=step_of / L, rounds=rounds, local=local)
        for stated in STATED:
            yield _quadratic(step, c, stated * c, length, Fraction(0))
            yield _quadratic(step, c, stated * c, length, Fraction(1))
        yield _huber(step, length)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    L: Fraction
    eta: Fraction
    rounds: int
    local: int

    @property
    def steps(self) -> int:
        return self.rounds * self.local

    def shown(self, sigma: Fraction) -> frozenset[str]:
        """A statement without noise, or without local steps, is about runs without them."""
        return frozenset((*(["local"] if self.local > 1 else []), *(["sigma"] if sigma else [])))

    def facts(self, D: Fraction, gap: Fraction, slope: Fraction) -> dict[str, Fraction]:
        return {
            **{"L": self.L, "eta": self.eta, "rounds": Fraction(self.rounds), "local": Fraction(self.local)},
            **({"local_one": Fraction(1)} if self.local == 1 else {}),
            **{"D0": D, "D0_square": D**2, "per_D0": down(1 / D), "per_D0_square": down(1 / D**2)},
            **{"f0_gap": gap, "slope": slope},
            **_NUMBERS,
        }


_NUMBERS = {"zero": Fraction(0), "one": Fraction(1), "two": Fraction(2), "many": Fraction(2**40)}


def mean_square(c: Fraction, square: Fraction, eta: Fraction, steps: int, sigma: Fraction) -> Fraction:
    """E x^2 after steps of x <- x - eta (c x + noise)."""
    for _ in range(steps):
        square = (1 - eta * c) ** 2 * square + eta**2 * sigma**2
    return square


def _quadratic(step: _Step, c: Fraction, stated: Fraction, D: Fraction, sigma: Fraction) -> Run:
    gap = c * D**2 / 2
    last, round_, one = (
        mean_square(c, D**2, step.eta, count, sigma) for count in (step.steps, step.local, 1)
    )
    facts = {
        **step.facts(D, gap, c * D),
        **{"sigma": sigma, "curvature": c, "stated_curvature": stated, "lojasiewicz_1": 2 * c},
        **{"last_gap": down(c * last / 2), "last_slope_square": down(c**2 * last)},
    }
    values = {
        **{"gap": c * last / 2, "gap_after_a_round": c * round_ / 2, "gap_after_a_step": c * one / 2},
        **{"squared_distance": last, "squared_distance_after_a_step": one},
    }
    if not sigma:  # with noise the gaps have no bound, and a length no mean in closed form
        facts["lojasiewicz_2"] = down(2 * c / gap)
        values |= {"distance_after_a_step": abs(1 - step.eta * c) * D, "least_slope_square": c**2 * last}
    shown = step.shown(sigma) | (frozenset() if stated == c else {"stated_curvature"})
    return Run(name=QUADRATIC, shown=shown, facts=facts, values=values)


def _huber(step: _Step, width: Fraction) -> Run:
    """Linear beyond `width`; the last step ends at most there."""
    slope = step.L * width
    move = step.eta * slope
    D = width + 2 * step.steps * move
    gap = slope * (D - width / 2)

    def after(count: int) -> Fraction:
        return slope * (D - count * move - width / 2)

    facts = {
        **step.facts(D, gap, slope),
        **{"sigma": Fraction(0), "slope_everywhere": slope},
        **{"lojasiewicz_1": down(slope**2 / gap), "lojasiewicz_2": down(slope**2 / gap**2)},
        **{"last_gap": down(after(step.steps)), "last_slope_square": slope**2},
    }
    values = {
        **{"gap": after(step.steps), "gap_after_a_round": after(step.local), "gap_after_a_step": after(1)},
        **{"squared_distance": (D - step.steps * move) ** 2, "distance_after_a_step": D - move},
        **{"squared_distance_after_a_step": (D - move) ** 2, "least_slope_square": slope**2},
    }
    return Run(name=HUBER, shown=step.shown(Fraction(0)), facts=facts, values=values)


def _fixed_lengths() -> Iterator[Run]:
    """K+1 gradients, K steps of length eta, and a start from which they do not leave the linear part."""
    for L, rounds, share, width in product((Fraction(1), Fraction(16)), (0, 1, 63), (8, 256), (1, 64)):
        length = 1 / (share * L)
        slope = L * length * width
        facts = {
            **{"length_L": L, "length_gap": slope * (rounds * length + length * width / 2)},
            **{"length_rounds": Fraction(rounds), "length": length},
            **{"knob_gamma": 1 / (2 * L), "knob": Fraction(1)},
            **_NUMBERS,
        }
        yield Run(name=FIXED_LENGTH, shown=frozenset(), facts=facts, values={"slope_that_stays": slope})


def down(value: Fraction) -> Fraction:
    """The largest float that is not above the value."""
    near = float(value)
    return Fraction(near if Fraction(near) <= value else nextafter(near, -float("inf")))
