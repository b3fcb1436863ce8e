"""The steps of proofs are read from the transcriptions; a mistake in either file is named with its line."""

from dataclasses import replace

import pytest

import bounds
from bounds.discovery import forms
from bounds.errors import MalformedStatement
from bounds.language import transcription
from bounds.language.proof.steps import list_steps, parse_steps, read_steps
from bounds.language.statement import Statement
from bounds.language.step import Step

FORMS: dict[str, Statement] = forms()
PACKAGES = {form.paper.key: form.paper.package for form in FORMS.values() if form.proof}

TEXT = r"""# Steps

## A.one — a proof

`A.one.s1` — first reason
$$a &= b \tag{1}$$

`A.one.s2`
$$\begin{aligned} c &= d \\ &\leq e \\ &\leq f \end{aligned} \quad (2)$$

- **`A.one.s3`** — two formulas, $x$ and $y$. (src 7,8)

**A.one.s4** = **A.eq9**, a second name
$$g$$
and
$$h$$
"""
TABLE = """# a comment

A.one.s1 | | A.two |
A.one.s2 | rows 1 | | of the first row
A.one.s2 | rows 2-3 | A.one.s1 A.two | of the others
A.one.s2 | lines 1-2 | | with marks | and a bar
A.one.s3 | formula 2 | |
A.one.s3 | words 1-2 | | no formula
A.eq9 | display 2 | | its second name
"""


def read(text: str = TEXT, table: str = TABLE) -> tuple[Step, ...]:
    return parse_steps("P/steps.txt", table, transcription.parse("P/transcription.md", text))


def test_every_part_is_quoted() -> None:
    assert read() == (
        Step("A.one.s1", "a &= b", "first reason", ("A.two",)),
        Step("A.one.s2", "c &= d", "of the first row"),
        Step("A.one.s2", r"\leq e \\ &\leq f", "of the others", ("A.one.s1", "A.two")),
        Step("A.one.s2", r"c &= d \\ &\leq e \\", "with marks | and a bar"),
        Step("A.one.s3", "y", "two formulas, $x$ and $y$"),
        Step("A.one.s3", "two formulas,", "no formula"),
        Step("A.eq9", "h", "its second name"),
    )
    numbered = TEXT.replace("$$a &= b \\tag{1}$$", "$$a \\quad (1)$$")
    table = "A.one.s1 | | |\nA.one.s1 | unnumbered | | the same display"
    assert [step.printed for step in read(numbered, table)] == ["a \\quad (1)", "a"]


def test_without_a_table_every_id_with_one_display_is_a_step() -> None:
    text = TEXT.replace("first reason", "by A.one.s3 and A.two")
    assert list_steps(transcription.parse("P/transcription.md", text)) == (
        Step("A.one.s1", "a &= b", "by A.one.s3 and A.two", ("A.one.s3",)),
        Step("A.one.s2", r"\begin{aligned} c &= d \\ &\leq e \\ &\leq f \end{aligned} \quad (2)", ""),
    )
    with pytest.raises(MalformedStatement, match="is introduced a second time"):
        list_steps(transcription.parse("P/transcription.md", TEXT.replace("A.one.s2", "A.one.s1")))


WRONG_TABLES = {
    "A.one.s1 | no reason": "P/steps.txt:2: a step is LOCATOR | PART | USES | REASON",
    " | | | reason": "P/steps.txt:2: a step is LOCATOR | PART | USES | REASON",
    "A.one.s7 | | | -": "P/steps.txt:2: P/transcription.md introduces no step A.one.s7",
    "A.one.s1 | | | -": "P/steps.txt:2: A.one.s1 is listed a second time with the same part",
    "A.one.s2 | columns 2 | | -": "P/transcription.md:8: A.one.s2, listed at P/steps.txt:2: "
    "'columns 2' names no part of a text",
    "A.one.s2 | rows 3-4 | | -": "P/transcription.md:8: A.one.s2, listed at P/steps.txt:2: "
    "number 4 of 3 rows is asked for",
    "A.one.s2 | rows 3-2 | | -": "P/transcription.md:8: A.one.s2, listed at P/steps.txt:2: "
    "'rows 3-2' ends before it begins",
    "A.one.s2 | | |": "P/transcription.md:8: A.one.s2, listed at P/steps.txt:2: "
    "there is no reason, neither in the table nor behind the id",
    "A.one.s3 | formula 0 | | -": "P/transcription.md:11: A.one.s3, listed at P/steps.txt:2: "
    "number 0 of 2 formulas is asked for",
    "A.one.s4 | | | -": "P/transcription.md:13: A.one.s4, listed at P/steps.txt:2: "
    "one display is expected, and there are 2",
}


@pytest.mark.parametrize("line", WRONG_TABLES)
def test_a_wrong_line_of_the_table_is_named(line: str) -> None:
    with pytest.raises(MalformedStatement) as refused:
        read(table=f"A.one.s1 | | |\n{line}\n")
    assert str(refused.value) == WRONG_TABLES[line]


WRONG_TEXTS = {
    "the id of a step is missing": ("`A.one.s2`\n", "` ` — \n"),
    "an id is introduced twice": ("`A.one.s2`", "`A.one.s1`"),
    "a display is not closed": ("\\tag{1}$$", "\\tag{1}$"),
}
NAMED = {
    "the id of a step is missing": "P/transcription.md:5: A.one.s1, listed at P/steps.txt:3: "
    "one display is expected, and there are 2",
    "an id is introduced twice": "P/transcription.md:8: A.one.s1 is introduced a second time, "
    "first at P/transcription.md:5",
    "a display is not closed": "P/transcription.md:5: A.one.s1, listed at P/steps.txt:3: "
    "a display is opened or closed without its other $$",
}


@pytest.mark.parametrize("defect", WRONG_TEXTS)
def test_a_defect_of_the_transcription_is_named(defect: str) -> None:
    with pytest.raises(MalformedStatement) as refused:
        read(TEXT.replace(*WRONG_TEXTS[defect], 1))
    assert str(refused.value) == NAMED[defect]


# ---- the papers


def unreachable(statements: list[Statement], package: str) -> list[str]:
    """The steps of a paper that no statement names."""
    named = {step for statement in statements for step in statement.steps}
    return [step.locator for step in read_steps(package) if step not in named]


@pytest.mark.parametrize("key", PACKAGES)
def test_every_step_is_reachable_from_a_statement(key: str) -> None:
    statements = [form for form in FORMS.values() if form.paper.key == key]
    assert unreachable(statements, PACKAGES[key]) == []


def test_a_step_that_no_statement_names_is_missed() -> None:
    key = "fed_norm_ec"
    lemma = FORMS[f"{key}.lemma_4"]
    others = [form for form in FORMS.values() if form.paper.key == key and form != lemma]
    shorter = replace(lemma, proof=("A.lem4.s1..A.lem4.s4",))
    assert unreachable([*others, shorter], PACKAGES[key]) == ["A.lem4.s5"]


@pytest.mark.parametrize("package", PACKAGES.values())
def test_no_reason_has_two_copies(package: str) -> None:
    """A table gives words of its own, or none where the transcription has them behind the id."""
    table, text = transcription.read_data(package, "steps.txt"), transcription.read_transcription(package)
    compared = 0
    for line in table.splitlines():
        cells = line.split("|", 3)
        if line.startswith("#") or len(cells) < 4 or not cells[3].strip():
            continue
        try:
            (behind,) = parse_steps("steps.txt", "|".join([*cells[:3], ""]), text)
        except MalformedStatement:
            continue  # no words behind the id
        (own,) = parse_steps("steps.txt", line, text)
        assert own.reason != behind.reason, line
        compared += 1
    assert compared > 50


@pytest.mark.parametrize(
    ("proof", "sentence"),
    [
        ("A.lem4.s9", "lists no step A.lem4.s9, which a proof names"),
        ("A.lem4.s1..A.lem4.s9", "lists no step A.lem4.s9, which a proof names"),
        ("A.lem4.s3..A.lem4.s2", "lists A.lem4.s2 before A.lem4.s3; a proof names A.lem4.s3..A.lem4.s2"),
    ],
)
def test_a_proof_that_names_no_steps_is_refused(proof: str, sentence: str) -> None:
    lemma = replace(bounds.get("fed_norm_ec.lemma_4"), proof=(proof,))
    with pytest.raises(MalformedStatement) as refused:
        _ = lemma.steps
    assert str(refused.value) == f"bounds/papers/fed_norm_ec/steps.txt {sentence}"


def test_an_amended_form_may_mend_one_step() -> None:
    printed, amended = FORMS["fed_norm_ec.lemma_2"], FORMS["fed_norm_ec.lemma_2 amended"]
    changed = [a.locator for a, b in zip(printed.steps, amended.steps, strict=True) if a != b]
    assert changed == ["A.lem2.s6"]


@pytest.mark.parametrize(
    ("package", "sentence"),
    [
        ("bounds.papers.textbook", r"^bounds/papers/textbook/transcription\.md lists no step A\.lem4\.s1, "),
        ("bounds.language", r"^bounds/language/transcription\.md cannot be read: "),
    ],
)
def test_a_package_without_the_step_is_refused_in_one_sentence(package: str, sentence: str) -> None:
    lemma = bounds.get("fed_norm_ec.lemma_4")
    elsewhere = replace(lemma, paper=replace(lemma.paper, package=package))
    with pytest.raises(MalformedStatement, match=sentence):
        _ = elsewhere.steps
