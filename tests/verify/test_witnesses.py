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

WITNESSES = {witness.statement: witness for witness in all_witnesses()}


@pytest.mark.parametrize("identity", WITNESSES)
def test_refutes_and_measures_what_is_kept(identity: str) -> None:
    now, kept = WITNESSES[identity].measure(), ledger.measured()[identity]
    assert now.refutes
    assert (now.left, now.right) == pytest.approx((kept["left"], kept["right"]), rel=1e-9, abs=1e-15)
    assert (kept["why"], kept["right_instead"]) == (WITNESSES[identity].why, WITNESSES[identity].right)


def test_the_ledger_has_one_line_for_each_witness() -> None:
    assert len(WITNESSES) == len(all_witnesses())
    assert ledger.measured().keys() == WITNESSES.keys()
    for identity in WITNESSES:
        (finding,) = ledger.findings(bounds.get(identity))
        assert finding.grade in (FindingClass.FALSE, FindingClass.INTERPRETATION)
        # What is false under one reading of its words only is not called refuted.
        assert (finding.grade is FindingClass.FALSE) == (identity in ledger.refuted())


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
    assert all(agrees for _, agrees, _ in ledger.recheck())
    entries: list[dict[str, Any]] = json.loads(ledger.MEASURED.read_text())
    entries[0]["left"] *= 1.001
    changed = tmp_path / "witnesses.json"
    changed.write_text(json.dumps(entries))
    monkeypatch.setattr(ledger, "MEASURED", changed)
    ledger.measured.cache_clear()
    try:
        differing = [identity for identity, agrees, _ in ledger.recheck() if not agrees]
        assert differing == [entries[0]["statement"]]
    finally:
        ledger.measured.cache_clear()
