"""What `list` prints."""

from typing import Annotated, TypedDict

from msgspec import Meta

from verify.records.markers import document


class Listed(TypedDict):
    id: str
    locator: str
    paper: str
    kind: str
    title: str
    variants: Annotated[list[str], Meta(min_length=1)]
    standing: str
    note: str  # what tests a statement that is unchecked here, or ""


@document("list")
class List(TypedDict):
    statements: list[Listed]
