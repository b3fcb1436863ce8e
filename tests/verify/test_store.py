"""Judged cells that outlive the process that judged them."""

import os
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np
import pytest

import bounds
from verify import sources
from verify.campaign import store
from verify.campaign.campaign import run_campaign
from verify.campaign.merge import Contradiction, merge
from verify.campaign.store import Store, StoreUnusable
from verify.cell import Cell
from verify.objects.check import Property
from verify.records import record
from verify.runs.check import standard_cells
from verify.workers.processes import Processes

ENVIRONMENT = {"numpy": "1"}
RUN: dict[str, Any] = {"level": 1e-3, "seed": 1, "replicates": 64}
# Enough cells and properties, each long enough, for a kill to land between two of them.
IDS = (
    "textbook.stochastic_gradient_descent",
    "textbook.gradient_descent_convex",
    "dp_fedavg.fact_1",
    "fedavg_lojasiewicz.equation_37",
)
COMMAND = "import sys; from reports.command_line import main; sys.argv[0] = 'fedbounds'; main()"


def cells() -> tuple[Cell, ...]:
    return standard_cells([bounds.get("textbook.stochastic_gradient_descent")])


def child(directory: Path, ids: Sequence[str] = IDS, **more: Any) -> "subprocess.Popen[str]":
    """A run of `fedbounds verify` that fills a store."""
    options = ["--out", str(directory), "--quick", "--exit-zero"]
    arguments = [sys.executable, "-c", COMMAND, "verify", *ids, *options]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


def finished(process: "subprocess.Popen[str]") -> str:
    """What it said on its way, once it has come to its end."""
    said = process.communicate(timeout=240)[1]
    assert process.returncode == 0, said
    return said


def rows(directory: Path) -> dict[str, str]:
    if not (directory / store.FILE).exists():
        return {}
    with sqlite3.connect(directory / store.FILE) as connection:
        known = connection.execute("SELECT name FROM sqlite_master").fetchall()
        return dict(connection.execute("SELECT key, result FROM cells")) if known else {}


def test_a_second_run_reads_what_the_first_one_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(tmp_path) as kept:
        first = run_campaign(cells(), kept, level=1e-3, seed=1, replicates=128)
        assert len(kept) == len(first) == len(cells())

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("a stored cell is run again")

    monkeypatch.setattr("verify.campaign.campaign.judge", forbidden)
    with Store(tmp_path) as kept:
        assert run_campaign(cells(), kept, level=1e-3, seed=1, replicates=128) == first
        with pytest.raises(AssertionError, match="run again"):
            run_campaign(cells(), kept, level=1e-3, seed=2, replicates=128)


def test_the_key_names_all_that_decides_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, *_ = cells()
    base = store.key(first, ENVIRONMENT, **RUN)
    assert base == store.key(first, ENVIRONMENT, **RUN)
    others = {
        store.key(second, ENVIRONMENT, **RUN),
        store.key(first, {"numpy": "2"}, **RUN),
        *(store.key(first, ENVIRONMENT, **(RUN | {name: 9})) for name in RUN),
    }
    assert base not in others
    assert len(others) == 5
    for name in ("code", "statement"):
        with monkeypatch.context() as patched:
            patched.setattr(sources, name, lambda *_: "another digest")
            assert store.key(first, ENVIRONMENT, **RUN) != base


@pytest.mark.slow("starts workers")
def test_workers_give_the_same_results_in_the_same_order() -> None:
    alone = run_campaign(cells(), None, level=1e-3, seed=1, replicates=64)
    assert run_campaign(cells(), None, level=1e-3, seed=1, replicates=64, place=Processes(2)) == alone


def reported_as_done(said: str) -> int:
    """The progress is told after a result is stored, at least at every tenth of the way."""
    return max((int(done) for done in re.findall(r"^(\d+)/\d+", said, flags=re.MULTILINE)), default=0)


def killed_at_random_moments(directory: Path, times: int, seed: int) -> dict[str, int]:
    """SIGKILL as often as said, in one store after another; every store is resumed to its end.

    What was reported as done is there, what is stored is whole and right, and nothing else is: at most what
    was in hand is lost. Most kills come just after one of the reports of progress, so that they hit a run
    that has begun and not ended; the others come at any moment from the start on.
    """
    began = time.monotonic()
    finished(child(directory / "undisturbed"))
    duration, expected = time.monotonic() - began, rows(directory / "undisturbed")
    random, stores, hit, before = np.random.default_rng(seed), 1, 0, 0
    for number in range(times):
        broken = directory / f"broken {stores}"
        running = child(broken)
        assert running.stderr is not None
        said = "" if number % 5 == 4 else read_lines(running.stderr, int(random.integers(1, 8)))
        time.sleep(float(random.uniform(0, duration / 40 if said else duration)))
        running.send_signal(signal.SIGKILL)
        said, stored = said + running.communicate()[1], rows(broken)
        assert len(stored) >= max(before, reported_as_done(said))
        assert stored.items() <= expected.items()
        hit += before < len(stored) < len(expected)
        before = len(stored)
        if before == len(expected):
            stores, before = stores + 1, 0
    for number in range(1, stores + 1):
        finished(child(directory / f"broken {number}"))
        assert rows(directory / f"broken {number}") == expected
        again, first = (directory / name / "record.json" for name in (f"broken {number}", "undisturbed"))
        assert again.read_bytes() == first.read_bytes()
    return {"kills": times, "in the middle": hit, "stores": stores, "results": len(expected)}


def read_lines(stream: IO[str], lines: int) -> str:
    return "".join(stream.readline() for _ in range(lines))


@pytest.mark.slow("five kills of a running verification")
def test_killed_at_any_moment_it_resumes_to_the_same_bits(tmp_path: Path) -> None:
    """Five times here, fifty in `make soak`."""
    assert killed_at_random_moments(tmp_path, times=5, seed=5)["in the middle"] > 0


@pytest.mark.slow("processes of their own")
def test_a_cell_is_written_the_same_in_every_process() -> None:
    """A set has another order in each process, and a record has the order in which a cell is made."""
    code = (
        "from bounds import discovery; from verify.runs.check import standard_cells\n"
        "forms = [v for s in discovery.statements() for v in discovery.variants(s.id)]\n"
        "print(*map(repr, standard_cells(forms)))"
    )
    printed = [
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert printed[0] == printed[1]
    assert printed[0].count(b"Cell(") > 400


@pytest.mark.slow("two processes run cells; one store alone is in the first tier")
def test_two_processes_share_one_store(tmp_path: Path) -> None:
    both = [child(tmp_path / "shared", IDS[1:2]), child(tmp_path / "shared", IDS[1:2])]
    for process in both:
        finished(process)
    finished(child(tmp_path / "alone", IDS[1:2]))
    assert rows(tmp_path / "shared") == rows(tmp_path / "alone") != {}


@pytest.mark.parametrize("content", [b"no database at all, but long enough to be looked at" * 40, b""])
def test_a_file_that_is_no_store(content: bytes, tmp_path: Path) -> None:
    (tmp_path / store.FILE).write_bytes(content)
    if not content:  # an empty file is an empty database
        with Store(tmp_path) as kept:
            assert kept.get("x", cells()[0], RUN) is None
        return
    with pytest.raises(StoreUnusable, match="not a database"), Store(tmp_path):
        pass


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not valid JSON"),
        ('{"ratio": 1e999}', "1e999, which is not a finite number"),
        ('{"ratio": 1, "ratio": 2}', "gives ratio twice"),
        ("[]", "the record: expected table, got list"),
        ('{"verdict": "holds"}', "missing key"),
        ('{"kind": "property", "id": 3}', "id: expected text, got integer"),
    ],
)
def test_a_result_that_nothing_here_wrote(tmp_path: Path, text: str, said: str) -> None:
    with Store(tmp_path):
        pass
    with sqlite3.connect(tmp_path / store.FILE) as connection:
        connection.execute("INSERT INTO cells VALUES ('a', ?)", (text,))
    with Store(tmp_path) as kept, pytest.raises(StoreUnusable, match=said):
        kept.get("a", cells()[0], RUN)
    with Store(tmp_path) as kept, pytest.raises(StoreUnusable, match=said):
        kept.rows()


@pytest.mark.parametrize("name", ["verdict", "measured", "certified", "reading", "replicates"])
def test_a_result_of_a_cell_with_a_field_of_another_type(tmp_path: Path, name: str) -> None:
    with Store(tmp_path) as kept:
        job, run = cells()[0], RUN | {"replicates": 16}
        (first,) = run_campaign([job], None, **run)
        kept.put("a", first)
        assert kept.get("a", job, run) == first
        kept.put("b", first | {name: ["nothing"]})
        with pytest.raises(StoreUnusable, match=name):
            kept.get("b", job, run)


def test_a_result_under_the_key_of_another_job_or_run_is_refused(tmp_path: Path) -> None:
    """It would stand in the record in the place of that job's own."""
    job, other = cells()[:2]
    tried = Property(statement="dp_fedavg.fact_1", variant="printed")
    run = {"seed": 1, "trials": 4}
    (first,) = run_campaign([job], None, **RUN)
    (objects,) = run_campaign([tried], None, level=1e-3, replicates=64, seed=1, trials=4)
    with Store(tmp_path) as kept:
        kept.put("a", first)
        kept.put("b", objects)
        assert kept.get("a", job, RUN) == first
        assert kept.get("b", tried, run) == objects
        for name, value in {"level": 1e-2, "seed": 2, "replicates": 65}.items():
            with pytest.raises(StoreUnusable, match=f"differs in {name}"):
                kept.get("a", job, RUN | {name: value})
        others: tuple[tuple[str, Cell | Property, dict[str, Any], str], ...] = (
            ("a", other, RUN, "digest"),
            ("a", replace(job, variant="amended"), RUN, "variant"),
            ("a", tried, run, "id"),
            ("b", job, RUN, "id"),
            ("b", tried, run | {"trials": 5}, "trials"),
        )
        for key, wanted, of, said in others:
            with pytest.raises(StoreUnusable, match=f"under the key .* differs in {said}"):
                kept.get(key, wanted, of)


@pytest.mark.parametrize("form", ["TABLE cells (key, result)", "TABLE cells (a)", "VIEW cells AS SELECT 1"])
def test_a_table_that_may_hold_a_key_twice_is_no_store(tmp_path: Path, form: str) -> None:
    with sqlite3.connect(tmp_path / store.FILE) as connection:
        connection.execute(f"CREATE {form}")
    with pytest.raises(StoreUnusable, match="another form"), Store(tmp_path):
        pass


def test_stores_whose_results_differ_in_a_type_contradict_each_other(tmp_path: Path) -> None:
    """True is not the number 1, although Python finds them equal."""
    (first,) = run_campaign(cells()[:1], None, **RUN)
    for folder, value in (("a", True), ("b", 1)):
        with Store(tmp_path / folder) as kept:
            kept.put("key", first | {"engine": {"rounds": value}})
    with pytest.raises(Contradiction, match="another result for textbook"):
        merge([tmp_path / "a", tmp_path / "b"], tmp_path / "both")


def test_a_path_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnusable, match="cannot write"), Store(tmp_path / "file" / "below"):
        pass


def test_a_directory_that_cannot_be_written(tmp_path: Path) -> None:
    """As an unprivileged user: to root every directory can be written."""
    if os.geteuid() != 0:
        tmp_path.chmod(0o500)
        with pytest.raises(StoreUnusable), Store(tmp_path):
            pass
        return
    code = (
        "import os, sys; from pathlib import Path; from verify.campaign.store import Store, StoreUnusable\n"
        "os.setgid(65534); os.setuid(65534)\n"
        "try:\n    Store(Path(sys.argv[1])).__enter__()\n"
        "except StoreUnusable as error:\n    print(error)\n"
    )
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    done = subprocess.run(
        [sys.executable, "-c", code, str(closed)], capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("cannot "), done.stderr
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.slow("a process that fills its file")
def test_a_limit_on_file_size_is_one_sentence(tmp_path: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))

    running = child(tmp_path, preexec_fn=limit)
    _, said = running.communicate(timeout=240)
    assert running.returncode == 2
    assert "cannot use" in said.splitlines()[-1]


def test_entries_are_what_a_record_holds(tmp_path: Path) -> None:
    entries = run_campaign(cells(), None, level=1e-3, seed=1, replicates=128)
    written = record.read(record.write(record.document(entries, level=1e-3, seed=1), tmp_path))
    assert written["cells"] == entries
    assert all(again.agrees for again in record.replay(written))
