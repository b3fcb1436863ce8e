"""The constant of Lipschitz Hessians: true of every family, nearly reached, and compared with functions."""

import math

import numpy as np
import pytest

from synthetic.errors import FalseClaim
from synthetic.outside.claims import given_at_most
from synthetic.outside.own_problem import OwnProblem
from synthetic.problems import build
from synthetic.problems.log_sum_exp import LogSumExp
from synthetic.problems.logistic import logistic
from synthetic.problems.nonconvex_logistic import nonconvex_logistic
from synthetic.problems.softmax import softmax
from synthetic.problems.vanishing import tails

RANDOM = np.random.default_rng(3)
FEATURES = [RANDOM.standard_normal((7, 3)) for _ in range(2)]
SIGNS = [RANDOM.choice([-1.0, 1.0], 7) for _ in range(2)]
# a problem, and the least share of its constant that second differences are to reach
SMOOTH = {
    "logistic": (lambda: logistic(FEATURES, SIGNS, l2=0.1), 0.3),
    "non-convex": (lambda: nonconvex_logistic(FEATURES, SIGNS, strength=0.3), 0.3),
    "softmax": (lambda: softmax(FEATURES, [RANDOM.integers(0, 3, 7) for _ in range(2)], classes=3), 0.1),
    "log_sum_exp": (lambda: build("log_sum_exp.small"), 0.3),
    "logistic tails": (lambda: tails("logistic", (0.0, 1.0), (1.0, 0.5), (1.0, 2.0)), 0.9),
    "exponential tails": (lambda: tails("exponential", (0.0, 1.0), (1.0, 0.5), (1.0, 2.0)), 0.9),
}
ONE_SAMPLE = ([np.array([[2.0]])], [np.array([1.0])])
THIRD = 1 / (6 * math.sqrt(3))  # of log(1 + exp(t)), where the chance is 1/2 (1 - 1/sqrt(3))


def measure_bend(problem, lengths=(0.3, 0.03)):
    """The largest ||grad f_i(x + h) - 2 grad f_i(x) + grad f_i(x - h)||/||h||^2 that is met."""
    found = 0.0
    for length in lengths:
        points = 2 * RANDOM.standard_normal((2000, problem.dimension))
        away = RANDOM.standard_normal(points.shape)
        away *= length / np.linalg.norm(away, axis=1, keepdims=True)
        ends = problem.client_gradients(points + away) + problem.client_gradients(points - away)
        bends = np.linalg.norm(ends - 2 * problem.client_gradients(points), axis=-1) / length**2
        found = max(found, float(bends.max()))
    return found


@pytest.mark.parametrize("name", SMOOTH)
def test_second_differences_of_gradients_stay_below_the_constant(name):
    make, share = SMOOTH[name]
    problem = make()
    limit = problem.constants()["hessian_lipschitz"].upper
    assert share * limit <= measure_bend(problem) <= limit * (1 + 1e-9)


@pytest.mark.parametrize(
    ("problem", "least"),
    [
        (logistic(*ONE_SAMPLE), 2.0**3 * THIRD),
        # 24 w (1 - w^2)/(1 + w^2)^4 where 5 w^4 - 10 w^2 + 1 = 0, beside which the sample is nothing
        (nonconvex_logistic([np.array([[1e-4]])], [np.array([1.0])], strength=0.5), 0.5 * 4.668582),
        (softmax([np.array([[1.0]])], [np.array([0])], classes=2), math.sqrt(8) * THIRD),
        (
            LogSumExp(rows=np.array([[[0.0], [3.0]]]), levels=np.zeros((1, 2)), temperature=0.5, l2=0.1),
            3.0**3 * THIRD / 0.5**2,
        ),
        (tails("logistic", (0.0,), (0.5,), (3.0,)), 3.0 * THIRD / 0.5**3),
    ],
    ids=["logistic", "non-convex", "softmax", "log_sum_exp", "tails"],
)
def test_the_constant_is_the_least_one_where_a_client_is_one_curve(problem, least):
    found = problem.constants()["hessian_lipschitz"].upper
    assert least <= found <= least * (1 + 1e-5)


@pytest.mark.parametrize("name", ["quadratic.small", "component_sums.small", "least_squares.small"])
def test_quadratics_have_the_constant_zero(name):
    known = build(name).constants()["hessian_lipschitz"]
    assert (known.lower, known.upper) == (0, 0)


def test_kinks_of_the_gradient_have_none():
    assert "hessian_lipschitz" not in build("huber.small").constants()


def log_cosh(limit, *, ridge=0.1, client_scale=1.0):
    """Its third derivative, -2 tanh/cosh^2, is at most 4/(3 sqrt(3)) = 0.7698 in absolute value."""
    scales = (1.0, client_scale)
    return OwnProblem(
        clients=2,
        dimension=2,
        value=lambda i, x: float(scales[i] * np.log(np.cosh(x)).sum() + ridge / 2 * x @ x),
        gradient=lambda i, x: scales[i] * np.tanh(x) + ridge * x,
        constants={"hessian_lipschitz": given_at_most(limit, because="the third derivative")},
    )


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
def test_a_claim_is_compared_with_the_functions():
    assert log_cosh(0.7699).constants()["hessian_lipschitz"].upper == 0.7699
    assert log_cosh((0.7699, 1.54), client_scale=2.0).constants()["hessian_lipschitz"].upper == (0.7699, 1.54)
    with pytest.raises(FalseClaim, match=r"hessian_lipschitz of client 0: .*found 0\.6.* needed <= 0.6"):
        log_cosh(0.6)
    with pytest.raises(FalseClaim, match="claim hessian_lipschitz of client 1"):
        log_cosh((0.7699, 1.2), client_scale=2.0)


def test_roundings_of_quadratics_contradict_nothing():
    matrix = np.diag([1e6, 1.0, 1e-6])
    stated = {"hessian_lipschitz": given_at_most(0.0, because="it is quadratic")}
    bowl = {
        "clients": 1,
        "dimension": 3,
        "value": lambda i, x: float((x - 1e3) @ matrix @ (x - 1e3)) / 2,
        "gradient": lambda i, x: matrix @ (x - 1e3),
    }
    assert OwnProblem(**bowl, constants=stated).constants()["hessian_lipschitz"].upper == 0
    assert OwnProblem(**bowl, quadratic=True).constants()["hessian_lipschitz"].upper == 0
    assert "hessian_lipschitz" not in OwnProblem(**bowl).constants()
