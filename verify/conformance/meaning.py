"""What the verdicts mean: the statements that still apply, and the privacy that the code's noise buys."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, final

import numpy as np

import bounds
from verify.conformance.bounding import FAR
from verify.conformance.instance import instance
from verify.conformance.lab import Lab
from verify.conformance.listing import Listing, Part, Point
from verify.conformance.noise_slips import NOISES
from verify.conformance.own_bounds import bound_of
from verify.conformance.own_constants import Own
from verify.conformance.verdict import LineVerdict, Verdict
from verify.privacy.accountants import Accountant
from verify.privacy.errors import BadRequest, Unaccountable
from verify.privacy.guarantee import facts, of_noise
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
from verify.privacy.release import release

ROUNDS, DIMENSION = 200, 40
SIZES = 7  # different numbers of data points among the clients of an instance


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


def applicable(
    algorithm: str, lines: Sequence[LineVerdict], paper: str | None = None
) -> tuple[Mapping[str, Any], ...]:
    """Every statement of the algorithm: whether it applies, and with which constants if not as printed.

    paper: the statements of this paper alone. by_line: of each line that differs, the constants with which
    the statement has this line as the code has it, or None if no constants do. conversion: all of them in
    turn, if every line has some. bound: the bound before and after that conversion, as `own_bounds` gives it.
    """
    own = _conversions(lines)
    by_line = {locator: None if constants is None else str(constants) for locator, constants in own.items()}
    known = list(dict.fromkeys(constants for constants in own.values() if constants is not None))
    converts = bool(own) and None not in own.values()
    conversion = ", then ".join(map(str, known)) if converts else None
    because = ", ".join(by_line) or None
    return tuple(
        {
            "id": statement.id,
            "applies": not by_line,
            "conversion": conversion,
            "because": because,
            "by_line": by_line,
            "bound": bound_of(statement, known) if converts else None,
        }
        for statement in bounds.statements()
        if statement.algorithm == algorithm and paper in (None, statement.paper.key)
    )


def _conversions(lines: Sequence[LineVerdict]) -> dict[str, Own | None]:
    """The conversion of each line that differs, those of the server first: the others build on its step."""
    wrong = [line for line in lines if line.observation.verdict is Verdict.DIFFERS]
    wrong.sort(key=lambda line: line.line.part is not Part.SERVER_STEP)
    return {line.line.locator: line.observation.conversion for line in wrong}


def has_epsilon(listing: Any) -> bool:
    """Whether a claim on this listing has an epsilon: noise of clients that are drawn in every round."""
    return isinstance(listing, Listing) and listing.deviation is not None and listing.law != "full"


def privacy(lab: Lab, claim: Claim, lines: Sequence[LineVerdict]) -> Mapping[str, Any]:
    """Epsilon as the settings claim it and as the measured noise buys it.

    claimed: with noise at the server, as the note below the listing allows. measured: with the noise where
    the code adds it. as_server: the measured noise, if the server added it once.
    """
    listed = Independent(probability=claim.clients_per_round / claim.clients)
    deviation = claim.clients_per_round * claim.noise_scale
    wrong = _hiding(lines)
    measured, contribution = _measured_sum(lab, claim)
    sampling = _sampling(lab, claim)
    placed = None if lab.found.placement is None else Placement(lab.found.placement)
    each = measured / sqrt(claim.clients_per_round) if placed is Placement.CLIENTS else measured
    return {
        "claimed": _epsilon(claim, deviation, claim.threshold, listed, Placement.SERVER),
        "measured": wrong or _epsilon(claim, each, contribution, sampling, placed),
        "as_server": wrong or _epsilon(claim, measured, contribution, sampling, Placement.SERVER),
        "placement": lab.found.placement,
        "multiplier_claimed": deviation / claim.threshold,
        "multiplier_measured": measured / contribution if contribution else 0.0,
    }


def _hiding(lines: Sequence[LineVerdict]) -> Mapping[str, Any] | None:
    """A refusal if updates are not bounded as listed or the noise is no Gaussian with independent entries."""
    observations = {line.line.part: line.observation for line in lines}
    if observations[Part.BOUNDING].verdict is Verdict.DIFFERS:
        return {"epsilon": None, "reason": "updates are not bounded as the listing has it"}
    noise = observations[Part.NOISE]
    if noise.verdict is Verdict.DIFFERS and noise.slip not in {slip.name for slip in NOISES}:
        return {"epsilon": None, "reason": "the noise has another law than the listing's"}
    return None


def _measured_sum(lab: Lab, claim: Claim) -> tuple[float, float]:
    """Deviation of the noise, and the movement that one client can make, when clients_per_round take part."""
    count = claim.clients_per_round
    at = lab.listing.point(C=claim.threshold, sigma=0.0, r=count, n=count, d=DIMENSION)
    largest = max(_alone(lab, at, client) for client in range(min(count, SIZES)))
    noisy = replace(at, sigma=claim.noise_scale)
    states = lab.states(instance(np.zeros((at.n, at.d))), noisy, rounds=ROUNDS)
    return float(np.sqrt(((states[1:] - states[:-1]) ** 2).mean())), largest


def _alone(lab: Lab, at: Point, client: int) -> float:
    """The largest movement that this client makes with gradients beyond the threshold; others have none."""
    longest = 0.0
    for size in FAR:
        slopes = np.zeros((at.n, at.d))
        slopes[client, 0] = size * at.C
        longest = max(longest, float(np.linalg.norm(lab.movement(instance(slopes), at))))
    return longest


def _sampling(lab: Lab, claim: Claim) -> Sampling | None:
    drawn, units = claim.clients_per_round, claim.clients
    known: dict[str | None, Sampling] = {
        "full": Full(),
        "independent": Independent(probability=drawn / units),
        "fixed size": FixedSize(drawn=drawn, units=units),
    }
    return known.get(lab.found.law)


def _epsilon(
    claim: Claim,
    deviation: float,
    contribution: float,
    sampling: Sampling | None,
    placement: Placement | None,
) -> Mapping[str, Any]:
    mechanism = Mechanism(
        unit=Unit.CLIENT,
        relation=claim.relation,
        sampling=sampling,
        placement=placement,
        spread=Spread.PER_COORDINATE,
        deviation=deviation,
        contribution=contribution,
        rounds=claim.rounds,
        clients=claim.clients,
        dimension=DIMENSION,
    )
    try:
        counted = release(mechanism)
        return facts(of_noise(counted, claim.delta, Unit.CLIENT, _accountant(counted.sampling)))
    except (BadRequest, Unaccountable) as error:
        return {"epsilon": None, "reason": str(error)}


def _accountant(sampling: Sampling) -> Accountant:
    return Accountant.EXACT if sampling.rate == 1 else Accountant.PLD
