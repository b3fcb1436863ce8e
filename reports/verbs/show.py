"""`fedbounds show`: a statement that reads like the paper it is from."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from bounds.language.finding import GRAVE
from reports.cli import exits, terminal
from reports.cli.terminal import Page
from reports.documents import json_border
from reports.verbs.options import Identity, Json, take_flag

if TYPE_CHECKING:
    from reports.documents.types import show as types

Format = Annotated[
    Literal["text", "latex", "mathml"],
    Parameter(help="`latex` and `mathml` print only the formulas."),
]


Steps = Annotated[bool, take_flag("Also print the displayed steps of the proof.")]
Related = Annotated[bool, take_flag("Also compare its symbols with those of other papers.")]
Evidence = Annotated[bool, take_flag("Also print the evidence of its findings, and why each matters.")]
Variant = Annotated[str, Parameter(help="Form to show: `printed` or `amended`.")]


def run(
    identity: Identity,
    /,
    *,
    steps: Steps = False,
    related: Related = False,
    evidence: Evidence = False,
    format: Format = "text",
    variant: Variant = "printed",
    json: Json = False,
) -> int:
    """Show a statement as printed and as read: conditions, terms, units and findings."""
    import bounds
    from reports.documents.description import describe
    from verify.ledger.true_form import findings

    statement = bounds.get(identity, variant)
    body = describe(statement, findings(statement))
    if json:
        terminal.write(json_border.document("show", body | _rendered(body, format)))
    elif format == "text":
        terminal.write(str(_page(body, steps=steps, related=related, evidence=evidence)))
    else:
        terminal.write(_formulas(body, steps, format))
    return exits.OK


def _rendered(body: "types.Show", format: str) -> dict[str, list[str]]:
    if format != "mathml":
        return {}
    from reports.formula import mathml

    return {"mathml": [mathml(latex) for latex in body["printed"]]}


def _formulas(body: "types.Show", steps: bool, format: str) -> str:
    printed = [*body["printed"], *(step["printed"] for step in body["steps"] if steps)]
    if format == "mathml":
        from reports.formula import mathml

        printed = [mathml(latex) for latex in printed]
    return "".join(f"{formula}\n" for formula in printed)


def _page(body: "types.Show", **folded: bool) -> Page:
    """The whole page; each part in `folded` only if its option asks for it."""
    page = Page()
    page.title(f"{body['title']}")
    page.paragraph(f"{body['id']}, {body['locator']}, {body['kind']}, {body['variant']}", indent=0)
    page.paragraph(_name_the_source(body), indent=0)
    if len(body["variants"]) > 1:
        page.paragraph(f"forms (--variant): {', '.join(body['variants'])}", indent=0)
    if stands := _describe_standing(body):
        page.paragraph(stands, indent=0)
    amendment = body["amendment"]
    page.heading(_name_the_form(body))
    for formula in body["printed"]:
        _formula(page, formula)
    if amendment is not None:
        _amendment(page, amendment)
    page.heading("Reading")
    page.paragraph(body["reading"])
    for other in body["other_readings"]:
        page.item("other reading:", other)
    _hypotheses(page, body)
    _conclusion(page, body)
    _mechanism(page, body["mechanism"])
    _behaviour(page, body)
    if folded["steps"]:
        _steps(page, body)
    if folded["related"]:
        _append_other_papers(page, body["in_other_papers"])
    _findings(page, body, folded["evidence"])
    _next(page, body, folded)
    return page


def _name_the_source(body: "types.Show") -> str:
    paper = f"{body['paper']['authors']}: {body['paper']['title']}"
    if body["derived_from"]:
        return f"derived by fedbounds from {body['derived_from']}, and not printed in the paper: {paper}"
    return paper


def _name_the_form(body: "types.Show") -> str:
    if body["derived_from"]:
        return "Statement"
    return "Printed" if body["amendment"] is None else "Amended statement"


def _describe_standing(body: "types.Show") -> str:
    """Say what is on file for or against the form; a definition or a rule claims nothing."""
    from bounds.language.finding import Status
    from verify.standing import standing_of

    identity, form = body["id"], body["variant"]
    option = "" if form == "printed" else f" --variant {form}"
    if body["kind"] in ("definition", "rule") or not identity:
        return ""
    status = standing_of(identity, form).status
    if status is Status.REFUTED:
        return f"refuted: a counterexample is on file (fedbounds errata {identity})"
    if status is Status.VACUOUS:
        return (
            f"vacuous: no problem, or only a trivial one, meets what it assumes (fedbounds audit {identity})"
        )
    if status is Status.PROVED:
        return f"proved: a certificate is on file (fedbounds prove {identity}{option})"
    return f"open: no counterexample and no proof is on file (fedbounds verify {identity} runs it)"


def _amendment(page: Page, amendment: "types.Amendment") -> None:
    page.item("change:", amendment["change"])
    page.item("why it suffices:", amendment["because"])
    if amendment["derivation"]:
        page.item("derivation:", amendment["derivation"])
    if amendment["needed"]:
        page.item("whether the added hypothesis is necessary:", amendment["needed"])


def _formula(page: Page, latex: str, indent: int = 4) -> None:
    """Folded in a window; whole in a pipe, so that a search for the printed LaTeX finds it."""
    if terminal.is_terminal():
        from reports.formula import fold

        latex = fold(latex, page.columns - indent - 2)
    page.verbatim(latex, indent)


def _hypotheses(page: Page, body: "types.Show") -> None:
    if body["setting"]:
        page.heading("Setting")
        page.columns_of((s["locator"], s["text"]) for s in body["setting"])
    if body["assumptions"]:
        page.heading("Assumptions")
        page.columns_of(
            (a["locator"], f"{a['text']}{' [RECONSTRUCTED]' if a['reconstructed'] else ''}")
            for a in body["assumptions"]
        )
    if body["quantities"]:
        page.heading("Quantities")
        joined = _is_joined(body)
        rows = ((q["name"], q["dimension"], _quantity(q, joined=joined)) for q in body["quantities"])
        page.columns_of(rows)
    if body["choices"]:
        page.heading("Prescribed values")
        for c in body["choices"]:
            absorption = (
                f"; the integer {c['absorbed']} stays an input, and {c['name']} is solved for"
                if c["absorbed"]
                else ""
            )
            page.item(f"{c['name']} = {c['expression']}   ({c['locator']}{absorption})")
    if body["definitions"]:
        page.heading("Definitions")
        for d in body["definitions"]:
            source = f", defined in {d['source']}" if d["source"] not in ("", d["locator"]) else ""
            instead = "" if d["needed"] else f"; or set {d['name']} directly"
            page.item(f"{d['name']} = {d['expression']}   ({d['locator']}{source}{instead})")
    if body["conditions"]:
        page.heading("Conditions")
        for condition in body["conditions"]:
            page.item(f"{condition['id']}: {condition['text']}")
            _formula(page, f"printed: {condition['printed']}")


def _is_joined(body: "types.Show") -> bool:
    """Whether runs of an author's statement follow from what it declares: that is for the author to check."""
    from bounds import discovery

    if body["left"] is None or body["paper"]["key"] not in discovery.installed():
        return False
    return any(o["measured"] for o in body["left"]["observables"])


def _quantity(q: "types.Quantity", *, joined: bool) -> str:
    source = f" from {', '.join(q['derived_from'])}" if q["derived_from"] else ""
    need = f"{q['need']}{source}" if q["need"] in ("derived", "prescribed") else q["need"]
    detail = f" {q['role'][:1].upper()}{q['role'][1:]}: {q['detail']}." if q["detail"] else ""
    in_a_run = f" In a run: {q['in_a_run']}." if joined and q["in_a_run"] else ""
    return f"{q['meaning']}; {q['domain']}; {need}.{detail}{in_a_run}"


def _conclusion(page: Page, body: "types.Show") -> None:
    left = body["left"]
    if left is None:
        _without_number(page, body)
        return
    relation = "at most" if body["kind"] in ("upper bound", "rate") else "equal to"
    page.heading("Left-hand side")
    page.paragraph(f"{left['expression']}   (unit {left['unit']})")
    for o in left["observables"]:
        _observable(page, o)
    page.heading("Right-hand side")
    page.paragraph(f"The left-hand side is {relation} the sum of:")
    for term in body["terms"]:
        vanishes = f"; vanishes {term['vanishes']}" if term["vanishes"] else ""
        page.item(f"{term['name']}: {term['expression']}", f"pays for {term['pays_for']}{vanishes}")
        for o in term["observables"]:
            _observable(page, o, indent=4)


def _without_number(page: Page, body: "types.Show") -> None:
    if body["refuted_by"]:
        page.heading("Refuted by")
        page.paragraph(body["refuted_by"])
    if body["not_checkable"]:
        page.heading("Not checkable")
        page.paragraph(body["not_checkable"])


def _observable(page: Page, o: "types.Observable", indent: int = 2) -> None:
    free = f"free bound {o['free_bound']} (known without a run)" if o["free_bound"] else "no free bound"
    page.item(
        f"{o['name']}: {o['meaning']}",
        f"over: {o['over']}{f', of {measured}' if (measured := o['measured']) else ''}",
        f"unit {o['dimension']}; lowest {o['lowest']}; {free}; {o['moments']}",
        indent=indent,
    )


def _mechanism(page: Page, rule: "types.Mechanism | None") -> None:
    """The facts that an accountant needs, and the paper's words for them."""
    if rule is None:
        return
    page.heading("The noisy sum whose privacy is asserted")
    facts = {
        "unit": rule["unit"],
        "neighbors": rule["relation"],
        "sampling": None if rule["sampling"] is None else f"{rule['sampling']}, at rate {rule['rate']}",
        "noise": None if rule["placement"] is None else f"added by the {rule['placement'].rstrip('s')}",
        "deviation": f"{rule['deviation']}, {rule['spread'] or 'total or per coordinate: not stated'}",
        "contribution": f"at most {rule['contribution']}",
        "rounds": rule["rounds"],
    }
    page.columns_of((name, "not stated" if fact is None else fact) for name, fact in facts.items())
    page.columns_of((f"on {name}", words) for name, words in rule["said"].items())


def _behaviour(page: Page, body: "types.Show") -> None:
    if body["objects"]:
        page.heading("Objects that it can be evaluated on")
        page.columns_of((o["name"], o["meaning"]) for o in body["objects"])
    if body["follows_from"]:
        page.heading("Follows from, according to the paper")
        page.paragraph(f"{body['follows_from']} (`fedbounds audit` compares the two)")
    if body["explicit"]:
        page.heading("Explicit bound")
        page.paragraph(f"{body['explicit']} is the bound without O(.).")
    if body["edges"]:
        page.heading("Edge cases")
        page.columns_of(
            (f"{e['name']} = {e['at']:g}", f"{e['outcome']}: {e['sentence']}") for e in body["edges"]
        )


def _steps(page: Page, body: "types.Show") -> None:
    page.heading("Steps of the proof")
    if not body["steps"]:
        page.paragraph("no step is transcribed yet")
    for step in body["steps"]:
        uses = f"; uses {', '.join(step['uses'])}" if step["uses"] else ""
        status = "" if step["status"] == "stated" else f" [{step['status']}]"
        page.item(f"{step['id']}: {step['reason']}{uses}{status}")
        _formula(page, step["printed"])


def _append_other_papers(page: Page, lines: "list[types.Relative]") -> None:
    """Equal names with different meanings come first."""
    if not lines:
        return
    page.heading("In other papers")
    for line in lines:
        if line["kinship"] == "not the same":
            page.item(f"{line['name']} is not {line['other']}: {line['sentence']}")
        elif line["expression"] is not None:
            page.item(f"{line['other']} = {line['expression']}: {line['sentence']}")
        else:
            page.item(f"{line['name']} = {line['other']}: {line['sentence']}")


def _findings(page: Page, body: "types.Show", evidence: bool) -> None:
    page.heading("Findings")
    if not body["findings"]:
        page.paragraph("The checks of `fedbounds audit` found no defect.")
    grave = {grade.value for grade in GRAVE}
    for f in body["findings"]:
        why = f["matters"] if evidence or f["class"] in grave else ""
        parts = [why, f["evidence"] if evidence else "", f"correction: {f['right']}"]
        page.item(f"{f['class']} at {f['locator']}, {f['where']}", *filter(None, parts))


def _next(page: Page, body: "types.Show", folded: dict[str, bool]) -> None:
    """Commands that show more of the same statement."""
    from reports.documents.record import counted

    form = "" if body["variant"] == "printed" else f" --variant {body['variant']}"
    command = f"{body['id']}{form}"
    rows = []
    if body["example"]:
        rows.append((f"fedbounds eval {command} --example", "its value at an example"))
    counted_parts: dict[str, tuple[Sequence[object], str, str]] = {
        "steps": (body["steps"], "step", "{} of the proof"),
        "related": (body["in_other_papers"], "symbol", "{} of other papers"),
        "evidence": (body["findings"], "finding", "evidence of {}"),
    }
    for option, (parts, noun, words) in counted_parts.items():
        if parts and not folded[option]:
            count = words.format(counted(len(parts), noun))
            rows.append((f"fedbounds show {command} --{option}", count))
    if rows:
        page.heading("More")
        for shown, why in rows:
            page.item(f"{shown}   ({why})")
    page.paragraph("Words: docs/glossary.md", indent=0)
