"""What a run really releases, as a mechanism, and the noise with which it keeps a target.

The neighbouring relation is nothing that a run does: it is whoever asks who names it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, final

from synthetic import participation
from synthetic.releases import NoisySum
from verify.cell import Cell
from verify.privacy import calibration
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
