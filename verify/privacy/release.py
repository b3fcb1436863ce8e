"""From a mechanism to what an accountant counts: a (subsampled) Gaussian, noise over contribution."""

from dataclasses import dataclass
from math import isfinite, sqrt
from typing import TypeVar, final

from verify.privacy.errors import BadRequest, Unaccountable
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

T = TypeVar("T")
UNKNOWN = "nobody states {}, and privacy depends on it"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """multiplier: per-coordinate standard deviation of the sum's noise over one unit's contribution."""

    multiplier: float
    relation: Relation
    sampling: Sampling
    rounds: int

    def __post_init__(self) -> None:
        if not (isfinite(self.multiplier) and self.multiplier > 0):
            raise BadRequest(f"the noise must be positive and finite, not {self.multiplier:g}")
        if self.rounds < 1:
            raise BadRequest(f"there must be at least one round, not {self.rounds}")

    @property
    def per_sensitivity(self) -> float:
        """Replacing a unit takes its vector out and puts another in: the sum moves by two contributions."""
        return self.multiplier / (2 if self.relation is Relation.REPLACE_ONE else 1)


def release(mechanism: Mechanism) -> Release:
    relation = known(mechanism.relation, "the neighboring relation")
    known(mechanism.unit, "the unit of privacy")
    contribution = known(mechanism.contribution, "the largest contribution of a unit")
    if not (isfinite(contribution) and contribution > 0):
        raise BadRequest(f"a contribution must be positive and finite, not {contribution:g}")
    return Release(
        multiplier=deviation_of_sum(mechanism) / contribution,
        relation=relation,
        sampling=sampling_of(mechanism),
        rounds=known(mechanism.rounds, "the number of rounds"),
    )


def deviation_of_sum(mechanism: Mechanism) -> float:
    """Per coordinate, with the noises of the clients added up."""
    deviation = known(mechanism.deviation, "the standard deviation of the noise")
    if known(mechanism.spread, "whether the variance is total or per coordinate") is Spread.TOTAL:
        deviation /= sqrt(known(mechanism.dimension, "the dimension, which a total variance is spread over"))
    return deviation * sqrt(noises(mechanism))


def noises(mechanism: Mechanism) -> int:
    """How many independent noises the sum contains; refused where that number tells who took part."""
    placement = known(mechanism.placement, "where noise is added")
    if placement is Placement.SERVER or mechanism.unit is Unit.RECORD:
        return 1  # a record's client noises its own message once, whichever of its records were drawn
    sampling = sampling_of(mechanism)
    if isinstance(sampling, Independent):
        raise Unaccountable(
            "noise of the clients under independent sampling: the variance of the sum depends on how many "
            "clients were drawn, and with nobody drawn there is none; no accountant of a Gaussian counts this"
        )
    if mechanism.relation is not Relation.REPLACE_ONE:
        raise Unaccountable(
            "noise of the clients under add-or-remove: a client takes its noise along, so the variance of "
            "the sum depends on its presence; replace-one keeps the number of noises"
        )
    if isinstance(sampling, FixedSize):
        return sampling.drawn
    assert isinstance(sampling, Full)
    return known(mechanism.clients, "the number of clients, whose noises add up")


def sampling_of(mechanism: Mechanism) -> Sampling:
    if mechanism.sampling is None:
        raise Unaccountable(UNKNOWN.format("how units are drawn"))
    return mechanism.sampling


def known(value: T | None, what: str) -> T:
    if value is None:
        raise Unaccountable(UNKNOWN.format(what))
    return value
