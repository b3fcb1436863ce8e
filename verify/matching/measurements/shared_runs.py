"""Runs of an author's algorithm, made once for all statements that ask for the same.

A theorem and its false forms, or several theorems on one algorithm, ask for the same runs again and again,
and each is many calls of the author's function. Such a run draws from a stream that is named after itself and
not after the cell, so two cells that ask for it have the same numbers, whether it is made once or twice. The
error level holds as before: it is a sum over cells, however they depend on each other.
"""

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from functools import cache
from typing import Any, Final

import numpy as np

from bounds.language.quantity import Observable
from bounds.language.statement import Statement
from synthetic.engine.disturbance import turn_of_disturbance
from synthetic.problem import Problem
from synthetic.run import runnable
from verify.cell import Cell, plain
from verify.matching.measurements.measurement import Computed, Measurement
from verify.matching.measurements.weights import Weights

MOST: Final = 128  # measurements: more than the cells of a statement
LARGEST: Final = 2**20  # bytes of one that is kept

# with what a name may come to mean another time: the algorithm and the problem themselves
_measured: OrderedDict[str, tuple[Any, Problem, Measurement]] = OrderedDict()


def stream_of(statement: Statement, cell: Cell, settings: Callable[[Statement, Cell], Any] | None) -> str:
    """The name of a cell's random stream: with an author's algorithm that of the run, else the digest."""
    if settings is None or not runnable(cell.algorithm).outside:
        return cell.digest
    written = _written(settings(statement, cell))
    return _digest([cell.algorithm, cell.problem, plain(cell.problem_arguments), written])


def make_once(
    make: Callable[[], Measurement],
    *,
    algorithm: str,
    problem: Problem,
    settings: Any,
    observables: Mapping[str, Observable],
    weights: Weights,
    draws: tuple[int, int, str],
) -> Measurement:
    """The measurement that `make` makes, or that it made before; draws: replicates, seed and stream."""
    listing = runnable(algorithm)
    if not listing.outside:
        return make()
    asked = [[n, o.measured, o.over.name, o.states.name] for n, o in sorted(observables.items())]
    weighed = {name: of_states.tolist() for name, of_states in weights.items()}
    key = _digest([algorithm, _written(settings), asked, weighed, draws, turn_of_disturbance()])
    known = _measured.get(key)
    if known is not None and known[0] is listing and known[1] is problem:
        _measured.move_to_end(key)
        return known[2]
    found = make()
    if isinstance(found, Computed):
        found = replace(found, rounding=cache(found.rounding))
    if sum(np.asarray(values).nbytes for values in found.observables.values()) <= LARGEST:
        _measured[key] = (listing, problem, found)
        if len(_measured) > MOST:
            _measured.popitem(last=False)
    return found


def _written(settings: Any) -> str:
    """The settings of an author's algorithm, which are numbers, words, lists and arrays of numbers."""
    return json.dumps(plain(asdict(settings)), sort_keys=True, default=lambda array: array.tolist())


def _digest(parts: Any) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]
