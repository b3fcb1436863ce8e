"""Check a proof: every claim is an identity of polynomials, with multipliers of a proven sign.

A proof is `given` (declarations that describe the problem) and `steps` (declarations that name what exists,
and claims, each with its reason). Rational arithmetic and the standard library: the files to believe are this
one, `algebra`, `reader` and `facts`. Nothing that searched for a proof is imported.
"""

from typing import Any, final

from verify.proofs.algebra import (
    ANY,
    POSITIVE,
    Polynomial,
    Rejected,
    add,
    need,
)
from verify.proofs.declarations import declare, need_index, nothing_else
from verify.proofs.facts import ABOVE, AT_LEAST, EQUAL, Known, Proved


@final
class Checker(Known):
    """Claims that are given or proved so far, and the rules by which another one joins them."""

    def claim(self, step: dict[str, Any]) -> None:
        nothing_else(step, "name", "claim", "relation", "by")
        name, relation, by = step["name"], step["relation"], step["by"]
        need(
            isinstance(name, str) and 0 < len(name) < 200 and name not in self.proved,
            "a step needs its own name",
        )
        need(relation in (EQUAL, AT_LEAST, ABOVE), "a relation is one of '= 0', '>= 0' and '> 0'")
        need(type(by) is dict and by.get("rule") in RULES, "a step needs a rule: " + ", ".join(RULES))
        claimed = self.reader.scalar(step["claim"])
        RULES[by["rule"]](self, claimed, relation, by)
        self.proved[name] = claimed, relation

    def combination(self, claimed: Polynomial, relation: str, by: dict[str, Any]) -> None:
        """A positive multiple of the claim is a sum of products that are at least 0 and of multiples of 0."""
        nothing_else(by, "rule", optional=("times", "terms", "equalities"))
        left, sure = self.product(by.get("times", {}))
        need(sure == ABOVE, "the claim must be multiplied by what is above 0")
        left = self.reader.algebra.times(left, claimed)
        strict = False
        for term in self._list(by, "terms"):
            value, sign = self.product(term)
            need(sign != EQUAL and relation != EQUAL, "an equality follows from equalities only")
            strict = strict or sign == ABOVE
            left = add(left, value, -1)
        for equality in self._list(by, "equalities"):
            left = add(left, self._multiple(equality), -1)
        if left:
            raise Rejected(
                f"the claim and its reason differ: {len(left)} terms are left, such as {_text(left)}"
            )
        need(strict or relation != ABOVE, "nothing in the sum is above 0")

    def product(self, term: Any) -> Proved:
        """A multiplier of a known sign, times facts, times squares, under positive operators."""
        nothing_else(term, optional=("times", "facts", "squares", "over"))
        algebra = self.reader.algebra
        value = self.reader.scalar(term.get("times", "1"))
        sign = algebra.sign(value)
        need(sign != ANY, "a multiplier has no proven sign")
        above = sign == POSITIVE
        for reference in self._list(term, "facts"):
            expression, relation = self.known(reference)
            value, above = algebra.times(value, expression), above and relation == ABOVE
        for root in self._list(term, "squares"):
            value, above = algebra.times(value, self._square(root)), False
        return self.lifted(value, term), ABOVE if above and "over" not in term else AT_LEAST

    def _square(self, root: Any) -> Polynomial:
        """The square of a vector, as {name: coefficient, ...}, or of a scalar."""
        if type(root) is dict:
            return self.reader.scalar(["square", root])
        value = self.reader.scalar(root)
        return self.reader.algebra.times(value, value)

    def _multiple(self, equality: Any) -> Polynomial:
        nothing_else(equality, "fact", optional=("times", "over"))
        expression, relation = self.known(equality["fact"])
        need(relation == EQUAL, "a multiplier of any sign needs an equality")
        return self.lifted(
            self.reader.algebra.times(self.reader.scalar(equality.get("times", "1")), expression), equality
        )

    def lifted(self, value: Polynomial, term: dict[str, Any]) -> Polynomial:
        for operator in reversed(self._list(term, "over")):
            need(isinstance(operator, str), "an operator is named")
            value = self.reader.algebra.over(operator, value)
        return value

    def larger_square(self, claimed: Polynomial, relation: str, by: dict[str, Any]) -> None:
        """From y >= 0 and y^2 - x^2 >= 0: y - x >= 0."""
        nothing_else(by, "rule", "larger", "smaller", "facts")
        y, x = self.reader.scalar(by["larger"]), self.reader.scalar(by["smaller"])
        need(
            relation == AT_LEAST and claimed == add(y, x, -1), "the claim is not the difference of the roots"
        )
        facts = [self.known(reference)[0] for reference in self._list(by, "facts")]
        need(
            self.reader.algebra.sign(y) != ANY or y in facts, "the larger root is not known to be at least 0"
        )
        squares = add(self.reader.algebra.times(y, y), self.reader.algebra.times(x, x), -1)
        need(squares in facts, "the difference of the squares is not known to be at least 0")

    def induction(self, claimed: Polynomial, relation: str, by: dict[str, Any]) -> None:
        """From p(0) >= 0 and p(k + 1) - m p(k) >= 0 with m >= 0: p at the last member, and at every one."""
        nothing_else(by, "rule", "index", "statement", "base", "step", optional=("times",))
        index, statement, algebra = by["index"], by["statement"], self.reader.algebra
        need_index(self, index)
        need(relation == AT_LEAST, "an induction proves what is at least 0")
        here = self.reader.scalar(statement)
        first, following, last = (
            self.reader.scalar(statement, (index, w)) for w in ("first", "next", "last")
        )
        need(
            index not in algebra.dependences(first, last), f"the first and the last member depend on {index}"
        )
        need(self.known(by["base"])[0] == first, "the base is not the statement at the first member")
        multiplier, _ = self.product(by.get("times", {}))
        step = add(following, algebra.times(multiplier, here), -1)
        need(self.known(by["step"])[0] == step, "the step is not the statement at the next member")
        need(claimed in (last, here), "the claim is not the statement that was proved")

    def instance(self, claimed: Polynomial, relation: str, by: dict[str, Any]) -> None:
        """From a claim about an arbitrary vector: the same about any vector."""
        nothing_else(by, "rule", "fact", "statement", "vector", "becomes")
        reader, name = self.reader, by["vector"]
        need(name in reader.before, f"{str(name)[:80]!r} is not an arbitrary vector")
        general = reader.scalar(by["statement"])
        need(
            self.known(by["fact"]) == (general, relation),
            "the fact is not the statement about the arbitrary vector",
        )
        need(
            reader.algebra.atoms(general) <= reader.before[name],
            "the statement speaks of what was made from the vector",
        )
        need(
            claimed == reader.scalar(by["statement"], (None, name, by["becomes"])),
            "the claim is not the instance",
        )

    @staticmethod
    def _list(document: dict[str, Any], key: str) -> list[Any]:
        found = document.get(key, [])
        need(type(found) is list, f"{key} is a list")
        return list(found)


def _text(polynomial: Polynomial) -> str:
    monomial, coefficient = min(polynomial.items(), key=lambda item: str(item[0]))
    return f"{coefficient} {monomial}"[:200]


RULES = {
    "combination": Checker.combination,
    "larger square": Checker.larger_square,
    "induction": Checker.induction,
    "instance": Checker.instance,
}


def check(document: Any) -> Checker:
    """Check a whole proof; `Rejected` says which step fails, and why."""
    nothing_else(document, "given", "steps", optional=("schema", "id", "variant"))
    checker = Checker()
    for trusted, key in ((True, "given"), (False, "steps")):
        need(type(document[key]) is list and len(document[key]) <= 2000, f"{key} is a list")
        for number_, entry in enumerate(document[key]):
            need(type(entry) is dict, f"{key} {number_} is not an object")
            try:
                checker.claim(entry) if "claim" in entry and "by" in entry else declare(
                    checker, entry, trusted
                )
            except Rejected as error:
                raise Rejected(f"{key} {entry.get('name', number_)}: {error}") from None
            except (TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
                raise Rejected(
                    f"{key} {number_}: not of the form of a proof ({type(error).__name__})"
                ) from None
    return checker
