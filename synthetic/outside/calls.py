"""Calls of an author's functions: a failure names its file and line, and no call lasts for ever.

In the main thread the timer of Unix interrupts a call, if nobody else uses it. Anywhere else, as in a thread
of a Dask worker, a second thread watches. Both interrupt Python, not a single call into compiled code.
"""

import ctypes
import inspect
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from time import monotonic
from traceback import walk_tb
from types import MappingProxyType
from typing import Any, final

from synthetic.errors import AuthorMistake

SECONDS = 60.0  # the longest time of one call, unless an author sets another
LONGEST = 300  # characters of an author's own message
TICKS = 10  # how often in a limit the clock is read


class OutOfTime(BaseException):
    """Raised inside a call that takes too long; no `except Exception` of an author swallows it."""


@final
@dataclass(slots=True, eq=False)
class _Hand:
    started: float = inf  # when the innermost call began
    seconds: float = inf  # how long it may take
    lock: "threading.Lock | None" = None  # held to read or move the hand, if another thread watches

    def move(self, started: float, seconds: float) -> None:
        if self.lock is None:
            self.started, self.seconds = started, seconds
            return
        with self.lock:
            self.started, self.seconds = started, seconds
            _raise_in(threading.get_ident(), None)  # what has not arrived comes too late

    def is_late(self) -> bool:
        return monotonic() - self.started > self.seconds


class _Clock(threading.local):
    def __init__(self) -> None:
        self.hand = _Hand()


_clock = _Clock()
NOTHING = object()
NO_KEYWORDS: Mapping[str, Any] = MappingProxyType({})


def call(
    name: str,
    function: Callable[..., Any],
    *arguments: Any,
    overflow: Any = NOTHING,
    passing: type[Exception] = AuthorMistake,
    keywords: Mapping[str, Any] = NO_KEYWORDS,
) -> Any:
    """Call an author's function; its exception becomes one sentence, an overflow the value `overflow`.

    Exceptions of the kind `passing` are sentences already.
    """
    hand = _clock.hand
    before = hand.started
    try:
        hand.move(monotonic(), hand.seconds)
        try:
            return function(*arguments, **keywords)
        finally:
            hand.move(before, hand.seconds)
    except (passing, MemoryError):
        raise
    except OverflowError as error:
        if overflow is NOTHING:
            raise raised(name, function, error) from error
        return overflow
    except OutOfTime as error:
        hand.move(before, hand.seconds)  # it may come between the end of the call and the next line
        raise raised(name, function, error) from error
    except (Exception, SystemExit) as error:
        raise raised(name, function, error) from error


def raised(name: str, function: Callable[..., Any], error: BaseException) -> AuthorMistake:
    if isinstance(error, OutOfTime):
        limit = _clock.hand.seconds
        failed, needed = f"a call took longer than {limit:g} seconds", "a call that ends"
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


def broken(
    name: str,
    function: Callable[..., Any],
    failed: str,
    found: object,
    needed: str,
    kind: type[AuthorMistake] = AuthorMistake,
) -> AuthorMistake:
    """The refusal of what a function returned; the place is where the function is defined."""
    return kind(
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
    """Inside, a call that is older than `seconds` is interrupted.

    One limit may be set inside another: the outer call does not age meanwhile.
    """
    hand = _clock.hand
    before = hand.started, hand.seconds
    hand.move(inf, seconds)
    try:
        with (_ticking if _has_timer() else _watched)(seconds / TICKS):
            yield
    finally:
        hand.move(*before)


def _interrupt(*_: object) -> None:
    if _clock.hand.is_late():
        raise OutOfTime


def _has_timer() -> bool:
    """Whether the timer exists and is this thread's, and nobody else's."""
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or not hasattr(signal, "setitimer"):
        return False
    return signal.getsignal(signal.SIGALRM) in (signal.SIG_DFL, _interrupt)


@contextmanager
def _ticking(tick: float) -> Iterator[None]:
    """Read the clock every `tick` seconds, by the timer."""
    handler, timer = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)
    signal.signal(signal.SIGALRM, _interrupt)
    signal.setitimer(signal.ITIMER_REAL, tick, tick)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, handler)


@contextmanager
def _watched(tick: float) -> Iterator[None]:
    """Read the clock every `tick` seconds, in a second thread."""
    hand, ended = _clock.hand, threading.Event()
    before = hand.lock
    lock = hand.lock = before or threading.Lock()
    watcher = threading.Thread(
        target=_watch, args=(hand, lock, threading.get_ident(), ended, tick), daemon=True
    )
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
        hand.lock = before


def _watch(hand: _Hand, lock: threading.Lock, thread: int, ended: threading.Event, tick: float) -> None:
    while not ended.wait(tick):
        with lock:
            if hand.is_late():
                _raise_in(thread, OutOfTime)


def _raise_in(thread: int, kind: type[BaseException] | None) -> None:
    """Let Python raise this in a thread, between two of its instructions; None withdraws what is pending."""
    raising = None if kind is None else ctypes.py_object(kind)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raising)
