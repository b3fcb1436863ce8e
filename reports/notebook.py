"""Objects as a notebook shows them: a few lines of HTML, formulas as MathML, numbers in six digits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import TYPE_CHECKING, Any, final

from markupsafe import Markup

from bounds.catalogue import Catalogue
from bounds.discovery import variants
from bounds.errors import Misuse
from bounds.evaluation.evaluate import Evaluation
from bounds.language.finding import Finding, Standing
from bounds.language.statement import Statement
from reports.document import Document
from reports.documents.evaluation import describe_point
from reports.formula import mathml
from reports.page.render import number, share

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from reports.plots.comparison import Comparison

Rows = Sequence[Sequence[object]]
MOST = 60  # rows of a table
WIDE = 20.0  # a range that spans more than this factor is drawn on a logarithmic axis
POINTS = 41  # of such a range


def html(thing: object) -> str:
    """Write an object as HTML; its contents are escaped."""
    if isinstance(thing, Statement):
        return _statement(thing)
    if isinstance(thing, Evaluation):
        return _evaluation(thing)
    if isinstance(thing, Catalogue):
        rows = [(s.id, s.locator, s.kind.value, s.title) for s in thing]
        return _table(("id", "locator", "kind", "title"), rows)
    if isinstance(thing, Finding):
        return _finding(thing)
    if isinstance(thing, Standing):
        return Markup("<p><strong>{}</strong> {}</p>").format(thing.status.value, thing.tried)
    if isinstance(thing, Document):
        return _document(thing)
    raise Misuse(f"nothing shows a {type(thing).__name__} in a notebook")


def _statement(statement: Statement) -> str:
    form = "" if statement.variant == "printed" else f" ({statement.variant})"
    head = Markup("<h4>{}{}</h4><p><code>{}</code>, {}, {}</p>").format(
        statement.title, form, statement.id or statement.locator, statement.locator, statement.kind.value
    )
    formulas = Markup("").join(Markup("<p>{}</p>").format(Markup(mathml(line))) for line in statement.printed)
    reading = Markup("<p>Read as: {}</p>").format(statement.reading)
    terms = [(term.name, term.pays_for) for term in statement.terms]
    table = _table(("term", "pays for"), terms) if terms else Markup("")
    return head + formulas + reading + table + _where_to_look(statement)


def _where_to_look(statement: Statement) -> Markup:
    """Name the calls that report its standing: a statement holds no verdict itself."""
    if not (statement.id and variants(statement.id)):
        return Markup("")
    forms = " and ".join(form.variant for form in variants(statement.id))
    line = Markup("<p>Forms: {}. Standing: <code>fedbounds.list({!r})</code>; findings: <code>{}</code></p>")
    return line.format(forms, statement.id, f"fedbounds.errata({statement.id!r})")


def _evaluation(evaluation: Evaluation) -> str:
    head = Markup("<p><code>{}</code></p>").format(repr(evaluation))
    if evaluation.shape or evaluation.unset:
        return head
    body = describe_point(evaluation)
    terms = [(t["name"], number(t["value"]), share(t["share"])) for t in body["terms"]]
    words = {True: "holds", False: "fails", None: "undecided"}
    conditions = [(words[c["holds"]], c["text"], number(c["margin"])) for c in body["conditions"]]
    tables = _table(("term", "value", "share"), terms)
    return head + tables + (_table(("", "condition", "margin"), conditions) if conditions else Markup(""))


def _finding(finding: Finding) -> str:
    line = Markup("<p><strong>{}</strong> at {}, {}: {}. Right: {}.</p>")
    return line.format(finding.grade.value, finding.locator, finding.where, finding.evidence, finding.right)


def _document(document: Document) -> str:
    """The plain entries, then each list of entries as a table."""
    plain = [(k, v) for k, v in document.items() if not isinstance(v, list | dict) and v not in (None, "")]
    out = _table(("", ""), plain)
    for key, value in document.items():
        entries = _entries(value)
        if entries and all(isinstance(entry, dict) for entry in entries):
            names = dict.fromkeys(name for entry in entries for name in entry)
            columns = [n for n in names if not any(isinstance(e.get(n), list | dict) for e in entries)]
            rows = [[_shown(entry.get(name)) for name in columns] for entry in entries]
            out += Markup("<h5>{} ({})</h5>").format(key, len(value)) + _table(columns, rows)
    return out


def _entries(value: object) -> list[Any]:
    """The entries of a list, and those of a table by name with the name in front."""
    if isinstance(value, dict) and all(isinstance(entry, dict) for entry in value.values()):
        return [{"name": name, **entry} for name, entry in value.items()]
    return value if isinstance(value, list) else []


def _shown(value: object) -> object:
    return number(value) if isinstance(value, float) else "–" if value is None else value


def _table(columns: Sequence[str], rows: Rows) -> Markup:
    head = Markup("").join(Markup("<th>{}</th>").format(name) for name in columns)
    body = Markup("").join(
        Markup("<tr>{}</tr>").format(Markup("").join(Markup("<td>{}</td>").format(cell) for cell in row))
        for row in rows[:MOST]
    )
    more = Markup("<p>... and {} more</p>").format(len(rows) - MOST) if len(rows) > MOST else Markup("")
    return Markup("<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>{}").format(head, body, more)


@final
@dataclass(frozen=True, slots=True)
class Plot:
    """A drawn comparison, which a notebook shows; `save(folder)` writes SVG, PDF and CSV."""

    comparison: "Comparison"

    @property
    def points(self) -> dict[str, list[tuple[tuple[float, ...], float | None]]]:
        """(place, value) by series; None where the statement has no value that may be used."""
        return {
            series.name: [(p.at, p.value if p.shown else None) for p in series.points]
            for series in self.comparison.series
        }

    def figure(self) -> "Figure":
        """Draw a matplotlib figure, which the caller may change."""
        from reports.plots.bounds_over_parameters import draw
        from reports.plots.style import styled

        with styled() as figure:
            draw(self.comparison, figure)
        return figure

    def save(self, folder: str) -> list[str]:
        """Write figure.svg, figure.pdf and figure.csv."""
        from pathlib import Path

        from reports.plots.files import write

        return [str(path) for path in write(self.comparison, Path(folder))]

    def _repr_svg_(self) -> str:
        from reports.plots.files import picture

        return picture(self.comparison, "svg").decode("utf-8")

    def __repr__(self) -> str:
        series = ", ".join(f"{s.name} ({len(s.points)} points)" for s in self.comparison.series)
        return f"<Plot of {self.comparison.title}: {series}>"


def plot(statement: Statement, over: str | Mapping[str, Any], given: Mapping[str, Any]) -> Plot:
    """The statement's value over one or two quantities; a pair of numbers is a range, a list its values.

    A name without a range is drawn around its value in the example, which also has each quantity that is not
    given.
    """
    from reports.plots.axis import axes
    from reports.plots.bounds_over_parameters import compared

    if isinstance(over, str):
        given = {name: value for name, value in statement.example.items() if name != over} | dict(given)
        over = {over: _choose_range(statement, over)}
    words = [f"{name}={_range(values)}" for name, values in over.items()]
    return Plot(compared([(statement, dict(given))], axes(words, statement, most=2), None))


def _choose_range(statement: Statement, name: str) -> tuple[float, float]:
    """A factor of ten to either side, or half of the way to an end of the domain."""
    value = float(statement.example.get(name, 0))
    if value <= 0:
        raise Misuse(f"the example of {statement.id} has no {name} > 0; give a range, such as (1, 2)")
    domain = statement.notation.quantities[name].domain
    low = value / 10 if value / 10 > domain.lower else (value + domain.lower) / 2
    high = 10 * value if 10 * value < domain.upper else (value + domain.upper) / 2
    return (ceil(low), floor(high)) if domain.integer else (low, high)


def _range(values: Any) -> str:
    """The text that --over takes; a wide range of positive numbers is spaced by its logarithm."""
    numbers = [float(value) for value in values]
    if isinstance(values, tuple) and len(numbers) == 2:
        low, high = numbers
        spaced = low > 0 and high > WIDE * low
        return f"{low!r}:{high!r}:{POINTS}:log" if spaced else f"{low!r}:{high!r}"
    return ",".join(f"{value!r}" for value in numbers)
