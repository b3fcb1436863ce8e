"""The mean length of a Gaussian vector, by a one-dimensional integral.

For Z = ||g||^2 >= 0, E sqrt(Z) = 1/(2 sqrt(pi)) times the integral over t > 0 of (1 - E exp(-t Z)) t^(-3/2),
and for g = N(m, S) with eigenvalues l_j of S and m_j the coordinates of m along its eigenvectors,
E exp(-t Z) = prod_j (1 + 2 t l_j)^(-1/2) exp(-t m_j^2/(1 + 2 t l_j)).
With t = exp(2 v)/E Z the integrand decays like exp(-|v|) and is analytic in a strip around the real line, so
equal steps in v converge geometrically: to about twelve digits here.
"""

import numpy as np

from synthetic.engine.arithmetic import Array
from synthetic.errors import BadValue
from synthetic.moments.gradient_descent import Moments, mean_hessian
from synthetic.problems.quadratic import Quadratic

WIDTH, STEP = 36.0, 0.05


def expected_norm(mean: Array, covariance: Array) -> float:
    """E||g|| for g = N(mean, covariance), mean (d,), covariance (d, d)."""
    spectrum, basis = np.linalg.eigh(np.asarray(covariance, dtype=np.float64))
    variances = np.maximum(spectrum, 0.0)  # below zero by rounding only
    squares = (basis.T @ np.asarray(mean, dtype=np.float64)) ** 2
    size = float(variances.sum() + squares.sum())
    if size == 0:
        return 0.0
    v = np.arange(-WIDTH, WIDTH + STEP, STEP)[:, None]
    t = np.exp(2 * v) / size
    exponents = np.log1p(2 * t * variances) / 2 + t * squares / (1 + 2 * t * variances)
    integrand = -np.expm1(-exponents.sum(axis=1)) * np.exp(-v[:, 0])
    return float(np.sqrt(size / np.pi) * STEP * integrand.sum())


def expected_gradient_norm(problem: Quadratic, moments: Moments) -> Array:
    """E||grad f(x_k)|| for every k, where the states are Gaussian."""
    if not moments.gaussian:
        raise BadValue(
            asked="E||grad f(x_k)||",
            failed="the state is not known to be Gaussian",
            found="moments of a law that is not known further",
            needed="full participation and Gaussian noise",
            change="use squared_gradient_norm, or say gaussian_noise=True where it is",
        )
    hessian = np.asarray(mean_hessian(problem), dtype=np.float64)
    means = np.asarray(problem.gradient(moments.mean), dtype=np.float64)
    spreads = hessian @ np.asarray(moments.covariance, dtype=np.float64) @ hessian
    return np.array([expected_norm(m, s) for m, s in zip(means, spreads, strict=True)])
