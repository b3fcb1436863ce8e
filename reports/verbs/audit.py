"""`fedbounds audit`: what can be checked without running anything."""

from collections import Counter
from typing import Any

from reports.cli import exits, terminal
from reports.cli.terminal import Page
from reports.documents import json_border
from reports.verbs.options import Identities, Json


def run(*ids: Identities, json: Json = False) -> int:
    """Units, substitution, satisfiability and information; findings are results, not failures."""
    from bounds.discovery import variants
    from reports.inputs.statements import select

    audited = _audited([variant for statement in select(ids) for variant in variants(statement.id)])
    if json:
        terminal.write(json_border.document("audit", {"statements": audited}))
    else:
        terminal.write(str(_page(audited)))
    return exits.OK


def _audited(forms: list[Any]) -> list[dict[str, Any]]:
    """Telling how far it is: all of them take about a minute."""
    progress, out = terminal.Progress(), list[dict[str, Any]]()
    for done, form in enumerate(forms):
        progress(done, len(forms), f"{form.id}, {form.variant}")
        out.append(_audit(form))
    progress(len(forms), len(forms), "done")
    progress.close()
    return out


def _audit(statement: Any) -> dict[str, Any]:
    from reports.documents.description import finding
    from reports.documents.inspection import (
        experiments,
        findings,
        hypotheses,
        informative,
        satisfiable,
        steps,
        tested_by,
    )

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


def _rate(statement: Any) -> list[dict[str, Any]] | None:
    """How each term of the explicit bound compares with the rate; null where no rate is stated."""
    from bounds.language.statement import Kind
    from verify.audit.rates import compare

    if statement.kind is not Kind.RATE:
        return None
    return [{"term": c.term, "monomials": [*c.monomials], "verdict": c.verdict} for c in compare(statement)]


def _substitution(statement: Any) -> list[dict[str, Any]] | None:
    """How it compares with the statement from which it is said to follow; null where nothing is said."""
    from verify.audit.follows.check import check

    items = check(statement)
    if items is None:
        return None
    source = statement.follows_from
    return [
        {"of": source, "name": i.name, "locator": i.locator, "verdict": i.verdict, "detail": i.detail}
        for i in items
    ]


def _limits(statement: Any) -> list[dict[str, Any]] | None:
    """What it says in each special case that its quantities allow; null where it bounds nothing."""
    from verify.audit.limits.check import check

    found = check(statement)
    if found is None:
        return None
    return [{"case": limit.case, "verdict": limit.verdict, "detail": limit.detail} for limit in found]


def _page(audited: list[dict[str, Any]]) -> Page:
    page = Page()
    for statement in audited:
        variant = "" if statement["variant"] == "printed" else f" [{statement['variant']}]"
        page.title(f"{statement['id']}{variant}, {statement['locator']}: units {statement['dimension']}")
        for name in ("satisfiable", "informative"):
            _judged(page, statement[name])
        for c in statement["rate"] or ():
            page.item(f"term {c['term']} of the explicit bound: {c['verdict']}", *c["monomials"])
        for c in statement["substitution"] or ():
            page.item(f"{c['name']} of {c['of']}: {c['verdict']}")
        _special_cases(page, statement["limits"])
        _experiments(page, statement["experiments"])
        if statement["tested_by"] is not None:
            page.item(f"claim, tested by: {statement['tested_by'] or 'nothing'}")
        marked = [f"step {s['id']}: {s['status']}" for s in statement["steps"] if s["status"] != "stated"]
        for step in dict.fromkeys(marked):  # a locator may have several displays
            page.item(step)
        for f in statement["findings"]:
            page.item(f"{f['class']} at {f['locator']}, {f['where']}", f["evidence"], f"right: {f['right']}")
    count = sum(len(statement["findings"]) for statement in audited)
    page.heading(f"{len(audited)} audited, {count} {'finding' if count == 1 else 'findings'}")
    page.paragraph(
        "Checked: units of every sum, comparison, logarithm, exponential and power; rates against the "
        "exponents of their explicit bounds; corollaries and restatements against what they follow from, "
        "by expansion and at points; special cases against what is known of them; whether anything "
        "satisfies what is asked, by a point and a problem or by a proof; whether a bound says more than is "
        "known without it; steps against their witnesses; the papers' own experiments against the conditions."
    )
    return page


def _special_cases(page: Page, limits: list[dict[str, Any]] | None) -> None:
    """How many there are of each verdict, and what does not reduce."""
    if not limits:
        return
    counted = Counter(limit["verdict"] for limit in limits)
    said = ", ".join(f"{verdict}: {counted[verdict]}" for verdict in sorted(counted))
    differ = [limit for limit in limits if limit["verdict"] == "does not reduce"]
    page.item(f"special cases: {said}", *(f"{limit['case']}: {limit['detail']}" for limit in differ))


def _experiments(page: Page, rows: list[dict[str, Any]]) -> None:
    """One item for each experiment, with its conditions."""
    for place in dict.fromkeys((row["where"], row["name"]) for row in rows):
        own = [row for row in rows if (row["where"], row["name"]) == place]
        page.item(", ".join(place), *(f"{r['condition']}: {r['verdict']}, {r['detail']}" for r in own))


def _judged(page: Page, judged: dict[str, Any]) -> None:
    page.item(f"{judged['verdict']}: {judged['sentence']}", *judged["excluded"])
