"""Judges: joins what `bounds` states with what `synthetic` does."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verify.answer import check
    from verify.conformance.conform import conform
    from verify.parameters.valid import valid_parameters

__all__ = ["check", "conform", "valid_parameters"]

_HOME = {
    "check": "verify.answer",
    "conform": "verify.conformance.conform",
    "valid_parameters": "verify.parameters.valid",
}


def __getattr__(name: str) -> Any:
    # Lazy, because whoever audits units must not wait for the engine and scipy.
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOME[name]), name)
