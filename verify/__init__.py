"""Judges: joins what `bounds` states with what `synthetic` does."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verify.run import check
    from verify.valid_parameters import valid_parameters

__all__ = ["check", "valid_parameters"]

_HOME = {"check": "verify.run", "valid_parameters": "verify.valid_parameters"}


def __getattr__(name: str) -> Any:
    # Lazy, because whoever audits units must not wait for the engine and scipy.
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOME[name]), name)
