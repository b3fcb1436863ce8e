"""The power-core family: the inequality on a dense grid, sharp, and the pieces that meet."""

import mpmath
import numpy as np
import pytest

from synthetic.errors import BadShape, BadValue
from synthetic.problems import _lojasiewicz_constants
from synthetic.problems.lojasiewicz import power_core, small

PROBLEMS = [
    {"power": 4},
    {"power": 2},
    {"power": 3, "core": 0.5, "smoothness": 7.0},
    {"power": 10, "exponent": 2, "set_radius": 2.5},
    {"power": 6, "exponent": 1.8, "core": 10.0},  # the set lies inside the core
    {"power": 4, "exponent": 2.0, "set_radius": 30.0},
]
every = pytest.mark.parametrize("arguments", PROBLEMS)
CENTERS = [[0.3, -0.2], [-0.5, 0.9], [0.0, 0.0]]


def definition(r, *, power, core, curvature):
    """Value and slope of one client at the distance r."""
    if r <= core:
        return curvature * core**2 * (r / core) ** power / power, curvature * r * (r / core) ** (power - 2)
    return curvature * r**2 / 2 - curvature * core**2 * (0.5 - 1 / power), curvature * r


def build(arguments):
    return power_core(CENTERS, **arguments)


@every
def test_values_and_slopes_are_the_definition(arguments):
    problem = build(arguments)
    curvature = arguments.get("smoothness", 1.0) / (arguments["power"] - 1)
    for x in 3 * np.random.default_rng(0).standard_normal((50, 2)):
        for client, center in enumerate(CENTERS):
            r = np.linalg.norm(x - center)
            value, slope = definition(
                r, power=arguments["power"], core=arguments.get("core", 1.0), curvature=curvature
            )
            np.testing.assert_allclose(problem.client_value(client, x[None]), value, rtol=1e-11, atol=1e-15)
            np.testing.assert_allclose(
                np.linalg.norm(problem.client_gradient(client, x[None])), slope, rtol=1e-11, atol=1e-15
            )


@every
def test_the_inequality_holds_on_a_grid_and_is_sharp(arguments):
    problem = build(arguments)
    stated = problem.facts().lojasiewicz
    radius = arguments.get("set_radius", 4.0)
    assert stated.radius == radius
    line = np.linspace(-radius, radius, 401)
    grid = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    grid = grid[np.linalg.norm(grid, axis=1) <= radius]
    # the farthest point of the set from each centre, where the inequality is an equality
    rim = [-radius * np.array(c) / np.linalg.norm(c) for c in CENTERS if any(c)]
    points = np.concatenate([grid, rim])
    values = problem.client_values(points)
    squares = (problem.client_gradients(points) ** 2).sum(axis=2)
    away = values > 1e-12
    quotients = squares[away] / values[away] ** stated.exponent
    assert quotients.min() >= stated.constant * (1 - 1e-9)
    assert quotients.min() <= stated.constant * (1 + 1e-6)  # so 1.001 of it would be caught


def test_the_averaged_inequality_with_heterogeneity_follows():
    problem = build({"power": 4})
    constants = problem.constants()
    points = 2 * np.random.default_rng(1).standard_normal((5000, 2))
    points = points[np.linalg.norm(points, axis=1) <= 4]
    squares = (problem.gradient(points) ** 2).sum(axis=1)
    floor = constants["lojasiewicz"].lower * problem.value(points) ** 1.5
    assert (squares >= floor - constants["mean_squared_gradient_divergence"].upper).all()


@pytest.mark.parametrize("power", [2.0, 3.0, 4.0, 7.5])
def test_smoothness_is_attained_at_the_rim_of_the_core(power):
    problem = power_core([[0.0]], power=power, smoothness=2.5)
    bound = problem.constants()["smoothness"]
    points = np.array([[1 - 1e-6], [1 - 2e-6]])
    slopes = problem.client_gradient(0, points)[:, 0]
    curvature = (slopes[0] - slopes[1]) / 1e-6
    assert 0.9 * bound.upper < curvature <= bound.upper * (1 + 1e-8)
    assert bound.lower <= 2.5 <= bound.upper


def test_without_an_exponent_it_is_the_smallest_that_the_power_allows():
    assert build({"power": 2}).facts().lojasiewicz.exponent == 1
    assert build({"power": 4}).facts().lojasiewicz.exponent == 1.5
    thirds = build({"power": 3}).facts().lojasiewicz.exponent
    assert thirds == pytest.approx(4 / 3, rel=1e-15)
    # never below 2 - 2/power, where no constant would do at the centre
    assert mpmath.mpf(thirds) >= mpmath.mpf(4) / 3
    with pytest.raises(BadValue, match="exponent"):
        build({"power": 4, "exponent": 1.4})
    with pytest.raises(BadValue, match="exponent"):
        build({"power": 4, "exponent": 2.1})


def test_the_minimum_against_forty_digits_in_one_dimension():
    problem = power_core([[0.0], [2.0], [2.5]], power=4)
    with mpmath.workdps(40):
        k = mpmath.mpf(1 / 3)

        def slope(x):
            total = mpmath.mpf(0)
            for center in (mpmath.mpf(0), mpmath.mpf(2), mpmath.mpf("2.5")):
                t = x - center
                total += k * t**3 if abs(t) <= 1 else k * t
            return total

        place = mpmath.findroot(slope, (mpmath.mpf("1.0"), mpmath.mpf("1.9")), solver="anderson", tol=1e-60)
        terms = []
        for center in (mpmath.mpf(0), mpmath.mpf(2), mpmath.mpf("2.5")):
            t = abs(place - center)
            terms.append(k * t**4 / 4 if t <= 1 else k * t**2 / 2 - k / 4)
        minimum = sum(terms) / 3
    constants = problem.constants()
    assert constants["minimum"].lower <= minimum <= constants["minimum"].upper
    assert constants["minimum"].upper - constants["minimum"].lower < 1e-13
    assert constants["minimiser"].lower[0] <= place <= constants["minimiser"].upper[0]


def test_identical_clients_have_their_minimum_exactly_where_they_are():
    constants = small(heterogeneity=0.0).constants()
    assert constants["minimum"].upper < 1e-250
    assert constants["infimum_gap"].upper < 1e-250
    assert constants["minimiser"].value == (0.0, 0.0)


@pytest.mark.parametrize("most_paired", [40, 39])
def test_divergences_are_above_the_mean_distance_with_and_without_pairs(monkeypatch, most_paired):
    monkeypatch.setattr(_lojasiewicz_constants, "MOST_PAIRED", most_paired)
    problem = small(clients=40, dimension=3, smoothness=2.0)
    apart = np.linalg.norm(problem.centers[:, None] - problem.centers, axis=2)
    expected = apart.mean(axis=1) if most_paired == 40 else np.sqrt((apart**2).mean(axis=1))
    above = np.array(problem.constants()["client_gradient_divergence"].upper)
    assert np.all(above >= 2 * expected)
    assert above == pytest.approx(2 * expected, rel=1e-12)


def test_many_clients_need_no_pairs():
    """A table of all pairs of them has 80 GB."""
    facts = small(clients=100_000, dimension=1).facts()
    assert facts.clients == 100_000


def test_bad_data_are_refused():
    with pytest.raises(BadValue, match="power"):
        small(power=1.5)
    with pytest.raises(BadShape):
        power_core([0.0])
