"""A certificate beside a package that is named after none of its statements is named, not passed over."""

from pathlib import Path

import pytest

from bounds import discovery
from verify.proofs import store


def test_a_file_with_another_name_is_a_stray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    statement = discovery.get("textbook.stochastic_gradient_descent")
    for file in ("textbook.stochastic_gradient_descent.json", "other.json", "note.txt"):
        (tmp_path / file).write_text("{}")
    assert store.list_strays(statement) == [], "our own papers have their certificates elsewhere"
    monkeypatch.setattr(store, "registered", lambda: {"textbook"})
    monkeypatch.setattr(store.resources, "files", lambda _: tmp_path)
    assert store.list_strays(statement) == [str(tmp_path / "other.json")]
    (tmp_path / "other.json").unlink()
    assert store.list_strays(statement) == []
