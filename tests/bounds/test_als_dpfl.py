"""ALS-DPFL: the search for tau*, and its lemmas and claims on actual objects.

What is expected is computed here, by hand or by a loop; what is refuted is refuted at one small instance.
"""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import bounds
from bounds.solve import Solution, solve

Array = NDArray[np.float64]
RULE = bounds.get("als_dpfl.optimal_tau")
POINT: dict[str, float] = {
    "eta": 0.1, "beta": 1.0, "rho": 1.0, "d": 4, "xi": 1e-3, "C": 1.0, "B": 10, "sigma": 1e-4, "lam": 0.1,
    "omega": 30.0, "auxiliary_gap": 0.2, "final_gap": 0.5, "gradient_square": 0.01,
    "R_S": 20, "R_C": 317, "tau_star": 40,
}  # fmt: skip


def on(name: str, **objects: Any) -> Any:
    return bounds.get(f"als_dpfl.{name}").on(**objects)


# ---- the search for tau*


def objective(p: dict[str, float], tau: int) -> float:
    """Eq. (13) with eq. (11), phi as in Theorem 2 and T as in section 4.2; infinite where it is no bound."""
    noise = 2 * math.sqrt(p["d"]) * p["sigma"] * p["C"]
    grown = (p["xi"] + noise / p["B"]) / p["beta"] * ((1 + p["eta"] * p["beta"]) ** tau - 1)
    length = grown + p["eta"] * (p["xi"] + noise) / p["B"] * tau
    control = p["omega"] * (1 - p["beta"] * p["eta"] / 2) - p["sigma"] ** 2 * p["d"] / p["lam"] ** 2
    speed = p["eta"] * control - p["rho"] * length / (tau * p["lam"] ** 2)
    steps = min(p["R_S"] * tau, p["R_C"])
    return 1 / (steps * speed) + math.sqrt(3) / 3 if speed > 0 else math.inf


def search(**changes: float) -> tuple[dict[str, float], Solution]:
    point = POINT | changes
    return point, solve(RULE, None, None, point, ("tau",))


@pytest.mark.slow("a loop over every tau")
@pytest.mark.parametrize(
    "changes",
    [
        {"R_S": 2, "tau_star": 1},
        *(
            pytest.param(changes, marks=pytest.mark.slow("a loop of 80 to 100 evaluations"))
            for changes in (
                {},
                {"R_S": 3, "eta": 0.5, "xi": 0.05},
                {"R_S": 1, "R_C": 10_000, "tau_star": 90, "xi": 0.0, "sigma": 0.0},
                {"R_S": 400, "R_C": 317},
            )
        ),
    ],
)
def test_the_best_tau_is_that_of_a_loop_over_the_range(changes: dict[str, float]) -> None:
    point, found = search(**changes)
    last = int(min(2 * point["tau_star"], 100))
    best = min(range(1, last + 1), key=lambda tau: objective(point, tau))
    assert found.found
    assert found.values == {"tau": best}
    assert found.value == pytest.approx(objective(point, best), rel=1e-12)
    if point["R_S"] >= point["R_C"]:
        assert best == 1


@pytest.mark.slow("a search over every tau")
def test_where_no_tau_meets_the_conditions_the_search_says_which_block_it() -> None:
    point, found = search(sigma=1.1)
    assert all(objective(point, tau) == math.inf for tau in range(1, 81))
    assert not found.found
    assert found.value is None
    assert "C.thm2.2" in {checked.condition.id for checked in found.blocked_by}
    assert "meets all conditions" in found.sentence


def test_without_the_conditions_the_smallest_objective_is_no_bound() -> None:
    """The search as listed tries every tau: it prefers one whose bracket is negative."""
    inputs = {
        name: POINT[name] for name in ("d", "eta", "beta", "rho", "xi", "C", "B", "sigma", "lam", "omega")
    }
    alone = bounds.get("als_dpfl.control_objective")
    values = {tau: alone.evaluate(tau=tau, T=min(20 * tau, 317), **inputs).value for tau in range(1, 101)}
    chosen = min(values, key=lambda tau: values[tau])
    assert values[chosen] < math.sqrt(3) / 3
    assert objective(POINT, chosen) == math.inf


@pytest.mark.parametrize("name", ["minimizer", "optimal"])
@pytest.mark.parametrize("tau", [1, 2, 7])
def test_one_local_step_has_the_smallest_objective(name: str, tau: int) -> None:
    statement = bounds.get(f"als_dpfl.claims_on_tau.{name}")
    result = statement.on(**statement.example | {"tau": tau})
    assert result.evaluation.applicable is True
    assert result.excess <= 0
    assert bool(result.excess == 0) == (tau == 1)


# ---- losses: sums of sqrt(1 + ||x - a||^2), convex, 1-Lipschitz and 1-smooth

RANDOM = np.random.default_rng(3)
CENTRES = RANDOM.standard_normal((4, 3))
SIZES = [1, 2, 3, 4]
LOSSES = [lambda x, a=a: np.sqrt(1 + ((x - a) ** 2).sum(-1)) for a in CENTRES]
GRADIENTS = [lambda x, a=a: (x - a) / np.sqrt(1 + ((x - a) ** 2).sum(-1, keepdims=True)) for a in CENTRES]
POINTS = 4 * RANDOM.standard_normal((2, 300, 3))


def half_square(x: Array) -> Array:
    return (x**2).sum(-1) / 2


def identity(x: Array) -> Array:
    return x


ORIGIN = np.zeros(1)
ONE = {"loss": half_square, "gradient": identity, "minimizer": ORIGIN, "beta": 1.0}


def test_the_mean_loss_is_lipschitz_and_smooth_as_the_clients_are() -> None:
    common = {"sizes": SIZES, "w": POINTS[0], "w_prime": POINTS[1]}
    assert (on("lemma_1.lipschitz", losses=LOSSES, rho=1.0, **common).excess <= 0).all()
    assert (on("lemma_1.smooth", gradients=GRADIENTS, beta=1.0, **common).excess <= 0).all()
    assert (on("lemma_1.lipschitz", losses=LOSSES, rho=0.1, **common).excess > 0).any()
    assert (on("lemma_1.smooth", gradients=GRADIENTS, beta=0.01, **common).excess > 0).any()


def test_the_mean_loss_is_convex_as_the_clients_are() -> None:
    """Of half squares: the gap between two points falls short by s (1-s)/2 times their squared distance."""
    losses = [lambda x, a=a: half_square(x - a) for a in CENTRES]
    centre = np.average(CENTRES, axis=0, weights=SIZES)
    share = RANDOM.random(300)
    result = on(
        "lemma_1.convex",
        losses=losses,
        sizes=SIZES,
        w=POINTS[0],
        w_prime=POINTS[1],
        share=share,
        minimizer=centre,
    )
    missing = share * (1 - share) * half_square(POINTS[0] - POINTS[1])
    assert result.excess == pytest.approx(-missing, rel=1e-9, abs=1e-12)


def test_the_divergence_of_a_client_is_its_distance_from_the_mean_gradient() -> None:
    gradients = [lambda x, a=a: x - a for a in CENTRES]
    apart = np.linalg.norm(CENTRES[2] - np.average(CENTRES, axis=0, weights=SIZES))
    result = on("equation_9", gradients=gradients, sizes=SIZES, client=2, w=POINTS[0], xi_i=apart)
    assert result.excess == pytest.approx(np.zeros(300), abs=1e-12)


@pytest.mark.parametrize(("form", "power"), [("theorem_2", 1), ("lemma_6", 2)])
def test_the_smallest_reciprocal_is_that_of_the_farthest_start(form: str, power: int) -> None:
    starts = np.array([[3.0, 4.0], [0.0, 1.0]])
    result = on(f"omega.{form}", starts=starts, minimizer=np.zeros(2))
    assert result.left == 5.0**-power
    assert result.excess == 0


# ---- one noisy step


def test_lemma_5_holds_for_any_noise() -> None:
    v, noise = POINTS
    eta = RANDOM.random(300)
    loss, gradient = LOSSES[0], GRADIENTS[0]
    result = on(
        "lemma_5", loss=loss, gradient=gradient, v=v, noise=noise, minimizer=CENTRES[0], eta=eta, beta=1.0
    )
    assert result.evaluation.applicable.all()
    assert (result.excess <= 1e-14).all()
    quadratic = on("lemma_5", v=v, noise=noise, eta=eta, **ONE | {"minimizer": np.zeros(3)})
    assert quadratic.excess == pytest.approx(np.zeros(300), abs=1e-12)


def test_lemma_4_is_refuted_where_few_outcomes_carry_the_gradient() -> None:
    """v = 1 with probability 1/100, else 0; noise 1/20 up or down; eta = 1/2.

    The hypothesis holds with equality: 1/2 (1 - 1/2) E v^2 = 1/400 = sigma^2. Afterwards the mean distance
    is 1/100 times 1/2 (the noise does not change the sign) plus 99/100 times 1/40: 119/4000, against 1/100.
    """
    v = np.zeros((100, 1))
    v[0] = 1
    noise = np.array([[0.05], [-0.05]])
    result = on("lemma_4", gradient=identity, v=v, noise=noise, minimizer=ORIGIN, eta=0.5, beta=1.0)
    assert result.left == pytest.approx(float(Fraction(119, 4000)))
    assert result.right == pytest.approx(0.01)
    smaller = on("lemma_4", gradient=identity, v=v, noise=0.99 * noise, minimizer=ORIGIN, eta=0.5, beta=1.0)
    assert smaller.evaluation.applicable is True
    assert smaller.excess > 0.01


def test_lemma_4_holds_from_one_point() -> None:
    v = np.array([[1.0]])
    noise = np.array([[0.4], [-0.4]])
    result = on("lemma_4", gradient=identity, v=v, noise=noise, minimizer=ORIGIN, eta=0.5, beta=1.0)
    assert result.evaluation.applicable is True
    assert result.excess == pytest.approx(0.5 - 1)


def test_lemma_6_is_refuted_by_noise_in_many_dimensions() -> None:
    """v = e_1, loss ||x||^2/2, eta = beta = 1: v(t+1) = -n.

    Here the noise has constant length sqrt 3: 1/theta goes from 2 to 2/3; every theta(t+1) is 3/2 = lambda.
    The lemma claims a loss of at most -1/2 + 3/(3/2)^2 = 5/6; it is 4/3.
    """
    noise = math.sqrt(3) * np.concatenate([np.eye(100), -np.eye(100)])
    v, ends = np.eye(100)[:1], noise
    result = on(
        "lemma_6", v=v, noise=noise, starts=v, ends=ends, eta=1.0, lam=1.4999999,
        **ONE | {"minimizer": np.zeros(100)},
    )  # fmt: skip
    assert result.evaluation.applicable is True
    assert result.left == pytest.approx(4 / 3)
    assert result.right == pytest.approx(5 / 6, rel=1e-6)


@pytest.mark.parametrize("name", ["loss_decreases", "gap_decreases"])
def test_noise_can_raise_the_loss(name: str) -> None:
    """From 1, half a step against 1 - 4 ends at 5/2."""
    result = on(f"claims.{name}", v=np.array([1.0]), noise=np.array([-4.0]), eta=0.5, **ONE)
    assert result.evaluation.applicable is True
    assert (result.left, result.right) == (25 / 8, 1 / 2)


def test_noise_can_shorten_a_gradient() -> None:
    result = on("claims.noise_lengthens", v=np.array([1.0]), noise=np.array([-0.5]), eta=0.5, **ONE)
    assert (result.left, result.right) == (1.0, 0.5)


def test_gradient_descent_reaches_the_minimizer() -> None:
    """Eq. (20) is refuted without noise: the half square at eta = 1/beta."""
    result = on("claims.loss_decreases", v=np.array([1.0]), noise=np.array([0.0]), eta=1.0, **ONE)
    assert result.left == 0


# ---- Lemma 2, Theorem 2 and claims


def test_lemma_2_is_refuted_by_two_different_samples() -> None:
    """Batches of one of two samples with gradients 1 and -1, clipped at 1, without noise."""
    noisy, gradient = np.array([[1.0], [-1.0]]), np.zeros(1)
    result = on("lemma_2", noisy=noisy, gradient=gradient, sigma=0.0, C=1.0, B=1)
    assert (result.left, result.right) == (1.0, 0.0)


def test_theorem_2_with_its_own_omega_is_refuted_far_from_the_minimizer() -> None:
    """One client, no noise, a Huber loss of slope G: twenty steps of length 1 from distance 1000.

    The printed omega is 1/1000 where the proof needs its square.
    """
    slope, x = 9e-4, 1000.0
    for _ in range(20):
        x -= max(min(x, 1.0), -1.0)
    gap = slope * (x - 0.5)
    statement = bounds.get("als_dpfl.theorem_2.theorem_omega")
    common = {
        "T": 20, "tau": 1, "eta": 1 / slope, "beta": slope, "rho": slope, "d": 1, "xi": 0, "C": slope, "B": 1,
        "sigma": 0, "lam": gap / 2, "auxiliary_gap": gap, "final_gap": gap, "gradient_square": slope**2,
    }  # fmt: skip
    evaluation = statement.evaluate(omega=1e-3, **common)
    assert evaluation.applicable is True
    assert gap == pytest.approx(0.88155)
    assert evaluation.value == pytest.approx(0.09 + math.sqrt(3) / 3)
    assert gap > evaluation.value
    proper = bounds.get("als_dpfl.theorem_2.lemma_6_omega").evaluate(omega_lemma_6=1e-6, **common)
    assert gap < proper.value


H = {"eta": 0.1, "beta": 2.0, "xi": 0.5, "d": 4, "sigma": 1.0, "C": 1.0, "B": 2}


@pytest.mark.parametrize("x", [0, 1, 5])
def test_h_is_not_negative(x: int) -> None:
    result = on("claims.h_non_negative", x=x, **H)
    assert result.excess == pytest.approx(-(1.25 * (1.2**x - 1) + 0.1 * 4.5 / 2 * x))


def test_h_starts_at_zero_and_does_not_vanish_at_one() -> None:
    assert on("claims.h_starts_at_zero", x=0, **H).excess == 0
    assert on("claims.h_vanishes_at_one", x=1, **H).excess == pytest.approx(0.25 + 0.225)


@pytest.mark.parametrize("x", [0, 1, 2, 9])
def test_bernoulli(x: int) -> None:
    assert on("claims.bernoulli", eta=0.5, beta=1.0, x=x).excess == pytest.approx(1 + x / 2 - 1.5**x)


def test_expectations_of_two_independent_variables() -> None:
    """X is 1 or 5 with means 2; Y is 0 or -1 with mean -1/4."""
    law = {"first": [1, 5], "first_weights": [0.75, 0.25], "second": [0, -1], "second_weights": [0.75, 0.25]}
    expected = {"independent_product": -0.5, "mean_of_sum": 1.75, "mean_of_multiple": -6.0}
    for name, value in expected.items():
        result = on(f"claims.{name}", a=-3.0, **law)
        assert result.left == pytest.approx(value)
        assert result.excess == pytest.approx(0, abs=1e-15)


def test_jensen_is_used_the_wrong_way_round() -> None:
    """Gaps 1/2 and 1/10: the mean reciprocal cube is 504, the reciprocal of the mean cube is 1000/63."""
    result = on("claims.jensen", gaps=[0.5, 0.1])
    assert result.evaluation.applicable is True
    assert (result.left, result.right) == (pytest.approx(504), pytest.approx(1000 / 63))


def test_the_largest_difference_is_two_thirds_of_what_is_printed() -> None:
    """x - x^3 is largest at 1/sqrt 3, where it is 2/(3 sqrt 3)."""
    points = np.append(np.linspace(0.01, 0.99, 99), 1 / math.sqrt(3))
    result = on("claims.max_difference", points=points)
    assert result.left == pytest.approx(2 / (3 * math.sqrt(3)))
    assert result.left / result.right == pytest.approx(2 / 3)
    assert (on("claims.max_difference_as_used", unit_point=points).excess < 0).all()


def test_all_rounds_together() -> None:
    assert on("claims.steps_of_all_rounds", rounds=[3, 3, 3, 3]).left == 12
    assert on("claims.steps_of_all_rounds", rounds=[3, 3, 3, 3]).excess == 0


def test_a_mechanism_that_shows_too_much() -> None:
    """e^0.5 times 0.2 plus 0.01 is below 0.5."""
    law = {"outputs": [0.5, 0.3, 0.2], "neighbour_outputs": [0.2, 0.3, 0.5], "epsilon": 0.5, "delta": 0.01}
    shown = on("definition_1.equation_4", output_set=[1, 0, 0], **law)
    assert shown.excess == pytest.approx(0.5 - math.exp(0.5) * 0.2 - 0.01)
    assert on("definition_1.equation_4", output_set=[0, 1, 1], **law).excess < 0
