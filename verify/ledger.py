"""The ledger: what is wrong in the printed mathematics, with evidence that runs again.

`ledger.json` holds a replayable cell for each statement that a run refutes. It is a part of the record of all
cells of printed statements: `fedbounds replay verify/ledger.json` runs it again. `witnesses.json` keeps what
the witnesses measured, of statements and of steps of proofs, `certificates` what excludes parameters, and
`experiments.json` what the papers' experiments violate, so that reading the ledger computes nothing.
`fedbounds errata --recheck` and a test do all of it anew; `python -m verify.ledger` makes the first two,
`python -m verify.satisfiability.evidence` and `python -m verify.experiments` the others.
"""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bounds
from bounds.finding import Finding, FindingClass
from bounds.statement import Statement
from verify.on_file import close, load
from verify.progress import Progress, silent

if TYPE_CHECKING:  # a witness takes NumPy, and who only asks what is refuted waits for none
    from verify.witness import Measured, Witness

Rechecked = tuple[str, bool, str]  # the statement, whether it agrees, a sentence
FILE = Path(__file__).with_name("ledger.json")
MEASURED = Path(__file__).with_name("witnesses.json")
PLACE, SIDES = ("statement", "step", "line"), ("left", "right")

EXACTLY_R = (
    "with exactly r clients a round the average has at most the second moment C^2 and the derivation is "
    "right; with a coin for each client it has at most C^2 (1 + (1 - r/n)/r), and may have that"
)
FULL_BATCHES = (
    "with full batches and the auxiliary noise divided by B too it is true; without any noise, batches drawn "
    "at random refute it as well (steps C.lem3.s4 and C.thm1.s2)"
)
# What is right instead, in words; the numbers are in the cells.
RIGHT = {
    "fed_norm_ec.lemma_1": (
        "the second conclusion is right as printed; the first with beta <= alpha, where the map t -> t - "
        "beta t/(alpha + t) increases and is largest on [0, C] at C. Theorems 1 and 2 need less: that the "
        "error after the update is at most R, which holds for errors before it up to R + beta R/(alpha + R)"
    ),
    "als_dpfl.lemma_3.lemma": FULL_BATCHES,
    "als_dpfl.theorem_1.distance": FULL_BATCHES,
    "als_dpfl.theorem_1.value": FULL_BATCHES,
    "als_dpfl.theorem_2.theorem_omega": (
        "read with the squared distance, as Lemma 6 prints omega, this cell does not refute it"
    ),
    "dp_fedavg.theorem_4": EXACTLY_R,
    "dp_fedavg.theorem_6.general": EXACTLY_R,
    "dp_fedavg.theorem_6.specific": EXACTLY_R,
    "dp_fedavg.equation_16.rate": EXACTLY_R,
    "dp_fedavg.equation_15": "term B carries Delta_i*, as in eq. (6)",
    "fedavg_lojasiewicz.theorem_f2": "with both noise terms divided by mu, as its recursion gives",
    "fedavg_lojasiewicz.recursions.f4": "with mu (F - F*)^alpha in place of (F - F*) ||grad F||^2",
}


@cache
def refutations() -> dict[str, dict[str, Any]]:
    """The recorded cell of every refuted statement."""
    data = load(FILE)
    return {cell["id"]: cell for cell in data["cells"]}


@cache
def kept() -> tuple[dict[str, Any], ...]:
    """What every witness measured."""
    entries: list[dict[str, Any]] = load(MEASURED)
    return tuple(entries)


def measured() -> dict[str, dict[str, Any]]:
    """What the witness of every statement that has one measured; of a whole statement, not of a part."""
    return {entry["statement"]: entry for entry in kept() if not entry["step"] and not entry["line"]}


def refuted() -> set[str]:
    """Statements that are false as printed, under their named reading."""
    false = {name for name, seen in measured().items() if seen["class"] == FindingClass.FALSE.value}
    return {*refutations(), *false}


def findings(statement: Statement) -> tuple[Finding, ...]:
    """Of the statement, of the steps of its proof, of its hypotheses, and of experiments with it."""
    if statement.variant != "printed":
        return ()
    # Not above: who only asks what is refuted, as `list` does, waits for none of these, nor for NumPy.
    from verify import experiments, silence
    from verify.satisfiability import evidence

    return (
        *_of_statement(statement),
        *_of_lines(statement),
        *_of_steps(statement),
        *evidence.findings(statement),
        *experiments.findings(statement),
        *silence.findings(statement),
    )


def _of_statement(statement: Statement) -> tuple[Finding, ...]:
    """Class `false` where a cell under the named reading, or a witness, refutes the printed statement."""
    cell, seen = refutations().get(statement.id), measured().get(statement.id)
    if cell is not None:
        said = f"{cell['method']}, cell {cell['role']!r}: {cell['sentence']}"
        return (_finding(statement, FindingClass.FALSE, RIGHT[statement.id], said, None),)
    if seen is not None:
        grade, right = FindingClass(seen["class"]), seen["right_instead"]
        return (_finding(statement, grade, right, _in_words(seen), seen["display"]),)
    return ()


def _of_lines(statement: Statement) -> tuple[Finding, ...]:
    """Lines of a listing that do something else than is meant where they are carried out as printed."""
    return tuple(
        Finding(
            id=f"{statement.id}:{seen['line']}",
            statement=statement.id,
            locator=statement.locator,
            grade=FindingClass(seen["class"]),
            where=seen["line"],
            printed=_quoted(statement, seen),
            right=seen["right_instead"],
            evidence=_in_words(seen),
        )
        for seen in kept()
        if seen["line"] and seen["statement"] == statement.id
    )


def _quoted(statement: Statement, seen: dict[str, Any]) -> str:
    """A hypothesis that is a condition of the statement is quoted itself."""
    display: int | None = seen["display"]
    if display is not None:
        return statement.printed[display]
    return next(c.printed for c in statement.conditions if seen["line"] == f"hypothesis {c.locator}")


def _of_steps(statement: Statement) -> tuple[Finding, ...]:
    """A step belongs to every statement whose proof displays it."""
    displays: dict[str, list[str]] = {}
    for step in statement.steps:
        displays.setdefault(step.locator, []).append(step.printed)
    return tuple(
        Finding(
            id=f"{statement.id}:step:{seen['step']}",
            statement=statement.id,
            locator=seen["step"],
            grade=FindingClass(seen["class"]),
            where="proof",
            printed=displays[seen["step"]][seen["display"] or 0],
            right=seen["right_instead"],
            evidence=_in_words(seen),
        )
        for seen in kept()
        if seen["step"] in displays
    )


def broken_steps() -> dict[str, str]:
    """The class of what a witness shows of a step, by the step's locator."""
    return {entry["step"]: entry["class"] for entry in kept() if entry["step"]}


def refuted_locators() -> set[str]:
    return {bounds.get(identity).locator for identity in refuted()}


def _in_words(seen: dict[str, Any]) -> str:
    claimed = f"{'' if seen['equality'] else 'at most '}{seen['right']:.6g}"
    return f"witness: {seen['left']:.6g}, where {claimed} is claimed: {seen['why']}"


def _finding(
    statement: Statement, grade: FindingClass, right: str, evidence: str, display: int | None
) -> Finding:
    printed = statement.printed if display is None else (statement.printed[display],)
    return Finding(
        id=f"{statement.id}:refuted",
        statement=statement.id,
        locator=statement.locator,
        grade=grade,
        where="conclusion",
        printed="\n".join(printed),
        right=right,
        evidence=evidence,
    )


def recheck(progress: Progress = silent) -> list[Rechecked]:
    """Every piece of evidence, run again."""
    from verify import experiments, record, silence
    from verify.satisfiability import evidence
    from verify.witness import all_witnesses

    data, witnesses = record.read(FILE), all_witnesses()
    cells = len(data["cells"])
    by_themselves = {"certificates": evidence, "experiments": experiments, "silences": silence}
    total = cells + len(witnesses) + len(by_themselves)
    replayed = record.replay(data, lambda done, _, what: progress(done, total, what))
    out = [(r.cell["id"], r.agrees and r.cell["verdict"] == "violated", r.sentence) for r in replayed]
    out += _measured_again(witnesses, lambda done, _, what: progress(cells + done, total, what))
    for number, (what, module) in enumerate(by_themselves.items()):
        progress(cells + len(witnesses) + number, total, what)
        out += module.recheck()
    progress(total, total, "done")
    return out


def _measured_again(witnesses: Sequence["Witness"], progress: Progress) -> list[Rechecked]:
    filed: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    out = []
    for entry in kept():
        filed.setdefault(tuple(entry[key] for key in PLACE), []).append(entry)
    for number, witness in enumerate(witnesses):
        progress(number, len(witnesses), witness.place)
        now = witness.measure()
        found = filed.pop((witness.statement, witness.step, witness.line), [])
        agrees = now.refutes and len(found) == 1 and _same(_entry(witness, now), found[0])
        sentence = f"{witness.place}: {now.left:.6g} against {now.right:.6g}"
        out.append((witness.statement, agrees, f"{sentence}, {'agrees' if agrees else 'differs'}"))
    # What is on file and measured by no witness has no evidence, even where others speak of its statement.
    out += [(p[0], False, f"{' '.join(filter(None, p))}: no witness measures this") for p in filed]
    return out


def unsupported() -> tuple[str, ...]:
    """Findings of the ledger whose evidence is not run again, or differs: there must be none."""
    agreed: dict[str, bool] = {}
    for identity, agrees, _ in recheck():
        agreed[identity] = agreed.get(identity, True) and agrees
    sources = {entry["step"]: entry["statement"] for entry in kept() if entry["step"]}
    return tuple(
        finding.id
        for statement in bounds.statements()
        for finding in findings(statement)
        if not agreed.get(
            sources.get(finding.locator, statement.id) if finding.where == "proof" else statement.id
        )
    )


def _same(now: dict[str, Any], then: dict[str, Any]) -> bool:
    """Words and places to the letter: they are what a reader sees. Numbers up to roundings."""
    if now.keys() != then.keys():
        return False
    return all(close(now[key], then[key]) if key in SIDES else now[key] == then[key] for key in now)


def make() -> None:
    """The cell of largest ratio among those that refute a statement under its named reading."""
    from bounds.finding import Verdict
    from verify import record
    from verify.part import take_part
    from verify.run import LEVEL, SEED, decides, verify

    results = verify()
    worst: dict[str, Any] = {}
    for result in results:
        if result.verdict is Verdict.VIOLATED and decides(result):
            held = worst.get(result.cell.statement)
            if held is None or (result.ratio or 0) > (held.ratio or 0):
                worst[result.cell.statement] = result
    parent = record.document([record.entry(r) for r in results], level=LEVEL, seed=SEED)
    data = take_part(parent, [record.entry(r) for r in worst.values()])
    FILE.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    measure_witnesses()


def measure_witnesses() -> None:
    """Refuses an instance that refutes nothing: it would be a sentence without evidence."""
    from verify.witness import all_witnesses

    entries = []
    for witness in all_witnesses():
        found = witness.measure()
        if not found.refutes:
            raise ValueError(f"the witness of {witness.place} refutes nothing: {found}")
        entries.append(_entry(witness, found))
    MEASURED.write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")


def _entry(witness: "Witness", found: "Measured") -> dict[str, Any]:
    return {
        "statement": witness.statement,
        "step": witness.step,
        "line": witness.line,
        "left": found.left,
        "right": found.right,
        "equality": found.equality,
        "class": witness.grade.value,
        "display": witness.display,
        "why": witness.why,
        "right_instead": witness.right,
    }


if __name__ == "__main__":
    make()
