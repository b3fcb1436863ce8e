"""Constants under the papers' names: every name has its partner, and no bound changes sides."""

import math
from fractions import Fraction

import pytest

import bounds
from bounds import discovery
from bounds.language.finding import Verdict
from bounds.language.part import Of
from synthetic.certified.facts import Constant, exactly
from synthetic.problems import build
from verify.cell import Cell
from verify.falsify import fresh_run
from verify.matching.constants import certified
from verify.matching.constants.constants import parts_of, quantities
from verify.runs.check import run_cell

NOTATIONS = discovery.notations()
EXAMPLES = ("quadratic.small", "huber.small", "lojasiewicz.small", "component_sums.small", "logistic.small")


@pytest.mark.parametrize("paper", NOTATIONS)
def test_every_paper_has_quantities_that_are_constants(paper: str) -> None:
    assert parts_of(NOTATIONS[paper], Of.CONSTANT)


def test_every_constant_is_known_to_some_problem() -> None:
    known = {name for example in EXAMPLES for name in build(example).constants()}
    used = {p.name for table in NOTATIONS.values() for p in parts_of(table, Of.CONSTANT).values()}
    assert used <= known | {"clients", "dimension"}


def enclosed(low: float, value: float, high: float) -> Constant:
    return Constant(value=value, lower=low, upper=high, provenance="enclosed")


def test_each_bound_keeps_to_its_safe_side() -> None:
    offered = quantities(
        {"smoothness": enclosed(1.0, 2.0, 3.0), "strong_convexity": enclosed(0.25, 0.5, 0.75)},
        clients=7,
        dimension=2,
    )
    assert offered["textbook"]["L"].value == 3.0
    assert offered["textbook"]["mu"].value == 0.25
    assert (offered["textbook"]["mu"].lower, offered["textbook"]["mu"].upper) == (0.25, 0.75)
    assert offered["als_dpfl"]["beta"].value == 3.0
    assert (offered["fed_norm_ec"]["M"].value, offered["fed_norm_ec"]["d"].value) == (7, 2)
    assert "rho" not in offered["als_dpfl"], "nothing is said about a constant that the problem does not have"


def test_columns_and_conversions() -> None:
    offered = quantities(
        {
            "client_strong_convexity": exactly((0.5, 0.25)),
            "mean_squared_gradient_divergence": exactly(2.0),
            "component_infimum_gaps": exactly((1.0, 9.0)),
        },
        clients=2,
        dimension=1,
    )
    zeta = offered["fedavg_lojasiewicz"]["zeta"].value
    assert offered["fedavg_lojasiewicz"]["mu_1"].value == 0.5
    assert Fraction(zeta or 0) ** 2 >= 2
    assert zeta == pytest.approx(math.sqrt(2), rel=1e-15)
    assert offered["fed_norm_ec"]["Delta_i_inf_mean"].value == 5.0


def test_components_have_the_larger_smoothness() -> None:
    known = {"smoothness": exactly(1.0), "largest_component_smoothness": exactly(4.0)}
    offered = quantities(known, clients=1, dimension=1)
    assert offered["fed_norm_ec"]["L"].value == 4.0
    assert offered["dp_fedavg"]["L"].value == 1.0


def test_fractions_are_rounded_outwards() -> None:
    third = Fraction(1, 3)
    offered = quantities(
        {"smoothness": exactly(third), "strong_convexity": exactly(third)}, clients=1, dimension=1
    )["textbook"]
    assert Fraction(offered["L"].value or 0) > third > Fraction(offered["mu"].value or 0)


def test_nothing_unproved_gets_a_value() -> None:
    guessed = Constant(value=1.0, lower=0.5, upper=2.0, provenance="estimated")
    above = Constant(value=2.0, lower=None, upper=2.0, provenance="enclosed")
    offered = quantities(
        {"smoothness": guessed, "strong_convexity": above, "lipschitz": None}, clients=1, dimension=1
    )
    for paper, name in (("textbook", "L"), ("textbook", "mu"), ("als_dpfl", "rho")):
        assert offered[paper][name].value is None
        assert offered[paper][name].reason
    flat = quantities({"strong_convexity": exactly(0.0)}, clients=1, dimension=1)["textbook"]["mu"]
    assert flat.value is None
    assert "positive" in (flat.reason or "")


def test_gaps_at_a_minimiser_need_one() -> None:
    """Without w* neither the mean nor the largest of f_i(w*) - f_i* is defined, though infima have a gap."""
    gaps = {"infimum_gap": enclosed(0.0, 0.0, 1.0), "largest_client_gap_at_minimiser": None}
    offered = quantities(gaps, clients=2, dimension=2)["dp_fedavg"]
    for name in ("Delta_star_mean", "Delta_star_max"):
        assert offered[name].value is None
        assert "not defined" in str(offered[name].reason)
    known = gaps | {"largest_client_gap_at_minimiser": enclosed(0.0, 0.5, 2.0)}
    assert quantities(known, clients=2, dimension=2)["dp_fedavg"]["Delta_star_mean"].value == 1.0


def far_away(center: float, apart: float) -> Cell:
    """One client x^2/2 around a center, five steps of 1/10 in each of a hundred rounds: a true control."""
    return Cell(
        statement="textbook.federated_averaging_one_client",
        variant="printed",
        algorithm="fedavg",
        role="far from 0",
        problem="quadratic.diagonal",
        problem_arguments={"curvatures": [[1.0]], "centers": [[center]]},
        engine={"start": [center + apart]},
        parameters={"rounds": 100, "E": 5, "L": 10.0, "D0": apart},
    )


@pytest.mark.parametrize(("center", "apart"), [(1e18, 128.0), (1e12, 2.0**-13), (1.0, 2.0**-52)])
def test_a_start_in_which_float64_loses_its_steps_is_refused(center: float, apart: float) -> None:
    """No step leads anywhere, and the bound falls: the run would be above it."""
    cell = far_away(center, apart)
    result = run_cell(cell, level=1e-3, seed=1, replicates=64)
    assert result.verdict is Verdict.REFUSED
    assert "too near for float64" in result.sentence
    assert not fresh_run.qualifies(bounds.get(cell.statement), cell)


@pytest.mark.parametrize(("center", "apart"), [(0.0, 1e-9), (1.0, 1e-6), (1e6, 1.0), (3.0, 0.0)])
def test_a_start_that_float64_tells_from_the_minimiser_is_run(center: float, apart: float) -> None:
    cell = far_away(center, apart)
    assert certified.blurred(cell.build_problem(), cell.engine["start"]) is None


def test_what_is_refuted_has_to_stand_elsewhere_too() -> None:
    """Centers and start move together, by more than rounding; curvatures stay almost as they are."""
    cell = far_away(1.0, 0.5)
    there = fresh_run.moved(cell)
    ((center,),), (start,) = there.problem_arguments["centers"], there.engine["start"]
    assert center > 4
    assert start - center == pytest.approx(0.5, rel=1e-8)
    assert there.problem_arguments["curvatures"] == [[1 + 1e-9]]
