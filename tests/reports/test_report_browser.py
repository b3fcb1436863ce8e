"""The page in a real browser: nothing on its console, so that nothing that it may not load was asked for.

The page forbids every request by its own policy, and a browser names each that it blocks on the console.
axe-core, which npm brings (`npm install axe-core`), finds what a screen reader or a keyboard would miss; the
variable AXE_CORE names its file.
"""

import json
import os
import re
import shutil
import subprocess
from math import log, sqrt
from pathlib import Path

import pytest

import bounds
from bounds.discovery import variants
from reports import page
from reports.page import explorer
from verify.privacy.conventions import Scale, convert

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUIET = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--enable-logging=stderr"),
)
WAIT = "--virtual-time-budget=3000"  # milliseconds for what is unpacked
FEW = ("textbook.gradient_descent_convex", "fed_norm_ec.theorem_1.main", "als_dpfl.lemma_4")
FEW += ("dp_fedavg.theorem_2", "als_dpfl.h.main", "fed_norm_ec.corollary_1.explicit")

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed")


def _without_policy(html: str) -> str:
    return re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", html)


def opened(html: str, folder: Path, place: str = "", *more: str) -> tuple[str, list[str]]:
    """The page as the browser built it, and what it said on its console; `place` begins with #."""
    assert CHROMIUM is not None
    file = folder / "index.html"
    file.write_text(html, encoding="utf-8")
    profile = f"--user-data-dir={folder / 'profile'}"
    command = [CHROMIUM, *QUIET, *more, profile, "--dump-dom", f"{file.as_uri()}{place}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


@pytest.fixture(scope="module")
def html(record: Path) -> str:
    chosen = tuple(bounds.get(identity) for identity in FEW)
    data = json.loads((record / "record.json").read_text(encoding="utf-8"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounds, "statements", lambda *_: chosen)
        return page.html(page.contents(data, record, audit=False))


@pytest.fixture(scope="module")
def closed(html: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[str]]:
    """The page as it opens without a link to a statement, and its console."""
    return opened(html, tmp_path_factory.mktemp("closed"), "", WAIT)


@pytest.mark.slow("a browser; the test that plants a request needs one too, and is in tier one")
def test_no_console_message_and_no_request(html: str, closed: tuple[str, list[str]]) -> None:
    built, said = closed
    assert said == []
    assert "Gradient descent, convex and smooth, step 1/L" in built
    assert built.count("<figure>") == html.count("<figure>") > 0


@pytest.mark.parametrize(
    "place",
    [
        "#A.thm1",
        pytest.param("#fed-norm-ec-theorem-1-main", marks=pytest.mark.slow("one more start of a browser")),
        pytest.param("#fed_norm_ec.theorem_1.main", marks=pytest.mark.slow("one more start of a browser")),
    ],
)
def test_a_link_to_a_statement_opens_it_and_fills_it(
    html: str, closed: tuple[str, list[str]], tmp_path: Path, place: str
) -> None:
    built, said = opened(html, tmp_path, place, WAIT)
    assert said == []
    (section,) = re.findall(
        r'<details class="statement" id="fed-norm-ec-theorem-1-main".*?</summary>', built, re.DOTALL
    )
    assert ' open=""' in section.partition(">")[0]
    assert "Settings; nearest condition" in built, "its cells were unpacked"
    assert "Settings; nearest condition" not in closed[0]


def test_the_explorer_computes_what_evaluate_gives(html: str, tmp_path: Path) -> None:
    built, said = opened(html, tmp_path, "#ex", WAIT)
    assert said == []
    explorer = built.partition('id="ex-result"')[2]
    value = re.findall(r"The right-hand side is <strong[^>]*>([^<]*)</strong>", explorer)[0]
    first = bounds.get(FEW[0])
    assert float(value) == pytest.approx(float(first.evaluate(**first.example).value), rel=1e-5)
    (path,) = re.findall(r'<path class="line bound" d="([^"]*)"', explorer.partition('id="ex-curve"')[2])[:1]
    assert path.count("L") > 10


CHOSEN = """setTimeout(() => {
  for (const [id, value] of CHOICES) {
    const list = document.getElementById(id) ?? document.querySelector(id);
    if (Number.isInteger(value)) list.selectedIndex = value; else list.value = value;
    list.dispatchEvent(new Event(list.type === "text" ? "input" : "change"));
  }
}, 1500);"""


def chosen(html: str, choices: list[tuple[str, str | int]]) -> str:
    """The page with choices that a script of the test makes; the page's policy would not run it."""
    script = CHOSEN.replace("CHOICES", json.dumps(choices))
    return _without_policy(html).replace("</body>", f"<script>{script}</script></body>")


PRESSED = """setTimeout(() => {
  for (const name of NAMES) {
    const slider = document.querySelector(`#ex-inputs [type=range][aria-label^="${name}, "]`);
    slider.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", cancelable: true }));
  }
}, 1500);"""


@pytest.mark.slow("one more start of a browser")
def test_an_arrow_key_moves_a_slider_by_a_step_that_is_seen(html: str, tmp_path: Path) -> None:
    """A count by one; another number by a hundredth of its four decades; a screen reader hears the value."""
    script = PRESSED.replace("NAMES", json.dumps(["N", "L"]))
    page_ = _without_policy(html).replace("</body>", f"<script>{script}</script></body>")
    built, said = opened(page_, tmp_path, "#ex", WAIT)
    assert said == []
    first = bounds.get(FEW[0])
    spoken = {
        name: re.findall(rf'aria-label="{name}, [^"]*" aria-valuetext="([^"]*)"', built)[0] for name in "NL"
    }
    moved = {"N": first.example["N"] + 1, "L": first.example["L"] * 10**0.04}
    assert float(spoken["N"]) == moved["N"]
    number, unit = spoken["L"].split(" ")
    assert unit == "[F/X^2]"
    assert float(number) == pytest.approx(moved["L"], rel=1e-5)
    panel = built.partition('id="ex-result"')[2]
    value = re.findall(r"The right-hand side is <strong[^>]*>([^<]*)</strong>", panel)[0]
    at = {**first.example, "N": moved["N"], "L": float(number)}
    assert float(value) == pytest.approx(float(first.evaluate(**at).value), rel=1e-5)


@pytest.mark.slow("one more start of a browser")
def test_the_explorer_maps_two_parameters_and_puts_another_statement_beside(
    html: str, tmp_path: Path
) -> None:
    """Cells at their values; what plays the same part has the value of the first statement."""
    wanted = [("ex-over", "N"), ("ex-second", "L"), ("ex-beside", 2)]
    built, said = opened(chosen(html, wanted), tmp_path, "#ex", WAIT)
    assert said == []
    first, other = bounds.get(FEW[0]), bounds.get(FEW[1])
    cells = re.findall(r"<title>N = (\S+), L = (\S+): (\S+)</title>", built)
    assert len(cells) == 24 * 24
    for n, smoothness, value in cells[::37]:
        given = {**first.example, "N": int(n), "L": float(smoothness)}
        assert float(value) == pytest.approx(float(first.evaluate(**given).value), rel=1e-4)
    beside = built.partition('id="ex-other"')[2].partition('class="copied"')[0]
    assert "Taken from the statement above: K for N, L." in beside
    given = {**other.example, "K": first.example["N"] - 1, "L": first.example["L"]}
    (value,) = re.findall(r"The right-hand side is <strong[^>]*>([^<]*)</strong>", beside)
    assert float(value) == pytest.approx(float(other.evaluate(**given).value), rel=1e-5)


def _place(identity: str, variant: str) -> int:
    """Its row in the list of the explorer."""
    forms = explorer.forms([bounds.get(name) for name in FEW])
    return [(form["id"], form["form"]) for form in forms].index((identity, variant))


def _noise(paper: str, symbol: str, scale: Scale) -> float:
    (found,) = [c.value for c in convert(paper, 1.0, scale) if c.symbol == symbol and c.named]
    assert found is not None
    return found


@pytest.mark.slow("one more start of a browser")
def test_statements_stand_beside_each_other_at_equal_privacy(html: str, tmp_path: Path) -> None:
    """rho is that of the noise whose total is sigma_DP, by the conventions that `plan` uses."""
    above, beside = bounds.get(FEW[1]), bounds.get(FEW[3])
    wanted = [("ex-statement", _place(above.id, "printed")), ("ex-beside", 1 + _place(beside.id, "printed"))]
    built, said = opened(chosen(html, wanted), tmp_path, "#ex", WAIT)
    assert said == []
    at = above.example
    scale = Scale(
        rate=at["p"], rounds=at["K"] + 1, clients=at["M"], dimension=7, contribution=None, batch=None
    )
    rho = at["sigma_DP"] * _noise("dp_fedavg", "rho", scale) / _noise("fed_norm_ec", "sigma_DP", scale)
    shown = built.partition('id="ex-other"')[2].partition('class="copied"')[0]
    assert 'aria-label="rho, ' not in shown
    (value,) = re.findall(r"At equal privacy rho = (\S+) for sigma_DP", shown)
    assert float(value) == pytest.approx(rho, rel=1e-5)
    shared = {"K": at["K"] + 1, "E": at["T"], "L": at["L"], "Delta_star_mean": at["Delta_inf"]}
    given = {**beside.example, **shared, "rho": rho}
    (bound,) = re.findall(r"The right-hand side is <strong[^>]*>([^<]*)</strong>", shown)
    assert float(bound) == pytest.approx(float(beside.evaluate(**given).value), rel=1e-5)


def _box(place: str, name: str) -> str:
    return f'#{place} .ex-input:has([aria-label^="{name}, "]) [type="text"]'


def test_a_noise_outside_its_domain_is_left_to_the_reader(html: str, tmp_path: Path) -> None:
    """The bound is shown at the noise of the box, and the sentence says so; a noise inside has no box."""
    wanted: list[tuple[str, str | int]] = [
        ("ex-statement", _place(FEW[1], "printed")),
        ("ex-beside", 1 + _place(FEW[3], "printed")),
        (_box("ex-inputs", "sigma_DP"), "1000"),
        (_box("ex-other", "rho"), "0.25"),
    ]
    built, said = opened(chosen(html, wanted), tmp_path, "#ex", WAIT)
    assert said == []
    shown = built.partition('id="ex-other"')[2].partition('class="copied"')[0]
    assert "the statement says nothing there. The result is at rho = 0.25, not at equal privacy." in shown
    above, beside = bounds.get(FEW[1]).example, bounds.get(FEW[3])
    shared = {"K": above["K"] + 1, "E": above["T"], "L": above["L"], "Delta_star_mean": above["Delta_inf"]}
    (bound,) = re.findall(r"The right-hand side is <strong[^>]*>([^<]*)</strong>", shown)
    value = float(beside.evaluate(**{**beside.example, **shared, "rho": 0.25}).value)
    assert float(bound) == pytest.approx(value, rel=1e-4)


@pytest.mark.slow("one more start of a browser")
def test_noises_of_other_units_are_said_to_differ(html: str, tmp_path: Path) -> None:
    wanted = [("ex-statement", _place(FEW[3], "printed")), ("ex-beside", 1 + _place(FEW[4], "printed"))]
    built, said = opened(chosen(html, wanted), tmp_path, "#ex", WAIT)
    assert said == []
    why = "it hides one sample of a client, and rho above hides a client with all its samples"
    assert f"sigma is not at equal privacy: {why}" in built


@pytest.mark.slow("one more start of a browser")
@pytest.mark.parametrize("variant", ["printed", "amended"])
def test_a_statement_in_epsilon_gets_the_constant_at_equal_privacy(
    html: str, tmp_path: Path, variant: str
) -> None:
    """c is sigma_DP epsilon/(p sqrt((K + 1) log(1/delta))), with sigma_DP in total or per coordinate."""
    beside = next(form for form in variants(FEW[5]) if form.variant == variant)
    wanted = [("ex-statement", _place(FEW[3], "printed")), ("ex-beside", 1 + _place(FEW[5], variant))]
    built, said = opened(chosen(html, wanted), tmp_path, "#ex", WAIT)
    assert said == []
    shown = built.partition('id="ex-other"')[2].partition('class="copied"')[0]
    above, at = bounds.get(FEW[3]).example, beside.example
    # rho = (s/r) sqrt(d/K), with r and d of the statement beside
    if variant == "printed":
        multiplier_and_root_of_d = above["rho"] * at["B_hat"] * sqrt(above["K"])
        sigma = multiplier_and_root_of_d / sqrt(at["B_hat"])
    else:
        multiplier = above["rho"] * at["B_hat"] * sqrt(above["K"] / at["d"])
        sigma = multiplier / sqrt(at["B_hat"])
    rounds, rate = above["K"], at["B_hat"] / at["M"]  # K counts from 0 beside
    c = sigma * at["epsilon"] / (rate * sqrt(rounds * log(1 / at["delta"])))
    found = re.findall(r"At equal privacy c = (\S+), so that its rule gives sigma_DP = (\S+) for rho", shown)
    assert [float(number) for number in found[0]] == pytest.approx([c, sigma], rel=1e-5)
    given = {**at, "K": above["K"] - 1, "L": above["L"], "c": c}
    (bound,) = re.findall(r"The right-hand side is <strong[^>]*>([^<]*)</strong>", shown)
    assert float(bound) == pytest.approx(float(beside.evaluate(**given).value), rel=1e-5)


@pytest.mark.slow("one more start of a browser")
def test_the_noise_of_a_statement_in_epsilon_is_shared(html: str, tmp_path: Path) -> None:
    """Theorem 1 beside Corollary 1 draws as many clients, with the noise of the corollary's rule."""
    wanted = [("ex-statement", _place(FEW[5], "printed")), ("ex-beside", 1 + _place(FEW[1], "printed"))]
    built, said = opened(chosen(html, wanted), tmp_path, "#ex", WAIT)
    assert said == []
    shown = built.partition('id="ex-other"')[2].partition('class="copied"')[0]
    above = bounds.get(FEW[5]).example
    rate = above["B_hat"] / above["M"]
    noise = above["c"] * rate * sqrt((above["K"] + 1) * log(1 / above["delta"])) / above["epsilon"]
    assert "p for B_hat" in shown
    (value,) = re.findall(r"At equal privacy sigma_DP = (\S+) for sigma_DP", shown)
    assert float(value) == pytest.approx(noise, rel=1e-5)


# ---- what a screen reader meets

AXE = Path(os.environ.get("AXE_CORE", Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"))
JUDGED = """axe.run(document, {resultTypes: ["violations"]}).then((found) => {
  const words = found.violations.map((v) => `${v.id} ${v.nodes.length} ${v.nodes[0].target}`);
  document.documentElement.dataset.judged = words.join(";") || "none";
});"""


def judged(html: str, folder: Path, *more: str) -> list[str]:
    """What axe-core finds; its own script may run, so the policy of the page is taken out."""
    axe = AXE.read_text(encoding="utf-8")
    scripts = f"<script>{axe}</script><script>{JUDGED}</script></body>"
    page_ = _without_policy(html).replace("</body>", scripts)
    built, _ = opened(page_, folder, "#A.thm1", "--virtual-time-budget=20000", *more)
    (found,) = re.findall(r'data-judged="([^"]*)"', built)
    return [] if found == "none" else found.split(";")


@pytest.mark.slow("a browser that runs axe-core")
@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: npm install axe-core")
@pytest.mark.parametrize("more", [(), ("--window-size=390,844",), ("--force-dark-mode",)], ids=str)
def test_a_screen_reader_can_read_it(html: str, tmp_path: Path, more: tuple[str, ...]) -> None:
    assert judged(html, tmp_path, *more) == []


@pytest.mark.slow("a browser that runs axe-core")
@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: npm install axe-core")
def test_a_picture_without_words_would_be_found(html: str, tmp_path: Path) -> None:
    spoiled = re.sub(r'(<svg class="chart" viewBox="[^"]*" role="img") aria-label="[^"]*"', r"\1", html)
    assert any(found.startswith("svg-img-alt") for found in judged(spoiled, tmp_path))


@pytest.mark.parametrize(
    "planted", ['<img src="https://example.org/a.png">', "<script>document.title = 1</script>"]
)
def test_a_request_or_a_script_would_be_seen(html: str, tmp_path: Path, planted: str) -> None:
    _, said = opened(html.replace("</main>", f"{planted}</main>"), tmp_path)
    assert said
    assert "Content Security Policy" in said[0]
