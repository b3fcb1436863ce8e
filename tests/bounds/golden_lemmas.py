"""More points for golden.py: the lemmas of the fed_norm_ec transcription, its Theorem 2 and Corollaries 2 to 6.

Typed by hand from the transcription, like golden.py and with no line in common with the program.
`python golden_lemmas.py` prints everything.
"""

from mpmath import mp, mpf
from typed_points import joined, root, show


def lemma_1(q):
    conditions = [
        (q.operator_move, "<=", q.rho * q.server_move),
        (q.memory_error, "<=", q.C),
        (q.server_move, "<=", q.eta),
        (q.beta / (q.alpha + q.C), "<", mpf(1)),
        (q.eta, "<=", q.gamma * q.beta * q.C / ((1 + q.rho) * (q.alpha + q.C))),
    ]
    return {"memory": q.C}, {}, conditions


def lemma_2(q):
    terms = {
        "start": q.initial_walk_norm,
        "diffusion": root(q.beta**2 * (q.K + 1) * q.sigma**2 / q.M),
    }
    return terms, {}, [(q.increment_second_moment, "<=", q.sigma**2)]


def variance_proxy(q):
    return 2 * q.p * (1 - 1 / q.p) ** 2 + 2 * (1 - q.p) + 2 * q.sigma_DP**2 / q.p


def lemma_3(q):
    B = variance_proxy(q)
    return {"sampling_and_noise": root(q.beta**2 * B / q.M * (q.K + 1))}, {"B": B}, []


def lemma_5(q):
    step = q.gamma_sequence
    terms = {
        "initialization": mp.exp(q.b_1 * step**2 * (q.K + 1)) / (q.K + 1) * q.V_0 / (q.b_2 * step),
        "floor": q.b_3 / q.b_2,
    }
    descent = (1 + q.b_1 * step**2) * q.V_k - q.b_2 * step * q.W_k + q.b_3 * step
    return terms, {}, [(q.V_next, "<=", descent)]


def lemma_6(q):
    terms = {
        "gap": root(2 * q.L / q.Delta_inf) * q.gap_x,
        "heterogeneity": root(2 * q.L * q.Delta_inf),
    }
    return terms, {}, [(q.Delta_inf, ">", mpf(0))]


def local_steps(q):
    return [(q.gamma, "<=", 1 / (2 * q.L)), (q.server_move, "<=", q.eta)]


def two_server_steps(q):
    return {"step": 2 * q.eta}, {}, local_steps(q)


def lemma_7_drift(q):
    return {"drift": 2 * q.gamma * q.client_gradient_norm}, {}, local_steps(q)


def lemma_7_gradient_step(q):
    return {"drift": 2 * q.L * q.gamma**2 * q.client_gradient_norm}, {}, local_steps(q)


def lemma_8(q):
    terms = {
        "gap": 2 * root(mpf(2)) * q.L * q.gamma * q.gap / root(q.L * q.Delta_inf),
        "heterogeneity_between": root(mpf(2)) * q.gamma * root(q.L * q.Delta_inf),
        "heterogeneity_within": 2 * q.gamma * root(q.L * q.Delta_i_inf_mean),
    }
    return terms, {}, [(q.Delta_inf, ">", mpf(0))]


def lemma_9_gradient_step(q):
    return {"drift": q.gamma * q.L * q.ig_drift}, {}, local_steps(q)


def theorem_2(q):
    gamma = 1 / (2 * q.L)
    B = variance_proxy(q)
    terms = {
        "initialization": mpf(3) / (q.K + 1) * q.f0_gap / q.eta,
        "memory": 2 * q.R,
        "sampling_and_noise": 2 * root(q.beta**2 * B / q.M * (q.K + 1)),
        "drift": gamma * 8 * q.L * root(2 * q.L) * root(q.Delta_inf),
        "component_drift": gamma * 4 * q.L * root(2 * q.L) * root(q.Delta_i_inf_mean),
        "step": q.eta * q.L / 2,
    }
    conditions = [
        (q.beta / (q.alpha + q.R), "<", mpf(1)),
        (q.eta, "<=", 1 / (q.K + 1) * q.Delta_inf / (2 * root(2 * q.L))),
        (q.eta, "<=", q.beta * q.R / (6 * q.L * (q.alpha + q.R))),
        (q.eta, "<", mpf(1)),
    ]
    return terms, {"gamma": gamma, "B": B}, conditions


def corollary_of_several_steps(q, drifts):
    rounds = root(q.K + 1, 8)
    B = variance_proxy(q)
    eta_hat = min(q.Delta_inf / (2 * root(2 * q.L)), q.D_1 * q.D_2 / (4 * q.L * (q.alpha + q.D_1)))
    A_1 = {
        "initialization": 3 * q.f0_gap / eta_hat,
        "memory": 2 * q.D_1,
        "sampling_and_noise": 2 * root(B) * q.D_2 / root(q.M),
    } | drifts
    A_2 = eta_hat * q.L / 2
    terms = {name: part / rounds for name, part in A_1.items()} | {"step": A_2 / rounds**7}
    R, beta, eta = q.D_1 / rounds, q.D_2 / rounds**5, eta_hat / rounds**7
    derived = {
        "gamma": 1 / (2 * q.L * rounds),
        "R": R,
        "beta": beta,
        "eta_hat": eta_hat,
        "eta": eta,
        "B": B,
    }
    conditions = [(beta / (q.alpha + R), "<", mpf(1)), (eta, "<", mpf(1)), (q.T, ">", mpf(1))]
    return terms, derived, conditions


def corollary_2(q):
    return corollary_of_several_steps(q, {"drift": 4 * root(2 * q.L) * root(q.Delta_inf)})


def corollary_5(q):
    drifts = {
        "drift": 8 * root(2 * q.L) * root(q.Delta_inf),
        "component_drift": 4 * root(2 * q.L) * root(q.Delta_i_inf_mean),
    }
    return corollary_of_several_steps(q, drifts)


def corollary_4(q):
    rounds = root(q.K + 1, 6)
    B = variance_proxy(q)
    eta_hat = q.D_1 * q.D_2 / (4 * q.L * (q.alpha + q.D_1))
    terms = {
        "initialization": 3 * q.f0_gap / eta_hat / rounds,
        "memory": 2 * q.D_1 / rounds,
        "sampling_and_noise": 2 * root(B) * q.D_2 / root(q.M) / rounds,
        "step": eta_hat * q.L / 2 / rounds**5,
    }
    R, beta, eta = q.D_1 / rounds, q.D_2 / rounds**4, eta_hat / rounds**5
    derived = {"gamma": 1 / (2 * q.L), "R": R, "beta": beta, "eta_hat": eta_hat, "eta": eta, "B": B}
    return terms, derived, [(beta / (q.alpha + R), "<", mpf(1)), (eta, "<", mpf(1))]


def private(q, radius):
    """What Corollaries 3 and 6 prescribe; the radius R may depend on gamma and B_2."""
    gamma = 1 / (2 * q.L)
    p = q.B_hat / q.M
    B_2 = 2 * q.c**2 * (q.B_hat / q.M) * mp.log(1 / q.delta) / q.epsilon**2
    beta_hat = root(3 * q.f0_gap / gamma) * root(q.M / B_2, 4)
    alpha = R = radius(gamma, B_2)
    return {
        "gamma": gamma,
        "p": p,
        "sigma_DP": q.c * p * root((q.K + 1) * mp.log(1 / q.delta)) / q.epsilon,
        "B_2": B_2,
        "beta_hat": beta_hat,
        "beta": beta_hat / (q.K + 1),
        "alpha": alpha,
        "R": R,
        "eta": 1 / (q.K + 1) * gamma / 2 * beta_hat * R / (alpha + R),
    }


def private_rate(q, **drifts):
    def radius(gamma, B_2):
        return q.c_R * (root(q.d, 4) * root(q.f0_gap) / root(gamma) * root(B_2 / q.M, 4))

    derived = private(q, radius)
    Delta = max(derived["alpha"], mpf(2)) * root(q.L) * root(q.f0_gap)
    privacy = Delta * root(q.d * q.B_hat / q.M**2 * mp.log(1 / q.delta) / q.epsilon**2, 4)
    terms = {name: q.c_O * part for name, part in ({"utility": privacy} | drifts).items()}
    return terms, derived | {"Delta": Delta}


def private_conditions(q, made, largest_gamma):
    return [
        (made["beta"] / (made["alpha"] + made["R"]), "<", mpf(1)),
        (made["gamma"], "<", largest_gamma),
        (made["eta"], "<", mpf(1)),
        (q.B_hat, "<=", q.M),
        (q.T, ">", mpf(1)),
    ]


def corollary_3_conditions(q, made):
    largest_gamma = 2 * q.Delta_inf**2 / (3 * q.L * q.f0_gap * root(q.M / made["B_2"]))
    return private_conditions(q, made, largest_gamma)


def corollary_3_rate(q):
    terms, made = private_rate(q, drift=root(q.L) * root(q.Delta_inf))
    return terms, made, corollary_3_conditions(q, made)


def corollary_3_explicit(q):
    made = private(q, lambda gamma, B_2: q.R)
    gamma, alpha, R, beta_hat = (made[name] for name in ("gamma", "alpha", "R", "beta_hat"))
    B_1 = 2 * q.B_hat / q.M * ((1 - q.M / q.B_hat) ** 2 + q.M / q.B_hat - 1)
    noise = root(made["B_2"] / q.M, 4)
    terms = {
        "smoothing": 2 * root(mpf(3)) * alpha * root(q.f0_gap) / (root(gamma) * R) * noise,
        "noise": 4 * root(mpf(3)) * root(q.f0_gap) / root(gamma) * noise,
        "memory": 2 * R,
        "sampling": 2 * beta_hat * root(B_1 / (q.M * (q.K + 1))),
        "step": 1 / (q.K + 1) * gamma * q.L * beta_hat * R / (4 * (alpha + R)),
        "drift": gamma * 8 * q.L * root(2 * q.L) * root(q.Delta_inf),
    }
    derived = {name: number for name, number in made.items() if name != "R"} | {"B_1": B_1}
    return terms, derived, corollary_3_conditions(q, made)


def corollary_6(q):
    drifts = {
        "drift": root(q.L) * root(q.Delta_inf),
        "component_drift": root(q.L) * root(q.Delta_i_inf_mean),
    }
    terms, made = private_rate(q, **drifts)
    sum_of_two = made["alpha"] + made["R"]
    largest_gamma = q.Delta_inf * sum_of_two / (root(2 * q.L) * made["beta_hat"] * made["R"])
    return terms, made, private_conditions(q, made, largest_gamma)


# At the second point of each, hypotheses hold or fail with equality (but for those with a logarithm).
LOCAL_STEPS = [
    dict(L=2, gamma=0.1, eta=0.3, server_move=0.2),
    dict(L=2, gamma=0.25, eta=0.5, server_move=0.5),
    dict(L=0.7, gamma=3, eta=1e-6, server_move=0.04),
]
GRADIENTS = [dict(client_gradient_norm=norm) for norm in (1.7, 0, 40)]
SEVERAL_STEPS = [
    dict(K=9, M=5, T=3, L=2, f0_gap=3, Delta_inf=4, D_1=0.5, D_2=0.2, alpha=0.1, p=0.3, sigma_DP=0.7),
    dict(K=0, M=1, T=1, L=0.5, f0_gap=0.25, Delta_inf=2, D_1=2, D_2=4, alpha=2, p=1, sigma_DP=0),
    dict(K=255, M=20, T=8, L=3, f0_gap=10, Delta_inf=0.03, D_1=2, D_2=100, alpha=0.01, p=0.05, sigma_DP=5),
]
WITHIN_CLIENTS = [dict(Delta_i_inf_mean=mean) for mean in (1.3, 0.125, 60)]
PRIVATE = [
    dict(K=9, M=10, T=2, B_hat=4, L=2, f0_gap=3, c=1, delta=1e-5, epsilon=2, Delta_inf=100),
    dict(K=0, M=8, T=1, B_hat=8, L=0.5, f0_gap=0.25, c=2, delta=0.5, epsilon=0.1, Delta_inf=0.5),
    dict(K=999, M=1000, T=50, B_hat=2.5, L=10, f0_gap=7, c=0.3, delta=1e-9, epsilon=8, Delta_inf=0.01),
]
ORDERS = [dict(c_R=1, c_O=1, d=10), dict(c_R=40, c_O=0.5, d=3), dict(c_R=0.1, c_O=7, d=100000)]


POINTS = {
    "A.lem1": (
        lemma_1,
        [
            dict(C=0.8, alpha=0.3, beta=0.25, gamma=0.4, rho=2, eta=0.02, memory_error=0.5, server_move=0.01, operator_move=0.015),
            dict(C=1, alpha=1, beta=2, gamma=0.75, rho=0.5, eta=0.5, memory_error=1, server_move=0.5, operator_move=0.25),
            dict(C=3, alpha=0.01, beta=7, gamma=0.001, rho=1.1, eta=0.1, memory_error=4, server_move=0.2, operator_move=0.3),
        ],
    ),
    "A.lem2": (
        lemma_2,
        [
            dict(M=7, K=19, beta=0.3, sigma=1.7, increment_second_moment=2.5, initial_walk_norm=0.6),
            dict(M=1, K=0, beta=2, sigma=1.5, increment_second_moment=2.25, initial_walk_norm=0),
            dict(M=100, K=999, beta=1e-4, sigma=0.1, increment_second_moment=0.03, initial_walk_norm=5),
        ],
    ),
    "A.lem3": (
        lemma_3,
        [
            dict(M=7, K=19, beta=0.3, p=0.4, sigma_DP=1.7),
            dict(M=1, K=0, beta=2, p=1, sigma_DP=0),
            dict(M=100, K=999, beta=1e-4, p=0.01, sigma_DP=30),
        ],
    ),
    "A.lem5": (
        lemma_5,
        [
            dict(K=9, gamma_sequence=0.1, b_1=3, b_2=0.7, b_3=0.2, V_0=5, V_k=4, V_next=3.9, W_k=1.5),
            dict(K=0, gamma_sequence=0.5, b_1=4, b_2=2, b_3=1, V_0=1, V_k=1, V_next=2, W_k=0.5),
            dict(K=99, gamma_sequence=0.03, b_1=40, b_2=1, b_3=0, V_0=0.2, V_k=0.1, V_next=0.15, W_k=2),
        ],
    ),
    "A.lem6": (
        lemma_6,
        [
            dict(L=3, Delta_inf=0.7, gap_x=2.5),
            dict(L=0.5, Delta_inf=4, gap_x=0),
            dict(L=100, Delta_inf=1e-6, gap_x=0.01),
        ],
    ),
    "A.lem7.c2": (two_server_steps, LOCAL_STEPS),
    "A.lem7.c3": (lemma_7_drift, joined(LOCAL_STEPS, GRADIENTS)),
    "A.lem7.c4": (two_server_steps, LOCAL_STEPS),
    "A.lem7.c5": (lemma_7_gradient_step, joined(LOCAL_STEPS, GRADIENTS)),
    "A.lem8": (
        lemma_8,
        [
            dict(L=3, gamma=0.1, gap=2.5, Delta_inf=0.7, Delta_i_inf_mean=1.9),
            dict(L=0.5, gamma=1, gap=0, Delta_inf=2, Delta_i_inf_mean=8),
            dict(L=100, gamma=1e-3, gap=40, Delta_inf=1e-6, Delta_i_inf_mean=0.3),
        ],
    ),
    "A.lem9.c2": (two_server_steps, LOCAL_STEPS),
    "A.lem9.c3": (two_server_steps, LOCAL_STEPS),
    "A.lem9.c4": (lemma_9_gradient_step, joined(LOCAL_STEPS, [dict(ig_drift=drift) for drift in (1.7, 0, 40)])),
    "A.thm2": (
        theorem_2,
        [
            dict(K=9, M=5, L=2, f0_gap=3, eta=0.01, R=0.5, beta=0.2, alpha=0.1, p=0.3, sigma_DP=0.7, Delta_inf=4, Delta_i_inf_mean=5.5),
            dict(K=1, M=1, L=0.5, f0_gap=0.25, eta=1, R=3, beta=4, alpha=1, p=1, sigma_DP=0, Delta_inf=4, Delta_i_inf_mean=2),
            dict(K=99, M=20, L=1, f0_gap=10, eta=1.5, R=0.001, beta=3, alpha=2, p=0.01, sigma_DP=5, Delta_inf=2, Delta_i_inf_mean=0.01),
        ],
    ),
    "A.cor2": (corollary_2, SEVERAL_STEPS),
    "A.cor3": (corollary_3_rate, joined(PRIVATE, ORDERS)),
    "A.cor3.s10": (corollary_3_explicit, joined(PRIVATE, [dict(R=R) for R in (2, 0.125, 1e-3)])),
    "A.cor4": (corollary_4, [{name: v for name, v in p.items() if name not in ("T", "Delta_inf")} for p in SEVERAL_STEPS]),
    "A.cor5": (corollary_5, joined(SEVERAL_STEPS, WITHIN_CLIENTS)),
    "A.cor6": (corollary_6, joined(PRIVATE, ORDERS, WITHIN_CLIENTS)),
}  # fmt: skip


if __name__ == "__main__":
    show(POINTS)
