"""What a type says beside its keys: the name of its document, that it is closed, that a null is explained."""

from collections.abc import Callable
from typing import Annotated, TypeVar

from msgspec import Meta

Kind = TypeVar("Kind")

Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]
Amount = Annotated[float, Meta(ge=0)]
# Where the value is null, the table has a `reason`.
Explained = Annotated[Kind, Meta(extra_json_schema={"explained": [None]})]


def document(name: str) -> Callable[[type[Kind]], type[Kind]]:
    """The table is the whole document `fedbounds/NAME/1`; a document of several forms has a type for each."""

    def mark(kind: type[Kind]) -> type[Kind]:
        # A mark is an attribute that no table declares, so mypy does not know it here and in `closed`.
        names = vars(kind).get("__documents__", ())
        kind.__documents__ = (*names, name)  # type: ignore[attr-defined]  # as above
        return kind

    return mark


def closed(kind: type[Kind]) -> type[Kind]:
    """The schema allows the table no other key; to convert a table with msgspec leaves other keys unread."""
    kind.__closed__ = True  # type: ignore[attr-defined]  # as above
    return kind
