"""Rows of attempts: which form each is of, and when a form is attempted again."""

import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sympy import Integer

import bounds
from bounds import discovery
from bounds.language.dimension import ONE
from bounds.language.quantity import REAL, Notation, Role
from bounds.language.statement import Statement
from verify.falsify import attempt, attempts_table
from verify.falsify.attempted_form import form_of
from verify.falsify.confirm import LEVEL
from verify.falsify.outcome import Confirmation, Outcome, unconfirmed
from verify.papers.als_dpfl import growth_certificates
from verify.papers.several import claims_as_numbers
from verify.workers.processes import Processes

FALSE, TRUE = "als_dpfl.lemma_2", "dp_fedavg.fact_2"
FORMS = [(FALSE, "printed"), (TRUE, "printed")]


def doubled(statement: Statement) -> Statement:
    terms = tuple(replace(term, expression=2 * term.expression) for term in statement.terms)
    return replace(statement, terms=terms)


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts_table, "every_form", lambda: FORMS)


def changed(monkeypatch: pytest.MonkeyPatch, identity: str) -> None:
    get = discovery.get

    def other(name: str, variant: str = "printed") -> Statement:
        return doubled(get(name, variant)) if name == identity else get(name, variant)

    monkeypatch.setattr(discovery, "get", other)


def searched_anew(folder: Path) -> list[str]:
    """Which statements a run of the study adds rows of."""
    folder.mkdir(exist_ok=True)
    file = folder / attempts_table.ROWS
    before = len(file.read_text().splitlines()) if file.exists() else 0
    study = attempts_table.SearchStudy(forms=FORMS, seconds_of_runs=2.0, seconds=2.0)
    rows = list(attempts_table.run(study, folder, Processes()))
    assert sorted((row["id"], row["variant"]) for row in rows) == FORMS, "old rows are handed out too"
    return sorted(json.loads(line)["id"] for line in file.read_text().splitlines()[before:])


@pytest.mark.slow("four searches of two seconds; the next test has two of them")
@pytest.mark.usefixtures("two")
def test_a_form_that_was_changed_is_attempted_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert searched_anew(tmp_path) == [FALSE, TRUE]
    assert searched_anew(tmp_path) == []
    # A cap of two seconds is below every full one; what is refuted needs no more of it.
    short = f"Rows not yet run at their full cap, 1: {TRUE} (printed)."
    assert short in attempts_table.markdown(attempts_table.rows_of_now(tmp_path))
    changed(monkeypatch, FALSE)
    assert {form for form, _ in attempts_table.rows_of_now(tmp_path)} == {TRUE}
    assert f"Rows not yet run: {FALSE} (printed)." in attempts_table.markdown(
        attempts_table.rows_of_now(tmp_path)
    )
    assert searched_anew(tmp_path) == [FALSE]


@pytest.mark.slow("reads every row in processes of its own")
@pytest.mark.usefixtures("two")
def test_rows_that_the_repository_keeps_are_not_made_again(tmp_path: Path) -> None:
    first = attempts_table.attempt(FALSE, "printed", 2.0)
    assert isinstance(first["witness"], dict)
    kept = tmp_path / attempts_table.ROWS
    slimmed = attempts_table.slim(first, "als_dpfl.lemma_2.json")
    kept.write_text(json.dumps(slimmed) + "\n")
    assert (slimmed["witness"], slimmed["best"]) == ("als_dpfl.lemma_2.json", None)
    assert slimmed | {"witness": first["witness"], "best": first["best"]} == first
    assert searched_anew(tmp_path) == [TRUE]
    kept.write_text(json.dumps({n: v for n, v in slimmed.items() if n != "form"}) + "\n")
    assert searched_anew(tmp_path) == [FALSE, TRUE], "a row without a digest is of another form"


def test_a_digest_sees_what_a_search_sees() -> None:
    statement = bounds.get("dp_fedavg.theorem_2")
    form = form_of(statement)
    (first, *others), condition = statement.choices, statement.conditions[0]
    looser = replace(condition, limit=condition.limit * Integer(2))
    assumption, *rest = statement.assumptions
    for other in (
        doubled(statement),
        replace(statement, id="dp_fedavg.theorem_3"),
        replace(statement, reading="in other words"),
        replace(statement, setting=()),
        replace(statement, assumptions=(replace(assumption, text="on a ball"), *rest)),
        replace(statement, assumptions=(replace(assumption, locator="B.a9"), *rest)),
        replace(statement, left=statement.right),
        replace(statement, conditions=statement.conditions[1:]),
        replace(statement, conditions=(looser, *statement.conditions[1:])),
        replace(statement, choices=tuple(others)),
        replace(statement, choices=(replace(first, expression=first.expression / 2), *others)),
        replace(statement, assumptions=statement.assumptions[1:]),
        replace(statement, printed=("another",)),
    ):
        assert form_of(other) != form
    same: dict[str, Any] = {"title": "another", "variant": "amended", "proof": (), "edges": ()}
    assert form_of(replace(statement, **same)) == form


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("unclipped_gap", {"meaning": "of the last round"}),
        ("unclipped_gap", {"moments": "the mean exists"}),
        ("unclipped_gap", {"dimension": ONE}),
        ("D0", {"meaning": "distance to the first model"}),
        ("D0", {"role": Role.RUN}),
        ("D0", {"detail": "in mean"}),
        ("D0", {"domain": REAL}),
    ],
)
def test_a_digest_sees_what_a_symbol_means(name: str, change: dict[str, Any]) -> None:
    statement = bounds.get("dp_fedavg.theorem_2")
    quantities, observables = dict(statement.notation.quantities), dict(statement.notation.observables)
    if name in quantities:
        quantities[name] = replace(quantities[name], **change)
    else:
        observables[name] = replace(observables[name], **change)
    paper = replace(statement.paper, notation=Notation(quantities=quantities, observables=observables))
    assert form_of(replace(statement, paper=paper)) != form_of(statement)


def test_a_digest_sees_objects_growth_and_the_sides_of_words(monkeypatch: pytest.MonkeyPatch) -> None:
    statement = bounds.get(TRUE)
    assert statement.concrete is not None
    other = replace(statement.concrete, objects=dict.fromkeys(statement.concrete.objects, "another"))
    assert form_of(replace(statement, concrete=other)) != form_of(statement)

    grows = bounds.get("als_dpfl.claims.h_grows_exponentially")
    form, known = form_of(grows), growth_certificates.AVERAGED_FROM_AUXILIARY
    for less in (
        replace(known, facts=known.facts[1:]),
        replace(known, signs={**known.signs, "C": ">="}),
        replace(known, grows=known.grows[:1]),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(growth_certificates, "CAN_GROW", {grows.id: less})
            assert form_of(grows) != form

    said = bounds.get("fed_norm_ec.claims.sameinf")
    form, claim = form_of(said), claims_as_numbers.CLAIMS[said.id, "printed"]
    monkeypatch.setattr(
        claims_as_numbers, "CLAIMS", {(said.id, "printed"): replace(claim, sides=lambda _, u: None)}
    )
    assert form_of(said) != form


def test_a_digest_does_not_see_in_which_file_the_sides_are(monkeypatch: pytest.MonkeyPatch) -> None:
    said = bounds.get("fed_norm_ec.claims.sameinf")
    form, sides = form_of(said), claims_as_numbers.CLAIMS[said.id, "printed"].sides
    monkeypatch.setattr(sides, "__module__", "elsewhere")
    assert form_of(said) == form
    monkeypatch.setattr(sides, "__qualname__", "another")
    assert form_of(said) != form


def test_no_two_forms_share_a_digest() -> None:
    """Not by the name of the variant, which is in none."""
    seen: dict[str, tuple[str, str]] = {}
    for form in attempts_table.every_form():
        other = seen.setdefault(form_of(discovery.get(*form)), form)
        assert other == form, f"{form} and {other} have one digest"
    assert len(seen) > 250


def test_all_searches_of_a_row_share_one_level(monkeypatch: pytest.MonkeyPatch) -> None:
    levels: list[float] = []

    def search(statement: Statement, *, level: float, **_: Any) -> Outcome:
        levels.append(level)
        return Outcome(id=statement.id, variant="printed", searched=True, refuted=False, sentence="")

    monkeypatch.setattr(attempts_table, "falsify_statement", search)
    attempts_table.attempt(FALSE, "printed", 1e9)
    assert len(levels) == len(attempts_table.GROWTH)
    assert sum(levels) == pytest.approx(1e-6, rel=1e-12)


def test_a_row_is_cut_by_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that is shared makes the clock on the wall run ahead: a row gets its seconds all the same."""
    attempts_table.attempt(TRUE, "printed", 0.01)  # what is loaded and remembered on first use is not counted
    row = attempts_table.attempt(TRUE, "printed", 0.5)
    assert 0.5 <= row["seconds"] < 5
    assert (row["budget"], row["clock"]) == (0.5, "processor")
    ahead = count(0.0, 1e6)
    monkeypatch.setattr(time, "process_time", lambda: next(ahead))
    assert attempts_table.attempt(TRUE, "printed", 0.5)["evaluations"] < row["evaluations"]


def test_the_table_marks_rows_whose_seconds_are_on_the_wall() -> None:
    row = attempts_table.attempt(TRUE, "printed", 0.01)
    of_earlier_version = {name: value for name, value in row.items() if name != "clock"}
    assert f"| {row['seconds']:.1f} |" in attempts_table.markdown({(TRUE, "printed"): row})
    shown = attempts_table.markdown({(TRUE, "printed"): of_earlier_version})
    assert f"| {row['seconds']:.1f} (wall) |" in shown


def test_all_candidates_of_a_search_share_its_level(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a bound that runs reach, and a confirmation that believes none of them: all are tried."""
    levels: list[float] = []

    def confirm(_: Statement, instance: dict[str, Any], *, level: float = LEVEL) -> Confirmation:
        assert instance["kind"] == "run"
        levels.append(level)
        return unconfirmed("planted")

    monkeypatch.setattr(attempt, "confirm", confirm)
    monkeypatch.setattr(attempt, "_half_refuted", lambda *_: None)
    half = attempt.half(bounds.get("textbook.gradient_descent_convex"))
    assert not attempt.falsify_statement(half, evaluations=40, level=1e-3).refuted
    assert len(levels) == attempt.ATTEMPTS
    assert sum(levels) == pytest.approx(1e-3, rel=1e-12)


def test_what_was_not_searched_is_attempted_once_it_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"refuted": False, "searched": False, "budget": 60.0}
    assert not attempts_table._enough(row, (TRUE, "printed"), 2.0)
    monkeypatch.setattr(attempts_table, "spaces_of", lambda *_: [])
    assert attempts_table._enough(row, (TRUE, "printed"), 2.0)


@pytest.mark.slow("processes of its own")
def test_a_digest_is_the_same_in_every_process() -> None:
    code = (
        "from bounds import discovery\n"
        "from verify.falsify.attempted_form import form_of\n"
        "print([form_of(s) for p in discovery.statements() for s in discovery.variants(p.id)])"
    )
    environments = [os.environ | {"PYTHONHASHSEED": seed} for seed in ("1", "2")]
    printed = [
        subprocess.run([sys.executable, "-c", code], env=e, check=True, capture_output=True).stdout
        for e in environments
    ]
    assert printed[0] == printed[1]
    assert len(digests_in(printed[0])) > 250


def digests_in(printed: bytes) -> set[str]:
    return set(printed.decode().strip("[]\n ").replace("'", "").split(", "))
