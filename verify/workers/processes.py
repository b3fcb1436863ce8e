"""Tasks in this process, or in several on this machine."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from multiprocessing import get_context, parent_process
from types import ModuleType
from typing import Any, Final, TypeAlias, final

Task: TypeAlias = tuple[int, tuple[Any, ...]]
PARENT_DEATH: Final = 1  # PR_SET_PDEATHSIG of prctl
# One thread each: several workers with several threads fight over the cores.
ONE_THREAD: Final = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@final
@dataclass(frozen=True, slots=True)
class Processes:
    """One worker is this process; several are fresh processes of one thread each."""

    workers: int = 1

    def carry_out(
        self, function: Callable[..., Any], tasks: Iterable[tuple[int, tuple[Any, ...]]]
    ) -> Iterator[tuple[int, Any]]:
        waiting = iter(tasks)
        first = list(islice(waiting, 2))
        waiting = chain(first, waiting)
        if self.workers == 1 or len(first) < 2:
            for number, arguments in waiting:
                yield number, function(*arguments)
            return
        yield from self._run_in_pool(function, waiting)

    def _run_in_pool(
        self, function: Callable[..., Any], waiting: Iterator[tuple[int, tuple[Any, ...]]]
    ) -> Iterator[tuple[int, Any]]:
        with _environment(ONE_THREAD), pool_of(self.workers) as pool:
            running: dict[Future[Any], int] = {}
            try:
                while True:
                    # One task waits for each worker, so that none is idle while its result travels; no more,
                    # because tasks that the pool has taken are run even after Ctrl-C.
                    while len(running) < 2 * self.workers and (task := next(waiting, None)) is not None:
                        running[submitted(pool, function, *task[1])] = task[0]
                    if not running:
                        return  # the pool is left when its workers have ended
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        yield running.pop(future), future.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def pool_of(workers: int) -> ProcessPoolExecutor:
    """Fresh processes, which end without a word on Ctrl-C: what is to be said of it, the parent says."""
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_begin)


def submitted(pool: ProcessPoolExecutor, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
    """The future of a task, for which the pool may begin a worker."""
    with interrupts_held(), main_hidden():
        return pool.submit(function, *arguments)


@contextmanager
def main_hidden() -> Iterator[None]:
    """Begin a process that does not run the script of this one.

    A fresh process runs it to find what is defined there: without a guard it would do all its work again, and
    that of a notebook or of `python -` is no file. No task of ours is defined there.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _begin() -> None:
    """A worker waits for tasks on a pipe that it holds open itself, and would wait for ever."""
    end_on_interrupt()
    end_with_parent()
    parent = parent_process()
    if parent is not None and parent.pid != os.getppid():  # it ended while this one began
        os._exit(1)


def end_with_parent() -> None:
    """Linux ends this process with the one that began it, however that ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PARENT_DEATH, signal.SIGKILL)


def end_on_interrupt() -> None:
    # who ignores interrupts has told its children to do so too
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


@contextmanager
def interrupts_held() -> Iterator[None]:
    """A worker that starts here inherits it, and so hears of Ctrl-C when it knows what to do then."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _environment(settings: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
