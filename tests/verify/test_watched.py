"""An author's call that no interruption reaches, or that ends its process, costs its own task only."""

import ctypes
import os
import signal
import sys
import time
from contextlib import suppress

import pytest

import fedbounds
from bounds.errors import Misuse
from synthetic.errors import AuthorMistake, UnknownProblem
from synthetic.outside import calls
from synthetic.outside.calls import call, limited
from synthetic.outside.problems import adopt_problem
from synthetic.problems import build
from synthetic.run import run as simulate
from synthetic.run import runnable
from verify.workers.watched import carry_out, watched

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only there a process is copied")
FOREVER = 10**13


def adds(number):
    return sum(range(FOREVER))  # in C, which asks for no signal


def frees(number):
    ctypes.string_at(0)


def leaves(number):
    os._exit(0)


def is_killed(number):
    os.kill(os.getpid(), signal.SIGKILL)


def swallows(number):
    while True:
        with suppress(BaseException):
            time.sleep(10)


def doubles(number):
    print("of the author")
    return 2 * number


def called(function, number):
    with limited(0.5):
        return call("a round", function, number), os.getpid()


@pytest.mark.parametrize(
    "workers", [1, pytest.param(2, marks=pytest.mark.slow("one worker is ended in tier one"))]
)
def test_a_call_that_cannot_be_interrupted_is_ended_and_the_others_are_done(workers):
    bad = {1: adds, 3: swallows, 4: frees, 5: leaves, 6: is_killed}
    tasks = [(n, (bad.get(n, doubles), n)) for n in range(8)]
    began = time.monotonic()
    found = dict(carry_out(called, tasks, workers, failed=lambda mistake, *_: str(mistake)))
    assert time.monotonic() - began < 60
    assert sorted(found) == [*range(8)]
    assert [found[n][0] for n in (0, 2, 7)] == [0, 4, 14]
    assert os.getpid() not in {found[n][1] for n in (0, 2, 7)}
    line = adds.__code__.co_firstlineno + 1
    assert found[1].startswith(f"a round ({__file__}, line {line}): a call took longer than 0.5 seconds")
    assert "its process was ended" in found[1]
    assert "a call took longer than 0.5 seconds" in found[3]
    assert f"line {frees.__code__.co_firstlineno + 1}): a call ended its process" in found[4]
    assert "SIGSEGV" in found[4]
    assert found[5].startswith("a round: a call ended its process; found exit code 0")
    assert "SIGKILL" in found[6]


def test_what_is_raised_arrives_with_its_lines():
    with pytest.raises(ZeroDivisionError) as caught:
        watched(lambda: 1 / 0)
    assert "lambda" in caught.value.__notes__[0]
    with pytest.raises(AuthorMistake, match="GeneratorExit"):
        watched(called, lambda number: (_ for _ in ()).throw(GeneratorExit), 1)


def test_what_an_author_prints_is_no_part_of_the_output(capfd):
    assert watched(called, doubles, 4)[0] == 8
    printed = capfd.readouterr()
    assert printed.out == ""
    assert "of the author" in printed.err


def hangs_far_away(x, clients, settings, random):
    if abs(x).max() > 10:
        return x + sum(range(FOREVER))
    return x - settings.step * clients.gradient(x)


@pytest.mark.slow("waits for limits of time, as the first call of this file does in tier one")
def test_the_cells_that_end_are_judged_and_the_others_refused():
    """The standard cells start near the minimizer and 100 away from it."""
    algorithm = fedbounds.Algorithm(round=hangs_far_away, settings={"step": fedbounds.REQUIRED}, seconds=0.5)
    found = fedbounds.check("textbook.gradient_descent_convex", algorithm=algorithm, quick=True, search=0)
    verdicts = {entry["role"]: entry["verdict"] for entry in found.entries}
    assert verdicts["homogeneous"] == "holds"
    far = next(e for e in found.entries if e["role"].startswith("started far"))
    assert far["verdict"] == "refused"
    assert "here.hangs_far_away" in far["sentence"]
    assert f"{__file__}, line {hangs_far_away.__code__.co_firstlineno + 2}" in far["sentence"]


def test_a_record_that_cannot_be_written_is_refused_before_the_work(tmp_path):
    taken = tmp_path / "file"
    taken.write_text("")
    began = time.monotonic()
    with pytest.raises(Misuse, match=r"cannot write .*record\.json"):
        fedbounds.check("textbook.gradient_descent_convex", algorithm=adds, out=taken / "folder")
    assert time.monotonic() - began < 5


def test_a_problem_that_nobody_has_is_refused_with_the_nearest_name():
    with pytest.raises(UnknownProblem, match=r"did you mean 'quadratic\.small'"):
        fedbounds.check("textbook.gradient_descent_convex", algorithm=adds, problem="quadratic.smal")


@pytest.mark.slow("waits for a limit of time")
def test_an_assumption_of_a_lemma_that_never_returns_is_ended(monkeypatch):
    monkeypatch.setattr(calls, "SECONDS", 0.5)
    paper = fedbounds.Paper(
        key="its", title="t", authors="a", bibtex="", package=__name__, notation=fedbounds.Notation()
    )
    x, y = fedbounds.vector("x"), fedbounds.vector("y")
    stuck = fedbounds.assume("stuck", lambda x, y: sum(range(FOREVER)))
    claim = fedbounds.norm(x + y) <= fedbounds.norm(x) + fedbounds.norm(y)
    lemma = fedbounds.lemma(paper, "its", claim, assumptions=[stuck])
    (entry,) = fedbounds.check(lemma, quick=True, search=0).entries
    assert entry["verdict"] == "refused"
    assert f"the assumption 'stuck' ({__file__}, line" in entry["sentence"]


@pytest.mark.slow("waits for a limit of time")
def test_a_problem_that_is_stuck_later_is_ended_by_its_own_limit():
    """Its claims are compared at the first calls, and a run makes later ones."""
    count = iter(range(10**9))
    bowl = fedbounds.OwnProblem(
        clients=1,
        dimension=1,
        value=lambda i, x: float(x @ x),
        gradient=lambda i, x: 2 * x if next(count) < 5000 else x + sum(range(FOREVER)),
        minimizer=[0.0],
        convex=True,
        bounded_below=True,
        constants={"smoothness": fedbounds.given_at_most(2, because="f'' = 2")},
        seconds=0.5,
    )
    name = adopt_problem(bowl, "later")
    settings = runnable("gradient_descent").settings(steps=6000, step=0.1, start=[1.0])

    def descend():
        return simulate("gradient_descent", build(name), settings, replicates=1, seed=0, stream="a").rounds

    began = time.monotonic()
    with pytest.raises(AuthorMistake, match=r"gradient of client 0 .*longer than 0\.5 seconds"):
        watched(descend)
    assert time.monotonic() - began < 30
