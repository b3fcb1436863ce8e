"""Progress callback: (done, total, current item)."""

from collections.abc import Callable

Progress = Callable[[int, int, str], None]


def silent(done: int, total: int, what: str) -> None:
    """A callback that does nothing."""
