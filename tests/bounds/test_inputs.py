"""Misuse: every wrong input is refused in one clear sentence, before anything is computed."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import bounds
from bounds import errors
from bounds.evaluation.resolve import resolve
from bounds.language.statement import Statement

# A constant has nothing to be given.
STATEMENTS = {s.id: s for s in bounds.statements() if s.evaluable and resolve(s).required}
THEOREM = STATEMENTS["fed_norm_ec.theorem_1.main"]
POINT: dict[str, Any] = {
    "Delta_inf": 1.0, "K": 3, "L": 1.0, "M": 4, "R": 1.0, "T": 2, "alpha": 1.0, "beta": 0.5, "eta": 0.01,
    "f0_gap": 1.0, "p": 0.5, "sigma_DP": 0.1,
}  # fmt: skip
PRIVATE = STATEMENTS["dp_fedavg.theorem_2"]
PRIVATE_POINT: dict[str, Any] = {
    "C_hat": 10.0, "D0": 1.0, "Delta_star_mean": 0.1, "E": 1, "K": 10, "L": 1.0, "alpha": 2.0, "d": 10,
    "delta": 1e-5, "epsilon": 1.0, "n": 1000, "q": 1.0, "Delta_star_max": 0.2,
}  # fmt: skip


def without(point: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in point.items() if name not in names}


def test_the_points_are_valid() -> None:
    assert THEOREM.evaluate(**POINT).applicable is True
    assert PRIVATE.evaluate(**PRIVATE_POINT).applicable is True


# ---- names


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("etaa", "eta"), ("sigma_dp", "sigma_DP"), ("Delta_Inf", "Delta_inf"), ("f0gap", "f0_gap")],
)
def test_an_unknown_name_and_the_nearest_one(wrong: str, right: str) -> None:
    with pytest.raises(errors.UnknownName, match=rf"no quantity {wrong}: did you mean {right}\?"):
        THEOREM.evaluate(**POINT, **{wrong: 1.0})


def test_an_unknown_name_near_to_none_lists_them_all() -> None:
    with pytest.raises(errors.UnknownName, match=r"valid names: .*Delta_inf.*sigma_DP"):
        THEOREM.evaluate(**POINT, zzzzzz=1.0)


def test_a_prescribed_quantity() -> None:
    with pytest.raises(errors.PrescribedQuantity, match=r"prescribes gamma = 1/\(2\*L\)"):
        THEOREM.evaluate(**POINT, gamma=0.5)
    with pytest.raises(errors.PrescribedQuantity, match="gamma"):
        PRIVATE.evaluate(**PRIVATE_POINT, gamma=0.5)


@pytest.mark.parametrize("source", ["q", "d", "delta", "n", "epsilon"])
def test_a_derived_quantity_with_its_source(source: str) -> None:
    rest = without(PRIVATE_POINT, "q", "d", "delta", "n", "epsilon")
    with pytest.raises(errors.OverdeterminedQuantity, match=f"rho is given, so {source}"):
        PRIVATE.evaluate(**rest, rho=0.1, **{source: PRIVATE_POINT[source]})


def test_a_derived_quantity_in_place_of_its_sources() -> None:
    rest = without(PRIVATE_POINT, "q", "d", "delta", "n", "epsilon")
    rho = PRIVATE.evaluate(**PRIVATE_POINT).derived["rho"]
    assert PRIVATE.evaluate(**rest, rho=rho).value == pytest.approx(PRIVATE.evaluate(**PRIVATE_POINT).value)
    assert "q" not in PRIVATE.evaluate(**rest, rho=rho).resolved.required


def test_a_source_that_serves_something_else_too_may_be_given() -> None:
    """p derives B and nothing else; with B given, p is shadowed. K is used elsewhere and is not."""
    rest = without(POINT, "p", "sigma_DP")
    assert math.isfinite(THEOREM.evaluate(**rest, B=2.0).value)
    with pytest.raises(errors.OverdeterminedQuantity):
        THEOREM.evaluate(**rest, B=2.0, p=0.5)


@pytest.mark.parametrize("identity", STATEMENTS)
def test_missing_quantities_are_named(identity: str) -> None:
    statement = STATEMENTS[identity]
    required = resolve(statement).required
    constants = {n for n in required if statement.notation.quantities[n].role.name == "ORDER_CONSTANT"}
    with pytest.raises(errors.MissingQuantity) as caught:
        statement.evaluate()
    for name in required - constants:
        assert name in str(caught.value)
    assert identity in str(caught.value)


def test_missing_optional_quantities_leave_conditions_open() -> None:
    evaluation = THEOREM.evaluate(**without(POINT, "alpha"))
    assert math.isfinite(evaluation.value)
    assert [c.missing for c in evaluation.conditions if c.missing] == [("alpha",), ("alpha",)]
    assert evaluation.applicable is None
    assert THEOREM.evaluate(**without(POINT, "alpha") | {"eta": 2.0}).applicable is False


def test_unset_constants_of_an_order() -> None:
    rate = STATEMENTS["fed_norm_ec.corollary_1.rate"]
    point = {"B_hat": 2.0, "L": 1.0, "M": 4, "c": 1.0, "d": 3, "delta": 1e-3, "epsilon": 1.0, "f0_gap": 1.0}
    evaluation = rate.evaluate(**point)
    assert evaluation.value is None
    assert set(evaluation.unset) == {"c_O", "c_R"}
    assert evaluation.terms == {"utility": None}
    assert evaluation.elasticities == {}
    assert evaluation.condition_number is None
    assert rate.evaluate(**point, c_R=1.0).unset == ("c_O",)
    assert math.isfinite(rate.evaluate(**point, c_R=1.0, c_O=2.0).value)


# ---- values


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, [1.0, math.nan], np.array([math.inf])])
def test_what_is_not_finite(value: Any) -> None:
    with pytest.raises(errors.NotANumber, match="L must be a finite number"):
        THEOREM.evaluate(**POINT | {"L": value})


@pytest.mark.parametrize(
    "value",
    [
        "1.0", "one", "", b"1", [1.0, "2"], np.array(["1"]), 1 + 0j, 1 + 2j, np.complex128(1 + 2j),
        np.array([1 + 2j]), [1, 2j], None, {}, {"a": 1}, pytest.param(object(), id="an object"),
        [[1], [1, 2]], np.datetime64("2020-01-01"), 10**400,
    ],
    ids=repr,
)  # fmt: skip
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")  # users see a refusal, not a warning
def test_what_is_no_number(value: Any) -> None:
    with pytest.raises(errors.NotANumber, match="L must be a"):
        THEOREM.evaluate(**POINT | {"L": value})


@pytest.mark.parametrize(
    "value",
    [
        True,
        False,
        np.True_,
        [True, False],
        [np.True_, 2.0],
        [[True, 2.0], [1.0, 1.0]],
        (1.0, (2.0, True)),
        [[1.0, 2.0], np.array([True, False])],
        [True, Fraction(1, 2)],
        np.array([True, Fraction(1, 2)], dtype=object),
    ],
    ids=repr,
)
def test_a_truth_value_is_no_number(value: Any) -> None:
    with pytest.raises(errors.NotANumber, match="T must be a"):
        THEOREM.evaluate(**POINT | {"T": value})


@pytest.mark.parametrize(
    "value",
    [2, 2.0, np.float32(2), np.int64(2), Fraction(2), Decimal(2), np.array(2.0), np.uint8(2)],
    ids=repr,
)
def test_what_is_a_number(value: Any) -> None:
    evaluation = THEOREM.evaluate(**POINT | {"T": value})
    assert evaluation.value == THEOREM.evaluate(**POINT | {"T": 2}).value
    assert type(evaluation.value) is float


OUTSIDE = [
    ("L", 0.0), ("L", -1.0), ("L", -0.0), ("M", 0), ("M", 2.5), ("K", -1), ("K", 3.5), ("T", 0),
    ("R", -1e-300),
    ("p", 0.0), ("p", 1.0000001), ("p", -0.5), ("sigma_DP", -1), ("eta", 0), ("alpha", 0), ("f0_gap", -1),
    ("L", [1.0, 0.0]), ("K", [[1, 2], [3, 3.5]]), ("p", [0.5, 2.0]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), OUTSIDE)
def test_out_of_domain(name: str, value: Any) -> None:
    with pytest.raises(errors.OutOfDomain, match=rf"^{name} \(.*\) must be (real|integer).*, but is "):
        THEOREM.evaluate(**POINT | {name: value})


@pytest.mark.parametrize(("value", "shown"), [(3.5, "3.5"), ([1, 2, 3.5], "3.5"), ([-1, 3.5, 4], "-1")])
def test_the_refused_value_is_shown(value: Any, shown: str) -> None:
    with pytest.raises(errors.OutOfDomain, match=rf"but is {shown}"):
        THEOREM.evaluate(**POINT | {"K": value})


def test_a_derived_quantity_outside_its_domain_is_refused_or_fails_a_condition() -> None:
    """rho >= 1 is outside what the paper assumes, given or derived."""
    rest = without(PRIVATE_POINT, "q", "d", "delta", "n", "epsilon") | {"alpha": 100.0}
    with pytest.raises(errors.OutOfDomain):
        PRIVATE.evaluate(**rest, rho=3.0)
    try:
        evaluation = PRIVATE.evaluate(**PRIVATE_POINT | {"n": 1, "alpha": 100.0})
    except errors.OutOfDomain:
        return
    assert evaluation.derived["rho"] > 1
    assert evaluation.applicable is False


def test_an_expectation_below_its_lowest_value_is_refused() -> None:
    rest = without(PRIVATE_POINT, "Delta_star_mean")
    assert math.isfinite(PRIVATE.evaluate(**rest, unclipped_delta=0.05).value)
    with pytest.raises(errors.OutOfDomain):
        PRIVATE.evaluate(**rest, unclipped_delta=-5.0)


# ---- shapes


@pytest.mark.parametrize("value", [[], np.zeros(0), np.zeros((3, 0)), np.zeros((0, 2))], ids=repr)
def test_an_empty_array_is_an_empty_selection(value: Any) -> None:
    with pytest.raises(errors.Misuse, match="L"):
        THEOREM.evaluate(**POINT | {"L": value})


def test_shapes_that_do_not_fit() -> None:
    with pytest.raises(errors.Misuse, match=r"L.*M|M.*L"):
        THEOREM.evaluate(**POINT | {"L": [1.0, 2.0], "M": [1, 2, 3]})


def test_shapes_that_fit() -> None:
    evaluation = THEOREM.evaluate(**POINT | {"L": [[1.0], [2.0]], "M": [1, 2, 3]})
    assert evaluation.value.shape == (2, 3)
    assert np.shape(evaluation.applicable) == (2, 3)
    assert {term.shape for term in evaluation.terms.values()} == {(2, 3)}


def test_inputs_are_not_changed() -> None:
    array = np.array([1.0, 2.0, 3.0])
    kept = array.copy()
    evaluation = THEOREM.evaluate(**POINT | {"R": array})
    assert evaluation.value.shape == evaluation.terms["memory"].shape == (3,)
    assert (array == kept).all()


# ---- results that are not finite


def test_overflow_is_infinite_and_not_an_error() -> None:
    statement = STATEMENTS["als_dpfl.h.main"]
    point = {"B": 1, "C": 1.0, "beta": 1.0, "d": 1, "eta": 1.0, "sigma": 1.0, "x": 5000, "xi": 1.0}
    assert statement.evaluate(**point).value == math.inf
    assert statement.evaluate(**point).terms["growth"] == math.inf
    assert math.isfinite(statement.evaluate(**point).terms["linear"])


def test_nothing_times_an_overflow_is_nothing() -> None:
    """ "when x = 0, or xi = sigma = 0": the term says itself that it vanishes."""
    statement = STATEMENTS["als_dpfl.h.main"]
    point = {"B": 1, "C": 1.0, "beta": 1.0, "d": 1, "eta": 1.0, "x": 5000}
    assert statement.evaluate(**point, sigma=0.0, xi=0.0).value == 0.0


def test_a_product_does_not_overflow_on_the_way() -> None:
    """beta = 1e200 in the numerator and in the denominator."""
    statement = STATEMENTS["textbook.gradient_descent_convex"]
    assert statement.evaluate(L=1e-200, D0=1e150, N=0).value == pytest.approx(5e99)
    assert statement.evaluate(L=1e-300, D0=1e155, N=0).value == pytest.approx(5e9)


def test_the_condition_number_of_what_has_none() -> None:
    """p = 1 without noise: B = 0, and its root has no slope there; a declared edge, so it must answer."""
    evaluation = THEOREM.evaluate(**POINT | {"p": 1.0, "sigma_DP": 0.0})
    assert math.isfinite(evaluation.value)
    number = evaluation.condition_number
    assert number is None or not number < 1e10


# ---- statements


def test_an_unknown_statement() -> None:
    with pytest.raises(errors.UnknownStatement, match=r"did you mean dp_fedavg\.theorem_2"):
        bounds.get("dp_fedavg.theorem_22")
    with pytest.raises(errors.UnknownStatement, match="no statement nonsense"):
        bounds.get("nonsense")
    with pytest.raises(errors.UnknownStatement):
        bounds.get("fed_norm_ec.theorem_1")  # two forms: which one?
    with pytest.raises(errors.UnknownVariant, match="it has: printed"):
        bounds.get("dp_fedavg.theorem_2", "amended_twice")
    with pytest.raises(errors.UnknownStatement, match="did you mean textbook"):
        bounds.statements("textbok")


@pytest.mark.parametrize("spelling", ["dp-fedavg/theorem-2", "dp_fedavg.theorem_2", "dp-fedavg.theorem_2"])
def test_spellings_of_an_id(spelling: str) -> None:
    assert bounds.get(spelling).id == "dp_fedavg.theorem_2"


def test_every_misuse_is_a_misuse() -> None:
    classes = [c for c in vars(errors).values() if isinstance(c, type) and issubclass(c, Exception)]
    assert all(issubclass(c, errors.Misuse) for c in classes)
    assert issubclass(errors.Misuse, ValueError)


def refused(statement: Statement, **point: Any) -> bool:
    try:
        statement.evaluate(**point)
    except errors.Misuse:
        return True
    return False


def test_good_input_is_not_refused() -> None:
    """The checks above see the refusal, not some other failure."""
    assert not refused(THEOREM, **POINT)
    assert not refused(THEOREM, **POINT | {"p": [0.5, 1.0]})
    assert refused(THEOREM, **POINT | {"p": [0.5, 1.5]})
