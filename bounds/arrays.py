"""Programs over float64 arrays: each operation on its own axes, large ones in cache-sized blocks.

A user's grid is often a product: K along one axis, eta along another. An operation is computed on the axes
that its operands span, not on the whole grid, and sums and products combine the operands that span the
fewest points first. What does span the whole grid runs in blocks that stay in cache, in place.
"""

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import Any, Literal, TypeVar, final

import numpy as np
from numpy.typing import NDArray

from bounds.program import Program

Array = NDArray[np.float64]
Shape = tuple[int, ...]
Block = tuple[slice, ...]
Task = TypeVar("Task")

# 32,768 doubles are 256 KiB: a handful of live blocks stay in a second-level cache, and the time of a call
# is ten times what it costs to make it.
BLOCK = 32_768
PART = 2 * BLOCK  # of a pass that reads one array and writes none

# numpy leaves the interpreter lock during a block; below some blocks each, starting a thread costs more.
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
TASKS_PER_WORKER = 8


@final
@dataclass(frozen=True, slots=True)
class Extent:
    """The ends of an array, nan if any entry is, and whether all entries are integers (where asked)."""

    smallest: float
    largest: float
    whole: bool


def extents(arrays: Mapping[str, Any], counted: Collection[str] = ()) -> dict[str, Extent]:
    """What a check of domains needs, in one pass; `counted` names the arrays that should hold integers."""
    flat = {name: np.asarray(array, dtype=np.float64).reshape(-1) for name, array in arrays.items()}
    found: dict[str, list[tuple[float, float, bool]]] = {name: [] for name in flat}

    def work(parts: Iterator[tuple[str, Array]]) -> None:
        rounded = np.empty(PART)
        with np.errstate(all="ignore"):
            for name, part in parts:
                whole = name not in counted or bool((part == np.floor(part, rounded[: part.size])).all())
                found[name].append((part.min(), part.max(), whole))

    _in_parallel(work, [(n, a[i : i + PART]) for n, a in flat.items() for i in range(0, a.size, PART)])
    return {name: _join(parts) for name, parts in found.items()}


def _join(parts: list[tuple[float, float, bool]]) -> Extent:
    smallest, largest, whole = zip(*parts, strict=True)
    return Extent(float(np.min(smallest)), float(np.max(largest)), all(whole))


@final
@dataclass(frozen=True, slots=True)
class Step:
    """One call on at most two operands: `target = call(*operands)`."""

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

    def register(self, shape: Shape) -> int:
        self.shapes.append(shape)
        return len(self.shapes) - 1

    def step(self, call: Callable[..., Any], *operands: int) -> int:
        if (call, operands) not in self.done:
            target = self.register(np.broadcast_shapes(*(self.shapes[i] for i in operands)))
            self.steps.append(Step(call, operands, target))
            self.done[call, operands] = target
        return self.done[call, operands]

    def reduce(self, call: Callable[..., Any], operands: Sequence[int]) -> int:
        """Combine equal shapes first, then the smallest with the next smallest."""
        by_shape: dict[Shape, list[int]] = {}
        for operand in operands:
            by_shape.setdefault(self.shapes[operand], []).append(operand)
        # In the order of the registers, so that two products with common factors share a step.
        parts = [self._fold(call, sorted(group)) for group in by_shape.values()]
        parts.sort(key=lambda i: prod(self.shapes[i]))
        return self._fold(call, parts)

    def _fold(self, call: Callable[..., Any], operands: Sequence[int]) -> int:
        first, *others = operands
        for other in others:
            first = self.step(call, first, other)
        return first


def run_arrays(
    program: Program, values: Mapping[str, Any], trouble: Literal["ignore", "raise"] = "ignore"
) -> list[Array]:
    """Every output on its own axes: broadcast them where a common shape is needed.

    Numbers that leave the range of float64 become infinite, nan or zero; with `trouble="raise"` the first one
    raises FloatingPointError, at points and small arrays.
    """
    arrays = {name: np.asarray(values[name], dtype=np.float64) for name in program.inputs}
    plan, outputs = _plan(program, tuple(array.shape for array in arrays.values()))
    with np.errstate(all=trouble):  # what is not finite is reported by the caller, with its reason
        return _execute(plan, outputs, arrays)


@lru_cache(maxsize=256)
def _plan(program: Program, given: tuple[Shape, ...]) -> tuple[Plan, list[int]]:
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
            where.append(_number(plan, float(op.parameter), rank))
        else:
            where.append(_PLAN[op.name](plan, arguments, op.parameter, rank))
    return plan, [where[i] for i in program.outputs]


def _number(plan: Plan, value: float, rank: int) -> int:
    register = plan.register((1,) * rank)
    plan.numbers[register] = value
    return register


def _add(plan: Plan, arguments: list[int], signs: tuple[int, ...], rank: int) -> int:
    added = [a for a, sign in zip(arguments, signs, strict=True) if sign > 0]
    removed = [a for a, sign in zip(arguments, signs, strict=True) if sign < 0]
    if not added:
        return plan.step(np.negative, plan.reduce(np.add, removed))
    if not removed:
        return plan.reduce(np.add, added)
    return plan.step(np.subtract, plan.reduce(np.add, added), plan.reduce(np.add, removed))


def _multiply(plan: Plan, arguments: list[int], above: int, rank: int) -> int:
    """Divide on each group's own axes, then multiply the groups."""
    groups: dict[Shape, tuple[list[int], list[int]]] = {}
    for position, argument in enumerate(arguments):
        pair = groups.setdefault(plan.shapes[argument], ([], []))
        pair[0 if position < above else 1].append(argument)
    single = (1,) * rank
    if single in groups and len(groups) > 1:  # a number joins the smallest group instead of a pass of its own
        numerators, denominators = groups.pop(single)
        smallest = min(groups, key=prod)
        constant = _quotient(plan, numerators, denominators, rank)
        groups[smallest][0].append(constant)
    return plan.reduce(np.multiply, [_quotient(plan, *pair, rank) for pair in groups.values()])


def _quotient(plan: Plan, above: list[int], below: list[int], rank: int) -> int:
    if not below:
        return plan.reduce(np.multiply, above)
    if not above:
        above = [_number(plan, 1.0, rank)]
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
    return plan.step(np.power, base, _number(plan, float(exponent), rank))


def _compound(plan: Plan, arguments: list[int], _: Any, rank: int) -> int:
    return plan.step(_or_power, *arguments, plan.step(np.exp, _times_log(plan, arguments)))


def _compound_minus_one(plan: Plan, arguments: list[int], _: Any, rank: int) -> int:
    return plan.step(_or_power_minus_one, *arguments, plan.step(np.expm1, _times_log(plan, arguments)))


def _or_power(u: Any, n: Any, logarithmic: Any, out: Any = None) -> Any:
    """(1+u)**n by its logarithm; by the power itself where 1+u is not positive and has none."""
    if out is None:
        out = np.array(logarithmic)
    elif out is not logarithmic:
        np.copyto(out, logarithmic)
    beyond = np.broadcast_to(u <= -1, out.shape)
    if beyond.any():
        out[beyond] = np.broadcast_to(np.power(1 + u, n), out.shape)[beyond]
    return out


def _or_power_minus_one(u: Any, n: Any, logarithmic: Any, out: Any = None) -> Any:
    mended = _or_power(u, n, logarithmic, out)
    beyond = np.broadcast_to(u <= -1, mended.shape)
    if beyond.any():
        mended[beyond] -= 1
    return mended


def _times_log(plan: Plan, arguments: list[int]) -> int:
    u, n = arguments
    return plan.step(np.multiply, n, plan.step(np.log1p, u))


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
    "multiply": _multiply,
    "power": _power,
    "raise_to": lambda plan, a, p, rank: plan.step(np.power, *a),
    "compound": _compound,
    "compound_minus_one": _compound_minus_one,
    "exp": lambda plan, a, p, rank: plan.step(np.exp, *a),
    "log": lambda plan, a, p, rank: plan.step(np.log, *a),
    "log1p": lambda plan, a, p, rank: plan.step(np.log1p, *a),
    "maximum": lambda plan, a, p, rank: plan.reduce(np.maximum, a),
    "minimum": lambda plan, a, p, rank: plan.reduce(np.minimum, a),
    "compare": lambda plan, a, p, rank: plan.step(_COMPARE[p], *a),
    "select": lambda plan, a, p, rank: plan.step(np.where, *a),
}


def _execute(plan: Plan, outputs: list[int], inputs: dict[str, Array]) -> list[Array]:
    known: dict[int, Array] = {r: inputs[name].reshape(plan.shapes[r]) for name, r in plan.inputs.items()}
    for register, value in plan.numbers.items():
        known[register] = np.full(plan.shapes[register], value)
    large = [step for step in plan.steps if _is_large(plan.shapes[step.target])]
    for step in plan.steps:
        if not _is_large(plan.shapes[step.target]):
            known[step.target] = step.call(*(known[i] for i in step.operands))
    # Large registers of unequal shapes meet on a larger grid only: each shape is swept on its own.
    for shape in sorted({plan.shapes[step.target] for step in large}, key=prod):
        steps = [step for step in large if plan.shapes[step.target] == shape]
        read_later = {i for step in large if plan.shapes[step.target] != shape for i in step.operands}
        for target in {step.target for step in steps} & (read_later | set(outputs)):
            known[target] = np.empty(shape)
        _sweep(shape, steps, known)
    return [known[i] for i in outputs]


def _is_large(shape: Shape) -> bool:
    return prod(shape) > BLOCK


def _sweep(shape: Shape, steps: list[Step], known: dict[int, Array]) -> None:
    """Run all steps of one large shape, block by block, in recycled buffers that stay in cache."""
    slots = _recycle(steps, known.keys())
    kept = {step.target for step in steps} & known.keys()
    inside = len(next(_blocks(shape)))  # the axes from here on are never cut
    used = {i: known[i] for step in steps for i in (*step.operands, step.target) if i in known}
    used = {i: array if i in kept else _spread(array, shape, inside) for i, array in used.items()}
    still = {i: array for i, array in used.items() if prod(array.shape[:inside]) == 1}
    whole = {i: array for i, array in used.items() if array.shape[:inside] == shape[:inside]}
    partly = {i: array for i, array in used.items() if i not in still and i not in whole}
    calls = [(s.call, s.operands, s.target, s.call in _NEW_ARRAY, s.target in kept) for s in steps]

    def work(blocks: Iterator[Block]) -> None:
        live: dict[int, Any] = dict(still)
        size: Shape | None = None
        with np.errstate(all="ignore"):  # a thread starts with the default state
            for block in blocks:
                if size != (size := _block_shape(shape, block)):
                    memory = [np.empty(size) for _ in range(1 + max(slots.values(), default=-1))]
                    live |= {target: memory[slot] for target, slot in slots.items()}
                for i, array in whole.items():
                    live[i] = array[block]
                for i, array in partly.items():
                    live[i] = _cut(array, block)
                for call, operands, target, new, keep in calls:
                    if not new:
                        call(*[live[i] for i in operands], out=live[target])
                    elif keep:
                        live[target][...] = call(*[live[i] for i in operands])
                    else:
                        live[target] = call(*[live[i] for i in operands])

    _in_parallel(work, list(_blocks(shape)))


# These return an array instead of filling one: truth values, and a choice, whose operands may be its buffer.
_NEW_ARRAY = frozenset([*_COMPARE.values(), np.where])


def _recycle(steps: list[Step], known: Collection[int]) -> dict[int, int]:
    """A buffer for every target that needs one; it is free again after the last step that reads it."""
    last = {i: n for n, step in enumerate(steps) for i in step.operands}
    free: list[int] = []
    slots: dict[int, int] = {}
    for n, step in enumerate(steps):
        free += [slots[i] for i in dict.fromkeys(step.operands) if i in slots and last[i] == n]
        if step.target not in known and step.call not in _NEW_ARRAY:
            slots[step.target] = free.pop() if free else len(set(slots.values()))
    return slots


def _blocks(shape: Shape) -> Iterator[Block]:
    """Blocks of at most BLOCK points where the trailing axes allow it."""
    axis = 0
    while axis < len(shape) - 1 and prod(shape[axis + 1 :]) > BLOCK:
        axis += 1
    rows = max(1, BLOCK // max(1, prod(shape[axis + 1 :])))
    for index in np.ndindex(shape[:axis]):
        head = tuple(slice(i, i + 1) for i in index)
        for start in range(0, shape[axis], rows):
            yield (*head, slice(start, min(start + rows, shape[axis])))


def _cut(array: Array, block: Block) -> Array:
    where = tuple(part if size != 1 else slice(None) for part, size in zip(block, array.shape, strict=False))
    cut: Array = array[where]
    return cut


def _spread(array: Array, shape: Shape, inside: int) -> Array:
    """Repeat an array along the axes inside a block where that is cheap: short inner loops are slow."""
    across = array.shape[inside:]
    dear = 4 * prod(array.shape[:inside]) > prod(shape[:inside])
    if dear or across in (shape[inside:], (1,) * len(across)):
        return array
    return np.ascontiguousarray(np.broadcast_to(array, array.shape[:inside] + shape[inside:]))


def _block_shape(shape: Shape, block: Block) -> Shape:
    return (*(part.stop - part.start for part in block), *shape[len(block) :])


def _in_parallel(work: Callable[[Iterator[Task]], None], tasks: list[Task]) -> None:
    """Workers take the next task from one list; whoever takes it, its numbers are the same."""
    todo = iter(tasks)
    workers = min(CORES, len(tasks) // TASKS_PER_WORKER)
    if workers < 2:
        work(todo)
        return
    with ThreadPoolExecutor(workers) as pool:
        for running in [pool.submit(work, todo) for _ in range(workers)]:
            running.result()
