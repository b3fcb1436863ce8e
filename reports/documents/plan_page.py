"""A plan in words."""

from collections.abc import Mapping
from typing import Any, Final

from reports.cli.terminal import Page
from reports.documents.informative import line
from reports.documents.units import with_unit

GAP: Final = "F"  # the unit of f(w) - min f
LITTLE: Final = 0.01  # of the gap at the start, below which a run has made no progress
Plain = Mapping[str, Any]


def page(body: Plain, title: str, out: Page | None = None) -> Page:
    """What to set, what it promises, what is known anyway, and what a run of it did."""
    page = Page() if out is None else out
    page.title(title)
    page.paragraph(f"{body['id']}, {body['locator']}, {body['variant']}", indent=0)
    page.paragraph(_about(body), indent=0)
    _setting(page, body)
    _known(page, body)
    _bound(page, body)
    _privacy(page, body["privacy"])
    _run(page, body)
    return page


def _about(body: Plain) -> str:
    sizes = (("clients", "{} clients"), ("dimension", "dimension {}"), ("rounds", "{} rounds"))
    known = [text.format(body[name]) for name, text in sizes if body[name] is not None]
    name = "from constants alone, so nothing is run" if body["problem"] is None else body["problem"]
    start = f", from the start with every coordinate {body['start']:.6g}" if body["start"] else ""
    return f"{name}: {', '.join(known)}{start}"


def _setting(page: Page, body: Plain) -> None:
    page.heading("Setting, in the words of the statement")
    sources = (("setting", "chosen"), ("prescribed", "prescribed"), ("participation", "by the sampling"))
    page.columns_of(
        (name, with_unit(_number(value), body["units"].get(name, "")), how)
        for key, how in sources
        for name, value in body[key].items()
    )
    page.paragraph(_how(body))
    if not body["algorithm"]["settings"]:
        return
    page.heading(f"The same for {body['algorithm']['name']}")
    start = [("start", _number(body["start"]))] if body["start"] is not None else []
    rows = [(name, _number(value)) for name, value in body["algorithm"]["settings"].items()]
    page.columns_of([*rows, *start])  # `run` starts elsewhere, unless it is told


def _how(body: Plain) -> str:
    """How the setting was found, and of what no other choice has less."""
    if not body["setting"]:
        return str(body["how"])
    weighed = body["quotient"]
    what = "bound" if weighed is None else f"bound over the coefficient of {weighed['observable']}"
    sure = f"no other choice has a smaller {what}" if body["certified"] else "not certified"
    if weighed is None and (names := ", ".join(body["weighs_left"])):
        sure += (
            f"; coefficients of the left side take {names} too, so that another choice may say more of what "
            "is measured there"
        )
    return f"{body['how']}: {sure}"


def _known(page: Page, body: Plain) -> None:
    """The numbers that the bound was computed with, and what must be true of the problem."""
    page.heading("What it rests on")
    page.columns_of(
        (name, with_unit(_number(body["known"][name]), body["units"].get(name, "")), source)
        for name, source in body["sources"].items()
    )
    if body["assumptions"]:
        checked = "checked on the problem" if body["problem"] else "not checked, to be true of your problem"
        page.paragraph(f"{checked}: {'; '.join(body['assumptions'])}")


def _bound(page: Page, body: Plain) -> None:
    bound = body["bound"]
    page.heading("Bound")
    page.paragraph(f"{_number(bound['value'])} {bound['unit']}")
    page.columns_of(
        (t["name"], _number(t["value"]), "" if t["share"] is None else f"{t['share']:.1%}", t["pays_for"])
        for t in bound["terms"]
    )
    if weighed := body["quotient"]:
        value = with_unit(_number(weighed["value"]), weighed["unit"])
        page.paragraph(
            f"over {_number(weighed['coefficient'])}, the coefficient of {weighed['observable']} on the "
            f"left: {value}, which the choice makes smallest"
        )
    page.paragraph(line(body))
    if body["informative"] is False:
        page.paragraph(f"the term that dominates is {body['dominating_term']}")
        for sentence in where_informative(body):
            page.paragraph(sentence)


def where_informative(body: Plain) -> list[str]:
    """From where on the bound would say more, all else kept."""
    found, out = body["informative_from"], []
    if found is None:
        return []
    private = body["privacy"]["noise_multiplier"] is not None
    fixed = "at this privacy" if private else "with all else kept"
    if found["least"] is not None:
        out.append(_say_least(found["least"], fixed))
    elif found["rounds"] is None:
        out.append(f"no number of rounds that was tried makes it informative {fixed}")
    else:
        out.append(f"it is informative from about {found['rounds']} rounds on, {fixed}")
    if found["epsilon"] is not None:
        out.append(f"it is informative from about epsilon {found['epsilon']:.3g} on, with these rounds")
    elif private:
        out.append("no epsilon that was tried makes it informative with these rounds")
    return out


def _say_least(least: Plain, fixed: str) -> str:
    """Why no choice is informative: the share that is left, and what stands in the way."""
    names = ", ".join(least["names"])
    held = ", ".join(f"{c['id']} ({c['text']})" for c in least["binding_conditions"])
    because = f"; what stops it there is {held}" if held else ""
    return (
        f"no choice of {names} makes it informative {fixed}: over all of them it is at least "
        f"{least['share']:.3g} times what is known without any run (a geometric program){because}"
    )


def _privacy(page: Page, privacy: Plain) -> None:
    page.heading("Privacy")
    guarantee = privacy["guarantee"]
    if guarantee is None:
        page.paragraph(f"not counted: {privacy['reason']}")
        return
    counted = "local steps" if guarantee["unit"] == "record" else "rounds"
    page.paragraph(
        f"epsilon {guarantee['epsilon']:.6g} at delta {guarantee['delta']:g}, {guarantee['relation']}, for a "
        f"{guarantee['unit']}; "
        f"noise of the {privacy['placement']}, {guarantee['sigma']:.6g} times the largest contribution, "
        f"sampling {guarantee['sampling_assumed']['text']}, {guarantee['rounds']} {counted}; "
        f"accountant {guarantee['accountant']}"
    )
    page.paragraph(privacy["not_counted"])


def _run(page: Page, body: Plain) -> None:
    run, tuned = body["run"], body["best_by_simulation"]
    if run is None:
        return
    page.heading(f"Run, {run['replicates']} replicates (band: two standard errors)")
    unit = body["bound"]["unit"]
    rows = [("gap before any round", with_unit(_number(run["gap_at_start"]), GAP))]
    if run["left"] is not None:
        bound = with_unit(_number(body["bound"]["value"]), unit)
        rows.append(("what the bound bounds", f"{_banded(run['left'], 'estimate', unit)}, bound {bound}"))
    rows.append(("gap after the last round", _banded(run["gap"], "mean", GAP)))
    if tuned is not None:
        private = "" if body["privacy"]["noise_multiplier"] is None else " at the same privacy"
        best = f"{_banded(tuned['gap'], 'mean', GAP)}, of {tuned['tried']} settings{private}"
        rows.append(("best setting by simulation", best))
    page.columns_of(rows)
    if run["gap"]["lower"] > run["gap_at_start"]:
        page.paragraph("the run ends worse than it starts")
    elif run["gap"]["mean"] > (1 - LITTLE) * run["gap_at_start"]:
        page.paragraph(f"the run makes no progress: the gap changes by less than {LITTLE:.0%}")
    if tuned is not None:
        page.heading("That setting (its search ran on the data, which nothing here counts)")
        page.columns_of((name, _number(value)) for name, value in tuned["settings"].items())


def _banded(entry: Plain, middle: str, unit: str) -> str:
    band = f"({_number(entry['lower'])} to {_number(entry['upper'])})"
    exact = entry["lower"] == entry["upper"]  # a run that draws nothing
    return with_unit(_number(entry[middle]), unit) + ("" if exact else f" {band}")


def _number(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "null" if value is None else str(value)
    return f"{value:.6g}"
