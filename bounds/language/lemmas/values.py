"""The numbers of a lemma on actual objects, in whatever numbers the objects are made of.

The same lines run on float64, on extended precision and on numbers of 50 digits: nothing here names a type.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from typing import Any, Final, final

from sympy import Abs, Add, Expr, Integer, Max, Min, Mul, Pow, Rational, S, Symbol, exp, log

from bounds.errors import MalformedStatement
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.expressions import Atom, Node, Scalar

HALF: Final = Rational(1, 2)
# For each index: an object that has it, and how many axes of its own that object has behind it.
Axes = Mapping[str, tuple[str, int]]


@final
class GivenObjects:
    """Objects by name; every number has an axis of cases and one axis for each index of the lemma."""

    def __init__(self, objects: Mapping[str, Any], axes: "Axes") -> None:
        self.objects, self.axes = objects, tuple(axes)
        self.counts: Mapping[str, int] = {
            axis: _length(objects[name], own) for axis, (name, own) in axes.items()
        }
        self.sizes: Mapping[str, int] = self.counts
        self.one = _one(objects.values())
        self.steps: Mapping[str, int] = {}  # of a path: the entry at which all is taken
        self._here: dict[int, Any] = {}
        self._kept: dict[int, Any] = {}

    def position(self, axis: str) -> int:
        return 1 + self.axes.index(axis)

    def given(self, name: str, *over: str, own: int = 0) -> Any:
        """An object with `own` axes of its own behind those of cases and indices."""
        array = np.asarray(self.objects[name])
        inside = array.ndim - own - len(over)
        shape = [1] * (1 + len(self.axes))
        places = [self.position(axis) for axis in over]
        order = sorted(range(len(over)), key=lambda j: places[j])
        back = range(inside + len(over), array.ndim)
        array = array.transpose([*range(inside), *(inside + j for j in order), *back])
        for place, count in zip(sorted(places), array.shape[inside:], strict=False):
            shape[place] = count
        if inside > 0:
            shape[0] = array.shape[0]
        made = array.reshape((*shape, *array.shape[array.ndim - own :])) * self.one
        for axis in self.steps.keys() & set(over):
            made = made.take([self.steps[axis]], axis=self.position(axis))
        return made

    def at_step(self, axis: str, step: int, here: Mapping[Node, Any]) -> "GivenObjects":
        """The same objects at one entry of an index, where the values of some nodes are known."""
        there = copy(self)
        there.steps, there.counts = {**self.steps, axis: step}, {**self.counts, axis: 1}
        there._here = {**self._here, **{id(node): value for node, value in here.items()}}
        there._kept = dict(there._here)
        return there

    def once(self, thing: Any, make: Callable[[], Any]) -> Any:
        """What several nodes share is made once."""
        if id(thing) not in self._kept:
            self._kept[id(thing)] = make()
        return self._kept[id(thing)]

    def places(self, axis: str) -> Any:
        """From 0 on, along the axis of an index; the present one at a step."""
        shape = [1] * (1 + len(self.axes))
        shape[self.position(axis)] = self.sizes[axis]
        every = (np.arange(self.sizes[axis]) * self.one).reshape(shape)
        return every if axis not in self.steps else every.take([self.steps[axis]], axis=self.position(axis))

    def entries(self, called: Sequence[Any], axis: str) -> Sequence[Any]:
        """The functions of an index, or the one of the present step."""
        return called if axis not in self.steps else [called[self.steps[axis]]]

    def compute(self, node: Node) -> Any:
        if id(node) not in self._kept:
            self._kept[id(node)] = node.value(self)
        return self._kept[id(node)]

    def number(self, number: Scalar) -> Any:
        """A formula at the values of its atoms and quantities."""
        known = {s: self.compute(a) for s, a in number.atoms.items() if s in number.formula.free_symbols}
        others = number.formula.free_symbols - known.keys()
        value = formula_at(number.formula, known | {s: self.given(s.name) for s in others}, self.one)
        return value + np.zeros((1,) * (1 + len(self.axes)), dtype=int)

    def every(self, value: Any, axis: str) -> Any:
        """Repeat the value along an axis on which it does not depend."""
        shape = list(value.shape)
        shape[self.position(axis)] = self.counts[axis]
        return np.broadcast_to(value, tuple(shape))


def _length(thing: Any, own: int) -> int:
    """How many there are: of functions in a list, or along the axis before the own ones of an array."""
    return len(thing) if isinstance(thing, list | tuple) else int(np.shape(thing)[-1 - own])


def _one(objects: Iterable[Any]) -> Any:
    """The number one, of the kind of the objects with the most digits."""
    best: Any = np.float64(1)
    for thing in objects:
        array = np.asarray(thing)
        if array.dtype.kind == "f" and array.dtype.itemsize > best.dtype.itemsize:
            best = array.dtype.type(1)
        if array.dtype.kind == "O" and array.size and not callable(entry := array.reshape(-1)[0]):
            return entry - entry + 1
    return best


def formula_at(e: Expr, known: Mapping[Symbol, Any], one: Any) -> Any:
    """Fractions are divided where they are used: a float of 1/3 would lose the digits."""
    if isinstance(e, Symbol):
        return known[e]
    if isinstance(e, Rational):
        return one * int(e.p) / int(e.q)
    if e is S.Exp1:
        return np.exp(one)
    parts = [formula_at(part, known, one) for part in e.args]
    if isinstance(e, Add):
        return sum(parts)
    if isinstance(e, Mul):
        product = one
        for part in parts:
            product = product * part
        return product
    if isinstance(e, Pow):
        return _power(e, parts)
    if isinstance(e, Max | Min):
        pick = np.maximum if isinstance(e, Max) else np.minimum
        value = parts[0]
        for part in parts[1:]:
            value = pick(value, part) * one
        return value
    if isinstance(e, exp | log | Abs):
        return {exp: np.exp, log: np.log, Abs: np.abs}[type(e)](parts[0] * one)
    raise MalformedStatement(
        f"{e} has no value on objects: sums, products, powers, exp, log, max and min have"
    )


def _power(e: Pow, parts: list[Any]) -> Any:
    base, exponent = parts
    if isinstance(e.exp, Integer):
        power = base ** abs(int(e.exp))
        return power if e.exp >= 0 else 1 / power
    if abs(e.exp) == HALF:
        root = np.sqrt(base)
        return root if e.exp > 0 else 1 / root
    return base**exponent


@final
class Numbers:
    """The numbers that both sides of a lemma speak of, from its objects: what `Concrete.numbers` is."""

    def __init__(self, atoms: Iterable[Atom], quantities: Iterable[str], axes: Axes) -> None:
        self.atoms, self.quantities, self.axes = tuple(atoms), tuple(quantities), dict(axes)

    def __call__(self, **objects: Any) -> dict[str, Any]:
        world = GivenObjects(objects, self.axes)
        out = {name: objects[name] for name in self.quantities}
        return out | {atom.name: _flat(world.compute(atom)) for atom in self.atoms}


def _flat(value: Any) -> Any:
    flat = np.asarray(value).reshape(-1)
    return flat if flat.size > 1 else flat[0]
