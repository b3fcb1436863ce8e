"""The formulas of evaluate.py at one point, as a careful user writes them in Python without NumPy.

Those without a root or a case, `theorem_2` and `lemma_f3`, are as well what the user writes of arrays.
"""

from math import sqrt
from typing import Any


def theorem_1(
    f0_gap: float,
    K: float,
    eta: float,
    R: float,
    beta: float,
    p: float,
    sigma_DP: float,
    M: float,
    L: float,
    T: float,
    Delta_inf: float,
) -> float:
    gamma = 1 / (2 * L)
    B = 2 * (1 - p) ** 2 / p + 2 * (1 - p) + 2 * sigma_DP**2 / p
    drift = 8 * L * sqrt(2 * L * Delta_inf) if T != 1 else 0.0
    return (
        3 * f0_gap / ((K + 1) * eta) + 2 * R + 2 * beta * sqrt(B * (K + 1) / M) + eta * L / 2 + gamma * drift
    )


def theorem_2(C_hat: Any, L: Any, D0: Any, K: Any, E: Any, alpha: Any, rho: Any, Delta_star_mean: Any) -> Any:
    gamma = K * C_hat * E * rho**2 / (2 * alpha)
    return C_hat * (L * D0**2 / gamma + gamma / L) * rho + 3 * E / (2 * alpha) * Delta_star_mean * rho


def lemma_f3(
    f0_gap: Any,
    eta: Any,
    mu: Any,
    R: Any,
    alpha: Any,
    zeta: Any,
    L: Any,
    sigma: Any,
    M: Any,
) -> Any:
    a = alpha - 1
    speed = eta * mu * R * a * f0_gap**a / 4
    return (
        f0_gap / (speed + 1) ** (1 / a)
        + 2 * (zeta**2 / mu) ** (1 / alpha)
        + 2 * (2 * L * eta * sigma**2 / (M * mu)) ** (1 / alpha)
    )
