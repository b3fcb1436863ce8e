"""The ledger of refutations: one replayable cell for each statement that a standard cell refutes.

`ledger.json` is a record like any other: `fedbounds replay verify/ledger.json` runs it again, and a test does
too. `python -m verify.ledger` makes it anew.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from bounds.finding import Finding, FindingClass
from bounds.statement import Statement

FILE = Path(__file__).with_name("ledger.json")

# What is right instead, in words; the numbers are in the cells.
RIGHT = {
    "fed_norm_ec.lemma_1": (
        "with beta <= alpha the map t -> t - beta t/(alpha + t) increases, its largest value on [0, C] is at "
        "C, and the lemma follows"
    ),
    "als_dpfl.theorem_1.distance": "read with the auxiliary noise divided by B too, no cell refutes it",
    "als_dpfl.theorem_1.value": "read with the auxiliary noise divided by B too, no cell refutes it",
}


@cache
def refutations() -> dict[str, dict[str, Any]]:
    """The recorded cell of every refuted statement."""
    data = json.loads(FILE.read_text(encoding="utf-8"))
    return {cell["id"]: cell for cell in data["cells"]}


def findings(statement: Statement) -> tuple[Finding, ...]:
    """Class `false` where a cell under the named reading refutes the printed statement."""
    cell = refutations().get(statement.id)
    if cell is None or cell["variant"] != statement.variant:
        return ()
    return (
        Finding(
            id=f"{statement.id}:refuted",
            statement=statement.id,
            locator=statement.locator,
            grade=FindingClass.FALSE,
            where="conclusion",
            printed=statement.printed[0],
            right=RIGHT[statement.id],
            evidence=f"{cell['method']}, cell {cell['role']!r}: {cell['sentence']}",
        ),
    )


def make() -> None:
    """The cell of largest ratio among those that refute a statement under its named reading."""
    from bounds.finding import Verdict
    from verify import record
    from verify.run import LEVEL, SEED, decides, verify

    worst: dict[str, Any] = {}
    for result in verify():
        if result.verdict is Verdict.VIOLATED and decides(result):
            held = worst.get(result.cell.statement)
            if held is None or (result.ratio or 0) > (held.ratio or 0):
                worst[result.cell.statement] = result
    data = record.document([record.entry(r) for r in worst.values()], level=LEVEL, seed=SEED)
    FILE.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    make()
