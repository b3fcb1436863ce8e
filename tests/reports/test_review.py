"""Two pages for a referee, and what changed between two records."""

import copy
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bounds
from reports import page
from reports.page.escapes import Ready
from reports.page.review import LONGEST, MOST
from verify.records import refuted

Plain = dict[str, Any]

PAPER = "fed_norm_ec"
LATEX = shutil.which("pdflatex")


FEW = ("theorem_1.main", "theorem_2", "lemma_4", "lemma_9.c2", "claims.sameinf", "noise_rule", "corollary_2")


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(FEW, id="a few statements"),
        pytest.param(None, id="the whole paper", marks=pytest.mark.slow("a report on a whole paper")),
    ],
)
def found(record: Path, request: pytest.FixtureRequest) -> Plain:
    data = json.loads((record / "record.json").read_text(encoding="utf-8"))
    names = request.param
    with pytest.MonkeyPatch.context() as patch:
        if names is not None:
            chosen = tuple(bounds.get(f"{PAPER}.{name}") for name in names)
            patch.setattr(bounds, "statements", lambda *_: chosen)
        made = page.contents(data, record, only=PAPER, pictures=False, audit=False, explore=False)
        locators = {s.locator for s in bounds.statements(PAPER)}
    return page.review(made) | {"asked": locators}


def test_every_claim_of_the_paper_has_its_place(found: Plain) -> None:
    groups = [*found["claims"], *found["others"]]
    shown = {locator for group in groups for locator in group["locators"]}
    assert shown == found["asked"]
    (false,) = [g["locators"] for g in found["claims"] if g["standing"] == "false"]
    assert bounds.get(f"{PAPER}.theorem_1.main").locator in false
    assert {s.locator for s in bounds.statements(PAPER) if s.id in refuted.refuted()} >= set(false)


def test_findings_come_gravest_first_and_are_short(found: Plain) -> None:
    grades = [f["class"] for f in found["grave"]]
    order = ["false", "vacuous", "uninformative", "proof broken", "inconsistent", "loose"]
    assert grades == sorted(grades, key=order.index)
    assert 0 < len(grades) <= MOST
    assert all(len(f[name]) <= LONGEST + 6 for f in found["grave"] for name in ("words", "right"))
    assert "typo" in [group["class"] for group in found["rest"]]


def test_it_is_text_in_both_formats(found: Plain) -> None:
    evil = "<script>1</script> \\input{x} & #1 {#2 #}"
    spoiled = copy.deepcopy(found)
    spoiled["grave"][0] |= {"words": evil, "right": evil}
    html, latex = page.review_html(spoiled), page.review_latex(spoiled)
    assert "<script>" not in html
    assert r"\input{x}" not in latex
    assert latex.isascii()
    assert bounds.get(f"{PAPER}.theorem_1.main").title in html


def _compiled(found: Plain, folder: Path) -> subprocess.CompletedProcess[str]:
    """The first call may have to draw the fonts, which takes minutes."""
    assert LATEX is not None
    (folder / "review.tex").write_text(page.review_latex(found), encoding="utf-8")
    command = [LATEX, "-interaction=nonstopmode", "-halt-on-error", "review.tex"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=500, check=False)


@pytest.mark.skipif(LATEX is None, reason="no pdflatex is installed")
def test_it_compiles_to_two_pages(found: Plain, tmp_path: Path) -> None:
    done = _compiled(found, tmp_path)
    assert done.returncode == 0, done.stdout[-2000:]
    (pages,) = re.findall(r"Output written on review\.pdf \((\d+) page", done.stdout)
    assert int(pages) <= 2
    assert "Overfull" not in done.stdout


@pytest.mark.skipif(LATEX is None, reason="no pdflatex is installed")
@pytest.mark.slow("a report on each whole paper")
@pytest.mark.parametrize("paper", ["als_dpfl", "dp_fedavg", "fedavg_lojasiewicz"])
def test_the_review_of_every_other_paper_compiles(record: Path, tmp_path: Path, paper: str) -> None:
    data = json.loads((record / "record.json").read_text(encoding="utf-8"))
    made = page.contents(data, record, only=paper, pictures=False, audit=False, explore=False)
    done = _compiled(page.review(made), tmp_path)
    assert done.returncode == 0, done.stdout[-2000:]
    (pages,) = re.findall(r"Output written on review\.pdf \((\d+) page", done.stdout)
    assert int(pages) <= 2


@pytest.mark.skipif(LATEX is None, reason="no pdflatex is installed")
def test_a_command_that_latex_does_not_know_would_be_seen(found: Plain, tmp_path: Path) -> None:
    """The planted text goes round the escape, as a mistake in the template would."""
    spoiled = copy.deepcopy(found)
    spoiled["counts"] = Ready(r"\nosuchcommand")
    assert _compiled(spoiled, tmp_path).returncode != 0


# ---- two records


@pytest.fixture
def data(record: Path) -> Plain:
    found: Plain = json.loads((record / "record.json").read_text(encoding="utf-8"))
    return found


def compared(old: Plain, new: Plain) -> Plain:
    return page.changes(old, new, (Path("old"), Path("new")))


def test_a_record_has_not_changed_against_itself(data: Plain) -> None:
    found = compared(data, copy.deepcopy(data))
    names = ("settings", "standings", "verdicts", "numbers", "gone", "added")
    assert all(found[name] == [] for name in names)
    assert found["same"] == len(data["cells"]) + len(data["properties"])


def test_every_kind_of_change_is_named(data: Plain) -> None:
    new = copy.deepcopy(data)
    exact = next(c for c in new["cells"] if c["id"] == "textbook.gradient_descent_convex")
    exact["verdict"] = "violated"
    gone, moved = new["cells"].pop(), new["cells"][-1]
    moved["measured"]["estimate"] = (moved["measured"]["estimate"] or 0.0) + 1
    new["seed"] += 1
    found = compared(data, new)
    assert [v["id"] for v in found["verdicts"]] == [exact["id"]]
    assert next((s["id"], s["after"]) for s in found["standings"]) == (exact["id"], "refuted")
    assert [g["id"] for g in found["gone"]] == [gone["id"]]
    assert [n["id"] for n in found["numbers"]] == [moved["id"]]
    assert [s["name"] for s in found["settings"]] == ["seed"]
    back = compared(new, data)
    assert [a["id"] for a in back["added"]] == [gone["id"]]
    assert exact["id"] in page.changes_html(found)
    assert "-> violated" in "\n".join(page.lines(found))


def test_the_command_compares(
    fedbounds: Callable[..., Any], misuse: Callable[..., str], record: Path, tmp_path: Path
) -> None:
    shutil.copy(record / "record.json", tmp_path)
    done = fedbounds("report", "--compare", record, tmp_path, "--json")
    assert done.code == 0
    assert done.json["changes"]["standings"] == []
    assert (tmp_path / "report" / "changes.html").is_file()
    assert "keep one of them" in misuse("report", tmp_path, "--compare", record, "--review", PAPER)
    assert "not a folder with a record" in misuse("report", tmp_path, "--compare", tmp_path / "no")
    assert "no paper nope" in misuse("report", tmp_path, "--review", "nope")
