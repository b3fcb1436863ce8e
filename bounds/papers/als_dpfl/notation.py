"""The notation table of the ALS-DPFL paper (section 2 of its transcription).

One file in spite of its length: a paper has one table, which alone makes its symbols.
"""

from functools import partial

from bounds.language.dimension import ONE, F, X
from bounds.language.part import ROUNDS, STEPS, at_start, constant, lower_constant, setting
from bounds.language.quantity import (
    NATURAL,
    NON_NEGATIVE,
    OPEN_UNIT,
    POSITIVE,
    POSITIVE_INTEGER,
    REAL,
    Domain,
    Notation,
    Over,
)

NOTATION = Notation()
_q = NOTATION.quantity
_of_objects = partial(NOTATION.observable, over=Over.ONE_STEP)
_at_a_step = partial(NOTATION.observable, over=Over.FIXED_STEP)

d = _q("d", r"d", "dimension of the model", POSITIVE_INTEGER, part=constant("dimension"))
T = _q("T", r"T", "total number of local steps", POSITIVE_INTEGER, part=STEPS)
tau = _q(
    "tau", r"\tau", "local steps between two aggregations", POSITIVE_INTEGER, part=setting("local_steps")
)
x = _q("x", r"x", "local steps since the last aggregation, t-(k-1)tau", NATURAL, part=STEPS)
eta = _q("eta", r"\eta", "gradient-descent step size", POSITIVE, X**2 / F, part=setting("step"))
beta = _q("beta", r"\beta", "smoothness constant", POSITIVE, F / X**2, part=constant("smoothness"))
rho = _q("rho", r"\rho", "Lipschitz constant", POSITIVE, F / X, part=constant("lipschitz"))
xi = _q("xi", r"\xi", "mean gradient divergence", NON_NEGATIVE, F / X, part=constant("gradient_divergence"))
C = _q("C", r"C", "clipping bound", POSITIVE, F / X, part=setting("clip_threshold"))
B = _q("B", r"B", "batch size", POSITIVE_INTEGER, part=setting("batch_size"))
# Table 1 calls sigma a standard deviation, the listings a noise multiplier that C turns into one. The listing
# binds, so sigma is a number; where the proofs use sigma^2 d as a squared gradient, the audit says so.
sigma = _q("sigma", r"\sigma", "noise multiplier", NON_NEGATIVE, part=setting("noise_multiplier"))
f0_gap = _q(
    "f0_gap",
    r"F(\mathbf{w}_0) - F(\mathbf{w}^*)",
    "gap at the start",
    POSITIVE,
    F,
    part=at_start("gap"),
)
lam = _q("lam", r"\lambda", "lower bound on optimality gaps", POSITIVE, F)
h_x = _q("h_x", r"h(x)", "gap between the federated and the auxiliary sequence", NON_NEGATIVE, X)
h_tau = _q("h_tau", r"h(\tau)", "the gap h after tau local steps", NON_NEGATIVE, X)
phi = _q("phi", r"\varphi", "control parameter", REAL, X**-2)

READINGS = (
    "almost sure: the relation holds on every path; in mean: with exact moments in its place; "
    "realised: along the path that was run, a diagnostic and never a verdict"
)
# A quantity printed with an expectation, or a mean of an amended form, has one value for all paths.
_IN_MEAN = "in mean: exact moments, over the whole law of the run"
_of_a_run = partial(NOTATION.run_quantity, readings=READINGS)
_in_mean = partial(NOTATION.run_quantity, readings=_IN_MEAN)
omega = _of_a_run(
    "omega", r"\omega", "min over k of 1/||v_[k]((k-1)tau) - w*||, as printed in Theorem 2", POSITIVE, X**-1
)
omega_lemma_6 = _of_a_run(
    "omega_lemma_6",
    r"\omega",
    "min over k of 1/||v_[k]((k-1)tau) - w*||^2, as printed in Lemma 6",
    POSITIVE,
    X**-2,
)
auxiliary_gap = _of_a_run(
    "auxiliary_gap",
    r"F(\hat{\mathbf{v}}_{[k]}(k\tau)) - F(\mathbf{w}^*)",
    "smallest gap of the auxiliary sequence at the end of an interval",
    POSITIVE,
    F,
)
final_gap = _of_a_run(
    "final_gap", r"F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*)", "gap of the last model", NON_NEGATIVE, F
)
gradient_square = _in_mean(
    "gradient_square",
    r"\mathbb{E}(\|\nabla F(\hat{\mathbf{v}}_{[k]}(t))\|^2)",
    "smallest, over the run, of the mean squared gradient at the auxiliary sequence",
    NON_NEGATIVE,
    F**2 / X**2,
)

distance_to_auxiliary = _at_a_step(
    "distance_to_auxiliary",
    r"\mathbb{E} \|\hat{\mathbf{w}}(t) - \hat{\mathbf{v}}_{[k]}(t)\|",
    "distance of the averaged model from the auxiliary sequence, x steps after an aggregation",
    X,
    measured="distance_to_auxiliary",
)
value_difference = _at_a_step(
    "value_difference",
    r"\mathbb{E} \|F(\hat{\mathbf{w}}(t) - F(\hat{\mathbf{v}}_{[k]}(t)))\|",
    "distance of their values",
    F,
    measured="value_difference_to_auxiliary",
)
final_gap_mean = NOTATION.observable(
    "final_gap_mean",
    r"\mathbb{E}(F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*))",
    "gap of the last model",
    F,
    Over.LAST,
    measured="gap",
)

# The proof of Lemma 4 draws the auxiliary noise from (0, sigma^2) per coordinate: there sigma is a standard
# deviation with the unit of a gradient, and C does not enter.
sigma_v = _q(
    "sigma_v",
    r"\sigma",
    "standard deviation, per coordinate, of the auxiliary noise n_v^t in the proofs of Lemmas 4 and 6",
    NON_NEGATIVE,
    F / X,
)

# Privacy (section 3.2 of the paper): the query has the unit of a gradient, as where it is used.
epsilon = _q("epsilon", r"\epsilon", "privacy parameter", POSITIVE)
delta = _q("delta", r"\delta", "privacy parameter", OPEN_UNIT)
c = _q("c", r"c", "constant of the Gaussian mechanism", POSITIVE)
sensitivity = _q("sensitivity", r"\Delta s", "sensitivity of the query s", NON_NEGATIVE, F / X)
sigma_mechanism = _q(
    "sigma_mechanism", r"\sigma", "standard deviation of the Gaussian mechanism", NON_NEGATIVE, F / X
)
neighbour_probability = _q(
    "neighbour_probability",
    r"\Pr[\mathcal{M}(\mathcal{D}'_i) \in \mathcal{S}]",
    "probability of the output set on the neighboring database",
    Domain(lower=0, upper=1),
)
output_probability = _of_objects(
    "output_probability",
    r"\Pr[\mathcal{M}(\mathcal{D}_i) \in \mathcal{S}]",
    "probability of the output set",
    ONE,
)

# The problem: its mean loss at two points, and a client beside the mean.
xi_i = _q("xi_i", r"\xi_i", "gradient divergence of a client", NON_NEGATIVE, F / X)
client_divergence = _of_objects(
    "client_divergence",
    r"\|\nabla F_i(\mathbf{w}) - \nabla F(\mathbf{w})\|",
    "distance of a client's gradient from the mean gradient, at a point",
    F / X,
)
share = _q("share", r"s", "share of the first point in one between two", Domain(lower=0, upper=1))
point_distance = _q(
    "point_distance", r"\|\mathbf{w} - \mathbf{w}'\|", "distance of two points", NON_NEGATIVE, X
)
first_gap = _q(
    "first_gap", r"F(\mathbf{w}) - F(\mathbf{w}^*)", "gap at the first of two points", NON_NEGATIVE, F
)
second_gap = _q(
    "second_gap", r"F(\mathbf{w}') - F(\mathbf{w}^*)", "gap at the second of two points", NON_NEGATIVE, F
)
gap_between = _of_objects(
    "gap_between",
    r"F(s\mathbf{w} + (1-s)\mathbf{w}') - F(\mathbf{w}^*)",
    "gap at a point between two points",
    F,
)
loss_difference = _of_objects(
    "loss_difference", r"\|F(\mathbf{w}) - F(\mathbf{w}')\|", "distance of the mean losses at two points", F
)
gradient_difference = _of_objects(
    "gradient_difference",
    r"\|\nabla F(\mathbf{w}) - \nabla F(\mathbf{w}')\|",
    "distance of the gradients of the mean loss at two points",
    F / X,
)

# Lemmas 2 and 3.
noise_deviation = _of_objects(
    "noise_deviation",
    r"\mathbb{E} [\|\tilde{g}_i(t) - g_i(t)\|]",
    "distance of a client's clipped and noised gradient from its gradient",
    F / X,
)
g_i_x = _q("g_i_x", r"g_i(x)", "bound function of Lemma 3", NON_NEGATIVE, X)
client_distance = _at_a_step(
    "client_distance",
    r"\mathbb{E} \|\hat{\mathbf{w}}_i(t) - \hat{\mathbf{v}}_{[k]}(t)\|",
    "distance of a client's model from the auxiliary sequence, x steps after an aggregation",
    X,
    measured="client_distance_to_auxiliary",
)

# One step of the auxiliary sequence (Lemmas 4 to 6).
auxiliary_value = _q(
    "auxiliary_value", r"F(\hat{\mathbf{v}}_{[k]}(t))", "mean loss at the auxiliary sequence", REAL, F
)
lowest_value = _q("lowest_value", r"F(\mathbf{w}^*)", "smallest mean loss", REAL, F)
theta = _q(
    "theta",
    r"\theta_{[k]}(t)",
    "gap of the auxiliary sequence before the step",
    Domain(lower=0, assumed=True),
    F,
)
next_theta = _of_objects(
    "next_theta", r"\theta_{[k]}(t+1)", "gap of the auxiliary sequence after the step", F
)
noisy_gradient_norm = _q(
    "noisy_gradient_norm",
    r"\|\nabla F(\hat{\mathbf{v}}_{[k]}(t)) + \mathbf{n}_{\mathbf{v}}^t\|",
    "length of the noisy gradient",
    NON_NEGATIVE,
    F / X,
)
noise_alignment = _q(
    "noise_alignment",
    r"(\mathbf{n}_{\mathbf{v}}^t)^T (\nabla F(\hat{\mathbf{v}}_{[k]}(t)) + \mathbf{n}_{\mathbf{v}}^t)",
    "inner product of the noise with the noisy gradient",
    REAL,
    F**2 / X**2,
)
gradient_norm = _of_objects(
    "gradient_norm",
    r"\lVert\nabla F(\hat{\mathbf{v}}_{[k]}(t))\rVert",
    "length of the gradient at the auxiliary sequence",
    F / X,
)
distance_to_optimum = _q(
    "distance_to_optimum",
    r"\mathbb{E}\|\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*\|",
    "distance of the auxiliary sequence from the minimizer, before the step",
    NON_NEGATIVE,
    X,
)
next_distance_to_optimum = _at_a_step(
    "next_distance_to_optimum",
    r"\mathbb{E}\|\hat{\mathbf{v}}_{[k]}(t+1) - \mathbf{w}^*\|",
    "distance of the auxiliary sequence from the minimizer, after the step",
    X,
)
MOMENTS = "near the minimizer 1/theta is about 1/distance^2: after Gaussian noise its mean needs d >= 3"
reciprocal_theta = _at_a_step(
    "reciprocal_theta",
    r"\mathbb{E}\left(\frac{1}{\theta_{[k]}(t)}\right)",
    "mean reciprocal gap of the auxiliary sequence before the step",
    ONE / F,
    moments=MOMENTS,
)
next_reciprocal_theta = _at_a_step(
    "next_reciprocal_theta",
    r"\mathbb{E}\left(\frac{1}{\theta_{[k]}(t+1)}\right)",
    "mean reciprocal gap of the auxiliary sequence after the step",
    ONE / F,
    moments=MOMENTS,
)
farthest_start = _of_a_run(
    "farthest_start",
    r"\max_k \|\hat{\mathbf{v}}_{[k]}((k-1)\tau) - \mathbf{w}^*\|",
    "largest distance from the minimizer at the start of an interval",
    POSITIVE,
    X,
)

# The amended forms: means of gaps and of squared distances in place of the quantities of a path.
omega_mean = _in_mean("omega_mean", r"\omega", "min over k of 1/E||v_[k]((k-1)tau) - w*||^2", POSITIVE, X**-2)
farthest_start_square = _in_mean(
    "farthest_start_square",
    r"\max_k \mathbb{E}\|\hat{\mathbf{v}}_{[k]}((k-1)\tau) - \mathbf{w}^*\|^2",
    "largest mean squared distance from the minimizer at the start of an interval",
    POSITIVE,
    X**2,
)
auxiliary_gap_mean = _in_mean(
    "auxiliary_gap_mean",
    r"\mathbb{E}F(\hat{\mathbf{v}}_{[k]}(k\tau)) - F(\mathbf{w}^*)",
    "smallest mean gap of the auxiliary sequence at the end of an interval",
    POSITIVE,
    F,
)
averaged_gap_mean = _in_mean(
    "averaged_gap_mean",
    r"\mathbb{E}F(\hat{\mathbf{w}}(k\tau)) - F(\mathbf{w}^*)",
    "smallest mean gap of the averaged model at an aggregation, the last one included",
    POSITIVE,
    F,
)
theta_mean = _q(
    "theta_mean",
    r"\mathbb{E}\theta_{[k]}(t)",
    "mean gap of the auxiliary sequence before the step",
    Domain(lower=0, assumed=True),
    F,
)
next_theta_mean = _at_a_step(
    "next_theta_mean", r"\mathbb{E}\theta_{[k]}(t+1)", "mean gap of the auxiliary sequence after the step", F
)
reciprocal_mean_theta = _at_a_step(
    "reciprocal_mean_theta",
    r"\frac{1}{\mathbb{E}\theta_{[k]}(t)}",
    "reciprocal of the mean gap of the auxiliary sequence before the step",
    ONE / F,
)
next_reciprocal_mean_theta = _at_a_step(
    "next_reciprocal_mean_theta",
    r"\frac{1}{\mathbb{E}\theta_{[k]}(t+1)}",
    "reciprocal of the mean gap of the auxiliary sequence after the step",
    ONE / F,
)
distance_square = _q(
    "distance_square",
    r"\mathbb{E}\|\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*\|^2",
    "mean squared distance of the auxiliary sequence from the minimizer, before the step",
    NON_NEGATIVE,
    X**2,
)
next_distance_square = _at_a_step(
    "next_distance_square",
    r"\mathbb{E}\|\hat{\mathbf{v}}_{[k]}(t+1) - \mathbf{w}^*\|^2",
    "mean squared distance of the auxiliary sequence from the minimizer, after the step",
    X**2,
)
mean_noisy_gradient_norm = _q(
    "mean_noisy_gradient_norm",
    r"\mathbb{E}\|\nabla F(\hat{\mathbf{v}}_{[k]}(t)) + \mathbf{n}_{\mathbf{v}}^t\|",
    "mean length of the noisy gradient, over the noise",
    NON_NEGATIVE,
    F / X,
)

# The control objective and the search for tau*.
G_tau = _q("G_tau", r"G(\tau)", "control objective, the right-hand side of (12)", REAL, F)
G_one = _of_objects("G_one", r"G(1)", "control objective with one local step per round", F)
K = _q("K", r"K", "number of global aggregations", POSITIVE_INTEGER, part=ROUNDS)
R_S = _q("R_S", r"R_S", "communication rounds that the bandwidth supports", POSITIVE_INTEGER)
R_C = _q("R_C", r"R_C", "communication rounds that the privacy budget allows at tau = 1", POSITIVE_INTEGER)
tau_star = _q("tau_star", r"\tau^*", "local steps chosen in the round before", POSITIVE_INTEGER)
tau_m = _q("tau_m", r"\tau_m", "upper end of the search range for tau", POSITIVE_INTEGER)

# Estimators: what a client sees between its own model and the averaged one.
rho_i = _q("rho_i", r"\rho_i", "a client's estimate of the Lipschitz constant", NON_NEGATIVE, F / X)
beta_i = _q("beta_i", r"\beta_i", "a client's estimate of the smoothness constant", NON_NEGATIVE, F / X**2)
model_distance = _q(
    "model_distance",
    r"\|\hat{\mathbf{w}}_i(t) - \hat{\mathbf{w}}(t)\|",
    "distance of a client's model from the averaged one",
    Domain(lower=0, lower_included=False, assumed=True),
    X,
)
model_loss_difference = _q(
    "model_loss_difference",
    r"\|F_i(\hat{\mathbf{w}}_i(t)) - F_i(\hat{\mathbf{w}}(t))\|",
    "distance of the client's losses at the two models",
    NON_NEGATIVE,
    F,
)
model_gradient_difference = _q(
    "model_gradient_difference",
    r"\|\nabla F_i(\hat{\mathbf{w}}_i(t)) - \nabla F_i(\hat{\mathbf{w}}(t))\|",
    "distance of the client's gradients at the two models",
    NON_NEGATIVE,
    F / X,
)
divergence_at_model = _q(
    "divergence_at_model",
    r"\|\nabla F_i(\hat{\mathbf{w}}(t)) - \nabla F(\hat{\mathbf{w}}(t))\|",
    "distance of the client's gradient from the mean gradient at the averaged model",
    NON_NEGATIVE,
    F / X,
)

# Claims in prose about numbers, random quantities and the final gap.
bernoulli_line = _of_objects("bernoulli_line", r"\eta\beta x + 1", "the line in Bernoulli's inequality", ONE)
h_value = _of_objects("h_value", r"h(x)", "value of h at x", X)
largest_difference = _q(
    "largest_difference", r"\max_{0 < x < 1} (x - x^3)", "largest difference of y = x and y = x^3", REAL
)
unit_point = _q("unit_point", r"x", "a number between 0 and 1", OPEN_UNIT)
line_value = _of_objects("line_value", r"y = x", "value of y = x at the number", ONE)
mean_X = _q("mean_X", r"\mathbb{E}(X)", "mean of X", REAL)
mean_Y = _q("mean_Y", r"\mathbb{E}(Y)", "mean of Y", REAL)
a = _q("a", r"a", "a factor", REAL)
mean_product = _q("mean_product", r"\mathbb{E}(XY)", "mean of the product", REAL)
mean_sum = _q("mean_sum", r"\mathbb{E}(X+Y)", "mean of the sum", REAL)
mean_multiple = _q("mean_multiple", r"\mathbb{E}(aX)", "mean of the multiple", REAL)
largest_final_gap = _q(
    "largest_final_gap", r"F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*)", "largest final gap", POSITIVE, F
)
mean_cubed_gap = _q(
    "mean_cubed_gap",
    r"\mathbb{E} \left([F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*)]^3 \right)",
    "mean of the cubed final gap",
    POSITIVE,
    F**3,
)
mean_reciprocal_cubed_gap = NOTATION.observable(
    "mean_reciprocal_cubed_gap",
    r"\mathbb{E} \left(\frac{1}{[F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*)]^3} \right)",
    "mean of the reciprocal of the cubed final gap",
    ONE / F**3,
    Over.LAST,
)

# The best aggregated model, which section 8 of the transcription derives.
N = _q("N", r"N", "number of clients", POSITIVE_INTEGER, part=lower_constant("clients"))
G_s = _q(
    "G_s",
    r"G_s",
    "largest length of a per-sample gradient",
    POSITIVE,
    F / X,
    part=constant("largest_component_lipschitz", or_else="lipschitz"),
)
D0 = _q("D0", r"D_0", "distance of the start from the minimizer", POSITIVE, X, part=at_start("distance"))
best_gap_mean = NOTATION.observable(
    "best_gap_mean",
    r"\min_{0\leq k\leq K}\mathbb{E}F(\hat{\mathbf{w}}(k\tau)) - F(\mathbf{w}^*)",
    "smallest, over the start and the aggregations, of the mean gap",
    F,
    Over.MINIMUM_OF_MEANS,
    measured="gap",
)
