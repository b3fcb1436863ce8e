"""The papers' own noise formulas, and the constant that would make each of them true.

Each formula leaves a constant open, or prints a limit for one. Here s is the noise of the sum over one unit's
contribution, p the sampling rate, k the number of rounds. An exact formula has one constant everywhere.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import log, sqrt
from typing import final

from bounds.errors import nearest
from verify.privacy.errors import BadRequest
from verify.privacy.mechanism import Sampling, Unit


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A guarantee that noise is wanted for."""

    epsilon: float
    delta: float
    rounds: int
    sampling: Sampling


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """constant: the value at which the formula gives this noise s.

    in_sum: noise of the sum with m clients drawn, over s, where clients noise their messages as listed and r
    are expected; None where the number of noises does not vary. The constant is as the noise to the `power`.
    """

    paper: str
    locator: str
    symbol: str
    power: int
    printed: str
    claimed: str
    claims: Callable[[Target], bool]
    grid: Callable[[float], tuple[float, ...]]
    constant: Callable[[float, Target], float]
    printed_limit: Callable[[float], float] | None
    unit: Unit
    listing: str
    in_sum: Callable[[float, float], float] | None


def moments(multiplier: float, target: Target) -> float:
    """c of s = c p sqrt(k log(1/delta)) / epsilon, the scaling of the moments accountant."""
    scale = target.sampling.rate * sqrt(target.rounds * log(1 / target.delta))
    return multiplier * target.epsilon / scale


MOMENTS_RULE = Formula(
    paper="fed_norm_ec",
    locator="A.disc.sigma",
    symbol="c",
    power=1,
    printed="s = c p sqrt(k log(1/delta)) / epsilon, k = K+1",
    claimed="every epsilon > 0 and 0 < p <= 1",
    claims=lambda target: True,
    grid=lambda reach: (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0),
    constant=moments,
    printed_limit=None,
    unit=Unit.CLIENT,
    listing="every drawn client adds a noise of the formula's own scale to its message (line 12)",
    in_sum=lambda drawn, expected: sqrt(drawn),
)

MOMENTS_THEOREM = Formula(
    paper="dp_fedavg",
    locator="B.thm1",
    symbol="q",
    power=2,
    printed="s = p sqrt(q k log(1/delta)) / epsilon, k = K, p = r/n",
    claimed="0 < epsilon < O(p^2 k), read with the constant 1",
    claims=lambda target: target.epsilon < target.sampling.rate**2 * target.rounds,
    grid=lambda reach: tuple(0.99 * reach / 4.0**j for j in (4, 3, 2, 1, 0)),
    constant=lambda multiplier, target: moments(multiplier, target) ** 2,
    printed_limit=None,
    unit=Unit.CLIENT,
    listing="every drawn client adds noise of variance r sigma^2 to its message (line 10)",
    in_sum=lambda drawn, expected: sqrt(drawn / expected),
)

CLASSICAL = Formula(
    paper="als_dpfl",
    locator="C.mech",
    symbol="c",
    power=1,
    printed="s = c / epsilon, c >= sqrt(2 log(1.25/delta))",
    claimed="0 < epsilon < 1, one release at full participation",
    claims=lambda target: target.epsilon < 1 and target.rounds == 1 and target.sampling.rate == 1,
    grid=lambda reach: (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.99),
    constant=lambda multiplier, target: multiplier * target.epsilon,
    printed_limit=lambda delta: sqrt(2 * log(1.25 / delta)),
    unit=Unit.RECORD,
    listing="a client adds one noise to the sum over its batch (line 10): the accountant's own noise",
    in_sum=None,
)

FORMULAS = {formula.paper: formula for formula in (MOMENTS_RULE, MOMENTS_THEOREM, CLASSICAL)}


def formula(name: str) -> Formula:
    """The formula of a paper, named by its key or by the id of any statement or module of that paper."""
    wanted = name.replace("-", "_").replace("/", ".")
    paper, dot, _ = wanted.partition(".")
    if paper not in FORMULAS:
        raise BadRequest(f"no paper with a noise formula is named {paper}: {nearest(paper, FORMULAS)}")
    if dot:
        import bounds

        if not any(f"{statement.id}.".startswith(f"{wanted}.") for statement in bounds.statements()):
            bounds.get(name)  # refuses, with the nearest name
    return FORMULAS[paper]
