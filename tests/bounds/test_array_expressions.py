"""The compiler of arrays, on expressions of every form: each shape and block, against plain numpy.

Every point is compared. A statement has no operation that is missing here (the last test compares them), so
tier one asks only a few statements the questions of test_arrays.py.
"""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sympy import Expr, Max, Min, Piecewise, Symbol, exp, lambdify, log, sqrt, symbols

from bounds.arithmetic import arrays
from bounds.arithmetic.arrays import run_arrays
from bounds.arithmetic.program import Program, compile_expressions
from bounds.discovery import forms
from bounds.evaluation.resolve import resolve

Array = NDArray[np.float64]
a, b, c, d = symbols("a b c d", positive=True)
K = Symbol("K", integer=True, nonnegative=True)

EXPRESSIONS: tuple[Expr, ...] = (
    a + b + c,
    a - b,
    2 * a / 3 + b / 7,
    a * b * c / d,
    a * b * c + a * b * d,
    a * c / b + d / (a * c),
    (a + b) * (c + d),
    (a * b + c / d) / (a + b),
    (a + b) ** 2 / c,
    a**3 / b**2 + 1 / c,
    sqrt(a + b) / sqrt(c),
    a ** (-b) + c,
    (1 + a * b) ** K,
    ((1 + a) ** K - 1) / a + b * c,
    exp(-a * b) * c,
    log(1 + a) * b + log(c + 2),
    Max(a, 2 * b) - Min(b, c) + 2,
    Piecewise((a * b, c > d), (a + c, True)),
    Piecewise((a, b >= c), (d, True)) * Max(c, a, b),
    sqrt(a * b + sqrt(c / d)) + exp(a) / (K + 1),
)
AXES = [
    (1,), (1000,), (arrays.SMALL,), (arrays.SMALL + 1,), (3 * arrays.BLOCK + 7,), (3, 4), (1, 5), (2, 3, 4),
    (6, 1, 1), (1, 50_000), (50_000, 1), (2, 40_000), (150, 300), (60, 70, 20), (3, 2, 20_000),
    (2, 1, 40_000),
]  # fmt: skip
# Sums and powers may be taken in another order than the formula's.
CLOSE = 1e-12

every_expression = pytest.mark.parametrize("expression", EXPRESSIONS, ids=str)


def turned(axes: tuple[int, ...], turn: int) -> tuple[int, ...]:
    """All axes, each alone, all but one, none: another one for every symbol."""
    rank = len(axes)
    shapes = [axes, *(tuple(n if i == k else 1 for i, n in enumerate(axes)) for k in range(rank)), ()]
    shapes += [tuple(1 if i == k else n for i, n in enumerate(axes)) for k in range(rank)]
    return shapes[turn % len(shapes)]


def values_of(expression: Expr, axes: tuple[int, ...], turn: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(31)
    found: dict[str, Any] = {}
    for position, name in enumerate(sorted(s.name for s in expression.free_symbols)):
        shape = turned(axes, position + turn)
        found[name] = rng.integers(0, 9, shape) * 1.0 if name == "K" else rng.uniform(0.2, 2.0, shape)
    return found


def plain(expression: Expr, values: dict[str, Any]) -> Array:
    """What numpy gives for the formula as it stands."""
    formula = lambdify([*values], expression, "numpy")
    return np.asarray(formula(*np.broadcast_arrays(*(np.asarray(x) for x in values.values()))))


def wrong(expression: Expr, axes: tuple[int, ...], turn: int) -> bool:
    values = values_of(expression, axes, turn)
    (found,) = run_arrays(compile_expressions([expression]), values)
    expected = plain(expression, values)
    return found.shape != expected.shape or not np.allclose(found, expected, rtol=CLOSE, atol=CLOSE)


@pytest.mark.thinned(3)
@every_expression
@pytest.mark.parametrize("axes", AXES, ids=str)
def test_every_point_is_that_of_the_formula(expression: Expr, axes: tuple[int, ...]) -> None:
    assert [turn for turn in range(3) if wrong(expression, axes, turn)] == []


@every_expression
def test_results_do_not_depend_on_the_block(expression: Expr, monkeypatch: pytest.MonkeyPatch) -> None:
    program = compile_expressions([expression, expression + a])
    values = values_of(expression + a, (5, 6, 7))
    usual = run_arrays(program, values)
    for block in (1, 7, 64, 1000, 10**9):
        monkeypatch.setattr(arrays, "SMALL", block)
        monkeypatch.setattr(arrays, "BLOCK", block)
        for before, after in zip(usual, run_arrays(program, values), strict=True):
            assert before.shape == after.shape
            assert np.array_equal(before, after)


@pytest.mark.parametrize("position", [0, -1])
def test_one_wrong_point_is_caught(position: int, monkeypatch: pytest.MonkeyPatch) -> None:
    right = run_arrays

    def spoiled(program: Program, values: dict[str, Any]) -> list[Array]:
        results = [np.array(r) for r in right(program, values)]
        results[0].reshape(-1)[position] *= 1 + 1e-9
        return results

    assert not wrong(EXPRESSIONS[3], (150, 300), 0)
    monkeypatch.setitem(globals(), "run_arrays", spoiled)
    assert wrong(EXPRESSIONS[3], (150, 300), 0)


def test_the_expressions_have_every_operation_of_every_statement() -> None:
    def operations(program: Program) -> set[str]:
        return {operation.name for operation in program.operations}

    ours = operations(compile_expressions(list(EXPRESSIONS)))
    theirs = {name for s in forms().values() if s.evaluable for name in operations(resolve(s).program)}
    assert theirs <= ours
