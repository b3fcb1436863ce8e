"""How loose bounds are over an axis, and how much of a term is needed: numbers that were certified and kept.

`benchmarks/tightness.py` makes the file, with a solver. `fedbounds worst ID --over ...` makes the numbers of
a curve again, and `--out` their certificates.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, TypedDict

from verify.json_numbers import load

FILE: Final = Path(__file__).parent / "tightness.json"


class Place(TypedDict):
    """A point of a curve; `lower` is None where no instance was made."""

    at: str
    bound: float
    upper: float
    lower: float | None


class Curve(TypedDict):
    """One form of a statement over `axis`, with the values of its other quantities in `given`."""

    id: str
    variant: str
    axis: str
    given: dict[str, str]
    places: list[Place]


class Share(TypedDict):
    """The smallest multiple of a term that is still certified at every one of the `sizes`, the others as they
    are; `leading` and `needed` are the term's leading number and that multiple of it, None where either is 1.
    """

    id: str
    variant: str
    term: str
    pays_for: str
    multiple: str
    leading: str | None
    needed: str | None
    sizes: dict[str, list[str]]


def curves_of(identity: str) -> list[Curve]:
    """One for each form of the statement; none if it has no worst-case program."""
    return [curve for curve in _read_recorded()["curves"] if curve["id"] == identity]


def shares_of(identity: str) -> list[Share]:
    return [share for share in _read_recorded()["shares"] if share["id"] == identity]


class _Recorded(TypedDict):
    curves: Sequence[Curve]
    shares: Sequence[Share]


@cache
def _read_recorded() -> _Recorded:
    data: Any = load(FILE)
    return {"curves": data["curves"], "shares": data["shares"]}
