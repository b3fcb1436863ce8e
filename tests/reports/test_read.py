"""list, show, cite, audit, errata: what is said about a statement without computing."""

import json
import sys
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from latex2mathml.converter import convert

import bounds
from bounds import discovery
from bounds.errors import BrokenPaper
from reports import recorded_findings
from reports.command_line import VERBS
from verify.proofs.store import is_proved
from verify.records.refuted import refuted

Fedbounds = Callable[..., Any]
Misuse = Callable[..., str]

EMPTY = ("dp_fedavg.proposition_1", "dp_fedavg.equation_11", "dp_fedavg.equation_11_rule")
IDENTITIES = [statement.id for statement in bounds.statements()]


def test_every_verb_has_a_summary_a_module_and_a_schema() -> None:
    here = Path(str(files("reports")))
    no_verbs = {"__init__", "options", "several_searches"}
    modules = {path.stem for path in (here / "verbs").glob("*.py")} - no_verbs
    schemas = {path.stem for path in (here / "schemas").glob("*.json")}
    assert modules == set(VERBS)
    own = {"eval-grid", "plan-ranking", "privacy-calibrate", "privacy-epsilon", "privacy-implied", "record"}
    own |= {"falsify-several", "falsify-study", "study-merge", "study-show", "study-table"}
    assert schemas == (set(VERBS) - {"privacy", "study"}) | own


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself(fedbounds: Fedbounds, verb: str) -> None:
    first = {"new": ["theorem"], "privacy": ["calibrate"], "compare": ["bounds"], "study": ["show"]}
    done = fedbounds(verb, *first.get(verb, []), "--help")
    assert (done.code, done.err) == (0, "")
    assert "--json" in done.out


def test_list_has_every_statement_on_one_line(fedbounds: Fedbounds) -> None:
    lines = fedbounds("list").out.splitlines()
    assert [line.split()[0] for line in lines] == IDENTITIES
    assert all(_standing(line.split()[0]) in line for line in lines)


def _standing(identity: str) -> str:
    statement = bounds.get(identity)
    known = "proved" if is_proved(statement) else "unchecked"
    known = "vacuous" if identity in EMPTY else known
    return "refuted" if identity in refuted() else known


def test_list_json(fedbounds: Fedbounds) -> None:
    rows = fedbounds("list", "--json").json["statements"]
    assert [row["id"] for row in rows] == IDENTITIES
    assert {row["id"] for row in rows if row["standing"] == "refuted"} == set(refuted())
    assert {row["standing"] for row in rows} == {"proved", "refuted", "vacuous", "unchecked"}


@pytest.mark.parametrize(
    ("identity", "note"),
    [
        ("fedavg_lojasiewicz.theorem_f4", "verify runs it"),
        ("fedavg_lojasiewicz.definitions.power", "claims nothing"),
        ("fed_norm_ec.corollary_1.rate", "verify runs fed_norm_ec.corollary_1.explicit"),
        ("als_dpfl.claims.trivial", "audit says what tests it"),
    ],
)
def test_list_says_what_would_test_a_statement(fedbounds: Fedbounds, identity: str, note: str) -> None:
    (row,) = fedbounds("list", identity, "--json").json["statements"]
    assert (row["standing"], row["note"]) == ("unchecked", note)
    assert f"unchecked ({note})" in fedbounds("list", identity).out


def test_every_verb_says_that_a_statement_is_vacuous(fedbounds: Fedbounds) -> None:
    """Its certificate proves what only trivial problems meet, and the objects that were drawn meet it not."""
    identity = "dp_fedavg.proposition_1"
    assert fedbounds("list", identity, "--json").json["statements"][0]["standing"] == "vacuous"
    assert "vacuous: no problem" in fedbounds("show", identity).out
    assert fedbounds("prove", identity, "--json").json["standing"] == "vacuous"
    verified = fedbounds("verify", identity, "--quick", "--json").json
    assert verified["summary"]["standings"] == {identity: "vacuous"}
    printed, amended = verified["properties"]
    assert (printed["verdict"], printed["cases"]) == ("vacuous", 0)
    assert (amended["verdict"], amended["cases"] > 0) == ("holds", True)


def test_verify_knows_the_certificate_of_an_amended_form(fedbounds: Fedbounds) -> None:
    done = fedbounds("verify", "fed_norm_ec.lemma_9.c2", "--quick")
    assert "fed_norm_ec.lemma_9.c2: refuted; amended: proved (" in done.out


def test_list_and_show_forget_a_certificate_of_another_form(
    fedbounds: Fedbounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    identity = "fed_norm_ec.lemma_6"
    assert fedbounds("list", identity, "--json").json["statements"][0]["standing"] == "proved"
    monkeypatch.setattr("verify.proofs.store.form_of", lambda _: "0123456789abcdef")
    row = fedbounds("list", identity, "--json").json["statements"][0]
    assert (row["standing"], row["note"]) == ("unchecked", "verify runs it")
    assert "open: no counterexample and no proof" in fedbounds("show", identity).out


def test_list_takes_papers_modules_and_ids(fedbounds: Fedbounds) -> None:
    def listed(*names: str) -> list[str]:
        return [row["id"] for row in fedbounds("list", *names, "--json").json["statements"]]

    assert listed("textbook") == [i for i in IDENTITIES if i.startswith("textbook.")]
    theorem = ["fed_norm_ec.theorem_1.main", "fed_norm_ec.theorem_1.appendix"]
    assert listed("fed-norm-ec/theorem-1", theorem[0]) == theorem


def test_list_searches_words_that_are_no_id(fedbounds: Fedbounds) -> None:
    """As docs/errors.md says under F001; an id that is nearly one is still told the nearest."""
    rows = fedbounds("list", "last", "iterate", "exponent", "--json").json["statements"]
    found = [row["id"] for row in rows]
    assert "fedavg_lojasiewicz.theorem_f2" in found
    assert all(identity.startswith("fedavg_lojasiewicz.") for identity in found)
    assert "als_dpfl.optimal_tau" in fedbounds("list", "optimal_tau").out
    refused = fedbounds("list", "dp_fedavg.theorm_2")
    assert refused.code == 2
    assert "did you mean dp_fedavg.theorem_2" in refused.err
    assert fedbounds("list", "zebra").code == 2


def test_standings_come_from_a_record(fedbounds: Fedbounds, record: Path) -> None:
    rows = {
        r["id"]: r["standing"] for r in fedbounds("list", "--record", record, "--json").json["statements"]
    }
    assert rows["textbook.gradient_descent_convex"].startswith("proved (")
    assert rows["fed_norm_ec.corollary_6"].startswith("unchecked")
    assert rows["fed_norm_ec.lemma_4"] == "proved"


@pytest.mark.sampled
@pytest.mark.parametrize("identity", IDENTITIES)
def test_show_json(fedbounds: Fedbounds, identity: str) -> None:
    statement = bounds.get(identity)
    shown = fedbounds("show", identity, "--json").json
    assert shown["printed"] == list(statement.printed)
    assert [c["id"] for c in shown["conditions"]] == [c.id for c in statement.conditions]
    known = {q["name"] for q in shown["quantities"]}
    assert {s.name for s in statement.right.free_symbols} <= known | statement.notation.observables.keys()


@pytest.mark.sampled
@pytest.mark.parametrize("columns", [50, 80])
@pytest.mark.parametrize("identity", IDENTITIES)
def test_show_has_everything_and_fits(
    fedbounds: Fedbounds, monkeypatch: pytest.MonkeyPatch, identity: str, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    statement = bounds.get(identity)
    done = fedbounds("show", identity, "--steps")
    assert done.code == 0
    for formula in (
        *statement.printed,
        *(c.printed for c in statement.conditions),
        *(s.printed for s in statement.steps),
    ):
        for line in formula.splitlines():
            assert line in done.out, "a pipe gets the LaTeX whole, so that it can be searched"
    text = " ".join(done.out.split())
    for told in (statement.reading, *statement.other_readings, *(e.sentence for e in statement.edges)):
        assert " ".join(told.split()) in text
    printed = ("\\", *statement.printed, *(s.printed for s in statement.steps))
    prose = [line for line in done.out.splitlines() if not any(mark in line for mark in printed)]
    # One word, like a long id, is not broken.
    assert max(len(line) for line in prose if len(line.split()) > 1) <= columns


def test_reconstructed_assumptions_are_marked(fedbounds: Fedbounds) -> None:
    done = fedbounds("show", "fedavg_lojasiewicz.lemma_f3")
    assert done.out.count("[RECONSTRUCTED]") == 4


def test_free_bounds_on_the_right_are_told(fedbounds: Fedbounds) -> None:
    right = fedbounds("show", "dp_fedavg.theorem_2").out.split("Right-hand side")[1]
    assert "unclipped_delta" in right
    assert "free bound Delta_star_mean" in right


@pytest.mark.parametrize(
    ("option", "folded"),
    [
        ("--related", "rho is not fed_norm_ec.rho"),
        ("--evidence", "witness: 1.5, where at most 1 is claimed"),
        ("--steps", "Steps of the proof"),
    ],
)
def test_long_parts_are_shown_on_request(fedbounds: Fedbounds, option: str, folded: str) -> None:
    brief, full = (fedbounds("show", "dp_fedavg.theorem_2", *more) for more in ([], [option]))
    assert folded in full.out
    assert folded not in brief.out
    assert f"fedbounds show dp_fedavg.theorem_2 {option}" in brief.out
    assert f"fedbounds show dp_fedavg.theorem_2 {option}" not in full.out
    assert len(brief.out.splitlines()) < 140


def test_formulas_alone(fedbounds: Fedbounds) -> None:
    latex = fedbounds("show", "textbook.gradient_descent_convex", "--format", "latex").out
    assert latex == "f(x_{N})-f^{*}\\leq\\frac{LD_{0}^{2}}{4N+2}\n"
    assert convert(latex)
    mathml = fedbounds("show", "textbook.gradient_descent_convex", "--format", "mathml").out
    assert mathml.startswith("<math ")
    assert "<mfrac>" in mathml
    both = fedbounds("show", "textbook.gradient_descent_convex", "--format", "mathml", "--json").json
    assert both["mathml"] == [mathml.rstrip("\n")]


def test_cite(fedbounds: Fedbounds) -> None:
    statement = bounds.get("dp_fedavg.theorem_2")
    done = fedbounds("cite", "dp-fedavg/theorem-2")
    assert done.out == f"{statement.paper.bibtex}\n"
    assert "B.thm2" in done.err
    assert fedbounds("cite", statement.id, "--json").json["bibtex"] == statement.paper.bibtex


def test_a_bound_of_ours_is_not_taken_for_one_of_the_paper(fedbounds: Fedbounds) -> None:
    ours = [s for s in bounds.statements() if s.derived_from]
    assert [s.id for s in ours] == ["als_dpfl.best_aggregation"]
    assert all(bounds.get(s.derived_from).paper is s.paper for s in ours)
    shown = " ".join(fedbounds("show", ours[0].id).out.split())
    assert f"derived by fedbounds from {ours[0].derived_from}, and not printed in the paper" in shown
    assert "Printed" not in shown
    assert "does not print it" in fedbounds("cite", ours[0].id).err


@pytest.mark.slow("audits a whole paper")
def test_audit_finds_what_the_audit_of_units_finds(fedbounds: Fedbounds) -> None:
    done = fedbounds("audit", "textbook", "fed_norm_ec.theorem_1.main", "--json")
    assert done.code == 0, "findings are results, not failures"
    audited = {s["id"]: s for s in done.json["statements"] if s["variant"] == "printed"}
    assert audited["textbook.gradient_descent_convex"]["dimension"] == "consistent"
    assert audited["fed_norm_ec.theorem_1.main"]["dimension"] == "inconsistent"
    assert all(s["satisfiable"]["verdict"] == "satisfiable" for s in audited.values())
    assert audited["textbook.gradient_descent_convex"]["informative"]["from_on"] == {"N": 1}
    assert "A.thm1.h4" in fedbounds("audit", "fed_norm_ec.theorem_1.main").out


def test_errata_tell_a_shared_defect_once(fedbounds: Fedbounds) -> None:
    findings = fedbounds("errata", "fed_norm_ec", "--json").json["findings"]
    shared = [f for f in findings if f["locator"] == "A.alg1" and f["where"] == "condition A.alg1"]
    assert len(shared) == 1
    assert {"fed_norm_ec.theorem_1.main", "fed_norm_ec.theorem_1.appendix"} <= set(shared[0]["statements"])
    assert "A.alg1" in fedbounds("errata").out
    assert fedbounds("errata", "textbook", "--json").json["findings"] == []


def test_errata_tell_a_term_without_its_unit_once_and_each_refutation_by_itself(fedbounds: Fedbounds) -> None:
    findings = fedbounds("errata", "als_dpfl", "--json").json["findings"]
    (floor,) = [f for f in findings if f["evidence"].endswith("sqrt(3)/3 is 1")]
    assert {"als_dpfl.control_objective", "als_dpfl.optimal_tau"} < set(floor["statements"])
    assert floor["locator"] == "C.thm2"
    refuted = [f for f in findings if f["locator"] == "C.thm2" and f["class"] == "false"]
    assert {f["statement"] for f in refuted} == {
        "als_dpfl.theorem_2.theorem_omega",
        "als_dpfl.theorem_2.lemma_6_omega",
    }
    assert len({f["evidence"] for f in refuted}) == 2


def test_doctor(fedbounds: Fedbounds) -> None:
    told = fedbounds("doctor", "--json").json
    assert told["healthy"]
    assert sum(paper["statements"] for paper in told["papers"]) == len(IDENTITIES)
    assert "Healthy" in fedbounds("doctor").out


def test_doctor_tells_what_is_missing(fedbounds: Fedbounds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reports.verbs.doctor.CORE", ("sympy", "no-such-package"))
    done = fedbounds("doctor", "--json")
    assert done.code == 1
    assert json.loads(done.out)["missing"] == ["no-such-package"]


@pytest.fixture
def a_broken_paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installed paper, `its_author`, with one file."""
    file = tmp_path / "its_author" / "theorem_1.py"
    file.parent.mkdir()
    (file.parent / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    packages = {"its_author": "its_author", "textbook": "bounds.papers.textbook"}
    monkeypatch.setattr(discovery, "_packages", lambda: packages)
    monkeypatch.setattr(recorded_findings, "registered", lambda: {"its_author": "its_author"})
    _forget_the_paper()  # another test may have had one of this name
    yield file
    _forget_the_paper()


def _forget_the_paper() -> None:
    discovery._modules.cache_clear()
    discovery._members.cache_clear()
    discovery._left_out.clear()
    discovery._broken.clear()
    for name in ("its_author", "its_author.theorem_1"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1\nx = no_such_name\n", "line 2: NameError: name 'no_such_name' is not defined"),
        ("x = (\n", "line 1: SyntaxError: '(' was never closed"),
        ("import no_such_module\n", "line 1: ModuleNotFoundError: No module named 'no_such_module'"),
        ("import sys\nsys.exit(0)\n", "line 2: SystemExit: 0"),
        ("from bounds.language.statement import Statement\nx = Statement()\n", "line 2: TypeError: "),
        ("raise AssertionError\n", "line 1: AssertionError: without a word"),
    ],
)
def test_a_broken_file_of_an_author_is_not_a_defect_of_fedbounds(
    fedbounds: Fedbounds, a_broken_paper: Path, text: str, said: str
) -> None:
    a_broken_paper.write_text(text, encoding="utf-8")
    sentence = f"the paper its_author of the package its_author cannot be loaded: {a_broken_paper}"
    for words in (["audit", "its_author"], ["show", "its_author"], ["cite", "its_author.theorem_1"]):
        done = fedbounds(*words)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1), done
        assert sentence in done.err
        assert said in done.err
    for words in (["list"], ["errata"], ["list", "textbook"]):
        done = fedbounds(*words)
        assert done.code == 0
        assert "textbook.gradient_descent_convex" in done.out or words == ["errata"]
        assert (done.err.count("\n"), sentence in done.err, said in done.err) == (1, True, True), done.err


def test_a_broken_file_has_the_same_reason_whenever_it_is_asked_for(a_broken_paper: Path) -> None:
    """The table of symbols that it fills, and does not empty, would be its second reason."""
    (a_broken_paper.parent / "__init__.py").write_text(
        "from bounds.language.quantity import Notation\nN = Notation()\n"
    )
    symbol = 'N.observable("o", "o", "o", Dimension(0, 0), Over.LAST)\n'
    imports = "from its_author import N\nfrom bounds.language.quantity import Over\n"
    imports += "from bounds.language.dimension import Dimension\n"
    a_broken_paper.write_text(f"{imports}{symbol}x = no_such_name\n", encoding="utf-8")
    for _ in range(2):
        with pytest.raises(BrokenPaper, match="line 5: NameError"):
            discovery.variants("its_author.theorem_1")


def test_doctor_tells_of_a_broken_paper_and_goes_on(fedbounds: Fedbounds, a_broken_paper: Path) -> None:
    a_broken_paper.write_text("x = (", encoding="utf-8")
    done = fedbounds("doctor", "--json")
    assert (done.code, done.json["broken"], done.json["healthy"]) == (1, ["its_author"], False)
    broken, fine = done.json["papers"]
    assert str(a_broken_paper) in broken["reason"]
    assert fine["statements"] > 3
    assert "Papers that cannot be loaded: its_author" in fedbounds("doctor").out


@pytest.mark.slow("the audit of a paper three times, once on a cluster that is started")
def test_an_audit_does_not_depend_on_its_place(fedbounds: Fedbounds) -> None:
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    alone = fedbounds("audit", "textbook", "--json").json
    for words in (["--workers", "2"], ["--on", "dask", "--workers", "2"]):
        assert fedbounds("audit", "textbook", *words, "--json").json == alone


def test_an_audit_at_an_unknown_place_is_refused(misuse: Misuse) -> None:
    assert "no place is named nowhere" in misuse("audit", "textbook", "--on", "nowhere")
    assert "--workers must be an integer from 1 to 256" in misuse("audit", "textbook", "--workers", "0")
