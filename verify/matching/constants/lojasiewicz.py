"""Which quantities of a statement are its Lojasiewicz inequality, by their parts and never by their names.

The inequality is ||grad f_i||^2 >= mu (f_i - inf f_i)^alpha for every client. A function that is
m-strongly convex satisfies it with alpha = 1 and mu = 2m, so twice that constant is a mu too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, final

from bounds.language.part import Of, Part
from bounds.language.statement import Statement
from verify.cell import Scalar
from verify.matching.constants.constants import parts_of


@final
@dataclass(frozen=True, slots=True)
class Inequality:
    """What a statement claims of its clients; None where no quantity says it."""

    exponent: Scalar | None = None
    constant: Scalar | None = None


NO_CLAIM: Final = Inequality()


def names(statement: Statement) -> dict[str, str]:
    """Quantity to `exponent` or `constant`, of those that stand for nothing else."""
    roles = {"lojasiewicz_exponent": "exponent", "lojasiewicz": "constant"}
    parts = parts_of(statement.notation, Of.CONSTANT)
    return {name: roles[part.name] for name, part in parts.items() if part.name in roles}


def claimed(statement: Statement, parameters: Mapping[str, Scalar]) -> Inequality:
    parts = parts_of(statement.notation, Of.CONSTANT)
    for name, part in parts.items():
        if name in parameters and _is_of_exponent_one(part):
            return Inequality(1, parameters[name])
    given = {role: parameters[name] for name, role in names(statement).items() if name in parameters}
    return Inequality(**given)


def _is_of_exponent_one(part: Part) -> bool:
    return part.name == "client_strong_convexity" and part.lower and part.times == 2
