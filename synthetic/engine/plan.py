"""How a run is computed, apart from what it computes. No verdict depends on it."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeVar, final, get_args

import numpy as np

from synthetic.arguments import between, integer_at_least, one_of
from synthetic.engine import accelerated
from synthetic.engine.arithmetic import ROWS, rows_of_products
from synthetic.engine.randomness import BLOCK, Numbers, PlacedNumbers, SingleNumbers
from synthetic.engine.tensors import DeviceNumbers, TensorNumbers
from synthetic.engine.threads import one_thread
from synthetic.errors import BadValue, WrongPlan

Backend = Literal["numpy", "numba", "torch"]
Noise = Literal["each", "together"]
Precision = Literal["double", "single"]
Draws = Literal["host", "device"]
Exponentials = Literal["numpy", "torch"]
MOST_THREADS = 256  # each computes a block of its own; more of them only wait for each other
Block = TypeVar("Block")
Result = TypeVar("Result")
MOST_ROWS = 2**16  # a lone replicate costs as much as all of them
LEAST_ROWS = 4  # of one lone row numpy sums over the clients in another order


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How the blocks of a run are computed.

    rows: every product of floats has this many rows, and so has every state, filled up with replicates that
    nobody asked for. So the bits of a replicate are a function of its data, its random numbers, its place and
    the plan, on any processor. block: replicates that run together, small enough for the caches; threads:
    blocks at a time, each of which computes its products alone. Neither changes a bit.

    device: a name of torch, such as "cpu" or "cuda:0"; numpy computes on the "cpu" only, and so does numba,
    which is numpy with the passes between its products compiled (extra `fast`). noise: noises of the clients
    that only appear as a sum are drawn one by "each" client, or "together" as the one normal vector that the
    sum is; equal in law. precision: "single" on request of whoever calls, never recorded, so that no verdict
    rests on it; see `synthetic.tuning.single_precision` for its error. normals: "single" draws them by a
    compiled generator of single precision (extra `fast`); numbers of their own, and a law that is the normal
    one up to steps of 1e-7 in probability: never recorded either. draws: "device" lets a device of cuda draw
    all numbers by its own generator, where those of the host would be what a round waits for: other numbers
    of the same law, never recorded, because no other machine could repeat them. exponentials: what computes
    those of numpy's arrays, on the same memory; torch is faster without AVX-512.
    """

    backend: Backend = "numpy"
    device: str = "cpu"
    rows: int = ROWS
    block: int = 256
    threads: int = 1
    noise: Noise = "each"
    precision: Precision = "double"
    normals: Precision = "double"
    draws: Draws = "host"
    exponentials: Exponentials = "numpy"

    def __post_init__(self) -> None:
        one_of("backend", self.backend, get_args(Backend))
        one_of("noise", self.noise, get_args(Noise))
        one_of("precision", self.precision, get_args(Precision))
        one_of("normals", self.normals, get_args(Precision))
        one_of("draws", self.draws, get_args(Draws))
        one_of("exponentials", self.exponentials, get_args(Exponentials))
        integer_at_least("threads", self.threads, 1)
        between("threads", self.threads, 1, MOST_THREADS)
        integer_at_least("rows", self.rows, LEAST_ROWS)
        between("rows", self.rows, LEAST_ROWS, MOST_ROWS)
        integer_at_least("block", self.block, BLOCK)
        self._check_sizes()
        if self.backend != "torch" and self.device != "cpu":
            raise _wrong(self.device, f"{self.backend} computes on the cpu", 'set backend="torch"')
        if self.draws == "device" and not (self.backend == "torch" and self.device.startswith("cuda")):
            raise WrongPlan(
                asked='draws="device"',
                failed="only a generator of cuda takes a seed of 64 bits",
                found=f"{self.backend} on {self.device}",
                needed='backend="torch" on a device of cuda',
                change="leave the draws to the host",
            )
        self._check_extra()

    def _check_sizes(self) -> None:
        if BLOCK % self.rows and self.rows % BLOCK:
            raise BadValue(
                asked="rows",
                failed=f"random numbers come in blocks of {BLOCK} replicates",
                found=self.rows,
                needed=f"4, 8, 16, 32, or a multiple of {BLOCK}",
                change=f"take {max(BLOCK, self.rows // BLOCK * BLOCK)}",
            )
        unit = max(BLOCK, self.rows)
        if self.block % unit:
            raise BadValue(
                asked="block",
                failed=f"numbers come in blocks of {BLOCK} replicates, products in {self.rows} rows",
                found=self.block,
                needed=f"a multiple of {unit}",
                change=f"take {max(unit, self.block // unit * unit)}",
            )

    def _check_extra(self) -> None:
        for name, value in (("backend", self.backend == "numba"), ("normals", self.normals == "single")):
            if value and not accelerated.available():
                raise WrongPlan(
                    asked=f'{name}="{getattr(self, name)}"',
                    failed="numba is not installed",
                    found="no module numba",
                    needed="the extra `fast`",
                    change="pip install 'fedbounds[fast]', or leave it out",
                )

    def numbers(self, *, seed: int, stream: str, replicates: int, exact: bool = False) -> Iterator[Numbers]:
        """The random numbers of the whole run, those of one block of replicates after the other.

        exact: nothing is rounded, so no row has to be filled up.
        """
        integer_at_least("replicates", replicates, 1)
        device = _device(self.device) if self.backend == "torch" else None
        rows = 1 if exact else self.rows
        for first in range(0, replicates, self.block):
            wanted = min(self.block, replicates - first)
            drawn = PlacedNumbers(
                seed=seed,
                stream=stream,
                replicates=-(-wanted // rows) * rows,
                wanted=wanted,
                first=first,
                of_run=replicates,
                together=self.noise == "together",
                rough=self.normals == "single",
            )
            rounded = drawn if self.precision == "double" else SingleNumbers(source=drawn)
            if device is None:
                yield rounded
            elif self.draws == "device":
                yield DeviceNumbers(source=rounded, placed=drawn, device=device, rows=rows)
            else:
                yield TensorNumbers(source=rounded, device=device)

    def carried_out(self, work: Callable[[Block], Result], blocks: Sequence[Block]) -> list[Result]:
        _keep_freed_memory()
        if "torch" in (self.backend, self.exponentials):
            import torch  # noqa: F401  # its threads are found where it is there

        def as_planned(block: Block) -> Result:
            compiled, by_torch = self.backend == "numba", self.exponentials == "torch"
            passes = accelerated.passes(compiled=compiled, exponentials_by_torch=by_torch)
            with one_thread(), passes, rows_of_products(self.rows):
                return work(block)

        if self.threads == 1 or len(blocks) == 1:
            return [as_planned(block) for block in blocks]
        # BLAS has its threads for the whole process: a worker that is done must not give the others theirs
        with one_thread(), ThreadPoolExecutor(self.threads) as pool:
            return list(pool.map(as_planned, blocks))


@cache
def _keep_freed_memory() -> None:
    """Every round frees some arrays and makes as many again.

    The C library of Linux gives large ones back to the system, which clears their pages before they return;
    once it has seen a block of nearly 32 MiB freed, it keeps as much.
    """
    np.empty(2**25 - 2**16, dtype=np.uint8)


def _device(name: str) -> Any:
    import torch

    try:
        device = torch.device(name)
        # some devices have shapes only, and torch counts any number of processors as one
        torch.ones(1, dtype=torch.float64, device=device).sum().cpu()
    except (RuntimeError, AssertionError) as error:
        reason = next(iter(str(error).splitlines()), "it has no reason").split(". ")[0].rstrip(".")
        raise _wrong(name, f"torch cannot use it: {reason}", 'use "cpu" or install a fitting torch') from None
    if device.type == "cpu" and device.index:
        raise _wrong(name, "there is one device cpu, with all its cores", 'use "cpu", and more threads')
    return device


def _wrong(device: str, failed: str, change: str) -> WrongPlan:
    return WrongPlan(
        asked="device", failed=failed, found=repr(device), needed="a device of the backend", change=change
    )
