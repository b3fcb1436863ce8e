"""DP-FedAvg: what Proposition 1 and eqs. (15) and (16) ask of numbers that are no objects."""

from typing import Any

import numpy as np

from bounds.language.statement import Statement
from verify.objects.draw import CASES, Draw
from verify.objects.functions import SLACK, quadratic

Objects = dict[str, Any]


def gaps_of_either_sign(draw: Draw, _: Statement) -> Objects:
    """f_i(w) - f_i(w*) from -Delta_i* on, with C_hat as large as the largest Delta_i* asks."""
    n, E, L, rho = draw.count(1, 6), draw.count(1, 8), draw.decades(-1, 1), draw.between(0.001, 0.99)
    gaps = draw.numbers(n) - draw.numbers(n) * draw.count(0, 1)
    C_hat = 4 * float(np.sqrt(L * max(1e-3, -gaps.min()))) * (1 + draw.share()) * SLACK
    lengths = C_hat * E * (0.01 + 2 * draw.random.random((CASES, n)))
    alpha = max(1.0, 2 * rho * E) / draw.share() * SLACK
    given = {"C_hat": C_hat, "L": L, "E": E, "alpha": alpha, "rho": rho}
    # No object: with gaps of at least -Delta_i* this is the least that Delta_star_max can be.
    return given | {"gaps": gaps, "update_norms": lengths, "Delta_star_max": max(0.0, -float(gaps.min()))}


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


def unclipped_coefficients(draw: Draw, _: Statement) -> Objects:
    """Numbers, not objects: the left side is the coefficient of eq. (15), the right one that of eq. (16)."""
    E, rho, C_hat = draw.count(1, 8), draw.between(0.001, 0.99), draw.decades(-1, 1)
    alpha = 2 * rho * E / draw.share() * SLACK
    ratio = rho * E / alpha
    update = C_hat * E * draw.share()
    return {
        **{"clipping_coefficient": 2 - ratio - ratio**2, "client_update_norm": update},
        **{"E": E, "rho": rho, "C_hat": C_hat, "alpha": alpha},
    }


INSTANCES = {
    "dp_fedavg.equation_16_comparison.left_sides": gaps_of_either_sign,
    "dp_fedavg.proposition_1": curved_on_the_way,
}
NUMBERS_OF = {
    "dp_fedavg.equation_16_comparison.coefficients": unclipped_coefficients,
    "dp_fedavg.signal_to_noise_ratio.amplification": unclipped_coefficients,
}
