"""The constants that a noise formula implies over epsilon: a table and a picture."""

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reports.errors import BadOption
from reports.inputs.files import check_target, write_bytes, write_text
from reports.plots.dates import check_dates

PICTURES = (".svg", ".png", ".pdf")


def check_outputs(table: Path | None, picture: Path | None) -> None:
    """Before anything is computed."""
    if picture is not None and picture.suffix not in PICTURES:
        raise BadOption(f"--plot takes a file that ends in {', '.join(PICTURES)}, not {picture}")
    if picture is not None:
        check_dates()
    for path in (table, picture):
        if path is not None:
            check_target(path)


def written(body: dict[str, Any], table: Path | None, picture: Path | None) -> dict[str, Any]:
    """Both are composed before one is written."""
    drawn = None if picture is None else draw(picture.suffix[1:], body)
    if table is not None:
        write_text(table, as_csv(body["points"]))
    if picture is not None and drawn is not None:
        write_bytes(picture, drawn)
    files = {"csv": table, "plot": picture}
    return body | {name: None if path is None else str(path) for name, path in files.items()}


def as_csv(points: list[dict[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(points[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(points)
    return text.getvalue()


def draw(kind: str, body: Mapping[str, Any]) -> bytes:
    from reports.plots.style import styled

    points = body["points"]
    with styled() as figure:
        axes = figure.add_subplot()
        axes.semilogx([p["epsilon"] for p in points], [p["constant"] for p in points], "o-", label="implied")
        if points[0]["printed_limit"] is not None:
            axes.axhline(points[0]["printed_limit"], linestyle="--", color="0.4", label="printed limit")
            axes.legend()
        axes.set(xlabel="epsilon", ylabel=body["symbol"], title=f"{body['paper']}, {body['locator']}")
        stream = io.BytesIO()
        figure.savefig(stream, format=kind)
    return stream.getvalue()
