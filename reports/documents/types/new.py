"""What `new` prints."""

from typing import Annotated, TypedDict

from msgspec import Meta

from reports.documents.types.markers import document


@document("new")
class New(TypedDict):
    id: str
    directory: str
    paths: Annotated[list[str], Meta(min_length=1)]
