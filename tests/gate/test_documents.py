"""The gate itself: it names every document that a change alters."""

import runpy
from pathlib import Path

import pytest

GATE = runpy.run_path(str(Path(__file__).with_name("documents.py")))
COMMAND = ("show", "textbook.gradient_descent_convex", "--json", "--steps")


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    before, after = tmp_path / "before", tmp_path / "after"
    for folder in (before, after):
        folder.mkdir()
        (folder / GATE["file_name"](COMMAND)).write_text(GATE["run"](COMMAND), encoding="utf-8")
    return before, after


def test_the_same_document_is_identical(folders: tuple[Path, Path]) -> None:
    before, after = folders
    (file,) = before.iterdir()
    assert file.name == "show_textbook.gradient_descent_convex_steps_json.txt"
    assert file.read_text(encoding="utf-8").startswith("exit 0\n--- out\n{")
    assert GATE["differences"](before, after) == []
    assert GATE["main"](["compare", str(before), str(after)]) == 0


def test_one_byte_and_a_missing_document_are_named(folders: tuple[Path, Path]) -> None:
    before, after = folders
    (file,) = after.iterdir()
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("D0", "D1", 1), encoding="utf-8")
    assert GATE["differences"](before, after) == [f"{file.name}: differs"]
    file.unlink()
    assert GATE["differences"](before, after) == [f"{file.name}: missing in {after}"]
    assert GATE["main"](["compare", str(before), str(after)]) == 1


def test_an_exit_code_and_what_is_said_on_stderr_belong_to_a_document() -> None:
    told = GATE["run"](("show", "textbook.no_such_theorem"))
    assert told.startswith("exit 2\n--- out\n--- err\nfedbounds: no statement textbook.no_such_theorem")


def test_every_statement_has_its_documents() -> None:
    commands = list(GATE["commands"]())
    names = {GATE["file_name"](command) for command in commands}
    assert len(names) == len(commands)
    assert "eval_dp_fedavg.theorem_4_variant_amended.txt" in names
