"""The machine form of a proof: what is given, and claims with their reasons, as a checker reads them.

A form names the statement that it proves. Its hypotheses and its conclusion are made from the statement
(`document`), so that nothing is proved about a formula that was typed a second time.

One file in spite of its length: each noun and each rule of a proof is one method of the form.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, final

from sympy import Expr

from bounds.language.proof.expression import ZERO, Number, Scalar, Vector, atom, inner, over, scalar, square
from bounds.language.proof.members import Members, move

Relation = Literal["= 0", ">= 0", "> 0"]
Reference = str | list[Any]


@final
@dataclass(frozen=True, slots=True)
class Point:
    """A function at a point: the vector, the gradient and the value there."""

    name: str
    at: Vector
    gradient: Vector
    value: Scalar


@final
@dataclass(frozen=True, slots=True)
class Summand:
    """A multiplier with a sign times facts and squares, under operators."""

    times: Scalar | Number = 1
    facts: tuple[Reference, ...] = ()
    squares: tuple[Vector | Scalar, ...] = ()
    over: tuple[str, ...] = ()

    def written(self) -> dict[str, Any]:
        out: dict[str, Any] = {"times": scalar(self.times).form}
        lists = {"facts": self.facts, "squares": [s.form for s in self.squares], "over": self.over}
        return out | {key: list(value) for key, value in lists.items() if value}

    @property
    def value(self) -> Scalar:
        """The product as an expression; a multiplier of an induction has no facts."""
        total = scalar(self.times)
        for root in self.squares:
            total = total * (root**2 if isinstance(root, Scalar) else square(root))
        return total


@final
@dataclass(frozen=True, slots=True)
class Equality:
    """A multiple, of any sign, of what is 0."""

    fact: Reference
    times: Scalar | Number = 1
    over: tuple[str, ...] = ()

    def written(self) -> dict[str, Any]:
        out: dict[str, Any] = {"times": scalar(self.times).form, "fact": self.fact}
        return out | ({"over": list(self.over)} if self.over else {})


def because(*facts: Reference, times: Scalar | Number = 1, over: Sequence[str] = ()) -> Summand:
    """A product of facts, each at least 0, with a multiplier that is at least 0."""
    return Summand(times, facts, (), tuple(over))


def a_square(
    root: Vector | Scalar, *facts: Reference, times: Scalar | Number = 1, over: Sequence[str] = ()
) -> Summand:
    return Summand(times, facts, (root,), tuple(over))


def fact(name: str, *points: Point) -> Reference:
    """A fact about points: `fact("convex", p, q)` is f(p) - f(q) - <grad f(q), p - q> >= 0."""
    return [name, *(point.name for point in points)]


def cauchy_schwarz(u: Vector, norm_of_u: Scalar, v: Vector, norm_of_v: Scalar) -> Reference:
    return ["cauchy_schwarz", u.form, norm_of_u.form, v.form, norm_of_v.form]


def power_tangent(first: Scalar, second: Scalar) -> Reference:
    """x^(1 + a) - y^(1 + a) - (1 + a) y^a (x - y) >= 0, from the powers x^a and y^a."""
    return ["power_tangent", first.form, second.form]


def power_of_product(product: Scalar, first: Scalar, second: Scalar) -> Reference:
    """(x y)^a - x^a y^a = 0."""
    return ["power_of_product", product.form, first.form, second.form]


def exp_tangent(power: Scalar) -> Reference:
    """exp(x) - 1 - x >= 0, of what `exponential` names."""
    return ["exp_tangent", power.form]


@final
@dataclass(slots=True)
class MachineForm:
    """`reads` says what stands for symbols and observables of the statement that have another name here."""

    statement: str
    variant: str = "printed"
    reads: dict[Expr, Scalar] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)  # of every hypothesis
    given: list[dict[str, Any]] = field(default_factory=list)
    steps: list[dict[str, Any]] = field(default_factory=list)
    members: Members = field(default_factory=dict)  # of the sequences, also of those between the claims
    abbreviations: dict[str, Any] = field(default_factory=dict)

    @staticmethod
    def square(u: Vector) -> Scalar:
        """The square of the norm."""
        return square(u)

    @staticmethod
    def inner(u: Vector, v: Vector) -> Scalar:
        return inner(u, v)

    @staticmethod
    def over(operator: str, value: Scalar) -> Scalar:
        """The value under an operator: its mean, its sum, its expectation."""
        return over(operator, value)

    # These methods describe the problem.

    def operator(self, name: str, mass: Scalar | Number = 1) -> str:
        """A mean or an expectation; with a mass, a sum."""
        self.given.append({"kind": "operator", "name": name, "mass": scalar(mass).form})
        return name

    def index(self, name: str) -> str:
        """The index of a sequence: a step that speaks of it is proved for every member."""
        self.given.append({"kind": "operator", "name": name})
        return name

    def scalar(self, name: str, sign: str = "real", over: Sequence[str] = ()) -> Scalar:
        self.given.append({"kind": "scalar", "name": name, "sign": sign, "over": list(over)})
        return Scalar(name)

    def positive(self, *names: str) -> list[Scalar]:
        return [self.scalar(name, ">") for name in names]

    def non_negative(self, *names: str) -> list[Scalar]:
        return [self.scalar(name, ">=") for name in names]

    def vector(self, name: str, over: Sequence[str] = ()) -> Vector:
        self.given.append({"kind": "vector", "name": name, "over": list(over)})
        return atom(name)

    def function(self, name: str, over: Sequence[str] = (), **properties: Scalar | bool) -> str:
        """A function of a class: `convex=True`, `smooth=L`, `strongly_convex=mu`, `lowest=f_inf` ..."""
        if "strongly_convex" in properties:
            properties = {"convex": True, **properties}
        written = {key: scalar(1 if value is True else value).form for key, value in properties.items()}
        self.given.append({"kind": "function", "name": name, "properties": written, "over": list(over)})
        return name

    def minimizer(self, name: str, function: str, at: Vector, value: Scalar) -> Point:
        """A point where the gradient is 0."""
        return self.known_point(name, function, at, ZERO, value)

    def known_point(self, name: str, function: str, at: Vector, gradient: Vector, value: Scalar) -> Point:
        entry = {"kind": "known point", "name": name, "function": function, "at": at.form}
        self.given.append(entry | {"known_gradient": gradient.form, "known_value": value.form})
        return Point(name, at, gradient, value)

    def assume(self, name: str, expression: Scalar, relation: Relation = ">= 0", *, source: str) -> str:
        """A hypothesis. Its source is a setting's locator, an assumption, a symbol, or `DEFINITION`.

        A definition says what a symbol of the form is (an index, a minimum, a mean), and the replay looks
        that it restricts no problem. Conditions of the statement come with `condition`.
        """
        self.given.append(
            {"kind": "hypothesis", "name": name, "assumed": expression.form, "relation": relation}
        )
        self.sources[name] = source
        return name

    def condition(self, identity: str) -> str:
        """A condition of the statement, or the end of a domain, as it is there."""
        self.given.append({"kind": "condition", "name": identity})
        return identity

    def domain(self, quantity: str, *, upper: bool = False) -> str:
        """The lower or the upper end of the domain of a quantity, as a hypothesis."""
        name = f"{'largest' if upper else 'domain of'} {quantity}"
        self.given.append({"kind": "domain", "name": name, "quantity": quantity, "upper": upper})
        return name

    def mean_is(self, operator: str, of: Vector, equals: Vector, *, source: str) -> None:
        self.sources[f"mean of {of.parts[0][0]}"] = source
        self.given.append({"kind": "mean", "over": operator, "of": of.form, "equals": equals.form})

    def sequence(self, index: str, name: Scalar | Vector, following: Any, first: Any, last: Any) -> None:
        """The members after, at the start and at the end of the sequence whose generic member is `name`."""
        atom_name = name.form if isinstance(name, Scalar) else name.parts[0][0]
        members = self._remember(atom_name, index, following, first, scalar_or_vector(last))
        self.given.append({"kind": "sequence", "name": atom_name, "index": index} | members)

    def path(self, index: str, now: Point, following: Point, first: Point, last: Point) -> None:
        """A sequence of points of one function: the vectors, the gradients and the values."""
        for one, after, start, end in (
            (now.at, following.at, first.at, last.at),
            (now.gradient, following.gradient, first.gradient, last.gradient),
            (now.value, following.value, first.value, last.value),
        ):
            self.sequence(index, one, after, start, end)

    def _remember(self, name: str, index: str, following: Any, first: Any, last: Any) -> dict[str, Any]:
        members = {"next": scalar_or_vector(following), "first": scalar_or_vector(first), "last": last}
        self.members[index, name] = members
        return members

    # These methods only name something, also between the claims.

    def _name(self, entry: dict[str, Any]) -> None:
        entry = {key: value for key, value in entry.items() if value is not None}
        (self.steps if self.steps else self.given).append(entry)

    def point(self, name: str, function: str, at: Vector) -> Point:
        gradient, value = f"grad.{name}", f"value.{name}"
        entry = {"kind": "point", "name": name, "function": function, "at": at.form}
        self._name(entry | {"gradient": gradient, "value": value})
        return Point(name, at, atom(gradient), Scalar(value))

    def let(self, name: str, equals: Scalar) -> Scalar:
        """An abbreviation."""
        self._name({"kind": "let", "name": name, "equals": equals.form})
        self.abbreviations[name] = equals.form
        return Scalar(name)

    def norm(self, name: str, of: Vector) -> Scalar:
        return self.root(name, Scalar(["square", of.form]))

    def root(self, name: str, of: Scalar, because: Reference | None = None) -> Scalar:
        self._name({"kind": "root", "name": name, "of": of.form, "because": because})
        return Scalar(name)

    def power(self, name: str, of: Scalar, exponent: Scalar) -> Scalar:
        """A scalar that is at least 0 to a power above 0."""
        self._name({"kind": "power", "name": name, "of": of.form, "exponent": exponent.form})
        return Scalar(name)

    def exponential(self, name: str, of: Scalar) -> Scalar:
        self._name({"kind": "exponential", "name": name, "of": of.form})
        return Scalar(name)

    def named(self, name: str, expression: Scalar, because: Reference | None = None) -> Scalar:
        """A new scalar for an expression, with its sign; so the expression may divide."""
        self._name({"kind": "named", "name": name, "stands_for": expression.form, "because": because})
        return Scalar(name)

    def extreme(self, name: str, *of: Scalar, least: bool = False) -> Scalar:
        """The largest of some scalars, or the least one."""
        self._name({"kind": "extreme", "name": name, "of": [part.form for part in of], "least": least})
        return Scalar(name)

    def average(self, name: str, operator: str, of: Vector) -> Vector:
        self._name({"kind": "average", "name": name, "over": operator, "of": of.form})
        return atom(name)

    def recursion(
        self,
        name: str,
        index: str,
        following: Scalar | Callable[[Scalar], Scalar],
        first: Scalar | Number,
        sign: str = "real",
        over: Sequence[str] = (),
    ) -> tuple[Scalar, Scalar]:
        """A new sequence: its generic and its last member. What follows may be `lambda q: rate * q`."""
        following = following if isinstance(following, Scalar) else following(Scalar(name))
        entry = {"kind": "recursion", "name": name, "index": index, "type": "scalar", "sign": sign}
        members = self._remember(name, index, following, first, f"{name}.last")
        self._name(entry | {"over": list(over)} | members)
        return Scalar(name), Scalar(f"{name}.last")

    def sum(self, name: str, index: str, part: Scalar, over: Sequence[str] = ()) -> tuple[Scalar, Scalar]:
        """The sum of a part over the members before the present one, and over all."""
        return self.recursion(name, index, Scalar(name) + part, 0, over=over)

    def vector_recursion(
        self, name: str, index: str, following: Vector, first: Vector, over: Sequence[str] = ()
    ) -> tuple[Vector, Vector]:
        entry = {"kind": "recursion", "name": name, "index": index, "type": "vector", "over": list(over)}
        self._name(entry | self._remember(name, index, following, first, f"{name}.last"))
        return atom(name), atom(f"{name}.last")

    def claim(
        self,
        name: str,
        expression: Scalar,
        *reasons: Summand | Equality,
        relation: Relation = ">= 0",
        times: Scalar | Number | Summand = 1,
    ) -> str:
        """`times` the expression is the sum of the reasons."""
        by: dict[str, Any] = {"rule": "combination"}
        factor = times if isinstance(times, Summand) else Summand(times)
        if factor != Summand(1):
            by["times"] = factor.written()
        by["terms"] = [r.written() for r in reasons if isinstance(r, Summand)]
        by["equalities"] = [r.written() for r in reasons if isinstance(r, Equality)]
        return self.claim_by(name, expression, relation, by)

    def search(
        self, name: str, expression: Scalar, *candidates: Summand | Equality, relation: Relation = ">= 0"
    ) -> str:
        """A claim that is a sum of the candidates with multipliers to be found.

        Without candidates these are found too: among what is known, the facts at the points, and squares.
        """
        terms = [r.written() for r in candidates if isinstance(r, Summand)]
        equalities = [r.written() for r in candidates if isinstance(r, Equality)]
        by = {"rule": "search", "terms": terms, "equalities": equalities}
        return self.claim_by(name, expression, relation, by)

    def conclude(self, *reasons: Summand | Equality, search: bool = False) -> str:
        """The inequality of the statement itself, right side minus left side, cleared of its divisor."""
        name = (self.search if search else self.claim)("conclusion", scalar(0), *reasons)
        self.steps[-1]["claim"] = CONCLUSION
        return name

    def arbitrary(self, name: str) -> Vector:
        """A vector of which nothing is known, for a claim that is then used for any vector."""
        self.steps.append({"kind": "arbitrary", "name": name})
        return atom(name)

    def instance(
        self, name: str, claim: Scalar, fact: str, statement: Scalar, vector: Vector, becomes: Vector,
        relation: Relation = ">= 0",
    ) -> str:  # fmt: skip
        by = {"rule": "instance", "fact": fact, "statement": statement.form, "vector": vector.parts[0][0]}
        return self.claim_by(name, claim, relation, by | {"becomes": becomes.form})

    def induction(
        self, name: str, index: str, statement: Scalar, *, base: Reference, step: Reference, claim: Scalar,
        times: Scalar | Number | Summand = 1, backward: bool = False, relation: Relation = ">= 0",
    ) -> str:  # fmt: skip
        multiplier = times if isinstance(times, Summand) else Summand(times)
        by = {"rule": "induction", "index": index, "statement": statement.form, "base": base, "step": step}
        way = {"backward": True} if backward else {}
        return self.claim_by(name, claim, relation, by | {"times": multiplier.written()} | way)

    def induct(
        self,
        name: str,
        index: str,
        statement: Scalar,
        *reasons: Summand | Equality,
        start: Sequence[Summand | Equality] = (),
        times: Scalar | Number | Summand = 1,
        search: bool = False,
        backward: bool = False,
        relation: Relation = ">= 0",
    ) -> tuple[str, str]:
        """The statement at every member and, under its name, at the last one.

        The reasons are those of one step: of the next member minus `times` the present one. `start` are those
        of the first member. With `search` the multipliers of both are found. `backward` begins at the last
        member, and the second claim is then of the next one.
        """
        multiplier = times if isinstance(times, Summand) else Summand(times)
        first, following, last = (
            Scalar(move(statement.form, index, where, self.members, self.abbreviations))
            for where in ("first", "next", "last")
        )
        prove = self.search if search else self.claim
        base = prove(f"{name}, at the start", last if backward else first, *start, relation=relation)
        behind, before = (statement, following) if backward else (following, statement)
        difference = behind - multiplier.value * before
        step = prove(f"{name}, one step", difference, *reasons, relation=relation)
        ends = ((f"{name}, at every member", statement), (name, following if backward else last))
        shared: dict[str, Any] = {"base": base, "step": step, "times": multiplier, "backward": backward}
        shared["relation"] = relation
        every, end = (self.induction(n, index, statement, claim=c, **shared) for n, c in ends)
        return every, end

    def larger_square(self, name: str, larger: Scalar, smaller: Scalar, *facts: Reference) -> str:
        by = {"rule": "larger square", "larger": larger.form, "smaller": smaller.form, "facts": list(facts)}
        return self.claim_by(name, larger - smaller, ">= 0", by)

    def claim_by(self, name: str, expression: Scalar, relation: str, by: dict[str, Any]) -> str:
        """A claim with its reason as the checker reads it."""
        if any(step.get("name") == name and "claim" in step for step in self.steps):
            raise ValueError(f"two claims have the name {name!r}")
        self.steps.append({"name": name, "claim": scalar(expression).form, "relation": relation, "by": by})
        return name


DEFINITION = "definition"
CONCLUSION = "the conclusion of the statement"


def scalar_or_vector(value: Scalar | Vector | Number) -> Any:
    return value.form if isinstance(value, Vector) else scalar(value).form
