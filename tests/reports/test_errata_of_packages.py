"""The errata file of an installed package goes the way of ours; one that breaks a rule is one sentence."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
INIT = """
from fedbounds import Notation, Paper
bibtex, notation = "@misc{{t}}", Notation()
PAPER = Paper(key="{key}", title="T", authors="me", bibtex=bibtex, package=__name__, notation=notation)
"""
LEMMA = """
from {key} import PAPER
from fedbounds import POSITIVE, amend, function, inner, lemma, norm, number, vector
L, f, x, y = number("L", POSITIVE), None, vector("x"), vector("y")
f = function("f", smooth=L)
def claim(part): return f(y) <= f(x) + inner(f.gradient(x), y - x) + L / part * norm(y - x) ** 2
LEMMA = lemma(PAPER, "P.lem1", claim(4), printed="f(y) <= parabola", proof=["P.lem1.s1"])
RIGHT, TOO_FAR = lemma(PAPER, "P.lem1", claim(2)), lemma(PAPER, "P.lem1", claim(3))
AMENDED = amend(LEMMA, change="L / 2 for L / 4", because="smoothness", to=RIGHT)
del RIGHT, TOO_FAR
"""
TRANSCRIPTION = """
## P.lem1
f(y) <= parabola

**P.lem1.s1** by smoothness
$$f(y) - f(x) \\leq 0$$
"""
WITNESSES = """
import numpy as np
from fedbounds import Measured, measured_on
def on_a_parabola(curvature, L):
    f, gradient = (lambda x: curvature / 2 * (x**2).sum(axis=-1)), (lambda x: curvature * x)
    start, end = np.array([0.0]), np.array([1.0])
    return measured_on("KEY.lemma_1", f=f, gradient_of_f=gradient, x=start, y=end, L=L)
def inside(): return on_a_parabola(1.0, 1.0)
def steeper(): return on_a_parabola(2.0, 1.0)
def rises(): return Measured(left=1.0, right=0.0, applicable=True)
def equal(): return Measured(left=0.0, right=0.0, applicable=True)
def outside(): return Measured(left=1.0, right=0.0, applicable=False)
def bare(): return 1.0
def fails(): return 1 / 0
"""
STEP = """
[[finding]]
statement = "{key}.lemma_1"
place = "P.lem1.s1, proof"
class = "proof broken"
matters = "nothing is left of the proof"
why = "f = y from 0 to 1"
right = "the parabola"
evidence = {{ witness = "witnesses.rises" }}
"""
WHOLE = """
[[finding]]
statement = "{key}.lemma_1"
place = "P.lem1, conclusion"
class = "false"
matters = "whoever uses it is wrong"
why = "L / 2 is right"
right = "L / 2"
evidence = {{ file = "lemma_1.json" }}
"""
# a word of the files above, what stands in its place, and what is said of it
BROKEN: Mapping[str, tuple[str, str, str, str]] = {
    "grade": ("errata.toml", "proof broken", "proof brokn", "did you mean proof broken?"),
    "syntax": ("errata.toml", "why =", "why", "errata.toml is not valid TOML: Expected '='"),
    "letters": ("errata.toml", "nothing", "\udcff", "errata.toml is not valid TOML: 'utf-8' codec"),
    "twice": ("errata.toml", STEP, STEP + STEP, "finding 2 (P.lem1.s1, proof) repeats the place of"),
    "statement": ("errata.toml", "lemma_1", "lemma_2", "no statement statement.lemma_2"),
    "step": ("errata.toml", "s1, proof", "s9, proof", "step.lemma_1 prints 0 displays there"),
    "locator": (
        "errata.toml",
        "P.lem1, conclusion",
        "P.lem9, conclusion",
        "locator of locator.lemma_1 is",
    ),
    "display": ("errata.toml", "right =", "display = 1\nright =", "none has index 1"),
    "function": ("errata.toml", "rises", "rise", "no witness is called function.witnesses.rise; did you"),
    "equal": ("errata.toml", "rises", "equal", "the witness refutes nothing: Measured(left=0.0"),
    "outside": ("errata.toml", "rises", "outside", "the witness refutes nothing: Measured(left=1.0"),
    "bare": ("errata.toml", "rises", "bare", "bare.witnesses.bare returns no Measured, but 1.0"),
    "fails": ("errata.toml", "rises", "fails", "witnesses.py, line 14: ZeroDivisionError"),
    "by_hand": ("errata.toml", "rises", "rises", "by_hand.witnesses.rises returns numbers that are written"),
    "class_left": ("errata.toml", "rises", "steeper", "f is not smooth with the constant 1: see ("),
    "audit": ("errata.toml", 'class = "false"', 'class = "loose"', "the audit 'units' finds nothing there"),
    "absent": ("errata.toml", "witnesses.rises", "lemma_1.json", "cannot read"),
    "outward": ("errata.toml", "witnesses.rises", "../lemma_1.json", "must lie in the folder"),
    "record": ("errata.toml", "witnesses.rises", "strong noise", "cannot read"),
    "misquoted": (
        "transcription.md",
        "f(y) <= parabola",
        "f(y) < parabola",
        "does not have, under P.lem1: f",
    ),
    "unprinted": ("transcription.md", "## P.lem1", "", "does not have, under P.lem1: f(y) <= parabola"),
}
KINDS = {"audit": "audit", "absent": "file", "outward": "file", "record": "cell"}
OF_THE_WHOLE = (
    "locator",
    "audit",
    "absent",
    "outward",
    "record",
    "misquoted",
    "unprinted",
    "by_hand",
    "class_left",
)  # evidence against a conclusion
# beside what the search wrote: for each package of FILES a witness file that says something else
SCRIPT = """
import contextlib, io, json, pathlib, sys
from reports.command_line import run
site, commands, files = pathlib.Path(sys.argv[1]), *map(json.loads, sys.argv[2:])
found = {}
for words in commands:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words)
    found[" ".join(words)] = (code, out.getvalue(), err.getvalue())
    if words[0] == "falsify":
        made = json.loads((site / "good" / "lemma_1.json").read_text())
        for key, changed in files.items():
            (site / key / "lemma_1.json").write_text(json.dumps(made | {"id": f"{key}.lemma_1"} | changed))
print(json.dumps(found))
"""
FILES = {
    "number": ({"left": 1e6}, "does not replay: number.lemma_1: "),
    "other": ({"id": "textbook.sgd"}, "lemma_1.json is about textbook.sgd, printed"),
    "schema": ({"schema": "fedbounds/record/1"}, "is no file that `falsify` or `worst` writes"),
}


def install(site: Path, key: str, errata: str, broken: tuple[str, str, str, str] | None = None) -> None:
    texts = {
        "__init__.py": INIT.format(key=key),
        "lemma_1.py": LEMMA.format(key=key),
        "transcription.md": TRANSCRIPTION,
        "witnesses.py": WITNESSES.replace("KEY", key),
        "errata.toml": errata.format(key=key),
    }
    if broken is not None:
        file, old, new, _ = (part.format(key=key) for part in broken)
        assert old in texts[file], (key, old)
        texts[file] = texts[file].replace(old, new)
    for name, text in texts.items():
        (site / key).mkdir(exist_ok=True)
        (site / key / name).write_text(text, encoding="utf-8", errors="surrogateescape")
    info = site / f"{key}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {key}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[fedbounds.papers]\n{key} = {key}\n")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package with two findings, and one for each rule that can be broken."""
    folder = tmp_path_factory.mktemp("site")
    install(folder, "good", STEP + WHOLE)
    install(
        folder, "amended", WHOLE.replace("file =", "witness =").replace("lemma_1.json", "witnesses.inside")
    )
    wrong = folder / "amended" / "lemma_1.py"
    wrong.write_text(wrong.read_text().replace("to=RIGHT", "to=TOO_FAR"))
    for key, broken in BROKEN.items():
        errata = WHOLE.replace("file =", "witness =").replace("lemma_1.json", "witnesses.rises")
        errata = errata if key in OF_THE_WHOLE else STEP
        if key in KINDS:
            errata = errata.replace("witness =", f"{KINDS[key]} =")
        if key == "audit":
            errata = errata.replace("witnesses.rises", "units").replace('why = "L / 2 is right"', "")
        install(folder, key, errata, broken)
    for key in FILES:
        install(folder, key, WHOLE)
    return folder


@pytest.fixture(scope="module")
def said(site: Path) -> dict[str, Any]:
    """The code, the output and the errors of each command, all in one process."""
    named = [["errata", key] for key in BROKEN]
    search = ["falsify", "good.lemma_1", "--evaluations", "50", "--out", str(site / "good" / "lemma_1.json")]
    files = [["errata", key] for key in FILES]
    again = [
        ["errata", "amended", "--recheck", "--json"],
        ["list", "good"],
        ["errata", "good", "--recheck", "--json"],
    ]
    good = [[verb, "good.lemma_1", "--json"] for verb in ("show", "audit", "prove")]
    ours = [["list", "textbook"], ["errata", "textbook"], ["list", "--json"]]
    # what is left out of all papers is named after every later command of the process
    commands = [*named, search, *files, *again, *good, *ours]
    given = json.dumps(commands), json.dumps({key: changed for key, (changed, _) in FILES.items()})
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(site), *given],
        env=os.environ | {"PYTHONPATH": os.pathsep.join((str(site), str(ROOT)))},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("key", BROKEN)
@pytest.mark.slow("a process for each rule")
def test_a_file_that_breaks_a_rule_is_one_sentence(key: str, said: dict[str, Any]) -> None:
    code, out, err = said[f"errata {key}"]
    assert (code, out) == (2, "")
    sentence = BROKEN[key][3]
    assert sentence in err
    assert f"{key}/errata.toml" in err
    assert err.count("\n") == 1


def test_the_other_packages_stay_usable(said: dict[str, Any]) -> None:
    for words in ("list textbook", "errata textbook"):
        assert said[words][0] == 0
    code, out, err = said["list --json"]
    listed = {row["paper"] for row in json.loads(out)["statements"]}
    assert code == 0
    assert {"good", "textbook"} <= listed
    assert not listed & BROKEN.keys()
    assert all(f"{key}/errata.toml" in err for key in BROKEN)


def test_findings_of_a_package_are_shown_as_ours_are(said: dict[str, Any]) -> None:
    assert "refuted" in said["list good"][1]
    ledger = json.loads(said["errata good --recheck --json"][1])
    assert [(f["class"], f["locator"], f["where"]) for f in ledger["findings"]] == [
        ("false", "P.lem1", "conclusion"),
        ("proof broken", "P.lem1.s1", "proof"),
    ]
    assert [row["agrees"] for row in ledger["rechecked"]] == [True, True, True]
    assert ledger["rechecked"][2]["sentence"] == "good.lemma_1 [amended]: outlives lemma_1.json"
    assert ledger["findings"][0]["printed"] == "f(y) <= parabola"
    assert ledger["findings"][0]["evidence"].endswith("is claimed: L / 2 is right")
    for verb in ("show", "audit"):
        document = json.loads(said[f"{verb} good.lemma_1 --json"][1])
        shown = document if verb == "show" else document["statements"][0]
        assert [f["class"] for f in shown["findings"]] == ["false", "proof broken"]
    assert json.loads(said["prove good.lemma_1 --json"][1])["standing"] == "refuted"


def test_an_amended_form_that_falls_to_the_same_counterexample_is_named(said: dict[str, Any]) -> None:
    """Of x^2/2 from 0 to 1 the lemma claims 1/4, its amended form 1/3, and 1/2 is right."""
    code, out, _ = said["errata amended --recheck --json"]
    first, second = json.loads(out)["rechecked"]
    assert (code, first["agrees"], second["agrees"]) == (1, True, False)
    assert second["sentence"].endswith("witnesses.inside too: 0.5, where at most 0.333333 is claimed")


@pytest.mark.parametrize("key", FILES)
def test_a_witness_file_that_says_something_else_is_refused(key: str, said: dict[str, Any]) -> None:
    code, out, err = said[f"errata {key}"]
    assert (code, out) == (2, "")
    assert err.startswith(f"fedbounds: {key}/errata.toml, finding 1 (P.lem1, conclusion): ")
    assert FILES[key][1] in err
