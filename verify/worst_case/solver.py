"""Multipliers in floating point: the dual of a program, solved by Clarabel.

Nothing here is trusted: what comes out is a proposal for `rounding`, and the checker decides.
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from verify.worst_case.checker import Form, Program
from verify.worst_case.errors import MissingExtra
from verify.worst_case.forced import forced_to_zero

Array = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Multipliers, Gram matrices and free numbers close to optimal; `status` is the solver's word."""

    status: str
    value: float
    multipliers: Array
    grams: tuple[Array, ...]
    values: Array


def clarabel() -> Any:
    """Clarabel, an optional package, loaded when something is solved with it."""
    try:
        import clarabel as package
    except ImportError:
        raise MissingExtra(
            "a worst case is found with clarabel: pip install 'fedbounds[tight]'; checking a certificate "
            "needs nothing"
        ) from None
    return package


def solve(program: Program, *, margin: float = 0.0, floor: float = 0.0, inside: float = 0.0) -> Proposal:
    """Solve with slack matrices at least `margin` times the identity and constraints at least `inside`.

    Both leave room for rounding. The first costs `margin` times the trace of the Gram matrices, the second
    `inside` times the sum of the multipliers. With a `floor` no multiplier that can be positive is below it,
    which costs `floor` times the sum of the constraints at the optimum.
    """
    package = clarabel()
    rows, count, free = _Rows(program), len(program.constraints), program.values
    signed = [index for index, form in enumerate(program.constraints) if not form.is_equation]
    right = np.zeros(rows.height + len(signed))
    places, numbers = rows.column(program.objective)
    right[places] = -numbers
    right[rows.diagonal] -= margin
    if floor:
        forced = forced_to_zero(program)
        right[rows.height :] = [0.0 if index in forced else -floor for index in signed]
    cones = [package.ZeroConeT(free)] if free else []
    cones += [package.PSDTriangleConeT(size) for size in program.blocks if size]
    cones.append(package.NonnegativeConeT(len(signed)))
    cost = np.array([float(form.constant) for form in program.constraints])
    cost[signed] -= inside
    answer = package.DefaultSolver(
        sparse.csc_matrix((count, count)),
        cost,
        _matrix(program, rows, signed),
        right,
        cones,
        _precise(package),
    ).solve()
    dual = np.array(answer.z)
    return Proposal(
        status=str(answer.status),
        value=float(answer.obj_val) + float(program.objective.constant),
        multipliers=np.array(answer.x),
        grams=rows.matrices(dual),
        values=dual[:free],
    )


def _precise(package: Any) -> Any:
    settings = package.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-11
    settings.max_iter = 200
    return settings


def _matrix(program: Program, rows: "_Rows", signed: list[int]) -> Any:
    """One column for each multiplier: its equations, its part of the slack matrices, and its sign if >= 0."""
    columns = [rows.column(form) for form in program.constraints]
    count = len(columns)
    numbers = np.concatenate([numbers for _, numbers in columns])
    places = np.concatenate([places for places, _ in columns])
    whose = np.repeat(np.arange(count), [len(places) for places, _ in columns])
    forms = sparse.csc_matrix((numbers, (places, whose)), shape=(rows.height, count))
    return sparse.vstack([forms, -sparse.identity(count, format="csr")[signed]], format="csc")


class _Rows:
    """Where free numbers and matrix entries are among the rows: svec, the upper triangle by columns."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.offsets, height = [], program.values
        for size in program.blocks:
            self.offsets.append(height)
            height += size * (size + 1) // 2
        self.height = height
        self.diagonal = np.array(
            [
                o + j * (j + 3) // 2
                for o, size in zip(self.offsets, program.blocks, strict=True)
                for j in range(size)
            ],
            dtype=int,
        )

    def column(self, form: Form) -> tuple[Array, Array]:
        """Rows and coefficients: A y + s = b, where s is 0 for free numbers and the slack matrix else."""
        places = [*form.values]
        numbers = [float(a) for a in form.values.values()]
        for (b, i, j), a in form.entries.items():
            places.append(self.offsets[b] + j * (j + 1) // 2 + i)
            numbers.append(float(a) if i == j else float(a) / np.sqrt(2))
        return np.array(places, dtype=int), np.array(numbers, dtype=float)

    def matrices(self, rows: Array) -> tuple[Array, ...]:
        found = []
        for offset, size in zip(self.offsets, self.program.blocks, strict=True):
            triangle = rows[offset : offset + size * (size + 1) // 2]
            matrix = np.zeros((size, size))
            column, row = np.tril_indices(size)
            matrix[row, column] = np.where(row == column, triangle, triangle / np.sqrt(2))
            found.append(matrix + np.triu(matrix, 1).T)
        return tuple(found)
