"""Search spaces of statements on objects: the recipes of `verify.objects.recipes`, drawn from coordinates."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from bounds.language.statement import Statement
from verify.objects.both_sides import Objects, Tried, is_equality, on_objects
from verify.objects.check import ROUNDING
from verify.objects.draw import FAMILIES, FOR_DECLARED, Draw, Family
from verify.objects.in_digits import Case
from verify.objects.recipes import families_of, recipe_of
from verify.search.coordinates import Choices
from verify.search.trial import Trial

LONGEST: Final = 48  # coordinates of a search space

Floats = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectFamily:
    """A family of `verify.objects.recipes`; `seed` draws what the coordinates leave open."""

    statement: Statement
    family: Family
    seed: int
    enough: None = None
    block: int = 8

    @property
    def name(self) -> str:
        return self.family.name

    @property
    def dimension(self) -> int:
        return dimension_of(self.statement, self.family, self._seed)

    @property
    def _seed(self) -> int:
        return zlib.crc32(f"{self.seed}:{self.statement.id}:{self.family.name}".encode())

    def trials(self, points: Floats) -> Iterator[Trial | None]:
        return (self._trial(point) for point in points)

    def _trial(self, point: Floats) -> Trial | None:
        found = at(self.statement, self.family, point.tolist(), self._seed)
        return None if found is None else found.trial

    def instance(self, point: Floats) -> dict[str, Any]:
        """What makes the objects again, without the search."""
        return {
            "kind": "objects",
            "family": self.family.name,
            "coordinates": point.tolist(),
            "seed": self._seed,
        }


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Found(Case):
    """The case of a draw that comes nearest to breaking the statement, or breaks it."""

    trial: Trial


def dimension_of(statement: Statement, family: Family, seed: int) -> int:
    """As many coordinates as a few draws ask for."""
    asked = 1
    for place in range(4):
        choices = Choices(np.random.default_rng([place]).random(LONGEST).tolist(), seed)
        _drawn(statement, family, choices)
        asked = max(asked, choices.taken)
    return min(asked, LONGEST)


def at(statement: Statement, family: Family, coordinates: list[float], seed: int) -> Found | None:
    """None where no case meets the conditions, or the objects do not decide them."""
    objects = _drawn(statement, family, Choices(coordinates, seed))
    return None if objects is None else worst_case(statement, objects)


def worst_case(statement: Statement, objects: Objects) -> Found | None:
    trials = cases_of(statement, objects)
    tried = [(trial, case) for case, trial in enumerate(trials) if trial is not None]
    if not tried:
        return None
    best, case = max(tried, key=lambda entry: entry[0].guide)
    return Found(objects=objects, case=case, cases=len(trials), trial=best)


def cases_of(statement: Statement, objects: Objects) -> list[Trial | None]:
    """Every case; None for one that does not meet the conditions, or is not defined. Empty where none is."""
    seen = on_objects(statement, "", objects)
    if seen is None:
        return []
    equality = is_equality(statement)
    left, right = without_roundings(seen)
    sides = zip(left.tolist(), right.tolist(), seen.share.tolist(), seen.met.tolist(), strict=True)
    return [
        Trial(left=x, right=y, share=share, equality=equality, positive=x >= 0 and y > 0)
        if met is True and share > -np.inf
        else None
        for x, y, share, met in sides
    ]


def without_roundings(seen: Tried) -> tuple[Floats, Floats]:
    """Both sides, made equal where roundings explain their difference: a search would climb it for nothing.

    Sides that are roundings as a whole are zero.
    """
    with np.errstate(invalid="ignore"):
        noise = ROUNDING * seen.magnitude
        left = np.where(np.abs(seen.left - seen.right) <= noise, seen.right, seen.left)
        nothing = np.maximum(np.abs(left), np.abs(seen.right)) <= noise
    return np.where(nothing, 0.0, left), np.where(nothing, 0.0, seen.right)


def _drawn(statement: Statement, family: Family, choices: Choices) -> Objects | None:
    """None where a coordinate leaves the range in which the recipe makes objects."""
    recipe = recipe_of(statement)
    assert recipe is not None
    with np.errstate(all="ignore"):
        try:
            return recipe(Draw(family, choices), statement)
        except (ArithmeticError, np.linalg.LinAlgError):
            return None


def families(statement: Statement, seed: int) -> list[ObjectFamily]:
    if recipe_of(statement) is None:
        return []
    return [ObjectFamily(statement=statement, family=family, seed=seed) for family in families_of(statement)]


def family_called(name: str) -> Family | None:
    return next((family for family in (*FAMILIES, *FOR_DECLARED) if family.name == name), None)


def shown(found: Found) -> dict[str, Any]:
    """For the reader of a witness: the case's numbers as they are, functions by their presence."""
    return {name: _shown(value, found) for name, value in found.objects.items()}


def _shown(value: Any, found: Found) -> Any:
    if isinstance(value, np.ndarray):
        of_cases = value.ndim > 0 and len(value) == found.cases
        return (value[found.case] if of_cases else value).tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, list | tuple):
        return [_shown(entry, found) for entry in value]
    return value if isinstance(value, bool | int | float | str) else "a function, made by the recipe"
