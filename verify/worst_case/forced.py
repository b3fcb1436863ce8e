"""Multipliers that are 0 in every certificate, because nothing else cancels a free number.

They have no interior: a solver leaves them a little above 0, and no rounding of them is exact.
"""

from collections import defaultdict

from verify.worst_case.checker import Program


def forced_to_zero(program: Program) -> frozenset[int]:
    """The inequalities whose multiplier must be 0.

    A free number that is neither in the objective nor in an equation, and has coefficients of one sign in the
    inequalities, cancels only if all of their multipliers are 0. Then they drop out, and another number may
    be left with one sign.
    """
    signs: dict[int, dict[int, bool]] = defaultdict(dict)
    held = set(program.objective.values)
    for index, form in enumerate(program.constraints):
        if form.is_equation:
            held.update(form.values)
        for number, coefficient in form.values.items():
            signs[number][index] = coefficient > 0
    forced: set[int] = set()
    waiting = set(signs) - held
    while waiting:
        left = signs[waiting.pop()]
        if len({*left.values()}) != 1:
            continue
        for index in [*left]:
            forced.add(index)
            for number in program.constraints[index].values:
                del signs[number][index]
                waiting |= {number} - held
    return frozenset(forced)
