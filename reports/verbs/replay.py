"""`fedbounds replay`: run what a record holds again and compare."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from reports import exits, json_border, terminal
from reports.terminal import Page
from reports.verbs.options import Json, place

if TYPE_CHECKING:
    from verify.whole import Whole


def run(
    file: Annotated[
        Path,
        Parameter(converter=place, name="FILE", help="A record, the folder that holds it, or a witness."),
    ],
    /,
    *,
    json: Json = False,
) -> int:
    """Run what a record holds again and compare: 0 where all agrees, whatever the verdicts are."""
    from reports.record import read
    from reports.verbs import falsify
    from verify.record import replay
    from verify.whole import whole

    witness = falsify.witness_in(file)
    if witness is not None:
        return falsify.replay(witness, json=json)
    data = read(file)
    runs, tried = len(data["cells"]), len(data["properties"])
    terminal.say(f"replaying {runs} cells and {tried} properties of {file}")
    progress = terminal.Progress()
    replayed = replay(data, progress)
    progress.close()
    again = [r.cell | {"recorded": r.recorded, "agrees": r.agrees, "sentence": r.sentence} for r in replayed]
    together = whole(data, [r.cell for r in replayed])
    agrees = together.agrees and all(r.agrees for r in replayed)
    if json:
        body = {"agrees": agrees, "cells": again[:runs], "properties": again[runs:]}
        body["whole"] = {"agrees": together.agrees, "sentence": together.sentence}
        terminal.write(json_border.document("replay", body))
    else:
        terminal.write(str(_page(again, together)))
    return exits.OK if agrees else exits.REFUTED


def _page(cells: list[dict[str, Any]], together: "Whole") -> Page:
    page = Page()
    page.title("Replayed")
    page.columns_of(("agrees" if c["agrees"] else "DIFFERS", c["sentence"]) for c in cells)
    if not together.agrees:
        page.columns_of([("DIFFERS", together.sentence)])
    elif together.part:
        page.item(together.sentence)
    differing = sum(not c["agrees"] for c in cells)
    page.heading(f"{len(cells) - differing} of {len(cells)} agree")
    return page
