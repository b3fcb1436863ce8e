"""Check a proof: every claim is an identity of polynomials, with multipliers of a proven sign.

A proof is `given` (declarations that describe the problem) and `steps` (declarations that name what exists,
and claims, each with its reason). Rational arithmetic and the standard library: the files to believe are this
one, `algebra`, `reader`, `declarations` and `facts`. Nothing that searched for a proof is imported.
"""

from typing import Any, final

from verify.proofs.algebra import ANY, POSITIVE, Differs, Polynomial, Rejected, Unsigned, add, need
from verify.proofs.declarations import ABOVE, AT_LEAST, EQUAL, Declared, Proved

RULES = ("combination", "larger square", "induction", "instance", "cases")
MOST_ENTRIES = 2000
MALFORMED = (TypeError, KeyError, IndexError, AttributeError, RecursionError)


@final
class Checker(Declared):
    """Claims that are given or proved so far, and the rules by which another one joins them.

    The arguments of a rule are the keys of a reason.
    """

    def accept(self, entry: Any, *, trusted: bool) -> None:
        """Take the next entry of a proof: a declaration, or a claim with its reason."""
        need(type(entry) is dict, "an entry is not an object")
        try:
            self.claim(**entry) if "claim" in entry else self.declare(trusted=trusted, **entry)
        except MALFORMED as error:
            raise Rejected(f"not of the form of a proof ({type(error).__name__}: {error})"[:300]) from None

    def claim(self, name: str, claim: Any, relation: str, by: dict[str, Any]) -> None:
        need(type(by) is dict, "a reason is not an object")
        reason = dict(by)
        rule = reason.pop("rule", None)
        need(rule in RULES, "a claim needs a rule: " + ", ".join(RULES))
        claimed, self.used = self.scalar(claim), frozenset()
        getattr(self, "by_" + rule.replace(" ", "_"))(claimed, relation, **reason)
        for index in self.used - self.indices_of(claimed):
            raise Rejected(f"it follows from a step of {index}, and there may be none: prove it by induction")
        self.join(name, claimed, relation)

    def by_combination(
        self, claimed: Polynomial, relation: str, times: Any = None, terms: Any = (), equalities: Any = ()
    ) -> None:
        """A positive multiple of the claim is a sum of products that are at least 0 and of multiples of 0."""
        multiplier, sure = self.product(**times or {})
        need(sure == ABOVE, "the claim must be multiplied by what is above 0")
        left = self.times(multiplier, claimed)
        products = [self.product(**term) for term in terms]
        need(not products or relation != EQUAL, "an equality follows from equalities only")
        for value in [value for value, _ in products] + [self.multiple(**e) for e in equalities]:
            left = add(left, value, -1)
        if left:
            raise Differs(left)
        strict = any(sign == ABOVE for _, sign in products)
        need(strict or relation != ABOVE, "nothing in the sum is above 0")

    def product(self, times: Any = "1", facts: Any = (), squares: Any = (), over: Any = ()) -> Proved:
        """A multiplier of a known sign, times facts, times squares, under positive operators."""
        value = self.scalar(times)
        if self.sign(value) == ANY:
            raise Unsigned(value)
        above = self.sign(value) == POSITIVE and not squares and not over
        for reference in facts:
            expression, relation = self.known(reference)
            value, above = self.times(value, expression), above and relation == ABOVE
        for root in squares:  # of a vector, as {name: coefficient, ...}, or of a scalar
            value = self.times(value, self.scalar(["square", root] if type(root) is dict else ["^", root, 2]))
        self.used |= self.indices_of(value)
        return self._lifted(value, over), ABOVE if above else AT_LEAST

    def multiple(self, fact: Any, times: Any = "1", over: Any = ()) -> Polynomial:
        """A multiple, of any sign, of what is 0."""
        expression, relation = self.known(fact)
        need(relation == EQUAL, "a multiplier of any sign needs an equality")
        return self._lifted(self.times(self.scalar(times), expression), over)

    def _lifted(self, value: Polynomial, operators: Any) -> Polynomial:
        for operator in reversed(operators):
            value = self.over(self.declared(operator, "operator"), value)
        return value

    def by_larger_square(
        self, claimed: Polynomial, relation: str, larger: Any, smaller: Any, facts: Any
    ) -> None:
        """From y >= 0 and y^2 - x^2 >= 0: y - x >= 0."""
        y, x = self.scalar(larger), self.scalar(smaller)
        difference = relation == AT_LEAST and claimed == add(y, x, -1)
        need(difference, "the claim is not the difference of the roots")
        known = [self.known(reference)[0] for reference in facts]
        need(self.sign(y) != ANY or y in known, "the larger root is not known to be at least 0")
        squares = add(self.times(y, y), self.times(x, x), -1)
        need(squares in known, "the difference of the squares is not known to be at least 0")

    def by_induction(
        self, claimed: Polynomial, relation: str, index: str, statement: Any, base: Any, step: Any,
        times: Any = None, backward: Any = False,
    ) -> None:  # fmt: skip
        """From p(0) >= 0 and p(k + 1) - m p(k) >= 0 with m >= 0: p at the last member, and at every one.

        Backward: from p at the last member and p(k) - m p(k + 1) >= 0. From two equalities follows one.
        """
        self.need_index(index)
        starts, follows = self.known(base), self.known(step)
        equal = relation == EQUAL == starts[1] == follows[1]
        need(relation == AT_LEAST or equal, "an induction proves what is at least 0, or 0 from equalities")
        here = self.scalar(statement)
        first, after, last = (self.scalar(statement, (index, where)) for where in ("first", "next", "last"))
        need(index not in self.dependences(first, last), f"the first and the last member depend on {index}")
        start, end, before, behind = (last, first, after, here) if backward else (first, last, here, after)
        need(starts[0] == start, "the base is not the statement where the induction begins")
        multiplier, _ = self.product(**times or {})
        difference = add(behind, self.times(multiplier, before), -1)
        need(follows[0] == difference, "the step is not the statement at the next member")
        self.used -= {index}  # without a step the first member is the last one
        proved = (end, here, after) if backward else (end, here)
        need(claimed in proved, "the claim is not the statement that was proved")

    def by_instance(
        self, claimed: Polynomial, relation: str, fact: Any, statement: Any, vector: str, becomes: Any
    ) -> None:
        """From a claim about an arbitrary vector: the same about any vector."""
        need(vector in self.before, f"{str(vector)[:80]!r} is not an arbitrary vector")
        general = self.scalar(statement)
        same = self.known(fact) == (general, relation)
        need(same, "the fact is not the statement about the arbitrary vector")
        own = self.atoms(general) <= self.before[vector]
        need(own, "the statement speaks of what was made from the vector")
        instance = self.scalar(statement, (None, vector, becomes))
        need(claimed == instance, "the claim is not the instance")

    def by_cases(self, claimed: Polynomial, relation: str, of: str, facts: Any) -> None:
        """From the claim with each part in the place of an extreme, which is one of its parts."""
        need(of in self.extremes, f"{str(of)[:80]!r} is not an extreme")
        parts, _ = self.extremes[of]
        need(type(facts) is list and len(facts) == len(parts), "a fact is needed for each part")
        for part, reference in zip(parts, facts, strict=True):
            case = self._put(claimed, of, part)
            need(self.known(reference) == (case, relation), "a fact is not the claim in one of the cases")

    def _put(self, value: Polynomial, name: str, part: Polynomial) -> Polynomial:
        """The part in the place of a scalar, which an operator must not bind: a mean has no one case."""
        total: Polynomial = {}
        for monomial, coefficient in value.items():
            times = dict(monomial).get(("scalar", name), 0)
            rest = tuple(item for item in monomial if item[0] != ("scalar", name))
            need(name not in self.atoms({rest: 1}), f"{name} is under an operator")
            need(times >= 0, f"{name} divides")
            total = add(total, self.times({rest: coefficient}, self.power(part, times)))
        return total


def check(document: Any) -> Checker:
    """Check a whole proof; `Rejected` says which step fails, and why."""
    need(type(document) is dict, "an object is needed")
    extra = document.keys() - {"given", "steps", "schema", "id", "variant", "form"}
    need(not extra, f"a proof has a key that nothing reads: {sorted(map(str, extra))}"[:200])
    checker = Checker()
    for trusted, key in ((True, "given"), (False, "steps")):
        entries = document.get(key)
        need(type(entries) is list and len(entries) <= MOST_ENTRIES, f"{key} is a list")
        for place, entry in enumerate(entries):
            try:
                checker.accept(entry, trusted=trusted)
            except Rejected as error:
                name = entry.get("name", place) if type(entry) is dict else place
                raise Rejected(f"{key} {str(name)[:200]}: {error}") from None
    return checker
