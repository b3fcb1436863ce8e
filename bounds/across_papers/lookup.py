"""How the quantities of different papers relate: not the same though spelled alike, converted, or equal.

What is said of a pair is, in this order: a conversion, equality of all in a group, or that it is not the
same, with the roles of both.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from typing import Any

from bounds import errors
from bounds.across_papers.table import CONVERSIONS, EQUAL, ROLES, TABLES, Entry, Kinship
from bounds.arithmetic.arrays import run_arrays
from bounds.arithmetic.program import compile_expressions
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


def convert(value: Any, source: str, target: str, **others: Any) -> Any:
    """The value of `target` where `source` has `value`; `others` are quantities that the conversion needs."""
    _check_known(source)
    _check_known(target)
    entry = entries().get(frozenset((source, target)))
    if entry is None:
        raise errors.NotConvertible(f"nothing is said of {source} and {target}, so there is no conversion")
    if entry.kinship is Kinship.NOT_THE_SAME:
        raise errors.NotConvertible(f"{source} and {target} are not the same: {entry.sentence}")
    expression = entry.forward if source == entry.first else entry.backward
    own = source.partition(".")[2]
    needed = {s.name for s in expression.free_symbols} - {own} if expression is not None else set()
    _check_others(entry, source, target, needed, others)
    if expression is None:
        return value
    return run_arrays(compile_expressions([expression]), {**others, own: value})[0][()]


def _check_others(
    entry: Entry, source: str, target: str, needed: set[str], others: Mapping[str, Any]
) -> None:
    paper = entry.first.partition(".")[0]
    missing, unknown = sorted(needed - others.keys()), sorted(others.keys() - needed)
    if missing:
        raise errors.MissingQuantity(
            f"{target} from {source} needs {', '.join(missing)} of {paper}: {entry.sentence}"
        )
    if unknown:
        raise errors.UnknownName(
            f"{target} from {source} takes no {unknown[0]}: {errors.nearest(unknown[0], needed)}"
        )


def _check_known(quantity: str) -> None:
    paper, _, name = quantity.partition(".")
    if paper not in TABLES:
        raise errors.UnknownName(f"no paper {paper}: {errors.nearest(paper, TABLES)}")
    known = TABLES[paper].quantities.keys() | TABLES[paper].observables.keys()
    if name not in known:
        raise errors.UnknownName(f"{paper} has no quantity {name}: {errors.nearest(name, known)}")
