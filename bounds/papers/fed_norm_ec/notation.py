"""The notation table of the Fed-alpha-NormEC paper (section 2 of its transcription)."""

from functools import partial

from sympy import sqrt

from bounds.language.dimension import ONE, F, X
from bounds.language.part import FREE, at_start, constant, lower_constant, setting
from bounds.language.quantity import (
    NATURAL,
    NON_NEGATIVE,
    OPEN_UNIT,
    POSITIVE,
    POSITIVE_INTEGER,
    PROBABILITY,
    REAL,
    Domain,
    Notation,
    Over,
    States,
)

NOTATION = Notation()
_q = NOTATION.quantity
_of_objects = partial(NOTATION.observable, over=Over.ONE_STEP)

d = _q("d", r"d", "model dimension", POSITIVE_INTEGER, part=constant("dimension"))
M = _q("M", r"M", "number of clients", POSITIVE_INTEGER, part=lower_constant("clients"))
K = _q("K", r"K", "last round index; K+1 rounds are run", NATURAL, part=setting("rounds", more=1))
T = _q("T", r"T", "local gradient steps per round", POSITIVE_INTEGER, part=setting("local_steps"))
L = _q(
    "L",
    r"L",
    "smoothness constant of every client objective",
    POSITIVE,
    F / X**2,
    part=constant("largest_component_smoothness", or_else="smoothness"),
)
f0_gap = _q(
    "f0_gap",
    r"f(x^{0})-f^{\inf}",
    "initial gap to the lower bound of f",
    NON_NEGATIVE,
    F,
    part=at_start("gap"),
)
Delta_inf = _q(
    "Delta_inf",
    r"\Delta^{\inf}",
    "heterogeneity: f^inf minus the mean of the f_i^inf",
    NON_NEGATIVE,
    F,
    part=constant("infimum_gap", within=True),
)
gamma = _q("gamma", r"\gamma", "local (client) step size", POSITIVE, X**2 / F, part=setting("local_step"))
eta = _q(
    "eta",
    r"\eta",
    "server step size: the length of a normalized step",
    POSITIVE,
    X,
    part=setting("server_step"),
)
beta = _q("beta", r"\beta", "error-feedback step size", POSITIVE, F / X, part=setting("memory_step"))
alpha = _q(
    "alpha", r"\alpha", "smoothing parameter of the normalization", POSITIVE, F / X, part=setting("smoothing")
)
p = _q("p", r"p", "client sampling probability", PROBABILITY, part=setting("participation.independent"))
sigma_DP = _q(
    "sigma_DP",
    r"\sigma_{\rm DP}",
    "noise level: root of E||z||^2, total; per coordinate in the amended Corollaries 1, 3 and 6",
    NON_NEGATIVE,
    part=setting("noise_scale"),
)
B = _q("B", r"B", "variance proxy of sampling plus noise", NON_NEGATIVE)
# of memories that start at zero
R = _q("R", r"R", "initial memory error", NON_NEGATIVE, F / X, part=at_start("largest_client_gradient_norm"))

epsilon = _q("epsilon", r"\epsilon", "privacy parameter", POSITIVE)
delta = _q("delta", r"\delta", "privacy parameter", OPEN_UNIT)
c = _q("c", r"c", "constant of the noise rule", POSITIVE)
B_hat = _q(
    "B_hat",
    r"\hat{B}",
    "clients sampled per round",
    Domain(lower=1),
    part=setting("clients_per_round"),
)
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

normalized_length = _of_objects(
    "normalized_length", r"\|\operatorname{Norm}_{\alpha}(v)\|", "length of a smoothly normalized vector", ONE
)

c_O_sampling = NOTATION.order_constant(
    "c_O_sampling", r"c", "constant of the O(1/sqrt(K+1)) of sampling", "everything but K", F / X, ("K",)
)
c_O_step = NOTATION.order_constant(
    "c_O_step", r"c", "constant of the O(1/(K+1)) of the step", "everything but K", F / X, ("K",)
)
Delta_proof = _q("Delta_proof", r"\Delta", "prefactor in the proof of Corollary 1", POSITIVE, F / X)

# The discussion's claims
c_rate = NOTATION.order_constant(
    "c_rate", r"c", "constant of the O(1/sqrt(K+1))", "everything but K", F / X, ("K",)
)
c_rate_R = NOTATION.order_constant(
    "c_rate_R", r"c", "constant of R = O(1/sqrt(K+1))", "everything but K", F / X, ("K",)
)
c_rate_eta = NOTATION.order_constant(
    "c_rate_eta", r"c", "constant of eta = O(1/sqrt(K+1))", "everything but K", X, ("K",)
)
D_init = _q("D_init", r"D", "numerator of the example's memory error", Domain(lower=0, assumed=True), F / X)
drift_term = _q("drift_term", r"\text{drift}", "error term of several local steps", NON_NEGATIVE, F / X)
ig_term = _q("ig_term", r"\text{IG}", "error term of incremental-gradient steps", NON_NEGATIVE, F / X)

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
next_gap = _of_objects("next_gap", r"f(x^{k+1})-f^{\inf}", "gap after the step", F)

min_gradient_norm = NOTATION.observable(
    "min_gradient_norm",
    r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]",
    "smallest, over the rounds 0..K, of the expected gradient norm",
    F / X,
    Over.MINIMUM_OF_MEANS,
    # ||grad f(x^0)||^2 <= 2 L (f(x^0) - f^inf): known before any round is run.
    free_bound=sqrt(2 * L * f0_gap),
    measured="gradient_norm",
    states=States.BEFORE_A_ROUND,
)

# Theorem 2 and the corollaries
Delta_i_inf_mean = _q(
    "Delta_i_inf_mean",
    r"\frac{1}{M}\sum_{i=1}^{M}\Delta^{\inf}_{i}",
    "mean over the clients of f^inf minus the mean of the f_ij^inf",
    POSITIVE,
    F,
    part=constant("component_infimum_gaps", mean=True),
)
f_inf = _q("f_inf", r"f^{\inf}", "infimum of the mean objective", REAL, F)
f_i_inf_mean = _q(
    "f_i_inf_mean", r"\frac{1}{M}\sum_{i=1}^{M}f_{i}^{\inf}", "mean of the clients' infima", REAL, F
)
f_ij_inf_mean_i = _q(
    "f_ij_inf_mean_i",
    r"\frac{1}{N}\sum_{j=1}^{N}f_{i,j}^{\inf}",
    "mean of the infima of one client's data points",
    REAL,
    F,
)
f_ij_inf_mean = _q(
    "f_ij_inf_mean",
    r"\frac{1}{M}\sum_{i=1}^{M}\frac{1}{N}\sum_{j=1}^{N}f_{i,j}^{\inf}",
    "mean of the infima of all data points",
    REAL,
    F,
)
Delta_i_inf = _q(
    "Delta_i_inf",
    r"\Delta_{i}^{\inf}",
    "heterogeneity inside a client: f^inf minus the mean of its f_ij^inf",
    REAL,
    F,
)
eta_hat = _q("eta_hat", r"\hat{\eta}", "numerator of eta in the rate corollaries", POSITIVE, X)
D_1 = _q("D_1", r"D_{1}", "numerator of R in the rate corollaries", POSITIVE, F / X)
D_2 = _q("D_2", r"D_{2}", "numerator of beta in the rate corollaries", POSITIVE, F / X, part=FREE)

# Lemmas

# Lemma 1: C is any bound on the memory error of a client; rho belongs to its local operator.
C = _q("C", r"C", "bound on the memory error of a client", POSITIVE, F / X)
rho = _q("rho", r"\rho", "Lipschitz constant of the local operator", POSITIVE)
memory_error = _q(
    "memory_error",
    r"\left\|\frac{x^{k}-\mathcal{T}_{i}(x^{k})}{\gamma}-v_{i}^{k}\right\|",
    "memory error of a client before the round",
    NON_NEGATIVE,
    F / X,
)
server_move = _q(
    "server_move",
    r"\left\|x^{k+1}-x^{k}\right\|",
    "distance that the server moves in a round",
    NON_NEGATIVE,
    X,
)
operator_move = _q(
    "operator_move",
    r"\left\|\mathcal{T}_{i}(x^{k+1})-\mathcal{T}_{i}(x^{k})\right\|",
    "distance between the local results of a client from x^k and from x^{k+1}",
    NON_NEGATIVE,
    X,
)
next_memory_error = _of_objects(
    "next_memory_error",
    r"\max\left(\left\|\frac{x^{k+1}-\mathcal{T}_{i}(x^{k+1})}{\gamma}-v_{i}^{k+1}\right\|,"
    r"\left\|\frac{x^{k}-\mathcal{T}_{i}(x^{k})}{\gamma}-v_{i}^{k+1}\right\|\right)",
    "memory error of a client after the round, the larger of that at x^{k+1} and that at x^k",
    F / X,
)

# Lemmas 2 and 3: a walk in the space of gradients, with increments beta times a pure number.
sigma = _q("sigma", r"\sigma", "root of the bound on E||z_i^k||^2 (total)", NON_NEGATIVE)
increment_second_moment = _q(
    "increment_second_moment",
    r"{\rm E}\left[\left\|z_{i}^{k}\right\|^{2}\right]",
    "second moment of an increment",
    NON_NEGATIVE,
)
initial_walk_norm = _q(
    "initial_walk_norm",
    r"{\rm E}\left[\left\|e^{0}\right\|\right]",
    "expected norm of the walk at its start",
    NON_NEGATIVE,
    F / X,
)
walk_norm = NOTATION.observable(
    "walk_norm",
    r"{\rm E}\left[\left\|e^{k+1}\right\|\right]",
    "expected norm of the walk after k+1 increments",
    F / X,
    Over.FIXED_STEP,
)
memory_gap = NOTATION.observable(
    "memory_gap",
    r"{\rm E}\left[\left\|\frac{1}{M}\sum_{i=1}^{M}v_{i}^{k+1}-\hat{v}^{k+1}\right\|\right]",
    "expected distance of the server's memory from the mean of the clients' memories",
    F / X,
    Over.FIXED_STEP,
    measured="server_memory_error",
)

# Lemma 5: sequences of numbers, with the units that they have in the theorems.
gamma_sequence = _q("gamma_sequence", r"\gamma", "step size of the sequences of Lemma 5", POSITIVE, X)
b_1 = _q("b_1", r"b_{1}", "growth per squared step", Domain(lower=0, assumed=True), X**-2)
b_2 = _q("b_2", r"b_{2}", "descent per step", Domain(lower=0, lower_included=False, assumed=True))
b_3 = _q("b_3", r"b_{3}", "error per step", Domain(lower=0, assumed=True), F / X)
V_0 = _q("V_0", r"V^{0}", "start of the sequence V", NON_NEGATIVE, F)
V_k = _q("V_k", r"V^{k}", "sequence V before a step", NON_NEGATIVE, F)
V_next = _q("V_next", r"V^{k+1}", "sequence V after the step", NON_NEGATIVE, F)
W_k = _q("W_k", r"W^{k}", "sequence W at the step", NON_NEGATIVE, F / X)
min_W = NOTATION.observable(
    "min_W",
    r"\underset{k\in[0,K]}{\min}W^{k}",
    "smallest of W^0, ..., W^K; in the theorems W^k is a mean",
    F / X,
    Over.MINIMUM_OF_MEANS,
)

# Lemmas 6 and 8
gap_x = _q("gap_x", r"f(x)-f^{\inf}", "gap at a point", NON_NEGATIVE, F)
mean_client_gradient_norm = _of_objects(
    "mean_client_gradient_norm",
    r"\frac{1}{M}\sum_{i=1}^{M}\left\|\nabla f_{i}(x)\right\|",
    "gradient norm of the clients at a point, averaged over them",
    F / X,
)

# Lemma 7: one round of local gradient-descent steps.
client_gradient_norm = _q(
    "client_gradient_norm",
    r"\left\|\nabla f_{i}(x^{k})\right\|",
    "gradient norm of a client at the start of the round",
    NON_NEGATIVE,
    F / X,
)
local_path_move = _of_objects(
    "local_path_move",
    r"\frac{1}{T}\sum_{j=0}^{T-1}\left\|x_{i}^{k+1,j}-x_{i}^{k,j}\right\|",
    "distance between local iterates of successive rounds, averaged over the local steps",
    X,
)
local_drift = _of_objects(
    "local_drift",
    r"\frac{1}{T}\sum_{j=0}^{T-1}\left\|x^{k}-x_{i}^{k,j}\right\|",
    "distance of the local iterates from the start of the round, averaged over the local steps",
    X,
)
local_result_move = _of_objects(
    "local_result_move",
    r"\left\|\mathcal{T}_{i}(x^{k+1})-\mathcal{T}_{i}(x^{k})\right\|",
    "distance between the local results of successive rounds",
    X,
)
operator_error = _of_objects(
    "operator_error",
    r"\left\|(x^{k}-\gamma\nabla f_{i}(x^{k}))-\mathcal{T}_{i}(x^{k})\right\|",
    "distance of the local result from one gradient step of length gamma",
    X,
)

unrolling_error = _of_objects(
    "unrolling_error",
    r"\max_{l}\left\|x_{i}^{k,l}-\left(x^{k}-\gamma\ldots\right)\right\|",
    "largest distance, over the local steps, of an iterate from x^k minus the steps taken",
    X,
)

# Lemmas 8 and 9: one round of local incremental-gradient steps.
mean_ig_drift = _of_objects(
    "mean_ig_drift",
    r"\frac{1}{M}\sum^{M}_{i=1}\frac{1}{N}\sum^{N-1}_{j=0}\left\|x^{k,j}_{i}-x^{k}\right\|",
    "distance of the local iterates from the start of the round, averaged over steps and clients",
    X,
)
# The same number where Lemma 9 has it on its right-hand side.
ig_drift = _q(
    "ig_drift",
    r"\frac{1}{M}\sum^{M}_{i=1}\frac{1}{N}\sum^{N-1}_{j=0}\left\|x^{k,j}_{i}-x^{k}\right\|",
    "distance of the local iterates from the start of the round, averaged over steps and clients",
    NON_NEGATIVE,
    X,
)
ig_path_move = _of_objects(
    "ig_path_move",
    r"\frac{1}{N}\sum_{j=0}^{N-1}\left\|x_{i}^{k+1,j}-x_{i}^{k,j}\right\|",
    "distance between local iterates of successive rounds, averaged over the local pass",
    X,
)
mean_ig_operator_error = _of_objects(
    "mean_ig_operator_error",
    r"\frac{1}{M}\sum^{M}_{i=1}\left\|\mathcal{T}_{i}(x^{k})"
    r"-\left(x^{k}-\gamma\nabla f_{i}(x^{k})\right)\right\|",
    "distance of the local results from one gradient step of length gamma, averaged over the clients",
    X,
)
