"""`fedbounds constants`: what is known about a problem, how, and under which names papers want it."""

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from reports.cli import exits, terminal
from reports.cli.terminal import Page
from reports.documents import json_border
from reports.verbs.options import Json, take_number, take_words

if TYPE_CHECKING:
    from reports.documents.types import constants as types

NOT_KNOWN = "infinite here, or not defined"


Name = Annotated[
    str,
    Parameter(
        name="PROBLEM",
        help="Problem (quadratic.small), bundled data set (breast_cancer) or data file (mine.csv).",
    ),
]
Given = Annotated[
    list[str] | None,
    take_words("Arguments of the problem, NAME=VALUE: a number, a word, true, false or a list [1, 2]."),
]
Start = Annotated[
    float | None,
    take_number("Every coordinate of a start, in the unit X; adds the quantities that are measured there."),
]


def run(
    name: Name,
    /,
    *,
    set_: Given = None,
    start: Start = None,
    json: Json = False,
) -> int:
    """Print every constant of a problem, with provenance."""
    from reports.inputs.problems import problem, settings, within_machine
    from verify.matching.constants.at_start import with_start
    from verify.matching.constants.constants import quantities

    given = settings(set_)
    with within_machine(name, given):
        chosen, arguments = problem(name, given)
        constants = _constants(chosen)
        offered = quantities(constants, clients=chosen.clients, dimension=chosen.dimension)
        offered = offered if start is None else with_start(offered, chosen, start)
    if json:
        body: types.Constants = {
            "problem": name,
            "arguments": arguments,
            "clients": chosen.clients,
            "dimension": chosen.dimension,
            "constants": {each: _entry(constant) for each, constant in constants.items()},
            "quantities": {
                paper: {n: _plain(o) for n, o in table.items()} for paper, table in offered.items()
            },
        }
        terminal.write(json_border.document("constants", body))
    else:
        terminal.write(str(_page(name, arguments, chosen, constants, offered)))
    return exits.OK


def _constants(problem: Any) -> dict[str, Any]:
    from reports.errors import UnusableProblem
    from synthetic.errors import Refusal

    try:
        constants: dict[str, Any] = problem.constants()
    except Refusal as error:
        raise UnusableProblem(str(error)) from error
    return constants


def _entry(constant: Any) -> "types.Constant":
    if constant is None:
        return {"value": None, "lower": None, "upper": None, "provenance": "none", "reason": NOT_KNOWN}
    entry: types.Constant = {
        "value": constant.value,
        "lower": constant.lower,
        "upper": constant.upper,
        "provenance": constant.provenance,
    }
    if constant.because:
        entry["because"] = constant.because
    if missing := [side for side in ("lower", "upper") if getattr(constant, side) is None]:
        entry["reason"] = f"no certified {' and no certified '.join(missing)} bound"
    return entry


def _plain(offered: Any) -> "types.KnownQuantity":
    entry: types.KnownQuantity = {
        "value": offered.value,
        "lower": offered.lower,
        "upper": offered.upper,
        "provenance": offered.provenance,
        "constant": offered.constant,
    }
    if reason := offered.reason or ("bounded on one side only" if None in entry.values() else None):
        entry["reason"] = reason
    return entry


def _page(name: str, arguments: Any, problem: Any, constants: Any, offered: Any) -> Page:
    from bounds.discovery import notations
    from reports.documents.record import counted
    from reports.documents.units import CONSTANTS as UNITS
    from reports.documents.units import with_unit

    page = Page()
    page.title(f"{name}: {counted(problem.clients, 'client')}, dimension {problem.dimension}")
    if arguments:
        page.paragraph(", ".join(f"{n} = {_word(v)}" for n, v in arguments.items()), indent=0)
    page.heading("Constants")
    rows = ((each, *_cells(constant)) for each, constant in constants.items())
    page.columns_of(
        (each, value if constants[each] is None else with_unit(value, UNITS.get(each, "")), why)
        for each, value, why in rows
    )
    for paper, table in offered.items():
        page.heading(f"In statements of {paper}")
        known = notations()[paper].quantities
        page.columns_of(
            (
                n,
                "unknown" if o.value is None else with_unit(f"{o.value:.9g}", str(known[n].dimension)),
                o.reason or f"from {o.constant}",
            )
            for n, o in table.items()
        )
    page.paragraph("F: unit of the objective; X: unit of a distance between parameters.", indent=0)
    return page


def _cells(constant: Any) -> tuple[str, str]:
    if constant is None:
        return "none", NOT_KNOWN
    value = _shown(constant.value)
    if constant.provenance == "given":
        return value, f"given: {constant.because}" if constant.because else "given"
    if constant.provenance != "enclosed":
        return value, constant.provenance
    if None in (constant.lower, constant.upper):
        return value, f"proved {'above' if constant.lower is None else 'below'} only"
    width = max(map(abs, _differences(constant.upper, constant.lower)))
    if width <= 1e-6 * max(1e-300, *map(abs, _entries(constant.value))):
        return value, f"enclosed, width {width:.0e}"
    return value, f"enclosed in {_shown(constant.lower)} to {_shown(constant.upper)}"


def _entries(value: Any) -> tuple[float, ...]:
    return tuple(map(float, value)) if isinstance(value, tuple) else (float(value),)


def _differences(above: Any, below: Any) -> list[float]:
    return [high - low for high, low in zip(_entries(above), _entries(below), strict=True)]


def _shown(value: Any) -> str:
    """A number, or the smallest and largest entry of a column."""
    entries = _entries(value)
    if not isinstance(value, tuple):
        return f"{entries[0]:.9g}"
    low, high = min(entries), max(entries)
    if low < high:
        return f"{low:.6g}..{high:.6g} (of {len(entries)})"
    return f"{low:.6g}" if len(entries) == 1 else f"{low:.6g} ({len(entries)} times)"


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
