"""Arrays against single points: flat lists, product grids, blocks and threads change nothing."""

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sympy import symbols

from bounds.arithmetic import arrays
from bounds.arithmetic.array_plan import plan_arrays
from bounds.arithmetic.arrays import run_arrays
from bounds.arithmetic.program import Program, compile_expressions
from bounds.discovery import forms
from bounds.evaluation.resolve import resolve
from bounds.language.quantity import Domain
from bounds.language.statement import Statement

# A constant has nothing to be given.
STATEMENTS = {
    name: s
    for name, s in forms().items()
    if s.evaluable and any(term.expression.free_symbols for term in s.terms)
}
every_statement = pytest.mark.parametrize("identity", STATEMENTS)
Array = NDArray[np.float64]
# Arrays may add and multiply in another order than single points do.
CLOSE = 1e-12


def draw(rng: np.random.Generator, domain: Domain, size: int) -> Array:
    """Moderate numbers, where nothing cancels."""
    if domain.integer:
        return rng.integers(max(int(domain.lower), 0), 40, size).astype(float)
    if domain.upper < np.inf:
        return domain.lower + (domain.upper - domain.lower) * rng.uniform(0.1, 0.9, size)
    return max(domain.lower, 0.0) + rng.uniform(0.05, 0.9, size)


def inputs(statement: Statement, shapes: Mapping[str, tuple[int, ...]], seed: int) -> dict[str, Any]:
    """Arrays of the given shapes; single numbers for the rest."""
    rng = np.random.default_rng(seed)
    out: dict[str, Any] = {}
    for name in sorted(resolve(statement).required):
        shape = shapes.get(name, ())
        values = draw(rng, statement.notation.quantities[name].domain, int(np.prod(shape, dtype=int)))
        out[name] = values.reshape(shape) if shape else values.item()
    return out


def spread_over(statement: Statement, axes: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
    """One shape per quantity in turn: each axis alone, pairs of axes, all, all but leading ones, none."""
    rank = len(axes)
    shapes = [tuple(n if i == axis else 1 for i, n in enumerate(axes)) for axis in range(rank)]
    shapes += [axes[axis:] for axis in range(1, rank)]
    shapes += [tuple(1 if i == axis else n for i, n in enumerate(axes)) for axis in range(rank)]
    shapes += [axes, ()]
    return {name: shapes[i % len(shapes)] for i, name in enumerate(sorted(resolve(statement).required))}


def mistakes(statement: Statement, values: Mapping[str, Any], seed: int, points: int = 12) -> list[str]:
    """Points of the grid where terms or value are not those of the single point."""
    whole = statement.evaluate(**values)
    results = whole.terms | {"value": whole.value, "value alone": statement.evaluate(**values).value}
    wrong = [f"{n}: shape {r.shape}" for n, r in results.items() if r.shape != whole.shape]
    rng = np.random.default_rng(seed)
    corners = [np.zeros(len(whole.shape), dtype=int), np.array(whole.shape) - 1]
    for index in [*corners, *(rng.integers(0, whole.shape) for _ in range(points))]:
        where = tuple(int(i) for i in index)
        point = {name: float(np.broadcast_to(x, whole.shape)[where]) for name, x in values.items()}
        single = statement.evaluate(**point)
        expected = single.terms | {"value": single.value, "value alone": single.value}
        size = sum(abs(t) for t in single.terms.values())
        for name, array in results.items():
            there = array[where]
            scale = size if "value" in name else abs(expected[name])
            close = abs(there - expected[name]) <= CLOSE * scale
            neither = np.isnan(there) and np.isnan(expected[name])
            if not (close or there == expected[name] or neither):
                wrong.append(f"{name} at {where}: {there}, single {expected[name]}")
    return wrong


FLAT = [
    (1,), (2,), (1000,), (arrays.SMALL,), (arrays.SMALL + 1,), (arrays.BLOCK + 1,), (17 * arrays.BLOCK + 7,),
]  # fmt: skip
GRIDS = [
    (3, 4), (1, 5), (5, 1), (2, 3, 4), (1, 1, 6), (6, 1, 1), (1, 50_000), (50_000, 1), (2, 40_000),
    (40_000, 2), (150, 300), (1, 200, 300), (60, 70, 20), (3, 2, 20_000), (40_000, 1, 2), (2, 1, 40_000),
    (1, 150_000), (150_000, 1), (2, 140_000), (140_000, 2), (500, 700), (60, 70, 80),
]  # fmt: skip


def taking_turns(shapes: list[tuple[int, ...]], each: int) -> list[Any]:
    """Some shapes for every statement, and every shape for many statements."""
    return [
        pytest.param(identity, shapes[(number + turn * len(shapes) // each) % len(shapes)])
        for number, identity in enumerate(STATEMENTS)
        for turn in range(each)
    ]


@pytest.mark.thinned(3)
@pytest.mark.sampled
@pytest.mark.parametrize(("identity", "shape"), taking_turns(FLAT, 2))
def test_flat_lists(identity: str, shape: tuple[int, ...]) -> None:
    statement = STATEMENTS[identity]
    values = inputs(statement, dict.fromkeys(resolve(statement).required, shape), seed=1)
    assert mistakes(statement, values, seed=2) == []


@pytest.mark.sampled
@pytest.mark.parametrize(("identity", "axes"), taking_turns(GRIDS, 4))
def test_product_grids(identity: str, axes: tuple[int, ...]) -> None:
    statement = STATEMENTS[identity]
    values = inputs(statement, spread_over(statement, axes), seed=3)
    assert mistakes(statement, values, seed=4, points=6) == []


@pytest.mark.thinned(3)
@pytest.mark.sampled
@every_statement
def test_one_quantity_at_a_time(identity: str) -> None:
    """Every quantity alone along a long axis, all others along a short one or single numbers."""
    statement = STATEMENTS[identity]
    required = sorted(resolve(statement).required)
    for name in required:
        for others in ((), (2, 1)):
            shapes = dict.fromkeys(required, others) | {name: (arrays.BLOCK + 3,)}
            values = inputs(statement, shapes, seed=5)
            assert mistakes(statement, values, seed=6, points=2) == []


@pytest.mark.sampled
@every_statement
@pytest.mark.parametrize("block", [1, 7, 64, 1000, 10**9])
def test_results_do_not_depend_on_the_block(
    identity: str, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    statement = STATEMENTS[identity]
    values = inputs(statement, spread_over(statement, (5, 6, 7)), seed=7)
    program = resolve(statement).program
    usual = run_arrays(program, values)
    monkeypatch.setattr(arrays, "SMALL", block)
    monkeypatch.setattr(arrays, "BLOCK", block)
    for before, after in zip(usual, run_arrays(program, values), strict=True):
        assert before.shape == after.shape
        assert np.array_equal(before, after, equal_nan=True)


@pytest.mark.sampled
@every_statement
def test_large_results_do_not_depend_on_the_block(identity: str, monkeypatch: pytest.MonkeyPatch) -> None:
    statement = STATEMENTS[identity]
    values = inputs(statement, spread_over(statement, (300, 400)), seed=8)
    program = resolve(statement).program
    usual = run_arrays(program, values)
    again = run_arrays(program, values)
    monkeypatch.setattr(arrays, "SMALL", 10**9)
    monkeypatch.setattr(arrays, "BLOCK", 10**9)
    for first, second, whole in zip(usual, again, run_arrays(program, values), strict=True):
        assert np.array_equal(first, second, equal_nan=True)
        assert np.array_equal(first, whole, equal_nan=True)


def test_a_choice_between_cases_on_a_grid_larger_than_its_question() -> None:
    """T decides along one long axis, Delta_inf is chosen along another."""
    statement = STATEMENTS["fed_norm_ec.theorem_1.main"]
    values = inputs(statement, {}, seed=9)
    values |= {"T": np.where(np.arange(50_000) % 2, 1.0, 2.0), "Delta_inf": np.array([[0.5], [1.0], [2.0]])}
    drift = statement.evaluate(**values).terms["drift"]
    assert (drift[:, 1::2] == 0).all()
    assert (drift[:, ::2] > 0).all()
    assert mistakes(statement, values, seed=10) == []


def spanning(program: Program, values: Mapping[str, Any]) -> list[str]:
    """Calls on as many points as the result has."""
    arrays_ = [np.asarray(values[name]) for name in program.inputs]
    whole = np.broadcast_shapes(*(a.shape for a in arrays_))
    plan, _ = plan_arrays(program, tuple(a.shape for a in arrays_))
    return [step.call.__name__ for step in plan.steps if plan.shapes[step.target] == whole]


def along(axes: str, *, length: int = 5, seed: int = 16) -> dict[str, Array]:
    """A positive quantity along an axis of its own for every letter."""
    rng = np.random.default_rng(seed)
    shapes = {n: [length if i == k else 1 for i in range(len(axes))] for k, n in enumerate(axes)}
    return {name: rng.uniform(0.5, 2.0, length).reshape(shape) for name, shape in shapes.items()}


def test_a_product_of_all_axes_is_divided_on_the_axes_of_its_factors() -> None:
    """g spans the grid; g/a and b/g are divided before they do, and g itself is not needed."""
    a, b, c, g = symbols("a b c g", positive=True)
    program = compile_expressions([g / a + b / g], {g: a**2 * b * c})
    values = along("abc")
    assert spanning(program, values) == ["multiply", "multiply", "add"]
    (result,) = run_arrays(program, values)
    x, y, z = values.values()
    np.testing.assert_allclose(result, x * y * z + 1 / (x**2 * z), rtol=1e-14)


def test_a_factor_of_a_sum_goes_into_its_terms_unless_something_is_subtracted() -> None:
    a, b, c, s = symbols("a b c s", positive=True)
    values = along("abc")
    x, y, z = values.values()
    products = {s: a * b * c + a / (b * c)}
    program = compile_expressions([c * s / a], products)
    assert sorted(spanning(program, values)) == ["add", "multiply", "multiply"]
    np.testing.assert_allclose(run_arrays(program, values)[0], y * z**2 + 1 / y + 0 * x, rtol=1e-14)
    products = {s: a * b * c - a / (b * c)}
    program = compile_expressions([c * s], products)
    assert spanning(program, values) == ["multiply", "multiply", "subtract", "multiply"]
    expected = z * (x * y * z - x / (y * z))
    np.testing.assert_allclose(run_arrays(program, values)[0], expected, rtol=1e-13, atol=1e-14)


def test_a_growth_beyond_its_logarithm_in_blocks() -> None:
    """(1+u)**n for u <= -1 in some blocks only, and nan where u is nan."""
    u, n = symbols("u n")
    program = compile_expressions([(1 + u) ** n])
    excess = np.full(5 * arrays.BLOCK + 3, 0.5)
    excess[[0, arrays.BLOCK, -1]] = -3.0, -1.0, np.nan
    (result,) = run_arrays(program, {"u": excess, "n": 3.0})
    assert result[0] == -8.0
    assert result[arrays.BLOCK] == 0.0
    assert np.isnan(result[-1])
    assert result[1] == pytest.approx(3.375)


def test_infinities_and_nans_stay_where_they_are() -> None:
    statement = STATEMENTS["als_dpfl.h.main"]
    values = inputs(statement, {}, seed=11) | {"x": np.where(np.arange(50_000) % 3, 2.0, 1e6), "eta": 1.0}
    growth = statement.evaluate(**values).value
    assert np.isinf(growth[::3]).all()
    assert np.isfinite(growth[1::3]).all()


def test_inputs_of_other_layouts() -> None:
    """Transposed, strided, reversed, read-only, integer."""
    statement = STATEMENTS["textbook.gradient_descent_convex"]
    wide = np.arange(1.0, 300_001.0).reshape(300, 1000)
    read_only = np.broadcast_to(np.array([2.0]), (1000,))
    for layout in (wide.T, wide[::-1, ::2], wide[:, ::-1], np.asfortranarray(wide)):
        value = statement.evaluate(L=layout, D0=3.0, N=2).value
        assert np.allclose(value, layout * 0.9, rtol=1e-15, atol=0)
    assert np.allclose(statement.evaluate(L=wide, D0=read_only, N=np.arange(1000)).value.shape, wide.shape)


# ---- the checks can fail


class _Mutant:
    """`run_arrays` with one wrong point."""

    def __init__(self, position: int) -> None:
        self.position = position

    def __call__(self, program: Program, values: dict[str, Any], **_: Any) -> list[Array]:
        results = [np.array(r) for r in run_arrays(program, values)]
        for result in results:
            if result.size > 1:
                result.reshape(-1)[self.position] *= 1 + 1e-9
        return results


@pytest.mark.parametrize("position", [0, -1])
def test_one_wrong_point_is_caught(position: int, monkeypatch: pytest.MonkeyPatch) -> None:
    statement = STATEMENTS["textbook.gradient_descent_convex"]
    values = inputs(statement, dict.fromkeys(resolve(statement).required, (1000,)), seed=12)
    assert mistakes(statement, values, seed=13) == []
    monkeypatch.setattr("bounds.evaluation.evaluate.run_arrays", _Mutant(position))
    assert mistakes(statement, values, seed=13) != []


def test_a_wrong_axis_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    statement = STATEMENTS["textbook.gradient_descent_convex"]
    values = inputs(statement, {"L": (6, 1), "D0": (6,)}, seed=14)

    def transposed(program: Program, given: dict[str, Any], **_: Any) -> list[Array]:
        return [r.T for r in run_arrays(program, given)]

    assert mistakes(statement, values, seed=15) == []
    monkeypatch.setattr("bounds.evaluation.evaluate.run_arrays", transposed)
    assert mistakes(statement, values, seed=15) != []


def test_a_program_without_inputs() -> None:
    program = compile_expressions([resolve(STATEMENTS["als_dpfl.theorem_2.theorem_omega"]).terms[1]])
    (floor,) = run_arrays(program, {})
    assert floor.shape == ()
    assert floor.item() == pytest.approx(3**-0.5)


@pytest.mark.parametrize("others_first", [False, True])
def test_workers_leave_out_nothing_and_do_nothing_twice(others_first: bool) -> None:
    """Whoever is ahead takes from the ends of the others' runs."""
    runs = [deque([0, 1, 2, 3]), deque([4, 5, 6]), deque([7, 8])]
    workers = [arrays._from(runs, own) for own in range(3)]
    assert [next(w) for w in workers] == [0, 4, 7]
    if others_first:
        assert list(workers[2]) == [8, 3, 2, 1, 6, 5]
        assert [next(w, None) for w in workers[:2]] == [None, None]
    else:
        assert [next(w) for w in workers] == [1, 5, 8]
        assert [next(workers[1]), next(workers[1]), next(workers[0])] == [6, 3, 2]
        assert all(next(w, None) is None for w in workers)


class _Raced(deque[int]):
    """A run of which another worker takes the last task as soon as one has asked whether there is any."""

    stolen: list[int]

    def __len__(self) -> int:
        there = super().__len__()
        if there == 1:
            self.stolen.append(self.pop())
        return there


@pytest.mark.parametrize("own", [0, 1])
def test_a_task_that_is_taken_between_question_and_taking_ends_no_worker(own: int) -> None:
    """The run that looked full is the worker's own, or another's: it goes on with what is left elsewhere."""
    raced = _Raced([0, 1, 2])
    raced.stolen = []
    taken = list(arrays._from([raced, deque([3, 4])], own))
    assert sorted([*taken, *raced.stolen]) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("kind", [IndexError, ValueError])
def test_what_goes_wrong_in_a_worker_is_raised(
    kind: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An index that is wrong in a task is not a run that has come to its end."""
    monkeypatch.setattr(arrays, "CORES", 2)
    done = []

    def work(tasks: Iterator[int]) -> None:
        for task in tasks:
            if task == 5:
                raise kind(task)
            done.append(task)

    with pytest.raises(kind):
        arrays._run_in_parallel(work, list(range(32)))
    assert 5 not in done
