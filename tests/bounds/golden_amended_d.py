"""More points for golden.py: the amended forms of FedAVG under a Lojasiewicz condition.

Typed by hand from docs/amended/fedavg_lojasiewicz.md, with no line in common with the program.
`python golden_amended_d.py` prints everything.
"""

from mpmath import mpf
from typed_points import plus, show, without


def theorem_f2(q):
    step = q.eta * q.H
    terms = {
        "initialization": (1 - 3 * step * q.mu_1 / 4) ** q.R * q.f0_gap,
        "heterogeneity": (q.zeta**2 + q.zeta**2 / 60) / q.mu_1,
        "noise": mpf("0.75") * q.sigma**2 / q.mu_1 * q.eta * q.L / q.M,
        "drift_noise": (step - q.eta) * q.eta * (q.L * q.sigma) ** 2 / q.mu_1,
    }
    return terms, {}, [(q.eta, "<=", 1 / (18 * q.L * q.H)), (q.mu_1, "<=", 2 * q.L)]


def claim_unrolled(q):
    rate = q.eta * q.H * q.mu_1 / 4
    terms = {
        "initialization": (1 - rate) ** q.R * q.f0_gap,
        "heterogeneity": 2 * q.eta * q.H * q.zeta**2 / rate,
        "noise": 4 * q.eta**2 * q.H * q.L / q.M * q.sigma**2 / rate,
        "drift_noise": 3 * q.eta**3 * q.H * (q.H - 1) * q.L**2 * q.sigma**2 / rate,
    }
    return terms, {}, [(q.eta, "<=", 1 / (18 * q.L * q.H)), (q.mu_1, "<=", 2 * q.L)]


def claim_one_step(q):
    q.H = mpf(1)
    return claim_unrolled(q)


def claim_two_steps(q):
    terms = {
        "initialization": (1 - q.eta * q.mu_1 / 2) ** q.r * q.f0_gap,
        "heterogeneity": q.zeta**2 / q.mu_1,
        "noise": 2 * q.eta / q.M * q.L / q.mu_1 * q.sigma**2,
    }
    return terms, {}, [(q.eta, "<=", 1 / (2 * q.L)), (q.mu_1, "<=", 2 * q.L)]


def round_of_theorem_f4(q):
    terms = {
        "gap": q.gap,
        "descent": -mpf("0.75") * q.eta * q.H * q.mu * q.gap**q.alpha,
        "heterogeneity": mpf("0.7625") * q.eta * q.H * q.zeta**2,
        "noise": mpf("0.5625") * q.eta**2 * q.H * q.L / q.M * q.sigma**2,
        "drift_noise": mpf("0.75") * q.eta**3 * q.H * (q.H - 1) * (q.L * q.sigma) ** 2,
    }
    return terms, {}, [(q.eta, "<=", 1 / (18 * q.M * q.L * q.H))]


def floor_of_one_step(q):
    return (q.zeta**2 / q.mu) ** (1 / q.alpha) + (2 * q.L * q.eta * q.sigma**2 / (q.M * q.mu)) ** (
        1 / q.alpha
    )


def equation_41(q):
    C = floor_of_one_step(q)
    terms = {
        "gap": q.s_r - C,
        "descent": -q.eta * q.mu / 2 * q.s_r**q.alpha,
        "heterogeneity": q.eta * q.zeta**2 / 2,
        "noise": q.L * q.eta**2 * q.sigma**2 / q.M,
    }
    return terms, {"C_F3": C}, [(q.eta, "<=", 1 / q.L)]


def equation_40_from_35(q):
    terms = {
        "gap": q.gap,
        "descent": -q.eta * q.mu / 2 * q.gap**q.alpha,
        "heterogeneity": q.eta * q.zeta**2 / 2,
        "noise": q.L * q.eta**2 * q.sigma**2 / q.M,
    }
    conditions = [
        (q.eta, "<=", 1 / (2 * q.L)),
        (q.gradient_norm**2, ">=", q.mu * q.gap**q.alpha - q.zeta**2),
    ]
    return terms, {}, conditions


def twice_the_floor(q):
    C, kappa = floor_of_one_step(q), q.eta * q.mu / 2
    conditions = [(q.eta, "<=", 1 / q.L), (q.s_r, "<=", C), (kappa * C ** (q.alpha - 1), "<=", mpf(1))]
    return {"floor": 2 * C}, {"C_F3": C, "kappa_F3": kappa}, conditions


def type_of_recursion(q):
    C = (8 * q.zeta**2 / q.mu) ** (1 / q.alpha) + (17 * q.L * q.eta * q.sigma**2 / (q.M * q.mu)) ** (
        1 / q.alpha
    )
    kappa = q.eta * q.H * q.mu / 4
    terms = {"floor": kappa * C**q.alpha}
    return terms, {"C_F4": C, "kappa_F4": kappa}, [(q.eta, "<=", 1 / (18 * q.M * q.L * q.H))]


def theorem_f4(q):
    power = 1 / (q.alpha - 1)
    terms = {
        "initialization": q.f0_gap
        / (1 + (q.alpha - 1) * q.R * mpf("0.75") * q.eta * q.H * q.mu * q.f0_gap ** (q.alpha - 1)) ** power,
        "heterogeneity": ((q.zeta**2 + q.zeta**2 / 60) / q.mu) ** (1 / q.alpha),
        "noise": ((1 - mpf(7) / 36) * q.L * q.eta * q.sigma**2 / (q.M * q.mu)) ** (1 / q.alpha),
    }
    return terms, {}, [(q.eta, "<=", 1 / (18 * q.M * q.L * q.H))]


LOCAL = [
    dict(L=4, M=10, H=5, eta=0.002, zeta=0.3, sigma=1.5),
    dict(L=0.5, M=1, H=1, eta=0.25, zeta=0, sigma=0),
    dict(L=0.1, M=3, H=40, eta=0.03, zeta=7, sigma=0.1),
]  # fmt: skip
SHORT = plus(LOCAL, dict(eta=0.0002, mu=0.5, alpha=1.5), dict(mu=2, alpha=2), dict(mu=0.01, alpha=1.05))
ONE_STEP = plus(without(LOCAL, "H"), dict(eta=0.1, mu=0.5, alpha=1.5), dict(eta=1.5, mu=2, alpha=2), dict(eta=15, mu=0.01, alpha=1.05))  # fmt: skip
LONG_RUNS = plus(LOCAL, dict(mu_1=0.5, R=1000, f0_gap=2), dict(mu_1=2, R=0, f0_gap=0), dict(mu_1=0.15, R=3, f0_gap=70))  # fmt: skip

POINTS = {
    "D.F2 amended": (theorem_f2, LONG_RUNS),
    "D.claim.unroll amended": (claim_unrolled, LONG_RUNS),
    "D.claim.H1end amended": (claim_one_step, without(LONG_RUNS, "H")),
    "D.claim.step2L amended": (claim_two_steps, plus(without(LONG_RUNS, "H", "R"), dict(r=1000), dict(r=0), dict(r=3))),
    "D.F4.s1 amended": (round_of_theorem_f4, plus(SHORT, dict(gap=2), dict(gap=0), dict(gap=70))),
    "D.eq41 amended": (equation_41, plus(ONE_STEP, dict(s_r=2), dict(s_r=0), dict(s_r=9000))),
    "D.claim.eta1L amended": (
        equation_40_from_35,
        plus(ONE_STEP, dict(gap=2, gradient_norm=1.2), dict(gap=0.25, gradient_norm=0.3), dict(gap=70, gradient_norm=5)),
    ),
    "D.claim.2C amended": (
        twice_the_floor,
        [
            dict(L=4, M=10, eta=0.1, zeta=0.3, sigma=1.5, mu=0.5, alpha=1.5, s_r=0.2),
            dict(L=1, M=1, eta=1, zeta=1, sigma=0, mu=100, alpha=2, s_r=0),
            dict(L=0.1, M=3, eta=15, zeta=7, sigma=0.1, mu=0.01, alpha=1.05, s_r=9000),
        ],
    ),
    "D.claim.same amended": (type_of_recursion, SHORT),
    "D.F4 amended": (theorem_f4, plus(SHORT, dict(R=10000, f0_gap=2), dict(R=0, f0_gap=1), dict(R=3, f0_gap=70))),
}  # fmt: skip


if __name__ == "__main__":
    show(POINTS)
