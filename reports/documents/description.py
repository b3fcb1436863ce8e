"""A statement as plain data: what `show` prints, and the body of its JSON document."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sympy import Expr

from bounds.across_papers.lookup import about
from bounds.across_papers.table import Entry
from bounds.discovery import variants
from bounds.evaluation.resolve import Resolved, definitions, resolve
from bounds.language import expression
from bounds.language.finding import Finding
from bounds.language.part import Of, Part
from bounds.language.quantity import Observable, Quantity, States
from bounds.language.statement import Choice, Definition, Statement
from reports.documents import inspection, vanishing
from reports.documents.quotation import quoted

if TYPE_CHECKING:
    from reports.documents.types import show as types
    from reports.documents.types import statement as common

NOTES = 2  # findings that a page tells beside a number


def describe(statement: Statement, findings: tuple[Finding, ...]) -> "types.Show":
    return {
        "id": statement.id,
        "locator": statement.locator,
        "variant": statement.variant,
        "variants": [s.variant for s in variants(statement.id)] if statement.id else [statement.variant],
        "kind": statement.kind.value,
        "title": statement.title,
        "paper": {
            "key": statement.paper.key,
            "title": statement.paper.title,
            "authors": statement.paper.authors,
        },
        "algorithm": statement.algorithm,
        "printed": list(statement.printed),
        "reading": statement.reading,
        "other_readings": list(statement.other_readings),
        "quantities": quantities(statement),
        "setting": [{"locator": s.locator, "text": s.text} for s in statement.setting],
        "assumptions": [assumption(a) for a in statement.assumptions],
        "choices": [choice(c) for c in statement.choices],
        "definitions": [definition(d) for d in statement.where],
        "conditions": [condition(c) for c in statement.conditions],
        "left": left(statement),
        "terms": [term(statement, t) for t in statement.terms],
        "edges": [edge(e) for e in statement.edges],
        "steps": steps(statement),
        "explicit": statement.explicit,
        "follows_from": statement.follows_from,
        "derived_from": statement.derived_from,
        "amendment": amendment(statement),
        "refuted_by": statement.refuted_by,
        "not_checkable": statement.not_checkable,
        "mechanism": mechanism(statement),
        "objects": objects(statement),
        "example": dict(statement.example) if statement.evaluable and statement.example else None,
        "in_other_papers": [kin(e, statement.paper.key) for e in about(statement)],
        "findings": [finding(f) for f in findings],
        "bibtex": statement.paper.bibtex,
    }


def steps(statement: Statement) -> "list[types.ShownStep]":
    return [
        {
            "id": s.locator,
            "printed": s.printed,
            "reason": s.reason,
            "uses": list(s.uses),
            "status": found["status"],
        }
        for s, found in zip(statement.steps, inspection.steps(statement), strict=True)
    ]


def mechanism(statement: Statement) -> "types.Mechanism | None":
    """The noisy sum whose privacy is asserted; a fact that the paper does not say is null."""
    rule = statement.mechanism
    if rule is None:
        return None
    return {
        "unit": rule.unit,
        "relation": rule.relation,
        "sampling": rule.sampling,
        "placement": rule.placement,
        "spread": rule.spread,
        "rate": _text(rule.rate),
        "deviation": _text(rule.deviation),
        "contribution": _text(rule.contribution),
        "rounds": _text(rule.rounds),
        "clients": _text(rule.clients),
        "dimension": _text(rule.dimension),
        "said": dict(rule.said),
    }


def _text(formula: Expr | None) -> str | None:
    return None if formula is None else expression.text(formula)


def quantities(statement: Statement) -> "list[types.Quantity]":
    """Every quantity that the statement mentions, in the order of the paper's notation table."""
    spoken_of = _names(statement)
    resolved = resolve(statement)
    derived = {symbol.name: formula for symbol, formula in definitions(statement)}
    prescribed = {c.symbol.name: c for c in statement.choices}
    return [
        _quantity(
            entry,
            _need(entry, resolved, derived.keys(), prescribed.keys()),
            derived.get(name),
            prescribed.get(name),
        )
        for name, entry in statement.notation.quantities.items()
        if name in spoken_of
    ]


def _names(statement: Statement) -> set[str]:
    spoken = set(statement.symbols)
    for limit in statement.conditions:
        spoken |= limit.value.free_symbols | limit.limit.free_symbols
    for c in statement.choices:
        spoken |= {c.symbol} | c.expression.free_symbols
    for definition in statement.where:
        spoken |= {definition.symbol}
        spoken |= definition.expression.free_symbols if definition.needed else set()
    spoken |= {c.absorbed for c in statement.choices if c.absorbed is not None}
    for name in {s.name for s in spoken} & statement.notation.observables.keys():
        bound = statement.notation.observables[name].free_bound
        spoken |= bound.free_symbols if bound is not None else set()
    return {symbol.name for symbol in spoken}


def _need(entry: Quantity, resolved: Resolved, derived: Any, prescribed: Any) -> str:
    name = entry.name
    if name in prescribed:
        return "prescribed"
    if name in derived:
        return "derived"
    if name in resolved.required:
        return "required"
    return "for the conditions" if name in resolved.optional else "not needed for the value"


def _quantity(entry: Quantity, need: str, formula: Expr | None, chosen: Choice | None) -> "types.Quantity":
    source = chosen.expression if chosen is not None else formula
    return {
        "name": entry.name,
        "latex": entry.latex,
        "meaning": entry.meaning,
        "domain": str(entry.domain),
        "dimension": str(entry.dimension),
        "role": entry.role.value,
        "detail": entry.detail,
        "in_a_run": "" if entry.part is None else _describe_in_run(entry.part),
        "need": need,
        "required": need == "required",
        "prescribed": chosen is not None,
        "derived_from": sorted(s.name for s in source.free_symbols) if source is not None else [],
        "expression": _text(source),
    }


def _describe_in_run(part: Part) -> str:
    """What the quantity is said to be in a run."""
    if part.of is Of.FREE:
        return "any number that the conditions allow"
    whose = {Of.SETTING: "the setting", Of.CONSTANT: "the constant", Of.START: "at the start, the"}[part.of]
    number = f"{whose} {part.name}" if part.times == 1 else f"{part.times} times {whose} {part.name}"
    less = f", less {part.more}" if part.more else ""
    return f"the root of {number}" if part.root else f"{number}{less}"


def assumption(entry: Any) -> "types.Assumption":
    return {
        "name": entry.name,
        "text": entry.text,
        "locator": entry.locator,
        "reconstructed": entry.reconstructed,
    }


def choice(entry: Choice) -> "types.Choice":
    return {
        "name": entry.symbol.name,
        "expression": expression.text(entry.expression),
        "locator": entry.locator,
        "absorbed": entry.absorbed.name if entry.absorbed is not None else None,
    }


def definition(entry: Definition) -> "types.Definition":
    return {
        "name": entry.symbol.name,
        "expression": expression.text(entry.expression),
        "locator": entry.locator,
        "source": entry.source,
        "needed": entry.needed,
    }


def condition(entry: Any) -> "common.Condition":
    return {"id": entry.id, "printed": entry.printed, "text": expression.condition_text(entry)}


def amendment(statement: Statement) -> "types.Amendment | None":
    """The change that an amended form makes; None for a printed form."""
    entry = statement.amendment
    if entry is None:
        return None
    return {
        "change": entry.change,
        "because": entry.because,
        "derivation": entry.derivation,
        "needed": entry.needed,
    }


def term(statement: Statement, entry: Any) -> "types.ShownTerm":
    return {
        "name": entry.name,
        "expression": expression.text(entry.expression),
        "pays_for": entry.pays_for,
        "vanishes": vanishing.words(entry),
        "non_negative": entry.non_negative,
        "observables": [observable(o) for o in observables(statement, entry.expression)],
    }


def left(statement: Statement) -> "types.Left | None":
    if statement.left is None:
        return None
    notation = statement.notation
    return {
        "expression": expression.text(statement.left),
        "unit": statement.unit,
        "observables": [observable(o) for o in observables(statement, statement.left)],
        "quantities": sorted(s.name for s in statement.left.free_symbols if s.name in notation.quantities),
    }


def objects(statement: Statement) -> "list[types.ConcreteObject]":
    """The objects that the statement can be evaluated on, besides numbers."""
    known = statement.concrete.objects if statement.concrete is not None else {}
    return [{"name": name, "meaning": meaning} for name, meaning in known.items()]


def kin(entry: Entry, paper: str) -> "types.Relative":
    """A line of the table across papers, seen from the paper of the statement."""
    own_first = entry.first.startswith(f"{paper}.")
    own, other = (entry.first, entry.second) if own_first else (entry.second, entry.first)
    formula = entry.forward if own_first else entry.backward
    return {
        "name": own.partition(".")[2],
        "other": other,
        "kinship": entry.kinship.value,
        "sentence": entry.sentence,
        "expression": _text(formula),
    }


def observables(statement: Statement, inside: Expr) -> list[Observable]:
    table = statement.notation.observables
    return [table[name] for name in sorted(s.name for s in inside.free_symbols) if name in table]


def observable(entry: Observable) -> "types.Observable":
    return {
        "name": entry.name,
        "latex": entry.latex,
        "meaning": entry.meaning,
        "dimension": str(entry.dimension),
        "over": entry.over.value,
        "measured": entry.measured + ("" if entry.states is States.ALL else f" {entry.states.value}"),
        "lowest": _text(entry.lowest) or "not known",
        "free_bound": _text(entry.free_bound),
        "moments": entry.moments,
    }


def edge(entry: Any) -> "types.Edge":
    return {
        "name": entry.symbol.name,
        "at": entry.at,
        "outcome": entry.outcome.value,
        "sentence": entry.sentence,
    }


def finding(entry: Finding) -> "common.Finding":
    return {
        "id": entry.id,
        "statement": entry.statement,
        "locator": entry.locator,
        "class": entry.grade.value,
        "where": entry.where,
        "printed": entry.printed,
        "quoted": quoted(entry),
        "matters": entry.matters or None,
        "right": entry.right,
        "evidence": entry.evidence,
    }


def keyed(entry: Finding) -> dict[str, Any]:
    """A finding with the values by which one defect is told once; no document prints them."""
    return finding(entry) | {"of_conclusion": entry.of_conclusion, "defect": entry.defect}


def finding_lines(found: "Sequence[common.Finding]") -> list[str]:
    """A line for each finding beside a number: what it means for the number; then where its evidence is."""
    lines = []
    for entry in found:
        matters = f": {entry['matters']}" if entry["matters"] else ""
        lines.append(f"finding, {entry['class']} at {entry['locator']}, {entry['where']}{matters}")
    shown = " ".join(dict.fromkeys(entry["statement"] for entry in found))
    return [*lines, f"evidence: fedbounds errata {shown}"] if found else []


def notes_that_matter(found: "Sequence[common.Finding]", locator: str) -> list[str]:
    """What follows for a reader of the number from at most two findings, those on the statement itself first.

    The others are counted, and a document has all of them.
    """
    shown = [entry for entry in found if entry["matters"]]
    shown = sorted(shown, key=lambda entry: entry["locator"] != locator)[:NOTES]
    lines = [f"{str(entry['matters']).rstrip('.')} ({entry['class']}, {entry['locator']})" for entry in shown]
    left = len(found) - len(shown)
    statements = " ".join(dict.fromkeys(entry["statement"] for entry in found))
    more = f"{left} more finding{'s' if left > 1 else ''}, and the evidence" if left else "the evidence"
    return [*lines, f"{more}: fedbounds errata {statements}"] if found else []
