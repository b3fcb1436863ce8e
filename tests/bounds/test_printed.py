"""Every formula that a statement quotes stands in its paper's transcription, under its locator.

An amended form may also quote the section of docs/amended that derives it: there stands what it prints anew.
"""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from sections_of_docs import section
from sympy import Integer, Symbol

from bounds.discovery import forms
from bounds.language.condition import at_most
from bounds.language.statement import SUFFICIENT, Paper, Statement
from bounds.language.step import Step
from bounds.language.transcription import read_transcription

STATEMENTS: dict[str, Statement] = forms()
PAPERS = {form.paper.key for form in STATEMENTS.values()}
ROOT = Path(__file__).parents[2]


def under(paper: Paper, locator: str) -> str:
    return read_transcription(paper.package).under(locator)


def quotations(statement: Statement) -> list[tuple[str, str]]:
    """(locator, fragment) of all that the statement says is printed."""
    return [
        *((statement.locator, fragment) for fragment in statement.printed),
        *((condition.locator, condition.printed) for condition in statement.conditions),
        *((step.locator, step.printed) for step in statement.proof if isinstance(step, Step)),
    ]


def misquoted(statement: Statement) -> list[tuple[str, str]]:
    derived = section(statement.amendment.derivation) if statement.amendment is not None else ""
    return [
        (locator, fragment)
        for locator, fragment in quotations(statement)
        if not fragment or (fragment not in under(statement.paper, locator) and fragment not in derived)
    ]


def unknown_locators(statement: Statement) -> list[str]:
    """Locators of choices, definitions, assumptions and uses of steps that no transcription introduces."""
    named = [choice.locator for choice in statement.choices]
    named += [definition.locator for definition in statement.where]
    named += [entry.locator for entry in (*statement.assumptions, *statement.setting)]
    named += [definition.source for definition in statement.where if definition.source]
    named += [use for step in statement.steps for use in step.uses]
    return [locator for locator in named if not under(statement.paper, locator)]


@pytest.mark.parametrize("identity", STATEMENTS)
def test_every_quotation_is_printed_under_its_locator(identity: str) -> None:
    assert misquoted(STATEMENTS[identity]) == []


@pytest.mark.parametrize("identity", STATEMENTS)
def test_every_locator_is_introduced(identity: str) -> None:
    assert unknown_locators(STATEMENTS[identity]) == []


AMENDED = [name for name, form in STATEMENTS.items() if form.amendment is not None]


def undocumented(statement: Statement) -> list[str]:
    """What an amended form owes besides its formulas."""
    amendment, printed = statement.amendment, STATEMENTS[statement.id]
    assert amendment is not None
    names = {c.id for c in printed.conditions}
    added = [c.id for c in statement.conditions if c.id not in names]
    added += [a.name for a in statement.assumptions if a not in printed.assumptions]
    owed = {
        "a change": amendment.change,
        "why it is enough": amendment.because,
        f"a section {amendment.derivation}": section(amendment.derivation).strip(),
        f"whether {added} is needed": amendment.needed or not added,
        "a reading of its own": (statement.printed, statement.reading) != (printed.printed, printed.reading),
    }
    named = re.findall(rf"\b(?:{'|'.join(PAPERS)})\.[a-z0-9_.]*[a-z0-9_]", amendment.needed)
    wrong = [name for name in named if name not in STATEMENTS]
    if amendment.needed and not named and SUFFICIENT not in amendment.needed:
        wrong.append(amendment.needed)
    return [owing for owing, there in owed.items() if not there] + wrong


@pytest.mark.parametrize("name", AMENDED)
def test_every_amended_form_says_what_it_changes_and_why(name: str) -> None:
    assert undocumented(STATEMENTS[name]) == []


# ---- the checks can fail

MAIN = STATEMENTS["fed_norm_ec.theorem_1.main"]


def test_a_wrong_constant_is_caught() -> None:
    (first, second) = MAIN.printed
    assert r"\frac{3}{K+1}" in first
    wrong = first.replace(r"\frac{3}{K+1}", r"\frac{4}{K+1}")
    assert misquoted(replace(MAIN, printed=(wrong, second))) == [("A.thm1", wrong)]


def test_a_right_fragment_under_the_wrong_locator_is_caught() -> None:
    appendix = STATEMENTS["fed_norm_ec.theorem_1.appendix"]
    moved = replace(MAIN, printed=appendix.printed)
    assert misquoted(moved) == [("A.thm1", fragment) for fragment in appendix.printed]
    assert misquoted(replace(moved, locator="A.thm1.app")) == []


def test_a_condition_of_another_hypothesis_is_caught() -> None:
    """h4 is not h2, though both stand in the same theorem."""
    first, *others = MAIN.conditions
    moved = replace(MAIN, conditions=(replace(first, locator="A.thm1.h4"), *others))
    assert misquoted(moved) == [("A.thm1.h4", first.printed)]


def test_a_mended_step_that_nothing_derives_is_caught() -> None:
    lemma = STATEMENTS["fed_norm_ec.lemma_2 amended"]
    (mended,) = (entry for entry in lemma.proof if isinstance(entry, Step))
    wrong = replace(mended, printed=mended.printed.replace("M^{2}", "M^{3}"))
    assert misquoted(replace(lemma, proof=(wrong,))) == [(wrong.locator, wrong.printed)]


def test_an_empty_quotation_and_an_unknown_locator_are_caught() -> None:
    assert misquoted(replace(MAIN, printed=("",))) == [("A.thm1", "")]
    assert misquoted(replace(MAIN, locator="A.thm17")) != []
    (choice,) = MAIN.choices
    assert unknown_locators(replace(MAIN, choices=(replace(choice, locator="A.thm1.h17"),))) == ["A.thm1.h17"]


def test_where_a_locator_ends() -> None:
    als_dpfl = STATEMENTS["als_dpfl.lemma_4"].paper
    theorem = under(MAIN.paper, "A.thm1")
    assert "main-text form" in theorem
    assert "appendix form" not in theorem
    hypothesis = under(MAIN.paper, "A.thm1.h4")
    assert hypothesis.count("`h") == 1
    assert "Conclusion" not in hypothesis
    step = under(MAIN.paper, "A.cor1.s8")
    assert "A.cor1.s9" not in step
    assert r"\hat{\beta}" in step
    value = under(als_dpfl, "C.thm1.F")
    assert r"\rho h" in value
    assert "C.eq10" not in value
    assert under(als_dpfl, "C.h.main") != under(als_dpfl, "C.h.app")
    assert "(19)" not in under(als_dpfl, "C.h.main")
    assert r"\frac{1}{\beta}" not in under(als_dpfl, "C.thm2.3")


def test_what_an_amended_form_owes_is_missed() -> None:
    name = AMENDED[0]
    form = STATEMENTS[name]
    amendment = form.amendment
    assert amendment is not None
    assert misquoted(replace(form, printed=("nobody derived this",))) != []
    for derivation in ("docs/amended/none.md#none", amendment.derivation.partition("#")[0]):
        assert misquoted(replace(form, amendment=replace(amendment, derivation=derivation))) != []
    for wrong in (
        replace(amendment, change=""),
        replace(amendment, derivation=f"{amendment.derivation}-elsewhere"),
        replace(amendment, needed="dp_fedavg.theorem_99"),
    ):
        assert undocumented(replace(form, amendment=wrong)) != []
    another = at_most(Symbol("K"), Integer(7), locator=form.locator, printed="-", part="another")
    longer = replace(form, conditions=(*form.conditions, another), amendment=replace(amendment, needed=""))
    assert undocumented(longer) != []
