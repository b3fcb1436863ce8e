"""All evidence of the ledger, measured again, and the files in which it is kept.

`python -m verify.ledger.recheck` makes `verify/ledger.json` and `verify/witnesses.json`.
"""

import json
from typing import Any

from verify.ledger import errata_check, witnesses
from verify.progress import Progress, silent
from verify.records import refuted

Rechecked = tuple[str, bool, str]  # the statement, whether it agrees, a sentence


def recheck(progress: Progress = silent) -> list[Rechecked]:
    """Every piece of evidence, run again."""
    from verify.audit import experiments, open_privacy_facts
    from verify.audit.satisfiable import evidence
    from verify.records import record

    errata_check.check()
    data, measured = record.read(refuted.FILE), len(witnesses.all_witnesses())
    cells = len(data["cells"])
    by_themselves = {"certificates": evidence, "experiments": experiments, "silences": open_privacy_facts}
    total = cells + measured + len(by_themselves)
    replayed = record.replay(data, lambda done, _, what: progress(done, total, what))
    out = [(r.cell["id"], r.agrees and r.cell["verdict"] == "violated", r.sentence) for r in replayed]
    out += witnesses.measured_again(lambda done, _, what: progress(cells + done, total, what))
    for number, (what, module) in enumerate(by_themselves.items()):
        progress(cells + measured + number, total, what)
        out += module.recheck()
    progress(total, total, "done")
    return out


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
    witnesses.make()


if __name__ == "__main__":
    make()
