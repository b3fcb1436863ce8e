"""verify and replay on lemmas that are tried on objects, and on forms of a statement."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bounds
from reports.cli.counterexample import lines_of

Fedbounds = Callable[..., Any]
LEMMA, CELLS = "fed_norm_ec.lemma_4", "textbook.gradient_descent_convex"


def test_a_lemma_stands_in_the_record_beside_the_cells(
    fedbounds: Fedbounds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = fedbounds("verify", CELLS, LEMMA, "--quick", "--out", tmp_path, "--json")
    assert done.code == 0
    assert re.search(rf"^{len(done.json['cells']) + 1} results in \d+\.\d s$", done.err, re.MULTILINE)
    (entry,) = done.json["properties"]
    assert (entry["id"], entry["kind"], entry["verdict"]) == (LEMMA, "property", "holds")
    assert sum(entry["families"].values()) == entry["cases"] > 100
    assert entry["worst"]["objects"]["f"] != "a function"
    assert {cell["id"] for cell in done.json["cells"]} == {CELLS}
    assert done.json["summary"]["standings"][LEMMA].startswith(f"proved ({entry['cases']} cases")
    again = fedbounds("replay", tmp_path, "--json")
    assert (again.code, again.json["agrees"], len(again.json["properties"])) == (0, True, 1)
    told = fedbounds("verify", CELLS, LEMMA, "--quick", "--out", tmp_path)
    assert f"1 statement tried on objects, {entry['cases']} cases: 1 holds" in told.out
    monkeypatch.setattr(bounds, "statements", lambda *_: (bounds.get(CELLS), bounds.get(LEMMA)))
    assert fedbounds("report", tmp_path).code == 0


@pytest.mark.slow("the audit and the pictures of every statement; the first test reports on two")
def test_the_report_of_a_lemma_has_every_installed_statement(fedbounds: Fedbounds, tmp_path: Path) -> None:
    assert fedbounds("verify", LEMMA, "--quick", "--out", tmp_path).code == 0
    assert fedbounds("report", tmp_path).code == 0
    page = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert [s.id for s in bounds.statements() if s.id not in page] == []


def test_a_false_lemma_is_1(fedbounds: Fedbounds) -> None:
    done = fedbounds("verify", "als_dpfl.claims.jensen", "--quick")
    assert done.code == 1
    assert "als_dpfl.claims.jensen: refuted" in done.out


def test_problem_and_algorithm_leave_lemmas_out(fedbounds: Fedbounds) -> None:
    done = fedbounds("verify", CELLS, LEMMA, "--quick", "--algorithm", "gradient_descent", "--json")
    assert done.json["properties"] == []
    assert done.json["cells"] != []


def test_variants(fedbounds: Fedbounds) -> None:
    for asked, variants in (
        ((), ["printed", "amended"]),
        (("--variant", "printed"), ["printed"]),
        (("--variant", "amended"), ["amended"]),
    ):
        done = fedbounds("verify", "fed_norm_ec.lemma_2", "--quick", *asked, "--json")
        assert [entry["variant"] for entry in done.json["properties"]] == variants
    # a lemma without an amended form
    for wrong, said in (("typed", "must be printed or amended"), ("amended", "nothing to run")):
        refused = fedbounds("verify", LEMMA, "--quick", "--variant", wrong)
        assert refused.code == 2
        assert said in refused.err


@pytest.mark.parametrize("seed", [1, 2])
def test_equal_seeds_try_equal_objects(fedbounds: Fedbounds, seed: int) -> None:
    first, second = (
        fedbounds("verify", LEMMA, "--quick", "--json", "--seed", seed).json["properties"] for _ in range(2)
    )
    assert first == second


def test_what_the_ledger_refutes_stands_so_everywhere(fedbounds: Fedbounds, tmp_path: Path) -> None:
    """Lemma 4 is refuted by a witness; the objects of a quick run do not show it."""
    identity = "als_dpfl.lemma_4"
    done = fedbounds("verify", identity, "--variant", "printed", "--quick", "--out", tmp_path, "--json")
    assert {entry["verdict"] for entry in done.json["properties"]} == {"holds"}
    assert done.json["summary"]["standings"] == {identity: "refuted"}
    assert done.code == 1
    assert f"{identity}: refuted" in fedbounds("verify", identity, "--quick", "--out", tmp_path).out
    assert "refuted" in fedbounds("list", identity, "--record", tmp_path).out


def test_a_record_from_elsewhere_may_hold_anything_as_a_counterexample() -> None:
    for strange in (None, 3, "lines", {}, {"lines": 1}, {"lines": [1, None]}):
        assert lines_of(strange) == []
