"""The notation table of the FedAvg-under-Lojasiewicz excerpt (section 2 of its transcription)."""

from bounds.dimension import F, X
from bounds.quantity import (
    NATURAL,
    NON_NEGATIVE,
    POSITIVE,
    POSITIVE_INTEGER,
    Domain,
    Notation,
    Over,
)

NOTATION = Notation()
_q = NOTATION.quantity

M = _q("M", r"M", "number of agents", POSITIVE_INTEGER)
R = _q("R", r"R", "number of rounds", NATURAL)
L = _q("L", r"L", "smoothness constant of every agent's objective", POSITIVE, F / X**2)
eta = _q("eta", r"\eta", "step size", POSITIVE, X**2 / F)
alpha = _q(
    "alpha",
    r"\alpha",
    "Lojasiewicz exponent",
    Domain(lower=1, lower_included=False, upper=2),
)
# ||grad f||^2 >= mu (f - f*)^alpha fixes the dimension of mu.
mu = _q("mu", r"\mu", "Lojasiewicz constant", POSITIVE, F ** (2 - alpha) / X**2)
zeta = _q("zeta", r"\zeta", "heterogeneity of the gradients", NON_NEGATIVE, F / X)
sigma = _q("sigma", r"\sigma", "root of the bound on the gradient noise", NON_NEGATIVE, F / X)
f0_gap = _q("f0_gap", r"F(\theta_0) - F^*", "initial gap to the mean of the f_c*", NON_NEGATIVE, F)

final_gap = NOTATION.observable(
    "final_gap",
    r"\mathbb{E}[F(\theta_R)] - F^*",
    "gap of the last global iterate",
    F,
    Over.LAST,
)
