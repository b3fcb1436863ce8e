"""What the engine needs of an algorithm, ours or one from outside, to run it by name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

from synthetic.engine.randomness import Numbers
from synthetic.engine.trace import Recorder, Trace
from synthetic.problem import Problem

Act = Callable[[Problem, Any, Numbers, Recorder], Trace]


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Runnable:
    """One algorithm under its name.

    observables are measured in every run, on_request only if they are asked for. per_row: settings that may
    differ from row to row of a batch. indivisible: its replicates run as one block. outside: it
    computes in its own library and in float64, whatever the plan says of backends. rows_followed: so many
    replicates a call of its round draws for, where it can be told what to draw, else 0: see
    `synthetic.outside.followed`.
    """

    name: str
    settings: type[Any]
    act: Act
    observables: tuple[str, ...]
    on_request: tuple[str, ...]
    per_row: tuple[str, ...] = ()
    indivisible: bool = False
    outside: bool = False
    rows_followed: int = 0
