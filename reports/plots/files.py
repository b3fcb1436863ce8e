"""figure.svg, figure.pdf and figure.csv: composed before any is written; equal input, equal bytes."""

from collections.abc import Callable
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from reports.inputs.files import write_together
from reports.plots.comparison import Comparison, as_csv
from reports.plots.style import styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DRAWN_BY = {
    "run": "bound_against_run",
    "algorithms": "several_algorithms",
    "bounds": "bounds_over_parameters",
    "control": "local_steps_control",
    "terms": "stacked_terms",
    "record": "bounds_over_parameters",
    "worst": "worst_case",
}
# Entries in which matplotlib would write a date.
UNDATED = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}


def write(comparison: Comparison, folder: Path) -> list[Path]:
    contents = {f"figure.{kind}": picture(comparison, kind) for kind in ("svg", "pdf")}
    contents["figure.csv"] = as_csv(comparison).encode("utf-8")
    write_together({folder / name: content for name, content in contents.items()})
    return [folder / name for name in contents]


def picture(comparison: Comparison, kind: str) -> bytes:
    module = import_module(f"reports.plots.{DRAWN_BY[comparison.mode]}")
    draw: Callable[[Comparison, Figure], None] = module.draw
    stream = BytesIO()
    with styled() as figure:
        draw(comparison, figure)
        figure.savefig(stream, format=kind, metadata=UNDATED[kind])
    return stream.getvalue()
