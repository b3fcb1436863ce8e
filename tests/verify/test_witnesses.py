"""Every witness still refutes its statement, and what the ledger says of it is what it measures."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import bounds
from bounds.language.finding import FindingClass
from verify.ledger import findings
from verify.ledger.witnesses import all_witnesses, measurement
from verify.records import refuted
from verify.witness import Measured, measured_on

WITNESSES = {witness.erratum.label: witness for witness in all_witnesses()}
OF_STEPS = (FindingClass.PROOF_BROKEN, FindingClass.LOOSE, FindingClass.INTERPRETATION, FindingClass.TYPO)
OF_LINES = (FindingClass.INCONSISTENT, FindingClass.LOOSE, FindingClass.INTERPRETATION, FindingClass.TYPO)
# A typo where the reading taken, as the proof has it, is another one than the display's.
OF_STATEMENTS = (
    *(FindingClass.FALSE, FindingClass.INTERPRETATION, FindingClass.INCONSISTENT),
    FindingClass.TYPO,
)


@pytest.mark.thinned(3)
@pytest.mark.parametrize("label", WITNESSES)
def test_refutes_and_measures_what_is_kept(label: str) -> None:
    witness = WITNESSES[label]
    now, kept = witness.measure(), measurement(witness.erratum)
    assert now.refutes
    assert (now.left, now.right) == pytest.approx((kept["left"], kept["right"]), rel=1e-9, abs=1e-15)


def test_the_ledger_has_one_line_for_each_witness() -> None:
    assert len(WITNESSES) == len(all_witnesses())
    for erratum in (witness.erratum for witness in all_witnesses()):
        identity, step, line = erratum.statement, erratum.step, erratum.line
        found = findings.findings(bounds.get(identity))
        if step:
            (finding,) = (f for f in found if f.locator == step and f.where == "proof")
            assert finding.grade in OF_STEPS
        elif line:
            (finding,) = (f for f in found if f.where == line)
            # Of a listing, of a hypothesis or case that is read as it is printed, of a term; a condition, the
            # noise of an experiment and a line that does not do what is said of it disagree with another. A
            # hypothesis that the proof does without is loose.
            assert finding.grade in OF_LINES
            assert (finding.grade is FindingClass.LOOSE) <= line.startswith(
                ("term ", "hypothesis ", "the left side")
            )
            disagrees = line.startswith(("line ", "condition ", "hypothesis ")) or line == "noise"
            assert (finding.grade is FindingClass.INCONSISTENT) <= disagrees
        else:
            (finding,) = (f for f in found if f.where == "conclusion")
            assert finding.grade in OF_STATEMENTS
            # What is false under one reading of its words only is not called refuted.
            assert (finding.grade is FindingClass.FALSE) == (identity in refuted.refuted())
        assert (finding.grade, finding.right) == (erratum.grade, erratum.right)


def test_a_step_is_one_of_its_statement_and_of_every_other_that_displays_it() -> None:
    for erratum in (witness.erratum for witness in all_witnesses()):
        if erratum.step:
            steps = bounds.get(erratum.statement).steps
            displays = [s.printed for s in steps if s.locator == erratum.step]
            assert len(displays) > (erratum.display or 0)
    shared = "B.thm5.eq23"
    assert shared in WITNESSES
    holders = {s.id for s in bounds.statements() for f in findings.findings(s) if f.locator == shared}
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


def printed_text(paper: str, start: str, end: str) -> str:
    """The text of a transcription from one place to another."""
    folder = Path(__file__).parents[2] / "bounds" / "papers" / paper
    text = (folder / "transcription.md").read_text(encoding="utf-8")
    return text.split(start, 1)[1].split(end, 1)[0]


def passes_until_the_return(listing: str, rounds: int) -> int:
    """All of them, but one where a numbered line with a return stands before the last end of a loop."""
    numbered = [line for line in listing.splitlines() if re.match(r"\d+\. ", line)]
    last_end = max(i for i, line in enumerate(numbered) if "**end for**" in line)
    return 1 if any("Return" in line for line in numbered[:last_end]) else rounds


def passes_of_the_guard(listing: str, rounds: int) -> int:
    found = re.search(r"Initialize k = (\d).*?while k (<=?) K do.*?k = k \+ 1;", listing, re.DOTALL)
    assert found is not None
    return rounds - int(found[1]) + (found[2] == "<=")


def values_of_the_sequence(display: str, k: int, tau: int) -> int:
    """At how many points of the interval one of the two cases has a value."""
    after, at = (r"t > k\tau" in display, r"t = k\tau" in display)
    first = k * tau if after and at else (k - 1) * tau
    return k * tau - first + 1


@pytest.mark.parametrize("number", [1, 2])
def test_the_return_stands_inside_the_loop(number: int) -> None:
    listing = printed_text("dp_fedavg", f"### `B.alg{number}`", "\n### ").split("Written out:")[-1]
    measured = WITNESSES[f"dp_fedavg.algorithm_{number} line 13"].measure()
    assert (measured.left, measured.right) == (passes_until_the_return(listing, 3), 3)
    line, end = re.findall(r"^1[34]\. .*$", listing, re.MULTILINE)
    assert passes_until_the_return(listing.replace(line, "").replace(end, f"{end}\n15. {line}"), 3) == 3


def test_the_guard_of_the_listing_lets_one_round_less_pass() -> None:
    listing = printed_text("als_dpfl", "### C.alg1", "\n### ")
    measured = WITNESSES["als_dpfl.algorithm_1 line 2"].measure()
    assert (measured.left, measured.right) == (passes_of_the_guard(listing, 3), 3)
    assert passes_of_the_guard(listing.replace("while k < K", "while k <= K"), 3) == 3
    assert passes_of_the_guard(listing.replace("Initialize k = 1", "Initialize k = 0"), 3) == 3


def test_the_auxiliary_sequence_has_a_value_at_the_end_of_its_interval_only() -> None:
    display = printed_text("als_dpfl", "**C.eq8**", "where")
    measured = WITNESSES["als_dpfl.definitions.auxiliary_sequence"].measure()
    assert (measured.left, measured.right) == (values_of_the_sequence(display, 2, 3), 4)
    assert values_of_the_sequence(display.replace(r"k\tau", r"(k-1)\tau"), 2, 3) == 4
