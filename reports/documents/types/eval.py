"""What `eval` prints, at a point and over a grid."""

from typing import Annotated, NotRequired, TypedDict

from msgspec import Meta

from reports.documents.types.markers import Explained, document
from reports.documents.types.privacy import PrivacyAtAPoint
from reports.documents.types.statement import CheckedCondition, Finding, FreeBound


class EvaluatedTerm(TypedDict):
    name: str
    value: Explained[float | None]
    share: Explained[float | None]
    reason: NotRequired[str]
    at_most: NotRequired[list[str]]


class NamedNumber(TypedDict):
    name: str
    value: Explained[float | None]
    reason: NotRequired[str]


class EvaluatedPoint(TypedDict):
    id: str
    variant: str
    locator: str
    value: Explained[float | None]
    unit: str
    condition_number: Explained[float | None]
    terms: list[EvaluatedTerm]
    conditions: list[CheckedCondition]
    applicable: bool | None
    why_not: list[str]
    derived: list[NamedNumber]
    edges: list[str]
    reason: NotRequired[str]


@document("eval")
class Eval(EvaluatedPoint):
    inputs: dict[str, float]
    note: str | None
    findings: list[Finding]
    elasticities: NotRequired[list[NamedNumber]]
    privacy: NotRequired[PrivacyAtAPoint]
    free_bound: NotRequired[FreeBound]
    informative: NotRequired[bool | None]
    informative_because: NotRequired[str]


class NumberAtAPoint(TypedDict):
    name: str
    value: float | None


class EvaluatedRow(TypedDict):
    point: dict[str, float]
    value: Explained[float | None]
    applicable: bool | None
    terms: list[NumberAtAPoint]
    margins: list[NumberAtAPoint]
    free_bound: float | None
    informative: bool | None
    reason: NotRequired[str]


@document("eval-grid")
class EvalGrid(TypedDict):
    id: str
    variant: str
    unit: str
    inputs: dict[str, float]
    notes: list[str]
    rows: Annotated[list[EvaluatedRow], Meta(min_length=1)]
