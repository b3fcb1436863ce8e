"""The page in a real browser: nothing on its console, so that nothing that it may not load was asked for.

The page forbids every request by its own policy, and a browser names each that it blocks on the console.
"""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import bounds
from reports import page

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUIET = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--enable-logging=stderr"),
)
FEW = ("textbook.gradient_descent_convex", "fed_norm_ec.theorem_1.main", "als_dpfl.lemma_4")

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed")


def opened(html: str, folder: Path) -> tuple[str, list[str]]:
    """The page as the browser built it, and what it said on its console."""
    assert CHROMIUM is not None
    file = folder / "index.html"
    file.write_text(html, encoding="utf-8")
    profile = f"--user-data-dir={folder / 'profile'}"
    command = [CHROMIUM, *QUIET, profile, "--dump-dom", file.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


@pytest.fixture
def html(record: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    chosen = tuple(bounds.get(identity) for identity in FEW)
    monkeypatch.setattr(bounds, "statements", lambda *_: chosen)
    data = json.loads((record / "record.json").read_text(encoding="utf-8"))
    return page.html(page.contents(data, record, audit=False))


def test_no_console_message_and_no_request(html: str, tmp_path: Path) -> None:
    built, said = opened(html, tmp_path)
    assert said == []
    assert "Gradient descent, convex and smooth, step 1/L" in built
    assert built.count("<figure>") == html.count("<figure>") > 0


@pytest.mark.parametrize(
    "planted", ['<img src="https://example.org/a.png">', "<script>document.title = 1</script>"]
)
def test_a_request_or_a_script_would_be_seen(html: str, tmp_path: Path, planted: str) -> None:
    _, said = opened(html.replace("</main>", f"{planted}</main>"), tmp_path)
    assert said
    assert "Content Security Policy" in said[0]
