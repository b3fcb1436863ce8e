"""More points for golden.py: the dp_fedavg transcription up to clipping, that is everything but normalization and the lemmas.

Typed by hand from the transcription, like golden.py and with no line in common with the program.
`python golden_clipping.py` prints everything.
"""

from mpmath import mp, mpf
from typed_points import joined, root, show

# ---- definitions


def gap_of_a_client(q):
    conditions = [(q.client_value_at_minimizer, ">=", q.client_minimum)]
    return {"value": q.client_value_at_minimizer, "minimum": -q.client_minimum}, {}, conditions


def gaussian_variance(q):
    return 2 * mp.log(mpf(5) / 4 / q.delta) * q.Delta_2**2 / q.epsilon**2


def noise_of_the_mechanism(q):
    return {"noise": gaussian_variance(q)}, {}, []


def privacy_of_the_mechanism(q):
    return {"delta": q.delta}, {}, []


def quadratic_bound(q):
    terms = {
        "value": q.g_value,
        "slope": q.g_slope,
        "curvature": q.L / 2 * q.theta_distance**2,
    }
    return terms, {}, []


def key_quantity(q):
    return root(q.q * q.d * mp.log(1 / q.delta)) / (q.n * q.epsilon)


def definition_of_rho(q):
    rho = key_quantity(q)
    return {"privacy": rho}, {}, [(rho, "<", mpf(1))]


def normalized_length(q):
    return {"length": q.norm_length}, {}, []


# ---- privacy of Algorithm 1


def theorem_1(q):
    terms = {"noise": q.q * q.K * q.C**2 * (mp.log(1 / q.delta) / (q.n**2 * q.epsilon**2))}
    conditions = [(q.r, "<=", q.n), (q.epsilon, "<", q.c_epsilon * (q.r**2 * q.K / q.n**2))]
    return terms, {}, conditions


# ---- convergence of Algorithm 1


def initialization(q, C_hat, gamma, rho):
    return C_hat * (q.L * q.D0**2 / gamma + gamma / q.L) * rho


def free_constant(q, C_hat, rho):
    """gamma, such that K = (2 alpha gamma/(C_hat E)) / rho^2 for the K that is given."""
    return q.K * rho**2 * C_hat * q.E / (2 * q.alpha)


def long_enough(q, C_hat):
    return (C_hat, ">=", 4 * root(q.L * q.Delta_star_max))


def theorem_5_general(q):
    rho = key_quantity(q)
    ratio = 2 * q.gamma / (q.C_hat * q.K * rho)
    terms = {
        "initialization": initialization(q, q.C_hat, q.gamma, rho),
        "heterogeneity": ratio * (1 + ratio) * q.Delta_star_mean,
    }
    derived = {"rho": rho, "eta": q.gamma / (q.C_hat * q.L * q.E * q.K) / rho}
    return terms, derived, [long_enough(q, q.C_hat), (q.K, ">", 2 * q.gamma / (q.C_hat * q.E) / rho)]


def theorem_5_specific(q):
    rho = key_quantity(q)
    gamma = free_constant(q, q.C_hat, rho)
    terms = {
        "initialization": initialization(q, q.C_hat, gamma, rho),
        "heterogeneity": 3 * q.E / (2 * q.alpha) * q.Delta_star_mean * rho,
    }
    derived = {"rho": rho, "gamma": gamma, "eta": gamma / (q.C_hat * q.L * q.E * q.K) / rho}
    conditions = [
        long_enough(q, q.C_hat),
        (q.K, ">", 2 * gamma / (q.C_hat * q.E) / rho),
        (q.E, "<=", q.alpha / (2 * rho)),
    ]
    return terms, derived, conditions


def theorem_3(q):
    rho = key_quantity(q)
    gamma = free_constant(q, q.C_hat, rho)
    terms = {
        "initialization": q.c_O * q.C_hat * q.D0 * rho,
        "heterogeneity": q.c_O * q.E * q.Delta_star_mean * rho,
    }
    conditions = [
        long_enough(q, q.C_hat),
        (q.E, "<=", q.alpha / (2 * rho)),
        (gamma, "<=", q.c_gamma * q.L * q.D0),
        (q.alpha, "<=", q.c_alpha),
    ]
    return terms, {"rho": rho, "gamma": gamma, "eta": rho / (2 * q.alpha * q.L)}, conditions


def lipschitz_case(q):
    rho = key_quantity(q)
    gamma = free_constant(q, q.G, rho)
    terms = {
        "initialization": mpf(4) / 5 * initialization(q, q.G, gamma, rho),
        "heterogeneity": mpf(4) / 5 * 3 * q.E / (2 * q.alpha) * q.Delta_star_mean * rho,
    }
    derived = {"rho": rho, "C_hat": q.G, "gamma": gamma, "eta": rho / (2 * q.alpha * q.L)}
    conditions = [
        (q.G, ">", mpf(0)),
        long_enough(q, q.G),
        (q.E, "<=", q.alpha / (2 * rho)),
    ]
    return terms, derived, conditions


def under_assumption_1(q):
    C_hat = q.G * (1 - 11 * (q.E - 1) * q.rho / 64 * (q.lam**2 / q.L**2))
    derived = {"C_hat": C_hat, "alpha": mpf(1), "eta": q.rho / (2 * q.L)}
    conditions = [
        (q.lam, "<=", q.L),
        (q.E, "<=", 1 / (2 * q.rho)),
        # C_hat > 0, which is G > 0 for lambda <= L and (E - 1) rho < 1/2
        (q.G, ">", mpf(0)),
        long_enough(q, C_hat),
    ]
    return C_hat, derived, conditions


def proposition_1(q):
    C_hat, derived, conditions = under_assumption_1(q)
    return {"threshold": C_hat * q.E}, derived, conditions


def equation_11(q):
    C_hat, derived, conditions = under_assumption_1(q)
    gamma = q.L * q.D0
    saved = 11 * q.G * q.D0 * q.rho / 48 * (q.lam**2 / q.L**2)
    terms = {
        "initialization": 2 * q.G * q.D0 * q.rho,
        "heterogeneity": 6 * q.E / 5 * q.Delta_star_mean * q.rho,
        "smaller_threshold": -6 * q.E / 5 * saved * q.rho,
    }
    # K is a number of rounds, so at least one
    rounds = (2 * gamma / (C_hat * q.E) / q.rho**2, ">=", mpf(1))
    return terms, derived | {"gamma": gamma}, [*conditions, rounds]


# ---- claims in prose


def update_per_step(q):
    return {"update": q.update_per_step_E_1}, {}, [(q.E_2, ">", q.E_1)]


def bias(q):
    return {"bias": q.bias}, {}, [(q.C, "<", q.larger_C)]


def signal_to_noise(q):
    return {"normalization": q.SNR_normalization}, {}, []


def centralized(q):
    rho = key_quantity(q)
    return {"privacy": q.c_BST14 * rho}, {"rho": rho}, []


# rho is 0.0759 at the first, 0.8326 at the second and 0.1821 at the third.
PRIVACY = [
    dict(q=1, d=20, delta=1e-5, epsilon=2, n=100),
    dict(q=0.5, d=2, delta=0.5, epsilon=1, n=1),
    dict(q=2, d=10000, delta=1e-9, epsilon=0.5, n=7070),
]
GAPS = [
    dict(Delta_star_mean=0.5, Delta_star_max=1.25),
    dict(Delta_star_mean=1, Delta_star_max=1),
    dict(Delta_star_mean=3, Delta_star_max=40),
]
# C_hat >= 4 root(L Delta_max): holds, a tie, fails.
FREE = [
    dict(L=3, C_hat=9, E=4, K=50, D0=1.5),
    dict(L=1, C_hat=4, E=1, K=1, D0=0),
    dict(L=0.01, C_hat=0.1, E=10, K=7, D0=30),
]


# Both hypotheses hold with equality at the second: E = 1/(2 rho), C_hat = G (1 - 11/1024) = 4 root(L Delta_max).
LIPSCHITZ = [
    dict(E=5, L=2, G=10, lam=0.5, rho=0.05, Delta_star_max=1.5),
    dict(E=2, L=1, G=1024, lam=0.5, rho=0.25, Delta_star_max=64135.5625),
    dict(E=40, L=0.5, G=0.25, lam=2, rho=0.125, Delta_star_max=3),
]

POINTS = {
    "B.def1": (
        gap_of_a_client,
        [
            dict(client_value_at_minimizer=3.5, client_minimum=1.25),
            dict(client_value_at_minimizer=-2, client_minimum=-2),
            dict(client_value_at_minimizer=-7, client_minimum=0.5),
        ],
    ),
    "dp_fedavg.definitions.noise": (
        noise_of_the_mechanism,
        [
            dict(epsilon=0.5, delta=1e-5, Delta_2=1),
            dict(epsilon=2, delta=0.99, Delta_2=0.01),
            dict(epsilon=20, delta=1e-9, Delta_2=300),
        ],
    ),
    "dp_fedavg.definitions.privacy": (
        privacy_of_the_mechanism,
        [dict(delta=1e-5), dict(delta=0.99), dict(delta=1e-9)],
    ),
    "B.def4": (
        quadratic_bound,
        [
            dict(L=3, g_value=1.5, g_slope=-0.75, theta_distance=0.5),
            dict(L=0.5, g_value=-2, g_slope=0, theta_distance=0),
            dict(L=100, g_value=0, g_slope=40, theta_distance=0.03),
        ],
    ),
    # The last is at rho > 1, which is vacuous.
    "B.def5": (definition_of_rho, [*PRIVACY[:2], dict(q=2, d=10000, delta=1e-9, epsilon=0.5, n=50)]),
    "dp_fedavg.equation_12.length": (normalized_length, [dict(norm_length=1.7), dict(norm_length=1), dict(norm_length=1e-6)]),
    "B.thm1": (
        theorem_1,
        joined(
            PRIVACY,
            [
                dict(K=50, C=3, r=20, c_epsilon=1.5),
                dict(K=4, C=0.5, r=1, c_epsilon=0.25),
                dict(K=7, C=40, r=8000, c_epsilon=0.03),
            ],
        ),
    ),
    "B.thm5.general": (
        theorem_5_general,
        joined(PRIVACY, GAPS, FREE, [dict(gamma=0.7), dict(gamma=1), dict(gamma=2.5)]),
    ),
    "B.thm5.specific": (theorem_5_specific, joined(PRIVACY, GAPS, FREE, [dict(alpha=2), dict(alpha=1), dict(alpha=1.5)])),
    "B.thm3": (
        theorem_3,
        joined(
            PRIVACY,
            GAPS,
            FREE,
            [
                dict(alpha=2, c_alpha=3, c_gamma=1, c_O=1.5),
                dict(alpha=1, c_alpha=1, c_gamma=0.5, c_O=1),
                dict(alpha=1.5, c_alpha=1.25, c_gamma=0.2, c_O=40),
            ],
        ),
    ),
    "B.eq8": (
        lipschitz_case,
        joined(
            PRIVACY,
            GAPS,
            [
                dict(L=3, G=9, E=4, K=50, D0=1.5, alpha=2),
                dict(L=1, G=4, E=1, K=1, D0=0, alpha=1),
                dict(L=0.01, G=0.1, E=10, K=7, D0=30, alpha=1.5),
            ],
        ),
    ),
    "B.prop1": (proposition_1, [*LIPSCHITZ[:2], LIPSCHITZ[2] | dict(G=0)]),
    "B.eq11": (
        equation_11,
        joined(
            LIPSCHITZ,
            [dict(D0=1.5, Delta_star_mean=0.75), dict(D0=8, Delta_star_mean=0), dict(D0=0.01, Delta_star_mean=2)],
        ),
    ),
    "dp_fedavg.claims.update_per_step": (
        update_per_step,
        [
            dict(E_1=2, E_2=5, update_per_step_E_1=1.7),
            dict(E_1=1, E_2=1, update_per_step_E_1=0),
            dict(E_1=8, E_2=3, update_per_step_E_1=40),
        ],
    ),
    "B.claim.bias": (
        bias,
        [
            dict(C=1, larger_C=2, bias=0.3),
            dict(C=0.5, larger_C=0.5, bias=0),
            dict(C=40, larger_C=0.1, bias=7),
        ],
    ),
    "B.claim.snr": (signal_to_noise, [dict(SNR_normalization=2.5), dict(SNR_normalization=0), dict(SNR_normalization=1e-3)]),
    "B.claim.bst14": (centralized, joined(PRIVACY, [dict(c_BST14=1), dict(c_BST14=3), dict(c_BST14=0.2)])),
}  # fmt: skip


if __name__ == "__main__":
    show(POINTS)
