"""What `falsify` prints, of one statement and of several."""

from typing import Any, Literal, NotRequired, TypedDict

from verify.records.markers import Amount, Count, document


class SearchedFamily(TypedDict):
    name: str
    best_score: float | None


class Witness(TypedDict):
    schema: Literal["fedbounds/falsify-witness/1"]
    id: str
    variant: str
    locator: NotRequired[str]
    printed: NotRequired[list[str]]
    family: NotRequired[str]
    instance: dict[str, Any]
    left: float | None
    right: float | None
    method: str
    sentence: str
    details: NotRequired[dict[str, Any]]


class Attempt(TypedDict):
    id: str
    variant: str
    searched: bool
    refuted: bool
    ratio: float | None
    excess: float | None
    left: float | None
    right: float | None
    method: str
    sentence: str
    families: list[SearchedFamily]
    evaluations: Count
    instances: Count
    best: dict[str, Any] | None
    half_refuted: bool | None
    witness: Witness | None
    unconfirmed: list[str]
    cut: bool
    seconds: Amount
    agrees: NotRequired[bool]
    reason: NotRequired[str]


@document("falsify")
class Falsify(Attempt):
    pass


@document("falsify-several")
class FalsifySeveral(TypedDict):
    results: list[Attempt]


class SearchRow(TypedDict):
    """One row of a study of searches; what an attempt that raised has instead of results is `failed`."""

    id: str
    variant: str
    form: NotRequired[str]
    searched: NotRequired[bool]
    refuted: NotRequired[bool]
    ratio: NotRequired[float | None]
    excess: NotRequired[float | None]
    sentence: NotRequired[str]
    method: NotRequired[str]
    family: NotRequired[str | None]
    evaluations: NotRequired[Count]
    instances: NotRequired[Count]
    budget: NotRequired[Amount]
    seconds: NotRequired[Amount]
    half_refuted: NotRequired[bool | None]
    best: NotRequired[dict[str, Any] | None]
    unconfirmed: NotRequired[list[str]]
    witness: NotRequired[Witness | str | None]
    failed: NotRequired[str]


@document("falsify-study")
class FalsifyStudy(TypedDict):
    rows: list[SearchRow]
