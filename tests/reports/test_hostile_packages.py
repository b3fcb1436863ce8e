"""Packages that break what they are installed beside: one sentence for each, and everything else goes on."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAPER = """
import sys, warnings
import numpy as np
from fedbounds import NATURAL, NON_NEGATIVE, POSITIVE, F, Notation, Over, Paper, X
from fedbounds import at_start, constant, setting
NOTATION = Notation()
q = NOTATION.quantity
K = q("K", "K", "rounds", NATURAL, part=setting("rounds"))
eta = q("eta", "e", "step", POSITIVE, X**2 / F, part=setting("step"))
L = q("L", "L", "smoothness", POSITIVE, F / X**2, part=constant("smoothness"))
D = q("D", "D", "distance at the start", NON_NEGATIVE, X, part=at_start("distance"))
far = NOTATION.observable("far", "d", "squared distance", X**2, Over.LAST, measured="squared_distance")
PAPER = Paper(key="{key}", title="T", authors="me", bibtex="@misc{{t}}", package=__name__, notation=NOTATION)
{more}
"""
THEOREM = """
from {package} import D, K, L, PAPER, eta, far
from fedbounds import CONVEX_CLIENTS, SMOOTH_CLIENTS, Kind, Statement, Term, at_most
THEOREM = Statement(
    locator="t", kind=Kind.UPPER_BOUND, paper={paper}, title="t", algorithm="{algorithm}", printed=("d",),
    reading="r", left=far, terms=(Term("start", D**2, "distance"),),
    assumptions=(CONVEX_CLIENTS, SMOOTH_CLIENTS), conditions=(at_most(eta, 1 / L, locator="t", printed="e"),),
    example={{"L": 1, "eta": 0.1, "D": 2, "K": 10}},
)
"""
ROUND = """
from fedbounds import REQUIRED, Algorithm

def {name}(x, clients, settings, random):
    {body}
    return x - settings.step * clients.gradient(x)

ALGORITHM = Algorithm(round={name}, settings={{"step": REQUIRED}}, seconds=0.5)
"""


def install(site: Path, key: str, package: str = "", more: str = "", **modules: str) -> None:
    package = package or f"their_{key}"
    texts = {"__init__": PAPER.format(key=key, more=more)} | modules
    for name, text in texts.items():
        file = site / package / f"{name}.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    info = site / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[fedbounds.papers]\n{key} = {package}\n")


def theorem(package: str, paper: str = "PAPER", algorithm: str = "gradient_descent") -> str:
    return THEOREM.format(package=package, paper=paper, algorithm=algorithm)


MAIN = "from reports.command_line import main; main()"


def fedbounds(site: Path, *words: str, program: str = MAIN) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join((str(site), str(ROOT)))
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What each of them does to the process is done to all verbs, which load every package."""
    folder = tmp_path_factory.mktemp("site")
    install(folder, "loud", more="print('imported')", theorem=theorem("their_loud"))
    setting = "np.seterr(all='raise'); warnings.simplefilter('error')"
    one_cell = theorem("their_strict").replace('reading="r"', 'reading="r", problems=("quadratic.small",)')
    install(folder, "strict", more=setting, theorem=one_cell)
    install(folder, "worded", theorem=theorem("their_worded", paper="'a paper'"))
    install(folder, "one", "their_other", theorem=theorem("their_other").replace("'one'", "'two'"))
    (folder / "their_other" / "__init__.py").write_text(PAPER.format(key="two", more=""))
    return folder


def test_what_a_package_prints_is_in_no_document(site: Path) -> None:
    found = fedbounds(site, "eval", "loud.theorem", "--example", "--json")
    assert json.loads(found.stdout)["value"] == 4
    assert "imported" in found.stderr


def test_packages_that_cannot_be_used_are_named_and_the_others_judged(site: Path) -> None:
    """One sets numpy to raise on underflow, which a run of any theorem meets."""
    found = fedbounds(site, "verify", "--quick", "strict.theorem")
    assert found.returncode == 0, found.stderr
    listed = fedbounds(site, "list", "worded")
    assert listed.returncode == 2
    theirs = site / "their_worded" / "theorem.py"
    assert f"{theirs}, line 4: MalformedStatement: the statement t: paper='a paper' is a str" in listed.stderr
    assert listed.stderr.count("paper='a paper'") == 1
    assert "is installed under the key one, and its Paper has the key 'two'" in listed.stderr
    assert "Traceback" not in listed.stderr


HURRIED = """
from bounds import limited_imports
limited_imports.SECONDS = 0.5
from reports.command_line import main
main()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only there a process is copied")
@pytest.mark.slow("waits for a limit of time; test_watched has one in compiled code in tier one")
def test_an_import_that_hangs_in_compiled_code_is_ended(tmp_path: Path) -> None:
    """It hears no interruption, and a thread that it waits for would hold up the end of the process."""
    install(tmp_path, "stuck", more="sum(range(10**13))")
    found = fedbounds(tmp_path, "cite", "textbook.sgd", program=HURRIED)
    assert (found.returncode, found.stdout) == (2, "")
    where = f"{tmp_path / 'their_stuck' / '__init__.py'}, line {PAPER.count(chr(10))}"
    assert f"the import of their_stuck ({where})" in found.stderr
    assert found.stderr.count("\n") == 1


BODIES = {
    "stuck": "sum(range(10**13))",
    "leaves": "import os; os._exit(0)",
    "waits": "import threading, time; threading.Thread(target=time.sleep, args=(600,)).start()",
    "greedy": "import numpy; numpy.ones(10**13)",
    "talks": "print('of the author')",
}


@pytest.fixture(scope="module")
def rounds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rounds")
    modules = {name: ROUND.format(name=name, body=body) for name, body in BODIES.items()}
    install(folder, "mine", **modules)
    return folder


def run(site: Path, name: str) -> subprocess.CompletedProcess[str]:
    given = ("--problem", "quadratic.small", "--json", "--set", "rounds=2", "step=0.1")
    return fedbounds(site, "run", f"mine.{name}", *given)


@pytest.mark.skipif(sys.platform != "linux", reason="only there a process is copied")
@pytest.mark.parametrize(
    "name",
    [pytest.param("stuck", marks=pytest.mark.slow("test_watched ends such a call in tier one")), "leaves"],
)
def test_a_round_that_never_returns_is_one_sentence(rounds: Path, name: str) -> None:
    found = run(rounds, name)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith(f"fedbounds: mine.{name}")
    assert found.stderr.count("\n") == 1


@pytest.mark.thinned(2)
@pytest.mark.parametrize("name", ["waits", "talks"])
def test_what_a_round_leaves_behind_is_in_no_document(rounds: Path, name: str) -> None:
    found = run(rounds, name)
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout)["algorithm"] == f"mine.{name}"


@pytest.mark.slow("two commands of many processes; tests/verify/test_watched.py ends such cells in one")
@pytest.mark.skipif(sys.platform != "linux", reason="only there a process is copied")
def test_a_cell_without_memory_or_end_costs_no_other_theorem(rounds: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    modules = {name: ROUND.format(name=name, body=BODIES[name]) for name in ("stuck", "greedy", "talks")}
    theorems = {f"theorem_{name}": theorem("their_own", algorithm=f"own.{name}") for name in modules}
    for name in theorems:  # one cell of each is enough
        theorems[name] = theorems[name].replace('reading="r"', 'reading="r", problems=("quadratic.small",)')
    install(site, "own", **modules, **theorems)
    found = fedbounds(site, "verify", "own", "--quick", "--json", "--workers", "2", "--out", str(tmp_path))
    assert found.returncode == 3, found.stderr
    cells = json.loads(found.stdout)["cells"]
    by = {name: {c["verdict"] for c in cells if c["id"] == f"own.theorem_{name}"} for name in modules}
    assert by == {"stuck": {"refused"}, "greedy": {"refused"}, "talks": {"holds"}}
    greedy = next(c["sentence"] for c in cells if c["id"] == "own.theorem_greedy")
    assert "needs more memory than there is" in greedy
    # what ended there ends again, and is the same
    again = fedbounds(site, "replay", str(tmp_path), "--json", "--workers", "2")
    assert again.returncode == 0, again.stderr
    assert [c["agrees"] for c in json.loads(again.stdout)["cells"]] == [True] * len(cells)


@pytest.mark.slow("a process; tests/reports/test_process.py has a full disk in tier one")
def test_standard_output_that_is_closed_is_one_sentence(rounds: Path) -> None:
    words = ("run", "mine.talks", "--problem", "quadratic.small", "--set", "rounds=2", "step=0.1")
    program = [sys.executable, "-c", "from reports.command_line import main; main()", *words]
    found = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *program],
        env=os.environ | {"PYTHONPATH": os.pathsep.join((str(rounds), str(ROOT)))},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert found.returncode == 2
    assert "cannot write to standard output: it is closed" in found.stderr
    assert "Traceback" not in found.stderr
