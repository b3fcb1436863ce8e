"""How a statement stands, in one sentence that a reader of the paper understands, made from values."""

from collections.abc import Mapping
from typing import Any

from bounds.language.finding import FindingClass, Status
from bounds.language.statement import Kind
from verify.records.refuted import worded

Plain = dict[str, Any]

ATTAINED = 1 - 1e-6  # of the bound
NEAR = 0.995
LOOSE = 0.05
NAMES_ONLY = (Kind.DEFINITION.value, Kind.RULE.value)
FLAWS = (FindingClass.PROOF_BROKEN, FindingClass.INCONSISTENT)
FLAW = {
    FindingClass.PROOF_BROKEN.value: "a step of the paper's proof does not follow",
    FindingClass.INCONSISTENT.value: "two places of the paper contradict each other about it",
}


def sentence(section: Plain) -> str:
    """The standing of the printed form, what is wrong with it, and how the amended form stands."""
    parts = [_printed(section), *_flaw(section), *_amended(section)]
    return " ".join(f"{part[:1].upper()}{part[1:]}." for part in parts if part)


def _printed(section: Plain) -> str:
    status = section["status"]
    if status == Status.REFUTED.value:
        return f"the printed form is false: {what_is_wrong(section)}"
    if status == Status.VACUOUS.value:
        return "the printed form says nothing: only trivial problems meet its hypotheses"
    if status == Status.UNINFORMATIVE.value:
        return "the printed bound is never below what is known without it"
    if status == Status.PROVED.value:
        return f"the printed form is {_proved(section['tried'])}"
    if status == Status.UNREFUTED.value:
        return f"no counterexample to the printed form was found in {tried(section['tried'])}"
    return _unchecked(section)


def what_is_wrong(section: Plain) -> str:
    """The clause of the errata file, else both sides of what refutes the statement."""
    erratum = worded(section["id"])
    if erratum is not None and (erratum.short or erratum.why):
        return erratum.short or erratum.why
    sides = section.get("refutation")
    if sides is None or sides["of"]:
        return "an entry of this record violates it"
    claimed = f"{'' if sides['equality'] else 'at most '}{sides['allowed']:.4g}"
    return f"a run measures {sides['left']:.4g}, where {claimed} is claimed"


def _unchecked(section: Plain) -> str:
    kind = section.get("kind", "")
    if kind in NAMES_ONLY:
        return f"this {kind} claims nothing that a run could contradict"
    if section.get("explicit"):
        return f"this is a rate with open constants; the bound that is checked is {section['explicit']}"
    if kind == Kind.RATE.value:
        return "this is a rate with open constants, which no run can contradict"
    return "this record does not check it"


def _proved(standing: Plain) -> str:
    where, ratio = _where(standing), standing["best_ratio"]
    measured = f"; in {where} {_closest(ratio)}" if where and ratio else _no_ratio(standing)
    return f"proved, every step{measured}"


def tried(standing: Plain) -> str:
    """Return "7 runs, and the closest reaches 12% of the bound"."""
    where, ratio = _where(standing) or "what was tried", standing["best_ratio"]
    if not ratio:
        return where + _no_ratio(standing)
    return f"{where}, {'but' if ratio < LOOSE else 'and'} {_closest(ratio)}"


def _no_ratio(standing: Plain) -> str:
    """Runs were measured, but their two sides have no ratio."""
    if not standing["cells"]:
        return ""
    return "; no ratio says how loose it is, since both its sides are random or one may not be positive"


def looseness(section: Plain) -> float | None:
    """The share of the bound that the sentence names: of the amended form where the printed one is false."""
    held = (Status.PROVED.value, Status.UNREFUTED.value)
    forms = [form["tried"] for form in (section, *section["amended"]) if form["status"] in held]
    return next((form["best_ratio"] for form in forms if form["best_ratio"]), None)


def _where(standing: Plain) -> str:
    counted = [_counted(standing["cells"], "run"), _counted(standing["cases"], "instance")]
    return " and ".join(part for part in counted if part)


def _closest(ratio: float) -> str:
    if ratio > ATTAINED:
        return "the closest attains the bound"
    if ratio > NEAR:
        return f"the closest comes within {100 * (1 - ratio):.1g}% of the bound"
    if ratio < LOOSE:
        return f"the bound is at least {1 / ratio:.3g} times what any of them measured"
    return f"the closest reaches {ratio:.0%} of the bound"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}" if number else ""


def _flaw(section: Plain) -> list[str]:
    """The gravest finding below false, where the statement itself is not refuted."""
    if section["status"] == Status.REFUTED.value:
        return []
    found = {entry["class"] for entry in section["findings"]}
    if section["status"] == Status.PROVED.value and FindingClass.PROOF_BROKEN.value in found:
        return ["a step of the paper's proof does not follow; the proof of fedbounds does without it"]
    return [FLAW[grade.value] for grade in FLAWS if grade.value in found][:1]


def _amended(section: Plain) -> list[str]:
    if not section["amended"]:
        return []
    form: Mapping[str, Any] = section["amended"][0]
    if form["status"] == Status.UNREFUTED.value:
        return [f"no counterexample to the amended form was found in {tried(form['tried'])}"]
    if form["status"] == Status.PROVED.value:
        return [f"the amended form is {_proved(form['tried'])}"]
    if form["status"] == Status.REFUTED.value:
        return ["its amended form is refuted in this record"]
    return ["fedbounds states an amended form"]
