"""Sums of products over a grid: one matrix product, the same numbers."""

from math import prod
from typing import Any

import numpy as np
import pytest
from example_count import count_examples
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sympy import Expr, Rational, exp, symbols

from bounds.arithmetic import arrays
from bounds.arithmetic.arrays import run_arrays
from bounds.arithmetic.program import Program, compile_expressions
from bounds.discovery import get
from bounds.evaluation.resolve import resolve_with

Array = NDArray[np.float64]
a, b, c, d = symbols("a b c d", positive=True)
NAMES = ("a", "b", "c", "d")


def along(lengths: tuple[int, ...], seed: int = 31) -> dict[str, Array]:
    """a, b, c, d, each on an axis of its own."""
    rng = np.random.default_rng(seed)
    shapes = [[n if i == k else 1 for i in range(len(lengths))] for k, n in enumerate(lengths)]
    return {
        name: rng.uniform(0.5, 2.0, n).reshape(s) for name, n, s in zip(NAMES, lengths, shapes, strict=True)
    }


def on_the_whole(program: Program, values: dict[str, Any]) -> list[str]:
    """Calls that fill the grid."""
    shapes = tuple(values[name].shape for name in program.inputs)
    plan, _ = arrays._plan(program, shapes)
    whole = np.broadcast_shapes(*shapes)
    return [step.call.__name__ for step in plan.steps if plan.shapes[step.target] == whole]


def by_hand(x: dict[str, Array]) -> list[tuple[Expr, Array]]:
    """Sums whose terms split between leading and trailing axes, and their values."""
    A, B, C, D = x.values()
    return [
        (a * b * c * d + b * d**2 / (a * c) + b * c, A * B * C * D + B * D**2 / (A * C) + B * C),
        (a * b * c * d + a / (b * c * d) + c * d, A * B * C * D + A / (B * C * D) + C * D),
        (a * b * c * d + 1 / (a * b * c * d) + a + 7, A * B * C * D + 1 / (A * B * C * D) + A + 7),
        (d * (a * b * c * d + 1 / (a * b * c)) + b, A * B * C * D**2 + D / (A * B * C) + B),
        (
            exp(a) * b * c * d + a * exp(b * c * d) + exp(b) + d,
            np.exp(A) * B * C * D + A * np.exp(B * C * D) + np.exp(B) + D,
        ),
    ]


# Some have more points than a block, and tiles that do not fit evenly.
LONG_FIRST = [(17, 5, 5, 5), (34, 33, 32, 31), (701, 3, 5, 31)]
OTHER = [
    (5, 5, 5, 5),
    (3, 4, 5, 6),
    (1, 4, 5, 6),
    (3, 1, 5, 6),
    (2, 90, 33, 47),
    (3, 5, 31, 701),
    (1, 1, 1, 1),
]


@pytest.mark.parametrize("lengths", LONG_FIRST + OTHER)
@pytest.mark.parametrize("case", range(5))
def test_a_sum_of_products_fills_the_grid_once(case: int, lengths: tuple[int, ...]) -> None:
    values = along(lengths)
    expression, expected = by_hand(values)[case]
    program = compile_expressions([expression])
    if lengths in LONG_FIRST:
        assert on_the_whole(program, values) == ["sum_of_products"]
    (result,) = run_arrays(program, values)
    np.testing.assert_allclose(result, expected, rtol=1e-14)


exponents = st.tuples(*[st.integers(-2, 3)] * 4)
monomials = st.tuples(st.sampled_from([1, 3, -2, Rational(1, 2)]), exponents)


@given(
    sums=st.lists(st.lists(monomials, min_size=1, max_size=5), min_size=1, max_size=3),
    factor=exponents,
    lengths=st.permutations([17, 3, 4, 1]),
)
@settings(max_examples=count_examples(300))
def test_any_sums_of_products_and_what_is_made_of_them(
    sums: list[list[tuple[Any, tuple[int, ...]]]], factor: tuple[int, ...], lengths: list[int]
) -> None:
    """Beside one another and times a product, against extended precision, relative to what is added."""
    values = along(tuple(lengths), seed=len(sums))
    long = [x.astype(np.longdouble) for x in values.values()]

    def power(of: Any, by: tuple[int, ...]) -> Any:
        return prod(x**e for x, e in zip(of, by, strict=True))

    added = [sum(k * power((a, b, c, d), by) for k, by in terms) for terms in sums]
    program = compile_expressions([*added, power((a, b, c, d), factor) * added[0], sum(added)])
    right = [sum(float(k) * power(long, by) for k, by in terms) for terms in sums]
    size = [sum(abs(float(k)) * power(long, by) for k, by in terms) for terms in sums]
    right += [power(long, factor) * right[0], sum(right)]
    size += [power(long, factor) * size[0], sum(size)]
    inputs = {name: values[name] for name in program.inputs}
    for result, expected, scale in zip(run_arrays(program, inputs), right, size, strict=True):
        assert np.max(np.abs(result - expected) / scale) < 1e-14


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        (exp(a) * b * c * d + a * exp(b * c * d), "seven rows: the columns are as long as much of the grid"),
        (a * b * c * d + c * d - a / d - 1 / (a * b * c * d), "what cancels is rounded as it was"),
        (a * b * c * d + 1 / (a * b * c * d) + exp(a * d), "the last term has no two sides"),
        (a * exp(b * c * d) + d * exp(a * b * c) + 1, "no place to cut is that of both products"),
    ],
)
def test_what_is_no_matrix_product_is_left_alone(expression: Expr, why: str) -> None:
    values = along((7, 6, 5, 4))
    program = compile_expressions([expression])
    assert "sum_of_products" not in on_the_whole(program, values), why


@pytest.mark.parametrize(
    ("expression", "by_hand", "fills"),
    [
        (a * b * c * d + c * d, lambda A, B, C, D: (A * B + 1) * C * D, "multiply"),
        (a * b * c * d + a * b, lambda A, B, C, D: A * B * (C * D + 1), "multiply"),
        (a * c + a * d + b * c + b * d, lambda A, B, C, D: (A + B) * (C + D), "multiply"),
        (a + b * c + d / 2 + b * d, lambda A, B, C, D: A + D / 2 + B * (C + D), "sum_of_products"),
    ],
)
def test_what_is_multiplied_by_the_same_is_added_first(expression: Expr, by_hand: Any, fills: str) -> None:
    values = along((7, 6, 5, 4))
    program = compile_expressions([expression])
    assert on_the_whole(program, values) == [fills]
    (result,) = run_arrays(program, values)
    np.testing.assert_allclose(result, by_hand(*values.values()), rtol=1e-14)


def test_of_several_places_to_cut_the_one_with_the_shortest_sides_is_taken() -> None:
    values = along((20, 3, 4, 25))
    program = compile_expressions([a * b * c * d + 1 / (a * b * c * d)])
    plan, _ = arrays._plan(program, tuple(values[name].shape for name in program.inputs))
    (step,) = [step for step in plan.steps if step.call.__name__ == "sum_of_products"]
    assert [plan.shapes[i] for i in step.operands] == [(20, 3, 1, 1)] * 2 + [(1, 1, 4, 25)] * 2


def test_a_list_has_no_two_sides() -> None:
    values = {name: np.linspace(1, 2, 50) for name in NAMES}
    program = compile_expressions([a * b + c / d + a * d + 3 * a])
    assert "sum_of_products" not in on_the_whole(program, values)


def test_the_sum_beside_its_terms_is_multiplied_out_too() -> None:
    """Terms that fill the grid are wanted too: reading them again would take longer."""
    values = along((20, 6, 5, 4))
    A, B, C, D = values.values()
    terms = [a * b * c * d, 1 / (a * b * c * d), b * c]
    program = compile_expressions([*terms, sum(terms)])
    assert sorted(on_the_whole(program, values)) == ["multiply", "multiply", "sum_of_products"]
    *each, total = run_arrays(program, values)
    for result, expected in zip(each, [A * B * C * D, 1 / (A * B * C * D), B * C], strict=True):
        np.testing.assert_allclose(result, expected, rtol=1e-14)
    np.testing.assert_allclose(total, A * B * C * D + 1 / (A * B * C * D) + B * C, rtol=1e-14)


def test_what_reads_the_sum_comes_after_it() -> None:
    """On a small grid the steps run in their order."""
    values = along((20, 6, 5, 4))
    A, B, C, D = values.values()
    total, right = a * b * c * d + c * d + a, A * B * C * D + C * D + A
    program = compile_expressions([exp(total), a * total, total, a * b, total * b / d])
    assert "sum_of_products" in on_the_whole(program, values)
    for result, expected in zip(
        run_arrays(program, values), [np.exp(right), A * right, right, A * B, right * B / D], strict=True
    ):
        np.testing.assert_allclose(result, np.broadcast_to(expected, result.shape), rtol=1e-14)


@pytest.mark.parametrize(
    "axes", [("K", "E", "alpha", "D0", "Delta_star_mean"), ("K", "E", "alpha", "rho", "C_hat")]
)
def test_the_second_theorem_of_dp_fedavg_fills_its_grids_once(axes: tuple[str, ...]) -> None:
    """What the targets of benchmarks/evaluate.py for its grids rest on."""
    given = ("K", "E", "alpha", "rho", "C_hat", "L", "D0", "Delta_star_mean")
    program = resolve_with(get("dp_fedavg.theorem_2"), given)[1].program
    value = Program(program.inputs, program.operations, program.outputs[-1:])
    shapes = {name: tuple(4 if name == axis else 1 for axis in axes) for name in given}
    assert on_the_whole(value, {name: np.empty(shape) for name, shape in shapes.items()}) == [
        "sum_of_products"
    ]


@pytest.mark.parametrize("cores", [1, 2, 7])
def test_workers_change_nothing(cores: int, monkeypatch: pytest.MonkeyPatch) -> None:
    values = along((30, 31, 32, 33))
    program = compile_expressions([by_hand(values)[0][0]])
    usual = run_arrays(program, values)[0]
    monkeypatch.setattr(arrays, "CORES", cores)
    np.testing.assert_array_equal(run_arrays(program, values)[0], usual)


def test_infinities_and_nans_stay_where_they_are() -> None:
    values = along((40, 41, 5, 6))
    values["a"][3], values["b"][0, 7], values["d"][..., 2] = np.inf, np.nan, 0.0
    with np.errstate(all="ignore"):
        expression, expected = by_hand(values)[0]
    (result,) = run_arrays(compile_expressions([expression]), values)
    np.testing.assert_array_equal(np.isnan(result), np.isnan(expected))
    np.testing.assert_array_equal(np.isinf(result), np.isinf(expected))


# The checks can fail.


@pytest.mark.parametrize(
    "defect",
    [
        lambda flat, sides: flat(sides)[:, ::-1],
        lambda flat, sides: np.roll(flat(sides), {s.shape[0] for s in sides} == {1}, axis=0),
    ],
    ids=["a side the wrong way round", "sides of unlike terms"],
)
def test_wrong_sides_are_caught(defect: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    values = along((701, 3, 5, 31))
    expression, expected = by_hand(values)[0]
    right = arrays._flat
    monkeypatch.setattr(arrays, "_flat", lambda sides: defect(right, sides))
    (result,) = run_arrays(compile_expressions([expression]), values)
    assert not np.allclose(result, expected, rtol=1e-9)


def test_a_tile_that_is_left_out_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    values = along((701, 3, 5, 31))
    expression, expected = by_hand(values)[0]
    right = arrays._run_in_parallel
    monkeypatch.setattr(arrays, "_fresh", np.zeros)
    monkeypatch.setattr(arrays, "_run_in_parallel", lambda work, tasks: right(work, tasks[1:]))
    (result,) = run_arrays(compile_expressions([expression]), values)
    assert not np.allclose(result, expected, rtol=1e-9)
