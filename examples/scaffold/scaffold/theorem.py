"""Control variates remove the clients' differences: the bounds go to zero as the rounds pass."""

import fedbounds as fb
from fedbounds import at_least, at_most
from scaffold import PAPER, D, E, K, L, distance, gamma, gap, mu, n, s, zeta

AT = "scaffold.theorem"
eta = E * gamma  # the step of a round
omega = (n - s) / (s * (n - 1))  # the variance of the mean of s of n vectors, if that of one of them is 1
START = D**2 + (1 + 4 * omega) * (n / s) * eta**2 * zeta**2
RATE = (1 - eta * mu) ** K

SHORT, SHORT_TEXT = 2 / (5 * E * L * (1 + 3 * omega)), r"\gamma\leq\frac{2}{5(1+3\omega)EL}"
STEP = at_most(gamma, SHORT, locator=AT, printed=SHORT_TEXT)
SLOW = at_most(gamma, s / (2 * n * E * mu), locator=AT, printed=r"\gamma\leq\frac{s}{2nE\mu}")
SEVERAL = at_least(n, 2, locator=AT, printed=r"n\geq2")
DRAWN = at_most(s, n, locator=AT, printed=r"s\leq n")
FULL = at_most(gamma, 2 / (5 * E * L), locator=AT, printed=r"\gamma\leq\frac{2}{5EL}")
LONG = at_least(K, 20 / (eta * mu), locator=AT, printed=r"K\geq\frac{20}{\gamma E\mu}")


EXAMPLE = {"L": 1, "mu": 0.1, "gamma": 0.02, "E": 3, "D": 2, "zeta": 1, "n": 5, "s": 2, "K": 4000}


def stated(left, bound, conditions, *absent, algorithm="scaffold.rounds"):
    strong = (fb.STRONGLY_CONVEX,) if left is distance else ()
    return fb.Statement(
        locator=AT,
        kind=fb.Kind.UPPER_BOUND,
        paper=PAPER,
        title="SCAFFOLD with option II",
        algorithm=algorithm,
        printed=(r"D^2+(1+4\omega)\frac{n}{s}(\gamma E)^2\zeta^2,\quad\omega=\frac{n-s}{s(n-1)}",),
        reading="the s clients of a round are uniformly random, anew in each round; variates start at zero.",
        left=left,
        terms=(fb.Term("start", bound, "distance and variates at the start", (fb.Grows(K),)),),
        assumptions=(fb.CONVEX_CLIENTS, fb.SMOOTH_CLIENTS, *strong),
        conditions=conditions,
        example={name: value for name, value in EXAMPLE.items() if name not in absent},
    )


PARTIAL = (STEP, SEVERAL, DRAWN)
LINEAR = stated(distance, RATE * START, (*PARTIAL, SLOW))
CONVEX = stated(gap, START / (2 * eta * K), PARTIAL, "mu")

# False forms: each is refuted by `verify` or by `falsify`.
HALVED = stated(distance, RATE * START / 2, (*PARTIAL, SLOW))
FASTER = stated(distance, RATE**4 * START, (*PARTIAL, SLOW))
ANY_STEP = stated(distance, RATE * START, (SEVERAL, DRAWN, SLOW), "L")
CONVEX_HALVED = stated(gap, START / (4 * eta * K), PARTIAL, "mu")
WITHOUT = RATE * (D**2 + eta**2 * zeta**2)
FEDAVG = stated(distance, WITHOUT, (FULL, LONG), "s", "n", algorithm="fedavg")
