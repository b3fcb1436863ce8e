"""`fedbounds audit`: what can be checked without running anything."""

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from reports.cli import exits, terminal
from reports.cli.terminal import Page
from reports.documents import json_border
from reports.verbs.options import Identities, Json, On, check_workers, convert_integer

if TYPE_CHECKING:
    from reports.documents.types import audit as types
    from verify.workers.place import Place


def run(
    *ids: Identities,
    workers: Annotated[
        int,
        Parameter(
            converter=convert_integer, name="--workers", help="Number of parallel processes, from 1 to 256."
        ),
    ] = 1,
    on: On = "local",
    json: Json = False,
) -> int:
    """Check statements without running anything: units, corollaries, satisfiability, information."""
    from bounds.discovery import variants
    from reports.inputs.statements import select_with_findings
    from verify.workers.place import place_named

    check_workers(workers)
    forms = [variant for statement in select_with_findings(ids) for variant in variants(statement.id)]
    audited = _audited(forms, place_named(on, workers))
    if json:
        terminal.write(json_border.document("audit", {"statements": audited}))
    else:
        terminal.write(str(_page(audited)))
    return exits.OK


def _audited(forms: list[Any], place: "Place") -> "list[types.AuditedStatement]":
    """Audit each form and report progress: all statements take about a minute."""
    progress, out = terminal.Progress(), dict[int, "types.AuditedStatement"]()
    in_hand = [*(f"{form.id}, {form.variant}" for form in forms), "done"]
    progress(0, len(forms), in_hand[0])
    tasks = ((number, (form.id, form.variant)) for number, form in enumerate(forms))
    for number, found in place.carry_out(audit_form, tasks):
        out[number] = found
        progress(len(out), len(forms), in_hand[len(out)])
    progress.close()
    return [out[number] for number in range(len(forms))]


def audit_form(identity: str, variant: str) -> "types.AuditedStatement":
    """Audit one form of a statement, here or on a worker."""
    from bounds.discovery import get

    return _audit(get(identity, variant))


def _audit(statement: Any) -> "types.AuditedStatement":
    from reports.documents.description import finding
    from reports.documents.inspection import (
        experiments,
        hypotheses,
        informative,
        satisfiable,
        steps,
        tested_by,
    )
    from verify.ledger.true_form import findings

    found = [finding(f) for f in findings(statement)]
    units = any(":dimension:" in f["id"] for f in found)
    return {
        "id": statement.id,
        "variant": statement.variant,
        "locator": statement.locator,
        "dimension": "inconsistent" if units else "consistent",
        "rate": _rate(statement),
        "substitution": _substitution(statement),
        "limits": _limits(statement),
        "satisfiable": satisfiable(statement),
        "informative": informative(statement),
        "hypotheses": hypotheses(statement),
        "experiments": experiments(statement),
        "tested_by": tested_by(statement),
        "steps": steps(statement),
        "findings": found,
    }


def _rate(statement: Any) -> "list[types.RateTerm] | None":
    """Comparison of each term of the explicit bound with the rate; null if no rate is stated."""
    from bounds.language.statement import Kind
    from verify.audit.rates import compare

    if statement.kind is not Kind.RATE:
        return None
    return [{"term": c.term, "monomials": [*c.monomials], "verdict": c.verdict} for c in compare(statement)]


def _substitution(statement: Any) -> "list[types.Substitution] | None":
    """Comparison with the statement that it follows from, if it names one; else null."""
    from verify.audit.follows.check import check

    items = check(statement)
    if items is None:
        return None
    source = statement.follows_from
    return [
        {"of": source, "name": i.name, "locator": i.locator, "verdict": i.verdict, "detail": i.detail}
        for i in items
    ]


def _limits(statement: Any) -> "list[types.Limit] | None":
    """Its result in each special case that its quantities allow; null if it bounds nothing."""
    from verify.audit.limits.check import check

    found: Any = check(statement)
    if found is None:
        return None
    return [{"case": limit.case, "verdict": limit.verdict, "detail": limit.detail} for limit in found]


def _page(audited: "list[types.AuditedStatement]") -> Page:
    from reports.documents.record import counted
    from verify.matching.roles import UNNAMED

    page = Page()
    for statement in audited:
        variant = "" if statement["variant"] == "printed" else f" [{statement['variant']}]"
        found = counted(len(statement["findings"]), "finding")
        named = f"{statement['id']}{variant}, {statement['locator']}"
        page.title(f"{named}: {found}, units {statement['dimension']}")
        _judged(page, statement["satisfiable"])
        _judged(page, statement["informative"])
        if statement["rate"] == []:
            page.item(f"exponents not compared: {UNNAMED}")
        for c in statement["rate"] or ():
            page.item(f"term {c['term']} of the explicit bound: {c['verdict']}", *c["monomials"])
        if compared := statement["substitution"]:
            page.item(
                f"compared with {compared[0]['of']}, from which it follows according to the paper:",
                *(f"{c['name']}: {c['verdict']}" for c in compared),
            )
        _special_cases(page, statement["limits"])
        _experiments(page, statement["experiments"])
        if statement["tested_by"] is not None:
            page.item(f"prose claim, tested by: {statement['tested_by'] or 'nothing'}")
        _steps(page, statement["steps"])
        for f in statement["findings"]:
            sentences = [*filter(None, [f["matters"]]), f["evidence"], f"correction: {f['right']}"]
            page.item(f"{f['class']} at {f['locator']}, {f['where']}", *sentences)
    count = sum(len(statement["findings"]) for statement in audited)
    page.heading(f"{len(audited)} audited, {counted(count, 'finding')}")
    page.paragraph(
        "The audit checks the units of every sum, comparison, logarithm, exponential and power, the "
        "exponents of rates against their explicit bounds, corollaries and restatements against the "
        "statements that they follow from, and special cases against known results. It checks whether the "
        "hypotheses can be satisfied and whether the bound is informative, compares proof steps with their "
        "counterexamples, and tests the conditions on the papers' own experiments. Words: docs/glossary.md"
    )
    return page


def _steps(page: Page, steps: "list[types.AuditedStep]") -> None:
    """The printed steps of each status but `stated`; a locator may have several displays."""
    from reports.documents.record import counted

    marked = dict.fromkeys((step["status"], step["id"]) for step in steps if step["status"] != "stated")
    for status in dict.fromkeys(status for status, _ in marked):
        named = [locator for of, locator in marked if of == status]
        page.item(f"{counted(len(named), 'printed step')}: {status}", ", ".join(named))


def _special_cases(page: Page, limits: "list[types.Limit] | None") -> None:
    """The number of special cases of each verdict, and every case that does not reduce."""
    if not limits:
        return
    counts = Counter(limit["verdict"] for limit in limits)
    summary = ", ".join(f"{counts[verdict]} {verdict}" for verdict in sorted(counts))
    differ = [limit for limit in limits if limit["verdict"] == "does not reduce"]
    page.item(f"special cases: {summary}", *(f"{limit['case']}: {limit['detail']}" for limit in differ))


def _experiments(page: Page, rows: "list[types.Experiment]") -> None:
    """One item for each experiment, with its conditions."""
    for place in dict.fromkeys((row["where"], row["name"]) for row in rows):
        own = [row for row in rows if (row["where"], row["name"]) == place]
        page.item(", ".join(place), *(f"{r['condition']}: {r['verdict']}, {r['detail']}" for r in own))


def _judged(page: Page, judged: "types.Satisfiable | types.Informative") -> None:
    page.item(f"{judged['verdict']}: {judged['sentence']}", *judged["excluded"])
