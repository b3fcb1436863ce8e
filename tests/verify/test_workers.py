"""Where a task is carried out changes no result; what goes wrong there is named, and nothing is lost."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from synthetic.errors import AuthorMistake
from verify.campaign.campaign import run_campaign
from verify.campaign.store import Store
from verify.cell import Cell
from verify.runs.check import standard_cells
from verify.workers import cluster
from verify.workers.cluster import Cluster, ClusterUnusable
from verify.workers.place import UnknownPlace, place_named
from verify.workers.processes import Processes
from verify.workers.watched import watched

RUN: dict[str, Any] = {"level": 1e-3, "seed": 1, "replicates": 16}


def cells() -> tuple[Cell, ...]:
    import bounds

    return standard_cells([bounds.get("textbook.gradient_descent_convex")])


def doubled(number: int) -> dict[str, int]:
    return {"twice": 2 * number, "process": os.getpid()}


def slept(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def killed(number: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def killed_once(folder: str, number: int) -> int:
    """The first to come dies; the others are as usual."""
    mark = Path(folder) / "dead"
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return 2 * number
    killed(number)
    raise AssertionError


def unsendable(number: int) -> object:
    return {1, 2}


def hanging(number: int) -> object:
    from synthetic.outside.calls import call, limited

    def spin() -> None:
        while True:
            pass

    with limited(0.5):
        return call("a round", spin)


def raising(number: int) -> object:
    raise ZeroDivisionError("of the task")


def of_two_workers() -> list[int]:
    tasks = [(number, (number,)) for number in range(4)]
    return [found["process"] for _, found in Processes(2).carry_out(doubled, tasks)]


def is_running(process: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="only there a process is copied")
def test_workers_end_before_the_process_that_has_asked_them() -> None:
    """The copy that carries out a verb for an author's package is ended as soon as it has answered."""
    workers = watched(of_two_workers)
    assert len(workers) == 4
    assert not any(map(is_running, workers))


@pytest.mark.skipif(sys.platform != "linux", reason="only there a process hears that its parent has ended")
def test_workers_end_with_the_process_that_has_begun_them(tmp_path: Path) -> None:
    (tmp_path / "tasks.py").write_text(
        "import os, time\n"
        "def waits(number):\n"
        "    os.write(1, b'%d\\n' % os.getpid())\n"  # at once: two lines of two workers must not mix
        "    time.sleep(600)\n"
    )
    program = tmp_path / "begins.py"
    program.write_text(
        "from tasks import waits\n"
        "from verify.workers.processes import Processes\n"
        "list(Processes(2).carry_out(waits, [(n, (n,)) for n in range(2)]))\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(tmp_path), *sys.path))}
    with subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, env=environment) as begun:
        assert begun.stdout is not None
        try:
            workers = [int(begun.stdout.readline()) for _ in range(2)]
        finally:
            begun.kill()
    until = time.monotonic() + 30
    while any(map(is_running, workers)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(is_running, workers))


@pytest.mark.parametrize(
    "name", ["there", "dask:/x", "dask://", "dask://host", "dask://host:port", "http://h:1"]
)
def test_a_place_that_is_none_is_one_sentence(name: str) -> None:
    with pytest.raises(UnknownPlace, match="local, dask, or dask://HOST:PORT"):
        place_named(name, 1)


def test_places_by_name() -> None:
    assert place_named("local", 3) == Processes(3)
    assert place_named("dask", 3) == Cluster(address=None, workers=3)
    assert place_named("dask://[::1]:8786", 1) == Cluster(address="[::1]:8786", workers=1)


def test_tasks_are_asked_for_as_they_are_needed() -> None:
    """Nothing waits in memory: a million tasks may come from a generator."""
    asked = []

    def tasks() -> Any:
        for number in range(5):
            asked.append(number)
            yield number, (number,)

    results = Processes(1).carry_out(doubled, tasks())
    assert next(results)[1]["twice"] == 0
    assert len(asked) == 2
    assert [found["twice"] for _, found in results] == [2, 4, 6, 8]


def test_a_worker_of_other_versions_is_refused_with_both() -> None:
    other = cluster.versions() | {"numpy": "1.0"}
    text = cluster._difference("tcp://there", other)
    assert "numpy 1.0" in text
    assert cluster.versions()["numpy"] in text
    [answer], _ = cluster._carry_out_group(other, doubled, [(1,)])
    with pytest.raises(ClusterUnusable, match="joined last"):
        cluster._result(answer.replace('"numpy": "', '"numpy": "9.'), 1)


def test_a_group_ends_before_a_task_that_fails_and_when_its_time_is_over() -> None:
    def work(group: list[Any], function: Any = slept) -> int:
        texts, _ = cluster._carry_out_group(cluster.versions(), function, [(task,) for task in group])
        return len(texts)

    assert work([0.0] * 20) == 20
    assert work([0.0, 2 * cluster.GROUP, 0.0]) == 2
    assert work([0.0, -1.0, 0.0]) == 1  # to sleep for less than nothing is an error
    with pytest.raises(ValueError, match="non-negative"):
        work([-1.0, 0.0])


def test_without_dask_one_sentence_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterUnusable, match=r"pip install 'fedbounds\[cluster\]'"):
        list(place_named("dask", 1).carry_out(doubled, [(0, (1,))]))


# ---- a cluster that is started here


@pytest.fixture
def dask(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers find this file as the tests do."""
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    here = str(Path(__file__).parent)
    monkeypatch.syspath_prepend(here)
    known = os.environ.get("PYTHONPATH", "")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([here, *filter(None, [known])]))


def here(name: str) -> Any:
    """A function of this file under the name that a worker imports it by."""
    return getattr(import_module(Path(__file__).stem), name)


@pytest.mark.slow("a cluster is started")
@pytest.mark.usefixtures("dask")
@pytest.mark.filterwarnings("ignore")  # of Dask's own shutdown
def test_a_record_does_not_depend_on_the_place(tmp_path: Path) -> None:
    """One process, two, clusters of two and of three, and one that was interrupted and resumed elsewhere."""
    alone = run_campaign(cells(), None, **RUN)
    assert len(alone) > 3
    for place in (Processes(2), Cluster(address=None, workers=2), Cluster(address=None, workers=3)):
        with Store(tmp_path / repr(place)[:9]) as kept:
            assert run_campaign(cells(), kept, place=place, **RUN) == alone

    class Interrupted(Exception):
        pass

    def stop(done: int, total: int, what: str) -> None:
        if done == 2:
            raise Interrupted

    with Store(tmp_path / "cut") as kept, pytest.raises(Interrupted):
        run_campaign(cells(), kept, place=Cluster(address=None, workers=2), progress=stop, **RUN)
    seen: list[int] = []
    with Store(tmp_path / "cut") as kept:
        assert len(kept) == 2
        again = run_campaign(cells(), kept, progress=lambda done, *_: seen.append(done), **RUN)
    assert again == alone
    assert seen[0] == 3  # the two that were finished were not run again


@pytest.mark.slow("a cluster is started")
@pytest.mark.usefixtures("dask")
@pytest.mark.filterwarnings("ignore")
def test_what_goes_wrong_on_a_cluster_is_named(tmp_path: Path) -> None:
    place = Cluster(address=None, workers=2)
    found = dict(place.carry_out(here("doubled"), ((n, (n,)) for n in range(50))))
    assert {n: f["twice"] for n, f in found.items()} == {n: 2 * n for n in range(50)}
    assert os.getpid() not in {f["process"] for f in found.values()}
    slept_for = here("slept")
    uneven = [0.0] * 40 + [0.3] * 4 + [0.0] * 400
    slept_as_asked = place.carry_out(slept_for, ((n, (seconds,)) for n, seconds in enumerate(uneven)))
    assert [seconds for _, seconds in sorted(slept_as_asked)] == uneven
    finished, results = [], place.carry_out(slept_for, ((n, (-(n == 60),)) for n in range(90)))
    with pytest.raises(ValueError, match="non-negative"):
        finished.extend(number for number, _ in results)
    assert len(finished) > 50  # those that went to the worker with the one that fails are not lost
    once = here("killed_once")
    assert dict(place.carry_out(once, [(n, (str(tmp_path), n)) for n in range(4)])) == {
        0: 0,
        1: 2,
        2: 4,
        3: 6,
    }
    with pytest.raises(ClusterUnusable, match="cannot be sent: set"):
        list(place.carry_out(here("unsendable"), [(0, (0,))]))
    with pytest.raises(ZeroDivisionError, match="of the task"):
        list(place.carry_out(here("raising"), [(0, (0,))]))
    with pytest.raises(AuthorMistake, match=r"a round .* a call took longer than 0\.5 seconds"):
        list(place.carry_out(here("hanging"), [(0, (0,))]))
    with pytest.raises(ClusterUnusable, match="3 workers ended while they had the same tasks"):
        list(place.carry_out(here("killed"), [(0, (0,))]))


@contextmanager
def started(*words: str) -> "Iterator[subprocess.Popen[bytes]]":
    """A scheduler or a worker, which ends with the block at the latest."""
    command = [sys.executable, "-m", f"distributed.cli.dask_{words[0]}", *words[1:], "--no-dashboard"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def wait_for_a_worker(place: Cluster) -> None:
    deadline = time.monotonic() + 240
    while True:
        try:
            next(place.carry_out(here("doubled"), [(0, (0,))]))
            return
        except ClusterUnusable:
            assert time.monotonic() < deadline
            time.sleep(1)


@pytest.mark.slow("a scheduler and a worker are started and killed")
@pytest.mark.usefixtures("dask")
@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_that_goes_away_loses_nothing_finished(tmp_path: Path) -> None:
    port = 20_000 + os.getpid() % 20_000
    with (
        started("scheduler", "--host", "127.0.0.1", "--port", str(port)) as scheduler,
        started("worker", f"tcp://127.0.0.1:{port}", "--nthreads", "1"),
    ):
        place = Cluster(address=f"127.0.0.1:{port}", workers=1)
        wait_for_a_worker(place)

        def kill(done: int, total: int, what: str) -> None:
            if done == 1:
                scheduler.kill()

        with (
            Store(tmp_path) as kept,
            pytest.raises(ClusterUnusable, match="was lost; what is finished is kept"),
        ):
            run_campaign(cells(), kept, place=place, progress=kill, **RUN)
        with Store(tmp_path) as kept:
            assert 1 <= len(kept) < len(cells())
            assert run_campaign(cells(), kept, **RUN) == run_campaign(cells(), None, **RUN)


@pytest.mark.slow("a scheduler and a worker are started")
@pytest.mark.usefixtures("dask")
@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_with_tls_is_reached_by_its_own_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the certificate of the settings it answers; without, it does not."""
    import dask

    if shutil.which("openssl") is None:
        pytest.skip("openssl, which makes the certificate, is not installed")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=here"]
    subprocess.run([*made, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    port = 20_000 + (os.getpid() + 1) % 20_000
    files = ["--tls-ca-file", str(certificate), "--tls-cert", str(certificate), "--tls-key", str(key)]
    own = {"ca-file": certificate, "client.cert": certificate, "client.key": key}
    settings = {f"distributed.comm.tls.{name}": str(file) for name, file in own.items()}
    place = Cluster(address=f"127.0.0.1:{port}", workers=1)
    with (
        started("scheduler", "--host", f"tls://127.0.0.1:{port}", *files),
        started("worker", f"tls://127.0.0.1:{port}", "--nthreads", "1", *files),
    ):
        with dask.config.set(settings):
            wait_for_a_worker(place)
            ((_, found),) = place.carry_out(here("doubled"), [(0, (21,))])
            assert found["twice"] == 42
        monkeypatch.setattr(cluster, "PATIENCE", "3s")
        with pytest.raises(ClusterUnusable, match="no scheduler answers"):
            list(place.carry_out(here("doubled"), [(0, (21,))]))


SCRIPT = """
import fedbounds
print("begun")
found = fedbounds.verify("textbook.gradient_descent_convex", quick=True, workers=2{more})
print(found["summary"]["cells"]["violated"])
"""


@pytest.mark.parametrize(
    ("by", "more"),
    [
        ("input", ""),
        pytest.param("file", "", marks=pytest.mark.slow("the same way as from standard input")),
        pytest.param("input", ', on="dask"', marks=pytest.mark.slow("a cluster is started")),
    ],
)
def test_workers_do_not_run_the_script_that_asks_for_them(tmp_path: Path, by: str, more: str) -> None:
    """A script without a guard would do its work again in each of them, and standard input is no file."""
    script = tmp_path / "script.py"
    if more:
        pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    script.write_text(SCRIPT.format(more=more), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, *([str(script)] if by == "file" else ["-"])],
        input=None if by == "file" else script.read_text(encoding="utf-8"),
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "begun\n0\n"), done.stderr
