"""Common factors over a list: fewer passes, the same numbers."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sympy import Expr, Symbol, exp, symbols

from bounds.arithmetic import arrays, common_factors
from bounds.arithmetic.array_plan import plan_arrays
from bounds.arithmetic.arrays import run_arrays
from bounds.arithmetic.common_factors import Factors, Pair, share_factors
from bounds.arithmetic.program import Program, compile_expressions
from bounds.discovery import forms
from bounds.evaluation.resolve import resolve, resolve_with

Array = NDArray[np.float64]
STATEMENTS = {name: s for name, s in forms().items() if s.evaluable}
a, b, c, d, g = symbols("a b c d g", positive=True)


def lists(*names: Symbol) -> dict[str, Array]:
    rng = np.random.default_rng(21)
    return {name.name: rng.uniform(0.5, 2.0, 50) for name in names}


def passes(program: Program) -> list[str]:
    plan, _ = plan_arrays(program, tuple((50,) for _ in program.inputs))
    return sorted(step.call.__name__ for step in plan.steps if plan.shapes[step.target] == (50,))


def shared(program: Program) -> Program:
    """With a list for every input."""
    numbers = {i for i, operation in enumerate(program.operations) if operation.name == "number"}
    return share_factors(program, set(range(len(program.operations))) - numbers)


def by_hand(x: dict[str, Array]) -> list[tuple[Expr, dict[Symbol, Expr], int, Any]]:
    """Sum, its definitions, how many passes it takes, and its value."""
    A, B, C, D = x["a"], x["b"], x["c"], x["d"]
    return [
        (a * b * c + a * b * d, {}, 4, A * B * C + A * B * D),
        (a * b**2 * c + a * b * d + a * d, {}, 7, A * B * B * C + A * B * D + A * D),
        (a * c / b + d / (a * c), {}, 4, A * C / B + D / (A * C)),
        (c * g / b + d * b / g, {g: a * c}, 5, C * A * C / B + D * B / (A * C)),
        (c / g + d**3 * g, {g: a**2 / b**2}, 7, C * B**2 / A**2 + D**3 * A**2 / B**2),
        (exp(a * b) + 1 / (a * b), {}, 4, np.exp(A * B) + 1 / (A * B)),
    ]


@pytest.mark.parametrize("case", range(6))
def test_common_factors_are_multiplied_once(case: int) -> None:
    values = lists(a, b, c, d)
    expression, definitions, fewest, expected = by_hand(values)[case]
    program = compile_expressions([expression], definitions)
    assert len(passes(shared(program))) == fewest <= len(passes(program))
    np.testing.assert_allclose(run_arrays(program, values)[0], expected, rtol=1e-14)


def test_nothing_in_common_changes_nothing() -> None:
    program = compile_expressions([a * b + c / d])
    assert shared(program) is program


def test_single_numbers_among_lists_keep_their_own_arithmetic() -> None:
    """a b is one number: it is no pair of lists, and its shape is found by name after the inputs moved."""
    program = compile_expressions([a * b * c + a * b * d, c * d / a])
    values: dict[str, Any] = lists(d, c) | {"a": 3.0, "b": np.array([0.25])}
    total, quotient = run_arrays(program, values)
    np.testing.assert_allclose(total, 0.75 * (values["c"] + values["d"]), rtol=1e-14)
    np.testing.assert_allclose(quotient, values["c"] * values["d"] / 3, rtol=1e-14)


def test_zeros_and_infinities_go_where_they_would_go() -> None:
    """0/0 and infinite quotients are those of the products, within the range of any order of the products."""
    program = compile_expressions([a * c / b + d * b / a])
    with np.errstate(all="ignore"):
        for first, second in ((0.0, 2.0), (2.0, 0.0), (0.0, 0.0), (np.inf, 2.0), (np.inf, np.inf)):
            x = {"a": np.array([first, 1.0]), "b": np.array([second, 1.0])}
            values = x | {"c": np.array([3.0, 3.0]), "d": np.array([5.0, 5.0])}
            expected = x["a"] * 3.0 / x["b"] + 5.0 * x["b"] / x["a"]
            np.testing.assert_array_equal(run_arrays(program, values)[0], expected)


@pytest.mark.sampled
@pytest.mark.parametrize("identity", STATEMENTS)
def test_never_more_passes(identity: str) -> None:
    program = resolve(STATEMENTS[identity]).program
    assert len(passes(shared(program))) <= len(passes(program))


def test_the_second_theorem_of_dp_fedavg_needs_14_passes_instead_of_18() -> None:
    """What the target of benchmarks/evaluate.py for lists rests on."""
    given = ("C_hat", "L", "D0", "K", "E", "alpha", "rho", "Delta_star_mean")
    program = resolve_with(STATEMENTS["dp_fedavg.theorem_2"], given)[1].program
    value = Program(program.inputs, program.operations, program.outputs[-1:])
    assert (len(passes(shared(value))), len(passes(value))) == (14, 18)
    # what both terms divide by, alpha/(rho E), is turned over: the quotient itself, gamma/L, D0^2/(gamma/L)
    assert passes(shared(value)).count("divide") == 3


def test_a_pair_taken_the_wrong_way_up_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    right = common_factors._with

    def upside_down(factors: Factors, pair: Pair, node: int, times: int) -> Factors:
        return right(factors, pair, node, times) | {node: times}

    values = lists(a, b, c, d)
    monkeypatch.setattr(common_factors, "_with", upside_down)
    monkeypatch.setattr(arrays, "_plan", arrays._plan.__wrapped__)  # without its memory
    wrong = [
        not np.allclose(run_arrays(compile_expressions([e], g_is), values)[0], expected, rtol=1e-9)
        for e, g_is, _, expected in by_hand(values)
    ]
    assert any(wrong)
