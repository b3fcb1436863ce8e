"""The plan that was measured to be the fastest on this machine, in a file of the user's own."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from synthetic.engine.plan import Plan
from synthetic.errors import Refusal, WrongPlan

ELSEWHERE = "set XDG_CONFIG_HOME to a folder of your own"


def place() -> Path:
    home = os.environ.get("XDG_CONFIG_HOME")
    try:
        return (Path(home) if home else Path.home() / ".config") / "fedbounds" / "plan.json"
    except RuntimeError as error:  # no HOME, and no entry of the user
        raise _unusable("a home folder", str(error), "a folder for the plan", ELSEWHERE) from None


def recorded() -> Plan | None:
    """None where nothing is recorded; a file that is no plan is refused, not passed over."""
    path = place()
    try:
        written = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_unique)
        return _repeatable(Plan(**written))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unusable(path, _why(error), "a file that you can read, or none", ELSEWHERE) from None
    except (ValueError, TypeError, RecursionError, Refusal) as error:
        why, change = " ".join(str(error).split()), "run it again, or remove the file"
        raise _unusable(path, why, "what `fedbounds doctor --tune` writes", change) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse two values under one name, of which decoders would take the last."""
    out = dict(pairs)
    if len(out) < len(pairs):
        raise ValueError("a name is given twice")
    return out


def record(plan: Plan) -> Path:
    path = place()
    _repeatable(plan)
    with _writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(".new")  # whole or not at all
        beside.write_text(json.dumps(asdict(plan), indent=2) + "\n", encoding="utf-8")
        beside.replace(path)
    return path


def check_place() -> None:
    """Before a plan is measured, which takes minutes."""
    path = place()
    with _writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=path.parent):
            pass


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WrongPlan(
            asked="plan",
            failed="it cannot be recorded",
            found=f"{path}: {_why(error)}",
            needed="a folder that you can write",
            change=ELSEWHERE,
        ) from error


def _unusable(where: object, why: str, needed: str, change: str) -> WrongPlan:
    failed = "the recorded plan cannot be read"
    return WrongPlan(asked="plan", failed=failed, found=f"{where}: {why}", needed=needed, change=change)


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _repeatable(plan: Plan) -> Plan:
    """Verdicts are computed by the recorded plan: in double precision, by numbers any machine repeats."""
    for name, needed in (("precision", "double"), ("normals", "double"), ("draws", "host")):
        if getattr(plan, name) != needed:
            raise WrongPlan(
                asked=name,
                failed="a recorded plan decides for every run",
                found=getattr(plan, name),
                needed=needed,
                change=f"ask for {getattr(plan, name)} {name} run by run",
            )
    return plan
