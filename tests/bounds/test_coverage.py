"""Nothing of the papers is left out: every id of a transcription has a home in its paper's package.

Sections 3 and 5 hold definitions, assumptions and statements, section 4 algorithms, section 6 proof steps.
Scope, notation, experiments and indices (sections 1, 2, 7 and up) are exempt by rule.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from dataclasses import replace

import pytest

import bounds
from bounds.language.statement import Alias, Paper, Statement
from bounds.language.transcription import read_transcription

STATEMENTS = bounds.statements()
PAPERS = {s.paper.key: s.paper for s in STATEMENTS if s.paper.key != "textbook"}
STATED, LISTED, PROVED = ("3", "5"), ("4",), ("6",)


def ids(paper: Paper, sections: tuple[str, ...]) -> set[str]:
    """The locators that a transcription introduces in these sections."""
    transcription = read_transcription(paper.package)
    heads = [(m.start(), m[1]) for m in re.finditer(r"^## (\d+)\.", transcription.text, re.MULTILINE)]
    starts = [position for position, _ in heads]
    found = [i for i in transcription.introductions if i.locator]
    named = [(bisect_right(starts, i.position) - 1, i.locator) for i in found]
    return {name for head, name in named if head >= 0 and heads[head][1] in sections}


def homes(statements: tuple[Statement, ...], paper: Paper) -> dict[str, set[str]]:
    """What kind of object holds each locator."""
    out: dict[str, set[str]] = defaultdict(set)
    for statement in statements:
        out[statement.locator].add("statement")
        for name in ("setting", "assumptions", "conditions", "choices", "where", "steps"):
            for entry in getattr(statement, name):
                out[entry.locator].add(name)
    for alias in paper.aliases:
        out[alias.locator].add("alias")
    return out


def homeless(statements: tuple[Statement, ...], paper: Paper) -> list[str]:
    found = homes(statements, paper)
    missing = [i for i in ids(paper, STATED) if not found[i] - {"steps"}]
    listing = {"statement", "setting", "alias"}
    missing += [i for i in ids(paper, LISTED) if not found[i] & listing]
    missing += [i for i in ids(paper, PROVED) if not found[i] & {"steps", "alias"}]
    return sorted(missing)


def of_two_minds(statements: tuple[Statement, ...], paper: Paper) -> list[str]:
    """Locators with homes that exclude each other."""
    files = defaultdict(set)
    for statement in statements:
        files[statement.locator].add(".".join(statement.id.split(".")[:2]))
    wrong = [f"{locator} is stated in {sorted(found)}" for locator, found in files.items() if len(found) > 1]
    known = ids(paper, STATED + LISTED + PROVED)
    named = {statement.id for statement in bounds.statements()}
    found_homes = homes(statements, paper)
    for alias in paper.aliases:
        if found_homes[alias.locator] != {"alias"}:
            wrong.append(f"{alias.locator} is an alias and has a home of its own")
        if alias.of not in named or alias.locator not in known or not alias.why:
            wrong.append(f"{alias.locator} is an alias of nothing")
    return wrong


@pytest.mark.parametrize("key", PAPERS)
def test_every_id_has_a_home(key: str) -> None:
    assert homeless(bounds.statements(key), PAPERS[key]) == []


@pytest.mark.parametrize("key", PAPERS)
def test_no_id_has_two(key: str) -> None:
    assert of_two_minds(bounds.statements(key), PAPERS[key]) == []


# ---- the checks can fail

KEY = "fed_norm_ec"


def test_a_dropped_statement_condition_or_step_is_missed() -> None:
    everything, paper = bounds.statements(KEY), PAPERS[KEY]
    lemma = bounds.get(f"{KEY}.lemma_4")
    others = tuple(s for s in everything if s.id != lemma.id)
    assert "A.lem4" in homeless(others, paper)
    assert homeless((*others, replace(lemma, proof=lemma.steps[1:])), paper) == ["A.lem4.s1"]
    assert homeless((*others, replace(lemma, assumptions=())), paper) == ["A.lem4.h1"]


def test_a_second_home_is_caught() -> None:
    everything, paper = bounds.statements(KEY), PAPERS[KEY]
    lemma = bounds.get(f"{KEY}.lemma_4")
    assert of_two_minds((*everything, replace(lemma, id=f"{KEY}.elsewhere")), paper) != []
    for alias in (Alias("A.lem4", f"{KEY}.lemma_5", "-"), Alias("A.lem99", f"{KEY}.lemma_5", "-")):
        assert of_two_minds(everything, replace(paper, aliases=(*paper.aliases, alias))) != []
