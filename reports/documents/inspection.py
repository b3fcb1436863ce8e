"""What `verify` knows of a statement besides its findings, as plain data."""

from typing import TYPE_CHECKING

from bounds.language.statement import Statement

if TYPE_CHECKING:
    from reports.documents.types import audit as types


def satisfiable(statement: Statement) -> "types.Satisfiable":
    from verify.audit.satisfiable.judge import judge

    judged = judge(statement)
    return {
        "verdict": judged.verdict.value,
        "evidence": judged.evidence,
        "sentence": judged.sentence,
        "point": judged.point,
        "problem": None
        if judged.instance is None
        else {"name": judged.instance.problem, "arguments": judged.instance.arguments},
        "parameters": judged.instance.parameters if judged.instance else None,
        "lemmas": [lemma.name for lemma in judged.lemmas],
        "excluded": [proved.sentence for proved in judged.excluded],
    }


def informative(statement: Statement) -> "types.Informative":
    from verify.audit.informative.judge import judge

    judged = judge(statement)
    return {
        "verdict": judged.verdict.value,
        "evidence": judged.evidence,
        "sentence": judged.sentence,
        "ratio": judged.ratio,
        "point": judged.point,
        "from_on": None if judged.from_on is None else dict(judged.from_on),
        "excluded": [*judged.silent, *(proved.sentence for proved in judged.floors)],
    }


def hypotheses(statement: Statement) -> "types.Hypotheses | None":
    """Hypotheses that no step of the proof names, and those asked for indirectly; null without steps."""
    from verify.audit.hypotheses import hypotheses as of

    found = of(statement)
    return None if found is None else {"not_named": [*found.not_named], "asked": [*found.asked]}


def experiments(statement: Statement) -> "list[types.Experiment]":
    """Each condition at what a paper prints of its experiments; empty where none is about the statement."""
    from verify.audit.experiments import rows

    return [
        {
            "name": experiment.name,
            "where": experiment.where,
            "printed": experiment.printed,
            "condition": entry["condition"],
            "verdict": entry["verdict"],
            "detail": entry["detail"],
        }
        for experiment, entry in rows(statement)
    ]


def tested_by(statement: Statement) -> str | None:
    """The test of a claim in words; null for a statement of another kind."""
    from bounds.language.statement import Kind
    from verify.ledger import claims

    return claims.tested_by(statement) if statement.kind is Kind.CLAIM else None


def steps(statement: Statement) -> "list[types.AuditedStep]":
    """A step is refuted by a witness, certified, rests on a refuted statement, or is stated only.

    In an amended form, a step that its hypotheses restore is not refuted.
    """
    from verify.ledger.findings import broken_steps, refuted_locators
    from verify.proofs.store import certified_steps

    paper, certified = statement.paper.key, certified_steps(statement)
    broken, refuted = broken_steps(paper), refuted_locators(paper)
    restored = statement.amendment.restores if statement.amendment else ()
    out: list[types.AuditedStep] = []
    for number, step in enumerate(statement.steps):
        rests_on = [use for use in step.uses if use in refuted]
        status, method = ("certified", "certificate") if certified[number] else ("stated", None)
        if step.locator in broken and step.locator not in restored:
            status, method = broken[step.locator], "witness"
        elif rests_on and method is None and step.locator not in restored:
            status, method = f"uses {', '.join(rests_on)}, which is refuted", "ledger"
        out.append({"id": step.locator, "status": status, "method": method})
    return out
