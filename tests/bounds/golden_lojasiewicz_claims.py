"""More points for golden.py: the claims in prose of the fedavg_lojasiewicz transcription.

Typed by hand from the transcription, like golden.py and with no line in common with the program. A claim that
one display gives the next is about two right-hand sides: the value is that of the second.
`python golden_lojasiewicz_claims.py` prints everything.
"""

from golden_lojasiewicz import (
    parts_of_floor_f3,
    parts_of_floor_f4,
    step_of_f4,
    theorem_f2,
    theorem_f4,
    unrolled_f2_one_step,
)
from mpmath import mpf
from typed_points import each, joined, root, show, without

# ---- of Lemma F.1


def sum_of_squares(q):
    return {"bound": q.H * (q.H - 1) ** 2 / 2}, {}, []


def sum_of_steps(q):
    return {"value": q.H * (q.H - 1) / 2}, {}, []


def completed_sum(q):
    sum_over_steps = q.H * q.client_drift
    terms = {
        "gradient": q.eta**2 * (q.H - 1) ** 2 * q.client_gradient_norm**2,
        "drift": 2 * q.eta**2 * q.H * (q.H - 1) * q.L**2 / q.H * sum_over_steps,
        "noise": 2 * q.eta**2 * (q.H - 1) * q.sigma**2,
    }
    return terms, {}, []


def half(q):
    return {"half": mpf(1) / 2}, {}, [(q.eta * q.H * q.L, "<=", mpf(1) / 2)]


# ---- of Theorem F.2


def one_step_concludes(q):
    q.H = mpf(1)
    terms, _, conditions = theorem_f2(q)
    return terms, {"H": q.H}, conditions


def polarization(q):
    return {"sum": q.sum_norm**2, "first": -(q.a_norm**2), "second": -(q.b_norm**2)}, {}, []


def negative_factor(q):
    beta = 1 / root(q.eta * q.H)
    return {"polarization": 1 / (2 * q.eta * q.H)}, {"beta": beta}, [(q.eta * q.H * q.L, "<=", mpf(1))]


def eighteenth(q):
    terms = {
        "gap": q.gap,
        "descent": -q.eta * q.H / 4 * q.gradient_norm**2,
        "heterogeneity": q.eta * q.H * q.zeta**2,
        "noise": 4 * q.eta**2 * q.H * q.L / q.M * q.sigma**2,
        "drift_noise": 3 * q.eta**3 * q.H * (q.H - 1) * q.L**2 * q.sigma**2,
    }
    return terms, {}, [(q.eta * q.H * q.L, "<=", mpf(1) / 18)]


# ---- of Lemma F.3


def powered_descent(q):
    terms = {
        "gap": q.gap,
        "descent": -q.eta * q.mu / 2 * q.gap**q.alpha,
        "heterogeneity": q.eta / 2 * q.zeta**2,
        "noise": q.L * q.eta**2 * q.sigma**2 / q.M,
    }
    conditions = [
        (q.eta, "<=", 1 / q.L),
        (q.gradient_norm**2, ">=", q.mu * q.gap**q.alpha - q.zeta**2),
    ]
    return terms, {}, conditions


def jensen(q):
    return {"powers": q.mean_power}, {}, [(q.alpha, ">", mpf(1))]


def power_of_a_sum(q):
    return {"power": (q.a + q.b) ** q.power}, {}, []


def convexity(q):
    terms = {
        "first": q.weight * q.x ** (-(q.alpha - 1)),
        "second": (1 - q.weight) * q.y ** (-(q.alpha - 1)),
    }
    return terms, {}, []


def twice_the_floor(q):
    C = sum(parts_of_floor_f3(q).values())
    return {"floor": 2 * C}, {"C_F3": C}, [(q.eta, "<=", 1 / q.L), (q.s_r, "<=", C)]


# ---- of Theorem F.4


def same_type(q):
    C, kappa = sum(parts_of_floor_f4(q).values()), q.eta * q.H * q.mu / 4
    return {"floor": kappa * C**q.alpha}, {"C_F4": C, "kappa_F4": kappa}, step_of_f4(q)


# At the second point of each, hypotheses hold with equality where floats can; at the third they fail.
STEPS = [dict(H=7), dict(H=1), dict(H=1000)]
LOCAL = [
    dict(M=4, L=3, eta=0.002, H=6, zeta=0.7, sigma=2.5),
    dict(M=1, L=0.25, eta=0.125, H=1, zeta=0, sigma=0),
    dict(M=50, L=1.5, eta=0.3, H=12, zeta=0.01, sigma=9),
]
SHORT = [
    dict(M=4, L=3, eta=0.0005, H=6, zeta=0.7, sigma=2.5),
    dict(M=1, L=0.25, eta=0.125, H=1, zeta=0, sigma=2),
    dict(M=50, L=1.5, eta=0.001, H=12, zeta=0.01, sigma=9),
]
ONE_STEP = [
    dict(M=4, L=3, eta=0.2, zeta=0.7, sigma=2.5),
    dict(M=2, L=0.5, eta=2, zeta=1, sigma=0),
    dict(M=50, L=1.5, eta=0.9, zeta=0.01, sigma=9),
]
SHAPES = [dict(alpha=1.25, mu=0.3), dict(alpha=2, mu=4), dict(alpha=1.1, mu=0.02)]
LINEAR = [dict(mu_1=0.3), dict(mu_1=1), dict(mu_1=5)]
ROUNDS = [dict(R=90), dict(R=0), dict(R=5)]
STARTS = [dict(f0_gap=3.5), dict(f0_gap=0.125), dict(f0_gap=11)]
GAPS = [dict(gap=3.5), dict(gap=0.625), dict(gap=11)]


POINTS = {
    "D.claim.sumsq": (sum_of_squares, STEPS),
    "D.claim.sum": (sum_of_steps, STEPS),
    "D.claim.complete": (
        completed_sum,
        joined(without(LOCAL, "M", "zeta"), each("client_gradient_norm", 1.3, 2, 40), each("client_drift", 0.06, 0, 700)),
    ),
    "D.claim.half": (half, joined(each("L", 3, 0.5, 1.5), each("eta", 0.002, 0.25, 0.3), each("H", 6, 4, 12))),
    "D.claim.step2L": (
        unrolled_f2_one_step,
        joined(
            [
                dict(M=4, L=3, eta=0.1, zeta=0.7, sigma=2.5, r=25),
                dict(M=2, L=0.5, eta=1, zeta=1, sigma=0, r=0),
                dict(M=50, L=1.5, eta=0.9, zeta=0.01, sigma=9, r=5),
            ],
            LINEAR,
            STARTS,
        ),
    ),
    "D.claim.H1end": (one_step_concludes, joined(without(LOCAL, "H"), LINEAR, ROUNDS, STARTS)),
    "D.claim.polar": (
        polarization,
        [
            dict(a_norm=1.5, b_norm=0.7, sum_norm=1.9),
            dict(a_norm=2, b_norm=2, sum_norm=0),
            dict(a_norm=0.25, b_norm=30, sum_norm=30.25),
        ],
    ),
    "D.claim.neg": (
        negative_factor,
        joined(each("L", 3, 0.5, 1.5), each("eta", 0.002, 0.25, 0.3), each("H", 6, 8, 12)),
    ),
    "D.claim.18": (eighteenth, joined(LOCAL, GAPS, each("gradient_norm", 1.3, 0, 40))),
    "D.claim.unroll": (theorem_f2, joined(LOCAL, LINEAR, ROUNDS, STARTS)),
    "D.claim.eta1L": (
        powered_descent,
        # (19): with room to spare; with equality; and failing, on a gap that heterogeneity does not explain.
        joined(ONE_STEP, SHAPES, GAPS, [dict(gradient_norm=norm) for norm in (1.3, 0.75, 0.1)]),
    ),
    "D.claim.jensen": (jensen, joined(each("alpha", 1.25, 2, 1.001), each("mean_power", 4.5, 0, 300))),
    "D.claim.super": (
        power_of_a_sum,
        [dict(power=1.25, a=3.5, b=0.2), dict(power=1, a=0, b=2), dict(power=20, a=0.7, b=0.9)],
    ),
    "D.claim.convex": (
        convexity,
        [
            dict(alpha=1.25, x=3.5, y=0.2, weight=0.3),
            dict(alpha=2, x=4, y=0.5, weight=0),
            dict(alpha=1.1, x=1e-6, y=50, weight=1),
        ],
    ),
    "D.claim.2C": (twice_the_floor, joined(ONE_STEP, SHAPES, each("s_r", 0.4, 0.5, 200))),
    "D.claim.same": (same_type, joined(SHORT, SHAPES)),
    "D.claim.F4end": (theorem_f4, joined(SHORT, SHAPES, ROUNDS, STARTS)),
}  # fmt: skip


if __name__ == "__main__":
    show(POINTS)
