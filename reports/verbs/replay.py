"""`fedbounds replay`: run the entries of a record again and compare."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from reports.cli import exits, terminal
from reports.cli.terminal import Page
from reports.documents import json_border
from reports.verbs.options import Json, place

if TYPE_CHECKING:
    from verify.records.consistency import Whole


def run(
    file: Annotated[
        Path,
        Parameter(
            converter=place, name="FILE", help="Record file, folder with a record, witness or certificate."
        ),
    ],
    /,
    *,
    json: Json = False,
) -> int:
    """Run a record, a witness or a proof again and compare. Exit with 0 if everything agrees."""
    from reports.verbs import falsify, prove
    from verify.records.consistency import whole
    from verify.records.part import digest
    from verify.records.record import read, replay

    witness = falsify.witness_in(file)
    if witness is not None:
        return falsify.replay(witness, json=json)
    proof = prove.proof_in(file)
    if proof is not None:
        return prove.replay(proof, json=json)
    data = read(file)
    runs, tried = len(data["cells"]), len(data["properties"])
    terminal.say(f"replaying {runs} cells and {tried} properties of {file}")
    progress = terminal.Progress()
    replayed = replay(data, progress)
    progress.close()
    again = [
        r.cell | {"recorded": r.recorded, "agrees": r.agrees, "sentence": r.sentence, "largest": r.largest}
        for r in replayed
    ]
    # an entry that agrees within rounding keeps the digits that its record shows
    recorded = (*data["cells"], *data["properties"])
    entries = [e if r.agrees else r.cell for e, r in zip(recorded, replayed, strict=True)]
    together = whole(data, entries)
    agrees = together.agrees and all(r.agrees for r in replayed)
    if json:
        body = {"agrees": agrees, "cells": again[:runs], "properties": again[runs:]}
        body["whole"] = {
            "agrees": together.agrees,
            "sentence": together.sentence,
            "digest": digest(data),
            "part_of": None if together.part_of is None else asdict(together.part_of),
        }
        terminal.write(json_border.document("replay", body))
    else:
        terminal.write(str(_page(again, together)))
    return exits.OK if agrees else exits.REFUTED


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
