"""Values of a cell's parameters: of its problem and start, the usual counts, a share of the rest."""

from collections.abc import Mapping
from math import floor, isfinite
from typing import Final

from bounds.language.part import Of
from bounds.language.statement import Statement
from synthetic.problem import Problem
from verify.cell import Scalar
from verify.matching.cells.grounds import Ground, inputs_taken
from verify.matching.cells.largest_allowed import EDGE, TO_INTEGER
from verify.matching.cells.required import certify_numbers
from verify.matching.constants.constants import parts_of
from verify.matching.run_settings import COUNTS_OF_CLIENTS, NOISES, settings_that_are_quantities
from verify.parameters.inputs import Inputs, inputs_of
from verify.parameters.solved import with_limits
from verify.parameters.valid import UnsolvableCondition, domain_of

USUAL: Final[Mapping[str, float]] = {"rounds": 20, "steps": 30, "last_round": 19, "local_steps": 3}
INSIDE: Final = 0.5  # of the range that the conditions leave


def measured_numbers(statement: Statement, ground: Ground) -> dict[str, float]:
    """Constants of the problem and measures of the start."""
    found = certify_numbers(statement, ground.problem, ground.start)
    return {name: value for name, value in found.items() if name in inputs_taken(statement)}


def usual_values(statement: Statement, problem: Problem, longer: int) -> dict[str, float]:
    """Quantities that count something, or scale a noise, at their usual values."""
    parts, example = parts_of(statement.notation, Of.SETTING), statement.example
    usual: dict[str, float] = {}
    of_settings = {quantity: name for name, quantity in settings_that_are_quantities(statement).items()}
    asked = inputs_taken(statement) & parts.keys()
    for name, setting in of_settings.items():  # not a set: a cell is written in this order
        if name not in asked:
            continue
        if setting in USUAL:
            times = longer if setting != "local_steps" else 1
            usual[name] = USUAL[setting] * times
        elif setting in COUNTS_OF_CLIENTS:
            usual[name] = problem.clients
        elif setting in NOISES:
            usual[name] = float(example.get(name, 0.5))
    return {name: move_into_domain(statement, name, value) for name, value in usual.items()}


def move_into_domain(statement: Statement, name: str, value: float) -> float:
    domain = domain_of(statement, name)
    return min(max(value, domain.lower), domain.upper)


def parameters_of(
    statement: Statement,
    fixed: Mapping[str, float],
    usual: Mapping[str, float],
    share: float,
    of_domain: float | None,
) -> dict[str, Scalar] | None:
    """The rest at a share of what the conditions leave; by example where no condition bounds it."""
    rest = sorted(inputs_taken(statement) - fixed.keys() - usual.keys())
    known = dict(fixed) | dict(usual)
    try:
        limited = with_limits(statement, rest)
        inputs = inputs_of(limited, rest, dict(statement.example))
        shares = {name: share if inputs.limits.get(name) else of_domain or share for name in rest}
        found = _between_limits(inputs, known, shares)
    except UnsolvableCondition:
        found = known | {name: float(statement.example.get(name, 1.0)) for name in rest}
    if found is None:
        return None
    integers = {name for name in found if statement.notation.quantities[name].domain.integer}
    return {name: int(value) if name in integers else float(value) for name, value in found.items()}


def _between_limits(
    rest: Inputs, known: Mapping[str, float], shares: Mapping[str, float]
) -> dict[str, float] | None:
    """Each between the limits that those before it leave."""
    point = dict(known)
    for name in rest.names:
        try:
            ends = rest.ends(name, point)
        except (UnsolvableCondition, KeyError, ArithmeticError, ValueError):
            return None
        if ends is None:
            return None
        low, high, domain = ends
        point[name] = _between(low, high, rest.typical.get(name), shares[name])
        if domain.integer:
            point[name] = max(floor(point[name] + TO_INTEGER), low)
    return point


def _between(low: float, high: float, typical: float | None, share: float) -> float:
    if isfinite(high) and isfinite(low):
        # as far inside as the example is, where the edge is not asked for
        return low + (high - low) * share
    wanted = 1.0 if typical is None else float(typical)
    if isfinite(low):
        at_the_end = share == EDGE and low > 0
        return low * (2 - EDGE) if at_the_end else max(wanted, low * (1 / INSIDE))
    return min(wanted, high) if isfinite(high) else wanted
