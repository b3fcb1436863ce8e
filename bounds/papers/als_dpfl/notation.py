"""The notation table of the ALS-DPFL paper (section 2 of its transcription)."""

from bounds.dimension import F, X
from bounds.quantity import NATURAL, NON_NEGATIVE, POSITIVE, POSITIVE_INTEGER, REAL, Notation, Over

NOTATION = Notation()
_q = NOTATION.quantity

d = _q("d", r"d", "dimension of the model", POSITIVE_INTEGER)
T = _q("T", r"T", "total number of local steps", POSITIVE_INTEGER)
tau = _q("tau", r"\tau", "local steps between two aggregations", POSITIVE_INTEGER)
x = _q("x", r"x", "local steps since the last aggregation, t-(k-1)tau", NATURAL)
eta = _q("eta", r"\eta", "gradient-descent step size", POSITIVE, X**2 / F)
beta = _q("beta", r"\beta", "smoothness constant", POSITIVE, F / X**2)
rho = _q("rho", r"\rho", "Lipschitz constant", POSITIVE, F / X)
xi = _q("xi", r"\xi", "mean gradient divergence", NON_NEGATIVE, F / X)
C = _q("C", r"C", "clipping bound", POSITIVE, F / X)
B = _q("B", r"B", "batch size", POSITIVE_INTEGER)
# Table 1 calls sigma a standard deviation, the listings a noise multiplier that C turns into one. The listing
# binds, so sigma is a number; where the proofs use sigma^2 d as a squared gradient, the audit says so.
sigma = _q("sigma", r"\sigma", "noise multiplier", NON_NEGATIVE)
lam = _q("lam", r"\lambda", "lower bound on optimality gaps", POSITIVE, F)
h_x = _q("h_x", r"h(x)", "gap between the federated and the auxiliary sequence", NON_NEGATIVE, X)
h_tau = _q("h_tau", r"h(\tau)", "the gap h after tau local steps", NON_NEGATIVE, X)
phi = _q("phi", r"\varphi", "control parameter", REAL, X**-2)

READINGS = (
    "almost sure: the relation holds on every path; in mean: with exact moments in its place; "
    "realised: along the path that was run, a diagnostic and never a verdict"
)
omega = NOTATION.run_quantity(
    "omega",
    r"\omega",
    "min over k of 1/||v_[k]((k-1)tau) - w*||, as printed in Theorem 2",
    POSITIVE,
    X**-1,
    READINGS,
)
omega_lemma_6 = NOTATION.run_quantity(
    "omega_lemma_6",
    r"\omega",
    "min over k of 1/||v_[k]((k-1)tau) - w*||^2, as printed in Lemma 6",
    POSITIVE,
    X**-2,
    READINGS,
)
auxiliary_gap = NOTATION.run_quantity(
    "auxiliary_gap",
    r"F(\hat{\mathbf{v}}_{[k]}(k\tau)) - F(\mathbf{w}^*)",
    "smallest gap of the auxiliary sequence at the end of an interval",
    POSITIVE,
    F,
    READINGS,
)
final_gap = NOTATION.run_quantity(
    "final_gap",
    r"F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*)",
    "gap of the last model",
    NON_NEGATIVE,
    F,
    READINGS,
)
gradient_square = NOTATION.run_quantity(
    "gradient_square",
    r"\mathbb{E}(\|\nabla F(\hat{\mathbf{v}}_{[k]}(t))\|^2)",
    "smallest, over the run, of the mean squared gradient at the auxiliary sequence",
    NON_NEGATIVE,
    F**2 / X**2,
    READINGS,
)

distance_to_auxiliary = NOTATION.observable(
    "distance_to_auxiliary",
    r"\mathbb{E} \|\hat{\mathbf{w}}(t) - \hat{\mathbf{v}}_{[k]}(t)\|",
    "distance of the averaged model from the auxiliary sequence, x steps after an aggregation",
    X,
    Over.FIXED_STEP,
)
value_difference = NOTATION.observable(
    "value_difference",
    r"\mathbb{E} \|F(\hat{\mathbf{w}}(t) - F(\hat{\mathbf{v}}_{[k]}(t)))\|",
    "distance of their values",
    F,
    Over.FIXED_STEP,
)
final_gap_mean = NOTATION.observable(
    "final_gap_mean",
    r"\mathbb{E}(F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*))",
    "gap of the last model",
    F,
    Over.LAST,
)
