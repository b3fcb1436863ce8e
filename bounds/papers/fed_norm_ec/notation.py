"""The notation table of the Fed-alpha-NormEC paper (section 2 of its transcription)."""

from sympy import sqrt

from bounds.dimension import F, X
from bounds.quantity import (
    NATURAL,
    NON_NEGATIVE,
    OPEN_UNIT,
    POSITIVE,
    POSITIVE_INTEGER,
    PROBABILITY,
    Domain,
    Notation,
    Over,
)

NOTATION = Notation()
_q = NOTATION.quantity

d = _q("d", r"d", "model dimension", POSITIVE_INTEGER)
M = _q("M", r"M", "number of clients", POSITIVE_INTEGER)
K = _q("K", r"K", "last round index; K+1 rounds are run", NATURAL)
T = _q("T", r"T", "local gradient steps per round", POSITIVE_INTEGER)
L = _q("L", r"L", "smoothness constant of every client objective", POSITIVE, F / X**2)
f0_gap = _q("f0_gap", r"f(x^{0})-f^{\inf}", "initial gap to the lower bound of f", NON_NEGATIVE, F)
Delta_inf = _q(
    "Delta_inf", r"\Delta^{\inf}", "heterogeneity: f^inf minus the mean of the f_i^inf", NON_NEGATIVE, F
)
gamma = _q("gamma", r"\gamma", "local (client) step size", POSITIVE, X**2 / F)
eta = _q("eta", r"\eta", "server step size: the length of a normalized step", POSITIVE, X)
beta = _q("beta", r"\beta", "error-feedback step size", POSITIVE, F / X)
alpha = _q("alpha", r"\alpha", "smoothing parameter of the normalization", POSITIVE, F / X)
p = _q("p", r"p", "client sampling probability", PROBABILITY)
sigma_DP = _q("sigma_DP", r"\sigma_{\rm DP}", "noise level, the root of E||z||^2 (total)", NON_NEGATIVE)
B = _q("B", r"B", "variance proxy of sampling plus noise", NON_NEGATIVE)
R = _q("R", r"R", "initial memory error", NON_NEGATIVE, F / X)

epsilon = _q("epsilon", r"\epsilon", "privacy parameter", POSITIVE)
delta = _q("delta", r"\delta", "privacy parameter", OPEN_UNIT)
c = _q("c", r"c", "constant of the noise rule", POSITIVE)
B_hat = _q("B_hat", r"\hat{B}", "clients sampled per round", Domain(lower=1))
beta_hat = _q("beta_hat", r"\hat{\beta}", "numerator of beta = beta_hat/(K+1)", POSITIVE, F / X)
B_1 = _q("B_1", r"B_{1}", "sampling part of the variance proxy", NON_NEGATIVE)
B_2 = _q("B_2", r"B_{2}", "noise part of the variance proxy per round", POSITIVE)
Delta = _q("Delta", r"\Delta", "prefactor of the utility bound", POSITIVE, F / X)
c_R = NOTATION.order_constant(
    "c_R", r"c_{R}", "constant of the O(.) in alpha = R = O(.)", "nothing but numbers is printed"
)
c_O = NOTATION.order_constant(
    "c_O", r"c_{\mathcal{O}}", "constant of the O(.) in the conclusion", "nothing but numbers is printed"
)

# One step of normalized descent (Lemma 4), where gamma is the length of the step.
gamma_step = _q("gamma_step", r"\gamma", "length of the step in Lemma 4", POSITIVE, X)
gap = _q("gap", r"f(x^{k})-f^{\inf}", "gap before the step", NON_NEGATIVE, F)
gradient_norm = _q("gradient_norm", r"\left\|\nabla f(x^{k})\right\|", "gradient norm", NON_NEGATIVE, F / X)
direction_error = _q(
    "direction_error",
    r"\left\|\nabla f(x^{k})-G^{k}\right\|",
    "distance of the direction from the gradient",
    NON_NEGATIVE,
    F / X,
)
next_gap = NOTATION.observable("next_gap", r"f(x^{k+1})-f^{\inf}", "gap after the step", F, Over.ONE_STEP)

min_gradient_norm = NOTATION.observable(
    "min_gradient_norm",
    r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]",
    "smallest, over the rounds 0..K, of the expected gradient norm",
    F / X,
    Over.MINIMUM_OF_MEANS,
    # ||grad f(x^0)||^2 <= 2 L (f(x^0) - f^inf): known before any round is run.
    free_bound=sqrt(2 * L * f0_gap),
)

# Theorem 2 and the corollaries
Delta_i_inf_mean = _q(
    "Delta_i_inf_mean",
    r"\frac{1}{M}\sum_{i=1}^{M}\Delta^{\inf}_{i}",
    "mean over the clients of f^inf minus the mean of the f_ij^inf",
    POSITIVE,
    F,
)
eta_hat = _q("eta_hat", r"\hat{\eta}", "numerator of eta in the rate corollaries", POSITIVE, X)
D_1 = _q("D_1", r"D_{1}", "numerator of R in the rate corollaries", POSITIVE, F / X)
D_2 = _q("D_2", r"D_{2}", "numerator of beta in the rate corollaries", POSITIVE, F / X)
