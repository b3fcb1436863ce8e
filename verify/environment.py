"""What decides the bits of a result beside the code: libraries, kernels, and the plan of the runs."""

import json
import platform
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version

from threadpoolctl import threadpool_info

from synthetic.engine import recorded_plan
from synthetic.engine.plan import Plan


def environment() -> dict[str, str]:
    """What a record and the key of a stored result name."""
    names = ("fedbounds", "numpy", "scipy", "sympy", "mpmath")
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        **{name: _version(name) for name in names},
        "kernel": _kernels(),
        "plan": json.dumps(asdict(recorded_plan.recorded() or Plan()), sort_keys=True),
    }


def _kernels() -> str:
    """The routines that the BLAS libraries chose for this processor, torch's own aside."""
    blas = (
        info for info in threadpool_info() if info["user_api"] == "blas" and "torch" not in info["filepath"]
    )
    return ", ".join(sorted({f"{i['internal_api']} {i.get('architecture', '')}".strip() for i in blas}))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
