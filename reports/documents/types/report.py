"""What `report` prints."""

from typing import Annotated, Any, NotRequired, TypedDict

from msgspec import Meta

from reports.documents.types.markers import Count, document
from reports.documents.types.statement import Variant


class ChangedSetting(TypedDict):
    name: str
    before: Any
    after: Any


class ChangedStanding(TypedDict):
    id: str
    form: Variant
    before: str
    after: str


class Named(TypedDict):
    """An entry of one of the records."""

    id: str
    what: str
    verdict: str


class ChangedVerdict(Named):
    before: str


class ChangedNumber(Named):
    before: float | None
    after: float | None


class Changes(TypedDict):
    """What changed since the record of --compare."""

    old: str
    new: str
    settings: list[ChangedSetting]
    standings: list[ChangedStanding]
    verdicts: list[ChangedVerdict]
    numbers: list[ChangedNumber]
    gone: list[Named]
    added: list[Named]
    same: Count


@document("report")
class Report(TypedDict):
    paths: Annotated[list[str], Meta(min_length=1)]
    replay: str
    changes: NotRequired[Changes]
