"""The notation table of the DP-FedAvg / DP-NormFedAvg paper (section 2 of its transcription).

One file in spite of its length: a paper has one table, which alone makes its symbols.
"""

from functools import partial

from sympy import Integer

from bounds.language.dimension import ONE, F, X
from bounds.language.part import FREE, ROUNDS, at_start, constant, lower_constant, setting
from bounds.language.quantity import (
    AT_LEAST_ONE,
    NON_NEGATIVE,
    OPEN_UNIT,
    POSITIVE,
    POSITIVE_INTEGER,
    REAL,
    Domain,
    Notation,
    Over,
    States,
)
from bounds.language.vanishing import Equal, Together

NOTATION = Notation()
_q = NOTATION.quantity
_of_objects = partial(NOTATION.observable, over=Over.ONE_STEP)

n = _q(
    "n",
    r"n",
    "number of clients; Definition 5 says samples",
    POSITIVE_INTEGER,
    part=lower_constant("clients"),
)
d = _q("d", r"d", "parameter dimension", POSITIVE_INTEGER, part=constant("dimension"))
K = _q("K", r"K", "communication rounds", POSITIVE_INTEGER, part=ROUNDS)
E = _q("E", r"E", "local updates per round", POSITIVE_INTEGER, part=setting("local_steps"))
L = _q(
    "L",
    r"L",
    "smoothness constant of every client objective",
    POSITIVE,
    F / X**2,
    part=constant("smoothness"),
)
G = _q(
    "G", r"G", "Lipschitz constant of every client objective", NON_NEGATIVE, F / X, part=constant("lipschitz")
)
lam = _q("lam", r"\lambda", "constant of Assumption 1 (i)", POSITIVE, F / X**2)
D0 = _q(
    "D0",
    r"\|\bm{w}_{0}-\bm{w}^{*}\|",
    "initial distance to the minimizer",
    NON_NEGATIVE,
    X,
    part=at_start("distance"),
)
# In no bound of the paper: with it one knows what w_0 is worth before any round.
f0_gap = _q("f0_gap", r"f(\bm{w}_{0})-f(\bm{w}^{*})", "initial gap", NON_NEGATIVE, F, part=at_start("gap"))
eta = _q(
    "eta",
    r"\eta",
    "learning rate, local and global",
    POSITIVE,
    X**2 / F,
    part=setting("local_step"),
)
C = _q("C", r"C", "clipping threshold", POSITIVE, F / X)
C_hat = _q("C_hat", r"\hat{C}", "clipping threshold per local step, C/E", POSITIVE, F / X, part=FREE)
rho = _q("rho", r"\rho", "key quantity: the cost of privacy", OPEN_UNIT)
q = _q("q", r"q", "absolute constant of Theorem 1", POSITIVE)
epsilon = _q("epsilon", r"\varepsilon", "privacy parameter", POSITIVE)
delta = _q("delta", r"\delta", "privacy parameter", OPEN_UNIT)
alpha = _q("alpha", r"\alpha", "free constant scaling K", AT_LEAST_ONE, part=FREE)
gamma = _q("gamma", r"\gamma", "free constant scaling K and eta", POSITIVE, F / X, part=FREE)
Delta_star_max = _q(
    "Delta_star_max",
    r"\max_{j\in[n]}\Delta_{j}^{*}",
    "largest heterogeneity gap f_j(w*) - min f_j",
    NON_NEGATIVE,
    F,
    part=constant("largest_client_gap_at_minimiser"),
)
Delta_star_mean = _q(
    "Delta_star_mean",
    r"\frac{1}{n}\sum_{i=1}^{n}\Delta_{i}^{*}",
    "mean heterogeneity gap",
    NON_NEGATIVE,
    F,
    part=constant("infimum_gap", only_with="largest_client_gap_at_minimiser"),
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
    measured="unclipped_client_gap",
)
clipped_update_norm = NOTATION.observable(
    "clipped_update_norm",
    r"\mathbb{E}\Big[\frac{1}{n}\sum_{i}\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|>\hat{C}E)"
    r"\|\bm{u}_{\tilde{k}}^{(i)}\|\Big]",
    "mean over clients of the update norm, counted where the update is clipped",
    F / X,
    Over.UNIFORM_ROUND,
    measured="clipped_update_norm",
)
unclipped_delta = NOTATION.observable(
    "unclipped_delta",
    r"\mathbb{E}\Big[\frac{1}{n}\sum_{i}\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|\leq\hat{C}E)\Delta_{i}^{*}\Big]",
    "mean over clients of Delta_i*, counted where the update is not clipped",
    F,
    Over.UNIFORM_ROUND,
    free_bound=Delta_star_mean,
    measured="unclipped_client_heterogeneity",
)

# Theorems 1, 3, 5, Proposition 1

r = _q(
    "r",
    r"r",
    "clients accessed per round, in expectation",
    Domain(lower=1),
    part=setting("clients_per_round"),
)
sigma = _q("sigma", r"\sigma", "noise level per coordinate of the averaged update", POSITIVE, F / X)
c_epsilon = NOTATION.order_constant(
    "c_epsilon",
    r"c_{\varepsilon}",
    "constant of the O(.) in the range of epsilon",
    "nothing but numbers is printed",
)

# Definitions
client_value_at_minimizer = _q(
    "client_value_at_minimizer", r"f_{i}(\bm{w}^{*})", "client objective at the minimizer of f", REAL, F
)
client_minimum = _q(
    "client_minimum",
    r"\min_{\bm{w}^{\prime}\in\mathbb{R}^{d}}f_{i}(\bm{w}^{\prime})",
    "minimum of a client objective",
    REAL,
    F,
)
Delta_2 = _q("Delta_2", r"\Delta_{2}", "sensitivity of the query", NON_NEGATIVE, F / X)
mechanism_variance = _q(
    "mechanism_variance",
    r"\frac{2\log(1.25/\delta)\Delta_{2}^{2}}{\varepsilon^{2}}",
    "variance per coordinate of the Gaussian mechanism",
    NON_NEGATIVE,
    F**2 / X**2,
)
smallest_delta = _of_objects(
    "smallest_delta",
    r"\sup_{\mathcal{R}}\big(\mathbb{P}(\mathcal{M}(h(\mathcal{D}))\in\mathcal{R})"
    r"-e^{\varepsilon}\mathbb{P}(\mathcal{M}(h(\mathcal{D}^{\prime}))\in\mathcal{R})\big)",
    "smallest delta with which the mechanism meets eq. (2) at this epsilon",
    ONE,
)
g_value = _q("g_value", r"g(\bm{\theta})", "value of a function", REAL, F)
g_slope = _q(
    "g_slope",
    r"\langle\nabla g(\bm{\theta}),\bm{\theta}^{\prime}-\bm{\theta}\rangle",
    "gradient along the way to another point",
    REAL,
    F,
)
theta_distance = _q(
    "theta_distance",
    r"\|\bm{\theta}^{\prime}-\bm{\theta}\|_{2}",
    "distance of two points",
    NON_NEGATIVE,
    X,
)
g_value_there = _of_objects(
    "g_value_there", r"g(\bm{\theta}^{\prime})", "value of the function at the other point", F
)
# Both printed as c: here the second argument of clip and norm.
norm_length = _q("norm_length", r"c", "length asked of the normalization", POSITIVE, F / X)
normalized_length = _of_objects(
    "normalized_length", r"\|\text{norm}(\bm{z},c)\|", "length of a normalized vector", F / X
)

# Theorem 3 and the Lipschitz case
c_gamma = NOTATION.order_constant(
    "c_gamma",
    r"c_{\gamma}",
    "constant of the O(.) in gamma = O(L ||w_0 - w*||)",
    "nothing but numbers is printed",
)
c_alpha = NOTATION.order_constant(
    "c_alpha", r"c_{\alpha}", "constant of the O(1) in alpha = O(1)", "nothing but numbers is printed"
)
c_O = NOTATION.order_constant(
    "c_O", r"c_{\mathcal{O}}", "constant of the O(.) on the right of eq. (7)", "only numbers are printed"
)
c_BST14 = NOTATION.order_constant(
    "c_BST14",
    r"c_{\text{BST14}}",
    "constant of the O(rho) gap in the centralized case",
    "the problem: the Lipschitz constant times the size of the domain has its unit",
    F,
    independent_of=("rho",),
)
least_of_gap_and_gradient = NOTATION.observable(
    "least_of_gap_and_gradient",
    r"\mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}\min\Bigg(f_{i}(\bm{w}_{\tilde{k}})-f_{i}(\bm{w}^{*}),"
    r"\mathcal{O}\Big(\frac{\hat{C}}{L}\|\nabla f_{i}(\bm{w}_{\tilde{k}})\|\Big)\Bigg)\Bigg]",
    "mean over clients of the smaller of f_i(w) - f_i(w*) and a constant times (C_hat/L) ||grad f_i(w)||",
    F,
    Over.UNIFORM_ROUND,
    # f_i(w) - f_i(w*) >= -Delta_i*, and the other member is not negative.
    lowest=-Delta_star_mean,
    measured="least_of_gap_and_gradient",
)
gap = NOTATION.observable(
    "gap",
    r"\mathbb{E}[f(\bm{w}_{\tilde{k}})]-f(\bm{w}^{*})",
    "mean gap at a uniformly random round",
    F,
    Over.UNIFORM_ROUND,
    measured="gap",
    states=States.BEFORE_A_ROUND,
)

# Proposition 1 and consequence (c)
update_norm = _of_objects(
    "update_norm",
    r"\|\bm{u}_{k}^{(i)}\|",
    "norm of a client's update, for every client, every round and every realisation",
    F / X,
)
# Assumption 1 at the points of one client in one round, which is all that the proof uses.
start_gradient = _q(
    "start_gradient",
    r"\|\nabla f_{i}(\bm{w}_{k})\|",
    "length of a client's gradient at the start of a round",
    NON_NEGATIVE,
    F / X,
)
least_turn = _q(
    "least_turn",
    r"\min_{\tau<E}\frac{\|\nabla f_{i}(\bm{w}_{k,\tau+1}^{(i)})-\nabla f_{i}(\bm{w}_{k,\tau}^{(i)})\|}"
    r"{\eta\|\nabla f_{i}(\bm{w}_{k,\tau}^{(i)})\|}",
    "least change of a client's gradient in a local step of a round, over the length of that step",
    NON_NEGATIVE,
    F / X**2,
)
E_1 = _q("E_1", r"E_{1}", "the smaller of two numbers of local steps", POSITIVE_INTEGER)
E_2 = _q("E_2", r"E_{2}", "the larger of two numbers of local steps", POSITIVE_INTEGER)
update_per_step_E_1 = _q(
    "update_per_step_E_1",
    r"\frac{\|\bm{u}_{\tilde{k}}^{(i)}\|}{E_{1}}",
    "norm of a client's update over E_1 local steps, per step",
    NON_NEGATIVE,
    F / X,
)
update_per_step_E_2 = _of_objects(
    "update_per_step_E_2",
    r"\frac{\|\bm{u}_{\tilde{k}}^{(i)}\|}{E_{2}}",
    "norm of the same client's update over E_2 local steps from the same point, per step",
    F / X,
)

# Claims in prose
larger_C = _q("larger_C", r"C^{\prime}", "a larger clipping threshold", POSITIVE, F / X)
bias = _q(
    "bias",
    r"\Big\|\frac{1}{n}\sum_{i}\big(\bm{u}_{k}^{(i)}-\text{clip}(\bm{u}_{k}^{(i)},C)\big)\Big\|",
    "distance of the average of the clipped updates from the average of the updates",
    NON_NEGATIVE,
    F / X,
)
bias_at_larger_C = _of_objects(
    "bias_at_larger_C",
    r"\Big\|\frac{1}{n}\sum_{i}\big(\bm{u}_{k}^{(i)}-\text{clip}(\bm{u}_{k}^{(i)},C^{\prime})\big)\Big\|",
    "the same distance at the larger threshold",
    F / X,
)
SNR_normalization = _q(
    "SNR_normalization",
    r"\text{SNR}",
    "signal-to-noise ratio of a round with the updates normalized",
    NON_NEGATIVE,
)
SNR_clipping = _of_objects(
    "SNR_clipping",
    r"\text{SNR}",
    "signal-to-noise ratio of the same round, updates and noise with the updates clipped",
    ONE,
)

# Normalization, comparison, lemmas and facts

_READINGS = (
    "in mean: the expectation over the run and the random round, which nothing known beforehand bounds; "
    "realised: along the path that was run, a diagnostic and never a verdict"
)
_NEAR_ZERO = (
    "as 1/||u|| after Gaussian noise: on quadratics a mean where the Hessian of the client has rank 2 or "
    "more, a variance where it has rank 3 or more"
)

# Theorems 4 and 6: normalization weighs an unclipped client by the gain C_hat E/||u||.
unclipped_scaled_delta = NOTATION.run_quantity(
    "unclipped_scaled_delta",
    r"\mathbb{E}\Big[\frac{1}{n}\sum_{i}\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|\leq\hat{C}E)"
    r"\frac{\hat{C}E}{\|\bm{u}_{\tilde{k}}^{(i)}\|}\Delta_{i}^{*}\Big]",
    "mean over clients of Delta_i* times the gain of normalization, counted where ||u|| <= C_hat E",
    NON_NEGATIVE,
    F,
    _READINGS,
    measured="unclipped_scaled_client_heterogeneity",
)
# Every measure of how far the clients' minima lie apart; a statement is asked those that it has.
NO_HETEROGENEITY = Together(
    (Equal(Delta_star_mean, 0), Equal(Delta_star_max, 0), Equal(unclipped_scaled_delta, 0)),
    "every Delta_i* = 0",
)
unclipped_scaled_gap = NOTATION.observable(
    "unclipped_scaled_gap",
    r"\mathbb{E}\Big[\frac{1}{n}\sum_{i}\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|\leq\hat{C}E)"
    r"\frac{\hat{C}E}{\|\bm{u}_{\tilde{k}}^{(i)}\|}(f_{i}(\bm{w}_{\tilde{k}})-f_{i}(\bm{w}^{*}))\Big]",
    "mean over clients of f_i(w) - f_i(w*) times the gain of normalization, counted where ||u|| <= C_hat E",
    F,
    Over.UNIFORM_ROUND,
    # f_i(w) - f_i(w*) >= -Delta_i*, and the gain is not bounded.
    lowest=-unclipped_scaled_delta,
    moments=_NEAR_ZERO,
    measured="unclipped_scaled_client_gap",
)
unclipped_share = NOTATION.observable(
    "unclipped_share",
    r"\mathbb{E}\Big[\frac{1}{n}\sum_{i}\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|\leq\hat{C}E)\Big]",
    "share of the clients with ||u|| <= C_hat E",
    ONE,
    Over.UNIFORM_ROUND,
    free_bound=Integer(1),
    measured="unclipped_share",
)
B_2 = NOTATION.observable(
    "B_2",
    r"\textup{B}_{2}",
    "effect of heterogeneity on normalization, eq. (16)",
    F,
    Over.UNIFORM_ROUND,
    moments=_NEAR_ZERO,
)
c = _q("c", r"c", "threshold per local step over the root of L times the largest gap", POSITIVE)

# The left-hand side of eq. (16) where it bounds that of eq. (15): the observables above as numbers.
scaled_gap = NOTATION.run_quantity(
    "scaled_gap",
    r"\mathbb{E}\Big[\frac{1}{n}\sum_{i}\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|\leq\hat{C}E)"
    r"\frac{\hat{C}E}{\|\bm{u}_{\tilde{k}}^{(i)}\|}(f_{i}(\bm{w}_{\tilde{k}})-f_{i}(\bm{w}^{*}))\Big]",
    "mean over clients of f_i(w) - f_i(w*) times the gain of normalization, counted where ||u|| <= C_hat E",
    REAL,
    F,
    _READINGS,
)
clipped_norm = NOTATION.run_quantity(
    "clipped_norm",
    r"\mathbb{E}\Big[\frac{1}{n}\sum_{i}\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|>\hat{C}E)"
    r"\|\bm{u}_{\tilde{k}}^{(i)}\|\Big]",
    "mean over clients of the update norm, counted where it is above C_hat E",
    NON_NEGATIVE,
    F / X,
    _READINGS,
)
least_unclipped_gap = NOTATION.run_quantity(
    "least_unclipped_gap",
    r"\min_{i:\,\|\bm{u}_{\tilde{k}}^{(i)}\|\leq\hat{C}E}\big(f_{i}(\bm{w}_{\tilde{k}})-f_{i}(\bm{w}^{*})\big)",
    "smallest f_i(w) - f_i(w*) among the clients with ||u|| <= C_hat E",
    REAL,
    F,
    _READINGS,
)
clipping_coefficient = _of_objects(
    "clipping_coefficient",
    r"2-\frac{\rho E}{\alpha}-\frac{\rho^{2}E^{2}}{\alpha^{2}}",
    "what multiplies the gap of an unclipped client on the left of eq. (15)",
    ONE,
    lowest=2 - rho * E / alpha - rho**2 * E**2 / alpha**2,
)
z = _q("z", r"{z}_{k}^{(i)}", "gain of normalization: C_hat E/||u||", POSITIVE)
client_update_norm = _q(
    "client_update_norm",
    r"\|\bm{u}_{k}^{(i)}\|",
    "norm of a client's update, which eq. (12) divides by",
    POSITIVE,
    F / X,
)
C_low = _q("C_low", r"{C}_{\text{low}}", "lower bound on the client update norms", POSITIVE, F / X)
clipped_update_length = _of_objects(
    "clipped_update_length",
    r"\|\text{clip}(\bm{u}_{k}^{(i)},C)\|",
    "length of a client's clipped update",
    F / X,
)
SNR = _q("SNR", r"\text{SNR}", "signal-to-noise ratio of a round", NON_NEGATIVE)
signal_norm = _q(
    "signal_norm",
    r"\big\|\frac{1}{r}\sum_{i\in\mathcal{S}_{k}}\bm{g}^{(i)}_{k}\big\|",
    "norm of the averaged bounded updates",
    NON_NEGATIVE,
    F / X,
)
noise_norm = _q(
    "noise_norm",
    r"\big\|\frac{1}{r}\sum_{i\in\mathcal{S}_{k}}\bm{\zeta}^{(i)}_{k}\big\|",
    "norm of the averaged noise",
    POSITIVE,
    F / X,
)

# Lemmas 1 to 4: the local steps of one client in one round.
tau = _q("tau", r"\tau", "local steps taken so far", POSITIVE_INTEGER)
round_distance = _q(
    "round_distance",
    r"\|\bm{w}_{k}-\bm{w}^{*}\|",
    "distance to w* at the start of the round",
    NON_NEGATIVE,
    X,
)
Delta_i_star = _q("Delta_i_star", r"\Delta_{i}^{*}", "heterogeneity gap of the client", NON_NEGATIVE, F)
local_gradients_squared = _q(
    "local_gradients_squared",
    r"\sum_{\tau=0}^{E-1}\|\nabla f_{i}(\bm{w}_{k,\tau}^{(i)})\|^{2}",
    "sum of the squared gradient norms along the local steps",
    NON_NEGATIVE,
    F**2 / X**2,
)
local_distance_squared = _of_objects(
    "local_distance_squared",
    r"\|\bm{w}_{k,E}^{(i)}-\bm{w}^{*}\|^{2}",
    "squared distance to w* after the local steps",
    X**2,
)
client_gap = _q(
    "client_gap",
    r"f_{i}(\bm{w}_{k})-f_{i}^{*}",
    "gap of the client to its own minimum at the start of the round",
    NON_NEGATIVE,
    F,
)
local_move_squared = _of_objects(
    "local_move_squared",
    r"\|\bm{w}_{k}-\bm{w}^{(i)}_{k,\tau}\|^{2}",
    "squared distance from the start of the round after tau local steps",
    X**2,
)
update_norm_squared = _of_objects(
    "update_norm_squared",
    r"\big\|\bm{u}_{k}^{(i)}\big\|^{2}",
    "squared norm of the client's update",
    F**2 / X**2,
)
step_gradient_norm = _q(
    "step_gradient_norm",
    r"\|\nabla f_{i}(\bm{w}_{k,\tau}^{(i)})\|",
    "gradient norm before a local step",
    NON_NEGATIVE,
    F / X,
)
step_gradient_move = _q(
    "step_gradient_move",
    r"\|\nabla f_{i}(\bm{w}_{k,\tau+1}^{(i)})-\nabla f_{i}(\bm{w}_{k,\tau}^{(i)})\|",
    "distance that the gradient moves in a local step",
    NON_NEGATIVE,
    F / X,
)
next_gradient_norm_squared = _of_objects(
    "next_gradient_norm_squared",
    r"\|\nabla f_{i}(\bm{w}_{k,\tau+1}^{(i)})\|^{2}",
    "squared gradient norm after a local step",
    F**2 / X**2,
)
round_gradient_norm = _q(
    "round_gradient_norm",
    r"\|\nabla f_{i}(\bm{w}_{k})\|",
    "gradient norm of the client at the start of the round",
    NON_NEGATIVE,
    F / X,
)
round_gradient_squared = _of_objects(
    "round_gradient_squared",
    r"\|\nabla f_{i}(\bm{w}_{k})\|^{2}",
    "squared gradient norm of the client at the start of the round",
    F**2 / X**2,
)
local_move = _of_objects(
    "local_move",
    r"\|\bm{w}_{k}-\bm{w}^{(i)}_{k,\tau}\|",
    "distance from the start of the round after tau local steps",
    X,
)

# Facts 1 to 3: any smooth function, any vectors (here gradients), any small number.
h_gap = _q("h_gap", r"h(\bm{x})-h^{*}", "gap of h at a point", NON_NEGATIVE, F)
h_gradient_squared = _of_objects(
    "h_gradient_squared", r"\|\nabla h(\bm{x})\|^{2}", "squared gradient norm of h at a point", F**2 / X**2
)
p_vectors = _q("p_vectors", r"p", "number of vectors", POSITIVE_INTEGER)
vectors_squared = _q(
    "vectors_squared",
    r"\sum_{i=1}^{p}\|\bm{y}_{i}\|^{2}",
    "sum of the squared norms of the vectors",
    NON_NEGATIVE,
    F**2 / X**2,
)
vector_sum_squared = _of_objects(
    "vector_sum_squared",
    r"\|\sum_{i=1}^{p}\bm{y}_{i}\|^{2}",
    "squared norm of the sum of the vectors",
    F**2 / X**2,
)
x = _q("x", r"x", "number of Fact 3", OPEN_UNIT)
m_exponent = _q("m_exponent", r"m", "exponent of Fact 3", POSITIVE_INTEGER)
geometric_sum = _of_objects(
    "geometric_sum", r"\frac{1-(1-x)^{m}}{x}", "sum of the first m powers of 1 - x", ONE
)
