"""fedbounds in Python, under one name: `fedbounds.get(id)` and every verb of the command line.

A verb takes the words of the command line and returns the document that `--json` prints, as a dict:

    fedbounds.errata("dp_fedavg")
    fedbounds.eval("dp_fedavg.theorem_2", set={"L": 1, "K": 100}, variant="amended")
    fedbounds.solve("textbook.gradient_descent_convex", for_="N", target=0.01, set={"L": 1, "D0": 1})
    fedbounds.privacy.epsilon(sigma=5, delta=1e-5, rounds=10, sampling="full", relation="replace-one")

Everything is loaded when it is asked for: `import fedbounds` loads neither sympy nor torch.
"""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bounds  # refuses an installation whose packages are mixed with files of another distribution

if TYPE_CHECKING:
    from collections.abc import Collection

    from bounds import Statement, get, statements
    from synthetic.outside.algorithm import REQUIRED, Algorithm
    from synthetic.outside.claims import at_least, at_most
    from synthetic.outside.own_problem import OwnProblem

__all__ = [
    "Statement",
    "get",
    "statements",
    "Algorithm",
    "REQUIRED",
    "OwnProblem",
    "at_most",
    "at_least",
]

# What an author builds an algorithm or a problem from: all of it is of the acting side.
_FOR_AUTHORS = {
    "Algorithm": "synthetic.outside.algorithm",
    "REQUIRED": "synthetic.outside.algorithm",
    "OwnProblem": "synthetic.outside.own_problem",
    "at_most": "synthetic.outside.claims",
    "at_least": "synthetic.outside.claims",
}


def _refuse_another(package: Any) -> None:
    """Another distribution's package of the same name may come first on the import path."""
    found = Path(package.__file__ or ".").parent
    if found.parent != Path(__file__).parent:
        raise ImportError(
            f"{found} is not the package {package.__name__} of fedbounds but comes before it on the import "
            "path; uninstall the distribution that installed it, or give fedbounds an environment of its own"
        )


_refuse_another(bounds)


def __getattr__(name: str) -> Any:
    if name in _FOR_AUTHORS:
        return getattr(import_module(_FOR_AUTHORS[name]), name)
    if name in __all__:
        return getattr(bounds, name)
    if not name.startswith("_") and name in _verbs():
        return import_module("reports.document").Verb((name,))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted((*__all__, *_verbs()))


def _verbs() -> "Collection[str]":
    """The verbs of the command line; none of them is loaded."""
    _refuse_another(import_module("reports"))
    names: Collection[str] = import_module("reports.command_line").VERBS
    return names
