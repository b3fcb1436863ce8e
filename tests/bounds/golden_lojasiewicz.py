"""More points for golden.py: definitions, equations, lemmas and theorems of the fedavg_lojasiewicz transcription.

Typed by hand from the transcription, like golden.py and with no line in common with the program.
Gaps are to F*, so that F* itself is on neither side. golden_lojasiewicz_claims.py holds the claims in prose.
`python golden_lojasiewicz.py` prints everything.
"""

from mpmath import mpf
from typed_points import each, joined, root, show, without

# ---- definitions


def reference(q):
    return {"mean": q.f_star_mean}, {}, []


def mean_gap(q):
    return {"value": q.mean_F, "reference": -q.F_star}, {}, []


def initial_gap(q):
    return {"value": q.F_0, "reference": -q.F_star}, {}, []


def shifted_gap(q):
    return {"gap": q.s_r, "floor": -q.C_F3}, {}, []


def weight(q):
    return {"weight": 1 / root(q.eta * q.H)}, {}, []


def parts_of_floor_f3(q):
    return {
        "heterogeneity": (q.zeta**2 / q.mu) ** (1 / q.alpha),
        "noise": (2 * q.L * q.eta * q.sigma**2 / (q.M * q.mu)) ** (1 / q.alpha),
    }


def parts_of_floor_f4(q):
    return {
        "heterogeneity": (8 * q.zeta**2 / q.mu) ** (1 / q.alpha),
        "noise": (16 * q.L * q.eta * q.sigma**2 / (q.M * q.mu)) ** (1 / q.alpha),
    }


def floor_f3(q):
    return parts_of_floor_f3(q), {}, []


def floor_f4(q):
    return parts_of_floor_f4(q), {}, []


def rate_f3(q):
    return {"decrease": q.eta * q.mu / 2}, {}, [(q.alpha, ">", mpf(1))]


def rate_f4(q):
    return {"decrease": q.eta * q.H * q.mu / 4}, {}, [(q.alpha, ">", mpf(1))]


def negative_power(q):
    return {"power": q.x ** (-(q.alpha - 1))}, {}, []


# ---- step sizes


def step_of_f2(q):
    return [(q.eta, "<=", 1 / (18 * q.L * q.H))]


def step_of_f3(q):
    return [(q.eta, "<=", 1 / q.L)]


def step_of_f4(q):
    return [(q.eta, "<=", 1 / (18 * q.M * q.L * q.H))]


# ---- reconstructed lemmas, and (19)


def equation_19(q):
    return {"gradient": q.gradient_norm**2, "heterogeneity": q.zeta**2}, {}, []


def lemma_c1(q):
    return {"gradient": 2 * q.gradient_norm**2, "heterogeneity": 2 * q.zeta**2}, {}, []


def lemma_d1(q):
    return {"gap": q.gap, "slope": q.directional_derivative, "curvature": q.L / 2 * q.move**2}, {}, []


# ---- one round


def variance_at_most(q):
    return {"noise": q.sigma**2 / q.M}, {}, []


def variance_of_the_mean(q):
    # 1/M^2 sum_c is the average over the agents, over M.
    return {"noise": 1 / q.M**2 * (q.M * q.mean_noise_variance)}, {}, []


def lemma_f1(q):
    terms = {
        "gradient": 4 * q.eta**2 * (q.H - 1) ** 2 * q.gradient_norm**2,
        "heterogeneity": 4 * q.eta**2 * (q.H - 1) ** 2 * q.zeta**2,
        "noise": 4 * q.eta**2 * (q.H - 1) * q.sigma**2,
    }
    return terms, {}, [(q.eta, "<=", 1 / (q.L * q.H))]


def equation_35(q):
    terms = {
        "gap": q.gap,
        "descent": -q.eta * (1 - q.L * q.eta) * q.gradient_norm**2,
        "noise": q.L * q.eta**2 * q.sigma**2 / q.M,
    }
    return terms, {}, []


def equation_36(q):
    beta = 1 / root(q.eta * q.H)
    terms = {
        "gap": q.gap,
        "direction": 1 / (2 * beta**2) * q.direction_error**2,
        "descent": -1 / (2 * beta**2) * q.gradient_norm**2,
        "move": q.L / 2 * q.mean_square_move,
        "mean_move": -(beta**2) / 2 * q.mean_move**2,
    }
    return terms, {"beta": beta}, []


def equation_37(q):
    return {"drift": q.L**2 * q.drift}, {}, []


def equation_38(q):
    terms = {
        "gradient": 4 * q.eta**2 * (q.H - 1) ** 2 * q.L**2 * q.gradient_norm**2,
        "heterogeneity": 4 * q.eta**2 * (q.H - 1) ** 2 * q.L**2 * q.zeta**2,
        "noise": 4 * q.eta**2 * (q.H - 1) * q.L**2 * q.sigma**2,
    }
    return terms, {}, step_of_f2(q)


def noise_of_a_round(q):
    return {
        "noise": 4 * q.eta**2 * q.H * q.L / q.M * q.sigma**2,
        "drift_noise": 3 * q.eta**3 * q.H * (q.H - 1) * q.L**2 * q.sigma**2,
    }


def equation_39(q):
    terms = {
        "gap": q.gap,
        "descent": -q.eta * q.H / 4 * q.gradient_norm**2,
        "heterogeneity": q.eta * q.H * q.zeta**2,
    }
    return terms | noise_of_a_round(q), {}, step_of_f2(q)


def powered_round(q, gap):
    terms = {
        "gap": gap,
        "descent": -q.eta * q.mu / 2 * gap**q.alpha,
        "heterogeneity": q.eta / 2 * q.zeta**2,
        "noise": q.L * q.eta**2 * q.sigma**2 / q.M,
    }
    return terms, {}, step_of_f3(q)


def equation_40(q):
    return powered_round(q, q.gap)


def recursion_f3(q):
    return powered_round(q, q.s_r)


def equation_41(q):
    C = sum(parts_of_floor_f3(q).values())
    v = q.s_r - C
    terms = {
        "gap": v,
        "descent": -q.eta * q.mu / 2 * (v + C) ** q.alpha,
        "heterogeneity": q.eta * q.zeta**2,
    }
    return terms, {"C_F3": C, "v_r": v}, step_of_f3(q)


def equation_42(q):
    C, kappa = sum(parts_of_floor_f3(q).values()), q.eta * q.mu / 2
    return {"decrease": -kappa}, {"C_F3": C, "kappa_F3": kappa}, [*step_of_f3(q), (q.s_r, ">=", C)]


def recursion_f2_one_step(q):
    q.H = mpf(1)
    terms = {
        "gap": (1 - q.eta * q.mu_1 * (1 - q.L * q.eta)) * q.gap,
        "heterogeneity": q.eta * (1 - q.L * q.eta) * q.zeta**2,
        "noise": q.L * q.eta**2 * q.sigma**2 / q.M,
    }
    return terms, {"H": q.H}, step_of_f2(q)


def recursion_f2(q):
    terms = {
        "gap": q.gap,
        "descent": -q.eta * q.H * q.mu_1 / 4 * q.gap,
        "heterogeneity": 2 * q.eta * q.H * q.zeta**2,
    }
    return terms | noise_of_a_round(q), {}, step_of_f2(q)


def recursion_f4(q):
    terms = {
        "gap": q.gap,
        "descent": -q.eta * q.H / 4 * q.gap * q.gradient_norm**2,
        "heterogeneity": 2 * q.eta * q.H * q.zeta**2,
    }
    return terms | noise_of_a_round(q), {}, step_of_f4(q)


# ---- all rounds


def unrolled_f2_one_step(q):
    terms = {
        "initialization": (1 - q.eta * q.mu_1 / 2) ** q.r * q.f0_gap,
        "heterogeneity": q.zeta**2 / q.mu_1,
        "noise": 2 * q.L * q.eta * q.sigma**2 / (q.mu_1 * q.M),
    }
    return terms, {}, [(q.eta, "<=", 1 / (2 * q.L))]


def above_the_floor(q, C, kappa):
    a = q.alpha
    slowed = (kappa * q.R * (a - 1) * q.f0_gap ** (a - 1) + 1) ** (1 / (a - 1))
    return {"floor": C, "initialization": q.f0_gap / slowed}


def unrolled_f3(q):
    C, kappa = sum(parts_of_floor_f3(q).values()), q.eta * q.mu / 2
    derived = {"C_F3": C, "kappa_F3": kappa}
    return above_the_floor(q, C, kappa), derived, [*step_of_f3(q), (q.s_min, ">=", C)]


def unrolled_f4(q):
    C, kappa = sum(parts_of_floor_f4(q).values()), q.eta * q.H * q.mu / 4
    derived = {"C_F4": C, "kappa_F4": kappa}
    return above_the_floor(q, C, kappa), derived, step_of_f4(q)


def theorem_f2(q):
    terms = {
        "initialization": (1 - q.eta * q.H * q.mu_1 / 4) ** q.R * q.f0_gap,
        "heterogeneity": 8 * q.zeta**2 / q.mu_1,
        "noise": 16 * q.eta * q.L / q.M * q.sigma**2,
        "drift_noise": 12 * q.eta**2 * (q.H - 1) * q.L**2 * q.sigma**2,
    }
    return terms, {}, step_of_f2(q)


def theorem_f4(q):
    speed = 1 / (q.alpha - 1)
    progress = q.R**speed * q.f0_gap * (q.eta * q.H * q.mu * (q.alpha - 1) / 4) ** speed
    terms = {
        "initialization": q.f0_gap / (1 + progress),
        "heterogeneity": 2 * (8 * q.zeta**2 / q.mu) ** (1 / q.alpha),
        "noise": 2 * (16 * q.L * q.eta * q.sigma**2 / (q.M * q.mu)) ** (1 / q.alpha),
    }
    return terms, {}, step_of_f4(q)


# The third step size of each list is too long; the second is the longest of F.1, of F.3 and of D.F2.s3.
LOCAL = [
    dict(M=10, L=4, eta=0.001, H=5, zeta=0.3, sigma=1.5),
    dict(M=1, L=0.5, eta=0.0625, H=1, zeta=0, sigma=0),
    dict(M=3, L=2, eta=0.5, H=7, zeta=1, sigma=0.1),
]
SHORT = [
    dict(M=10, L=4, eta=0.0002, H=5, zeta=0.3, sigma=1.5),
    dict(M=1, L=0.5, eta=0.0625, H=1, zeta=0, sigma=0),
    dict(M=300, L=2, eta=0.003, H=7, zeta=1, sigma=20),
]
ONE_STEP = [
    dict(M=10, L=4, eta=0.1, zeta=0.3, sigma=1.5),
    dict(M=1, L=4, eta=0.25, zeta=1, sigma=0),
    dict(M=3, L=2, eta=1, zeta=1, sigma=0.1),
]
TWICE_SHORTER = [
    dict(M=10, L=4, eta=0.1, zeta=0.3, sigma=1.5, r=30),
    dict(M=2, L=2, eta=0.25, zeta=1, sigma=0.5, r=0),
    dict(M=3, L=2, eta=1, zeta=0, sigma=0.1, r=3),
]
DRIFT = [
    dict(L=4, eta=0.02, H=10, zeta=0.3, sigma=1.5),
    dict(L=2, eta=0.25, H=2, zeta=0, sigma=2),
    dict(L=0.1, eta=3, H=40, zeta=7, sigma=0.5),
]
SHAPES = [dict(alpha=1.5, mu=0.5), dict(alpha=2, mu=4), dict(alpha=1.05, mu=0.01)]
LINEAR = [dict(mu_1=0.5), dict(mu_1=2), dict(mu_1=4)]
ROUNDS = [dict(R=200), dict(R=0), dict(R=3)]
STARTS = [dict(f0_gap=2), dict(f0_gap=0.25), dict(f0_gap=70)]
GAPS = [dict(gap=2), dict(gap=0), dict(gap=70)]
GRADIENTS = [dict(gradient_norm=norm) for norm in (1.7, 0, 40)]
# At the second point the floor of Lemma F.3 is 1/2.
ABOVE, AT, BELOW = 2, 0.5, 1


POINTS = {
    "D.def.Fstar": (reference, each("f_star_mean", -1.25, 0, 3e4)),
    "fedavg_lojasiewicz.definitions.gap": (mean_gap, joined(each("mean_F", 2.5, -3, 0.1), each("F_star", -1.25, -3, 0.01))),
    "fedavg_lojasiewicz.definitions.initial_gap": (initial_gap, joined(each("F_0", 7, 0, -0.3), each("F_star", 1.5, -2, -40))),
    "fedavg_lojasiewicz.definitions.shifted_gap": (shifted_gap, joined(each("s_r", 2, 0.5, 0), each("C_F3", 0.7, 0, 3))),
    "D.def.beta": (weight, joined(each("eta", 0.02, 0.25, 3), each("H", 10, 1, 40))),
    "D.def.C.F3": (floor_f3, joined(ONE_STEP, SHAPES)),
    "D.def.kappa.F3": (rate_f3, joined(each("eta", 0.1, 0.25, 3), SHAPES)),
    "D.def.C.F4": (floor_f4, joined(without(SHORT, "H"), SHAPES)),
    "D.def.kappa.F4": (rate_f4, joined(each("eta", 0.1, 0.25, 3), each("H", 5, 1, 70), SHAPES)),
    "D.def.g": (negative_power, joined(each("x", 3, 0.25, 1e-6), each("alpha", 1.5, 2, 1.05))),
    "fedavg_lojasiewicz.equation_19.general": (equation_19, joined(GRADIENTS, each("zeta", 0.3, 1, 0))),
    "fedavg_lojasiewicz.equation_19.exponent_one": (equation_19, joined(GRADIENTS, each("zeta", 0.3, 1, 0))),
    "fedavg_lojasiewicz.equation_33.bound": (variance_at_most, joined(each("M", 10, 1, 3), each("sigma", 1.5, 0, 0.1))),
    "fedavg_lojasiewicz.equation_33.equality": (
        variance_of_the_mean,
        joined(each("M", 10, 1, 3), each("mean_noise_variance", 2.2, 0, 0.01)),
    ),
    "D.lemC1": (lemma_c1, joined(GRADIENTS, each("zeta", 0.3, 1, 0))),
    "D.lemD1": (
        lemma_d1,
        joined(GAPS, each("L", 4, 0.5, 2), each("directional_derivative", -0.75, 0, 3), each("move", 0.4, 2, 0)),
    ),
    "D.F1": (lemma_f1, joined(DRIFT, GRADIENTS)),
    "D.eq35": (equation_35, joined(without(ONE_STEP, "zeta"), GAPS, each("gradient_norm", 1.7, 3, 40))),
    "D.eq36": (
        equation_36,
        [
            dict(L=4, eta=0.02, H=10, gap=2, gradient_norm=1.7, direction_error=0.4, mean_square_move=0.16, mean_move=0.3),
            dict(L=0.5, eta=0.25, H=1, gap=0, gradient_norm=3, direction_error=0, mean_square_move=0.625, mean_move=0.75),
            dict(L=0.1, eta=3, H=40, gap=70, gradient_norm=0, direction_error=5, mean_square_move=9, mean_move=0),
        ],
    ),
    "D.eq37": (equation_37, joined(each("L", 4, 0.5, 0.1), each("drift", 0.3, 0, 900))),
    "D.eq38": (equation_38, joined(without(LOCAL, "M"), GRADIENTS)),
    "D.eq39": (equation_39, joined(LOCAL, GAPS, GRADIENTS)),
    "D.eq40": (equation_40, joined(ONE_STEP, SHAPES, GAPS)),
    "D.eq41": (equation_41, joined(ONE_STEP, SHAPES, each("s_r", ABOVE, AT, BELOW))),
    "D.eq42": (equation_42, joined(ONE_STEP, SHAPES, each("s_r", ABOVE, AT, BELOW))),
    "D.F2.s2": (recursion_f2_one_step, joined(without(LOCAL, "H"), LINEAR, GAPS)),
    "D.F2.s3": (unrolled_f2_one_step, joined(TWICE_SHORTER, LINEAR, STARTS)),
    "D.F2.s15": (recursion_f2, joined(LOCAL, LINEAR, GAPS)),
    "D.F2": (theorem_f2, joined(LOCAL, LINEAR, ROUNDS, STARTS)),
    "D.F3.s4": (recursion_f3, joined(ONE_STEP, SHAPES, each("s_r", ABOVE, AT, BELOW))),
    "D.F3.s11": (unrolled_f3, joined(ONE_STEP, SHAPES, ROUNDS, STARTS, each("s_min", ABOVE, AT, BELOW))),
    "D.F4.s1": (recursion_f4, joined(SHORT, GAPS, GRADIENTS)),
    "D.F4.s2": (unrolled_f4, joined(SHORT, SHAPES, ROUNDS, STARTS)),
    "D.F4": (theorem_f4, joined(SHORT, SHAPES, ROUNDS, STARTS)),
}  # fmt: skip


if __name__ == "__main__":
    show(POINTS)
