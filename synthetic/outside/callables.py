"""Objects that are called, partials and lambdas stand in the place of a function."""

from collections.abc import Callable
from functools import partial
from typing import Any


def is_public(name: str) -> bool:
    """Whether a name can be the id of an algorithm."""
    return name.isidentifier() and not name.startswith("_")


def as_function(code: Callable[..., Any]) -> Callable[..., Any]:
    """The same call under a public name; a function that has one is returned as it is."""
    if is_public(str(getattr(code, "__name__", ""))):
        return code
    inner: Any = code
    while isinstance(inner, partial):
        inner = inner.func
    has_code = hasattr(inner, "__code__")

    def called(*arguments: Any) -> Any:
        return code(*arguments)

    own = str(getattr(inner, "__name__", type(inner).__name__)).strip("_")
    called.__name__ = own if is_public(own) else "unnamed"
    called.__module__ = str(getattr(inner, "__module__", None) or type(inner).__module__)
    # where its lines are, for a sentence that names one
    lines: Any = inner if has_code else type(inner).__call__
    called.__wrapped__ = lines  # type: ignore[attr-defined]  # a function takes any attribute
    return called
