"""How a statement or a value is shown in a notebook: by the floor that draws, which nothing here imports.

`import fedbounds` sets the view, and loads it when the first object is shown.
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from bounds.errors import Misuse


class View(Protocol):
    """The functions of a module that draws."""

    def html(self, thing: Any) -> str: ...
    def plot(self, statement: Any, over: str | Mapping[str, Any], given: Mapping[str, Any]) -> Any: ...


_load: list[Callable[[], View]] = []


def set_view(load: Callable[[], View]) -> None:
    """Use this view from now on; `load` is called when something is shown."""
    _load[:] = [load]


def html(thing: object) -> str | None:
    """The object as HTML; None without a view, and a notebook then prints its `repr`."""
    return _load[0]().html(thing) if _load else None


def plot(statement: object, over: str | Mapping[str, Any], given: Mapping[str, Any]) -> Any:
    """Draw the statement's value over one or two quantities."""
    if not _load:
        raise Misuse("only `import fedbounds` can draw; import it before you plot")
    return _load[0]().plot(statement, over, given)
