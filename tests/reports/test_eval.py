"""eval: the numbers, what is said beside them, and the exit code."""

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import bounds
from bounds.language.finding import Finding, FindingClass
from verify.ledger import true_form

Fedbounds = Callable[..., Any]

ID = "dp_fedavg.theorem_2"
CONVEX = "textbook.gradient_descent_convex"
MAIN = ["fed_norm_ec.theorem_1.main", "--variant", "printed"]
AT_MAIN = ["M=10", "K=9", "T=2", "L=1", "f0_gap=1", "Delta_inf=1"]
AT_MAIN += ["eta=0.01", "beta=0.1", "p=1/2", "sigma_DP=0", "R=1"]


def test_the_value_is_that_of_the_library(fedbounds: Fedbounds, theorem_2: list[str]) -> None:
    given = {w.split("=")[0]: w.split("=")[1] for w in theorem_2} | {"rho": "0.05"}
    evaluation = bounds.get(ID).evaluate(**{name: float(v) for name, v in given.items()})
    done = fedbounds("eval", ID, "--set", *theorem_2, "--json")
    assert done.code == 0
    assert done.json["value"] == evaluation.value
    assert done.json["condition_number"] == evaluation.condition_number
    assert {t["name"]: t["value"] for t in done.json["terms"]} == evaluation.terms
    assert sum(t["share"] for t in done.json["terms"]) == pytest.approx(1)
    assert [c["margin"] for c in done.json["conditions"]] == [c.margin for c in evaluation.conditions]
    assert {d["name"]: d["value"] for d in done.json["derived"]} == evaluation.derived


def test_set_in_all_its_spellings(fedbounds: Fedbounds) -> None:
    spellings = [
        ["--set", "L=1", "D0=2", "N=10"],
        ["--set", "L=1", "--set", "D0=2", "--set", "N=10"],
        ["--set=L=1", "--set=D0=2", "--set", "N=1e1"],
        ["--set", "L=3/3", "D0=2.0", "N=10", "--set"],
    ]
    values = {fedbounds("eval", CONVEX, *words, "--json").json["value"] for words in spellings[:3]}
    assert values == {4 / 42}


def test_a_fraction_is_rounded_once(fedbounds: Fedbounds) -> None:
    inputs = fedbounds("eval", CONVEX, "--set", "L=1/3", "D0=0.1/0.3", "N=10", "--json").json["inputs"]
    assert inputs == {"L": 1 / 3, "D0": 1 / 3, "N": 10}


@pytest.mark.parametrize("text", ["1/3/4", "2/1/2", "1//2", "1/2/"])
def test_two_lines_of_a_fraction_are_refused(text: str, fedbounds: Fedbounds) -> None:
    """1/3/4 could be 1/12 or 4/3."""
    done = fedbounds("eval", CONVEX, "--set", f"L={text}", "D0=1", "N=10")
    assert done.code == 2
    assert f"not {text!r}" in " ".join(done.err.split())


def test_the_page(fedbounds: Fedbounds, theorem_2: list[str]) -> None:
    done = fedbounds("eval", ID, "--set", *theorem_2, "--elasticities")
    text = " ".join(done.out.split())
    for told in (
        "Value 0.406625 F an upper bound of",
        "applicable: every condition holds",
        "condition number 6.81",
        "initialization 0.40625 99.9%",
        "at most: unclipped_delta by its free bound",
        "150.00% inside the limit",
        "eta 0.0125 prescribed, B.thm2",
        "Elasticities",
    ):
        assert told in text


def test_not_applicable_is_3_and_names_the_condition(fedbounds: Fedbounds, theorem_2: list[str]) -> None:
    words = [w for w in theorem_2 if not w.startswith("Delta_star_max")] + ["Delta_star_max=1"]
    done = fedbounds("eval", ID, "--set", *words, "--json")
    assert (done.code, done.json["applicable"]) == (3, False)
    assert "B.thm2.threshold (C_hat >= " in done.json["why_not"][0]
    page = fedbounds("eval", ID, "--set", *words)
    assert page.code == 3
    assert "no claim: a condition fails" in page.out
    assert "FAILS" in page.out


def test_an_undecided_condition_is_3_and_names_what_it_needs(fedbounds: Fedbounds) -> None:
    done = fedbounds("eval", *MAIN, "--set", *AT_MAIN, "--json")
    assert (done.code, done.json["applicable"]) == (3, None)
    open_ = [c for c in done.json["conditions"] if c["holds"] is None]
    assert [c["missing"] for c in open_] == [["alpha"], ["alpha"]]
    assert "it needs alpha" in fedbounds("eval", *MAIN, "--set", *AT_MAIN).out


def test_findings_and_edges_stand_beside_the_value(fedbounds: Fedbounds) -> None:
    """The page has what follows from the gravest two of the statement itself; the document has all."""
    asked = ["eval", *MAIN, "--set", *AT_MAIN, "alpha=1"]
    done, found = fedbounds(*asked), fedbounds(*asked, "--json").json["findings"]
    assert done.code == 0
    assert "no private noise" in done.out
    notes = " ".join(done.out.partition("Notes\n")[2].split())
    gravest, other = (entry for entry in found if entry["locator"] == "A.thm1" and entry["matters"])
    assert gravest["class"] == "false"
    for entry in (gravest, other):
        assert f"{entry['matters'].rstrip('.')} ({entry['class']}, A.thm1)" in notes
    assert ("inconsistent", "A.thm1.h4") in {(entry["class"], entry["locator"]) for entry in found}
    assert f"{len(found) - 2} more findings, and the evidence: fedbounds errata {MAIN[0]}" in notes


def test_a_tie_is_marked(fedbounds: Fedbounds) -> None:
    words = ["D0=1", "K=2", "eta=1", "mu=1", "L=1", "sigma=1"]
    done = fedbounds("eval", "textbook.stochastic_gradient_descent", "--set", *words, "--json")
    ties = [c["tie"] for c in done.json["conditions"]]
    assert (done.code, ties) == (0, [True, True])
    assert (
        "at the limit, which counts"
        in fedbounds("eval", "textbook.stochastic_gradient_descent", "--set", *words).out
    )


def test_an_order_constant_that_is_not_set_gives_null(fedbounds: Fedbounds) -> None:
    words = ["L=1", "M=10", "B_hat=5", "c=1", "d=10", "delta=1e-5", "epsilon=1"]
    words += ["f0_gap=1", "K=10", "c_R=2", "c_O_sampling=1", "c_O_step=1"]
    rate = ["eval", "fed_norm_ec.corollary_1.rate", "--variant", "amended", "--set", *words]
    done = fedbounds(*rate, "--json")
    assert (done.code, done.json["value"]) == (3, None)
    assert "c_O" in done.json["reason"]
    assert "null" in fedbounds(*rate).out
    assert fedbounds(*rate, "c_O=1", "--json").json["value"] > 0


def test_no_finite_value_is_null_with_a_reason(fedbounds: Fedbounds) -> None:
    done = fedbounds("eval", CONVEX, "--set", "L=1e300", "D0=1e300", "N=1", "--json")
    assert (done.code, done.json["value"]) == (3, None)
    assert "infinite" in done.json["reason"]
    assert "infinite" in fedbounds("eval", CONVEX, "--set", "L=1e300", "D0=1e300", "N=1").out


@pytest.mark.parametrize(
    ("setting", "why"),
    [
        ("eta=25 mu=0.1 sigma=0.5 D0=2", "has no slope in K"),  # q = -1.5: no power between whole ones
        ("eta=0.5 mu=0.1 sigma=0 D0=0", "is zero"),
    ],
)
def test_a_condition_number_that_is_none_says_why(fedbounds: Fedbounds, setting: str, why: str) -> None:
    words = ["L=1", "K=3", *setting.split()]
    done = fedbounds("eval", "textbook.stochastic_gradient_descent", "--set", *words, "--json").json
    assert done["condition_number"] is None
    assert done["reason"] == f"condition_number is null: the value {why}"


def test_outside_the_reals_nothing_breaks(fedbounds: Fedbounds) -> None:
    words = ["D0=1", "K=1", "eta=9", "mu=1", "L=1", "sigma=0"]
    assert (
        fedbounds("eval", "textbook.stochastic_gradient_descent", "--set", *words, "--json").json[
            "applicable"
        ]
        is False
    )


@pytest.mark.parametrize("name", ["c.json", "c.toml"])
def test_constants(fedbounds: Fedbounds, tmp_path: Path, name: str) -> None:
    """Both forms; --set wins; what the statement has no use for is left aside, and said so."""
    content = {
        "c.json": json.dumps({"L": {"value": 2, "lower": 1, "upper": 3}, "D0": 1.5, "N": 7, "zeta": 1}),
        "c.toml": "D0 = 1.5\nN = 7\nzeta = 1\n[L]\nvalue = 2\n",
    }[name]
    (tmp_path / name).write_text(content)
    done = fedbounds("eval", CONVEX, "--constants", tmp_path / name, "--set", "N=10", "--json")
    assert done.json["inputs"] == {"L": 2, "D0": 1.5, "N": 10}
    assert "no use for zeta" in done.err


def test_a_derived_constant_is_used_only_without_its_sources(fedbounds: Fedbounds, tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    common = {
        "M": 10,
        "K": 9,
        "T": 2,
        "L": 1,
        "f0_gap": 1,
        "Delta_inf": 1,
        "eta": 0.01,
        "beta": 0.1,
        "R": 1,
        "alpha": 1,
    }
    file.write_text(json.dumps(common | {"B": 5}))
    assert fedbounds("eval", *MAIN, "--constants", file, "--json").json["inputs"]["B"] == 5
    file.write_text(json.dumps(common | {"B": 5, "p": 0.5, "sigma_DP": 0}))
    assert "B" not in fedbounds("eval", *MAIN, "--constants", file, "--json").json["inputs"]
    assert fedbounds("eval", *MAIN, "--constants", file, "--set", "B=5", "--json").json["inputs"]["B"] == 5


def test_a_grid_of_points(fedbounds: Fedbounds, tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text("\ufeffN, D0\n10,1\n\n20,1/2\n", encoding="utf-8")
    done = fedbounds("eval", CONVEX, "--set", "L=1", "--grid", tmp_path / "g.csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert done.code == 0
    assert [float(r["value"]) for r in rows] == [1 / 42, 0.25 / 82]
    assert [r["applicable"] for r in rows] == ["true", "true"]
    assert [(r["N"], r["D0"], r["reason"]) for r in rows] == [("10", "1", ""), ("20", "0.5", "")]


def test_a_product_of_axes(fedbounds: Fedbounds, tmp_path: Path) -> None:
    (tmp_path / "g.toml").write_text('N = [1, 10]\nD0 = {start = 1, stop = 100, num = 3, spacing = "log"}\n')
    rows = fedbounds("eval", CONVEX, "--set", "L=1", "--grid", tmp_path / "g.toml", "--json").json["rows"]
    assert [(r["point"]["N"], round(r["point"]["D0"])) for r in rows] == [
        (1, 1), (1, 10), (1, 100), (10, 1), (10, 10), (10, 100)
    ]  # fmt: skip
    expected = [bounds.get(CONVEX).evaluate(L=1, **r["point"]).value for r in rows]
    assert [r["value"] for r in rows] == pytest.approx(expected)


def test_a_grid_that_is_partly_outside(fedbounds: Fedbounds, tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text("eta\n0.5\n3\n")
    words = ["D0=1", "K=3", "mu=1", "L=1", "sigma=1"]
    grid = ["textbook.stochastic_gradient_descent", "--set", *words, "--grid", tmp_path / "g.csv"]
    done = fedbounds("eval", *grid)
    assert done.code == 3
    assert "1 of 2 points" in done.err
    assert [r["applicable"] for r in fedbounds("eval", *grid, "--json").json["rows"]] == [True, False]


def test_a_grid_with_an_open_condition(fedbounds: Fedbounds, tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text("K\n9\n99999\n")
    words = [w for w in AT_MAIN if not w.startswith("K=")]
    rows = fedbounds("eval", *MAIN, "--set", *words, "--grid", tmp_path / "g.csv", "--json").json["rows"]
    assert [r["applicable"] for r in rows] == [None, False]
    assert "needs alpha" in rows[0]["reason"]


def test_an_amended_form_is_used_unless_printed_is_asked_for(
    fedbounds: Fedbounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = bounds.get(CONVEX)
    doubled = tuple(replace(t, expression=2 * t.expression) for t in printed.terms)
    amended = replace(printed, variant="amended", terms=doubled)
    monkeypatch.setattr(true_form, "variants", lambda identity: (printed, amended))
    false = planted(printed, FindingClass.FALSE)
    monkeypatch.setattr(true_form, "findings", lambda statement: (false,) if statement is printed else ())
    words = ["--set", "L=1", "D0=1", "N=10"]
    true = fedbounds("eval", CONVEX, *words, "--json").json
    assert (true["variant"], true["value"]) == ("amended", 2 / 42)
    assert "amended" in true["note"]
    assert "--variant printed overrides" in " ".join(fedbounds("eval", CONVEX, *words).out.split())
    plain = fedbounds("eval", CONVEX, *words, "--variant", "printed", "--json").json
    assert (plain["variant"], plain["value"], plain["note"]) == ("printed", 1 / 42, None)
    loose = planted(printed, FindingClass.LOOSE)
    monkeypatch.setattr(true_form, "findings", lambda statement: (loose,))
    assert fedbounds("eval", CONVEX, *words, "--json").json["variant"] == "printed"


def planted(statement: bounds.Statement, grade: FindingClass) -> Finding:
    return Finding(
        id="planted",
        statement=statement.id,
        locator=statement.locator,
        grade=grade,
        where="conclusion",
        printed="",
        right="",
        evidence="planted",
    )


@pytest.mark.parametrize(
    ("identity", "variant", "said"),
    [
        ("fedavg_lojasiewicz.theorem_f2", "amended", "the printed form is false (conclusion)"),
        ("fedavg_lojasiewicz.theorem_f4", "amended", "the proof of the printed form is broken (D.F4.s2)"),
        ("fed_norm_ec.lemma_2", "printed", None),  # amended in a step of its proof only: a typo
        ("textbook.gradient_descent_convex", "printed", None),  # has no amended form
    ],
)
def test_the_amended_form_is_taken_where_a_finding_takes_the_ground_from_the_printed_one(
    identity: str, variant: str, said: str | None
) -> None:
    statement, note = true_form.trusted(identity, None)
    assert statement.variant == variant
    assert (note is None) == (said is None)
    assert said is None or said in str(note)
    assert true_form.trusted(identity, "printed") == (bounds.get(identity), None)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["eval", "fed_norm_ec.theorem_1.main", "--set", "L=1"], "the printed one does without gamma"),
        (["eval", "dp_fedavg.theorem_4", "--set", "L=1"], "the printed one does without r"),
        (["eval", "als_dpfl.lemma_6", "--set", "omega_lemma_6=1"], "only the printed one has omega_lemma_6"),
    ],
)
def test_what_only_the_amended_form_asks_is_told_of_it(
    misuse: Callable[..., str], words: list[str], said: str
) -> None:
    told = misuse(*words)
    assert f"the amended form is evaluated, and {said}: --variant printed overrides" in told
    assert "overrides" not in misuse(*words, "--variant", "amended")  # who names a form knows of it


def test_what_both_forms_ask_is_no_matter_of_the_form(misuse: Callable[..., str]) -> None:
    for words in (
        ["dp_fedavg.theorem_4", "--set", "r=2"],
        ["fed_norm_ec.theorem_1.main", "--set", "gamma=1"],
    ):
        assert "amended" not in misuse("eval", *words)
    assert "amended" not in misuse("eval", "fed_norm_ec.theorem_1.main", "--set", "x=1")


def test_over_a_grid_the_form_is_told_too(misuse: Callable[..., str], tmp_path: Path) -> None:
    grid = tmp_path / "grid.csv"
    grid.write_text("L\n1\n2\n")
    assert "does without gamma" in misuse("eval", "fed_norm_ec.theorem_1.main", "--grid", grid)


@pytest.mark.parametrize("identity", [CONVEX, ID, "fed_norm_ec.theorem_1.main", "fed_norm_ec.lemma_1"])
def test_the_example_is_a_point_of_the_form_that_is_evaluated(fedbounds: Fedbounds, identity: str) -> None:
    """The command that `show` prints works as it stands."""
    (command,) = re.findall(r"fedbounds (eval \S+ --example)", fedbounds("show", identity).out)
    done = fedbounds(*command.split(), "--json")
    assert (done.code, done.json["applicable"]) == (0, True)
    statement = bounds.get(identity, done.json["variant"])
    assert done.json["inputs"] == dict(statement.example)
    assert f"at {next(iter(statement.example))}=" in fedbounds(*command.split()).out


def test_set_overrides_the_example(fedbounds: Fedbounds) -> None:
    assert (
        fedbounds("eval", CONVEX, "--example", "--set", "L=1", "D0=2", "N=10", "--json").json["value"]
        == 4 / 42
    )


def test_without_an_example_there_is_one_sentence(fedbounds: Fedbounds, tmp_path: Path) -> None:
    silent = next(s.id for s in bounds.statements() if not (s.evaluable and s.example))
    done = fedbounds("eval", silent, "--example")
    assert (done.code, done.out) == (2, "")
    assert "has no example" in done.err
    assert fedbounds("show", silent, "--json").json["example"] is None
    assert "--example" not in fedbounds("show", silent).out
    axes = tmp_path / "axes.toml"
    axes.write_text("N = [1, 2]\n")
    done = fedbounds("eval", CONVEX, "--example", "--grid", axes)
    assert (done.code, done.out) == (2, "")
    assert "keep one" in done.err
