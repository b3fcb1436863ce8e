"""A lemma as a Statement: its two sides, its objects, and the printed form of both."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sympy import Add, Expr, Symbol, expand

from bounds.errors import MalformedStatement
from bounds.language.condition import Condition, Relation, Solved
from bounds.language.dimension import ONE, Dimension, F, X
from bounds.language.lemmas.declaration import (
    Declaration,
    Predicate,
    axes_of,
    check_constant,
    class_constants,
    indices_of,
    named,
    objects_in,
)
from bounds.language.lemmas.expressions import Atom, Comparison, Scalar, as_comparison, check_names, walk
from bounds.language.lemmas.indices import Index, check_indices
from bounds.language.lemmas.matrices import Matrix
from bounds.language.lemmas.measures import free_indices
from bounds.language.lemmas.objects import FunctionObject, Number
from bounds.language.lemmas.sequences import SequenceObject, put_in_order
from bounds.language.lemmas.values import Numbers
from bounds.language.quantity import NON_NEGATIVE, REAL, Notation
from bounds.language.statement import Concrete, Kind, Paper, Setting, Statement, Term

UNITS: Final[Mapping[str, Dimension]] = {
    "smooth": F / X**2,
    "strongly_convex": F / X**2,
    "lojasiewicz": F / X**2,
    "lipschitz": F / X,
    "curvature_growth": ONE / X,
    "weakly_convex": F / X**2,
    "diameter": X,
}
AS_OBJECT: Final = ("smallest", "largest", "longest", "deviation")  # measured in the unit of what they bound


def lemma(
    paper: Paper,
    locator: str,
    claim: Comparison,
    *,
    title: str = "",
    conditions: Sequence[Any] = (),
    assumptions: Sequence[Predicate] = (),
    printed: str = "",
    reading: str = "",
    proof: Sequence[str] = (),
    example: Mapping[str, float] | None = None,
) -> Statement:
    """`claim` for all objects that it names, within `conditions` and `assumptions`.

    `proof` names steps of the transcription of the package, as `FIRST..LAST` or one by one.
    """
    written = as_comparison(claim)
    claim = _one_way(written)
    related = [as_comparison(c) for c in conditions]
    sides = [claim.left, claim.right, *(side for c in related for side in (c.left, c.right))]
    _check_indices(claim, sides)
    declaration, atoms = _declared(paper.notation, sides, tuple(assumptions), turned=claim is not written)
    numbers = Numbers(atoms, declaration.constants, axes_of(declaration))
    meanings = {name: paper.notation.quantities[name].meaning for name in declaration.constants}
    return Statement(
        locator=locator,
        kind=Kind.EQUALITY if claim.relation is None else Kind.UPPER_BOUND,
        paper=paper,
        title=title or locator,
        printed=(printed or written.latex,),
        reading=reading or _reading(declaration, related),
        left=claim.left.formula,
        terms=_terms(claim.right),
        setting=_setting(declaration, locator),
        conditions=tuple(_condition(c, locator, place) for place, c in enumerate(related, 1)),
        concrete=Concrete(objects={**declaration.names, **meanings}, numbers=numbers, declared=declaration),
        example=dict(example or {}),
        proof=tuple(proof),
    )


def _one_way(claim: Comparison) -> Comparison:
    if claim.relation is not None and claim.relation.strict:
        raise MalformedStatement(
            f"the claim {claim.text} is strict, and rounding cannot tell: write <= or >="
        )
    if claim.relation is Relation.AT_LEAST:
        return Comparison(claim.right, Relation.AT_MOST, claim.left)
    return claim


def _check_indices(claim: Comparison, sides: Sequence[Scalar]) -> None:
    for side in sides:
        for index in free_indices(side):
            how = "expected(...)" if index.weighted else f"mean, total or largest over {index.name}"
            raise MalformedStatement(f"{side.text} still depends on {index.name}: take {how}")
    if not any(claim.left.atoms) and not any(claim.right.atoms):
        raise MalformedStatement(f"the claim {claim.text} speaks of no object")


def _declared(
    notation: Notation, sides: list[Scalar], predicates: tuple[Predicate, ...], *, turned: bool
) -> tuple[Declaration, list[Atom]]:
    objects = tuple(objects_in(sides))
    nodes = list(walk(sides))
    indices = indices_of(objects)
    again = _check_numbered(nodes, indices)
    constants = _enter_numbers(notation, nodes, objects)
    check_names(nodes)
    known = {name: notation.quantities[name].dimension for name in constants}
    atoms = {s: a for side in sides for s, a in side.atoms.items() if not isinstance(a, Number)}
    for atom in atoms.values():
        _enter(notation, atom, known)
    names = named(objects, nodes, indices)
    for predicate in predicates:
        _check_names(predicate, {*names, *constants})
    matrices = any(isinstance(node, Matrix) for node in nodes)
    declaration = Declaration(
        objects, indices, constants, predicates, names, turned=turned, matrices=matrices, again=again
    )
    return declaration, list(atoms.values())


def _check_numbered(nodes: list[Any], indices: tuple[Index, ...]) -> tuple[Index, ...]:
    """A mean over an index that no object has would be a mean over nothing. The second indices, once each."""
    every = check_indices([*nodes, *indices])
    for i in every.values():
        if i.like is None and i not in indices:
            raise MalformedStatement(
                f"nothing of the lemma is numbered by {i.name}: declare a vector, a function or a number "
                f"with over={i.name}; for pairs u_i - u_j write j = another(i) and u - at(u, j)"
            )
    return tuple(i for i in every.values() if i.like is not None)


def _check_names(predicate: Predicate, known: set[str]) -> None:
    for name in predicate.names:
        if name not in known:
            listed = ", ".join(sorted(known))
            raise MalformedStatement(
                f"the assumption {predicate.text!r} asks for {name}; the lemma has {listed}"
            )


def _enter_numbers(notation: Notation, nodes: list[Any], objects: tuple[Any, ...]) -> tuple[str, ...]:
    """Every number of the lemma, entered in the notation table unless it is there."""
    units: dict[str, Dimension] = {}
    for thing in objects:
        for part, constant in class_constants(thing):
            check_constant(thing, part, constant)
            if part == "smooth" and getattr(thing, "exponent", None) is not None:
                units[str(constant.formula)] = F / X ** (1 + thing.exponent.formula)
            elif part in UNITS:
                units[str(constant.formula)] = UNITS[part]
            elif part in AS_OBJECT:
                units[str(constant.formula)] = thing.dimensions
    found: dict[str, None] = {}
    for node in nodes:
        if isinstance(node, Number):
            found[node.quantity.name] = None
            _enter_number(notation, node, units)
    sequences = put_in_order(thing for thing in objects if isinstance(thing, SequenceObject))
    for called in {name for thing in sequences for name in (*thing.reserved, thing.place)}:
        if called in found:
            raise MalformedStatement(
                f"{called} is a number of the lemma and what a rule calls the place: rename one"
            )
    for node in nodes:
        for symbol in _symbols(node):
            if symbol.name not in notation.quantities:
                raise MalformedStatement(
                    f"{symbol.name} is in no notation table: declare it with number(...)"
                )
            found[symbol.name] = None
    return tuple(found)


def _symbols(node: Any) -> set[Symbol]:
    return set(node.formula.free_symbols - node.atoms.keys()) if isinstance(node, Scalar) else set()


def _enter_number(notation: Notation, node: Number, units: Mapping[str, Dimension]) -> None:
    quantity = node.quantity
    unit = quantity.dimension if node.stated else units.get(quantity.name, ONE)
    known = notation.quantities.get(quantity.name)
    if known is None:
        notation.quantity(quantity.name, quantity.latex, quantity.meaning, quantity.domain, unit)
    elif str(known.domain) != str(quantity.domain):
        raise MalformedStatement(
            f"{quantity.name} is {quantity.domain} here and {known.domain} elsewhere in the paper, "
            "whose names have one domain each: rename one of them"
        )


def _enter(notation: Notation, atom: Atom, known: Mapping[str, Dimension]) -> None:
    if atom.name in notation.quantities:
        if notation.quantities[atom.name].meaning != atom.text:
            raise MalformedStatement(
                f"{atom.name} is a name of the paper already: rename what {atom.text} is of"
            )
        return
    domain = NON_NEGATIVE if atom.non_negative else REAL
    notation.quantity(atom.name, atom.latex, atom.text, domain, atom.dimension(known))


def _terms(right: Scalar) -> tuple[Term, ...]:
    summands: Sequence[Expr] = Add.make_args(right.formula)
    return tuple(
        Term(
            Scalar(summand, right.atoms).text,
            summand,
            "a summand of the right side",
            non_negative=bool(summand.is_nonnegative),
        )
        for summand in summands
    )


def _condition(given: Comparison, locator: str, place: int) -> Condition:
    """A side that is a single number goes to the left: then it is drawn inside its limit."""
    if given.relation is None:
        raise MalformedStatement(
            f"the condition {given.text} is an equation: put one side in the place of the other"
        )
    left, relation, right = given.left, given.relation, given.right
    if right.formula.is_Symbol and not left.formula.is_Symbol:
        left, relation, right = right, relation.turned, left
    return Condition(
        value=left.formula,
        relation=relation,
        limit=right.formula,
        locator=locator,
        printed=given.latex,
        solved=_solve(left, relation, right),
        part=f"condition_{place}",
    )


def _solve(left: Scalar, relation: Relation, right: Scalar) -> Solved | None:
    """Limit one number of what is linear in it, as 4 eta L E <= 1 or 2 b + 1 <= n; a whole one last."""
    atoms = left.atoms | right.atoms
    measured_on_objects = {symbol for symbol, atom in atoms.items() if not isinstance(atom, Number)}
    if left.formula.is_Symbol and left.formula not in measured_on_objects:
        return None
    difference = expand(left.formula - right.formula)
    for symbol in sorted(difference.free_symbols, key=lambda s: (bool(s.is_integer), str(s))):
        slope = difference.coeff(symbol)
        rest = expand(difference - slope * symbol)
        if symbol in (slope.free_symbols | rest.free_symbols | measured_on_objects):
            continue
        if slope.is_positive or slope.is_negative:
            return Solved(symbol, relation if slope.is_positive else relation.turned, -rest / slope)
    return None


def _setting(declaration: Declaration, locator: str) -> tuple[Setting, ...]:
    """The objects meet these by construction, or are filtered: no fact of a problem has a part in it."""
    functions = [thing for thing in declaration.objects if isinstance(thing, FunctionObject)]
    sentences = [f"{f.text} is {f.describe()}" for f in functions] + [p.text for p in declaration.predicates]
    return tuple(Setting(locator, text) for text in sentences)


def _reading(declaration: Declaration, conditions: Sequence[Comparison]) -> str:
    functions = {thing.name: thing for thing in declaration.objects if isinstance(thing, FunctionObject)}
    parts = [f"{f.text} {f.describe()}" for f in functions.values()]
    others = [thing for thing in declaration.objects if thing.name not in functions]
    parts += [f"{declaration.names[thing.name]} {thing.name}" for thing in others]
    parts += [c.text for c in conditions]
    return f"for all: {'; '.join(parts)}."
