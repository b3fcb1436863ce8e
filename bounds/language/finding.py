"""Findings, evidence and verdicts: plain data that `verify` fills in and `reports` prints."""

from dataclasses import dataclass
from enum import Enum
from typing import final

from bounds.language import view


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


# The printed number has no ground: `matters` says what follows.
GRAVE = (
    FindingClass.FALSE,
    FindingClass.VACUOUS,
    FindingClass.UNINFORMATIVE,
    FindingClass.PROOF_BROKEN,
)


class Verdict(Enum):
    """The verdict on one cell."""

    HOLDS = "holds"
    VIOLATED = "violated"
    VACUOUS = "vacuous"
    INCONCLUSIVE = "inconclusive"
    REFUSED = "refused"


class Status(Enum):
    """The standing of a statement, without its counts."""

    REFUTED = "refuted"
    VACUOUS = "vacuous"
    UNINFORMATIVE = "uninformative"
    PROVED = "proved"
    UNREFUTED = "unrefuted"
    UNCHECKED = "unchecked"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a statement stands; the numbers say what an unrefuted one was tried on."""

    status: Status
    cells: int = 0
    asymptotic: int = 0  # of the cells
    cases: int = 0
    certified: int = 0  # points at which a certificate shows the bound for every problem of the class
    tight: int = 0  # points at which the bound is within 1e-6 below what a certificate shows
    best_ratio: float | None = None

    @property
    def tried(self) -> str:
        """Return "(2 cells, 1 asymptotic, best ratio 0.9)", or nothing."""
        counted = [f"{self.cells} cell{'s' * (self.cells > 1)}"] if self.cells else []
        counted += [f"{self.asymptotic} asymptotic"] if self.asymptotic else []
        counted += [f"{self.cases} case{'s' * (self.cases > 1)}"] if self.cases else []
        counted += [f"{self.certified} certified for the whole class"] if self.certified else []
        counted += [f"{self.tight} tight to 1e-6 for the whole class"] if self.tight else []
        counted += [] if self.best_ratio is None else [f"best ratio {self.best_ratio:.3g}"]
        return f"({', '.join(counted)})" if counted else ""

    def _repr_html_(self) -> str | None:
        return view.html(self)

    def __str__(self) -> str:
        """Return the words that a record and a page hold; no program takes them apart again."""
        return f"{self.status.value} {self.tried}".strip()


REFUTED = Standing(status=Status.REFUTED)
UNCHECKED = Standing(status=Status.UNCHECKED)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A defect in the printed mathematics.

    `where`, `matters` and `evidence` are for readers; `matters` says in one sentence which theorem falls or
    what a user of it would do wrong, and every grave finding has it. What programs need is a value: whether
    the finding is about the conclusion, which no other statement shares, and the name of a defect that
    several places share.
    """

    id: str
    statement: str
    locator: str
    grade: FindingClass
    where: str
    printed: str
    right: str
    evidence: str
    matters: str = ""
    of_conclusion: bool = False
    defect: str = ""

    def __repr__(self) -> str:
        return f"<Finding {self.grade.value} at {self.locator}, {self.where}: {self.evidence}>"

    def _repr_html_(self) -> str | None:
        return view.html(self)
