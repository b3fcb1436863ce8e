"""Upper bounds on epsilon: privacy loss distributions, Renyi divergences, and the exact formula.

dp-accounting counts the first two; what it leaves to its caller (the doubled sensitivity of replace-one under
Renyi divergences) is done here, and what it has no proven count for is refused.
"""

from enum import StrEnum
from functools import cache
from math import inf, isfinite
from typing import Any

import numpy as np

from verify.privacy import exact, loss_distribution
from verify.privacy.dp_accounting_on_use import dp_accounting
from verify.privacy.errors import BadRequest, TooLittleNoise, Unaccountable
from verify.privacy.loss_distribution import GRID
from verify.privacy.mechanism import FixedSize, Full, Independent, Relation, Sampling
from verify.privacy.release import Release


class Accountant(StrEnum):
    PLD = "pld"
    RDP = "rdp"
    EXACT = "exact"


PARTS = 16  # in which the orders are counted for fixed-size sampling

ROUNDING = {
    Accountant.PLD: (
        f"up: privacy losses on a grid of {GRID:g} or finer, pessimistic, truncated mass counted as loss"
    ),
    Accountant.RDP: "up: Renyi divergences are upper bounds, over a finite list of orders",
    Accountant.EXACT: exact.ROUNDING,
}


def epsilon(release: Release, delta: float, accountant: Accountant, grid: float = GRID) -> float:
    """The release is (epsilon, delta)-private at the returned epsilon or less."""
    check_delta(delta)
    check_countable(release.relation, release.sampling, accountant)
    _check_size(release)
    if accountant is Accountant.EXACT:
        value = exact.epsilon(release, delta)
    elif accountant is Accountant.RDP:
        value = _count_by_renyi_divergence(release, delta)
    else:
        value = _count_by_loss_distribution(release, delta, grid)
    if not isfinite(value):
        raise TooLittleNoise(
            f"no finite epsilon was found at delta {delta:g}: too little noise, or too small a delta"
        )
    return max(0.0, value)


def check_delta(delta: float) -> None:
    if not 0 < delta < 1:
        raise BadRequest(f"delta must be in (0, 1), not {delta:g}")


def check_countable(relation: Relation, sampling: Sampling, accountant: Accountant) -> None:
    """Refuse a mechanism that no accountant covers, at any noise."""
    if accountant is Accountant.EXACT and not isinstance(sampling, Full):
        raise Unaccountable(
            f"the exact formula counts full participation, and sampling is {sampling}; use pld or rdp"
        )
    if not isinstance(sampling, FixedSize):
        return
    if accountant is Accountant.PLD:
        raise Unaccountable(
            "fixed-size sampling is not independent sampling, and no dominating pair of it is proven to "
            "compose; count it by --accountant rdp under replace-one, or sample independently"
        )
    if relation is not Relation.REPLACE_ONE:
        raise Unaccountable(
            "fixed-size sampling is not independent sampling: its bound is for replace-one, since removing a "
            "unit changes the number that the draw is made of"
        )


# The limits within which dp-accounting counts sampled rounds without leaving float64.
LEAST, MOST, RAREST = 1e-6, 1e12, 1e-15


def _check_size(release: Release) -> None:
    if isinstance(release.sampling, Full):
        return
    if release.per_sensitivity < LEAST:
        raise TooLittleNoise(
            f"no finite epsilon of sampled rounds is counted below {LEAST:g} sensitivities of noise"
        )
    if release.per_sensitivity > MOST or release.sampling.rate < RAREST:
        raise Unaccountable(
            f"sampled rounds are counted up to {MOST:g} sensitivities of noise, down to rate {RAREST:g}; "
            f"here are {release.per_sensitivity:g} and {release.sampling.rate:g}"
        )


def _count_by_loss_distribution(release: Release, delta: float, grid: float) -> float:
    return loss_distribution.epsilon(release, delta, _count_by_renyi_divergence(release, delta), grid)


def _count_by_renyi_divergence(release: Release, delta: float) -> float:
    if isinstance(release.sampling, FixedSize):
        return _count_fixed_size(release, release.sampling, delta)
    orders, one_round = _divergences(release.per_sensitivity, release.relation, release.sampling)
    value, _ = dp_accounting().rdp.compute_epsilon(orders, release.rounds * one_round, delta)
    return float(value)


def _count_fixed_size(release: Release, sampling: FixedSize, delta: float) -> float:
    """Large orders take longest: they are left out once the divergence, which grows, is above the result."""
    least, compute = inf, dp_accounting().rdp.compute_epsilon
    orders = _list_orders()
    # compute_epsilon adds this to the divergence; what is left out of a minimum leaves it an upper bound
    added = np.log1p(-1 / orders) - np.log(delta * orders) / (orders - 1)
    for some in np.array_split(np.arange(len(orders)), PARTS):
        found = release.rounds * _fixed_size(tuple(orders[some]), release.per_sensitivity, sampling)
        least = min(least, float(compute(orders[some], found, delta)[0]))
        if found[-1] + min(added[some[-1] :]) >= least:
            break
    return least


def _list_orders() -> Any:
    return np.array(dp_accounting().rdp.rdp_privacy_accountant.DEFAULT_RDP_ORDERS, dtype=np.float64)


@cache
def _divergences(per_sensitivity: float, relation: Relation, sampling: Full | Independent) -> tuple[Any, Any]:
    """Orders, and the divergence of one round at each."""
    orders = _list_orders()
    if not isinstance(sampling, Independent):
        with np.errstate(over="ignore", divide="ignore"):  # an infinite divergence is one
            return orders, orders / 2 / per_sensitivity / per_sensitivity
    if relation is Relation.ADD_OR_REMOVE:
        return orders, _independent(orders, per_sensitivity, sampling)
    # From one neighbour to the other through the input that lacks the unit (Mironov 2017, Proposition 11):
    # D_a(P|Q) <= (a - 1/2)/(a - 1) D_2a(P|R) + D_{2a-1}(R|Q), each step of one contribution.
    integers = orders[orders == np.round(orders)]
    there = _independent(2 * integers, 2 * per_sensitivity, sampling)
    back = _independent(2 * integers - 1, 2 * per_sensitivity, sampling)
    return integers, (integers - 0.5) / (integers - 1) * there + back


def _independent(orders: Any, multiplier: float, sampling: Independent) -> Any:
    dp = dp_accounting()
    counted = dp.rdp.RdpAccountant(orders, dp.NeighboringRelation.ADD_OR_REMOVE_ONE)
    return counted.compose(dp.PoissonSampledDpEvent(sampling.probability, dp.GaussianDpEvent(multiplier))).rdp


@cache
def _fixed_size(orders: tuple[float, ...], per_sensitivity: float, sampling: FixedSize) -> Any:
    dp = dp_accounting()
    counted = dp.rdp.RdpAccountant(orders, dp.NeighboringRelation.REPLACE_ONE)
    # Wang, Balle and Kasiviswanathan (2019) count noise over the distance of neighbours: the doubled one.
    event = dp.SampledWithoutReplacementDpEvent(
        sampling.units, sampling.drawn, dp.GaussianDpEvent(per_sensitivity)
    )
    return counted.compose(event).rdp
