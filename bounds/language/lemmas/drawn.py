"""Objects that are drawn for a statement whose numbers no formula gives, such as those after E local steps.

The statement has its own `numbers`, a function of the objects; these are declared as those of a lemma are.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MethodType
from typing import Any, final

from sympy import Symbol

from bounds.errors import MalformedStatement
from bounds.language.lemmas.declaration import (
    DECLARED,
    Declaration,
    axes_of,
    check_constant,
    class_constants,
    indices_of,
    objects_in,
)
from bounds.language.lemmas.expressions import (
    Scalar,
    as_scalar,
)
from bounds.language.lemmas.linear import Vector
from bounds.language.lemmas.matrices import Matrix
from bounds.language.lemmas.objects import Entry, FunctionObject, Lowest, Minimizer
from bounds.language.lemmas.sequences import OfSequence, Place, SequenceObject
from bounds.language.lemmas.values import GivenObjects


@final
@dataclass(frozen=True, eq=False)
class Drawn:
    """`arguments` are those of `Concrete.numbers`, each an object, a number, or a vector made of objects."""

    declaration: Declaration
    arguments: Mapping[str, Any]

    def take(self, made: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments from the objects that were made, by the names of the declaration."""
        known = {name: thing for name, thing in made.items() if thing is not None}
        world = GivenObjects(known, axes_of(self.declaration))
        return {
            argument: made[thing] if isinstance(thing, str) else world.compute(thing)
            for argument, thing in self.arguments.items()
        }


def drawn(**arguments: Any) -> Drawn:
    """Say for every argument of `numbers` what it is: f, f.gradient, f.lowest, vector("x"), x + y, L."""
    things = [thing.__self__ if isinstance(thing, MethodType) else thing for thing in arguments.values()]
    objects = tuple(objects_in([thing if _is_object(thing) else as_scalar(thing) for thing in things]))
    indices = indices_of(objects)
    names = {thing.name: thing.name for thing in objects}
    names |= {i.weights: i.weights for i in indices if i.weighted}
    taken = {argument: _name(argument, thing) for argument, thing in arguments.items()}
    constants = [*_find_constants(objects), *(n for n in taken.values() if isinstance(n, Symbol))]
    each = tuple(dict.fromkeys(symbol.name for symbol in constants))
    return Drawn(
        Declaration(objects, indices, each, (), names, matrices=any(isinstance(t, Matrix) for t in things)),
        {argument: name.name if isinstance(name, Symbol) else name for argument, name in taken.items()},
    )


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


def _name(argument: str, thing: Any) -> Any:
    """The name of what is drawn; a vector that is made of several stays what it is."""
    if isinstance(thing, MethodType) and isinstance(thing.__self__, FunctionObject):
        return f"gradient_of_{thing.__self__.name}"
    if isinstance(thing, DECLARED):
        return thing.name
    if isinstance(thing, Minimizer):
        return f"minimizer_of_{thing.function.name}"
    if isinstance(thing, Vector):
        return thing
    given = as_scalar(thing)
    if not given.formula.is_Symbol:
        raise MalformedStatement(f"{argument} is an object or one symbol, not {given.text}")
    atom = next(iter(given.atoms.values()), None)
    if isinstance(atom, Entry):
        return atom.numbers.name
    return atom.name if isinstance(atom, Lowest) else given.formula
