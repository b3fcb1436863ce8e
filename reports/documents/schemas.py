"""The JSON schemas of the documents, written from their types: the contract that other programs read.

    python -m reports.documents.schemas

writes reports/schemas/*.json. A test compares them with the types.
"""

import json
import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, get_type_hints, is_typeddict

import msgspec

from reports.documents import types
from verify.privacy import document as privacy
from verify.records import types as records

FOLDER: Final = Path(__file__).parents[1] / "schemas"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
LONGEST: Final = 110  # characters of a line
Schema = dict[str, Any]


def describe_documents() -> dict[str, Schema]:
    """The schema of each document, by its name."""
    tables = collect_tables()
    forms: dict[str, list[type]] = {}
    for table in tables.values():
        for name in vars(table).get("__documents__", ()):
            forms.setdefault(name, []).append(table)
    return {name: _describe(name, forms[name], tables) for name in sorted(forms)}


def render(value: Any, margin: str = "") -> str:
    """Indented by one space, with everything on one line that fits there."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(margin) + len(flat) <= LONGEST or not isinstance(value, dict | list):
        return flat
    deeper = f"{margin} "
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {render(part, deeper)}" for key, part in value.items()]
    else:
        parts = [render(part, deeper) for part in value]
    first, last = "{}" if isinstance(value, dict) else "[]"
    return f",\n{deeper}".join(parts).join((f"{first}\n{deeper}", f"\n{margin}{last}"))


def collect_tables() -> dict[str, type]:
    """Every table of every document by its name, which is unique."""
    tables: dict[str, type] = {}
    own = (import_module(found.name) for found in pkgutil.iter_modules(types.__path__, f"{types.__name__}."))
    for module in (records, privacy, *own):
        for name, value in vars(module).items():
            if is_typeddict(value) and tables.setdefault(name, value) is not value:
                raise TypeError(f"two types of documents are called {name}")
    return tables


def _describe(name: str, forms: list[type], tables: Mapping[str, type]) -> Schema:
    """A document of one form as it is, one of several as alternatives."""
    parts = msgspec.json.schema_components(forms, ref_template="#/$defs/{name}")[1]
    shared = {part: _complete(parts[part], tables[part]) for part in sorted(parts)}
    identity = f"fedbounds/{name}/1"
    found = [_identify(shared.pop(form.__name__), identity) for form in forms]
    shape = found[0] if len(found) == 1 else {"anyOf": found}
    return {"$schema": DIALECT, "$id": identity, **shape, **({"$defs": shared} if shared else {})}


def _identify(form: Schema, identity: str) -> Schema:
    fields = {"schema": {"const": identity}, **form["properties"]}
    return form | {"properties": fields, "required": ["schema", *form["required"]]}


def _complete(part: Schema, table: type) -> Schema:
    """What the library leaves out: the order of the keys, closed tables, reasons of nulls."""
    del part["title"]
    order = list(get_type_hints(table))
    fields = {key: _shorten(part["properties"][key]) for key in order}
    part |= {"properties": fields, "required": [key for key in order if key in part["required"]]}
    if "__closed__" in vars(table):
        part["additionalProperties"] = False
    nulls = {key: field.pop("explained") for key, field in fields.items() if "explained" in field}
    if nulls:
        asked = [{"properties": {key: {"enum": v}}, "required": [key]} for key, v in nulls.items()]
        there = "reason" in part["required"]
        then = {"properties": {"reason": {"minLength": 1}}} if there else {"required": ["reason"]}
        part |= {"if": {"anyOf": asked}, "then": then}
    return part


def _shorten(field: Any) -> Any:
    """Alternatives that are only types, as a list of types."""
    if isinstance(field, list):
        return [_shorten(part) for part in field]
    if not isinstance(field, dict):
        return field
    field = {key: _shorten(value) for key, value in field.items()}
    choices = field.get("anyOf", [])
    if choices and all(choice.keys() == {"type"} for choice in choices):
        return {"type": [choice["type"] for choice in field.pop("anyOf")], **field}
    return field


@cache
def render_files() -> dict[str, str]:
    """The text of each file in the folder of the schemas, by its name."""
    return {f"{name}.json": render(schema) + "\n" for name, schema in describe_documents().items()}


def find_stale(folder: Path = FOLDER) -> list[str]:
    """The files that are missing, out of date, or of no document."""
    expected = render_files()
    found = {file.name: file.read_text(encoding="utf-8") for file in folder.glob("*.json")}
    return sorted(name for name in expected | found if expected.get(name) != found.get(name))


def write(folder: Path = FOLDER) -> None:
    for name in find_stale(folder):
        if name in render_files():
            (folder / name).write_text(render_files()[name], encoding="utf-8")
        else:
            (folder / name).unlink()


if __name__ == "__main__":
    write()
