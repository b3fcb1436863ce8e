"""More points for golden.py: the definitions, rules and claims around the theorems of the fed_norm_ec transcription.

Typed by hand from the transcription, like golden.py and with no line in common with the program.
`python golden_discussion.py` prints everything.
"""

from mpmath import mp, mpf
from typed_points import root, show


def variance_main_text(q):
    terms = {
        "weights": 2 * (q.p - 1) ** 2 / q.p,
        "missing": 2 * (1 - q.p),
        "noise": 2 * q.sigma_DP**2 / q.p,
    }
    return terms, {}, []


def variance_appendix(q):
    terms = {
        "weights": 2 * q.p * (1 - 1 / q.p) ** 2,
        "missing": 2 * (1 - q.p),
        "noise": 2 * q.sigma_DP**2 / q.p,
    }
    return terms, {}, []


def noise_rule(q):
    return {"privacy": q.c * (q.p * root((q.K + 1) * mp.log(1 / q.delta)) / q.epsilon)}, {}, []


def between_clients(q):
    return {"infimum": q.f_inf, "clients": -q.f_i_inf_mean}, {}, []


def inside_a_client(q):
    return {"infimum": q.f_inf, "components": -q.f_ij_inf_mean_i}, {}, []


def normalized_length(q):
    return {"one": mpf(1)}, {}, []


def full_participation(q):
    terms = {
        "initialization": mpf(3) / (q.K + 1) * q.f0_gap / q.eta,
        "memory": 2 * q.R,
        "step": q.eta * q.L / 2,
    }
    derived = {"gamma": 1 / (2 * q.L), "T": mpf(1), "p": mpf(1), "sigma_DP": mpf(0)}
    conditions = [
        (q.beta / (q.alpha + q.R), "<", mpf(1)),
        (q.eta, "<=", 1 / (q.K + 1) * (q.Delta_inf / (2 * root(2 * q.L)))),
        (q.eta, "<=", 1 / (4 * q.L) * (q.beta * q.R / (q.alpha + q.R))),
        (q.eta, "<", mpf(1)),
    ]
    return terms, derived, conditions


def rate_of_full_participation(q):
    return {"rate": q.c_rate * (1 / root(q.K + 1))}, {}, []


def initial_memory_error(q):
    # R = |v_i^0 - (x^0 - T_i(x^0))/gamma| = |e|, and e has one entry that is not zero.
    e = [q.D_init / root(q.K + 1), mpf(0), mpf(0)]
    return {"error": root(sum(entry**2 for entry in e))}, {}, []


def drift(q):
    return {"drift": 8 * q.L * root(2 * q.L) * root(q.Delta_inf) if q.T != 1 else mpf(0)}, {}, []


def incremental_gradient(q):
    return {"heterogeneity_within": q.gamma * (4 * q.L * root(2 * q.L) * root(q.Delta_i_inf_mean))}, {}, []


def utility(q):
    inside = q.d * (q.B_hat / q.M**2) * (mp.log(1 / q.delta) / q.epsilon**2)
    return {"utility": q.c_O * q.Delta * root(inside, 4)}, {"p": q.B_hat / q.M}, [(q.B_hat, "<=", q.M)]


def corollary_1_appendix(q):
    gamma = 1 / (2 * q.L)
    p = q.B_hat / q.M
    B_2 = 2 * q.c**2 * p * mp.log(1 / q.delta) / q.epsilon**2
    beta_hat = root(3 * q.f0_gap / gamma) * root(q.M / B_2, 4)
    beta = beta_hat / (q.K + 1)
    alpha = R = q.c_R * (root(q.d, 4) * (root(q.f0_gap) / root(gamma)) * root(B_2 / q.M, 4))
    eta = 1 / (q.K + 1) * (gamma / 2) * (beta_hat * R / (alpha + R))
    Delta_proof = 2 * root(mpf(3)) * max(alpha, mpf(2))
    terms = {
        "utility": q.c_O * (Delta_proof * (root(q.f0_gap) / root(gamma)) * root(q.d * (B_2 / q.M), 4)),
        "sampling": q.c_O_sampling / root(q.K + 1),
        "step": q.c_O_step / (q.K + 1),
    }
    derived = {
        "gamma": gamma,
        "p": p,
        "sigma_DP": q.c * p * root((q.K + 1) * mp.log(1 / q.delta)) / q.epsilon,
        "B_2": B_2,
        "beta_hat": beta_hat,
        "beta": beta,
        "alpha": alpha,
        "R": R,
        "eta": eta,
        "Delta_proof": Delta_proof,
    }
    conditions = [
        (beta / (alpha + R), "<", mpf(1)),
        (gamma, "<", q.Delta_inf * (alpha + R) / (root(2 * q.L) * beta_hat * R)),
        (eta, "<", mpf(1)),
        (q.B_hat, "<=", q.M),
    ]
    return terms, derived, conditions


def unrolled(q):
    return {"zero": mpf(0)}, {}, [(q.gamma, "<=", 1 / (2 * q.L)), (q.server_move, "<=", q.eta)]


# At the second point of each, hypotheses hold or fail with equality (but for those with a logarithm).
VARIANCE = [dict(p=0.3, sigma_DP=0.7), dict(p=1, sigma_DP=0), dict(p=0.001, sigma_DP=12.5)]
UNROLLED = [
    dict(L=2, gamma=0.2, eta=0.3, server_move=0.2),
    dict(L=4, gamma=0.125, eta=0.5, server_move=0.5),
    dict(L=0.3, gamma=2, eta=1e-3, server_move=0.07),
]

POINTS = {
    "fed_norm_ec.variance.main_text": (variance_main_text, VARIANCE),
    "fed_norm_ec.variance.appendix": (variance_appendix, VARIANCE),
    "A.disc.sigma": (
        noise_rule,
        [
            dict(c=1.5, p=0.3, K=19, delta=1e-5, epsilon=2),
            dict(c=1, p=1, K=0, delta=0.5, epsilon=0.1),
            dict(c=0.02, p=0.001, K=99999, delta=1e-9, epsilon=8),
        ],
    ),
    "fed_norm_ec.heterogeneity.clients": (
        between_clients,
        [
            dict(f_inf=0.7, f_i_inf_mean=0.2),
            dict(f_inf=0, f_i_inf_mean=-3),
            dict(f_inf=1.25, f_i_inf_mean=1.25),
        ],
    ),
    "fed_norm_ec.heterogeneity.components": (
        inside_a_client,
        [
            dict(f_inf=0.7, f_ij_inf_mean_i=0.1),
            dict(f_inf=-2, f_ij_inf_mean_i=-5.5),
            dict(f_inf=0.5, f_ij_inf_mean_i=1.7),
        ],
    ),
    "A.def.norm": (normalized_length, [dict(), dict(), dict()]),
    "A.disc.full": (
        full_participation,
        [
            dict(K=9, L=2, f0_gap=3, eta=0.01, R=0.5, beta=0.2, alpha=0.1, Delta_inf=4),
            dict(K=0, L=0.5, f0_gap=0.25, eta=1, R=2, beta=4, alpha=2, Delta_inf=2),
            dict(K=99, L=1, f0_gap=10, eta=1.5, R=0.001, beta=3, alpha=2, Delta_inf=0.5),
        ],
    ),
    "A.disc.rate": (rate_of_full_participation, [dict(K=9, c_rate=3.5), dict(K=0, c_rate=0.1), dict(K=12345, c_rate=70)]),
    "A.disc.init": (initial_memory_error, [dict(K=9, D_init=3.5), dict(K=0, D_init=0), dict(K=12345, D_init=70)]),
    "A.disc.drift": (
        drift,
        [
            dict(T=2, L=1.7, Delta_inf=0.3),
            dict(T=1, L=3, Delta_inf=4),
            dict(T=200, L=0.05, Delta_inf=1e-6),
        ],
    ),
    "A.disc.ig": (
        incremental_gradient,
        [
            dict(gamma=0.1, L=1.7, Delta_i_inf_mean=0.3),
            dict(gamma=2, L=0.5, Delta_i_inf_mean=4),
            dict(gamma=1e-4, L=300, Delta_i_inf_mean=1e-6),
        ],
    ),
    "A.disc.util": (
        utility,
        [
            dict(d=10, M=20, B_hat=5, delta=1e-5, epsilon=2, Delta=3.5, c_O=1.5),
            dict(d=1, M=4, B_hat=4, delta=0.5, epsilon=0.1, Delta=1, c_O=1),
            dict(d=100000, M=3, B_hat=7.5, delta=1e-9, epsilon=8, Delta=0.02, c_O=0.3),
        ],
    ),
    "A.cor1.app": (
        corollary_1_appendix,
        [
            dict(K=9, M=10, B_hat=4, L=2, f0_gap=3, c=1, delta=1e-5, epsilon=2, Delta_inf=100, d=10, c_R=1, c_O=1, c_O_sampling=0.7, c_O_step=0.3),
            dict(K=0, M=8, B_hat=8, L=0.5, f0_gap=0.25, c=2, delta=0.5, epsilon=0.1, Delta_inf=0.5, d=3, c_R=40, c_O=0.5, c_O_sampling=2, c_O_step=5),
            dict(K=3, M=2, B_hat=2.5, L=0.01, f0_gap=700, c=0.3, delta=1e-9, epsilon=8, Delta_inf=0.01, d=100000, c_R=0.1, c_O=7, c_O_sampling=20, c_O_step=0.01),
        ],
    ),
    "A.lem7.c1": (unrolled, UNROLLED),
    "A.lem9.c1": (unrolled, UNROLLED),
}  # fmt: skip


if __name__ == "__main__":
    show(POINTS)
