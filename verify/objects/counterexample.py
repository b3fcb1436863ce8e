"""The simplest counterexample that a search among short fractions finds, as text for a review.

Every candidate is judged as any other draw is: only what refutes in 50 digits is shown.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, final

import numpy as np
from mpmath import mp, mpf

from bounds.language.lemmas.averages import minimizer_of_mean
from bounds.language.lemmas.declaration import Declaration
from bounds.language.lemmas.gaussian_vectors import GaussianObject
from bounds.language.lemmas.matrices import MatrixObject
from bounds.language.lemmas.mixing import MixingObject
from bounds.language.lemmas.nearest import ConvexSet
from bounds.language.lemmas.objects import FunctionObject, VectorObject
from bounds.language.lemmas.paths import PathObject
from bounds.language.lemmas.random_vectors import SubsetObject
from bounds.language.lemmas.sequences import SequenceObject
from bounds.language.statement import Kind, Statement
from verify.objects import formulas
from verify.objects.both_sides import on_objects
from verify.objects.classes import OF_GRADIENT, OF_HESSIAN, OF_NEAREST, OF_PROX
from verify.objects.declared import MET, declaration_of, draw_with_parts, parts_declared
from verify.objects.draw import Draw, Family
from verify.objects.fifty_digits import DIGITS, NotInDigits
from verify.objects.in_digits import Case, sides_in_digits
from verify.objects.plain_draw import PlainDraw, RoundedDraw
from verify.objects.sequences import given_at

DRAWS: Final = {1: 160, 2: 120, 3: 40, 8: 24}
FAR_DRAWS: Final = {1: 120, 2: 40, 120: 40}  # of many objects and of large numbers
ROUNDINGS: Final = (1, 2, 3, 4, 6, 8, 12, 20)
VISIBLE: Final = 1e-3  # of the sum of the magnitudes: less is no example for a reader
CLEAR: Final = 1e-9
SHORT: Final = 40  # characters of a sequence that is written in numbers
SHORT_NUMBER: Final = 12  # characters of one of them
ROUNDED: Final = 1e-13  # of a number of a sequence that is as large as allowed
TRIED: Final = 12  # candidates that are confirmed in 50 digits, the simplest first
LARGEST: Final = 10**6  # denominator of a side that is named as a fraction

Plain = dict[str, Any]
Seeds = Sequence[tuple[Family, Sequence[int]]]


@final
@dataclass(frozen=True, slots=True)
class Candidate:
    """A case, and the objects that are named to a reader: what it is made of. `excess` is that of float64."""

    drawn: Case
    named: Case
    excess: float
    length: int


def counterexample(statement: Statement, found: Case, near: Seeds = ()) -> Plain | None:
    """The shortest one that refutes; `found` as it is, with every digit, where no shorter one does.

    None for a statement that does not declare its objects. `near` are the draws whose neighborhood is
    searched after the short fractions.
    """
    declaration = parts_declared(statement)
    if declaration is None:
        return None
    for search in (_plain, _near):
        candidates = search(statement, declaration, near)
        for candidate in sorted(candidates, key=lambda c: c.length)[:TRIED]:
            shown = _confirmed(statement, declaration, candidate)
            if shown is not None:
                return shown
    same = declaration_of(statement) is not None
    return _confirmed(statement, declaration, Candidate(found, found, 0.0, 0)) if same else None


def _plain(statement: Statement, declaration: Declaration, _: Seeds) -> list[Candidate]:
    """In one dimension if there are any, else in two or more; of few objects before many."""
    for far, draws in ((False, DRAWS), (True, FAR_DRAWS)):
        for dimension, count in draws.items():
            found = [
                candidate
                for seed in range(count)
                for candidate in _refuting(statement, declaration, PlainDraw(seed, dimension, far=far))
            ]
            if found:
                return found
    return []


def _near(statement: Statement, declaration: Declaration, near: Seeds) -> list[Candidate]:
    """The counterexamples nearby with the fewest binary digits that refute."""
    for digits in ROUNDINGS:
        found = [
            candidate
            for family, seeds in near
            for candidate in _refuting(
                statement, declaration, RoundedDraw(family, np.random.default_rng(seeds), digits)
            )
        ]
        if found:
            return found
    return []


def _refuting(statement: Statement, declaration: Declaration, draw: Draw) -> Iterator[Candidate]:
    with np.errstate(all="ignore"):
        try:
            objects, parts = draw_with_parts(draw, statement)
        except ArithmeticError:
            return
    seen = on_objects(statement, draw.family.name, objects)
    if seen is None:
        return
    for case in np.flatnonzero((seen.share > VISIBLE) & (seen.met == np.True_)):
        size = seen.share.size
        drawn, named = (Case(objects=given, case=int(case), cases=size) for given in (objects, parts))
        excess = abs(float(seen.left[case] - seen.right[case]))
        yield Candidate(drawn, named, excess, sum(len(line) for line in lines_on(declaration, named)))


def _confirmed(statement: Statement, declaration: Declaration, candidate: Candidate) -> Plain | None:
    try:
        left, right, applicable = sides_in_digits(statement, candidate.drawn)
    except (NotInDigits, ArithmeticError):
        return None
    equality = statement.kind is Kind.EQUALITY
    excess = abs(left - right) if equality else left - right
    # Of 0 <= 0 float64 may see a rounding as all of the sides: 50 digits leave next to nothing of it.
    if not applicable or not excess > max(CLEAR * max(abs(left), abs(right)), candidate.excess / 2):
        return None
    lines = lines_on(declaration, candidate.named)
    relation = "=" if equality else ">=" if declaration.turned else "<="
    if declaration.turned:  # a reader compares the numbers with the sides as the author wrote them
        left, right = right, left
    sides = f"left {_side(left)}, right {_side(right)}: left {relation} right fails"
    return {
        "lines": [*lines, sides],
        "left": {"value": float(left), "exact": _exact(left)},
        "right": {"value": float(right), "exact": _exact(right)},
        "checked": f"both sides in {DIGITS} digits",
    }


def _side(value: mpf) -> str:
    fraction, rounded = _exact(value), f"{float(value):.10g}"
    return rounded if fraction in (None, rounded) else f"{fraction} = {rounded}" if fraction else rounded


def _exact(value: mpf) -> str | None:
    """The short fraction that equals the side up to 40 digits; None if there is none."""
    with mp.workdps(DIGITS):
        sign, mantissa, exponent, _ = value._mpf_
        exact = Fraction(-int(mantissa) if sign else int(mantissa)) * Fraction(2) ** int(exponent)
        near = exact.limit_denominator(LARGEST)
        close = abs(exact - near) <= Fraction(1, 10**40) * max(abs(exact), Fraction(1))
    return str(near) if close else None


def lines_on(declaration: Declaration, drawn: Case) -> list[str]:
    """One line for each object: functions first, then numbers, then the others."""
    given = drawn.objects.items()
    here = {name: _at(value, drawn.case, drawn.cases) for name, value in given if name != MET}
    out: list[str] = []
    for thing in declaration.objects:
        if isinstance(thing, FunctionObject):
            out += _function(thing, here, declaration)
    out += [f"{name} = {formulas.vector(here[name])}" for name in declaration.constants]
    for thing in declaration.objects:
        if isinstance(thing, VectorObject) and thing.over is not None and thing.over.weighted:
            outcomes, weights = here[thing.name], here[thing.over.weights]
            several = [] if thing.each is None else np.moveaxis(outcomes, -2, 0)
            named = [(f"{thing.name}_{place}", v) for place, v in enumerate(several, 1)]
            out += [_random_vector(name, v, weights) for name, v in named or [(thing.name, outcomes)]]
        elif isinstance(thing, MatrixObject) and thing.over is not None:
            entries = enumerate(here[thing.name], 1)
            out += [f"{thing.name}_{place} = {formulas.matrix(each)}" for place, each in entries]
        elif isinstance(thing, PathObject):
            out += [*thing.rules, f"number of {thing.over.name} = {len(here[thing.name])}"]
        elif not isinstance(thing, FunctionObject):
            out.append(_object(thing, here))
    return out


def _object(thing: Any, here: Mapping[str, Any]) -> str:
    value = here[thing.name]
    if isinstance(thing, GaussianObject):
        coordinates = f"{value.shape[-1]} coordinate{'s' if value.shape[-1] > 1 else ''}"
        return f"{thing.name} is Gaussian, with {coordinates} of deviation {thing.deviation.text}"
    if isinstance(thing, SubsetObject):
        members, of = int(value[0].sum()), value.shape[-1]
        return f"{thing.name} = any {members} of {of}, all with one probability"
    if isinstance(thing, ConvexSet):
        return f"{thing.name} = {value.description}"
    if isinstance(thing, MatrixObject | MixingObject):
        return f"{thing.name} = {formulas.matrix(value)}"
    if isinstance(thing, SequenceObject):
        return _sequence(thing, here)
    return f"{thing.name} = {formulas.vector(value)}"


def _at(thing: Any, case: int, cases: int) -> Any:
    if isinstance(thing, np.ndarray) and thing.ndim and cases > 1 and len(thing) == cases:
        return thing[case]
    return thing


def _function(f: FunctionObject, here: Mapping[str, Any], declaration: Declaration) -> list[str]:
    parts = (
        f.name,
        *(f"{part}_of_{f.name}" for part in ("gradient", "hessian", "prox", "nearest_minimizer")),
    )
    given = next(here[name] for name in parts if name in here)
    every = [_formula(g) for g in (given if isinstance(given, list) else [given])]
    names = [f.name] if f.over is None else [f"{f.name}_{place}" for place in range(1, len(every) + 1)]
    out = [f"{name}(x) = {formula}" for name, formula in zip(names, every, strict=True)]
    parts_of = ((f"lowest_of_{f.name}", "min "), (f"minimizer_of_{f.name}", "argmin "))
    for part, least in (*parts_of, (minimizer_of_mean(f), "argmin mean of ")):
        if part in here and part in declaration.names:
            out.append(f"{least}{f.name} = {formulas.vector(here[part])}")
    return out


def _sequence(thing: SequenceObject, here: Mapping[str, Any]) -> str:
    """Its formula or recursion, if that holds with equality and no short numbers do; else its numbers."""
    values, shown = here[thing.name], f"{thing.name} = {formulas.vector(here[thing.name])}"
    short = len(shown) <= SHORT and max(len(formulas.number(value)) for value in values) <= SHORT_NUMBER
    if thing.formula is None or short:
        return shown
    if thing.exact:
        return f"{thing.name}_k = {thing.formula.text}"
    most = np.array([given_at(thing, k, here, here) for k in range(len(values) - 1)])
    if not np.allclose(most, values[1:], rtol=ROUNDED, atol=0):
        return shown
    start = f"{thing.name}_0 = {formulas.number(values[0])}"
    return f"{start}, {thing.name}_(k+1) = {thing.formula.text}"


def _formula(part: Any) -> str:
    formula = str(part.description)
    for prefix in (OF_GRADIENT, OF_HESSIAN, OF_PROX, OF_NEAREST):
        formula = formula.removeprefix(prefix)
    return formula


def _random_vector(name: str, outcomes: Any, weights: Any) -> str:
    total = sum(Fraction(float(w)) for w in weights)
    shares: dict[str, Fraction] = {}
    for outcome, weight in zip(outcomes, weights, strict=True):
        shown = formulas.vector(outcome)
        shares[shown] = shares.get(shown, Fraction(0)) + Fraction(float(weight)) / total
    parts = [f"{shown} with probability {p}" for shown, p in shares.items()]
    return f"{name} = {', '.join(parts)}"
