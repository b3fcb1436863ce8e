"""What `constants` prints, and what `--constants` reads."""

from typing import Any, Literal, NotRequired, TypedDict

from reports.documents.types.markers import Explained, Positive, closed, document

Provenance = Literal["exact", "enclosed", "given", "estimated", "none"]
Values = float | list[float] | None  # a list has a value for each client


@closed
class Constant(TypedDict):
    value: Explained[Values]
    lower: Explained[Values]
    upper: Explained[Values]
    provenance: Provenance
    because: NotRequired[str]
    reason: NotRequired[str]


@closed
class KnownQuantity(TypedDict):
    value: Explained[float | None]
    lower: Explained[float | None]
    upper: Explained[float | None]
    provenance: Provenance
    constant: str
    reason: NotRequired[str]


@document("constants")
class Constants(TypedDict):
    problem: str
    arguments: dict[str, Any]
    clients: Positive
    dimension: Positive
    constants: dict[str, Constant]
    quantities: dict[str, dict[str, KnownQuantity]]
    reason: NotRequired[str]
