"""Text as text: in Markdown and in LaTeX, and what no format shows as something that every format shows."""

import re
import unicodedata
from typing import Any

# Control characters but tabs and line breaks; halves of a surrogate pair, which are no text; marks that turn
# the direction of what follows.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Ready(str):
    """Already in the language of the page."""


def visible(text: str) -> str:
    """What nobody sees, or a file cannot hold, by its number."""
    return _UNSEEN.sub(lambda found: f"[U+{ord(found[0]):04X}]", text)


def one_line(value: Any) -> str:
    return visible(" ".join(str(value).split()))


def markdown(value: Any) -> str:
    """Text as text in Markdown, also inside a table."""
    if isinstance(value, Ready):
        return value
    text = one_line(value).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{c}" if c in "\\`*_{}[]#|~$" else c for c in text)


def fenced(value: Any, language: str = "latex") -> Ready:
    """A code block whose fence does not occur in what it holds."""
    text, fence = visible(str(value)), "```"
    while fence in text:
        fence += "`"
    return Ready(f"{fence}{language}\n{text}\n{fence}")


_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    '"': r"\textquotedbl{}",
    "-": "{-}",  # two of them would be a dash
    "[": "{[}",  # behind a line break it would be an option
    "]": "{]}",
    "*": "{*}",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "’": r"\textquoteright{}",
    "“": r"\textquotedblleft{}",
    "”": r"\textquotedblright{}",
    "…": r"\ldots{}",
    "≤": r"\ensuremath{\leq}",
    "≥": r"\ensuremath{\geq}",
    "×": r"\ensuremath{\times}",
    "·": r"\ensuremath{\cdot}",
    "−": r"\ensuremath{-}",
    "∞": r"\ensuremath{\infty}",
    "ł": r"\l{}",
    "Ł": r"\L{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    "ß": r"\ss{}",
    **{c: f"\\{c}" for c in "#$%&_{}"},
}
_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0327": "c",
    "\u0328": "k",
}


def latex(value: Any) -> str:
    """Text as text in LaTeX with T1 fonts; a character that these lack by its number."""
    if isinstance(value, Ready):
        return value
    text = "".join(_escape_latex(c) for c in unicodedata.normalize("NFC", one_line(value)))
    return re.sub(",(?=,)", ",{}", text)  # T1 makes two commas a quotation mark


def _escape_latex(character: str) -> str:
    if character in _LATEX:
        return _LATEX[character]
    if character.isascii():
        return character
    parts = unicodedata.normalize("NFD", character)
    if len(parts) == 2 and parts[0].isascii() and parts[0].isalpha() and parts[1] in _ACCENTS:
        return f"\\{_ACCENTS[parts[1]]}{{{parts[0]}}}"
    return f"{{[}}U+{ord(character):04X}{{]}}"
