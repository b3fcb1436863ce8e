"""Statements: quantities, conditions, theorems, and the numbers that they give."""

from typing import TYPE_CHECKING, Any

from bounds.installation import refuse_mixtures

if TYPE_CHECKING:
    from bounds.discovery import get, statements
    from bounds.language.statement import Statement

__all__ = ["Statement", "get", "statements"]

_HOME = {
    "Statement": "bounds.language.statement",
    "get": "bounds.discovery",
    "statements": "bounds.discovery",
}


def __getattr__(name: str) -> Any:
    # Lazy, because a verb that prints stored words (`errata`) must not wait for sympy.
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOME[name]), name)


refuse_mixtures()
