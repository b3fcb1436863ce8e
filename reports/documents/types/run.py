"""What `run` prints."""

from typing import Any, Literal, NotRequired, TypedDict

from verify.records.markers import Amount, Count, Explained, Positive, closed, document

Backend = Literal["numpy", "numba", "torch"]
Precision = Literal["double", "single"]


class RunPlan(TypedDict):
    backend: Backend
    device: str
    block: int
    rows: int
    threads: int
    noise: Literal["each", "together"]
    precision: Precision
    normals: Precision
    draws: Literal["host", "device"]
    exponentials: Literal["numpy", "torch"]


class Diverged(TypedDict):
    count: Count
    first_round: Explained[int | None]
    reason: NotRequired[str]


class SinglePrecisionError(TypedDict):
    name: str
    error: Explained[Amount | None]
    reason: NotRequired[str]


@closed
class End(TypedDict):
    mean: Explained[float | None]
    standard_error: Explained[float | None]
    min: Explained[float | None]
    max: Explained[float | None]
    reason: NotRequired[str]


class ObservedRun(TypedDict):
    name: str
    first: End
    last: End


class RunGuarantee(TypedDict):
    relation: str
    guarantee: Explained[dict[str, Any] | None]
    reason: NotRequired[str]


class RunRule(TypedDict):
    """A paper's rule for the noise of the algorithm; `refusal` says why it is not about this run."""

    id: str
    locator: str
    refusal: str | None


class RunPrivacy(TypedDict):
    placement: str | None
    delta: float
    guarantees: list[RunGuarantee]
    rules: list[RunRule]
    reason: NotRequired[str]


_As = TypedDict("_As", {"as": str | None})


@document("run")
class Run(_As):
    algorithm: str
    problem: str
    arguments: dict[str, Any]
    clients: Positive
    dimension: Positive
    start: float | None
    settings: dict[str, Any]
    replicates: Positive
    seed: Count
    backend: Backend
    device: str
    plan: RunPlan
    diverged: Diverged
    single_precision_errors: NotRequired[list[SinglePrecisionError]]
    observables: list[ObservedRun]
    delta: float
    parameters: dict[str, float] | None
    privacy: RunPrivacy
