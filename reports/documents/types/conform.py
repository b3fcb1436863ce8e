"""What `conform` prints: line by line what a code does."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from msgspec import Meta

from reports.documents.types.statement import Variant
from verify.records.markers import Positive, closed, document

Shown = float | str | list[Any] | None


@closed
class ConformedLine(TypedDict):
    locator: str
    part: str
    text: str
    verdict: Literal["agrees", "differs", "not observable"]
    measured: Shown
    expected: Shown
    ratio: float | None
    cause: str | None
    slip: str | None
    conversion: str | None
    because: str
    reason: NotRequired[str]


class MeasuredGuarantee(TypedDict):
    epsilon: float | None
    reason: NotRequired[str]


@closed
class ConformedPrivacy(TypedDict):
    claimed: MeasuredGuarantee
    measured: MeasuredGuarantee
    as_server: MeasuredGuarantee
    placement: Literal["clients", "server"] | None
    multiplier_claimed: float
    multiplier_measured: float


@closed
class BoundOfCode(TypedDict):
    """A bound at one setting, with the constants given (`printed`) and with those that the code really uses.

    It is that of the form whose number is true; `not_printed` says what is wrong with the printed one.
    """

    variant: Variant
    not_printed: str | None
    at: dict[str, float]
    printed: float | None
    own: float | None
    constants: dict[str, Annotated[list[float], Meta(min_length=2, max_length=2)]]
    leaves: list[str]
    reason: NotRequired[str]


@closed
class Application(TypedDict):
    id: str
    applies: bool
    conversion: str | None
    because: str | None
    by_line: dict[str, str | None]
    bound: BoundOfCode | None


@closed
@document("conform")
class Conform(TypedDict):
    """tried, untried: beside an algorithm of a package, what was run, and what therefore was not."""

    target: str
    algorithm: str
    agrees: bool
    lines: Annotated[list[ConformedLine], Meta(min_length=1)]
    privacy: ConformedPrivacy | None
    applicable: list[Application]
    runs: Positive
    tried: list[str]
    untried: list[str]
