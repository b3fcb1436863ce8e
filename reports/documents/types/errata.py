"""What `errata` prints."""

from typing import Annotated, NotRequired, TypedDict

from msgspec import Meta

from reports.documents.types.markers import document
from reports.documents.types.statement import Finding


class Shared(Finding):
    """A finding of one statement or of several with the same defect."""

    statements: Annotated[list[str], Meta(min_length=1)]


class Erratum(Shared):
    repeats: str | None
    also: list[Shared]


class Rechecked(TypedDict):
    id: str
    agrees: bool
    sentence: str


@document("errata")
class Errata(TypedDict):
    findings: list[Erratum]
    rechecked: NotRequired[list[Rechecked]]
