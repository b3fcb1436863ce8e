"""Whether a form reads for a power with a letter in the exponent what that may be.

It reads a number of its own, times what stands before the power. The number is one of three:

- a scalar that is given. Its sign is that of the power on the domains, or the exponent is even, or the proof
  shows that the base has the sign without using that of the scalar;
- a power that `power` names, of the same base and exponent;
- the last member of a recursion from 1 whose step multiplies by the base: nothing is trusted but the number
  of steps, and an index counts one number of them.

Another power of the same base may be read as a product of this number and the base.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, final

from sympy import Expr, Integer, Mul, Pow, Rational, Symbol, divisors, expand, fraction, together

from bounds.errors import MalformedStatement
from bounds.language.part import Of
from bounds.language.proof.expression import Scalar
from bounds.language.proof.form import MachineForm
from bounds.language.proof.formulas import choose, list_unknown, translate
from bounds.language.proof.named_by_lemma import count_rounds
from bounds.language.statement import Statement
from verify.proofs.algebra import ANY, POSITIVE, Polynomial, Rejected, add, need, number
from verify.proofs.checker import Checker
from verify.proofs.declarations import ABOVE, EQUAL
from verify.proofs.intervals import enclose, is_integer

LAST_ROUND = "last_round"  # a setting that is one less than what counts the rounds
OF_PROBLEM = ("operator", "function", "known point", "mean")  # what is given of these names no power


def is_lettered(key: Expr) -> bool:
    """Whether it is a power with a letter in the exponent, or a product with one."""
    return any(isinstance(part, Pow) and part.exp.free_symbols for part in Mul.make_args(key))


def list_taken(formula: Expr, statement: Statement) -> set[str]:
    """The symbols of the statement that are no names of the formula: no form reads the formula as one."""
    own = {str(choice.symbol) for choice in statement.choices if choice.expression == formula}
    own |= {str(defined.symbol) for defined in statement.where if defined.expression == formula}
    return {*statement.notation.quantities, *statement.notation.observables} - own


@final
@dataclass(slots=True)
class Powers:
    """The powers that a form reads, and what it reads for each; `checker` took all of `proof`."""

    form: MachineForm
    statement: Statement
    proof: Mapping[str, Any]
    checker: Checker
    numbers: dict[Pow, str] = field(default_factory=dict)  # of its own
    following: set[Expr] = field(default_factory=set)  # what is read by the number of another power
    counted: dict[str, Expr] = field(default_factory=dict)  # by each index

    def __post_init__(self) -> None:
        self.counted |= count_rounds(self.statement)

    def list_misread(self, used: Mapping[Expr, Scalar]) -> Iterator[str]:
        lettered = {key: value for key, value in used.items() if is_lettered(key)}
        for wanted in (self._read_own, self._follow):
            for key, value in tuple(lettered.items()):
                with suppress(Rejected, MalformedStatement):
                    wanted(key, value)
                    del lettered[key]
        for key, value in lettered.items():
            yield f"{key} is read as {value.form}, which is no number of the power times what is before it"
        for power, name in self.numbers.items():
            try:
                self._check_number(power, name, used)
            except (Rejected, MalformedStatement) as error:
                yield f"{power} is read as {name}: {error}"

    def _read_own(self, key: Expr, value: Scalar) -> None:
        """The one new scalar of the reading."""
        power, before = _split(key)
        read, rest = self.checker.scalar(value.form), self._before(before)
        new = self.checker.atoms(read) - self.checker.atoms(rest)
        need(len(new) == 1, "a power is read as one number")
        (name,) = new
        own = self.checker.kinds[name] == "scalar" and read == self.checker.times(
            rest, self.checker.symbol("scalar", name)
        )
        need(own and self.numbers.get(power, name) == name, "a power is read as one number")
        self.numbers[power] = name

    def _before(self, formula: Expr) -> Polynomial:
        """A product of numbers and symbols, each as it is read."""
        total = number(1)
        for base, exponent in formula.as_powers_dict().items():
            if isinstance(base, Rational):
                value = self.checker.scalar(str(base))
            else:
                need(isinstance(base, Symbol), "a power is read with numbers and symbols before it")
                value = self.checker.scalar(self.form.reads.get(base, Scalar(str(base))).form)
            need(isinstance(exponent, Integer), "a power is read with whole powers before it")
            total = self.checker.times(total, self.checker.power(value, int(exponent)))
        return total

    def _follow(self, key: Expr, value: Scalar) -> None:
        """q^(n e + j) is the n-th power of what is read for q^e, times q^j."""
        need(isinstance(key, Pow), "a product is read by its one power")
        above, below = self._base(key.base)
        read = self.checker.scalar(value.form)
        for power, name in self.numbers.items():
            times = _ratio(key.exp, power.exp)
            more = expand(key.exp - times * power.exp)
            if power.base != key.base or not (times and isinstance(more, Integer)):
                continue
            over, under = (above, below) if more >= 0 else (below, above)
            raised = self.checker.power(self.checker.symbol("scalar", name), times)
            sides = (read, under), (raised, over)
            left, right = (self.checker.times(a, self.checker.power(b, abs(int(more)))) for a, b in sides)
            if left == right:
                self.following.add(key)
                return
        raise Rejected("no other power of the base is read so")

    def _base(self, base: Expr) -> tuple[Polynomial, Polynomial]:
        """Both sides of the fraction that the base is, in the numbers of the form."""
        unknown = list_unknown(base, self.statement, self.form)
        need(not unknown, f"the form has no {', '.join(unknown)}")
        above, below = fraction(together(choose(base, self.statement, self.form)))
        sides = (translate(side, self.statement, self.form) for side in (above, below))
        first, second = (self.checker.scalar(side.form) for side in sides)
        return first, second

    def _check_number(self, power: Pow, name: str, used: Mapping[Expr, Scalar]) -> None:
        need(name not in list_taken(power, self.statement), "it is another symbol of the statement")
        for key, value in used.items():
            if key not in self.following and not (is_lettered(key) and _split(key)[0] == power):
                taken = name in self.checker.atoms(self.checker.scalar(value.form))
                need(not taken, f"{key} is read as {value.form} too")
        taken_by = [e for e in self.form.given if e["kind"] in OF_PROBLEM and name in set(list_words(e))]
        need(not taken_by, "it stands for something else that is given")
        need(not self.checker.depends[name], "it depends on a client, a draw or a member")
        self._check_kind(power, name)

    def _check_kind(self, power: Pow, name: str) -> None:
        entries = [*self.proof["given"], *self.proof["steps"]]
        recursion = next((e for e in entries if e.get("kind") == "recursion" and e["last"] == name), None)
        if recursion is not None:
            self._check_recursion(power, recursion)
        elif name in self.checker.powers:
            base, exponent = self.checker.powers[name]
            for own, formula in ((base, power.base), (exponent, power.exp)):
                above, below = self._base(formula)
                same = self._expand(self.checker.times(own, below)) == self._expand(above)
                need(same, "it is named as another power")
        else:
            given = any(e.get("kind") == "scalar" and e["name"] == name for e in self.proof["given"])
            need(given, "it is neither given nor made as this power")
            self._check_sign(power, name)

    def _check_recursion(self, power: Pow, recursion: Mapping[str, Any]) -> None:
        """From 1, every step multiplies by the base, or by a power of it that divides the exponent."""
        own = self.checker.symbol("scalar", recursion["name"])
        need(self.checker.scalar(recursion["first"]) == number(1), "its recursion does not begin at 1")
        after, (above, below) = self.checker.scalar(recursion["next"]), self._base(power.base)
        content, _ = expand(power.exp).as_content_primitive()
        need(isinstance(content, Integer), "the exponent is no whole number of steps")
        for step in (sign * one for one in divisors(content) for sign in (1, -1)):
            over, under = (above, below) if step > 0 else (below, above)
            left = self.checker.times(after, self.checker.power(under, int(abs(step))))
            right = self.checker.times(own, self.checker.power(over, int(abs(step))))
            if self._expand(left) == self._expand(right):
                self._count(recursion["index"], expand(power.exp / step))
                return
        raise Rejected("the step of its recursion does not multiply by the base")

    def _count(self, index: str, steps: Expr) -> None:
        quantities = self.statement.notation.quantities
        counts = is_integer(steps, quantities) and enclose(steps, quantities).is_at_least_0
        need(counts, f"{steps} is no number of steps")
        known = self.counted.setdefault(index, steps)
        need(known == steps, f"{index} counts {known} steps for another power")
        told = f"nothing says that {index} counts {steps} steps: a setting of the statement or a counter does"
        need(index in count_rounds(self.statement) or self._is_told(index, steps), told)

    def _is_told(self, index: str, steps: Expr) -> bool:
        """Whether a counter of the form, which a person reads, or else a setting of the statement has them.

        Over an index of recursions alone, any number of steps is made.
        """
        sequences = [e for e in self.form.given if e["kind"] == "sequence" and e["index"] == index]
        counters = [e for e in sequences if e["first"] == "0" and e["next"] == ["+", e["name"], "1"]]
        if counters:
            value = self.checker.scalar(translate(steps, self.statement, self.form).form)
            return all(self.checker.scalar(e["last"]) == value for e in counters)
        quantities = self.statement.notation.quantities
        settings = ((n, q.part) for n, q in quantities.items() if q.part is not None and q.domain.integer)
        return not sequences or any(
            part.of is Of.SETTING and str(steps - part.more - int(part.name == LAST_ROUND)) == name
            for name, part in settings
        )

    def _expand(self, value: Polynomial) -> Polynomial:
        """Every named scalar gives way to what it stands for."""
        total: Polynomial = {}
        for monomial, coefficient in value.items():
            product = number(coefficient)
            for factor, exponent in monomial:
                value_of: Polynomial = {((factor, exponent),): 1}
                if exponent > 0 and factor[1] in self.checker.named and factor[0] == "scalar":
                    definition, _ = self.checker.proved[f"definition of {factor[1]}"]
                    stands_for = self._expand(add({((factor, 1),): 1}, definition, -1))
                    value_of = self.checker.power(stands_for, exponent)
                product = self.checker.times(product, value_of)
            total = add(total, product)
        return total

    def _check_sign(self, power: Pow, name: str) -> None:
        sign, values = self.checker.signs[name], enclose(power, self.statement.notation.quantities)
        if sign == ANY or values.is_above_0 or (values.is_at_least_0 and sign != POSITIVE):
            return
        relation = "> 0" if sign == POSITIVE else ">= 0"
        need(
            self._proves_base(power.base, strictly=sign == POSITIVE),
            f"it is {relation}, and the proof does not show that {power.base} {relation}: add a claim",
        )

    def _proves_base(self, base: Expr, *, strictly: bool) -> bool:
        """Whether that is known where no scalar that is read for a power has a sign."""
        above, below = self._base(base)
        weak = _replay_without_signs(self.proof, set(self.numbers.values()))
        both = self.checker.times(above, below)
        return any(
            (relation == ABOVE or (relation != EQUAL and not strictly))
            and (value == both or self.checker.times(value, below) == above)
            for value, relation in weak.proved.values()
        )


def _replay_without_signs(proof: Mapping[str, Any], names: set[str]) -> Checker:
    """The claims of a proof that are proved without the signs of these scalars."""
    checker = Checker()
    for key in ("given", "steps"):
        for entry in proof[key]:
            free = entry.get("kind") == "scalar" and entry["name"] in names
            with suppress(Rejected):
                checker.accept(entry | {"sign": ANY} if free else entry, trusted=key == "given")
    return checker


def _split(key: Expr) -> tuple[Pow, Expr]:
    """The one power with a letter in its exponent, and what is before it."""
    parts = Mul.make_args(key)
    powers = [part for part in parts if isinstance(part, Pow) and part.exp.free_symbols]
    need(len(powers) == 1, "a reading is of one power with a letter in the exponent")
    return powers[0], Mul(*(part for part in parts if part is not powers[0]))


def _ratio(exponent: Expr, other: Expr) -> int:
    """How many times the other is in it, by a term with a letter; 0 if no whole number."""
    terms = expand(exponent).as_coefficients_dict()
    for term, factor in expand(other).as_coefficients_dict().items():
        if term.free_symbols:
            ratio = terms.get(term, Integer(0)) / factor
            return int(ratio) if isinstance(ratio, Integer) else 0
    return 0


def list_words(value: Any) -> Iterator[str]:
    """Every name and number of an expression or a declaration."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (name for pair in value.items() for part in pair for name in list_words(part))
    elif isinstance(value, list | tuple):
        yield from (name for part in value for name in list_words(part))
