"""Tasks that call an author's code, carried out in child processes that can be ended.

A call that is stuck in compiled code hears no interruption, and a call may end its process. So each child, a
copy of this process, writes the time of its latest call into shared memory. This process ends a child whose
call outlasts its limit, says in which line it was, and goes on with the other tasks in another child.

Only Linux copies a process safely. Elsewhere, in a thread, and beside a GPU that is in use, the tasks are
carried out here, and only calls of Python are interrupted.
"""

import faulthandler
import importlib
import math
import os
import re
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import redirect_stdout
from copy import copy
from dataclasses import dataclass
from mmap import mmap
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import monotonic, sleep
from types import ModuleType
from typing import Any, Final, NoReturn, TypeAlias, final

from bounds import limited_imports
from bounds.authors import blamed
from bounds.errors import BrokenPaper, Misuse
from synthetic.engine.threads import one_thread
from synthetic.errors import AuthorMistake, BrokenPackage, CallEnded, FalseClaim, Refusal
from synthetic.outside import calls
from synthetic.outside.algorithms import is_outside
from verify.workers.processes import ONE_THREAD, Task, end_on_interrupt, end_with_parent, interrupts_held

Failed: TypeAlias = Callable[..., Any]  # (mistake, *arguments of the task): the result in its place
OF_AUTHOR: Final = (AuthorMistake, BrokenPackage, BrokenPaper, FalseClaim)
ENDED: Final = (*OF_AUTHOR, BrokenProcessPool, MemoryError)  # what costs no other task its result
SENTENCES: Final = (Misuse, Refusal, OSError, MemoryError)  # these say already what was wrong

TICK: Final = 0.1  # seconds between two looks at the clocks
GRACE: Final = 1.0  # seconds, beside a fifth of the limit, in which Python is interrupted from inside
ASK: Final = getattr(signal, "SIGUSR2", signal.SIGTERM)
FRAME: Final = re.compile(r'^  File "(.*)", line (\d+) in (.*)$', re.MULTILINE)
OF_IMPORTS: Final = ("<frozen importlib", importlib.__file__)
OURS: Final = tuple(f"{Path(__file__).parents[2] / name}{os.sep}" for name in ("synthetic", "verify"))


def carry_out(
    function: Callable[..., Any], tasks: Sequence[Task], workers: int = 1, failed: Failed | None = None
) -> Iterator[tuple[int, Any]]:
    """Each result with the number of its task, as soon as it is there; `failed` makes one of a mistake."""
    if not _may_copy():
        for number, arguments in tasks:
            yield number, _result(_outcome(function, arguments), arguments, failed)
        return
    waiting, running = list(tasks)[::-1], list[_Child]()
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                running.append(_started(function, waiting))
                running[-1].give(waiting.pop())
            for child in _ready(running):
                (number, arguments), outcome = child.task, child.outcome()
                if waiting and not child.is_over:
                    child.give(waiting.pop())
                else:
                    running.remove(child)
                    child.end()
                yield number, _result(outcome, arguments, failed)
    finally:
        for child in running:
            child.end()


def watched(function: Callable[..., Any], *arguments: Any) -> Any:
    """The result of one call, carried out as above."""
    return next(carry_out(function, [(0, arguments)]))[1]


def is_theirs(*names: str | None) -> bool:
    """Whether one of these statements, algorithms and problems is an author's."""
    return any(is_outside(name) for name in names if name)


def _may_copy() -> bool:
    torch = sys.modules.get("torch")
    in_use = torch is not None and torch.cuda.is_initialized()
    in_main = threading.current_thread() is threading.main_thread()
    return sys.platform == "linux" and in_main and not in_use


@final
@dataclass(frozen=True, slots=True)
class _Outcome:
    """What a task came to: what it returned, or what it raised."""

    value: Any = None
    error: BaseException | None = None


def _outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> _Outcome:
    """What an author prints is no part of a document on standard output."""
    try:
        with redirect_stdout(sys.stderr), calls.limited(calls.SECONDS):
            return _Outcome(value=function(*arguments))
    except Exception as error:
        blame = error if isinstance(error, SENTENCES) else blamed(error)
        if not isinstance(blame, OF_AUTHOR):
            raise
        return _Outcome(error=blame)


def _result(outcome: _Outcome, arguments: tuple[Any, ...], failed: Failed | None) -> Any:
    if outcome.error is None:
        return outcome.value
    if failed is None or not isinstance(outcome.error, ENDED):
        raise outcome.error
    return failed(outcome.error, *arguments)


@final
@dataclass(slots=True, eq=False)
class _Child:
    """A copy of this process that waits for tasks; `clock` and `lines` are shared with it."""

    process: int
    connection: Connection
    clock: calls.Clock
    lines: int
    task: Task = (-1, ())
    is_over: bool = False

    def give(self, task: Task) -> None:
        self.task = task
        self.connection.send(task[0])

    def outcome(self) -> _Outcome:
        try:
            if not self.is_stuck():
                found: _Outcome = self.connection.recv()
                return found
        except (EOFError, ConnectionError):
            pass
        return _Outcome(error=self._why_ended())

    def is_stuck(self) -> bool:
        return self.clock.is_over(1.2, GRACE) and not self.connection.poll()

    def end(self) -> int:
        """Its status, as `waitpid` has it; the second time it is over already."""
        if self.is_over:
            return 0
        self.is_over = True
        self.connection.close()
        os.kill(self.process, signal.SIGKILL)
        status = os.waitpid(self.process, 0)[1]
        os.close(self.lines)
        return status

    def _why_ended(self) -> Exception:
        """There is no result: a call did not end, or it ended the process."""
        stuck = self.is_stuck()
        where = self._ask_where() if stuck else _where(self._dumped())
        how = _describe_end(self.end())
        if self.clock.started == math.inf:
            return BrokenProcessPool()
        late = f"a call took longer than {self.clock.seconds:g} seconds"
        return CallEnded(
            asked=self.clock.name() + where,
            failed=late if stuck else "a call ended its process",
            found="one that did not return, so that its process was ended" if stuck else how,
            needed="a call that returns",
            change="this is for the author of the function to mend",
        )

    def _ask_where(self) -> str:
        """A handler in C writes the lines: Python is what the call holds up."""
        os.kill(self.process, ASK)
        until = monotonic() + GRACE
        while monotonic() < until and not self._dumped():
            sleep(TICK / 10)
        sleep(TICK)  # until the last line is there
        return _where(self._dumped())

    def _dumped(self) -> str:
        # where the child writes next is not moved
        return os.pread(self.lines, 1 << 16, 0).decode(errors="replace")


def _describe_end(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return f"exit code {code}"
    memory = ", as if memory had run out" if code == -signal.SIGKILL else ""
    return f"signal {signal.Signals(-code).name}{memory}"


def _where(dumped: str) -> str:
    """The innermost line in the file of the author's function, of a traceback that faulthandler wrote."""
    frames: list[tuple[str, str, str]] = FRAME.findall(dumped)
    code = calls.call.__code__
    at = (n for n, (file, _, name) in enumerate(frames) if (file, name) == (code.co_filename, code.co_name))
    inside = [frame for frame in frames[: next(at, 0)] if not frame[0].startswith((*OURS, *OF_IMPORTS))]
    if not inside:
        return ""
    file = inside[-1][0]
    line = next(line for place, line, _ in inside if place == file)
    return f" ({file}, line {line})"


def _ready(running: Sequence[_Child]) -> list[_Child]:
    """Those that have answered, have ended or are to be ended."""
    answered = wait([child.connection for child in running], TICK)
    return [child for child in running if child.connection in answered or child.is_stuck()]


def _started(function: Callable[..., Any], tasks: Sequence[Task]) -> _Child:
    clock, lines = calls.Clock(mmap(-1, calls.SHARED)), os.memfd_create("lines")
    ours, theirs = Pipe()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # closed before Python began
            stream.flush()
    with interrupts_held(), warnings.catch_warnings():
        # threads that wait, as those of a notebook, are not copied; the child uses none of what they hold
        warnings.simplefilter("ignore", DeprecationWarning)
        process = os.fork()
        if process == 0:
            _work(function, dict(tasks), theirs, clock, lines)
    theirs.close()
    return _Child(process=process, connection=ours, clock=clock, lines=lines)


def _work(
    function: Callable[..., Any],
    tasks: Mapping[int, tuple[Any, ...]],
    connection: Connection,
    clock: calls.Clock,
    lines: int,
) -> NoReturn:
    """Runs in the child, until this process is ended."""
    try:
        end_on_interrupt()
        end_with_parent()
        faulthandler.enable(lines, all_threads=False)
        faulthandler.register(ASK, lines, all_threads=False)
        os.environ.update(ONE_THREAD)
        calls.use_clock(clock)
        limited_imports.import_by(_imported)
        with one_thread():
            while True:
                _send(connection, _contained(function, tasks[connection.recv()]))
    finally:
        if sys.stderr is not None:
            sys.stderr.flush()
        os._exit(1)


def _imported(name: str) -> ModuleType:
    """On the clock, so that an import is ended too which hangs in compiled code."""
    what, seconds = f"the import of {name}", limited_imports.SECONDS
    module: ModuleType = calls.call(
        what, importlib.import_module, name, passing=BaseException, seconds=seconds
    )
    return module


def _contained(function: Callable[..., Any], arguments: tuple[Any, ...]) -> _Outcome:
    """The frames of a traceback do not travel, so they are noted beside a defect of ours."""
    try:
        return _outcome(function, arguments)
    except BaseException as error:
        error.add_note("".join(traceback.format_exception(error)))
        return _Outcome(error=error)


def _send(connection: Connection, outcome: _Outcome) -> None:
    try:
        copy(outcome.error)  # what cannot be copied arrives as something else
        connection.send(outcome)
    except Exception as error:
        connection.send(_Outcome(error=RuntimeError(f"{outcome.error or error}")))
