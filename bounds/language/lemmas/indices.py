"""What several objects of one kind are numbered by: clients, data points, outcomes."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, final

from bounds.errors import MalformedStatement


@final
@dataclass(frozen=True, slots=True)
class Index:
    """What several functions or vectors are numbered by; `weighted` where it numbers outcomes.

    From `low` to `high` of them; None for any number. `like` is the index that it goes through once more.
    Outcomes may have the moments of a distribution alone: they are `exact_to` a degree of polynomials.
    """

    name: str
    low: int = 1
    high: int | None = None
    weighted: bool = False
    like: "Index | None" = None
    exact_to: int | None = None

    @property
    def weights(self) -> str:
        return f"weights_of_{self.name}"


def index(name: str, low: int = 1, high: int | None = None) -> Index:
    return Index(name, low, high)


def another(like: Any, name: str = "") -> Index:
    """A second index of the same entries, for pairs of them: u_i - u_j is u - at(u, j)."""
    if not isinstance(like, Index) or like.weighted or like.like is not None:
        raise MalformedStatement(
            f"another index is like one of index(...), not {getattr(like, 'name', like)}"
        )
    return Index(name or f"{like.name}2", like.low, like.high, False, like)


def check_indices(things: Iterable[Any]) -> dict[str, Index]:
    """The indices among the things by their names; two of one name would be taken for one."""
    found: dict[str, Index] = {}
    for i in things:
        if isinstance(i, Index) and found.setdefault(i.name, i) != i:
            raise MalformedStatement(f"two indices are named {i.name}: declare one, or rename the other")
    return found


def about(name: str, over: Index | None) -> str:
    return name if over is None else f"{name}_{over.name}"


def axes_of_indices(*indices: Index | None) -> list[str]:
    return [i.name for i in indices if i is not None]
