"""What a rule for noise assumes and what a run really releases, as mechanisms of one kind.

The neighbouring relation is nothing that a run does: it is whoever asks who names it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, Final, final

from sympy import Expr

import bounds
from bounds.language.mechanism import AssumedMechanism
from bounds.language.statement import Statement
from synthetic import participation
from synthetic.releases import NoisySum
from verify.cell import Cell
from verify.privacy import calibration, mismatch
from verify.privacy.accountants import Accountant
from verify.privacy.errors import Unaccountable
from verify.privacy.guarantee import Guarantee, of_noise
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
from verify.privacy.release import known, release


def assumed(mechanism: AssumedMechanism, quantities: Mapping[str, float]) -> Mechanism:
    """At these quantities; what they do not decide stays unknown. A total is spread over its coordinates."""

    def value(expression: Expr | None) -> float | None:
        if expression is None:
            return None
        known = {s: quantities[s.name] for s in expression.free_symbols if s.name in quantities}
        number = expression.subs(known)
        return float(number) if number.is_number else None

    dimension = _as_count(value(mechanism.dimension))
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
        rounds=_as_count(value(mechanism.rounds)),
        clients=_as_count(value(mechanism.clients)),
        dimension=dimension,
    )


def _assumed_sampling(mechanism: AssumedMechanism, rate: float | None) -> Sampling | None:
    if mechanism.sampling is None or rate is None:
        return None
    return Full() if mechanism.sampling == "full" or rate == 1 else Independent(probability=rate)


def _as_count(value: float | None) -> int | None:
    return None if value is None else round(value)


def done(noisy_sum: NoisySum, relation: Relation | None) -> Mechanism:
    """What the engine tells of a run. Its deviations are per coordinate, however the listing counts."""
    return Mechanism(
        unit=None if noisy_sum.unit is None else Unit(noisy_sum.unit),
        relation=relation,
        sampling=_sampling(noisy_sum.participation, noisy_sum.clients),
        placement=Placement(noisy_sum.placement),
        spread=Spread.PER_COORDINATE,
        deviation=noisy_sum.deviation,
        contribution=noisy_sum.contribution,
        rounds=noisy_sum.rounds,
        clients=noisy_sum.clients,
        dimension=noisy_sum.dimension,
    )


def _sampling(rule: participation.Participation | None, clients: int) -> Sampling | None:
    if isinstance(rule, participation.Full):
        return Full()
    if isinstance(rule, participation.Independent):
        rate = float(rule.probability)
        return Full() if rate == 1 else Independent(probability=rate)
    return None if rule is None else FixedSize(drawn=rule.count, units=clients)


def refusal(rule: Mechanism, noisy_sum: NoisySum, relation: Relation | None) -> str | None:
    """Why the rule's guarantee says nothing about the run, both sides named; None where it covers the run."""
    reasons = [mismatch.refusal(rule, done(noisy_sum, relation))]
    if noisy_sum.in_the_open:
        reasons.append(f"shown without noise: {noisy_sum.in_the_open}")
    return "; ".join(reason for reason in reasons if reason) or None


def rules_of(algorithm: str) -> list[Statement]:
    """The statements that assert privacy of a noisy sum of this algorithm."""
    return [s for s in bounds.statements() if s.mechanism is not None and s.algorithm == algorithm]


def rule_refusal(statement: Statement, settings: object, noisy_sum: NoisySum) -> str | None:
    """Why the rule says nothing of a run, with the run's own noise and length; None where it is about it.

    How much noise there is an accountant counts; whether it is the mechanism of the rule is asked here.
    """
    assert statement.mechanism is not None
    rule = assumed(statement.mechanism, _sizes_in(statement, settings, noisy_sum))
    relation = rule.relation or Relation.ADD_OR_REMOVE  # a paper that leaves it open: whoever asks names it
    run = done(noisy_sum, relation)
    of_run = {name: getattr(run, name) for name in ("deviation", "contribution", "rounds", "spread")}
    return refusal(replace(rule, relation=relation, **of_run), noisy_sum, relation)


def _sizes_in(statement: Statement, settings: object, noisy_sum: NoisySum) -> dict[str, float]:
    """How many clients and coordinates there are and who takes part, under the statement's names."""
    drawn = noisy_sum.participation
    known: dict[str, float | None] = {
        "clients": noisy_sum.clients,
        "dimension": noisy_sum.dimension,
        "clients_per_round": getattr(settings, "clients_per_round", None),
        "participation.independent": getattr(drawn, "probability", None),
    }
    if isinstance(drawn, participation.Full):
        known["participation.independent"] = 1.0
    parts = {name: q.part.name for name, q in statement.notation.quantities.items() if q.part is not None}
    return {name: float(value) for name, part in parts.items() if (value := known.get(part)) is not None}


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What a run is to keep; its noise follows from it."""

    epsilon: float
    delta: float
    relation: Relation
    accountant: Accountant

    def plain(self) -> dict[str, Any]:
        """As a cell carries it."""
        return {name: getattr(self, name) for name in ("epsilon", "delta")} | {
            "relation": self.relation.value,
            "accountant": self.accountant.value,
        }


# The target of cells if the user names none; every client takes part in them, which is counted exactly.
STANDARD: Final = Target(
    epsilon=8.0, delta=1e-5, relation=Relation.ADD_OR_REMOVE, accountant=Accountant.EXACT
)


def target_of(plain: Mapping[str, Any]) -> Target:
    return Target(
        epsilon=float(plain["epsilon"]),
        delta=float(plain["delta"]),
        relation=Relation(plain["relation"]),
        accountant=Accountant(plain["accountant"]),
    )


def multiplier(target: Target, rule: participation.Participation, clients: int, rounds: int) -> float:
    """Noise of the sum, per coordinate, over one client's contribution."""
    sampling = _sampling(rule, clients)
    assert sampling is not None
    return calibration.noise(
        epsilon=target.epsilon,
        delta=target.delta,
        rounds=rounds,
        relation=target.relation,
        sampling=sampling,
        accountant=target.accountant,
    )


def spent(noisy_sum: NoisySum, target: Target) -> Guarantee:
    """What the run really kept, counted from what it released; Unaccountable where nothing counts that."""
    if noisy_sum.in_the_open:
        raise Unaccountable(f"shown without noise: {noisy_sum.in_the_open}")
    mechanism = done(noisy_sum, target.relation)
    of_run = release(mechanism)
    unit = known(mechanism.unit, "the unit of privacy")
    return of_noise(of_run, target.delta, unit, target.accountant, implemented=of_run.sampling)


def role(target: Target) -> str:
    return f"private: epsilon {target.epsilon:g} at delta {target.delta:g}"


def both_placements(cell: Cell, target: Target) -> tuple[Cell, Cell]:
    """The cell with its noise at the server, which an accountant counts, and at the clients, as listed."""
    engine = {**cell.engine, "privacy": target.plain()}
    return (
        replace(cell, engine=engine | {"noise_placement": "server"}),
        replace(cell, role=f"{cell.role}, noise as listed", engine=engine | {"noise_placement": "clients"}),
    )
