"""Building blocks on the line: exact minima and constants against dense grids."""

from fractions import Fraction

import numpy as np
import pytest

from synthetic.errors import BadShape, BadValue, NotAttained
from synthetic.problems.on_the_line.curves import Piece, at, difference
from synthetic.problems.on_the_line.shapes import SHAPES
from synthetic.problems.piecewise_quadratic import blocks, curved

GRID = np.linspace(-12, 12, 120_001)
STEP = GRID[1] - GRID[0]
RANDOM = np.random.default_rng(0)
MIXED = [
    {
        "shapes": list(RANDOM.choice(sorted(set(SHAPES) - {"linear"}), count)),
        "centers": list(RANDOM.uniform(-3, 3, count)),
        "widths": list(RANDOM.uniform(0.3, 2, count)),
        "heights": list(RANDOM.uniform(0.2, 2, count)),
        "directions": [int(sign) for sign in RANDOM.choice([-1, 1], count)],
        "offsets": list(RANDOM.uniform(-1, 1, count)),
    }
    for count in (1, 2, 3, 5, 5, 8, 8)
]
every = pytest.mark.parametrize("arguments", MIXED, ids=range(len(MIXED)))


def definition(name, t):
    """The shapes as a reader would write them."""
    size = np.abs(t)
    return {
        "quadratic": t**2 / 2,
        "huber": np.where(size <= 1, t**2 / 2, size - 0.5),
        "hinge": np.where(t <= 0, 0, np.where(t <= 1, t**2 / 2, t - 0.5)),
        "linear": t,
        "step": np.where(t <= 0, 0, np.where(t <= 1, t**2 / 2, np.where(t <= 2, 1 - (2 - t) ** 2 / 2, 1))),
        "well": np.where(size <= 1, t**2 / 2, np.where(size <= 2, 1 - (2 - size) ** 2 / 2, 1)),
    }[name]


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_shapes_are_their_definition_and_once_differentiable(name):
    problem = blocks([name])
    np.testing.assert_allclose(problem.value(GRID[:, None]), definition(name, GRID), atol=1e-13)
    slopes = problem.gradient(GRID[:, None])[:, 0]
    middle = (definition(name, GRID[2:]) - definition(name, GRID[:-2])) / (2 * STEP)
    np.testing.assert_allclose(slopes[1:-1], middle, atol=2 * STEP)
    assert np.abs(np.diff(slopes)).max() <= STEP * (1 + 1e-6)


@every
def test_minimum_and_minimiser_against_a_grid(arguments):
    problem = blocks(**arguments)
    values, constants = problem.value(GRID[:, None]), problem.constants()
    lowest = values.min()
    assert constants["minimum"].lower <= lowest + 1e-12
    assert constants["minimum"].upper >= lowest - problem.facts().smoothness * STEP**2
    own = problem.client_values(GRID[:, None]).min(axis=1)
    np.testing.assert_allclose(constants["client_minima"].value, own, atol=1e-6)
    place = problem.minimiser()[None]
    assert problem.value(place)[0] == pytest.approx(problem.minimum(), abs=1e-12)
    gaps = problem.client_values(place)[:, 0] - constants["client_minima"].value
    np.testing.assert_allclose(constants["client_gaps_at_minimiser"].value, gaps, atol=1e-12)


@every
def test_constants_are_attained_on_the_grid(arguments):
    problem = blocks(**arguments)
    constants, facts = problem.constants(), problem.facts()
    slopes = problem.client_gradients(GRID[:, None])[..., 0]
    bends = np.diff(slopes, axis=1) / STEP
    steepest = np.abs(bends).max(axis=1)
    np.testing.assert_allclose(constants["client_smoothness"].value, steepest, rtol=1e-6)
    mean = np.diff(slopes.mean(axis=0)) / STEP
    assert constants["mean_smoothness"].value == pytest.approx(np.abs(mean).max(), rel=1e-6)
    # 0.9 of a smoothness constant would be contradicted by two neighbours of the grid
    assert (steepest > 0.9 * np.array(constants["client_smoothness"].upper)).all()
    assert facts.strong_convexity == pytest.approx(max(0.0, mean.min()), abs=1e-6)
    assert facts.convex == all(bends.min(axis=1) > -1e-6)
    if facts.lipschitz is not None:
        # the steepest place may lie between two points of the grid
        missing = facts.lipschitz - np.abs(slopes).max()
        assert -1e-12 <= missing <= facts.smoothness * STEP
    if facts.bounded_gradient_divergence:
        apart = np.abs(slopes - slopes.mean(axis=0)).max(axis=1)
        missing = np.array(constants["client_gradient_divergence"].value) - apart
        assert (missing >= -1e-12).all()
        assert (missing <= 2 * facts.smoothness * STEP).all()


def test_fractions_give_exact_minima_of_functions_that_are_not_convex():
    problem = blocks(["well", "well"], centers=[0, Fraction(3)], heights=[1, 2])
    # alone in the second well the first is on its plateau: (1 + 0)/2
    assert problem.minimum() == Fraction(1, 2)
    assert problem.minimiser()[0] == 3
    assert problem.gradient(problem.minimiser()[None])[0, 0] == 0
    assert problem.constants()["client_gaps_at_minimiser"].value == (1, 0)


def test_of_many_minimisers_the_one_nearest_to_the_origin():
    assert blocks(["hinge"], centers=[5.0]).minimiser()[0] == 0.0
    assert blocks(["hinge"], centers=[-5.0]).minimiser()[0] == -5.0
    assert blocks(["hinge", "hinge"], centers=[2.0, 1.0], directions=[1, -1]).minimiser()[0] == 1.0


def test_a_plateau_is_stationary_and_not_minimal():
    problem = blocks(["step"])
    assert problem.gradient(np.array([[5.0]]))[0, 0] == 0
    assert problem.value(np.array([[5.0]]))[0] - problem.minimum() == 1
    assert not problem.facts().convex


def test_what_is_unbounded_below_says_so():
    problem = blocks(["linear", "huber"], heights=[3.0, 1.0])
    facts, constants = problem.facts(), problem.constants()
    assert not facts.bounded_below
    assert not facts.minimum_attained
    assert constants["minimum"] is None
    assert constants["client_minima"] is None
    with pytest.raises(NotAttained, match="unbounded below"):
        problem.minimiser()
    for direction in (1, -1):
        assert blocks(["linear"], directions=[direction]).constants()["minimum"] is None
    # slopes that cancel leave a half-line of minimisers, although one client has no minimum
    balanced = blocks(["linear", "huber"], heights=[1.0, 1.0])
    assert balanced.minimum() == -0.25
    assert balanced.minimiser()[0] == -1.0
    assert balanced.constants()["infimum_gap"] is None


def test_bad_data_are_refused():
    with pytest.raises(BadValue, match="huber"):
        blocks(["parabola"])
    with pytest.raises(BadShape, match="widths"):
        blocks(["huber", "huber"], widths=[1.0])
    with pytest.raises(BadValue, match="heights"):
        blocks(["huber"], heights=[0.0])
    with pytest.raises(BadValue, match="directions"):
        blocks(["huber"], directions=[2])
    with pytest.raises(BadShape):
        blocks([])


def test_curvatures_make_the_gradient_that_a_reader_would_write():
    """Lessard, Recht and Packard: 25x below 1, x + 24 up to 2, 25x - 24 beyond."""
    problem = curved(curvatures=[25.0, 1.0, 25.0], breaks=[1.0, 2.0], clients=2)
    x = GRID
    slope = np.where(x < 1, 25 * x, np.where(x < 2, x + 24, 25 * x - 24))
    np.testing.assert_allclose(problem.gradient(x[:, None])[:, 0], slope, atol=1e-12)
    values, start = problem.value(x[:, None]), len(x) // 2
    integral = np.concatenate([[0], np.cumsum((slope[1:] + slope[:-1]) / 2 * STEP)])
    np.testing.assert_allclose(values, integral - integral[start], atol=1e-6)
    facts = problem.facts()
    assert (facts.smoothness, facts.strong_convexity, facts.convex, facts.quadratic) == (25, 1, True, False)
    assert (problem.minimum(), problem.minimiser()[0]) == (0, 0)


def test_curvatures_left_of_the_minimum_continue_it_too():
    problem = curved(curvatures=[0.0, 4.0, 1.0], breaks=[-1.0, 0.5])
    np.testing.assert_array_equal(
        problem.gradient(np.array([[-3.0], [-1.0], [0.5], [2.5]]))[:, 0], [-4, -4, 2, 4]
    )
    assert problem.facts().strong_convexity == 0
    assert problem.constants()["lipschitz"] is None
    flat_outside = curved(curvatures=[0.0, 4.0, 0.0], breaks=[-1.0, 0.5])
    assert flat_outside.constants()["lipschitz"].value == 4


@pytest.mark.parametrize(
    ("curvatures", "breaks"),
    [
        ([1.0, 0.0, 1.0], [-1.0, 1.0]),
        ([1.0, 2.0], []),
        ([-1.0, 1.0], [-2.0]),
        ([1.0, 1.0, 1.0], [2.0, 1.0]),
        ([], []),
    ],
)
def test_curvatures_without_a_minimum_at_zero_are_refused(curvatures, breaks):
    with pytest.raises(BadValue, match="no convex function with a minimum at 0"):
        curved(curvatures=curvatures, breaks=breaks)


def test_a_difference_has_the_values_of_both_curves():
    def piece(low, high, *numbers):
        bend, slope, height = map(Fraction, numbers)
        return Piece(low=low, high=high, bend=bend, slope=slope, height=height)

    whole = [piece(None, None, 2, 1, 5)]
    halves = [piece(None, Fraction(0), 1, 3, -2), piece(Fraction(0), None, 4, 3, -2)]
    for x in map(Fraction, (-2, -1, 1, 3)):
        other = (1 if x < 0 else 4) * x**2 / 2 + 3 * x - 2
        assert at(difference(whole, halves), x).value(x) == x**2 + x + 5 - other
