"""A figure as a part of a page: its text stays text, and its colours are those of the page around it."""

import re
from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from reports.plots.files import UNDATED
from reports.plots.style import CURVES, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
SIZE = (6.4, 3.3)  # inches; the sheet's own is for a figure that stands alone

# What the style sheet draws with, and the custom property of the page that takes its place.
PAGE = {
    "#ffffff": "none",  # the paper of the page shows through
    "#000000": "var(--ink)",
    "#e0e0e0": "var(--line)",
    "#cccccc": "var(--line)",
    CURVES[1][0].lower(): "var(--measured)",
}
_REFERENCE = re.compile(r"url\(#([^)]+)\)|^#(.+)$")


def inline(draw: "Callable[[Figure], None]", name: str, told: str) -> str:
    """An `<svg>` element. `name` keeps its ids apart from those of others, `told` is what it shows."""
    from matplotlib import rc_context

    stream = BytesIO()
    with styled() as figure, rc_context({"svg.fonttype": "none"}):
        figure.set_size_inches(*SIZE)
        draw(figure)
        figure.savefig(stream, format="svg", metadata=UNDATED["svg"])
    root = ElementTree.fromstring(stream.getvalue())
    _strip(root)
    used = {found for element in root.iter() for found in _referred(element)}
    for element in root.iter():
        _adapt(element, name, used)
    for key in ("width", "height", "version"):
        root.attrib.pop(key, None)
    root.attrib |= {"role": "img", "aria-label": told}
    return re.sub(r"\s*\n\s*", " ", _text(root))


def _strip(root: Element) -> None:
    """What speaks about the file, and a style that would reach out of it; the page has that rule."""
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{{{SVG}}}metadata", f"{{{SVG}}}style"):
                parent.remove(child)


def _referred(element: Element) -> list[str]:
    return [a or b for value in element.attrib.values() for a, b in _REFERENCE.findall(value)]


def _adapt(element: Element, name: str, used: set[str]) -> None:
    if element.attrib.get("id") not in used:
        element.attrib.pop("id", None)
    for key, value in list(element.attrib.items()):
        if key == "id":
            element.attrib[key] = f"{name}-{value}"
        elif key in (f"{{{XLINK}}}href", "clip-path"):
            # SVG 2 has the plain name, which needs no namespace in HTML.
            del element.attrib[key]
            renamed = _REFERENCE.sub(lambda m: m[0].replace("#", f"#{name}-"), value)
            element.attrib["href" if key.endswith("href") else key] = renamed
        elif key == "style":
            element.attrib[key] = _recoloured(value)
    if element.tag == f"{{{SVG}}}path" and "d" in element.attrib:
        element.attrib["d"] = " ".join(element.attrib["d"].split())


def _recoloured(style: str) -> str:
    style = style.replace("font-family: 'DejaVu Sans'", "font-family: inherit")
    return re.sub(r"#[0-9a-f]{6}", lambda m: PAGE.get(m[0], m[0]), style)


def _text(root: Element) -> str:
    ElementTree.register_namespace("", SVG)
    return ElementTree.tostring(root, encoding="unicode")
