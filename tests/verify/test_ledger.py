"""The ledger: every entry replays, no standard cell that refutes is missing, each sentence has evidence."""

import pytest

import bounds
from bounds.discovery import variants
from bounds.finding import FindingClass, Verdict
from verify import ledger, record
from verify.run import decides, verify


def test_every_entry_replays_to_a_violation() -> None:
    data = record.read(ledger.FILE)
    assert all(cell["verdict"] == "violated" for cell in data["cells"])
    assert all(r.agrees for r in record.replay(data)), [r.sentence for r in record.replay(data)]


def test_the_ledger_holds_exactly_what_the_standard_cells_refute() -> None:
    refuted = {r.cell.statement for r in verify() if r.verdict is Verdict.VIOLATED and decides(r)}
    assert refuted == set(ledger.refutations()) == set(ledger.RIGHT)


@pytest.mark.parametrize("identity", ledger.RIGHT)
def test_a_refuted_statement_has_one_finding_of_class_false(identity: str) -> None:
    (finding,) = (f for f in ledger.findings(bounds.get(identity)) if f.where == "conclusion")
    assert finding.grade is FindingClass.FALSE
    assert finding.statement == identity


def test_others_have_none() -> None:
    assert ledger.findings(bounds.get("textbook.gradient_descent_convex")) == ()


def test_every_sentence_has_evidence_that_runs_again() -> None:
    """What `findings` says of a statement is among what `recheck` runs, and agrees."""
    rechecked: dict[str, bool] = {}
    for identity, agrees, _ in ledger.recheck():
        rechecked[identity] = rechecked.get(identity, True) and agrees
    steps = {entry["step"]: entry["statement"] for entry in ledger.kept() if entry["step"]}
    for statement in bounds.statements():
        for finding in ledger.findings(statement):
            source = steps.get(finding.locator, statement.id) if finding.where == "proof" else statement.id
            assert rechecked[source], finding.id


def test_no_textbook_statement_is_found_graver_than_loose() -> None:
    from verify import dimension, rate, substitution

    grave = list(FindingClass)[: list(FindingClass).index(FindingClass.LOOSE)]
    for statement in bounds.statements("textbook"):
        found = (
            *ledger.findings(statement),
            *dimension.audit(statement),
            *rate.audit(statement),
            *substitution.audit(statement),
        )
        assert [f for f in found if f.grade in grave] == []


def test_an_amended_form_has_none() -> None:
    for statement in bounds.statements():
        for variant in variants(statement.id)[1:]:
            assert ledger.findings(variant) == ()
