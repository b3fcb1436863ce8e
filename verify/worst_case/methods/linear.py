"""What an author's algorithm does with gradients, read from runs of its code.

A linear method asks at points x_0 - sum_q a_q g_q, where g_q are the gradients that it has been given so far
and the numbers a_q do not depend on them. So its code is run with a basis in place of gradients: the first
question is answered by the first vector, the second one by the second. The coordinates of the points are the
numbers -a_q. Runs with other vectors, longer and shorter ones and at other angles, must have the same
coordinates: an algorithm that clips, normalizes or compares has not.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from synthetic.engine.arithmetic import Array
from synthetic.errors import Refusal
from synthetic.outside.settings import make_settings
from synthetic.problems._asked_gradients import AskedGradients
from synthetic.run import run, runnable
from verify.worst_case.errors import BadSetting, NoWorstCase

LARGEST = 60  # gradients of all clients together: time grows as the 4th power
ALIKE = 1e-9  # of the largest coordinate: what two runs with other vectors may differ by
LENGTHS = (1.0, 1e-5, 1e5)  # of the vectors of the runs that are compared with the first one
NEAREST = 10**6  # the largest denominator of a fraction that is taken for a coordinate,
ROUNDING = 1e-13  # if it is no farther away than this
Multiples = Mapping[int, Fraction]  # of each gradient by its number


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A client is asked for its gradient at x_0 plus these multiples of gradients."""

    client: int
    at: Multiples


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class LinearMethod:
    """Every question in its order, and the iterates x_0..x_K."""

    asked: tuple[Question, ...]
    iterates: tuple[Multiples, ...]


def read_method(algorithm: str, clients: int, values: Mapping[str, Any]) -> LinearMethod:
    """The method that the code of the algorithm is at these settings; refused unless it is linear."""
    first, *others = _runs(algorithm, clients, values)
    _check_origin(algorithm, first.points)
    for other in others:
        if other.clients != first.clients or not _agree(first.points, other.points):
            raise NoWorstCase(
                f"{algorithm} has no worst-case program: where it asks for gradients depends on their "
                "lengths or angles, as when it clips, normalizes or compares, and a program follows fixed "
                "multiples of gradients"
            )
    return LinearMethod(
        asked=tuple(
            Question(client=client, at=_multiples(row))
            for client, row in zip(first.clients, first.points, strict=False)
        ),
        iterates=tuple(_multiples(row) for row in first.points[len(first.clients) :]),
    )


@final
@dataclass(frozen=True, slots=True)
class _Run:
    """Who was asked, and coordinates of the points of all questions, and of the iterates after them."""

    clients: tuple[int, ...]
    points: Array


def _runs(algorithm: str, clients: int, values: Mapping[str, Any]) -> Iterator[_Run]:
    """The run with a basis, then those with which it is compared."""
    size = LARGEST + 2  # x_0 comes first, and the last vector is never handed out
    random = np.random.default_rng(0)
    yield _run(algorithm, clients, values, np.eye(size))
    for length in LENGTHS:
        yield _run(algorithm, clients, values, length * random.standard_normal((size, size)))


def _run(algorithm: str, clients: int, values: Mapping[str, Any], basis: Array) -> _Run:
    problem, settings = AskedGradients(clients, basis[1:-1]), settings_from(algorithm, values, basis[0])
    trace = run(algorithm, problem, settings, replicates=1, seed=0, stream="worst case", observe=("state",))
    _check(algorithm, problem, drew=bool(trace.drew))
    points = np.stack([*(point for _, point in problem.asked), *trace.measurements["state"][0]])
    if not np.isfinite(points).all():
        raise NoWorstCase(f"{algorithm} has no worst-case program: its run overflows at these settings")
    return _Run(tuple(client for client, _ in problem.asked), points @ np.linalg.inv(basis))


def settings_from(algorithm: str, values: Mapping[str, Any], start: Array) -> Any:
    """The settings of an author's algorithm, as its code is given them."""
    try:
        return make_settings(algorithm, runnable(algorithm).settings, {**values, "start": start})
    except Refusal as refusal:
        raise BadSetting(str(refusal)) from refusal


def _check(algorithm: str, problem: AskedGradients, *, drew: bool) -> None:
    why = ""
    if drew:
        why = "it draws random numbers; of ours, `fedavg` with sigma, cohort or server_noise has a program"
    elif problem.was_asked_for_values:
        why = "it asks for values of functions, on which where it goes next may depend"
    elif problem.has_run_out:
        why = (
            f"it asks for more than {LARGEST} gradients of all clients together: take fewer rounds or clients"
        )
    if why:
        raise NoWorstCase(f"{algorithm} has no worst-case program: {why}")


def _check_origin(algorithm: str, points: Array) -> None:
    """Each point has to be x_0 plus multiples of gradients: anything else depends on where the origin is."""
    from_start, never_given = points[:, 0], points[:, -1]
    if np.abs(from_start - 1).max() > ALIKE or np.abs(never_given).max() > ALIKE * np.abs(points).max():
        raise NoWorstCase(
            f"{algorithm} has no worst-case program: it asks at a point that is not its start plus multiples "
            "of gradients, as when it shrinks its state, so that what it does depends on where the origin is"
        )


def _agree(one: Array, other: Array) -> bool:
    return one.shape == other.shape and bool(np.abs(one - other).max() <= ALIKE * np.abs(one).max())


def is_close(one: LinearMethod, other: LinearMethod) -> bool:
    """Whether both ask the same clients at the same points, up to rounding."""
    if [q.client for q in one.asked] != [q.client for q in other.asked]:
        return False
    points, others = ([*(q.at for q in method.asked), *method.iterates] for method in (one, other))
    return len(points) == len(others) and all(map(_are_close, points, others))


def _are_close(one: Multiples, other: Multiples) -> bool:
    return all(abs(one.get(i, Fraction(0)) - other.get(i, Fraction(0))) <= ALIKE for i in {*one, *other})


def _multiples(row: Array) -> dict[int, Fraction]:
    """The coordinates along the gradients, as the fractions that floats have rounded if they are simple."""
    fractions = {number: _fraction(float(row[1 + number])) for number in np.flatnonzero(row[1:-1]).tolist()}
    return {number: times for number, times in fractions.items() if times}


def _fraction(number: float) -> Fraction:
    simple = Fraction(number).limit_denominator(NEAREST)
    return simple if abs(simple - Fraction(number)) <= ROUNDING * max(1.0, abs(number)) else Fraction(number)
