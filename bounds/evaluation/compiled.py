"""The value of a statement as a plain Python function of numbers, for loops and optimizers.

The function is made from the same plan of operations that `evaluate` runs, as a syntax tree: a closed table
of node types, operands that we name v0, v1, ..., numbers as constants. Nothing is executed that a user wrote:
no text is parsed, no name of a quantity reaches the code, and the code sees only the functions of `_CALLS`.
The code object is taken out of its module, which never runs. So there is no exec and no eval, and no lambdify
of sympy, which executes source text.
"""

import ast
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from bounds import errors
from bounds.arithmetic.array_plan import or_power, or_power_minus_one, plan_arrays
from bounds.arithmetic.multiprecision import evaluate_precisely, exact
from bounds.arithmetic.program import Program
from bounds.evaluation.evaluate import Evaluation, evaluate, fix
from bounds.evaluation.inputs import Number
from bounds.language.expression import condition_text
from bounds.language.statement import Statement

SMALLEST, LARGEST = sys.float_info.min, sys.float_info.max
Node = Callable[..., ast.expr]
Compiled = Callable[..., float]


def compile_value(
    statement: Statement, names: Sequence[str], fixed: Mapping[str, Number], checked: bool
) -> Compiled:
    """The value as a function of `names`, in their order; `fixed` quantities keep their numbers."""
    label = statement.id or statement.locator
    _refuse_repetitions(label, names, fixed)
    resolved, numbers = fix(statement, names, fixed)
    if checked:
        undecided = sorted(resolved.optional - {*names, *numbers})
        if undecided:
            raise errors.MissingQuantity(
                f"{label} needs a value for {', '.join(undecided)} too, to check its conditions"
            )
        function = _checked(statement, label, tuple(names), numbers)
    else:
        function = _plain(label, tuple(names), numbers, resolved.only_value)
    function.__name__ = function.__qualname__ = "value"
    function.__doc__ = f"The value of {label}, {statement.variant}, at {', '.join(names) or 'no argument'}."
    return function


def _refuse_repetitions(label: str, names: Sequence[str], fixed: Mapping[str, Number]) -> None:
    for position, name in enumerate(names):
        if not isinstance(name, str):
            raise errors.UnknownName(f"{label} has no quantity {name!r}: a name is a string")
        if name in names[:position] or name in fixed:
            raise errors.OverdeterminedQuantity(f"{name} is given twice to the function of {label}")


def _checked(
    statement: Statement, label: str, names: tuple[str, ...], fixed: Mapping[str, float]
) -> Compiled:
    def value(*point: float) -> float:
        _count(label, names, point)
        evaluation = evaluate(statement, dict(zip(names, point, strict=True)) | {**fixed})
        if evaluation.shape:
            raise errors.ShapesDisagree(f"the function of {label} takes single numbers, not arrays")
        if not evaluation.applicable:
            raise errors.OutsideConditions(_refusal(label, evaluation))
        found: float = evaluation.value
        return found

    return value


def _refusal(label: str, evaluation: Evaluation) -> str:
    """One sentence with every condition that fails, and its distance from the limit."""
    failed = [c for c in (*evaluation.conditions, *evaluation.left_domains) if not c.holds]
    shown = (f"{c.condition.id}, {condition_text(c.condition)}, with margin {c.margin:.3g}" for c in failed)
    return f"{label} says nothing here: it needs {'; '.join(shown)}; choose values that satisfy it"


def _plain(label: str, names: tuple[str, ...], fixed: Mapping[str, float], program: Program) -> Compiled:
    fast = _function(program, names, fixed)

    def precisely(point: Sequence[float]) -> float:
        """As `evaluate` does where something on the way leaves the range of float64."""
        given = dict(zip(names, point, strict=True)) | {**fixed}
        (found,) = evaluate_precisely(program, {name: exact(given[name]) for name in program.inputs})
        return float(found)

    def value(*point: float) -> float:
        try:
            found = fast(*point)
        except (ArithmeticError, ValueError):
            return precisely(point)
        except TypeError:
            _count(label, names, point)
            raise
        # Not finite or vanishing: a product may have left the range, which Python does not report.
        return found if SMALLEST <= found <= LARGEST or -LARGEST <= found <= -SMALLEST else precisely(point)

    return value


def _count(label: str, names: tuple[str, ...], point: Sequence[float]) -> None:
    if len(point) != len(names):
        raise TypeError(
            f"the function of {label} takes {len(names)} numbers ({', '.join(names)}), but got {len(point)}"
        )


def _function(program: Program, names: tuple[str, ...], fixed: Mapping[str, float]) -> Compiled:
    """The plan at single points, one assignment for each step."""
    plan, (output,) = plan_arrays(program, ((),) * len(program.inputs))
    operands: dict[int, ast.expr] = {i: _constant(number) for i, number in plan.numbers.items()}
    parameters = {name: f"v{position}" for position, name in enumerate(names)}
    for name, register in plan.inputs.items():
        operands[register] = _constant(fixed[name]) if name in fixed else _name(parameters[name])
    body: list[ast.stmt] = []
    for step in plan.steps:
        local = f"v{len(parameters) + len(body)}"
        value = _NODES[step.call](*(operands[i] for i in step.operands))
        body.append(ast.Assign(targets=[ast.Name(local, ast.Store())], value=value))
        operands[step.target] = _name(local)
    body.append(ast.Return(operands[output]))
    return FunctionType(_code([*parameters.values()], body), {"__builtins__": {}, **_CALLS})


def _code(parameters: list[str], body: list[ast.stmt]) -> CodeType:
    """The code object of a function, out of a module that is compiled and never run."""
    signature = ast.arguments(
        posonlyargs=[ast.arg(name) for name in parameters],
        args=[],
        kwonlyargs=[],
        kw_defaults=[],
        defaults=[],
    )
    function = ast.FunctionDef("value", signature, body, [])
    module = ast.fix_missing_locations(ast.Module([function], []))
    compiled = compile(module, "<the plan of a statement>", "exec")
    return next(constant for constant in compiled.co_consts if isinstance(constant, CodeType))


def _name(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _constant(number: float) -> ast.expr:
    return ast.Constant(float(number))


def _call(function: str) -> Node:
    return lambda *operands: ast.Call(_name(function), [*operands], [])


def _binary(operator: type[ast.operator]) -> Node:
    return lambda left, right: ast.BinOp(left, operator(), right)


def _comparison(operator: type[ast.cmpop]) -> Node:
    return lambda left, right: ast.Compare(left, [operator()], [right])


def _choice(operator: type[ast.cmpop]) -> Node:
    return lambda left, right: ast.IfExp(ast.Compare(left, [operator()], [right]), left, right)


def _by_logarithm(u: ast.expr, n: ast.expr, logarithmic: ast.expr) -> ast.expr:
    """Where 1+u <= 0 the logarithm has failed before, and the precise path has taken over."""
    return logarithmic


_CALLS: Mapping[str, Any] = {
    name: getattr(math, name) for name in ("sqrt", "pow", "exp", "expm1", "log", "log1p", "cos", "sin")
}
_NODES: Mapping[Callable[..., Any], Node] = {
    np.add: _binary(ast.Add),
    np.subtract: _binary(ast.Sub),
    np.multiply: _binary(ast.Mult),
    np.divide: _binary(ast.Div),
    np.negative: lambda operand: ast.UnaryOp(ast.USub(), operand),
    np.sqrt: _call("sqrt"),
    np.power: _call("pow"),
    np.exp: _call("exp"),
    np.expm1: _call("expm1"),
    np.log: _call("log"),
    np.log1p: _call("log1p"),
    np.cos: _call("cos"),
    np.sin: _call("sin"),
    np.maximum: _choice(ast.GtE),
    np.minimum: _choice(ast.LtE),
    np.less: _comparison(ast.Lt),
    np.less_equal: _comparison(ast.LtE),
    np.greater: _comparison(ast.Gt),
    np.greater_equal: _comparison(ast.GtE),
    np.equal: _comparison(ast.Eq),
    np.not_equal: _comparison(ast.NotEq),
    np.where: lambda condition, value, otherwise: ast.IfExp(condition, value, otherwise),
    or_power: _by_logarithm,
    or_power_minus_one: _by_logarithm,
}
