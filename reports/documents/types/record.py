"""What `verify` and `replay` print of a record."""

from typing import Annotated, Any, NotRequired, TypedDict

from msgspec import Meta

from verify.records.markers import Amount, Count, document
from verify.records.types import Digest, Entries, JudgedCell, Property


class FullSummary(TypedDict):
    cells: dict[str, int]
    properties: dict[str, int]
    standings: dict[str, str]
    amended: dict[str, str]


@document("verify")
class Verify(Entries):
    environment: dict[str, Any]
    summary: FullSummary
    properties: list[Property]
    units: Annotated[
        dict[str, list[str]],
        Meta(description="Where units disagree, by id; of statements of installed packages."),
    ]
    not_run: Annotated[
        dict[str, str], Meta(description="Why nothing was run for a statement of the selection, by id.")
    ]
    record: str | None


class _Again(TypedDict):
    """What a replay says of an entry."""

    recorded: str
    agrees: bool
    largest: Annotated[Amount, Meta(description="The largest difference within rounding; 0 for equal bits.")]


class ReplayedCell(JudgedCell, _Again):
    pass


class ReplayedProperty(Property, _Again):
    pass


class ParentOfReplayed(TypedDict):
    digest: Digest
    cells: Count
    properties: Count


class Whole(TypedDict):
    agrees: bool
    sentence: str
    digest: Annotated[Digest, Meta(description="SHA-256 of the content of the record; its parts name it.")]
    part_of: ParentOfReplayed | None


class ReplayedWorstCase(TypedDict):
    id: str
    variant: str
    agrees: bool
    sentence: str


@document("replay")
class Replay(TypedDict):
    agrees: bool
    cells: list[ReplayedCell]
    properties: list[ReplayedProperty]
    whole: Whole
    worst_cases: NotRequired[list[ReplayedWorstCase]]
