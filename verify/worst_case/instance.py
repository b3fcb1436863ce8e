"""An instance that attains a worst case: vectors of few dimensions, read off a Gram matrix of low rank.

The numbers are rational and satisfy every constraint exactly, so that functions of the class with these
values and gradients exist; the objective at them is a lower bound on the worst case.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np

from verify.worst_case.checker import NotACertificate, Program, attained_value, evaluated
from verify.worst_case.solver import Array, Proposal, solve

BITS = 60
CLOSE = Fraction(1, 10**6)  # of the certified end: an instance so close to it ends the search
NEAR = (1e-10, 1e-9, 1e-8, 1e-6)  # so far inside the constraints is the instance that is close to optimal,
DEEP = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7)  # and so far of the one that is mixed in: the first that is feasible
CUTS = (1e-8, 1e-9, 1e-10, 0.0)  # eigenvalues below are taken for rounding
POWERS = range(15, 3, -1)  # a share of 4^-k of the deep instance is mixed in, the smallest first
Rows = tuple[tuple[Fraction, ...], ...]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Attained:
    """Coordinates of the basis vectors of each block, values, and the objective at them.

    Quadratic clients determine all of these; then `quadratic` is the instance.
    """

    coordinates: tuple[Rows, ...]
    values: tuple[Fraction, ...]
    objective: Fraction
    quadratic: "Quadratic | None" = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Quadratic:
    """Clients with the Hessian `hessian` in the coordinates (u, v) of what they share and of their own
    direction; `start` is x_0 in the first ones, `spread` the gradient at x* in the second ones.
    """

    hessian: Rows
    start: tuple[Fraction, ...]
    spread: tuple[Fraction, ...]


def attaining_instance(program: Program, upper: Fraction) -> Attained | None:
    """An instance with an objective close to `upper`, else the best one; None if none meets the constraints.

    Where the solver's best instance violates a constraint by a rounding, a small share of an instance that is
    deep inside all of them mends it: constraints are linear in Gram matrices and values.
    """
    best: Attained | None = None
    for near in NEAR:
        for found in _candidates(program, solve(program, inside=near)):
            if best is None or found.objective > best.objective:
                best = found
        if best is not None and upper - best.objective <= CLOSE * abs(upper):
            return best
    return best


def _candidates(program: Program, best: Proposal) -> Iterator[Attained]:
    """The first instance that is the solver's alone, else the first that is mixed."""
    for cut in CUTS:
        found = _checked(program, [factor_of(gram, cut) for gram in best.grams], best.values)
        if found is not None:
            yield found
            return
    deep = _deep(program)
    if deep is None:
        return
    for power in POWERS:
        found = _mixed(program, best, deep, 2.0**-power)
        if found is not None:
            yield found
            return


def _deep(program: Program) -> Proposal | None:
    for inside in DEEP:
        proposal = solve(program, inside=inside)
        factors = [factor_of(gram, inside / 10) for gram in proposal.grams]
        if _checked(program, factors, proposal.values) is not None:
            return proposal
    return None


def _mixed(program: Program, best: Proposal, deep: Proposal, share: float) -> Attained | None:
    """The direct sum of both, with factors whose squares add up to a little less than 1."""
    rest = 1 - share**2 / 2 - share**4
    pairs = zip(best.grams, deep.grams, strict=True)
    factors = [np.hstack([rest * factor_of(a, CUTS[-2]), share * factor_of(b, CUTS[0])]) for a, b in pairs]
    return _checked(program, factors, rest**2 * best.values + share**2 * deep.values)


def _checked(program: Program, factors: Sequence[Array], numbers: Array) -> Attained | None:
    coordinates = tuple(tuple(tuple(map(nearest, row)) for row in factor) for factor in factors)
    values = raised(program, coordinates, tuple(map(nearest, numbers)))
    try:
        objective = attained_value(program, coordinates, values)
    except NotACertificate:
        return None
    return Attained(coordinates=coordinates, values=values, objective=objective)


def raised(
    program: Program, coordinates: Sequence[Rows], values: tuple[Fraction, ...]
) -> tuple[Fraction, ...]:
    """The numbers, with those that stand for a minimum over rounds at that minimum, exactly."""
    out = list(values)
    for number in _only_maximized(program):
        limits = [form for form in program.constraints if number in form.values]
        out[number] += min(evaluated(f, coordinates, out, {}) / -f.values[number] for f in limits)
    return tuple(out)


def _only_maximized(program: Program) -> list[int]:
    """The numbers of the objective that inequalities limit from above, and nothing else contains."""
    found = []
    for number, weight in program.objective.values.items():
        limits = [form for form in program.constraints if number in form.values]
        if weight > 0 and limits and all(f.values[number] < 0 and not f.is_equation for f in limits):
            found.append(number)
    return found


def factor_of(gram: Array, cut: float) -> Array:
    """Rows whose inner products are the Gram matrix, in as few dimensions as its eigenvalues above `cut`."""
    if not len(gram):
        return np.zeros((0, 0))
    sizes, directions = np.linalg.eigh(gram)
    large = sizes > max(cut, 0.0)
    factor: Array = (directions[:, large] * np.sqrt(sizes[large]))[:, ::-1]
    return factor


def nearest(number: float) -> Fraction:
    return Fraction(round(float(number) * 2**BITS), 2**BITS)


def floats(rows: Sequence[Sequence[Fraction]]) -> Array:
    width = len(rows[0]) if rows else 0
    return np.array([[float(entry) for entry in row] for row in rows], dtype=float).reshape(len(rows), width)
