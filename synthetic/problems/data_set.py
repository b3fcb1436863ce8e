"""Problems made of the bundled data sets."""

from synthetic.data import bundled as sets
from synthetic.data.splits import Rule
from synthetic.problems.from_data.models import model_of
from synthetic.problems.linear_models.model import LinearModel


def bundled(
    *,
    data: str,
    model: str = "auto",
    clients: int = 10,
    split: str = "iid",
    shards_per_client: int = 5,
    concentration: float = 1.0,
    seed: int = 0,
    l2: float | None = None,
    strength: float | None = None,
    standardise: bool = True,
    intercept: bool = True,
) -> LinearModel:
    """breast_cancer, digits and wine for classification, diabetes for least squares."""
    rule = Rule(
        clients=clients,
        split=split,
        shards_per_client=shards_per_client,
        concentration=concentration,
        seed=seed,
    )
    return model_of(
        sets.bundled(data),
        rule,
        model=model,
        l2=l2,
        strength=strength,
        standardise=standardise,
        intercept=intercept,
    )
