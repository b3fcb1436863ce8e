"""DP-FedAvg: a quadratic of which the eigenvalues and the largest gradient of a round are known."""

from typing import Any

import numpy as np

from bounds.language.statement import Statement
from verify.objects.draw import Draw
from verify.objects.functions import quadratic

Objects = dict[str, Any]


def curved_on_the_way(draw: Draw, _: Statement) -> Objects:
    """Eigenvalues of at least lambda give Assumption 1 (i); G is the largest gradient on the way."""
    d, L, rho = draw.dimension(3), draw.decades(-2, 2), draw.between(0.01, 0.5)
    lam = L * draw.between(0.05, 1) if draw.family.share is None else L
    objective = quadratic(draw, d, L, lam)
    w = draw.points(d, 1)[0]
    G = float(np.linalg.norm(objective.gradient(w))) + 1e-6 * draw.family.scale
    E = draw.count(1, int(1 / (2 * rho)))
    given = {"gradient": objective.gradient, "w": w, "E": E, "L": L, "lam": lam, "G": G, "rho": rho}
    return given | {"Delta_star_max": 0.0}  # no object: all clients are this one


INSTANCES = {"dp_fedavg.proposition_1": curved_on_the_way}
