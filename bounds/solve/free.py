"""The parameters that a statement leaves to whoever runs it: its steps, thresholds and free constants."""

from collections.abc import Collection

from bounds.evaluation.resolve import resolve_with
from bounds.language.part import Of
from bounds.language.quantity import Quantity, Role
from bounds.language.statement import Statement

# What a run is given rather than what it chooses: its length, its noise, and who takes part.
GIVEN = ("rounds", "steps", "noise_scale", "noise_multiplier", "clients_per_round")
GIVEN_KINDS = ("participation", "oracle")


def free_parameters(statement: Statement, known: Collection[str]) -> tuple[str, ...]:
    """Those that the value needs and that nothing gives, in the order of the notation table."""
    _, resolved = resolve_with(statement, known)
    prescribed = {choice.symbol.name for choice in statement.choices}
    needed = (resolved.required | resolved.optional) - set(known) - prescribed
    table = statement.notation.quantities
    return tuple(name for name, quantity in table.items() if name in needed and is_free(quantity))


def is_free(quantity: Quantity) -> bool:
    part = quantity.part
    if part is None or quantity.role is not Role.PARAMETER:
        return False
    if part.of is Of.FREE:
        return True
    named = (part.name, part.or_else)
    given = any(name in GIVEN or name.partition(".")[0] in GIVEN_KINDS for name in named)
    return part.of is Of.SETTING and not given
