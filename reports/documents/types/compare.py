"""What `compare` prints: series over one axis or two."""

from typing import Annotated, Literal, TypedDict

from msgspec import Meta

from reports.documents.types.markers import Explained, closed, document


@closed
class Axis(TypedDict):
    name: str
    label: str
    values: Annotated[list[float], Meta(min_length=2)]


@closed
class PlottedPoint(TypedDict):
    at: dict[str, float]
    value: Explained[float | None]
    lower: float | None
    upper: float | None
    usable: Annotated[bool | None, Meta(extra_json_schema={"explained": [False, None]})]
    reason: str
    free_bound: float | None
    informative: bool | None


@closed
class Series(TypedDict):
    name: str
    kind: Literal["bound", "measured", "ratio", "term"]
    points: list[PlottedPoint]


class Comparison(TypedDict):
    title: str
    axes: Annotated[list[Axis], Meta(min_length=1, max_length=2)]
    label: str
    unit: str | None
    series: Annotated[list[Series], Meta(min_length=1)]
    notes: list[str]
    files: list[str]


@closed
@document("compare")
class PlainComparison(Comparison):
    mode: Literal["run", "algorithms", "bounds", "terms", "record"]


@closed
@document("compare")
class ControlComparison(Comparison):
    mode: Literal["control"]
    tau_star: float | None
