"""Fed-alpha-NormEC on two clients that drift in opposite directions: runs that never leave an interval.

The problem and the reason why the run stays are those of `verify.witnesses.fed_norm_ec_runs`; the search
chooses the shape of the clients, the interval, the unit of F and everything that the statement leaves free.
That the run stays is decided in rationals; running 30,000 rounds for each trial would take a search too long.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import isclose
from typing import Any, Final

import bounds
from verify.falsify.shapes import chosen, decades
from verify.witnesses.fed_norm_ec_runs import CLIENTS, GROW_WITH_THE_UNIT, STEPS, Run

Coordinates = Sequence[float]
Found = tuple[Fraction, Fraction, dict[str, Any]]
SIZE: Final = 9
HALVES: Final = tuple(Fraction(1, 2**k) for k in range(4, 10))
SET_BY_THE_STATEMENT: Final = {"alpha": 1, "beta": 1, "R": 1, "eta": 0, "gamma": -1}  # powers of the unit


def _thousandths(u: float, low: int, high: int) -> Fraction:
    return Fraction(low + round((high - low) * u), 1000)


def _clients(u: Coordinates) -> tuple[dict[str, Fraction], Fraction, Fraction]:
    """What shapes them, and the two ends of the interval."""
    left, right = _thousandths(u[0], -300, -10), _thousandths(u[1], -10, 50)
    shape = {"top": 1 + _thousandths(u[2], 0, 400), "root": chosen(u[3], HALVES)}
    return shape | {"start": (left + right) / 2}, left, right


def of_theorem(u: Coordinates) -> tuple[Run, Fraction, Fraction, dict[str, Any]]:
    shape, left, right = _clients(u)
    radius, alpha = chosen(u[4], HALVES), Fraction(decades(u[5], -1, 1, True))
    beta = alpha
    longest = beta * radius / (alpha + radius) / 2
    eta = longest * chosen(u[6], (Fraction(1), Fraction(1, 2), Fraction(1, 4)))
    run = Run(**shape, gamma=Fraction(1, 2), alpha=alpha, beta=beta, eta=eta, R=radius)
    rounds = int(chosen(u[7], (16, 64, 256)) / eta)
    given = {n: float(getattr(run, n)) for n in ("R", "alpha", "beta", "eta")}
    return run, left, right, given | {"K": rounds - 1}


def of_rate(u: Coordinates) -> tuple[Run, Fraction, Fraction, dict[str, Any]]:
    """K + 1 = n^8: everything that the choices of Corollaries 2 and 5 set is rational."""
    shape, left, right = _clients(u)
    n, eta_hat = chosen(u[4], (4, 6, 8, 10)), chosen(u[6], (16, 64))
    alpha, D_1 = Fraction(decades(u[5], 0, 2, True)), Fraction(decades(u[7], -3, -1, True))
    D_2 = 4 * eta_hat * (alpha + D_1) / D_1
    gamma, eta = Fraction(1, 2 * n), Fraction(eta_hat, n**7)
    run = Run(**shape, gamma=gamma, alpha=alpha, beta=D_2 / n**5, eta=eta, R=D_1 / n)
    return run, left, right, {"K": n**8 - 1, "D_1": float(D_1), "D_2": float(D_2), "alpha": float(alpha)}


Made = Callable[[Coordinates], tuple[Run, Fraction, Fraction, dict[str, Any]]]
FORMS: Final[Mapping[str, Made]] = {
    **{f"fed_norm_ec.{n}": of_theorem for n in ("theorem_1.main", "theorem_1.appendix", "theorem_2")},
    **{f"fed_norm_ec.{n}": of_rate for n in ("corollary_2", "corollary_5")},
}


def sides_of(identity: str) -> Callable[[Coordinates], Found | None]:
    """The least |f'| in the interval and the statement's own right side; None where the run may leave it."""

    def sides(u: Coordinates) -> Found | None:
        run, left, right, given = FORMS[identity](u)
        if not _seems_trapped(run, left, right) or not run.trapped(left, right):
            return None
        unit = Fraction(2) ** int(20 + 40 * u[8])
        bound = _right(identity, run, given, unit)
        shown = {n: getattr(run, n) for n in run.__slots__} | {"interval": [left, right], "unit of F": unit}
        return None if bound is None else (run.gradient(left, right) * unit, bound, shown | given)

    return sides


def _seems_trapped(run: Run, left: Fraction, right: Fraction) -> bool:
    """At the two ends: most points of a search fail there, in a hundredth of the time."""
    stays = run.mean_update(left) < -run.R and run.mean_update(right) > run.R
    return stays and run.memories_stay_close()


def _right(identity: str, run: Run, given: Mapping[str, Any], unit: Fraction) -> Fraction | None:
    """In float64, from which 1e-9 of it is taken as certain; None outside the conditions."""
    gap, apart = run.value(run.start) - run.infimum(), float(run.heterogeneity())
    known: dict[str, Any] = {"M": CLIENTS, "T": STEPS, "L": 1, "f0_gap": float(gap), "Delta_inf": apart}
    known |= {"p": 1, "sigma_DP": 0, **given}
    if "theorem_2" in identity:
        del known["T"]
    if "theorem_2" in identity or "corollary_5" in identity:
        known["Delta_i_inf_mean"] = apart
    point = {n: float(x) * float(unit) if n in GROW_WITH_THE_UNIT else x for n, x in known.items()}
    evaluation = bounds.get(identity).evaluate(**point)
    derived = evaluation.derived | point
    as_prescribed = all(
        isclose(derived[name], float(getattr(run, name)) * float(unit) ** power, rel_tol=1e-12)
        for name, power in SET_BY_THE_STATEMENT.items()
    )
    if evaluation.applicable is not True or not as_prescribed:
        return None
    return Fraction(float(evaluation.value)) * (1 + Fraction(1, 10**9))
