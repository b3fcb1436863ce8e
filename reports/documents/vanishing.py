"""When a term vanishes, as words: the only place that turns those values into a sentence."""

from collections.abc import Sequence

from bounds.language.expression import text
from bounds.language.statement import Term
from bounds.language.vanishing import Equal, Grows, Together, ToZero


def words(term: Term) -> str:
    """Return "when T = 1 or Delta_inf = 0", "when sigma = 0, or as M grows", or nothing."""
    equations = [e for e in term.vanishes if isinstance(e, Equal | Together)]
    grow = [text(e.of) for e in term.vanishes if isinstance(e, Grows)]
    shrink = [text(e.of) for e in term.vanishes if isinstance(e, ToZero)]
    parts = [
        term.remark,
        f"when {_alternatives(equations)}" if equations else "",
        f"as {' or '.join(grow)} grows" if grow else "",
        f"as {' or '.join(shrink)} -> 0" if shrink else "",
    ]
    return ", or ".join(part for part in parts if part)


def _alternatives(equations: Sequence[Equal | Together]) -> str:
    """A comma keeps "x = 0, or xi = sigma = 0" from being read as one fact."""
    single = all(isinstance(e, Equal) for e in equations)
    return (" or " if single else ", or ").join(map(_fact, equations))


def _fact(fact: Equal | Together) -> str:
    if isinstance(fact, Equal):
        return f"{fact.symbol} = {fact.value}"
    values = {e.value for e in fact.equations}
    if fact.words:
        return fact.words
    if len(values) == 1:
        return " = ".join([*(str(e.symbol) for e in fact.equations), str(*values)])
    return " and ".join(map(_fact, fact.equations))
