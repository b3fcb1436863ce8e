"""Contrast on the page, computed from its style sheet: axe-core does not decide text in pictures.

The ratio is that of WCAG 2: 4.5 for text (1.4.3), 3 for lines of a chart (1.4.11).
"""

import re
from importlib.resources import files

import pytest

STYLE = (files("reports") / "templates" / "report.css").read_text(encoding="utf-8")
RULES = re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)
SCHEMES = dict(zip(("light", "dark", "print"), RULES, strict=True))
TEXT = ("ink", "faint", "good", "bad", "open", "link")
LINES = ("measured", "ink", "open", "bad")
Color = tuple[float, float, float]


def palette(scheme: str) -> dict[str, Color]:
    named = re.findall(r"--(\w+): #([0-9a-f]{3,6})", SCHEMES[scheme])
    return {
        name: _color(digits if len(digits) == 6 else "".join(2 * d for d in digits)) for name, digits in named
    }


def _color(digits: str) -> Color:
    red, green, blue = (int(digits[k : k + 2], 16) / 255 for k in (0, 2, 4))
    return red, green, blue


def over(color: Color, opacity: float, ground: Color) -> Color:
    """A color that lets its ground through."""
    red, green, blue = (opacity * c + (1 - opacity) * g for c, g in zip(color, ground, strict=True))
    return red, green, blue


def contrast(first: Color, second: Color) -> float:
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: Color) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _opacity(rule: str) -> float:
    """Read how opaque a band or a shade behind the text of a chart is."""
    (found,) = re.findall(rf"svg\.chart {rule} \{{[^}}]*fill-opacity: ([.\d]+)", STYLE)
    return float(found)


def faults(colors: dict[str, Color]) -> list[str]:
    """The pairs of text or line and ground that are too close."""
    grounds = {name: colors[name] for name in ("paper", "panel")}
    shaded = {
        "the band": over(colors["measured"], _opacity(r"path\.band"), colors["paper"]),
        "the shade": over(colors["bad"], _opacity(r"\.shade"), colors["paper"]),
    }
    pairs = [(name, colors[name], ground, at, 4.5) for name in TEXT for ground, at in grounds.items()]
    pairs += [("ink", colors["ink"], ground, at, 4.5) for ground, at in shaded.items()]
    pairs += [(f"a line in {name}", colors[name], "paper", colors["paper"], 3) for name in LINES]
    return [
        f"{name} on {ground}: {ratio:.2f}"
        for name, c, ground, at, least in pairs
        if (ratio := contrast(c, at)) < least
    ]


def test_black_on_white_is_21() -> None:
    assert contrast((0, 0, 0), (1, 1, 1)) == pytest.approx(21)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_text_and_lines_can_be_told_from_their_ground(scheme: str) -> None:
    assert faults(palette(scheme)) == []


def test_a_pale_text_would_be_found() -> None:
    assert faults(palette("light") | {"faint": _color("9a9da2")}) == [
        "faint on paper: 2.67",
        "faint on panel: 2.47",
    ]


def test_text_in_charts_has_the_color_that_is_judged() -> None:
    assert "svg.chart text { font-size: 12px; fill: var(--ink); }" in STYLE
