"""The constant that makes a paper's formula agree with an accountant, and what the listing makes of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

from verify.privacy import calibration
from verify.privacy.accountants import Accountant
from verify.privacy.errors import BadRequest
from verify.privacy.formulas import Formula, Target
from verify.privacy.mechanism import Full, Independent, Relation, Sampling

# One round in a hundred has fewer clients, one in a hundred more.
QUANTILE = 0.01


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Implied:
    """multiplier: what the accountant needs; constant: at which the formula gives just that."""

    epsilon: float
    multiplier: float
    constant: float
    claimed: bool
    printed_limit: float | None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A round with `clients` drawn: its noise in the sum over the formula's; the constant that mends it."""

    clients: float
    when: str
    noise_over_formula: float
    constant_over_implied: float


def implied(
    formula: Formula, targets: list[Target], relation: Relation, accountant: Accountant
) -> Iterator[Implied]:
    for target in targets:
        multiplier = calibration.noise(
            epsilon=target.epsilon,
            delta=target.delta,
            rounds=target.rounds,
            relation=relation,
            sampling=target.sampling,
            accountant=accountant,
        )
        yield Implied(
            epsilon=target.epsilon,
            multiplier=multiplier,
            constant=formula.constant(multiplier, target),
            claimed=formula.claims(target),
            printed_limit=None if formula.printed_limit is None else formula.printed_limit(target.delta),
        )


def over_claimed_range(formula: Formula, delta: float, rounds: int, sampling: Sampling) -> list[Target]:
    reach = sampling.rate**2 * rounds
    grid = (e for e in formula.grid(reach) if e <= calibration.LARGEST_EPSILON)
    targets = [Target(epsilon=e, delta=delta, rounds=rounds, sampling=sampling) for e in grid]
    if not targets:
        raise BadRequest(
            f"at {rounds:.4g} rounds the claimed range is beyond epsilon {calibration.LARGEST_EPSILON:g}; "
            "give --epsilon, or fewer rounds"
        )
    return targets


def of_listing(formula: Formula, sampling: Sampling, clients: int) -> tuple[Drawn, ...]:
    """What the server's sum really contains, by how many clients were drawn."""
    if clients < 1:
        raise BadRequest(f"there must be at least one client, not {clients}")
    if formula.in_sum is None:
        return ()
    expected = sampling.rate * clients
    rows = []
    for drawn, when in _numbers(sampling, clients):
        ratio = formula.in_sum(drawn, expected)
        factor = ratio**-formula.power if ratio > 0 else float("inf")
        rows.append(Drawn(clients=drawn, when=when, noise_over_formula=ratio, constant_over_implied=factor))
    return tuple(rows)


def no_client(sampling: Sampling, clients: int) -> float:
    """Probability of a round without any noise, which then shows that nobody was drawn."""
    return (1 - sampling.probability) ** clients if isinstance(sampling, Independent) else 0.0


def _numbers(sampling: Sampling, clients: int) -> list[tuple[float, str]]:
    if isinstance(sampling, Full):
        return [(clients, "always")]
    if not isinstance(sampling, Independent):
        return [(sampling.drawn, "always")]
    from scipy.stats import binom

    few, many = binom.ppf([QUANTILE, 1 - QUANTILE], clients, sampling.probability)
    return [
        (float(few), "or fewer in one round of a hundred"),
        (sampling.probability * clients, "expected"),
        (float(many), "or more in one round of a hundred"),
    ]
