"""A statement in terms of its inputs: prescriptions and definitions substituted, for what is given."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import final

from sympy import Add, Expr, Symbol

from bounds import errors
from bounds.arithmetic.program import Program, compile_expressions
from bounds.language.condition import Condition
from bounds.language.part import Of, Part
from bounds.language.statement import Definition, Kind, Statement


@final
@dataclass(frozen=True, slots=True)
class Resolved:
    """A statement in terms of its inputs, for one choice of which derived quantities are given."""

    terms: tuple[Expr, ...]
    conditions: tuple[tuple[Expr, Expr], ...]
    derived: tuple[tuple[str, Expr], ...]
    required: frozenset[str]
    optional: frozenset[str]
    shadowed: Mapping[str, str]
    sources: Mapping[str, frozenset[str]]
    domains: tuple[tuple[Condition, Expr], ...]
    program: Program

    @property
    def only_value(self) -> Program:
        """Without the terms as results of their own."""
        return Program(self.program.inputs, self.program.operations, self.program.outputs[-1:])


@lru_cache(maxsize=1024)
def resolve(statement: Statement, given: frozenset[str] = frozenset()) -> Resolved:
    """Substitute prescriptions and definitions; a derived quantity among `given` stays an input."""
    used = substitution(statement, given)
    replaced = {s: e for s, e in definitions(statement, given) if s not in used}
    terms = tuple(unfold(t.expression, used) for t in statement.terms)
    conditions = tuple((unfold(c.value, used), unfold(c.limit, used)) for c in statement.conditions)
    needed = names_in(*terms)
    limited = names_in(*(e for pair in conditions for e in pair))
    everything = needed | limited | _name_run_inputs(statement, used)
    derived = tuple((s.name, unfold(s, used)) for s in used)
    shadowed = {
        name: symbol.name
        for symbol, expression in replaced.items()
        for name in names_in(unfold(expression, used)) - everything
    }
    return Resolved(
        terms=terms,
        conditions=conditions,
        derived=derived,
        required=frozenset(needed),
        optional=frozenset(everything - needed),
        shadowed=shadowed,
        sources={s.name: frozenset(names_in(unfold(e, used))) for s, e in replaced.items()},
        domains=_domains(statement, derived, everything),
        program=compile_expressions([*_summands(statement), _sum_of_terms(statement)], used),
    )


def substitution(statement: Statement, given: frozenset[str] = frozenset()) -> dict[Symbol, Expr]:
    """Prescribed and derived quantities in terms of others; a derived one among `given` is left alone."""
    used: dict[Symbol, Expr] = {c.symbol: c.expression for c in statement.choices}
    return used | {s: e for s, e in definitions(statement, given) if s.name not in given}


def _sum_of_terms(statement: Statement) -> Expr:
    """Unevaluated: a term like 2 (1 - p) taken apart would lose its digits among the others."""
    summands = _summands(statement)
    return Add(*summands, evaluate=False) if len(summands) > 1 else statement.right


def _summands(statement: Statement) -> list[Expr]:
    return [term.expression for term in statement.terms]


def _domains(
    statement: Statement, derived: Sequence[tuple[str, Expr]], inputs: set[str]
) -> tuple[tuple[Condition, Expr], ...]:
    """Derived quantities have a domain too: an end of it that no assumption implies is a condition."""
    out = []
    for name, expression in derived:
        quantity = statement.notation.quantities.get(name)
        if quantity is None or not names_in(expression) <= inputs:
            continue
        for condition in quantity.domain.ends(name):
            implied = expression.is_positive if condition.relation.strict else expression.is_nonnegative
            if not (implied and condition.limit == 0):
                out.append((condition, expression))
    return tuple(out)


def _name_run_inputs(statement: Statement, used: Mapping[Symbol, Expr]) -> set[str]:
    """The quantities beside the measurements on the left, and in a prescribed setting: a run needs them.

    A setting that the example gives and no formula takes is one too: the theorem is for all its values.
    """
    if statement.left is None or statement.kind is Kind.RATE:
        return set()
    observables, quantities = statement.notation.observables, statement.notation.quantities
    named = {symbol.name for symbol in statement.left.free_symbols}
    if not any(observables[name].measured for name in named & observables.keys()):
        return set()
    weights = [observables[name].weight for name in named & observables.keys()]
    parts = {name: quantity.part for name, quantity in quantities.items()}
    settings = [c.expression for c in statement.choices if _is_setting(parts.get(c.symbol.name))]
    found = names_in(*(unfold(e, used) for e in (statement.left, *weights, *settings)))
    sources = {name for definition in statement.where for name in names_in(definition.expression)}
    found |= {name for name in statement.example if _is_setting(parts.get(name)) and name not in sources}
    return {name for name in found & quantities.keys() if not statement.notation.is_index(name)}


def _is_setting(part: Part | None) -> bool:
    return part is not None and part.of is Of.SETTING


@lru_cache(maxsize=1024)
def definitions(statement: Statement, given: frozenset[str] = frozenset()) -> tuple[tuple[Symbol, Expr], ...]:
    """Derived quantities; an expectation on the right-hand side is at most its free bound.

    A definition that is not needed counts where all its sources are given.
    """
    out = [(d.symbol, d.expression) for d in statement.where if d.needed or names_in(d.expression) <= given]
    for symbol in sorted(statement.right.free_symbols, key=str):
        observable = statement.notation.observables.get(symbol.name)
        if observable is not None and observable.free_bound is not None:
            out.append((symbol, observable.free_bound))
    return tuple(out)


def unfold(expression: Expr, used: Mapping[Symbol, Expr]) -> Expr:
    """Write an expression in what `used` does not define; its entries may use each other, in no circle."""
    for _ in range(len(used) + 1):
        if not expression.free_symbols & used.keys():
            return expression
        expression = expression.xreplace(used)
    raise errors.MalformedStatement(f"definitions refer to each other in a circle: {expression}")


def names_in(*expressions: Expr) -> set[str]:
    """The names of the symbols of expressions."""
    return {symbol.name for e in expressions for symbol in e.free_symbols}


def resolve_with(
    statement: Statement, names: Iterable[str]
) -> tuple[Mapping[str, tuple[str, ...]], Resolved]:
    """What the statement can compute, and from what; and the statement in terms of `names`."""
    return _resolve_with(statement, frozenset(names))


# whoever evaluates at one point after the other gives the same names each time
@lru_cache(maxsize=1024)
def _resolve_with(
    statement: Statement, given: frozenset[str]
) -> tuple[Mapping[str, tuple[str, ...]], Resolved]:
    optional = frozenset(given & _only_to_derive(statement).keys())
    derived = {s.name: tuple(sorted(names_in(e))) for s, e in definitions(statement, optional)}
    return derived, resolve(statement, frozenset(given & derived.keys()) | optional)


def names_taken(statement: Statement) -> frozenset[str]:
    """Everything that may be given."""
    resolved = resolve(statement)
    derived = {symbol.name for symbol, _ in definitions(statement)} | {d.symbol.name for d in statement.where}
    return resolved.required | resolved.optional | derived | _only_to_derive(statement).keys()


def _only_to_derive(statement: Statement) -> dict[str, Definition]:
    """Names that only a definition knows that is not needed."""
    return {name: d for d in statement.where if not d.needed for name in names_in(d.expression)}
