"""`fedbounds compare`: bounds against runs, against each other and over their parameters, with figures."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from reports.cli import exits, terminal
from reports.documents import json_border
from reports.verbs.options import (
    Constants,
    Identity,
    Json,
    RunReplicates,
    Seed,
    Set,
    Variant,
    check_seed,
    take_number,
    take_path,
    take_whole_number,
    take_words,
)

if TYPE_CHECKING:
    from reports.plots.comparison import Comparison

app = App(
    name="compare",
    help="Compare bounds with runs, with each other or over parameters; print CSV or draw figures.",
    help_format="plaintext",
)

Over = Annotated[
    list[str] | None,
    take_words("Axis: NAME=START:STOP, NAME=START:STOP:COUNT[:log] or NAME=A,B,..."),
]
Out = Annotated[
    Path | None,
    take_path("Folder for figure.svg, figure.pdf and figure.csv. Default: print the CSV."),
]


Cell = Annotated[
    str | None, Parameter(help="Role of the standard cell to run. A wrong role lists the valid ones.")
]
OwnProblem = Annotated[
    str | None,
    Parameter(help="Problem or data file in place of a standard cell; --set takes its arguments too."),
]
Level = Annotated[
    float, take_number("Bound on the probability of a wrong verdict at any point, between 0 and 1.")
]
Replicates = Annotated[int, take_whole_number("Number of independent runs per point, at least 2.")]


From = Annotated[Path, take_path("Folder of a record, as `verify --study --out` writes it.")]
Axes = Annotated[
    list[str] | None,
    take_words("Names of one axis (bound and measurement) or two (a heat map of the ratio)."),
]
Filters = Annotated[
    list[str] | None,
    take_words("NAME=VALUE keeps the cells with this value: id, variant, role, a parameter."),
]


@app.default
def record(
    *,
    from_: From,
    over: Axes = None,
    set_: Filters = None,
    out: Out = None,
    json: Json = False,
) -> int:
    """Compare the cells of a record over what varies in it; `study table` prints all names."""
    _check(out)
    from reports.errors import BadOption
    from reports.inputs.problems import settings
    from reports.plots import recorded_cells
    from verify.records.record import read
    from verify.study.table import rows

    names = list(dict.fromkeys(over or []))
    if not 1 <= len(names) <= 2:
        raise BadOption(f"--over takes the names of one or two axes, not {len(names)}")
    table = rows(read(from_))
    comparison = recorded_cells.compared(table, names, settings(set_))
    code = _answer(comparison, None, out, json)
    violated = any(row["verdict"] == "violated" for row in recorded_cells.chosen(table, settings(set_)))
    return exits.worst([code, *([exits.REFUTED] if violated else [])])


@app.command
def run(
    identity: Identity,
    /,
    *,
    over: Over = None,
    set_: Set = None,
    problem: OwnProblem = None,
    cell: Cell = None,
    variant: Variant = None,
    level: Level = 1e-3,
    replicates: Replicates = 512,
    seed: Seed = 0,
    out: Out = None,
    json: Json = False,
) -> int:
    """Compare a bound with measured runs over one parameter, of a standard cell or on your data."""
    _check(out)
    from reports.plots import bound_against_run
    from reports.plots.axis import axes
    from verify.ledger.true_form import trusted

    _check_sampling(level, replicates, seed)
    statement, note = trusted(identity, variant)
    (axis,) = axes(over, statement, most=1)
    progress = terminal.Progress()
    cells, given = _cells(statement, problem, set_, axis)
    comparison, verdicts = bound_against_run.compared(
        statement,
        axis,
        given,
        cells=cells,
        role=cell,
        level=level,
        seed=seed,
        replicates=replicates,
        progress=progress,
    )
    progress.close()
    code = _answer(comparison, note, out, json)
    return exits.worst([code, *(exits.REFUTED for verdict in verdicts if verdict == "violated")])


def _cells(
    statement: Any, problem: str | None, words: list[str] | None, axis: Any
) -> tuple[Any, dict[str, float]]:
    """The cells to choose from, and what is changed of the chosen one."""
    from reports.inputs.numbers import assignments
    from reports.inputs.plans import divided
    from reports.inputs.problems import problem as build
    from reports.inputs.problems import settings, within_machine
    from reports.plots import bound_against_run

    if problem is None:
        return bound_against_run.standard(statement), assignments(words)
    given = settings(words)
    with within_machine(f"compare run on {problem}", given):
        arguments, (own,) = divided([statement], problem, given)
        build(problem, arguments)  # its errors are sentences about the file
        return bound_against_run.cells_on(statement, problem, arguments, own, axis), {}


Given = Annotated[
    list[str] | None,
    take_words(
        "NAME=VALUE sets every algorithm, ALGORITHM.NAME=VALUE one of them, "
        "problem.NAME=VALUE the problem, bound.NAME=VALUE the bounds."
    ),
]
Bound = Annotated[
    list[str] | None, take_words("Bounds to draw, each ID:NAME; NAME is the quantity that counts rounds.")
]
Observe = Annotated[
    str, Parameter(help="Observable to plot, or NAME/running_minimum or NAME/running_average.")
]
OfPlan = Annotated[
    Path | None,
    take_path("plan.json, or the folder that `plan --out` wrote: its problem, start and settings."),
]
PlannedProblem = Annotated[
    str | None, Parameter(help="Problem or data file. Default: that of the plan after --from.")
]
Names = Annotated[
    str, Parameter(name="ALGORITHM", help="Names of algorithms. A wrong name lists the valid ones.")
]


@app.command(
    help_epilogue="Example: fedbounds compare algorithms gradient_descent --problem quadratic.small "
    "--set steps=20 step=0.5"
)
def algorithms(
    *names: Names,
    problem: PlannedProblem = None,
    from_: OfPlan = None,
    set_: Given = None,
    bound: Bound = None,
    observe: Observe = "gap",
    replicates: RunReplicates = 64,
    seed: Seed = 0,
    out: Out = None,
    json: Json = False,
) -> int:
    """Compare runs of several algorithms on one problem, round by round, with bounds beside them."""
    _check(out)
    from reports.documents.plan_file import merge_plan
    from reports.inputs.problems import settings, within_machine
    from reports.plots import several_algorithms

    check_seed(seed)
    names, problem, given, notes = merge_plan(from_, names, problem, settings(set_))
    with within_machine(f"{', '.join(names)} on {problem}", {"replicates": replicates} | given):
        comparison = several_algorithms.compared(
            names,
            problem,
            given,
            statements=bound or [],
            observable=observe,
            replicates=replicates,
            seed=seed,
            notes=notes,
        )
    return _answer(comparison, None, out, json)


Measured = Annotated[
    Path | None,
    take_path("CSV of curves of your own: columns named like the axis, value, and lower, upper, series."),
]
Each = Annotated[str | None, Parameter(help="NAME=A,B,...: draw one curve for each of these values.")]
Identities = Annotated[str, Parameter(name="ID", help="Ids of the statements to compare.")]


@app.command(
    help_epilogue="Example: fedbounds compare bounds textbook.gradient_descent_convex --over N=1:10 "
    "--set L=1 D0=1"
)
def bounds(
    *identities: Identities,
    over: Over = None,
    set_: Set = None,
    each: Each = None,
    measured: Measured = None,
    constants: Constants = None,
    variant: Variant = None,
    out: Out = None,
    json: Json = False,
) -> int:
    """Draw bounds over one parameter (curves) or two (a heat map, hatched where conditions fail)."""
    _check(out)
    from reports.errors import BadOption
    from reports.inputs.numbers import assignments
    from reports.plots import bounds_over_parameters as plot
    from reports.plots.axis import axes
    from reports.plots.measured_file import with_measured
    from verify.ledger.true_form import trusted

    if not identities:
        raise BadOption("compare bounds needs the ID of at least one statement")
    pairs = [trusted(identity, variant) for identity in dict.fromkeys(identities)]
    statements, note = [s for s, _ in pairs], "; ".join(n for _, n in pairs if n)
    taken = axes(over, statements[0], most=2)
    curves = None if each is None else _each(each, statements[0])
    names = {axis.name for axis in taken}
    if curves is not None and curves[0] in names:
        raise BadOption(f"--over and --each both name {curves[0]}; keep one")
    names |= set() if curves is None else {curves[0]}
    if measured is not None and len(taken) > 1:
        raise BadOption("--measured has curves over one axis, and --over names two")
    given = plot.shared(statements, assignments(set_))
    full = [_with(constants, s, own, names) for s, own in zip(statements, given, strict=True)]
    comparison = plot.compared(list(zip(statements, full, strict=True)), taken, curves)
    beside = comparison if measured is None else with_measured(comparison, measured)
    return _answer(beside, note, out, json)


Longest = Annotated[int, take_whole_number("Largest tau to draw, an integer >= 1.")]


@app.command
def control(
    *,
    set_: Set = None,
    longest: Longest = 30,
    out: Out = None,
    json: Json = False,
) -> int:
    """Draw the drift h(tau) and the control objective G(tau) of ALS-DPFL, with tau* marked."""
    _check(out)
    from reports.inputs.numbers import assignments
    from reports.plots import local_steps_control

    return _answer(local_steps_control.compared(assignments(set_), longest), None, out, json)


@app.command(
    help_epilogue="Example: fedbounds compare terms textbook.gradient_descent_convex --over N=1:10 "
    "--set L=1 D0=1"
)
def terms(
    identity: Identity,
    /,
    *,
    over: Over = None,
    set_: Set = None,
    constants: Constants = None,
    variant: Variant = None,
    out: Out = None,
    json: Json = False,
) -> int:
    """Draw the terms of a bound as stacked areas over one parameter."""
    _check(out)
    from reports.inputs.numbers import assignments
    from reports.plots import stacked_terms
    from reports.plots.axis import axes
    from verify.ledger.true_form import trusted

    statement, note = trusted(identity, variant)
    (axis,) = axes(over, statement, most=1)
    given = _with(constants, statement, assignments(set_), {axis.name})
    return _answer(stacked_terms.compared(statement, axis, given), note, out, json)


def _check(out: Path | None) -> None:
    """Refuse an unusable output before the work, not after it."""
    from reports.inputs.files import check_folder
    from reports.plots.dates import check_dates

    if out is not None:
        check_folder(out)
        check_dates()


def _check_sampling(level: float, replicates: int, seed: int) -> None:
    from reports.errors import BadOption

    if not 0 < level < 1:
        raise BadOption(f"--level must be between 0 and 1, not {level}")
    if replicates < 2:
        raise BadOption(f"--replicates must be at least 2, not {replicates}")
    check_seed(seed)


def _each(word: str, statement: Any) -> tuple[str, tuple[float, ...]]:
    from reports.plots.axis import axes

    (axis,) = axes([word], statement, most=1)
    return axis.name, axis.values


def _with(path: Path | None, statement: Any, given: dict[str, float], taken: set[str]) -> dict[str, float]:
    """Merge --set with the constants file; --set and the axes win."""
    from reports.errors import BadAssignment
    from reports.inputs.numbers import constants

    for name in sorted(given.keys() & taken):
        raise BadAssignment(f"{name} is given by --set and taken at many values; keep one")
    return given if path is None else constants(path, statement, {*given, *taken}).used | given


def _answer(comparison: "Comparison", note: str | None, out: Path | None, json: bool) -> int:
    """Print the table, or with --out write the figure and print its paths."""
    from reports.plots.comparison import as_csv, gaps, informative_notes, refuse_what_has_no_number

    refuse_what_has_no_number(comparison)
    informative = informative_notes(comparison)
    notes = [*([note] if note else []), *comparison.notes, *gaps(comparison), *informative]
    paths = [] if out is None else _drawn(comparison, out)
    if json:
        terminal.write(json_border.document("compare", _body(comparison, notes, paths)))
    else:
        terminal.write("".join(f"{path}\n" for path in paths) or as_csv(comparison))
        for line in notes:
            terminal.note(line)
    usable = any(point.shown for series in comparison.series for point in series.points)
    decided = comparison.mode != "control" or comparison.marked is not None
    return exits.OK if usable and decided else exits.OPEN


def _drawn(comparison: "Comparison", folder: Path) -> list[Path]:
    from reports.plots.files import write

    return write(comparison, folder)


def _body(comparison: "Comparison", notes: list[str], paths: list[Path]) -> dict[str, Any]:
    body: dict[str, Any] = {
        "mode": comparison.mode,
        "title": comparison.title,
        "axes": [{"name": a.name, "label": a.label, "values": a.values} for a in comparison.axes],
        "label": comparison.label,
        "unit": comparison.unit or None,
        "series": [_series(comparison, series) for series in comparison.series],
        "notes": notes,
        "files": [str(path) for path in paths],
    }
    return body | ({"tau_star": comparison.marked} if comparison.mode == "control" else {})


def _series(comparison: "Comparison", series: Any) -> dict[str, Any]:
    from reports.plots.comparison import numbers_of

    names = [axis.name for axis in comparison.axes]
    points = [{"at": dict(zip(names, p.at, strict=True))} | numbers_of(p) for p in series.points]
    return {"name": series.name, "kind": series.kind, "points": points}
