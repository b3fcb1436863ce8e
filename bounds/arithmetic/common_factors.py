"""Products whose common factors are multiplied once.

On a list every multiplication is a pass over all its points. Two factors that occur together more than once,
side by side or one over the other, are joined first, and the pair that occurs most often before all others.
On a grid this would be wrong: there the axes of the factors decide what is cheap (`plan`). A product may
leave the range of float64 in any order of its factors; another order leaves it elsewhere.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from typing import final

from bounds.arithmetic.program import Operation, Program

Factors = dict[int, int]  # node to exponent
Pair = tuple[int, int, int]  # a and b of a * b**sign


def share_factors(program: Program, long: Collection[int]) -> Program:
    """`long` are the operations that give a number for every point."""
    needed = sorted(program.find_needed(program.outputs))
    products = {i: _factors(program, i) for i in needed if program.operations[i].name == "multiply"}
    writer = _Writer(program, {}, [])
    long = {*long}
    while pair := _commonest(products, long):
        node = len(program.operations) + len(writer.pairs)
        found = {p: times for p, factors in products.items() if (times := _pairs(factors, long).get(pair, 0))}
        pair = _upright(pair, [products[p] for p in found])
        writer.pairs.append(pair)
        long.add(node)
        for product, times in found.items():
            writer.products[product] = products[product] = _with(products[product], pair, node, times)
    if not writer.pairs:
        return program
    outputs = tuple(writer.write(i) for i in program.outputs)
    inputs = tuple(op.parameter for op in writer.operations if op.name == "input")
    return Program(inputs, tuple(writer.operations), outputs)


def _factors(program: Program, product: int) -> Factors:
    """Whole powers are taken apart: they are products too."""
    operation = program.operations[product]
    found: Factors = {}
    for position, node in enumerate(operation.arguments):
        side = 1 if position < operation.parameter else -1
        base = program.operations[node]
        if base.name == "power" and base.parameter in (2, 3, 4):
            node, side = base.arguments[0], side * int(base.parameter)
        found[node] = found.get(node, 0) + side
    return found


def _commonest(products: dict[int, Factors], long: Collection[int]) -> Pair | None:
    seen: Counter[Pair] = Counter()
    for factors in products.values():
        seen.update(_pairs(factors, long))
    pair, times = max(seen.items(), key=lambda item: item[1], default=((0, 0, 0), 0))
    return pair if times > 1 else None


def _pairs(factors: Factors, long: Collection[int]) -> dict[Pair, int]:
    """How often each pair is there. A pair and its inverse are one: dividing by it costs no more."""
    nodes = sorted(long & factors.keys())
    squares = {(a, a, 1): abs(factors[a]) // 2 for a in nodes if abs(factors[a]) > 1}
    return squares | {
        (a, b, 1 if factors[a] * factors[b] > 0 else -1): min(abs(factors[a]), abs(factors[b]))
        for a, b in combinations(nodes, 2)
    }


def _upright(pair: Pair, products: Collection[Factors]) -> Pair:
    """A quotient as most products have it: what they divide by costs more than what they multiply by."""
    a, b, sign = pair
    below = sum(factors[a] < 0 for factors in products)
    return (b, a, sign) if sign < 0 and 2 * below > len(products) else pair


def _with(factors: Factors, pair: Pair, node: int, times: int) -> Factors:
    a, b, sign = pair
    side = times if factors[a] > 0 else -times
    out = dict(factors)
    out[a] -= side
    out[b] -= side * sign
    return {n: e for n, e in (out | {node: side}).items() if e}


@final
@dataclass(slots=True)
class _Writer:
    """The program anew, with a node for every pair; products without a pair stay as they are."""

    program: Program
    products: dict[int, Factors]
    pairs: list[Pair]
    operations: list[Operation] = field(default_factory=list)
    written: dict[int, int] = field(default_factory=dict)

    def write(self, node: int) -> int:
        if node not in self.written:
            self.written[node] = self._emit(self._operation_of(node))
        return self.written[node]

    def _operation_of(self, node: int) -> Operation:
        known = self.program.operations
        if node >= len(known):
            a, b, sign = self.pairs[node - len(known)]
            return self._product({a: 2} if a == b else {a: 1, b: sign})
        if node in self.products:
            return self._product(self.products[node])
        return replace(known[node], arguments=tuple(self.write(i) for i in known[node].arguments))

    def _product(self, factors: Factors) -> Operation:
        above = [self.write(n) for n, e in factors.items() for _ in range(e)]
        below = [self.write(n) for n, e in factors.items() for _ in range(-e)]
        if not above:
            above = [self._emit(Operation("number", parameter=Fraction(1)))]
        return Operation("multiply", (*above, *below), len(above))

    def _emit(self, operation: Operation) -> int:
        self.operations.append(operation)
        return len(self.operations) - 1
