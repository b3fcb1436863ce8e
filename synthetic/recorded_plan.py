"""The plan that was measured to be the fastest on this machine, in a file of the user's own."""

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from synthetic.errors import Refusal, WrongPlan
from synthetic.plan import Plan


def place() -> Path:
    home = os.environ.get("XDG_CONFIG_HOME")
    return (Path(home) if home else Path.home() / ".config") / "fedbounds" / "plan.json"


def recorded() -> Plan | None:
    """None where nothing is recorded; a file that is no plan is refused, not passed over."""
    path = place()
    try:
        written = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_unique)
        return _double(Plan(**written))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, RecursionError, Refusal) as error:
        raise WrongPlan(
            asked="plan",
            failed="the recorded plan cannot be read",
            found=f"{path}: {' '.join(str(error).split())}",
            needed="what `fedbounds doctor --tune` writes",
            change="run it again, or remove the file",
        ) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of two values under one name, decoders would take the last."""
    out = dict(pairs)
    if len(out) < len(pairs):
        raise ValueError("a name is given twice")
    return out


def record(plan: Plan) -> Path:
    path = place()
    _double(plan)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".new")  # whole or not at all
    beside.write_text(json.dumps(as_written(plan), indent=2) + "\n", encoding="utf-8")
    beside.replace(path)
    return path


def _double(plan: Plan) -> Plan:
    """A verdict is computed by the recorded plan, and nothing of it in single precision."""
    for name in ("precision", "normals"):
        if getattr(plan, name) != "double":
            raise WrongPlan(
                asked=name,
                failed="a recorded plan decides for every run",
                found=getattr(plan, name),
                needed="double",
                change="ask for single precision run by run",
            )
    return plan


def as_written(plan: Plan) -> dict[str, Any]:
    return asdict(plan)
