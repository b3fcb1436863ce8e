"""The words that the page explains to a reader who meets them first, with their meanings in the glossary."""

import re
from pathlib import Path

HERE = Path(__file__).parent
# The wheel carries the glossary beside this file; in a checkout it is where the guides are.
PLACES = (HERE / "glossary.md", HERE.parents[1] / "docs" / "glossary.md")
ROW = re.compile(r"^\| (\*\*.+\*\*) \| (.+) \|$", flags=re.M)
EXPLAINED = (
    "printed", "amended", "refuted", "vacuous", "uninformative", "proved", "unrefuted", "unchecked", "cell",
    "instance", "refused", "ratio", "finding", "proof broken", "inconsistent", "loose", "interpretation",
    "reading", "free bound", "witness", "locator", "error level",
)  # fmt: skip


def read_glossary() -> list[tuple[str, str]]:
    """Every word with its meaning; a row that explains two words counts for each."""
    (text, *_) = (place.read_text(encoding="utf-8") for place in PLACES if place.exists())
    rows = ROW.findall(text)
    return [(word, meaning) for words, meaning in rows for word in re.findall(r"\*\*(.+?)\*\*", words)]


def explain_words() -> list[tuple[str, str]]:
    """The words of the page in its order, without the marks of Markdown."""
    meanings = dict(read_glossary())
    return [(word, re.sub(r"[*`]", "", meanings[word])) for word in EXPLAINED]
