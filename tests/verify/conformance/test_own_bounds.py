"""The bound of a statement at the constants that code has in the place of the listing's."""

from math import sqrt

import pytest

import bounds
from verify.conformance.own_bounds import bound_of
from verify.conformance.own_constants import Own, own, say_in_words

SCALED_DIFFERENCE = own(beta={"beta": 1, "eta": 1}, C={"C": 1, "eta": -1}, sigma={"sigma": 1, "eta": -1})


def _find(statement, *conversions):
    return bound_of(bounds.get(statement), conversions)


@pytest.mark.parametrize(
    ("conversion", "text"),
    [
        (SCALED_DIFFERENCE, "replace beta by beta*eta, C by C/eta and sigma by sigma/eta"),
        (own(sigma={2: 0.5, "sigma": 1}), "replace sigma by sqrt(2)*sigma"),
        (own(beta={"beta": 2}), "replace beta by beta^2"),
        (own(beta={"beta": 1, 2: -1}), "replace beta by beta/2"),
        (own(C={}), "set C = 1"),
        (own(beta={"eta": 1}), "set beta = eta"),
        (own(sigma={"sigma": 1, "r": -0.5}), "replace sigma by sigma/sqrt(r)"),
        (
            Own(changes={"sigma": {0.8321: 1, "sigma": 1}}, words=" (measured)"),
            "replace sigma by 0.8321*sigma (measured)",
        ),
        (say_in_words("define F with equal weights"), "define F with equal weights"),
    ],
)
def test_a_conversion_is_rendered_in_one_way(conversion, text):
    assert str(conversion) == text


def test_more_noise_moves_rho_and_the_free_constants():
    """Double sigma: rho doubles; eta stays, so alpha doubles; gamma = K C_hat E rho^2/(2 alpha)."""
    found = _find("dp_fedavg.theorem_2", own(sigma={2: 1, "sigma": 1}))
    C_hat, L, D0, E, K, rho, alpha, heterogeneity = 3, 1, 2, 3, 50, 0.2, 4, 0.2
    gamma = K * C_hat * E * rho**2 / (2 * alpha)
    expected = C_hat * (L * D0**2 / gamma + gamma / L) * rho + 3 * E / (2 * alpha) * heterogeneity * rho
    assert found["own"] == pytest.approx(expected, rel=1e-12)
    assert found["own"] != pytest.approx(found["printed"], rel=1e-3)
    assert found["constants"] == {"rho": [0.1, 0.2], "alpha": [2.0, 4.0]}
    assert found["leaves"] == []


def test_the_hypothesis_that_a_conversion_leaves_is_named():
    found = _find("dp_fedavg.theorem_2", SCALED_DIFFERENCE)
    assert found["own"] is None
    assert found["leaves"] == [
        "B.thm2 takes one learning rate for both, and the code has local 0.025 and global 0.000625"
    ]


def test_a_small_threshold_leaves_its_condition():
    found = _find("dp_fedavg.theorem_2", own(C={"C": 1, 2: -1}, sigma={"sigma": 1, 2: -1}))
    assert found["own"] is None
    assert len(found["leaves"]) == 1
    assert found["leaves"][0].startswith(r"B.thm2: \hat{C}\geq 4")


def test_a_prescribed_constant_is_not_moved():
    found = _find("textbook.gradient_descent_convex", own(beta={"beta": 1, 2: -1}))
    assert found["leaves"] == ["T.gd.convex prescribes eta = 1/L, here 1; the code has 0.5"]


def test_an_input_moves_by_its_factor():
    found = _find("textbook.stochastic_gradient_descent", own(sigma={"sigma": 1, "beta": -1}))
    q = 1 - 0.5 * 0.1
    assert found["own"] == pytest.approx(q**100 * 4 + 0.25 * (1 - q**100) / (1 - q**2), rel=1e-12)
    assert found["constants"] == {"sigma": [0.5, 1.0]}


def test_a_constant_that_no_example_has_is_shown_with_its_value():
    found = _find("dp_fedavg.theorem_5.general", own(sigma={"sigma": 1, "r": -0.5}))
    assert found["at"]["r"] == 10
    assert found["constants"]["rho"] == pytest.approx([0.1, 0.1 / sqrt(10)])


def test_a_refuted_theorem_gets_the_bound_of_its_amended_form():
    found = _find("fed_norm_ec.theorem_1.main", own(gamma={"gamma": 1, 2: -1}))
    amended = bounds.get("fed_norm_ec.theorem_1.main", "amended")
    half = amended.example | {"gamma": amended.example["gamma"] / 2}
    assert (found["variant"], found["not_printed"]) == ("amended", "the printed form is false (conclusion)")
    assert found["printed"] == float(amended.evaluate(**amended.example).value)
    assert found["own"] == float(amended.evaluate(**half).value)


@pytest.mark.parametrize(
    ("statement", "constant", "said"),
    [
        ("textbook.gradient_descent_convex", "beta", None),
        ("dp_fedavg.theorem_2", "sigma", None),  # its printed proof is broken, and a certificate proves it
        ("fedavg_lojasiewicz.lemma_f1", "eta", "the proof of the printed form is broken (D.F1.s4)"),
    ],
)
def test_a_theorem_without_an_amended_form_keeps_the_printed_bound(statement, constant, said):
    found = _find(statement, own(**{constant: {2: 1, constant: 1}}))
    assert (found["variant"], found["not_printed"]) == ("printed", said)


@pytest.mark.parametrize(
    ("statement", "conversion"),
    [
        ("dp_fedavg.algorithm_1", SCALED_DIFFERENCE),
        ("dp_fedavg.claims.bias", SCALED_DIFFERENCE),
        ("als_dpfl.lemma_4", own(sigma={"sigma": 1, "B": 1})),
        ("fed_norm_ec.theorem_1.main", say_in_words("replace gamma by gamma/T in line 6")),
    ],
)
def test_nothing_is_computed_where_no_constant_of_the_statement_moves(statement, conversion):
    assert _find(statement, conversion) is None
