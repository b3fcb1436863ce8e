"""What a lemma declares: enough to draw objects for it, which `verify` does."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, final

from bounds.errors import MalformedStatement
from bounds.language.lemmas.averages import LowestOfMean, MinimizerOfMean, lowest_of_mean, minimizer_of_mean
from bounds.language.lemmas.expressions import Scalar, walk
from bounds.language.lemmas.gaussian_vectors import GaussianObject
from bounds.language.lemmas.hessians import Hessian
from bounds.language.lemmas.indices import Index, check_indices
from bounds.language.lemmas.linear import shape_of
from bounds.language.lemmas.matrices import MatrixObject
from bounds.language.lemmas.mixing import MixingObject
from bounds.language.lemmas.nearest import ConvexSet, NearestMinimizer, Proximal
from bounds.language.lemmas.numbers_over import NumbersObject
from bounds.language.lemmas.objects import (
    FunctionObject,
    Gradient,
    Lowest,
    Minimizer,
    Number,
    Value,
    VectorObject,
)
from bounds.language.lemmas.paths import PathObject
from bounds.language.lemmas.random_vectors import SubsetObject
from bounds.language.lemmas.sequences import SequenceObject
from bounds.language.quantity import Domain


@final
@dataclass(frozen=True, slots=True)
class Predicate:
    """An assumption of the author's own: `holds` takes drawn objects by their names.

    Arrays have an axis of cases in front; the answer is one truth value, or one for each case.
    """

    text: str
    holds: Callable[..., Any]
    names: tuple[str, ...]


def assume(text: str, holds: Callable[..., Any]) -> Predicate:
    return Predicate(text, holds, tuple(inspect.signature(holds).parameters))


@final
@dataclass(frozen=True, eq=False)
class Declaration:
    """`names` says what each object is; `constants` are the numbers, in an order in which to draw them.

    `turned` where the author wrote left >= right: the statement has the two sides in the other order.
    `matrices` where some number is measured on one, which takes long in many dimensions. `domains` are those
    of constants that the paper's notation table need not have, and `again` the indices that go through the
    entries of another one.
    """

    objects: tuple[Any, ...]
    indices: tuple[Index, ...]
    constants: tuple[str, ...]
    predicates: tuple[Predicate, ...]
    names: Mapping[str, str]
    turned: bool = False
    matrices: bool = False
    domains: Mapping[str, Domain] = field(default_factory=dict)
    again: tuple[Index, ...] = ()


DECLARED: Final = (
    VectorObject,
    GaussianObject,
    FunctionObject,
    MatrixObject,
    SequenceObject,
    NumbersObject,
    ConvexSet,
    SubsetObject,
    MixingObject,
    PathObject,
)


def objects_in(nodes: Any) -> list[Any]:
    """Every object that is spoken of, once, in the order of appearance."""
    found: dict[str, Any] = {}
    for node in walk(nodes):
        for name in getattr(node, "names", (node.name,)) if isinstance(node, DECLARED) else ():
            if found.setdefault(name, node) is not node:
                raise MalformedStatement(f"two objects are named {name}")
    return list(dict.fromkeys(found.values()))


def named(objects: tuple[Any, ...], nodes: list[Any], indices: tuple[Index, ...]) -> dict[str, str]:
    """Name the arguments of each object with their meaning; a function gives only what the lemma uses."""
    out: dict[str, str] = {}
    for thing in objects:
        out |= (
            _function(thing, nodes) if isinstance(thing, FunctionObject) else {thing.name: _describe(thing)}
        )
    return out | {i.weights: f"weights of the {i.name.replace('_', ' ')}" for i in indices if i.weighted}


def _function(f: FunctionObject, nodes: list[Any]) -> dict[str, str]:
    many = "" if f.over is None else f", one for each {f.over.name}"
    used = {type(node) for node in nodes if getattr(node, "function", None) is f}
    parts = (
        (Value, f.name, f"function of points, {f.describe()}{many}"),
        (Gradient, f"gradient_of_{f.name}", f"gradient of {f.name}, which is {f.describe()}{many}"),
        (Lowest, f"lowest_of_{f.name}", f"lowest value of {f.name}"),
        (Minimizer, f"minimizer_of_{f.name}", f"minimizer of {f.name}"),
        (Hessian, f"hessian_of_{f.name}", f"Hessian of {f.name}{many}"),
        (Proximal, f"prox_of_{f.name}", f"proximal point of {f.name}, of a point and a step{many}"),
        (NearestMinimizer, f"nearest_minimizer_of_{f.name}", f"nearest minimizer of {f.name}{many}"),
    )
    out = {name: meaning for kind, name, meaning in parts if kind in used}
    of_mean = {type(node) for node in nodes if getattr(getattr(node, "mean", None), "of", None) is f}
    if of_mean & {LowestOfMean, MinimizerOfMean}:
        out[lowest_of_mean(f)] = f"values of {f.text} where their mean is lowest"
        out[minimizer_of_mean(f)] = f"minimizer of the mean of {f.text}"
    return out


def _describe(thing: Any) -> str:
    if isinstance(thing, GaussianObject):
        return f"Gaussian vector, independent coordinates of mean zero and deviation {thing.deviation.text}"
    if isinstance(thing, VectorObject):
        return _vector(thing)
    if isinstance(thing, PathObject):
        return f"vectors for each {thing.over.name}, {', '.join(thing.rules)}"
    if isinstance(thing, NumbersObject):
        more = ", adding up to one" if thing.weights else ""
        return f"{thing.domain} for each {thing.over.name}{more}" + (
            ", increasing" if thing.increasing else ""
        )
    if isinstance(thing, SubsetObject):
        return f"random subset of {thing.each.name} with {thing.members.text} members"
    if isinstance(thing, MixingObject):
        gap = "" if thing.gap is None else f", spectral gap at least {thing.gap.text}"
        return f"symmetric doubly stochastic matrix over {thing.over.name}{gap}"
    if isinstance(thing, ConvexSet):
        return "convex set" + (
            "" if thing.diameter is None else f" of diameter at most {thing.diameter.text}"
        )
    if isinstance(thing, MatrixObject):
        square = "square" if thing.rows is None else shape_of(thing)
        kind = (
            "positive semidefinite" if thing.semidefinite else "symmetric" if thing.is_symmetric else square
        )
        ends = [f"from {thing.smallest.text}"] if thing.smallest is not None else []
        ends += [f"up to {thing.largest.text}"] if thing.largest is not None else []
        each = "" if thing.over is None else f" for each {thing.over.name}"
        return f"{kind} matrix{each}" + (f", eigenvalues {' '.join(ends)}" if ends else "")
    assert isinstance(thing, SequenceObject)
    kind, name = "non-negative numbers" if thing.non_negative else "numbers", thing.name
    return f"{kind} {name}_0 .. {name}_{thing.last.text}" + "".join(f", {rule}" for rule in rule_of(thing))


def rule_of(thing: SequenceObject) -> list[str]:
    """The recursion or the formula of a sequence, if it has one."""
    if thing.formula is None:
        return []
    if thing.exact:
        return [f"{thing.name}_k = {thing.formula.text}"]
    start = [] if thing.start is None else [f"{thing.name}_0 = {thing.start.text}"]
    return [*start, f"{thing.name}_(k+1) {'=' if thing.equal else '<='} {thing.formula.text}"]


def _vector(thing: VectorObject) -> str:
    words = ["unit vector" if thing.unit else "vector"]
    if thing.over is not None:
        words = ["random vector"] if thing.over.weighted else words
        words += [] if thing.numbered is None else [f"for each {thing.numbered.name}"]
        words += [] if thing.each is None else ["independent"]
    words += [f"of {thing.coordinates.text} coordinates"] if thing.coordinates is not None else []
    words += [f"at most {thing.longest.text} long"] if thing.longest is not None else []
    words += ["of mean zero"] if thing.centered else []
    words += [f"of total variance at most {thing.deviation.text}^2"] if thing.deviation is not None else []
    return ", ".join(words)


OWN: Final = {
    VectorObject: 1,
    GaussianObject: 1,
    MatrixObject: 2,
    MixingObject: 1,
}  # axes of what is numbered, behind those of its numbers


def indices_of(objects: tuple[Any, ...]) -> tuple[Index, ...]:
    """What the objects are numbered by, once each, outcomes among them."""
    every = (getattr(thing, part, None) for thing in objects for part in ("over", "each"))
    return tuple(check_indices(every).values())


def axes_of(declaration: Declaration) -> dict[str, tuple[str, int]]:
    """Find the object by which each index is counted."""
    out: dict[str, tuple[str, int]] = {}
    for thing in declaration.objects:
        over = getattr(thing, "over", None)
        if not isinstance(over, Index):
            continue
        if not isinstance(thing, FunctionObject):
            each, own = getattr(thing, "each", None), OWN.get(type(thing), 0)
            out |= {} if each is None else {each.name: (thing.name, own)}
            out[over.name] = (thing.name, own + (each is not None))
            continue
        choices = (
            thing.name,
            f"gradient_of_{thing.name}",
            f"lowest_of_{thing.name}",
            f"minimizer_of_{thing.name}",
            f"hessian_of_{thing.name}",
            f"prox_of_{thing.name}",
            f"nearest_minimizer_of_{thing.name}",
            lowest_of_mean(thing),
        )
        name = next(choice for choice in choices if choice in declaration.names)
        out.setdefault(over.name, (name, 1 if name.startswith("minimizer") else 0))
    return out | {j.name: out[j.like.name] for j in declaration.again if j.like is not None}


SIZES: Final = ("rows", "columns", "coordinates")


def class_constants(thing: Any) -> list[tuple[str, Scalar]]:
    """The constants that a declaration names, each with the part that it plays."""
    parts = (
        "smooth",
        "strongly_convex",
        "lipschitz",
        "lojasiewicz",
        "curvature_growth",
        "weakly_convex",
        "exponent",
        "longest",
        "diameter",
        "deviation",
        "smallest",
        "largest",
        "members",
        "gap",
        "last",
        *SIZES,
    )
    found = [(part, getattr(thing, part, None)) for part in parts]
    return [(part, constant) for part, constant in found if isinstance(constant, Scalar)]


def check_constant(thing: Any, part: str, constant: Scalar) -> None:
    steps = constant.formula.as_coeff_Add()[1] if part == "last" else constant.formula
    if not (steps.is_Symbol or constant.formula.is_number):
        raise MalformedStatement(
            f"{part.replace('_', ' ')} of {thing.name} is a number or one symbol, not {constant.text}; "
            "draw the symbol and say the rest as a condition"
        )
    if part == "last" and (why := _why_no_place(constant)):
        raise MalformedStatement(f"last of {thing.name} is {constant.text}, {why}")


def _why_no_place(last: Scalar) -> str:
    """Why a sequence cannot end there, with what its author can write; empty where it can."""
    more, symbol = last.formula.as_coeff_Add()
    known = last.atoms.get(symbol)
    lowest, integer = 0.0, True
    if isinstance(known, Number):
        domain = known.quantity.domain
        lowest, integer = domain.lower, domain.integer
    if not (integer and more.is_integer):
        return "which need not be a whole number: declare it as a POSITIVE_INTEGER or NATURAL number"
    return "" if lowest + more >= 0 else "which may be below 0: let another number be the last place"
