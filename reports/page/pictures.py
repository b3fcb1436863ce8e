"""The measured left-hand side against the bound, over the rounds of one cell per form of a statement.

The cell is chosen by RULE. Only cells that this installation would run itself are drawn: what a record from
elsewhere asks for is never run. Every point is a run of its own, with what the statement prescribes for it.
"""

from collections.abc import Sequence
from typing import Any

from bounds.language.part import ROUNDS, STEPS
from bounds.language.statement import Statement
from reports.page import standard
from reports.plots import bound_against_run, light
from reports.plots.axis import Axis
from reports.plots.comparison import Comparison, Series
from verify.cell import NAMED, Cell
from verify.json_numbers import is_number

Plain = dict[str, Any]
Entries = Sequence[Plain]

RULE = (
    "the violated cell of largest ratio where there is one, else the heterogeneous one, else the first that "
    "was run, under the named reading"
)
SHARES = tuple(i / 6 for i in range(7))  # of the length: where the points stand
REPLICATES = 256


def representative(entries: Entries) -> Plain | None:
    """The representative cell, chosen by RULE."""
    run = [
        e for e in entries if e.get("reading", NAMED) == NAMED and is_number(e["measured"].get("estimate"))
    ]
    violated = [e for e in run if e["verdict"] == "violated"]
    if violated:
        return max(violated, key=lambda e: e["ratio"] if is_number(e.get("ratio")) else 0.0)
    return next((e for e in run if e.get("role") == "heterogeneous"), run[0] if run else None)


def picture(statement: Statement, entries: Entries, level: float) -> Plain:
    """`entries` are the cells of this form; `why_none` says why there is no picture."""
    entry = representative(entries)
    if entry is None:
        return {"why_none": "none of its cells was run" if entries else ""}
    cells = standard.cells(statement.id, statement.variant)
    cell = next((c for c in cells if c.digest == entry.get("digest")), None)
    seed = entry.get("seed")
    if cell is None or not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        return {"why_none": "its cell is not one that this version runs"}
    axis = rounds(statement, cell, cells)
    if axis is None:
        return {"why_none": "it counts no rounds"}
    try:
        comparison, _ = bound_against_run.along(
            statement, cell, axis, level=level, seed=seed, replicates=REPLICATES
        )
    except (ValueError, LookupError, ArithmeticError) as error:
        # Cells are made for their own length; one that cannot be run at another must not cost the page.
        why = f"nothing gives {error.args[0]} there" if isinstance(error, KeyError) else error
        return {"why_none": f"the cell {cell.role!r} cannot be run at another {axis.name}: {why}"}
    return _shown(statement, cell, comparison, level)


def rounds(statement: Statement, cell: Cell, cells: Sequence[Cell]) -> Axis | None:
    """How long a run is: what counts rounds, or else steps, but not those within a round.

    From the first to the cell's own, or to the longest of the statement's cells where the cell's own is the
    first; None where nothing of the cell counts them.
    """
    known = statement.notation.quantities
    times = (ROUNDS.name, STEPS.name)
    counting = [q for name in cell.parameters if (q := known.get(name)) and q.part and q.part.name in times]
    counting.sort(key=lambda q: q.part is None or q.part.name != ROUNDS.name)
    if not counting:
        return None
    quantity = counting[0]
    first = max(1, int(quantity.domain.lower))
    own = int(cell.parameters[quantity.name])
    longest = max(int(c.parameters[quantity.name]) for c in cells if quantity.name in c.parameters)
    last = own if own > first else longest
    values = tuple(float(first + v) for v in sorted({round((last - first) * s) for s in SHARES}))
    if len(values) < 2:
        return None
    return Axis(name=quantity.name, label=f"{quantity.name}: {quantity.meaning}", values=values)


def _shown(statement: Statement, cell: Cell, comparison: Comparison, level: float) -> Plain:
    bound, measured = comparison.series
    pairs = list(zip(bound.points, measured.points, strict=True))
    refused = [f"{comparison.axes[0].name} = {b.at[0]:g}: {b.why}" for b, _ in pairs if not b.shown]
    drawn = [(b.value, m.value) for b, m in pairs if b.value is not None and m.value is not None]
    above = sum(m > b for b, m in drawn)
    in_words = (
        f"Bound and measured value of {statement.id} at {len(drawn)} values of {comparison.axes[0].name}; "
        f"the mean measured is above the bound at {above} of them"
    )
    return {
        "svg": light.svg(_chart(comparison, in_words)),
        "told": in_words,
        "cell": cell.role,
        "notes": [*comparison.notes, *refused],
        "level": level,
        "axis": comparison.axes[0].name,
        "points": [
            {"at": b.at[0], "bound": b.value, "measured": m.value, "lower": m.lower, "upper": m.upper}
            for b, m in pairs
        ],
    }


def _chart(comparison: Comparison, in_words: str) -> light.Chart:
    bound, measured = comparison.series
    sides = "left less random right" if comparison.moved else "left-hand side"
    unit = "" if comparison.unit in ("", "1") else f" [{comparison.unit}]"
    return light.Chart(
        x=comparison.axes[0].label,
        y=f"{sides}{unit}",
        in_words=in_words,
        curves=(
            light.Curve(name="bound", look=light.BOUND, points=_points(bound)),
            light.Curve(
                name="measured, with confidence band",
                look=light.MEASURED,
                points=_points(measured),
                band=tuple(
                    (p.at[0], p.lower, p.upper)
                    for p in measured.points
                    if p.lower is not None and p.upper is not None
                ),
            ),
        ),
    )


def _points(series: Series) -> tuple[tuple[float, float | None], ...]:
    return tuple((p.at[0], p.value if p.shown else None) for p in series.points)
