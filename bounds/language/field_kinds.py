"""An author's slip in a declaration, such as a word where a tuple of words belongs, told where it is made."""

from collections.abc import Callable, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from bounds.errors import MalformedStatement, with_article

ORIGINS: Final = {Mapping: "a dict", Callable: "a function"}
NUMBERS: Final = int | float


def check_fields(noun: Any, name: str) -> None:
    """Refuse what is not of the kind that its annotation says."""
    kind: Any = type(noun)
    for field, hint in _hints(kind).items():
        given = getattr(noun, field)
        if not _fits(given, hint):
            shown = " ".join(repr(given).split())[:60]
            sentence = f"{field}={shown} is {_kind(given)}, and {_needed(hint)} is needed"
            raise MalformedStatement(f"{name}: {sentence}")


@cache
def _hints(of: Any) -> dict[str, Any]:
    return get_type_hints(of)


def _fits(given: Any, hint: Any) -> bool:
    origin = get_origin(hint)
    if hint is Any:
        return True
    if origin is tuple:
        return isinstance(given, tuple) and all(_fits(entry, get_args(hint)[0]) for entry in given)
    if origin in (Union, UnionType):
        return any(_fits(given, one) for one in get_args(hint))
    of: Any = NUMBERS if hint is float else origin or hint
    return isinstance(given, of)


def _kind(given: Any) -> str:
    """What it is, and of a tuple what is in it."""
    inside = sorted({type(entry).__name__ for entry in given}) if isinstance(given, tuple) else []
    return with_article(type(given).__name__) + (f" of {', '.join(inside)}" if inside else "")


def _needed(hint: Any) -> str:
    origin = get_origin(hint)
    if origin is tuple:
        return f"a tuple of {_needed(get_args(hint)[0]).partition(' ')[2]}, such as (A, B) or (A,),"
    if origin in (Union, UnionType):
        return " or ".join(_needed(one) for one in get_args(hint) if one is not NoneType)
    return ORIGINS.get(origin, with_article(getattr(hint, "__name__", str(hint))))
