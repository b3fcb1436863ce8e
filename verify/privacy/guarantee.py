"""A number of differential privacy with the facts without which it says nothing."""

from dataclasses import dataclass
from typing import Any, final

from verify.privacy import calibration
from verify.privacy.accountants import ROUNDING, Accountant, epsilon
from verify.privacy.mechanism import FixedSize, Full, Independent, Relation, Sampling, Unit
from verify.privacy.release import Release

KINDS = {Full: "full", Independent: "independent", FixedSize: "fixed_size"}


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Guarantee:
    """epsilon is an upper bound at delta; the noise is per coordinate, of the sum, over one contribution.

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
    noise_multiplier: float
    noise_over_sensitivity: float
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
        noise_multiplier=release.multiplier,
        noise_over_sensitivity=release.per_sensitivity,
        rounds=release.rounds,
    )


def rounding_of_noise(accountant: Accountant) -> str:
    return f"noise {calibration.NOISE_ROUNDING}; epsilon {ROUNDING[accountant]}"


def rounding_of_rounds(accountant: Accountant) -> str:
    return f"rounds {calibration.ROUNDS_ROUNDING}; epsilon {ROUNDING[accountant]}"


def facts(found: Guarantee) -> dict[str, Any]:
    """As JSON: every answer about privacy has all of them."""
    return {
        "epsilon": found.epsilon,
        "delta": found.delta,
        "relation": found.relation,
        "unit": found.unit,
        "sampling_assumed": of_sampling(found.sampling_assumed),
        "sampling_implemented": of_sampling(found.sampling_implemented),
        "accountant": found.accountant,
        "rounding": found.rounding,
        "sigma": found.noise_multiplier,
        "sigma_over_sensitivity": found.noise_over_sensitivity,
        "rounds": found.rounds,
    }


def of_sampling(sampling: Sampling | None) -> dict[str, Any] | None:
    if sampling is None:
        return None
    return {"kind": KINDS[type(sampling)], "rate": sampling.rate, "text": str(sampling)}
