"""What `new` prints."""

from typing import Annotated, TypedDict

from msgspec import Meta

from verify.records.markers import document


@document("new")
class New(TypedDict):
    id: str
    directory: str
    paths: Annotated[list[str], Meta(min_length=1)]
