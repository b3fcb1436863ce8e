"""reports/schemas/ holds what the types of the documents say."""

import shutil
from pathlib import Path
from typing import Annotated, NotRequired, TypedDict

import pytest
from jsonschema import Draft202012Validator
from msgspec import Meta

from reports.documents import schemas
from reports.documents.types.markers import Explained, closed, document


def test_the_schemas_on_disk_are_those_of_the_types() -> None:
    assert schemas.stale() == [], "run `python -m reports.documents.schemas`"


def test_a_changed_a_missing_and_a_foreign_file_are_named_and_replaced(tmp_path: Path) -> None:
    folder = shutil.copytree(schemas.FOLDER, tmp_path / "schemas")
    changed, missing, foreign = folder / "eval.json", folder / "list.json", folder / "old.json"
    changed.write_text(changed.read_text(encoding="utf-8").replace("number", "string", 1))
    missing.unlink()
    foreign.write_text("{}")
    assert schemas.stale(folder) == ["eval.json", "list.json", "old.json"]
    schemas.write(folder)
    assert schemas.stale(folder) == []
    assert not foreign.exists()


class Part(TypedDict):
    """A part."""

    value: Explained[float | None]
    reason: NotRequired[str]


@closed
@document("trial")
class Found(TypedDict):
    parts: Annotated[list[Part], Meta(min_length=1)]


@document("trial")
class NotFound(TypedDict):
    reason: str


@pytest.fixture
def trial(monkeypatch: pytest.MonkeyPatch) -> Draft202012Validator:
    tables = {table.__name__: table for table in (Part, Found, NotFound)}
    monkeypatch.setattr(schemas, "_tables", lambda: tables)
    return Draft202012Validator(schemas.schemas()["trial"])


@pytest.mark.parametrize(
    ("body", "fits"),
    [
        ({"parts": [{"value": 1}]}, True),
        ({"parts": [{"value": None, "reason": "infinite"}]}, True),
        ({"reason": "there is none"}, True),
        ({"parts": [{"value": None}]}, False),
        ({"parts": [{"value": "1"}]}, False),
        ({"parts": []}, False),
        ({"parts": [{"value": 1}], "new": 1}, False),
        ({"parts": [{"value": 1, "new": 1}]}, True),
        ({}, False),
    ],
)
def test_a_schema_accepts_what_its_types_allow(
    trial: Draft202012Validator, body: dict[str, object], fits: bool
) -> None:
    assert trial.is_valid({"schema": "fedbounds/trial/1", **body}) == fits
    assert not trial.is_valid(body)
