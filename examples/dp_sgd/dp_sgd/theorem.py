"""The average of the last K - M iterates, if no gradient is longer than the clipping threshold."""

import fedbounds as fb
from dp_sgd import PAPER, C, D, G, K, L, M, b, d, distance, gamma, gap, n, slope, z
from fedbounds import at_least, at_most

AT = "dp_sgd.theorem"
T = K - M  # iterates in the average
SAMPLING = G**2 / (n * b)  # variance of the mean of the sampled gradients
NOISE = z**2 * C**2 * d / (n * b**2)  # variance of the noise on it

STEP = at_most(gamma, 1 / L, locator=AT, printed=r"\gamma\leq\frac{1}{L}")
IDLE = at_least(C, G, locator=AT, printed=r"C\geq G")
LONG = at_least(K, 300, locator=AT, printed=r"K\geq300")
TAIL = at_most(M, K - 1, locator=AT, printed=r"M\leq K-1")


def known_slopes(known):
    return known.upper("largest_component_lipschitz") is not None or "its data points may have any slope"


BOUNDED = fb.Assumption("bounded data gradients", r"\|\nabla f_{ij}\|\leq G", AT, certified_by=known_slopes)


EXAMPLE = {"L": 1, "G": 1, "C": 1, "D": 2, "n": 3, "d": 3, "b": 8, "z": 0.5, "gamma": 0.1, "K": 100, "M": 50}


def stated(left, start, times, noise=NOISE, conditions=(STEP, IDLE, TAIL), example=EXAMPLE):
    return fb.Statement(
        locator=AT,
        kind=fb.Kind.UPPER_BOUND,
        paper=PAPER,
        title="DP-SGD with tail averaging",
        algorithm="dp_sgd.private_step",
        printed=(r"V=\frac{G^2}{nb}+\frac{z^2C^2d}{nb^2}",),
        reading="each client takes each of its N data points with probability min(1, b/N), independently.",
        left=left,
        terms=(
            fb.Term("start", start, "distance at the start", (fb.Equal(D, 0),)),
            fb.Term("sampling", times * SAMPLING, "sampling of data points", (fb.Grows(b),)),
            fb.Term("noise", times * noise, "privacy", (fb.Equal(z, 0), fb.Grows(b))),
        ),
        assumptions=(fb.CONVEX_CLIENTS, fb.SMOOTH_CLIENTS, BOUNDED),
        conditions=conditions,
        example=example,
    )


START = D**2 / (2 * gamma * T)
TIMES = gamma * K / (2 * T)
STEPS = gamma**2 * (K + M - 1) / 2
AVERAGE = stated(gap, START, TIMES)
SLOPE = stated(slope, 2 * L * START, 2 * L * TIMES)
DISTANCE = stated(distance, D**2, STEPS)

# False forms: each is refuted by `verify` or by `falsify`.
NOISE_AVERAGED_AWAY = stated(gap, START, TIMES, noise=NOISE / K)
ANY_THRESHOLD = stated(
    gap, START, TIMES, conditions=(STEP, TAIL, LONG), example=EXAMPLE | {"C": 0.01, "K": 400}
)
FLAT = {name: value for name, value in EXAMPLE.items() if name != "d"}
NO_DIMENSION = stated(distance, D**2, STEPS, noise=NOISE / d, example=FLAT)
HALVED = stated(distance, D**2 / 2, STEPS / 2)
