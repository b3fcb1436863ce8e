"""The mutants: drawn from a fixed seed, from all amended and textbook statements that have terms."""

import random
from collections.abc import Iterable
from functools import cache

from planted.operators import EQUALITIES, LOOSENING, STRENGTHENING, Mutant, Operator

import bounds
from bounds import discovery
from bounds.language.statement import AMENDED, Statement

SEED = 20260801
TEXTBOOK = "textbook."
STRONGER, LOOSER = 4, 1
OF_TEXTBOOK = 6
SAMPLE = 30


@cache
def originals() -> tuple[Statement, ...]:
    """Amended forms and textbook statements."""
    return tuple(
        form
        for statement in bounds.statements()
        for form in discovery.variants(statement.id)
        if form.variant == AMENDED or statement.id.startswith(TEXTBOOK)
    )


def without_terms() -> tuple[str, ...]:
    """Sentences and listings: there is no term to change."""
    return tuple(form.id for form in originals() if not form.terms)


@cache
def mutants(*, stronger: bool) -> tuple[Mutant, ...]:
    """An equality, a definition or a rule is not loosened: any change makes it another one."""
    out: list[Mutant] = []
    for form in originals():
        if form.terms and (stronger or form.kind not in EQUALITIES):
            operators = STRENGTHENING if stronger else LOOSENING
            count = (OF_TEXTBOOK if form.id.startswith(TEXTBOOK) else STRONGER) if stronger else LOOSER
            out += _drawn(form, operators, count, random.Random(f"{SEED} {form.id} {stronger}"))
    return tuple(out)


def _drawn(
    form: Statement, operators: dict[str, Operator], count: int, chance: random.Random
) -> list[Mutant]:
    """Operators take turns, so that one with many places is not drawn more often."""
    places = {name: _shuffled(form, operator, chance) for name, operator in operators.items()}
    out: list[Mutant] = []
    while len(out) < count and any(places.values()):
        for name in chance.sample(sorted(places), len(places)):
            if places[name] and len(out) < count:
                place, mutated = places[name].pop()
                out.append(Mutant(operator=name, place=place, original=form, mutated=mutated))
    return out


def _shuffled(form: Statement, operator: Operator, chance: random.Random) -> list[tuple[str, Statement]]:
    found = list(operator(form))
    chance.shuffle(found)
    return found


@cache
def every() -> dict[str, Mutant]:
    return {m.name: m for stronger in (True, False) for m in mutants(stronger=stronger)}


def sample(names: Iterable[str]) -> list[str]:
    """The names of the mutants that continuous integration tries; no mutant is made for that."""
    return random.Random(SEED).sample([*names], SAMPLE)
