"""The ledger of refutations: a replayable cell, or a witness, for each statement that is false as printed.

`ledger.json` is a record like any other: `fedbounds replay verify/ledger.json` runs it again.
`witnesses.json` keeps what the witnesses measured, so that reading the ledger computes nothing. `fedbounds
errata --recheck` and a test do both anew; `python -m verify.ledger` makes both files.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from bounds.finding import Finding, FindingClass
from bounds.statement import Statement

FILE = Path(__file__).with_name("ledger.json")
MEASURED = Path(__file__).with_name("witnesses.json")

EXACTLY_R = (
    "with exactly r clients a round the average has the second moment C^2 and the derivation is right; with "
    "a coin for each client it has C^2 (1 + (1 - r/n)/r)"
)
# What is right instead, in words; the numbers are in the cells.
RIGHT = {
    "fed_norm_ec.lemma_1": (
        "with beta <= alpha the map t -> t - beta t/(alpha + t) increases, its largest value on [0, C] is at "
        "C, and the lemma follows"
    ),
    "als_dpfl.theorem_1.distance": "read with the auxiliary noise divided by B too, no cell refutes it",
    "als_dpfl.theorem_1.value": "read with the auxiliary noise divided by B too, no cell refutes it",
    "dp_fedavg.theorem_4": EXACTLY_R,
    "dp_fedavg.theorem_6.general": EXACTLY_R,
    "dp_fedavg.theorem_6.specific": EXACTLY_R,
    "dp_fedavg.equation_16.rate": EXACTLY_R,
    "dp_fedavg.equation_15": "term B carries Delta_i*, as in eq. (6)",
    "fedavg_lojasiewicz.theorem_f2": "with both noise terms divided by mu, as its recursion gives",
    "fedavg_lojasiewicz.recursions.f4": "with mu (F - F*)^alpha in place of (F - F*) ||grad F||^2",
}


@cache
def refutations() -> dict[str, dict[str, Any]]:
    """The recorded cell of every refuted statement."""
    data = json.loads(FILE.read_text(encoding="utf-8"))
    return {cell["id"]: cell for cell in data["cells"]}


@cache
def measured() -> dict[str, dict[str, Any]]:
    """What the witness of every statement that has one measured."""
    entries: list[dict[str, Any]] = json.loads(MEASURED.read_text(encoding="utf-8"))
    return {entry["statement"]: entry for entry in entries}


def refuted() -> set[str]:
    """Statements that are false as printed, under their named reading."""
    false = {name for name, seen in measured().items() if seen["class"] == FindingClass.FALSE.value}
    return {*refutations(), *false}


def findings(statement: Statement) -> tuple[Finding, ...]:
    """Class `false` where a cell under the named reading, or a witness, refutes the printed statement."""
    cell, seen = refutations().get(statement.id), measured().get(statement.id)
    if cell is not None and cell["variant"] == statement.variant:
        evidence = f"{cell['method']}, cell {cell['role']!r}: {cell['sentence']}"
        return (_finding(statement, FindingClass.FALSE, RIGHT[statement.id], evidence, None),)
    if seen is not None and statement.variant == "printed":
        claimed = f"{'' if seen['equality'] else 'at most '}{seen['right']:.6g}"
        evidence = f"witness: {seen['left']:.6g}, where {claimed} is claimed: {seen['why']}"
        grade, right = FindingClass(seen["class"]), seen["right_instead"]
        return (_finding(statement, grade, right, evidence, seen["display"]),)
    return ()


def _finding(
    statement: Statement, grade: FindingClass, right: str, evidence: str, display: int | None
) -> Finding:
    printed = statement.printed if display is None else (statement.printed[display],)
    return Finding(
        id=f"{statement.id}:refuted",
        statement=statement.id,
        locator=statement.locator,
        grade=grade,
        where="conclusion",
        printed="\n".join(printed),
        right=right,
        evidence=evidence,
    )


def recheck() -> list[tuple[str, bool, str]]:
    """(statement, agrees, sentence) for every piece of evidence, run again."""
    from verify import record
    from verify.witness import all_witnesses

    replayed = record.replay(json.loads(FILE.read_text(encoding="utf-8")))
    out = [(r.cell["id"], r.agrees and r.cell["verdict"] == "violated", r.sentence) for r in replayed]
    for witness in all_witnesses():
        now, kept = witness.measure(), measured().get(witness.statement)
        agrees = now.refutes and kept is not None and _close(now.left, kept["left"])
        agrees = agrees and kept is not None and _close(now.right, kept["right"])
        sentence = f"{witness.statement}: {now.left:.6g} against {now.right:.6g}"
        out.append((witness.statement, agrees, f"{sentence}, {'agrees' if agrees else 'differs'}"))
    return out


def _close(now: float, kept: float) -> bool:
    return abs(now - kept) <= 1e-9 * max(abs(now), abs(kept))


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
    measure_witnesses()


def measure_witnesses() -> None:
    """Refuses an instance that refutes nothing: it would be a sentence without evidence."""
    from verify.witness import all_witnesses

    entries = []
    for witness in all_witnesses():
        found = witness.measure()
        if not found.refutes:
            raise ValueError(f"the witness of {witness.statement} refutes nothing: {found}")
        entries.append(
            {
                "statement": witness.statement,
                "left": found.left,
                "right": found.right,
                "equality": found.equality,
                "class": witness.grade.value,
                "display": witness.display,
                "why": witness.why,
                "right_instead": witness.right,
            }
        )
    MEASURED.write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    make()
