"""Constants under the papers' names: every name has its partner, and no bound changes sides."""

import math
from fractions import Fraction

import pytest

import bounds
from synthetic.facts import Constant, exactly
from synthetic.problems import build
from verify.matching.constants import QUANTITIES, quantities

NOTATIONS = {statement.paper.key: statement.notation for statement in bounds.statements()}
EXAMPLES = ("quadratic.small", "huber.small", "lojasiewicz.small", "component_sums.small", "logistic.small")


@pytest.mark.parametrize("paper", QUANTITIES)
def test_every_name_is_a_quantity_of_its_paper(paper: str) -> None:
    assert set(QUANTITIES[paper]) <= set(NOTATIONS[paper].quantities)


def test_every_paper_has_a_table() -> None:
    assert set(QUANTITIES) == set(NOTATIONS)


def test_every_constant_is_known_to_some_problem() -> None:
    known = {name for example in EXAMPLES for name in build(example).constants()}
    used = {
        source.constant for table in QUANTITIES.values() for sources in table.values() for source in sources
    }
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
