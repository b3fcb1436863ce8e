"""The hardest attempts to break statements, where the folder of the record has rows of them.

The rows are those of `verify.falsify.attempts_on_file`. A witness gets a file of its own for `fedbounds
replay`.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reports.cli.counterexample import lines_of
from reports.page.cells import clipped, scale
from reports.page.reproduction import is_safe, replay
from verify.json_numbers import as_float

Plain = dict[str, Any]
Rows = Mapping[str, Mapping[str, Plain]]

FILE = "falsify.jsonl"
FOLDER = "witness"
WIDTH = 320  # of the longer of the two bars


def read(directory: Path) -> dict[str, dict[str, Plain]]:
    """Attempts by statement and form; empty without a file."""
    if not (directory / FILE).is_file():
        return {}
    from verify.falsify.attempts_on_file import last_rows

    out: dict[str, dict[str, Plain]] = {}
    for (identity, variant), row in last_rows(directory).items():
        if all(isinstance(word, str) for word in (identity, variant)):
            file = _file(identity, variant) if isinstance(row.get("witness"), dict) else ""
            again = replay(directory / "report" / file) if file else ""
            out.setdefault(identity, {})[variant] = row | {"file": file, "again": again}
    return out


def _file(identity: str, variant: str) -> str:
    name = f"{identity}.{variant}"
    return f"{FOLDER}/{name}.json" if is_safe(name) else ""


def files(rows: Rows) -> dict[str, str]:
    """The witnesses, by the name of their file within the report."""
    every = (row for forms in rows.values() for row in forms.values())
    return {row["file"]: json.dumps(row["witness"], indent=1) + "\n" for row in every if row["file"]}


def attempt(row: Plain) -> Plain:
    """One row as the page shows it. A file from elsewhere may hold anything under any key."""
    best, witness = row.get("best"), row.get("witness")
    refuted = row.get("refuted") is True
    # The verdict is printed beside it, and of a refuted row the witness has the sentence without it.
    shown = witness if refuted and isinstance(witness, dict) else row
    return {
        "refuted": refuted,
        "searched": row.get("searched") is True,
        "sentence": str(shown.get("sentence", "")),
        "ratio": row.get("ratio"),
        "scale": scale({"ratio": row.get("ratio"), "bound": {"value": 1.0}, "measured": {}}),
        "half_refuted": row.get("half_refuted"),
        "instances": row.get("instances"),
        "evaluations": row.get("evaluations"),
        "family": row.get("family") or "",
        "best": clipped(best) if best is not None and not isinstance(witness, dict) else "",
        "witness": _witness(witness) if isinstance(witness, dict) else None,
        "again": row["again"],
    }


def _witness(found: Plain) -> Plain:
    details = found.get("details")
    sides = {name: as_float(found.get(name)) for name in ("left", "right")}
    known = {name: value for name, value in sides.items() if value is not None}
    longest = max(map(abs, known.values()), default=0.0)
    return {
        "sentence": str(found.get("sentence", "")),
        "method": str(found.get("method", "")),
        "instance": clipped(found.get("instance")),
        "counterexample": lines_of(details.get("counterexample") if isinstance(details, dict) else None),
        "bars": [
            {"name": name, "value": value, "width": round(WIDTH * value / longest, 1) if longest > 0 else 0.0}
            for name, value in known.items()
            if value >= 0
        ],
    }
