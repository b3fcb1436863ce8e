"""Sentences of the page that are made from values: how a statement stands, and why it is false."""

from pathlib import Path
from typing import Any

import pytest

import bounds
from reports.page import answer, front, refutation
from verify.ledger.witnesses import measurement
from verify.records import refuted
from verify.records.errata import CONCLUSION, our_errata
from verify.scene import scenes

Plain = dict[str, Any]

FALSE = "dp_fedavg.theorem_4"
CONVEX = "textbook.gradient_descent_convex"


def section(status: str, *, of: str = CONVEX, **more: Any) -> Plain:
    tried = {"cells": 0, "cases": 0, "best_ratio": None}
    usual = {"id": of, "status": status, "tried": tried, "kind": "upper bound", "explicit": None}
    return usual | {"findings": [], "amended": []} | more


def tried(cells: int = 0, cases: int = 0, ratio: float | None = None) -> Plain:
    return {"cells": cells, "cases": cases, "best_ratio": ratio}


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (section("unrefuted", tried=tried(6, ratio=1.0)), "6 runs, and the closest attains the bound."),
        (
            section("unrefuted", tried=tried(1, ratio=0.25)),
            "1 run, and the closest reaches 25% of the bound.",
        ),
        (
            section("unrefuted", tried=tried(2, ratio=0.999)),
            "the closest comes within 0.1% of the bound.",
        ),
        (
            section("unrefuted", tried=tried(4, ratio=0.01)),
            "the bound is at least 100 times what any of them",
        ),
        (section("unrefuted", tried=tried(2, 1320)), "was found in 2 runs and 1,320 instances; no ratio"),
        (section("proved"), "The printed form is proved, every step."),
        (
            section("proved", tried=tried(7, ratio=0.32)),
            "The printed form is proved, every step; in 7 runs the closest reaches 32% of the bound.",
        ),
        (
            section("proved", findings=[{"class": "proof broken"}]),
            "A step of the paper's proof does not follow; the proof of fedbounds does without it.",
        ),
        (
            section("refuted", of=FALSE, amended=[{"status": "proved", "tried": tried(5, ratio=0.02)}]),
            "The amended form is proved, every step; in 5 runs the bound is at least 50 times what any",
        ),
        (
            section("proved", tried=tried(6)),
            "every step; no ratio says how loose it is, since both its sides are random",
        ),
        (section("unrefuted", tried=tried(0, 70)), "was found in 70 instances."),
        (section("vacuous"), "The printed form says nothing: only trivial problems meet its hypotheses."),
        (section("uninformative"), "The printed bound is never below what is known without it."),
        (section("unchecked", kind="definition"), "This definition claims nothing"),
        (section("unchecked", kind="rate", explicit="a.b"), "the bound that is checked is a.b."),
        (section("unchecked"), "This record does not check it."),
        (section("refuted", of=FALSE), "The printed form is false: clients are drawn independently"),
        (section("refuted"), "The printed form is false: an entry of this record violates it."),
        (
            section("refuted") | {"refutation": {"left": 2, "allowed": 1.5, "equality": False, "of": ""}},
            "The printed form is false: a run measures 2, where at most 1.5 is claimed.",
        ),
        (
            section("unrefuted", findings=[{"class": "typo"}, {"class": "proof broken"}]),
            "A step of the paper's proof does not follow.",
        ),
        (
            section("refuted", of=FALSE, amended=[{"status": "unrefuted", "tried": tried(7)}]),
            "No counterexample to the amended form was found in 7 runs; no ratio says",
        ),
        (section("refuted", amended=[{"status": "refuted"}]), "Its amended form is refuted in this record."),
    ],
)
def test_the_sentence_of_a_standing(made: Plain, words: str) -> None:
    assert words in answer.sentence(made)


@pytest.mark.parametrize("amended", ["proved", "unrefuted"])
def test_the_looseness_is_the_share_that_the_sentence_names(amended: str) -> None:
    """Cells of a false form that happen to hold say nothing of how loose it is."""
    false = section("refuted", of=FALSE, tried=tried(6), best_ratio=0.06)
    assert answer.looseness(false) is None
    mended = false | {"amended": [{"status": amended, "tried": tried(5, ratio=0.25)}]}
    assert answer.looseness(mended) == 0.25
    assert "25% of the bound" in answer.sentence(mended)
    assert answer.looseness(section("unrefuted", tried=tried(1, ratio=0.5))) == 0.5


def test_a_refuted_statement_is_not_blamed_twice() -> None:
    found = section("refuted", of=FALSE, findings=[{"class": "proof broken"}])
    assert "paper's proof" not in answer.sentence(found)


def test_what_papers_are_cited_for_exists_and_has_its_clause() -> None:
    false = refuted.refuted()
    for paper in {s.paper.key: s.paper for s in bounds.statements()}.values():
        assert 0 < len(paper.main) <= 5
        for name in paper.main:
            statement = bounds.get(f"{paper.key}.{name}")
            if statement.id in false:
                erratum = refuted.worded(statement.id)
                assert erratum
                assert erratum.short


def test_a_clause_is_short_and_about_a_conclusion() -> None:
    clauses = [e for e in our_errata() if e.short]
    assert len(clauses) > 20
    for erratum in clauses:
        assert erratum.where == CONCLUSION
        assert len(erratum.short) <= 120
        assert not erratum.short.endswith(".")


# ---- why it is false


def of(identity: str) -> Plain:
    made = refutation.refutation(bounds.get(identity), [], Path("folder"))
    assert made is not None
    return made


@pytest.mark.parametrize("identity", sorted(scenes()))
def test_a_scene_shows_the_two_sides_of_its_witness(identity: str) -> None:
    """The ratio of the sides is that of the witness on file, whatever unit the scene is drawn in."""
    made = of(identity)
    erratum = refuted.worded(identity)
    assert erratum is not None
    seen = measurement(erratum)
    assert made["times"] == pytest.approx(seen["left"] / seen["right"], rel=1e-9)
    scene = scenes()[identity]()
    assert scene.attained > scene.allowed
    assert made["chart"].count('class="line') == 2 * len(scene.paths), "a curve and its line in the legend"
    if scene.stays is not None:
        low = min(x for path in scene.paths for x, _ in path.points)
        high = max(x for path in scene.paths for x, _ in path.points)
        assert low <= scene.stays[0] < scene.stays[1] <= high


def test_the_run_of_theorem_1_is_confined_where_the_gradient_is_long() -> None:
    scene = scenes()["fed_norm_ec.theorem_1.main"]()
    gradient, update = (dict(path.points) for path in scene.paths)
    assert scene.stays is not None
    left, right = scene.stays
    inside = [x for x in gradient if left <= x <= right]
    assert len(inside) > 5
    assert all(gradient[x] == pytest.approx(scene.attained) for x in inside)
    assert update[min(inside)] < 0 < update[max(inside)]


def test_every_refuted_statement_has_its_evidence_and_a_command() -> None:
    for identity in sorted(refuted.refuted()):
        made = of(identity)
        assert made["words"]
        assert made["right"]
        assert made["commands"][0]["command"] == f"fedbounds errata {identity} --recheck"
        if made["times"] is not None:
            assert made["times"] > 1


def test_where_both_sides_are_random_no_factor_is_named() -> None:
    made = of(FALSE)
    assert made["times"] is None
    assert made["of"] == refutation.MOVED
    assert "clipping threshold" in " ".join(n["meaning"] for n in made["numbers"])


def test_a_statement_that_holds_has_no_refutation() -> None:
    assert refutation.refutation(bounds.get(CONVEX), [], Path("folder")) is None


def test_the_witness_that_the_page_names_replays(fedbounds: Any, tmp_path: Path) -> None:
    files = refutation.files(["fed_norm_ec.theorem_1.main", CONVEX, "../../etc/passwd"])
    assert list(files) == ["refutation/fed_norm_ec.theorem_1.main.json"]
    target = tmp_path / "witness.json"
    target.write_text(next(iter(files.values())), encoding="utf-8")
    assert fedbounds("replay", target).code == 0


def test_the_opening_does_not_repeat_what_the_statements_above_say() -> None:
    """A package names no main statements: its first bounds stand above, whatever group they are in."""
    of = {"anchor": "", "title": "", "tier": "bounds"}
    entry = {"class": "false", "locator": "T", "where": "conclusion", "right": "", "evidence": "", "also": []}
    found = [entry | {"statement": name} for name in ("textbook.a", "textbook.b")]
    shown = front._gravest(found, {"textbook.a": of, "textbook.b": of | {"title": "B"}}, {"textbook.a"})
    assert [one["title"] for one in shown] == ["B"]
