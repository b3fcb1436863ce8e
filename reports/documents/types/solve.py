"""What `solve` prints."""

from typing import Annotated, Literal, NotRequired, TypedDict

from msgspec import Meta

from reports.documents.types.privacy import PrivacyAtAPoint
from reports.documents.types.statement import CheckedCondition, Finding, Informed
from verify.records.markers import document

_For = TypedDict("_For", {"for": str | None})


class Quotient(TypedDict):
    observable: str
    coefficient: float
    value: float
    unit: str
    smallest: bool


class Answer(_For, Informed):
    id: str
    variant: str
    target: float | None
    minimize_over: list[str]
    inputs: dict[str, float]
    value: float | None
    unit: str
    quotient: Annotated[
        Quotient | None,
        Meta(
            description="The bound over the coefficient of one observable on the left, where that takes what "
            "was found; smallest: whether the choice makes it so, and not the bound."
        ),
    ]
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
