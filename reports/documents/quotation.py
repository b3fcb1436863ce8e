"""What stands where a finding says what is printed: a formula, words, or what was read into the paper.

The transcriptions copy formulas and paraphrase prose: a claim in words is seldom a quotation, and who looks
for it in the paper must know that. A definition, a choice or an assumption is told as it was read.
"""

import re
from functools import cache

from bounds.language.finding import Finding

FORMULA, WORDS, READING = "formula", "words", "reading"
LABELS = {
    FORMULA: "printed:",
    WORDS: "printed, in the words of the transcription:",
    READING: "printed, as read here:",
}


def quoted(entry: Finding) -> str:
    lines = entry.printed.split("\n")
    if not transcribed(entry.statement.partition(".")[0]).issuperset(lines):
        return READING
    return WORDS if any(has_words(line) for line in lines) else FORMULA


@cache
def transcribed(paper: str) -> frozenset[str]:
    """All that the statements of a paper quote, line by line; a test finds it in the transcription."""
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
    """Not so of one formula between dollar signs, which is prose only for who sets it."""
    outside = "".join(re.sub(_IN_A_FORMULA, "", printed).split("$")[::2])
    return is_prose(printed) and re.search("[A-Za-z]{2}", outside) is not None
