"""What `show` prints: a statement as plain data."""

from typing import Annotated, Literal, NotRequired, TypedDict

from msgspec import Meta

from reports.documents.types.statement import Condition, Finding, Paper
from verify.records.markers import document


class Quantity(TypedDict):
    name: str
    latex: str
    meaning: str
    domain: str
    dimension: str
    role: str
    detail: str
    in_a_run: str
    need: str
    required: bool
    prescribed: bool
    derived_from: list[str]
    expression: str | None


class Setting(TypedDict):
    locator: str
    text: str


class Assumption(TypedDict):
    name: str
    text: str
    locator: str
    reconstructed: bool


class Choice(TypedDict):
    name: str
    expression: str
    locator: str
    absorbed: str | None


class Definition(TypedDict):
    name: str
    expression: str
    locator: str
    source: str
    needed: bool


class Observable(TypedDict):
    name: str
    latex: str
    meaning: str
    dimension: str
    over: str
    measured: str
    lowest: str
    free_bound: str | None
    moments: str


class Left(TypedDict):
    expression: str
    unit: str
    observables: list[Observable]
    quantities: list[str]


class ShownTerm(TypedDict):
    name: str
    expression: str
    pays_for: str
    vanishes: str
    non_negative: bool
    observables: list[Observable]


class Edge(TypedDict):
    name: str
    at: float
    outcome: str
    sentence: str


class ShownStep(TypedDict):
    id: str
    printed: str
    reason: str
    uses: list[str]
    status: str


class Amendment(TypedDict):
    change: str
    because: str
    derivation: str
    needed: str


class Mechanism(TypedDict):
    """The noisy sum whose privacy is asserted; a fact that the paper does not say is null."""

    unit: Literal["client", "record"] | None
    relation: Literal["add-or-remove", "replace-one"] | None
    sampling: Literal["full", "independent"] | None
    placement: Literal["clients", "server"] | None
    spread: Literal["per coordinate", "total"] | None
    rate: str | None
    deviation: str | None
    contribution: str | None
    rounds: str | None
    clients: str | None
    dimension: str | None
    said: dict[str, str]


class ConcreteObject(TypedDict):
    name: str
    meaning: str


class Relative(TypedDict):
    """A line of the table across papers."""

    name: str
    other: str
    kinship: Literal["not the same", "converted", "equal"]
    sentence: str
    expression: str | None


@document("show")
class Show(TypedDict):
    id: str
    locator: str
    variant: str
    variants: list[str]
    kind: str
    title: str
    paper: Paper
    algorithm: str | None
    printed: Annotated[list[str], Meta(min_length=1)]
    reading: str
    other_readings: list[str]
    quantities: list[Quantity]
    setting: list[Setting]
    assumptions: list[Assumption]
    choices: list[Choice]
    definitions: list[Definition]
    conditions: list[Condition]
    left: Left | None
    terms: list[ShownTerm]
    edges: list[Edge]
    steps: list[ShownStep]
    explicit: str | None
    follows_from: str
    derived_from: str
    amendment: Amendment | None
    refuted_by: str
    not_checkable: str
    mechanism: Mechanism | None
    objects: list[ConcreteObject]
    example: dict[str, float] | None
    in_other_papers: list[Relative]
    findings: list[Finding]
    bibtex: str
    mathml: NotRequired[list[str]]
