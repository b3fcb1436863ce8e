"""`fedbounds replay`: run what a record holds again and compare."""

from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from reports import exits, json_border, terminal
from reports.terminal import Page
from reports.verbs.options import Json


def run(
    file: Annotated[Path, Parameter(name="FILE", help="A record, or the folder that holds it.")],
    /,
    *,
    json: Json = False,
) -> int:
    """Run a record's cells again and compare: 0 where all agree, whatever their verdicts are."""
    from reports.record import read
    from verify.record import replay

    data = read(file)
    terminal.say(f"replaying {len(data['cells'])} cells of {file}")
    replayed = replay(data)
    cells = [r.cell | {"recorded": r.recorded, "agrees": r.agrees, "sentence": r.sentence} for r in replayed]
    agrees = all(r.agrees for r in replayed)
    if json:
        terminal.write(json_border.document("replay", {"agrees": agrees, "cells": cells}))
    else:
        terminal.write(str(_page(cells)))
    return exits.OK if agrees else exits.REFUTED


def _page(cells: list[dict[str, Any]]) -> Page:
    page = Page()
    page.title("Replayed")
    page.columns_of(("agrees" if c["agrees"] else "DIFFERS", c["sentence"]) for c in cells)
    differing = sum(not c["agrees"] for c in cells)
    page.heading(f"{len(cells) - differing} of {len(cells)} agree")
    return page
