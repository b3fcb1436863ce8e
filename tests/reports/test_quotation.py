"""What a finding quotes is said: a formula, words of a transcription, or what was read."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import bounds
from bounds.language.finding import Finding
from reports.documents.quotation import FORMULA, LABELS, READING, WORDS, has_words, quoted
from verify.ledger.true_form import findings

Fedbounds = Callable[..., Any]


def one(identity: str, where: str) -> Finding:
    (found,) = (f for f in findings(bounds.get(identity)) if f.where == where)
    return found


@pytest.mark.parametrize(
    ("identity", "where", "kind"),
    [
        ("fed_norm_ec.claims.bh", "conclusion", WORDS),
        ("fedavg_lojasiewicz.claims_of_theorem_f4.same", "conclusion", WORDS),
        ("fed_norm_ec.theorem_1.main", "conclusion", FORMULA),
        ("als_dpfl.lemma_4", "conclusion", WORDS),
        ("als_dpfl.definitions.auxiliary_sequence", "conclusion", FORMULA),
        ("fed_norm_ec.corollary_3.rate", "definition of Delta", READING),
        ("fedavg_lojasiewicz.theorem_f4", "hypotheses", READING),
        ("fed_norm_ec.corollary_2", "noise", FORMULA),
    ],
)
def test_what_it_quotes_is_said(fedbounds: Fedbounds, identity: str, where: str, kind: str) -> None:
    assert quoted(one(identity, where)) == kind
    done = fedbounds("errata", identity, "--json")
    (row,) = (r for r in done.json["findings"] if r["where"] == where)
    assert row["quoted"] == kind
    assert f"\n  {LABELS[kind]}\n" in fedbounds("errata", identity).out


def test_words_beside_a_formula_and_a_changed_quotation_are_seen() -> None:
    """A formula that no transcription has is no formula of the paper, nor are words that it has not."""
    found = one("fed_norm_ec.theorem_1.main", "conclusion")
    assert quoted(replace(found, printed=found.printed + "\n1 = 2")) == READING
    assert quoted(replace(found, printed="")) == READING
    words = one("fed_norm_ec.claims.bh", "conclusion")
    assert quoted(replace(words, printed=f"{words.printed}\n{found.printed}")) == WORDS
    assert quoted(replace(words, printed=f"{words.printed} too")) == READING


@pytest.mark.parametrize(
    ("printed", "words"),
    [
        (r"at $\tau=1$ the convergence bound (12) is minimized", True),
        (r"$\tau$ in $[1,\tau_m]$", True),
        ("batch size 64", True),
        (r"$F^* = \frac{1}{M} \sum_{c=1}^M f_c^*$", False),
        (r"\text{for $i\in[1,M]$ and }k\geq 0,", False),
        (r"\underset{k\in[0,K]}{\min}{\rm E}\left[\nabla f(x^{k})\right]", False),
    ],
)
def test_words_are_told_from_formulas(printed: str, words: bool) -> None:
    assert has_words(printed) is words


def test_the_words_of_a_claim_stand_nowhere_under_the_plain_label(fedbounds: Fedbounds) -> None:
    """Over the whole ledger, and of the places that share a defect too."""
    rows = fedbounds("errata", "--json").json["findings"]
    places = [place for row in rows for place in (row, *row["also"])]
    plain = [p for p in places if p["quoted"] == FORMULA]
    letters = "abcdefghijklmnopqrstuvwxyz"
    for place in plain:
        spoken = "".join(c if c in letters else " " for c in place["printed"].split("\\text")[0].lower())
        assert not {"the", "claims", "appropriate", "is"} & set(spoken.split()), place["printed"]
    assert {p["quoted"] for p in places} == set(LABELS)
