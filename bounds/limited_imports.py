"""An import of an author's package that does not end is ended, and is not tried again.

The timer of Unix interrupts Python in the main thread: a loop, a wait for a network, a question on standard
input. What the import has begun is left as by Ctrl-C, so that `with` and `finally` close what they opened; no
process is killed, and a package that imports is imported once. In another thread, where the timer is somebody
else's, and in a call of compiled code that does not return, nothing is interrupted. The command line works in
a child that may be ended for that (`verify.workers.watched`), and says so with `import_by`.

`sys.modules` has None for a module that ran out of time, as Python has it for what must not be imported: so
no other part of fedbounds waits for it again.
"""

import importlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, ModuleType
from typing import Any

from bounds.installation import PACKAGES

SECONDS = 60.0  # the longest time of one import
AGAIN = 1.0  # seconds until the next interruption, where an author's `except` swallowed one


Import = Callable[[str], ModuleType]
_import: Import = importlib.import_module


def import_by(how: Import) -> None:
    """Import from now on by a function that lets another process watch it."""
    global _import  # of the process
    _import = how


def import_module(name: str) -> ModuleType:
    try:
        return _import(name)
    except OutOfTime:
        known: dict[str, Any] = sys.modules
        known[name] = None
        raise


def is_given_up(name: str) -> bool:
    """Whether an import of this module was ended before, here or on the side that runs algorithms."""
    return name in sys.modules and sys.modules[name] is None


class OutOfTime(BaseException):
    """Raised inside an import that takes too long; no `except Exception` of an author swallows it."""

    def __init__(self) -> None:
        super().__init__(f"the import took longer than {SECONDS:g} seconds and was ended")


@contextmanager
def limited() -> Iterator[None]:
    """Inside, an import that is older than `SECONDS` is interrupted by `OutOfTime`."""
    if threading.current_thread() is not threading.main_thread() or not _is_timer_free():
        yield
        return
    inside = True

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        if inside:
            raise OutOfTime

    handler = signal.signal(signal.SIGALRM, interrupt)
    timer = signal.setitimer(signal.ITIMER_REAL, SECONDS, AGAIN)
    try:
        yield
    finally:
        inside = False
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, handler)


def _is_timer_free() -> bool:
    """One of ours reads a clock, and reads it later without harm; another's is left alone."""
    if not hasattr(signal, "setitimer"):
        return False
    handler = signal.getsignal(signal.SIGALRM)
    return handler is signal.SIG_DFL or str(getattr(handler, "__module__", "")).partition(".")[0] in PACKAGES
