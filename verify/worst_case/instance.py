"""An instance that attains a worst case: vectors of few dimensions, read off a Gram matrix of low rank.

The numbers are rational and satisfy every constraint exactly, so that functions of the class with these
values and gradients exist; the objective at them is a lower bound on the worst case.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np

from verify.worst_case.checker import NotACertificate, Program, attained_value
from verify.worst_case.solver import Array, Proposal, solve

BITS = 44
# How far inside the constraints the solver stays, and what it then may lose to rounding and to rank.
INSIDE = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5)
Rows = tuple[tuple[Fraction, ...], ...]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Attained:
    """Coordinates of the basis vectors of each block, values, and the objective at them."""

    coordinates: tuple[Rows, ...]
    values: tuple[Fraction, ...]
    objective: Fraction


def attaining_instance(program: Program) -> Attained | None:
    """An instance whose objective is close to the largest; None if rounding leaves the constraints."""
    for inside in INSIDE:
        proposal = solve(program, margin=inside / 10, inside=inside)
        for cut in (inside, inside / 10, inside / 100, 0.0):
            found = _rounded(program, proposal, cut)
            if found is not None:
                return found
    return None


def _rounded(program: Program, proposal: Proposal, cut: float) -> Attained | None:
    coordinates = tuple(_rational(_factor(gram, cut)) for gram in proposal.grams)
    values = tuple(_nearest(value) for value in proposal.values)
    try:
        objective = attained_value(program, coordinates, values)
    except NotACertificate:
        return None
    return Attained(coordinates=coordinates, values=values, objective=objective)


def _factor(gram: Array, cut: float) -> Array:
    """Rows whose inner products are the Gram matrix, in as few dimensions as its eigenvalues above `cut`."""
    if not len(gram):
        return np.zeros((0, 0))
    sizes, directions = np.linalg.eigh(gram)
    large = sizes > max(cut, 0.0)
    factor: Array = (directions[:, large] * np.sqrt(sizes[large]))[:, ::-1]
    return factor


def _rational(rows: Array) -> Rows:
    return tuple(tuple(_nearest(entry) for entry in row) for row in rows)


def _nearest(number: float) -> Fraction:
    return Fraction(round(float(number) * 2**BITS), 2**BITS)


def floats(rows: Sequence[Sequence[Fraction]]) -> Array:
    return np.array([[float(entry) for entry in row] for row in rows], dtype=np.float64)
