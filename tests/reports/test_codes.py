"""Codes of errors: each has its section in the documentation, and each is met by a command of a user."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from reports.cli.codes import CODES, add_code
from synthetic.errors import MissingExtra

ID, POINT = "dp_fedavg.theorem_2", ["L=1", "K=100", "E=2", "C_hat=1", "D0=1", "alpha=2"]
PAGE = Path(__file__).resolve().parents[2] / "docs" / "errors.md"
Misused = Callable[..., str]


def test_every_code_has_its_section_and_every_section_its_code() -> None:
    sections = re.findall(r"^## (F\d{3}): \S", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert sections == list(CODES.values()) == sorted(set(CODES.values()))


MET = {
    "F001": ["show", f"{ID}x"],
    "F002": ["eval", ID, "--set", "Cat=1"],
    "F003": ["eval", ID, "--set", "L=1"],
    "F004": ["eval", ID, "--set", *POINT, "eta=1"],
    "F005": ["eval", ID, "--set", *POINT, "rho=1/20", "epsilon=1"],
    "F006": ["eval", ID, "--set", "L=-1"],
    "F007": ["eval", ID, "--set", "L=nan"],
    "F008": ["eval", ID, "--set", "L"],
    "F009": ["eval", ID, "--constants", "absent.json"],
    "F010": ["eval", ID, "--constants", "list.json"],
    "F011": ["constants", "breast_cancr"],
    "F012": ["run", "dp_fedvag", "--problem", "quadratic.small"],
    "F013": ["eval", "als_dpfl.algorithm_1"],
    "F014": [
        "privacy",
        "calibrate",
        "--epsilon=-1",
        *["--delta", "1e-5", "--rounds", "10", "--relation", "add-or-remove", "--sampling", "full"],
    ],
}


@pytest.mark.parametrize("code", MET)
def test_a_user_meets_it(misuse: Misused, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("list.json").write_text("[]")
    assert misuse(*MET[code]).endswith(f" [{code}]\n")


def test_an_extra_that_is_missing_and_an_error_without_a_code() -> None:
    parts = {"asked": "a", "failed": "b", "found": "c", "needed": "d", "change": "e"}
    assert add_code(MissingExtra(**parts)) == "a: b; found c, needed d; e [F015]"
    assert add_code(OSError("a disk")) == "a disk"
    assert {*MET, "F015"} == set(CODES.values())
