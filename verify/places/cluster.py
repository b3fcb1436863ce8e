"""Tasks on the workers of a Dask scheduler that is running, or of one that is started here for them.

A worker must have the code and the libraries of this process, or it is refused: stored results are claimed to
the bit. A task whose worker dies is given to another at most twice. What comes back is JSON text, so that a
result that cannot travel is named where it was made. Dask's own settings (TLS among them) are Dask's.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, final

from bounds.errors import Misuse
from verify.campaign import sources
from verify.records import record

RETRIES: Final = 2  # of a task whose worker died
AHEAD: Final = 2  # tasks that wait at each thread of a worker, so that none is ever idle
PATIENCE: Final = "10s"  # to reach a scheduler that somebody named


class ClusterUnusable(Misuse):
    """The cluster cannot be reached, was lost, or cannot do what it was asked for."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """`address` is HOST:PORT of a scheduler; None starts one on this machine with so many workers."""

    address: str | None
    workers: int

    def carry_out(
        self, function: Callable[..., Any], tasks: Iterable[tuple[int, tuple[Any, ...]]]
    ) -> Iterator[tuple[int, Any]]:
        waiting = iter(tasks)
        first = next(waiting, None)
        if first is None:
            return
        with _client(self) as client, _failures_named(self.title):
            yield from _carried_out(client, function, first, waiting)

    @property
    def title(self) -> str:
        return "the Dask cluster of this machine" if self.address is None else f"dask://{self.address}"


@contextmanager
def _client(cluster: Cluster) -> Iterator[Any]:
    """Connected, with at least one worker, all of which have the versions of this process."""
    distributed = _distributed()
    with ExitStack() as stack:
        if cluster.address is None:
            target = stack.enter_context(
                distributed.LocalCluster(
                    n_workers=cluster.workers,
                    threads_per_worker=1,
                    dashboard_address=None,
                    silence_logs=50,  # a worker that dies is said by us, once
                )
            )
        else:
            target = _url(cluster.address)
        try:
            client = stack.enter_context(distributed.Client(target, timeout=PATIENCE, set_as_default=False))
        except (OSError, TimeoutError, ValueError) as error:
            raise ClusterUnusable(f"no scheduler answers at {cluster.title}: {error}") from error
        if not client.scheduler_info()["workers"]:
            raise ClusterUnusable(f"{cluster.title} has no worker: start `dask worker`")
        client.run_on_scheduler(_allow_failures)
        _refuse_other_versions(client)
        yield client


def _distributed() -> Any:
    try:
        import distributed
    except ImportError as error:
        raise ClusterUnusable(
            "--on dask needs the extra `cluster`: pip install 'fedbounds[cluster]'"
        ) from error
    return distributed


def _url(address: str) -> str:
    """TLS where Dask's own configuration has a certificate for clients."""
    import dask

    secured = dask.config.get("distributed.comm.tls.client.cert", None)
    return f"{'tls' if secured else 'tcp'}://{address}"


def _allow_failures(dask_scheduler: Any) -> None:
    dask_scheduler.allowed_failures = RETRIES


@cache
def versions() -> dict[str, str]:
    """What decides the bits of a result: libraries, kernels, plan, and the code that acts and judges."""
    return record.environment() | {"code": sources.code()}


def _refuse_other_versions(client: Any) -> None:
    try:
        found = client.run(versions)
    except ImportError as error:
        raise ClusterUnusable(f"a worker has no fedbounds that it can import: {error}") from error
    for worker, its in sorted(found.items()):
        if its != versions():
            raise ClusterUnusable(_difference(worker, its))


def _difference(worker: str, its: dict[str, str]) -> str:
    ours = versions()
    name = next(name for name in ours if its.get(name) != ours[name])
    return (
        f"the worker {worker} has {name} {its.get(name)}, and this process {ours[name]}: "
        "results would differ in their last digits; give both the same"
    )


def _at_a_worker(wanted: dict[str, str], function: Callable[..., Any], arguments: tuple[Any, ...]) -> str:
    """Runs on the worker: one that came later may have other versions."""
    if versions() != wanted:
        return json.dumps({"versions": versions()})
    result = function(*arguments)
    try:
        return json.dumps({"result": result}, allow_nan=False)
    except (TypeError, ValueError) as error:
        return json.dumps({"unsendable": f"{type(result).__name__}: {error}"})


def _carried_out(
    client: Any,
    function: Callable[..., Any],
    first: tuple[int, tuple[Any, ...]],
    waiting: Iterator[tuple[int, tuple[Any, ...]]],
) -> Iterator[tuple[int, Any]]:
    completed, numbers = _distributed().as_completed(loop=client.loop), dict[str, int]()
    wanted = versions()

    def submit(number: int, arguments: tuple[Any, ...]) -> None:
        future = client.submit(_at_a_worker, wanted, function, arguments, pure=False)
        numbers[future.key] = number
        completed.add(future)

    submit(*first)
    for _ in range(AHEAD * sum(client.nthreads().values()) - 1):
        if (task := next(waiting, None)) is not None:
            submit(*task)
    for future in completed:
        number = numbers.pop(future.key)
        result = _result(future.result(), number)
        if (task := next(waiting, None)) is not None:
            submit(*task)
        yield number, result


def _result(text: str, number: int) -> Any:
    found = json.loads(text)
    if "versions" in found:
        raise ClusterUnusable(_difference("that joined last", found["versions"]))
    if "unsendable" in found:
        raise ClusterUnusable(f"the result of task {number} cannot be sent: {found['unsendable']}")
    return found["result"]


@contextmanager
def _failures_named(title: str) -> Iterator[None]:
    """A worker or a scheduler that is gone; what was finished has been handed over."""
    distributed = _distributed()
    try:
        yield
    except distributed.KilledWorker as error:
        raise ClusterUnusable(
            f"{title}: {RETRIES + 1} workers ended while they had the same task; each was killed, or out of "
            "memory; what is finished is kept"
        ) from error
    except (distributed.CancelledError, distributed.comm.CommClosedError) as error:
        raise ClusterUnusable(
            f"{title} was lost; what is finished is kept, and the same command goes on from there"
        ) from error
