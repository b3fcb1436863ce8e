"""ALS-DPFL without noise: one client whose batches are random, followed through all of its paths.

The client's samples are F + <c_s, x> with F(x) = beta ||x||^2/2 up to a length that no path reaches, linear
beyond, and c_s = a_s e_s less the mean of these vectors: F is the client's loss and w* = 0. A batch has each
sample with probability B/n, on its own. There are 2^n batches in a step, so that means, and what a hypothesis
asks of every path, are sums and comparisons of fractions. There is one interval, so that omega is a number:
one over the square of the distance at the start.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, Final, final

from bounds.language.statement import Statement
from verify.search.hard_problems import chosen, decades, few_bits

Coordinates = Sequence[float]
Vector = tuple[Fraction, ...]
Found = tuple[Fraction, Fraction, dict[str, Any]]
FORMS: Final = ("als_dpfl.theorem_2.lemma_6_omega",)
SIZE: Final = 13
MOST_PATHS: Final = 64
# The right side is computed in float64: this much of it is given away.
ROUNDED: Final = Fraction(1, 10**9)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """`spread` are the a_s; the run starts at `start` times the first coordinate vector."""

    spread: Vector
    beta: Fraction
    eta: Fraction
    batch: int
    steps: int
    start: Fraction

    def tilts(self) -> list[Vector]:
        """The c_s."""
        n = len(self.spread)
        return [
            tuple(a * (i == s) - other / n for i, other in enumerate(self.spread))
            for s, a in enumerate(self.spread)
        ]

    def batches(self) -> list[tuple[Fraction, Fraction, Vector]]:
        """For every batch: its probability, its size over B and the sum of its c_s over B."""
        n, tilts = len(self.spread), self.tilts()
        p, out = Fraction(self.batch, n), []
        for drawn in product((0, 1), repeat=n):
            size = sum(drawn)
            total = tuple(
                sum((d * c[i] for d, c in zip(drawn, tilts, strict=True)), Fraction(0)) for i in range(n)
            )
            likely = p**size * (1 - p) ** (n - size)
            out.append((likely, Fraction(size, self.batch), tuple(t / self.batch for t in total)))
        return out

    def paths(self) -> tuple[list[tuple[Fraction, Vector]], Fraction]:
        """The last models and how likely they are, and the largest coordinate of any model on the way."""
        n = len(self.spread)
        first = (self.start, *(Fraction(0),) * (n - 1))
        models, farthest, batches = [(Fraction(1), first)], self.start, self.batches()
        for _ in range(self.steps):
            models = [
                (
                    chance * likely,
                    tuple(
                        x - self.eta * (size * self.beta * x + t) for x, t in zip(model, total, strict=True)
                    ),
                )
                for chance, model in models
                for likely, size, total in batches
                if likely
            ]
            farthest = max(farthest, *(abs(x) for _, model in models for x in model))
        return models, farthest


def of_coordinates(u: Coordinates) -> Client | None:
    n, steps = chosen(u[0], (2, 3, 4, 5, 6)), chosen(u[1], (1, 1, 2, 3))
    if 2 ** (n * steps) > MOST_PATHS:
        return None
    beta, eta_beta = decades(u[2], -2, 2, True), Fraction(chosen(u[3], (1, 2, 3)), 4)
    # A gap below 1 leaves no other scale to models than this one.
    scale = few_bits(float(beta) ** -0.5) * decades(u[4], -1, 1, True)
    eta = eta_beta / beta
    spread = tuple(few_bits(0.25 + 0.75 * v) * scale / eta for v in u[6 : 6 + n])
    start = scale * decades(u[12], -6, 1, True)
    return Client(
        spread=spread, beta=beta, eta=eta, batch=chosen(u[5], range(1, n)), steps=steps, start=start
    )


def sides(statement: Statement, u: Coordinates) -> Found | None:
    """The mean of the last gap and the statement's own right side; None outside its conditions."""
    client = of_coordinates(u)
    if client is None:
        return None
    models, farthest = client.paths()
    gaps = [client.beta / 2 * sum((x * x for x in model), Fraction(0)) for _, model in models]
    if min(gaps) == 0 or max(gaps) >= 1:  # no lambda, or what C.thm2.4 excludes
        return None
    bound = _right(statement, client, farthest, (min(gaps), max(gaps)))
    left = sum((chance * gap for (chance, _), gap in zip(models, gaps, strict=True)), Fraction(0))
    shown = {n: getattr(client, n) for n in client.__slots__}
    shown |= {"c": client.tilts(), "largest gap": max(gaps)}
    return None if bound is None else (left, bound, shown)


def _right(
    statement: Statement, client: Client, farthest: Fraction, gaps: tuple[Fraction, Fraction]
) -> Fraction | None:
    """Conditions on the last gap are asked of the smallest and the largest: those between meet them too."""
    n, beta, contracted = len(client.spread), client.beta, 1 - client.eta * client.beta
    auxiliary = beta / 2 * (contracted**client.steps * client.start) ** 2
    slope = beta * n * farthest
    given: dict[str, Any] = {"T": client.steps, "tau": client.steps, "B": client.batch, "d": n}
    given |= {"sigma": 0.0, "xi": 0.0, "eta": float(client.eta), "beta": float(beta), "rho": float(slope)}
    given |= {"C": float(slope + max(sum(map(abs, c), Fraction(0)) for c in client.tilts()))}
    given |= {"lam": float(min(auxiliary, *gaps)) * (1 - 1e-12), "auxiliary_gap": float(auxiliary)}
    given |= {"gradient_square": float((beta * contracted ** (client.steps - 1) * client.start) ** 2)}
    given |= {"omega_lemma_6": float(1 / client.start**2)}
    found = [statement.evaluate(**given, final_gap=float(gap)) for gap in gaps]
    if any(evaluation.applicable is not True for evaluation in found):
        return None
    return Fraction(float(found[0].value)) * (1 + ROUNDED)
