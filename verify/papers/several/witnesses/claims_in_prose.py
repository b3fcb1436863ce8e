"""Claims in words without an inequality of their own, and the experiments of a paper against its theorem."""

import math
from fractions import Fraction

import bounds
from verify.papers.several.claims_on_objects import FASHION
from verify.witness import Measured


def thresholds_out_of_order() -> Measured:
    """Gradients of length 1 all along: E_1 = 1, C_hat_1 = 2 and E_2 = 2, C_hat_2 = 3 both clip nothing."""
    equal = (1 <= 2 * 1) == (2 <= 3 * 2)
    return Measured(left=3.0, right=2.0, applicable=equal)


def two_steps_at_full_length() -> Measured:
    """f of slope 1 far from its minimizer: two local steps sum to an update of 2, clipped at C = G = 1."""
    return Measured(left=abs(2 - min(2, 1)), right=0.0, applicable=True)


NEAR = Fraction(1, 10)


def flat_in_one_place(x: Fraction) -> Fraction:
    """The slope of f = x + x^4 up to 1/10 from 0; beyond, its curvature stays, so that f is smooth."""
    inside = max(-NEAR, min(x, NEAR))
    return 1 + 4 * inside**3 + 12 * NEAR**2 * (x - inside)


def flat_hessian() -> Measured:
    """That f at 0, eta = 1/10, L = 3/25: the gradient changes by 4 eta^3, and the Hessian there is 0.

    Assumption 1 has eta <= rho/(2 L), and rho may be any number up to 1.
    """
    eta, L, rho = NEAR, 12 * NEAR**2, Fraction(1, 10)
    gradient = flat_in_one_place(Fraction(0))
    change = abs(flat_in_one_place(-eta * gradient) - gradient)
    return Measured(left=float(change), right=0.0, applicable=eta <= rho / (2 * L), equality=True)


def drift_at_the_prescribed_gamma() -> Measured:
    """L = Delta_inf = 1 and gamma = 1/(2L), the choice of Theorem 1: the term is 4 sqrt 2."""
    return Measured(left=0.5 * 8 * math.sqrt(2), right=0.0, applicable=True)


def same_algorithm_twice() -> Measured:
    """R_s = R_c: every chosen tau is 1 (C.exp.scen1), which is the algorithm with tau = 1."""
    adaptive, fixed = FASHION["equal"]
    return Measured(left=adaptive, right=fixed[0], applicable=True, equality=True)


def chosen_against_best() -> Measured:
    """2 R_s = R_c: tau = 3 is chosen, and tau = 2 has the highest accuracy of the fixed ones."""
    _, fixed = FASHION["scarce"]
    return Measured(left=max(fixed), right=fixed[3 - 1], applicable=True)


def unknowns_of_the_step() -> Measured:
    """Quantities of the problem, beside L, in the conditions on eta of Theorem 1."""
    conditions = bounds.get("fed_norm_ec.theorem_1.main").conditions
    names = {s.name for c in conditions if str(c.value) == "eta" for s in c.limit.free_symbols}
    return Measured(left=float(len(names & {"Delta_inf", "f0_gap"})), right=0.0, applicable=True)
