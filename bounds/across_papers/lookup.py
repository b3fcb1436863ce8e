"""How the quantities of different papers relate: not the same though spelled alike, converted, or equal.

What is said of a pair is, in this order: a conversion, equality of all in a group, or that it is not the
same, with the roles of both.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations

from bounds.across_papers.table import CONVERSIONS, EQUAL, ROLES, Entry, Kinship
from bounds.language.statement import Statement


@cache
def entries() -> dict[frozenset[str], Entry]:
    """The entry for each pair of quantities of two papers."""
    entry_of_pair = {frozenset((entry.first, entry.second)): entry for entry in CONVERSIONS}
    for sentence, names in EQUAL.items():
        for first, second in _pairs(names):
            entry = Entry(first=first, second=second, kinship=Kinship.EQUAL, sentence=sentence)
            entry_of_pair.setdefault(frozenset((first, second)), entry)
    for roles in ROLES:
        for first, second in _pairs(tuple(roles)):
            sentence = f"{first} is {roles[first]}; {second} is {roles[second]}"
            entry = Entry(first=first, second=second, kinship=Kinship.NOT_THE_SAME, sentence=sentence)
            entry_of_pair.setdefault(frozenset((first, second)), entry)
    return entry_of_pair


def _pairs(names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for first, second in combinations(names, 2):
        if first.partition(".")[0] != second.partition(".")[0]:
            yield first, second


def about(statement: Statement) -> tuple[Entry, ...]:
    """The entries for the statement's quantities, different meanings first."""
    spoken_of = set(statement.symbols)
    for condition in statement.conditions:
        spoken_of |= condition.value.free_symbols | condition.limit.free_symbols
    for choice in statement.choices:
        spoken_of |= {choice.symbol} | choice.expression.free_symbols
    for definition in statement.where:
        spoken_of |= {definition.symbol} | definition.expression.free_symbols
    names = {f"{statement.paper.key}.{symbol.name}" for symbol in spoken_of}
    order = list(Kinship)
    found = [entry for pair, entry in entries().items() if pair & names]
    return tuple(sorted(found, key=lambda entry: order.index(entry.kinship)))
