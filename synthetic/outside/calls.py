"""Calls of an author's functions: a failure names its file and line, and no call lasts for ever.

The time limit needs the main thread and the timer of Unix, if nobody else uses it. It interrupts Python, not
a single call into compiled code. Elsewhere there is no limit.
"""

import inspect
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from time import monotonic
from traceback import walk_tb
from typing import Any

from synthetic.errors import AuthorMistake

SECONDS = 60.0  # the longest time of one call, unless an author sets another
LONGEST = 300  # characters of an author's own message
TICKS = 10  # how often in a limit the clock is read


class OutOfTime(BaseException):
    """Raised inside a call that takes too long; no `except Exception` of an author swallows it."""


class _Clock(threading.local):
    started = inf  # when the innermost call began


_clock = _Clock()
NOTHING = object()


def call(name: str, function: Callable[..., Any], *arguments: Any, overflow: Any = NOTHING) -> Any:
    """Call an author's function; its exception becomes one sentence, an overflow the value `overflow`."""
    before = _clock.started
    _clock.started = monotonic()
    try:
        return function(*arguments)
    except (AuthorMistake, MemoryError):
        raise
    except OverflowError as error:
        if overflow is NOTHING:
            raise raised(name, function, error) from error
        return overflow
    except (Exception, SystemExit, OutOfTime) as error:
        raise raised(name, function, error) from error
    finally:
        _clock.started = before


def raised(name: str, function: Callable[..., Any], error: BaseException) -> AuthorMistake:
    if isinstance(error, OutOfTime):
        failed, needed = f"a call took longer than {error.args[0]:g} seconds", "a call that ends"
    else:
        failed, needed = "the function raised an exception", "a function that returns"
    return AuthorMistake(
        asked=f"{name} ({_last_line(function, error)})",
        failed=failed,
        found=describe(error),
        needed=needed,
        change="this is for the author of the function to mend",
    )


def place_of(function: Callable[..., Any]) -> str:
    """File and line of a function, or its module if it has no source."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None:
        return str(getattr(function, "__module__", None) or type(function).__module__)
    return f"{code.co_filename}, line {code.co_firstlineno}"


def describe(error: BaseException) -> str:
    words = " ".join(str(error).split()) or "without a message"
    return f"{type(error).__name__}: {words[:LONGEST]}"


def broken(name: str, function: Callable[..., Any], failed: str, found: object, needed: str) -> AuthorMistake:
    """The refusal of what a function returned; the place is where the function is defined."""
    return AuthorMistake(
        asked=f"{name} ({place_of(function)})",
        failed=failed,
        found=found,
        needed=needed,
        change="this is for the author of the function to mend",
    )


def _last_line(function: Callable[..., Any], error: BaseException) -> str:
    """The last line of the traceback that is in the author's package; else where the function begins."""
    root = str(getattr(function, "__module__", "")).partition(".")[0]
    lines = [
        f"{frame.f_code.co_filename}, line {line}"
        for frame, line in walk_tb(error.__traceback__)
        if root and str(frame.f_globals.get("__name__")).partition(".")[0] == root
    ]
    return lines[-1] if lines else place_of(function)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Inside, a call that is older than `seconds` is interrupted, if this thread and system allow it."""
    if not _can_limit():
        yield
        return

    def interrupt(*_: object) -> None:
        if monotonic() - _clock.started > seconds:
            raise OutOfTime(seconds)

    signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds / TICKS, seconds / TICKS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def _can_limit() -> bool:
    """Whether the timer exists, belongs to this thread, and is used by nobody else."""
    return (
        hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGALRM) == signal.SIG_DFL
    )
