"""What `falsify` prints, of one statement and of several."""

from typing import Any, Literal, NotRequired, TypedDict

from reports.documents.types.markers import Amount, Count, document


class SearchedFamily(TypedDict):
    name: str
    best_score: float | None


class Witness(TypedDict):
    schema: Literal["fedbounds/falsify-witness/1"]
    id: str
    variant: str
    instance: dict[str, Any]
    left: float | None
    right: float | None
    method: str
    sentence: str


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
