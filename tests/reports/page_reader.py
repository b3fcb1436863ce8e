"""Reads the page of a report: its elements, its sections, and what reaches out of it."""

import json
import re
import zlib
from base64 import b64decode, b64encode
from functools import cache
from hashlib import sha256
from html.parser import HTMLParser

from bounds import discovery


class Elements(HTMLParser):
    """Tags with their attributes, and the text outside of style."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.found and self.found[-1][0] != "style":
            self.text += data


def unpack_page(html: str) -> str:
    """The page with the parts that a browser unpacks when a statement is opened."""
    parts = parts_of(html)
    inside = re.sub(r'(<div class="later" data-part="(\d+)">)', lambda m: m[1] + parts[int(m[2])], html)
    return inside.replace(_packed(html), "")


def parts_of(html: str) -> list[str]:
    parts: list[str] = json.loads(zlib.decompress(b64decode(_packed(html)), -15))
    return parts


def _packed(html: str) -> str:
    (letters,) = re.findall(r'id="parts">([^<]*)</script>', html)
    return str(letters)


def _without_own_script(html: str) -> str:
    for text in re.findall(r"<script>(.*?)</script>", html, re.DOTALL):
        digest = b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii")
        if f"script-src 'sha256-{digest}'" in html:
            html = html.replace(f"<script>{text}</script>", "")
    return re.sub(r'<script type="text/plain" id="(parts|forms)">[A-Za-z0-9+/=]*</script>', "", html)


def offences(html: str) -> list[str]:
    """What reaches out of the page, runs, or points nowhere; its own script may run by its digest."""
    html = _without_own_script(html)
    found = Elements(html).found
    ids = [attrs["id"] for _, attrs in found if "id" in attrs]
    out = [f"id {i} twice" for i in ids if ids.count(i) > 1]
    for tag, attrs in found:
        if tag in {"script", "link", "img", "iframe", "object", "embed", "form", "base", "audio", "video"}:
            out.append(f"<{tag}>")
        out += [f"{name} of <{tag}>" for name in attrs if name.startswith("on") or name == "src"]
        for name, value in attrs.items():
            targets = re.findall(r"url\(([^)]*)\)", value or "")
            targets += [value or ""] if name.endswith("href") and value not in papers() else []
            out += [f"{name}={t}" for t in targets if t[:1] != "#" or t[1:] not in ids]
            if value not in papers() and "//" in (value or "") and "href" in name:
                out.append(f"{name}={value}")
    style = "".join(re.findall(r"<style>.*?</style>", html, re.DOTALL))
    return out + re.findall(r"@import|url\(|https?:", style)


@cache
def papers() -> set[str]:
    return {s.paper.url for s in discovery.statements()}


def sections_of(html: str) -> dict[str, str]:
    """By anchor."""
    _, *pieces = html.split('<details class="statement" id="')
    return {piece.partition('"')[0]: piece.partition('<section id="privacy"')[0] for piece in pieces}


def section(html: str, identity: str) -> str:
    return sections_of(html)[anchor(identity)]


def anchor(identity: str) -> str:
    return re.sub("[._]", "-", identity)
