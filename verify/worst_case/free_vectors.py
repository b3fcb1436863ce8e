"""Vectors whose length nothing measures: their products become free numbers.

The minimizer of one client, or the start where only its gap is known, enters a program only by its products
with other vectors. Its row of the slack matrix would have to be 0, and no rounded multipliers could satisfy
that. Taking the products for free numbers makes these equations explicit. The program has at least as large a
value then, so what is certified for it holds for the first one too.
"""

from dataclasses import replace
from fractions import Fraction

from verify.worst_case.checker import Entry, Form, Program


def without_unmeasured(program: Program) -> Program:
    """The program without the basis vectors that have no square in any form."""
    forms = (program.objective, *program.constraints)
    measured = {(b, i) for form in forms for b, i, j in form.entries if i == j}
    places: dict[tuple[int, int], int] = {}
    sizes = []
    for block, size in enumerate(program.blocks):
        places_measured = [i for i in range(size) if (block, i) in measured]
        places |= {(block, i): place for place, i in enumerate(places_measured)}
        sizes.append(len(places_measured))
    numbers: dict[Entry, int] = {}

    def rewritten(form: Form) -> Form:
        values: dict[int, Fraction] = dict(form.values)
        entries: dict[Entry, Fraction] = {}
        for (block, i, j), coefficient in form.entries.items():
            if (block, i) in places and (block, j) in places:
                entries[block, places[block, i], places[block, j]] = coefficient
            else:
                number = numbers.setdefault((block, i, j), program.values + len(numbers))
                values[number] = coefficient
        return replace(form, values=values, entries=entries)

    objective, *constraints = [rewritten(form) for form in forms]
    return Program(
        blocks=tuple(sizes),
        values=program.values + len(numbers),
        objective=objective,
        constraints=tuple(constraints),
    )
