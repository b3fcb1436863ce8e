"""What `solve` prints."""

from typing import Literal, NotRequired, TypedDict

from reports.documents.types.markers import document
from reports.documents.types.privacy import PrivacyAtAPoint
from reports.documents.types.statement import CheckedCondition, Finding, Informed

_For = TypedDict("_For", {"for": str | None})


class Answer(_For, Informed):
    id: str
    variant: str
    target: float | None
    minimize_over: list[str]
    inputs: dict[str, float]
    value: float | None
    unit: str
    best: float | None
    best_at: dict[str, float] | None
    binding_conditions: list[CheckedCondition]
    blocked_by: list[CheckedCondition]
    certified: bool
    chosen: list[str]
    sentence: str
    note: str | None
    findings: list[Finding]
    privacy: NotRequired[PrivacyAtAPoint]


@document("solve")
class Solved(Answer):
    found: Literal[True]
    solution: dict[str, float] | None
    reason: NotRequired[str]


@document("solve")
class Unsolved(Answer):
    found: Literal[False]
    solution: None
    reason: str
