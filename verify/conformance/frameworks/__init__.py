"""Private federated averaging of other frameworks, driven in process, as targets of a conformance check."""

import importlib
from collections.abc import Callable
from typing import Any

from synthetic.errors import BadValue, nearest

# TARGET: (module here, function, package that it needs)
TARGETS = {
    "flower:server": ("flower", "server_side", "flwr"),
    "flower:client": ("flower", "client_side", "flwr"),
    "flower:equal": ("flower", "equal_weights", "flwr"),
    "opacus:poisson": ("opacus_steps", "poisson", "opacus"),
    "pfl:gaussian": ("pfl_mechanism", "gaussian", "pfl"),
}
PREFIXES = {target.partition(":")[0] for target in TARGETS}
EXTRA = "pip install 'fedbounds[frameworks]'"


def adapter(target: str) -> Callable[..., Any]:
    """The run function of this target; refused if there is none, or if the framework is not installed."""
    if target not in TARGETS:
        raise BadValue(
            asked=f"conform {target}",
            failed="no adapter has this name",
            found=target,
            needed="one of " + ", ".join(TARGETS),
            change=f"did you mean {nearest(target, list(TARGETS))}?",
        )
    module, function, package = TARGETS[target]
    try:
        importlib.import_module(package)
    except ImportError as error:
        raise BadValue(
            asked=f"conform {target}",
            failed=f"the package {package} cannot be imported",
            found=str(error),
            needed=package,
            change=f"run: {EXTRA}",
        ) from error
    builder: Callable[..., Any] = getattr(importlib.import_module(f"{__name__}.{module}"), function)
    return builder
