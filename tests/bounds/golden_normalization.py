"""More points for golden.py: Theorems 4 and 6, eqs. (15) to (17), lemmas and facts of the dp_fedavg transcription.

Typed by hand from the transcription, like golden.py and with no line in common with the program.
`python golden_normalization.py` prints everything.
"""

from mpmath import mp, mpf
from typed_points import joined, root, show


def privacy(q):
    return root(q.q * q.d * mp.log(1 / q.delta)) / (q.n * q.epsilon)


def absorbed(q, rho):
    """The free constant gamma for which the prescribed K = (2 alpha gamma/(C_hat E))/rho^2 is the given one."""
    return q.K * rho**2 * q.C_hat * q.E / (2 * q.alpha)


def effect_of_initialization(q, gamma, rho):
    return q.C_hat * (q.L * q.D0**2 / gamma + gamma / q.L) * rho


def threshold(q):
    return (q.C_hat, ">=", 4 * root(q.L * q.Delta_star_max))


def few_local_steps(q, rho):
    return (q.E, "<=", q.alpha / (2 * rho))


def stretching(q, rho):
    """The part of B_2 without Delta_i*, for the largest share of unclipped clients, which is 1."""
    return q.C_hat**2 / (2 * q.alpha * q.L) * q.E * rho


def different_clients(q, rho):
    return q.unclipped_scaled_delta * rho * q.E / q.alpha**2 * q.E * rho


def setting_of_theorem_2(q):
    rho = privacy(q)
    gamma = absorbed(q, rho)
    derived = {"rho": rho, "gamma": gamma, "eta": rho / (2 * q.alpha * q.L)}
    start = {"initialization": effect_of_initialization(q, gamma, rho)}
    return rho, start, derived, [threshold(q), few_local_steps(q, rho)]


def theorem_4(q):
    rho, start, derived, conditions = setting_of_theorem_2(q)
    effects = {"stretching": stretching(q, rho), "heterogeneity": different_clients(q, rho)}
    return start | effects, derived, conditions


def equation_15(q):
    rho, start, derived, conditions = setting_of_theorem_2(q)
    # as printed: without Delta_i*
    return start | {"heterogeneity": 3 * q.E / (2 * q.alpha) * rho}, derived, conditions


def equation_16_rate(q):
    rho, start, derived, conditions = setting_of_theorem_2(q)
    return start | {"heterogeneity": stretching(q, rho) + different_clients(q, rho)}, derived, conditions


def enough_rounds(q, gamma, rho):
    return (q.K, ">", 2 * gamma / (q.C_hat * q.E) / rho)


def learning_rate_of_theorem_6(q, gamma, rho):
    return gamma / (q.C_hat * q.L * q.E * q.K) / rho


def theorem_6_general(q):
    rho = privacy(q)
    terms = {
        "initialization": effect_of_initialization(q, q.gamma, rho),
        "stretching": q.gamma * q.C_hat / (q.L * q.K * rho),
        "heterogeneity": q.unclipped_scaled_delta * 4 * q.gamma**2 / (q.C_hat**2 * q.K**2 * rho**2),
    }
    derived = {"rho": rho, "eta": learning_rate_of_theorem_6(q, q.gamma, rho)}
    return terms, derived, [threshold(q), enough_rounds(q, q.gamma, rho)]


def theorem_6_specific(q):
    rho = privacy(q)
    gamma = absorbed(q, rho)
    terms = {
        "initialization": effect_of_initialization(q, gamma, rho),
        "stretching": stretching(q, rho),
        "heterogeneity": different_clients(q, rho),
    }
    derived = {"rho": rho, "gamma": gamma, "eta": learning_rate_of_theorem_6(q, gamma, rho)}
    return terms, derived, [threshold(q), enough_rounds(q, gamma, rho), few_local_steps(q, rho)]


def equation_16_heterogeneity(q):
    return {"stretching": stretching(q, q.rho), "clients": different_clients(q, q.rho)}, {}, []


def normalization_factor(q):
    return 2 - q.rho**2 * q.E**2 / q.alpha**2


def left_sides(q):
    terms = {
        "unclipped": normalization_factor(q) * q.scaled_gap,
        "clipped": 3 * q.C_hat / (8 * q.L * q.E) * q.clipped_norm,
    }
    return terms, {}, [threshold(q), few_local_steps(q, q.rho)]


def one_short_update(q):
    gain = q.C_hat * q.E / q.client_update_norm
    conditions = [few_local_steps(q, q.rho), (q.client_update_norm, "<=", q.C_hat * q.E)]
    return {"stretched": normalization_factor(q) * gain}, {"z": gain}, conditions


def equation_17(q):
    terms = {
        "stretching": q.c**2 * q.E / (2 * q.alpha) * q.Delta_star_max * q.rho,
        "clients": q.unclipped_scaled_delta * q.rho * q.E**2 / q.alpha**2 * q.rho,
    }
    return terms, {}, [(q.c, ">=", mpf(4)), (q.Delta_star_max, ">", mpf(0))]


def every_update_long(q):
    return {"scaling": q.C}, {}, [(q.client_update_norm, ">=", q.C_low), (q.C, "<=", q.C_low)]


def one_update_long(q):
    return {"scaling": q.C}, {}, [(q.client_update_norm, ">", q.C)]


def signal_to_noise(q):
    return {"ratio": q.signal_norm / q.noise_norm}, {}, []


def lemma_1(q):
    terms = {
        "distance": q.round_distance**2,
        "descent": -q.eta / (2 * q.L) * q.local_gradients_squared,
        "heterogeneity": 2 * q.eta * q.E * q.Delta_i_star,
    }
    return terms, {}, [(q.eta, "<=", 1 / (2 * q.L))]


def lemma_2_move(q):
    return {"gap": 2 * q.eta**2 * q.L * q.tau**2 * q.client_gap}, {}, [(q.eta, "<=", 1 / q.L)]


def lemma_2_update(q):
    return {"gap": 2 * q.L * q.E**2 * q.client_gap}, {}, [(q.eta, "<=", 1 / q.L)]


def lemma_3(q):
    terms = {
        "gradient": q.step_gradient_norm**2,
        "curvature": -(2 / (q.eta * q.L) - 1) * q.step_gradient_move**2,
    }
    return terms, {}, []


def local_iterates(q):
    return [(q.eta, "<=", 1 / (2 * q.L * q.E)), (q.tau, "<=", q.E)]


def lemma_4_distance(q):
    return {"gradient": 2 * q.eta * q.tau * q.round_gradient_norm}, {}, local_iterates(q)


def lemma_4_against_lemma_2(q):
    return {"gap": 2 * q.eta**2 * q.L * q.tau**2 * q.client_gap}, {}, local_iterates(q)


def fact_1(q):
    return {"gap": 2 * q.L * q.h_gap}, {}, []


def fact_2(q):
    return {"vectors": q.p_vectors * q.vectors_squared}, {}, [(q.p_vectors, ">", mpf(1))]


def fact_3(q):
    m, x = q.m_exponent, q.x
    return {"count": m, "decrease": -m * 11 * (m - 1) / 24 * x}, {}, [(m * x, "<=", mpf(1) / 4)]


# At the second point of each, hypotheses hold or fail with equality (but for those with a logarithm).
PRIVATE = [
    dict(q=1, d=20, delta=1e-5, epsilon=2, n=100, K=50, L=3, D0=1.5, C_hat=9, E=4, Delta_star_max=1.25),
    dict(q=0.5, d=1, delta=0.5, epsilon=1, n=1, K=1, L=0.25, D0=0, C_hat=8, E=1, Delta_star_max=16),
    dict(
        q=2, d=10000, delta=1e-9, epsilon=0.5, n=5000, K=7, L=0.01, D0=30, C_hat=0.1, E=10, Delta_star_max=7
    ),
]
MORE_ROUNDS = [dict(alpha=2), dict(alpha=1), dict(alpha=1.25)]
SCALED = [dict(unclipped_scaled_delta=delta) for delta in (0.8, 2.5, 0)]
# The third has too few rounds.
FREE_GAMMA = [dict(gamma=0.3), dict(gamma=1.75), dict(gamma=40)]
# Here eq. (17) with rho given: E = alpha/(2 rho) at the second point, more at the third.
GIVEN_RHO = [
    dict(rho=0.07, E=3, alpha=2.5),
    dict(rho=0.25, E=4, alpha=2),
    dict(rho=0.9, E=50, alpha=1.5),
]
THRESHOLDS = [
    dict(C_hat=5, L=2, Delta_star_max=0.3),
    dict(C_hat=8, L=0.5, Delta_star_max=8),
    dict(C_hat=0.25, L=30, Delta_star_max=1.1),
]
OF_THE_RUN = [
    dict(scaled_gap=-0.4, clipped_norm=6),
    dict(scaled_gap=3, clipped_norm=0),
    dict(scaled_gap=0.01, clipped_norm=2500),
]
UPDATES = [dict(client_update_norm=11), dict(client_update_norm=32), dict(client_update_norm=75)]
MULTIPLES = [dict(c=4.5, Delta_star_max=0.6), dict(c=4, Delta_star_max=0), dict(c=0.7, Delta_star_max=90)]

STEPS = [
    dict(L=3, eta=0.02, E=4, tau=3),
    dict(L=0.5, eta=0.25, E=4, tau=4),
    dict(L=7, eta=0.9, E=5, tau=20),
]
GAPS = [dict(client_gap=1.3), dict(client_gap=0), dict(client_gap=600)]

POINTS = {
    "B.thm4": (theorem_4, joined(PRIVATE, MORE_ROUNDS, SCALED)),
    "B.thm6.general": (theorem_6_general, joined(PRIVATE, FREE_GAMMA, SCALED)),
    "B.thm6.specific": (theorem_6_specific, joined(PRIVATE, MORE_ROUNDS, SCALED)),
    "B.eq15": (equation_15, joined(PRIVATE, MORE_ROUNDS)),
    "dp_fedavg.equation_16.rate": (equation_16_rate, joined(PRIVATE, MORE_ROUNDS, SCALED)),
    "dp_fedavg.equation_16.heterogeneity": (equation_16_heterogeneity, joined(GIVEN_RHO, THRESHOLDS, SCALED)),
    "dp_fedavg.equation_16_comparison.left_sides": (left_sides, joined(GIVEN_RHO, THRESHOLDS, OF_THE_RUN)),
    "dp_fedavg.equation_16_comparison.coefficients": (one_short_update, joined(GIVEN_RHO, THRESHOLDS, UPDATES)),
    "B.eq17": (equation_17, joined(GIVEN_RHO, MULTIPLES, SCALED)),
    "dp_fedavg.equation_17_comparison.terms_b": (equation_17, joined(GIVEN_RHO, MULTIPLES, SCALED)),
    "dp_fedavg.equivalence.all_updates": (
        every_update_long,
        [
            dict(C=2, C_low=2.6, client_update_norm=3.3),
            dict(C=1.5, C_low=1.5, client_update_norm=1.5),
            dict(C=40, C_low=7, client_update_norm=0.02),
        ],
    ),
    "dp_fedavg.equivalence.one_update": (
        one_update_long,
        [
            dict(C=2, client_update_norm=3.3),
            dict(C=1.5, client_update_norm=1.5),
            dict(C=40, client_update_norm=0.02),
        ],
    ),
    "dp_fedavg.signal_to_noise_ratio.ratio": (
        signal_to_noise,
        [
            dict(signal_norm=3.1, noise_norm=0.7),
            dict(signal_norm=0, noise_norm=2),
            dict(signal_norm=1e-3, noise_norm=900),
        ],
    ),
    "dp_fedavg.signal_to_noise_ratio.amplification": (one_short_update, joined(GIVEN_RHO, THRESHOLDS, UPDATES)),
    "B.lem1": (
        lemma_1,
        [
            dict(L=3, eta=0.1, E=6, round_distance=2.2, Delta_i_star=0.4, local_gradients_squared=5.5),
            dict(L=0.5, eta=1, E=1, round_distance=0, Delta_i_star=0, local_gradients_squared=0),
            dict(L=20, eta=3, E=100, round_distance=0.01, Delta_i_star=9, local_gradients_squared=1e4),
        ],
    ),
    "dp_fedavg.lemma_2.move": (
        lemma_2_move,
        [
            dict(L=3, eta=0.02, tau=3, client_gap=1.3),
            dict(L=0.5, eta=2, tau=1, client_gap=0.25),
            dict(L=7, eta=0.9, tau=20, client_gap=600),
        ],
    ),
    "dp_fedavg.lemma_2.update": (
        lemma_2_update,
        [
            dict(L=3, eta=0.02, E=4, client_gap=1.3),
            dict(L=0.5, eta=2, E=1, client_gap=0),
            dict(L=7, eta=0.9, E=30, client_gap=600),
        ],
    ),
    "B.lem3": (
        lemma_3,
        [
            dict(L=3, eta=0.1, step_gradient_norm=2.4, step_gradient_move=0.6),
            dict(L=4, eta=0.5, step_gradient_norm=1, step_gradient_move=2),
            dict(L=7, eta=3, step_gradient_norm=0.2, step_gradient_move=11),
        ],
    ),
    "dp_fedavg.lemma_4.distance": (
        lemma_4_distance, joined(STEPS, [dict(round_gradient_norm=norm) for norm in (1.7, 0, 40)])
    ),
    "dp_fedavg.lemma_4.stronger": (lemma_4_against_lemma_2, joined(STEPS, GAPS)),
    "B.fact1": (fact_1, [dict(L=3, h_gap=1.9), dict(L=0.5, h_gap=0), dict(L=1000, h_gap=1e-6)]),
    "B.fact2": (
        fact_2,
        [
            dict(p_vectors=7, vectors_squared=3.3),
            dict(p_vectors=2, vectors_squared=0),
            dict(p_vectors=1, vectors_squared=0.6),
        ],
    ),
    "B.fact3": (
        fact_3,
        [dict(m_exponent=9, x=0.013), dict(m_exponent=2, x=0.125), dict(m_exponent=40, x=0.7)],
    ),
}  # fmt: skip


if __name__ == "__main__":
    show(POINTS)
