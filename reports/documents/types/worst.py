"""What `worst` prints."""

from typing import Annotated, Literal, NotRequired, TypedDict

from msgspec import Meta

from verify.records.markers import Amount, Count, closed, document


@closed
class Multiplier(TypedDict):
    constraint: str
    multiplier: str


@closed
class WorstCertificate(TypedDict):
    multipliers: list[Multiplier]
    block_sizes: list[Count]


@closed
class WorstInstance(TypedDict):
    dimensions: list[Count]
    vectors: NotRequired[
        Annotated[
            list[list[list[str]]],
            Meta(
                description="For each block the coordinates of its basis vectors, as fractions in the units "
                "of the scaled program."
            ),
        ]
    ]
    values: NotRequired[list[str]]
    measured: Annotated[
        float,
        Meta(
            description="The observable of the engine's run of the instance, in floating point: the mean "
            "over the replicates."
        ),
    ]
    standard_error: Annotated[Amount, Meta(description="Of `measured`; 0 for a run without chance.")]
    replicates: Count
    curvature: NotRequired[
        Annotated[
            str,
            Meta(
                description="Of equal clients c/2 ||x||^2, in place of vectors and values: c. They attain "
                "the lower end where noise is known by its second moments alone."
            ),
        ]
    ]
    hessian: NotRequired[
        Annotated[
            list[list[str]],
            Meta(
                description="Of quadratic clients, in place of vectors and values: the second derivatives in "
                "the coordinates that the clients share and in those of a client's own direction."
            ),
        ]
    ]
    start: NotRequired[
        Annotated[list[str], Meta(description="Of quadratic clients: x_0 in the shared coordinates.")]
    ]
    spread: NotRequired[
        Annotated[
            list[str],
            Meta(
                description="Of quadratic clients: the gradient at x* in the coordinates of a client's own "
                "direction."
            ),
        ]
    ]


@closed
class WorstQuestion(TypedDict):
    client: Annotated[Count | None, Meta(description="None: every client, each at its own point.")]
    own: dict[str, str]
    of_mean: dict[str, str]


@closed
class WorstIterate(TypedDict):
    own: dict[str, str]
    of_mean: dict[str, str]


@closed
class WorstMethod(TypedDict):
    """What the code of an algorithm did.

    Its points are x_0 plus multiples of gradients, by their number, and of means of gradients over clients.
    """

    algorithm: str
    values: dict[str, int | float]
    asked: list[WorstQuestion]
    iterates: list[WorstIterate]


@closed
class WorstTerm(TypedDict):
    name: str
    value: float | None


class WorstAnswer(TypedDict):
    target: str
    variant: str | None
    answered: bool
    sentence: str
    setting: Annotated[
        dict[str, str | int | bool] | None,
        Meta(description="What is assumed and asked, in exact numbers; what is not assumed is left out."),
    ]
    method: NotRequired[WorstMethod]
    observable: str | None
    upper: Annotated[float | None, Meta(description="The certified end, rounded up.")]
    upper_exact: Annotated[str | None, Meta(description="The certified end as a fraction.")]
    lower: Annotated[float | None, Meta(description="What the instance attains, rounded down.")]
    lower_exact: str | None
    exact_class: Annotated[
        bool | None,
        Meta(
            description="False if a limit on the spread of gradients is asked at the points of the run alone."
        ),
    ]
    all_pairs: Annotated[
        bool | None,
        Meta(
            description="False if only near points of a long run are compared: the upper end may lie above "
            "the worst case."
        ),
    ]
    bound: float | None
    bound_exact: str | None
    terms: list[WorstTerm] | None
    ratio: Annotated[
        float | None,
        Meta(description="bound / certified end: the bound is at least this many times the worst case."),
    ]
    ratio_at_most: Annotated[float | None, Meta(description="bound / attained end.")]
    verdict: Literal["holds", "tight", "violated", "inconclusive"] | None
    seconds: Amount
    given: Annotated[
        dict[str, str] | None,
        Meta(description="The quantities of the statement as they were given, in exact numbers."),
    ]


@closed
@document("worst")
class Worst(WorstAnswer):
    certificate: WorstCertificate | None
    instance: WorstInstance | None
    agrees: NotRequired[bool]
    reason: NotRequired[str]


@closed
class WorstPoint(WorstAnswer):
    at: dict[str, str]


@closed
@document("worst")
class WorstOver(TypedDict):
    """What --over gives: one answer for each point, without certificate and instance."""

    target: str
    variant: NotRequired[str | None]
    answered: bool
    points: list[WorstPoint]
    sentence: NotRequired[str]
    reason: NotRequired[str]
