"""What a proof uses and does not state, and what is stated and never used: as far as its steps name it.

Mechanical is only this: a step names what it uses by locator. A condition that no step names may still be
used in silence; a condition of a lemma that the proof uses may hold for a reason that no step prints. So
these are lists to look at, not findings.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import final

import bounds
from bounds.language.condition import Condition
from bounds.language.expression import condition_text
from bounds.language.statement import Statement


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Hypotheses:
    """`not_named`: own hypotheses that no step names. `asked`: conditions of what the proof uses."""

    not_named: tuple[str, ...]
    asked: tuple[str, ...]


def hypotheses(statement: Statement) -> Hypotheses | None:
    """None where no proof is displayed."""
    if not statement.steps:
        return None
    named = {use for step in statement.steps for use in step.uses}
    own = [*(c.locator for c in statement.conditions), *(a.locator for a in statement.assumptions)]
    stated = {condition_text(c) for c in statement.conditions} | {c.printed for c in statement.conditions}
    asked = [
        f"{locator} asks {condition_text(c)}"
        for locator in sorted(named)
        for c in _conditions_at(locator)
        if condition_text(c) not in stated and c.printed not in stated
    ]
    return Hypotheses(
        # A hypothesis that shares the statement's locator cannot be told from the statement.
        not_named=tuple(dict.fromkeys(o for o in own if o not in named and o != statement.locator)),
        asked=tuple(dict.fromkeys(asked)),
    )


def _conditions_at(locator: str) -> Iterator[Condition]:
    for statement in _by_locator().get(locator, ()):
        yield from statement.conditions


@cache
def _by_locator() -> dict[str, list[Statement]]:
    out: dict[str, list[Statement]] = {}
    for statement in bounds.statements():
        out.setdefault(statement.locator, []).append(statement)
    return out
