"""Special cases: what a bound says where there is no noise, one client, one local step, no round.

A case gives numbers to quantities by the part they play; nothing here knows a statement. Where a term says
that it vanishes, it must. Zero is decided by expansion, growth by exponents. `verify.audit.limits.known`
compares with what is known at the start and along runs.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import final

from sympy import Expr, Symbol, nan, oo, zoo

from bounds.evaluation.resolve import unfold
from bounds.language.expression import text
from bounds.language.quantity import Role
from bounds.language.statement import Kind, Statement, Term
from bounds.language.vanishing import Grows, ToZero, equations
from verify.audit.limits.cases import (
    ALL,
    AVERAGED,
    CASES,
    FIRST_STEP,
    IDENTICAL,
    NO_NOISE,
    NO_ROUNDS,
    PAIRS,
    Values,
)
from verify.audit.limits.growth import tends
from verify.audit.limits.in_case import (
    DIFFERS,
    OTHER,
    REDUCES,
    Form,
    InCase,
    Limit,
    ShutOut,
    as_values,
    is_zero,
)
from verify.audit.limits.known import OF_AN_ORDER, at_exponent_one, at_the_start, below_one, known

BOUNDS = (Kind.UPPER_BOUND, Kind.EQUALITY, Kind.RATE)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A case in the quantities of one statement; `gone` are the terms that must vanish in it."""

    name: str
    values: Values
    gone: tuple[Term, ...]


@lru_cache(maxsize=512)
def check(statement: Statement) -> tuple[Limit, ...] | None:
    """Every special case that the quantities of the statement allow; None where it bounds nothing."""
    if statement.kind not in BOUNDS or not statement.evaluable:
        return None
    form = Form(statement)
    return (
        *(_limit(form, case) for case in cases(form)),
        *_tendencies(form),
        *at_the_start(form, _values(form, (NO_ROUNDS,))),
        *at_exponent_one(statement),
        *known(statement),
    )


def cases(form: Form) -> Iterator[Case]:
    """Named cases and those in which a term says that it vanishes, each set of values once."""
    terms = form.statement.terms
    apart = (NO_ROUNDS,) if _averaged(form) else (NO_ROUNDS, FIRST_STEP)
    wanted: dict[frozenset[tuple[str, int | str]], str] = {}
    for name in CASES:
        if name not in apart:
            wanted.setdefault(frozenset(_values(form, (name,)).items()), name)
    pairs = {frozenset(_values(form, pair).items()): " and ".join(pair) for pair in PAIRS}
    for own in (own for term in terms for own in absences(form, term)):
        shown = ", ".join(f"{name} = {value}" for name, value in own.items())
        key = frozenset(own.items())
        wanted.setdefault(key, pairs.get(key, shown))
    together = tuple(case for case in ALL if _values(form, (case,)))
    wanted.setdefault(frozenset(_values(form, together).items()), " and ".join(together))
    wanted.pop(frozenset(), None)
    for items, name in wanted.items():
        values = dict(sorted(items))
        yield Case(name=name, values=values, gone=tuple(t for t in terms if _gone(form, t, values)))


def absences(form: Form, term: Term) -> list[dict[str, int | str]]:
    """Each set of equations in which the term says that it vanishes, in the statement's own quantities."""
    found = (form.own(as_values(equations(vanishing))) for vanishing in term.vanishes)
    return [own for own in found if own]


def _values(form: Form, combination: tuple[str, ...]) -> dict[str, int | str]:
    """The cases in the statement's own quantities; empty where it has none of one of them."""
    key = f"{form.statement.paper.key}."
    parts = [
        form.own({n.removeprefix(key): v for n, v in CASES[case].items() if n.startswith(key)})
        for case in combination
    ]
    return {n: v for part in parts for n, v in part.items()} if all(parts) else {}


def _gone(form: Form, term: Term, values: Values) -> bool:
    """Whether the case contains one of the alternatives in which the term says that it vanishes."""
    enough = absences(form, term)
    differences = _values(form, (IDENTICAL,)) | _values(form, (NO_NOISE,))
    if _averaged(form) and any(own.items() <= differences.items() for own in enough):
        enough.append(_values(form, (FIRST_STEP,)))
    return any(own and own.items() <= values.items() for own in enough)


def _averaged(form: Form) -> bool:
    return f"{form.statement.paper.key}.{form.statement.left}" in AVERAGED


def _limit(form: Form, case: Case) -> Limit:
    try:
        there = form.in_case(case.values)
    except ShutOut as reason:
        return Limit(case=case.name, verdict=OTHER, detail=f"shut out: {reason}")
    left = {t.name: there.decided(t.expression) for t in form.statement.terms}
    endless = [name for name, value in left.items() if value.has(zoo, nan, oo, -oo)]
    if endless:
        return Limit(case=case.name, verdict=DIFFERS, detail=f"the term {endless[0]} has no value there")
    remain = [t for t in case.gone if not is_zero(left[t.name])]
    if remain:
        return _remaining(form, case, there, remain)
    shown = [text(there.shown(t.expression)) for t in form.statement.terms if t not in case.gone]
    rest = " + ".join(e for e in shown if e != "0") or "0"
    if not case.gone:
        return Limit(case=case.name, verdict=OTHER, detail=f"no term pays for what is absent; it is {rest}")
    names = ", ".join(t.name for t in case.gone)
    return Limit(case=case.name, verdict=REDUCES, detail=f"without {names}: {rest}")


def _remaining(form: Form, case: Case, there: InCase, remain: list[Term]) -> Limit:
    shown = {t: there.shown(t.expression) for t in remain}
    seen = {t: e for t, e in shown.items() if not _left_to_order(form, e, case.values.keys())}
    if not seen:
        rest = ", ".join(map(text, shown.values()))
        return Limit(case=case.name, verdict=OTHER, detail=f"{OF_AN_ORDER}: {rest}")
    detail = "; ".join(f"{t.name} pays for {t.pays_for}, and {text(e)} remains" for t, e in seen.items())
    return Limit(case=case.name, verdict=DIFFERS, detail=detail)


def _left_to_order(form: Form, shown: Expr, names: Collection[str]) -> bool:
    """Whether the constant of an O(.) in it may depend on one of the names, and so vanish with it.

    A constant of which nothing is said that it may not depend on is a number, and depends on nothing.
    """
    quantities = form.statement.notation.quantities
    own = [quantities[s.name] for s in shown.free_symbols if s.name in quantities]
    apart = [set(q.independent_of) for q in own if q.role is Role.ORDER_CONSTANT and q.independent_of]
    return any(set(names) - free for free in apart)


def _tendencies(form: Form) -> Iterator[Limit]:
    for term in form.statement.terms:
        for vanishing in term.vanishes:
            values = as_values(equations(vanishing))
            if isinstance(vanishing, Grows | ToZero):
                for symbol in sorted(vanishing.of.free_symbols, key=str):
                    yield _tendency(form, term, symbol, isinstance(vanishing, Grows))
            elif not values.keys() & form.symbols.keys():
                case = f"{', '.join(f'{n} = {v}' for n, v in values.items())}, for {term.name}"
                yield _without(form, case, unfold(term.expression, form.used), values)


def _without(form: Form, case: str, shown: Expr, names: Collection[str]) -> Limit:
    """A term that is said to vanish with what it does not contain."""
    if is_zero(shown):
        return Limit(case=case, verdict=REDUCES, detail="it is 0")
    quantities = form.statement.notation.quantities
    of_the_run = any(
        s.name not in quantities or quantities[s.name].role is Role.RUN for s in shown.free_symbols
    )
    if of_the_run or _left_to_order(form, shown, names):
        return Limit(case=case, verdict=OTHER, detail=f"{text(shown)} does not show it")
    detail = f"{text(shown)} does not contain {' or '.join(names)}"
    return Limit(case=case, verdict=DIFFERS, detail=detail)


def _tendency(form: Form, term: Term, symbol: Symbol, grows: bool) -> Limit:
    statement = form.statement
    case = f"{symbol} {'grows' if grows else '-> 0'}, for {term.name}"
    shown = unfold(term.expression, {s: e for s, e in form.used.items() if s != symbol})
    if symbol not in shown.free_symbols:
        return _without(form, case, shown, (symbol.name,))
    signs = form.shifts({symbol})

    def shrinks(base: Expr) -> bool:
        return below_one(statement, base.xreplace({e: s for s, e in signs.items()}))

    vanishes = tends(shown.xreplace(signs), symbol, grows, shrinks)
    if vanishes is None:
        return Limit(case=case, verdict=OTHER, detail=f"not decided by exponents: {text(shown)}")
    if vanishes:
        return Limit(case=case, verdict=REDUCES, detail="vanishes, by exponents")
    return Limit(case=case, verdict=DIFFERS, detail=f"does not vanish: {text(shown)}")
