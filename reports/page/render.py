"""From contents to text: templates that escape whatever they print, each in the way of its format."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from bounds.language.finding import Status
from reports.formula import mathml
from reports.page import escapes

if TYPE_CHECKING:
    from jinja2 import Environment

Plain = dict[str, Any]


def html(contents: Plain) -> str:
    return escapes.visible(_html().get_template("report.html.j2").render(contents))


def markdown(contents: Plain) -> str:
    return _finalized(escapes.markdown).get_template("report.md.j2").render(contents)


def latex(contents: Plain) -> str:
    """A document that reads the table beside it."""
    return _finalized(escapes.latex).get_template("report.tex.j2").render(contents)


def latex_table(contents: Plain) -> str:
    """For `\\input` into a document of one's own."""
    return _finalized(escapes.latex).get_template("verdicts.tex.j2").render(contents)


@cache
def _html() -> "Environment":
    from markupsafe import Markup

    made = _environment(autoescape=True)
    made.filters |= {"math": lambda latex: Markup(mathml(latex)), "ready": Markup}
    return made


@cache
def _finalized(escape: Callable[[Any], str]) -> "Environment":
    """Every expression goes through the escape, so that no template can forget it."""
    made = _environment(finalize=escape)
    made.filters |= {"fenced": escapes.fenced, "ready": escapes.Ready}
    return made


def _environment(**options: Any) -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("reports"),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        **options,
    )
    made.filters |= {"number": number, "share": share}
    made.globals["kinds"] = kinds
    return made


def kinds(section: Plain) -> str:
    """Classes of a section and of its row in the table: what the choices at the top of the page select by."""
    chosen = {
        "is-refuted": section["status"] == Status.REFUTED.value,
        "is-judged": section["judged"] > 0,
        "is-found": bool(section["findings"]),
        "is-unchecked": section["status"] == Status.UNCHECKED.value,
    }
    return " ".join(["entry", *(name for name, is_so in chosen.items() if is_so)])


def number(value: Any) -> str:
    """Six digits of a number; a dash if there is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "–"
    return f"{value:.6g}"


def share(value: Any) -> str:
    return "–" if value is None else f"{value:.1%}"
