"""What an author fixes of a cell, what follows from declarations, and what is certified of its samples."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from sympy import Symbol

import bounds
from bounds.errors import Misuse
from bounds.language.condition import at_most, below
from bounds.language.finding import Verdict
from bounds.language.quantity import OPEN_UNIT
from synthetic.algorithms.stochastic_gradient_descent import Settings
from synthetic.oracles import Gaussian, Sphere, StudentT, TwoPoint
from synthetic.problems import build
from verify.cell import Cell
from verify.matching.cells.required import requirements
from verify.matching.cells.sketch import Sketch, fill
from verify.matching.constants.certified import unfit
from verify.matching.joined import get_runs
from verify.matching.measurements.measurement import Certificates, Exact
from verify.matching.measurements.observed import Asked, measured, observables_of
from verify.runs.check import run_cell

SGD = bounds.get("textbook.stochastic_gradient_descent")
DATA = {"curvatures": [[Fraction(1), Fraction(1, 4)]], "centers": [[Fraction(2), Fraction(0)]]}


TURNED = [[[Fraction(1), Fraction(1, 2)], [Fraction(1, 2), Fraction(1)]]]  # eigenvalues 3/2 and 1/2
CENTERS = [[Fraction(0), Fraction(0)]]


def in_floats(value: Any) -> Any:
    return [in_floats(x) for x in value] if isinstance(value, list) else float(value)


@pytest.mark.parametrize("oracle", [Gaussian, Sphere, StudentT, TwoPoint])
def test_moments_in_fractions_are_those_of_sampled_runs(oracle: Any) -> None:
    """Also where the noise of all coordinates is one: along (1, 1) the curvature is 3/2."""
    more = {"degrees": 9} if oracle is StudentT else {}
    noise = oracle(scale=Fraction(1), **more)

    def look(hessians: Any, centers: Any, start: list[Any]) -> Any:
        asked = Asked(
            algorithm=str(SGD.algorithm),
            problem=build("quadratic.quadratic", hessians=hessians, centers=centers),
            settings=Settings(start=start, steps=3, step=Fraction(1, 2), oracle=noise),
            listed={},
        )
        return measured(observables_of(SGD), asked, 4096, 3, "moments")

    exact = look(TURNED, CENTERS, [Fraction(0), Fraction(1)])
    sampled = look(in_floats(TURNED), in_floats(CENTERS), [0.0, 1.0])
    assert isinstance(exact, Exact)
    squares = sampled.observables["squared_distance"]
    error = 6 * squares.std() / len(squares) ** 0.5
    assert abs(squares.mean() - float(exact.observables["squared_distance"])) < error


def exact_cell() -> Cell:
    sketch = Sketch(
        role="exact",
        problem="quadratic.diagonal",
        arguments=DATA,
        values={"K": 3, "sigma": Fraction(1), "eta": Fraction(1, 8)},
        start=[Fraction(2) + Fraction(3, 5), Fraction(4, 5)],
    )
    (cell,) = fill(SGD, (sketch,))
    return cell


def test_a_cell_is_filled_and_held_in_fractions_on_exact_data() -> None:
    cell = exact_cell()
    expected = {"L": Fraction(1), "mu": Fraction(1, 4), "D0": Fraction(1)}
    assert {name: cell.parameters[name] for name in expected} == expected
    assert unfit(requirements(SGD, cell)) is None


@pytest.mark.parametrize(
    ("name", "by", "sentence"),
    [("D0", -1, "D0^2 = 1 is below"), ("L", -1, "L = 1 is below"), ("mu", 1, "mu = 0.25 is above")],
)
def test_the_least_understatement_of_an_exact_number_is_seen(name: str, by: int, sentence: str) -> None:
    cell = exact_cell()
    moved = Fraction(cell.parameters[name]) + by * Fraction(1, 10**20)
    wrong = replace(cell, parameters={**cell.parameters, name: moved})
    assert sentence in str(unfit(requirements(SGD, wrong)))


def test_values_of_a_sketch_come_before_what_follows() -> None:
    (cell,) = fill(SGD, (Sketch(role="", problem="quadratic.diagonal", arguments=DATA, values={"L": 2}),))
    assert cell.parameters["L"] == 2


def test_a_share_is_that_of_the_largest_value_which_the_conditions_allow() -> None:
    """eta <= 2/(L + mu); a share beyond it would be refused by the condition."""
    problem = {"curvatures": [[1.0, 0.25]], "centers": [[0.0, 0.0]]}
    base = Sketch(role="x", problem="quadratic.diagonal", arguments=problem, values={"K": 3, "sigma": 1.0})
    for share in (1.0, 0.5):
        (cell,) = fill(SGD, [replace(base, shares={"eta": share})])
        limit = 2 / (float(cell.parameters["L"]) + float(cell.parameters["mu"]))
        assert limit * share * (1 - 1e-8) <= float(cell.parameters["eta"]) < limit * share
    (free,) = fill(SGD, [replace(base, values={**base.values, "eta": 0.1}, shares={"sigma": 0.5})])
    assert free.parameters["sigma"] == 1.0  # no condition limits it


BASE = Sketch(
    role="x",
    problem="quadratic.diagonal",
    arguments={"curvatures": [[1.0, 0.25]], "centers": [[0.0, 0.0]]},
    values={"K": 3, "sigma": 1.0, "eta": 0.1},
)


@pytest.mark.parametrize(
    ("values", "name", "sentence"),
    [
        ({}, "mistaken", "mistaken, to which the cell gives no value"),
        ({"eta": 0.0}, "eta", "eta, which is not above 0"),
    ],
)
def test_a_share_of_nothing_is_refused(values: dict[str, float], name: str, sentence: str) -> None:
    with pytest.raises(Misuse, match=sentence):
        fill(SGD, [replace(BASE, values={**BASE.values, **values}, shares={name: 1.0})])


@pytest.mark.parametrize(
    ("limited", "share", "rounds"), [(at_most, 1.0, 40), (below, 1.0, 39), (at_most, 0.99, 39)]
)
def test_a_share_of_a_count_is_a_whole_number(limited: Any, share: float, rounds: int) -> None:
    statement = replace(
        SGD, conditions=(limited(Symbol("K", integer=True, nonnegative=True), 40, locator="x", printed="x"),)
    )
    (cell,) = fill(statement, [replace(BASE, shares={"K": share})])
    assert cell.parameters["K"] == rounds
    assert isinstance(cell.parameters["K"], int)
    assert statement.evaluate(**{n: float(v) for n, v in cell.parameters.items()}).applicable


def test_a_limit_inside_a_bounded_domain_is_found() -> None:
    """A step below 1: nothing is asked about larger ones, which the statement would refuse."""
    known = SGD.notation.quantities
    eta = replace(known["eta"], domain=OPEN_UNIT)
    notation = replace(SGD.notation, quantities={**known, "eta": eta})
    statement = replace(SGD, paper=replace(SGD.paper, notation=notation))
    (cell,) = fill(statement, [replace(BASE, values={**BASE.values, "L": 8.0}, shares={"eta": 1.0})])
    assert float(cell.parameters["eta"]) == pytest.approx(2 / (8 + 0.25), rel=1e-8)


def test_a_derived_quantity_that_is_given_replaces_what_only_serves_to_derive_it() -> None:
    statement = bounds.get("dp_fedavg.theorem_2")
    arguments = {"clients": 5, "dimension": 4, "heterogeneity": 0.0, "seed": 2}
    values = {"K": 5, "E": 1, "alpha": 2.0, "C_hat": 1.0, "q": 1.0, "epsilon": 1.0, "delta": 1e-5}
    sketch = Sketch(role="x", problem="quadratic.small", arguments=arguments, values=values)
    derived, given = (
        fill(statement, [replace(sketch, values={**values, **more})])[0] for more in ({}, {"rho": 0.2})
    )
    assert derived.parameters.keys() - given.parameters.keys() == {"q", "epsilon", "delta", "n", "d"}
    assert statement.evaluate(**{n: float(v) for n, v in given.parameters.items()}).applicable


@pytest.mark.parametrize(("ceiling", "verdict"), [(1e3, Verdict.HOLDS), (1.0, Verdict.REFUSED)])
def test_a_certificate_is_used_and_one_that_samples_break_is_named(
    ceiling: float, verdict: Verdict, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = replace(get_runs(SGD), certified=lambda *_: Certificates(ceiling=np.array(ceiling)))
    monkeypatch.setattr("verify.runs.check.get_runs", lambda _: runs)
    (cell,) = [c for c in runs.cells(SGD) if c.role == "sampled, noise on a sphere"]
    result = run_cell(cell, level=1e-3, seed=1, replicates=512)
    assert result.verdict is verdict
    assert ("beyond the certified ceiling" in result.sentence) == (verdict is Verdict.REFUSED)
