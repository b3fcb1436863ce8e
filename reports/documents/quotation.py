"""The kind of text that a finding quotes: a formula, words, or a reading of the paper.

The transcriptions copy formulas and paraphrase prose: a claim in words is seldom a literal quotation, and a
reader who searches the paper for it must know that. Definitions, choices and assumptions are quoted as read.
"""

import re
from functools import cache
from typing import Final, Literal

from bounds.language.finding import Finding

Quoted = Literal["formula", "words", "reading"]
FORMULA: Final = "formula"
WORDS: Final = "words"
READING: Final = "reading"
LABELS = {
    FORMULA: "printed:",
    WORDS: "printed (paraphrased in the transcription):",
    READING: "printed (as read here):",
}


def quoted(entry: Finding) -> Quoted:
    lines = entry.printed.split("\n")
    if not transcribed(entry.statement.partition(".")[0]).issuperset(lines):
        return READING
    return WORDS if any(has_words(line) for line in lines) else FORMULA


@cache
def transcribed(paper: str) -> frozenset[str]:
    """Every line that the statements of a paper quote; a test finds each in the transcription."""
    from bounds.discovery import statements  # with sympy, for which the labels alone need not wait

    quotations = (
        text
        for statement in statements(paper)
        for texts in (
            statement.printed,
            (condition.printed for condition in statement.conditions),
            (step.printed for step in statement.steps),
        )
        for text in texts
    )
    return frozenset(line for text in quotations for line in text.split("\n"))


_IN_A_FORMULA = r"\\[a-z]*(text|rm|textup)\s*\{(?:[^{}]|\{[^{}]*\})*\}"


def is_prose(printed: str) -> bool:
    """Words with inline mathematics between dollar signs, instead of one formula."""
    outside = re.sub(_IN_A_FORMULA, "", printed)
    return "$" in outside or re.search(r"(?<![\\A-Za-z])[A-Za-z]{2,} [a-z]{2,}", outside) is not None


def has_words(printed: str) -> bool:
    """Whether it has words; a single formula wrapped in dollar signs is not prose."""
    outside = "".join(re.sub(_IN_A_FORMULA, "", printed).split("$")[::2])
    return is_prose(printed) and re.search("[A-Za-z]{2}", outside) is not None
