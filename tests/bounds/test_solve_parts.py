"""Intervals enclose, convexity is never assumed, ranges of many points come out as single points do."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from sympy import Expr, Max, Min, Piecewise, Rational, Symbol, exp, log, sqrt, sympify

import bounds
from bounds.arithmetic import arrays
from bounds.arithmetic.arrays import extents, run_arrays
from bounds.arithmetic.program import compile_expressions, run
from bounds.discovery import forms
from bounds.evaluation.resolve import resolve_with
from bounds.language.condition import Relation
from bounds.language.statement import Term
from bounds.solve import solve
from bounds.solve.convexity import Shape, is_convex, shape
from bounds.solve.intervals import Interval, IntervalArithmetic

x, y = Symbol("x", positive=True), Symbol("y", positive=True)
K = Symbol("K", integer=True, nonnegative=True)
z = Symbol("z", real=True)

EXPRESSIONS = (
    x + 1 / y,
    x * y - x**2,
    sqrt(x) / (y + 1),
    (x + 1) ** y,
    (x + 1) ** 3 - 1,
    x**y,
    exp(-x) * log(y + 2),
    Max(x, 2 * y) - Min(x, y),
    Piecewise((x, y > 1), (2 * y, True)),
    z**2 + z**3,
    1 / (z - 1),
)


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=str)
def test_intervals_hold_every_value_inside(expression: object) -> None:
    generator = np.random.default_rng(1)
    program = compile_expressions([expression])
    for _ in range(40):
        ends = {name: np.sort(generator.uniform(-2 if name == "z" else 0, 3, 2)) for name in program.inputs}
        with np.errstate(all="ignore"):
            (box,) = run(program, IntervalArithmetic(), {n: Interval(*e) for n, e in ends.items()})
        points = {name: generator.uniform(*end, 200) for name, end in ends.items()}
        (values,) = run_arrays(program, points)
        assert np.all(box.low <= values)
        assert np.all(values <= box.high)


@pytest.mark.parametrize("expression", [z**K, (1 + z) ** K, (1 + z) ** K - 1, (-2) ** K / z], ids=str)
def test_intervals_hold_whole_powers_of_negative_numbers(expression: Expr) -> None:
    program = compile_expressions([expression])
    for low, high in ((-3.0, -2.5), (-3.0, 0.5), (-0.75, -0.25), (-2.0, 2.0)):
        box = {"z": Interval(low, high), "K": Interval(0.0, 4.0)}
        with np.errstate(all="ignore"):
            (found,) = run(program, IntervalArithmetic(), {name: box[name] for name in program.inputs})
        for power in range(5):
            value = float(expression.subs({K: power, z: Rational(low)}))
            assert found.low <= value <= found.high


def test_intervals_are_not_idle() -> None:
    """A point comes back as nearly a point, and a tail as its limit."""
    program = compile_expressions([1 / (x + 1) + y])
    (box,) = run(program, IntervalArithmetic(), {"x": Interval(1.0, 1.0), "y": Interval(2.0, 2.0)})
    assert 0 < box.high - box.low < 1e-13
    (tail,) = run(program, IntervalArithmetic(), {"x": Interval(1e9, np.inf), "y": Interval(2.0, 2.0)})
    assert 2 - 1e-13 < tail.low <= 2 < tail.high < 2 + 2e-9


def test_a_number_that_is_no_float_is_enclosed() -> None:
    low, high = IntervalArithmetic().number(Fraction(1, 3))
    assert Fraction(float(low)) < Fraction(1, 3) < Fraction(float(high))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (3 * x**2 / y, Shape.AFFINE),
        (x + 1 / y, Shape.CONVEX),
        (sqrt(x + y) * x, Shape.CONVEX),
        (1 / (x + y), Shape.CONCAVE),
        (Max(x, 1 / x), Shape.CONVEX),
        (Min(x, y), Shape.CONCAVE),
        (x - y, Shape.UNKNOWN),
        ((x + y) / (x + 1), Shape.UNKNOWN),
        (x**y, Shape.UNKNOWN),
        (exp(x), Shape.UNKNOWN),
    ],
    ids=str,
)
def test_shapes(expression: object, expected: Shape) -> None:
    assert shape(expression) is expected


def test_a_count_is_a_monomial_after_a_shift() -> None:
    objective = 1 / ((K + 1) * x) + x
    limit = [(x, Relation.AT_MOST, 2 / (K + 1))]
    assert is_convex(objective, limit, {"K", "x"}, {})
    assert not is_convex(objective + K, [(x, Relation.AT_MOST, K + 2)], {"K", "x"}, {})


def test_a_condition_can_spoil_a_convex_objective() -> None:
    assert is_convex(x + 1 / y, [(x, Relation.AT_LEAST, 1 / y)], {"x", "y"}, {})
    assert not is_convex(x + 1 / y, [(x + y, Relation.AT_LEAST, z)], {"x", "y"}, {"z": 1.0})


# arrays.py: blocks, threads and extents.


@pytest.mark.sampled
@pytest.mark.parametrize("cores", [1, 3])
@pytest.mark.parametrize("name", [name for name, form in forms().items() if form.terms])
def test_blocks_agree_with_single_points(name: str, cores: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "BLOCK", 64)
    monkeypatch.setattr(arrays, "CORES", cores)
    arrays._plan.cache_clear()
    statement = forms()[name]
    program = compile_expressions([*(t.expression for t in statement.terms), statement.right])
    generator = np.random.default_rng(3)
    shapes = [(7, 1, 1), (1, 40, 1), (1, 1, 9), (7, 40, 9), (7, 1, 9), (1, 1, 1)]
    values = {
        name: generator.uniform(1.01, 1.9, shapes[i % len(shapes)]) for i, name in enumerate(program.inputs)
    }
    got = run_arrays(program, values)
    monkeypatch.setattr(arrays, "BLOCK", 10**9)
    arrays._plan.cache_clear()
    full = dict(zip(values, np.broadcast_arrays(*values.values()), strict=True))
    flat = run_arrays(program, {name: array.reshape(-1) for name, array in full.items()})
    everywhere = np.broadcast_shapes(*(array.shape for array in full.values()))
    # What cancels in a sum is as exact as its summands: a few units in their last place.
    size = max(float(np.abs(np.nan_to_num(expected)).max()) for expected in flat)
    for array, alone in zip(got, flat, strict=True):
        spread = np.broadcast_to(array, everywhere).reshape(-1)
        expected = np.broadcast_to(alone, spread.shape)
        np.testing.assert_allclose(spread, expected, rtol=1e-12, atol=8 * 2.0**-52 * size)
    arrays._plan.cache_clear()


@pytest.mark.thinned(2)
@pytest.mark.parametrize("cores", [1, 4])
def test_extents_see_every_entry(cores: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "CORES", cores)
    generator = np.random.default_rng(4)
    plain = generator.uniform(1, 2, 6 * arrays.PART + 17)
    counts = np.floor(100 * plain)
    for where in (0, plain.size // 2, plain.size - 1):
        low, high, broken, uneven = plain.copy(), plain.copy(), plain.copy(), counts.copy()
        low[where], high[where], broken[where], uneven[where] = -7, 70, np.nan, 5.5
        found = extents(
            {"low": low, "high": high, "broken": broken, "counts": counts, "uneven": uneven},
            {
                "counts",
                "uneven",
            },
        )
        assert found["low"].smallest == -7
        assert found["high"].largest == 70
        assert np.isnan(found["broken"].smallest)
        assert np.isnan(found["broken"].largest)
        assert found["counts"].integral
        assert not found["uneven"].integral


DIFFERENCE = 2 - x / y - x**2 / y**2


@pytest.mark.parametrize(
    ("objective", "small", "large", "expected"),
    [
        ((x + y) / DIFFERENCE, x / y + x**2 / y**2, 2, True),
        ((x + y) / DIFFERENCE, x / y, 2, False),  # not positive wherever the condition holds
        (x + y, x / y, 2, True),
        ((x + y) * DIFFERENCE, x / y + x**2 / y**2, 2, False),
        (1 / (2 * x - y**2 - x**3), y**2 + x**3, 2 * x, True),
        (1 / (x + 2 * y - x**2), x**2, x + 2 * y, False),  # two monomials less a third are not log-concave
    ],
    ids=str,
)
def test_a_difference_is_log_concave_where_a_condition_makes_it_positive(
    objective: Expr, small: Expr, large: Expr, expected: bool
) -> None:
    condition = (small, Relation.BELOW, sympify(large))
    assert is_convex(objective, [condition], {"x", "y"}, {}) is expected
    turned = (sympify(large), Relation.ABOVE, small)
    assert is_convex(objective, [turned], {"x", "y"}, {}) is expected


def test_the_quotient_by_a_difference_is_below_the_mean_of_its_logarithms() -> None:
    """The definition itself, at midpoints of random pairs in the logarithms."""
    random = np.random.default_rng(0)
    u, v = random.uniform(-2, 2, (2, 2, 500))

    def logarithm(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        share = np.exp(a - b)
        positive = 2 - share - share**2
        over = np.where(positive > 0, positive, np.nan)
        result: np.ndarray = np.log((np.exp(a) + np.exp(b)) / over)
        return result

    ends = (logarithm(u[0], v[0]) + logarithm(u[1], v[1])) / 2
    middle = logarithm(u.mean(axis=0), v.mean(axis=0))
    inside = np.isfinite(ends)
    assert inside.sum() > 50
    assert np.all(middle[inside] <= ends[inside] + 1e-12)


def test_extents_of_single_numbers() -> None:
    found = extents({"K": 3.0, "half": 0.5}, {"K", "half"})
    assert (found["K"].smallest, found["K"].largest, found["K"].integral) == (3.0, 3.0, True)
    assert not found["half"].integral
    for number in (float("nan"), float("inf"), -float("inf")):
        ends = extents({"K": number, "several": np.array([1.0, number])}, {"K", "several"})
        assert not np.isfinite([ends["K"].largest, ends["several"].largest + ends["several"].smallest]).any()
        assert not ends["K"].integral


def test_equal_names_are_resolved_once_and_other_names_anew() -> None:
    theorem = bounds.get("dp_fedavg.theorem_2")
    first = resolve_with(theorem, ["rho", "K", "rho"])[1]
    assert resolve_with(theorem, {"K", "rho"})[1] is first
    assert resolve_with(theorem, {"K"})[1].required != first.required
    assert resolve_with(bounds.get("dp_fedavg.theorem_3"), {"K", "rho"})[1] is not first


FLOOR = bounds.get("fedavg_lojasiewicz.theorem_f4", "printed")
FLOOR_AT = {
    "L": 4.0,
    "M": 10.0,
    "H": 5.0,
    "R": 1e4,
    "eta": 2e-4,
    "alpha": 1.5,
    "f0_gap": 2.0,
    "zeta": 0.3,
    "sigma": 1.5,
}


def test_the_smallest_value_where_nothing_limits_the_larger_ones() -> None:
    """The bound of Theorem F.4 falls in mu, and no condition has mu: there is no largest one."""
    found = solve(FLOOR, "mu", 0.5, FLOOR_AT)
    (mu,) = found.values.values()
    assert found.found
    assert "the smallest" in found.sentence
    assert float(FLOOR.evaluate(**FLOOR_AT, mu=mu).value) <= 0.5
    assert float(FLOOR.evaluate(**FLOOR_AT, mu=mu * (1 - 1e-9)).value) > 0.5
    assert float(FLOOR.evaluate(**FLOOR_AT, mu=1e30).value) <= 0.5


def test_the_end_of_the_search_is_no_smallest_bound() -> None:
    """L D0^2/(4 N + 2) falls to 0 with L, and is smallest at D0 = 0, which is a distance too."""
    statement = bounds.get("textbook.gradient_descent_convex")
    falling = solve(statement, None, None, {"N": 10.0, "D0": 1.0}, ("L",))
    assert not falling.found
    assert "still falls where the search over L ends" in falling.sentence
    nearest = solve(statement, None, None, {"N": 10.0, "L": 1.0}, ("D0",))
    assert (nearest.values, nearest.value, nearest.certified) == ({"D0": 0.0}, 0.0, True)
    for unknown, others in (("L", ()), (None, ("L",)), (None, ("L", "N"))):
        given = {"N": 10.0, "D0": 1.0}
        missed = solve(statement, unknown, 1e-60, {k: given[k] for k in given if k not in others}, others)
        assert not missed.certified
        assert missed.sentence.startswith("no L was found" if "N" not in others else "no L, N was found")
    reached = solve(statement, None, 0.01, {"N": 10.0, "D0": 1.0}, ("L",))
    assert (reached.found, reached.certified) == (True, False)
    assert "the smallest bound found over L" in reached.sentence
    rounds = solve(statement, "N", 1e-30, {"D0": 1.0}, ("L",))
    assert not rounds.certified


@pytest.mark.parametrize(("target", "first"), [(2.5, 1), (-1000.0, 11), (-1e9, 31)])
def test_a_bound_that_changes_its_sign_from_round_to_round(target: float, first: int) -> None:
    """A value that overflows meets no target."""
    statement = bounds.get("textbook.gradient_descent_convex")
    symbols = {symbol.name: symbol for symbol in statement.terms[0].expression.free_symbols}
    L, N = symbols["L"], symbols["N"]
    power = Term("power", L * (3 + (1 - 3 * L) ** N), "a step of 3/L")
    found = solve(replace(statement, terms=(power,), where=()), "N", target, {"L": 1.0})
    assert found.values == {"N": first}
    assert found.certified


def test_a_target_that_every_value_meets() -> None:
    """4 L f0_gap/(3 N + 2) is below the target at every L that is tried, so none of them is an answer."""
    statement = bounds.get("textbook.gradient_descent_nonconvex")
    found = solve(statement, "L", 1e300, {"f0_gap": 2.0, "N": 10.0})
    assert not found.found
    assert "the target does not limit it" in found.sentence
