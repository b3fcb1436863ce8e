"""What a paper's runs know of the set that a run cannot leave, for a theorem that asks something there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from bounds.language.statement import Statement
from synthetic.problem import Problem


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Confined:
    """No iterate is farther than `reach` from the origin; `constants` are quantities on that set."""

    reach: float
    constants: Mapping[str, float]


def confine_nothing(
    statement: Statement, problem: Problem, start: Sequence[Any], given: Mapping[str, Any]
) -> Confined | None:
    return None
