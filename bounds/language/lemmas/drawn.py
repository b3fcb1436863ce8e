"""Objects that are drawn for a statement whose numbers no formula gives, such as those after E local steps.

The statement has its own `numbers`, a function of the objects; these are declared as those of a lemma are.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MethodType
from typing import Any, final

from sympy import Symbol

from bounds.language.lemmas.declaration import (
    DECLARED,
    Declaration,
    axes_of,
    check_constant,
    class_constants,
    indices_of,
    objects_in,
)
from bounds.language.lemmas.expressions import Scalar, as_scalar, walk
from bounds.language.lemmas.linear import Vector
from bounds.language.lemmas.matrices import Matrix
from bounds.language.lemmas.measures import free_indices
from bounds.language.lemmas.numbers_over import Entry
from bounds.language.lemmas.objects import FunctionObject, Lowest, Minimizer, Number
from bounds.language.lemmas.sequences import OfSequence, Place, SequenceObject
from bounds.language.lemmas.values import GivenObjects


@final
@dataclass(frozen=True, eq=False)
class Drawn:
    """`arguments` are those of `Concrete.numbers`, each an object, a number, or a formula of objects.

    `beside` names those that are no objects, but numbers that a condition asks for.
    """

    declaration: Declaration
    arguments: Mapping[str, Any]
    beside: frozenset[str] = frozenset()

    @property
    def objects(self) -> list[str]:
        return [name for name in self.arguments if name not in self.beside]

    def take(self, objects: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments from the objects that were made, by the names of the declaration."""
        known = {name: thing for name, thing in objects.items() if _is_known(thing)}
        world = GivenObjects(known, axes_of(self.declaration))
        return {
            argument: objects[thing] if isinstance(thing, str) else _compute(world, thing)
            for argument, thing in self.arguments.items()
        }


def _is_known(thing: Any) -> bool:
    """False for a part that some function lacks, such as its minimizer."""
    return not any(part is None for part in (thing if isinstance(thing, list) else (thing,)))


def _compute(world: GivenObjects, thing: Any) -> Any:
    """The value of a formula: a vector as it is, a number without the axes on which it does not depend."""
    if not isinstance(thing, Scalar):
        return world.compute(thing)
    value, own_axes = world.number(thing), {i.name for i in free_indices(thing)}
    unused = tuple(world.position(axis) for axis in world.axes if axis not in own_axes)
    value = value.squeeze(unused)
    return value if value.size > 1 else value.item()


def drawn(beside: Mapping[str, Any] | None = None, /, **arguments: Any) -> Drawn:
    """Say for every argument of `numbers` what it is: f, f.gradient, f.lowest, vector("x"), x + y, L, s / L.

    A number that only a formula speaks of, as the s, is declared: number("s", OPEN_UNIT). Numbers `beside`
    the objects are those that a condition asks for, and that `numbers` does not compute.
    """
    arguments |= beside or {}
    things = [thing.__self__ if isinstance(thing, MethodType) else thing for thing in arguments.values()]
    things = [thing if _is_object(thing) else as_scalar(thing) for thing in things]
    objects = tuple(objects_in(things))
    indices = indices_of(objects)
    names = {thing.name: thing.name for thing in objects}
    names |= {i.weights: i.weights for i in indices if i.weighted}
    taken = {argument: _name(thing) for argument, thing in arguments.items()}
    constants = [*_find_constants(objects), *_find_symbols(taken.values())]
    declaration = Declaration(
        objects,
        indices,
        tuple(dict.fromkeys(symbol.name for symbol in constants)),
        (),
        names,
        matrices=any(isinstance(thing, Matrix) for thing in things),
        domains={n.quantity.name: n.quantity.domain for n in walk(things) if isinstance(n, Number)},
    )
    return Drawn(
        declaration,
        {argument: name.name if isinstance(name, Symbol) else name for argument, name in taken.items()},
        frozenset(beside or ()),
    )


def _find_symbols(taken: Iterable[Any]) -> Iterator[Symbol]:
    """The numbers that are arguments, and those in formulas."""
    for thing in taken:
        if isinstance(thing, Symbol):
            yield thing
            continue
        for node in walk(thing):
            if isinstance(node, Scalar):
                measured = {s for s, atom in node.atoms.items() if not isinstance(atom, Number)}
                yield from sorted(node.formula.free_symbols - measured, key=str)


def _find_constants(objects: tuple[Any, ...]) -> Iterator[Symbol]:
    """The constants of the classes that the objects are of, and those in the rules of sequences."""
    for thing in objects:
        for rule in thing.inside if isinstance(thing, SequenceObject) else ():
            symbols = sorted(rule.formula.free_symbols, key=str)
            yield from (s for s in symbols if not isinstance(rule.atoms.get(s), OfSequence | Place))
        for part, constant in class_constants(thing):
            check_constant(thing, part, constant)
            yield from constant.formula.free_symbols


def _is_object(thing: Any) -> bool:
    return isinstance(thing, (*DECLARED, Vector, Scalar))


def _name(thing: Any) -> Any:
    """The name of what is drawn; a formula stays what it is."""
    if isinstance(thing, MethodType) and isinstance(thing.__self__, FunctionObject):
        return f"gradient_of_{thing.__self__.name}"
    if isinstance(thing, DECLARED):
        return thing.name
    if isinstance(thing, Minimizer):
        return f"minimizer_of_{thing.function.name}"
    if isinstance(thing, Vector):
        return thing
    given = as_scalar(thing)
    atom = next(iter(given.atoms.values()), None)
    if not given.formula.is_Symbol or not isinstance(atom, Entry | Lowest | Number | None):
        return given
    if isinstance(atom, Entry):
        return atom.numbers.name
    return atom.name if isinstance(atom, Lowest) else given.formula
