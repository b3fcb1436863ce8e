"""What the verdicts mean: the statements that still apply, and the privacy that the code's noise buys."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

import bounds
from verify.conformance.instance import instance
from verify.conformance.lab import Lab
from verify.conformance.listing import Part
from verify.conformance.verdict import LineVerdict, Verdict
from verify.privacy.accountants import Accountant
from verify.privacy.errors import BadRequest, Unaccountable
from verify.privacy.guarantee import facts, of_noise
from verify.privacy.mechanism import FixedSize, Full, Independent, Relation, Sampling, Unit
from verify.privacy.release import Release

ROUNDS, DIMENSION = 200, 40


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The settings for which epsilon is asked: those that the user runs the code with."""

    clients: int
    clients_per_round: int
    threshold: float
    noise_scale: float
    rounds: int
    delta: float
    relation: Relation = Relation.ADD_OR_REMOVE


def applicable(algorithm: str, lines: Sequence[LineVerdict]) -> tuple[Mapping[str, Any], ...]:
    """Every statement of the algorithm: whether it applies, and with which constants if not as printed."""
    wrong = [line for line in lines if line.reading.verdict is Verdict.DIFFERS]
    conversions = [line.reading.conversion for line in wrong]
    found = []
    for statement in bounds.statements():
        if statement.algorithm != algorithm:
            continue
        if not wrong:
            found.append({"id": statement.id, "applies": True, "conversion": None, "because": None})
            continue
        known = [conversion for conversion in conversions if conversion is not None]
        found.append(
            {
                "id": statement.id,
                "applies": False,
                "conversion": "; ".join(known) if len(known) == len(wrong) else None,
                "because": ", ".join(line.line.locator for line in wrong),
            }
        )
    return tuple(found)


def privacy(lab: Lab, claim: Claim | None, lines: Sequence[LineVerdict]) -> Mapping[str, Any] | None:
    """Epsilon as the settings claim it and as the measured noise buys it; None without noise or a claim.

    Both count the noise as the server's, as the note below the listing allows.
    """
    if claim is None or lab.listing.deviation is None or lab.listing.law == "full":
        return None
    multiplier = claim.clients_per_round * claim.noise_scale / claim.threshold
    listed = Independent(probability=claim.clients_per_round / claim.clients)
    measured = _measured_multiplier(lab, claim)
    hidden = {line.line.part: line.reading for line in lines}[Part.BOUNDING]
    answer = {
        "claimed": _epsilon(claim, multiplier, listed),
        "measured": _epsilon(claim, measured, _sampling(lab, claim)),
        "placement": lab.found.placement,
        "multiplier_claimed": multiplier,
        "multiplier_measured": measured,
    }
    if hidden.verdict is Verdict.DIFFERS:
        answer["measured"] = {
            "epsilon": None,
            "reason": "updates are not bounded as the listing has it, so that no accountant can count the noise",
        }
    return answer


def _measured_multiplier(lab: Lab, claim: Claim) -> float:
    """Deviation of the noise over the movement that one client can make, both measured at the claim."""
    at = lab.listing.point(
        C=claim.threshold, sigma=0.0, r=claim.clients_per_round, n=claim.clients_per_round, d=DIMENSION
    )
    slopes = np.zeros((at.n, at.d))
    slopes[0, 0] = 1e3 * claim.threshold
    largest = float(np.linalg.norm(lab.movement(instance(slopes), at)))
    noisy = replace(at, sigma=claim.noise_scale)
    states = lab.states(instance(np.zeros((at.n, at.d))), noisy, rounds=ROUNDS)
    deviation = float(np.sqrt(((states[1:] - states[:-1]) ** 2).mean()))
    return deviation / largest if largest else 0.0


def _sampling(lab: Lab, claim: Claim) -> Sampling | None:
    drawn, units = claim.clients_per_round, claim.clients
    known: dict[str | None, Sampling] = {
        "full": Full(),
        "independent": Independent(probability=drawn / units),
        "fixed size": FixedSize(drawn=drawn, units=units),
    }
    return known.get(lab.found.law)


def _epsilon(claim: Claim, multiplier: float, sampling: Sampling | None) -> Mapping[str, Any]:
    if sampling is None:
        return {"epsilon": None, "reason": "the law of participation was not identified"}
    try:
        release = Release(
            multiplier=multiplier, relation=claim.relation, sampling=sampling, rounds=claim.rounds
        )
        guarantee = of_noise(release, claim.delta, Unit.CLIENT, _accountant(sampling))
        return facts(guarantee)
    except (BadRequest, Unaccountable) as error:
        return {"epsilon": None, "reason": str(error)}


def _accountant(sampling: Sampling) -> Accountant:
    return Accountant.EXACT if sampling.rate == 1 else Accountant.PLD
