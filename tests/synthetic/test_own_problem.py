"""A problem of an author's own: true claims pass, false ones are refused, given ones are called given."""

import warnings

import numpy as np
import pytest
import torch

from synthetic import run
from synthetic.algorithms import gradient_descent
from synthetic.certified.facts import certified_lower, certified_upper, exactly, joined
from synthetic.errors import AuthorMistake, BadValue, FalseClaim, NotCertified, Refusal, UnknownMinimum
from synthetic.outside.claims import given_at_least, given_at_most
from synthetic.outside.own_problem import OwnProblem, given_facts
from synthetic.outside.problems import adopt_problem
from synthetic.problems import build

RANDOM = np.random.default_rng(0)
SPECTRUM = np.array([1.0, 0.5, 0.2, 0.1])
TURNS = [np.linalg.qr(RANDOM.standard_normal((4, 4)))[0] for _ in range(5)]
HESSIANS = np.array([turn @ np.diag(SPECTRUM) @ turn.T for turn in TURNS])
CENTERS = RANDOM.standard_normal((5, 4))
MINIMIZER = np.linalg.solve(HESSIANS.mean(axis=0), np.einsum("nij,nj->i", HESSIANS, CENTERS) / 5)
LEAST = float(np.linalg.eigvalsh(HESSIANS.mean(axis=0))[0])


def value(i, x):
    return float(0.5 * (x - CENTERS[i]) @ HESSIANS[i] @ (x - CENTERS[i]))


def gradient(i, x):
    return HESSIANS[i] @ (x - CENTERS[i])


VALUES = [value(i, MINIMIZER) for i in range(5)]
TRUE = {
    "smoothness": given_at_most(1 + 1e-12, because="the spectrum"),
    "strong_convexity": given_at_least(LEAST - 1e-12, because="the spectrum of the mean"),
    "client_strong_convexity": given_at_least(0.1 - 1e-12, because="the spectrum"),
    "infimum_gap": given_at_most(np.mean(VALUES) + 1e-12, because="every client has the minimum 0"),
    "largest_client_gap_at_minimiser": given_at_most(max(VALUES) + 1e-12, because="the same"),
}


def own(**changed):
    given = {
        "clients": 5,
        "dimension": 4,
        "value": value,
        "gradient": gradient,
        "minimizer": MINIMIZER,
        "constants": TRUE,
        "convex": True,
        "quadratic": True,
        "bounded_below": True,
    }
    return OwnProblem(**(given | changed))


def claim(make, name, number):
    return {"constants": {name: make(number, because="a test")}}


def test_true_claims_are_facts_and_run_like_our_own():
    problem, ours = own(), build("quadratic.quadratic", hessians=_symmetric(HESSIANS), centers=CENTERS)
    facts = problem.facts()
    assert (facts.convex, facts.quadratic, facts.minimum_attained) == (True, True, True)
    assert facts.smoothness == 1 + 1e-12
    settings = gradient_descent.Settings(start=np.ones(4), steps=10, step=0.5)
    found, wanted = (
        run("gradient_descent", p, settings, replicates=2, seed=0, stream="a") for p in (problem, ours)
    )
    for name, values in wanted.measurements.items():
        np.testing.assert_allclose(found.measurements[name], values, rtol=1e-8, atol=1e-13)


def test_an_author_is_asked_for_no_client_that_does_not_exist():
    problem, x = own(), np.zeros(4)
    for wrong in (-1, 5, True):
        for ask, at in (
            (problem.client_value, x[None]),
            (problem.client_gradient, x[None]),
            (problem.point_gradient, x),
        ):
            with pytest.raises(BadValue, match="client: not one of those"):
                ask(wrong, at)


def test_the_gradient_of_a_client_at_one_point_is_that_of_the_author():
    def values(i, rows):
        return np.array([value(i, x) for x in rows])

    def gradients(i, rows):
        return np.array([gradient(i, x) for x in rows])

    point = np.array([1.0, -2.0, 0.5, 3.0])
    for problem in (own(), own(value=values, gradient=gradients, batched=True)):
        for i in range(5):
            np.testing.assert_allclose(problem.point_gradient(i, point), gradient(i, point), rtol=1e-12)
        assert not np.isfinite(problem.point_gradient(0, np.full(4, np.nan))).any()


def _symmetric(matrices):
    return (matrices + matrices.swapaxes(1, 2)) / 2


FALSE = {
    "smoothness": claim(given_at_most, "smoothness", 0.999),
    "smoothness of one client": claim(given_at_most, "client_smoothness", (1, 1, 1, 1, 0.99))
    | {"clients": 5},
    "mean_smoothness": claim(
        given_at_most, "mean_smoothness", 0.99 * np.linalg.norm(HESSIANS.mean(axis=0), 2)
    ),
    "strong_convexity": claim(given_at_least, "strong_convexity", 1.01 * LEAST),
    "client_strong_convexity": claim(given_at_least, "client_strong_convexity", 0.101),
    "lipschitz": claim(given_at_most, "lipschitz", 1e4),
    "infimum_gap": claim(given_at_most, "infimum_gap", 0.95 * float(np.mean(VALUES))),
    "largest_client_gap": claim(given_at_most, "largest_client_gap_at_minimiser", 0.95 * max(VALUES)),
    "gradient_divergence": claim(given_at_most, "gradient_divergence", 10.0),
    "mean_squared_gradient_divergence": claim(given_at_most, "mean_squared_gradient_divergence", 10.0),
    "minimizer": {"minimizer": MINIMIZER + 1e-4},
    "minimum too high": {"minimizer": None, "minimum": 1.01 * float(np.mean(VALUES))},
    "minimum at the minimizer": {"minimum": 0.0},
    "gradient": {"gradient": lambda i, x: 1.01 * gradient(i, x)},
    "gradient in one coordinate": {"gradient": lambda i, x: gradient(i, x) * np.array([1, 1, 1, 1.05])},
    "gradient of another client": {"gradient": lambda i, x: gradient(0, x)},
    "convex": {
        "value": lambda i, x: value(i, x) - float(x[0] ** 2),
        "gradient": lambda i, x: gradient(i, x) - 2 * x * np.array([1.0, 0, 0, 0]),
        "constants": {},
        "minimizer": None,
    },
    "quadratic": {
        "value": lambda i, x: float(np.sqrt(1 + x @ x)),
        "gradient": lambda i, x: x / np.sqrt(1 + x @ x),
        "constants": {},
        "minimizer": np.zeros(4),
    },
    "bounded_below": {
        "value": lambda i, x: float(x[1]),
        "gradient": lambda i, x: np.array([0.0, 1, 0, 0]),
        "constants": {},
        "minimizer": None,
    },
    "a hole": {"value": lambda i, x: float(np.log(x[0])), "minimizer": None},
}


@pytest.mark.parametrize("name", FALSE)
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_a_false_claim_is_refused(name):
    with pytest.raises(FalseClaim) as caught:
        own(**FALSE[name])
    sentence = str(caught.value)
    assert "x = [" in sentence
    assert "needed" in sentence
    assert "\n" not in sentence


def test_the_refusal_has_the_two_points_and_both_numbers():
    with pytest.raises(
        FalseClaim, match=r"smoothness of client 0: .*found 0\.9\d+ at x = \[.*\], y = \[.*\], needed <= 0.5"
    ):
        own(**claim(given_at_most, "smoothness", 0.5))


def test_a_lower_end_that_is_none():
    """The minimum of a function that has no lower bound, and one that the minimum of the mean exceeds."""
    with pytest.raises(FalseClaim, match="claim minimum"):
        own(
            value=lambda i, x: float(-x @ x),
            gradient=lambda i, x: -2 * x,
            convex=False,
            quadratic=True,
            constants={},
            minimizer=None,
            minimum=-1e6,
            bounded_below=False,
        )


def test_what_follows_from_claims_is_known():
    """The mean of functions is as smooth as they are in the mean; gradients at the minimizer are computed."""
    each = {
        "client_smoothness": given_at_most([1.0, 1.0, 1.0, 1.0, 3.0], because="the spectrum"),
        "client_strong_convexity": given_at_least([0.1, 0.1, 0.05, 0.05, 0.05], because="the spectrum"),
    }
    known = own(constants=each).constants()
    squares = [float(np.sum(gradient(i, MINIMIZER) ** 2)) for i in range(5)]
    assert known["smoothness"].upper == 3.0
    assert known["mean_smoothness"].upper == pytest.approx(1.4)
    assert known["strong_convexity"].lower == pytest.approx(0.07)
    found = known["mean_squared_client_gradient_at_minimiser"].upper
    assert np.mean(squares) < found < np.mean(squares) * (1 + 1e-8)
    np.testing.assert_allclose(known["client_gradient_norms_at_minimiser"].upper, np.sqrt(squares), rtol=1e-8)
    stated = given_at_most(2.0, because="a cautious author")
    assert own(constants=TRUE | {"mean_smoothness": stated}).constants()["mean_smoothness"] == stated
    assert "mean_squared_client_gradient_at_minimiser" not in own(minimizer=None).constants()
    assert "mean_smoothness" not in own(constants={}).constants()


def steep(i, x):
    return float(1e8 * (x[0] - 1e3) ** 2 + 1e-4 * x[1] ** 2)


def test_true_claims_about_badly_scaled_functions_pass():
    problem = OwnProblem(
        clients=1,
        dimension=2,
        value=steep,
        gradient=lambda i, x: np.array([2e8 * (x[0] - 1e3), 2e-4 * x[1]]),
        minimizer=[1e3, 0.0],
        minimum=0.0,
        constants={
            "smoothness": given_at_most(2e8, because="the Hessian"),
            "strong_convexity": given_at_least(2e-4, because="the Hessian"),
        },
        convex=True,
        quadratic=True,
        bounded_below=True,
    )
    assert problem.facts().strong_convexity == 2e-4


def test_true_claims_about_a_function_with_kinks_and_a_large_offset_pass():
    OwnProblem(
        clients=2,
        dimension=3,
        value=lambda i, x: float(np.abs(x).sum() + 1e6),
        gradient=lambda i, x: np.sign(x),
        minimizer=np.zeros(3),
        constants={"lipschitz": given_at_most(np.sqrt(3.0), because="three signs")},
        convex=True,
        bounded_below=True,
    )


def test_what_overflows_far_away_is_no_contradiction():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        OwnProblem(
            clients=1,
            dimension=2,
            value=lambda i, x: float(np.cosh(x).sum()),
            gradient=lambda i, x: np.sinh(x),
            minimizer=np.zeros(2),
            constants={"strong_convexity": given_at_least(1.0, because="cosh >= 1")},
            convex=True,
            bounded_below=True,
        )


def test_given_is_a_provenance_of_its_own():
    problem = own()
    known = problem.constants()["smoothness"]
    assert known.provenance == "given"
    assert certified_upper("smoothness", known) == 1 + 1e-12
    with pytest.raises(NotCertified):
        certified_lower("smoothness", known)
    assert joined([exactly(1.0), known]).provenance == "given"
    names = {fact.name: fact for fact in given_facts(problem)}
    assert {"convex", "quadratic", "bounded_below", "minimiser", *TRUE} == set(names)
    assert names["smoothness"].because == "the spectrum"
    assert given_facts(build("quadratic.small")) == ()


def test_without_minimum_and_minimizer_the_rest_is_measured():
    problem = own(minimizer=None, constants={})
    settings = gradient_descent.Settings(start=np.ones(4), steps=2, step=0.5)
    trace = run("gradient_descent", problem, settings, replicates=1, seed=0, stream="a")
    assert set(trace.measurements) == {"gradient_norm", "squared_gradient_norm"}
    with pytest.raises(UnknownMinimum, match="does not state it"):
        run("gradient_descent", problem, settings, replicates=1, seed=0, stream="a", observe=["gap"])
    assert problem.facts().smoothness == np.inf


def test_rows_and_tensors():
    rows = OwnProblem(
        clients=2,
        dimension=3,
        value=lambda i, x: ((x - i) ** 2).sum(axis=1) / 2,
        gradient=lambda i, x: x - i,
        batched=True,
    )
    single = OwnProblem(
        clients=2,
        dimension=3,
        value=lambda i, x: float(((x - i) ** 2).sum() / 2),
        gradient=lambda i, x: x - i,
    )
    points = np.random.default_rng(0).standard_normal((2, 5, 3))
    np.testing.assert_allclose(rows.client_values(points), single.client_values(points), rtol=1e-15)
    tensor = single.client_gradients(torch.as_tensor(points))
    np.testing.assert_array_equal(tensor.numpy(), rows.client_gradients(points))


def _writing(i, x):
    x += 1.0
    return 0.0


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"value": lambda i, x: np.float32(1)}, "float32"),
        ({"value": lambda i, x: None}, "NoneType"),
        ({"value": lambda i, x: x}, r"\(4,\)"),
        ({"value": _writing}, "read-only"),
        ({"gradient": lambda i, x: x[:2]}, r"\(2,\)"),
        ({"gradient": lambda i, x: x.tolist()}, "list"),
        ({"gradient": lambda i, x: x.astype(int)}, "int64"),
        ({"gradient": lambda i, x: 1 / 0}, "ZeroDivisionError"),
    ],
)
def test_a_mistake_in_a_function_names_its_line(changed, message):
    with pytest.raises(AuthorMistake, match=message) as caught:
        own(**changed)
    assert f"{__file__}, line " in str(caught.value)


def test_a_function_that_hangs_is_ended():
    def hanging(i, x):
        while True:
            pass

    with pytest.raises(AuthorMistake, match=r"longer than 0\.3 seconds"):
        own(value=hanging, seconds=0.3)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"clients": 0}, "clients"),
        ({"clients": -3}, "clients"),
        ({"dimension": 2.0}, "dimension"),
        ({"convex": 1}, "True or False"),
        ({"minimum": np.nan}, "finite"),
        ({"minimizer": [1.0, 2.0]}, "wrong shape"),
        ({"constants": {"smothness": given_at_most(1, because="x")}}, "needed smoothness"),
        ({"constants": {"lojasiewicz": given_at_most(1, because="x")}}, "needed another name"),
        (
            {"constants": {"mean_squared_divergence_growth": given_at_most(1, because="x")}},
            "needed another name",
        ),
        ({"constants": {"smoothness": given_at_least(1, because="x")}}, "given_at_most"),
        ({"constants": {"smoothness": given_at_most(-1, because="x")}}, "never negative"),
        ({"constants": {"smoothness": 1.0}}, "not a claim"),
        ({"constants": {"client_smoothness": given_at_most((1, 1), because="x")}}, "each client"),
        ({"constants": {"minimum": given_at_most(1, because="x")}}, "argument of its own"),
    ],
)
def test_arguments_that_cannot_be(changed, message):
    with pytest.raises(Refusal, match=message):
        own(**changed)


@pytest.mark.parametrize("make", [given_at_most, given_at_least])
def test_a_claim_has_a_finite_number_and_a_reason(make):
    for number, because in ((np.inf, "x"), (np.nan, "x"), ("1", "x"), (True, "x"), (1.0, " "), (1.0, 3)):
        with pytest.raises(BadValue):
            make(number, because=because)


def test_a_constant_of_the_authors_own_is_passed_on():
    problem = own(constants={"similarity": given_at_most(3.0, because="computed")})
    assert certified_upper("similarity", problem.constants()["similarity"]) == 3.0


def test_an_adopted_problem_is_built_by_name():
    problem = own()
    assert build(adopt_problem(problem, "mine")) is problem
    with pytest.raises(BadValue, match="not a problem"):
        adopt_problem(3)
