"""Calls of an author's functions while cells are chosen: the first one is made where it can be ended."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from synthetic.errors import CallEnded, Refusal
from synthetic.run import runnable
from verify.workers.watched import watched

Found = TypeVar("Found")

# By the algorithm's name and what is asked of it: the algorithm that was tried, and how its call had to end.
_tried: Final[dict[tuple[str, str], tuple[Any, CallEnded | None]]] = {}


def try_first(algorithm: str, asked: str, function: Callable[[], Found]) -> Found:
    """The result of a call of the algorithm; where a first one had to be ended, none other is made."""
    listing, key = runnable(algorithm), (algorithm, asked)
    if not listing.outside:
        return function()
    ended = _find_earlier_end(algorithm, listing)
    if ended is None and _tried.get(key, (None, None))[0] is not listing:
        ended = _find_end(function)
        _tried[key] = (listing, ended)
    if ended is not None:
        raise ended
    return function()


def _find_earlier_end(algorithm: str, listing: Any) -> CallEnded | None:
    """How a call of the algorithm had to end, whatever it was asked."""
    ends = (end for (name, _), (tried, end) in _tried.items() if name == algorithm and tried is listing)
    return next((end for end in ends if end is not None), None)


def _find_end(function: Callable[[], object]) -> CallEnded | None:
    try:
        watched(function)
    except CallEnded as error:
        return error
    except Refusal:  # such a mistake is made again, and costs no process
        pass
    return None
