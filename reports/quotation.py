"""What stands where a finding says what is printed: a formula, words, or what was read into the paper.

The transcriptions copy formulas and paraphrase prose: a claim in words is seldom a quotation, and who looks
for it in the paper must know that. A definition, a choice or an assumption is told as it was read.
"""

from functools import cache

from bounds.finding import Finding
from reports.prose import has_words

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
