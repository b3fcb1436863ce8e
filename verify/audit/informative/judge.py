"""Whether a bound is informative: below its free bound at some point, and at which.

Its free bound is that of the observable on its left, or the number by which one of its own conditions caps
the quantity whose mean is bounded, or else the left side at the start, which a method that returns its start
reaches without a round. A point where the bound is below it is decided as conditions are; that no
such point exists is said only with a certificate. Where a statement asks for quantities of a run, the point
is that of a run that is carried out: a search would make up what no run has.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Min, Symbol

from bounds.arithmetic.arrays import run_arrays
from bounds.arithmetic.program import Program, compile_expressions
from bounds.errors import with_article
from bounds.evaluation.decide import decide
from bounds.evaluation.free_bound import known_before_any_run
from bounds.evaluation.resolve import names_taken, resolve, substitution, unfold
from bounds.language.condition import Condition, Relation, at_least, at_most
from bounds.language.expression import text
from bounds.language.quantity import Role
from bounds.language.statement import Kind, Statement
from verify.audit.informative.floor import floors
from verify.audit.satisfiable import recorded_runs
from verify.audit.satisfiable.excluded import Proved
from verify.audit.satisfiable.together import holds_at
from verify.infeasibility.checker import Certificate, System
from verify.infeasibility.finder import certify
from verify.infeasibility.system import Inequality, inequalities, signs_of, system
from verify.parameters.lemmas import grows_at_most_quadratically
from verify.parameters.region import region
from verify.parameters.valid import UnsolvableCondition
from verify.search.smallest import RESTARTS, Point, smallest

LONGEST_RUN = 10**12
FAR_BELOW = 0.1  # of the free bound: a search for a point stops here
# Where a statement takes any lower bounds, a search keeps to what infima can be: that of a client is at least
# the mean of those of its data.
OF_INFIMA = (("Delta_i_inf_mean", "Delta_inf"),)
# The lemma on a Lojasiewicz constant: beyond it every iterate is a minimizer, and nothing is stated.
STEEPEST = ("L", "mu_1")


class Verdict(Enum):
    INFORMATIVE = "informative"
    UNINFORMATIVE = "uninformative"
    NO_BOUND = "no bound"
    NO_FREE_BOUND = "no free bound is known"
    CONSTANTS_OPEN = "constants of an O(.) are open"
    INCONCLUSIVE = "inconclusive"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Informed:
    """`ratio` is the bound over its free bound at `point`; `proof` is that of an uninformative one."""

    verdict: Verdict
    evidence: str
    sentence: str
    ratio: float | None = None
    point: Point | None = None
    from_on: Mapping[str, int | None] | None = None
    silent: tuple[str, ...] = ()
    floors: tuple[Proved, ...] = ()
    proof: tuple[System, Certificate] | None = None


def judge(statement: Statement) -> Informed:
    if statement.kind not in (Kind.UPPER_BOUND, Kind.RATE) or not statement.evaluable:
        return _plain(Verdict.NO_BOUND, with_article(statement.kind.value))
    if any(q.role is Role.ORDER_CONSTANT for q in _quantities(statement)):
        where = f"; see {statement.explicit}" if statement.explicit else ""
        return _plain(Verdict.CONSTANTS_OPEN, f"its size is that of constants that are not printed{where}")
    silent = tuple(_silent(statement))
    free, source = free_bound(statement)
    if free is None:
        reason = "no formula bounds its left side without it; `fedbounds eval` compares at one point"
        return Informed(
            verdict=Verdict.NO_FREE_BOUND,
            evidence="",
            sentence="; ".join([reason, *silent]),
            silent=silent,
            floors=tuple(floors(statement)),
        )
    return _against(statement, free, source, silent)


def _plain(verdict: Verdict, sentence: str) -> Informed:
    return Informed(verdict=verdict, evidence="", sentence=sentence)


def _quantities(statement: Statement) -> list[Any]:
    resolved = resolve(statement)
    known = statement.notation.quantities
    return [known[name] for name in sorted(resolved.required) if name in known]


def free_bound(statement: Statement) -> tuple[Expr | None, str]:
    """What the left side is below anyway, or without a single round, and why."""
    left = statement.left
    if isinstance(left, Symbol):
        observable = statement.notation.observables.get(left.name)
        if observable is not None and observable.free_bound is not None:
            return observable.free_bound, "known before any run"
        for condition in statement.conditions:
            capped = (
                isinstance(condition.value, Symbol) and condition.relation.upper and condition.limit.is_number
            )
            if capped and left.name == f"{condition.value.name}_mean":
                return condition.limit, f"what its own condition {condition.id} asks"
    return _find_least_at_start(statement)


def _find_least_at_start(statement: Statement) -> tuple[Expr | None, str]:
    """The smallest of what is known of the left side at the start, in the statement's own quantities."""
    own = names_taken(statement)
    known = {
        str(k.expression): k  # one formula in two sets of symbols is one
        for k in known_before_any_run(statement)
        if {s.name for s in k.expression.free_symbols} <= own
    }
    if not known:
        return None, ""
    smallest = Min(*(k.expression for k in known.values()))
    return smallest, "; or ".join(dict.fromkeys(k.because for k in known.values()))


@final
class _Ratio:
    """The bound over its free bound, at many points at once and exactly at one."""

    def __init__(self, statement: Statement, free: Expr) -> None:
        self.statement, self.free = statement, free
        self.used = substitution(statement)

    @cached_property
    def program(self) -> Program:
        return compile_expressions([self.statement.right, self.free], self.used)

    def __call__(self, points: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
        value, free = run_arrays(self.program, {name: points[name] for name in self.program.inputs})
        # A bound below 0 is at the point of no problem, as no gap is; a start at rest has no ratio.
        counts = (value >= 0) & (free > 0)
        ratio = np.divide(value, free, out=np.full(np.shape(counts), np.inf), where=counts)
        return np.asarray(ratio + 0 * next(iter(points.values())))

    def below(self, point: Point) -> bool:
        """Decided with a rounding bound, and by ball arithmetic where the two are close."""
        condition = Condition(
            value=self.statement.right,
            relation=Relation.BELOW,
            limit=self.free,
            locator="free bound",
            printed="",
        )
        value, limit = (unfold(side, self.used) for side in (self.statement.right, self.free))
        return bool(decide(condition, value, limit, dict(point)).holds)


def _against(statement: Statement, free: Expr, source: str, silent: tuple[str, ...]) -> Informed:
    ratio = _Ratio(statement, free)
    run = recorded_runs.of(statement) if recorded_runs.asks_for_a_run(statement) else None
    best, point = _smallest(statement, ratio)
    counts = point is not None and np.isfinite(best)
    found = point is not None and counts and ratio.below(point) and _holds(statement, point)
    known = tuple(floors(statement))
    common: dict[str, Any] = {
        "ratio": best if counts else None,
        "point": point if counts else None,
        "from_on": {} if run else _from_on(statement, ratio),
        "silent": silent,
        "floors": known,
    }
    if found:
        where = f"at the point, {run.problem}," if run else "at the point"
        below = f"{where} it is {_describe_share(best)} of {text(free)}, {source}"
        others = (*(f.sentence for f in known), *_describe_threshold(common["from_on"]), *silent)
        return Informed(
            verdict=Verdict.INFORMATIVE,
            evidence="point and problem" if run else "point",
            sentence="; ".join((below, *others)),
            **common,
        )
    proof = _never_below(statement, unfold(free, ratio.used))
    if proof is not None:
        return Informed(
            verdict=Verdict.UNINFORMATIVE,
            evidence="certificate",
            sentence=f"it is never below {text(free)}, {source}",
            proof=proof,
            **common,
        )
    return Informed(
        verdict=Verdict.INCONCLUSIVE,
        evidence="searched",
        sentence=f"no point was found where it is below {text(free)}, and no proof that there is none",
        **common,
    )


def _describe_share(ratio: float) -> str:
    return f"{ratio:.3g}" if ratio else "less than 1e-300"  # a power of what is below 1 underflows


def _smallest(statement: Statement, ratio: _Ratio) -> tuple[float, Point | None]:
    if recorded_runs.asks_for_a_run(statement):
        return _read_recorded_run(statement, ratio)
    example = {name: float(value) for name, value in statement.example.items()}
    narrower = _keep_to_problems(statement)
    known = [example] if example.keys() >= {*ratio.program.inputs} and holds_at(narrower, example) else []
    restarts = RESTARTS if narrower == statement else 4 * RESTARTS
    try:
        among = region(narrower, ratio.program.inputs)
        return smallest(among, ratio, known, enough=FAR_BELOW, restarts=restarts)
    except UnsolvableCondition:
        return (
            (float(ratio({n: np.array([v]) for n, v in example.items()})[0]), example)
            if known
            else (np.inf, None)
        )


def _keep_to_problems(statement: Statement) -> Statement:
    """Add conditions that its problems satisfy, where the statement itself does not ask for them."""
    spoken_of = {symbol.name: symbol for term in resolve(statement).terms for symbol in term.free_symbols}
    more = [
        at_least(spoken_of[larger], spoken_of[smaller], locator="infima", printed="")
        for larger, smaller in OF_INFIMA
        if {larger, smaller} <= spoken_of.keys()
    ]
    smoothness, steepest = map(spoken_of.get, STEEPEST)
    if smoothness is not None and steepest is not None and grows_at_most_quadratically(statement):
        more.append(at_most(steepest, 2 * smoothness, locator="smoothness", printed=""))
    return replace(statement, conditions=(*statement.conditions, *more))


def _read_recorded_run(statement: Statement, ratio: _Ratio) -> tuple[float, Point | None]:
    """Nothing where no run is on file."""
    point = recorded_runs.point(statement)
    if point is None:
        return np.inf, None
    return float(ratio({n: np.array([v]) for n, v in point.items()})[0]), point


def _holds(statement: Statement, point: Point) -> bool:
    """At a point that may also give what only the free bound knows."""
    resolved = resolve(statement)
    return holds_at(statement, {n: v for n, v in point.items() if n in resolved.required | resolved.optional})


def _never_below(statement: Statement, free: Expr) -> tuple[System, Certificate] | None:
    value = sum(resolve(statement).terms)
    below = Inequality("below its free bound", free - value, True)
    asked = system((*inequalities(statement), below), signs_of(statement))
    proof = certify(asked)
    return None if proof is None else (asked, proof)


def _silent(statement: Statement) -> list[str]:
    """Observables on the left whose coefficient is not above 0 somewhere within the conditions."""
    if isinstance(statement.left, Symbol) or statement.left is None:
        return []
    observables = [s for s in statement.left.free_symbols if s.name in statement.notation.observables]
    coefficients = [(o, statement.left.diff(o)) for o in sorted(observables, key=str)]
    # A number or a product of positive quantities keeps its sign.
    open_ones = [(o, c) for o, c in coefficients if not (c.is_number or c.is_positive or c.is_negative)]
    negative_at = [(o, _negative_at(statement, c)) for o, c in open_ones]
    return [
        f"it does not bound {o.name} when its coefficient is negative, as at {where}"
        for o, where in negative_at
        if where
    ]


def _negative_at(statement: Statement, coefficient: Expr) -> str:
    """A point where the coefficient is negative; empty where none is found, or proved not to exist."""
    derived = frozenset(definition.symbol.name for definition in statement.where)
    below = Inequality("not above 0", -unfold(coefficient, substitution(statement, derived)), False)
    asked = system((*inequalities(statement, derived), below), signs_of(statement, derived))
    if certify(asked) is not None:
        return ""
    used = substitution(statement)
    program = compile_expressions([coefficient], used)

    def value(points: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
        (out,) = run_arrays(program, {name: points[name] for name in program.inputs})
        return np.asarray(out + 0 * next(iter(points.values())))

    try:
        lowest, point = smallest(region(statement), value, enough=-1e-3)
    except UnsolvableCondition:
        return ""
    if point is None or lowest >= 0 or not holds_at(statement, point):
        return ""
    return ", ".join(f"{name} = {point[name]:.6g}" for name in program.inputs)


def _from_on(statement: Statement, ratio: _Ratio) -> dict[str, int | None]:
    """For every count that lowers the bound: the first at which the example is below its free bound."""
    example = {name: float(value) for name, value in statement.example.items()}
    out: dict[str, int | None] = {}
    for symbol in statement.decreasing:
        quantity = statement.notation.quantities[symbol.name]
        if quantity.domain.integer and symbol.name in example and example.keys() >= {*ratio.program.inputs}:
            out[symbol.name] = _first(statement, ratio, example, symbol.name, int(quantity.domain.lower))
    return out


def _first(statement: Statement, ratio: _Ratio, example: Point, name: str, lowest: int) -> int | None:
    def informs(count: int) -> bool:
        point = {**example, name: float(count)}
        return _holds(statement, point) and float(ratio({n: np.array([v]) for n, v in point.items()})[0]) < 1

    high = max(lowest, 1)
    while not informs(high):
        if high >= LONGEST_RUN:
            return None
        high *= 2
    low = high // 2
    while high - low > 1 and low >= lowest:
        middle = (low + high) // 2
        low, high = (low, middle) if informs(middle) else (middle, high)
    return high


def _describe_threshold(from_on: Mapping[str, int | None]) -> list[str]:
    return [
        f"with the rest of its example from {name} = {count} on" if count is not None
        else f"with the rest of its example for no {name} up to {LONGEST_RUN:.0e}"
        for name, count in from_on.items()
    ]  # fmt: skip
