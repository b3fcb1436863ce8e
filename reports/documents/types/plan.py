"""What `plan` prints, of one statement and of several."""

from typing import Annotated, Any, NotRequired, TypedDict

from msgspec import Meta

from reports.documents.types.statement import CheckedCondition, Informed, Parameter
from verify.records.markers import Explained, document


class PlannedTerm(TypedDict):
    name: str
    value: float | None
    share: float | None
    pays_for: str


class PlannedBound(TypedDict):
    value: float | None
    unit: str
    terms: list[PlannedTerm]


class PlannedQuotient(TypedDict):
    observable: str
    coefficient: float
    value: float
    unit: str


class LeastShare(TypedDict):
    """No choice of `names` makes the bound less than `share` of what is known without a run."""

    share: float
    names: list[str]
    binding_conditions: list[CheckedCondition]


class InformativeFrom(TypedDict):
    rounds: int | None
    epsilon: float | None
    least: LeastShare | None


class PlannedAlgorithm(TypedDict):
    name: str | None
    settings: dict[str, Parameter]


class PlannedPrivacy(TypedDict):
    noise_multiplier: float | None
    placement: str
    guarantee: Explained[dict[str, Any] | None]
    not_counted: NotRequired[str]  # beside a guarantee
    reason: NotRequired[str]


class Band(TypedDict):
    mean: float
    lower: float
    upper: float


class PlannedRun(TypedDict):
    replicates: int
    seed: int
    left: dict[str, Any] | None
    gap_at_start: float
    gap: Band


class BestBySimulation(TypedDict):
    settings: dict[str, Parameter]
    gap: Band
    tried: int


@document("plan")
class Planned(Informed):
    id: str
    variant: str
    locator: str
    problem: str | None
    arguments: dict[str, Any]
    clients: int | None
    dimension: int | None
    rounds: int
    start: float | None
    setting: dict[str, float]
    prescribed: dict[str, float | None]
    participation: dict[str, float]
    units: dict[str, str]
    known: dict[str, float]
    sources: dict[str, str]
    assumptions: list[str]
    certified: bool
    how: str
    weighs_left: Annotated[
        list[str], Meta(description="Chosen parameters that coefficients of the left side take.")
    ]
    quotient: Annotated[
        PlannedQuotient | None,
        Meta(
            description="What the choice makes smallest where a coefficient of the left side takes it: the "
            "bound over the coefficient of one observable. Null where it is the bound itself."
        ),
    ]
    bound: PlannedBound
    dominating_term: str
    informative_from: InformativeFrom | None
    algorithm: PlannedAlgorithm
    privacy: PlannedPrivacy
    run: PlannedRun | None
    best_by_simulation: BestBySimulation | None
    note: str | None
    files: list[str]
    reason: NotRequired[str]


@document("plan")
class NotPlanned(TypedDict):
    id: str
    setting: None
    reason: str


class RefusedPlan(TypedDict):
    id: str
    reason: str


@document("plan-ranking")
class PlanRanking(TypedDict):
    plans: list[Planned]
    refused: list[RefusedPlan]
