"""The notation table of the DP-FedAvg / DP-NormFedAvg paper (section 2 of its transcription)."""

from bounds.dimension import F, X
from bounds.quantity import (
    AT_LEAST_ONE,
    NON_NEGATIVE,
    OPEN_UNIT,
    POSITIVE,
    POSITIVE_INTEGER,
    Notation,
    Over,
)

NOTATION = Notation()
_q = NOTATION.quantity

n = _q("n", r"n", "number of samples in the privacy cost rho", POSITIVE_INTEGER)
d = _q("d", r"d", "parameter dimension", POSITIVE_INTEGER)
K = _q("K", r"K", "communication rounds", POSITIVE_INTEGER)
E = _q("E", r"E", "local updates per round", POSITIVE_INTEGER)
L = _q("L", r"L", "smoothness constant of every client objective", POSITIVE, F / X**2)
G = _q("G", r"G", "Lipschitz constant of every client objective", NON_NEGATIVE, F / X)
lam = _q("lam", r"\lambda", "constant of Assumption 1 (i)", POSITIVE, F / X**2)
D0 = _q("D0", r"\|\bm{w}_{0}-\bm{w}^{*}\|", "initial distance to the minimizer", NON_NEGATIVE, X)
eta = _q("eta", r"\eta", "learning rate, local and global", POSITIVE, X**2 / F)
C = _q("C", r"C", "clipping threshold", POSITIVE, F / X)
C_hat = _q("C_hat", r"\hat{C}", "clipping threshold per local step, C/E", POSITIVE, F / X)
rho = _q("rho", r"\rho", "key quantity: the cost of privacy", OPEN_UNIT)
q = _q("q", r"q", "absolute constant of Theorem 1", POSITIVE)
epsilon = _q("epsilon", r"\varepsilon", "privacy parameter", POSITIVE)
delta = _q("delta", r"\delta", "privacy parameter", OPEN_UNIT)
alpha = _q("alpha", r"\alpha", "free constant scaling K", AT_LEAST_ONE)
gamma = _q("gamma", r"\gamma", "free constant scaling K and eta", POSITIVE, F / X)
Delta_star_max = _q(
    "Delta_star_max",
    r"\max_{j\in[n]}\Delta_{j}^{*}",
    "largest heterogeneity gap f_j(w*) - min f_j",
    NON_NEGATIVE,
    F,
)
Delta_star_mean = _q(
    "Delta_star_mean",
    r"\frac{1}{n}\sum_{i=1}^{n}\Delta_{i}^{*}",
    "mean heterogeneity gap",
    NON_NEGATIVE,
    F,
)
c_E = NOTATION.order_constant(
    "c_E",
    r"c_{E}",
    "constant of the O(.) in the rule for E",
    "nothing but numbers is printed; the bracket of eq. (11) itself changes sign at c_E = 11/48",
)

unclipped_gap = NOTATION.observable(
    "unclipped_gap",
    r"\mathbb{E}\Big[\frac{1}{n}\sum_{i}\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|\leq\hat{C}E)"
    r"(f_{i}(\bm{w}_{\tilde{k}})-f_{i}(\bm{w}^{*}))\Big]",
    "mean over clients of f_i(w) - f_i(w*), counted where the update is not clipped",
    F,
    Over.UNIFORM_ROUND,
    # f_i(w) - f_i(w*) >= min f_i - f_i(w*) = -Delta_i*.
    lowest=-Delta_star_mean,
)
clipped_update_norm = NOTATION.observable(
    "clipped_update_norm",
    r"\mathbb{E}\Big[\frac{1}{n}\sum_{i}\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|>\hat{C}E)"
    r"\|\bm{u}_{\tilde{k}}^{(i)}\|\Big]",
    "mean over clients of the update norm, counted where the update is clipped",
    F / X,
    Over.UNIFORM_ROUND,
)
unclipped_delta = NOTATION.observable(
    "unclipped_delta",
    r"\mathbb{E}\Big[\frac{1}{n}\sum_{i}\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|\leq\hat{C}E)\Delta_{i}^{*}\Big]",
    "mean over clients of Delta_i*, counted where the update is not clipped",
    F,
    Over.UNIFORM_ROUND,
    free_bound=Delta_star_mean,
)
