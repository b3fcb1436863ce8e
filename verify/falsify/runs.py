"""Search spaces of statements about runs: standard cells on other problems, at other parameters.

Coordinates make a problem (`shapes`), then what the run leaves open, then the statement's free inputs, each
between the limits that are left to it. Constants of the problem are not free: the cell's own `requirements`
say where they are certified, and there they are put, so that the bound is as small as it may be. An instance
that is not on the safe side of everything that a cell is held to does not count.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from bounds.language.assumptions import ONE_CLIENT, QUADRATIC_CLIENTS
from bounds.language.quantity import Domain, Role
from bounds.language.statement import Kind, Statement
from synthetic.errors import Refusal
from synthetic.problems import build
from verify.cell import NAMED, Cell, Scalar
from verify.falsify.fresh_run import instance_of
from verify.falsify.trial_of_run import trial_of
from verify.falsify.worst_functions import worst_cells
from verify.matching.assumptions import refusal, unmet
from verify.matching.cells.standard_problems import CANDIDATES, built, candidates
from verify.matching.constants.certified import Requirement
from verify.matching.constants.pinned import by_parameter, fixed_in, pinned_in
from verify.matching.joined import find_runs, get_runs
from verify.matching.roles import why_not_run
from verify.notes_on_packages import lacks
from verify.parameters.inputs import LARGEST, Inputs, between, inputs_of
from verify.parameters.solved import with_limits
from verify.parameters.valid import UnsolvableCondition, domain_of
from verify.search.hard_problems import (
    APART,
    CONDITIONED,
    CURVED,
    DATA_POINTS,
    FLAT,
    NEAR,
    POWER_CORES,
    Problem,
    Shape,
    few_bits,
)
from verify.search.own_problems import started_anywhere
from verify.search.trial import Trial

LONGEST_EXACT: Final = 12  # steps and rounds of exact runs, whose digits multiply with both
LONGEST_LOCAL: Final = 3.0  # times 1/L
ANY_CONSTANT: Final = 1000.0  # stands for what an O(.) leaves open
PASSES: Final = 3  # constants may depend on free inputs, and limits on constants

EVERY: Final = (NEAR, APART, CONDITIONED, FLAT, CURVED, DATA_POINTS, POWER_CORES)
PROBES: Final = 32  # problems of a shape that an author's predicate is asked about

Floats = NDArray[np.float64]


def shapes_for(algorithm: str, problems: set[str]) -> list[Shape]:
    """Problem shapes of the families on which the standard cells run, with flattening quadratics added."""
    kinds = {name.partition(".")[0] for name in problems}
    found = [*((APART, CONDITIONED) if "quadratic" in kinds else ())]
    exactly = algorithm == "fedavg"
    found += [FLAT] if "huber" in kinds or ("quadratic" in kinds and not exactly) else []
    found += [DATA_POINTS] if "component_sums" in kinds else []
    return found + ([POWER_CORES] if "lojasiewicz" in kinds else [])


def _shapes(statement: Statement, algorithm: str, problems: set[str]) -> list[Shape]:
    """For an assumption of an author's own every shape is tried: its predicate says of which problems."""
    own = _on_own_problems(statement)
    if _has_own_assumption(statement):
        return [*EVERY, *own]
    found = shapes_for(algorithm, problems)
    if _is_declared(statement):
        curved = FLAT in found and QUADRATIC_CLIENTS not in statement.assumptions
        found = [*([NEAR] if APART in found else []), *found, *([CURVED] if curved else [])]
    return [*found, *own]


def _on_own_problems(statement: Statement) -> list[Shape]:
    """Each problem of the author's own, from starts at any distance: its arguments are nobody's to choose."""
    known = {candidate.name for candidate in CANDIDATES}
    own = [c for c in candidates(statement) if c.name not in known]
    return [started_anywhere(c.name, p) for c in own for p in [built(c.name, c.apart)] if p is not None]


def _has_own_assumption(statement: Statement) -> bool:
    own = any(assumption.certified_by is not None for assumption in statement.assumptions)
    return own and _is_declared(statement)


def _is_declared(statement: Statement) -> bool:
    return get_runs(statement).has_standard_cells


def families(statement: Statement, seed: int) -> list[Any]:
    """Standard cells as they are and on worst functions, then every shape with every set of open settings."""
    if find_runs(statement) is None:
        return []
    cells = [cell for cell in standard(statement) if cell.reading == NAMED and _is_run(statement, cell)]
    if not cells:
        return []
    found: list[Any] = [AsTheyAre(statement=statement, cells=tuple(cells), seed=seed)]
    if any(_depends_on_the_path(statement, cell) for cell in cells):
        return found
    if _is_declared(statement) and (worst := worst_cells(statement, cells)):
        found.append(AsTheyAre(statement=statement, cells=tuple(worst), seed=seed, name="worst functions"))
    base = cells[0]
    for shape in _shapes(statement, base.algorithm, {cell.problem for cell in cells}):
        # A pass over data points has as many steps as a client has data points.
        fixed = fixed_in(base, _required(statement, base)) | {"reach", *constants(statement)}
        fixed |= {"T"} if shape is DATA_POINTS else set()
        free = _free(statement, base, fixed)
        space = Reshaped(statement=statement, base=base, shape=shape, fixed=fixed, free=free, seed=seed)
        if not _has_own_assumption(statement) or space.is_accepted():
            found.append(space)
    return found


def why_none(statement: Statement) -> str:
    """Why there is no run to search."""
    if find_runs(statement) is not None:
        for cell in standard(statement):
            refused = refusal(statement, cell)
            if refused is not None:
                return f"no run meets its hypotheses: {refused}"
    return why_not_run(statement) or lacks(statement) or "no run is known here that measures its left side"


def standard(statement: Statement) -> list[Cell]:
    """The cells of `verify`; those of a rate with numbers in the place of its constants."""
    runs, named = get_runs(statement), constants(statement)
    of_numbers = replace(statement, kind=Kind.UPPER_BOUND, explicit=None) if named else statement
    return [replace(cell, parameters={**cell.parameters, **named}) for cell in runs.cells(of_numbers)]


def constants(statement: Statement) -> dict[str, Scalar]:
    """The constants of a rate: 1 in its hypotheses, a large one on its right side."""
    if statement.kind is not Kind.RATE:
        return {}
    on_the_right = {symbol.name for symbol in statement.right.free_symbols}
    quantities = statement.notation.quantities
    named = on_the_right | {s.name for c in statement.conditions for s in (c.value - c.limit).free_symbols}
    order = [n for n in sorted(named & quantities.keys()) if quantities[n].role is Role.ORDER_CONSTANT]
    return {n: ANY_CONSTANT if n in on_the_right else 1.0 for n in order}


def _free(statement: Statement, base: Cell, fixed: set[str]) -> Inputs:
    names = [n for n in base.parameters if n not in fixed]
    typical = {n: float(base.parameters[n]) for n in names}
    largest = LONGEST_EXACT if get_runs(statement).in_fractions else LARGEST
    given = _given(statement, base)
    if _is_declared(statement):
        given = with_limits(given, names)
    try:
        return inputs_of(given, names, typical, largest)
    except UnsolvableCondition:
        # No limit is known beforehand: points outside the conditions do not count.
        domains = {name: domain_of(statement, name) for name in names}
        return Inputs(names=tuple(names), domains=domains, limits={}, typical=typical, largest=largest)


def _given(statement: Statement, cell: Cell) -> Statement:
    """A derived quantity that the cell gives is an input like others."""
    return replace(statement, where=tuple(d for d in statement.where if d.symbol.name not in cell.parameters))


def _required(statement: Statement, cell: Cell) -> dict[str, Requirement]:
    return by_parameter(get_runs(statement).requirements(statement, cell))


def _depends_on_the_path(statement: Statement, cell: Cell) -> bool:
    """Whether a hypothesis is about the trajectory beyond what the cell's requirements measure."""
    quantities, held = statement.notation.quantities, _required(statement, cell)
    return any(
        name in quantities and quantities[name].role is Role.RUN and name not in held
        for name in cell.parameters
    )


def _is_run(statement: Statement, cell: Cell) -> bool:
    """A cell that is refused for its problem is no start for others."""
    return refusal(statement, cell) is None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class AsTheyAre:
    """The standard cells: one coordinate chooses."""

    statement: Statement
    cells: tuple[Cell, ...]
    seed: int
    name: str = "standard cells"
    dimension: int = 1
    block: int = 8

    @property
    def enough(self) -> int:
        return len(self.cells)

    def _cell(self, point: Floats) -> Cell:
        return self.cells[min(int(point[0] * len(self.cells)), len(self.cells) - 1)]

    def trials(self, points: Floats) -> Iterator[Trial | None]:
        return (trial_of(self.statement, self._cell(point), self.seed) for point in points)

    def instance(self, point: Floats) -> dict[str, Any]:
        return instance_of(self._cell(point), self.seed)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Reshaped:
    """A standard cell on problems of a shape."""

    statement: Statement
    base: Cell
    shape: Shape
    fixed: set[str]
    free: Inputs
    seed: int
    enough: None = None
    block: int = 8

    @property
    def name(self) -> str:
        return self.shape.name

    @property
    def open(self) -> tuple[str, ...]:
        """Settings of the run that the statement leaves open."""
        fixed = {"start", "participants", "client", *self.fixed}
        return tuple(
            n for n, v in self.base.engine.items() if n not in fixed and not isinstance(v, str | list)
        )

    @property
    def dimension(self) -> int:
        return self.shape.size + len(self.open) + len(self.free.names)

    def trials(self, points: Floats) -> Iterator[Trial | None]:
        cells = (self.cell(point) for point in points)
        return (None if cell is None else trial_of(self.statement, cell, self.seed) for cell in cells)

    def is_accepted(self) -> bool:
        """Whether a problem of the shape, of a few that are spread, is certified to meet the assumptions."""
        from scipy.stats.qmc import Sobol  # loaded on use, as in `verify.search.search`

        points = Sobol(self.dimension, seed=self.seed).random(PROBES)
        return any(self._accepts(point) for point in points)

    def _accepts(self, point: Floats) -> bool:
        """Asked of the problem first: a predicate that is about it alone needs no cell."""
        shaped = self._make(point, False)
        try:
            problem = build(shaped.name, **shaped.arguments)
        except Refusal:
            return False
        if unmet(self.statement, problem, {}) is not None:
            return False
        cell = self.cell(point)
        return cell is not None and refusal(self.statement, cell) is None

    def instance(self, point: Floats) -> dict[str, Any]:
        cell = self.cell(point)
        assert cell is not None  # only points with a trial become instances
        return instance_of(cell, self.seed)

    def cell(self, point: Floats) -> Cell | None:
        exact = get_runs(self.statement).in_fractions and self.shape is not POWER_CORES
        size, opened = self.shape.size, len(self.open)
        problem = self._make(point, exact)
        engine = self._engine(problem, point[size : size + opened].tolist(), exact)
        cell = replace(
            self.base,
            role=self.shape.name,
            problem=problem.name,
            problem_arguments=problem.arguments,
            engine=engine,
        )
        coordinates = point[size + opened :].tolist()
        try:
            for _ in range(PASSES):
                before, cell = cell, self._settled(cell, coordinates, exact)
                if before == cell:
                    break
        except (ArithmeticError, ValueError, LookupError, AssertionError, TypeError, _NoCell):
            # A shape may lack what the algorithm or a constant needs; such a point is no instance.
            return None
        return cell

    def _make(self, point: Floats, exact: bool) -> Problem:
        """A problem of the shape; with one client where the statement is about one."""
        coordinates = point[: self.shape.size].tolist()
        if self.shape.counted and any(a.name == ONE_CLIENT.name for a in self.statement.assumptions):
            coordinates[0] = 0.0
        return self.shape.make(coordinates, exact)

    def _engine(self, problem: Problem, coordinates: Sequence[float], exact: bool) -> dict[str, Any]:
        engine: dict[str, Any] = dict(self.base.engine) | {"start": problem.start}
        if "participants" in engine:
            engine["participants"] = problem.clients
        for name, u in zip(self.open, coordinates, strict=True):
            engine[name] = _opened(name, u, self.base.engine[name], problem, exact)
        return engine

    def _settled(self, cell: Cell, coordinates: Sequence[float], exact: bool) -> Cell:
        """Constants where they are certified, then free inputs inside the limits that these leave."""
        pinned = pinned_in(cell, _required(self.statement, cell), self.fixed)
        constants = {n: v for n, v in pinned.items() if n in cell.parameters}
        # A condition that no number given beforehand could ensure is left to the run.
        known = {n: v for n, v in {**cell.parameters, **constants}.items() if v != inf}
        point = self.free.at(coordinates, {n: float(v) for n, v in known.items() if n not in self.free.names})
        if point is None:
            raise _NoCell
        free = {n: self._scalar(n, point[n], exact) for n in self.free.names}
        engine = dict(cell.engine) | {n: v for n, v in pinned.items() if n in cell.engine}
        return replace(cell, parameters={**known, **free}, engine=engine)

    def _scalar(self, name: str, value: float, exact: bool) -> Scalar:
        if self.free.domains[name].integer:
            return int(value)
        if not exact:
            return value
        limits = self.free.limits.get(name, ())
        # Few digits keep exact runs short; rounded to the inside of its range.
        return few_bits(value, up=bool(limits) and not any(x.solved.relation.upper for x in limits))


class _NoCell(Exception):
    """Two limits leave nothing between them."""


def _opened(name: str, u: float, usual: Any, problem: Problem, exact: bool) -> Any:
    if name == "clients_per_round":
        return 1.0 if u < 0.5 else float(problem.clients)
    integer = isinstance(usual, int) and not isinstance(usual, bool)
    domain = (
        Domain(lower=0, upper=1, upper_included=True) if name == "p" else Domain(lower=0, integer=integer)
    )
    # A longer local step multiplies distances, and roundings with them, until float64 carries nothing.
    longest = {"p": 1.0, "gamma": LONGEST_LOCAL / float(problem.smoothness)}
    high = longest.get(name, float(LONGEST_EXACT) if integer else inf)
    value = between(1.0 if integer else 0.0, high, domain, u, float(usual) or 1.0)
    assert value is not None
    return int(value) if integer else few_bits(value) if exact else value
