"""`fedbounds worst --quadratic`: its document replays, forged ones do not, and what it refuses."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("clarabel", reason="worst cases are solved with clarabel, of the extra tight")

QUADRATIC = ["fedavg", "--quadratic", "--set", "n=2", "E=2", "K=1", "local_step=0.5", "L=1", "D0=1"]


def enlarge_hessian(document: dict[str, Any]) -> None:
    document["instance"]["hessian"][0][0] = "2"


def shorten_start(document: dict[str, Any]) -> None:
    document["instance"]["start"] = ["1/2"]


def change_run(document: dict[str, Any]) -> None:
    document["instance"]["measured"] *= 1.001


def widen_class(document: dict[str, Any]) -> None:
    del document["setting"]["quadratic"]


@pytest.mark.parametrize("forge", [enlarge_hessian, shorten_start, change_run, widen_class])
def test_a_file_replays_and_a_forged_one_does_not(
    fedbounds: Any, tmp_path: Path, forge: Callable[[dict[str, Any]], None]
) -> None:
    file = tmp_path / "worst.json"
    assert fedbounds("worst", *QUADRATIC, "zeta_star=1", "--out", str(file)).code == 0
    assert fedbounds("replay", str(file)).code == 0
    document = json.loads(file.read_text())
    forge(document)
    file.write_text(json.dumps(document))
    assert fedbounds("replay", str(file)).code in (1, 2)


def test_a_long_run_is_certified_by_a_polynomial(fedbounds: Any, tmp_path: Path) -> None:
    file = tmp_path / "worst.json"
    long = ["E=21" if name == "E=2" else "K=2" if name == "K=1" else name for name in QUADRATIC]
    done = fedbounds("worst", *long, "zeta_star=1", "--out", str(file))
    assert "a slack polynomial of degree 21 in matrices of size 4" in " ".join(done.out.split())
    assert fedbounds("replay", str(file)).code == 0
    document = json.loads(file.read_text())
    enlarge_hessian(document)
    file.write_text(json.dumps(document))
    assert fedbounds("replay", str(file)).code == 1


@pytest.mark.parametrize(
    ("more", "code", "reason"),
    [
        (["Delta_star=1"], 3, "limit their gradients by zeta_star"),
        (["zeta_star=1", "--nonconvex"], 2, "leave out G and --nonconvex"),
    ],
)
def test_what_has_no_program_is_refused(fedbounds: Any, more: list[str], code: int, reason: str) -> None:
    done = fedbounds("worst", *QUADRATIC, *more)
    assert done.code == code
    assert reason in " ".join((done.out + done.err).split())
