"""Text stays text in every format; the oracles are other people's parsers, or written here."""

import re
import unicodedata
from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markupsafe import escape

from reports.page import escapes
from reports.page.render import number, share

NASTY = [
    "<script>alert(1)</script>",
    "a|b_c *d* `e` [f](g) ![h](i) ~~j~~ # k $l$",
    "\\end{document} \\input{/etc/passwd} #1 %x ^^41 ~ {}",
    "[4pt] -- --- ,, '' `` << >> ?` !`",
    "\x00\x1b[31m\x7f\x85\u202eabc\u2066 \ud800",
    "Łojasiewicz, Ørsted, naïve façade, ‖x‖ ≤ 1 × 2, 中文 🙂 é e\u0301",
    "&amp; &lt; &#38; &copy",
    "1. one\n- two\n> three\n# four\n\n```x",
]
text = st.text(st.characters(codec=None), max_size=40) | st.sampled_from(NASTY)
parser = MarkdownIt("commonmark").enable("table").enable("strikethrough")


class Text(HTMLParser):
    """The text of a page, and its tags."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.said, self.tags = "", list[str]()
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.said += data


def nasty(function: object) -> object:
    for entry in NASTY:
        function = example(entry)(function)
    return function


@nasty
@given(text)
def test_markdown_shows_the_text_in_a_paragraph_and_in_a_table(said: str) -> None:
    shown = escapes.one_line(said)
    paragraph = Text(parser.render(f"told: {escapes.markdown(said)}"))
    assert paragraph.said.strip() == f"told: {shown}".strip()
    assert set(paragraph.tags) == {"p"}
    table = Text(parser.render(f"| a | b |\n|---|---|\n| {escapes.markdown(said)} | end |\n"))
    assert [line for line in table.said.split("\n") if line] == ["a", "b", *([shown] if shown else []), "end"]
    assert set(table.tags) <= {"table", "thead", "tbody", "tr", "th", "td"}


@nasty
@given(text)
def test_a_fence_holds_the_text(said: str) -> None:
    (token,) = parser.parse(f"{escapes.fenced(said)}\n")
    assert token.type == "fence"
    assert token.content == escapes.visible(said) + "\n"


@nasty
@given(text)
def test_html_shows_the_text(said: str) -> None:
    page = Text(f"<p>{escape(escapes.visible(said))}</p>")
    assert page.said == escapes.visible(said)
    assert page.tags == ["p"]


COMMANDS = {
    **{
        "textbackslash": "\\",
        "textasciitilde": "~",
        "textasciicircum": "^",
        "textless": "<",
        "textgreater": ">",
    },
    **{"textbar": "|", "textasciigrave": "`", "textquotesingle": "'", "textquotedbl": '"', "textendash": "–"},
    **{"textemdash": "—", "textquoteright": "’", "textquotedblleft": "“", "textquotedblright": "”"},
    **{"ldots": "…", "leq": "≤", "geq": "≥", "times": "×", "cdot": "·", "infty": "∞", "l": "ł", "L": "Ł"},
    **{"o": "ø", "O": "Ø", "ss": "ß"},
    **{c: c for c in "#$%&_{}"},
}
MARKS = {
    **{
        "`": "\u0300",
        "'": "\u0301",
        "^": "\u0302",
        "~": "\u0303",
        "=": "\u0304",
        "u": "\u0306",
        ".": "\u0307",
    },
    **{'"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "c": "\u0327", "k": "\u0328"},
}
TOKEN = re.compile(
    r"\\(?P<mark>[`'^~=.\"]|[urHvck](?=\{[A-Za-z]\}))\{(?P<letter>[A-Za-z])\}"
    r"|\\ensuremath\{(?:\\(?P<math>[a-z]+)|(?P<minus>-))\}"
    r"|\\(?P<command>[A-Za-z]+)\{\}"
    r"|\\(?P<sign>[#$%&_{}])"
    r"|\{(?P<group>[-\[\]*]?)\}"
    r"|(?P<plain>[^\\{}#$%&_~^<>|`'\"*\[\]-])"
)


def read_latex(source: str) -> str:
    """What TeX would print of the escaped text; refuses a character that TeX would act upon."""
    out, position = "", 0
    while position < len(source):
        found = TOKEN.match(source, position)
        assert found, f"TeX acts on {source[position : position + 12]!r}"
        position = found.end()
        part = found.groupdict()
        if part["letter"]:
            out += unicodedata.normalize("NFC", part["letter"] + MARKS[part["mark"]])
        elif part["minus"]:
            out += "−"
        else:
            name = part["math"] or part["command"] or part["sign"]
            out += COMMANDS[name] if name else part["group"] or part["plain"] or ""
    return out


@nasty
@given(text)
def test_latex_prints_the_text_or_the_number_of_a_character(said: str) -> None:
    printed = read_latex(escapes.latex(said))
    wanted = unicodedata.normalize("NFC", escapes.one_line(said))
    pattern = "".join(
        re.escape(c) if c.isascii() else f"(?:{re.escape(c)}|{re.escape(f'[U+{ord(c):04X}]')})"
        for c in wanted
    )
    assert re.fullmatch(pattern, printed), (printed, wanted)
    assert escapes.latex(said).isascii()
    assert not re.search(r"[,'`?!<>-]{2}", escapes.latex(said).replace("!!", "").replace("??", "")), (
        "a ligature"
    )


@pytest.mark.parametrize("bare", ["a_b", "50%", "\\input{x}", "{", "~", "[4pt]", "a^b", "#1", "é\\"])
def test_the_reader_of_latex_can_refuse(bare: str) -> None:
    with pytest.raises(AssertionError):
        assert read_latex(bare) == bare


def test_nothing_invisible_is_left() -> None:
    assert escapes.visible("a\x00b\x1bc\u202ed\ud800e\tf\n") == "a[U+0000]b[U+001B]c[U+202E]d[U+D800]e\tf\n"
    assert escapes.visible("plain – text, 中文 🙂") == "plain – text, 中文 🙂"


TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@nasty
@given(text | st.text(st.characters(codec=None, categories=["Cc", "Cs", "Cf"])))
def test_what_is_left_can_be_seen_and_written(said: str) -> None:
    for character in escapes.visible(said):
        assert unicodedata.category(character) not in ("Cc", "Cs") or character in "\t\n"
        assert unicodedata.bidirectional(character) not in TURNING
    escapes.visible(said).encode()
    rest = [c for c in said if unicodedata.category(c) not in ("Cc", "Cs", "Cf")]
    assert [c for c in re.sub(r"\[U\+\w+\]", "", escapes.visible(said)) if c in rest] == [
        c for c in re.sub(r"\[U\+\w+\]", "", said) if c in rest
    ]


def test_what_is_ready_is_not_escaped_twice() -> None:
    assert escapes.markdown(escapes.fenced("a_b")) == "```latex\na_b\n```"
    assert escapes.latex(escapes.Ready("\\hline")) == "\\hline"
    assert escapes.fenced("```").startswith("````")


def test_numbers() -> None:
    assert [number(v) for v in (1, 0.123456789, None, True, "x")] == ["1", "0.123457", "–", "–", "–"]
    assert [share(v) for v in (0.5, None)] == ["50.0%", "–"]
