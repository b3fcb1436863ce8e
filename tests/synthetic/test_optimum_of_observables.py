"""What the observables of an author's algorithm are told of the minimizer, and who is not told."""

import numpy as np
import pytest

from synthetic import run
from synthetic.engine.disturbance import disturbed
from synthetic.errors import AuthorMistake, UnknownOptimum
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from synthetic.outside.own_problem import OwnProblem
from synthetic.problems import build
from synthetic.run import runnable

# f_1 = (x - 1)^2/2 and f_2 = 3 (x + 3)^2/2: the mean has the minimizer -2, the minimum 3, and there the
# clients have the gradients -3 and 3.
PROBLEM = build("quadratic.diagonal", curvatures=[[1.0], [3.0]], centers=[[1.0], [-3.0]])


def descend(x, clients, settings, random):
    return x - settings.step * clients.gradient(x)


def away(x, clients, settings):
    return ((x - clients.minimizer) ** 2).sum(axis=-1)


def spread(x, clients, settings):
    return (clients.gradients_at_minimizer**2).sum() + 0 * x.sum(axis=-1)


def above(x, clients, settings):
    return clients.value(x) - clients.minimum


def measure(problem=PROBLEM, observe=("away", "spread", "above", "squared_distance", "gap"), **changes):
    algorithm = Algorithm(
        round=changes.pop("round", descend),
        settings={"step": REQUIRED},
        observables={"away": away, "spread": spread, "above": above},
        **changes,
    )
    name = adopt(algorithm)
    made = runnable(name).settings(start=[1.0] * problem.dimension, rounds=3, step=0.1)
    return run(name, problem, made, replicates=2, seed=0, stream="a", observe=list(observe)).measurements


@pytest.mark.parametrize(
    "kind", [{}, {"batched": True}, {"library": "torch"}, {"library": "torch", "batched": True}]
)
def test_the_minimizer_the_minimum_and_the_slopes_there(kind):
    found = measure(**kind)
    points = -2 + 3 * 0.8 ** np.arange(4)  # the mean has curvature 2
    np.testing.assert_allclose(found["away"], [(points + 2) ** 2] * 2, rtol=1e-12)
    np.testing.assert_allclose(found["above"], [(points + 2) ** 2] * 2, rtol=1e-12)
    np.testing.assert_allclose(found["spread"], 18.0, rtol=1e-12)
    np.testing.assert_allclose(found["away"], found["squared_distance"], rtol=1e-12)


@pytest.mark.parametrize("name", ["minimizer", "minimum", "gradients_at_minimizer"])
def test_a_round_is_not_told(name):
    def cheat(x, clients, settings, random):
        return x + 0 * np.sum(getattr(clients, name))

    with pytest.raises(AuthorMistake, match=rf"test_optimum.*line \d+.*clients.{name}: a round is not told"):
        measure(round=cheat)


@pytest.mark.parametrize("name", ["away", "spread"])
def test_a_problem_without_a_certified_minimizer_refuses(name):
    problem = build("nonconvex_logistic.small", clients=2, dimension=2)
    with pytest.raises(
        UnknownOptimum, match="the minimizer of f, which an observable asks for: the problem does"
    ):
        measure(problem, observe=[name])
    assert np.isfinite(measure(problem, observe=["gradient_norm"])["gradient_norm"]).all()


def test_a_stated_minimum_is_known_without_a_minimizer():
    problem = OwnProblem(
        clients=1, dimension=1, value=lambda i, x: float(x @ x), gradient=lambda i, x: 2 * x, minimum=0.0
    )
    found = measure(problem, observe=["above"])["above"]
    np.testing.assert_allclose(found, [0.8 ** (2 * np.arange(4))] * 2, rtol=1e-12)
    with pytest.raises(UnknownOptimum, match="needed minimizer="):
        measure(problem, observe=["away"])


def test_what_is_told_cannot_be_written_to():
    def spoil(x, clients, settings):
        clients.minimizer[0] = 0.0
        return 0.0

    algorithm = Algorithm(round=descend, settings={"step": 0.1}, observables={"spoil": spoil})
    name = adopt(algorithm)
    made = runnable(name).settings(start=[1.0], rounds=1)
    with pytest.raises(AuthorMistake, match="read-only"):
        run(name, PROBLEM, made, replicates=1, seed=0, stream="a", observe=["spoil"])


def test_the_rounding_of_the_minimizer_is_measured():
    """Disturbed like a product, so that a distance near 0 is known no better than the minimizer is."""
    still = {"round": stay, "observe": ("away",)}
    plain = measure(**still)["away"]
    with disturbed():
        moved = measure(**still)["away"]
    change = np.abs(moved - plain).max()
    assert 0 < change < 1e-12


def stay(x, clients, settings, random):
    return x
