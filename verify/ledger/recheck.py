"""All evidence of the ledger, measured again, and the files in which it is kept.

`python -m verify.ledger.recheck` makes `verify/ledger.json` and `verify/witnesses.json`.
"""

import json
from collections.abc import Sequence
from typing import Any

import bounds
from verify import papers
from verify.ledger.findings import findings
from verify.progress import Progress, silent
from verify.records import refuted
from verify.records.json_numbers import close
from verify.witness import Measured, Witness

Rechecked = tuple[str, bool, str]  # the statement, whether it agrees, a sentence
PLACE, SIDES = ("statement", "step", "line"), ("left", "right")


def all_witnesses() -> tuple[Witness, ...]:
    """The witnesses of every paper."""
    return tuple(witness for module in papers.modules("witnesses") for witness in module.WITNESSES)


def recheck(progress: Progress = silent) -> list[Rechecked]:
    """Every piece of evidence, run again."""
    from verify.audit import experiments, open_privacy_facts
    from verify.audit.satisfiable import evidence
    from verify.records import record

    data, witnesses = record.read(refuted.FILE), all_witnesses()
    cells = len(data["cells"])
    by_themselves = {"certificates": evidence, "experiments": experiments, "silences": open_privacy_facts}
    total = cells + len(witnesses) + len(by_themselves)
    replayed = record.replay(data, lambda done, _, what: progress(done, total, what))
    out = [(r.cell["id"], r.agrees and r.cell["verdict"] == "violated", r.sentence) for r in replayed]
    out += _measured_again(witnesses, lambda done, _, what: progress(cells + done, total, what))
    for number, (what, module) in enumerate(by_themselves.items()):
        progress(cells + len(witnesses) + number, total, what)
        out += module.recheck()
    progress(total, total, "done")
    return out


def _measured_again(witnesses: Sequence[Witness], progress: Progress) -> list[Rechecked]:
    filed: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    out = []
    for entry in refuted.kept():
        filed.setdefault(tuple(entry[key] for key in PLACE), []).append(entry)
    for number, witness in enumerate(witnesses):
        progress(number, len(witnesses), witness.place)
        now = witness.measure()
        found = filed.pop((witness.statement, witness.step, witness.line), [])
        agrees = now.refutes and len(found) == 1 and _same(_entry(witness, now), found[0])
        sentence = f"{witness.place}: {now.left:.6g} against {now.right:.6g}"
        out.append((witness.statement, agrees, f"{sentence}, {'agrees' if agrees else 'differs'}"))
    # What is on file and measured by no witness has no evidence, even where others speak of its statement.
    out += [(p[0], False, f"{' '.join(filter(None, p))}: no witness measures this") for p in filed]
    return out


def unsupported() -> tuple[str, ...]:
    """Findings of the ledger whose evidence is not run again, or differs: there must be none."""
    agreed: dict[str, bool] = {}
    for identity, agrees, _ in recheck():
        agreed[identity] = agreed.get(identity, True) and agrees
    sources = {entry["step"]: entry["statement"] for entry in refuted.kept() if entry["step"]}
    return tuple(
        finding.id
        for statement in bounds.statements()
        for finding in findings(statement)
        if not agreed.get(
            sources.get(finding.locator, statement.id) if finding.where == "proof" else statement.id
        )
    )


def _same(now: dict[str, Any], then: dict[str, Any]) -> bool:
    """Words and places to the letter: they are what a reader sees. Numbers up to roundings."""
    if now.keys() != then.keys():
        return False
    return all(close(now[key], then[key]) if key in SIDES else now[key] == then[key] for key in now)


def make() -> None:
    """The cell of largest ratio among those that refute a statement under its named reading."""
    from bounds.language.finding import Verdict
    from verify.records import record
    from verify.records.part import take_part
    from verify.runs.check import LEVEL, SEED, decides, verify

    results = verify()
    worst: dict[str, Any] = {}
    for result in results:
        if result.verdict is Verdict.VIOLATED and decides(result):
            held = worst.get(result.cell.statement)
            if held is None or (result.ratio or 0) > (held.ratio or 0):
                worst[result.cell.statement] = result
    parent = record.document([record.entry(r) for r in results], level=LEVEL, seed=SEED)
    data = take_part(parent, [record.entry(r) for r in worst.values()])
    refuted.FILE.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    measure_witnesses()


def measure_witnesses() -> None:
    """Refuses an instance that refutes nothing: it would be a sentence without evidence."""
    entries = []
    for witness in all_witnesses():
        found = witness.measure()
        if not found.refutes:
            raise ValueError(f"the witness of {witness.place} refutes nothing: {found}")
        entries.append(_entry(witness, found))
    refuted.MEASURED.write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")


def _entry(witness: Witness, found: Measured) -> dict[str, Any]:
    return {
        "statement": witness.statement,
        "step": witness.step,
        "line": witness.line,
        "left": found.left,
        "right": found.right,
        "equality": found.equality,
        "class": witness.grade.value,
        "display": witness.display,
        "why": witness.why,
        "right_instead": witness.right,
    }


if __name__ == "__main__":
    make()
