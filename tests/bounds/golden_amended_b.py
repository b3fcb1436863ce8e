"""More points for golden.py: the amended forms of docs/amended/dp_fedavg.md.

Typed by hand from the derivations there, with no line in common with the program.
`python golden_amended_b.py` prints everything.
"""

from mpmath import mp, mpf
from typed_points import joined, root, show


def privacy(q):
    return root(q.q * q.d * mp.log(1 / q.delta)) / (q.n * q.epsilon)


def coins(q):
    """s, and the hypothesis that r/n is a probability."""
    return (1 - q.r / q.n) / q.r, (q.r, "<=", q.n)


def threshold(q):
    return (q.C_hat, ">=", 4 * root(q.L * q.Delta_star_max))


def initialization(q, gamma):
    return q.C_hat * privacy(q) * (q.L * q.D0**2 / gamma + gamma / q.L)


def prescribed(q):
    """K = 2 alpha gamma/(C_hat E rho^2), solved for gamma."""
    return q.K * q.C_hat * q.E * privacy(q) ** 2 / (2 * q.alpha)


def normalized(q):
    """Theorem 4: initialization, (1 + s) eta C_hat^2 E on the share, 4 (eta L E)^2 on the weighed gaps."""
    s, drawn = coins(q)
    gamma, eta = prescribed(q), privacy(q) / (2 * q.alpha * q.L)
    terms = {
        "initialization": initialization(q, gamma),
        "stretching": (1 + s) * eta * q.C_hat**2 * q.E,
        "heterogeneity": 4 * (eta * q.L * q.E) ** 2 * q.unclipped_scaled_delta,
    }
    few = (q.E, "<=", q.alpha / (2 * privacy(q)))
    return terms, {"gamma": gamma, "eta": eta}, [threshold(q), few, drawn]


def normalized_at_its_rounds(q):
    terms, derived, (large, few, drawn) = normalized(q)
    rounds = (q.K, ">", 2 * derived["gamma"] / (q.C_hat * q.E * privacy(q)))
    return terms, derived, [large, rounds, few, drawn]


def normalized_in_two_terms(q):
    terms, derived, conditions = normalized(q)
    B_2 = terms["stretching"] + terms["heterogeneity"]
    return {"initialization": terms["initialization"], "heterogeneity": B_2}, derived, conditions


def rounds_of_the_general_form(q):
    return (q.K, ">", 2 * q.gamma / (q.C_hat * q.E * privacy(q))), (
        q.K,
        ">=",
        4 * q.gamma / (q.C_hat * privacy(q)),
    )


def normalized_for_any_rounds(q):
    s, drawn = coins(q)
    eta = q.gamma / (q.C_hat * q.L * q.E * q.K * privacy(q))
    terms = {
        "initialization": initialization(q, q.gamma),
        "stretching": (1 + s) * eta * q.C_hat**2 * q.E,
        "heterogeneity": 4 * (eta * q.L * q.E) ** 2 * q.unclipped_scaled_delta,
    }
    return terms, {"eta": eta}, [threshold(q), *rounds_of_the_general_form(q), drawn]


def clipped_for_any_rounds(q):
    """Every unclipped client pays 2 eta L E times its gap at w*."""
    eta = q.gamma / (q.C_hat * q.L * q.E * q.K * privacy(q))
    terms = {
        "initialization": initialization(q, q.gamma),
        "heterogeneity": 2 * eta * q.L * q.E * q.Delta_star_mean,
    }
    return terms, {"eta": eta}, [threshold(q), *rounds_of_the_general_form(q)]


def clipped_restated(q):
    gamma, eta = prescribed(q), privacy(q) / (2 * q.alpha * q.L)
    terms = {
        "initialization": initialization(q, gamma),
        "heterogeneity": 2 * eta * q.L * q.E * q.Delta_star_mean,
    }
    return terms, {"gamma": gamma}, [threshold(q), (q.E, "<=", q.alpha / (2 * privacy(q)))]


def left_side_of_normalization(q):
    terms = {
        "unclipped": (2 - (q.rho * q.E / q.alpha) ** 2) * q.scaled_gap,
        "clipped": 3 * q.C_hat * q.clipped_norm / (8 * q.L * q.E),
    }
    few = (q.E, "<=", q.alpha / (2 * q.rho))
    return terms, {}, [threshold(q), few, (q.least_unclipped_gap, ">=", mpf(0))]


def co_coercive_step(q):
    terms = {
        "gradient": q.step_gradient_norm**2,
        "curvature": (1 - 2 / (q.eta * q.L)) * q.step_gradient_move**2,
    }
    return terms, {}, []


def gaussian_privacy(q):
    return {"delta": q.delta}, {}, [(q.epsilon, "<=", mpf(1))]


def unclipped_round(q):
    """G E (1 - 11 (E - 1) rho_hat/24) with rho_hat = 3 lambda^2 rho/(8 L^2)."""
    rho_hat = 3 * q.lam**2 * q.rho / (8 * q.L**2)
    C_hat = q.G * (1 - 11 * (q.E - 1) * rho_hat / 24)
    conditions = [
        (q.lam, "<=", q.L),
        (q.E, "<=", 1 / (2 * q.rho)),
        (q.G, ">", mpf(0)),
        (q.start_gradient, "<=", q.G),
        (q.least_turn, ">=", q.lam),
    ]
    return {"threshold": C_hat * q.E}, {"C_hat": C_hat, "eta": q.rho / (2 * q.L)}, conditions


def simplified(q):
    gamma = prescribed(q)
    terms = {
        "initialization": 4 * q.c_gamma * q.C_hat * q.D0 * privacy(q) / 3,
        "heterogeneity": 2 * q.E * q.Delta_star_mean * privacy(q) / 3,
    }
    conditions = [
        threshold(q),
        (q.E, "<=", q.alpha / (2 * privacy(q))),
        (gamma, "<=", q.c_gamma * q.L * q.D0),
        (gamma, ">=", q.L * q.D0 / q.c_gamma),
    ]
    return terms, {"gamma": gamma}, conditions


PRIVATE = [
    dict(q=1, d=20, delta=1e-5, epsilon=2, n=100),
    dict(q=0.5, d=1, delta=0.5, epsilon=1, n=1),
    dict(q=2, d=10000, delta=1e-9, epsilon=0.5, n=5000),
]
DRAWN = [dict(r=10), dict(r=1), dict(r=1.5)]
PRESCRIBED = [
    dict(L=3, C_hat=9, E=4, K=50, D0=1.5, alpha=2, Delta_star_max=1.25),
    dict(L=1, C_hat=4, E=1, K=1, D0=0, alpha=1, Delta_star_max=1),
    dict(L=0.01, C_hat=0.1, E=10, K=7, D0=30, alpha=1, Delta_star_max=0),
]
FREE = [
    dict(L=3, C_hat=9, E=4, K=50, D0=1.5, gamma=2, Delta_star_max=1.25),
    dict(L=1, C_hat=4, E=1, K=8, D0=0, gamma=4, Delta_star_max=1),
    dict(L=0.01, C_hat=0.1, E=10, K=7, D0=30, gamma=1, Delta_star_max=0),
]
MEANS = [dict(Delta_star_mean=0.5), dict(Delta_star_mean=1), dict(Delta_star_mean=0)]
WEIGHED = [dict(unclipped_scaled_delta=0.5), dict(unclipped_scaled_delta=7), dict(unclipped_scaled_delta=0)]
NORMALIZED = joined(PRESCRIBED, WEIGHED, PRIVATE, DRAWN)

POINTS = {
    "B.thm4 amended": (normalized, NORMALIZED),
    "B.thm6.specific amended": (normalized_at_its_rounds, NORMALIZED),
    "dp_fedavg.equation_16.rate amended": (normalized_in_two_terms, NORMALIZED),
    "B.thm6.general amended": (normalized_for_any_rounds, joined(FREE, WEIGHED, PRIVATE, DRAWN)),
    "B.thm5.general amended": (clipped_for_any_rounds, joined(FREE, MEANS, PRIVATE)),
    "B.eq15 amended": (clipped_restated, joined(PRESCRIBED, MEANS, PRIVATE)),
    "dp_fedavg.equation_16_comparison.left_sides amended": (
        left_side_of_normalization,
        [
            dict(L=2, C_hat=6, E=3, rho=0.125, alpha=2, Delta_star_max=1, scaled_gap=3, clipped_norm=20, least_unclipped_gap=0.5),
            dict(L=1, C_hat=4, E=1, rho=0.5, alpha=1, Delta_star_max=1, scaled_gap=0, clipped_norm=5, least_unclipped_gap=0),
            dict(L=0.5, C_hat=7, E=20, rho=0.01, alpha=1, Delta_star_max=0, scaled_gap=-2, clipped_norm=0, least_unclipped_gap=-1),
        ],
    ),
    "B.lem3 amended": (
        co_coercive_step,
        [
            dict(L=2, eta=0.25, step_gradient_norm=3, step_gradient_move=0.5),
            dict(L=1, eta=2, step_gradient_norm=1, step_gradient_move=2),
            dict(L=0.5, eta=8, step_gradient_norm=0.25, step_gradient_move=1),
        ],
    ),
    "B.def2 amended": (
        gaussian_privacy,
        [dict(delta=1e-5, epsilon=1), dict(delta=0.5, epsilon=0.01), dict(delta=0.9, epsilon=20)],
    ),
    "B.prop1 amended": (
        unclipped_round,
        [
            dict(L=2, lam=0.5, G=3, E=4, rho=0.1, start_gradient=2, least_turn=0.75),
            dict(L=1, lam=1, G=0.5, E=1, rho=0.5, start_gradient=0.5, least_turn=1),
            dict(L=10, lam=0.1, G=7, E=30, rho=0.02, start_gradient=8, least_turn=0.05),
        ],
    ),
    "B.thm3 amended": (
        simplified,
        joined(PRESCRIBED, MEANS, PRIVATE, [dict(c_gamma=30), dict(c_gamma=1), dict(c_gamma=2)]),
    ),
}  # fmt: skip


if __name__ == "__main__":
    show(POINTS)
