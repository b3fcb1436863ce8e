"""The cells of a record as rows of a table: one row a cell, one column for everything that may vary."""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from typing import Any, Final

from bounds import discovery
from bounds.errors import Misuse
from bounds.evaluation.labelled import import_tables
from bounds.language.dimension import ONE
from verify.cell import revived

OF_A_CELL: Final = ("id", "variant", "role", "algorithm", "problem", "reading")
PROBLEM: Final = "problem."  # before the name of an argument of a problem; a parameter has its own name
RESULTS: Final = {
    "bound": "the bound",
    "measured": "the measured left side (estimate)",
    "measured_lower": "lower end of its confidence interval",
    "measured_upper": "upper end of its confidence interval",
    "ratio": "measured left side over bound, where both are positive",
    "verdict": "holds, violated, vacuous, inconclusive or refused",
    "certified": "whether the verdict holds at its level for any number of replicates",
    "level": "probability that the verdict is wrong, at most",
    "replicates": "independent runs",
    "sentence": "the verdict in words",
    "digest": "digest of the cell",
}
MOST_EMPTY: Final = 10  # entries of an array for each cell that there is


class NoArray(Misuse):
    """Cells that do not fill a labelled array."""


Row = dict[str, Any]


def rows(record: Mapping[str, Any]) -> list[Row]:
    """In the order of the record; a name that a cell does not have is missing from its row."""
    return [_row(cell) for cell in record["cells"]]


def _row(cell: Mapping[str, Any]) -> Row:
    row = {name: cell[name] for name in OF_A_CELL}
    row |= {f"{PROBLEM}{name}": _single(value) for name, value in cell["problem_arguments"].items()}
    row |= {name: _single(value) for name, value in cell["parameters"].items()}
    measured = cell["measured"]
    ends = {f"measured_{end}": measured[end] for end in ("lower", "upper")}
    results = {"bound": cell["bound"]["value"], "measured": measured["estimate"]} | ends
    return row | results | {name: cell[name] for name in RESULTS if name not in results}


def _single(value: Any) -> Any:
    """A number where it is one; a list as its JSON."""
    if isinstance(value, list | dict):
        return json.dumps(value)
    value = revived(value)
    if isinstance(value, str | bool | int) or value is None:
        return value
    return float(value)


def columns(table: Sequence[Row]) -> list[str]:
    """What says which cell it is, arguments and parameters by name, then the results."""
    names = {name for row in table for name in row}
    rest = sorted(
        names - set(OF_A_CELL) - set(RESULTS), key=lambda name: (not name.startswith(PROBLEM), name)
    )
    return [*OF_A_CELL, *rest, *RESULTS]


def as_csv(table: Sequence[Row]) -> str:
    out = StringIO()
    writer = csv.DictWriter(out, columns(table), restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return out.getvalue()


def frame(table: Sequence[Row]) -> Any:
    """A pandas frame."""
    return import_tables("pandas").DataFrame(list(table), columns=columns(table))


def array(table: Sequence[Row]) -> Any:
    """An xarray data set over all that varies, with units and meanings as attributes."""
    pandas, _ = import_tables("pandas"), import_tables("xarray")
    data = frame(table)
    names = [n for n in columns(table) if n not in RESULTS and data[n].nunique(dropna=False) > 1]
    names = without_followers(table, names) or ["id"]
    size = 1
    for name in names:
        size *= data[name].nunique(dropna=False)
    if size > MOST_EMPTY * len(table):
        raise NoArray(
            f"{len(table)} cells over {', '.join(names)} would be an array of {size:,} entries, nearly all "
            "of them empty: write csv or parquet, or a record of fewer statements"
        )
    indexed = data[[*names, *RESULTS]].set_index(pandas.MultiIndex.from_frame(data[names]))
    if indexed.index.duplicated().any():
        raise NoArray(f"two cells have the same {', '.join(names)}: write csv or parquet")
    return _labelled(indexed[list(RESULTS)].to_xarray(), table)


def without_followers(table: Sequence[Row], names: Sequence[str]) -> list[str]:
    """Axes only: a name whose value follows from the axes before it is left out."""
    leading: list[str] = []
    for name in names:
        found: dict[tuple[Any, ...], set[Any]] = {}
        for row in table:
            found.setdefault(tuple(row.get(k) for k in leading), set()).add(row.get(name))
        if not leading or any(len(values) > 1 for values in found.values()):
            leading.append(name)
    return leading


def _labelled(found: Any, table: Sequence[Row]) -> Any:
    for name, meaning in RESULTS.items():
        found[name].attrs["meaning"] = meaning
    quantities = _quantities(row["id"] for row in table)
    for name in found.coords:
        if name in quantities:
            found[name].attrs |= quantities[name]
    return found


def _quantities(ids: Iterable[str]) -> dict[str, dict[str, str]]:
    """Meaning and unit of every parameter, in the base units of objective value F and distance X."""
    out: dict[str, dict[str, str]] = {}
    for identity in dict.fromkeys(ids):
        for name, quantity in discovery.get(identity).notation.quantities.items():
            unit = "1" if quantity.dimension == ONE else str(quantity.dimension)
            out.setdefault(name, {"meaning": quantity.meaning, "units": unit})
    return out


def as_bytes(table: Sequence[Row], form: str) -> bytes:
    """A parquet or a NetCDF file."""
    from io import BytesIO

    if form == "parquet":
        import_tables("pyarrow")
        out = BytesIO()
        frame(table).to_parquet(out, index=False)
        return out.getvalue()
    found = array(table)
    for name in (*found.data_vars, *found.coords):  # NetCDF has no truth values and no mixed columns
        if found[name].dtype == object:
            filled = found[name].fillna("" if _is_text(found[name]) else float("nan"))
            found[name] = filled.astype(str if _is_text(found[name]) else float)
    return bytes(found.to_netcdf(engine="scipy"))


def _is_text(values: Any) -> bool:
    return any(isinstance(value, str) for value in values.values.ravel())
