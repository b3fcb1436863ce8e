"""privacy calibrate, epsilon, implied: numbers with their facts, refusals with their reasons."""

import csv
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Fedbounds = Callable[..., Any]
Misused = Callable[..., str]

SHAPE = ["--delta", "1e-5", "--relation", "add-or-remove"]
FIFTH = [*SHAPE, "--rounds", "500", "--sampling", "independent:0.2"]
WHOLE = [*SHAPE, "--rounds", "500", "--sampling", "full", "--accountant", "exact"]


def test_calibrate_states_every_fact(fedbounds: Fedbounds) -> None:
    shape = [*SHAPE, "--rounds", "20", "--sampling", "independent:0.2"]
    done = fedbounds("privacy", "calibrate", "--epsilon", "1", *shape, "--json")
    assert done.code == 0
    cost = fedbounds("privacy", "epsilon", "--sigma", done.json["sigma"], *shape, "--json").json["epsilon"]
    assert 0.999 < cost == done.json["epsilon"] <= 1
    assert [done.json[name] for name in ("delta", "relation", "unit", "accountant")] == [
        1e-5,
        "add-or-remove",
        "client",
        "pld",
    ]
    assert done.json["sampling_assumed"]["text"] == "independent with probability 0.2"
    assert done.json["sampling_implemented"] is None
    assert "noise up" in done.json["rounding"]
    assert "pessimistic" in done.json["rounding"]


def test_a_page_has_the_facts_too(fedbounds: Fedbounds) -> None:
    done = fedbounds("privacy", "calibrate", "--epsilon", "5", *WHOLE, "--unit", "record")
    assert done.code == 0
    for word in (
        "epsilon 5 ",
        "delta 1e-05",
        "add-or-remove",
        "record",
        "assumed full",
        "no run",
        "exact",
        "up",
    ):
        assert word in done.out, word


def test_a_shown_epsilon_is_rounded_up(fedbounds: Fedbounds) -> None:
    words = ["privacy", "epsilon", "--sigma", "30", *WHOLE]
    found, page = fedbounds(*words, "--json").json["epsilon"], fedbounds(*words).out
    shown = float(page.split("epsilon ", 1)[1].split()[0])
    assert found <= shown < found * (1 + 1e-5)


def test_rounds_for_a_noise(fedbounds: Fedbounds) -> None:
    words = [
        "--epsilon",
        "2",
        "--sigma",
        "8",
        *SHAPE,
        "--sampling",
        "full",
        "--accountant",
        "exact",
        "--json",
    ]
    body = fedbounds("privacy", "calibrate", *words).json
    assert body["found"] == "rounds"
    assert body["epsilon"] <= 2
    more = ["--sigma", "8", "--rounds", body["rounds"] + 1, *SHAPE, "--sampling", "full"]
    assert fedbounds("privacy", "epsilon", *more, "--accountant", "exact", "--json").json["epsilon"] > 2


def test_no_round_at_all_is_refused(fedbounds: Fedbounds) -> None:
    words = ["--epsilon", "0.1", "--sigma", "1", *SHAPE, "--sampling", "full", "--accountant", "exact"]
    done = fedbounds("privacy", "calibrate", *words, "--json")
    assert (done.code, done.json["refused"]) == (3, True)
    assert "single round" in done.json["reason"]


def test_replacing_costs_as_half_the_noise(fedbounds: Fedbounds) -> None:
    words = ["--delta", "1e-5", "--rounds", "10", "--sampling", "full", "--json"]
    for accountant in ("exact", "rdp", "pld"):
        replaced = ["--sigma", "8", "--relation", "replace-one", "--accountant", accountant]
        removed = ["--sigma", "4", "--relation", "add-or-remove", "--accountant", accountant]
        one, other = (fedbounds("privacy", "epsilon", *w, *words).json for w in (replaced, removed))
        assert one["epsilon"] == pytest.approx(other["epsilon"], rel=1e-9)
        assert (one["sigma"], one["sigma_over_sensitivity"]) == (8, 4)


def test_the_convention_of_a_paper(fedbounds: Fedbounds) -> None:
    words = ["privacy", "calibrate", "--epsilon", "5", *WHOLE, "--paper", "dp_fedavg.theorem_2"]
    body = fedbounds(*words, "--clients", "50", "--clip", "2", "--json").json
    rows = {row["symbol"]: row for row in body["conventions"]}
    assert rows["sigma"]["value"] == pytest.approx(body["sigma"] * 2 / 50, rel=1e-12)
    assert rows["rho"]["value"] is None
    assert rows["rho"]["reason"] == "needs --dimension"
    page = fedbounds(*words, "--clients", "50", "--clip", "2")
    assert f"sigma = {rows['sigma']['value']:.6g}" in page.out
    assert "s C / r" in page.out
    assert "(needs --dimension)" in page.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--placement", "clients"], "how many clients were drawn"),
        (["--accountant", "exact"], "full participation"),
        (["--spread", "total"], "the dimension"),
    ],
)
def test_refusals(fedbounds: Fedbounds, words: list[str], said: str) -> None:
    asked = ["privacy", "epsilon", "--sigma", "4", *FIFTH, *words]
    done = fedbounds(*asked, "--json")
    assert (done.code, done.json["refused"]) == (3, True)
    assert said in done.json["reason"]
    assert "epsilon" not in done.json
    page = fedbounds(*asked)
    assert (page.code, page.out) == (3, "")
    assert said in page.err


def test_fixed_size_is_not_counted_as_independent(fedbounds: Fedbounds) -> None:
    words = ["--sigma", "8", "--delta", "1e-5", "--rounds", "10", "--sampling", "fixed_size:20/100", "--json"]
    refused = fedbounds("privacy", "epsilon", *words, "--relation", "replace-one", "--accountant", "pld")
    assert (refused.code, "not independent" in refused.json["reason"]) == (3, True)
    bound = fedbounds("privacy", "epsilon", *words, "--relation", "replace-one")
    assert (bound.code, bound.json["sampling_assumed"]["rate"]) == (0, 0.2)
    assert bound.json["accountant"] == "rdp"


def test_implied_over_the_claimed_range(fedbounds: Fedbounds, tmp_path: Path) -> None:
    table, picture = tmp_path / "c.csv", tmp_path / "c.svg"
    words = ["privacy", "implied", "fed_norm_ec.corollary_1", *WHOLE, "--clients", "20"]
    body = fedbounds(*words, "--csv", table, "--plot", picture, "--json").json
    assert (body["symbol"], body["locator"]) == ("c", "A.disc.sigma")
    assert all(point["claimed"] for point in body["points"])
    assert body["smallest"] == min(point["constant"] for point in body["points"])
    assert body["largest"] == max(point["constant"] for point in body["points"])
    (row,) = body["drawn"]
    assert row["clients"] == 20
    assert row["constant"] == pytest.approx([body["smallest"] / 20**0.5, body["largest"] / 20**0.5])
    assert {"delta", "relation", "unit", "sampling_assumed", "accountant", "rounding"} <= body["facts"].keys()
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [float(row["constant"]) for row in rows] == [point["constant"] for point in body["points"]]
    assert picture.read_text().rstrip().endswith("</svg>")


def test_implied_at_points_of_ones_own(fedbounds: Fedbounds) -> None:
    words = ["als_dpfl", *SHAPE, "--rounds", "1", "--sampling", "full", "--accountant", "exact"]
    done = fedbounds("privacy", "implied", *words, "--epsilon", "0.5, 20")
    assert done.code == 0
    inside, outside = (
        line.split() for line in done.out.splitlines() if line.split()[:1] in (["0.5"], ["20"])
    )
    assert (inside[-1], outside[-1]) == ("yes", "no")
    assert float(inside[2]) < float(inside[3]) == float(outside[3]) < float(outside[2])
    assert "nothing depends on how many were drawn" in done.out.replace("\n  ", " ")


def test_a_round_without_clients_is_said(fedbounds: Fedbounds) -> None:
    words = ["dp_fedavg", *FIFTH, "--accountant", "rdp", "--epsilon", "5", "--clients", "5"]
    body = fedbounds("privacy", "implied", *words, "--json").json
    assert body["drawn"][0]["constant"] is None
    assert "no noise" in body["drawn"][0]["reason"]
    assert f"probability {0.8**5:.3g}" in body["listing"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["calibrate", "--epsilon", "5", *SHAPE, "--sampling", "full"], "--rounds to find the noise"),
        (["calibrate", "--epsilon", "5", *WHOLE, "--sigma", "3"], "--rounds to find the noise"),
        (["calibrate", "--epsilon", "0", *WHOLE], "epsilon must be in"),
        (["calibrate", "--epsilon", "nan", *WHOLE], "finite"),
        (["calibrate", "--epsilon", "5", *WHOLE, "--paper", "dp_fedavgs"], "did you mean dp_fedavg?"),
        (["calibrate", "--epsilon", "5", *WHOLE, "--clip", "-1"], "--clip must be > 0"),
        (["calibrate", "--epsilon", "5", *WHOLE, "--clients", "1.5"], "whole number"),
        (["epsilon", "--sigma", "0", *WHOLE], "--sigma must be > 0"),
        (["epsilon", *WHOLE], "--sigma"),
        (["epsilon", "--sigma", "1", "--delta", "2", *WHOLE[2:]], "delta must be in"),
        (["epsilon", "--sigma", "1", "--rounds", "0", *SHAPE, "--sampling", "full"], "--rounds must be"),
        (["epsilon", "--sigma", "1", "--rounds", "2", *SHAPE, "--sampling", "some"], "independent:P"),
        (["epsilon", "--sigma", "1", "--rounds", "2", *SHAPE, "--sampling", "independent:2"], "(0, 1]"),
        (["epsilon", "--sigma", "1", "--rounds", "2", *SHAPE, "--sampling", "fixed_size:9/3"], "not 9 of 3"),
        (["epsilon", "--sigma", "1", "--rounds", "2", "--delta", "0.1", "--sampling", "full"], "--relation"),
        (["implied", "fedavg_lojasiewicz", *WHOLE], "no paper with a noise formula"),
        (["implied", "dp_fedavg.theorem_99", *WHOLE], "no statement dp_fedavg.theorem_99"),
        (["implied", "dp_fedavg", *WHOLE, "--epsilon", "1,,2"], "must be a number"),
        (["implied", "dp_fedavg", *WHOLE, "--plot", "c.txt"], ".svg"),
    ],
)
def test_misuse(fedbounds: Fedbounds, words: list[str], said: str) -> None:
    for json in ([], ["--json"]):
        done = fedbounds("privacy", *words, *json)
        assert (done.code, done.out) == (2, "")
        assert said in done.err
        assert done.err.count("\n") == 1


@pytest.mark.parametrize("option", ["--csv", "--plot"])
def test_files_that_cannot_be_written(fedbounds: Fedbounds, tmp_path: Path, option: str) -> None:
    (tmp_path / "file").write_text("")
    words = ["privacy", "implied", "als_dpfl", *WHOLE, "--epsilon", "1"]
    done = fedbounds(*words, option, tmp_path / "file" / "c.svg")
    assert (done.code, done.out) == (2, "")
    assert "cannot write" in done.err.splitlines()[-1]


def test_without_the_extra_one_sentence(
    fedbounds: Fedbounds, misuse: Misused, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "dp_accounting", None)
    for words in (["calibrate", "--epsilon", "5"], ["epsilon", "--sigma", "4"]):
        said = misuse("privacy", *words, *FIFTH)
        assert "fedbounds[privacy]" in said
    assert fedbounds("privacy", "epsilon", "--sigma", "30", *WHOLE).code == 0


def test_help_loads_nothing_heavy(process: Callable[..., Any]) -> None:
    code = "import sys; from reports.command_line import run; run(sys.argv[1:]); print(*sys.modules)"
    for words in (["privacy", "--help"], ["privacy", "implied", "--help"]):
        out, err = process(*words, code=code).communicate(timeout=60)
        assert "accountant" in out + err
        assert not set(out.split()) & {"numpy", "scipy", "torch", "matplotlib", "bounds", "verify"}


def test_a_claimed_range_beyond_what_is_counted_is_told(misuse: Misused) -> None:
    words = ["--delta", "1e-5", "--rounds", "1e12", "--sampling", "independent:0.2"]
    said = misuse("privacy", "implied", "dp_fedavg", *words, "--relation", "add-or-remove")
    assert "at 1e+12 rounds the claimed range is beyond epsilon 100" in said
