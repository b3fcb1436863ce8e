"""`fedbounds replay`: run the entries of a record again and compare."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from reports.cli import exits, terminal
from reports.cli.terminal import Page
from reports.documents import json_border
from reports.verbs.options import Json, Workers, check_workers, place

if TYPE_CHECKING:
    from verify.records.consistency import Whole


File = Annotated[
    Path,
    Parameter(
        converter=place, name="FILE", help="Record file, folder with a record, witness, proof or worst case."
    ),
]


def run(
    file: File,
    /,
    *,
    workers: Workers = 1,
    json: Json = False,
) -> int:
    """Run a record, witness, proof or worst case again and compare. Exit with 0 if everything agrees."""
    check_workers(workers)
    from reports.inputs.files import decode_file
    from reports.verbs import falsify, prove, worst
    from verify.falsify.witness_file import is_witness
    from verify.proofs.store import is_proof
    from verify.worst_case.document import is_worst_case

    data = decode_file(file)
    for belongs, replay in (
        (is_witness, falsify.replay),
        (is_proof, prove.replay),
        (is_worst_case, worst.replay),
    ):
        if belongs(data):
            return replay(data, json=json)
    _refuse_other_version(file, data)
    return _replay_record(file, workers, json=json)


def _refuse_other_version(file: Path, data: Any) -> None:
    """One sentence for a witness, a proof or a worst case of another schema; records refuse theirs."""
    from bounds.language.proof.document import SCHEMA as PROOF
    from reports.errors import UnreadableFile
    from verify.falsify.witness_file import SCHEMA as WITNESS
    from verify.json_numbers import describe_schema, is_other_version
    from verify.worst_case.document import SCHEMA as WORST

    readable = (WITNESS, PROOF, WORST)
    if is_other_version(data, *readable):
        raise UnreadableFile(f"{file} {describe_schema(data, *readable)}")


def _replay_record(file: Path, workers: int, *, json: bool) -> int:
    from verify.campaign.record_again import replay
    from verify.records.consistency import compare_whole
    from verify.records.part import digest
    from verify.records.record import read

    data = read(file)
    runs, tried = len(data["cells"]), len(data["properties"])
    terminal.say(f"replaying {runs} cells and {tried} properties of {file}")
    progress = terminal.Progress()
    replayed = replay(data, progress, workers)
    progress.close()
    again = [
        r.cell | {"recorded": r.recorded, "agrees": r.agrees, "sentence": r.sentence, "largest": r.largest}
        for r in replayed
    ]
    # an entry that agrees within rounding keeps the digits that its record shows
    recorded = (*data["cells"], *data["properties"])
    entries = [e if r.agrees else r.cell for e, r in zip(recorded, replayed, strict=True)]
    together = compare_whole(data, entries)
    certified = _certified_again(data)
    agrees = together.agrees and all(r.agrees for r in replayed) and all(e["agrees"] for e in certified)
    if json:
        body = {"agrees": agrees, "cells": again[:runs], "properties": again[runs:]}
        body["whole"] = _as_document(together, digest(data))
        body |= {"worst_cases": certified} if certified else {}
        terminal.write(json_border.document("replay", body))
    else:
        terminal.write(str(_page([*again, *certified], together)))
    return exits.OK if agrees else exits.REFUTED


def _as_document(together: "Whole", digest: str) -> dict[str, Any]:
    return {
        "agrees": together.agrees,
        "sentence": together.sentence,
        "digest": digest,
        "part_of": None if together.part_of is None else asdict(together.part_of),
    }


def _certified_again(data: dict[str, Any]) -> list[dict[str, Any]]:
    """The certified worst cases of a record, each beside what its certificate proves now."""
    from bounds.discovery import get
    from verify.worst_case.stored_answers import entries_of

    found = []
    for entry in data.get("worst_cases", []):
        now = entries_of([get(str(entry.get("id")), str(entry.get("variant")))])
        found.append(
            {"id": entry.get("id"), "variant": entry.get("variant"), "agrees": entry in now}
            | {"sentence": f"{entry.get('id')}: {entry.get('sentence')}"}
        )
    return found


def _page(entries: list[dict[str, Any]], together: "Whole") -> Page:
    page = Page()
    _title(page, entries, together)
    page.columns_of(("agrees" if e["agrees"] else "DIFFERS", e["sentence"]) for e in entries)
    if not together.agrees:
        page.columns_of([("DIFFERS", together.sentence)])
    differing = sum(not e["agrees"] for e in entries)
    alone = "" if together.agrees else "; the record as a whole does not"
    page.heading(f"{len(entries) - differing} of {len(entries)} agree{alone}")
    return page


def _title(page: Page, entries: list[dict[str, Any]], together: "Whole") -> None:
    """The first line, which names the parent of a part."""
    parent = together.part_of
    if parent is None:
        page.title("Replayed")
        return
    cells = sum("digest" in entry for entry in entries)
    page.title(f"A part of {parent.digest}")
    page.title(
        f"Replayed {cells} of its {parent.cells} cells and {len(entries) - cells} of its "
        f"{parent.properties} properties; standings follow from these alone"
    )
