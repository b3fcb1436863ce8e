"""The notation table of the FedAvg-under-Lojasiewicz excerpt (section 2 of its transcription)."""

from functools import partial

from sympy import Rational

from bounds.language.before_any_run import before
from bounds.language.dimension import F, X
from bounds.language.part import ROUNDS, at_start, constant, lower_constant, setting
from bounds.language.quantity import (
    AT_LEAST_ONE,
    NATURAL,
    NON_NEGATIVE,
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
_o = NOTATION.observable
_ABOVE_CLIENT_MINIMA = "gap_to_client_minima"

M = _q("M", r"M", "number of agents", POSITIVE_INTEGER, part=lower_constant("clients"))
R = _q("R", r"R", "number of rounds", NATURAL, part=ROUNDS)
L = _q(
    "L",
    r"L",
    "smoothness constant of every agent's objective",
    POSITIVE,
    F / X**2,
    part=constant("smoothness"),
)
eta = _q("eta", r"\eta", "step size", POSITIVE, X**2 / F, part=setting("local_step"))
alpha = _q(
    "alpha",
    r"\alpha",
    "Lojasiewicz exponent",
    Domain(lower=1, lower_included=False, upper=2),
    part=constant("lojasiewicz_exponent"),
)
# ||grad f||^2 >= mu (f - f*)^alpha fixes the dimension of mu.
mu = _q(
    "mu",
    r"\mu",
    "Lojasiewicz constant",
    POSITIVE,
    F ** (2 - alpha) / X**2,
    part=lower_constant("lojasiewicz"),
)
zeta = _q(
    "zeta",
    r"\zeta",
    "heterogeneity of the gradients",
    NON_NEGATIVE,
    F / X,
    part=constant("mean_squared_gradient_divergence", root=True),
)
sigma = _q(
    "sigma",
    r"\sigma",
    "root of the bound on the gradient noise",
    NON_NEGATIVE,
    F / X,
    part=setting("oracle.sphere"),
)
f0_gap = _q(
    "f0_gap",
    r"F(\theta_0) - F^*",
    "initial gap to the mean of the f_c*",
    NON_NEGATIVE,
    F,
    part=at_start(_ABOVE_CLIENT_MINIMA),
)

AT_THE_START = (before(f0_gap, "F(theta_0) - F*, the gap at the start"),)
final_gap = _o(
    "final_gap",
    r"\mathbb{E}[F(\theta_R)] - F^*",
    "gap of the last global iterate",
    F,
    Over.LAST,
    measured=_ABOVE_CLIENT_MINIMA,
    before_any_run=AT_THE_START,
)

# Exponent 1 has a constant of another unit.
mu_1 = _q(
    "mu_1",
    r"\mu",
    "Lojasiewicz constant where alpha = 1",
    POSITIVE,
    F / X**2,
    part=lower_constant("client_strong_convexity", times=2),
)
H = _q("H", r"H", "local steps per round", POSITIVE_INTEGER, part=setting("local_steps"))
r = _q("r", r"r", "number of rounds so far", NATURAL, part=ROUNDS)

# Definitions (section 3). C and kappa are printed with one value in Lemma F.3, another in Theorem F.4.
F_star = _q("F_star", r"F^*", "mean of the f_c*", REAL, F)
f_star_mean = _q("f_star_mean", r"\frac{1}{M} \sum_{c=1}^M f_c^*", "the f_c*, averaged", REAL, F)
F_0 = _q("F_0", r"F(\theta_0)", "objective at the initial point", REAL, F)
mean_F = _q("mean_F", r"\mathbb{E}[F(\theta_r)]", "mean objective after r rounds", REAL, F)
beta = _q("beta", r"\beta", "weight of the polarization", POSITIVE, F ** Rational(1, 2) / X)
s_r = _q("s_r", r"s_r", "mean gap after r rounds", NON_NEGATIVE, F)
s_min = _q("s_min", r"\min_{r} s_r", "smallest mean gap over the rounds", NON_NEGATIVE, F)
v_r = _q("v_r", r"v_r", "mean gap after r rounds, less the floor C", REAL, F)
C_F3 = _q("C_F3", r"C", "floor of Lemma F.3", NON_NEGATIVE, F)
C_F4 = _q("C_F4", r"C", "floor of Theorem F.4", NON_NEGATIVE, F)
kappa_F3 = _q("kappa_F3", r"\kappa", "decrease per round in Lemma F.3", POSITIVE, F ** (1 - alpha))
kappa_F4 = _q("kappa_F4", r"\kappa", "decrease per round in Theorem F.4", POSITIVE, F ** (1 - alpha))
x = _q("x", r"x", "argument of g", POSITIVE, F)
g_x = _q("g_x", r"g(x)", "the negative power x^(-(alpha-1))", POSITIVE, F ** (1 - alpha))

# One round from theta_r
gap = _q("gap", r"F(\theta_r) - F^*", "gap before the round", NON_NEGATIVE, F)
gradient_norm = _q(
    "gradient_norm", r"\|\nabla F(\theta_r)\|_2", "gradient norm before the round", NON_NEGATIVE, F / X
)
directional_derivative = _q(
    "directional_derivative",
    r"\langle \nabla F(\theta), \theta' - \theta \rangle",
    "derivative of F along the move",
    REAL,
    F,
)
move = _q("move", r"\|\theta' - \theta\|_2", "length of the move", NON_NEGATIVE, X)
mean_noise_variance = _q(
    "mean_noise_variance",
    r"\frac{1}{M} \sum_{c=1}^M \mathbb{E} \left[\|\nabla f_c^{Z^c}(\theta)"
    r" - \nabla f_c(\theta)\|_2^2 \right]",
    "variance of an agent's gradient, averaged over the agents",
    NON_NEGATIVE,
    F**2 / X**2,
)
drift = _q(
    "drift",
    r"\frac{1}{HM}\sum_{c=1}^M\sum_{h=0}^{H-1}"
    r"\mathbb{E}\left[\|\theta_r - \theta_{r,h}^c\|_2^2|\theta_r\right]",
    "squared distance of the local iterates from the start of the round, averaged over steps and agents",
    NON_NEGATIVE,
    X**2,
)
direction_error = _q(
    "direction_error",
    r"\left\|\nabla F(\theta_r) - \beta^2\mathbb{E}[\theta_r - \theta_{r+1}|\theta_r]\right\|_2",
    "distance of the mean direction of the round from the gradient",
    NON_NEGATIVE,
    F / X,
)
mean_square_move = _q(
    "mean_square_move",
    r"\mathbb{E}[\|\theta_{r+1} - \theta_r\|_2^2|\theta_r]",
    "mean squared length of the round's move",
    NON_NEGATIVE,
    X**2,
)
mean_move = _q(
    "mean_move",
    r"\|\mathbb{E}[\theta_{r+1} - \theta_r|\theta_r]\|_2",
    "length of the round's mean move",
    NON_NEGATIVE,
    X,
)

estimator_variance = _at_a_step(
    "estimator_variance",
    r"\mathbb{E} [\|\nabla F^Z(\theta) - \nabla F(\theta)\|_2^2]",
    "variance of the virtual estimator of the gradient",
    F**2 / X**2,
)
gap_power = _of_objects("gap_power", r"(F(\theta)-F^*)^\alpha", "power of the gap", F**alpha)
gap_at_point = _of_objects("gap_at_point", r"F(\theta)-F^*", "gap at a point", F)
mean_client_gradient_square = _of_objects(
    "mean_client_gradient_square",
    r"\frac{1}{M} \sum_{c=1}^M \|\nabla f_c(\theta_r)\|_2^2",
    "squared gradient norm of an agent, averaged over the agents",
    F**2 / X**2,
)
next_gap = _of_objects("next_gap", r"F(\theta')-F^*", "gap after the move", F)
mean_next_gap = _at_a_step(
    "mean_next_gap",
    r"\mathbb{E}[F(\theta_{r+1}) | \theta_r] - F^*",
    "mean gap after the round, given its start",
    F,
    measured=_ABOVE_CLIENT_MINIMA,
)
mean_drift = _at_a_step(
    "mean_drift",
    r"\frac{1}{MH} \sum_{c=1}^M \sum_{h=1}^{H-1} \mathbb{E} [\|\theta_r - \theta_{r,h}^c\|_2^2 | \theta_r]",
    "squared distance of the local iterates from the start of the round, averaged over steps and agents",
    X**2,
)
direction_error_square = _at_a_step(
    "direction_error_square",
    r"\left\|\nabla F(\theta_r) - \beta^2\mathbb{E}[\theta_r - \theta_{r+1}|\theta_r]\right\|_2^2",
    "squared distance of the mean direction of the round from the gradient",
    F**2 / X**2,
)

# Sequences
next_s = _at_a_step("next_s", r"s_{r+1}", "mean gap after the next round", F, measured="gap_to_client_minima")
mean_gap = _at_a_step(
    "mean_gap",
    r"s_r",
    "mean gap after r rounds",
    F,
    measured="gap_to_client_minima",
    before_any_run=AT_THE_START,
)
next_v = _at_a_step("next_v", r"v_{r+1}", "mean gap after the next round, less the floor C", F, lowest=-C_F3)
relative_change = _at_a_step(
    "relative_change",
    r"\frac{v_{r+1} - v_r}{v_r^\alpha}",
    "change of v in a round, relative to its power",
    F ** (1 - alpha),
    # v_{r+1} = s_{r+1} - C >= -C, and v_r = s_r - C.
    lowest=-s_r / (s_r - C_F3) ** alpha,
)
last_s = _o(
    "last_s",
    r"s_R",
    "mean gap after the last round",
    F,
    Over.LAST,
    measured=_ABOVE_CLIENT_MINIMA,
    before_any_run=AT_THE_START,
)

# Claims in prose
sum_of_squares = _of_objects(
    "sum_of_squares", r"\sum_{h=1}^{H-1} h^2", "squares of the step indices, summed", F**0
)
sum_of_steps = _q("sum_of_steps", r"\sum_{h=1}^{H-1} h", "step indices, summed", NATURAL)
client_gradient_norm = _q(
    "client_gradient_norm",
    r"\|\nabla f_c(\theta_r)\|_2",
    "gradient norm of an agent before the round",
    NON_NEGATIVE,
    F / X,
)
client_drift = _q(
    "client_drift",
    r"\frac{1}{H} \sum_{h=1}^{H-1} \mathbb{E} [\|\theta_r - \theta_{r,h}^c\|_2^2 | \theta_r]",
    "squared distance of an agent's iterates from the start of the round, averaged over the steps",
    NON_NEGATIVE,
    X**2,
)
double_sum = _at_a_step(
    "double_sum",
    r"\sum_{h=1}^{H-1} \sum_{\ell=0}^{h-1} h \mathbb{E} [\|\theta_r - \theta_{r,\ell}^c\|_2^2 | \theta_r]",
    "squared distances of an agent's iterates, in the double sum of the proof",
    X**2,
)
drift_factor = _of_objects(
    "drift_factor", r"2\eta^2 H(H-1)L^2", "factor of the drift on the right of D.F1.s3", F**0
)
inner_product = _q("inner_product", r"\langle a, b \rangle", "inner product", REAL, F)
a_norm = _q("a_norm", r"\lVert a\rVert_2", "norm of a", NON_NEGATIVE, F ** Rational(1, 2))
b_norm = _q("b_norm", r"\lVert b\rVert_2", "norm of b", NON_NEGATIVE, F ** Rational(1, 2))
sum_norm = _q("sum_norm", r"\lVert a + b\rVert_2", "norm of a + b", NON_NEGATIVE, F ** Rational(1, 2))
half_smoothness = _of_objects(
    "half_smoothness", r"\frac{L}{2}", "curvature that a squared move can meet", F / X**2
)
bound_s13 = _at_a_step(
    "bound_s13",
    r"F(\theta_r) - F^* + \ldots",
    "gap before the round plus the right-hand side of D.F2.s13",
    F,
    lowest=-eta * H * gradient_norm**2 / 2,
)
bound_s3 = _o(
    "bound_s3",
    r"\left(1 - \frac{\eta\mu}{2}\right)^R (F(\theta_0) - F^*) + \frac{\zeta^2}{\mu}"
    r" + \frac{2L\eta\sigma^2}{\mu M}",
    "right-hand side of D.F2.s3 after R rounds",
    F,
    Over.LAST,
    lowest=-f0_gap,
)
bound_35 = _at_a_step(
    "bound_35",
    r"F(\theta_r) - F^* - \eta(1 - L\eta) \|\nabla F(\theta_r)\|_2^2 + \frac{L\eta^2 \sigma^2}{M}",
    "right-hand side of (35), less F*",
    F,
    lowest=-eta * gradient_norm**2,
)
power_of_mean = _at_a_step(
    "power_of_mean", r"(\mathbb{E}[F(\theta_r)] - F^*)^\alpha", "power of the mean gap", F**alpha
)
mean_power = _q(
    "mean_power",
    r"\mathbb{E}[(F(\theta_r) - F^*)^\alpha]",
    "mean of the powers of the gap",
    NON_NEGATIVE,
    F**alpha,
)
power = _q("power", r"\alpha", "exponent of the power inequality", AT_LEAST_ONE)
a = _q("a", r"a", "a number, in the proofs a gap", NON_NEGATIVE, F)
b = _q("b", r"b", "a number, in the proofs a gap", NON_NEGATIVE, F)
sum_of_powers = _of_objects("sum_of_powers", r"a^\alpha + b^\alpha", "sum of the powers", F**power)
y = _q("y", r"y", "a second argument of g", POSITIVE, F)
weight = _q("weight", r"t", "weight of the first argument", Domain(lower=0, upper=1))
g_between = _of_objects("g_between", r"g(t x + (1-t) y)", "g between the two arguments", F ** (1 - alpha))
largest_later_s = _of_objects(
    "largest_later_s", r"\max_{r' > r} s_{r'}", "largest mean gap after a round at or below the floor", F
)
round_floor = _of_objects(
    "round_floor",
    r"2\eta H \zeta^2 + \frac{4\eta^2 H L}{M} \sigma^2 + 3\eta^3 H (H - 1) L^2 \sigma^2",
    "what a round of D.F4.s1 adds",
    F,
)
bound_F4_s2 = _o(
    "bound_F4_s2",
    r"C + \frac{F(\theta_0) - F^*}{(\kappa R(\alpha - 1)(F(\theta_0) - F^*)^{\alpha-1} + 1)^{1/(\alpha-1)}}",
    "right-hand side of D.F4.s2",
    F,
    Over.LAST,
)
