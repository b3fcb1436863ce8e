"""What `audit` prints."""

from typing import Any, Literal, TypedDict

from reports.documents.types.markers import closed, document
from reports.documents.types.statement import Finding


class Satisfiable(TypedDict):
    verdict: Literal[
        "satisfiable", "nothing is asked", "only trivial problems", "unsatisfiable", "inconclusive"
    ]
    evidence: str
    sentence: str
    point: dict[str, Any] | None
    problem: dict[str, Any] | None
    parameters: dict[str, Any] | None
    lemmas: list[str]
    excluded: list[str]


class Informative(TypedDict):
    verdict: Literal[
        "informative",
        "uninformative",
        "no bound",
        "no free bound is known",
        "constants of an O(.) are open",
        "inconclusive",
    ]
    evidence: str
    sentence: str
    ratio: float | None
    point: dict[str, Any] | None
    from_on: dict[str, Any] | None
    excluded: list[str]


class AuditedStep(TypedDict):
    id: str
    status: str
    method: str | None


class RateTerm(TypedDict):
    term: str
    monomials: list[str]
    verdict: str


class Substitution(TypedDict):
    of: str
    name: str
    locator: str
    verdict: str
    detail: str


class Limit(TypedDict):
    case: str
    verdict: Literal["reduces", "does not reduce", "not comparable"]
    detail: str


class Hypotheses(TypedDict):
    not_named: list[str]
    asked: list[str]


@closed
class Experiment(TypedDict):
    name: str
    where: str
    printed: str
    condition: str
    verdict: Literal["holds", "violated", "not decidable"]
    detail: str


class AuditedStatement(TypedDict):
    id: str
    variant: str
    locator: str
    dimension: Literal["consistent", "inconsistent"]
    satisfiable: Satisfiable
    informative: Informative
    steps: list[AuditedStep]
    findings: list[Finding]
    rate: list[RateTerm] | None
    substitution: list[Substitution] | None
    limits: list[Limit] | None
    hypotheses: Hypotheses | None
    experiments: list[Experiment]
    tested_by: str | None


@document("audit")
class Audit(TypedDict):
    statements: list[AuditedStatement]
