"""The papers' constants at the accountant's noise, what their listings make of them, and their conventions.

Every noise is recomputed here from the printed formula, with the constant put back in.
"""

from math import inf, log, sqrt

import pytest

from bounds.errors import UnknownStatement
from verify.privacy.accountants import Accountant
from verify.privacy.conventions import CONVENTIONS, Convention, Scale, convert
from verify.privacy.errors import BadRequest
from verify.privacy.formulas import FORMULAS, Target, formula
from verify.privacy.implied import implied, no_client, of_listing, over_claimed_range
from verify.privacy.mechanism import FixedSize, Full, Independent, Relation, Sampling

QUARTER, FIFTH = Independent(probability=0.25), Independent(probability=0.2)


def target(epsilon: float, delta: float, rounds: int, sampling: Sampling) -> Target:
    return Target(epsilon=epsilon, delta=delta, rounds=rounds, sampling=sampling)


@pytest.mark.parametrize(
    ("sigma", "at", "c"),
    [
        (4.096, target(5, 1e-5, 500, FIFTH), "1.350"),
        (21.9146, target(5, 1e-6, 500, Full()), "1.318"),
        (2.732, target(8, 1e-5, 300, QUARTER), "1.488"),
    ],
)
def test_reference_constants(sigma: float, at: Target, c: str) -> None:
    assert f"{FORMULAS['fed_norm_ec'].constant(sigma, at):.3f}" == c
    assert FORMULAS["dp_fedavg"].constant(sigma, at) == pytest.approx(
        FORMULAS["fed_norm_ec"].constant(sigma, at) ** 2, rel=1e-12
    )


def test_equation_5_with_its_q_gives_the_noise_back() -> None:
    n, r, rounds, clip, epsilon, delta = 5000, 1000, 500, 250.0, 5.0, 1e-5
    q = FORMULAS["dp_fedavg"].constant(4.096, target(epsilon, delta, rounds, FIFTH))
    sigma = sqrt(q * rounds * clip**2 * log(1 / delta) / (n**2 * epsilon**2))  # of the server's average
    assert r * sigma / clip == pytest.approx(4.096, rel=1e-12)


def test_points_of_the_claimed_range_and_others() -> None:
    theorem = FORMULAS["dp_fedavg"]
    grid = over_claimed_range(theorem, 1e-5, 500, FIFTH)
    assert all(theorem.claims(point) for point in grid)
    assert 0.9 < max(point.epsilon for point in grid) / (0.2**2 * 500) < 1
    assert not theorem.claims(target(20.1, 1e-5, 500, FIFTH))
    classical = FORMULAS["als_dpfl"]
    assert all(classical.claims(point) for point in over_claimed_range(classical, 1e-5, 1, Full()))
    for outside in (target(1, 1e-5, 1, Full()), target(0.5, 1e-5, 2, Full()), target(0.5, 1e-5, 1, FIFTH)):
        assert not classical.claims(outside)


def test_the_printed_limit_of_the_classical_formula_is_enough_where_claimed() -> None:
    classical = FORMULAS["als_dpfl"]
    points = [*over_claimed_range(classical, 1e-5, 1, Full()), target(20, 1e-5, 1, Full())]
    found = list(implied(classical, points, Relation.ADD_OR_REMOVE, Accountant.EXACT))
    limit = sqrt(2 * log(1.25 / 1e-5))
    assert [point.printed_limit for point in found] == [limit] * len(found)
    assert [point.constant <= limit for point in found] == [True] * (len(found) - 1) + [False]
    assert [point.claimed for point in found] == [True] * (len(found) - 1) + [False]


def test_listings_that_add_a_noise_per_client() -> None:
    """A: each drawn client adds the whole s, m of them s sqrt(m). B: s/sqrt(r) each, so s sqrt(m/r)."""
    few, mean, many = of_listing(FORMULAS["fed_norm_ec"], QUARTER, 400)
    assert (mean.clients, mean.when) == (100, "expected")
    assert few.clients < mean.clients < many.clients
    for row in (few, mean, many):
        assert row.noise_over_formula == pytest.approx(sqrt(row.clients), rel=1e-15)
        assert row.noise_over_formula * row.constant_over_implied == pytest.approx(1, rel=1e-15)
    few, mean, many = of_listing(FORMULAS["dp_fedavg"], QUARTER, 400)
    assert (mean.noise_over_formula, mean.constant_over_implied) == (1, 1)
    for row in (few, many):
        assert row.noise_over_formula == pytest.approx(sqrt(row.clients / 100), rel=1e-15)
        # q goes with the square of the noise
        assert row.noise_over_formula**2 * row.constant_over_implied == pytest.approx(1, rel=1e-15)


def test_the_number_that_is_drawn_varies_only_under_independent_sampling() -> None:
    for sampling, drawn in ((Full(), 50), (FixedSize(drawn=7, units=50), 7)):
        (row,) = of_listing(FORMULAS["fed_norm_ec"], sampling, 50)
        assert (row.clients, row.when) == (drawn, "always")
        assert no_client(sampling, 50) == 0
    assert no_client(FIFTH, 3) == pytest.approx(0.8**3, rel=1e-15)
    (few, *_) = of_listing(FORMULAS["fed_norm_ec"], FIFTH, 3)
    assert (few.clients, few.noise_over_formula, few.constant_over_implied) == (0, 0, inf)
    assert of_listing(FORMULAS["als_dpfl"], FIFTH, 3) == ()


def test_formulas_by_paper_or_statement() -> None:
    for name in ("fed_norm_ec", "fed-norm-ec/corollary-1", "fed_norm_ec.noise_rule"):
        assert formula(name).locator == "A.disc.sigma"
    with pytest.raises(BadRequest, match="did you mean dp_fedavg"):
        formula("dp_fedavgs")
    with pytest.raises(UnknownStatement):
        formula("dp_fedavg.theorem_99")


# ---- conventions: the noise of the sum is rebuilt from what the paper's symbol says

M, D, C, B, K, RATE, S = 80, 50, 3.0, 16, 300, 0.25, 2.732
WHOLE = Scale(rate=RATE, rounds=K, clients=M, dimension=D, contribution=C, batch=B)


def test_sigma_dp_of_the_listing_rebuilds_the_sum() -> None:
    listed, listed_coordinate, total, coordinate = (row.value for row in convert("fed_norm_ec", S, WHOLE))
    assert None not in (listed, listed_coordinate, total, coordinate)
    # p M clients, each with E||z||^2 = sigma_DP^2: one coordinate of their sum has p M sigma_DP^2 / d
    assert sqrt(RATE * M * listed**2 / D) == pytest.approx(S, rel=1e-12)
    assert sqrt(RATE * M * listed_coordinate**2) == pytest.approx(S, rel=1e-12)
    assert sqrt(total**2 / D) == pytest.approx(S, rel=1e-12)
    assert coordinate == S


def test_sigma_and_rho_of_dp_fedavg_rebuild_the_sum() -> None:
    sigma, message, rho = (row.value for row in convert("dp_fedavg", S, WHOLE))
    assert None not in (sigma, message, rho)
    r, epsilon, delta = RATE * M, 8.0, 1e-5
    assert r * sigma / C == pytest.approx(S, rel=1e-12)  # the average times r, over C
    assert sqrt(r * message**2) / C == pytest.approx(S, rel=1e-12)  # r messages
    q = sigma**2 * M**2 * epsilon**2 / (K * C**2 * log(1 / delta))  # equation (5)
    assert rho == pytest.approx(sqrt(q * D * log(1 / delta)) / (M * epsilon), rel=1e-12)  # equation (3)


def test_sigma_of_als_dpfl() -> None:
    assert [row.value for row in convert("als_dpfl", S, WHOLE)] == [S, S * C / B, S * C]


def test_any_power_of_a_size_counts_as_it_is() -> None:
    powers = {"clients": 2.0, "dimension": 1.5, "batch": -3.0, "rounds": -0.5}
    found = Convention(symbol="sigma", reading="", text="", powers=powers).value(S, WHOLE)
    assert found == pytest.approx(S * M**2 * D**1.5 / B**3 / sqrt(K), rel=1e-12)


def test_what_is_missing_is_named() -> None:
    bare = Scale(rate=RATE, rounds=K, clients=None, dimension=None, contribution=None, batch=None)
    for paper, conventions in CONVENTIONS.items():
        rows = convert(paper, S, bare)
        assert [row.missing for row in rows] == [convention.needs for convention in conventions]
        assert [row.value is None for row in rows] == [bool(convention.needs) for convention in conventions]


def test_every_paper_with_a_formula_has_a_convention() -> None:
    assert CONVENTIONS.keys() == FORMULAS.keys()
    for rows in CONVENTIONS.values():
        assert any(row.named for row in rows)
