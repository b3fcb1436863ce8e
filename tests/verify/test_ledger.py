"""The ledger of refutations: every entry replays, and it misses no standard cell that refutes."""

import pytest

import bounds
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
    (finding,) = ledger.findings(bounds.get(identity))
    assert finding.grade is FindingClass.FALSE
    assert finding.statement == identity


def test_others_have_none() -> None:
    assert ledger.findings(bounds.get("textbook.gradient_descent_convex")) == ()
