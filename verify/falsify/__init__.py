"""The hardest attempt to break a statement: search, confirm on fresh evidence, keep a witness that replays.

`search` looks for the largest excess in the unit cubes of `targets`; `confirm` decides whether what it found
refutes; `witness` keeps that and checks it again without the search.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verify.falsify.attempt import falsify

__all__ = ["falsify"]


def __getattr__(name: str) -> Any:
    # Lazy: a replay must not load the search.
    if name != "falsify":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from verify.falsify.attempt import falsify

    return falsify
