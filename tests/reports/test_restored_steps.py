"""Steps that an amended form restores are not called broken there, and misprints lead to the amended form."""

from itertools import pairwise

import numpy as np
import pytest

import bounds
from bounds.discovery import forms
from reports.documents.inspection import steps
from verify.ledger.findings import broken_steps, refuted_locators
from verify.ledger.true_form import trusted
from verify.papers.fed_norm_ec.witnesses import statements as witnesses

RESTORED = [
    ("c2", "A.lem9.s3", "proof broken"),
    ("c3", "A.lem9.s12", "proof broken"),
    ("c3", "A.lem9.s14", "uses A.lem9.c2, which is refuted"),
    ("c4", "A.lem9.s20", "proof broken"),
]


@pytest.mark.parametrize(("part", "step", "printed"), RESTORED)
def test_a_step_that_the_hypotheses_restore_is_certified(part: str, step: str, printed: str) -> None:
    name = f"fed_norm_ec.lemma_9.{part}"
    status = {
        variant: {s["id"]: s["status"] for s in steps(bounds.get(name, variant))}[step]
        for variant in ("printed", "amended")
    }
    assert status == {"printed": printed, "amended": "certified"}


@pytest.mark.parametrize("step", ["s3", "s12", "s20"])
def test_the_witness_of_a_restored_step_is_outside_the_amended_hypotheses(step: str) -> None:
    """Its data points have slopes x + 100 cos x: L = 1 of the clients is not theirs, and L = 101 mends it."""
    x = np.linspace(-4, 4, 4001)
    slope = x + 100 * np.cos(x)
    steepest = max(abs(b - a) / (y - z) for (z, y), (a, b) in zip(pairwise(x), pairwise(slope), strict=True))
    assert 100 < steepest < 101
    seen = witnesses.smoothness_of_data(step)
    assert 1 < seen.left / seen.right < 101


def test_every_restored_step_is_one_that_the_print_breaks() -> None:
    broken, refuted = broken_steps("fed_norm_ec"), refuted_locators("fed_norm_ec")
    for statement in forms("fed_norm_ec").values():
        if statement.amendment is not None:
            own = {s.locator for s in statement.steps if s.locator in broken or refuted & set(s.uses)}
            assert set(statement.amendment.restores) <= own


@pytest.mark.parametrize("name", ["equation_41", "recursions.f4"])
def test_a_misprinted_conclusion_is_not_evaluated_unasked(name: str) -> None:
    chosen, note = trusted(f"fedavg_lojasiewicz.{name}", None)
    assert chosen.variant == "amended"
    assert note is not None
    assert "misprint" in note
    assert trusted(f"fedavg_lojasiewicz.{name}", "printed")[0].variant == "printed"
