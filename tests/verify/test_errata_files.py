"""The errata files agree with the statements and the evidence, and one wrong table is one clear sentence."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import bounds
from bounds.discovery import adopt
from bounds.language.finding import FindingClass
from verify.audit import units
from verify.ledger import errata_check, witness_files, witnesses
from verify.records import errata
from verify.records.errata import AUDIT, FILE, BrokenErrata, Erratum, our_errata
from verify.worst_case.answer import worst
from verify.worst_case.document import SCHEMA

TABLE = """\
[[finding]]
statement = "dp_fedavg.lemma_3"
place = "B.lem3, conclusion"
class = "false"
matters = "a user of it for losses that are not convex is wrong"
why = "the gradient is not co-coercive"
right = "for convex f"
evidence = { witness = "statements.lemma_3" }
"""


def written(folder: Path, text: str) -> Path:
    file = folder / "dp_fedavg" / "errata.toml"
    file.parent.mkdir()
    file.write_text(text, encoding="utf-8")
    return file


def test_the_files_agree_with_the_statements() -> None:
    errata_check.check()


def test_a_table_is_read_as_it_stands(tmp_path: Path) -> None:
    (found,) = errata.read(written(tmp_path, TABLE), "dp_fedavg")
    assert (found.statement, found.locator, found.where) == ("dp_fedavg.lemma_3", "B.lem3", "conclusion")
    assert (found.step, found.line, found.label) == ("", "", "dp_fedavg.lemma_3")
    assert found.evidence == "dp_fedavg.statements.lemma_3"
    assert (found.display, found.also_at) == (None, ())


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('evidence = { witness = "statements.lemma_3" }\n', "", "must name one piece of evidence"),
        ('"statements.lemma_3" }', '"statements.lemma_3", cell = "a" }', "must name one piece of evidence"),
        ("{ witness =", "{ witnes =", "'witnes' is not a kind of evidence; did you mean witness?"),
        ('{ witness = "statements.lemma_3" }', '{ audit = "rates" }', "no audit is called 'rates'"),
        ('"statements.lemma_3" }', '"" }', "has no name for its witness"),
        ('"false"', '"fals"', "'fals' is not a class of finding; did you mean false?"),
        ('"false"', '"vacuous"', "evidence of kind 'witness' cannot prove class 'vacuous' here"),
        ('"false"', '"proof broken"', "cannot prove class 'proof broken' here"),
        (", conclusion", ", proof", "cannot prove class 'false' here"),
        (", conclusion", "", "a place is a locator and a part"),
        ('"dp_fedavg.lemma_3"\n', '"als_dpfl.lemma_3"\n', "is not a statement of dp_fedavg"),
        ('right = "for convex f"\n', "", "has no 'right'"),
        ('why = "the', 'reason = "the', "unknown key 'reason'"),
        ('matters = "a user of it for losses that are not convex is wrong"\n', "", "has no 'matters'"),
        ('"for convex f"', '["for convex f"]', "'right' must be one line of text"),
        ("evidence =", "display = -1\nevidence =", "'display' must be an index from 0 on"),
        ("evidence =", "display = true\nevidence =", "'display' must be an index from 0 on"),
        ("evidence =", 'also_at = "B.lem4"\nevidence =', "'also_at' must be a list of places"),
        ('why = "the gradient is not co-coercive"\n', "", "has no 'why'"),
        ("evidence = { witness", "display = 0\nevidence = { cell", "the cell gives what 'display' would say"),
    ],
)
def test_a_wrong_table_is_named_with_its_file(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    assert old in TABLE
    with pytest.raises(BrokenErrata) as refused:
        errata.read(written(tmp_path, TABLE.replace(old, new)), "dp_fedavg")
    assert str(refused.value).startswith("dp_fedavg/errata.toml, finding 1 (B.lem3")
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            TABLE + TABLE,
            "finding 2 (B.lem3, conclusion) repeats the place of dp_fedavg/errata.toml, finding 1",
        ),
        ("finding = 1", "must hold tables [[finding]] and nothing else"),
        ("[finding]", "must hold tables [[finding]] and nothing else"),
        ("finding = [1]", "finding 1 is not a table"),
        ("[[finding", "is not valid TOML"),
    ],
)
def test_a_wrong_file_is_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(BrokenErrata) as refused:
        errata.read(written(tmp_path, text), "dp_fedavg")
    assert sentence in str(refused.value)


def first(kind: str, **like: str) -> Erratum:
    return next(
        e for e in our_errata() if e.kind == kind and all(getattr(e, k) == v for k, v in like.items())
    )


STEP = first("witness", where="proof")
WHOLE = first("witness", where="conclusion")
CELL = first("cell")
FOLLOWS = first(AUDIT, evidence="follows")


@pytest.mark.parametrize(
    ("erratum", "changed", "sentence"),
    [
        (WHOLE, {"statement": "als_dpfl.lemma_99"}, "als_dpfl.lemma_99"),
        (WHOLE, {"place": "C.lem99, conclusion"}, "the locator of als_dpfl.lemma_2 is C.lem2"),
        (WHOLE, {"display": 99}, "none has index 99"),
        (WHOLE, {"place": "C.lem2, hypothesis C.lem2.h99"}, "not a condition of als_dpfl.lemma_2"),
        (WHOLE, {"evidence": "als_dpfl.statements.lemma_99"}, "no witness is called"),
        (STEP, {"place": "C.lem99.s1, proof"}, "prints 0 displays there"),
        (STEP, {"display": 99}, "none has index 99"),
        (
            CELL,
            {"evidence": "a calm day"},
            "cell 'a calm day' of als_dpfl.lemma_3.lemma is not in ledger.json",
        ),
        (FOLLOWS, {"place": "A.cor2, choice of nothing"}, "the audit 'follows' finds nothing there"),
        (FOLLOWS, {"grade": FindingClass.LOOSE}, "the audit proves class 'inconsistent', not 'loose'"),
    ],
)
def test_what_only_the_statements_can_refuse(
    erratum: Erratum, changed: dict[str, Any], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted = tuple(replace(e, **changed) if e is erratum else e for e in our_errata())
    for module in (errata_check, witnesses):
        monkeypatch.setattr(module, "our_errata", lambda: planted)
    with pytest.raises(BrokenErrata) as refused:
        errata_check.check()
    assert str(refused.value).startswith(erratum.source)
    assert sentence in str(refused.value)


def test_a_finding_that_is_removed_leaves_its_evidence_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    for removed, name in ((WHOLE, "als_dpfl.statements.lemma_2"), (CELL, "als_dpfl.lemma_3.lemma")):
        rest = tuple(e for e in our_errata() if e is not removed)
        for module in (errata_check, witnesses):
            monkeypatch.setattr(module, "our_errata", lambda rest=rest: rest)
        with pytest.raises(BrokenErrata, match=f"no finding names .*{name}"):
            errata_check.check()
        monkeypatch.undo()


def test_a_witness_without_numbers_on_file_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errata_check.refuted, "measurements", lambda: {})
    with pytest.raises(
        BrokenErrata, match=r"no measurement of als_dpfl\.statements\.lemma_2 is on file; run"
    ):
        errata_check.check()


FORGED = Erratum(
    source="errata.toml: [[finding]] 1",
    statement="textbook.gradient_descent_convex",
    place="T.gd.convex, conclusion",
    grade=FindingClass.FALSE,
    kind=FILE,
    evidence="f.json",
    short="",
    matters="it is used everywhere",
    why="of a forged file",
    right="nothing",
    display=None,
    also_at=(),
)


def test_a_counterexample_to_what_a_certificate_proves_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """However it was made, one of the two is wrong; without a certificate nothing contradicts it."""
    monkeypatch.setattr(errata_check, "registered", lambda: {"textbook": "bounds.papers.textbook"})
    monkeypatch.setattr(witness_files, "confirmed", lambda _: None)
    with pytest.raises(BrokenErrata, match="gradient_descent_convex is proved, by a certificate that holds"):
        errata_check.check_tables([FORGED])
    monkeypatch.setattr("verify.proofs.store.on_file", lambda _: None)
    errata_check.check_tables([FORGED])


@pytest.mark.parametrize(
    "erratum", [e for e in our_errata() if e.evidence == "units" and e.right], ids=lambda e: e.place
)
def test_the_words_for_an_audit_of_units_are_those_of_its_finding(erratum: Erratum) -> None:
    place = erratum.locator, erratum.where
    (found,) = (f for f in units.audit(bounds.get(erratum.statement)) if (f.locator, f.where) == place)
    assert (found.right, found.matters) == (erratum.right, erratum.matters)


def half_of_a_theorem() -> str:
    """Half the tight bound of gradient descent on convex functions, which is false at every point."""
    true = bounds.get("textbook.gradient_descent_convex")
    terms = tuple(replace(term, expression=term.expression / 2) for term in true.terms)
    return adopt(replace(true, terms=terms, id="textbook.half")).id


def test_a_file_of_worst_is_evidence_if_it_refutes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("clarabel", reason="worst cases are solved with clarabel, of the extra tight")
    false, point = half_of_a_theorem(), {"L": Fraction(1), "N": Fraction(1), "D0": Fraction(1)}
    monkeypatch.setattr(witness_files, "folder_of", lambda paper: tmp_path)

    def names(statement: str, **changed: Any) -> Erratum:
        document = {"schema": SCHEMA} | worst(statement, point).document | changed
        text = json.dumps({key: value for key, value in document.items() if value != "cut"}, default=float)
        (tmp_path / "worst.json").write_text(text)
        return replace(WHOLE, statement=statement, kind="file", evidence="worst.json")

    found = witness_files.replayed(names(false))
    assert found.agrees
    assert found.right == pytest.approx(1 / 12)
    assert found.left == pytest.approx(1 / 6, rel=1e-6)
    assert found.seen.startswith("exact: an instance attains 0.1666666")
    true = "textbook.gradient_descent_convex"
    for statement, changed in ((true, {}), (true, {"verdict": "violated"}), (false, {"bound": 0.5})):
        with pytest.raises(BrokenErrata, match=r"worst\.json does not replay"):
            witness_files.confirmed.__wrapped__(names(statement, **changed))
    with pytest.raises(BrokenErrata, match=r"is changed or cut"):
        witness_files.replayed(names(false, given="cut"))
    with pytest.raises(BrokenErrata, match=r"is about textbook"):
        witness_files.replayed(replace(names(true), statement=false))
