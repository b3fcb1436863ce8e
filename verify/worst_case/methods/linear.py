"""What an author's algorithm does with gradients, read from runs of its code.

A linear method asks at points x_0 - sum_q a_q g_q, where g_q are the gradients that it has been given so far
and the numbers a_q do not depend on them. So its code is run with a basis in place of gradients: the first
question is answered by the first vector, the second one by the second. The coordinates of the points are the
numbers -a_q. Runs with other vectors, longer and shorter ones and at other angles, must have the same
coordinates: an algorithm that clips, normalizes or compares has not.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from synthetic.engine.arithmetic import Array
from synthetic.engine.trace import Trace
from synthetic.errors import Refusal
from synthetic.outside.settings import make_settings
from synthetic.problems._asked_gradients import AskedGradients
from synthetic.run import run, runnable
from verify.worst_case.errors import BadSetting, NoWorstCase

LARGEST = 60  # gradients in one Gram matrix: time grows as the 4th power
MOST_CLIENTS = 100
FEW = 5  # dimensions of the run that counts the gradients
ALIKE = 1e-9  # of the largest coordinate: what two runs with other vectors may differ by
MOST_ROUNDS = 1000  # a run without end would ask nothing new, round after round
LENGTHS = (1.0, 1e-12, 1e12)  # of the vectors of the runs that are compared with the first one
NEAREST = 10**6  # the largest denominator of a fraction that is taken for a coordinate,
ROUNDING = 1e-13  # if it is no farther away than this
NOT_FIXED = (
    "where it asks for gradients depends on their lengths, angles or dimension, as when it clips, normalizes "
    "or compares, and a program follows fixed multiples of gradients"
)
TOO_MANY = (
    f"and a program follows at most {LARGEST}, where one counts for all clients if these play the same part: "
    "take fewer rounds or clients"
)
Multiples = Mapping[int, Fraction]  # of each gradient by its number


@final
@dataclass(frozen=True, slots=True)
class Place:
    """x_0 plus these multiples of gradients, and of the means over the clients of gradients."""

    own: Multiples
    of_mean: Multiples


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A client is asked for its gradient at a place; without a client, every one is, each at its own."""

    client: int | None
    at: Place


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class LinearMethod:
    """Every question in its order, and the iterates x_0..x_K.

    Where all clients play the same part, a question is one to all of them, and the gradients with its number
    are those of the client itself (`own`) and the means (`of_mean`). Else every question is to one client.
    """

    asked: tuple[Question, ...]
    iterates: tuple[Place, ...]

    @property
    def is_alike(self) -> bool:
        """Whether all clients play the same part."""
        return any(question.client is None for question in self.asked)


def read_method(
    algorithm: str, clients: int, values: Mapping[str, Any], scale: Fraction = Fraction(1)
) -> LinearMethod:
    """The method that the code of the algorithm is at these settings; refused unless it is linear.

    `scale` is the unit of gradients over that of length, such as L: small is what is small beside 1/scale.
    """
    runs = _runs(algorithm, clients, values, float(scale))
    first = next(runs)
    _check_origin(algorithm, first.points)
    for other in runs:
        if other.clients != first.clients or not _agree(first.points, other.points):
            raise _refuse(algorithm, NOT_FIXED)
    rows = first.points[:, 1:-1]
    found = _read_alike_clients(first, rows, clients) or _read_every_client(first, rows)
    if len(found.asked) > LARGEST:
        raise _refuse(algorithm, f"it asks for {len(found.asked)} gradients, {TOO_MANY}")
    return LinearMethod(
        asked=tuple(Question(client=q.client, at=_divided(q.at, scale)) for q in found.asked),
        iterates=tuple(_divided(at, scale) for at in found.iterates),
    )


def _divided(at: Place, scale: Fraction) -> Place:
    own, of_mean = ({q: times / scale for q, times in part.items()} for part in (at.own, at.of_mean))
    return Place(own, of_mean)


def _read_every_client(run: "_Run", rows: Array) -> LinearMethod:
    count = len(run.clients)
    return LinearMethod(
        asked=tuple(
            Question(client=client, at=Place(_multiples(row), {}))
            for client, row in zip(run.clients, rows[:count], strict=True)
        ),
        iterates=tuple(Place(_multiples(row), {}) for row in rows[count:]),
    )


def _read_alike_clients(run: "_Run", rows: Array, clients: int) -> LinearMethod | None:
    """The method of one client among several that play the same part; None if they do not.

    The r-th questions of all clients belong together. Coordinates along the gradients of others are alike,
    and that along the own gradient may be another one.
    """
    numbers = [[q for q, asked in enumerate(run.clients) if asked == i] for i in range(clients)]
    if clients == 1 or len({len(own) for own in numbers}) != 1 or not numbers[0]:
        return None
    order = np.array(numbers).T  # (question, client)
    iterates = rows[len(run.clients) :][:, order]  # (iterate, question, client)
    means = iterates.mean(axis=-1)
    room = ROUNDING * max(1.0, max(float(np.abs(row).max()) for row in rows))
    if np.abs(iterates - means[..., None]).max() > room:
        return None
    asked = []
    for numbers_of_one in order:  # all questions at once would fill the memory
        along = rows[numbers_of_one][:, order]  # (client that asks, question, client)
        own_sum = np.trace(along, axis1=0, axis2=2)
        others = (along.sum(axis=(0, 2)) - own_sum) / (clients * (clients - 1))
        own = own_sum / clients - others
        again = others[:, None] + own[:, None] * np.eye(clients)[:, None]
        if np.abs(again - along).max() > room:
            return None
        asked.append(Question(client=None, at=Place(_multiples(own), _multiples(clients * others))))
    return LinearMethod(
        asked=tuple(asked), iterates=tuple(Place({}, _multiples(clients * mean)) for mean in means)
    )


@final
@dataclass(frozen=True, slots=True)
class _Run:
    """The clients that were asked, and the coordinates of where, and of the iterates after that.

    Those along gradients are for gradients `scale` times shorter.
    """

    clients: tuple[int, ...]
    points: Array


def _runs(algorithm: str, clients: int, values: Mapping[str, Any], scale: float) -> Iterator[_Run]:
    """The run with a basis, then those with which it is compared, each in a dimension of its own.

    One at a time, since the coordinates of many clients fill the memory.
    """
    # x_0 comes first, and the last vector is never handed out
    size = _count(algorithm, clients, values, scale) + 2
    units = np.full(size, scale)
    units[0] = 1.0
    yield _run(algorithm, clients, values, units, Basis(units, np.zeros(size), np.zeros(size)))
    random = np.random.default_rng(0)
    for more, length in enumerate(LENGTHS, start=1):
        lengths = length * units * np.exp(random.standard_normal(size))
        turns = random.standard_normal((2, size + more)) / np.sqrt(size)
        yield _run(algorithm, clients, values, units, Basis(lengths, *turns))


@final
@dataclass(frozen=True, slots=True)
class Basis:
    """Vector q is lengths[q] (e_q + first[q] second), at angles that are not right ones."""

    lengths: Array
    first: Array
    second: Array

    def vector(self, q: int) -> Array:
        found: Array = self.lengths[q] * self.first[q] * self.second
        found[q] += self.lengths[q]
        return found

    def coordinates(self, points: Sequence[Array]) -> Array:
        """Invert the basis by the formula of Sherman and Morrison; points are rows."""
        found: Array = np.empty((len(points), len(self.lengths)))
        for row, point in zip(found, points, strict=True):
            along = point @ self.first / (1 + self.first @ self.second)
            row[:] = (point - along * self.second)[: len(self.lengths)] / self.lengths
        return found


def _count(algorithm: str, clients: int, values: Mapping[str, Any], scale: float) -> int:
    """How many gradients a run asks for, by one with short vectors; the most there may be where it fails."""
    most, random = clients * LARGEST, np.random.default_rng(1)
    start, vectors = random.standard_normal(FEW), scale * random.standard_normal((most, FEW))
    problem = AskedGradients(clients, FEW, most=most, answer=lambda q: vectors[q])
    try:
        _follow(algorithm, problem, values, start)
    except Refusal:
        return most
    return len(problem.asked)


def _run(algorithm: str, clients: int, values: Mapping[str, Any], units: Array, basis: Basis) -> _Run:
    most, dimension = len(units) - 2, len(basis.first)
    problem = AskedGradients(clients, dimension, most=most, answer=lambda q: basis.vector(1 + q))
    trace = _follow(algorithm, problem, values, basis.vector(0))
    _check(algorithm, problem, drew=bool(trace.drew))
    points = [*(point for _, point in problem.asked), *trace.measurements["state"][0]]
    with np.errstate(over="ignore", invalid="ignore"):
        coordinates = basis.coordinates(points)
        coordinates *= units
    if not np.isfinite(coordinates).all():
        raise _refuse(algorithm, "its run overflows at these settings")
    return _Run(tuple(client for client, _ in problem.asked), coordinates)


def _follow(algorithm: str, problem: AskedGradients, values: Mapping[str, Any], start: Array) -> Trace:
    settings = settings_from(algorithm, values, start)
    if settings.rounds > MOST_ROUNDS:
        raise _refuse(algorithm, f"it is followed for at most {MOST_ROUNDS} rounds, not {settings.rounds}")
    return run(algorithm, problem, settings, replicates=1, seed=0, stream="worst case", observe=("state",))


def settings_from(algorithm: str, values: Mapping[str, Any], start: Array) -> Any:
    """The settings of an author's algorithm, as its code is given them."""
    try:
        return make_settings(algorithm, runnable(algorithm).settings, {**values, "start": start})
    except Refusal as refusal:
        raise BadSetting(str(refusal)) from refusal


def _check(algorithm: str, problem: AskedGradients, *, drew: bool) -> None:
    if drew:
        why = "it draws random numbers; of ours, `fedavg` with sigma, cohort or server_noise has a program"
        raise _refuse(algorithm, why)
    if problem.was_asked_for_values:
        raise _refuse(algorithm, "it asks for values of functions, on which where it goes next may depend")
    if problem.has_run_out and problem.most < problem.clients * LARGEST:
        raise _refuse(algorithm, NOT_FIXED)
    if problem.has_run_out:
        raise _refuse(algorithm, f"it asks for more than {LARGEST} gradients of a client: take fewer rounds")


def _check_origin(algorithm: str, points: Array) -> None:
    """Each point has to be x_0 plus multiples of gradients: anything else depends on where the origin is."""
    from_start, never_given = points[:, 0], points[:, -1]
    largest = max(float(np.abs(row).max()) for row in points)
    if np.abs(from_start - 1).max() > ALIKE or np.abs(never_given).max() > ALIKE * largest:
        raise _refuse(
            algorithm,
            "it asks at a point that is not its start plus multiples of gradients, as when it shrinks its "
            "state, so that what it does depends on where the origin is",
        )


def _refuse(algorithm: str, why: str) -> NoWorstCase:
    return NoWorstCase(f"{algorithm} has no worst-case program: {why}")


def _agree(one: Array, other: Array) -> bool:
    if one.shape != other.shape:
        return False
    pairs = zip(one, other, strict=True)  # row by row: a difference of all would fill the memory
    apart = max(float(np.abs(a - b).max()) for a, b in pairs)
    return apart <= ALIKE * max(float(np.abs(row).max()) for row in one)


def is_close(one: LinearMethod, other: LinearMethod, scale: Fraction) -> bool:
    """Whether both ask the same clients at the same points, up to rounding beside 1/scale."""
    if [q.client for q in one.asked] != [q.client for q in other.asked]:
        return False
    places, others = ([*(q.at for q in method.asked), *method.iterates] for method in (one, other))
    return len(places) == len(others) and all(
        _are_close(here.own, there.own, scale) and _are_close(here.of_mean, there.of_mean, scale)
        for here, there in zip(places, others, strict=True)
    )


def _are_close(one: Multiples, other: Multiples, scale: Fraction) -> bool:
    room, zero = ALIKE / scale, Fraction(0)
    return all(abs(one.get(i, zero) - other.get(i, zero)) <= room for i in {*one, *other})


def _multiples(row: Array) -> dict[int, Fraction]:
    """The coordinates along the gradients, as the fractions that floats have rounded if they are simple."""
    fractions = {number: _fraction(float(row[number])) for number in np.flatnonzero(row).tolist()}
    return {number: times for number, times in fractions.items() if times}


def _fraction(number: float) -> Fraction:
    simple = Fraction(number).limit_denominator(NEAREST)
    return simple if abs(simple - Fraction(number)) <= ROUNDING * max(1.0, abs(number)) else Fraction(number)
