"""Bounds beside what is known: at the start, where nothing was run, and along runs that are known exactly.

A bound below an exact value within its conditions is refuted. How far it lies above is only said: a bound
that is a multiple of the exact value is loose there, and may be the best in its generality.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from sympy import Expr, Integer, Symbol, expand

from bounds.arithmetic.arrays import run_arrays
from bounds.arithmetic.program import compile_expressions
from bounds.discovery import get
from bounds.evaluation.decide import decide
from bounds.evaluation.resolve import Resolved, resolve, unfold
from bounds.language.condition import Condition, Relation
from bounds.language.expression import text
from bounds.language.statement import Kind, Statement
from verify.audit.limits.cases import AT_EXPONENT_ONE, EXPONENT_ONE, NO_ROUNDS, STARTS, Values
from verify.audit.limits.in_case import DIFFERS, OTHER, REDUCES, Form, Limit, ShutOut
from verify.audit.limits.known_runs import KNOBS, OBSERVED, ONLY, PARTS, Run, down, runs
from verify.audit.limits.signs import nonnegative
from verify.infeasibility.finder import certify
from verify.infeasibility.system import Inequality, inequalities, signs_of, system
from verify.parameters.valid import domain_of

OF_AN_ORDER = "left to the constant of an O(.)"
EXACT_RUNS = "runs that are known exactly"
EXACT_AND_IDENTICAL = {"zeta": 0.0, "sigma": 0.0}
LEAST_SHARE = 0.5  # of the decrease: the limit of a bound is the other one, or nothing near it
EXACT = Symbol("exact_value", real=True)


def at_the_start(form: Form, values: Values) -> Iterator[Limit]:
    """Before the first round what is bounded has a known value, or a known largest one."""
    start = _start(form)
    if not values or start is None:
        return
    try:
        there = form.in_case(values)
    except ShutOut as reason:
        yield Limit(case=NO_ROUNDS, verdict=OTHER, detail=f"shut out: {reason}")
        return
    if form.statement.kind is Kind.RATE:
        yield Limit(case=NO_ROUNDS, verdict=OTHER, detail=OF_AN_ORDER)
        return
    # A derived quantity keeps its name and with it its sign; so do prescribed ones at first: to forget what
    # is prescribed only weakens, and leaves less to expand.
    signs = form.shifts(set(there.case))
    prescribed = {c.symbol: c.expression for c in form.statement.choices}
    for used in (there.case, {**prescribed, **there.case}):
        bound = unfold(unfold(form.statement.right, used), signs)
        if _at_least(bound, start.xreplace(signs)):
            equal = expand(bound - start.xreplace(signs)) == 0
            detail = f"{'exactly' if equal else 'at least'} {text(start)}, as at the start"
            yield Limit(case=NO_ROUNDS, verdict=REDUCES, detail=detail)
            return
    yield _tried(form, values, start)


def _start(form: Form) -> Expr | None:
    left = form.statement.left
    if not isinstance(left, Symbol):
        return None
    known = STARTS.get(f"{form.statement.paper.key}.{left.name}")
    if known is not None:
        name, power = known
        return form.symbols[name] ** power if name in form.symbols else Integer(0) if not name else None
    observable = form.statement.notation.observables.get(left.name)
    return None if observable is None else observable.free_bound


def _at_least(bound: Expr, start: Expr) -> bool:
    """The signs of the terms of the difference decide, or of those of the difference of the squares."""
    if nonnegative(expand(bound - start)):
        return True
    return nonnegative(bound) and nonnegative(expand(bound**2 - start**2))


def _tried(form: Form, values: Values, start: Expr) -> Limit:
    """At the statement's example, moved to the start; and there with all that may be zero but the start."""
    statement = form.statement
    moved = {n: float(v) for n, v in values.items() if isinstance(v, int)}
    example = {n: float(v) for n, v in statement.example.items()} | moved
    start_names = {symbol.name for symbol in start.free_symbols}
    bare = {n: 0.0 if n not in start_names and _may_be_zero(statement, n) else v for n, v in example.items()}
    for point in (example, bare):
        if _below(statement, point, start):
            where = ", ".join(f"{name} = {value:g}" for name, value in point.items())
            detail = f"below {text(start)}, which is at the start, at {where}"
            return Limit(case=NO_ROUNDS, verdict=DIFFERS, detail=detail)
    return Limit(case=NO_ROUNDS, verdict=OTHER, detail=f"no proof that it is at least {text(start)}")


def _may_be_zero(statement: Statement, name: str) -> bool:
    domain = domain_of(statement, name)
    return domain.lower == 0 and domain.lower_included


def _below(statement: Statement, point: Mapping[str, float], start: Expr) -> bool:
    resolved = resolve(statement, frozenset(point))
    value = sum(resolved.terms, Integer(0))
    below = Condition(value=value, relation=Relation.BELOW, limit=start, locator="", printed="")
    pairs = [*zip(statement.conditions, resolved.conditions, strict=True), (below, (value, start))]
    return all(decide(condition, *sides, dict(point)).holds is True for condition, sides in pairs)


def at_exponent_one(statement: Statement) -> Iterator[Limit]:
    """Beside what holds at exponent 1, where gradients are exact and clients identical."""
    known_at_one = AT_EXPONENT_ONE.get(f"{statement.paper.key}.{statement.left}")
    if known_at_one is None or "alpha" not in statement.example:
        return
    other, name, at_one = known_at_one
    point = {**statement.example, **EXACT_AND_IDENTICAL, "alpha": 1 + 2.0**-10}
    beside = get(other)
    there = {n: point[name] if n == at_one else point.get(n, 1.0) for n in beside.example}
    start = point["f0_gap"]
    share = (start - statement.evaluate(**point).value) / (start - beside.evaluate(**there).value)
    detail = f"{share:.3g} of the decrease that {other} gives, at its example with exponent 1 + 2^-10"
    yield Limit(case=EXPONENT_ONE, verdict=REDUCES if share > LEAST_SHARE else DIFFERS, detail=detail)


def known(statement: Statement) -> Iterator[Limit]:
    """Beside every exact run that the statement speaks of."""
    left = statement.left
    parts = PARTS.get(statement.paper.key, {})
    observed = OBSERVED.get(f"{statement.paper.key}.{left.name}") if isinstance(left, Symbol) else None
    if statement.kind is not Kind.UPPER_BOUND or observed is None:
        return
    resolved = resolve(statement, frozenset(d.symbol.name for d in statement.where if d.symbol.name in parts))
    names = resolved.required | resolved.optional
    without = sorted(names - parts.keys())
    if without:
        detail = f"{', '.join(without)} has no part in them"
        yield Limit(case=EXACT_RUNS, verdict=OTHER, detail=detail)
        return
    kinds = {ONLY[a.name] for a in statement.assumptions if a.name in ONLY}
    asked = {parts[n] for n in (*names, *(c.symbol.name for c in statement.choices)) if n in parts}
    fit = [
        run
        for run in runs()
        if observed in run.values and asked <= run.facts.keys() and run.shown <= asked and kinds <= {run.name}
    ]
    yield _beside(statement, resolved, observed, fit)


def _beside(statement: Statement, resolved: Resolved, observed: str, fit: list[Run]) -> Limit:
    none = Limit(case=EXACT_RUNS, verdict=OTHER, detail="none of them meets its conditions")
    if not fit:
        return none
    parts = PARTS[statement.paper.key]
    names = sorted(resolved.required | resolved.optional)
    point: dict[str, Any] = {n: np.array([float(run.facts[parts[n]]) for run in fit]) for n in names}
    exact = np.array([float(down(run.values[observed])) for run in fit])
    ok = np.ones(len(fit), dtype=bool)
    for condition, sides in zip(statement.conditions, resolved.conditions, strict=True):
        ok &= decide(condition, *sides, point).holds
    ok &= _as_prescribed(statement, resolved, point, fit)
    if not ok.any():
        return none
    point = {name: values[ok] for name, values in point.items()} | {EXACT.name: exact[ok]}
    value = sum(resolved.terms, Integer(0))
    asked = Condition(value=value, relation=Relation.BELOW, limit=EXACT, locator="", printed="")
    below = np.broadcast_to(decide(asked, value, EXACT, point).holds, exact[ok].shape)
    program = compile_expressions([value])
    bound = np.broadcast_to(run_arrays(program, {n: point[n] for n in program.inputs})[0], exact[ok].shape)
    applicable = [run for run, fits in zip(fit, ok, strict=True) if fits]
    return _compared(applicable, point, bound, below)


def _as_prescribed(
    statement: Statement, resolved: Resolved, point: Mapping[str, Any], fit: list[Run]
) -> np.ndarray:
    """The step, the rounds and the constants of a run are those that the statement prescribes."""
    parts = PARTS[statement.paper.key]
    derived = dict(resolved.derived)
    ok = np.ones(len(fit), dtype=bool)
    for choice in statement.choices:
        part = parts.get(choice.symbol.name)
        if part is None or part in KNOBS:
            continue
        own = derived[choice.symbol.name]
        program = compile_expressions([own])
        value = np.broadcast_to(
            run_arrays(program, {n: point[n] for n in program.inputs})[0] if program.inputs else float(own),
            (len(fit),),
        )
        ok &= value == np.array([float(run.facts[part]) for run in fit])
    return ok


def _compared(applicable: list[Run], point: Mapping[str, Any], bound: Any, below: Any) -> Limit:
    exact = point[EXACT.name]
    if below.any():
        relative = np.divide(bound, exact, out=np.full(exact.shape, -np.inf), where=exact > 0)
        worst = int(np.argmin(np.where(below, relative, np.inf)))
        where = ", ".join(f"{n} = {v[worst]:.17g}" for n, v in point.items() if n != EXACT.name)
        detail = f"{bound[worst]:.6g}, and exactly {exact[worst]:.6g} on a {applicable[worst].name}: {where}"
        return Limit(case=EXACT_RUNS, verdict=DIFFERS, detail=detail)
    ratios = bound[exact > 0] / exact[exact > 0]
    detail = f"{ratios.min():.4g} to {ratios.max():.4g} times the exact value on {len(applicable)} runs"
    return Limit(case=EXACT_RUNS, verdict=REDUCES, detail=detail)


def below_one(statement: Statement, base: Expr) -> bool:
    """Whether the conditions keep the base strictly between -1 and 1; a certificate, or no."""
    outside = (Inequality("at least 1", base - 1, False), Inequality("at most -1", -1 - base, False))
    asked, signs = inequalities(statement), signs_of(statement)
    return all(certify(system((*asked, one), signs)) is not None for one in outside)
