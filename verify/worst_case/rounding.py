"""From floating-point multipliers to rational ones that satisfy the equations exactly.

Multipliers are rounded to multiples of 2^-BITS. What then is left of a free number is moved to equations and
to constraints with large multipliers, by exact elimination; the change is as small as the rounding, and the
slack matrices keep the margin that the solver left them.
"""

from collections.abc import Mapping
from fractions import Fraction

from verify.worst_case.checker import Form, Program, combined
from verify.worst_case.forced import forced_to_zero
from verify.worst_case.solver import Array

BITS = 60
NOTHING = 1e-13  # a multiplier below it is left out: what it pays for is far below the margin

Column = dict[int, Fraction]


def rational_multipliers(program: Program, multipliers: Array) -> dict[int, Fraction]:
    """Multipliers that cancel every free number exactly; the checker says whether they prove a bound."""
    forced = forced_to_zero(program)
    rounded = {
        index: Fraction(round(float(y) * 2**BITS), 2**BITS)
        for index, y in enumerate(multipliers)
        if (y > NOTHING and index not in forced) or program.constraints[index].is_equation
    }
    left = combined(program, rounded).values
    order = sorted(rounded, key=lambda i: (not program.constraints[i].is_equation, -abs(rounded[i])))
    for index, change in _elimination(program.constraints, order, left).items():
        rounded[index] += change
    return rounded


def _elimination(forms: tuple[Form, ...], order: list[int], left: Mapping[int, Fraction]) -> Column:
    """Changes of multipliers, of early ones in `order`, whose combination takes away what is left."""
    basis: list[tuple[int, Column, Column]] = []  # pivot, column with 1 there, the combination that it is

    def reduce(column: Column, combination: Column) -> tuple[Column, Column]:
        for pivot, other, parts in basis:
            if factor := column.get(pivot):
                column = _minus(column, factor, other)
                combination = _minus(combination, factor, parts)
        return column, combination

    unknown = {number for index in order for number in forms[index].values}
    for index in order:
        if len(basis) == len(unknown):
            break
        column, combination = reduce(dict(forms[index].values), {index: Fraction(1)})
        if column:
            pivot = min(column)
            scale = 1 / column[pivot]
            basis.append((pivot, _minus({}, -scale, column), _minus({}, -scale, combination)))
    _, changes = reduce(dict(left), {})
    return changes


def _minus(column: Mapping[int, Fraction], factor: Fraction, other: Mapping[int, Fraction]) -> Column:
    found = dict(column)
    for key, value in other.items():
        found[key] = found.get(key, Fraction(0)) - factor * value
    return {key: value for key, value in found.items() if value}
