"""What the benchmarks share: taking turns, the machine's description, the table."""

import json
import os
import platform
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

COLUMNS = (("statement", 30), ("what", 38), ("target", 10), ("median", 9), ("lowest", 9), ("highest", 9))


def interleaved(sides: Sequence[Callable[[], Any]], repetitions: int) -> list[list[float]]:
    """Seconds of every side, one list per side; the sides take turns, after one turn that is not counted."""
    seconds: list[list[float]] = [[] for _ in sides]
    for turn in range(repetitions + 1):
        for side, taken in zip(sides, seconds, strict=True):
            start = time.perf_counter()
            side()
            if turn:
                taken.append(time.perf_counter() - start)
    return seconds


def machine() -> dict[str, Any]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "cpu": _cpu(),
        "cores": cores,
        "load": [round(load, 2) for load in os.getloadavg()],
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "sympy", "fedbounds") if _installed(name)},
    }


def _cpu() -> str:
    path = Path("/proc/cpuinfo")
    if path.exists():
        for line in path.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def _installed(name: str) -> bool:
    try:
        version(name)
    except ImportError:  # PackageNotFoundError is one
        return False
    return True


def print_table(rows: Sequence[dict[str, Any]]) -> None:
    described = machine()
    print(", ".join(f"{key} {value}" for key, value in described.items()))
    columns = [(name, width) for name, width in COLUMNS if any(name in row for row in rows)]
    print("  ".join(name.ljust(width) for name, width in columns))
    for row in rows:
        print("  ".join(_cell(row.get(name, "")).ljust(width) for name, width in columns))


def _cell(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def write_json(path: Path, document: dict[str, Any]) -> None:
    path.write_text(json.dumps(document, indent=2) + "\n")
