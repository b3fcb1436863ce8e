"""A digest of what a search sees of a statement, so that a row of an attempt tells of which form it is.

Where a side, a hypothesis, a reading or the meaning of a symbol is changed, the form is another one, and
counts as not attempted. What the code of a recipe or of an engine does has no part in it.
"""

from collections.abc import Iterator

from bounds.language.statement import Statement
from verify.form_digest import digest, see_formulas, see_symbols
from verify.papers.als_dpfl.growth_certificates import growth_of
from verify.papers.several.claims_as_numbers import claim_of


def form_of(statement: Statement) -> str:
    """The digest of the formulas, as sympy writes them, and of what a search starts from beside them."""
    return digest([*see_formulas(statement), *_claimed(statement), *see_symbols(statement)])


def _claimed(statement: Statement) -> Iterator[str]:
    """For a claim the name of the function that computes its sides, and what a certificate of growth starts
    from.

    The name without its module, so that a form stays the same when the function moves to another file.
    """
    claim, growth = claim_of(statement), growth_of(statement)
    if claim is not None:
        yield f"claim {claim.family} {claim.size} {claim.sides.__qualname__}"
    if growth is not None:
        for fact in growth.facts:
            parts = sorted(f"{coefficient} {monomial}" for monomial, coefficient in fact.polynomial.items())
            yield f"fact {fact.name} {parts} {fact.strict}"
        yield from (f"sign {name} {sign}" for name, sign in sorted(growth.signs.items()))
        yield from (f"grows {monomial}" for monomial in growth.grows)
