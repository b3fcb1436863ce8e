"""FL-1 to FL-4, and what the excerpt asks of the samples without saying so.

The excerpt refers to FL-1, FL-2 and FL-3 and does not hold them; their forms here are reconstructed.
"""

from bounds.language.assumptions import (
    GRADIENT_DIVERGENCE,
    GRADIENT_DIVERGENCE_AT_ITERATES,
    LOJASIEWICZ,
    SMOOTH_CLIENTS,
    UNBIASED_NOISE,
    as_stated,
)
from bounds.language.statement import Setting

FL_1 = as_stated(SMOOTH_CLIENTS, "FL-1: every f_c is L-smooth", "D.FL1", reconstructed=True)
FL_2 = as_stated(
    LOJASIEWICZ,
    "FL-2: ||grad f_c||^2 >= mu (f_c - f_c*)^alpha at every iterate",
    "D.FL2",
    reconstructed=True,
)
FL_2_EXPONENT_ONE = as_stated(
    LOJASIEWICZ,
    "FL-2 with alpha = 1: ||grad f_c||^2 >= mu (f_c - f_c*) at every iterate",
    "D.FL2",
    reconstructed=True,
)
FL_3 = as_stated(
    GRADIENT_DIVERGENCE,
    "FL-3: the mean of ||grad f_c - grad F||^2 is at most zeta^2",
    "D.FL3",
    reconstructed=True,
)
FL_3_AT_ITERATES = as_stated(
    GRADIENT_DIVERGENCE_AT_ITERATES,
    "FL-3 at every global iterate: the mean of ||grad f_c - grad F||^2 is at most zeta^2 there",
    "D.FL3",
    reconstructed=True,
)
FL_4 = as_stated(UNBIASED_NOISE, "FL-4: every agent's gradient has noise of at most sigma^2", "D.FL4")
UNBIASED = as_stated(
    UNBIASED_NOISE, "the sampled gradients have mean grad f_c", "D.unbiased", reconstructed=True
)

INDEPENDENT = Setting(
    "D.indep", "reconstructed: the samples Z_{r,h}^c are independent over agents, steps and rounds"
)
ITERATES = Setting("D.alg", "theta_r, theta_{r,h}^c: the global and local iterates of FedAVG")

EXPONENT_ONE = (FL_1, FL_2_EXPONENT_ONE, FL_3, FL_4, UNBIASED)
EXPONENT_ONE_AT_ITERATES = (FL_1, FL_2_EXPONENT_ONE, FL_3_AT_ITERATES, FL_4, UNBIASED)
EXPONENT_ABOVE_ONE = (FL_1, FL_2, FL_3, FL_4, UNBIASED)
RUN = (ITERATES, INDEPENDENT)
