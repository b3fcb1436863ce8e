"""What no machine holds or ends, refused before it is begun: the least memory and work of a request.

Both are lower bounds: what passes may still be too large, and what is refused certainly is.
"""

import math
import os
from collections.abc import Mapping
from typing import Any

from reports.errors import UnusableProblem, UnusableRun
from synthetic.problem import Problem

BYTES = 8  # of a number in double precision
COUNTS = ("clients", "samples", "dimension", "rank", "pieces")
SQUARE = ("quadratic.small", "quadratic.ill_conditioned")  # of which every client has a full matrix
ROUNDS = ("rounds", "last_round", "steps", "most_rounds")
SECONDS_OF_A_STEP = 5e-6  # some calls of numpy, on whatever machine
LONGEST = 30 * 24 * 3600  # seconds: a month


def check_problem(name: str, arguments: Mapping[str, Any]) -> None:
    """Before anything is built: arrays are filled client by client, and memory is gone before one notices."""
    counts = {n: v for n in COUNTS if type(v := arguments.get(n)) is int and v > 0}
    numbers = math.prod(counts.values())
    numbers *= counts.get("dimension", 1) if name in SQUARE else 1
    needed = numbers * BYTES
    if needed > (there := memory()):
        of = ", ".join(f"{n}={v}" for n, v in counts.items())
        raise UnusableProblem(
            f"{name} with {of} is too large for this machine: it needs at least {_size(needed)} of memory, "
            f"and there are {_size(there)}; ask for less"
        )


def check_run(
    algorithm: str, problem: Problem, settings: Any, replicates: int, *, round_by_round: bool
) -> None:
    """Before the first round: the last states of all replicates are kept, or a number of every round too."""
    name, rounds = next(((n, r) for n in ROUNDS if (r := getattr(settings, n, None)) is not None), ("", 0))
    numbers = max(problem.dimension, rounds if round_by_round else 0) * max(replicates, 0)
    if (needed := BYTES * numbers) > (there := memory()):
        raise UnusableRun(
            f"{algorithm} with {replicates} replicates of {rounds} rounds in dimension {problem.dimension} "
            f"is too large for this machine: it needs at least {_size(needed)} of memory, and there are "
            f"{_size(there)}; ask for less"
        )
    seconds = rounds * SECONDS_OF_A_STEP
    if seconds > LONGEST:
        raise UnusableRun(
            f"{algorithm} with {rounds} {name.replace('_', ' ')} takes at least "
            f"{seconds / (24 * 3600):.3g} days; at most {LONGEST // (24 * 3600)} are taken, so ask for fewer"
        )


def memory() -> int:
    """Bytes of this machine, or fewer where a limit is set."""
    found = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        import resource  # of Unix only

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    except ImportError:
        return found
    return found if limit == resource.RLIM_INFINITY else min(found, limit)


def _size(count: int) -> str:
    for unit, power in (("GiB", 30), ("MiB", 20)):
        if count >= 2**power:
            return f"{count / 2**power:,.3g} {unit}"
    return f"{count} bytes"
