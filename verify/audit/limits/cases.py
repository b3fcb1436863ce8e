"""Special cases of the papers' settings.

A case gives numbers to quantities by the part they play, so that a check need not know the statement. A term
must vanish in it where the case contains one of the alternatives of its `vanishes`.
"""

from collections.abc import Mapping

# A quantity becomes a number, or another quantity of its paper.
Values = Mapping[str, int | str]

NO_NOISE = "no noise"
IDENTICAL = "identical clients"
COMPONENTS = "identical components"
ONE_CLIENT = "one client"
EVERYONE = "full participation"
ONE_STEP = "one local step"
MEMORIES = "exact memories"
OPTIMUM = "started at the optimum"
NO_ROUNDS = "no rounds"
FIRST_STEP = "first step after an aggregation, no noise"
EXPONENT_ONE = "exponent near 1"
ALL = (ONE_CLIENT, NO_NOISE, EVERYONE, ONE_STEP)
# Equations of a term that are two cases at once take their names.
PAIRS = ((EVERYONE, NO_NOISE), (IDENTICAL, NO_NOISE))

_IDENTICAL: Values = {
    "fed_norm_ec.Delta_inf": 0,
    "dp_fedavg.Delta_star_max": 0,
    "dp_fedavg.Delta_star_mean": 0,
    "dp_fedavg.unclipped_scaled_delta": 0,
    "dp_fedavg.Delta_i_star": 0,
    "als_dpfl.xi": 0,
    "als_dpfl.xi_i": 0,
    "fedavg_lojasiewicz.zeta": 0,
}

CASES: Mapping[str, Values] = {
    # rho of DP-FedAvg stands for its noise, of which the steps are made.
    NO_NOISE: {
        "textbook.sigma": 0,
        "fed_norm_ec.sigma_DP": 0,
        "dp_fedavg.rho": 0,
        "dp_fedavg.sigma": 0,
        "als_dpfl.sigma": 0,
        "als_dpfl.sigma_v": 0,
        "als_dpfl.noise_alignment": 0,
        "fedavg_lojasiewicz.sigma": 0,
        "fedavg_lojasiewicz.mean_noise_variance": 0,
    },
    IDENTICAL: _IDENTICAL,
    COMPONENTS: {"fed_norm_ec.Delta_i_inf_mean": 0},
    # One client's objective is the mean: measures of differences between clients are zero by definition.
    ONE_CLIENT: {
        **_IDENTICAL,
        "fed_norm_ec.M": 1,
        "dp_fedavg.n": 1,
        "dp_fedavg.r": 1,
        "fedavg_lojasiewicz.M": 1,
    },
    EVERYONE: {"fed_norm_ec.p": 1, "fed_norm_ec.B_hat": "M", "dp_fedavg.r": "n"},
    ONE_STEP: {
        "textbook.E": 1,
        "fed_norm_ec.T": 1,
        "dp_fedavg.E": 1,
        "als_dpfl.tau": 1,
        "fedavg_lojasiewicz.H": 1,
    },
    FIRST_STEP: {"als_dpfl.x": 1, "als_dpfl.sigma": 0},
    MEMORIES: {"fed_norm_ec.R": 0},
    OPTIMUM: {
        "textbook.D0": 0,
        "textbook.f0_gap": 0,
        "fed_norm_ec.f0_gap": 0,
        "dp_fedavg.D0": 0,
        "als_dpfl.farthest_start": 0,
        "als_dpfl.farthest_start_square": 0,
        "fedavg_lojasiewicz.f0_gap": 0,
    },
    # K+1 rounds are run in the paper on normalization, and the least of K+1 gradients is that of the start.
    NO_ROUNDS: {
        "textbook.N": 0,
        "textbook.K": 0,
        "textbook.rounds": 0,
        "fed_norm_ec.K": 0,
        "dp_fedavg.K": 0,
        "als_dpfl.T": 0,
        "als_dpfl.x": 0,
        "fedavg_lojasiewicz.R": 0,
        "fedavg_lojasiewicz.r": 0,
    },
}

# What is bounded, before the first round: a power of a quantity, or nothing at all. Elsewhere its free bound
# is what it may be at most at the start, and a quadratic reaches that.
STARTS: Mapping[str, tuple[str, int]] = {
    "textbook.squared_distance": ("D0", 2),
    "als_dpfl.distance_to_auxiliary": ("", 0),
    "als_dpfl.value_difference": ("", 0),
    "als_dpfl.client_distance": ("", 0),
    "fedavg_lojasiewicz.final_gap": ("f0_gap", 1),
    "fedavg_lojasiewicz.mean_gap": ("f0_gap", 1),
    "fedavg_lojasiewicz.last_s": ("f0_gap", 1),
}

# One step from a common point, averaged over the clients, is a step along the mean gradient: so far what is
# bounded has no part that is due to differences of the clients.
AVERAGED = ("als_dpfl.distance_to_auxiliary", "als_dpfl.value_difference")

# What an exponent above 1 comes to as it falls to 1, with the quantity that takes the place of another.
AT_EXPONENT_ONE: Mapping[str, tuple[str, str, str]] = {
    "fedavg_lojasiewicz.final_gap": ("fedavg_lojasiewicz.theorem_f2", "mu", "mu_1"),
}
