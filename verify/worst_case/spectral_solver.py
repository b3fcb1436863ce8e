"""Multipliers and quadratic clients for a program on an interval, in floating point; nothing here is trusted.

The slack polynomial is asked to be semidefinite at some places of [0, 1]; where the solution falls below 0
between them, places are added. The Gram matrices there are the measure: clients with these curvatures.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from verify.worst_case.checker import Form, Program
from verify.worst_case.instance import Quadratic, factor_of, nearest
from verify.worst_case.quadratic_instance import INSIDE
from verify.worst_case.setting import Setting
from verify.worst_case.solver import Array, Proposal, solve

EXCHANGES = 25
FEWEST, MOST = 8, 40  # places at the start
CLOSEST = 1e-9
SHARES = (1e-3, 1e-5, 1e-7, 1e-9)  # of the largest eigenvalue: smaller ones are taken for rounding
MOST_DIMENSIONS = 60
FINE = 20  # places at which the slack is looked at, for each degree


def solve_on_interval(
    program: Program, *, margin: float = 0.0, inside: float = 0.0
) -> tuple[Proposal, Array]:
    """The solution and its places, with a slack of at least about half the margin in between."""
    degree = len(program.blocks) - 1
    count = min(MOST, max(FEWEST, 2 * degree))
    places = (1 - np.cos(np.linspace(0, np.pi, count))) / 2
    for _ in range(EXCHANGES):
        proposal = solve(_sampled(program, places), margin=margin, inside=inside)
        low = _lowest_between(program, proposal.multipliers, margin / 2)
        new = [place for place in low if np.abs(places - place).min() > CLOSEST]
        if not new:  # or none that the solver's own rounding does not explain
            break
        places = np.sort(np.concatenate([places, new]))
    return proposal, places


def _basis(degree: int, places: Array) -> Array:
    """The Bernstein polynomials at the places, (places, degree + 1)."""
    from scipy.stats import binom  # loaded on use: a replay needs no distribution

    found: Array = binom.pmf(np.arange(degree + 1), degree, places[:, None])
    return found


def _sampled(program: Program, places: Array) -> Program:
    """One block for each place: its part of the measure."""
    basis = _basis(len(program.blocks) - 1, places)

    def place_form(form: Form) -> Form:
        pairs: dict[tuple[int, int], Array] = {}
        for (d, i, j), a in form.entries.items():
            pairs[i, j] = pairs.get((i, j), np.zeros(len(places))) + float(a) * basis[:, d]
        entries = {(p, *pair): float(a) for pair, column in pairs.items() for p, a in enumerate(column) if a}
        return replace(form, entries=entries)  # type: ignore[arg-type]  # floats, for the solver alone

    return Program(
        blocks=(program.blocks[0],) * len(places),
        values=program.values,
        objective=place_form(program.objective),
        constraints=tuple(map(place_form, program.constraints)),
    )


def _slacks(program: Program, multipliers: Array) -> Array:
    """Minus the matrix coefficients of the objective with all constraints, (degree + 1, size, size)."""
    found = np.zeros((len(program.blocks), program.blocks[0], program.blocks[0]))
    weighted = [(program.objective, 1.0), *zip(program.constraints, multipliers, strict=True)]
    for form, weight in weighted:
        for (d, i, j), a in form.entries.items():
            found[d, i, j] -= weight * float(a) / 2
            found[d, j, i] -= weight * float(a) / 2
    return found


def _lowest_between(program: Program, multipliers: Array, level: float) -> Array:
    """Places near which the least eigenvalue has a minimum below `level`."""
    slacks, degree = _slacks(program, multipliers), len(program.blocks) - 1

    def least(at: Array) -> Array:
        basis = _basis(degree, at)
        return np.array(np.linalg.eigvalsh(np.tensordot(basis, slacks, axes=1))[:, 0], dtype=float)

    fine = (1 - np.cos(np.linspace(0, np.pi, FINE * degree + 60))) / 2
    values = least(fine)
    padded = np.concatenate([[np.inf], values, [np.inf]])
    lows = np.flatnonzero((values < level) & (values <= padded[:-2]) & (values <= padded[2:]))
    found: list[float] = []
    for index in lows.tolist():
        best, near = index, fine
        for _ in range(4):
            near = np.linspace(near[max(best - 1, 0)], near[min(best + 1, len(near) - 1)], 17)
            best = int(np.argmin(least(near)))
        found.append(float(near[best]))
    return np.array(found)


def fitted_to_measure(setting: Setting, program: Program, near: float) -> Iterator[Quadratic]:
    """Clients whose curvatures are at the places of the solution, as closely as an eigenvalue cut allows."""
    proposal, places = solve_on_interval(program, inside=near)
    lowest = float(setting.curvature / setting.scale)
    curvatures = lowest + (1 - lowest) * np.clip(places, INSIDE, 1 - INSIDE)
    largest = max(np.linalg.eigvalsh(gram)[-1] for gram in proposal.grams)
    for cut in SHARES:
        factors = [factor_of(gram, cut * largest) for gram in proposal.grams]
        rows = np.hstack(factors)
        if rows.shape[1] > MOST_DIMENSIONS:  # what rounding left at every place
            return
        diagonal = np.concatenate([[c] * f.shape[1] for c, f in zip(curvatures, factors, strict=True)])
        if setting.is_one_client:
            states, spread = rows[:1], np.zeros(0)
            yield _turned(states, spread, np.eye(len(diagonal)), diagonal)
            continue
        states = rows[: setting.rounds + 1]
        spread = np.zeros(rows.shape[1]) if setting.alike_at_minimizer else rows[-1]
        sizes, axes = np.linalg.svd(states)[1:]
        rank = int(np.sum(sizes > np.sqrt(cut) * sizes[0]))
        yield _turned(states, (axes @ spread)[rank:], axes, diagonal)


def _turned(states: Array, spread: Array, axes: Array, diagonal: Array) -> Quadratic:
    """The Hessian along these axes: the first ones are what the clients share."""
    hessian = (axes * diagonal) @ axes.T
    hessian = (hessian + hessian.T) / 2
    shared = len(diagonal) - len(spread)
    return Quadratic(
        hessian=tuple(tuple(map(nearest, row)) for row in hessian),
        start=tuple(map(nearest, (axes @ states[0])[:shared])),
        spread=tuple(map(nearest, spread)),
    )
