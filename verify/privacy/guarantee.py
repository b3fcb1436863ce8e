"""A number of differential privacy with the facts without which it says nothing."""

from dataclasses import dataclass, fields
from typing import Any, final

from verify.privacy import calibration
from verify.privacy.accountants import ROUNDING, Accountant, epsilon
from verify.privacy.mechanism import FixedSize, Full, Independent, Relation, Sampling, Unit
from verify.privacy.release import Release

KINDS = {Full: "full", Independent: "independent", FixedSize: "fixed_size"}


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Guarantee:
    """epsilon is an upper bound at delta; sigma is that of the sum, per coordinate, over one contribution.

    sampling_implemented: what an algorithm really did; None where none ran.
    """

    epsilon: float
    delta: float
    relation: Relation
    unit: Unit
    sampling_assumed: Sampling
    sampling_implemented: Sampling | None
    accountant: Accountant
    rounding: str
    sigma: float
    sigma_over_sensitivity: float
    rounds: int


def of_noise(
    release: Release, delta: float, unit: Unit, accountant: Accountant, implemented: Sampling | None = None
) -> Guarantee:
    return Guarantee(
        epsilon=epsilon(release, delta, accountant),
        delta=delta,
        relation=release.relation,
        unit=unit,
        sampling_assumed=release.sampling,
        sampling_implemented=implemented,
        accountant=accountant,
        rounding=f"epsilon {ROUNDING[accountant]}",
        sigma=release.multiplier,
        sigma_over_sensitivity=release.per_sensitivity,
        rounds=release.rounds,
    )


def rounding_of_noise(accountant: Accountant) -> str:
    return f"noise {calibration.NOISE_ROUNDING}; epsilon {ROUNDING[accountant]}"


def rounding_of_rounds(accountant: Accountant) -> str:
    return f"rounds {calibration.ROUNDS_ROUNDING}; epsilon {ROUNDING[accountant]}"


def facts(found: Guarantee) -> dict[str, Any]:
    """As JSON: every answer about privacy has all of them."""
    stated = {field.name: getattr(found, field.name) for field in fields(found)}
    both = {name: of_sampling(stated[name]) for name in ("sampling_assumed", "sampling_implemented")}
    return stated | both


def of_sampling(sampling: Sampling | None) -> dict[str, Any] | None:
    if sampling is None:
        return None
    return {"kind": KINDS[type(sampling)], "rate": sampling.rate, "text": str(sampling)}
