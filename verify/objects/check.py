"""Lemmas on vectors, functions, sequences and numbers, tried on random and adversarial objects.

A case is judged up to rounding of float64: an excess within ROUNDING of the sum of the magnitudes on both
sides says nothing. A larger one is computed again from the same objects in extended precision: what shrinks
was rounding. What stays is evaluated in 50 digits, and refutes where it is beyond CLEAR.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from typing import Any, Final, final

import numpy as np

from bounds import discovery
from bounds.language.finding import Verdict
from bounds.language.statement import Statement
from verify.cell import plain
from verify.json_numbers import agree_on_objects
from verify.objects.both_sides import Objects, Tried, is_equality, numbers_of, on_objects
from verify.objects.certainty import excess_in_digits, survives, too_few
from verify.objects.counterexample import counterexample
from verify.objects.declared import declaration_of
from verify.objects.draw import CASES, MANY
from verify.objects.in_digits import Case
from verify.objects.more_digits import both_sides, extended, is_extended
from verify.objects.recipes import can_be_tried, draws, seeds_of
from verify.parameters.lemmas import leaving_nothing

KIND: Final = "property"
TRIALS, QUICK_TRIALS = 6, 1
# A share of the sum of the magnitudes on both sides.
ROUNDING: Final = 4096 * float(np.finfo(np.float64).eps)
CLEAR: Final = 1e-9
# Far above what 50 digits round, far below what objects of float64 do.
IN_DIGITS: Final = 1e-30
# A right side below this share of what it is made of has no ratio that means anything.
DISTINCT: Final = 1e-6
# Roundings of extended precision are 2048 times finer: an excess that shrinks by this much was made of them.
SHRINKS: Final = 16
METHOD: Final = (
    "random and adversarial objects in float64, judged up to 4096 roundings of the sum of the magnitudes; "
    "a larger excess again in extended precision and 50 digits"
)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """A statement, in one of its forms, that is tried on objects."""

    statement: str
    variant: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Worst:
    """The case that comes nearest to breaking the relation, or breaks it."""

    tried: Tried
    case: int
    left: float
    right: float
    share: float


def properties(statements: Sequence[Statement]) -> tuple[Property, ...]:
    return tuple(Property(statement=s.id, variant=s.variant) for s in statements if can_be_tried(s))


def run_property(tested: Property, *, seed: int, trials: int) -> dict[str, Any]:
    """What a record keeps of it."""
    statement = discovery.get(tested.statement, tested.variant)
    return judged(statement, list(draws(statement, seed=seed, trials=trials)), seed=seed, trials=trials)


def refused_property(tested: Property, why: str, *, seed: int, trials: int) -> dict[str, Any]:
    """The same where an author's mistake ended the trial."""
    nothing = judged(discovery.get(tested.statement, tested.variant), [], seed=seed, trials=trials)
    return nothing | {"sentence": f"{Verdict.REFUSED.value}: {why}"}


def judged(
    statement: Statement, drawn: Sequence[tuple[str, Objects]], *, seed: int, trials: int
) -> dict[str, Any]:
    """The entry of a statement that was tried on these objects."""
    empty = leaving_nothing(statement)  # then whatever is drawn breaks a hypothesis, or is trivial
    tried = [on_objects(statement, family, objects) for family, objects in drawn] if empty is None else []
    results = [t for t in tried if t is not None]
    verdict, worst, why = verdict_of(statement, results)
    families: dict[str, int] = {}
    for t in results:
        families[t.family] = families.get(t.family, 0) + t.counted
    cases = sum(families.values())
    few = too_few(statement, cases, len(drawn))
    if few is not None and verdict in (Verdict.HOLDS, Verdict.REFUSED):
        verdict, why = (Verdict.INCONCLUSIVE if cases else Verdict.REFUSED), few
    if empty is not None:
        verdict, why = Verdict.VACUOUS, empty.consequence
    more: dict[str, Any] = {} if declaration_of(statement) is None else {"drawn": _drawn(results, len(drawn))}
    if verdict is Verdict.VIOLATED and worst is not None:
        near = [d for d in seeds_of(statement, seed=seed, trials=trials) if d[0].name == worst.tried.family]
        at = Case(objects=worst.tried.objects, case=worst.case, cases=worst.tried.share.size)
        shown = counterexample(statement, at, near)
        more |= {} if shown is None else {"counterexample": shown}
    return more | {
        "id": statement.id,
        "variant": statement.variant,
        "kind": KIND,
        "cases": cases,
        "families": families,
        "worst": None if worst is None else _shown(worst),
        "rounding": None if worst is None else _roundings(worst),
        "verdict": verdict.value,
        "method": METHOD,
        "sentence": _sentence(verdict, worst, why, cases, more.get("drawn", cases)),
        "seed": seed,
        "trials": trials,
    }


def _drawn(results: Sequence[Tried], draws: int) -> int:
    """Cases of every draw; a lemma on numbers alone has one in each, which shows where one is defined."""
    each = max((t.share.size for t in results), default=CASES)
    return sum(t.share.size for t in results) + (draws - len(results)) * each


Judged = tuple[Verdict, Worst | None, str]


def verdict_of(statement: Statement, results: Sequence[Tried]) -> Judged:
    """The largest excess of every draw, from the largest on, until one refutes."""
    waiting = [(*_order_of(t), place, t, False) for place, t in enumerate(results) if t.counted]
    heapify(waiting)
    resolved: list[tuple[int, Tried]] = []
    open_one: Judged | None = None
    while waiting:
        *_, place, t, known = heappop(waiting)
        if not known:
            without = _without_rounding(statement, t)
            heappush(waiting, (*_order_of(without), place, without, True))
            continue
        resolved.append((place, t))
        found = _at(t, int(np.argmax(t.share)))
        if found.share <= ROUNDING:
            continue
        if not survives(statement, t.objects, found.case, abs(found.left - found.right)):
            continue
        verdict = _judge_excess(statement, found)
        if verdict is None:
            continue
        if verdict[0] is Verdict.VIOLATED:
            return verdict
        open_one = open_one or verdict
    if not resolved:
        return Verdict.REFUSED, None, "no case meets the conditions"
    first = _at(resolved[0][1], int(np.argmax(resolved[0][1].share)))
    in_order = [t for _, t in sorted(resolved, key=lambda entry: entry[0])]
    worst = first if is_equality(statement) else _nearest(in_order) or first
    return open_one or (Verdict.HOLDS, worst, "")


def _order_of(t: Tried) -> tuple[bool, float]:
    """The largest share first; 50 digits of many objects take long: they are asked last."""
    return t.family == MANY.name, -float(np.max(t.share))


def _judge_excess(statement: Statement, worst: Worst) -> Judged | None:
    """None where 50 digits leave nothing of the excess that float64 sees."""
    if worst.tried.met[worst.case] is None:
        return Verdict.INCONCLUSIVE, worst, "a condition on what is no object is not decided"
    confirmed = _from_the_objects(statement, worst) or _recompute_in_50_digits(statement, worst)
    if confirmed is None:
        if worst.share <= CLEAR:
            return Verdict.INCONCLUSIVE, worst, "the excess cannot be told from rounding"
        how = f"in float64, {worst.share / ROUNDING:.3g} times what is allowed for rounding"
        return Verdict.VIOLATED, worst, how
    if confirmed.share <= IN_DIGITS:
        return None
    if confirmed.share > CLEAR:
        return Verdict.VIOLATED, confirmed, "confirmed in 50 digits"
    return Verdict.INCONCLUSIVE, confirmed, "the excess is too small to be told from rounding of the objects"


def _at(t: Tried, case: int) -> Worst:
    left, right = float(t.left[case]), float(t.right[case])
    return Worst(tried=t, case=case, left=left, right=right, share=float(t.share[case]))


def _nearest(results: Sequence[Tried]) -> Worst | None:
    """The case with the largest ratio, which says more of how tight a bound is than zero against zero does.

    A right side of which roundings may be a part that one sees has no ratio, and neither has an excess that
    a rounding of the objects has made.
    """
    best: tuple[float, Worst] | None = None
    for t in results:
        within = (t.share > -np.inf) & (t.share <= ROUNDING)
        positive = within & (t.left > 0) & (t.right > DISTINCT * t.magnitude)
        ratio = np.divide(t.left, t.right, out=np.zeros_like(t.left), where=positive)
        case = int(np.argmax(ratio))
        if ratio[case] > 0 and (best is None or ratio[case] > best[0]):
            best = float(ratio[case]), _at(t, case)
    return None if best is None else best[1]


def _without_rounding(statement: Statement, t: Tried) -> Tried:
    """An excess that shrinks with the roundings was made of them: then it counts as none."""
    if not np.any(t.share > ROUNDING):
        return t
    objects = extended(t.objects)
    numbers = numbers_of(statement, objects)
    if not is_extended(numbers, t.objects):
        return t
    again = on_objects(statement, t.family, objects, numbers)
    if again is None or again.share.shape != t.share.shape:
        return t
    with np.errstate(invalid="ignore"):  # minus infinity in both: not counted
        before, after = np.abs(t.left - t.right), np.abs(again.left - again.right)
    seen = t.share > ROUNDING
    shrunk = seen & (after <= before / SHRINKS)
    # By luck a rounding can be small before; beside the others of the same draw it is one too.
    rounding = shrunk | (seen & (after <= np.max(before, where=shrunk, initial=0.0) / SHRINKS))
    return replace(
        t,
        share=np.where(rounding, 0.0, t.share),
        magnitude=np.where(rounding, np.inf, t.magnitude),
    )


def _from_the_objects(statement: Statement, worst: Worst) -> Worst | None:
    """The same digits from the objects on; of a lemma that declares them."""
    sides = excess_in_digits(statement, worst.tried.objects, worst.case, worst.tried.share.size)
    return None if sides is None else _measured_as(statement, worst, *sides)


def _measured_as(statement: Statement, worst: Worst, left: Any, right: Any) -> Worst:
    excess = abs(left - right) if is_equality(statement) else left - right
    seen = abs(worst.left - worst.right)
    share = worst.share * float(excess) / seen if seen else 0.0
    return replace(worst, left=float(left), right=float(right), share=share)


def _recompute_in_50_digits(statement: Statement, worst: Worst) -> Worst | None:
    """From objects in extended precision; None where a conversion on the way would cut them."""
    objects = extended(worst.tried.objects)
    numbers = numbers_of(statement, objects)
    if not is_extended(numbers, worst.tried.objects):
        return None
    size = worst.tried.share.size
    shape = np.broadcast_shapes((1,), *(np.shape(number) for number in numbers.values()))
    at = {
        name: (np.broadcast_to(n, shape).ravel()[worst.case] if int(np.prod(shape)) == size else n)
        for name, n in numbers.items()
    }
    return _measured_as(statement, worst, *both_sides(statement, at))


def _ratio(worst: Worst) -> float | None:
    """None where a side is not positive, or where roundings may be all that the right side is."""
    distinct = worst.share > ROUNDING or worst.right > DISTINCT * worst.tried.magnitude[worst.case]
    return worst.left / worst.right if worst.left > 0 and worst.right > 0 and distinct else None


def _shown(worst: Worst) -> dict[str, Any]:
    ratio = _ratio(worst)
    t, cases = worst.tried, worst.tried.share.size
    return {
        "left": worst.left,
        "right": worst.right,
        "ratio": ratio,
        "excess": worst.left - worst.right,
        "family": t.family,
        "objects": {name: _take_case(thing, worst.case, cases) for name, thing in t.objects.items()},
    }


def _roundings(worst: Worst) -> dict[str, float]:
    """What rounding may change in the two sides and their excess, as they are judged, and in their ratio."""
    sides = ROUNDING * (abs(worst.left) + abs(worst.right))
    ratio = _ratio(worst)
    return {"sides": sides} | ({} if ratio is None else {"ratio": sides * (1 + ratio) / worst.right})


def has_case(tested: Property, worst: Mapping[str, Any], *, seed: int, trials: int) -> bool:
    """Whether a case with these objects is among those that are tried."""
    statement = discovery.get(tested.statement, tested.variant)
    for family, objects in draws(statement, seed=seed, trials=trials):
        if family != worst.get("family"):
            continue
        found = on_objects(statement, family, objects)
        count = 0 if found is None else found.share.size
        for case in range(count):
            alone = {name: _take_case(thing, case, count) for name, thing in objects.items()}
            if agree_on_objects(alone, worst.get("objects")):
                return True
    return False


def _take_case(thing: Any, case: int, cases: int) -> Any:
    """An object in words or numbers: of an array with one entry per case, that of this case."""
    if callable(thing):
        return str(getattr(thing, "description", "a function"))
    if isinstance(thing, list | tuple):
        return [_take_case(entry, case, cases) for entry in thing]
    if isinstance(thing, np.ndarray):
        of_case = thing[case] if thing.ndim and cases > 1 and len(thing) == cases else thing
        return plain(np.asarray(of_case).tolist())
    return thing.item() if isinstance(thing, np.generic) else thing


def _sentence(verdict: Verdict, worst: Worst | None, why: str, cases: int, drawn: int) -> str:
    if worst is None:
        return f"{verdict.value}: {why}"
    if verdict is Verdict.HOLDS:
        return _say_holds(worst.left, worst.right, cases, drawn)
    return f"{verdict.value}: {worst.left:.6g} against {worst.right:.6g} ({worst.tried.family}); {why}"


def _say_holds(left: float, right: float, cases: int, drawn: int) -> str:
    all_of = (
        f"{cases} cases" if cases == drawn else f"{cases} cases that meet what is asked, of {drawn} drawn"
    )
    return f"holds in all of {all_of}; the nearest: {left:.6g} against {right:.6g}"


def say_nearest(entry: Mapping[str, Any], worst: Mapping[str, Any]) -> str | None:
    """The sentence of an entry on file if it holds; None where a side is no number."""
    left, right, cases = worst["left"], worst["right"], entry["cases"]
    if left is None or right is None:
        return None
    return _say_holds(left, right, cases, entry.get("drawn", cases))
