"""Hostile paths are misuse: looked at before the work, in one sentence, and nothing is left on disk."""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reports.inputs import files

Misused = Callable[..., str]
Fedbounds = Callable[..., Any]

STATEMENT = "textbook.gradient_descent_convex"
ALGORITHMS = ["compare", "algorithms", "gradient_descent", "--problem", "quadratic.small"]
TERMS = ["compare", "terms", STATEMENT, "--over", "N=1:10", "--set", "L=1", "D0=1"]
TOO_LONG = "a" * 300
IMPLIED = ["privacy", "implied", "dp_fedavg", "--delta", "1e-6", "--rounds", "5", "--sampling", "full"]
IMPLIED += ["--relation", "replace-one"]
OUTPUTS: dict[str, list[str]] = {
    "verify": ["verify", STATEMENT, "--quick", "--out"],
    "falsify": ["falsify", STATEMENT, "--out"],
    "compare terms": [*TERMS, "--out"],
    "compare run": ["compare", "run", STATEMENT, "--over", "N=1:3", "--out"],
    "compare algorithms": [*ALGORITHMS, "--out"],
    "compare control": ["compare", "control", "--out"],
    "new theorem": ["new", "theorem", "mine/x", "--out"],
    "privacy csv": [*IMPLIED, "--csv"],
    "privacy plot": [*IMPLIED, "--plot"],
}


@pytest.fixture
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever computes before it has looked at its output is caught."""

    def work(*_: object, **__: object) -> None:
        raise AssertionError("computed before the output was looked at")

    for place in (
        "verify.campaign.campaign.run_campaign",
        "verify.falsify.attempt.falsify",
        "reports.plots.stacked_terms.compared",
        "reports.plots.bound_against_run.compared",
        "reports.plots.several_algorithms.compared",
        "reports.plots.local_steps_control.compared",
        "reports.documents.privacy_answers.constants",
    ):
        monkeypatch.setattr(place, work)


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("verb", OUTPUTS)
def test_outputs_are_looked_at_before_the_work(misuse: Misused, tmp_path: Path, verb: str) -> None:
    command, ending = OUTPUTS[verb], ".svg" if verb == "privacy plot" else ""
    (tmp_path / "file").write_text("mine")
    assert "it is empty" in misuse(*command, "")
    for name in (f"{TOO_LONG}{ending}", f"{'a/' * 3000}x{ending}"):
        told = misuse(*command, tmp_path / name)
        assert "file name too long" in told
        assert len(told) < 300
    misuse(*command, tmp_path / "none" / f"{TOO_LONG}{ending}")
    misuse(*command, tmp_path / "file" / f"x{ending}")
    if sys.platform == "linux":
        misuse(*command, f"/proc/x{ending}")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_device_is_no_file_to_be_replaced(misuse: Misused, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    for name in ("pipe", "link"):
        assert "a device or a pipe" in misuse("falsify", STATEMENT, "--out", tmp_path / name)


def test_a_link_is_followed_and_stays(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    files.write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == "new"


def test_a_name_as_long_as_may_be(tmp_path: Path) -> None:
    longest = os.pathconf(tmp_path, "PC_NAME_MAX")
    files.write_text(tmp_path / ("a" * longest), "x")
    with pytest.raises(files.RefusedTarget, match="too long"):
        files.check_target(tmp_path / ("a" * (longest + 1)))


@pytest.mark.parametrize(
    "verb", [["replay"], ["report"], ["list", "--record"], ["eval", STATEMENT, "--grid"]]
)
@pytest.mark.parametrize("name", ["", TOO_LONG, "a/" * 3000])
def test_inputs_that_nothing_can_be(misuse: Misused, verb: list[str], name: str) -> None:
    assert len(misuse(*verb, name)) < 300


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a device that never ends is of Unix")
@pytest.mark.parametrize("verb", [["replay"], ["list", "--record"], ["falsify", STATEMENT, "--out"]])
def test_a_device_is_not_read_for_ever(misuse: Misused, verb: list[str]) -> None:
    assert "cannot be /dev/zero: it is a device" in misuse(*verb, "/dev/zero")


def test_a_file_that_is_too_large(misuse: Misused, tmp_path: Path) -> None:
    with (tmp_path / "large.json").open("wb") as stream:
        stream.truncate(files.LARGEST + 1)
    assert "at most 268,435,456 are read" in misuse("eval", STATEMENT, "--constants", tmp_path / "large.json")


@pytest.mark.parametrize("when", ["abc", "-1", "1.5", "9" * 14, "١"])
def test_a_date_that_is_none(
    misuse: Misused, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", when)
    assert "SOURCE_DATE_EPOCH must be a whole number" in misuse(*TERMS, "--out", tmp_path / "x")
    assert not (tmp_path / "x").exists()


def test_a_date_that_is_one(fedbounds: Fedbounds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "253402300799")
    assert fedbounds(*TERMS, "--out", tmp_path / "x").code == 0


@pytest.mark.parametrize("when", [1, 2])
def test_ctrl_c_waits_until_files_that_belong_together_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: int
) -> None:
    old = {tmp_path / name: b"old" for name in ("figure.svg", "plan.json")}
    files.write_together(old)
    moves: list[Path] = []
    rename = os.replace

    def interrupted(source: str, target: Path) -> None:
        moves.append(target)
        if len(moves) == when:
            signal.raise_signal(signal.SIGINT)
        rename(source, target)

    monkeypatch.setattr(os, "replace", interrupted)
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            files.write_together(dict.fromkeys(old, b"new"))
    finally:
        signal.signal(signal.SIGINT, heard)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        "figure.svg": b"new",
        "plan.json": b"new",
    }
