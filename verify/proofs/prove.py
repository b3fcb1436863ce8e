"""Replay the proof of a statement, step by step, and the standing that follows.

A claim of the machine form is certified if the checker accepts its reason; what the form leaves to a search
comes from the certificate on file, or is searched. A printed step is certified by the claim of its locator.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, final

import bounds
from bounds.errors import MalformedStatement, Misuse
from bounds.language.finding import FindingClass, Status
from bounds.language.lemmas.gaussian_vectors import GaussianObject
from bounds.language.lemmas.matrices import MatrixObject
from bounds.language.lemmas.mixing import MixingObject
from bounds.language.lemmas.paths import PathObject
from bounds.language.lemmas.random_vectors import SubsetObject
from bounds.language.lemmas.sequences import SequenceObject
from bounds.language.proof.document import document, file_without_forms, forms_beside, machine_form
from bounds.language.proof.form import MachineForm
from bounds.language.proof.reasons import Reason, find_reason
from bounds.language.statement import AMENDED, Statement
from verify.parameters.lemmas import leaving_nothing
from verify.proofs import search, store
from verify.proofs.algebra import Differs, Monomial, Rejected, Unsigned
from verify.proofs.checker import Checker, check
from verify.proofs.definitions import list_unchecked
from verify.proofs.licensed import list_read, unlicensed
from verify.proofs.misread import list_misread
from verify.proofs.on_objects import why_none_meets
from verify.records import refuted
from verify.records.errata import of_paper

CERTIFIED, REFUTED, OPEN, PROSE = "certified", "refuted", "open", "prose"
MOST_SHOWN = 4  # terms of what is left
WITHOUT_FORM = "it has no machine form yet"
# Objects of lemmas that are neither numbers nor vectors nor functions.
WITHOUT_WORDS: Final[Mapping[type, str]] = {
    MatrixObject: "matrix",
    GaussianObject: "Gaussian vector",
    SubsetObject: "random subset",
    MixingObject: "mixing matrix",
    PathObject: "path",
}
PARTS: Final = ("nearest_minimizer_of_", "minimizer_of_mean_of_", "hessian_of_")  # of functions
STEPS_ALONE = "the machine form does not reach the conclusion"
FROM_NOTHING = "the conditions contradict each other, and anything follows from them"


@final
@dataclass(frozen=True, slots=True)
class StepStatus:
    """One step: its status, the rule that certifies it, and why it is refuted, open or prose."""

    locator: str
    status: str
    rule: str | None = None
    certificate: str | None = None
    detail: str = ""


@final
@dataclass(frozen=True, slots=True)
class Proof:
    """The steps, whether the conclusion is proved, and the document that the checker accepts.

    A form of printed steps alone has such a document too, and proves no conclusion.
    """

    statement: Statement
    steps: tuple[StepStatus, ...]
    concluded: bool
    detail: str
    document: dict[str, Any] | None

    @property
    def standing(self) -> Status:
        """A proof of a statement that only trivial problems meet says nothing."""
        if leaving_nothing(self.statement) is not None or self.detail == FROM_NOTHING:
            return Status.VACUOUS
        if self.concluded:
            return Status.PROVED
        false = self.statement.variant == "printed" and self.statement.id in refuted.refuted_in(
            self.statement.paper.key
        )
        return Status.REFUTED if false else Status.UNCHECKED


def prove(statement: Statement) -> Proof:
    form = machine_form(statement)
    if form is None:
        return Proof(statement, _steps(statement, {}), False, _why_without_form(statement), None)
    proof = document(form, statement)
    claims = _replay(proof, store.found_before(statement))
    concluded, detail = _concluded(form, statement, proof, claims)
    certified = all(claim.status == CERTIFIED for claim in claims.values())
    on_file = concluded or (certified and detail == STEPS_ALONE)
    kept = store.with_form(proof, statement) if on_file else None
    return Proof(statement, _steps(statement, claims), concluded, detail, kept)


def _why_without_form(statement: Statement) -> str:
    """The reason names the objects of a lemma for which a machine form has no words."""
    strays = [name for name in forms_beside(statement) if not _is_statement(name)]
    if strays:
        return f"{WITHOUT_FORM}: the file of its proof names {', '.join(strays)}, which is no statement"
    if (module := file_without_forms(statement)) is not None:
        return f"{WITHOUT_FORM}: no variable of {module} is one, as `proof = own.proof` of a LemmaForm"
    declared = None if statement.concrete is None else statement.concrete.declared
    if declared is None:
        return WITHOUT_FORM
    things = [thing for thing in declared.objects if type(thing) in WITHOUT_WORDS]
    lacking = [f"{WITHOUT_WORDS[type(thing)]} {thing.name}" for thing in things]
    exact = [thing for thing in declared.objects if isinstance(thing, SequenceObject) and thing.exact]
    lacking += [f"formula of the sequence {thing.name}" for thing in exact]
    lacking += [name.replace("_", " ") for name in declared.names if name.startswith(PARTS)]
    if not lacking:
        return WITHOUT_FORM
    return (
        f"{WITHOUT_FORM}, and a machine form has no words for the {', the '.join(lacking)}: `verify` and "
        "`falsify` try the lemma on objects"
    )


def _is_statement(name: str) -> bool:
    try:
        bounds.get(name)
    except Misuse:
        return False
    return True


def _replay(proof: dict[str, Any], before: dict[str, Any]) -> dict[str, StepStatus]:
    """The status of every claim; one that fails proves nothing, and what uses it fails with it."""
    checker, claims = Checker(), dict[str, StepStatus]()
    for entry in proof["given"]:
        try:
            checker.accept(entry, trusted=True)
        except Rejected as error:
            what = f"the proof of {proof['id']} gives {entry.get('name', entry['kind'])}: {error}"
            raise MalformedStatement(what) from error
    for place, entry in enumerate(proof["steps"]):
        if "claim" not in entry:
            _declare(checker, entry, claims)
            continue
        name, searched = entry["name"], entry["by"]["rule"] == "search"
        try:
            filled = _fill(checker, entry, before.get(name)) if searched else entry
            checker.accept(filled, trusted=False)
        except Rejected as error:
            claims[name] = StepStatus(name, OPEN, None, None, _explain(error))
            continue
        proof["steps"][place] = filled
        claims[name] = StepStatus(name, CERTIFIED, filled["by"]["rule"], "search" if searched else None)
    return claims


def _explain(error: Rejected) -> str:
    """The sentence of the checker, with what is left of a claim after its reasons, or with the multiplier."""
    if not isinstance(error, Differs | Unsigned):
        return str(error)
    terms = [
        f"{coefficient} {_write(monomial)}".strip() for monomial, coefficient in sorted(error.left.items())
    ]
    return f"{error}: {' + '.join(terms[:MOST_SHOWN])}{' + ...' if len(terms) > MOST_SHOWN else ''}"


def _write(monomial: Monomial) -> str:
    """A product as one writes it: `L^2 <x, y> i(norm)`."""
    words = []
    for factor, exponent in monomial:
        kind, *parts = factor
        word = {"scalar": "{}", "inner": "<{}, {}>", "over": "{}({})"}[kind].format(
            *(_write(part) if isinstance(part, tuple) else part for part in parts)
        )
        words.append(word if exponent == 1 else f"{word}^{exponent}")
    return " ".join(words)


def _declare(checker: Checker, entry: dict[str, Any], claims: dict[str, StepStatus]) -> None:
    """What an open claim was to justify stays unknown, so that the claims that use it stay open."""
    try:
        checker.accept(entry, trusted=False)
    except Rejected as error:
        reason = claims.get(str(entry.get("because")))
        if reason is not None and reason.status == CERTIFIED:  # the reason stands, and is none of this
            name = entry["name"]
            claims[name] = StepStatus(name, OPEN, None, None, _explain(error))


def _fill(checker: Checker, entry: dict[str, Any], before: Any) -> dict[str, Any]:
    """The claim with multipliers in the place of a search: those on file for this claim, else those found."""
    if before is not None and before.get("claim") == entry["claim"]:
        return entry | {"by": before["by"]}
    found = search.find(checker, entry)
    if found.by is None:
        raise Rejected(f"no multipliers among {found.tried} candidates add up to the claim")
    return entry | {"by": found.by}


def _concluded(
    form: MachineForm, statement: Statement, proof: dict[str, Any], claims: dict[str, StepStatus]
) -> tuple[bool, str]:
    """Whether the statement's own inequality is proved, from its own hypotheses and nothing else."""
    if missing := unlicensed(form, statement):
        return False, f"the form takes more than the statement has: {'; '.join(missing)}"
    unchecked = list_unchecked(form, statement, proof["given"])
    given = f"given {_say(len(unchecked), 'hypothesis')} that nothing checks: {', '.join(unchecked)}"
    if "conclusion" not in claims:
        return False, f"{STEPS_ALONE}, {given}" if unchecked else STEPS_ALONE
    if claims["conclusion"].status != CERTIFIED:
        return False, f"the conclusion is open: {claims['conclusion'].detail}"
    needed = [c for c in claims.values() if c.status != CERTIFIED]
    if needed:
        return False, f"the step {needed[0].locator} is open: {needed[0].detail}"
    if misread := list_misread(form, statement, proof, check(proof)):
        return False, f"the form reads more than the statement says: {'; '.join(misread)}"
    certified = "every claim up to the conclusion is certified"
    if unchecked:
        return False, f"{certified}, {given}"
    if _asks_for_nothing(statement):
        return False, FROM_NOTHING
    if why := why_none_meets(statement):
        return False, f"{certified}, but {why}"
    read = [_say(number, what) for number, what in list_read(form, statement) if number]
    *others, last = read or [""]
    named = f"{', '.join(others)} and {last}" if others else last
    by_a_person = f", given {named} that a person compares with its listing" if read else ""
    return True, f"{certified}{_say_signs(statement)}{by_a_person}"


def _say_signs(statement: Statement) -> str:
    """Name the sequences whose numbers are taken to be at least 0, which their rules may contradict."""
    declared = None if statement.concrete is None else statement.concrete.declared
    things = () if declared is None else declared.objects
    names = [thing.name for thing in things if isinstance(thing, SequenceObject) and thing.non_negative]
    return f", where no number of {' or '.join(names)} is below 0" if names else ""


def _asks_for_nothing(statement: Statement) -> bool:
    """Whether it is certain that no point meets the conditions; an example that does is looked at first."""
    from verify.audit.satisfiable.judge import find_contradiction
    from verify.audit.satisfiable.together import holds_at

    example = {name: float(value) for name, value in statement.example.items()}
    return not holds_at(statement, example) and find_contradiction(statement) is not None


def _say(number: int, what: str) -> str:
    several = {"hypothesis": "hypotheses"}.get(what, f"{what}s")
    return f"{number} {what if number == 1 else several}"


def _steps(statement: Statement, claims: dict[str, StepStatus]) -> tuple[StepStatus, ...]:
    """The printed steps in their order, then what the machine form adds."""
    seen: dict[str, int] = {}
    printed, amended = [], statement.variant == AMENDED
    for step in statement.steps:
        seen[step.locator] = number = seen.get(step.locator, 0) + 1
        own = claims.get(store.name_of(step.locator, number))
        reason = find_reason(statement.paper.package, step.locator, number)
        broken = _broken(statement.paper.key).get((step.locator, number))
        printed.append(_printed(step.locator, broken, own, reason, amended=amended))
    shown = {
        store.name_of(step.locator, n + 1) for step in statement.steps for n in range(seen[step.locator])
    }
    return (*printed, *(claim for name, claim in claims.items() if name not in shown))


@cache
def _broken(paper: str) -> dict[tuple[str, int], str]:
    """The class of what a witness shows of a display, by its locator and its number under the locator.

    A loose finding breaks no step: the step is true.
    """
    broken = (e for e in of_paper(paper) if e.step and e.grade is not FindingClass.LOOSE)
    return {(e.step, (e.display or 0) + 1): e.grade.value for e in broken}


def _printed(
    locator: str, broken: str | None, own: StepStatus | None, reason: Reason, *, amended: bool
) -> StepStatus:
    """The status of a printed step. An amended form may mend a step that a witness breaks as printed."""
    certified = own is not None and own.status == CERTIFIED
    if broken is not None and not (amended and certified):
        return StepStatus(locator, REFUTED, None, None, f"a counterexample is on file (finding: {broken})")
    if own is not None:
        return replace(own, locator=locator)
    return StepStatus(locator, PROSE if reason.prose else OPEN, None, None, reason.value)
