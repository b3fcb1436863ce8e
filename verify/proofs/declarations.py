"""The declarations of a proof: those that describe the problem, and those that only name what exists.

The first are trusted and may stand in `given` alone: an operator, an atom with its sign, a function of a
class, a relation that is assumed. The replay compares them with the statement. The second may also stand
between the steps, because they claim nothing.
"""

from dataclasses import dataclass, field
from typing import Any

from verify.proofs.algebra import ANY, NON_NEGATIVE, POSITIVE, Polynomial, Vector, add, need, number
from verify.proofs.facts import OF_ONE, PROPERTIES, list_facts
from verify.proofs.reader import Reader

EQUAL, AT_LEAST, ABOVE = "= 0", ">= 0", "> 0"
Proved = tuple[Polynomial, str]  # an expression, and its relation to 0
NAMING = (
    *("arbitrary", "let", "root", "power", "exponential", "named"),
    *("extreme", "average", "point", "recursion"),
)
MOST_PARTS = 6  # of an extreme
OWN_FACTS = {
    "cauchy_schwarz": AT_LEAST,
    "power_tangent": AT_LEAST,
    "power_of_product": EQUAL,
    "exp_tangent": AT_LEAST,
}
DESCRIBING = ("operator", "scalar", "vector", "function", "hypothesis", "mean", "known point", "sequence")


@dataclass(slots=True)
class Declared(Reader):
    """All declarations, hypotheses and proved steps so far; a method takes the keys of a declaration."""

    proved: dict[str, Proved] = field(default_factory=dict)
    functions: dict[str, dict[str, Any]] = field(default_factory=dict)  # their properties
    points: dict[str, str] = field(default_factory=dict)  # their functions
    # of an arbitrary vector: it and the older names
    before: dict[str, frozenset[str]] = field(default_factory=dict)
    root_of: dict[str, Any] = field(default_factory=dict)
    powers: dict[str, tuple[Polynomial, Polynomial]] = field(default_factory=dict)  # base and exponent
    exponentials: dict[str, Polynomial] = field(default_factory=dict)  # their exponents
    named: set[str] = field(default_factory=set)
    # what each is the largest of, or the least
    extremes: dict[str, tuple[list[Polynomial], bool]] = field(default_factory=dict)
    used: frozenset[str] = frozenset()  # the indices that the reason of the present claim speaks of

    def declare(self, *, trusted: bool, kind: str, **body: Any) -> None:
        allowed = kind in NAMING + DESCRIBING if trusted else kind in NAMING
        need(allowed and not (trusted and kind == "arbitrary"), f"{kind[:80]!r} may not be declared here")
        getattr(self, "declare_" + kind.replace(" ", "_"))(**body)

    def known(self, reference: Any) -> Proved:
        """What a reference proves: an earlier claim or a hypothesis by name, or a fact with its arguments."""
        if isinstance(reference, str):
            need(reference in self.proved, f"{reference[:80]!r} is neither given nor proved before")
            found = self.proved[reference]
        else:
            found = self._known_by_facts(reference)
        self.used |= self.indices_of(found[0])
        return found

    def _known_by_facts(self, reference: Any) -> Proved:
        need(type(reference) is list and len(reference) > 1 and type(reference[0]) is str, "a fact is a list")
        name, *arguments = reference
        if name in OWN_FACTS:
            return getattr(self, "_" + name)(*arguments), OWN_FACTS[name]
        return self._fact(name, [self.declared(point, "point") for point in arguments]), AT_LEAST

    def join(self, name: Any, expression: Polynomial, relation: Any) -> None:
        """Add to what is known."""
        own = isinstance(name, str) and 0 < len(name) < 200 and name not in self.proved
        need(own, "a claim needs its own name")
        need(relation in (EQUAL, AT_LEAST, ABOVE), "a relation is one of '= 0', '>= 0' and '> 0'")
        self.proved[name] = expression, relation

    def indices_of(self, *values: Polynomial) -> frozenset[str]:
        """The indices that they depend on: they speak of a member that another one follows."""
        return frozenset(name for name in self.dependences(*values) if self.masses[name] is None)

    # Only in `given`.

    def declare_operator(self, name: str, mass: Any = None) -> None:
        """A positive linear operator with the mass of 1; without a mass, the index of a sequence."""
        value = None if mass is None else self.scalar(mass)
        need(value is None or not self.dependences(value), "a mass depends on nothing")
        need(value is None or self.sign(value) != ANY, "a mass has a sign")
        self.masses[self.fresh(name, "operator")] = value

    def declare_function(self, name: str, properties: dict[str, Any], over: Any = ()) -> None:
        need(set(properties) <= set(PROPERTIES), "a function has an unknown property")
        self._new(name, "function", over)
        self.functions[name] = properties
        for constant, value in properties.items():
            need(self.dependences(self.scalar(value)) <= self.depends[name], f"{constant} depends on more")
            self.abbreviations[f"{constant} {name}"] = value

    def declare_hypothesis(self, name: str, assumed: Any, relation: str) -> None:
        self.join(name, self.scalar(assumed), relation)

    def declare_mean(self, over: str, of: Any, equals: Any) -> None:
        """The mean of a vector under an operator, as the problem has it: 0 for an unbiased noise."""
        self._set_mean(over, self.vector(of), self.vector(equals))

    def declare_known_point(
        self, name: str, function: str, at: Any, known_gradient: Any, known_value: Any
    ) -> None:
        """A function at a point where its gradient is known, such as 0 at a minimizer."""
        self.vector(known_gradient), self.scalar(known_value)
        self._place(name, function, at, known_gradient, known_value)

    def declare_sequence(self, name: str, index: str, **members: Any) -> None:
        """The next, the first and the last member of a sequence of which the name is the generic one."""
        need(members.keys() == {"next", "first", "last"}, "a sequence has a next, a first and a last member")
        kind = self.kinds.get(name)
        read: Any = self.vector if kind == "vector" else self.scalar
        read(name)
        need(self.need_index(index) in self.depends[name], f"{name} does not depend on {index}")
        made_of_others = (self.powers, self.exponentials, self.named, self.extremes)
        fixed = any(name in known for known in made_of_others)
        need(not fixed, f"{name} follows what it stands for, and has no members of its own")
        need((index, name) not in self.sequences, f"{name} is a sequence already")
        depends = self.depends[name]
        for where in members:
            value = read(members[where])
            found = self.of_vector(value) if kind == "vector" else self.dependences(value)
            # the number of members may itself be counted, as that of the steps before this one
            counted = {o for o, mass in self.masses.items() if mass is None} if where == "last" else set()
            allowed = depends if where == "next" else (depends | counted) - {index}
            need(found <= allowed, f"the {where} member of {name} depends on more than {name}")
            if name in self.root_of:
                member = self.scalar(members[where])
                square = self.scalar(self.root_of[name], (index, where))
                same = self.sign(member) != ANY and self.times(member, member) == square
                need(same, f"{where} is not the root of what {name} is the root of there")
        self.sequences[index, name] = members

    # Also between the steps.

    def declare_arbitrary(self, name: str) -> None:
        """A vector of which nothing is known: a claim about it holds for every vector."""
        self.declare_vector(name)
        self.before[name] = frozenset(self.kinds)

    def declare_let(self, name: str, equals: Any = None, vector: Any = None) -> None:
        """An abbreviation. It is read once here, so that it can only name what is declared before."""
        need((equals is None) != (vector is None), "an abbreviation has one meaning")
        self.scalar(equals) if vector is None else self.vector(vector)
        self.abbreviations[self.fresh(name, "abbreviation")] = equals if vector is None else vector

    def declare_root(self, name: str, of: Any, because: Any = None) -> None:
        """The root, at least 0, of what is at least 0, and above 0 of what is above: a norm is a root."""
        value = self.scalar(of)
        sign = self._sign_by(value, because)
        sign = NON_NEGATIVE if sign == ANY and of[0] == "square" else sign
        need(sign != ANY, "the root of what may be below 0")
        self.declare_scalar(name, sign, self.dependences(value))
        self.roots[name], self.root_of[name] = value, of

    def declare_power(self, name: str, of: Any, exponent: Any) -> None:
        """A scalar that is at least 0, raised to a power above 0."""
        base, power = self.scalar(of), self.scalar(exponent)
        need(self.sign(base) != ANY, "a power of what may be below 0")
        need(self.sign(power) == POSITIVE and not self.dependences(power), "a power is a number above 0")
        self.declare_scalar(name, self.sign(base), self.dependences(base))
        self.powers[name] = base, power

    def declare_exponential(self, name: str, of: Any) -> None:
        """exp(x) of any x, which is above 0."""
        exponent = self.scalar(of)
        self.declare_scalar(name, POSITIVE, self.dependences(exponent))
        self.exponentials[name] = exponent

    def declare_named(self, name: str, stands_for: Any, because: Any = None) -> None:
        """A new scalar for an expression, with the sign that an earlier claim proves; so it may divide."""
        value = self.scalar(stands_for)
        sign = self._sign_by(value, because)
        scalar = self.declare_scalar(name, sign, self.dependences(value))
        self.named.add(name)
        self.join(f"definition of {name}", add(scalar, value, -1), EQUAL)

    def declare_extreme(self, name: str, of: Any, least: Any = False) -> None:
        """The largest of some scalars, or the least: no one of them is beyond it, and it is one of them."""
        need(type(of) is list and 2 <= len(of) <= MOST_PARTS, f"an extreme is of 2 to {MOST_PARTS} scalars")
        need(type(least) is bool, "whether an extreme is the least one is true or false")
        parts = [self.scalar(part) for part in of]
        signs = [self.sign(part) for part in parts]
        # max(x, -x) is at least 0, and so is max(a, b) where a is; min(a, b) where a and b are.
        opposite = not least and any(not add(a, b) for a in parts for b in parts)
        known = [NON_NEGATIVE] if opposite else []
        sign = next((s for s in (POSITIVE, NON_NEGATIVE) if s in signs + known), ANY)
        if least:
            sign = ANY if ANY in signs else NON_NEGATIVE if NON_NEGATIVE in signs else POSITIVE
        own = self.declare_scalar(name, sign, self.dependences(*parts))
        self.extremes[name], product = (parts, least), number(1)
        for place, part in enumerate(parts, 1):
            beyond = add(part, own, -1) if least else add(own, part, -1)
            self.join(f"bound {place} of {name}", beyond, AT_LEAST)
            product = self.times(product, beyond)
        self.join(f"choice of {name}", product, EQUAL)

    def _sign_by(self, value: Polynomial, because: Any) -> str:
        """The sign that an expression shows, or that an earlier claim proves."""
        if because is None:
            return self.sign(value)
        expression, relation = self.known(because)
        need(expression == value, "the reason is about another expression")
        return POSITIVE if relation == ABOVE else NON_NEGATIVE

    def declare_average(self, name: str, over: str, of: Any) -> None:
        """A new name for the mean of a vector under an operator."""
        vector = self.vector(of)
        self._set_mean(over, vector, self.declare_vector(name, self.of_vector(vector) - {over}))

    def declare_point(self, name: str, function: str, at: Any, gradient: str, value: str) -> None:
        """A function at a point: new names for its gradient and its value there."""
        depends = self.of_vector(self.vector(at)) | self.depends[self.declared(function, "function")]
        self.declare_vector(gradient, depends)
        self.declare_scalar(value, ANY, depends)
        self._place(name, function, at, gradient, value)

    def declare_recursion(
        self, name: str, index: str, type: str, over: Any = (), sign: str = ANY, **members: Any
    ) -> None:
        """A new sequence by its first member and its recursion, which must keep the sign."""
        need(members.keys() == {"next", "first", "last"}, "a recursion has a next, a first and a last member")
        depends = frozenset(over) | {self.need_index(index)}
        after, first, last = members["next"], members["first"], members["last"]
        vector = type == "vector"
        need(vector or type == "scalar", "a recursion is of scalars or of vectors")
        own: list[Any] = [] if vector else [sign]
        new: Any = self.declare_vector if vector else self.declare_scalar
        read: Any = self.vector if vector else self.scalar
        new(name, *own, depends)
        values = read(after), read(first)
        keeps_sign = vector or sign == ANY or all(self.sign(value) in (sign, POSITIVE) for value in values)
        need(keeps_sign, "the recursion does not keep the sign")
        found = [self.of_vector(value) if vector else self.dependences(value) for value in values]
        new(last, *own, depends - {index})
        known = found[0] <= depends and found[1] <= depends - {index}
        need(known, "the recursion depends on more than it says")
        self.sequences[index, name] = members

    def need_index(self, index: Any) -> str:
        """Members of a sequence are counted by an index; a mean or a sum has no next member."""
        need(self.masses[self.declared(index, "operator")] is None, "an index is needed, without a mass")
        return str(index)

    def _place(self, name: str, function: str, at: Any, gradient: Any, value: Any) -> None:
        self.points[self.fresh(name, "point")] = self.declared(function, "function")
        self.vector(at)
        self.abbreviations |= {f"at {name}": at, f"gradient {name}": gradient, f"value {name}": value}

    def _set_mean(self, operator: str, of: Vector, mean: Vector) -> None:
        need(self.masses[self.declared(operator, "operator")] is not None, "a mean is over an operator")
        one = len(of) == 1 and all(list(coefficient.values()) == [1] for coefficient in of.values())
        need(one, "a mean is of one vector, with one product of scalars before it")
        ((name, (scalars,)),) = of.items()
        constant = any(operator not in self.of_monomial(((f, 1),)) for f, _ in scalars)
        need(not constant, "a factor is constant")
        new = operator in self.depends[name] and (operator, name, scalars) not in self.means
        need(new, "the mean is known")
        rest = self.of_vector(of) - {operator}
        need(self.of_vector(mean) <= rest, "a mean depends on more than its vector without the operator")
        self.means[operator, name, scalars] = mean

    # Facts.

    def _fact(self, name: str, points: list[str]) -> Polynomial:
        function = self.points[points[0]]
        facts = list_facts(function, points[0], points[-1])
        need(name in facts, f"{name[:80]!r} is not a fact; the facts are {', '.join(facts)}")
        different = len(points) == len(set(points)) == (1 if name in OF_ONE else 2)
        need(different, f"{name} is about {'one point' if name in OF_ONE else 'two different points'}")
        need(self.points[points[-1]] == function, f"{name} is about points of one function")
        needed, expression = facts[name]
        missing = ", ".join(p for p in needed if p not in self.functions[function])
        need(not missing, f"{name} is not a fact of {function}, which is not declared {missing}")
        return self.scalar(expression)

    def _cauchy_schwarz(self, u: Any, norm_of_u: Any, v: Any, norm_of_v: Any) -> Polynomial:
        """n m - <u, v>, where n and m are at least 0 and have the squares of the norms of u and v."""
        for vector, norm in ((u, norm_of_u), (v, norm_of_v)):
            need(self.sign(self.scalar(norm)) != ANY, "a norm has no sign")
            same = self.scalar(["^", norm, 2]) == self.scalar(["square", vector])
            need(same, "the square of a norm is not that of its vector")
        return self.scalar(["-", ["*", norm_of_u, norm_of_v], ["inner", u, v]])

    def _power_tangent(self, first: str, second: str) -> Polynomial:
        """x^(1 + a) - y^(1 + a) - (1 + a) y^a (x - y), from x^a and y^a: a power above 1 is convex."""
        (x, a), (y, b) = self.powers[first], self.powers[second]
        need(a == b, "two powers have two exponents")
        slope, turn = self.scalar(second), add(x, y, -1)
        rise = add(self.times(x, self.scalar(first)), self.times(y, slope), -1)
        return add(rise, self.times(self.times(add(number(1), a), slope), turn), -1)

    def _power_of_product(self, product: str, first: str, second: str) -> Polynomial:
        """(x y)^a - x^a y^a."""
        (joint, a), (x, b), (y, c) = (self.powers[name] for name in (product, first, second))
        need(a == b == c and joint == self.times(x, y), "not the power of the product")
        return add(self.scalar(product), self.times(self.scalar(first), self.scalar(second)), -1)

    def _exp_tangent(self, power: str) -> Polynomial:
        """exp(x) - 1 - x, for every real x."""
        return add(add(self.scalar(power), number(1), -1), self.exponentials[power], -1)
