"""Outcomes with the moments of normal numbers: expectations of polynomials up to degree 7 are exact."""

from itertools import product
from typing import Any, Final

import numpy as np

from bounds.language.lemmas.gaussian_vectors import GaussianObject
from verify.objects.draw import Points

# The moments of degree 2, 4 and 6 are 1, 3 and 15, and the odd ones zero; a test looks.
NUMBERS: Final = (-3, -2, -1, 0, 1, 2, 3)
WEIGHTS: Final = (1, 9, 45, 70, 45, 9, 1)
MOST_COORDINATES: Final = {0: 10**6, 1: 3, 2: 2}  # by how many Gaussian vectors there are; of more, one


def most_coordinates(objects: Any) -> int:
    """So many that all outcomes of all Gaussian vectors together can be gone through."""
    return MOST_COORDINATES.get(sum(isinstance(thing, GaussianObject) for thing in objects), 1)


def gaussian_outcomes(d: int) -> tuple[Points, Any]:
    """The vectors of a standard one, and their weights, in whole numbers."""
    outcomes = np.array(list(product(NUMBERS, repeat=d)), dtype=float)
    weights = np.array([np.prod(each) for each in product(WEIGHTS, repeat=d)], dtype=float)
    return outcomes, weights
