"""Whether a value is informative: below what the left-hand side is at the start, which costs nothing.

A statement says it itself, or its observables do (`before_any_run`, `free_bound`), or it follows from what an
observable measures and from the parts of the quantities: the gap, the distance, smoothness, Lipschitz. Of all
that the numbers at hand decide the smallest counts.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final, final

import numpy as np
from sympy import Add, Expr, Integer, Symbol, sqrt

from bounds.arithmetic.arrays import run_arrays
from bounds.arithmetic.program import compile_expressions
from bounds.evaluation.evaluate import Evaluation
from bounds.evaluation.resolve import names_in, names_taken
from bounds.language.before_any_run import BeforeAnyRun, before
from bounds.language.part import Of
from bounds.language.quantity import Observable, Over
from bounds.language.statement import Kind, Statement

BOUNDING: Final = (Kind.UPPER_BOUND, Kind.RATE)
SMOOTHNESS: Final = ("smoothness", "largest_component_smoothness")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FreeBound:
    """`value` is None where nothing is known, and `reason` says why; `missing` would decide it."""

    value: float | None
    expression: Expr | None = None
    because: str = ""
    reason: str = ""
    missing: tuple[str, ...] = ()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Informed:
    """`informative`: the value is below the free bound; None where that is not decided, with the `reason`."""

    free: FreeBound
    informative: bool | None
    reason: str = ""


def known_before_any_run(statement: Statement) -> tuple[BeforeAnyRun, ...]:
    """Every bound of the left side at the start that the statement and its notation know."""
    if statement.kind not in BOUNDING or statement.left is None:
        return ()
    left = statement.left
    observables = statement.notation.observables
    of_terms = [observables[s.name] for s in left.free_symbols if s.name in observables]
    sums = _bound_sum(statement, left, of_terms) if of_terms else ()
    return tuple(dict.fromkeys((*statement.before_any_run, *sums)))


def _bound_sum(statement: Statement, left: Expr, observables: list[Observable]) -> tuple[BeforeAnyRun, ...]:
    """A sum of observables with coefficients >= 0 is at most the sum of what each is at most."""
    symbols = {s.name: s for s in left.free_symbols}
    weights = {o.name: left.diff(symbols[o.name]) for o in observables}
    rest = left.xreplace({symbols[o.name]: Integer(0) for o in observables})
    random = {symbols[name] for name in weights}
    if rest != 0 or any(w.free_symbols & random or not w.is_nonnegative for w in weights.values()):
        return ()
    first, *others = [_bound_observable(statement, observable) for observable in observables]
    if not others:
        weight = weights[observables[0].name]
        return tuple(k if weight == 1 else before(weight * k.expression, k.because) for k in first)
    if not (first and all(others)):
        return ()
    best = [known[0] for known in (first, *others)]
    total = Add(*(weights[o.name] * k.expression for o, k in zip(observables, best, strict=True)))
    return (before(total, "; ".join(k.because for k in best)),)


def _bound_observable(statement: Statement, observable: Observable) -> list[BeforeAnyRun]:
    known = list(observable.before_any_run)
    if observable.free_bound is not None:
        known.append(before(observable.free_bound, ""))
    if observable.over is Over.SUM:  # what a part says of one state it does not say of a weighted sum
        return known
    return known + list(_by_parts(statement, observable.measured))


def _by_parts(statement: Statement, measured: str) -> Iterator[BeforeAnyRun]:
    """From smoothness f(w) - f* <= L/2 ||w - w*||^2 and ||grad f||^2 <= 2 L (f - f*); G bounds gradients."""
    gap, distance = (_part(statement, Of.START, name) for name in ("gap", "distance"))
    smoothness = next(filter(None, (_part(statement, Of.CONSTANT, name) for name in SMOOTHNESS)), None)
    lipschitz = _part(statement, Of.CONSTANT, "lipschitz")
    power = 2 if measured == "squared_gradient_norm" else 1
    if measured == "gap":
        if gap is not None:
            yield before(gap, "the gap at the start")
        if smoothness is not None and distance is not None:
            yield before(smoothness * distance**2 / 2, "the gap at the start, by smoothness")
        if lipschitz is not None and distance is not None:
            yield before(lipschitz * distance, "the gap at the start, by the Lipschitz constant")
    elif measured in ("gradient_norm", "squared_gradient_norm"):
        if smoothness is not None and gap is not None:
            yield before(sqrt(2 * smoothness * gap) ** power, "the gradient at the start, by smoothness")
        if smoothness is not None and distance is not None:
            yield before((smoothness * distance) ** power, "the gradient at the start, by smoothness")
        if lipschitz is not None:
            yield before(lipschitz**power, "no gradient is longer than the Lipschitz constant")
    elif measured == "squared_distance" and distance is not None:
        yield before(distance**2, "the squared distance at the start")


def _part(statement: Statement, of: Of, name: str) -> Symbol | None:
    """The quantity that is this number itself, not a multiple or a root of it."""
    for quantity in statement.notation.quantities.values():
        part = quantity.part
        if part is None or part.of is not of or name not in (part.name, part.or_else):
            continue
        if part.times == 1 and not part.root and not part.lower and quantity.name in names_taken(statement):
            return Symbol(quantity.name, real=True, nonnegative=True)
    return None


def free_names(statement: Statement) -> frozenset[str]:
    """Quantities that only the free bound knows: the statement itself does not take them."""
    known = statement.notation.quantities
    named = {s.name for k in known_before_any_run(statement) for s in k.expression.free_symbols}
    return frozenset(named & known.keys()) - names_taken(statement)


def free_bound(statement: Statement, numbers: Mapping[str, float]) -> FreeBound:
    """The smallest of what these numbers decide."""
    known = known_before_any_run(statement)
    if not known:
        return FreeBound(value=None, reason=why_none(statement))
    decided = [(_value(k.expression, numbers), k) for k in known if names_in(k.expression) <= numbers.keys()]
    finite = [(value, k) for value, k in decided if isfinite(value)]
    if not finite:
        absent = [sorted(names_in(k.expression) - numbers.keys()) for k in known]
        missing = min(absent, key=lambda names: len(names))
        return FreeBound(
            value=None, reason=f"it needs a value for {', '.join(missing)}", missing=tuple(missing)
        )
    value, best = min(finite, key=lambda pair: pair[0])
    return FreeBound(value=value, expression=best.expression, because=best.because)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class InformedEverywhere:
    """Over arrays: `free` is None where nothing is known at any point, and `reason` says why."""

    free: Any
    informative: Any
    reason: str = ""


def inform_everywhere(evaluation: Evaluation, more: Mapping[str, Any] | None = None) -> InformedEverywhere:
    """`inform` at every point of an evaluation over arrays."""
    numbers = {**evaluation.derived, **evaluation.inputs, **(more or {})}
    known = known_before_any_run(evaluation.statement)
    decided = [_values(k.expression, numbers) for k in known if names_in(k.expression) <= numbers.keys()]
    if not decided or evaluation.value is None:
        one = dict.fromkeys(numbers, 0.0)
        free = free_bound(evaluation.statement, one) if not decided else None
        reason = f"no free bound: {free.reason}" if free is not None else "the bound has no value"
        return InformedEverywhere(free=None, informative=None, reason=reason)
    smallest = np.broadcast_to(np.minimum.reduce(np.broadcast_arrays(*decided)), evaluation.shape)
    value = np.broadcast_to(np.asarray(evaluation.value, dtype=np.float64), evaluation.shape)
    claims = np.broadcast_to(np.asarray(evaluation.applicable), evaluation.shape) != np.array(False)
    sure = claims & np.isfinite(value) & np.isfinite(smallest)
    return InformedEverywhere(free=smallest, informative=np.where(sure, value < smallest, np.array(None)))


def _values(expression: Expr, numbers: Mapping[str, Any]) -> Any:
    program = compile_expressions([expression])
    return run_arrays(program, {name: np.asarray(numbers[name]) for name in program.inputs})[0]


def _value(expression: Expr, numbers: Mapping[str, float]) -> float:
    program = compile_expressions([expression])
    return float(run_arrays(program, {name: float(numbers[name]) for name in program.inputs})[0])


def why_none(statement: Statement) -> str:
    """Why nothing is known of a left side before a run."""
    if statement.kind not in BOUNDING or statement.left is None:
        return f"a statement of kind {statement.kind.value} bounds nothing that a run ends with"
    known = statement.notation.observables
    over = {known[s.name].over for s in statement.left.free_symbols if s.name in known}
    if not over:
        return "its left side is no observable of a run"
    if Over.ONE_STEP in over:
        return "it bounds one step or one operation, which has no start of its own"
    if Over.FIXED_STEP in over:
        return "it bounds what a number of steps do to a run, and without a step there is nothing to bound"
    return "nothing bounds its left side at the start"


def inform(evaluation: Evaluation, more: Mapping[str, Any] | None = None) -> Informed:
    """Compare a value at one point with its free bound; `more` are numbers that only the latter knows."""
    numbers = {**evaluation.derived, **evaluation.inputs, **(more or {})}
    free = free_bound(evaluation.statement, numbers)
    if free.value is None:
        return Informed(free=free, informative=None, reason=f"no free bound: {free.reason}")
    value = evaluation.value
    if value is None or not isfinite(value):
        return Informed(free=free, informative=None, reason="the bound has no value")
    if evaluation.applicable is False:
        return Informed(free=free, informative=None, reason="a condition fails, so the value bounds nothing")
    return Informed(free=free, informative=bool(value < free.value))
