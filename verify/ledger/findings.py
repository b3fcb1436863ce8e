"""The ledger: what is wrong in the printed mathematics, with evidence that runs again.

`ledger.json` holds a replayable cell for each statement that a run refutes. It is a part of the record of all
cells of printed statements: `fedbounds replay verify/ledger.json` runs it again. `witnesses.json` keeps what
the witnesses measured, of statements and of steps of proofs, `certificates` what excludes parameters, and
`experiments.json` what the papers' experiments violate, so that reading the ledger computes nothing.
`fedbounds errata --recheck` and a test do all of it anew; `python -m verify.ledger.recheck` makes the first
two, `python -m verify.audit.satisfiable.evidence` and `python -m verify.audit.experiments` the others.
"""

from typing import Any

import bounds
from bounds.language.finding import Finding, FindingClass
from bounds.language.statement import Statement
from verify.records import refuted

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


def findings(statement: Statement) -> tuple[Finding, ...]:
    """Of the statement, of the steps of its proof, of its hypotheses, and of experiments with it."""
    if statement.variant != "printed":
        return ()
    # Not above: who only asks what is refuted, as `list` does, waits for none of these, nor for NumPy.
    from verify.audit import experiments, open_privacy_facts
    from verify.audit.satisfiable import evidence

    return (
        *_of_statement(statement),
        *_of_lines(statement),
        *_of_steps(statement),
        *evidence.findings(statement),
        *experiments.findings(statement),
        *open_privacy_facts.findings(statement),
    )


def _of_statement(statement: Statement) -> tuple[Finding, ...]:
    """Class `false` where a cell under the named reading, or a witness, refutes the printed statement."""
    cell, seen = refuted.refutations().get(statement.id), refuted.measured().get(statement.id)
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
        for seen in refuted.kept()
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
        for seen in refuted.kept()
        if seen["step"] in displays
    )


def broken_steps() -> dict[str, str]:
    """The class of what a witness shows of a step, by the step's locator."""
    return {entry["step"]: entry["class"] for entry in refuted.kept() if entry["step"]}


def refuted_locators() -> set[str]:
    return {bounds.get(identity).locator for identity in refuted.refuted()}


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
        of_conclusion=True,
        printed="\n".join(printed),
        right=right,
        evidence=evidence,
    )
