"""SCAFFOLD with E local steps and s of n clients in a round; the proofs are in the README."""

from fedbounds import (
    NATURAL,
    NON_NEGATIVE,
    POSITIVE,
    POSITIVE_INTEGER,
    F,
    Notation,
    Over,
    Paper,
    States,
    X,
    at_start,
    constant,
    lower_constant,
    setting,
)

NOTATION = Notation()
q = NOTATION.quantity

K = q("K", "K", "rounds", NATURAL, part=setting("rounds"))
E = q("E", "E", "local steps", POSITIVE_INTEGER, part=setting("local_steps"))
s = q("s", "s", "clients in a round", POSITIVE_INTEGER, part=setting("clients_per_round"))
gamma = q("gamma", r"\gamma", "local step", POSITIVE, X**2 / F, part=setting("local_step"))
n = q("n", "n", "clients", POSITIVE_INTEGER, part=constant("clients"))
L = q("L", "L", "smoothness", POSITIVE, F / X**2, part=constant("smoothness"))
mu = q("mu", r"\mu", "strong convexity of f", POSITIVE, F / X**2, part=lower_constant("strong_convexity"))
D = q("D", "D", "distance of x_0 to x*", NON_NEGATIVE, X, part=at_start("distance"))
zeta = q(
    "zeta",
    r"\zeta",
    "root of the mean of ||grad f_i(x*)||^2",
    NON_NEGATIVE,
    F / X,
    part=constant("mean_squared_client_gradient_at_minimiser", root=True),
)
distance = NOTATION.observable(
    "distance", r"\mathbb{E}\|x_K-x^*\|^2", "squared distance", X**2, Over.LAST, measured="squared_distance"
)
gap = NOTATION.observable(
    "gap",
    r"\frac{1}{K}\sum_{k<K}\mathbb{E}f(x_k)-f^*",
    "mean gap",
    F,
    Over.UNIFORM_ROUND,
    states=States.BEFORE_A_ROUND,
    measured="gap",
)

PAPER = Paper(
    key="scaffold",
    title="SCAFFOLD: Stochastic Controlled Averaging for Federated Learning",
    authors="Karimireddy, Kale, Mohri, Reddi, Stich, Suresh",
    bibtex="@inproceedings{karimireddy2020scaffold, title = {{SCAFFOLD}: Stochastic Controlled Averaging"
    " for Federated Learning}, booktitle = {ICML}, year = {2020}}",
    package=__name__,
    notation=NOTATION,
)
