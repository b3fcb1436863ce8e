"""The machine form of a statement made by `lemma(...)`, with all that its declaration gives and reads.

The author of a proof names its objects in the words that drew them.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, final

from sympy import Add, Expr, Integer, Max, Min, Mul, Pow, Rational, Symbol, fraction, together

from bounds.errors import MalformedStatement
from bounds.language.lemmas.expressions import Atom
from bounds.language.lemmas.expressions import Scalar as LemmaScalar
from bounds.language.lemmas.indices import Index
from bounds.language.lemmas.linear import Combination
from bounds.language.lemmas.linear import Vector as LemmaVector
from bounds.language.lemmas.measures import ReducedNumber, ReducedVector, Size, free_indices
from bounds.language.lemmas.nearest import ConvexSet, Projection, Proximal
from bounds.language.lemmas.numbers_over import Entry, NumbersObject
from bounds.language.lemmas.objects import (
    FunctionObject,
    Gradient,
    Lowest,
    Minimizer,
    Number,
    Value,
    VectorObject,
)
from bounds.language.lemmas.of_vectors import Clipped, Inner, Norm
from bounds.language.lemmas.sequences import Entry as SequenceEntry
from bounds.language.lemmas.sequences import Here, Place, ReducedSequence, SequenceObject
from bounds.language.proof.expression import ONE, ZERO, Scalar, Vector, atom, inner, over, scalar, square
from bounds.language.proof.form import DEFINITION, MachineForm, Point
from bounds.language.proof.named_by_lemma import check_names, extremes_of, measured_by, rounds_of
from bounds.language.quantity import Domain
from bounds.language.statement import Statement

LONGEST: Final = 40  # characters of a name
EMPTY: Final[Mapping[Expr, Scalar]] = {}
SIGNS: Final = {True: ">=", False: ">"}  # whether 0 belongs to the domain
ADDING: Final = ("mean", "sum", "E")


@final
class LemmaForm:
    """`proof` is the machine form; `vector`, `point` and `scalar` take formulas of the lemma."""

    def __init__(self, identity: str, statement: Statement) -> None:
        declared = None if statement.concrete is None else statement.concrete.declared
        if declared is None:
            raise MalformedStatement(f"{identity} is not made by lemma(...): its proof is a MachineForm")
        check_names(declared)
        self.proof, self._known = MachineForm(identity), dict[str, Any]()
        self._names: list[str] = []
        # the points of each convex set, and what is projected on each
        self._inside: dict[str, list[tuple[Vector, Vector]]] = {}
        for index in declared.indices:
            self.proof.operator(index.name)
            if not index.weighted:
                count = self.proof.scalar(_size_of(index), ">" if index.low > 0 else ">=")
                self.proof.assume(f"size of {index.name}", count - index.low, source=DEFINITION)
        for name in declared.constants:
            self.proof.scalar(name, _sign(statement.notation.quantities[name].domain))
        sequences = [thing for thing in declared.objects if isinstance(thing, SequenceObject)]
        for thing in sorted(declared.objects, key=lambda each: isinstance(each, FunctionObject)):
            if thing not in sequences:
                self._declare(thing)
        for thing in sequences:
            self._declare_members(thing)
        for thing in sequences:
            self._declare_rule(thing)
        atoms = measured_by(statement)
        for symbol, each in atoms.items():
            self.proof.reads[symbol] = self._measure(each)
        for e in extremes_of(statement):
            self.proof.reads[e] = self._formula(e, atoms)

    # What a proof names.

    def vector(self, v: LemmaVector) -> Vector:
        """A vector of the lemma: a sum, a gradient, a mean."""
        if isinstance(v, VectorObject):
            return atom(v.name)
        if isinstance(v, Combination):
            return sum((self.scalar(c) * self.vector(part) for c, part in v.parts), ZERO)
        if isinstance(v, Gradient) and not _is_at_a_kink(v):
            return self.point(v.function, v.at).gradient
        if isinstance(v, Clipped):
            return self.scalar(v.longest) / self._find_longer(v) * self.vector(v.body)
        if isinstance(v, Projection):
            inside: Vector = self._once(v.text, lambda name: self._project(name, v), "set")
            return inside
        if isinstance(v, Proximal):
            return self._proximal(v).at
        if isinstance(v, Minimizer):
            return self.minimizer(v.function).at
        if isinstance(v, ReducedVector) and v.kind in ADDING:
            mean = self._mean(v.index, v.body)
            return Scalar(_size_of(v.index)) * mean if v.kind == "sum" else mean
        raise _without_words(v)

    def point(self, f: FunctionObject, at: LemmaVector) -> Point:
        """A function of the lemma at a vector of it: the place, the gradient and the value.

        At a proximal point of its own the gradient is the subgradient (x - p) / step that makes it one.
        """
        if isinstance(at, Proximal) and at.function is f:
            return self._proximal(at)
        text = f"{f.name}({at.text})"
        point: Point = self._once(text, lambda name: self.proof.point(name, f.name, self.vector(at)))
        return point

    def minimizer(self, f: FunctionObject) -> Point:
        """Where f is lowest, with the gradient 0."""
        known = self._known.get(f"argmin {f.name}")
        if known is None:
            raise MalformedStatement(f"{self.proof.statement} says nothing of a minimizer of {f.name}")
        point: Point = known
        return point

    def scalar(self, number: Any) -> Scalar:
        """A number of the lemma, as `eta / 2 * norm(x) ** 2`."""
        if not isinstance(number, LemmaScalar):
            return scalar(number)
        return self._formula(number.formula, number.atoms)

    def sequence(self, a: SequenceObject) -> tuple[str, Scalar]:
        """The index of a sequence of the lemma, and its member at the index."""
        return rounds_of(a), Scalar(_member(a))

    def partial_sum(self, a: SequenceObject) -> Scalar:
        """The sum of the members before the one at the index."""
        return self._sums(a)[0]

    # The objects that a proof is given.

    def _declare(self, thing: Any) -> None:
        if isinstance(thing, VectorObject) and thing.each is None:
            self._declare_vector(thing)
        elif isinstance(thing, FunctionObject):
            self._declare_function(thing)
        elif isinstance(thing, ConvexSet):
            self._inside[thing.name] = []
        elif isinstance(thing, NumbersObject) and not thing.increasing:
            own = self.proof.scalar(thing.name, _sign(thing.domain), [thing.over.name])
            if thing.weights:
                of_all = Scalar(_size_of(thing.over)) * over(thing.over.name, own)
                self.proof.assume(f"{thing.name} add up to one", of_all - 1, "= 0", source=DEFINITION)
        else:
            raise _without_words(thing)

    def _declare_vector(self, thing: VectorObject) -> None:
        own = self.proof.vector(thing.name, [] if thing.over is None else [thing.over.name])
        length = square(own)
        if thing.unit:
            self.proof.assume(f"length of {thing.name}", length - 1, "= 0", source=DEFINITION)
        if thing.longest is not None:
            most = self.scalar(thing.longest) ** 2
            self.proof.assume(f"length of {thing.name}", most - length, source=DEFINITION)
        if thing.over is not None and thing.centered:
            self.proof.mean_is(thing.over.name, own, ZERO, source=DEFINITION)
        if thing.over is not None and thing.deviation is not None:
            most = self.scalar(thing.deviation) ** 2
            spread = most - over(thing.over.name, length)
            self.proof.assume(f"variance of {thing.name}", spread, source=DEFINITION)

    def _declare_function(self, f: FunctionObject) -> None:
        """Convex, smooth and so on; of the other classes no fact is known, and nothing is given."""
        index = [] if f.over is None else [f.over.name]
        # A self-concordant one is not defined everywhere, and a point of a proof may be anywhere.
        properties: dict[str, Any] = {"convex": True} if f.convex and not f.self_concordant else {}
        if f.smooth is not None and f.curvature_growth is None and f.exponent is None:
            properties["smooth"] = self.scalar(f.smooth)
        named = ["strongly_convex", "lipschitz", "weakly_convex"]
        named += [] if f.smooth is None else ["lojasiewicz"]  # at a kink it is not said of each subgradient
        for name in named:
            if getattr(f, name) is not None:
                properties[name] = self.scalar(getattr(f, name))
        lowest = self.proof.scalar(_lowest_of(f), "real", index) if f.has_lowest else None
        if lowest is not None:
            properties["lowest"] = lowest
        self.proof.function(f.name, index, **properties)
        if lowest is not None:
            name = f"argmin_{f.name}"
            at = self.proof.vector(f"place.{name}", index)
            self._known[f"argmin {f.name}"] = self.proof.minimizer(name, f.name, at, lowest)

    def _declare_members(self, thing: SequenceObject) -> None:
        """The member at the index, the one after it, the first one and the last one."""
        index = self._once(rounds_of(thing), lambda _: self._declare_rounds(thing))
        sign = ">=" if thing.non_negative else "real"
        own, after = (self.proof.scalar(_member(thing, w), sign, [index]) for w in ("", "next"))
        first, last = (self.proof.scalar(_member(thing, where), sign) for where in ("first", "last"))
        self.proof.sequence(index, own, after, first, last)

    def _declare_rounds(self, thing: SequenceObject) -> str:
        """The index, and the place that it stands for: from 0 on, as many steps as the sequence has."""
        index = self.proof.index(rounds_of(thing))
        place = self.proof.scalar(_place_of(index), ">=", [index])
        self.proof.sequence(index, place, place + 1, 0, self.scalar(thing.last))
        return index

    def _declare_rule(self, thing: SequenceObject) -> None:
        """The next member is at most the rule, or equal to it, cleared of a divisor that is above 0."""
        if thing.exact:
            raise _without_words(thing)
        if thing.formula is not None:
            above, below = fraction(together(thing.formula.formula))
            if not below.is_positive:
                raise _without_words(thing)
            symbols, index = thing.formula.atoms, rounds_of(thing)
            places = {s: Scalar(_place_of(index)) for s, a in symbols.items() if isinstance(a, Place)}
            rule, divisor = (self._formula(e, symbols, places) for e in (above, below))
            difference = rule - divisor * Scalar(_member(thing, "next"))
            relation: Any = "= 0" if thing.equal else ">= 0"
            self.proof.assume(f"rule of {thing.name}", difference, relation, source=DEFINITION)
        if thing.start is not None:
            begins = Scalar(_member(thing, "first")) - self.scalar(thing.start)
            self.proof.assume(f"start of {thing.name}", begins, "= 0", source=DEFINITION)

    def _sums(self, thing: SequenceObject) -> tuple[Scalar, Scalar]:
        sums: tuple[Scalar, Scalar] = self._once(
            f"sum of {thing.name}",
            lambda name: self.proof.sum(name, rounds_of(thing), Scalar(_member(thing))),
        )
        return sums

    def _project(self, name: str, v: Projection) -> Vector:
        """The nearest point of a set: from it no other one lies towards what is projected."""
        at, own = self.vector(v.at), self.proof.vector(name, _list_indices(v.at))
        for of_other, other in self._inside[v.onto.name]:
            for x, p, q in ((at, own, other), (of_other, other, own)):
                said = f"{p.parts[0][0]} is nearest, beside {q.parts[0][0]}"
                self.proof.assume(said, inner(x - p, p - q), source=DEFINITION)
            if v.onto.diameter is not None:
                apart = self.scalar(v.onto.diameter) ** 2 - square(own - other)
                said = f"{name} and {other.parts[0][0]} are in {v.onto.name}"
                self.proof.assume(said, apart, source=DEFINITION)
        self._inside[v.onto.name].append((at, own))
        return own

    def _proximal(self, v: Proximal) -> Point:
        """The point z with the subgradient (x - z) / step."""
        point: Point = self._once(v.text, lambda name: self._make_proximal(name, v))
        return point

    def _make_proximal(self, name: str, v: Proximal) -> Point:
        over_these = _list_indices((v.at, v.step, v.function))
        at = self.proof.vector(f"place.{name}", over_these)
        value = self.proof.scalar(f"height.{name}", "real", over_these)
        slope = (self.vector(v.at) - at) / self.scalar(v.step)
        return self.proof.known_point(name, v.function.name, at, slope, value)

    # The scalars that a proof reads for numbers of the lemma.

    def _measure(self, node: Atom) -> Scalar:
        if isinstance(node, Entry):
            return Scalar(node.numbers.name)
        if isinstance(node, Lowest):
            return Scalar(_lowest_of(node.function))
        if isinstance(node, Value):
            return self.point(node.function, node.at).value
        if isinstance(node, Inner):
            return self.proof.inner(self.vector(node.u), self.vector(node.v))
        if isinstance(node, Norm) and node.order == "2":
            return self._length(node.u)
        if isinstance(node, ReducedNumber) and node.kind in ADDING:
            mean = over(node.index.name, self.scalar(node.body))
            return Scalar(_size_of(node.index)) * mean if node.kind == "sum" else mean
        if isinstance(node, Size):
            return Scalar(_size_of(node.over))
        if isinstance(node, Here):
            return Scalar(_member(node.sequence, "next" if node.further else ""))
        if isinstance(node, SequenceEntry):
            return Scalar(_member(node.sequence, "last" if node.place else "first"))
        if isinstance(node, ReducedSequence) and node.kind == "sum":
            return self._sums(node.sequence)[1] + Scalar(_member(node.sequence, "last"))
        raise _without_words(node)

    def _find_longer(self, v: Clipped) -> Scalar:
        """The larger one of the length of what is clipped and the most that is left."""
        length, most = self._length(v.body), self.scalar(v.longest)
        text = f"max({v.body.text}, {v.longest.text})"
        longer: Scalar = self._once(text, lambda name: self.proof.extreme(name, length, most))
        return longer

    def _mean(self, index: Index, v: LemmaVector, times: Scalar = ONE, text: str = "") -> Vector:
        """The mean of `times` the vector: what does not depend on the index stands before it."""
        if isinstance(v, Combination):
            return sum((self._mean_of_part(index, c, part, times, text) for c, part in v.parts), ZERO)
        if isinstance(v, Clipped) and index not in free_indices(v.longest):
            shorter = times / self._find_longer(v)
            return self.scalar(v.longest) * self._mean(index, v.body, shorter, f"{text}{v.text} of ")
        if index not in free_indices(v):
            return self.vector(v) if times is ONE else over(index.name, times) * self.vector(v)
        own: Vector = self._once(
            f"mean.{index.name}({text}{v.text})",
            lambda name: self.proof.average(
                name, index.name, self.vector(v) if times is ONE else times * self.vector(v)
            ),
        )
        return own

    def _mean_of_part(
        self, index: Index, coefficient: LemmaScalar, part: LemmaVector, times: Scalar, text: str
    ) -> Vector:
        number, rest = coefficient.formula.as_coeff_Mul()
        if index not in free_indices(coefficient):
            return self.scalar(coefficient) * self._mean(index, part, times, text)
        varying = self.scalar(LemmaScalar(rest, coefficient.atoms))
        every = varying if times is ONE else times * varying
        return Scalar(str(number)) * self._mean(index, part, every, f"{text}{rest}*")

    def _length(self, u: LemmaVector) -> Scalar:
        length = f"norm({u.text})"  # a function of the lemma may have this name
        root: Scalar = self._once(length, lambda name: self.proof.norm(name, self.vector(u)), "of a vector")
        return root

    def _formula(self, e: Expr, atoms: Any, known_by_now: Mapping[Expr, Scalar] = EMPTY) -> Scalar:
        if isinstance(e, Rational):
            return Scalar(str(e))
        if e in known_by_now:
            return known_by_now[e]
        if isinstance(e, Symbol):
            known = atoms.get(e)
            return Scalar(e.name) if isinstance(known, Number | None) else self._measure(known)
        if isinstance(e, Max | Min):
            parts = [self._formula(part, atoms, known_by_now) for part in e.args]
            where = "".join(str(value.form) for value in known_by_now.values())  # a place of one index
            extreme: Scalar = self._once(
                f"{e}{where}", lambda name: self.proof.extreme(name, *parts, least=isinstance(e, Min))
            )
            return extreme
        if isinstance(e, Add | Mul):
            first, *others = [self._formula(part, atoms, known_by_now) for part in e.args]
            for part in others:
                first = first + part if isinstance(e, Add) else first * part
            return first
        if isinstance(e, Pow) and isinstance(e.exp, Integer):
            power = self._formula(e.base, atoms, known_by_now) ** abs(int(e.exp))
            return power if e.exp > 0 else 1 / power
        raise MalformedStatement(f"a machine form has no words for {e} inside a vector or a mean")

    def _once(self, text: str, make: Callable[[str], Any], kind: str = "") -> Any:
        """What the lemma speaks of twice has one name."""
        key = kind + text
        if key not in self._known:
            self._known[key] = make(self._new_name(text))
        return self._known[key]

    def _new_name(self, text: str) -> str:
        """The text in the letters of a name, which may stand for other texts too: then with a number."""
        letters = re.sub(r"[^A-Za-z0-9_.^()+-]", "", text.replace("*", ".").replace("||", "."))
        name = letters[:LONGEST].lstrip(".")
        name = name if name[:1].isalpha() else f"of{name}"
        self._names.append(name)
        count = self._names.count(name)
        return name if count == 1 else f"{name}.{count}"


def _member(thing: SequenceObject, where: str = "") -> str:
    return f"{thing.name}.{where}" if where else f"{thing.name}.at"


def _place_of(index: str) -> str:
    return f"place.{index}"


def _is_at_a_kink(v: Gradient) -> bool:
    """Whether the gradient that a lemma means need not be the subgradient of a step."""
    return isinstance(v.at, Proximal) and v.at.function is v.function and v.function.smooth is None


def _list_indices(thing: Any) -> list[str]:
    return [index.name for index in free_indices(thing)]


def _size_of(index: Index) -> str:
    return f"size.{index.name}"


def _lowest_of(f: FunctionObject) -> str:
    return f"lowest.{f.name}"


def _sign(domain: Domain) -> str:
    if domain.lower > 0:
        return ">"
    return SIGNS[domain.lower_included] if domain.lower == 0 else "real"


def _without_words(node: Any) -> MalformedStatement:
    what = getattr(node, "text", None) or getattr(node, "name", node)
    return MalformedStatement(
        f"a machine form has no words for {what}: it has vectors, functions, numbers, norm, inner, mean, "
        "total, expected, maximum, minimum, clip, project, prox and recursions"
    )
