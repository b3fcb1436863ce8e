"""From contents to text: templates that escape whatever they print, each in the way of its format."""

from base64 import b64encode
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from bounds.language.finding import FindingClass
from reports.formula import mathml
from reports.page import escapes
from reports.page.packed import Parts, packed

if TYPE_CHECKING:
    from jinja2 import Environment

Plain = dict[str, Any]
SCRIPTS = ("page.js", "explorer.js", "explorer_page.js")
GRAVITY = [grade.value for grade in FindingClass]


def html(contents: Plain) -> str:
    """The page. Its policy names its own script by digest, so that nothing else in it can run."""
    script = _script()
    more = {"script": script, "policy": policy(script), "parts": Parts()}
    return escapes.visible(_html().get_template("report.html.j2").render(contents | more))


def policy(script: str) -> str:
    digest = b64encode(sha256(script.encode("utf-8")).digest()).decode("ascii")
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"


def _script() -> str:
    folder = files("reports") / "templates"
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in SCRIPTS)


def review_html(found: Plain) -> str:
    return escapes.visible(_html().get_template("review.html.j2").render(found))


def review_latex(found: Plain) -> str:
    return _finalized(escapes.latex).get_template("review.tex.j2").render(found)


def changes_html(found: Plain) -> str:
    return escapes.visible(_html().get_template("changes.html.j2").render(found))


def statement_html(body: Plain) -> str:
    """One statement for the documentation site."""
    return escapes.visible(_html().get_template("site_statement.html.j2").render(s=body))


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

    environment = _environment(autoescape=True)
    environment.filters |= {"math": lambda latex: Markup(mathml(latex)), "ready": Markup, "packed": packed}
    return environment


@cache
def _finalized(escape: Callable[[Any], str]) -> "Environment":
    """Every expression goes through the escape, so that no template can forget it."""
    environment = _environment(finalize=escape)
    environment.filters |= {"fenced": escapes.fenced, "ready": escapes.Ready}
    return environment


def _environment(**options: Any) -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("reports"),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        **options,
    )
    environment.filters |= {"number": number, "share": share, "times": times}
    environment.globals["gravity"] = gravity
    return environment


def gravity(section: Plain) -> int:
    """The place of the gravest finding of a section among the classes, for sorting."""
    found = [GRAVITY.index(entry["class"]) for entry in section["findings"]]
    return min(found, default=len(GRAVITY))


def times(value: float) -> str:
    """Return "1.66" or "153", without exponents where they are not needed."""
    return f"{value:.3g}" if value < 1e3 else f"{value:,.0f}" if value < 1e9 else f"{value:.3g}"


def number(value: Any) -> str:
    """Six digits of a number; a dash if there is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "–"
    return f"{value:.6g}"


def share(value: Any) -> str:
    return "–" if value is None else f"{value:.1%}"
