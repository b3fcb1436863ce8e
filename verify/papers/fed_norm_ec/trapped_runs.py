"""Fed-alpha-NormEC on two clients that drift in opposite directions: runs that never leave an interval.

The problem and the reason why the run stays are those of `verify.papers.fed_norm_ec.witnesses.runs`; the
search chooses the shape of the clients, the interval, the unit of F and everything that the statement leaves
free. That the run stays is decided in rationals; running 30,000 rounds for each trial would take a search too
long.

Where there is noise (Corollary 3, whose own rule sets its level), the server's memory is off by the sum of
the noises so far. By Kolmogorov's inequality that sum stays below m of its last deviations throughout, but
with probability 1/m^2, whatever law the noise has: E |f'| is at least (1 - 1/m^2) of the least |f'| there.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import ceil, isclose, log, sqrt
from typing import Any, Final, final

from bounds.language.statement import Statement
from verify.papers.fed_norm_ec.witnesses.runs import CLIENTS, GROW_WITH_THE_UNIT, STEPS, Run
from verify.search.hard_problems import chosen, decades, few_bits

Coordinates = Sequence[float]
Found = tuple[Fraction, Fraction, dict[str, Any]]
DEVIATIONS: Final = (5, 10, 30, 100)
# Roots and logarithms are rounded: what they enter is moved by this much to the safe side.
ROUNDED: Final = Fraction(1, 10**9)
HALVES: Final = tuple(Fraction(1, 2**k) for k in range(4, 10))
SET_BY_THE_STATEMENT: Final = {"alpha": 1, "beta": 1, "R": 1, "eta": 0, "gamma": -1}  # powers of the unit


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Trap:
    """A run, the interval that it may not leave, and what is given to the statement.

    `probability`: with at least this probability the server's memory is never off by more than `noise`.
    """

    run: Run
    left: Fraction
    right: Fraction
    given: Mapping[str, Any]
    unit: Fraction
    noise: Fraction = Fraction(0)
    probability: Fraction = Fraction(1)

    @property
    def mean_gradient(self) -> Fraction:
        """At most the mean of |f'(x^k)|, for every k."""
        return self.probability * self.run.gradient(self.left, self.right)

    def holds(self) -> bool:
        """Decide with steps no shorter than those of the run, of few digits: fractions are slow with many."""
        longer = replace(self.run, eta=few_bits(float(self.run.eta), up=True))
        seems = _corners_ascend(self.run) and _turns_back(self.run, self.left, self.right, self.noise)
        return seems and longer.trapped(self.left, self.right, self.noise)


def _corners_ascend(run: Run) -> bool:
    """Corners that go back describe no derivative: slopes and infima would be those of nothing."""
    return all(a < b for client in run.clients for (a, _), (b, _) in pairwise(client.corners))


def _turns_back(run: Run, left: Fraction, right: Fraction, noise: Fraction = Fraction(0)) -> bool:
    """At the two ends: most points of a search fail there, in a hundredth of the time."""
    reach = run.R + noise
    stays = run.mean_update(left) < -reach and run.mean_update(right) > reach
    return stays and run.memories_stay_close()


def _thousandths(u: float, low: int, high: int) -> Fraction:
    return Fraction(low + round((high - low) * u), 1000)


def _clients(u: Coordinates, gamma: Fraction) -> tuple[dict[str, Fraction], Fraction, Fraction]:
    """What shapes them, and the two ends of the interval.

    Far from 0 on its left the drifts add -gamma/4 to the mean update (top - 1)/2, on its right gamma/4: only
    below top = 1 + gamma/2 does it change its sign, about gamma/2 to the left of 0.
    """
    left, right = gamma * _thousandths(u[0], -800, -200), gamma * _thousandths(u[1], -20, 100)
    shape = {"top": 1 + gamma / 2 * _thousandths(u[2], 0, 1000), "root": chosen(u[3], HALVES)}
    return shape | {"start": (left + right) / 2}, left, right


def _unit(u: float) -> Fraction:
    """The unit of F: conditions on Delta^inf hold where it is small enough, so that the numbers are large."""
    return Fraction(2) ** int(40 + 60 * u)


NO_NOISE: Final = {"p": 1, "sigma_DP": 0}


def of_theorem(u: Coordinates) -> Trap:
    gamma = Fraction(1, 2)
    shape, left, right = _clients(u, gamma)
    radius, alpha = chosen(u[4], HALVES), Fraction(decades(u[5], -1, 1, True))
    beta = alpha
    longest = beta * radius / (alpha + radius) / 2
    eta = longest * chosen(u[6], (Fraction(1), Fraction(1, 2), Fraction(1, 4)))
    run = Run(**shape, gamma=gamma, alpha=alpha, beta=beta, eta=eta, R=radius)
    rounds = int(chosen(u[7], (16, 64, 256)) / eta)
    given: dict[str, Any] = {n: float(getattr(run, n)) for n in ("R", "alpha", "beta", "eta")}
    given |= NO_NOISE | {"K": rounds - 1}
    return Trap(run=run, left=left, right=right, given=given, unit=_unit(u[8]))


def of_rate(u: Coordinates) -> Trap:
    """K + 1 = n^8: everything that the choices of Corollaries 2 and 5 set is rational."""
    n, eta_hat = chosen(u[4], (4, 6, 8, 10)), chosen(u[6], (16, 64))
    gamma, eta = Fraction(1, 2 * n), Fraction(eta_hat, n**7)
    shape, left, right = _clients(u, gamma)
    alpha, D_1 = Fraction(decades(u[5], 0, 2, True)), Fraction(decades(u[7], -3, -1, True))
    D_2 = 4 * eta_hat * (alpha + D_1) / D_1
    run = Run(**shape, gamma=gamma, alpha=alpha, beta=D_2 / n**5, eta=eta, R=D_1 / n)
    given: dict[str, Any] = {"K": n**8 - 1, "D_1": float(D_1), "D_2": float(D_2), "alpha": float(alpha)}
    return Trap(run=run, left=left, right=right, given=NO_NOISE | given, unit=_unit(u[8]))


def of_utility(u: Coordinates) -> Trap | None:
    """y = (B_2/2)^(1/4) says how private the run is: noise and steps follow from it and from the start.

    sigma_DP^2 = y^4 (K + 1), so that beta/M times the noises of all rounds and clients has the variance
    beta_hat^2 y^4/M, and beta_hat^2 = 3 (f(x^0) - f^inf)/(gamma y^2): no root is needed for it.
    """
    radius, y, gamma = chosen(u[4], HALVES), Fraction(decades(u[5], -6, -2, True)), Fraction(1, 2)
    shape, left, right = _clients(u, gamma)
    # beta and eta follow from the gap at the start.
    resting = Run(**shape, gamma=gamma, alpha=radius, beta=radius, eta=radius / 8, R=radius)
    if not _turns_back(resting, left, right):
        return None
    square = 3 * (resting.value(resting.start) - resting.infimum()) / gamma
    beta_hat, delta = sqrt(square) / y, chosen(u[7], (1e-3, 1e-5, 1e-8))
    rounds = ceil(beta_hat / float(radius) / chosen(u[6], (0.5, 1.0, 1.5)))
    beta = Fraction(beta_hat / rounds)
    run = replace(resting, beta=beta, eta=gamma / 4 * beta)
    given = {"K": rounds - 1, "R": float(radius), "B_hat": CLIENTS, "c": 1.0, "delta": delta}
    deviations = chosen(u[9], DEVIATIONS)
    return Trap(
        run=run,
        left=left,
        right=right,
        given=given | {"epsilon": sqrt(log(1 / delta)) / float(y) ** 2},
        unit=_unit(u[8]),
        noise=few_bits(float(deviations * _at_least_root(square * y**2 / CLIENTS)) + float(ROUNDED), up=True),
        probability=(1 - Fraction(1, deviations**2)) * (1 - ROUNDED),
    )


def _at_least_root(square: Fraction) -> Fraction:
    near = Fraction(sqrt(square))
    return (near + square / near) / 2


MakeTrap = Callable[[Coordinates], Trap | None]
FORMS: Final[Mapping[str, MakeTrap]] = {
    **{f"fed_norm_ec.{n}": of_theorem for n in ("theorem_1.main", "theorem_1.appendix", "theorem_2")},
    **{f"fed_norm_ec.{n}": of_rate for n in ("corollary_2", "corollary_5")},
    "fed_norm_ec.corollary_3.explicit": of_utility,
}


def size_of(identity: str) -> int:
    return 10 if FORMS[identity] is of_utility else 9


def sides(statement: Statement, u: Coordinates) -> Found | None:
    """What the mean of |f'| is at least, and the statement's right side; None where the run may escape."""
    trap = FORMS[statement.id](u)
    if trap is None or not trap.holds():
        return None
    bound = _right(statement, trap)
    shown = {n: getattr(trap.run, n) for n in trap.run.__slots__} | dict(trap.given)
    shown |= {"interval": [trap.left, trap.right], "unit of F": trap.unit}
    if trap.noise:
        shown |= {"noise stays below": trap.noise, "with probability": trap.probability}
    return None if bound is None else (trap.mean_gradient * trap.unit, bound, shown)


def _right(statement: Statement, trap: Trap) -> Fraction | None:
    """In float64, from which 1e-9 of it is taken as certain; None outside the conditions."""
    run, unit = trap.run, float(trap.unit)
    gap, apart = run.value(run.start) - run.infimum(), float(run.heterogeneity())
    known: dict[str, Any] = {"M": CLIENTS, "T": STEPS, "L": 1, "f0_gap": float(gap), "Delta_inf": apart}
    known |= trap.given
    if "theorem_2" in statement.id:
        del known["T"]
    if "theorem_2" in statement.id or "corollary_5" in statement.id:
        known["Delta_i_inf_mean"] = apart
    point = {n: float(x) * unit if n in GROW_WITH_THE_UNIT else x for n, x in known.items()}
    evaluation = statement.evaluate(**point)
    derived = evaluation.derived | point
    as_prescribed = all(
        isclose(derived[name], float(getattr(run, name)) * unit**power, rel_tol=1e-12)
        for name, power in SET_BY_THE_STATEMENT.items()
    )
    if evaluation.applicable is not True or not as_prescribed:
        return None
    return Fraction(float(evaluation.value)) * (1 + ROUNDED)
