"""SCAFFOLD (Karimireddy et al. 2020): the notation. The README derives the bounds."""

import fedbounds as fb
from fedbounds import NON_NEGATIVE, POSITIVE, POSITIVE_INTEGER, F, X, at_start, constant, setting

NOTATION = fb.Notation()
q = NOTATION.quantity

K = q("K", "K", "rounds", POSITIVE_INTEGER, part=setting("rounds"))
E = q("E", "E", "local steps", POSITIVE_INTEGER, part=setting("local_steps"))
s = q("s", "s", "clients in a round", POSITIVE_INTEGER, part=setting("clients_per_round"))
gamma = q("gamma", r"\gamma", "local step", POSITIVE, X**2 / F, part=setting("local_step"))
n = q("n", "n", "clients", POSITIVE_INTEGER, part=constant("clients"))
L = q("L", "L", "smoothness", POSITIVE, F / X**2, part=constant("smoothness"))
strong = fb.lower_constant("strong_convexity")
mu = q("mu", r"\mu", "strong convexity of f", POSITIVE, F / X**2, part=strong)
D = q("D", "D", "distance of x_0 to x*", NON_NEGATIVE, X, part=at_start("distance"))
differences = constant("mean_squared_client_gradient_at_minimiser", root=True)
zeta = q("zeta", r"\zeta", "root of the mean of ||grad f_i(x*)||^2", NON_NEGATIVE, F / X, part=differences)

LAST, MEAN = r"\mathbb{E}\|x_K-x^*\|^2", r"\frac{1}{K}\sum_{k<K}\mathbb{E}f(x_k)-f^*"
distance = NOTATION.observable(
    "distance", LAST, "squared distance", X**2, fb.Over.LAST, measured="squared_distance"
)
gap = NOTATION.observable(
    "gap", MEAN, "mean gap", F, fb.Over.UNIFORM_ROUND, states=fb.States.BEFORE_A_ROUND, measured="gap"
)

PAPER = fb.Paper(
    key="scaffold",
    title="SCAFFOLD: Stochastic Controlled Averaging for Federated Learning",
    authors="Karimireddy, Kale, Mohri, Reddi, Stich and Suresh",
    bibtex="@inproceedings{karimireddy2020scaffold, booktitle = {ICML}, year = {2020}}",
    package=__name__,
    notation=NOTATION,
)
