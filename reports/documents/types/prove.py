"""What `prove` prints."""

from typing import Any, Literal, NotRequired, TypedDict

from verify.records.markers import closed, document


@closed
class ProvedStep(TypedDict):
    locator: str
    status: Literal["certified", "refuted", "open", "prose"]
    rule: str | None
    certificate: str | None
    detail: str


@closed
class Given(TypedDict):
    source: str
    sentence: str


class Proof(TypedDict):
    schema: NotRequired[Literal["fedbounds/proof/1"]]
    id: NotRequired[str]
    variant: NotRequired[str]
    given: NotRequired[list[dict[str, Any]]]
    steps: NotRequired[list[dict[str, Any]]]


@closed
@document("prove")
class Prove(TypedDict):
    id: str
    variant: str
    standing: NotRequired[Literal["refuted", "vacuous", "proved", "unchecked"]]
    sentence: str
    steps: NotRequired[list[ProvedStep]]
    certificate: NotRequired[Proof | None]
    given: NotRequired[list[Given]]
    agrees: NotRequired[bool]
    concludes: NotRequired[bool]
