"""The notation table of the textbook controls."""

from bounds.language.before_any_run import before
from bounds.language.dimension import F, X
from bounds.language.part import ROUNDS, STEPS, at_start, constant, lower_constant, setting
from bounds.language.quantity import NATURAL, NON_NEGATIVE, POSITIVE, POSITIVE_INTEGER, Notation, Over

NOTATION = Notation()
_q = NOTATION.quantity

N = _q("N", r"N", "number of gradient steps", NATURAL, part=STEPS)
K = _q("K", r"K", "number of stochastic gradient steps", NATURAL, part=STEPS)
rounds = _q("rounds", r"K", "number of rounds of federated averaging", NATURAL, part=ROUNDS)
E = _q("E", r"E", "local steps per round", POSITIVE_INTEGER, part=setting("local_steps"))
L = _q(
    "L",
    r"L",
    "smoothness constant",
    POSITIVE,
    F / X**2,
    part=constant("mean_smoothness", or_else="smoothness"),
)
mu = _q(
    "mu", r"\mu", "strong convexity constant", POSITIVE, F / X**2, part=lower_constant("strong_convexity")
)
eta = _q("eta", r"\eta", "step size", POSITIVE, X**2 / F, part=setting("step", or_else="local_step"))
f0_gap = _q(
    "f0_gap", r"f(x_{0})-f^{\inf}", "initial gap to the infimum", NON_NEGATIVE, F, part=at_start("gap")
)
D0 = _q("D0", r"D_{0}", "initial distance to the minimizer", NON_NEGATIVE, X, part=at_start("distance"))
sigma = _q(
    "sigma",
    r"\sigma",
    "root of the total variance of the gradient noise",
    NON_NEGATIVE,
    F / X,
    part=setting("oracle.sphere", or_else="noise_scale"),
)
GAP_AT_THE_START = (before(f0_gap, "the gap at the start"),)

q = _q("q", r"q", "contraction factor of one step", NON_NEGATIVE)

final_gap = NOTATION.observable(
    "final_gap",
    r"f(x_{N})-f^{*}",
    "gap of the last iterate",
    F,
    Over.LAST,
    free_bound=L * D0**2 / 2,
    before_any_run=GAP_AT_THE_START,
    measured="gap",
)
federated_gap = NOTATION.observable(
    "federated_gap",
    r"f(w_{K})-f^{*}",
    "gap after the last round",
    F,
    Over.LAST,
    free_bound=L * D0**2 / 2,
    before_any_run=GAP_AT_THE_START,
    measured="gap",
)
min_squared_gradient = NOTATION.observable(
    "min_squared_gradient",
    r"\min_{0\leq k\leq N}\|\nabla f(x_{k})\|^{2}",
    "smallest squared gradient norm along the run",
    F**2 / X**2,
    Over.MINIMUM_OF_MEANS,
    free_bound=2 * L * f0_gap,
    measured="squared_gradient_norm",
)
squared_distance = NOTATION.observable(
    "squared_distance",
    r"\mathbb{E}\left[\|x_{K}-x^{*}\|^{2}\right]",
    "squared distance of the last iterate to the minimizer",
    X**2,
    Over.LAST,
    before_any_run=(before(D0**2, "the squared distance at the start"),),
    measured="squared_distance",
)
