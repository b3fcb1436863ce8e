"""More points for golden.py: the amended forms of Fed-alpha-NormEC.

Typed by hand from docs/amended/fed_norm_ec.md, with no line in common with the program.
`python golden_amended_a.py` prints everything.
"""

from mpmath import mp, mpf
from typed_points import plus, root, show, without


def lemma_1(q):
    conditions = [
        (q.operator_move, "<=", q.rho * q.server_move),
        (q.memory_error, "<=", q.C),
        (q.server_move, "<=", q.eta),
        (q.beta, "<", q.alpha + q.C + 2 * root(q.alpha * q.C)),
        (q.eta, "<=", q.gamma * q.beta * q.C / ((1 + q.rho) * (q.alpha + q.C))),
        (q.eta, "<=", (q.C - max(mpf(0), root(q.beta) - root(q.alpha)) ** 2) * q.gamma / (1 + q.rho)),
    ]
    return {"memory": q.C}, {}, conditions


def lemma_2(q):
    terms = {"start": q.initial_walk_norm, "diffusion": q.beta * q.sigma * root((q.K + 1) / q.M)}
    return terms, {}, [(q.increment_second_moment, "<=", q.sigma**2)]


def lemma_8(q):
    terms = {"drift": q.gamma * root(q.L * q.gap + q.L * q.Delta_i_inf_mean)}
    return terms, {}, [(q.gamma, "<=", 1 / (2 * q.L))]


def lemma_9_step(q):
    return {"step": 2 * q.eta}, {}, [(q.gamma, "<=", 1 / (2 * q.L)), (q.server_move, "<=", q.eta)]


def lemma_9_drift(q):
    terms = {"drift": q.gamma * q.L * q.ig_drift}
    return terms, {}, [(q.gamma, "<=", 1 / (2 * q.L)), (q.server_move, "<=", q.eta)]


def variance(p, sigma):
    """2 (1-p)^2/p + 2 (1-p) + 2 sigma^2/p, the first two together."""
    return 2 * (1 - p) / p + 2 * sigma**2 / p


def overshoot(beta, alpha, R):
    """beta <= (sqrt(alpha) + sqrt(R))^2"""
    return (beta, "<=", alpha + R + 2 * root(alpha * R))


def theorem(q, B):
    terms = {
        "initialization": q.f0_gap / (q.eta * (q.K + 1)),
        "memory": 2 * q.R,
        "sampling_and_noise": 2 * q.beta * root(B / 2 * (q.K / 2 + 1) / q.M),
        "step": q.L * q.eta / 2,
    }
    conditions = [
        overshoot(q.beta, q.alpha, q.R),
        (q.gamma, "<=", 1 / (2 * q.L)),
        (q.eta, "<=", mpf("0.75") * q.beta * q.R / (q.alpha + q.R) / q.L),
    ]
    return terms, conditions


def theorem_1(q):
    B = variance(q.p, q.sigma_DP)
    terms, conditions = theorem(q, B)
    terms["drift"] = (
        mpf("1.2") * (q.T - 1) / q.T * q.gamma * q.L * root(2 * q.L * q.f0_gap + 2 * q.L * q.Delta_inf)
    )
    return terms, {"B": B}, conditions


def theorem_2(q):
    B = variance(q.p, q.sigma_DP)
    terms, conditions = theorem(q, B)
    terms["component_drift"] = 2 * q.gamma * q.L ** mpf("1.5") * root(q.Delta_i_inf_mean + q.f0_gap)
    return terms, {"B": B}, conditions


def full(q):
    terms, (memory, _, (eta, relation, limit)) = theorem(Full(q), mpf(0))
    del terms["sampling_and_noise"]
    conditions = [memory, (eta, relation, limit * 4 / 3)]
    return terms, {"T": mpf(1), "p": mpf(1), "sigma_DP": mpf(0)}, conditions


class Full:
    """Any number of clients: their mean has no variance. Any gamma: it is in no term."""

    def __init__(self, q):
        self.__dict__ = {"M": mpf(1), "gamma": mpf(1)} | vars(q)


def rate(q):
    n = root(q.K + 1)
    conditions = [
        overshoot(q.beta, q.alpha, q.c_rate_R / n),
        (q.c_rate_eta, "<=", q.beta * q.c_rate_R / (q.alpha + q.c_rate_R) / q.L),
    ]
    return (
        {"rate": q.c_rate / n},
        {"R": q.c_rate_R / n, "eta": q.c_rate_eta / n},
        conditions,
    )


def drift(q):
    size = mpf(0) if q.T == 1 else 8 * q.gamma * q.L * root(2 * q.L * q.Delta_inf)
    return {"drift": size}, {}, []


def corollary_of_rate(q, **drifts):
    """Powers 1/6, 2/3 and 5/6 of K + 1."""
    m = mpf(q.K + 1)
    n, middle, long = m ** (1 / mpf(6)), mpf(2) / 3, mpf(5) / 6
    B = variance(q.p, q.sigma_DP)
    eta_hat = q.D_1 * q.D_2 / (q.alpha + q.D_1) * 3 / (4 * q.L)
    terms = {
        "initialization": q.f0_gap / (eta_hat * n),
        "memory": 2 * q.D_1 / n,
        "sampling_and_noise": 2 * q.D_2 * root(B / 2 / q.M) / n,
        "step": q.L * eta_hat / (2 * m**long),
    } | {name: size / n for name, size in drifts.items()}
    beta = q.D_2 / m**middle
    derived = {"eta_hat": eta_hat, "beta": beta, "R": q.D_1 / n, "eta": eta_hat / m**long}
    return terms, derived, [overshoot(beta, q.alpha, q.D_1 / n)]


def corollary_2(q):
    several = mpf("0.6") * (q.T - 1) / q.T
    terms, derived, conditions = corollary_of_rate(
        q, drift=several * root(2 * q.L * (q.f0_gap + q.Delta_inf))
    )
    return terms, derived | {"gamma": 1 / (2 * q.L * root(q.K + 1, 6))}, [*conditions, (q.T, ">", mpf(1))]


def corollary_5(q):
    drift = root(q.L * q.f0_gap + q.L * q.Delta_i_inf_mean)
    terms, derived, conditions = corollary_of_rate(q, component_drift=drift)
    return terms, derived | {"gamma": 1 / (2 * q.L * root(q.K + 1, 6))}, [*conditions, (q.T, ">", mpf(1))]


def corollary_4(q):
    terms, derived, conditions = corollary_of_rate(q)
    return terms, derived | {"gamma": 1 / (2 * q.L)}, conditions


class Private:
    """What Corollaries 1, 3 and 6 prescribe, with alpha = R as an input or of its order."""

    def __init__(self, q, gamma):
        self.gamma = gamma
        self.privacy = mp.log(1 / q.delta) / q.epsilon**2
        self.B_2 = 2 * q.c**2 * q.B_hat / q.M * self.privacy
        self.beta_hat = root(3 * q.f0_gap / gamma) * root(q.M / self.B_2 / q.d, 4)
        self.R = q.R if hasattr(q, "R") else q.c_R * root(q.f0_gap / gamma) * root(q.d * self.B_2 / q.M, 4)
        self.beta = self.beta_hat / (q.K + 1)

    def memory(self):
        return (self.beta, "<=", 4 * self.R)

    def derived(self):
        names = ("B_2", "beta_hat", "beta", "R")
        return {n: getattr(self, n) for n in names} | {"alpha": self.R, "eta": self.gamma * self.beta / 4}


def of_order_in_K(q):
    return {"sampling": q.c_O_sampling / root(q.K + 1), "step": q.c_O_step / (q.K + 1)}


def conditions_of_rate(q, made):
    return [made.memory(), (q.B_hat, "<=", q.M), (q.f0_gap, ">", mpf(0))]


def corollary_1_rate(q):
    made = Private(q, 1 / (2 * q.L))
    utility = q.c_O * root(q.L * q.f0_gap) * root(q.d * q.B_hat / q.M**2 * made.privacy, 4)
    derived = made.derived() | {"Delta": root(q.L * q.f0_gap), "gamma": made.gamma}
    return {"utility": utility} | of_order_in_K(q), derived, conditions_of_rate(q, made)


def corollary_1_appendix(q):
    made = Private(q, 1 / (2 * q.L))
    utility = q.c_O * root(2 * q.L * q.f0_gap) * root(q.d * made.B_2 / q.M, 4)
    return {"utility": utility} | of_order_in_K(q), made.derived(), conditions_of_rate(q, made)


def explicit(q, made):
    """With alpha = R."""
    balance = root(q.f0_gap / made.gamma / 3) * root(q.d * made.B_2 / q.M, 4)
    B_1 = 2 * (q.M / q.B_hat - 1)  # 2 p ((1 - 1/p)^2 + 1/p - 1) at p = B_hat/M
    terms = {
        "smoothing": 2 * balance,
        "noise": (2 + root(18)) * balance,
        "memory": 2 * made.R,
        "sampling": made.beta_hat * root(2 * B_1 / (q.M * (q.K + 1))),
        "step": q.L * made.gamma * made.beta / 8,
    }
    derived = {n: x for n, x in made.derived().items() if n != "R"} | {"B_1": B_1}
    return terms, derived, made.memory()


def corollary_1_explicit(q):
    terms, derived, memory = explicit(q, Private(q, 1 / (2 * q.L)))
    return terms, derived, [memory, (q.B_hat, "<=", q.M)]


def corollary_3_explicit(q):
    made = Private(q, q.gamma)
    terms, derived, memory = explicit(q, made)
    several = mpf("1.2") * (q.T - 1) / q.T
    terms["drift"] = several * q.gamma * q.L * root(2 * q.L * (q.f0_gap + q.Delta_inf))
    return terms, derived, [memory, (q.gamma, "<=", 1 / (2 * q.L)), (q.B_hat, "<=", q.M), (q.T, ">", mpf(1))]


def utility_of_several_steps(q, name, heterogeneity):
    made = Private(q, q.gamma)
    Delta = root(q.f0_gap / q.gamma)
    terms = {
        "utility": q.c_O * Delta * root(q.d * q.B_hat / q.M**2 * made.privacy, 4),
        name: q.c_O * q.gamma * q.L ** mpf("1.5") * root(q.f0_gap + heterogeneity),
    } | of_order_in_K(q)
    conditions = [
        made.memory(),
        (q.gamma, "<=", 1 / (2 * q.L)),
        (q.B_hat, "<=", q.M),
        (q.T, ">", mpf(1)),
        (q.f0_gap, ">", mpf(0)),
    ]
    return terms, made.derived() | {"Delta": Delta}, conditions


def corollary_3_rate(q):
    return utility_of_several_steps(q, "drift", q.Delta_inf)


def corollary_6(q):
    return utility_of_several_steps(q, "component_drift", q.Delta_i_inf_mean)


RUNS = [
    dict(K=100, T=5, M=10, L=1.5, f0_gap=1, Delta_inf=0.7, eta=1e-3, R=0.1, alpha=0.1, beta=0.08, p=0.5, sigma_DP=0.1, gamma=0.05),
    dict(K=0, T=1, M=1, L=0.25, f0_gap=0, Delta_inf=0, eta=3, R=2, alpha=1, beta=2, p=1, sigma_DP=0, gamma=1.5),
    dict(K=7, T=2, M=3, L=40, f0_gap=9, Delta_inf=3, eta=0.5, R=0.01, alpha=30, beta=0.2, p=0.01, sigma_DP=5, gamma=3),
]  # fmt: skip
PASSES = plus(without(RUNS, "T", "Delta_inf"), dict(Delta_i_inf_mean=2), dict(Delta_i_inf_mean=0.01), dict(Delta_i_inf_mean=70))  # fmt: skip
RATES = [
    dict(K=99, T=5, M=10, L=1.5, f0_gap=1, Delta_inf=0.7, D_1=1, D_2=1.25, alpha=0.1, p=0.5, sigma_DP=0.1),
    dict(K=0, T=1, M=1, L=0.25, f0_gap=0, Delta_inf=0, D_1=0.5, D_2=3, alpha=2, p=1, sigma_DP=0),
    dict(K=6560, T=2, M=3, L=40, f0_gap=9, Delta_inf=3, D_1=20, D_2=0.03, alpha=30, p=0.01, sigma_DP=5),
]  # fmt: skip
PRIVATE = [
    dict(K=1000, L=1.5, f0_gap=1, M=100, B_hat=10, c=1.5, epsilon=1, delta=1e-5),
    dict(K=0, L=0.25, f0_gap=3, M=4, B_hat=4, c=0.5, epsilon=20, delta=0.5),
    dict(K=30, L=40, f0_gap=0.5, M=7, B_hat=9, c=2, epsilon=0.1, delta=1e-9),
]  # fmt: skip
ORDERS = [
    dict(d=100, c_R=1, c_O=1, c_O_sampling=1, c_O_step=2),
    dict(d=1, c_R=0.01, c_O=3, c_O_sampling=0.1, c_O_step=0.3),
    dict(d=10000, c_R=2, c_O=0.5, c_O_sampling=7, c_O_step=9),
]  # fmt: skip
SEVERAL = [dict(T=5, gamma=0.05), dict(T=1, gamma=2.5), dict(T=2, gamma=0.001)]
RADII = [dict(R=1, d=100), dict(R=0.25, d=1), dict(R=90, d=3)]
BETWEEN = [dict(Delta_inf=0.7), dict(Delta_inf=0), dict(Delta_inf=3)]
INSIDE = [dict(Delta_i_inf_mean=2), dict(Delta_i_inf_mean=0.01), dict(Delta_i_inf_mean=70)]
STEPS = [
    dict(gamma=0.3, L=1.5, eta=0.01, server_move=0.008),
    dict(gamma=4, L=0.25, eta=2, server_move=0),
    dict(gamma=0.01, L=40, eta=0.5, server_move=0.75),
]  # fmt: skip

POINTS = {
    "A.lem1 amended": (
        lemma_1,
        [
            dict(C=1, alpha=1, beta=0.5, gamma=1, rho=2, eta=0.05, memory_error=0.8, server_move=0.04, operator_move=0.07),
            dict(C=0.5, alpha=0.25, beta=0.75, gamma=3, rho=1, eta=0.5, memory_error=0, server_move=0, operator_move=0),
            dict(C=70, alpha=9, beta=2, gamma=0.01, rho=0.1, eta=1, memory_error=80, server_move=2, operator_move=1),
        ],
    ),
    "A.lem2 amended": (
        lemma_2,
        [
            dict(K=98, M=4, beta=0.1, sigma=2, initial_walk_norm=0.3, increment_second_moment=3),
            dict(K=0, M=1, beta=3, sigma=0.5, initial_walk_norm=0, increment_second_moment=0.3),
            dict(K=7, M=50, beta=0.01, sigma=9, initial_walk_norm=20, increment_second_moment=100),
        ],
    ),
    "A.lem8 amended": (
        lemma_8,
        [
            dict(gamma=0.1, L=1.5, gap=1, Delta_i_inf_mean=0.75),
            dict(gamma=1.9, L=0.25, gap=0, Delta_i_inf_mean=2),
            dict(gamma=3, L=40, gap=70, Delta_i_inf_mean=0.01),
        ],
    ),
    "A.lem9.c2 amended": (lemma_9_step, STEPS),
    "A.lem9.c3 amended": (lemma_9_step, STEPS),
    "A.lem9.c4 amended": (lemma_9_drift, plus(STEPS, dict(ig_drift=0.3), dict(ig_drift=0), dict(ig_drift=12))),
    "A.thm1 amended": (theorem_1, RUNS),
    "A.thm1.app amended": (theorem_1, RUNS),
    "A.thm2 amended": (theorem_2, PASSES),
    "A.disc.full amended": (full, without(RUNS, "T", "M", "p", "sigma_DP", "Delta_inf", "gamma")),
    "A.disc.rate amended": (
        rate,
        [
            dict(K=99, c_rate=40, c_rate_R=1, c_rate_eta=0.01, alpha=0.1, beta=0.08, L=1.5),
            dict(K=0, c_rate=1, c_rate_R=3, c_rate_eta=7, alpha=2, beta=1.5, L=0.25),
            dict(K=3, c_rate=0.1, c_rate_R=0.01, c_rate_eta=1e-6, alpha=9, beta=12, L=40),
        ],
    ),
    "A.disc.drift amended": (
        drift,
        [dict(T=5, gamma=0.3, L=1.5, Delta_inf=0.7), dict(T=1, gamma=2, L=1, Delta_inf=1), dict(T=2, gamma=3, L=40, Delta_inf=0)],
    ),
    "A.cor1 amended": (corollary_1_rate, plus(PRIVATE, *ORDERS)),
    "A.cor1.app amended": (corollary_1_appendix, plus(PRIVATE, *ORDERS)),
    "A.cor1.s8 amended": (corollary_1_explicit, [*plus(PRIVATE, *RADII)[:2], PRIVATE[2] | dict(R=90, d=3, M=12)]),
    "A.cor2 amended": (corollary_2, RATES),
    "A.cor3 amended": (corollary_3_rate, plus(PRIVATE, *plus(plus(ORDERS, *SEVERAL), *BETWEEN))),
    "A.cor3.s10 amended": (
        corollary_3_explicit,
        [point | (dict(M=12) if point["M"] == 7 else {}) for point in plus(PRIVATE, *plus(plus(RADII, *SEVERAL), *BETWEEN))],
    ),
    "A.cor4 amended": (corollary_4, without(RATES, "T", "Delta_inf")),
    "A.cor5 amended": (corollary_5, plus(without(RATES, "Delta_inf"), *INSIDE)),
    "A.cor6 amended": (corollary_6, plus(PRIVATE, *plus(plus(ORDERS, *SEVERAL), *INSIDE))),
}  # fmt: skip


if __name__ == "__main__":
    show(POINTS)
