"""What `privacy` prints, and the guarantee that other documents hold."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from msgspec import Meta

from reports.documents.types.markers import Explained, document

Relation = Literal["add-or-remove", "replace-one"]
Unit = Literal["client", "record"]
Accountant = Literal["pld", "rdp", "exact"]


class Sampling(TypedDict):
    kind: Literal["full", "independent", "fixed_size"]
    rate: float
    text: str


class Guarantee(TypedDict):
    epsilon: float
    delta: float
    relation: Relation
    unit: Unit
    sampling_assumed: Sampling
    sampling_implemented: Sampling | None
    accountant: Accountant
    rounding: str
    sigma: float
    sigma_over_sensitivity: float
    rounds: int


class CountedConstant(TypedDict):
    name: str
    value: float


class UsedConvention(TypedDict):
    symbol: str
    value: float | None
    reading: str
    text: str
    used: bool


class PrivacyAtAPoint(TypedDict):
    """The guarantee whose accountant counted a constant of the statement."""

    constant: CountedConstant
    conventions: list[UsedConvention]
    guarantee: Guarantee
    placement: str


@document("privacy-calibrate")
@document("privacy-epsilon")
@document("privacy-implied")
class PrivacyRefused(TypedDict):
    asked: dict[str, Any]
    refused: Literal[True]
    reason: str


class Asked(TypedDict):
    asked: dict[str, Any]
    refused: Literal[False]
    reason: NotRequired[str]


class CountedGuarantee(Asked, Guarantee):
    sentence: str


@document("privacy-epsilon")
class PrivacyEpsilon(CountedGuarantee):
    pass


class NamedConvention(TypedDict):
    symbol: str
    value: Explained[float | None]
    reading: str
    text: str
    named: bool
    reason: NotRequired[str]


@document("privacy-calibrate")
class PrivacyCalibrate(CountedGuarantee):
    found: Literal["sigma", "rounds"]
    target_epsilon: float
    paper: str | None
    conventions: list[NamedConvention]


class ImpliedPoint(TypedDict):
    epsilon: float
    sigma: float
    constant: float
    claimed: bool
    printed_limit: float | None


class DrawnClients(TypedDict):
    clients: float
    when: str
    noise_over_formula: float
    constant: Explained[list[float] | None]
    reason: NotRequired[str]


class ImpliedFacts(TypedDict):
    delta: float
    relation: Relation
    unit: Unit
    sampling_assumed: str
    sampling_implemented: str
    rounds: int
    accountant: Accountant
    rounding: str


@document("privacy-implied")
class PrivacyImplied(Asked):
    paper: str
    locator: str
    symbol: Literal["c", "q"]
    printed: str
    claims: str
    points: Annotated[list[ImpliedPoint], Meta(min_length=1)]
    smallest: float
    largest: float
    sentence: str
    listing: str
    drawn: list[DrawnClients]
    facts: ImpliedFacts
    csv: str | None
    plot: str | None
