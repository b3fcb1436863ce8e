"""How long work tells where it is: how much is done, of how much, and what is in hand."""

from collections.abc import Callable

Progress = Callable[[int, int, str], None]


def silent(done: int, total: int, what: str) -> None:
    """For who does not watch."""
