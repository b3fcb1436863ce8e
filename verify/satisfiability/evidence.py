"""What lemmas and certificates prove against statements, as findings, and the committed certificates.

`verify/certificates` holds one file per statement with what its conditions leave out and the floor that its
bound keeps. Reading it computes nothing; `recheck` builds every system anew from the statement, compares it
with the one on file, and lets the reader of `verify.certificate` decide. `python -m
verify.satisfiability.evidence` makes the files.
"""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import bounds
from bounds.finding import Finding, FindingClass
from bounds.statement import Statement
from verify.certificate import System, read, refutes, written
from verify.satisfiability.excluded import OF_THE_START
from verify.satisfiability.lemmas import matching

FOLDER = Path(__file__).parent.parent / "certificates"


@cache
def certified(identity: str) -> tuple[dict[str, Any], ...]:
    """What is on file for a statement; nothing where no certificate was found."""
    path = FOLDER / f"{identity}.json"
    return tuple(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else ()


def findings(statement: Statement) -> tuple[Finding, ...]:
    if statement.variant != "printed":
        return ()
    out = []
    for number, lemma in enumerate(matching(statement)):
        if lemma.grade is not None:
            said = f"lemma, {lemma.name}: {lemma.consequence}"
            found = _finding(statement, f"lemma:{number}", lemma.grade, "hypotheses", said, lemma.right)
            quoted = lemma.quoted(statement)
            out.append(replace(found, printed=quoted) if quoted else found)
    for number, entry in enumerate(certified(statement.id)):
        if entry["where"]:
            said, name = f"certificate: {entry['shows']}", f"excluded:{number}"
            of_the_start = entry["quantity"] in OF_THE_START
            grade = FindingClass.INTERPRETATION if of_the_start else FindingClass.VACUOUS
            out.append(_finding(statement, name, grade, entry["where"], said, entry["right"]))
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
            system, certificate = read(entry["certificate"])
            same = system == _built_anew(statement, entry)
            agrees = same and refutes(system, certificate)
            said = "agrees" if agrees else "differs" if same else "is of another system"
            out.append((path.stem, agrees, f"{path.stem}: {entry['shows']}, {said}"))
    for statement in bounds.statements():
        for lemma in matching(statement):
            if lemma.grade is not None:
                out.append(
                    (statement.id, True, f"{statement.id}: assumes what the lemma needs, {lemma.name}")
                )
    return out


def _built_anew(statement: Statement, entry: dict[str, Any]) -> System | None:
    """The system that the entry speaks of, from the statement alone."""
    from verify.satisfiability import excluded, floor, of_the_class

    if entry["kind"] == "class":
        limit = of_the_class.limit_of(statement)
        return None if limit is None else of_the_class.asked(statement, limit)
    if entry["kind"] == "zero":
        return excluded.where_zero(statement, entry["quantity"])
    if entry["kind"] == "tight":
        return excluded.where_tight(statement, entry["condition"], entry["quantity"])
    return floor.below_its_floor(statement, entry["quantity"])


def make() -> None:
    from verify.satisfiability import excluded, floor

    for path in FOLDER.glob("*.json"):
        path.unlink()
    for statement in bounds.statements():
        entries = [
            {
                "kind": found.kind,
                "quantity": found.quantity,
                "condition": found.condition,
                "shows": found.sentence,
                "where": found.where,
                "right": found.right,
                "certificate": written(found.system, found.certificate),
            }
            for found in (*excluded.excluded(statement), *floor.floors(statement))
        ]
        if entries:
            text = json.dumps(entries, separators=(",", ":"))
            (FOLDER / f"{statement.id}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    make()
