"""What lemmas and certificates prove against statements, as findings, and the committed certificates.

`verify/audit/certificates` holds one file per statement with what its conditions leave out and
the floor that its bound keeps. Reading it computes nothing; `recheck` builds every system and what is said of
it anew from the statement, compares both with the file, and lets the reader of `verify.infeasibility.checker`
decide. `python -m verify.audit.evidence` makes the files. A package has no such
files: its certificates are found when they are asked for.
"""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import bounds
from bounds.installed_papers import own, registered
from bounds.language.finding import Finding, FindingClass
from bounds.language.statement import Statement
from verify.audit.satisfiable.excluded import OF_LOWER_BOUNDS, OF_THE_START, Proved
from verify.infeasibility.checker import NotACertificate, read, refutes, written
from verify.json_numbers import load
from verify.parameters.lemmas import matching

FOLDER = Path(__file__).with_name("certificates")
AGREES = "agrees"


@cache
def certified(identity: str) -> tuple[dict[str, Any], ...]:
    """The certificates of a statement: of ours those on file, of a package those that are found now."""
    if identity.partition(".")[0] in registered():
        return tuple(_found(bounds.get(identity)))
    path = FOLDER / f"{identity}.json"
    return tuple(load(path)) if path.exists() else ()


def _found(statement: Statement) -> list[dict[str, Any]]:
    from verify.audit.informative import floor
    from verify.audit.satisfiable import excluded

    return [
        _describe(found) | {"certificate": written(found.system, found.certificate)}
        for found in (*excluded.excluded(statement), *floor.floors(statement))
    ]


def findings(statement: Statement) -> tuple[Finding, ...]:
    if statement.variant != "printed":
        return ()
    out = []
    for number, lemma in enumerate(matching(statement)):
        if lemma.grade is not None:
            sentence = f"lemma, {lemma.name}: {lemma.consequence}"
            found = _finding(statement, f"lemma:{number}", lemma.grade, "hypotheses", sentence, lemma.right)
            quoted = lemma.quoted(statement)
            out.append(replace(found, printed=quoted) if quoted else found)
    for number, entry in enumerate(certified(statement.id)):
        if entry["where"]:
            sentence, name = f"certificate: {entry['shows']}", f"excluded:{number}"
            left = entry["quantity"] in (*OF_THE_START, *OF_LOWER_BOUNDS)
            grade = FindingClass.INTERPRETATION if left else FindingClass.VACUOUS
            if entry["quantity"] in OF_LOWER_BOUNDS:
                sentence += (
                    "; so with the infima: clients' lower bounds below them, as A.asm1 allows, leave the case"
                )
            out.append(_finding(statement, name, grade, entry["where"], sentence, entry["right"]))
    return tuple(out)


def _finding(
    statement: Statement, name: str, grade: FindingClass, where: str, evidence: str, right: str
) -> Finding:
    return Finding(
        id=f"{statement.id}:{name}",
        statement=statement.id,
        locator=statement.locator,
        grade=grade,
        where=where,
        printed="\n".join(dict.fromkeys(c.printed for c in statement.conditions)) or statement.printed[0],
        right=right,
        evidence=evidence,
    )


def recheck() -> list[tuple[str, bool, str]]:
    """(statement, agrees, sentence) for every certificate on file and every lemma that grades a statement."""
    out = []
    for path in sorted(FOLDER.glob("*.json")):
        statement = bounds.get(path.stem)
        for entry in certified(path.stem):
            outcome = _judged(statement, entry)
            out.append((path.stem, outcome == AGREES, f"{path.stem}: {entry.get('shows')}, {outcome}"))
    for statement in bounds.statements():
        for lemma in matching(statement):
            if lemma.grade is not None:
                out.append(
                    (statement.id, True, f"{statement.id}: assumes what the lemma needs, {lemma.name}")
                )
    return out


def _judged(statement: Statement, entry: dict[str, Any]) -> str:
    """A file may say anything of a good certificate: what it says is compared too."""
    claim = _claimed(statement, entry)
    if claim is None or _describe(claim) != {key: entry[key] for key in entry if key != "certificate"}:
        return "differs"
    try:
        system, certificate = read(entry.get("certificate"))
    except NotACertificate as error:
        return f"is not read: {error}"
    if system != claim.system:
        return "is of another system"
    return AGREES if refutes(system, certificate) else "differs"


def _claimed(statement: Statement, entry: dict[str, Any]) -> Proved | None:
    """What the entry speaks of, from the statement alone; None where nothing of the kind is asked."""
    from verify.audit.informative import floor
    from verify.audit.satisfiable import excluded

    kind, quantity = entry.get("kind", ""), entry.get("quantity", "")
    if kind == "floor":
        return next((claim for claim in floor.claims(statement) if claim.quantity == quantity), None)
    return excluded.claimed(statement, kind, quantity, entry.get("condition", ""))


def _describe(found: Proved) -> dict[str, str]:
    return {
        "kind": found.kind,
        "quantity": found.quantity,
        "condition": found.condition,
        "shows": found.sentence,
        "where": found.where,
        "right": found.right,
    }


def make() -> None:
    for path in FOLDER.glob("*.json"):
        path.unlink()
    for statement in (s for key in sorted(own()) for s in bounds.statements(key)):
        if entries := _found(statement):
            text = json.dumps(entries, separators=(",", ":"))
            (FOLDER / f"{statement.id}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    make()
