"""An example of a lemma that declares its objects: small ones that meet what it asks."""

from dataclasses import dataclass
from typing import final

import numpy as np

from bounds.evaluation.resolve import names_taken
from bounds.language.statement import Statement
from verify.objects.both_sides import numbers_of, on_objects
from verify.objects.counterexample import lines_on
from verify.objects.declared import declaration_of, draw_declared, why_not_drawn
from verify.objects.in_digits import Case
from verify.objects.plain_draw import PlainDraw

DRAWS = 40


@final
@dataclass(frozen=True, slots=True)
class Example:
    """What `eval` takes, and the objects that it is of, a line for each."""

    given: dict[str, float]
    lines: tuple[str, ...]


def example_of(statement: Statement) -> Example | None:
    """Take the first small objects with a right side above zero; None where none is found."""
    if declaration_of(statement) is None or why_not_drawn(statement) is not None:
        return None
    for dimension in (1, 2):
        for seed in range(DRAWS):
            found = _example(statement, PlainDraw(seed, dimension))
            if found is not None:
                return found
    return None


def _example(statement: Statement, draw: PlainDraw) -> Example | None:
    declaration = declaration_of(statement)
    assert declaration is not None
    objects = draw_declared(draw, statement)
    numbers = numbers_of(statement, objects)
    seen = on_objects(statement, draw.family.name, objects, numbers)
    if seen is None:
        return None
    for case in np.flatnonzero((seen.met == np.True_) & (seen.right > 0) & np.isfinite(seen.left)):
        taken = names_taken(statement)
        of_case = {name: np.broadcast_to(value, seen.left.shape) for name, value in numbers.items()}
        given = {name: float(value[case]) for name, value in of_case.items() if name in taken}
        drawn = Case(objects=objects, case=int(case), cases=seen.share.size)
        return Example(given, tuple(lines_on(declaration, drawn)))
    return None
