"""DP-SGD on the data of n clients, with tail averaging: the notation. The README derives the bounds."""

import fedbounds as fb
from fedbounds import NON_NEGATIVE, POSITIVE, POSITIVE_INTEGER, F, X, at_start, constant, setting

NOTATION = fb.Notation()
q = NOTATION.quantity

K = q("K", "K", "rounds", POSITIVE_INTEGER, part=setting("rounds"))
M = q("M", "M", "rounds before the averaging", fb.NATURAL, part=setting("burn_in"))
b = q("b", "b", "expected data points of a client in a round", POSITIVE_INTEGER, part=setting("batch"))
gamma = q("gamma", r"\gamma", "step", POSITIVE, X**2 / F, part=setting("step"))
C = q("C", "C", "clipping threshold", POSITIVE, F / X, part=setting("clip_threshold"))
z = q("z", "z", "noise multiplier", NON_NEGATIVE, part=setting("noise_multiplier"))
n = q("n", "n", "clients", POSITIVE_INTEGER, part=constant("clients"))
d = q("d", "d", "dimension", POSITIVE_INTEGER, part=constant("dimension"))
L = q("L", "L", "smoothness", POSITIVE, F / X**2, part=constant("smoothness"))
steepest = constant("largest_component_lipschitz")
G = q("G", "G", "largest gradient of a data point", POSITIVE, F / X, part=steepest)
D = q("D", "D", "distance of x_0 to x*", NON_NEGATIVE, X, part=at_start("distance"))

gap = NOTATION.observable(
    "gap", r"\mathbb{E}f(\bar{x})-f^*", "gap of the average", F, fb.Over.LAST, measured="gap"
)
distance = NOTATION.observable(
    "distance",
    r"\mathbb{E}\|\bar{x}-x^*\|^2",
    "squared distance of the average",
    X**2,
    fb.Over.LAST,
    measured="squared_distance",
)
SQUARED = r"\mathbb{E}\|\nabla f(\bar{x})\|^2"
slope = NOTATION.observable(
    "slope",
    SQUARED,
    "squared gradient at the average",
    (F / X) ** 2,
    fb.Over.LAST,
    measured="slope_of_average",
)

PAPER = fb.Paper(
    key="dp_sgd",
    title="Deep Learning with Differential Privacy",
    authors="Abadi, Chu, Goodfellow, McMahan, Mironov, Talwar and Zhang",
    bibtex="@inproceedings{abadi2016deep, booktitle = {CCS}, year = {2016}}",
    package=__name__,
    notation=NOTATION,
)
