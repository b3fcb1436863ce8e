"""Control variates remove the clients' differences: each bound goes to zero, or falls as 1/K."""

from fedbounds import (
    CONVEX_CLIENTS,
    SMOOTH_CLIENTS,
    STRONGLY_CONVEX,
    Grows,
    Kind,
    Statement,
    Term,
    at_least,
    at_most,
)
from scaffold import PAPER, D, E, K, L, distance, gamma, gap, mu, n, s, zeta

AT = "scaffold.theorem"
eta = E * gamma  # what a round of local steps amounts to
omega = (n - s) / (s * (n - 1))  # variance of the mean of s of n vectors, in units of their variance
start = D**2 + (1 + 4 * omega) * (n / s) * eta**2 * zeta**2
STEP = at_most(gamma, 2 / (5 * E * L * (1 + 3 * omega)), locator=AT, printed=r"\gamma\leq\frac{2}{5EL(1+3\omega)}")
SLOW = at_most(gamma, s / (2 * n * E * mu), locator=AT, printed=r"\gamma\leq\frac{s}{2nE\mu}")
SEVERAL = at_least(n, 2, locator=AT, printed=r"n\geq2")
DRAWN = at_most(s, n, locator=AT, printed=r"s\leq n")
ONCE = at_least(K, 1, locator=AT, printed=r"K\geq1")


RATE = (1 - eta * mu) ** K


def stated(left, bound, assumptions, conditions, algorithm="scaffold.rounds"):
    return Statement(
        locator=AT,
        kind=Kind.UPPER_BOUND,
        paper=PAPER,
        title="SCAFFOLD without the clients' differences",
        algorithm=algorithm,
        printed=(r"V=D^2+(1+4\omega)\frac{n}{s}(\gamma E)^2\zeta^2,\quad\omega=\frac{n-s}{s(n-1)}",),
        reading="the s clients of a round are a uniformly random subset, independent of those before;"
        " all variates start at zero.",
        left=left,
        terms=(Term("start", bound, "distance and variates at the start", (Grows(K),)),),
        assumptions=assumptions,
        conditions=conditions,
        example={"L": 1, "mu": 0.1, "gamma": 0.02, "E": 3, "D": 2, "zeta": 1, "n": 5, "s": 2, "K": 100},
    )


def linear(rate, start=start, conditions=(STEP, SLOW, SEVERAL, DRAWN), algorithm="scaffold.rounds"):
    assumptions = (CONVEX_CLIENTS, SMOOTH_CLIENTS, STRONGLY_CONVEX)
    return stated(distance, rate * start, assumptions, conditions, algorithm)


def convex(bound):
    return stated(gap, bound, (CONVEX_CLIENTS, SMOOTH_CLIENTS), (STEP, SEVERAL, DRAWN, ONCE))


LINEAR = linear(RATE)
CONVEX = convex(start / (2 * eta * K))

# False ones, each refuted by `verify` or by `falsify`.
TWIN_HALVED = linear(RATE / 2)
TWIN_FASTER = linear((1 - eta * mu) ** (4 * K))
TWIN_ANY_STEP = linear(RATE, conditions=(SEVERAL, DRAWN))
TWIN_WITHOUT_VARIATES = linear(RATE, start=D**2)
TWIN_FEDAVG = linear(
    RATE,
    start=D**2 + eta**2 * zeta**2,
    conditions=(at_most(gamma, 2 / (5 * E * L), locator=AT, printed=r"\gamma\leq\frac{2}{5EL}"),),
    algorithm="fedavg",
)
TWIN_CONVEX_HALVED = convex(start / (4 * eta * K))
