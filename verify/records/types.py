"""The record of a verification as it is in its file: every key with its type, its range and its meaning.

A record that is read is checked against these types before anything is built from it.
"""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from msgspec import Meta

from verify.privacy.document import Guarantee
from verify.record_limits import LARGEST_SEED, LONGEST, MOST_REPLICATES, MOST_TRIALS
from verify.records.markers import Amount, Count, closed, document

Text = Annotated[str, Meta(max_length=LONGEST)]
Seed = Annotated[int, Meta(ge=0, le=LARGEST_SEED)]
Variant = Literal["printed", "amended"]
Verdict = Literal["holds", "violated", "vacuous", "inconclusive", "refused"]
Level = Annotated[float, Meta(gt=0, lt=1)]
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Measured(TypedDict):
    estimate: float | None
    lower: float | None
    upper: float | None
    exact: Text | None


class BoundOfCell(TypedDict):
    value: float | None
    terms: dict[str, float | None]


@closed
class CellRounding(TypedDict):
    """Absolute amounts by which numbers may differ on another kernel, library or device: docs/replay.md.

    It is null if none is known. Without the key, numbers are compared up to 1e-9 of their size.
    """

    estimate: Amount
    ends: Amount
    bound: Amount
    ratio: NotRequired[Amount]


class JudgedCell(TypedDict):
    id: Text
    variant: Variant
    problem: Text
    algorithm: Text
    parameters: dict[str, float | Text]
    measured: Measured
    bound: BoundOfCell
    excess: Measured
    ratio: float | None
    verdict: Verdict
    level: Level
    method: Text
    sentence: Text
    reading: Text
    seed: Seed
    replicates: Annotated[
        int,
        Meta(ge=1, le=MOST_REPLICATES, description="Independent runs; what is computed exactly makes none."),
    ]
    digest: Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]
    role: Text
    certified: bool
    problem_arguments: dict[str, Any]
    engine: dict[str, Any]
    privacy: NotRequired[Guarantee]
    rounding: NotRequired[CellRounding | None]


@closed
class Side(TypedDict):
    value: float | None
    exact: str | None


@closed
class Counterexample(TypedDict):
    """The shortest counterexample that was found to a lemma that declares its objects, as lines of text.

    `exact` is a side as a fraction, if it is one.
    """

    lines: list[str]
    left: Side
    right: Side
    checked: str


class WorstObjects(TypedDict):
    left: float | None
    right: float | None
    ratio: float | None
    excess: float | None
    family: Text
    objects: dict[str, Any]


@closed
class PropertyRounding(TypedDict):
    """The amounts for a property, like those for a cell."""

    sides: Amount
    ratio: NotRequired[Amount]


class Property(TypedDict):
    id: Text
    variant: Variant
    kind: Literal["property"]
    cases: Count
    families: dict[str, Count]
    counterexample: NotRequired[Counterexample]
    drawn: NotRequired[
        Annotated[
            Count,
            Meta(
                description="Cases that were drawn; `cases` of them met every condition and assumption. "
                "Only a lemma that declares its objects has it."
            ),
        ]
    ]
    worst: WorstObjects | None
    verdict: Verdict
    method: Text
    sentence: Text
    seed: Seed
    trials: Annotated[int, Meta(ge=1, le=MOST_TRIALS)]
    rounding: NotRequired[PropertyRounding | None]


@closed
class CertifiedWorstCase(TypedDict):
    """A bound that a rational certificate compares with the worst case over the whole class, at one point."""

    id: str
    variant: str
    parameters: dict[str, str]
    bound: float
    upper: float
    lower: float | None
    ratio: float | None
    verdict: Literal["holds", "tight", "violated", "inconclusive", "refused"]
    method: str
    sentence: str


@closed
class Parent(TypedDict):
    """The record that a part was taken from; its cells share the error level.

    The digest is the SHA-256 of its content as JSON with sorted keys and no spaces.
    """

    digest: Digest
    cells: Count
    properties: Count


class Summary(TypedDict):
    """Counts and standings that follow from the entries of this file, and from nothing else."""

    cells: dict[str, int]
    properties: NotRequired[dict[str, int]]
    standings: dict[str, str]
    amended: NotRequired[dict[str, str]]


class Entries(TypedDict):
    error_level: Annotated[
        Level,
        Meta(
            description="Shared by all cells: the probability that any verdict is wrong, "
            "asymptotic ones aside."
        ),
    ]
    seed: Seed
    cells: Annotated[
        list[JudgedCell], Meta(description="Runs: one statement on one problem at one parameter point.")
    ]
    worst_cases: NotRequired[list[CertifiedWorstCase]]


@document("record")
class Record(Entries):
    """Enough to run every cell and every property again: `fedbounds replay`.

    Non-finite numbers are null, with a reason beside them; exact numbers are fractions p/q as text.
    """

    environment: dict[str, Text]
    part_of: NotRequired[Parent]
    summary: Summary
    properties: NotRequired[
        Annotated[
            list[Property],
            Meta(
                description="Statements tried on objects (vectors, functions, sequences, numbers) "
                "instead of in runs."
            ),
        ]
    ]
