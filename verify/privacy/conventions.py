"""From the accountant's noise to what each paper calls sigma, and back to the sentence that says so.

The accountant's s is the standard deviation, per coordinate, of the noise in the sum over the largest
contribution of a unit. The papers count totals or coordinates, clients or averages.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import final

from bounds.errors import nearest
from verify.privacy.errors import BadRequest


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """The numbers that a conversion may need; None for one that was not given."""

    rate: float
    rounds: int
    clients: int | None
    dimension: int | None
    contribution: float | None  # the clipping threshold or the scaling factor
    batch: int | None

    def size(self, name: str) -> float | None:
        """A number that conventions take powers of; `drawn` are the clients expected in a round."""
        if name == "drawn":
            return None if self.clients is None else self.rate * self.clients
        found: float | None = getattr(self, name)
        return found


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Convention:
    """One symbol under one reading; `named` marks the reading under which its statements are judged.

    powers: what s is multiplied by, as powers of the sizes of the run.
    unit: whose data the noise protects.
    named_with: a quantity; statements that take it are judged under this reading instead.
    """

    symbol: str
    reading: str
    text: str
    powers: Mapping[str, float]
    unit: str = "client"
    named: bool = False
    named_with: str = ""

    @property
    def needs(self) -> tuple[str, ...]:
        names = ("clients" if name == "drawn" else name for name in self.powers)
        return tuple(name for name in names if name != "rounds")

    def value(self, multiplier: float, at: Scale) -> float:
        """Whole powers first, then one root of the others."""
        exact, halves = [multiplier, 1.0], [1.0, 1.0]
        for name, power in self.powers.items():
            factors, times = (exact, abs(power)) if power.is_integer() else (halves, 2 * abs(power))
            factors[power < 0] *= (at.size(name) or 0.0) ** times
        return exact[0] / exact[1] * sqrt(halves[0] / halves[1])


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    symbol: str
    value: float | None
    reading: str
    text: str
    named: bool
    named_with: str
    missing: tuple[str, ...]


CONVENTIONS: dict[str, tuple[Convention, ...]] = {
    "fed_norm_ec": (
        Convention(
            symbol="sigma_DP",
            reading="total variance, noise of every drawn client as listed, as many drawn as expected",
            text="s sqrt(d / (p M)): the sum has p M noises, each spread over d coordinates",
            powers={"dimension": 0.5, "drawn": -0.5},
            named=True,
        ),
        Convention(
            symbol="sigma_DP",
            reading="per coordinate, noise of every drawn client, as many drawn as expected",
            text="s / sqrt(p M)",
            powers={"drawn": -0.5},
            named_with="d",
        ),
        Convention(
            symbol="sigma_DP",
            reading="total variance, one noise on the sum (A.disc.sens)",
            text="s sqrt(d)",
            powers={"dimension": 0.5},
        ),
        Convention(
            symbol="sigma_DP",
            reading="per coordinate, one noise on the sum (A.disc.sens)",
            text="s",
            powers={},
        ),
    ),
    "dp_fedavg": (
        Convention(
            symbol="sigma",
            reading="per coordinate, noise of the server's average over r = p n clients",
            text="s C / r",
            powers={"drawn": -1.0, "contribution": 1.0},
            named=True,
        ),
        Convention(
            symbol="sigma sqrt(r)",
            reading="per coordinate, noise of one client's message, as many drawn as expected",
            text="s C / sqrt(r)",
            powers={"drawn": -0.5, "contribution": 1.0},
        ),
        Convention(
            symbol="rho",
            reading="Definition 5 at the q that the accountant implies",
            text="(s / r) sqrt(d / K), since sigma^2 = q K C^2 log(1/delta) / (n epsilon)^2",
            powers={"drawn": -1.0, "dimension": 0.5, "rounds": -0.5},
            named=True,
        ),
    ),
    "als_dpfl": (
        Convention(
            symbol="sigma",
            reading="noise multiplier of the listing: per coordinate, on the sum over the batch, over C",
            text="s",
            unit="sample",
            powers={},
            named=True,
        ),
        Convention(
            symbol="sigma C / B",
            reading="per coordinate, noise of a client's mean gradient",
            text="s C / B",
            unit="sample",
            powers={"contribution": 1.0, "batch": -1.0},
        ),
        Convention(
            symbol="sigma C",
            reading="per coordinate, noise of the auxiliary sequence as printed, which is not divided by B",
            text="s C",
            unit="sample",
            powers={"contribution": 1.0},
        ),
    ),
}


def convert(paper: str, multiplier: float, scale: Scale) -> tuple[Converted, ...]:
    if paper not in CONVENTIONS:
        raise BadRequest(f"no paper with a noise convention is named {paper}: {nearest(paper, CONVENTIONS)}")
    return tuple(_converted(convention, multiplier, scale) for convention in CONVENTIONS[paper])


def _converted(convention: Convention, multiplier: float, scale: Scale) -> Converted:
    missing = tuple(name for name in convention.needs if getattr(scale, name) is None)
    return Converted(
        symbol=convention.symbol,
        value=None if missing else convention.value(multiplier, scale),
        reading=convention.reading,
        text=convention.text,
        named=convention.named,
        named_with=convention.named_with,
        missing=missing,
    )
