"""Sums over a grid as matrix products.

Where every term of a sum is a product of what lies on the leading axes and what lies on the trailing ones,
the sum is the product of two thin matrices, with a column and a row for every term: the grid is written once,
not once for every product and every addition.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from bounds.plan import Array, Plan, Shape, Step, first_axis, keep_what_is_read

# With two terms the passes that are saved cost no more than the product: tiles of it are short and wide.
FEWEST_TERMS = 3


def sum_of_products(rows: Sequence[Array], columns: Sequence[Array], out: Array) -> Array:
    """One tile of the grid, from a flat array on either side for every term."""
    return np.matmul(np.array(rows).T, np.array(columns), out=out)


def multiply_matrices(plan: Plan, outputs: list[int]) -> None:
    """Compute every output that is such a sum in one step; what is an output itself is not taken apart."""
    made = {step.target: step for step in plan.steps}
    sums = {}
    for output in outputs:
        inside = {i: step for i, step in made.items() if i == output or i not in outputs}
        sides = _sides(plan, inside, output)
        if sides:
            sums[output] = Step(sum_of_products, sides, output)
    plan.steps = [sums.get(step.target, step) for step in plan.steps]
    keep_what_is_read(plan, outputs)


def _sides(plan: Plan, made: Mapping[int, Step], output: int) -> tuple[int, ...]:
    """The leading sides of all terms, then the trailing ones; none where a term has no such sides."""
    terms = _terms(plan, made, output)
    whole = plan.shapes[output]
    products = [made[i] for i in terms if plan.shapes[i] == whole and i in made]
    if len(terms) < FEWEST_TERMS or len(products) < 2:
        return ()
    cut = max(first_axis(plan.shapes[i]) for i in products[0].operands)
    if _is_single(whole[:cut]) or _is_single(whole[cut:]):
        return ()
    found = [_two_sides(plan, made, term, cut) for term in terms]
    if not all(found):
        return ()
    leading, trailing = zip(*found, strict=True)
    return (*leading, *trailing)


def _terms(plan: Plan, made: Mapping[int, Step], register: int) -> list[int]:
    """What is added on the whole grid; a sum of smaller arrays is a term."""
    step = made.get(register)
    if step is None or step.call is not np.add:
        return [register]
    whole = plan.shapes[register]
    return [
        term
        for operand in step.operands
        for term in (_terms(plan, made, operand) if plan.shapes[operand] == whole else [operand])
    ]


def _two_sides(plan: Plan, made: Mapping[int, Step], term: int, cut: int) -> tuple[int, ...]:
    one = plan.number(1.0, len(plan.shapes[term]))
    candidates = [(term, one), (one, term)]
    if term in made and made[term].call is np.multiply:
        first, second = made[term].operands
        candidates += [(first, second), (second, first)]
    for leading, trailing in candidates:
        if _is_single(plan.shapes[leading][cut:]) and _is_single(plan.shapes[trailing][:cut]):
            return leading, trailing
    return ()


def _is_single(axes: Shape) -> bool:
    return all(size == 1 for size in axes)
