"""Parameters that answer every sample rightly: a logistic loss then has infimum 0 and never attains it."""

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array, hstack

from synthetic.arithmetic import Array
from synthetic.problems._objective import Objective

PIVOTS = 20_000  # of the simplex method: a budget that is the same on every machine


def separating_point(objective: Objective) -> Array | None:
    """From the linear programme max t, margins >= t, parameters in [-1, 1]; its answer is checked."""
    rows = objective.loss.margin_rows(objective.features, objective.answers)
    if rows is None:
        return None
    table = hstack([-rows, csr_array(np.ones((rows.shape[0], 1)))])
    cost = np.append(np.zeros(objective.dimension), -1.0)
    bounds = [(-1.0, 1.0)] * objective.dimension + [(None, 1.0)]
    limits = {"maxiter": PIVOTS}
    found = linprog(cost, A_ub=table, b_ub=np.zeros(rows.shape[0]), bounds=bounds, options=limits)
    if found.x is None or not objective.separated(found.x[:-1]):
        return None
    point: Array = found.x[:-1]
    return point
