"""Attempts to break statements on the page: rows beside the record, witnesses that replay."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import bounds
from reports import page
from reports.page import attempts
from verify.falsify import attempts_table

Plain = dict[str, Any]

FALSE = "als_dpfl.lemma_4"
CONVEX = "textbook.gradient_descent_convex"


@pytest.fixture(scope="module")
def row() -> Plain:
    """A real one: Lemma 4 is false as printed."""
    found = attempts_table.attempt(FALSE, "printed", 60.0)
    assert found["refuted"]
    return found


@pytest.fixture
def folder(record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A record, and two statements installed instead of all."""
    (tmp_path / "record.json").write_text((record / "record.json").read_text(encoding="utf-8"))
    chosen = tuple(bounds.get(identity) for identity in (FALSE, CONVEX))
    monkeypatch.setattr(bounds, "statements", lambda *_: chosen)
    return tmp_path


def contents(folder: Path) -> Plain:
    data = json.loads((folder / "record.json").read_text(encoding="utf-8"))
    return page.contents(data, folder, pictures=False, audit=False)


def written(folder: Path, *rows: Any) -> None:
    text = "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows)
    (folder / attempts.FILE).write_text(text, encoding="utf-8")


def test_the_rows_are_where_the_table_writes_them() -> None:
    assert attempts.FILE == attempts_table.ROWS


def test_two_statements_of_a_paper_with_one_title_can_be_told_apart(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a theorem and its false twin, made by one function, have it."""
    smooth = bounds.get("textbook.gradient_descent_nonconvex")
    twins = [replace(statement, title="Descent") for statement in (bounds.get(CONVEX), smooth)]
    monkeypatch.setattr(bounds, "statements", lambda *_: (*twins, bounds.get(FALSE)))
    titles = [section["title"] for section in contents(folder)["statements"]][:3]
    assert titles == [
        "Descent (gradient_descent_convex)", "Descent (gradient_descent_nonconvex)", bounds.get(FALSE).title
    ]  # fmt: skip


def test_without_rows_the_page_says_nothing_of_attempts(folder: Path) -> None:
    made = contents(folder)
    assert not made["attempted"]
    assert "ardest attempt" not in page.html(made) + page.markdown(made)


def test_a_witness_is_drawn_and_replays(
    folder: Path, row: Plain, fedbounds: Callable[..., Any], tmp_path: Path
) -> None:
    written(folder, row)
    made = contents(folder)
    html, markdown = page.html(made), page.markdown(made)
    assert row["witness"]["sentence"] in html
    assert row["witness"]["sentence"].split(",")[0] in markdown
    assert html.count('class="side"') == 4, "two bars of the refutation, two of the attempt"
    (file,) = [name for name in made["files"] if name.startswith(f"{attempts.FOLDER}/")]
    assert f"fedbounds replay {folder}/report/{file}" in html
    target = tmp_path / "witness.json"
    target.write_text(made["files"][file], encoding="utf-8")
    assert fedbounds("replay", target).code == 0


def test_the_bars_are_in_proportion() -> None:
    sides = {"left": 3.0, "right": 0.75, "sentence": "so"}
    shown = attempts.attempt({"witness": sides, "again": "", "refuted": True})["witness"]
    assert [bar["width"] for bar in shown["bars"]] == [attempts.WIDTH, attempts.WIDTH / 4]
    nothing = attempts.attempt({"witness": {"left": 0.0, "right": -1.0}, "again": ""})["witness"]
    assert [(bar["name"], bar["width"]) for bar in nothing["bars"]] == [("left", 0.0)]


def test_an_attempt_that_failed_says_how_near_it_came(folder: Path) -> None:
    near = {"id": CONVEX, "variant": "printed", "searched": True, "refuted": False, "ratio": 0.875}
    near |= {"sentence": "so near", "instances": 31, "evaluations": 77, "half_refuted": True}
    written(folder, near, '{"id": "half a li')
    made = contents(folder)
    html = page.html(made)
    for words in (
        "0.875",
        "not refuted: so near",
        "31 instances",
        "of 77 tried",
        "half the bound is refuted",
    ):
        assert words in html, words
    assert "0.875" in page.markdown(made)
    assert not [name for name in made["files"] if name.startswith(f"{attempts.FOLDER}/")]


HOSTILE: list[Any] = ["<script>alert(1)</script>", "../../../tmp/x", -1, True, None, [1], {"a": 1}]


@pytest.mark.parametrize("evil", HOSTILE, ids=str)
def test_hostile_rows_stay_text(folder: Path, evil: Any) -> None:
    keys = ("searched", "refuted", "ratio", "sentence", "family", "evaluations", "instances", "half_refuted")
    strange = dict.fromkeys((*keys, "best", "witness"), evil)
    inside = dict.fromkeys(("left", "right", "sentence", "method", "instance", "id"), evil)
    written(
        folder,
        strange | {"id": CONVEX, "variant": "printed"},
        {"id": FALSE, "variant": "printed", "witness": inside, "refuted": True},
        strange | {"id": "../../x", "variant": "y", "witness": inside},
        strange | {"id": evil, "variant": evil},
        [evil],
    )
    made = contents(folder)
    assert "<script>alert" not in page.html(made)
    assert "<script>" not in page.markdown(made)
    assert not [name for name in made["files"] if ".." in name or name.startswith("/")]
