"""What a rule for noise assumes and what a run really releases, as mechanisms of one kind.

The neighbouring relation is nothing that a run does: it is whoever asks who names it.
"""

from collections.abc import Mapping
from math import sqrt

from sympy import Expr

from bounds.mechanism import AssumedMechanism
from synthetic import participation
from synthetic.noisy_sum import NoisySum
from verify.privacy import mismatch
from verify.privacy.mechanism import (
    FixedSize,
    Full,
    Independent,
    Mechanism,
    Placement,
    Relation,
    Sampling,
    Spread,
    Unit,
)


def assumed(mechanism: AssumedMechanism, quantities: Mapping[str, float]) -> Mechanism:
    """At these quantities; what they do not decide stays unknown. A total is spread over its coordinates."""

    def value(expression: Expr | None) -> float | None:
        if expression is None:
            return None
        known = {s: quantities[s.name] for s in expression.free_symbols if s.name in quantities}
        number = expression.subs(known)
        return float(number) if number.is_number else None

    dimension = _whole(value(mechanism.dimension))
    deviation, spread = value(mechanism.deviation), mechanism.spread
    if spread == "total" and deviation is not None and dimension is not None:
        deviation, spread = deviation / sqrt(dimension), "per coordinate"
    return Mechanism(
        unit=None if mechanism.unit is None else Unit(mechanism.unit),
        relation=None if mechanism.relation is None else Relation(mechanism.relation),
        sampling=_assumed_sampling(mechanism, value(mechanism.rate)),
        placement=None if mechanism.placement is None else Placement(mechanism.placement),
        spread=None if spread is None else Spread(spread),
        deviation=deviation,
        contribution=value(mechanism.contribution),
        rounds=_whole(value(mechanism.rounds)),
        clients=_whole(value(mechanism.clients)),
        dimension=dimension,
    )


def _assumed_sampling(mechanism: AssumedMechanism, rate: float | None) -> Sampling | None:
    if mechanism.sampling is None or rate is None:
        return None
    return Full() if mechanism.sampling == "full" or rate == 1 else Independent(probability=rate)


def _whole(value: float | None) -> int | None:
    return None if value is None else round(value)


def done(told: NoisySum, relation: Relation | None) -> Mechanism:
    """What the engine tells of a run. Its deviations are per coordinate, however the listing counts."""
    return Mechanism(
        unit=None if told.unit is None else Unit(told.unit),
        relation=relation,
        sampling=_sampling(told.participation, told.clients),
        placement=Placement(told.placement),
        spread=Spread.PER_COORDINATE,
        deviation=told.deviation,
        contribution=told.contribution,
        rounds=told.rounds,
        clients=told.clients,
        dimension=told.dimension,
    )


def _sampling(rule: participation.Participation | None, clients: int) -> Sampling | None:
    if isinstance(rule, participation.Full):
        return Full()
    if isinstance(rule, participation.Independent):
        rate = float(rule.probability)
        return Full() if rate == 1 else Independent(probability=rate)
    return None if rule is None else FixedSize(drawn=rule.count, units=clients)


def refusal(rule: Mechanism, told: NoisySum, relation: Relation | None) -> str | None:
    """Why the rule's guarantee says nothing about the run, both sides named; None where it covers the run."""
    reasons = [mismatch.refusal(rule, done(told, relation))]
    if told.in_the_open:
        reasons.append(f"shown without noise: {told.in_the_open}")
    return "; ".join(reason for reason in reasons if reason) or None
