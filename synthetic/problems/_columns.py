"""One number per client, for problems on the line."""

from collections.abc import Sequence
from typing import Any

from synthetic.arguments import positive
from synthetic.engine.arithmetic import Array, as_numbers, like
from synthetic.errors import BadShape


def filled(
    name: str, column: Sequence[Any] | None, clients: int, default: float, *, exact: bool = False
) -> Array:
    """The numbers given, or the default for every client."""
    numbers = as_numbers([default] * clients if column is None else column, exact=exact)
    if clients == 0 or numbers.shape != (clients,):
        raise BadShape(
            asked=name,
            failed="wrong length",
            found=numbers.shape,
            needed=f"({clients},), one number per client and at least one client",
            change="give one number per client",
        )
    return numbers


def all_positive(name: str, column: Array) -> None:
    for client, number in enumerate(column):
        positive(f"{name}[{client}]", number)


def beside(numbers: Array, points: Array) -> Array:
    """The numbers (n,) as a column (n, 1) of the kind of the points."""
    return like(numbers, points)[:, None]
