"""Whether what a column predicts are labels: a slip in one cell must not make a class of every number."""

from collections.abc import Sequence

from synthetic.data._refusal import number_in, refused

MISSING = frozenset({"na", "n/a", "nan", "null"})
KEEP = "fill it in or leave out its row; task=classes takes it as a label"


def refuse_missing(words: Sequence[str], lines: Sequence[int], source: str, what: str, change: str) -> None:
    for line, word in zip(lines, words, strict=True):
        if word.lower() in MISSING:
            raise refused(source, f"line {line} has no {what}", repr(word), "a name or a number", change)


def check_labels(answers: Sequence[str], lines: Sequence[int], source: str) -> None:
    """Nobody has said that they are classes, so a mark for `missing`, or a word among numbers, is refused."""
    refuse_missing(answers, lines, source, "target", KEEP)
    words = [(line, word) for line, word in zip(lines, answers, strict=True) if number_in(word) is None]
    commas = [entry for entry in words if _has_comma(entry[1])]
    if not commas and len(words) in (0, len(answers)):
        return
    line, word = (commas or words)[0]
    needed = "a finite number with a decimal point" if commas else "a number, as in other lines"
    named = ", header=yes the first line as names" if line == lines[0] else ""
    change = f"mend the cell; task=classes takes all as labels{named}"
    raise refused(source, f"line {line}, target is not a number", repr(word), needed, change)


def _has_comma(word: str) -> bool:
    """Whether it is a number for those who write 3,5 or 1,234.5."""
    return "," in word and any(number_in(word.replace(",", mark)) is not None for mark in (".", ""))
