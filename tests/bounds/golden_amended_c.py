"""More points for golden.py: the amended forms of docs/amended/als_dpfl.md.

Typed by hand from the derivations there, with no line in common with the program.
`python golden_amended_c.py` prints everything.
"""

from mpmath import mpf
from typed_points import joined, root, show


def deviation_of_a_client(q):
    """A batch, and the client's noise."""
    return q.C / root(q.B), root(q.d) * q.sigma * q.C / q.B


def noisy_gradient(q):
    batch, noise = deviation_of_a_client(q)
    return {"sampling": batch, "noise": noise}, {}, []


def client_drift(q, divergence, steps, factor=1):
    """The recursion G(t+1) = (1 + eta beta) G(t) + eta (divergence + nu), step by step."""
    batch, noise = deviation_of_a_client(q)
    compounded = mpf(0)
    for _ in range(int(steps)):
        compounded = (1 + q.eta * q.beta) * compounded + q.eta
    parts = {
        "divergence": divergence,
        "sampling": batch,
        "client_noise": noise,
        "auxiliary_noise": root(q.d) * q.sigma * q.C,
    }
    return {name: factor * part * compounded for name, part in parts.items()}


def drift_of_the_mean(q):
    return client_drift(q, q.xi, q.x), {}, []


def drift_of_a_client(q):
    return client_drift(q, q.xi_i, q.x), {}, []


def distance_in_an_interval(q):
    return client_drift(q, q.xi, q.x), {}, [(q.x, "<=", q.tau)]


def value_in_an_interval(q):
    return client_drift(q, q.xi, q.x, q.rho), {}, [(q.x, "<=", q.tau)]


def client_in_an_interval(q):
    return client_drift(q, q.xi_i, q.x), {}, [(q.x, "<=", q.tau)]


def noise_no_stronger_than_the_gradient(q, variance):
    return ((2 / q.beta - q.eta) * q.gradient_square, ">=", q.eta * variance)


def short_step_and_small_noise(q):
    return (q.eta, "<=", 1 / q.beta), noise_no_stronger_than_the_gradient(q, q.sigma_v**2 * q.d)


def one_step_of_squares(q):
    return {"distance": q.distance_square}, {}, [*short_step_and_small_noise(q)]


def one_step_of_the_mean_gap(q):
    return {"before": q.theta_mean}, {}, [*short_step_and_small_noise(q)]


def one_step_of_the_reciprocal(q):
    terms = {
        "progress": q.omega_mean * (q.beta * q.eta**2 / 2 - q.eta),
        "noise": (q.eta * q.sigma_v / q.lam) ** 2 * q.beta * q.d / 2,
    }
    step, small = short_step_and_small_noise(q)
    return terms, {}, [step, (q.auxiliary_gap_mean, ">=", q.lam), small]


def reciprocal_of_the_farthest(q):
    return {"omega": 1 / q.farthest_start_square}, {}, []


def control(q):
    progress = q.omega_mean * (1 - q.beta * q.eta / 2)
    each = -q.beta * q.eta * (q.C / q.lam) ** 2 / (2 * q.B)
    return {"progress": progress, "sampling": each, "noise": each * q.d * q.sigma**2 / q.B}


def control_parameter(q):
    return control(q), {}, []


def bound_of_theorem_2(q, T):
    phi = sum(control(q).values())
    parted = q.xi * q.tau + root(2 * q.tau * error_of_a_step(q))
    h_tau = q.beta * q.eta**2 * parted * (q.tau - 1) / 4
    speed = q.eta * phi - q.rho * h_tau / (q.tau * q.lam**2)
    first = [(q.eta, "<=", 1 / q.beta), (speed, ">", mpf(0))]
    return {"rate": q.f0_gap / (1 + q.f0_gap * T * speed)}, {"phi": phi, "h_tau": h_tau}, first


def hypotheses_on_the_run(q):
    return [
        (q.auxiliary_gap_mean, ">=", q.lam),
        (q.averaged_gap_mean, ">=", q.lam),
        noise_no_stronger_than_the_gradient(q, error_of_a_step(q)),
    ]


def error_of_a_step(q):
    return q.C**2 * (q.B + q.d * q.sigma**2) / q.B**2


def theorem_2(q):
    terms, derived, first = bound_of_theorem_2(q, q.T)
    return terms, derived, [*first, *hypotheses_on_the_run(q)]


def objective(q):
    terms, derived, _ = bound_of_theorem_2(q, q.T)
    return terms, derived, []


def objective_where_it_is_a_bound(q):
    return bound_of_theorem_2(q, q.T)


def steps_of_the_budgets(q):
    return min(q.R_S * q.tau, q.R_C)


def objective_where_communication_is_plenty(q):
    terms, derived, first = bound_of_theorem_2(q, steps_of_the_budgets(q))
    return terms, derived, [*first, (q.R_S, ">=", q.R_C)]


def rule_for_tau(q):
    terms, derived, first = bound_of_theorem_2(q, steps_of_the_budgets(q))
    return terms, derived, [*first, *hypotheses_on_the_run(q), (q.tau, "<=", min(2 * q.tau_star, mpf(100)))]


def noise_lengthens(q):
    return {"noisy": q.mean_noisy_gradient_norm}, {}, []


def convex_reciprocal(q):
    return {"reciprocal": -1 / q.mean_cubed_gap}, {}, []


def largest_difference(q):
    x = 1 / root(mpf(3))
    return {"difference": x - x**3}, {}, []


NOISY = [
    dict(x=5, eta=0.1, beta=2, sigma=1.5, C=3, B=16, d=10),
    dict(x=0, eta=0.25, beta=1, sigma=0, C=1, B=1, d=1),
    dict(x=100, eta=1e-4, beta=0.5, sigma=0.01, C=0.1, B=256, d=1000000),
]
OF_ALL = [dict(xi=0.5), dict(xi=1), dict(xi=0)]
OF_ONE = [dict(xi_i=0.5), dict(xi_i=1), dict(xi_i=0)]
INTERVALS = [dict(tau=5), dict(tau=3), dict(tau=50)]
VALUES = [dict(rho=2), dict(rho=0.5), dict(rho=1e-3)]
ONE_STEP = [
    dict(eta=0.5, beta=1, gradient_square=1, sigma_v=0.1, d=4),
    dict(eta=2, beta=0.5, gradient_square=0.125, sigma_v=0.25, d=3),
    dict(eta=1, beta=3, gradient_square=7, sigma_v=0, d=1),
]
CONTROL = [
    dict(eta=0.1, beta=1, sigma=0.01, C=1, B=100, d=4, lam=0.1, omega_mean=30),
    dict(eta=1, beta=0.5, sigma=0, C=1, B=4, d=1, lam=0.25, omega_mean=0.125),
    dict(eta=0.25, beta=4, sigma=0.02, C=2, B=8, d=100, lam=0.5, omega_mean=3),
]
INTERVAL = [
    dict(tau=2, rho=1, xi=0.01, f0_gap=0.5),
    dict(tau=1, rho=0.5, xi=0, f0_gap=70),
    dict(tau=10, rho=2, xi=1, f0_gap=0.75),
]
STEPS = [dict(T=4), dict(T=1), dict(T=50)]
GAPS = [
    dict(auxiliary_gap_mean=0.2, averaged_gap_mean=0.15, gradient_square=0.01),
    dict(auxiliary_gap_mean=0.25, averaged_gap_mean=0.25, gradient_square=0),
    dict(auxiliary_gap_mean=0.4, averaged_gap_mean=1.5, gradient_square=0.125),
]
OF_THE_RUN = joined(CONTROL, INTERVAL)
BUDGETS = [dict(R_S=317, R_C=317), dict(R_S=1, R_C=1), dict(R_S=3, R_C=100)]
LAST_TAU = [dict(tau_star=3), dict(tau_star=1), dict(tau_star=2)]

POINTS = {
    "C.lem2 amended": (noisy_gradient, [{k: v for k, v in p.items() if k in ("sigma", "C", "B", "d")} for p in NOISY]),
    "C.gi amended": (drift_of_a_client, joined(NOISY, OF_ONE)),
    "C.lem3 amended": (client_in_an_interval, joined(NOISY, OF_ONE, INTERVALS)),
    "C.h.main amended": (drift_of_the_mean, joined(NOISY, OF_ALL)),
    "C.h.app amended": (drift_of_the_mean, joined(NOISY, OF_ALL)),
    "C.thm1 amended": (distance_in_an_interval, joined(NOISY, OF_ALL, INTERVALS)),
    "C.thm1.F amended": (value_in_an_interval, joined(NOISY, OF_ALL, INTERVALS, VALUES)),
    "C.lem4 amended": (one_step_of_squares, joined(ONE_STEP, [dict(distance_square=x) for x in (1, 0, 40)])),
    "C.lem6 amended": (
        one_step_of_the_reciprocal,
        joined(
            ONE_STEP,
            [
                dict(omega_mean=0.25, lam=0.1, auxiliary_gap_mean=0.2),
                dict(omega_mean=3, lam=0.5, auxiliary_gap_mean=0.5),
                dict(omega_mean=0.01, lam=2, auxiliary_gap_mean=1),
            ],
        ),
    ),
    "C.omega.thm amended": (reciprocal_of_the_farthest, [dict(farthest_start_square=x) for x in (4, 0.125, 1e6)]),
    "C.omega.lem6 amended": (reciprocal_of_the_farthest, [dict(farthest_start_square=x) for x in (9, 0.5, 1e-6)]),
    "C.phi.thm amended": (control_parameter, CONTROL),
    "als_dpfl.theorem_2.theorem_omega amended": (theorem_2, joined(OF_THE_RUN, STEPS, GAPS)),
    "als_dpfl.theorem_2.lemma_6_omega amended": (theorem_2, joined(OF_THE_RUN, STEPS, GAPS)),
    "C.G amended": (objective, joined(OF_THE_RUN, STEPS)),
    "C.alg2.tau amended": (rule_for_tau, joined(OF_THE_RUN, GAPS, BUDGETS, LAST_TAU)),
    "C.claim.min1 amended": (objective_where_it_is_a_bound, joined(OF_THE_RUN, STEPS)),
    "C.claim.tau1 amended": (objective_where_communication_is_plenty, joined(OF_THE_RUN, BUDGETS)),
    "C.claim.mono.F amended": (one_step_of_the_mean_gap, joined(ONE_STEP, [dict(theta_mean=x) for x in (1, 0.25, 40)])),
    "C.claim.mono.theta amended": (one_step_of_the_mean_gap, joined(ONE_STEP, [dict(theta_mean=x) for x in (3, 0, 7)])),
    "C.claim.gradnoise amended": (noise_lengthens, [dict(mean_noisy_gradient_norm=x) for x in (1, 0, 25)]),
    "C.claim.jensen amended": (convex_reciprocal, [dict(mean_cubed_gap=x) for x in (0.1, 2, 1e-9)]),
    "als_dpfl.claims.max_difference amended": (largest_difference, [dict(), dict(), dict()]),
}  # fmt: skip


if __name__ == "__main__":
    show(POINTS)
