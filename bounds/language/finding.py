"""Findings, evidence and verdicts: plain data that `verify` fills in and `reports` prints."""

from dataclasses import dataclass
from enum import Enum
from typing import final


class FindingClass(Enum):
    """Gravest first; one place, one finding, the gravest class that its evidence proves."""

    FALSE = "false"
    VACUOUS = "vacuous"
    UNINFORMATIVE = "uninformative"
    PROOF_BROKEN = "proof broken"
    INCONSISTENT = "inconsistent"
    LOOSE = "loose"
    INTERPRETATION = "interpretation"
    TYPO = "typo"


class Verdict(Enum):
    """The verdict on one cell."""

    HOLDS = "holds"
    VIOLATED = "violated"
    VACUOUS = "vacuous"
    INCONCLUSIVE = "inconclusive"
    REFUSED = "refused"


class Standing(Enum):
    """The standing of a statement."""

    REFUTED = "refuted"
    VACUOUS = "vacuous"
    UNINFORMATIVE = "uninformative"
    PROVED = "proved"
    UNREFUTED = "unrefuted"
    UNCHECKED = "unchecked"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A defect in the printed mathematics."""

    id: str
    statement: str
    locator: str
    grade: FindingClass
    where: str
    printed: str
    right: str
    evidence: str
