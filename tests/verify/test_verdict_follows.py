"""A result on file whose verdict or numbers were edited contradicts itself; what was judged never does."""

import copy
import json
import sqlite3
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import bounds
from verify.campaign import store
from verify.campaign.campaign import run_campaign
from verify.campaign.store import Store, StoreUnusable
from verify.objects.check import Property
from verify.records.follows import find_contradiction
from verify.runs.check import forms, standard_cells

RUN: dict[str, Any] = {"level": 1e-3, "seed": 1, "replicates": 64}
VERDICTS = ("holds", "violated", "vacuous", "inconclusive", "refused")
RUNS = ("textbook.gradient_descent_convex", "textbook.stochastic_gradient_descent")
LEMMAS = ("dp_fedavg.fact_1", "dp_fedavg.lemma_4.stronger")
MANY = (
    "als_dpfl.theorem_1.distance",
    "dp_fedavg.theorem_2",
    "fed_norm_ec.corollary_1",
    "fedavg_lojasiewicz.theorem_f2",
    "textbook.federated_averaging_one_client",
)


@cache
def _results() -> tuple[dict[str, Any], ...]:
    cells = standard_cells([bounds.get(identity) for identity in RUNS])[::3]
    tried = [Property(statement=identity, variant="printed") for identity in LEMMAS]
    return tuple(run_campaign([*cells, *tried], None, trials=1, **RUN))


def _edited(result: dict[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any]:
    changed = copy.deepcopy(result)
    at = changed
    for name in path[:-1]:
        at = at[name]
    at[path[-1]] = value
    return changed


def test_nothing_that_was_judged_contradicts_itself() -> None:
    seen = {entry["verdict"] for entry in _results()}
    assert {"holds", "violated"} <= seen
    for entry in _results():
        assert find_contradiction(json.loads(json.dumps(entry))) is None, entry["id"]


@pytest.mark.slow("a hundred cells")
def test_no_standard_cell_contradicts_itself() -> None:
    statements = forms([bounds.get(i) for i in MANY if i in {s.id for s in bounds.statements()}])
    entries = run_campaign(standard_cells(statements), None, **RUN)
    assert {entry["verdict"] for entry in entries} >= {"holds", "violated", "refused"}
    assert [e["sentence"] for e in entries if find_contradiction(e) is not None] == []


def test_an_edited_verdict_is_named() -> None:
    for entry in _results():
        for verdict in VERDICTS:
            if verdict != entry["verdict"]:
                assert find_contradiction(entry | {"verdict": verdict}) == "verdict", (entry, verdict)


@pytest.mark.parametrize(
    "path",
    [("measured", "estimate"), ("excess", "estimate"), ("excess", "upper"), ("bound", "value"), ("ratio",)],
    ids="-".join,
)
def test_an_edited_number_of_a_cell_is_named(path: tuple[str, ...]) -> None:
    for entry in _results():
        number: Any = entry
        for name in path:
            number = number.get(name) if number is not None else None
        if number is None:
            continue
        changed = number * 1.01 + 1e-3 if path != ("excess", "upper") else number - abs(number) - 1e-3
        assert find_contradiction(_edited(entry, path, changed)) is not None, (entry["id"], path)


@pytest.mark.parametrize("path", [("worst", "left"), ("worst", "excess"), ("worst", "ratio"), ("cases",)])
def test_an_edited_number_of_a_lemma_is_named(path: tuple[str, ...]) -> None:
    found = 0
    for entry in _results():
        if "worst" in entry:
            number = entry["cases"] if path == ("cases",) else entry["worst"][path[-1]]
            if number is not None:
                found += 1
                assert find_contradiction(_edited(entry, path, number + 1)) is not None, (entry["id"], path)
    assert found


def test_a_row_with_an_edited_verdict_is_refused(tmp_path: Path) -> None:
    job = standard_cells([bounds.get(RUNS[0])])[0]
    entry = _results()[0]
    run = RUN | {"level": entry["level"]}
    with Store(tmp_path) as kept:
        kept.put("a", entry)
        assert kept.get("a", job, run) == entry
    with sqlite3.connect(tmp_path / store.FILE) as connection:
        connection.execute("UPDATE cells SET result = ?", (json.dumps(entry | {"verdict": "violated"}),))
    with Store(tmp_path) as kept:
        with pytest.raises(StoreUnusable, match="has a verdict that its own numbers contradict"):
            kept.get("a", job, run)
        with pytest.raises(StoreUnusable, match="verify into another folder"):
            kept.rows()


def test_a_refutation_by_a_longer_run_is_read_again(tmp_path: Path) -> None:
    """It has 4 or 16 times the replicates that its key names, and no other number of them."""
    job = standard_cells([bounds.get(RUNS[0])])[0]
    run = RUN | {"level": _results()[0]["level"]}
    broken = {"measured": 2.0, "excess": 1.0}
    point = {n: {"estimate": v, "lower": v, "upper": v, "exact": None} for n, v in broken.items()}
    refuted = (
        _results()[0]
        | point
        | {"verdict": "violated", "ratio": None, "bound": {"value": 1.0, "terms": {}}}
        | {"sentence": "measured 2, between 2 and 2: above the bound 1"}
    )
    with Store(tmp_path) as kept:
        for times in (4, 16):
            kept.put(str(times), refuted | {"replicates": times * 64})
            assert kept.get(str(times), job, run) is not None
        kept.put("other", refuted | {"replicates": 128})
        with pytest.raises(StoreUnusable, match="differs in replicates"):
            kept.get("other", job, run)


def test_a_sentence_with_another_number_is_named() -> None:
    """Each number of what was measured and of the bound, one digit more, fewer or another."""
    cells = [e for e in _results() if e["verdict"] in ("holds", "violated") and "measured" in e]
    assert cells
    for entry in cells:
        shown = {f"{n:.6g}" for n in (entry["measured"]["estimate"], entry["bound"]["value"])}
        for number in shown:
            for other in (f"{number}1", number[:-1] or "7", f"9{number}"):
                forged = entry | {"sentence": entry["sentence"].replace(number, other)}
                assert find_contradiction(forged) == "sentence", (forged["sentence"], number, other)
        assert find_contradiction(entry | {"sentence": "all is well"}) == "sentence"


def test_a_sentence_that_says_the_other_side_is_named() -> None:
    for entry in _results():
        for word, other in (("below", "above"), ("above", "below")):
            if entry.get("measured") and f"{word} the bound" in entry["sentence"]:
                forged = entry["sentence"].replace(f"{word} the bound", f"{other} the bound")
                assert find_contradiction(entry | {"sentence": forged}) == "sentence"
