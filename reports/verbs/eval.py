"""`fedbounds eval`: the value of a bound, its terms, and whether its conditions hold."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from reports.cli import exits, terminal
from reports.cli.terminal import Page
from reports.documents import json_border
from reports.verbs.options import (
    AccountantOfConstant,
    Constants,
    DimensionOfConstant,
    Identity,
    Json,
    RelationOfConstant,
    SamplingOfConstant,
    Set,
    Variant,
    take_flag,
    take_path,
)

if TYPE_CHECKING:
    from reports.documents.types.privacy import PrivacyAtAPoint

Grid = Annotated[
    Path | None,
    take_path("CSV of points, or TOML of axes (lists or {start, stop, num, spacing}). Prints CSV."),
]
Elasticities = Annotated[
    bool, take_flag("Also print the percent change of the value per percent change of each input.")
]
Example = Annotated[bool, take_flag("Start from the statement's own example; --set overrides it.")]


def run(
    identity: Identity,
    /,
    *,
    set: Set = None,
    constants: Constants = None,
    grid: Grid = None,
    elasticities: Elasticities = False,
    accountant: AccountantOfConstant = None,
    relation: RelationOfConstant = None,
    sampling: SamplingOfConstant = None,
    dimension: DimensionOfConstant = None,
    example: Example = False,
    variant: Variant = None,
    json: Json = False,
) -> int:
    """Evaluate a bound term by term and check its conditions."""
    from reports.documents.counted_constant import counted
    from reports.inputs.numbers import separated
    from verify.ledger.true_form import findings, trusted
    from verify.privacy.errors import Unaccountable

    statement, note = trusted(identity, variant)
    given = collect(statement, set, constants)
    given, more = separated(statement, given)
    if example:
        given = _from_example(statement, given, grid)
    words = {"accountant": accountant, "relation": relation, "sampling": sampling, "dimension": dimension}
    try:
        given, privacy = counted(statement, given, words, grid)
    except Unaccountable as error:
        return _refused(statement, given, str(error), note, json)
    found = findings(statement)
    if grid is not None:
        notes = _notes(note, found)
        return _over_grid(statement, given, more, grid, elasticities, json, note, notes)
    return _at_point(statement, given, more, elasticities, json, note, found, privacy)


def _refused(statement: Any, given: dict[str, float], reason: str, note: str | None, json: bool) -> int:
    """Report that no accountant proves the requested privacy, so there is no value."""
    if not json:
        terminal.say(f"refused: {reason}")
        return exits.OPEN

    body = {"id": statement.id, "variant": statement.variant, "locator": statement.locator}
    body |= {"value": None, "reason": reason, "unit": statement.unit, "condition_number": None}
    body |= {"applicable": None, "why_not": [reason], "inputs": given, "note": note}
    body |= {name: [] for name in ("terms", "conditions", "derived", "edges", "findings")}
    terminal.write(json_border.document("eval", body))
    return exits.OPEN


def collect(statement: Any, set: list[str] | None, constants: Path | None) -> dict[str, float]:
    """Merge --set with --constants; --set wins."""
    from reports.inputs.numbers import assignments
    from reports.inputs.numbers import constants as read_constants

    given = assignments(set)
    if constants is None:
        return given
    read = read_constants(constants, statement, given)
    if read.unused:
        terminal.say(f"{constants}: {statement.id} has no use for {', '.join(read.unused)}")
    return read.used | given


def _from_example(statement: Any, given: dict[str, float], grid: Path | None) -> dict[str, float]:
    """The statement's example with the given values in place of its own."""
    from reports.errors import BadOption

    if grid is not None:
        raise BadOption("--example gives one point and --grid gives many; keep one")
    if statement.evaluable and statement.example:
        return dict(statement.example) | given
    found = _draw_objects(statement)
    if found is None:
        raise BadOption(f"{statement.id} has no example; give its values with --set")
    return found | given


def _draw_objects(statement: Any) -> dict[str, float] | None:
    """Draw small objects of a lemma that declares them; they are named beside the numbers."""
    from verify.objects.example import example_of

    found = example_of(statement) if statement.evaluable else None
    if found is None:
        return None
    terminal.say(f"the example is {'; '.join(found.lines)}")
    return found.given


def _notes(note: str | None, found: Any) -> list[str]:
    """Which form is computed and why, then the findings about it."""
    from reports.documents.description import finding, finding_lines

    return [*([note] if note else []), *finding_lines([finding(f) for f in found])]


def _notes_of_page(statement: Any, note: str | None, found: Any) -> list[str]:
    """The same for a reader: the form, and the findings that follow the number."""
    from reports.documents.description import finding, notes_that_matter

    of_number = notes_that_matter([finding(f) for f in found], statement.locator)
    return [*([note] if note else []), *of_number]


def _at_point(
    statement: Any,
    given: dict[str, float],
    more: dict[str, float],
    elasticities: bool,
    json: bool,
    note: str | None,
    found: Any,
    privacy: "PrivacyAtAPoint | None",
) -> int:
    from reports.documents import informative
    from reports.documents.counted_constant import add_privacy
    from reports.documents.description import finding
    from reports.documents.evaluation import describe_point
    from reports.inputs.statements import telling_the_form

    with telling_the_form(statement, note, given):
        evaluation = statement.evaluate(**given)
    body: dict[str, Any] = {**describe_point(evaluation), **informative.document(evaluation, more)}
    if elasticities:
        largest_first = sorted(evaluation.elasticities.items(), key=lambda e: -abs(e[1]))
        body["elasticities"] = [{"name": name, "value": value} for name, value in largest_first]
    if json:
        extra = {"inputs": given | more, "note": note, "findings": [finding(f) for f in found]}
        terminal.write(json_border.document("eval", body | extra | ({"privacy": privacy} if privacy else {})))
    else:
        page = _page(evaluation, body, _notes_of_page(statement, note, found))
        terminal.write(str(page if privacy is None else add_privacy(page, privacy)))
    usable = (
        body["applicable"] is True and body["value"] is not None and not json_border.not_finite(body["value"])
    )
    return exits.OK if usable else exits.OPEN


def _over_grid(
    statement: Any,
    given: dict[str, float],
    more: dict[str, float],
    path: Path,
    elasticities: bool,
    json: bool,
    note: str | None,
    notes: list[str],
) -> int:
    from reports.documents.evaluation_grid import absent, as_csv, columns, rows
    from reports.errors import BadGrid, BadOption
    from reports.inputs.grids import read_grid
    from reports.inputs.statements import telling_the_form

    if elasticities:
        raise BadOption("--elasticities are computed at a single point, not over a --grid")
    grid = read_grid(path)
    if twice := sorted(given.keys() & grid.values.keys()):
        raise BadGrid(f"{', '.join(twice)} is given by {path} and by --set or --constants; keep one")
    with telling_the_form(statement, note, [*given, *grid.values]):
        evaluation = statement.evaluate(**given, **grid.values)
    table, always = columns(evaluation, grid, more), absent(evaluation, more)
    if json:
        body = {"id": statement.id, "variant": statement.variant, "unit": statement.unit}
        body["inputs"] = given | more
        names = [name for name in table if name not in grid.values]
        points = [_row(row, grid.values, names) for row in rows(table, always)]
        terminal.write(json_border.document("eval-grid", body | {"rows": points, "notes": notes}))
    else:
        terminal.write(as_csv(table, always))
        for note in notes:
            terminal.note(note)
    return _choose_exit_code(table)


def _row(row: dict[str, Any], axes: Any, names: list[str]) -> dict[str, Any]:
    reason = {"reason": row["reason"]} if "reason" in row else {}
    parts: dict[str, Any] = {"point": {name: row[name] for name in axes}, "value": row["value"]}
    parts["applicable"] = row["applicable"]
    parts |= {name: row[name] for name in ("free_bound", "informative")}
    for kind, key in (("term:", "terms"), ("margin:", "margins")):
        chosen = [name for name in names if name.startswith(kind)]
        parts[key] = [{"name": name.removeprefix(kind), "value": row[name]} for name in chosen]
    return parts | reason


def _choose_exit_code(table: Any) -> int:
    """Exit code: 3 unless every point is applicable and has a value."""
    from reports.documents.evaluation_grid import usable

    total, fit = len(table["value"]), usable(table)
    if fit < total:
        terminal.say(f"{total - fit} of {total} points are not applicable or have no value")
    return exits.OK if fit == total else exits.OPEN


def _page(evaluation: Any, body: dict[str, Any], notes: list[str]) -> Page:
    from bounds.language.expression import text
    from reports.documents.description import observables
    from reports.documents.informative import line

    page = Page()
    statement = evaluation.statement
    page.title(statement.title)
    page.paragraph(f"{body['id']}, {body['locator']}, {body['variant']}", indent=0)
    page.paragraph(f"at {' '.join(f'{n}={_number(v)}' for n, v in evaluation.inputs.items())}", indent=0)
    claims = {
        True: "Value",
        False: "Value of the formula (no claim: a condition fails)",
        None: "Value (some conditions are undecided)",
    }
    page.heading(claims[body["applicable"]])
    page.paragraph(f"{_number(body['value'])} {body['unit'] if body['unit'] != '1' else '(no unit)'}")
    bound = statement.kind.value in ("upper bound", "rate")
    page.paragraph(f"{'an upper bound of' if bound else 'the value of'} {text(statement.left)}")
    for measured in observables(statement, statement.left):
        page.paragraph(f"{measured.name}: {measured.meaning}", indent=4)
    if "reason" in body:
        page.paragraph(body["reason"])
    page.paragraph(_applicability(body))
    page.paragraph(line(body))
    sensitivity = body["condition_number"]
    if isinstance(sensitivity, float) and not json_border.not_finite(sensitivity):
        page.paragraph(
            f"condition number {sensitivity:.3g}: relative input errors grow at most by this factor"
        )
    page.heading("Terms")
    page.columns_of(_term_rows(evaluation, body))
    _conditions(page, body)
    _rest(page, evaluation, body, notes)
    return page


def _applicability(body: dict[str, Any]) -> str:
    if body["applicable"]:
        return (
            "applicable: every condition holds"
            if body["conditions"]
            else "applicable: there are no conditions"
        )
    open_or_not = "not applicable" if body["applicable"] is False else "applicability undecided"
    return f"{open_or_not}: {'; '.join(body['why_not'])}"


def _number(value: Any) -> str:
    if value is None:
        return "null"
    return json_border.not_finite(value) or f"{value:.6g}"


def _term_rows(evaluation: Any, body: dict[str, Any]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for shown, term in zip(body["terms"], evaluation.statement.terms, strict=True):
        share = "" if shown["share"] is None else f"{shown['share']:.1%}"
        bound = f"; at most: {', '.join(shown['at_most'])} by its free bound" if "at_most" in shown else ""
        rows.append((shown["name"], _number(shown["value"]), share, f"{term.pays_for}{bound}"))
    return rows


def _conditions(page: Page, body: dict[str, Any]) -> None:
    from reports.documents.evaluation import margin_text

    if not body["conditions"]:
        return
    page.heading("Conditions")
    words = {True: "holds", False: "FAILS", None: "undecided"}
    page.columns_of(
        (words[c["holds"]], c["id"], f"{c['text']}: {margin_text(c)}") for c in body["conditions"]
    )


def _rest(page: Page, evaluation: Any, body: dict[str, Any], notes: list[str]) -> None:
    if body["derived"]:
        page.heading("Prescribed and derived")
        prescribed = {c.symbol.name: c.locator for c in evaluation.statement.choices}
        page.columns_of(
            (
                d["name"],
                _number(d["value"]),
                f"prescribed, {prescribed[d['name']]}" if d["name"] in prescribed else "derived",
            )
            for d in body["derived"]
        )
    if "elasticities" in body:
        page.heading("Elasticities (percent per percent)")
        page.columns_of((e["name"], _number(e["value"])) for e in body["elasticities"])
    if body["edges"]:
        page.heading("Edge cases")
        for sentence in body["edges"]:
            page.item(sentence)
    if notes:
        page.heading("Notes")
        for note in notes:
            page.item(note)
