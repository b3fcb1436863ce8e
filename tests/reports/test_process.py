"""What only a real process shows: imports, pipes, signals, exit codes."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "reports.command_line"]

Process = Callable[..., "subprocess.Popen[str]"]

# What is loaded only grows, so the first command that loads too much is the one that is named.
ONE_AFTER_ANOTHER = """
import json, sys
from reports.command_line import run
inside = {"matplotlib.pyplot", "bounds.language.proof.steps"}
for arguments in json.loads(sys.argv[1]):
    try:
        code = run(arguments)
    except SystemExit as exit_:
        code = exit_.code
    loaded = sorted(m for m in sys.modules if "." not in m or m in inside)
    print(json.dumps([code or 0, loaded]), file=sys.stderr)
"""
TO_A_TERMINAL = """
import os, sys
os.dup2(int(sys.argv.pop(1)), 1)
from reports.command_line import main
main()
"""
SOLVE = [
    "solve",
    "textbook.gradient_descent_convex",
    "--for",
    "N",
    "--target",
    "0.01",
    "--set",
    "L=1",
    "D0=1",
]
EVAL = ["eval", "textbook.gradient_descent_convex", "--set", "L=1", "D0=1", "N=10"]


PLOTS = {"torch", "matplotlib", "matplotlib.pyplot"}
ARRAYS = PLOTS | {"numpy", "scipy"}
HEAVY = ARRAYS | {"sympy", "jinja2", "latex2mathml", "bounds", "verify"}
# By what they must not load, the most first.
WITHOUT = {
    "the help loads nothing heavy": (
        HEAVY,
        [["--help"], ["eval", "--help"], ["verify", "--help"], ["--version"]],
    ),
    "what computes nothing loads no arrays": (
        ARRAYS | {"bounds.language.proof.steps"},  # which reads the transcriptions
        [["errata"], ["cite", "dp_fedavg.theorem_2"], ["list"]],
    ),
    "a replay loads no distributions and no optimizer": (
        PLOTS | {"scipy.stats", "scipy.optimize"},
        [["replay", str(ROOT / "verify" / "falsified" / "fed_norm_ec.lemma_1.json")]],
    ),
    "reading and evaluating load no tensors and no plots": (
        PLOTS,
        [
            ["show", "fed_norm_ec.theorem_1.main", "--steps"],
            EVAL,
            SOLVE,
            ["audit", "dp_fedavg.theorem_2"],
        ],
    ),
}


def loaded_after(process: Process, commands: list[list[str]]) -> list[set[str]]:
    """The modules that are loaded after each command, in one process."""
    out, err = process(json.dumps(commands), code=ONE_AFTER_ANOTHER).communicate(timeout=60)
    assert out
    seen = [json.loads(line) for line in err.splitlines() if line.startswith("[")]
    assert [code for code, _ in seen] == [0] * len(commands), err
    return [set(modules) for _, modules in seen]


def test_a_command_loads_no_more_than_it_needs(process: Process) -> None:
    expected = [(what, command, names) for what, (names, group) in WITHOUT.items() for command in group]
    found = loaded_after(process, [command for _, command, _ in expected])
    assert found[-1] >= {"bounds", "numpy", "sympy"}, "what is loaded is not seen"
    too_much = {
        f"{what}: {shlex.join(command)}": sorted(modules & names)
        for (what, command, names), modules in zip(expected, found, strict=True)
        if modules & names
    }
    assert too_much == {}


@pytest.mark.parametrize("arguments", [["errata"], ["--help"]])
def test_a_reader_that_leaves_is_no_error(process: Process, arguments: list[str]) -> None:
    running = process(*arguments)
    assert running.stdout is not None
    assert running.stderr is not None
    running.stdout.close()
    with running.stderr:
        assert (running.stderr.read(), running.wait(timeout=60)) == ("", 0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.thinned(2)
@pytest.mark.parametrize("arguments", [["errata"], ["errata", "--json"], ["--help"], EVAL], ids=" ".join)
def test_a_full_disk_is_one_sentence(arguments: list[str]) -> None:
    done = _in_a_shell(f"{shlex.join([*COMMAND, *arguments])} > /dev/full")
    assert done.returncode == 2
    assert done.stderr == "fedbounds: cannot write to standard output: no space left on device\n"


@pytest.mark.slow("a process with each stream closed; a full disk is tried in the first tier")
def test_closed_streams() -> None:
    done = _in_a_shell(f"{shlex.join(COMMAND)} errata >&-")
    assert done.returncode == 2
    assert done.stderr == "fedbounds: cannot write to standard output: it is closed\n"
    mute = _in_a_shell(f"{shlex.join(COMMAND)} errata nosuch 2>&-")
    assert (mute.returncode, mute.stdout) == (2, "")


def _in_a_shell(line: str) -> "subprocess.CompletedProcess[str]":
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        line, shell=True, env=environment, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.slow("kills a verification with workers; the next test kills one without")
def test_workers_are_interrupted_without_a_traceback(process: Process, tmp_path: Path) -> None:
    """Ctrl-C reaches the whole group: what is to be said of it, one process says."""
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    code = f"{heard}\nif __name__ == '__main__':\n    from reports.command_line import main; main()"
    options = ["--quick", "--workers", "2", "--out", str(tmp_path)]
    running = process("verify", "dp_fedavg", *options, code=code, start_new_session=True)
    assert running.stderr is not None
    lines = iter(running.stderr.readline, "")
    assert any(line.startswith("1/") for line in lines)
    os.killpg(running.pid, signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert running.returncode == 130
    told = [line for line in err.splitlines() if not re.match(r"\d+/\d+", line)]
    after = f"finished cells are in {tmp_path}, and the same command goes on from there"
    assert told == [f"interrupted ({after})"]


def test_interrupted_without_a_traceback(process: Process) -> None:
    # whoever runs the tests in the background may have told its children to ignore interrupts
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    running = process(
        "verify", "fed_norm_ec.theorem_1.main", code=f"{heard}; from reports.command_line import main; main()"
    )
    assert running.stderr is not None
    first = running.stderr.readline()
    assert first.startswith("1/")
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "Traceback" not in err


def test_an_exit_code_reaches_the_shell(process: Process) -> None:
    """The code of misuse is that of a full disk, above."""
    given = ["D0=1", "K=1", "eta=9", "mu=1", "L=1", "sigma=0"]
    running = process("eval", "textbook.stochastic_gradient_descent", "--set", *given)
    running.communicate(timeout=60)
    assert running.returncode == 3


@pytest.mark.slow("a process in a terminal; another is in the first tier")
def test_a_terminal_without_unicode(process: Process) -> None:
    running = process("show", "fed_norm_ec.theorem_1.main", env={"PYTHONIOENCODING": "ascii"})
    out, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (0, "")
    assert "Richt?rik" in out


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a pseudo-terminal")
@pytest.mark.thinned(2)
@pytest.mark.parametrize(("columns", "plain"), [(50, True), (80, False)])
def test_in_a_terminal(process: Process, columns: int, plain: bool) -> None:
    """Escape codes only there, none under NO_COLOR, and no line wider than the window."""
    import fcntl
    import struct
    import termios

    mine, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    environment = {"TERM": "xterm", "NO_COLOR": "1" if plain else "", "COLUMNS": str(columns)}
    shown_there = [str(theirs), "show", "fed_norm_ec.theorem_1.main"]
    running = process(*shown_there, code=TO_A_TERMINAL, pass_fds=(theirs,), env=environment)
    os.close(theirs)
    shown = _everything(mine)
    running.communicate(timeout=60)
    assert running.returncode == 0
    assert ("\x1b" in shown) is not plain
    lines = re.sub(r"\x1b\[[0-9;]*m", "", shown).replace("\r", "").split("\n")
    assert "Conditions" in lines
    assert max(map(len, lines)) <= columns


def _everything(descriptor: int) -> str:
    out = b""
    while True:
        try:
            part = os.read(descriptor, 65536)
        except OSError:  # Linux says so when the other side is closed
            break
        if not part:
            break
        out += part
    os.close(descriptor)
    return out.decode()


@pytest.mark.slow("processes; the README test reads piped output")
def test_piped_output_has_no_escape_codes(process: Process) -> None:
    for arguments in (["show", "dp_fedavg.theorem_2"], ["--help"]):
        out, _ = process(*arguments, env={"TERM": "xterm"}).communicate(timeout=60)
        assert out
        assert "\x1b" not in out


@pytest.mark.slow("a process of another user")
def test_an_unreadable_folder(process: Process, tmp_path: Path) -> None:
    running = process("report", str(tmp_path / "nowhere"))
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out, err.count("\n")) == (2, "", 1)
