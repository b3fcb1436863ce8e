"""What `doctor` prints."""

from typing import Any, Literal, NotRequired, TypedDict

from reports.documents.types.markers import Explained, document


class Package(TypedDict):
    name: str
    version: Explained[str | None]
    needed_by: Literal[
        "core", "cluster", "data", "docs", "fast", "frameworks", "privacy", "tables", "test", "tight", "bench"
    ]
    reason: NotRequired[str]


class Device(TypedDict):
    name: Explained[str | None]
    cuda: bool
    threads: NotRequired[int]
    reason: NotRequired[str]


class TimedPlan(TypedDict):
    block: int
    threads: int
    seconds: float


class TimedExponentials(TypedDict):
    by: str
    seconds: float


class PlanInUse(TypedDict):
    name: str
    recorded: str | None
    settings: dict[str, Any]
    measured: NotRequired[list[TimedPlan]]
    exponentials: NotRequired[list[TimedExponentials]]
    reason: NotRequired[str]


class FoundPaper(TypedDict):
    key: str
    title: str | None
    reason: NotRequired[str]
    statements: int


@document("doctor")
class Doctor(TypedDict):
    version: str | None
    python: str
    platform: str
    packages: list[Package]
    device: Device
    plan: PlanInUse
    papers: list[FoundPaper]
    missing: list[str]
    broken: list[str]
    healthy: bool
