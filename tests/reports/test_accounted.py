"""eval --accountant: the constant is the one at which the paper's rule gives the accountant's noise."""

from collections.abc import Callable
from math import log, sqrt
from typing import Any

import pytest

Fedbounds = Callable[..., Any]
Misuse = Callable[..., str]

COUNTED = ["--accountant", "exact", "--relation", "add-or-remove"]
# 100 of 100 clients, so that the exact formula counts; K counts from 0 in A and from 1 in B
OF_A = [
    "K=499",
    "L=1",
    "f0_gap=1",
    "M=100",
    "B_hat=100",
    "epsilon=5",
    "delta=1e-6",
    "d=100",
    "c_R=1",
    "c_O=1",
    "c_O_sampling=1",
    "c_O_step=1",
]
OF_B = ["n=100", "d=100", "K=500", "E=1", "L=1", "D0=1", "C_hat=4", "epsilon=5", "delta=1e-6", "alpha=1"]
OF_B += ["Delta_star_mean=0.1", "Delta_star_max=0.2"]
MULTIPLIER = 21.9146  # full participation, 500 rounds, epsilon 5, delta 1e-6


def test_the_noise_of_every_client_of_the_first_paper(fedbounds: Fedbounds) -> None:
    rate = ["eval", "fed_norm_ec.corollary_1.rate", "--variant", "amended"]
    body = fedbounds(*rate, "--set", *OF_A, *COUNTED, "--json").json
    privacy, derived = body["privacy"], {d["name"]: d["value"] for d in body["derived"]}
    assert privacy["guarantee"]["sigma"] == pytest.approx(MULTIPLIER, abs=1e-4)
    # the amended form reads sigma_DP per coordinate, and 100 noises add up to 10 times one: sigma = s/10
    assert derived["sigma_DP"] == pytest.approx(MULTIPLIER / 10, abs=1e-5)
    assert privacy["constant"]["name"] == "c"
    assert privacy["constant"]["value"] == pytest.approx(MULTIPLIER / 10 * 5 / sqrt(500 * log(1e6)), rel=1e-5)
    assert privacy["guarantee"]["rounds"] == 500
    assert privacy["guarantee"]["epsilon"] <= 5
    assert "aggregated" in privacy["placement"]


def test_rho_of_the_second_paper(fedbounds: Fedbounds) -> None:
    shape = [*COUNTED, "--sampling", "full", "--json"]
    body = fedbounds("eval", "dp_fedavg.theorem_2", "--set", *OF_B, *shape).json
    derived = {d["name"]: d["value"] for d in body["derived"]}
    assert derived["rho"] == pytest.approx(MULTIPLIER / 100 * sqrt(100 / 500), rel=1e-5)
    assert body["privacy"]["constant"]["value"] == pytest.approx(1.738, abs=1e-3)
    assert [c["symbol"] for c in body["privacy"]["conventions"] if c["used"]] == ["sigma"]


def test_the_conversion_is_printed(fedbounds: Fedbounds) -> None:
    rate = ["eval", "fed_norm_ec.corollary_6", "--variant", "amended"]
    page = fedbounds(*rate, "--set", *OF_A, "Delta_i_inf_mean=1", "T=2", "gamma=1/4", *COUNTED)
    for word in ("c = 0.1318", "s / sqrt(p M)", "this one sets the constant", "exact", "500", "client"):
        assert word in " ".join(page.out.split()), word


def test_what_nothing_counts_is_refused(fedbounds: Fedbounds) -> None:
    sampled = [*COUNTED[:2], "--relation", "replace-one", "--sampling", "fixed_size:10/100"]
    done = fedbounds("eval", "dp_fedavg.theorem_2", "--set", *OF_B, *sampled)
    assert done.code == 3
    assert "the exact formula counts full participation" in done.err
    body = fedbounds("eval", "dp_fedavg.theorem_2", "--set", *OF_B, *sampled, "--json")
    assert body.code == 3
    assert body.json["value"] is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["dp_fedavg.theorem_2", "--set", *OF_B, *COUNTED], "--sampling"),
        (
            ["dp_fedavg.theorem_2", "--set", *OF_B, "--accountant", "exact", "--sampling", "full"],
            "--relation",
        ),
        (["dp_fedavg.theorem_2", "--set", *OF_B, "--sampling", "full"], "--accountant"),
        (["dp_fedavg.theorem_2", "--set", *OF_B, "q=1", *COUNTED, "--sampling", "full"], "q is given"),
        (["fed_norm_ec.theorem_1.main", "--set", "L=1", *COUNTED], "leaves no constant"),
        (["fed_norm_ec.corollary_1.rate", "--set", *OF_A[1:], *COUNTED], "needs K"),
        (["fed_norm_ec.corollary_1.rate", "--set", *OF_A, *COUNTED, "--sampling", "independent:0.5"], "rate"),
        (["fed_norm_ec.corollary_1.rate", "--set", *OF_A, *COUNTED, "--dimension", "-3"], "--dimension"),
    ],
)
def test_misuse_is_one_sentence(misuse: Misuse, words: list[str], said: str) -> None:
    assert said in misuse("eval", *words)


@pytest.mark.parametrize(
    ("identity", "unit", "relation", "rate", "deviation"),
    [
        ("fed_norm_ec.noise_rule", "client", None, "p", "sigma_DP"),
        ("dp_fedavg.theorem_1", "client", None, "r/n", "r*sigma"),
        ("als_dpfl.gaussian_mechanism", "record", "replace-one", "1", "sigma_mechanism"),
    ],
)
def test_show_tells_what_is_asserted_and_what_is_not_said(
    fedbounds: Fedbounds, identity: str, unit: str, relation: str | None, rate: str, deviation: str
) -> None:
    rule = fedbounds("show", identity, "--json").json["mechanism"]
    found = (rule["unit"], rule["relation"], rule["rate"], rule["deviation"])
    assert found == (unit, relation, rate, deviation)
    assert ("not stated" in fedbounds("show", identity).out) == (relation is None)


def test_a_statement_without_noise_asserts_no_privacy(fedbounds: Fedbounds) -> None:
    assert fedbounds("show", "textbook.gradient_descent_convex", "--json").json["mechanism"] is None


def test_verify_records_what_a_private_run_kept(fedbounds: Fedbounds) -> None:
    asked = ["--epsilon", "2", "--delta", "1e-6", "--relation", "replace-one", "--accountant", "rdp"]
    done = fedbounds("verify", "dp_fedavg.theorem_2", "--quick", *asked, "--json")
    kept = [cell["privacy"] for cell in done.json["cells"] if "privacy" in cell]
    assert len(kept) == 2  # the sum of the clients' noises is a Gaussian mechanism where one is replaced
    for privacy in kept:
        assert 1.9 < privacy["epsilon"] <= 2
        assert (privacy["delta"], privacy["relation"], privacy["accountant"]) == (1e-6, "replace-one", "rdp")
        assert privacy["sampling_implemented"]["kind"] == "full"
