"""The report of a record: one HTML file that opens offline without JavaScript, and the same in Markdown.

A record and an installed package may hold anything, so everything is escaped; MathML passes only after
`formula.mathml` has removed all that is not layout.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from bounds.statement import Kind, Statement
from reports import record
from reports.description import describe
from reports.evaluation import at_a_point, margin_text
from reports.formula import mathml
from reports.inspection import findings

Plain = dict[str, Any]
UNRUN = "no cell is in this record"


def html(data: Plain) -> str:
    from jinja2 import Environment, PackageLoader
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("reports"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"number": number, "math": lambda latex: Markup(mathml(latex))}
    return environment.get_template("report.html.j2").render(context(data))


def markdown(data: Plain) -> str:
    from jinja2 import Environment, PackageLoader

    # Markdown has an escaping of its own: HTML's would show &lt; inside code.
    environment = Environment(loader=PackageLoader("reports"), trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"number": number, "md": escaped, "fenced": fenced}
    return environment.get_template("report.md.j2").render(context(data))


def number(value: Any) -> str:
    """Six digits of a number; a dash for what is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "–"
    return f"{value:.6g}"


def escaped(value: Any) -> str:
    """Text as text in Markdown, also inside a table."""
    text = " ".join(str(value).split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{c}" if c in "\\`*_{}[]#|~$" else c for c in text)


def fenced(value: Any) -> str:
    """A code block whose fence does not occur in what it holds."""
    text, fence = str(value), "```"
    while fence in text:
        fence += "`"
    return f"{fence}latex\n{text}\n{fence}"


def context(data: Plain) -> Plain:
    """What both templates show: every installed statement, then what only the record knows."""
    import bounds

    grouped = record.by_statement(data["cells"])
    standings = record.standings(data)
    sections = [_installed(s, grouped.pop(s.id, []), standings) for s in bounds.statements()]
    strangers = [_unknown(identity, cells, standings) for identity, cells in grouped.items()]
    environment = data.get("environment")
    return {
        "summary": record.counts(data),
        "tally": _tally(sections),
        "level": data.get("error_level"),
        "seed": data.get("seed"),
        "environment": environment if isinstance(environment, dict) else {},
        "statements": sections + strangers,
    }


def _tally(sections: list[Plain]) -> str:
    """How many statements stand how, by the first word of their standing, and why some have no cell."""
    words = [section["standing"].split(" ")[0] for section in sections]
    order = ("refuted", "vacuous", "uninformative", "unrefuted", "proved", "unchecked")
    parts = [f"{words.count(word)} {word}" for word in order if word in words]
    open_ones = sum(section.get("no_cell") == UNRUN for section in sections)
    about_runs = f"; {open_ones} about runs have no cell in this record" if open_ones else ""
    return f"{len(sections)} statements: {', '.join(parts)}{about_runs}"


def why_no_cell(statement: Statement) -> str:
    """Why a record may hold no run of a statement."""
    if not statement.evaluable:
        return f"a {statement.kind.value} without a number: nothing to run"
    if statement.kind is Kind.RATE:
        return f"its constants are not given: {statement.explicit} is the bound that is run"
    if statement.concrete is not None and statement.algorithm is None:
        return "it speaks of vectors, functions or sequences, not of a run"
    if statement.algorithm is None or statement.kind in (Kind.DEFINITION, Kind.RULE):
        return "it speaks of no run"
    return UNRUN


def _installed(statement: Statement, cells: list[Plain], standings: dict[str, str]) -> Plain:
    return describe(statement, findings(statement)) | {
        "standing": standings.get(statement.id, "unchecked"),
        "cells": [_cell(cell) for cell in cells],
        "no_cell": "" if cells else why_no_cell(statement),
        "example": _example(statement),
        "anchor": _anchor(statement.id),
    }


def _unknown(identity: str, cells: list[Plain], standings: dict[str, str]) -> Plain:
    return {
        "id": identity,
        "title": "not installed here",
        "standing": standings.get(identity, "unchecked"),
        "cells": [_cell(cell) for cell in cells],
        "anchor": _anchor(identity),
    }


def _anchor(identity: str) -> str:
    return "".join(c if c.isalnum() and c.isascii() else "-" for c in identity)


def _cell(cell: Plain) -> Plain:
    return cell | {
        "label": record.label(cell),
        "shown_parameters": _shown(cell["parameters"]),
        "told": record.told(cell),
    }


def _shown(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {_short(value)}" for name, value in parameters.items())


def _short(value: Any) -> str:
    """A parameter in six digits; an exact fraction with a long numerator as the number that it is."""
    try:
        exact = float(Fraction(value)) if isinstance(value, str) else value
    except (ValueError, ZeroDivisionError, OverflowError):
        return str(value)
    if isinstance(exact, float):
        return f"{exact:.6g}"
    return str(exact)


def _example(statement: Statement) -> Plain | None:
    """The statement's own example; None where its author gave none."""
    if not statement.evaluable or not statement.example:
        return None
    body = at_a_point(statement.evaluate(**statement.example))
    for condition in body["conditions"]:
        condition["told"] = margin_text(condition)
    return body | {"shown_parameters": _shown(statement.example)}
