"""Programs over float64 arrays: small operations at once, large ones in cache-sized blocks.

What spans a large grid or list runs in blocks that stay in cache, in place, on all cores (`plan` has cut it
into calls, each on the axes that it needs).
"""

import os
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product
from math import ceil, prod
from typing import Any, Literal, TypeVar, final

import numpy as np
from numpy.typing import NDArray

from bounds.arithmetic.array_plan import NEW_ARRAY, Array, Plan, Shape, Step, plan_arrays
from bounds.arithmetic.common_factors import share_factors
from bounds.arithmetic.matrix_product import multiply_matrices, sum_of_products
from bounds.arithmetic.program import Program

Block = tuple[slice, ...]
Task = TypeVar("Task")

# 32,768 doubles are 256 KiB: less is not worth a thread, nor a block of its own. 131,072 are 1 MiB: the live
# blocks still stay in the caches, and threads seldom wait for a turn in the interpreter between two calls.
SMALL = 32_768
BLOCK = 131_072
HUGE_PAGE = 1 << 21  # bytes
APART = 136  # doubles between two buffers: addresses equal in their last 12 bits wait for each other
PART = 2 * BLOCK  # of a pass that reads one array and writes none
# Multiplications in a tile of a matrix product: on larger ones OpenBLAS starts threads, in the way of ours.
TILE = 1 << 18
TILE_ROWS = 32

# numpy leaves the interpreter lock during a block; below some blocks each, starting a thread costs more.
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
TASKS_PER_WORKER = 8


@final
@dataclass(frozen=True, slots=True)
class Extent:
    """The ends of an array, nan if any entry is, and whether all entries are integers (where asked)."""

    smallest: float
    largest: float
    integral: bool


def extents(arrays: Mapping[str, Any], counted: Collection[str] = ()) -> dict[str, Extent]:
    """What a check of domains needs, in one pass; `counted` names the arrays that should hold integers."""
    known = {name: Extent(v, v, v.is_integer()) for name, v in arrays.items() if type(v) is float}
    rest = {name: np.asarray(array, dtype=np.float64) for name, array in arrays.items() if name not in known}
    return known | _extents_of_arrays(rest, counted) if rest else known


def _extents_of_arrays(arrays: Mapping[str, Array], counted: Collection[str]) -> dict[str, Extent]:
    flat = {name: array.reshape(-1) for name, array in arrays.items()}
    found: dict[str, list[tuple[float, float, bool]]] = {name: [] for name in flat}

    longest = min(PART, max((flat[name].size for name in counted if name in flat), default=0))

    def work(parts: Iterator[tuple[str, Array]]) -> None:
        rounded, same = np.empty(longest), np.empty(longest, dtype=bool)
        with np.errstate(all="ignore"):
            for name, part in parts:
                ends = np.minimum.reduce(part), np.maximum.reduce(part)
                integral = name not in counted or _are_integers(part, rounded[: part.size], same[: part.size])
                found[name].append((*ends, integral))

    _run_in_parallel(work, [(n, a[i : i + PART]) for n, a in flat.items() for i in range(0, a.size, PART)])
    return {name: _join(parts) for name, parts in found.items()}


def _are_integers(part: Array, rounded: Array, same: NDArray[np.bool_]) -> bool:
    """In given buffers: fresh ones would cost more than the question."""
    np.floor(part, out=rounded)
    return bool(np.equal(part, rounded, out=same).all())


def _join(parts: list[tuple[float, float, bool]]) -> Extent:
    smallest, largest, integral = zip(*parts, strict=True)
    return Extent(float(np.min(smallest)), float(np.max(largest)), all(integral))


def run_arrays(
    program: Program, values: Mapping[str, Any], trouble: Literal["ignore", "raise"] = "ignore"
) -> list[Array]:
    """Every output on its own axes: broadcast them where a common shape is needed.

    Numbers that leave the range of float64 become infinite, nan or zero; with `trouble="raise"` the first one
    raises FloatingPointError, at points.
    """
    arrays = {name: np.asarray(values[name], dtype=np.float64) for name in program.inputs}
    plan, outputs = _plan(program, tuple(array.shape for array in arrays.values()))
    with np.errstate(all=trouble):  # what is not finite is reported by the caller, with its reason
        return _execute(plan, outputs, arrays)


@lru_cache(maxsize=256)
def _plan(program: Program, given: tuple[Shape, ...]) -> tuple[Plan, list[int]]:
    shapes = dict(zip(program.inputs, given, strict=True))
    if max(map(len, given), default=0) == 1:
        program = share_factors(program, _long(program, shapes))
    plan, outputs = plan_arrays(program, tuple(shapes[name] for name in program.inputs))
    multiply_matrices(plan, outputs)
    return plan, outputs


def _long(program: Program, shapes: Mapping[str, Shape]) -> set[int]:
    """The operations that give a number for every point of a list, and not one for all."""
    long: set[int] = set()
    for index, operation in enumerate(program.operations):
        listed = operation.name == "input" and prod(shapes[operation.parameter]) > 1
        if listed or not long.isdisjoint(operation.arguments):
            long.add(index)
    return long


def _execute(plan: Plan, outputs: list[int], inputs: dict[str, Array]) -> list[Array]:
    known: dict[int, Array] = {r: inputs[name].reshape(plan.shapes[r]) for name, r in plan.inputs.items()}
    for register, value in plan.numbers.items():
        known[register] = np.full(plan.shapes[register], value)
    large = [step for step in plan.steps if _is_large(plan.shapes[step.target])]
    for step in plan.steps:
        shape = plan.shapes[step.target]
        if step.call is sum_of_products and not _is_large(shape):
            known |= _multiply_out([step], shape, known)
        elif not _is_large(shape):
            known[step.target] = step.call(*(known[i] for i in step.operands))
    # Large registers of unequal shapes meet on a larger grid only: each shape is swept on its own.
    for shape in sorted({plan.shapes[step.target] for step in large}, key=prod):
        steps = [step for step in large if plan.shapes[step.target] == shape]
        known |= _multiply_out([step for step in steps if step.call is sum_of_products], shape, known)
        steps = [step for step in steps if step.call is not sum_of_products]
        read_later = {i for step in large if plan.shapes[step.target] != shape for i in step.operands}
        for target in {step.target for step in steps} & (read_later | set(outputs)):
            known[target] = _fresh(shape)
        if steps:
            _sweep(shape, steps, known)
    return [known[i] for i in outputs]


def _is_large(shape: Shape) -> bool:
    return prod(shape) > min(SMALL, BLOCK)


def _block_size(points: int) -> int:
    """Large blocks, but enough of them for every worker to have its share."""
    return min(BLOCK, max(SMALL, ceil(points / (CORES * TASKS_PER_WORKER))))


def _sweep(shape: Shape, steps: list[Step], known: dict[int, Array]) -> None:
    """Run all steps of one large shape, block by block, in recycled buffers that stay in cache."""
    slots = _recycle(steps, known.keys())
    outputs = {step.target for step in steps} & known.keys()
    inside = len(next(_blocks(shape)))  # the axes from here on are never cut
    used = {i: known[i] for step in steps for i in (*step.operands, step.target) if i in known}
    used = {i: array if i in outputs else _spread(array, shape, inside) for i, array in used.items()}
    still = {i: array for i, array in used.items() if prod(array.shape[:inside]) == 1}
    full = {i: array for i, array in used.items() if array.shape[:inside] == shape[:inside]}
    partly = {i: array for i, array in used.items() if i not in still and i not in full}
    blocks = list(_blocks(shape))
    most = max(prod(_block_shape(shape, block)) for block in blocks)
    calls = [(s.call, s.operands, s.target, s.call in NEW_ARRAY, s.target in outputs) for s in steps]

    def work(blocks: Iterator[Block]) -> None:
        live: dict[int, Any] = dict(still)
        memory = _fresh((1 + max(slots.values(), default=-1), most + APART))
        size: Shape | None = None
        with np.errstate(all="ignore"):  # a thread starts with the default state
            for block in blocks:
                if size != (size := _block_shape(shape, block)):
                    live |= {
                        target: memory[slot, : prod(size)].reshape(size) for target, slot in slots.items()
                    }
                for i, array in full.items():
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

    _run_in_parallel(work, blocks)


def _fresh(shape: Shape) -> Array:
    """As np.empty, but laid on whole huge pages: fresh memory costs most where it comes in small pages."""
    wanted = prod(shape) * np.dtype(np.float64).itemsize
    if wanted < HUGE_PAGE:
        return np.empty(shape)
    memory = np.empty((ceil(wanted / HUGE_PAGE) + 1) * HUGE_PAGE, dtype=np.uint8)
    start = -memory.ctypes.data % HUGE_PAGE
    return memory[start : start + wanted].view(np.float64).reshape(shape)


def _recycle(steps: list[Step], known: Collection[int]) -> dict[int, int]:
    """A buffer for every target that needs one; it is free again after the last step that reads it."""
    last = {i: n for n, step in enumerate(steps) for i in step.operands}
    free: list[int] = []
    slots: dict[int, int] = {}
    for n, step in enumerate(steps):
        free += [slots[i] for i in dict.fromkeys(step.operands) if i in slots and last[i] == n]
        if step.target not in known and step.call not in NEW_ARRAY:
            slots[step.target] = free.pop() if free else len(set(slots.values()))
    return slots


def _blocks(shape: Shape) -> Iterator[Block]:
    """Blocks of at most the wanted size where the trailing axes allow it, all of nearly one size."""
    size = _block_size(prod(shape))
    axis = 0
    while axis < len(shape) - 1 and prod(shape[axis + 1 :]) > size:
        axis += 1
    rows = max(1, size // max(1, prod(shape[axis + 1 :])))
    # An operand without leading axes is read again for each of their indices; in this order the cache has it.
    for part in _parts(shape[axis], ceil(shape[axis] / rows)):
        for index in np.ndindex(shape[:axis]):
            yield (*(slice(i, i + 1) for i in index), part)


def _cut(array: Array, block: Block) -> Array:
    where = tuple(part if size != 1 else slice(None) for part, size in zip(block, array.shape, strict=False))
    cut: Array = array[where]
    return cut


def _multiply_out(steps: list[Step], shape: Shape, known: Mapping[int, Array]) -> dict[int, Array]:
    """In tiles, which the workers share, and which do not depend on the number of workers."""
    outputs, tiles = {}, []
    for step in steps:
        sides = [known[i] for i in step.operands]
        terms = len(sides) // 2
        rows, columns = _flat(sides[:terms]), _flat(sides[terms:])
        down, along = rows.shape[1], columns.shape[1]
        outputs[step.target] = out = _fresh((down, along))
        tiles += [(rows[:, i], columns[:, j], out[i, j]) for i, j in _tiles(down, along, terms)]

    def work(tiles: Iterator[tuple[Array, Array, Array]]) -> None:
        with np.errstate(all="ignore"):
            for rows, columns, out in tiles:
                sum_of_products(rows, columns, out=out)

    _run_in_parallel(work, tiles)
    return {target: out.reshape(shape) for target, out in outputs.items()}


def _tiles(down: int, along: int, terms: int) -> Iterator[tuple[slice, slice]]:
    width = min(along, TILE // (terms * max(1, min(down, TILE_ROWS))))
    height = min(down, TILE // (terms * max(1, width)))
    return product(_parts(down, ceil(down / height)), _parts(along, ceil(along / width)))


def _flat(sides: list[Array]) -> Array:
    """A row for every side."""
    common = np.broadcast_shapes(*(side.shape for side in sides))
    return np.array([np.broadcast_to(side, common).reshape(-1) for side in sides])


def _parts(size: int, number: int) -> list[slice]:
    """Nearly equal parts of an axis."""
    return [slice(*ends) for ends in pairwise(size * part // number for part in range(number + 1))]


def _spread(array: Array, shape: Shape, inside: int) -> Array:
    """Repeat an array along the axes inside a block where that is cheap: short inner loops are slow."""
    across = array.shape[inside:]
    dear = 4 * prod(array.shape[:inside]) > prod(shape[:inside])
    if dear or across in (shape[inside:], (1,) * len(across)):
        return array
    spread = _fresh(array.shape[:inside] + shape[inside:])
    spread[...] = array
    return spread


def _block_shape(shape: Shape, block: Block) -> Shape:
    return (*(part.stop - part.start for part in block), *shape[len(block) :])


def _run_in_parallel(work: Callable[[Iterator[Task]], None], tasks: list[Task]) -> None:
    """Each worker takes the tasks of its own run, then those that others have left.

    The numbers do not depend on who takes a task. Neighbours write to one page of fresh memory, which two
    workers would wait for.
    """
    workers = min(CORES, len(tasks) // TASKS_PER_WORKER)
    if workers < 2:
        work(iter(tasks))
        return
    runs = [deque(tasks[run]) for run in _parts(len(tasks), workers)]
    with ThreadPoolExecutor(workers) as pool:
        for running in [pool.submit(work, _from(runs, own)) for own in range(workers)]:
            running.result()


def _from(runs: list[deque[Task]], own: int) -> Iterator[Task]:
    """The tasks of the own run from its front, then those of the others from their ends."""
    for run, take in [(runs[own], deque.popleft), *((other, deque.pop) for other in runs)]:
        # another worker may take the last one between a question whether there is one and the taking of it
        with suppress(IndexError):
            while True:
                yield take(run)
