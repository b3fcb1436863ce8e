"""Hostile input is misuse, never a defect of fedbounds: code 2, one sentence, nothing on stdout or disk."""

import copy
import errno
import inspect
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from cyclopts import Parameter

from reports import command_line
from reports.cli import failures
from reports.cli.sentence import LONGEST, one_line, shortened
from reports.inputs import feasible
from reports.verbs import options
from synthetic.errors import BadValue, MissingExtra, WrongPlan

Misused = Callable[..., str]
Fedbounds = Callable[..., Any]
ROOT = Path(__file__).resolve().parents[2]

STATEMENT = "textbook.gradient_descent_convex"
RUN = ["run", "gradient_descent", "--problem", "quadratic.small", "--replicates", "2"]
DESCENT = [*RUN, "--set", "step=0.1", "steps=2"]
PRIVATE = ["rounds=2", "local_steps=2", "local_step=0.1", "clip_threshold=1", "clients_per_round=3"]
PRIVATE += ["noise_scale=0.1"]
TERMS = ["compare", "terms", STATEMENT, "--over", "N=1:10", "--set", "L=1", "D0=1"]

# ---- numbers


@pytest.mark.parametrize("setting", ["local_step", "server_step", "clip_threshold", "noise_scale"])
@pytest.mark.parametrize(
    "value", [10**20, f"-{10**20}", "1" * 400, "1" * 2000, "1e400", "1e99999999/3", "1_0"]
)
def test_settings_of_any_size(fedbounds: Fedbounds, setting: str, value: object) -> None:
    others = [word for word in PRIVATE if not word.startswith(f"{setting}=")]
    words = ["run", "dp_fedavg", *RUN[2:], "--set", *others, f"{setting}={value}"]
    done = fedbounds(*words)
    assert (done.code, done.err.count("\n")) == ((0, 0) if value == 10**20 else (2, 1)), done.err
    assert len(done.err) < 400


@pytest.mark.parametrize(
    ("word", "said"),
    [
        (f"rounds={10**20}", "rounds must be at most 9,223,372,036,854,775,807"),
        (f"local_steps={10**20}", "local_steps must be at most"),
        (f"rounds={10**15}", "takes at least"),
        ("rounds=1/2", "rounds must be a whole number, not 1/2"),
        ("rounds=٣", "whole number"),
        (f"start=[{10**20}, {10**400}, 1, 1]", "which is not a finite number"),
        ("clients_per_round=1/0", "divides by zero"),
    ],
)
def test_settings(misuse: Misused, word: str, said: str) -> None:
    others = [other for other in PRIVATE if other.partition("=")[0] != word.partition("=")[0]]
    assert said in misuse("run", "dp_fedavg", *RUN[2:], "--set", *others, word)


def test_a_fraction_is_an_argument_of_a_problem(fedbounds: Fedbounds) -> None:
    thirds = [
        fedbounds("constants", "quadratic.small", "--set", f"heterogeneity={third}", "--json").json
        for third in ("1/3", repr(1 / 3))
    ]
    assert thirds[0] == thirds[1]
    assert thirds[0]["arguments"]["heterogeneity"] == 1 / 3


def test_a_number_beyond_floats_that_appears_on_the_way(misuse: Misused) -> None:
    words = ["step=0.1", "clip_threshold=1", "noise_multiplier=0.1", "batch_size=2", "auxiliary_noise=mean"]
    words += ["communication_budget=2", "privacy_budget=2", "control=1", "smallest_gap=1"]
    words += ["communication_cost=1e-320"]
    told = misuse("run", "als_dpfl", *RUN[2:], "--set", *words)
    assert "leaves the range of floats" in told or "auxiliary_noise" in told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--seed", "1.5"], "--seed must be a whole number such as 3, not '1.5'"),
        (["--seed", "1_0"], "whole number"),
        (["--seed", "0x10"], "whole number"),
        (["--seed", "٣"], "whole number"),
        (["--seed", ""], "whole number"),
        (["--seed", "-1"], ">= 0"),
        (["--seed", "1" * 30], "at most 9,223,372,036,854,775,807"),
        (["--seed", "1" * 5000], "(5,002 characters)"),
        (["--threads", "1000000"], "between 1 and 256"),
        (["--threads", "1e3"], "whole number"),
        (["--observe", "gap", "gap"], "--observe names gap twice"),
        (["--observe"], "--observe needs the name"),
        (["--device", "cpu:7"], "numpy computes on the cpu"),
        (["--device", "cpu:7", "--backend", "torch"], "there is one device cpu"),
        (["--device", "meta", "--backend", "torch"], "torch cannot use it"),
        (["--device", "xla", "--backend", "torch"], "torch cannot use it"),
        (["--device", "", "--backend", "torch"], "torch cannot use it"),
    ],
)
def test_options_of_a_run(misuse: Misused, words: list[str], said: str) -> None:
    told = misuse(*DESCENT, *words)
    assert said in told
    assert len(told) < 400


def test_a_device_that_is_there_is_taken(fedbounds: Fedbounds) -> None:
    assert fedbounds(*DESCENT, "--device", "cpu:0", "--backend", "torch").code == 0


@pytest.mark.parametrize("verb", ["verify", "report"])
@pytest.mark.parametrize("workers", ["0", "100000", "1.5"])
def test_workers(misuse: Misused, tmp_path: Path, verb: str, workers: str) -> None:
    what = STATEMENT if verb == "verify" else tmp_path
    assert "--workers must be" in misuse(verb, what, "--workers", workers)


def test_every_number_and_path_of_an_option_is_read_by_one_reader() -> None:
    """A verb that reads them itself would round 1.5, or take an empty path for the current folder."""
    readers = {int: options.convert_integer, float: options.real, Path: options.place}
    read = 0
    for verb in command_line.VERBS:
        module = import_module(f"reports.verbs.{verb}")
        functions = [f for name, f in inspect.getmembers(module, inspect.isfunction) if name[0] != "_"]
        own = [f for f in functions if f.__module__ == module.__name__]
        commands = [f for f in own if "json" in inspect.signature(f).parameters]
        for command in commands:
            for hint in get_type_hints(command, include_extras=True).values():
                kind, *more = get_args(hint) or (hint,)
                parameters = [entry for entry in more if isinstance(entry, Parameter)]
                wanted = [reader for k, reader in readers.items() if k in (kind, *get_args(kind))]
                if parameters and wanted:
                    read += 1
                    assert [p.converter for p in parameters] == wanted, (verb, command, hint)
    assert read > 20


@pytest.mark.parametrize(("sigma", "delta"), [("5e-324", "1e-6"), ("1", "5e-324")])
def test_noise_at_the_end_of_the_floats(misuse: Misused, sigma: str, delta: str) -> None:
    words = ["--sigma", sigma, "--delta", delta, "--rounds", "5", "--sampling", "full"]
    assert "leaves the range of floats" in misuse("privacy", "epsilon", *words, "--relation", "replace-one")


@pytest.mark.parametrize(
    ("over", "said"),
    [
        ("N=1:10:" + "9" * 5000, "whole number"),
        ("N=1:10:-1", "whole number >= 0"),
        ("N=1:1e308", "at most"),
        ("N=-1e308:1e308", "too far apart"),
        ("N=1e-300:1e300:9:log", "too far apart"),
    ],
)
def test_axes(misuse: Misused, over: str, said: str) -> None:
    assert said in misuse("compare", "terms", STATEMENT, "--over", over, "--set", "L=1", "D0=1")


@pytest.mark.parametrize("size", ["1/" + "9" * 5000, "٣/٤", "1.5/2", "/", "2/1"])
def test_draws_of_a_fixed_size(misuse: Misused, size: str) -> None:
    words = ["--sigma", "1", "--delta", "1e-6", "--rounds", "5", "--relation", "replace-one"]
    misuse("privacy", "epsilon", *words, "--sampling", f"fixed_size:{size}")


# ---- what no machine holds


def test_runs_that_no_memory_holds(misuse: Misused) -> None:
    assert "is too large" in misuse(*RUN[:4], *DESCENT[6:], "--replicates", 10**13)
    words = ["compare", "algorithms", "gradient_descent", *RUN[2:4], "--set", "step=0.1", "steps=10000000"]
    assert "is too large" in misuse(*words, "--replicates", 10**6)


def test_a_limit_that_is_set_is_the_memory_that_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource", reason="limits of memory are of Unix")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (2**20, 2**20))
    assert feasible.memory() == 2**20
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert feasible.memory() > 2**28


# ---- the machine


@pytest.fixture
def home_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").write_text("no folder")


@pytest.mark.usefixtures("home_is_a_file")
@pytest.mark.parametrize("command", [DESCENT, ["verify", STATEMENT, "--quick"], ["doctor", "--tune"]])
def test_a_home_that_is_a_file(misuse: Misused, monkeypatch: pytest.MonkeyPatch, command: list[str]) -> None:
    monkeypatch.setattr("synthetic.tuning.fastest_plan.measured", lambda *_: pytest.fail("measured first"))
    told = misuse(*command)
    assert "not a directory" in told
    assert "set XDG_CONFIG_HOME" in told


@pytest.mark.usefixtures("home_is_a_file")
def test_doctor_reports_a_plan_that_cannot_be_read(fedbounds: Fedbounds) -> None:
    done = fedbounds("doctor", "--json")
    assert (done.code, done.json["healthy"], done.json["plan"]["name"]) == (1, False, "unreadable")
    assert "not a directory" in done.json["plan"]["reason"]
    assert "The recorded plan cannot be read" in fedbounds("doctor").out


def test_a_plan_of_somebody_else(
    misuse: Misused, fedbounds: Fedbounds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root reads everything, so the refusal is made here."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    original = Path.read_text

    def guarded(path: Path, *arguments: Any, **more: Any) -> str:
        if path.name == "plan.json":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return original(path, *arguments, **more)

    monkeypatch.setattr(Path, "read_text", guarded)
    assert "permission denied" in misuse(*DESCENT)
    assert "permission denied" in fedbounds("doctor", "--json").json["plan"]["reason"]


def test_a_user_without_a_home(misuse: Misused, monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    assert "set XDG_CONFIG_HOME" in misuse(*DESCENT)


@pytest.mark.slow("processes with few descriptors")
@pytest.mark.skipif(sys.platform == "win32", reason="limits of descriptors are of Unix")
def test_too_few_open_files(tmp_path: Path) -> None:
    code = "import resource, sys; resource.setrlimit(resource.RLIMIT_NOFILE, (10, 10)); "
    code += "from reports.command_line import main; main(sys.argv[1:])"
    words = ["verify", "textbook", "--quick", "--workers", "2"]
    done = subprocess.run(
        [sys.executable, "-c", code, *words], env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr.startswith("fedbounds: too many open files")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.EMFILE, "x"), "too many open files"),
        (OSError(errno.ENOSPC, "x"), "no space is left"),
        (RuntimeError("can't start new thread"), "fewer --workers or --threads"),
        (BrokenProcessPool("x"), "a worker process ended"),
        (MissingExtra(asked="a", failed="b", found="c", needed="d", change="e"), "a: b; found c"),
        (OSError(errno.EBADF, "x"), None),
        (RuntimeError("x"), None),
        (BadValue(asked="a", failed="b", found="c", needed="d", change="e"), None),
    ],
)
def test_whose_fault_a_failure_is(
    fedbounds: Fedbounds, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str | None
) -> None:
    def failing(json: options.Json = False) -> int:
        raise error

    monkeypatch.setattr("reports.verbs.doctor.run", failing)
    done = fedbounds("doctor")
    assert done.code == (70 if said is None else 2)
    assert (said or "defect of fedbounds") in done.err


def test_a_refusal_comes_out_of_a_worker_as_it_is() -> None:
    made = WrongPlan(asked="a", failed="b", found=3, needed="d", change="e")
    again = copy.copy(made)  # as pickle makes it
    assert (type(again), str(again), again.found) == (WrongPlan, str(made), 3)


# ---- what is quoted


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("no statement x: try y", "no statement x: try y"),
        ("not " + "9" * 5000 + ", but", "not " + shortened("9" * 5000) + ", but"),
        ("not '" + "a b " * 100 + "'", "not " + shortened("'" + "a b " * 100 + "'")),
        ("two\nlines\tand \x1b[31mred", "two lines and \\x1b[31mred"),
        (
            "[[1, 2], " + "[3, 4], " * 50 + "[5]] is no x",
            shortened("[[1, 2], " + "[3, 4], " * 50 + "[5]]") + " is no x",
        ),
        ("not {'a': [" + "1, " * 90 + "2]}", "not " + shortened("{'a': [" + "1, " * 90 + "2]}")),
        ("it's what the user's " + "word " * 40 + "isn't", None),
    ],
)
def test_quotations_are_short_and_move_no_cursor(text: str, shown: str | None) -> None:
    assert one_line(text) == (text if shown is None else shown)


def test_a_short_form_says_what_it_leaves_out() -> None:
    assert shortened("a" * LONGEST) == "a" * LONGEST
    assert shortened("a" * 70 + "b" * 1000) == "a" * 60 + "..." + "b" * 20 + " (1,070 characters)"


@pytest.mark.parametrize(
    "words",
    [
        ["show", "x" * 5000],
        ["eval", STATEMENT, "--set", "L=" + "x " * 3000],
        ["eval", STATEMENT, "--set", "x" * 5000 + "=1"],
        ["eval", STATEMENT, "--variant", "x" * 5000],
        ["solve", STATEMENT, "--for", "x" * 5000, "--target", "1"],
        ["constants", "x" * 5000],
        ["run", "x" * 5000, "--problem", "y" * 5000],
        ["verify", "--level", "9" * 5000],
        ["compare", "terms", STATEMENT, "--over", "N=" + "1:" * 3000],
        ["cite", "\x1b[2J"],
        ["x" * 5000],
    ],
)
def test_whatever_is_quoted(misuse: Misused, words: list[str]) -> None:
    told = misuse(*words)
    assert len(told) < 1000  # of 5000 letters that were given; the names that there are come with them
    assert "\x1b" not in told


# ---- papers of others


@pytest.fixture
def scaffolded(
    fedbounds: Fedbounds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str], Path]]:
    """What writes the package of an author of this name, found beside the textbook alone; its folder."""
    from bounds import discovery

    packages = {"textbook": "bounds.papers.textbook"}

    def write(name: str) -> Path:
        assert fedbounds("new", "theorem", f"{name}/theorem-1", "--out", tmp_path / "x").code == 0
        packages[name] = name
        monkeypatch.syspath_prepend(tmp_path / "x")
        return tmp_path / "x" / name

    monkeypatch.setattr(discovery, "_packages", lambda: packages)
    yield write
    discovery._modules.cache_clear()
    discovery._members.cache_clear()
    discovery._left_out.clear()
    for name in [name for name in sys.modules if name.partition(".")[0] in packages]:
        del sys.modules[name]


def test_a_statement_that_cannot_be_worked_with_is_its_authors(
    fedbounds: Fedbounds, scaffolded: Callable[[str], Path]
) -> None:
    file = scaffolded("its_author") / "theorem_1.py"
    file.write_text(file.read_text().replace("decreasing=(K, eta)", "decreasing=7"))
    done = fedbounds("audit", "its_author")
    assert (done.code, done.out) == (2, "")
    told = done.err.splitlines()[-1]
    assert "the paper its_author of the package its_author cannot be loaded" in told
    assert f"{file}, line " in told
    assert "decreasing=7 is an int, and a tuple of Symbol" in told


def test_a_quantity_that_says_nothing_is_named(
    misuse: Misused, fedbounds: Fedbounds, scaffolded: Callable[[str], Path]
) -> None:
    notation = scaffolded("her_author") / "notation.py"
    notation.write_text(notation.read_text().replace(', part=setting("step")', ""))
    missing = "the quantity eta (step size) does not say what it is in a run"
    assert missing in misuse("verify", "her_author")
    falsified = fedbounds("falsify", "her_author.theorem_1")
    assert (falsified.code, missing in falsified.out.replace("\n  ", " ")) == (3, True)


def test_a_failure_of_ours_is_nobody_elses() -> None:
    assert failures.of_an_author(ZeroDivisionError("ours")) is None
