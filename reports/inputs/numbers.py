"""Numbers from people: --set and --constants."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from bounds.errors import NotANumber
from bounds.evaluation.free_bound import free_names
from bounds.evaluation.inputs import check_values
from bounds.evaluation.resolve import resolve_with
from bounds.language.statement import Statement
from reports.errors import MalformedFile, UnusableConstant
from reports.inputs.assigned import read_assigned
from reports.inputs.files import read_table
from reports.inputs.numerals import finite, number

CONSTANTS_SCHEMA = "fedbounds/constants/1"
PLAN_SCHEMA = "fedbounds/plan/1"


def assignments(texts: Iterable[str] | None) -> dict[str, float]:
    """`NAME=VALUE` words, each name once."""
    return read_assigned(texts, number)


def separated(statement: Statement, given: Mapping[str, float]) -> tuple[dict[str, float], dict[str, float]]:
    """What the statement takes, and what only its free bound knows; the latter is checked here."""
    only_free = free_names(statement)
    more = {name: value for name, value in given.items() if name in only_free}
    check_values(statement.notation, more)
    return {name: value for name, value in given.items() if name not in more}, more


@final
@dataclass(frozen=True, slots=True)
class Constants:
    """What a constants file gives to a statement, and what it offers that the statement has no use for."""

    used: dict[str, float]
    unused: tuple[str, ...]


def constants(path: Path, statement: Statement, given: Iterable[str]) -> Constants:
    """A file serves many statements: what this one does not know or what --set overrides is left aside.

    A derived quantity is taken from it only where it cannot be computed from what else is known.
    """
    read = read_table(path)
    own = read.get("schema") in (CONSTANTS_SCHEMA, PLAN_SCHEMA)
    table = _names(read, path, statement)
    overridden = set(given)
    known = table.keys() | overridden
    derived, _ = resolve_with(statement, known)
    taken = {
        name
        for name, sources in derived.items()
        if name in table and name not in overridden and not _computable(sources, known - {name}, derived)
    }
    basis = (known - derived.keys()) | taken | overridden
    _, resolved = resolve_with(statement, basis)
    wanted = (resolved.required | resolved.optional | taken) - overridden
    used = {name: _entry(name, table[name], path, statement) for name in table if name in wanted}
    for name in free_names(statement) & table.keys() - overridden:
        if _has_number(table[name]):
            used[name] = _entry(name, table[name], path, statement)
    # the verb `constants` offers what any statement of the paper may want
    left = () if own else tuple(name for name in table if name not in used.keys() | overridden)
    return Constants(used, left)


def _names(table: dict[str, Any], path: Path, statement: Statement) -> dict[str, Any]:
    """Names and values; of what the verb `constants` wrote, those for the paper of the statement.

    A plan gives what it knew and what it chose: the setting is one of the statement that it was made with.
    """
    if table.get("schema") == PLAN_SCHEMA:
        if table.get("id") != statement.id:
            raise UnusableConstant(f"{path} is a plan with {table.get('id')}, not with {statement.id}")
        if not all(isinstance(table.get(key), dict) for key in ("known", "setting")):
            raise UnusableConstant(f"{path} is a plan without a setting")
        return {**table["known"], **table["setting"]}
    if table.get("schema") != CONSTANTS_SCHEMA:
        return table
    papers = table.get("quantities")
    names = papers.get(statement.paper.key) if isinstance(papers, dict) else None
    if not isinstance(names, dict):
        raise UnusableConstant(f"{path} has no constants under the names of the paper {statement.paper.key}")
    return names


def _computable(sources: Iterable[str], known: set[str], derived: Mapping[str, tuple[str, ...]]) -> bool:
    return all(
        name in known or (name in derived and _computable(derived[name], known, derived)) for name in sources
    )


def _has_number(entry: Any) -> bool:
    return not isinstance(entry, dict) or entry.get("value") is not None


def _entry(name: str, entry: Any, path: Path, statement: Statement) -> float:
    if not isinstance(entry, dict):
        return _plain_number(name, entry, path)
    value = entry.get("value")
    if value is None:
        why = entry.get("reason") or entry.get("provenance") or "no value is given"
        raise UnusableConstant(f"{path} has no number for {name}: {why}")
    # A bound that grows with a constant is true only at an upper estimate of it, and conversely.
    for side, symbols in (("upper", statement.increasing), ("lower", statement.decreasing)):
        if name in {s.name for s in symbols} and side in entry and entry[side] is None:
            raise UnusableConstant(
                f"{path} knows no {side} bound of {name}, and {statement.id} is true only with one"
            )
    return _plain_number(name, value, path)


def _plain_number(name: str, value: Any, path: Path) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise MalformedFile(f"{path} must give {name} as a number or as {{value = number}}, not {value!r}")
    try:
        return finite(float(value), name, value)
    except OverflowError:
        raise NotANumber(
            f"{name} must be a number that fits a float, and {path} gives a larger one"
        ) from None
