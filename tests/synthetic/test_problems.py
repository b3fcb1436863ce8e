"""What every problem must answer, over all builders that discovery finds and that need no argument."""

import inspect
import subprocess
import sys

import numpy as np
import pytest
import torch
from scipy.optimize import minimize
from torch._subclasses.fake_tensor import FakeTensorMode

from synthetic.certified.facts import certified_lower, certified_upper
from synthetic.errors import BadShape, BadValue, NotAttained, UnknownProblem, WrongArguments
from synthetic.problems import build, builder_of, problem_names

ON_THE_HOST = {"envelope.envelope"}  # it says so
ELSEWHERE = {"data_set"}  # needs an optional library; its problems are those of the families below


def buildable():
    for name in problem_names():
        parameters = inspect.signature(builder_of(name)).parameters.values()
        if name.split(".")[0] not in ELSEWHERE and all(p.default is not p.empty for p in parameters):
            yield name


EXAMPLES = {name: {} for name in buildable()} | {
    "quadratic.diagonal": {"curvatures": [[1.0, 0.0], [0.5, 2.0]], "centers": [[1.0, 2.0], [-1.0, 0.5]]},
    "quadratic.low_rank": {"factors": [[[1.0], [2.0]], [[1.0], [-1.0]]], "centers": [[1.0, 0.0], [0.0, 3.0]]},
    "piecewise_quadratic.blocks": {
        "shapes": ["huber", "quadratic", "step", "well", "hinge"],
        "centers": [0.0, 1.0, -2.0, 2.5, 0.3],
        "directions": [1, 1, -1, 1, -1],
        "heights": [1.0, 0.3, 2.0, 1.0, 0.7],
        "widths": [0.5, 1.0, 2.0, 1.0, 1.0],
    },
    "quadratic.gaussian_factors": {"clients": 20, "dimension": 40, "rank": 5},  # large enough to be enclosed
    "huber.worst_case_of_gradient_descent": {"smoothness": 2.0, "distance": 3.0, "steps": 4},
    "envelope.envelope": {
        "bottoms": [[[0.0, 0.0], [1.0, -0.5]], [[0.0, 0.0], [0.25, 2.0]]],
        "heights": [[0.0, 0.125], [0.0, 0.75]],
        "tilts": [[0.5, -0.25], [-0.5, 0.25]],
        "smoothness": 2.0,
        "curvature": 0.5,
    },
}
every_problem = pytest.mark.parametrize("name", sorted(EXAMPLES))
BUILT = {}


def example(name):
    if name not in BUILT:
        BUILT[name] = build(name, **EXAMPLES[name])
    return BUILT[name]


def points_of(problem, seed=0, count=20, scale=2.0):
    return scale * np.random.default_rng(seed).standard_normal((count, problem.dimension))


def own_points(problem, count=7):
    random = np.random.default_rng(5)
    return 2 * random.standard_normal((problem.clients, count, problem.dimension))


def known(problem, name, side):
    constant = problem.constants().get(name)
    if constant is None or constant.provenance == "estimated" or getattr(constant, side) is None:
        return None
    return np.array(getattr(constant, side), dtype=float)


def test_every_family_is_here():
    families = {name.split(".")[0] for name in problem_names()} - ELSEWHERE
    assert {name.split(".")[0] for name in EXAMPLES} == families
    assert {"quadratic", "huber", "log_sum_exp", "component_sums", "lojasiewicz"} <= families


def test_the_conditional_checks_below_have_something_to_check():
    stated = {name for name in EXAMPLES if example(name).facts().lojasiewicz is not None}
    assert {"lojasiewicz.small", "vanishing.tails", "quadratic.small", "component_sums.small"} <= stated
    attained = {name for name in EXAMPLES if example(name).facts().minimum_attained}
    assert {name.split(".")[0] for name in attained} >= {"quadratic", "huber", "log_sum_exp", "lojasiewicz"}
    assert "vanishing.tails" not in attained


@every_problem
def test_batched_forms_are_the_single_ones(name):
    problem = example(name)
    shared, own = points_of(problem), own_points(problem)
    for points, of in ((shared, lambda _: shared), (own, lambda client: own[client])):
        values, gradients = problem.client_values(points), problem.client_gradients(points)
        assert values.shape == (problem.clients, points.shape[-2])
        assert gradients.shape == (problem.clients, *points.shape[-2:])
        for client in range(problem.clients):
            single = problem.client_value(client, of(client)), problem.client_gradient(client, of(client))
            np.testing.assert_allclose(values[client], single[0], rtol=1e-12, atol=1e-13)
            np.testing.assert_allclose(gradients[client], single[1], rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(problem.value(shared), problem.client_values(shared).mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(
        problem.gradient(shared), problem.client_gradients(shared).mean(axis=0), rtol=1e-11, atol=1e-13
    )


# the classes of softmax are rows too, so that there is no lone row to care for: equal up to rounding only
@pytest.mark.parametrize("name", sorted(EXAMPLES.keys() - {"softmax.small"}))
def test_a_row_has_the_same_bits_alone_and_among_others(name):
    problem = example(name)
    points = points_of(problem)
    for few in (1, 2, 7):
        np.testing.assert_array_equal(
            problem.client_values(points[:few]), problem.client_values(points)[:, :few]
        )
        np.testing.assert_array_equal(
            problem.client_gradients(points[:few]), problem.client_gradients(points)[:, :few]
        )


@every_problem
def test_gradients_are_the_derivatives_of_the_values(name):
    problem = example(name)
    points, step = points_of(problem, seed=1, count=4), 1e-5
    for j in range(min(problem.dimension, 6)):
        unit = step * np.eye(problem.dimension)[j]
        slope = (problem.client_values(points + unit) - problem.client_values(points - unit)) / (2 * step)
        scale = 1 + np.abs(problem.client_values(points)).max()
        np.testing.assert_allclose(problem.client_gradients(points)[..., j], slope, atol=1e-5 * scale)


@every_problem
def test_torch_agrees_with_numpy(name):
    problem = example(name)
    for points in (points_of(problem), own_points(problem)):
        tensor = torch.asarray(points)
        values, gradients = problem.client_values(tensor), problem.client_gradients(tensor)
        assert values.dtype == gradients.dtype == torch.float64
        np.testing.assert_allclose(values.numpy(), problem.client_values(points), rtol=1e-11, atol=1e-12)
        np.testing.assert_allclose(
            gradients.numpy(), problem.client_gradients(points), rtol=1e-11, atol=1e-12
        )
    shared = torch.asarray(points_of(problem))
    np.testing.assert_allclose(problem.value(shared).numpy(), problem.value(points_of(problem)), rtol=1e-11)


# without CUDA libraries torch cannot even pretend to index on that device; this one is foreign too
DEVICE = "cuda" if torch.version.cuda else "lazy"


@pytest.mark.thinned(3)
@pytest.mark.parametrize("name", sorted(EXAMPLES.keys() - ON_THE_HOST))
def test_tensors_stay_on_their_device(name):
    """Fake tensors: an operation on two devices, or a look at the numbers, fails."""
    problem = example(name)
    with FakeTensorMode():
        own = torch.empty((problem.clients, 7, problem.dimension), dtype=torch.float64, device=DEVICE)
        shared = torch.empty((7, problem.dimension), dtype=torch.float64, device=DEVICE)
        answers = [problem.client_values(own), problem.client_gradients(own)]
        answers += [problem.value(shared), problem.gradient(shared)]
    assert {(each.device.type, each.dtype) for each in answers} == {(DEVICE, torch.float64)}


@every_problem
def test_wrong_shapes_are_refused(name):
    problem = example(name)
    d, n = problem.dimension, problem.clients
    for shape in ((3, d + 1), (n + 1, 3, d), (d,), (1, n, 3, d)):
        for asked in (problem.client_values, problem.client_gradients):
            with pytest.raises(BadShape, match="points"):
                asked(np.zeros(shape))


@every_problem
def test_clients_that_do_not_exist_are_refused(name):
    """-1 made an empty slice of some families, the last client of others, and the mean over none of one."""
    problem = example(name)
    points = points_of(problem, count=2)
    asked = {"client_value": points, "client_gradient": points, "data_point_gradients": points}
    asked |= {"point_gradient": points[0], "data_points": None, "client_parts": None}
    for method, given in asked.items():
        ask = getattr(problem, method, None)
        more = () if given is None else (given,)
        for wrong in (-1, problem.clients, 0.5, True):
            if ask is not None:
                with pytest.raises(BadValue, match="client: not one of those"):
                    ask(wrong, *more)
        if ask is not None:
            ask(np.int64(problem.clients - 1), *more)


@every_problem
def test_smoothness_and_strong_convexity_hold_between_points(name):
    problem = example(name)
    random = np.random.default_rng(2)
    points = points_of(problem, seed=2, count=300) * 10.0 ** random.uniform(-1, 1, (300, 1))
    others = points + 10.0 ** random.uniform(-3, 1, (300, 1)) * random.standard_normal(points.shape)
    away = np.linalg.norm(points - others, axis=1)
    change = problem.client_gradients(points) - problem.client_gradients(others)
    ratios = (np.linalg.norm(change, axis=2) / away).max(axis=1)
    assert (ratios <= known(problem, "client_smoothness", "upper") * (1 + 1e-9) + 1e-11).all()
    assert ratios.max() <= float(problem.facts().smoothness) * (1 + 1e-9) + 1e-11
    rise = ((problem.gradient(points) - problem.gradient(others)) * (points - others)).sum(axis=1)
    convexity = float(problem.facts().strong_convexity)
    if problem.facts().convex or convexity > 0:
        assert (rise >= convexity * away**2 * (1 - 1e-9) - 1e-9 * (1 + away**2)).all()


@every_problem
def test_lipschitz_and_divergence_bounds_hold(name):
    problem = example(name)
    points = np.concatenate([points_of(problem, seed=3, count=100, scale=s) for s in (0.1, 1.0, 10.0, 100.0)])
    gradients = problem.client_gradients(points)
    lipschitz = problem.facts().lipschitz
    if lipschitz is not None:
        assert np.linalg.norm(gradients, axis=2).max() <= float(lipschitz) * (1 + 1e-12)
    apart = np.linalg.norm(gradients - gradients.mean(axis=0), axis=2)
    upper = known(problem, "client_gradient_divergence", "upper")
    assert (upper is not None) == problem.facts().bounded_gradient_divergence
    if upper is not None:
        assert (apart.max(axis=1) <= upper * (1 + 1e-9) + 1e-9).all()
        slack = 1 + 1e-9
        assert apart.mean(axis=0).max() <= known(problem, "gradient_divergence", "upper") * slack + 1e-9
        assert apart.max() <= known(problem, "largest_gradient_divergence", "upper") * slack + 1e-9
        squares = known(problem, "mean_squared_gradient_divergence", "upper")
        assert squares is None or (apart**2).mean(axis=0).max() <= squares * slack + 1e-9


def lowest_found(value, gradient, starts):
    """The smallest value that a general-purpose solver finds."""
    runs = [
        minimize(
            lambda x: value(x[None])[0],
            start,
            jac=lambda x: gradient(x[None])[0],
            options={"gtol": 1e-10, "maxiter": 20_000},
        )
        for start in starts
    ]
    return min(float(run.fun) for run in runs)


@pytest.mark.thinned(3)
@every_problem
def test_minima_against_brute_force(name):
    problem = example(name)
    starts = points_of(problem, seed=4, count=6 if problem.dimension < 50 else 1)
    scale = 1e-7 * (1 + np.abs(problem.value(starts)).max())
    lower, upper = known(problem, "minimum", "lower"), known(problem, "minimum", "upper")
    found = lowest_found(problem.value, problem.gradient, starts)
    if lower is not None:
        assert found >= lower - 1e-12 * (1 + abs(lower))
    if upper is not None and problem.facts().minimum_attained:
        assert found <= upper + scale
        assert upper - (lower if lower is not None else upper) <= scale
    clients = range(min(problem.clients, 4))
    for client in clients:
        low, high = known(problem, "client_minima", "lower"), known(problem, "client_minima", "upper")
        found = lowest_found(
            lambda x, i=client: problem.client_value(i, x),
            lambda x, i=client: problem.client_gradient(i, x),
            starts,
        )
        if low is not None:
            assert found >= low[client] - 1e-12 * (1 + abs(low[client]))
        if high is not None and problem.facts().minimum_attained and problem.facts().convex:
            assert found <= high[client] + scale


@every_problem
def test_constants_at_the_minimiser_are_those_of_the_minimiser(name):
    problem = example(name)
    if not problem.facts().minimum_attained:
        return
    place = problem.minimiser()[None]
    gradients = problem.client_gradients(place)[:, 0]
    values, sizes = problem.client_values(place)[:, 0], np.linalg.norm(gradients, axis=1)
    scale = 1e-7 * (1 + np.abs(values).max() + sizes.max())
    minima = problem.constants()["client_minima"]
    assert problem.minimum() == pytest.approx(values.mean(), abs=scale)
    assert np.linalg.norm(gradients.mean(axis=0)) < scale
    expected = {
        "client_gaps_at_minimiser": None if minima is None else values - np.array(minima.value, dtype=float),
        "client_gradient_norms_at_minimiser": sizes,
        "mean_squared_client_gradient_at_minimiser": (sizes**2).mean(),
    }
    for constant, value in expected.items():
        lower, upper = known(problem, constant, "lower"), known(problem, constant, "upper")
        assert value is None or lower is None or (value >= lower - scale).all()
        assert value is None or upper is None or (value <= upper + scale).all()


@every_problem
def test_a_stated_lojasiewicz_inequality_holds_on_its_set(name):
    problem = example(name)
    stated = problem.facts().lojasiewicz
    if stated is None:
        return
    directions = points_of(problem, seed=6, count=2000)
    radii = np.random.default_rng(6).random((2000, 1)) * (stated.radius or 100.0)
    points = radii * directions / np.linalg.norm(directions, axis=1)[:, None]
    lower = known(problem, "client_minima", "upper")
    gaps = problem.client_values(points) - lower[:, None]
    squares = (problem.client_gradients(points) ** 2).sum(axis=2)
    bound = float(stated.constant) * np.maximum(gaps, 0) ** stated.exponent
    assert (squares >= bound * (1 - 1e-9) - 1e-12).all()


@every_problem
def test_facts_are_on_the_safe_side_of_the_constants(name):
    problem = example(name)
    facts, constants = problem.facts(), problem.constants()
    assert facts.smoothness == certified_upper("smoothness", constants["smoothness"])
    if constants["strong_convexity"] is None:
        assert facts.strong_convexity == 0
    else:
        assert facts.strong_convexity <= certified_lower("strong_convexity", constants["strong_convexity"])
    assert (facts.clients, facts.dimension) == (problem.clients, problem.dimension)
    if not facts.minimum_attained and constants.get("minimiser") is None:
        with pytest.raises(NotAttained):
            problem.minimiser()


def test_names_and_arguments_that_do_not_exist_are_refused_with_the_nearest():
    with pytest.raises(UnknownProblem, match=r"did you mean 'quadratic\.small'"):
        build("quadratik.small")
    with pytest.raises(WrongArguments, match="did you mean 'clients'"):
        build("quadratic.small", client=3)
    with pytest.raises(WrongArguments, match="centers"):
        build("quadratic.diagonal", curvatures=[[1.0]])
    # what is read from a file is looked up among the builders, never imported
    for inner in ("_registry.build", "interface.mean_value", "quadratic._turned", "os.system"):
        with pytest.raises(UnknownProblem):
            build(inner)


def test_building_one_family_does_not_load_the_libraries_of_another():
    code = (
        "import sys\nfrom synthetic.problems import build\nbuild('quadratic.small')\n"
        "print(sorted({m.split('.')[0] for m in sys.modules} & {'torch', 'scipy', 'sklearn', 'sympy'}))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert loaded.strip() == "[]"
