"""What the commands of `study` print."""

from typing import Any, TypedDict

from reports.documents.types.markers import Count, document
from reports.documents.types.statement import Variant


class StudiedStatement(TypedDict):
    id: str
    variant: Variant
    cells: Count


class Estimate(TypedDict):
    seconds_of_one_process: float
    cells_tried: Count


@document("study-show")
class StudyShow(TypedDict):
    cells: Count
    level: float
    level_per_cell: float
    replicates: Count
    seed: Count
    statements: list[StudiedStatement]
    estimate: Estimate | None


class StoreAdded(TypedDict):
    folder: str
    added: Count


@document("study-merge")
class StudyMerge(TypedDict):
    stores: list[StoreAdded]
    results: Count
    out: str


class StudyRow(TypedDict):
    id: Any
    variant: Any
    role: Any
    problem: Any
    bound: Any
    measured: Any
    ratio: Any
    verdict: Any
    level: Any
    replicates: Any


@document("study-table")
class StudyTable(TypedDict):
    columns: list[str]
    rows: list[StudyRow]
