"""Values, derived quantities and margins, typed by hand from the transcriptions at 50 digits.

Stands alone: it needs mpmath and nothing of this project. `python golden.py` prints everything.
golden_lemmas.py holds the other statements of A.

One function per statement: inputs to (terms by name, derived quantities, [(value, relation, limit)]).
Margins are relative to the limit and positive when satisfied; for a limit of zero, the slack itself.
"""

from mpmath import mp, mpf
from typed_points import root, show


def theorem_1(q, B):
    gamma = 1 / (2 * q.L)
    terms = {
        "initialization": mpf(3) / (q.K + 1) * q.f0_gap / q.eta,
        "memory": 2 * q.R,
        "sampling_and_noise": 2 * root(q.beta**2 * B / q.M * (q.K + 1)),
        "step": q.eta * q.L / 2,
        "drift": gamma * (8 * q.L * root(2 * q.L) * root(q.Delta_inf) if q.T != 1 else mpf(0)),
    }
    conditions = [
        (q.beta / (q.alpha + q.R), "<", mpf(1)),
        (q.eta, "<=", 1 / mpf(q.K + 1) * q.Delta_inf / (2 * root(2 * q.L))),
        (q.eta, "<=", 1 / (4 * q.L) * q.beta * q.R / (q.alpha + q.R)),
        (q.eta, "<", mpf(1)),
    ]
    return terms, {"gamma": gamma, "B": B}, conditions


def theorem_1_main(q):
    return theorem_1(q, 2 * (q.p - 1) ** 2 / q.p + 2 * (1 - q.p) + 2 * q.sigma_DP**2 / q.p)


def theorem_1_appendix(q):
    return theorem_1(q, 2 * q.p * (1 - 1 / q.p) ** 2 + 2 * (1 - q.p) + 2 * q.sigma_DP**2 / q.p)


def corollary_1_setting(q):
    gamma = 1 / (2 * q.L)
    log_delta = mp.log(1 / q.delta)
    B_2 = 2 * q.c**2 * q.B_hat / q.M * log_delta / q.epsilon**2
    beta_hat = root(3 * q.f0_gap / gamma) * root(q.M / B_2, 4)
    p = q.B_hat / q.M
    return gamma, log_delta, B_2, beta_hat, p


def corollary_1_conditions(q, alpha, R, gamma, beta, beta_hat):
    return [
        (beta / (alpha + R), "<", mpf(1)),
        (gamma, "<", q.Delta_inf * (alpha + R) / (root(2 * q.L) * beta_hat * R)),
        (1 / mpf(q.K + 1) * gamma / 2 * beta_hat * R / (alpha + R), "<", mpf(1)),
        (q.B_hat, "<=", q.M),
    ]


def corollary_1_rate(q):
    gamma, log_delta, B_2, beta_hat, p = corollary_1_setting(q)
    alpha = R = q.c_R * (root(q.d, 4) * root(q.f0_gap) / root(gamma) * root(B_2 / q.M, 4))
    Delta = max(alpha, mpf(2)) * root(q.L) * root(q.f0_gap)
    beta = beta_hat / (q.K + 1)
    terms = {"utility": q.c_O * Delta * root(q.d * q.B_hat / q.M**2 * log_delta / q.epsilon**2, 4)}
    derived = {
        "gamma": gamma,
        "B_2": B_2,
        "beta_hat": beta_hat,
        "beta": beta,
        "alpha": alpha,
        "R": R,
        "Delta": Delta,
        "p": p,
        "sigma_DP": q.c * p * root((q.K + 1) * log_delta) / q.epsilon,
        "eta": 1 / mpf(q.K + 1) * gamma / 2 * beta_hat * R / (alpha + R),
    }
    return terms, derived, corollary_1_conditions(q, alpha, R, gamma, beta, beta_hat)


def corollary_1_explicit(q):
    gamma, log_delta, B_2, beta_hat, p = corollary_1_setting(q)
    alpha = R = q.R
    B_1 = 2 * q.B_hat / q.M * ((1 - q.M / q.B_hat) ** 2 + q.M / q.B_hat - 1)
    beta = beta_hat / (q.K + 1)
    terms = {
        "smoothing": 2 * root(mpf(3)) * alpha * root(q.f0_gap) / (root(gamma) * R) * root(B_2 / q.M, 4),
        "noise": 4 * root(mpf(3)) * root(q.f0_gap) / root(gamma) * root(B_2 / q.M, 4),
        "memory": 2 * R,
        "sampling": 2 * beta_hat * root(B_1 / (q.M * (q.K + 1))),
        "step": 1 / mpf(q.K + 1) * gamma * q.L * beta_hat * R / (4 * (alpha + R)),
    }
    derived = {
        "gamma": gamma,
        "B_1": B_1,
        "B_2": B_2,
        "beta_hat": beta_hat,
        "beta": beta,
        "alpha": alpha,
        "p": p,
        "sigma_DP": q.c * p * root((q.K + 1) * log_delta) / q.epsilon,
        "eta": 1 / mpf(q.K + 1) * gamma / 2 * beta_hat * R / (alpha + R),
    }
    return terms, derived, corollary_1_conditions(q, alpha, R, gamma, beta, beta_hat)


def lemma_4(q):
    terms = {
        "gap": q.gap,
        "descent": -q.gamma_step * q.gradient_norm,
        "direction": 2 * q.gamma_step * q.direction_error,
        "curvature": q.L * q.gamma_step**2 / 2,
    }
    return terms, {}, []


def dp_fedavg_theorem_2(q):
    rho = root(q.q * q.d * mp.log(1 / q.delta)) / (q.n * q.epsilon)
    # K = (2 alpha gamma/(C_hat E)) / rho^2 for the free constant gamma
    gamma = q.K * rho**2 * q.C_hat * q.E / (2 * q.alpha)
    terms = {
        "initialization": q.C_hat * (q.L * q.D0**2 / gamma + gamma / q.L) * rho,
        "heterogeneity": 3 * q.E / (2 * q.alpha) * q.Delta_star_mean * rho,
    }
    conditions = [
        (q.C_hat, ">=", 4 * root(q.L * q.Delta_star_max)),
        (q.E, "<=", q.alpha / (2 * rho)),
    ]
    return terms, {"rho": rho, "gamma": gamma, "eta": rho / (2 * q.alpha * q.L)}, conditions


def rule_for_E(q):
    worth = q.Delta_star_mean < q.c_E * q.G * (q.lam**2 / q.L**2) * q.D0 * q.rho
    conditions = [(q.lam, "<=", q.L), (q.rho, "<=", mpf(1) / 2)]
    return {"E": 1 / (2 * q.rho) if worth else mpf(1)}, {}, conditions


def h(q, x):
    noise = 2 * root(q.d) * q.sigma * q.C
    growth = (q.xi + noise / q.B) / q.beta * ((q.eta * q.beta + 1) ** x - 1)
    linear = q.eta * ((q.xi + noise) / q.B) * x
    return growth, linear


def h_of_x(q):
    growth, linear = h(q, q.x)
    return {"growth": growth, "linear": linear}, {}, []


def als_theorem_1(q):
    return (*h_of_x(q)[:2], [(q.x, "<=", q.tau)])


def als_theorem_1_value(q):
    growth, linear = h(q, q.x)
    return {"growth": q.rho * growth, "linear": q.rho * linear}, {}, [(q.x, "<=", q.tau)]


def als_theorem_2(q, omega):
    h_tau = sum(h(q, q.tau))
    phi = omega * (1 - q.beta * q.eta / 2) - q.sigma**2 * q.d / q.lam**2
    speed = q.eta * phi - q.rho * h_tau / (q.tau * q.lam**2)
    conditions = [
        (q.eta, "<=", 1 / q.beta),
        (speed, ">", mpf(0)),
        (q.auxiliary_gap, ">=", q.lam),
        (q.final_gap, ">=", q.lam),
        (q.final_gap, "<", mpf(1)),
        (q.eta * (1 / q.beta - q.eta) * q.gradient_square, ">=", q.sigma**2 * q.d),
    ]
    return {"rate": 1 / (q.T * speed), "floor": root(mpf(3)) / 3}, {"phi": phi, "h_tau": h_tau}, conditions


def lemma_f3(q):
    a = q.alpha
    terms = {
        "initialization": q.f0_gap
        / (q.eta * q.mu * q.R * (a - 1) * q.f0_gap ** (a - 1) / 4 + 1) ** (1 / (a - 1)),
        "heterogeneity": 2 * (q.zeta**2 / q.mu) ** (1 / a),
        "noise": 2 * (2 * q.L * q.eta * q.sigma**2 / (q.M * q.mu)) ** (1 / a),
    }
    return terms, {}, [(q.eta, "<=", 1 / q.L)]


def gradient_descent_convex(q):
    return {"initialization": q.L * q.D0**2 / (4 * q.N + 2)}, {"eta": 1 / q.L}, []


def stochastic_gradient_descent(q):
    contraction = 1 - q.eta * q.mu
    geometric = sum(contraction ** (2 * k) for k in range(int(q.K)))
    terms = {
        "initialization": contraction ** (2 * q.K) * q.D0**2,
        "noise": q.eta**2 * q.sigma**2 * geometric,
    }
    return terms, {"q": contraction}, [(q.mu, "<=", q.L), (q.eta, "<=", 2 / (q.L + q.mu))]


THEOREM_1 = [
    dict(
        K=9, M=5, L=2, T=1, f0_gap=3, eta=0.01, R=0.5, beta=0.2, alpha=0.1, p=0.3, sigma_DP=0.7, Delta_inf=4
    ),
    dict(
        K=0, M=1, L=0.5, T=7, f0_gap=0.25, eta=0.1, R=1, beta=2, alpha=1.5, p=1, sigma_DP=0, Delta_inf=0.125
    ),
    dict(K=99, M=20, L=1, T=4, f0_gap=10, eta=0.5, R=0.001, beta=3, alpha=2, p=0.01, sigma_DP=5, Delta_inf=2),
]
COROLLARY_1 = [
    dict(K=9, M=10, B_hat=4, L=2, f0_gap=3, c=1, delta=1e-5, epsilon=2, Delta_inf=100),
    dict(K=0, M=8, B_hat=8, L=0.5, f0_gap=0.25, c=2, delta=0.5, epsilon=0.1, Delta_inf=0.5),
    dict(K=999, M=1000, B_hat=2.5, L=10, f0_gap=7, c=0.3, delta=1e-9, epsilon=8, Delta_inf=0.01),
]
H = [
    dict(x=5, eta=0.1, beta=2, xi=0.5, sigma=1.5, C=3, B=16, d=10),
    dict(x=0, eta=0.25, beta=1, xi=1, sigma=0, C=1, B=1, d=1),
    dict(x=100, eta=1e-6, beta=0.5, xi=0, sigma=0.01, C=0.1, B=256, d=1000000),
]
CONTROL = [
    dict(T=1000, tau=5, eta=0.1, beta=2, rho=0.3, xi=0.01, sigma=0.001, C=1, B=64, d=10, lam=0.5, omega=2),
    dict(T=1, tau=1, eta=1, beta=0.5, rho=1, xi=0, sigma=0, C=1, B=1, d=1, lam=0.25, omega=0.125),
    dict(T=50, tau=10, eta=0.5, beta=4, rho=2, xi=1, sigma=0.1, C=2, B=8, d=100, lam=0.9, omega=3),
]
GAPS = [
    dict(auxiliary_gap=0.6, final_gap=0.75, gradient_square=1),
    dict(auxiliary_gap=0.25, final_gap=0.25, gradient_square=0),
    dict(auxiliary_gap=0.5, final_gap=1.5, gradient_square=2),
]
RUN_OF_THEOREM_2 = [control | gaps for control, gaps in zip(CONTROL, GAPS, strict=True)]

POINTS = {
    "A.thm1": (theorem_1_main, THEOREM_1),
    "A.thm1.app": (theorem_1_appendix, THEOREM_1),
    "A.cor1": (
        corollary_1_rate,
        [p | extra for p, extra in zip(
            COROLLARY_1,
            [dict(c_R=1, c_O=1, d=10), dict(c_R=40, c_O=0.5, d=3), dict(c_R=0.1, c_O=7, d=100000)],
            strict=True,
        )],
    ),
    "A.cor1.s8": (corollary_1_explicit, [p | dict(R=R) for p, R in zip(COROLLARY_1, [2, 0.125, 1e-3], strict=True)]),
    "A.lem4": (
        lemma_4,
        [
            dict(gap=2, gamma_step=0.5, gradient_norm=3, direction_error=0.25, L=1.5),
            dict(gap=0, gamma_step=1e-3, gradient_norm=0, direction_error=0, L=4),
            dict(gap=1, gamma_step=10, gradient_norm=100, direction_error=1, L=0.1),
        ],
    ),
    "B.thm2": (
        dp_fedavg_theorem_2,
        [
            dict(q=1, d=20, delta=1e-5, epsilon=2, n=100, alpha=2, L=3, C_hat=9, E=4, K=50, D0=1.5,
                 Delta_star_mean=0.5, Delta_star_max=1.25),
            dict(q=0.5, d=1, delta=0.5, epsilon=1, n=1, alpha=1, L=1, C_hat=4, E=1, K=1, D0=0,
                 Delta_star_mean=1, Delta_star_max=1),
            dict(q=2, d=10000, delta=1e-9, epsilon=0.5, n=5000, alpha=1, L=0.01, C_hat=0.1, E=10, K=7, D0=30,
                 Delta_star_mean=0, Delta_star_max=0),
        ],
    ),
    "B.eq11.rule": (
        rule_for_E,
        [
            dict(Delta_star_mean=0.01, c_E=0.25, G=2, lam=1, L=2, D0=10, rho=0.05),
            dict(Delta_star_mean=1, c_E=0.25, G=2, lam=1, L=2, D0=10, rho=0.05),
            dict(Delta_star_mean=0, c_E=1, G=1, lam=3, L=2, D0=1, rho=0.75),
        ],
    ),
    "C.h.main": (h_of_x, H),
    "C.h.app": (h_of_x, H),
    "C.thm1": (als_theorem_1, [p | dict(tau=tau) for p, tau in zip(H, [5, 3, 50], strict=True)]),
    "C.thm1.F": (
        als_theorem_1_value,
        [p | dict(tau=tau, rho=rho) for p, tau, rho in zip(H, [8, 1, 100], [2, 0.5, 1e-3], strict=True)],
    ),
    "als_dpfl.theorem_2.theorem_omega": (lambda q: als_theorem_2(q, q.omega), RUN_OF_THEOREM_2),
    "als_dpfl.theorem_2.lemma_6_omega": (
        lambda q: als_theorem_2(q, q.omega_lemma_6),
        [{"omega_lemma_6" if name == "omega" else name: v for name, v in p.items()} for p in RUN_OF_THEOREM_2],
    ),
    "D.F3": (
        lemma_f3,
        [
            dict(alpha=1.5, f0_gap=2, eta=0.1, mu=0.5, R=100, L=4, M=10, zeta=0.3, sigma=1.5),
            dict(alpha=2, f0_gap=1, eta=0.25, mu=1, R=0, L=4, M=1, zeta=0, sigma=0),
            dict(alpha=1.001, f0_gap=7, eta=1, mu=0.01, R=1000, L=2, M=3, zeta=1, sigma=0.1),
        ],
    ),
    "T.gd.convex": (gradient_descent_convex, [dict(L=3, D0=2, N=7), dict(L=1, D0=1, N=0), dict(L=0.1, D0=9, N=999)]),
    "T.sgd": (
        stochastic_gradient_descent,
        [
            dict(eta=0.1, mu=0.5, L=2, K=20, D0=3, sigma=0.7),
            dict(eta=0.5, mu=2, L=2, K=3, D0=1, sigma=2),
            dict(eta=1e-9, mu=1e-3, L=1, K=100, D0=1, sigma=1),
        ],
    ),
}  # fmt: skip


if __name__ == "__main__":
    show(POINTS)
