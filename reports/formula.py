"""Printed LaTeX: folded for a terminal, converted to MathML for a page.

The LaTeX itself is never touched; what latex2mathml lacks is substituted in a copy, for rendering only:

| printed | rendered as | because |
|---|---|---|
| `\\mathbbm{1}` | the character 𝟙 | the macro of package bbm is unknown to it |
| `\\text{...}`, `\\textup{...}` | `\\text{...}` without inner braces | in text it would print the braces |
| `\\arg\\min` | `\\operatorname{argmin}` | unknown to it |
| `\\Big\\{`, `\\Big\\|`, ... | the delimiter without the size | it reads the backslash as the delimiter |
| `\\nicefrac` | `\\frac` | unknown to it |
| `&`, a final line break | nothing | marks of an alignment whose environment is not part of the formula |
| `mathvariant="bold-italic"` | mathematical letters of Unicode | MathML Core lacks the attribute |
"""

import re
from html import escape
from textwrap import wrap
from xml.etree import ElementTree

from latex2mathml.converter import convert

from reports.documents.quotation import is_prose

NAMESPACE = "http://www.w3.org/1998/Math/MathML"

# A formula may come from an installed package that nobody here has read: what is not layout does not pass.
_ELEMENTS = frozenset(
    (
        *(
            "math",
            "mrow",
            "mi",
            "mn",
            "mo",
            "ms",
            "mtext",
            "mspace",
            "mstyle",
            "mpadded",
            "mphantom",
            "merror",
        ),
        *("mfrac", "msqrt", "mroot", "mfenced", "menclose", "msub", "msup", "msubsup", "munder", "mover"),
        *("munderover", "mmultiscripts", "mprescripts", "none", "mtable", "mtr", "mtd"),
    )
)
_ATTRIBUTES = frozenset(
    (
        *("display", "displaystyle", "scriptlevel", "mathvariant", "stretchy", "fence", "form", "separator"),
        *("minsize", "maxsize", "lspace", "rspace", "width", "height", "depth", "voffset", "accent"),
        *(
            "accentunder",
            "movablelimits",
            "linethickness",
            "linebreak",
            "largeop",
            "symmetric",
            "columnalign",
        ),
        *("rowspacing", "columnspacing", "rowlines", "columnlines", "notation", "open", "close"),
    )
)
_BINDING = r"(\\(left|right|middle|[bB]igg?[lr]?|rm|bm|mathbf|mathbb|mathcal|hat|tilde|bar)|[_^{])$"

# (first capital, first small letter, first small Greek letter) of a block of mathematical letters.
_LETTERS = {"bold": (0x1D400, 0x1D41A, 0x1D6C2), "bold-italic": (0x1D468, 0x1D482, 0x1D736)}


def fold(latex: str, columns: int) -> str:
    """Lines of at most `columns` where LaTeX may break: before a command or a sign, never inside a name."""
    if is_prose(latex):
        lines = wrap(latex, columns, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
        return "\n".join(line if len(line) <= columns else _fold_formula(line, columns) for line in lines)
    return _fold_formula(latex, columns)


def _fold_formula(latex: str, columns: int) -> str:
    atoms: list[str] = []
    for piece in re.findall(r"(?:\\[a-zA-Z]+|\\.|.)[^\\+=<>&-]*", latex, flags=re.DOTALL):
        if atoms and _binds(atoms[-1]):
            atoms[-1] += piece
        else:
            atoms.append(piece)
    # A formula that is too long for any line breaks between two arguments too.
    short = [[atom] if len(atom) <= columns - 4 else re.split(r"(?<=[)}])(?=[({])", atom) for atom in atoms]
    lines = [""]
    for atom in (part for parts in short for part in parts):
        if lines[-1].strip() and len(lines[-1]) + len(atom.rstrip()) > columns:
            lines[-1] = lines[-1].rstrip()
            lines.append("  ")
        lines[-1] += atom
    return "\n".join(lines).rstrip()


def _binds(atom: str) -> bool:
    """Whether its end takes what follows as an argument or a delimiter: a break there reads badly."""
    return re.search(_BINDING, atom) is not None


def mathml(latex: str, *, block: bool = True) -> str:
    """A `<math>` element, or the LaTeX itself as code where it cannot be converted; prose keeps its words."""
    if is_prose(latex):
        pieces = latex.split("$")
        return "".join(mathml(p, block=False) if n % 2 else escape(p) for n, p in enumerate(pieces))
    try:
        root = ElementTree.fromstring(convert(_substitute(latex), display="block" if block else "inline"))
    except Exception:  # a third party's parser on anything: a formula shown as code is better than no page
        return f"<code>{escape(latex)}</code>"
    if not _clean(root):
        return f"<code>{escape(latex)}</code>"
    _unwrap(root)
    return ElementTree.tostring(root, encoding="unicode").replace(f' xmlns="{NAMESPACE}"', "", 1)


def _substitute(latex: str) -> str:
    text = re.sub(r"\\mathbbm\s*\{1\}", "𝟙", latex)
    text = re.sub(
        r"\\text(?:up)?\{((?:[^{}$]|\{[^{}$]*\})*)\}",
        lambda m: r"\text{" + re.sub(r"[{}]", "", m[1]) + "}",
        text,
    )
    text = re.sub(r"\\[bB]igg?[lrm]?\s*(\\[{}|]|\\[lr]angle)", r"\1", text)
    text = re.sub(r"\\arg\s*\\min(?![a-zA-Z])", r"\\operatorname{argmin}", text)
    text = text.replace(r"\nicefrac", r"\frac")
    text = re.sub(r"(?<!\\)&", "", text)
    return re.sub(r"\\\\\s*$", "", text)


def _clean(root: ElementTree.Element) -> bool:
    """Keep layout only; False where something else is inside."""
    ElementTree.register_namespace("", NAMESPACE)  # in a page of HTML the name of `math` is enough
    for element in root.iter():
        if element.tag.removeprefix(f"{{{NAMESPACE}}}") not in _ELEMENTS:
            return False
        for name in [name for name in element.attrib if name not in _ATTRIBUTES]:
            del element.attrib[name]
        variant = element.attrib.get("mathvariant")
        if variant in _LETTERS and element.text and len(element.text.strip()) == 1:
            element.text = _letter(element.text.strip(), *_LETTERS[variant])
            element.attrib.pop("mathvariant")
    return True


def _unwrap(root: ElementTree.Element) -> None:
    """A row of one element is that element: a quarter of what a page of formulas weighs."""
    for parent in root.iter():
        for place, child in enumerate(parent):
            while child.tag == f"{{{NAMESPACE}}}mrow" and len(child) == 1 and not child.attrib:
                child = child[0]
            parent[place] = child


def _letter(character: str, capital: int, small: int, greek: int) -> str:
    for first, last, target in (("A", "Z", capital), ("a", "z", small), ("α", "ω", greek)):
        if first <= character <= last:
            return chr(target + ord(character) - ord(first))
    return character
