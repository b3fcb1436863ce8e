"""All evidence of the ledger, measured again, and the files in which it is kept.

`python -m verify.ledger.recheck` makes `verify/ledger.json` and `verify/witnesses.json`.
"""

import json
from collections.abc import Mapping
from typing import Any

from verify.ledger import amended_forms, errata_check, witness_files, witnesses
from verify.progress import Progress, silent
from verify.records import refuted
from verify.records.errata import CELL, FILE, WITNESS, Erratum, of_paper

Rechecked = tuple[str, bool, str]  # the statement, whether it agrees, a sentence


def recheck_package(paper: str, progress: Progress = silent) -> list[Rechecked]:
    """The evidence that the errata file of an installed package names, run again."""
    errata, out = of_paper(paper), list[Rechecked]()
    for number, erratum in enumerate(errata):
        progress(number, len(errata), erratum.label)
        out += [*_again(erratum), *amended_forms.judge_amended(erratum)]
    progress(len(errata), len(errata), "done")
    return out


def _again(erratum: Erratum) -> list[Rechecked]:
    if erratum.kind == CELL:
        return _replay_cells({"cells": [refuted.recorded_cell(erratum)]})
    if erratum.kind == WITNESS:
        return witnesses.measured_again(witnesses.witnesses_of([erratum]))
    if erratum.kind == FILE:
        again = witness_files.replayed(erratum)
        return [(erratum.statement, again.agrees, again.sentence)]
    errata_check.check_tables([erratum])
    return [(erratum.statement, True, f"{erratum.label}: the audit {erratum.evidence} finds it, agrees")]


def _replay_cells(data: Mapping[str, Any], progress: Progress = silent) -> list[Rechecked]:
    from verify.records import record

    replayed = record.replay(data, progress)
    return [(r.cell["id"], r.agrees and r.cell["verdict"] == "violated", r.sentence) for r in replayed]


def recheck(progress: Progress = silent) -> list[Rechecked]:
    """Every piece of evidence on our papers, run again."""
    from verify.audit import evidence, experiments, open_privacy_facts
    from verify.records import record

    errata_check.check()
    data, measured = record.read(refuted.FILE), len(witnesses.all_witnesses())
    cells = len(data["cells"])
    by_themselves = {"certificates": evidence, "experiments": experiments, "silences": open_privacy_facts}
    total = cells + measured + len(by_themselves)
    out = _replay_cells(data, lambda done, _, what: progress(done, total, what))
    out += witnesses.measured_again(
        witnesses.all_witnesses(), lambda done, _, what: progress(cells + done, total, what)
    )
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
