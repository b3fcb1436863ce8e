"""Random vectors of finitely many outcomes: one, or independent ones for the entries of an index."""

from typing import Any, Final

from bounds.errors import MalformedStatement
from bounds.language.dimension import Dimension, X
from bounds.language.lemmas.expressions import (
    optional_scalar,
)
from bounds.language.lemmas.linear import Vector
from bounds.language.lemmas.objects import Index, VectorObject

MOST_DRAWN: Final = 8  # independent random vectors, of which all outcomes together are gone through


def random_vector(
    name: str,
    *,
    over: Index | None = None,
    centered: bool = False,
    deviation: Any = None,
    dimension: Dimension = X,
) -> Vector:
    """Finitely many outcomes with probabilities; of mean zero, of total variance at most deviation^2.

    With `over`, one for each entry of the index; they are independent.
    """
    if over is not None and over.low > MOST_DRAWN:
        raise MalformedStatement(
            f"{name} is drawn for at most {MOST_DRAWN} entries of {over.name}, which has {over.low} or more"
        )
    outcomes = Index(f"outcomes_of_{name}", 2, 6, weighted=True)
    spread = optional_scalar(deviation)
    return VectorObject(name, outcomes, False, None, centered or spread is not None, spread, dimension, over)
