"""More points for golden.py: definitions, estimators and lemmas of the als_dpfl transcription.

Typed by hand from the transcription, like golden.py and with no line in common with the program.
golden_als_dpfl_claims.py holds its claims and rules. `python golden_als_dpfl.py` prints everything.
"""

from mpmath import mp, mpf
from typed_points import root, show

# ---- privacy


def privacy_of_one_output_set(q):
    return {"neighbor": mp.e**q.epsilon * q.neighbour_probability, "failure": q.delta}, {}, []


def gaussian_mechanism(q):
    conditions = [
        (q.c, ">=", root(2 * mp.log(mpf(5) / 4 / q.delta))),
        (q.epsilon, "<", mpf(1)),
    ]
    return {"noise": q.c * q.sensitivity / q.epsilon}, {}, conditions


# ---- definitions and estimators


def gap_of_the_auxiliary_sequence(q):
    return {"value": q.auxiliary_value, "lowest": -q.lowest_value}, {}, []


def gradient_divergence(q):
    return {"divergence": q.xi_i}, {}, []


def estimate_of_rho(q):
    return {"slope": q.model_loss_difference / q.model_distance}, {}, []


def estimate_of_beta(q):
    return {"slope": q.model_gradient_difference / q.model_distance}, {}, []


def estimate_of_xi(q):
    return {"divergence": q.divergence_at_model}, {}, []


def omega_of_theorem_2(q):
    return {"omega": 1 / q.farthest_start}, {}, []


def omega_of_lemma_6(q):
    return {"omega": 1 / q.farthest_start**2}, {}, []


def phi_of_theorem_2(q):
    terms = {
        "progress": q.omega * (1 - q.beta * q.eta / 2),
        "noise": -(q.sigma**2) * q.d / q.lam**2,
    }
    return terms, {}, []


def phi_of_the_proof(q):
    terms = {
        "progress": q.omega_lemma_6 * (1 - q.beta * q.eta / 2),
        "noise": -(q.sigma_v**2) * q.d / q.lam**2,
    }
    speed = q.eta * sum(terms.values()) - q.rho * q.h_tau / (q.tau * q.lam**2)
    return terms, {}, [(q.eta, "<=", 1 / q.beta), (speed, ">", mpf(0))]


# ---- lemmas


def convex_mean_loss(q):
    # F(s x + (1 - s) y) - F* <= s (F(x) - F*) + (1 - s) (F(y) - F*)
    return {"first": q.share * q.first_gap, "second": (1 - q.share) * q.second_gap}, {}, []


def lipschitz_mean_loss(q):
    return {"distance": q.rho * q.point_distance}, {}, []


def smooth_mean_loss(q):
    return {"distance": q.beta * q.point_distance}, {}, []


def deviation_of_the_noisy_gradient(q):
    return {"noise": 2 * root(q.d) * q.sigma * q.C / q.B}, {}, []


def g_i(q):
    size = q.xi_i + 2 * root(q.d) * q.sigma * q.C / q.B
    return {"growth": size / q.beta * ((q.eta * q.beta + 1) ** q.x - 1)}


def bound_function(q):
    return g_i(q), {}, []


def lemma_3(q):
    return g_i(q), {}, [(q.x, "<=", q.tau)]


def lemma_4(q):
    conditions = [
        (q.eta, "<=", 1 / q.beta),
        (q.eta * (1 / q.beta - q.eta) * q.gradient_square, ">=", q.sigma_v**2 * q.d),
    ]
    return {"distance": q.distance_to_optimum}, {}, conditions


def lemma_5(q):
    terms = {
        "descent": -q.eta * (1 - q.beta * q.eta / 2) * q.noisy_gradient_norm**2,
        "noise": q.eta * q.noise_alignment,
    }
    return terms, {}, [(q.eta, "<=", 1 / q.beta)]


def lemma_6(q):
    # (22) turned round: E(1/theta(t)) - E(1/theta(t+1)) is at most these
    terms = {
        "progress": -q.omega_lemma_6 * q.eta * (1 - q.beta * q.eta / 2),
        "noise": q.eta * q.sigma_v**2 * q.d / q.lam**2,
    }
    return terms, {}, [(q.eta, "<=", 1 / q.beta), (q.auxiliary_gap, ">=", q.lam)]


SIZES = [
    dict(x=5, eta=0.1, beta=2, xi_i=0.5, sigma=1.5, C=3, B=16, d=10),
    dict(x=0, eta=0.75, beta=4, xi_i=2, sigma=0, C=1, B=1, d=1),
    dict(x=40, eta=0.003, beta=0.7, xi_i=0, sigma=0.9, C=0.2, B=100, d=12345),
]

POINTS = {
    "C.eq4": (
        privacy_of_one_output_set,
        [
            dict(epsilon=0.7, delta=1e-5, neighbour_probability=0.25),
            dict(epsilon=3, delta=0.125, neighbour_probability=0),
            dict(epsilon=1e-3, delta=0.9, neighbour_probability=1),
        ],
    ),
    "C.mech": (
        gaussian_mechanism,
        [
            dict(c=5, sensitivity=0.3, epsilon=0.75, delta=1e-5),
            dict(c=1.25, sensitivity=2, epsilon=1, delta=0.5),
            dict(c=0.1, sensitivity=0, epsilon=4, delta=0.01),
        ],
    ),
    "C.def3": (
        gap_of_the_auxiliary_sequence,
        [
            dict(auxiliary_value=2.5, lowest_value=0.7),
            dict(auxiliary_value=-1, lowest_value=-4.3),
            dict(auxiliary_value=0.3, lowest_value=0),
        ],
    ),
    "C.eq9": (gradient_divergence, [dict(xi_i=0.7), dict(xi_i=0), dict(xi_i=123.456)]),
    "C.rho_i": (
        estimate_of_rho,
        [
            dict(model_loss_difference=0.3, model_distance=0.7),
            dict(model_loss_difference=0, model_distance=2),
            dict(model_loss_difference=5, model_distance=1e-3),
        ],
    ),
    "C.beta_i": (
        estimate_of_beta,
        [
            dict(model_gradient_difference=1.1, model_distance=0.3),
            dict(model_gradient_difference=0, model_distance=0.5),
            dict(model_gradient_difference=0.02, model_distance=7),
        ],
    ),
    "C.xi_i": (
        estimate_of_xi,
        [dict(divergence_at_model=0.6), dict(divergence_at_model=0), dict(divergence_at_model=31)],
    ),
    "C.omega.thm": (
        omega_of_theorem_2,
        [dict(farthest_start=3), dict(farthest_start=0.125), dict(farthest_start=1e4)],
    ),
    "C.omega.lem6": (
        omega_of_lemma_6,
        [dict(farthest_start=3), dict(farthest_start=0.125), dict(farthest_start=1e4)],
    ),
    "C.phi.thm": (
        phi_of_theorem_2,
        [
            dict(omega=2, beta=3, eta=0.1, sigma=0.05, d=10, lam=0.5),
            dict(omega=0.25, beta=1, eta=0.5, sigma=0, d=1, lam=0.9),
            dict(omega=0.3, beta=5, eta=0.7, sigma=1.1, d=1000, lam=0.2),
        ],
    ),
    "C.phi.proof": (
        phi_of_the_proof,
        [
            dict(omega_lemma_6=2, beta=3, eta=0.1, sigma_v=0.05, d=10, lam=0.5, rho=0.2, h_tau=0.04, tau=3),
            dict(omega_lemma_6=0.25, beta=2, eta=0.5, sigma_v=0, d=1, lam=0.75, rho=1, h_tau=5, tau=1),
            dict(omega_lemma_6=0.3, beta=5, eta=0.7, sigma_v=1.1, d=1000, lam=0.2, rho=3, h_tau=0, tau=100),
        ],
    ),
    "als_dpfl.lemma_1.convex": (
        convex_mean_loss,
        [
            dict(share=0.3, first_gap=2, second_gap=0.7),
            dict(share=0, first_gap=5, second_gap=1.5),
            dict(share=1, first_gap=0.01, second_gap=40),
        ],
    ),
    "als_dpfl.lemma_1.lipschitz": (
        lipschitz_mean_loss,
        [dict(rho=1.7, point_distance=0.3), dict(rho=4, point_distance=0), dict(rho=1e-3, point_distance=250)],
    ),
    "als_dpfl.lemma_1.smooth": (
        smooth_mean_loss,
        [dict(beta=1.3, point_distance=0.7), dict(beta=9, point_distance=0), dict(beta=1e-4, point_distance=30)],
    ),
    "C.lem2": (
        deviation_of_the_noisy_gradient,
        [
            dict(d=10, sigma=1.1, C=1, B=64),
            dict(d=3, sigma=0, C=0.5, B=1),
            dict(d=25450, sigma=0.3, C=7, B=5),
        ],
    ),
    "C.gi": (bound_function, SIZES),
    "C.lem3": (lemma_3, [p | dict(tau=tau) for p, tau in zip(SIZES, [8, 1, 25], strict=True)]),
    "C.lem4": (
        lemma_4,
        [
            dict(distance_to_optimum=1.7, eta=0.1, beta=2, gradient_square=3, sigma_v=0.05, d=10),
            dict(distance_to_optimum=0, eta=0.5, beta=2, gradient_square=1, sigma_v=0, d=4),
            dict(distance_to_optimum=20, eta=0.9, beta=3, gradient_square=0.5, sigma_v=1.2, d=100),
        ],
    ),
    "C.lem5": (
        lemma_5,
        [
            dict(eta=0.1, beta=2, noisy_gradient_norm=1.3, noise_alignment=0.4),
            dict(eta=0.25, beta=4, noisy_gradient_norm=0, noise_alignment=0),
            dict(eta=1.5, beta=3, noisy_gradient_norm=0.7, noise_alignment=-2),
        ],
    ),
    "C.lem6": (
        lemma_6,
        [
            dict(omega_lemma_6=0.7, eta=0.1, beta=3, sigma_v=0.05, d=10, lam=0.3, auxiliary_gap=0.5),
            dict(omega_lemma_6=2, eta=0.5, beta=2, sigma_v=0, d=1, lam=0.25, auxiliary_gap=0.25),
            dict(omega_lemma_6=0.01, eta=2, beta=3, sigma_v=1.1, d=500, lam=0.9, auxiliary_gap=0.4),
        ],
    ),
}  # fmt: skip


if __name__ == "__main__":
    show(POINTS)
