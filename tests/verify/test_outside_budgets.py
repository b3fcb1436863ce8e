"""What an author's algorithm costs: the cap of a search, the run for roundings, the shapes tried."""

import re
from dataclasses import replace
from math import inf
from typing import Any

import numpy as np
import pytest

import bounds
from bounds import discovery
from bounds.language.statement import Assumption, Statement
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from synthetic.outside.problems import adopt_problem
from synthetic.problems import build
from verify.cell import Cell, build_problem
from verify.falsify import attempt, runs
from verify.falsify.attempt import falsify_statement
from verify.matching.assumptions import unmet
from verify.matching.cells import grounds, sharp, standard, standard_problems
from verify.matching.joined import get_runs
from verify.runs import rounding
from verify.runs.check import run_cell
from verify.statistics import betting

SGD = "textbook.stochastic_gradient_descent"
DESCENT = "textbook.gradient_descent_strongly_convex"
CONVEX = "textbook.gradient_descent_convex"


def noisy(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    direction = random.standard_normal(x.shape)
    direction = settings.noise_scale * direction / np.linalg.norm(direction)
    return x - settings.step * (clients.gradient(x) + direction)


def descent(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - settings.step * clients.gradient(x)


def a_descent() -> Statement:
    algorithm = Algorithm(round=descent, settings={"step": REQUIRED})
    return discovery.adopt(replace(bounds.get(DESCENT), algorithm=adopt(algorithm)))


def only_on(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Leave these standard problems, so that a test builds no more than it looks at."""
    kept = tuple(c for c in standard_problems.CANDIDATES if c.name in names)
    monkeypatch.setattr(standard_problems, "CANDIDATES", kept)
    monkeypatch.setattr(sharp, "SHARP", ())


# ---- the cap of a search


@pytest.mark.slow("a search to its end")
def test_a_search_of_an_outside_algorithm_ends_by_itself_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    only_on(monkeypatch, "quadratic.small")
    monkeypatch.setattr(attempt, "SECONDS_OUTSIDE", 0.2)
    statement = a_descent()
    found = falsify_statement(statement)
    assert found.cut
    assert not found.refuted
    assert (
        "before the cap of 0.2 s on an algorithm from outside; --evaluations or --seconds" in found.sentence
    )
    budgeted = falsify_statement(statement, evaluations=12)
    assert not budgeted.cut
    assert budgeted.evaluations <= 12
    assert "before the cap on seconds" in falsify_statement(statement, seconds=0.1).sentence


def test_a_search_of_ours_has_no_cap_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempt, "SECONDS_OUTSIDE", 1e-6)
    monkeypatch.setattr(attempt, "EVALUATIONS", 24)
    assert not falsify_statement(bounds.get(DESCENT)).cut


# ---- the run that measures roundings


def a_noisy_cell() -> Cell:
    algorithm = Algorithm(round=noisy, settings={"step": REQUIRED, "noise_scale": REQUIRED})
    statement = discovery.adopt(replace(bounds.get(SGD), algorithm=adopt(algorithm)))
    return next(c for c in get_runs(statement).cells(statement) if c.role == "strong noise")


def test_a_few_replicates_are_disturbed_and_the_verdict_is_that_of_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    only_on(monkeypatch, "quadratic.small")
    cell = a_noisy_cell()

    def judged(few: int) -> Any:
        monkeypatch.setattr(rounding, "FEW", few)
        return run_cell(cell, level=1e-4, seed=1, replicates=128)

    by_few, by_all = judged(32), judged(10**9)
    assert by_few.verdict is by_all.verdict
    assert by_few.measured == by_all.measured
    assert by_few.rounding is not None
    assert by_all.rounding is not None
    for name, amount in by_all.rounding.items():
        # of the same order, and no tighter than what all of them show
        assert 0.5 * amount <= by_few.rounding[name] <= 1e3 * amount


def test_an_end_of_an_interval_moves_no_more_than_its_samples() -> None:
    """What `measure_on_samples` takes for granted, on samples of several shapes."""
    draw = np.random.default_rng(3)
    for samples in (draw.exponential(size=200), draw.uniform(size=200), draw.normal(3, 1, size=200)):
        floor, ceiling = min(0.0, float(samples.min())) - 1, float(samples.max()) + 1
        moves = 1e-6 * draw.uniform(-1, 1, size=200)
        for shift in (moves, np.full(200, 1e-6), np.where(np.arange(200) == 7, 1e-6, 0.0)):
            low = betting.lower_confidence(samples + shift, 1e-3, floor) - betting.lower_confidence(
                samples, 1e-3, floor
            )
            high = betting.upper_confidence(samples + shift, 1e-3, ceiling) - betting.upper_confidence(
                samples, 1e-3, ceiling
            )
            size = float(samples.max() - floor)
            assert max(abs(low), abs(high)) <= 1e-6 + 4 * rounding.SEARCH * size


# ---- the shapes of a search


def of_ones_own(certified_by: Any) -> Statement:
    own = Assumption("own", "own", "mine", certified_by=certified_by)
    statement = bounds.get(CONVEX)
    # a statement of a package: its runs follow from its declarations
    return replace(statement, assumptions=(*statement.assumptions, own), id="", locator="mine")


def shapes(statement: Statement) -> set[str]:
    return {space.name for space in runs.families(discovery.adopt(statement), 1)} - {"standard cells"}


def test_an_assumption_of_ones_own_is_searched_on_every_shape_that_it_accepts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its only standard problem is one of which the search has no shape."""
    only_on(monkeypatch, "huber.small")
    statement = replace(of_ones_own(lambda _: True), assumptions=of_ones_own(lambda _: True).assumptions[-1:])
    assert len(shapes(statement)) >= 5
    without = replace(statement, assumptions=())
    assert shapes(without) == {"Huber functions, one client apart", "piecewise quadratics on the line"}


def test_a_problem_of_ones_own_is_searched_from_starts_at_any_distance() -> None:
    bowl = build("quadratic.diagonal", curvatures=[[1.0, 0.5]], centers=[[3.0, 0.0]])
    statement = replace(bounds.get(CONVEX), problems=(adopt_problem(bowl, "bowl"),), id="", locator="mine")
    spaces = {space.name: space for space in runs.families(discovery.adopt(statement), 1)}
    space = spaces["here.bowl, started anywhere"]
    cells = [
        space.cell(np.array([u, 0.0, side, *[0.5] * (space.dimension - 3)]))
        for u in (0.0, 1.0)
        for side in (0.0, 1.0)
    ]
    starts = [cell.engine["start"] for cell in cells]
    assert starts == [pytest.approx([3 + away, 0.0]) for away in (1e-3, -1e-3, 1e3, -1e3)]
    # the distance at the start is that of the cell, not of the standard one
    assert float(cells[2].parameters["D0"]) == pytest.approx(1e3)


def test_a_later_problem_of_a_name_takes_the_place_of_the_first() -> None:
    """Both makers of problems remember what they have built; an adopted name is not remembered."""
    for center in (3.0, 7.0):
        bowl = build("quadratic.diagonal", curvatures=[[1.0, 0.5]], centers=[[center, 0.0]])
        name = adopt_problem(bowl, "replaced")
        assert build_problem(name, {}).minimiser()[0] == center
        found = standard_problems.built(name, {})
        assert found is not None
        assert found.minimiser()[0] == center


def test_a_shape_that_the_predicate_refuses_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    only_on(monkeypatch, "quadratic.small")
    quadratic = shapes(of_ones_own(lambda known: known.facts.quadratic))
    assert quadratic
    assert not {name for name in quadratic if "Huber" in name or "power" in name}


def test_a_predicate_that_needs_a_cell_waits_for_it_and_a_mistake_in_it_is_its_authors() -> None:
    statement, problem = (
        of_ones_own(lambda known: float(known.parameters["L"]) < inf),
        build("quadratic.small"),
    )
    assert unmet(statement, problem, {}) is None
    assert unmet(statement, problem, {"L": inf}) is not None
    refused = unmet(statement, problem, {"mu": 1.0})
    assert refused is not None
    assert re.search(r"certified_by of own .*test_outside_budgets.py, line", refused)


def test_a_predicate_that_raises_costs_only_the_statements_that_use_it() -> None:
    broken, fine = of_ones_own(lambda _: 1 / 0), of_ones_own(lambda _: True)
    assert standard.cells(fine)
    assert not standard.cells(broken)
    reason = grounds.why_no_cell(broken)
    assert re.search(r"test_outside_budgets.py, line \d+\): .*ZeroDivisionError", reason), reason
