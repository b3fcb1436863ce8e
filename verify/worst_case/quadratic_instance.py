"""Quadratic clients that attain a worst case: one rational matrix, and a run that is followed in fractions.

Client i has the Hessian Q in the coordinates (u, v) of what the clients share and of its own direction e^i,
and the smallest curvature of the class elsewhere. So all clients have the same inner products, and the run is
one recursion in these coordinates, whatever the number of clients.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction

import numpy as np

from synthetic.certified.rationals import dot
from verify.worst_case.checker import (
    NotACertificate,
    attained_value,
)
from verify.worst_case.federated_averaging import (
    Run,
    federated_run,
    program,
    program_outside_the_class,
)
from verify.worst_case.instance import (
    CLOSE,
    CUTS,
    NEAR,
    Attained,
    Quadratic,
    factor_of,
    nearest,
    raised,
)
from verify.worst_case.setting import Setting
from verify.worst_case.solver import Array, Proposal, solve
from verify.worst_case.space import DEVIATION, MEAN
from verify.worst_case.square_below import is_semidefinite
from verify.worst_case.vectors import Vector

INSIDE = 1e-12  # eigenvalues of Q keep this distance from the ends of the class: rounding moves them less
Numbers = tuple[Fraction, ...]
Tables = tuple[dict[int, Numbers], ...]


def attaining_quadratic(setting: Setting, upper: Fraction) -> Attained | None:
    """Clients with an objective close to `upper`, else the best that were found; None if there are none."""
    return best_followed(
        setting, upper, lambda near: _fitted(setting, solve(program(setting), inside=near)), followed
    )


def best_followed(
    setting: Setting,
    upper: Fraction,
    fitted: Callable[[float], Iterable[Quadratic]],
    follow: Callable[[Setting, Quadratic], Attained],
) -> Attained | None:
    """The best of the clients that are fitted so far inside the constraints."""
    best: Attained | None = None
    for near in NEAR:
        for quadratic in fitted(near):
            try:
                found = follow(setting, quadratic)
            except NotACertificate:
                continue
            if best is None or found.objective > best.objective:
                best = found
        if best is not None and upper - best.objective <= CLOSE * abs(upper):
            return best
    return best


def followed(setting: Setting, quadratic: Quadratic) -> Attained:
    """The run on these clients, in fractions; raises NotACertificate if they violate an assumption."""
    check_class(quadratic, setting.curvature / setting.scale)
    run = federated_run(setting)
    asked = program_outside_the_class(setting, run)
    tables, numbers = _trajectory(run, quadratic)
    coordinates = tuple(tuple(table[i] for i in range(len(table))) for table in tables)
    values = tuple(numbers[i] for i in range(len(numbers)))
    if len(values) < asked.values:  # the one that stands for a minimum
        values = raised(asked, coordinates, (*values, Fraction(0)))
    objective = attained_value(asked, coordinates, values)
    return Attained(coordinates=coordinates, values=values, objective=objective, quadratic=quadratic)


def check_class(quadratic: Quadratic, curvature: Fraction) -> None:
    """Raise unless the Hessian is symmetric with eigenvalues from `curvature` to 1."""
    matrix = quadratic.hessian
    if {len(row) for row in matrix} != {len(matrix)} or len(matrix) != len(
        quadratic.start + quadratic.spread
    ):
        raise NotACertificate("the Hessian has another size than the start and the spread together")
    if any(matrix[i][j] != matrix[j][i] for i in range(len(matrix)) for j in range(i)):
        raise NotACertificate("the Hessian is not symmetric")
    for sign, end in ((1, curvature), (-1, Fraction(1))):
        shifted = [[sign * (a - end * (i == j)) for j, a in enumerate(row)] for i, row in enumerate(matrix)]
        if not is_semidefinite(shifted):
            raise NotACertificate("the Hessian has an eigenvalue outside the class")


def _trajectory(run: Run, quadratic: Quadratic) -> tuple[Tables, dict[int, Fraction]]:
    """Coordinates of every basis vector, by block, and the values at the points."""
    widths = (len(quadratic.start), len(quadratic.spread))
    tables: Tables = tuple({} for _ in range(run.space.blocks))
    at_minimizer = (*_zeros(widths[MEAN]), *quadratic.spread)
    assert run.minimizer is not None
    _keep(tables, run.states[0], (*quadratic.start, *_zeros(widths[DEVIATION])), widths)
    _keep(tables, run.minimizer.gradient, at_minimizer, widths)
    values: dict[int, Fraction] = {}
    for point in run.points.values():
        x = _combine(tables, point.x, widths)
        gradient = tuple(b + dot(row, x) for row, b in zip(quadratic.hessian, at_minimizer, strict=True))
        _keep(tables, point.gradient, gradient, widths)
        assert point.value is not None
        values[point.value] = (dot(at_minimizer, x) + dot(gradient, x)) / 2
    return tables, values


def _keep(tables: Tables, basis: Vector, numbers: Numbers, widths: tuple[int, int]) -> None:
    """Remember the coordinates of a basis vector; it has at most one index in each block."""
    parts = (numbers[: widths[MEAN]], numbers[widths[MEAN] :])
    for table, part, own in zip(tables, basis.parts, parts, strict=False):
        table |= dict.fromkeys(part, own)


def _combine(tables: Tables, vector: Vector, widths: tuple[int, int]) -> Numbers:
    found: Numbers = ()
    for block, width in enumerate(widths):
        total = _zeros(width)
        for index, coefficient in vector.parts[block].items() if block < len(tables) else ():
            rows = zip(total, tables[block][index], strict=True)
            total = tuple(have + coefficient * more for have, more in rows)
        found += total
    return found


def _zeros(width: int) -> Numbers:
    return (Fraction(0),) * width


def _fitted(setting: Setting, proposal: Proposal) -> Iterator[Quadratic]:
    """Hessians that map the solver's points to its gradients, as closely as an eigenvalue cut allows."""
    run = federated_run(setting)
    assert run.minimizer is not None
    for cut in CUTS:
        factors = [factor_of(gram, cut) for gram in proposal.grams[: run.space.blocks]]
        if len(factors) == 1 or setting.alike:  # clients that are alike have no directions of their own
            factors = [factors[0], *(np.zeros((len(other), 0)) for other in factors[1:])]
        points = [*run.points.values()]
        moved = np.array([_placed(p.x, factors) for p in points])
        turned = np.array([_placed(p.gradient - run.minimizer.gradient, factors) for p in points])
        hessian = _hessian(moved.T, turned.T, float(setting.curvature / setting.scale), cut)
        shared = factors[0].shape[1]
        yield Quadratic(
            hessian=tuple(tuple(map(nearest, row)) for row in hessian),
            start=tuple(map(nearest, _placed(run.states[0], factors)[:shared])),
            spread=tuple(map(nearest, _placed(run.minimizer.gradient, factors)[shared:])),
        )


def _placed(vector: Vector, factors: Sequence[Array]) -> Array:
    parts = [np.zeros(factor.shape[1]) for factor in factors]
    for total, part, factor in zip(parts, vector.parts, factors, strict=True):
        for index, coefficient in part.items():
            total += float(coefficient) * factor[index]
    return np.concatenate(parts)


def _hessian(moved: Array, turned: Array, lowest: float, cut: float) -> Array:
    """A symmetric Q with lowest <= Q <= 1 and Q moved = turned, up to the cut.

    On the span of `moved` the contraction C = (2 Q - (1 + lowest))/(1 - lowest) is known; the central
    extension of Davis, Kahan and Weinberger fills in the rest.
    """
    left, sizes, right = np.linalg.svd(moved)
    rank = int(np.sum(sizes > np.sqrt(max(cut, 1e-14)) * sizes[0]))
    image = (2 * turned - (1 + lowest) * moved) / (1 - lowest)
    known = left.T @ image @ right[:rank].T / sizes[:rank]
    within, across = (known[:rank] + known[:rank].T) / 2, known[rank:]
    eigenvalues, directions = np.linalg.eigh(within)
    eigenvalues = np.clip(eigenvalues, -1, 1)
    room = np.sqrt(1 - eigenvalues**2)
    reach = np.divide(across @ directions, room, out=np.zeros_like(across), where=room > 1e-6)
    contraction = np.block([[within, across.T], [across, -(reach * eigenvalues) @ reach.T]])
    sizes_of, axes = np.linalg.eigh(left @ contraction @ left.T)
    clipped = (axes * np.clip(sizes_of, INSIDE - 1, 1 - INSIDE)) @ axes.T
    hessian = ((1 + lowest) * np.eye(len(clipped)) + (1 - lowest) * clipped) / 2
    symmetric: Array = (hessian + hessian.T) / 2
    return symmetric
