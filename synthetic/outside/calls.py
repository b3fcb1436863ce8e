"""Calls of an author's functions: a failure names its file and line, and no call lasts for ever.

The time limit interrupts Python, not a single call into compiled code. In the main thread it comes by the
timer of Unix, which ends a wait too; elsewhere (a worker of Dask, another system, a timer that somebody else
uses) another thread reads the clock, and a wait ends before it is interrupted.
"""

import ctypes
import inspect
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from math import inf
from mmap import mmap
from time import monotonic
from traceback import walk_tb
from types import MappingProxyType, ModuleType
from typing import Any

from synthetic.errors import AuthorMistake

SECONDS = 60.0  # the longest time of one call, unless an author sets another
LONGEST = 300  # characters of an author's own message
TICKS = 10  # how often in a limit the clock is read
SHARED = 16 + 256  # bytes: two numbers and a name


class OutOfTime(BaseException):
    """Raised inside a call that takes too long; no `except Exception` of an author swallows it."""


class Clock:
    """The innermost call of a thread: when it began, how long it may take, and its name.

    Each thread has its own. Another thread may read it; `memory` that is shared lets another process do so.
    """

    def __init__(self, memory: mmap | None = None) -> None:
        self.is_shared = memory is not None
        view = memoryview(bytearray(SHARED) if memory is None else memory)
        self._times, self._name = view[:16].cast("d"), view[16:]
        self.called = ""
        self.started, self.seconds = inf, inf

    @property
    def started(self) -> float:
        return self._times[0]

    @started.setter
    def started(self, moment: float) -> None:
        self._times[0] = moment

    @property
    def seconds(self) -> float:
        return self._times[1]

    @seconds.setter
    def seconds(self, limit: float) -> None:
        self._times[1] = limit

    def enter(self, name: str, moment: float) -> None:
        self.called = name
        if self.is_shared:
            written = name.encode()[: len(self._name) - 1] + b"\0"
            self._name[: len(written)] = written
        self.started = moment

    def name(self) -> str:
        """In the process that only looks on, `called` has another value."""
        return bytes(self._name).partition(b"\0")[0].decode(errors="replace")

    def is_over(self, factor: float = 1.0, more: float = 0.0) -> bool:
        return monotonic() - self.started > factor * self.seconds + more


class _Clocks(threading.local):
    def __init__(self) -> None:
        self.own = Clock()


_clocks = _Clocks()


def use_clock(clock: Clock) -> None:
    """Let this thread write into a clock that another process reads."""
    _clocks.own = clock


NOTHING = object()
NO_KEYWORDS: Mapping[str, Any] = MappingProxyType({})


def call(
    name: str,
    function: Callable[..., Any],
    *arguments: Any,
    overflow: Any = NOTHING,
    passing: type[BaseException] = AuthorMistake,
    keywords: Mapping[str, Any] = NO_KEYWORDS,
    seconds: float = inf,
) -> Any:
    """Call an author's function; its exception becomes one sentence, an overflow the value `overflow`.

    Exceptions of the kind `passing` are sentences already. Where calls are limited, this one is to `seconds`.
    """
    clock = _clocks.own
    outer, limit = (clock.called, clock.started), clock.seconds
    clock.enter(name, monotonic())
    if seconds < inf and limit < inf:
        clock.seconds = seconds
    try:
        return function(*arguments, **keywords)
    except (passing, MemoryError):
        raise
    except OverflowError as error:
        if overflow is NOTHING:
            raise raised(name, function, error) from error
        return overflow
    except (Exception, SystemExit, GeneratorExit, OutOfTime) as error:
        raise raised(name, function, error) from error
    finally:
        clock.seconds = limit
        clock.enter(*outer)


def imported(name: str) -> ModuleType:
    """Import an author's module; what is raised is its own exception, or `TimeoutError` after `SECONDS`."""
    try:
        with limited(SECONDS):
            module: ModuleType = call(f"the import of {name}", import_module, name, passing=Exception)
    except AuthorMistake as error:
        cause = error.__cause__
        if isinstance(cause, OutOfTime):
            late = TimeoutError(f"the import took longer than {SECONDS:g} seconds and was ended")
            raise late.with_traceback(cause.__traceback__) from None
        if isinstance(cause, SystemExit):  # a module may call sys.exit
            raise cause from None
        raise
    return module


def raised(name: str, function: Callable[..., Any], error: BaseException) -> AuthorMistake:
    failed, found, needed = "the function raised an exception", describe(error), "a function that returns"
    if isinstance(error, OutOfTime):
        failed = f"a call took longer than {_clocks.own.seconds:g} seconds"
        found, needed = "one that had to be interrupted", "a call that returns"
    return AuthorMistake(
        asked=f"{name} ({_last_line(function, error)})",
        failed=failed,
        found=found,
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
    clock = _clocks.own
    before = clock.started, clock.seconds
    clock.started, clock.seconds = inf, seconds
    by_timer = threading.current_thread() is threading.main_thread() and _is_timer_free()
    try:
        with _timed(seconds / TICKS) if by_timer else _watched(clock, seconds / TICKS):
            yield
    except OutOfTime as error:  # it came as the call ended
        raise raised("a call", call, error) from error
    finally:
        clock.started, clock.seconds = before


def _interrupt(*_: object) -> None:
    if _clocks.own.is_over():
        raise OutOfTime


def _is_timer_free() -> bool:
    return hasattr(signal, "setitimer") and signal.getsignal(signal.SIGALRM) in (signal.SIG_DFL, _interrupt)


@contextmanager
def _timed(tick: float) -> Iterator[None]:
    """Read the clock every `tick` seconds, by a signal."""
    handler, timer = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)
    signal.signal(signal.SIGALRM, _interrupt)
    signal.setitimer(signal.ITIMER_REAL, tick, tick)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, handler)


@contextmanager
def _watched(clock: Clock, tick: float) -> Iterator[None]:
    """Read the clock every `tick` seconds, in another thread, which raises the exception in this one."""
    watched, left = ctypes.c_ulong(threading.get_ident()), threading.Event()

    def raise_there(error: object) -> None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(watched, error)

    def watch() -> None:
        while not left.wait(tick):
            if clock.is_over():
                raise_there(ctypes.py_object(OutOfTime))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        left.set()
        watcher.join()
        raise_there(None)  # what was sent to a call that has ended meanwhile reaches nobody else
