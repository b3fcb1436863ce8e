"""The ledger tells a defect once: where it is gravest, with the other places that have it."""

import re
from collections.abc import Callable, Collection
from itertools import combinations
from typing import Any

import pytest

from bounds.language.finding import FindingClass
from reports import recorded_findings
from reports.documents import findings_once
from verify.ledger import same_defect
from verify.records.errata import our_errata

GRAVITY = [grade.value for grade in FindingClass]
Entry = dict[str, Any]
Fedbounds = Callable[..., Any]
QUOTED = 30  # characters

# Two findings at one place that are two defects, and why.
APART = {
    "C.thm2, conclusion": "its two readings have a counterexample each: of omega, and of the batches",
    "C.lem3, conclusion": "what is paid for noises and batches, at every step",
    "C.lem3, t = k tau": "which model of the client is meant, at the last step and without any noise",
    "B.snr, conclusion": "its two sentences: updates that cancel in their mean, and noise that grows with K",
    "B.thm3, conclusion": "an order from above alone, which lets one round be prescribed",
    "B.thm3, the left side": "what the left side bounds, whatever the right side is",
    "D.F4, term heterogeneity": "a factor of the floor that the recursion does without",
    "D.F4, hypothesis FL-2": "of an exponent that is allowed, without noise",
    "D.F4, hypothesis FL-4": "of a hypothesis that is missing, which binds the noise",
    "C.alg1, Table 1": "what a table calls the symbols of the listing, and not how often its loop runs",
    "C.alg2, line 2": "when the guard is asked, with counters that move",
    "C.alg2, line 13": "whose consumption is added, and not to which counter",
    "A.lem8, term gap": "a tangent line for a root, which is large and not false",
    "A.thm1, term sampling_and_noise": "the last error for that of every round, which is large and not false",
    "D.F1, term gradient": "a factor that the mean of the squares does without",
    "D.F3, term noise": "a second moment that is split where it need not be",
    "C.alg1, line 2": "how often the loop of the listing runs",
    "C.alg2, conclusion": "to which counters the consumption is added",
    "A.lem8, conclusion": "no limit on gamma, which makes it false",
    "A.thm1, conclusion": "a limit that limits nothing, which makes it false for several local steps",
    "D.F1, hypothesis FL-2": "a hypothesis that no step uses",
    "D.F3, term initialization": "a rate that is halved between two displays",
    "C.thm2, term floor": "a number where a gap belongs; what refutes the theorem is no matter of units",
}
# The words of these are made from units and formulas, and say nothing of the defect.
MADE = ("units", "substitution")
# These print the conditions of the statement, or of the one it comes from, and not what they are about.
OF_OTHERS = ("substitution", "lemma", "certificate")


@pytest.fixture(scope="module")
def everything() -> list[recorded_findings.Row]:
    """Those on file: test_recorded_findings.py shows that they are what is computed."""
    return recorded_findings.rows(())


@pytest.fixture(scope="module")
def places(everything: findings_once.Found) -> list[Entry]:
    return findings_once.places(everything)


def place(entry: Entry) -> str:
    return f"{entry['locator']}, {entry['where']}"


def names(entry: Entry) -> set[str]:
    """Of the place, alone and with the statement."""
    return {place(entry), same_defect.named(place(entry), entry["statement"])}


def defect_place(entry: Entry) -> str | None:
    return same_defect.place_of_defect(paper(entry), place(entry), entry["statement"])


def paper(entry: Entry) -> str:
    return str(entry["statement"]).partition(".")[0]


def source(entry: Entry) -> str:
    """What kind of evidence it has."""
    return str(entry["evidence"]).split(":")[0].split(",")[0]


def part(entry: Entry) -> str:
    """A term, and what comes out of the source instead, are parts of one display."""
    where = str(entry["where"])
    return "conclusion" if where.startswith(("term ", "value of ")) else where


def display(entry: Entry) -> str:
    plain = re.sub(r"\\[lr]Vert", r"\\|", str(entry["printed"])).replace("$", "")
    return "".join(plain.split()).strip(".,&=")


def shown_in(a: Entry, b: Entry) -> bool:
    """One display, or a quotation that is long enough to be of that one only."""
    short, long = sorted((display(a), display(b)), key=len)
    return short == long or (len(short) > QUOTED and short in long)


def alike(entries: list[Entry], forgotten: str = "", apart: Collection[str] = APART) -> list[set[str]]:
    """Findings that no other one lists, and that share a place, a display or what is right instead."""
    shown = [e for e in entries if defect_place(e) in (None, forgotten)]
    found = []
    for a, b in combinations(shown, 2):
        if paper(a) != paper(b) or {place(a), place(b)} <= {*apart}:
            continue
        same_place = (a["locator"], part(a)) == (b["locator"], part(b))
        same_words = a["right"] == b["right"] and source(a) not in MADE
        same_display = shown_in(a, b) and not {source(a), source(b)} & {*OF_OTHERS}
        if same_place or same_words or same_display:
            found.append({place(a), place(b)})
    return found


def test_no_two_findings_share_a_place_a_display_or_what_is_right(places: list[Entry]) -> None:
    assert alike(places) == []


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("B.eq15, conclusion", "B.eq15, term heterogeneity"),
        ("C.claim.mono.F, conclusion", "C.lem6.s12, proof"),
        ("C.claim.gradnoise, conclusion", "C.lem6.s4, proof"),
        ("D.F4.s1, term descent", "D.F4.s1, conclusion"),
        ("D.F3, hypotheses", "D.F4, hypotheses"),
        ("A.cor1.s2, proof", "A.cor3.s2, proof"),
        ("A.lem7.c1, conclusion", "A.lem9.c1, conclusion"),
    ],
)
def test_a_repetition_that_no_table_names_is_seen(places: list[Entry], first: str, other: str) -> None:
    assert {first, other} in alike(places, forgotten=first)


def test_every_place_of_the_table_is_one_of_the_ledger(places: list[Entry]) -> None:
    known = {(paper(e), name) for e in places for name in names(e)}
    folded = [e for e in our_errata() if e.also_at]
    named = [(e.statement.partition(".")[0], p) for e in folded for p in (e.place, *e.also_at)]
    assert [n for n in named if n not in known] == []
    assert len(named) == len(set(named)), (
        "a finding is listed in one place, and never where another one lists it"
    )


def test_a_defect_is_listed_where_it_is_gravest(places: list[Entry]) -> None:
    graves = {(paper(e), name): GRAVITY.index(e["class"]) for e in places for name in names(e)}
    for e in our_errata():
        key = e.statement.partition(".")[0]
        assert all(graves[key, e.place] <= graves[key, other] for other in e.also_at), e.source


def test_only_what_is_alike_is_kept_apart(places: list[Entry]) -> None:
    assert {p for pair in alike(places, apart=()) for p in pair} == APART.keys()


def test_the_ledger_folds_repetitions_and_loses_none(
    everything: findings_once.Found, places: list[Entry]
) -> None:
    listed = findings_once.list_once(everything)
    all_ids = [e["id"] for e in listed] + [other["id"] for e in listed for other in e["also"]]
    assert sorted(all_ids) == sorted(e["id"] for e in places)
    assert all(e["repeats"] is None for e in listed)
    folded = {i for e in listed for place in (e, *e["also"]) for i in place["statements"]}
    assert folded == {i for e in places for i in e["statements"]}
    (drift,) = (e for e in listed if e["locator"] == "A.thm1" and e["where"] == "conclusion")
    assert {"A.thm1.h4", "A.thm2", "A.cor5"} < {other["locator"] for other in drift["also"]}
    # Who only shares a condition with what is false is not named beside it.
    assert drift["statements"] == ["fed_norm_ec.theorem_1.main"]
    assert any("fed_norm_ec.corollary_5" in other["statements"] for other in drift["also"])


def test_a_repetition_by_itself_says_what_it_repeats(fedbounds: Fedbounds) -> None:
    rows = fedbounds("errata", "fedavg_lojasiewicz.claims_of_theorem_f2.unroll", "--json").json["findings"]
    (row,) = (r for r in rows if r["where"] == "conclusion")
    assert (row["repeats"], row["also"]) == ("D.F2, conclusion", [])
    shown = fedbounds("errata", "fedavg_lojasiewicz").out
    assert "D.claim.unroll, conclusion (false)" in " ".join(shown.split())
    assert "D.F2, conclusion" in fedbounds("errata", "fedavg_lojasiewicz.claims_of_theorem_f2.unroll").out


def test_nothing_is_run_again_where_nothing_is_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An author's paper has no ledger, and the evidence of ours takes a minute."""
    monkeypatch.setattr("verify.ledger.recheck.recheck", lambda *_: pytest.fail("the evidence is run again"))
    from reports.command_line import run

    assert run(["errata", "textbook.gradient_descent_convex", "--recheck"]) == 0
    assert "0 of 0 agree" in capsys.readouterr().out
