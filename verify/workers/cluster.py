"""Tasks on the workers of a Dask scheduler that is running, or of one that is started here for them.

A worker must have the code and the libraries of this process, or it is refused: stored results are claimed to
the bit. A task whose worker dies is given to another at most twice. What comes back is JSON text, so that a
result that cannot travel is named where it was made. Dask's own settings (TLS among them) are Dask's.
"""

import json
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, Final, TypeAlias, final

from bounds.errors import Misuse
from verify import sources
from verify.environment import environment
from verify.workers.processes import main_hidden

RETRIES: Final = 2  # of a task whose worker died
AHEAD: Final = 2  # tasks that wait at each thread of a worker, so that none is ever idle
GROUP: Final = 0.25  # seconds of work that are sent at once
LARGEST: Final = 256  # tasks in a group
PATIENCE: Final = "10s"  # to reach a scheduler that somebody named

Group: TypeAlias = list[tuple[int, tuple[Any, ...]]]


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
            with main_hidden():
                here = distributed.LocalCluster(
                    n_workers=cluster.workers,
                    threads_per_worker=1,
                    dashboard_address=None,
                    silence_logs=50,  # a worker that dies is said by us, once
                )
            target = stack.enter_context(here)
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
    return environment() | {"code": sources.code()}


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


def _carry_out_group(
    wanted: dict[str, str], function: Callable[..., Any], group: list[tuple[Any, ...]]
) -> tuple[list[str], float]:
    """Runs on the worker: the results of as many of these tasks as its time allows, and their seconds.

    At least one is done. Those from the first that fails come back undone: it fails alone, later.
    A worker that came later than the first may have other versions.
    """
    if versions() != wanted:
        return [json.dumps({"versions": versions()})], 0.0
    texts, began = list[str](), time.perf_counter()
    for arguments in group:
        try:
            texts.append(_pack(function(*arguments)))
        except Exception:
            if not texts:
                raise
            break
        if time.perf_counter() - began > GROUP:
            break
    return texts, time.perf_counter() - began


def _pack(result: Any) -> str:
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
    """Short tasks travel in groups, sized by what the last took: a scheduler needs milliseconds for each."""
    completed, groups = _distributed().as_completed(loop=client.loop), dict[str, Group]()
    wanted, size = versions(), 1

    def submit(group: Group) -> None:
        if group:
            future = client.submit(
                _carry_out_group, wanted, function, [task for _, task in group], pure=False
            )
            groups[future.key] = group
            completed.add(future)

    submit([first])
    for task in islice(waiting, AHEAD * sum(client.nthreads().values()) - 1):
        submit([task])
    for future in completed:
        group = groups.pop(future.key)
        texts, seconds = future.result()
        for task in group[len(texts) :]:
            submit([task])
        size = max(1, min(LARGEST, int(GROUP * len(texts) / max(seconds, 1e-9))))
        submit(list(islice(waiting, size)))
        for (number, _), text in zip(group, texts, strict=False):  # those after the last text were not done
            yield number, _result(text, number)


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
            f"{title}: {RETRIES + 1} workers ended while they had the same tasks; each was killed, or out of "
            "memory; what is finished is kept"
        ) from error
    except (distributed.CancelledError, distributed.comm.CommClosedError) as error:
        raise ClusterUnusable(
            f"{title} was lost; what is finished is kept, and the same command goes on from there"
        ) from error
