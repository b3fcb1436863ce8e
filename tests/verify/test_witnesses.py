"""Every witness still refutes its statement, and what the ledger says of it is what it measures."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bounds
from bounds.finding import FindingClass
from verify import ledger
from verify.witness import Measured, all_witnesses, measured_on

WITNESSES = {(witness.statement, witness.step): witness for witness in all_witnesses()}
KEPT = {(entry["statement"], entry["step"]): entry for entry in ledger.kept()}
OF_STEPS = (FindingClass.PROOF_BROKEN, FindingClass.INTERPRETATION, FindingClass.TYPO)
OF_STATEMENTS = (FindingClass.FALSE, FindingClass.INTERPRETATION, FindingClass.INCONSISTENT)


@pytest.mark.parametrize("place", WITNESSES, ids=lambda p: p[1] or p[0])
def test_refutes_and_measures_what_is_kept(place: tuple[str, str]) -> None:
    witness, kept = WITNESSES[place], KEPT[place]
    now = witness.measure()
    assert now.refutes
    assert (now.left, now.right) == pytest.approx((kept["left"], kept["right"]), rel=1e-9, abs=1e-15)
    assert (kept["why"], kept["right_instead"]) == (witness.why, witness.right)
    assert kept["class"] == witness.grade.value


def test_the_ledger_has_one_line_for_each_witness() -> None:
    assert len(WITNESSES) == len(all_witnesses())
    assert KEPT.keys() == WITNESSES.keys()
    for (identity, step), witness in WITNESSES.items():
        found = [f for f in ledger.findings(bounds.get(identity)) if f.where in ("conclusion", "proof")]
        if step:
            (finding,) = (f for f in found if f.locator == step and f.where == "proof")
            assert finding.grade in OF_STEPS
        else:
            (finding,) = (f for f in found if f.where == "conclusion")
            assert finding.grade in OF_STATEMENTS
            # What is false under one reading of its words only is not called refuted.
            assert (finding.grade is FindingClass.FALSE) == (identity in ledger.refuted())
        assert finding.grade is witness.grade or identity in ledger.refutations()


def test_a_step_is_one_of_its_statement_and_of_every_other_that_displays_it() -> None:
    for (identity, step), witness in WITNESSES.items():
        if step:
            displays = [s.printed for s in bounds.get(identity).steps if s.locator == step]
            assert len(displays) > (witness.display or 0)
    (shared,) = {entry["step"] for entry in ledger.kept() if entry["step"] == "B.thm5.eq23"}
    holders = {s.id for s in bounds.statements() for f in ledger.findings(s) if f.locator == shared}
    assert holders == {s.id for s in bounds.statements() if shared in {t.locator for t in s.steps}}


def test_what_is_close_or_does_not_apply_refutes_nothing() -> None:
    above = Measured(left=1.0, right=0.5, applicable=True)
    assert above.refutes
    assert not replace(above, applicable=False).refutes
    assert not replace(above, right=1.0 - 1e-12).refutes
    assert not replace(above, left=0.1).refutes
    assert replace(above, left=0.1, equality=True).refutes


def test_a_right_statement_has_no_witness() -> None:
    """The same instance on the same lemma, within the limit on gamma that Lemma 9 has."""
    found = measured_on(
        "fed_norm_ec.lemma_8", gradients=[[lambda x: x] * 3], x=np.array([1.0]), f=0.5, f_inf=0.0,
        f_i_inf=np.array([-1.0]), f_ij_inf=np.full((1, 3), -1.0), gamma=0.5, L=1.0,
    )  # fmt: skip
    assert found.applicable
    assert not found.refutes


def test_recheck_agrees_and_sees_a_changed_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entries: list[dict[str, Any]] = json.loads(ledger.MEASURED.read_text())
    entries[0]["left"] *= 1.001
    changed = tmp_path / "witnesses.json"
    changed.write_text(json.dumps(entries))
    monkeypatch.setattr(ledger, "MEASURED", changed)
    ledger.kept.cache_clear()
    try:
        differing = [identity for identity, agrees, _ in ledger.recheck() if not agrees]
        assert differing == [entries[0]["statement"]]
    finally:
        ledger.kept.cache_clear()
