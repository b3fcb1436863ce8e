"""What a person typed, quoted in a sentence: one line, nothing that moves a cursor, nothing of any length."""

import re

LONGEST = 120  # characters that are quoted whole
HEAD, TAIL = 60, 20

# a quotation opens after a space or a bracket: an apostrophe inside a word opens none
_MARKS = (("'", "'"), ('"', '"'), ("`", "`"), ("[", "]"))
_LONG = "|".join(f"{re.escape(a)}[^{re.escape(b)}]{{{LONGEST},}}{re.escape(b)}" for a, b in _MARKS)
_NESTED = rf"\[\[.{{{LONGEST},}}\]\]|\{{.{{{LONGEST},}}\}}"  # a list of lists, a table
_QUOTED = re.compile(rf"(?<![^\s(=])(?:{_NESTED}|{_LONG})|\S{{{LONGEST},}}[^\s:;,.]")


def one_line(text: str) -> str:
    """A sentence with whatever it quotes: control characters by their names, long quotations shortened."""
    seen = "".join(c if c.isprintable() or c.isspace() else ascii(c)[1:-1] for c in " ".join(text.split()))
    return _QUOTED.sub(lambda found: shortened(found.group()), seen)


def shortened(text: str) -> str:
    """The beginning and the end of what is too long to be read, and how long it is."""
    if len(text) <= LONGEST:
        return text
    return f"{text[:HEAD]}...{text[-TAIL:]} ({len(text):,} characters)"
