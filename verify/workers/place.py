"""What carries out many independent tasks; every verb with many cells, searches or audits asks one of these.

A function of a module and plain arguments travel; a JSON-like value comes back. No result depends on the
place: random numbers are functions of the cell, and a place changes only what runs when.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Protocol

from bounds.errors import Misuse
from verify.workers.cluster import Cluster
from verify.workers.processes import Processes, Task

LOCAL: Final = "local"
SCHEME: Final = "dask"


class UnknownPlace(Misuse):
    """A name that means neither this machine nor a cluster."""


class Place(Protocol):
    def carry_out(self, function: Callable[..., Any], tasks: Iterable[Task]) -> Iterator[tuple[int, Any]]:
        """Each result, with the number of its task, as soon as it is there."""
        ...


def place_named(name: str, workers: int) -> Place:
    """`local`: so many processes; `dask`: so many workers of a cluster made here; or dask://HOST:PORT."""
    if name == LOCAL:
        return Processes(workers)
    if name == SCHEME:
        return Cluster(address=None, workers=workers)
    scheme, separator, address = name.partition("://")
    host, colon, port = address.rpartition(":")
    if scheme == SCHEME and separator and host and colon and port.isascii() and port.isdigit():
        return Cluster(address=address, workers=workers)
    raise UnknownPlace(f"no place is named {name}: write local, dask, or dask://HOST:PORT of a scheduler")
