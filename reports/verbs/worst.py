"""`fedbounds worst`: the largest value that an observable takes over a whole class of problems."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from reports.cli import exits, terminal
from reports.cli.terminal import Page
from reports.documents import json_border
from reports.verbs.options import Json, Set, take_flag, take_path

if TYPE_CHECKING:
    from verify.worst_case.answer import Answer

CODES = {
    None: exits.OK,
    "holds": exits.OK,
    "tight": exits.OK,
    "violated": exits.REFUTED,
    "inconclusive": exits.OPEN,
}


Target = Annotated[
    str, Parameter(name="TARGET", help="Name of an algorithm, ours or `PACKAGE.NAME`, or id of a statement.")
]
Over = Annotated[str | None, Parameter(help="Axis: NAME=START:STOP, NAME=START:STOP:COUNT or NAME=A,B,...")]
Observe = Annotated[
    str | None, Parameter(help="Observable of an algorithm. A wrong name lists the valid ones.")
]
Nonconvex = Annotated[bool, take_flag("Take smooth functions without convexity.")]
Quadratic = Annotated[bool, take_flag("Take quadratic clients only.")]
Variant = Annotated[str, Parameter(help="Form of the statement: `printed` or `amended`.")]
Out = Annotated[Path | None, take_path("File for the JSON document, which `fedbounds replay` checks.")]
Figure = Annotated[Path | None, take_path("Folder for a figure and a table; goes with --over.")]


def run(
    target: Target,
    /,
    *,
    set_: Set = None,
    over: Over = None,
    observe: Observe = None,
    nonconvex: Nonconvex = False,
    quadratic: Quadratic = False,
    variant: Variant = "printed",
    out: Out = None,
    figure: Figure = None,
    json: Json = False,
) -> int:
    """Find the worst case over a class of problems, with a certificate and an instance that attains it."""
    from reports.inputs.files import write_text
    from reports.inputs.rationals import assigned, axis
    from verify.worst_case.answer import worst

    _check(out, figure, over)
    given = assigned(set_)
    points = _points(given, None if over is None else axis(over))
    ask = partial(
        worst, target, variant=variant, observable=observe, convex=not nonconvex, quadratic=quadratic
    )
    answers = _answer_all(ask, [values for _, values in points], target)
    body = answers[0].document if over is None else _series(target, points, answers)
    if out is not None:
        write_text(out, json_border.document("worst", body))
    if figure is not None:
        _draw(points, answers, figure)
    if json:
        terminal.write(json_border.document("worst", body))
    else:
        terminal.write(str(_page(answers[0], out) if over is None else _table(target, points, answers)))
    return exits.worst(_code(answer) for answer in answers)


def _answer_all(
    ask: "Callable[..., Answer]", points: Sequence[Mapping[str, Any]], target: str
) -> "list[Answer]":
    """One point reports its own progress, several report how many are done."""
    from verify.progress import silent

    progress, answers = terminal.Progress(), []
    for values in points:
        answers.append(ask(values, progress=progress if len(points) == 1 else silent))
        if len(points) > 1:  # the first answer refuses bad input, before anything is reported
            progress(len(answers), len(points), target)
    progress.close()
    return answers


def _check(out: Path | None, figure: Path | None, over: str | None) -> None:
    """Refuse unusable targets before the work, not after it."""
    from reports.errors import BadOption
    from reports.inputs.files import check_folder, check_target
    from reports.plots.dates import check_dates

    if out is not None:
        check_target(out)
    if figure is not None:
        if over is None:
            raise BadOption("--figure needs --over, the axis of the figure")
        check_folder(figure)
        check_dates()


def _draw(points: list[Any], answers: "list[Answer]", folder: Path) -> None:
    from reports.plots.comparison import refuse_what_has_no_number
    from reports.plots.files import write
    from reports.plots.worst_case import compared

    pairs = [(at, answer) for (at, _), answer in zip(points, answers, strict=True)]
    for path in write(refuse_what_has_no_number(compared(pairs)), folder):
        terminal.say(f"wrote {path}")


def _points(given: dict[str, Any], over: Any) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Each point of the axis, and all values there."""
    from reports.errors import BadAssignment

    if over is None:
        return [({}, given)]
    if over.name in given:
        raise BadAssignment(f"{over.name} is given by --set and taken at many values; keep one")
    return [({over.name: value}, given | {over.name: value}) for value in over.values]


def _code(answer: "Answer") -> int:
    return exits.OPEN if answer.found is None else CODES[answer.verdict]


def _series(target: str, points: list[Any], answers: "list[Answer]") -> dict[str, Any]:
    """One entry for each point; certificates are left out, as a single question gives them."""
    entries = []
    for (at, _), answer in zip(points, answers, strict=True):
        entry = {k: v for k, v in answer.document.items() if k not in ("certificate", "instance")}
        entries.append({"at": {name: str(value) for name, value in at.items()}} | entry)
    return {"target": target, "answered": all(a.found is not None for a in answers), "points": entries}


def _page(answer: "Answer", out: Path | None) -> Page:
    from verify.worst_case.numbers import digits_above, digits_below

    page, found = Page(), answer.document
    named = answer.target if answer.variant in (None, "printed") else f"{answer.target}, {answer.variant}"
    page.title(f"Worst case of {named}")
    page.paragraph(_begin(answer.sentence) + ".")
    if answer.found is None:
        return page
    page.columns_of(
        [
            (found["observable"], ""),
            ("certified at most", digits_above(answer.found.upper, 12)),
            ("attained", "-" if answer.found.lower is None else digits_below(answer.found.lower, 12)),
        ]
    )
    if answer.bound is not None:
        page.columns_of(
            [("bound", f"{float(answer.bound):.12g}"), ("bound / worst case", _ratio(found["ratio"]))]
        )
        page.heading("Terms of the bound, as shares of the certified worst case")
        page.columns_of((t["name"], _ratio(t["value"] / answer.found.upper)) for t in found["terms"])
    if both := _given_twice(answer):
        page.item(f"given to the algorithm and to the class of problems: {', '.join(both)}")
    _evidence(page, found, is_polynomial=answer.found.setting.is_spectral)
    if out is not None:
        page.item(f"document: {out}")
    return page


def _given_twice(answer: "Answer") -> list[str]:
    """An author may call a setting, such as momentum, by a name that a constant of the class has here."""
    from verify.worst_case.methods.question import OF_CLASS
    from verify.worst_case.methods.setting import MethodSetting

    setting = None if answer.found is None else answer.found.setting
    if not isinstance(setting, MethodSetting) or answer.given is not None:  # a statement says what is what
        return []
    return [name for name in setting.values if name in OF_CLASS]


def _ratio(value: Any) -> str:
    return "-" if value is None else f"{float(value):.8g}"


def _evidence(page: Page, found: dict[str, Any], *, is_polynomial: bool) -> None:
    certificate, instance = found["certificate"], found["instance"]
    sizes = certificate["block_sizes"]
    slack = (
        f"a slack polynomial of degree {len(sizes) - 1} in matrices of size {sizes[0]}"
        if is_polynomial
        else f"slack matrices of size {' and '.join(map(str, sizes))}"
    )
    page.item(
        f"certificate: {len(certificate['multipliers'])} rational multipliers, {slack}, checked exactly"
    )
    if instance is not None:
        page.item(_run(instance))
    page.item(f"found and certified in {found['seconds']:.2f} s")


def _run(instance: dict[str, Any]) -> str:
    shared, *along = instance["dimensions"]
    size = f"dimension {shared}" + "".join(f" and {own} along a direction of each client" for own in along)
    kinds = {"hessian": f"quadratic clients, {size}", "curvature": "equal quadratic clients on the line"}
    kind = next((words for key, words in kinds.items() if key in instance), size)
    value, error = instance["measured"], instance["standard_error"]
    if instance["replicates"] == 1:
        return f"instance: {kind}; its run measures {value:.12g}"
    runs = f"{instance['replicates']} runs measure {value:.6g} in the mean"
    return f"instance: {kind}; {runs}, with standard error {error:.2g}"


def _table(target: str, points: list[Any], answers: "list[Answer]") -> Page:
    page = Page()
    page.title(f"Worst case of {target}")
    (name,) = points[0][0]
    rows: list[tuple[str, ...]] = [(name, "certified at most", "attained", "bound", "ratio")]
    for (at, _), answer in zip(points, answers, strict=True):
        rows.append((str(at[name]), *_ends(answer), _ratio(answer.bound), _ratio(answer.document["ratio"])))
    page.columns_of(rows)
    for sentence in dict.fromkeys(a.sentence for a in answers if a.found is None):
        page.paragraph(_begin(sentence) + ".")
    return page


def _ends(answer: "Answer") -> tuple[str, str]:
    """The certified end rounded up and the attained one rounded down."""
    from verify.worst_case.numbers import digits_above, digits_below

    if answer.found is None:
        return "-", "-"
    lower = answer.found.lower
    return digits_above(answer.found.upper, 8), "-" if lower is None else digits_below(lower, 8)


def replay(data: dict[str, Any], *, json: bool) -> int:
    """Check the certificate and the instance of an answer again; exit with 0 if both agree."""
    from reports.documents.types.worst import Worst
    from verify.records.field_types import check_types
    from verify.worst_case.answer import reread_answer
    from verify.worst_case.errors import NotAWorstCase

    if unknown := sorted(data.keys() - {"schema", *Worst.__annotations__}):
        raise NotAWorstCase(f"a worst case has no key {unknown[0]}")
    check_types(data, Worst, "the worst case", NotAWorstCase)
    found = reread_answer(data)
    again = data | {"agrees": found.agrees, "sentence": found.sentence}
    printed = json_border.document("worst", again) if json else None
    terminal.write_replayed(printed, found.agrees, found.sentence)
    return exits.OK if found.agrees else exits.REFUTED


def _begin(sentence: str) -> str:
    """Begin with a capital, unless the first word is the id of a statement or the name of an algorithm."""
    from verify.worst_case.question import NAMES, REFUSED

    first = sentence.partition(" ")[0]
    return sentence if "." in first or first in (*NAMES, *REFUSED) else sentence[:1].upper() + sentence[1:]
