"""Rows of attempts on file: what is passed over, what is refused with one sentence, what is kept."""

import json
from pathlib import Path
from typing import Any

import pytest

from bounds.errors import Misuse
from verify.falsify import attempts_on_file, attempts_table
from verify.falsify.attempted_form import form_of

KEPT = Path(__file__).parents[2] / "benchmarks" / attempts_on_file.ROWS


def first_line() -> str:
    return KEPT.read_text(encoding="utf-8").splitlines()[0]


def test_rows_of_the_repository_are_whole() -> None:
    kept = attempts_on_file.rows_of_now(KEPT)
    assert kept.keys() <= set(attempts_on_file.every_form())
    assert "| statement | form |" in attempts_table.markdown(kept)


def test_half_a_line_is_passed_over_and_the_next_row_is_not_lost(tmp_path: Path) -> None:
    file = tmp_path / attempts_on_file.ROWS
    file.write_text(first_line()[:40])
    assert attempts_on_file.rows_of_now(tmp_path) == {}
    with file.open("a") as more:
        more.write(attempts_on_file.end_of_line(file) + first_line() + "\n")
    assert len(attempts_on_file.last_rows(tmp_path)) == 1
    assert (attempts_on_file.end_of_line(file), attempts_on_file.end_of_line(tmp_path / "none")) == ("", "")


BROKEN: dict[str, Any] = {
    "refuted": "yes",
    "searched": 1,
    "ratio": "0.5",
    "excess": [1],
    "budget": None,
    "seconds": "0.5",
    "instances": 1.5,
    "family": 3,
    "half_refuted": 0,
    "witness": 7,
}


def current() -> dict[str, Any]:
    """A row of a form as it is now, whatever was kept last."""
    identity, variant = attempts_on_file.every_form()[0]
    fresh = dict.fromkeys(attempts_on_file.FIELDS) | {
        "searched": True,
        "refuted": False,
        "budget": 1.0,
        "seconds": 0.5,
    }
    form = form_of(attempts_table.discovery.get(identity, variant))
    return fresh | {"instances": 3, "id": identity, "variant": variant, "form": form}


@pytest.mark.parametrize("name", BROKEN)
def test_a_row_that_the_table_cannot_show_is_named_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    first = attempts_on_file.every_form()[:1]  # each call makes the digest of every form
    monkeypatch.setattr(attempts_on_file, "every_form", lambda: first)
    file, whole = tmp_path / attempts_on_file.ROWS, current()
    file.write_text(json.dumps(whole) + "\n")
    assert list(attempts_on_file.rows_of_now(file).values()) == [whole]
    for broken, why in (
        (whole | {name: BROKEN[name]}, f"its {name} is "),
        ({key: value for key, value in whole.items() if key != name}, f"it has no {name}"),
    ):
        file.write_text("\n" + json.dumps(broken) + "\n")
        with pytest.raises(attempts_on_file.NotARow, match="line 2 is no row of an attempt") as refused:
            attempts_on_file.rows_of_now(tmp_path)
        assert why in str(refused.value)
        assert "\n" not in str(refused.value)
    file.write_text(json.dumps(whole | {"form": "of another time", name: BROKEN[name]}))
    assert attempts_on_file.rows_of_now(file) == {}  # what is made anew need not be whole


@pytest.mark.parametrize(
    ("content", "why"), [(b"\xff\xfe{}", "not text in UTF-8"), (b"[" * 100_000, "not valid JSON")]
)
def test_files_that_are_no_rows_are_the_house_s_error(tmp_path: Path, content: bytes, why: str) -> None:
    file = tmp_path / attempts_on_file.ROWS
    file.write_bytes(content)
    for read in (attempts_on_file.last_rows, attempts_on_file.rows_of_now):
        with pytest.raises(Misuse, match=why):
            read(tmp_path)
