"""Programs as calls on arrays of known shapes: which operation runs on which axes, in which order.

A user's grid is often a product: K along one axis, eta along another. An operation is computed on the axes
that its operands span, not on the whole grid, and sums and products combine the operands that span the
fewest points first.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from bounds.arithmetic.program import Program, Summand, list_whole_numbers

Array = NDArray[np.float64]
Shape = tuple[int, ...]
Factors = tuple[tuple[int, ...], tuple[int, ...]]  # above and below the line
MOST_AT_ONCE = 10_000_000  # summands; to add up so many takes a second
TOGETHER = 65_536  # summands of a sum that are arrays at once


@final
@dataclass(frozen=True, slots=True)
class Step:
    """One call: `target = call(*operands)`."""

    call: Callable[..., Any]
    operands: tuple[int, ...]
    target: int


@final
@dataclass(slots=True)
class Plan:
    """Binary steps with the shape of every register."""

    shapes: list[Shape] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    done: dict[tuple[Callable[..., Any], tuple[int, ...]], int] = field(default_factory=dict)
    inputs: dict[str, int] = field(default_factory=dict)
    numbers: dict[int, float] = field(default_factory=dict)
    products: dict[int, Factors] = field(default_factory=dict)
    sums: dict[int, list[int]] = field(default_factory=dict)

    def register(self, shape: Shape) -> int:
        self.shapes.append(shape)
        return len(self.shapes) - 1

    def number(self, value: float, rank: int) -> int:
        """One register for every number, so that equal steps with it are one step."""
        for register, known in self.numbers.items():
            if known == value and len(self.shapes[register]) == rank:
                return register
        register = self.register((1,) * rank)
        self.numbers[register] = value
        return register

    def step(self, call: Callable[..., Any], *operands: int) -> int:
        if (call, operands) not in self.done:
            target = self.register(np.broadcast_shapes(*(self.shapes[i] for i in operands)))
            self.steps.append(Step(call, operands, target))
            self.done[call, operands] = target
        return self.done[call, operands]

    def reduce(self, call: Callable[..., Any], operands: Sequence[int]) -> int:
        """Combine equal shapes first, then the smallest with the next smallest.

        Among equals the trailing axes come first: what is then spread along a leading axis is contiguous.
        """
        by_shape: dict[Shape, list[int]] = {}
        for operand in operands:
            by_shape.setdefault(self.shapes[operand], []).append(operand)
        # In the order of the registers, so that two products with common factors share a step.
        parts = [self._fold(call, sorted(group)) for group in by_shape.values()]
        parts.sort(key=lambda i: (prod(self.shapes[i]), -first_axis(self.shapes[i])))
        return self._fold(call, parts)

    def _fold(self, call: Callable[..., Any], operands: Sequence[int]) -> int:
        first, *others = operands
        for other in others:
            first = self.step(call, first, other)
        return first


def first_axis(shape: Shape) -> int:
    return next((axis for axis, size in enumerate(shape) if size != 1), len(shape))


def plan_arrays(program: Program, given: tuple[Shape, ...]) -> tuple[Plan, list[int]]:
    shapes = dict(zip(program.inputs, given, strict=True))
    rank = max((len(shape) for shape in given), default=0)
    plan = Plan()
    where: list[int] = []
    for op in program.operations:
        arguments = [where[i] for i in op.arguments]
        if op.name == "input":
            padded = (1,) * (rank - len(shapes[op.parameter])) + shapes[op.parameter]
            plan.inputs[op.parameter] = plan.register(padded)
            where.append(plan.inputs[op.parameter])
        elif op.name == "number":
            where.append(plan.number(float(op.parameter), rank))
        else:
            where.append(_PLAN[op.name](plan, arguments, op.parameter, rank))
    outputs = [where[i] for i in program.outputs]
    plan.steps = steps_towards(plan, outputs)
    return plan, outputs


def steps_towards(plan: Plan, registers: Iterable[int]) -> list[Step]:
    """Without those that they do not need: another one's terms, products that were taken apart."""
    read = set(registers)
    needed = []
    for step in reversed(plan.steps):
        if step.target in read:
            read.update(step.operands)
            needed.append(step)
    return needed[::-1]


def _add(plan: Plan, arguments: list[int], signs: tuple[int, ...], rank: int) -> int:
    added = [a for a, sign in zip(arguments, signs, strict=True) if sign > 0]
    removed = [a for a, sign in zip(arguments, signs, strict=True) if sign < 0]
    if not added:
        return plan.step(np.negative, plan.reduce(np.add, removed))
    if not removed:
        total = plan.reduce(np.add, added)
        plan.sums[total] = added
        return total
    return plan.step(np.subtract, plan.reduce(np.add, added), plan.reduce(np.add, removed))


def multiply(plan: Plan, arguments: list[int], above: int, rank: int) -> int:
    """Divide on each group's own axes, then multiply the groups."""
    if above == len(arguments) == 1:
        return arguments[0]
    factors = _take_apart(plan, (tuple(arguments[:above]), tuple(arguments[above:])))
    parts = _distribute(plan, factors)
    if parts:
        return _add(plan, [multiply(plan, [*a, *b], len(a), rank) for a, b in parts], (1,) * len(parts), rank)
    groups: dict[Shape, tuple[list[int], list[int]]] = {}
    for side, registers in enumerate(factors):
        for register in registers:
            groups.setdefault(plan.shapes[register], ([], []))[side].append(register)
    single = (1,) * rank
    if single in groups and len(groups) > 1:  # a number joins the smallest group instead of a pass of its own
        numerators, denominators = groups.pop(single)
        smallest = min(groups, key=prod)
        constant = _quotient(plan, numerators, denominators, rank)
        groups[smallest][0].append(constant)
    product = plan.reduce(np.multiply, [_quotient(plan, *pair, rank) for pair in groups.values()])
    plan.products[product] = factors
    return product


def _take_apart(plan: Plan, factors: Factors) -> Factors:
    """Replace products of smaller arrays by their factors where that saves a pass over the whole.

    A product on all axes is as long as the result. Its factors lie on fewer axes: divided and gathered there,
    they meet on all axes once, and the result needs that pass anyway.
    """
    full_shape = np.broadcast_shapes(*(plan.shapes[i] for side in factors for i in side))
    largest = [i for side in factors for i in side if plan.shapes[i] == full_shape]
    if not all(_is_smaller(plan, plan.products.get(i), full_shape) for i in largest):
        return factors
    above: list[int] = []
    below: list[int] = []
    for side, (same, other) in zip(factors, ((above, below), (below, above)), strict=True):
        for register in side:
            numerators, denominators = plan.products[register] if register in largest else ((register,), ())
            same += numerators
            other += denominators
    return tuple(above), tuple(below)


def _distribute(plan: Plan, factors: Factors) -> list[Factors]:
    """The terms of factors * sum: no pass over the whole for the factors where every term can take them in.

    Only where nothing is subtracted: what cancels is rounded as it was.
    """
    above, below = factors
    full_shape = np.broadcast_shapes(*(plan.shapes[i] for i in (*above, *below)))
    largest = [i for i in (*above, *below) if plan.shapes[i] == full_shape]
    if len(largest) != 1 or largest[0] not in plan.sums or largest[0] in below:
        return []
    others = tuple(i for i in above if i not in largest)
    products = [plan.products.get(i, ((i,), ())) for i in plan.sums[largest[0]]]
    if (not others and not below) or not all(_is_smaller(plan, p, full_shape) for p in products):
        return []
    return [((*numerators, *others), (*denominators, *below)) for numerators, denominators in products]


def _is_smaller(plan: Plan, factors: Factors | None, full_shape: Shape) -> bool:
    return factors is not None and all(plan.shapes[i] != full_shape for side in factors for i in side)


def _quotient(plan: Plan, above: list[int], below: list[int], rank: int) -> int:
    if not below:
        return plan.reduce(np.multiply, above)
    if not above:
        above = [plan.number(1.0, rank)]
    return plan.step(np.divide, plan.reduce(np.multiply, above), plan.reduce(np.multiply, below))


def _power(plan: Plan, arguments: list[int], exponent: Fraction, rank: int) -> int:
    """Roots and products instead of the library's power where two or three of them do."""
    (base,) = arguments
    root = base
    denominator = exponent.denominator
    while denominator in (2, 4):
        root, denominator = plan.step(np.sqrt, root), denominator // 2
    if exponent == Fraction(3, 2):
        return plan.step(np.multiply, base, root)
    if denominator == 1 and exponent.numerator <= 4:
        square = plan.step(np.multiply, root, root) if exponent.numerator > 1 else root
        if exponent.numerator == 4:
            return plan.step(np.multiply, square, square)
        return plan.step(np.multiply, square, root) if exponent.numerator == 3 else square
    return plan.step(np.power, base, plan.number(float(exponent), rank))


def _compound(plan: Plan, arguments: list[int], _: Any, rank: int) -> int:
    return plan.step(or_power, *arguments, plan.step(np.exp, _times_log(plan, arguments)))


def _compound_minus_one(plan: Plan, arguments: list[int], _: Any, rank: int) -> int:
    return plan.step(or_power_minus_one, *arguments, plan.step(np.expm1, _times_log(plan, arguments)))


def or_power(u: Any, n: Any, logarithmic: Any, out: Any = None) -> Any:
    """(1+u)**n by its logarithm; by the power itself where 1+u is not positive and has none."""
    if out is None:
        out = np.array(logarithmic)
    elif out is not logarithmic:
        np.copyto(out, logarithmic)
    if not np.minimum.reduce(u, axis=None) > -1:
        beyond = np.broadcast_to(u <= -1, out.shape)
        out[beyond] = np.broadcast_to(np.power(1 + u, n), out.shape)[beyond]
    return out


def or_power_minus_one(u: Any, n: Any, logarithmic: Any, out: Any = None) -> Any:
    value = or_power(u, n, logarithmic, out)
    if not np.minimum.reduce(u, axis=None) > -1:
        value[np.broadcast_to(u <= -1, value.shape)] -= 1
    return value


def _times_log(plan: Plan, arguments: list[int]) -> int:
    u, n = arguments
    return plan.step(np.multiply, n, plan.step(np.log1p, u))


@final
@dataclass(frozen=True, slots=True)
class SumOfArrays:
    """A step that adds up a summand between two ends, as many summands at once as fit in `TOGETHER`."""

    summand: Summand

    def __call__(self, low: Any, high: Any, *given: Any, out: Any = None) -> Any:
        shape = np.broadcast_shapes(*(np.shape(part) for part in (low, high, *given)))
        total = np.zeros(shape) if out is None else out
        total[...] = 0.0
        first, last = float(np.min(low)), float(np.max(high))
        if not last - first <= MOST_AT_ONCE:  # or one of them is no number
            total[...] = np.nan
            return total
        numbers = np.array(list_whole_numbers(first, last), dtype=np.float64)
        many = max(1, TOGETHER // max(1, prod(shape)))
        for start in range(0, len(numbers), many):
            at = numbers[start : start + many].reshape(-1, *(1,) * len(shape))
            values = dict(zip(self.summand.others, (np.asarray(part)[None] for part in given), strict=True))
            summands = _carry_out(self.summand.body, values | {self.summand.index: at})
            total += np.where((at > low - 0.5) & (at < high + 0.5), summands, 0.0).sum(axis=0)
        return total


def _carry_out(program: Program, values: dict[str, Any]) -> Any:
    """The only output, one step after the other."""
    plan, (output,) = plan_arrays(program, tuple(np.shape(values[name]) for name in program.inputs))
    known: dict[int, Any] = dict(plan.numbers) | {plan.inputs[name]: values[name] for name in program.inputs}
    for step in plan.steps:
        known[step.target] = step.call(*(known[i] for i in step.operands))
    return known[output]


_COMPARE: dict[str, Callable[..., Any]] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
}


_PLAN: dict[str, Callable[[Plan, list[int], Any, int], int]] = {
    "add": _add,
    "multiply": multiply,
    "power": _power,
    "raise_to": lambda plan, a, p, rank: plan.step(np.power, *a),
    "compound": _compound,
    "compound_minus_one": _compound_minus_one,
    "exp": lambda plan, a, p, rank: plan.step(np.exp, *a),
    "log": lambda plan, a, p, rank: plan.step(np.log, *a),
    "log1p": lambda plan, a, p, rank: plan.step(np.log1p, *a),
    "cos": lambda plan, a, p, rank: plan.step(np.cos, *a),
    "sin": lambda plan, a, p, rank: plan.step(np.sin, *a),
    "pi": lambda plan, a, p, rank: plan.number(np.pi, rank),
    "maximum": lambda plan, a, p, rank: plan.reduce(np.maximum, a),
    "minimum": lambda plan, a, p, rank: plan.reduce(np.minimum, a),
    "compare": lambda plan, a, p, rank: plan.step(_COMPARE[p], *a),
    "select": lambda plan, a, p, rank: plan.step(np.where, *a),
    "sum": lambda plan, a, p, rank: plan.step(SumOfArrays(p), *a),
}

# These return an array instead of filling one: truth values, and a choice, whose operands may be its buffer.
NEW_ARRAY = frozenset([*_COMPARE.values(), np.where])
