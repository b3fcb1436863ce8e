"""What several verbs say of a statement: paper, conditions, findings, what is known without the bound."""

from typing import Literal, NotRequired, TypedDict

from reports.documents.quotation import Quoted
from reports.documents.types.markers import Explained

Variant = Literal["printed", "amended"]
Parameter = float | str | bool  # of a statement or of an algorithm; a fraction is text


class Paper(TypedDict):
    key: str
    title: str
    authors: str


_Class = TypedDict("_Class", {"class": str})


class Finding(_Class):
    id: str
    statement: str
    locator: str
    where: str
    printed: str
    quoted: Quoted
    matters: str | None
    right: str
    evidence: str


class Condition(TypedDict):
    id: str
    printed: str
    text: str


class CheckedCondition(Condition):
    holds: Explained[bool | None]
    margin: Explained[float | None]
    absolute: bool
    tie: bool
    missing: list[str]
    reason: NotRequired[str]


class FreeBound(TypedDict):
    value: Explained[float | None]
    expression: NotRequired[str]
    because: NotRequired[str]
    reason: NotRequired[str]


class Informed(TypedDict):
    """The bound beside what is known without it."""

    free_bound: FreeBound
    informative: bool | None
    informative_because: str
