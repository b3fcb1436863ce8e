"""Whether an instance refutes its statement: by 50 digits, exact moments, or betting on fresh randomness.

Nothing that the search measured counts. An instance is plain data, so that a witness is confirmed again in
another process, from its file alone.
"""

from collections.abc import Mapping
from typing import Any, Final

from mpmath import mp

from bounds.language.statement import Statement
from verify.falsify import objects as of_objects
from verify.falsify.numbers import one_case, prescribed
from verify.falsify.outcome import Confirmation, NotAnInstance, unconfirmed
from verify.json_numbers import close, is_finite, is_number
from verify.objects.both_sides import is_equality
from verify.objects.certainty import survives
from verify.objects.fifty_digits import DIGITS, NotInDigits
from verify.objects.in_digits import sides_at, sides_in_digits
from verify.objects.numbers import speaks_of_numbers
from verify.objects.recipes import recipe_of
from verify.papers.als_dpfl.growth_certificates import describe_certificate, growth_of, holds
from verify.papers.several.claims_as_numbers import claim_of, in_words

# Of the larger side, in 50 digits. Instances meet their hypotheses up to 1e-12 (ends of ranges are floats):
# an excess below this could be the rounding of the instance, not of the statement.
CLEAR: Final = 1e-9
FEWER_DIGITS, SAME = 30, 1e-6
LEVEL: Final = 1e-6


def confirm(statement: Statement, instance: Mapping[str, Any], *, level: float = LEVEL) -> Confirmation:
    kind = instance.get("kind")
    if kind == "run":
        from verify.falsify.fresh_run import confirm_run

        return confirm_run(statement, instance, level)
    if kind == "words":
        return _confirm_words(statement, instance)
    if kind == "bound for all":
        return _confirm_bound(statement, instance)
    if kind in ("objects", "numbers"):
        return _confirm_objects(statement, instance)
    raise NotAnInstance(f"the witness is of no known kind: {kind!r}")


def _confirm_words(statement: Statement, instance: Mapping[str, Any]) -> Confirmation:
    claim = claim_of(statement)
    if claim is None:
        raise NotAnInstance(f"{statement.id}, {statement.variant}, is no claim in words with two sides")
    coordinates = _map_into_cube(instance, claim.size)
    try:
        found = claim.sides(statement, coordinates)
    except (IndexError, ValueError, ArithmeticError) as error:
        raise NotAnInstance(f"the coordinates of the witness make no instance: {error}") from error
    if found is None:
        return unconfirmed("the instance does not meet what the claim supposes")
    claimed = "=" if found.equality else "at most"
    return Confirmation(
        refutes=found.excess > 0,
        left=float(found.left),
        right=float(found.right),
        ratio=float(found.left / found.right) if found.left >= 0 and found.right > 0 else None,
        method="rational arithmetic",
        sentence=f"{float(found.left):.9g}, where {claimed} {float(found.right):.9g} is claimed",
        details={"exact": [str(found.left), str(found.right)], "objects": in_words(found.shown)},
    )


def _map_into_cube(instance: Mapping[str, Any], size: int) -> list[float]:
    """What coordinates of the cube make meets what a statement supposes; others make anything."""
    given = instance.get("coordinates")
    if not isinstance(given, list | tuple):
        raise NotAnInstance("the witness lacks coordinates")
    outside = [u for u in given if not (is_number(u) and 0 <= u <= 1)]
    if outside:
        raise NotAnInstance(f"the witness lacks coordinates: {_brief(outside[0])} is not between 0 and 1")
    if len(given) != size:
        raise NotAnInstance(f"{len(given)} coordinates of the witness make no instance: it takes {size}")
    return [float(u) for u in given]


def _brief(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 40 else f"{shown[:40]}..."


def _seed(instance: Mapping[str, Any]) -> int:
    seed = instance.get("seed")
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise NotAnInstance(f"the seed of the witness is no whole number from 0 on: {_brief(seed)}")
    return seed


def _confirm_bound(statement: Statement, instance: Mapping[str, Any]) -> Confirmation:
    growth = growth_of(statement)
    if growth is None:
        raise NotAnInstance(f"{statement.id}, {statement.variant}, claims of nothing that it can grow")
    try:
        refutes, sentence = holds(growth, instance), describe_certificate(growth, instance)
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise NotAnInstance(f"the witness holds no certificate: {error}") from error
    if not refutes:
        return unconfirmed("the certificate does not prove what it stands for")
    return Confirmation(
        refutes=True,
        left=None,
        right=None,
        method="a certificate for all instances, read in rational arithmetic",
        sentence=sentence,
        details={},
    )


def _confirm_objects(statement: Statement, instance: Mapping[str, Any]) -> Confirmation:
    found = make_objects(statement, instance)
    if found is None:
        return unconfirmed("no case of the instance meets the conditions")
    try:
        left, right, applicable = sides_in_digits(statement, found)
        excess = _excess(statement, left, right)
        clear = bool(mp.isfinite(left) and excess > CLEAR * max(abs(left), abs(right)))
        stands = clear and _stands(statement, found, excess)
        stands = stands and survives(statement, found.objects, found.case, float(excess))
    except NotInDigits as reason:
        return unconfirmed(f"not confirmed: {reason}")
    except ArithmeticError as reason:
        return unconfirmed(f"not confirmed: a side has no value in {DIGITS} digits ({reason})")
    claimed = "=" if is_equality(statement) else "at most"
    sentence = f"{float(left):.9g}, where {claimed} {float(right):.9g} is claimed"
    positive = not is_equality(statement) and left >= 0 and right > 0
    if clear and not stands:
        sentence += "; in fewer digits, or with other last digits, it is another, so it is rounding"
    if not applicable:
        sentence += "; in 50 digits a condition fails"
    return Confirmation(
        refutes=applicable and stands,
        left=float(left),
        right=float(right),
        ratio=float(left / right) if positive else None,
        method=f"{DIGITS} digits, an excess above {CLEAR:g} of the larger side, the same in {FEWER_DIGITS}",
        sentence=sentence,
        details={"case": found.case, "objects": of_objects.shown(found)},
    )


def _excess(statement: Statement, left: Any, right: Any) -> Any:
    return abs(left - right) if is_equality(statement) else left - right


def _stands(statement: Statement, found: of_objects.Found, excess: Any) -> bool:
    """A rounding grows where digits are taken away; beside a side of zero nothing else tells it."""
    left, right, _ = sides_at(statement, found, FEWER_DIGITS)
    return bool(abs(_excess(statement, left, right) - excess) <= SAME * excess)


def make_objects(statement: Statement, instance: Mapping[str, Any]) -> of_objects.Found | None:
    """The objects of an instance, at their worst case."""
    if instance["kind"] == "numbers":
        return of_objects.worst_case(statement, one_case(_point(statement, instance)))
    named = instance.get("family")
    family = of_objects.family_called(str(named))
    if family is None or recipe_of(statement) is None:
        raise NotAnInstance(f"no objects of the family {_brief(named)} are known for {statement.id}")
    seed = _seed(instance)
    coordinates = _map_into_cube(instance, of_objects.dimension_of(statement, family, seed))
    return of_objects.at(statement, family, coordinates, seed)


def _point(statement: Statement, instance: Mapping[str, Any]) -> dict[str, float]:
    """A number for each object; what the statement sets itself is as it sets it."""
    given = instance.get("point")
    if not isinstance(given, Mapping) or not speaks_of_numbers(statement):
        raise NotAnInstance(f"the witness lacks a point, or {statement.id} does not speak of numbers alone")
    strange = [name for name, value in given.items() if not is_finite(value)]
    if strange:
        raise NotAnInstance(f"{strange[0]} of the witness is no finite number: {_brief(given[strange[0]])}")
    point = {str(name): float(value) for name, value in given.items()}
    asked = set() if statement.concrete is None else set(statement.concrete.objects)
    if point.keys() != asked:
        unlike = ", ".join(sorted(point.keys() ^ asked))
        raise NotAnInstance(
            f"the point of the witness lacks what {statement.id} names, or has more: {unlike}"
        )
    try:
        settled = prescribed(statement, point)
    except ArithmeticError as error:
        raise NotAnInstance(f"the point of the witness makes no instance: {error}") from error
    for name, value in settled.items():
        if not close(value, point[name]):
            raise NotAnInstance(f"{statement.id} sets {name} to {value}, and the witness to {point[name]}")
    return point
