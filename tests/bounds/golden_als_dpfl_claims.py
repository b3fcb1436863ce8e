"""More points for golden.py: the control objective of the als_dpfl transcription, its rules, and the claims in prose.

Typed by hand from the transcription, like golden.py and with no line in common with the program.
`python golden_als_dpfl_claims.py` prints everything.
"""

from mpmath import mpf
from typed_points import root, show

# ---- the control objective (13), and what is said about its minimizer


def h(q, x):
    noise = 2 * root(q.d) * q.sigma * q.C
    growth = (q.xi + noise / q.B) / q.beta * ((q.eta * q.beta + 1) ** x - 1)
    return growth + q.eta * ((q.xi + noise) / q.B) * x


def control(q, T):
    h_tau = h(q, q.tau)
    phi = q.omega * (1 - q.beta * q.eta / 2) - q.sigma**2 * q.d / q.lam**2
    speed = q.eta * phi - q.rho * h_tau / (q.tau * q.lam**2)
    first_hypotheses = [(q.eta, "<=", 1 / q.beta), (speed, ">", mpf(0))]
    terms = {"rate": 1 / (T * speed), "floor": root(mpf(3)) / 3}
    return terms, {"phi": phi, "h_tau": h_tau}, first_hypotheses


def control_objective(q):
    terms, derived, _ = control(q, q.T)
    return terms, derived, []


def smallest_at_one(q):
    return control(q, q.T)


def steps_within_the_budgets(q):
    return min(q.R_S * q.tau, q.R_C)


def optimal_at_one(q):
    T = steps_within_the_budgets(q)
    terms, derived, conditions = control(q, T)
    return terms, derived | {"T": T}, [*conditions, (q.R_S, ">=", q.R_C)]


def range_of_the_search(q):
    return min(2 * q.tau_star, mpf(100))


def choice_of_tau(q):
    T = steps_within_the_budgets(q)
    tau_m = range_of_the_search(q)
    terms, derived, conditions = control(q, T)
    conditions = [
        *conditions,
        (q.auxiliary_gap, ">=", q.lam),
        (q.final_gap, ">=", q.lam),
        (q.final_gap, "<", mpf(1)),
        (q.eta * (1 / q.beta - q.eta) * q.gradient_square, ">=", q.sigma**2 * q.d),
        (q.tau, "<=", tau_m),
    ]
    return terms, derived | {"T": T, "tau_m": tau_m}, conditions


def budgets(q):
    return {"steps": steps_within_the_budgets(q)}, {}, []


def search_range(q):
    return {"range": range_of_the_search(q)}, {}, []


# ---- claims


def bernoulli(q):
    return {"power": (q.eta * q.beta + 1) ** q.x}, {}, []


def never_negative(q):
    return {"zero": mpf(0)}, {}, []


def zero_at(x):
    return lambda q: ({"zero": mpf(0)}, {"x": mpf(x)}, [])


def loss_decreases(q):
    return {"before": q.theta}, {}, [(q.eta, "<=", 1 / q.beta)]


def gap_decreases(q):
    return {"before": q.theta}, {}, [(q.theta, ">", mpf(0)), (q.eta, "<=", 1 / q.beta)]


def noise_lengthens(q):
    return {"noisy": q.noisy_gradient_norm}, {}, []


def independent_product(q):
    return {"product": q.mean_X * q.mean_Y}, {}, []


def mean_of_sum(q):
    return {"first": q.mean_X, "second": q.mean_Y}, {}, []


def mean_of_multiple(q):
    return {"multiple": q.a * q.mean_X}, {}, []


def jensen(q):
    return {"reciprocal": 1 / q.mean_cubed_gap}, {}, [(q.largest_final_gap, "<", mpf(1))]


def largest_difference(q):
    return {"difference": root(mpf(3)) / 3}, {}, []


def difference_as_used(q):
    return {"cube": q.unit_point**3, "difference": root(mpf(3)) / 3}, {}, []


def steps_of_all_rounds(q):
    return {"steps": q.K * q.tau}, {}, []


# At the first point every condition holds; the second is a tie with eta = 1/beta and no noise, where xi alone
# makes the bracket negative; at the third noise does. G is below sqrt(3)/3 at both.
RUN = [
    dict(tau=4, eta=0.1, beta=3, rho=0.4, xi=0.02, sigma=0.002, C=1, B=32, d=20, lam=0.5, omega=1.5),
    dict(tau=2, eta=0.5, beta=2, rho=1, xi=0.75, sigma=0, C=2, B=4, d=3, lam=0.25, omega=0.5),
    dict(tau=12, eta=0.4, beta=3, rho=2, xi=0.1, sigma=0.3, C=0.5, B=8, d=200, lam=0.8, omega=0.7),
]
WITH_T = [p | dict(T=T) for p, T in zip(RUN, [400, 1, 3000], strict=True)]
WITH_BUDGETS = [
    p | b
    for p, b in zip(
        RUN,
        [dict(R_S=317, R_C=300), dict(R_S=100, R_C=100), dict(R_S=5, R_C=317)],
        strict=True,
    )
]
# tau R_S is above, at and below R_C; tau is inside, at and beyond the range of the search.
CHOICES = [
    p | b
    for p, b in zip(
        RUN,
        [
            dict(R_S=150, R_C=317, tau_star=3, auxiliary_gap=0.6, final_gap=0.75, gradient_square=0.9),
            dict(R_S=64, R_C=128, tau_star=1, auxiliary_gap=0.25, final_gap=0.25, gradient_square=0),
            dict(R_S=7, R_C=1000, tau_star=5, auxiliary_gap=0.3, final_gap=1.5, gradient_square=6),
        ],
        strict=True,
    )
]
MEANS = [dict(mean_X=0.3, mean_Y=-1.7), dict(mean_X=0, mean_Y=2.5), dict(mean_X=-40, mean_Y=-0.003)]
STEP = [dict(theta=0.7, eta=0.1, beta=3), dict(theta=0, eta=0.5, beta=2), dict(theta=12, eta=0.9, beta=4)]

POINTS = {
    "C.G": (control_objective, WITH_T),
    "C.claim.min1": (smallest_at_one, WITH_T),
    "C.claim.tau1": (optimal_at_one, WITH_BUDGETS),
    "als_dpfl.optimal_tau": (choice_of_tau, CHOICES),
    "C.T": (
        budgets,
        [dict(R_S=317, R_C=317, tau=1), dict(R_S=158, R_C=317, tau=3), dict(R_S=3, R_C=1000, tau=7)],
    ),
    "C.taum": (search_range, [dict(tau_star=1), dict(tau_star=50), dict(tau_star=77)]),
    "C.claim.bern": (
        bernoulli,
        [dict(eta=0.1, beta=2, x=5), dict(eta=0.75, beta=4, x=0), dict(eta=0.003, beta=0.7, x=1)],
    ),
    # h itself is no input of these: what is printed about it is a number.
    "C.claim.hpos": (never_negative, [dict()] * 3),
    "C.claim.h0": (zero_at(0), [dict()] * 3),
    "C.claim.h1": (zero_at(1), [dict()] * 3),
    "C.claim.mono.F": (loss_decreases, STEP),
    "C.claim.mono.theta": (gap_decreases, STEP),
    "C.claim.gradnoise": (
        noise_lengthens,
        [dict(noisy_gradient_norm=0.9), dict(noisy_gradient_norm=0), dict(noisy_gradient_norm=70)],
    ),
    "C.claim.indep": (independent_product, MEANS),
    "als_dpfl.claims.mean_of_sum": (mean_of_sum, MEANS),
    "als_dpfl.claims.mean_of_multiple": (
        mean_of_multiple,
        [dict(a=-1.3, mean_X=0.7), dict(a=0, mean_X=5), dict(a=1000, mean_X=-0.011)],
    ),
    "C.claim.jensen": (
        jensen,
        [
            dict(mean_cubed_gap=0.3, largest_final_gap=0.8),
            dict(mean_cubed_gap=0.001, largest_final_gap=1),
            dict(mean_cubed_gap=2.7, largest_final_gap=3),
        ],
    ),
    "als_dpfl.claims.max_difference": (largest_difference, [dict()] * 3),
    "als_dpfl.claims.max_difference_as_used": (
        difference_as_used,
        [dict(unit_point=0.5), dict(unit_point=1e-3), dict(unit_point=0.999)],
    ),
    "C.claim.Texact": (steps_of_all_rounds, [dict(K=317, tau=1), dict(K=1, tau=100), dict(K=25, tau=4)]),
}  # fmt: skip


if __name__ == "__main__":
    show(POINTS)
