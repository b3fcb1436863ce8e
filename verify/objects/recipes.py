"""Objects on which a lemma is tried: drawn as it declares them, or by a recipe of its paper.

A statement that speaks of numbers alone needs neither: they are drawn inside its conditions.
"""

import zlib
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from bounds import discovery
from bounds.language.statement import AMENDED, Statement
from verify.objects.declared import draw_declared, parts_declared, why_not_drawn
from verify.objects.draw import CASES, FAMILIES, FOR_DECLARED, Draw, Family
from verify.objects.numbers import NUMBERS, inside_the_conditions, speaks_of_numbers
from verify.paper_modules import modules

__all__ = ["can_be_tried", "draws", "families_of", "recipe_of", "seeds_of"]

Recipe = Callable[[Draw, Statement], dict[str, Any]]


@cache
def _recipes() -> dict[str, Recipe]:
    found: dict[str, Recipe] = {}
    for module in modules("objects"):
        found |= getattr(module, "INSTANCES", {})
    return found


def recipe_of(statement: Statement) -> Recipe | None:
    """An amended form that speaks of other objects than the printed one has a recipe of its own, or none."""
    if why_not_drawn(statement) is not None:
        return None
    if parts_declared(statement) is not None:
        return draw_declared
    if statement.concrete is None:
        return None
    printed = discovery.get(statement.id).concrete if statement.variant == AMENDED else statement.concrete
    same = printed is not None and printed.objects == statement.concrete.objects
    return _recipes().get(statement.id if same else f"{statement.id} {AMENDED}")


def can_be_tried(statement: Statement) -> bool:
    """Whether there is a relation between two sides, and a way to make what it speaks of."""
    if not statement.evaluable:
        return False
    return recipe_of(statement) is not None or speaks_of_numbers(statement)


def draws(statement: Statement, *, seed: int, trials: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Family and objects of every draw; a form of a statement with the same hypotheses draws the same."""
    recipe = recipe_of(statement)
    own = zlib.crc32(statement.id.encode())
    if recipe is None:
        assert statement.concrete is not None
        count = trials * CASES * len(FAMILIES)
        yield NUMBERS, inside_the_conditions(statement, statement.concrete.objects, count, seed ^ own)
        return
    for family, seeds in seeds_of(statement, seed=seed, trials=trials):
        yield family.name, recipe(Draw(family, np.random.default_rng(seeds)), statement)


def families_of(statement: Statement) -> tuple[Family, ...]:
    """More of them where the objects are declared, in a formula or as arguments of a function."""
    return FAMILIES if parts_declared(statement) is None else (*FAMILIES, *FOR_DECLARED)


def seeds_of(statement: Statement, *, seed: int, trials: int) -> Iterator[tuple[Family, list[int]]]:
    """Family and seeds of every draw."""
    own = zlib.crc32(statement.id.encode())
    for number, family in enumerate(families_of(statement)):
        for trial in range(trials):
            yield family, [seed, own, number, trial]
