"""The table of the papers' quantities: roles of names that are easily confused, equalities, conversions.

A quantity is named by the key of its paper and its ASCII name. `lookup` finds what is said of a pair.
One file in spite of its length: it is one table.
"""

from dataclasses import dataclass
from enum import Enum
from typing import final

from sympy import Expr, sqrt

from bounds.papers.als_dpfl import notation as c
from bounds.papers.dp_fedavg import notation as b
from bounds.papers.fed_norm_ec import notation as a
from bounds.papers.fedavg_lojasiewicz import notation as d
from bounds.papers.textbook import notation as t


class Kinship(Enum):
    NOT_THE_SAME = "not the same"
    CONVERTED = "converted"
    EQUAL = "equal"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A relation between two quantities. `forward` gives the second from the first, `backward` the first.

    Other quantities in either expression are those of the first quantity's paper.
    """

    first: str
    second: str
    kinship: Kinship
    sentence: str
    forward: Expr | None = None
    backward: Expr | None = None


# Spelled alike, or easily taken for one another; each name with what it stands for in its paper.
ROLES: tuple[dict[str, str], ...] = (
    {
        "fed_norm_ec.sigma": "the root of a second moment in total, of increments without unit",
        "fed_norm_ec.sigma_DP": "the root of the total second moment of a client's noise, without unit",
        "dp_fedavg.sigma": "a standard deviation per coordinate, of the averaged update",
        "als_dpfl.sigma": "a noise multiplier, which C turns into a standard deviation per coordinate",
        "als_dpfl.sigma_v": "a standard deviation per coordinate, of the auxiliary sequence",
        "als_dpfl.sigma_mechanism": "a standard deviation per coordinate, of any Gaussian mechanism",
        "fedavg_lojasiewicz.sigma": "the root of the total variance of a gradient",
        "textbook.sigma": "the root of the total variance of a gradient",
    },
    {
        "fed_norm_ec.B": "the variance proxy of sampling plus noise",
        "als_dpfl.B": "the batch size",
    },
    {
        "fed_norm_ec.B_2": "the noise part of the variance proxy",
        "dp_fedavg.B_2": "the effect of heterogeneity on normalization",
    },
    {
        "fed_norm_ec.rho": "the Lipschitz constant of the local operator, without unit",
        "dp_fedavg.rho": "the key quantity of privacy, between 0 and 1",
        "als_dpfl.rho": "the Lipschitz constant of the objectives",
    },
    {
        "fed_norm_ec.C": "a bound on the memory error of a client",
        "dp_fedavg.C": "the longest update of a client, summed over its local steps",
        "als_dpfl.C": "the longest gradient of one sample",
        "fedavg_lojasiewicz.C_F3": "a floor of the gap",
        "fedavg_lojasiewicz.C_F4": "a floor of the gap",
    },
    {
        "fed_norm_ec.R": "the initial memory error",
        "fedavg_lojasiewicz.R": "the number of rounds",
    },
    {
        "fed_norm_ec.Delta": "the prefactor of a utility bound",
        "fed_norm_ec.Delta_inf": "inf f less the mean of the inf f_i",
        "dp_fedavg.Delta_star_mean": "the mean of f_i(w*) - min f_i",
        "dp_fedavg.Delta_star_max": "the largest of f_i(w*) - min f_i",
    },
    {
        "fed_norm_ec.K": "the last round's index, so that K+1 rounds are run",
        "dp_fedavg.K": "the number of rounds",
        "als_dpfl.K": "the number of rounds",
        "textbook.K": "the number of gradient steps",
    },
    {
        "fed_norm_ec.beta": "the step of the error-feedback memory",
        "als_dpfl.beta": "the smoothness constant",
        "fedavg_lojasiewicz.beta": "the weight of a polarization, 1/sqrt(eta H)",
    },
    {
        "fed_norm_ec.eta": "the length of a normalized server step",
        "dp_fedavg.eta": "the step size of one gradient step, and of the server",
        "als_dpfl.eta": "the step size of one gradient step",
        "fedavg_lojasiewicz.eta": "the step size of one gradient step",
        "textbook.eta": "the step size of one gradient step",
    },
    {
        "fed_norm_ec.gamma": "the step size of a whole local pass of T steps",
        "fed_norm_ec.gamma_step": "the length of a normalized step",
        "fed_norm_ec.gamma_sequence": "the step of a sequence, a length in the theorems",
        "dp_fedavg.gamma": "a free constant that scales K and eta",
    },
    {
        "fed_norm_ec.alpha": "the smoothing parameter of the normalization",
        "dp_fedavg.alpha": "a free constant of at least 1 that scales K",
        "fedavg_lojasiewicz.alpha": "the Lojasiewicz exponent",
        "fedavg_lojasiewicz.power": "any exponent of at least 1",
    },
    {
        "als_dpfl.lam": "a lower bound on gaps",
        "dp_fedavg.lam": "a curvature, of Assumption 1 (i)",
    },
    {
        "fedavg_lojasiewicz.mu": "a Lojasiewicz constant, whose unit depends on alpha",
        "fedavg_lojasiewicz.mu_1": "a Lojasiewicz constant for alpha = 1",
        "textbook.mu": "the strong convexity constant",
    },
    {
        "als_dpfl.tau": "the number of local steps per round",
        "dp_fedavg.tau": "the index of a local step",
    },
    {
        "dp_fedavg.r": "the clients accessed per round",
        "fedavg_lojasiewicz.r": "the number of rounds so far",
    },
    {
        "als_dpfl.x": "local steps since the last aggregation",
        "als_dpfl.unit_point": "a number between 0 and 1",
        "dp_fedavg.x": "a number between 0 and 1",
        "fedavg_lojasiewicz.x": "a gap above a floor",
    },
    {"als_dpfl.a": "a factor", "fedavg_lojasiewicz.a": "a gap"},
    {
        "fed_norm_ec.p": "the probability that a client takes part",
        "dp_fedavg.p_vectors": "a number of vectors",
    },
    {"dp_fedavg.q": "an absolute constant of privacy", "textbook.q": "the contraction of one step"},
    {
        "fed_norm_ec.c": "the constant of the noise rule",
        "fed_norm_ec.c_O_sampling": "a constant of an O(.)",
        "fed_norm_ec.c_O_step": "a constant of an O(.)",
        "fed_norm_ec.c_rate": "a constant of an O(.)",
        "fed_norm_ec.c_rate_R": "a constant of an O(.)",
        "fed_norm_ec.c_rate_eta": "a constant of an O(.)",
        "dp_fedavg.c": "a threshold in units of sqrt(L max Delta_j*)",
        "dp_fedavg.norm_length": "the length that normalization gives",
        "als_dpfl.c": "the constant of the Gaussian mechanism",
    },
    {
        "fed_norm_ec.c_O": "the constant of the O(.) in a utility bound",
        "dp_fedavg.c_O": "the constant of the O(.) in eq. (7)",
    },
    {
        "fed_norm_ec.epsilon": "a privacy parameter where neighbors differ in one client",
        "dp_fedavg.epsilon": "a privacy parameter where neighbors differ in one sample",
        "als_dpfl.epsilon": "a privacy parameter where neighbors differ in one sample",
    },
    {
        "fed_norm_ec.delta": "a privacy parameter where neighbors differ in one client",
        "dp_fedavg.delta": "a privacy parameter where neighbors differ in one sample",
        "als_dpfl.delta": "a privacy parameter where neighbors differ in one sample",
    },
    {
        "als_dpfl.xi": "the mean over the clients of the largest distances of their gradients from the mean",
        "fedavg_lojasiewicz.zeta": "the root of the mean squared distance of the gradients from the mean",
    },
    {
        "fed_norm_ec.f0_gap": "a gap of values, at most L D0^2/2",
        "dp_fedavg.D0": "a distance to a minimizer",
        "textbook.D0": "a distance to a minimizer",
        "als_dpfl.D0": "a distance to a minimizer",
    },
    {"als_dpfl.N": "the number of clients", "textbook.N": "the number of gradient steps"},
    {
        "textbook.f0_gap": "the gap of the start to the infimum of f",
        "als_dpfl.f0_gap": "the gap of the start to the minimum of F",
        "dp_fedavg.f0_gap": "the gap of the start to the minimum of f",
        "fedavg_lojasiewicz.f0_gap": "the gap of the start to the mean of the f_c*",
    },
    {
        "fed_norm_ec.gap": "a gap to the infimum of f",
        "dp_fedavg.gap": "a gap at a uniformly random round, in mean",
        "fedavg_lojasiewicz.gap": "a gap to the mean of the f_c*",
    },
    {
        "als_dpfl.final_gap": "the gap of a random run to the minimum",
        "fedavg_lojasiewicz.final_gap": "the mean gap to the mean of the f_c*",
        "textbook.final_gap": "the gap of a run without noise to the minimum",
    },
    {
        "fed_norm_ec.gradient_norm": "taken at the iterate",
        "als_dpfl.gradient_norm": "taken at the auxiliary sequence",
        "fedavg_lojasiewicz.gradient_norm": "taken at the iterate",
    },
    {
        "fed_norm_ec.direction_error": "the error of a normalized direction",
        "fedavg_lojasiewicz.direction_error": "the error of the mean direction of a round",
    },
    {
        "dp_fedavg.normalized_length": "a length of c",
        "fed_norm_ec.normalized_length": "a length below 1, without unit",
    },
)

EQUAL: dict[str, tuple[str, ...]] = {
    "the smoothness constant of the objectives": (
        *("fed_norm_ec.L", "dp_fedavg.L", "als_dpfl.beta", "fedavg_lojasiewicz.L", "textbook.L"),
    ),
    "the Lipschitz constant of the objectives": ("dp_fedavg.G", "als_dpfl.rho"),
    "the number of clients": ("fed_norm_ec.M", "dp_fedavg.n", "fedavg_lojasiewicz.M", "als_dpfl.N"),
    "the dimension of the model": ("fed_norm_ec.d", "dp_fedavg.d", "als_dpfl.d"),
    "the number of local steps in a round": (
        *("fed_norm_ec.T", "dp_fedavg.E", "als_dpfl.tau", "fedavg_lojasiewicz.H", "textbook.E"),
    ),
    "the number of rounds": ("dp_fedavg.K", "als_dpfl.K", "fedavg_lojasiewicz.R", "textbook.rounds"),
    "the number of all gradient steps; the textbook has one client": ("als_dpfl.T", "textbook.K"),
    "the step size of one gradient step": (
        *("dp_fedavg.eta", "als_dpfl.eta", "fedavg_lojasiewicz.eta", "textbook.eta"),
    ),
    "the root of the total variance of a gradient": ("fedavg_lojasiewicz.sigma", "textbook.sigma"),
    "the distance of the start from a minimizer": ("dp_fedavg.D0", "textbook.D0", "als_dpfl.D0"),
    "the gap of the start to the infimum of the objective": (
        *("fed_norm_ec.f0_gap", "textbook.f0_gap", "als_dpfl.f0_gap", "dp_fedavg.f0_gap"),
    ),
    "equal where inf f and the inf f_i are attained and are what the first paper takes": (
        *("fed_norm_ec.Delta_inf", "dp_fedavg.Delta_star_mean"),
    ),
    "a privacy parameter where neighbors differ in one sample": ("dp_fedavg.epsilon", "als_dpfl.epsilon"),
    "the same privacy parameter where neighbors differ in one sample": (
        *("dp_fedavg.delta", "als_dpfl.delta"),
    ),
    "a client's gradient norm at the start of a round": (
        *("fed_norm_ec.client_gradient_norm", "dp_fedavg.round_gradient_norm"),
        "fedavg_lojasiewicz.client_gradient_norm",
    ),
    "the norm of the mean gradient at an iterate": (
        *("fed_norm_ec.gradient_norm", "fedavg_lojasiewicz.gradient_norm"),
    ),
    "any number between 0 and 1": ("als_dpfl.unit_point", "dp_fedavg.x"),
}


def _conversion(first: str, second: str, sentence: str, forward: Expr, backward: Expr) -> Entry:
    return Entry(
        first=first,
        second=second,
        kinship=Kinship.CONVERTED,
        sentence=sentence,
        forward=forward,
        backward=backward,
    )


_PASS = "a local pass of length gamma has T steps of length gamma/T each"
_ROUNDS = "the first counts from 0 to K, the second counts the rounds"
_REFERENCE = "the second is taken to the mean of the clients' lowest values, Delta_inf below that of f"
_PRIVATE = "the private noise of one gradient alone, in total over the coordinates and divided by the batch"
_RELATIVE = "the noise of one message, relative to the longest message that it hides, in total"

CONVERSIONS: tuple[Entry, ...] = (
    *(
        _conversion("fed_norm_ec.gamma", f"{key}.eta", _PASS, a.gamma / a.T, eta * a.T)
        for key, eta in (
            ("dp_fedavg", b.eta),
            ("als_dpfl", c.eta),
            ("fedavg_lojasiewicz", d.eta),
            ("textbook", t.eta),
        )
    ),
    _conversion("fed_norm_ec.K", "dp_fedavg.K", _ROUNDS, a.K + 1, b.K - 1),
    _conversion("fed_norm_ec.K", "als_dpfl.K", _ROUNDS, a.K + 1, c.K - 1),
    _conversion("fed_norm_ec.K", "fedavg_lojasiewicz.R", _ROUNDS, a.K + 1, d.R - 1),
    _conversion("fed_norm_ec.K", "textbook.rounds", _ROUNDS, a.K + 1, t.rounds - 1),
    _conversion(
        "fed_norm_ec.T",
        "als_dpfl.T",
        "the first counts the local steps of one round, the second those of all rounds",
        a.T * (a.K + 1),
        c.T / (a.K + 1),
    ),
    _conversion(
        "fed_norm_ec.f0_gap",
        "fedavg_lojasiewicz.f0_gap",
        _REFERENCE,
        a.f0_gap + a.Delta_inf,
        d.f0_gap - a.Delta_inf,
    ),
    _conversion(
        "fed_norm_ec.gap", "fedavg_lojasiewicz.gap", _REFERENCE, a.gap + a.Delta_inf, d.gap - a.Delta_inf
    ),
    _conversion(
        "fed_norm_ec.next_gap",
        "fedavg_lojasiewicz.next_gap",
        _REFERENCE,
        a.next_gap + a.Delta_inf,
        d.next_gap - a.Delta_inf,
    ),
    _conversion(
        "textbook.mu",
        "fedavg_lojasiewicz.mu_1",
        "a mu-strongly convex f has ||grad f||^2 >= 2 mu (f - f*); the converse does not hold",
        2 * t.mu,
        d.mu_1 / 2,
    ),
    _conversion(
        "als_dpfl.sigma",
        "fedavg_lojasiewicz.sigma",
        _PRIVATE,
        sqrt(c.d) * c.sigma * c.C / c.B,
        d.sigma * c.B / (sqrt(c.d) * c.C),
    ),
    _conversion(
        "als_dpfl.sigma",
        "textbook.sigma",
        _PRIVATE,
        sqrt(c.d) * c.sigma * c.C / c.B,
        t.sigma * c.B / (sqrt(c.d) * c.C),
    ),
    _conversion(
        "als_dpfl.sigma", "fed_norm_ec.sigma_DP", _RELATIVE, sqrt(c.d) * c.sigma, a.sigma_DP / sqrt(c.d)
    ),
    _conversion(
        "dp_fedavg.sigma",
        "fed_norm_ec.sigma_DP",
        _RELATIVE + "; each of r clients adds variance r sigma^2 per coordinate",
        sqrt(b.d * b.r) * b.sigma / b.C,
        a.sigma_DP * b.C / sqrt(b.d * b.r),
    ),
    _conversion(
        "dp_fedavg.sigma",
        "als_dpfl.sigma",
        "the noise of one message per coordinate, relative to the longest message that it hides",
        sqrt(b.r) * b.sigma / b.C,
        c.sigma * b.C / sqrt(b.r),
    ),
)
