"""Studies on the command line: their file, their cells, their results as data, stores merged."""

import csv
import io
import json
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from verify.campaign.store import FILE

Fedbounds = Callable[..., Any]
FIRST = "textbook.gradient_descent_convex"
STUDY = f"""
statements = ["{FIRST}"]
variants = ["printed"]
roles = ["quadratic", "heterogeneous"]
level = 1e-2
seed = 7
replicates = 8
[parameters]
N = [2, 5]
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    file = tmp_path / "study.toml"
    file.write_text(STUDY)
    return file


def test_a_study_is_counted_run_and_read_as_data(fedbounds: Fedbounds, study: Path, tmp_path: Path) -> None:
    shown = fedbounds("study", "show", str(study), "--json").json
    assert shown["cells"] == 4
    assert shown["level_per_cell"] == pytest.approx(1e-2 / 4)
    assert shown["statements"] == [{"id": FIRST, "variant": "printed", "cells": 4}]
    assert shown["estimate"]["cells_tried"] >= 1
    out = tmp_path / "out"
    verified = fedbounds("verify", "--study", str(study), "--out", str(out))
    assert verified.code == 0
    record = json.loads((out / "record.json").read_text())
    assert (record["error_level"], record["seed"]) == (1e-2, 7)
    table = fedbounds("study", "table", str(out))
    rows = list(csv.DictReader(io.StringIO(table.out)))
    assert [(r["role"], r["N"]) for r in rows] == [
        (role, n) for role in ("quadratic", "heterogeneous") for n in ("2", "5")
    ]
    # by hand: L D0^2 / (4 N + 2) with L = 2, D0 = 3/2
    assert [float(r["bound"]) for r in rows] == pytest.approx([0.45, 4.5 / 22] * 2)
    assert all(float(r["measured"]) <= float(r["bound"]) for r in rows)
    document = fedbounds("study", "table", str(out), "--json").json
    assert [r["N"] for r in document["rows"]] == [2, 5, 2, 5]


def test_a_record_is_compared_over_what_varies(fedbounds: Fedbounds, tmp_path: Path) -> None:
    """Against the table: the same bounds, measurements and ratios, each at its place."""
    file, out = tmp_path / "study.toml", tmp_path / "out"
    # N decides D0: it is no axis of its own
    text = STUDY.replace("N = [2, 5]", "L = [2, 4]\n[[together]]\nN = [2, 5, 9]\nD0 = [1.5, 2, 3]")
    file.write_text(text)
    fedbounds("verify", "--study", str(file), "--out", str(out))
    table = fedbounds("study", "table", str(out), "--json").json["rows"]
    words = ["compare", "--from", str(out), "--set", "role=quadratic"]
    one = fedbounds(*words, "L=4", "--over", "N", "--json").json
    rows = [r for r in table if r["role"] == "quadratic" and r["L"] == 4]
    for series, name in zip(one["series"], ("bound", "measured"), strict=True):
        assert [p["at"]["N"] for p in series["points"]] == [2, 5, 9]
        assert [p["value"] for p in series["points"]] == [r[name] for r in rows]
    both = fedbounds(*words, "--over", "N", "L", "--out", str(tmp_path / "map"), "--json").json
    (ratio,) = both["series"]
    found = {(p["at"]["N"], p["at"]["L"]): p["value"] for p in ratio["points"]}
    assert found == {(r["N"], r["L"]): r["ratio"] for r in table if r["role"] == "quadratic"}
    assert (tmp_path / "map" / "figure.svg").is_file()
    open_role = fedbounds(*words[:3], "--over", "N", "L")
    assert open_role.code == 2
    assert "role (quadratic, heterogeneous) varies besides N and L: choose by --set" in open_role.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--over", "M"], "no cell of the record has M; valid names: D0, L, N"),
        (["--over", "role"], "role is not a number in every cell"),
        (["--over", "L", "--set", "role=quadratic"], "an axis needs two"),
        (["--over", "N", "--set", "role=strong noise"], "no cell of the record has role = strong noise"),
        ([], "--over takes the names of one or two axes, not 0"),
    ],
)
def test_what_a_record_does_not_say_is_refused(
    fedbounds: Fedbounds, study: Path, tmp_path: Path, words: list[str], said: str
) -> None:
    out = tmp_path / "out"
    fedbounds("verify", "--study", str(study), "--out", str(out))
    done = fedbounds("compare", "--from", str(out), *words)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_binary_tables(fedbounds: Fedbounds, study: Path, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="the extra `tables` is not installed")
    xarray = pytest.importorskip("xarray", reason="the extra `tables` is not installed")
    pytest.importorskip("pyarrow", reason="the extra `tables` is not installed")
    out = tmp_path / "out"
    fedbounds("verify", "--study", str(study), "--out", str(out))
    for form, name in (("parquet", "a.parquet"), ("netcdf", "a.nc")):
        done = fedbounds("study", "table", str(out), "--format", form, "--out", str(tmp_path / name))
        assert done.code == 0, done.err
    frame = pandas.read_parquet(tmp_path / "a.parquet")
    assert frame["bound"].tolist() == pytest.approx([0.45, 4.5 / 22] * 2)
    with xarray.open_dataset(tmp_path / "a.nc") as data:
        assert data["bound"].dims == ("role", "N")
        assert float(data["bound"].sel(role="quadratic", N=2)) == pytest.approx(0.45)
        assert data["bound"].attrs["meaning"] == "the bound"
        assert data["N"].attrs == {"meaning": "steps taken", "units": "1"} or data["N"].attrs["units"] == "1"


def test_together_and_ranges(fedbounds: Fedbounds, tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text(
        'statements = ["textbook.stochastic_gradient_descent"]\nroles = ["tight"]\nreplicates = 8\n'
        "[parameters]\nsigma = {start = 0.1, stop = 10, num = 3, spacing = 'log'}\n"
        "[[together]]\nK = [1, 2]\neta = [0.5, 0.25]\n"
    )
    out = tmp_path / "out"
    assert fedbounds("verify", "--study", str(file), "--out", str(out)).code == 0
    rows = list(csv.DictReader(io.StringIO(fedbounds("study", "table", str(out)).out)))
    points = {(float(r["sigma"]), int(r["K"]), float(r["eta"])) for r in rows}
    assert points == {(s, k, e) for s in (0.1, 1.0, 10.0) for k, e in ((1, 0.5), (2, 0.25))}


def test_a_refused_cell_is_in_the_record_with_its_reason(fedbounds: Fedbounds, tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text(STUDY.replace("N = [2, 5]", "L = [2, 0.5]"))
    out = tmp_path / "out"
    assert fedbounds("verify", "--study", str(file), "--out", str(out)).code == 3
    cells = json.loads((out / "record.json").read_text())["cells"]
    refused = [c for c in cells if c["verdict"] == "refused"]
    assert {c["parameters"]["L"] for c in refused} == {"1/2"}
    assert all("L" in c["sentence"] for c in refused)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "names no statement"),
        ('statements = ["nothing.here"]', "nothing.here"),
        ('statements = "textbook.*"', "list of words"),
        ('statement = ["textbook.*"]', "did you mean statements"),
        (STUDY + "Q = [1]", "no statement of the study has a quantity Q"),
        (STUDY + "N = [1]", "TOML"),
        (STUDY + "[[together]]\nN = [1]", "gives N twice"),
        (STUDY + "[[together]]\nL = [1, 2]\nD0 = [1]", "as many values"),
        (STUDY.replace("[2, 5]", "[]"), "empty"),
        (STUDY.replace("[2, 5]", '["a"]'), "must be a number"),
        (STUDY.replace("[2, 5]", "{start = 0, stop = 1, num = 3, spacing = 'log'}"), "positive ends"),
        (STUDY.replace("[2, 5]", "{start = 1, stop = 2, num = 3000000}"), "at most 1,000,000"),
        (STUDY.replace("1e-2", "2"), "between 0 and 1"),
        (STUDY.replace("1e-2", "1" + 400 * "0"), "level is too large for a float"),
        (STUDY.replace("seed = 7", "seed = -1"), "integer >= 0"),
        (STUDY.replace("seed = 7", "seed = 9223372036854775808"), "at most 9,223,372,036,854,775,807"),
        (STUDY.replace("replicates = 8", "replicates = true"), "integer >= 2"),
        (STUDY.replace("replicates = 8", "replicates = 65537"), "at most 65,536"),
        (
            STUDY.replace('"quadratic", ', "").replace("heterogeneous", "none such"),
            "has the role none such; its roles: ",
        ),
        (STUDY.replace("printed", "mended"), "printed and amended"),
        (STUDY + "[[problems]]\nclients = 2", "needs a name"),
        ('statements = ["textbook.gradient_descent_convex.x"]', "textbook.gradient_descent_convex"),
    ],
)
def test_a_file_that_is_no_study(fedbounds: Fedbounds, tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "s.toml"
    file.write_text(text)
    done = fedbounds("study", "show", str(file))
    assert done.code == 2
    assert said in done.err
    assert len(done.err.strip().splitlines()) == 1


def test_what_the_file_says_is_not_said_again(fedbounds: Fedbounds, study: Path) -> None:
    for words in (["--level", "0.1"], ["--seed", "1"], ["textbook"], ["--quick"], ["--variant", "printed"]):
        done = fedbounds("verify", *words, "--study", str(study))
        assert done.code == 2
        assert "cannot go with --study" in done.err


def test_stores_are_merged_and_a_contradiction_is_named(
    fedbounds: Fedbounds, study: Path, tmp_path: Path
) -> None:
    parts = [tmp_path / "a", tmp_path / "b"]
    for part, role in zip(parts, ("quadratic", "heterogeneous"), strict=True):
        file = tmp_path / f"{role}.toml"
        both = STUDY.replace('["quadratic", "heterogeneous"]', f'["{role}", "homogeneous"]')
        file.write_text(both)
        fedbounds("verify", "--study", str(file), "--out", str(part))
    merged = tmp_path / "all"
    found = fedbounds("study", "merge", *map(str, parts), "--out", str(merged), "--json").json
    assert [s["added"] for s in found["stores"]] == [4, 2]
    assert found["results"] == 6
    with sqlite3.connect(parts[1] / FILE) as store:
        ((key, result),) = store.execute("SELECT key, result FROM cells LIMIT 1").fetchall()
        forged = json.loads(result) | {"seed": 1}  # its numbers would contradict themselves
        store.execute("UPDATE cells SET result = ? WHERE key = ?", (json.dumps(forged), key))
    before = (merged / FILE).read_bytes()
    done = fedbounds("study", "merge", *map(str, parts), "--out", str(merged))
    assert done.code == 2
    assert "another result for textbook.gradient_descent_convex" in done.err
    assert (merged / FILE).read_bytes() == before


@contextmanager
def running(daemons: list[str], place: Any) -> Iterator[None]:
    with ExitStack() as started:
        for daemon in daemons:
            words, silent = shlex.split(daemon, comments=True), subprocess.DEVNULL
            process = subprocess.Popen(words, **place, stdout=silent, stderr=silent)
            started.callback(process.wait)
            started.callback(process.terminate)
        yield


@pytest.mark.slow("the page starts a cluster")
def test_the_page_on_studies_works_as_it_stands(tmp_path: Path) -> None:
    """Its file, then every block of commands, in order; what it says of places is true of the records."""
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    pytest.importorskip("xarray", reason="the extra `tables` is not installed")
    root = Path(__file__).parents[2]
    text = (root / "docs" / "studies.md").read_text(encoding="utf-8")
    fence = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    (tmp_path / "study.toml").write_text(
        next(body for _, name, body in fence.findall(text) if name == "study.toml")
    )
    paths = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    place: Any = {"cwd": tmp_path, "env": os.environ | {"PYTHONPATH": str(root), "PATH": paths}}

    def run(body: str) -> "subprocess.CompletedProcess[str]":
        command = ["bash", "-e", "-c", body]
        return subprocess.run(command, **place, capture_output=True, text=True, check=False)

    blocks = [body for kind, _, body in fence.findall(text) if kind == "sh"]
    assert len(blocks) == 3
    for body in blocks:
        done = run(body)
        assert done.returncode == 0, done.stderr
    by_hand = next(
        body for kind, _, body in fence.findall(text) if kind == "text" and "\ndask worker" in body
    )
    here = by_hand.replace("HOST", "127.0.0.1").replace("8786", str(40_000 + os.getpid() % 20_000))
    *daemons, verify = here.replace("out/study", "out/hand").splitlines()
    with running(daemons, place):
        deadline = time.monotonic() + 240
        while (done := run(verify)).returncode == 2 and time.monotonic() < deadline:
            assert re.search("no worker|no scheduler answers", done.stderr), done.stderr
        assert done.returncode == 0, done.stderr
    names = ("study", "local", "dask", "hand")
    records = [json.loads((tmp_path / "out" / name / "record.json").read_text()) for name in names]
    assert all(record == records[0] for record in records)
    assert len(records[0]["cells"]) == 9
    assert (tmp_path / "cells.csv").read_text().count("\n") == 10
    assert (tmp_path / "cells.nc").stat().st_size > 0
