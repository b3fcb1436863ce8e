"""A study from its TOML or JSON file; docs/studies.md has the form."""

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bounds.errors import nearest
from reports.errors import BadOption, MalformedFile
from reports.inputs.files import read_table
from reports.inputs.grids import axis
from reports.inputs.numerals import read_number

if TYPE_CHECKING:
    from bounds.language.statement import Statement
    from verify.falsify.attempts_table import SearchStudy
    from verify.study.study import Point, Study

KEYS: Final = (
    "statements",
    "variants",
    "roles",
    "parameters",
    "together",
    "problems",
    "level",
    "seed",
    "replicates",
)
KEYS_OF_A_SEARCH: Final = ("statements", "variants", "search")
CAPS: Final = ("seconds", "seconds_of_runs")


def read_study(path: Path) -> "Study":
    """What `verify --study` runs."""
    from verify.record_limits import LARGEST_SEED, MOST_REPLICATES
    from verify.runs.check import LEVEL, REPLICATES, SEED
    from verify.study.study import Study, unknown_names

    table = read_table(path)
    if "search" in table:
        raise MalformedFile(f"{path} is a study of searches: fedbounds falsify --study runs it")
    _check_keys(table, KEYS, path)
    study = Study(
        statements=_statements(table, path),
        parameters=_axes(table.get("parameters", {}), table.get("together", []), path),
        problems=tuple(
            _problem(entry, path) for entry in _tables(table.get("problems", []), "problems", path)
        ),
        roles=_words(table.get("roles", []), "roles", path),
        level=_level(table.get("level", LEVEL), path),
        seed=_count(table.get("seed", SEED), "seed", path, 0, LARGEST_SEED),
        replicates=_count(table.get("replicates", REPLICATES), "replicates", path, 2, MOST_REPLICATES),
    )
    unknown = sorted(unknown_names(study))
    if unknown:
        known = {name for s in study.statements for name in s.notation.quantities}
        raise MalformedFile(
            f"{path}: no statement of the study has a quantity {unknown[0]}; {nearest(unknown[0], known)}"
        )
    return study


def read_search_study(path: Path) -> "SearchStudy":
    """What `falsify --study` searches."""
    from verify.falsify.attempts_table import SearchStudy

    table = read_table(path)
    _check_keys(table, KEYS_OF_A_SEARCH, path)
    caps = table.get("search", {})
    if not isinstance(caps, dict):
        raise MalformedFile(f"{path}: search is a table of seconds, under a line [search]")
    _check_keys(caps, CAPS, path)
    return SearchStudy(
        forms=tuple((form.id, form.variant) for form in _statements(table, path)),
        **{name: _seconds(value, name, path) for name, value in caps.items()},
    )


def _check_keys(table: Mapping[str, Any], known: tuple[str, ...], path: Path) -> None:
    for key in table:
        if key not in known:
            raise MalformedFile(f"{path}: a study has no {key} here; {nearest(key, known)}")


def _statements(table: Mapping[str, Any], path: Path) -> "tuple[Statement, ...]":
    """The forms that `statements` and `variants` name."""
    from reports.inputs.statements import select
    from verify.runs.check import forms

    if not table.get("statements"):
        raise MalformedFile(f'{path} names no statement: write statements = ["textbook.*"]')
    variants = _words(table.get("variants", ["printed", "amended"]), "variants", path)
    for variant in variants:
        if variant not in ("printed", "amended"):
            raise MalformedFile(f"{path}: variants are printed and amended, not {variant}")
    chosen = forms(select(_words(table["statements"], "statements", path)))
    return tuple(form for form in chosen if form.variant in variants)


def _seconds(value: Any, name: str, path: Path) -> float:
    seconds = read_number(name, value, path)
    if seconds <= 0:
        raise MalformedFile(f"{path}: {name} must be a number > 0, not {value!r}")
    return seconds


def _words(value: Any, name: str, path: Path) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        raise MalformedFile(f'{path}: {name} is a list of words, such as {name} = ["..."]')
    return tuple(value)


def _tables(value: Any, name: str, path: Path) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(entry, dict) and entry for entry in value):
        raise MalformedFile(f"{path}: {name} are tables, each under a line [[{name}]]")
    return value


def _axes(parameters: Any, together: Any, path: Path) -> "tuple[tuple[Point, ...], ...]":
    """One axis for each name of [parameters], and one for each [[together]]."""
    if not isinstance(parameters, dict):
        raise MalformedFile(f"{path}: parameters is a table of names and values, under a line [parameters]")
    groups = [{name: entry} for name, entry in parameters.items()]
    groups += _tables(together, "together", path)
    names = [name for group in groups for name in group]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise MalformedFile(f"{path} gives {twice[0]} twice")
    return tuple(_axis_of(group, path) for group in groups)


def _axis_of(group: Mapping[str, Any], path: Path) -> "tuple[Point, ...]":
    from verify.study.study import refuse_too_many

    values = {name: axis(name, entry, path) for name, entry in group.items()}
    lengths = {name: len(listed) for name, listed in values.items()}
    if len(set(lengths.values())) > 1:
        each = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise MalformedFile(f"{path}: what moves together has as many values each, and {each}")
    refuse_too_many(max(lengths.values()))
    rows = zip(*(map(float, listed) for listed in values.values()), strict=True)
    return tuple(dict(zip(values, row, strict=True)) for row in rows)


def _problem(entry: dict[str, Any], path: Path) -> tuple[str, tuple[Mapping[str, Any], ...]]:
    """A list gives an argument several values; a list that is one value is a list in that list."""
    name = entry.get("name")
    if not isinstance(name, str):
        raise MalformedFile(f'{path}: a problem needs a name, such as name = "quadratic.small"')
    given = {
        key: value if isinstance(value, list) else [value] for key, value in entry.items() if key != "name"
    }
    points = product(*given.values())
    return name, tuple(dict(zip(given, point, strict=True)) for point in points)


def _level(value: Any, path: Path) -> float:
    level = read_number("level", value, path)
    if not 0 < level < 1:
        raise BadOption(f"{path}: level must be between 0 and 1, but is {level}")
    return level


def _count(value: Any, name: str, path: Path, least: int, most: int | None = None) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise MalformedFile(f"{path}: {name} must be an integer >= {least}, not {value!r}")
    if most is not None and value > most:
        raise MalformedFile(f"{path}: {name} must be at most {most:,}, which a record may have, not {value}")
    return value
