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
    """The result of a call of the algorithm; where the first one had to be ended, none other is made."""
    listing, key = runnable(algorithm), (algorithm, asked)
    if not listing.outside:
        return function()
    if _tried.get(key, (None, None))[0] is not listing:
        _tried[key] = (listing, _find_end(function))
    ended = _tried[key][1]
    if ended is not None:
        raise ended
    return function()


def _find_end(function: Callable[[], object]) -> CallEnded | None:
    try:
        watched(function)
    except CallEnded as error:
        return error
    except Refusal:  # such a mistake is made again, and costs no process
        pass
    return None
