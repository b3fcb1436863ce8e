"""The noisy sum whose privacy a statement asserts, in the statement's own quantities."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, final

from sympy import Expr


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class AssumedMechanism:
    """None is what the paper does not say; `said` has its words, fact by fact, with their locators.

    rate: the probability with which a unit is drawn. In the scale of the sum are deviation, of the noise that
    is drawn at `placement`, and contribution, the largest norm of one unit's part.
    """

    unit: Literal["client", "record"] | None
    relation: Literal["add-or-remove", "replace-one"] | None
    sampling: Literal["full", "independent"] | None
    rate: Expr
    placement: Literal["clients", "server"] | None
    spread: Literal["per coordinate", "total"] | None
    deviation: Expr
    contribution: Expr
    rounds: Expr
    clients: Expr | None
    dimension: Expr | None
    said: Mapping[str, str]
