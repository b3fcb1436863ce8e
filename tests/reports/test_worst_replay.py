"""The answer of worst is replayed; forged answers and broken files are refused."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("clarabel", reason="worst cases are solved with clarabel, of the extra tight")

STEPS = ["fedavg", "--set", "n=2", "E=2", "K=1", "local_step=0.5", "D0=1"]
USUAL = [*STEPS, "L=1", "zeta_star=1"]
POINT = ["M=2", "H=2", "R=2", "L=1", "eta=1/36", "mu_1=1/2", "f0_gap=1", "zeta=0.1", "sigma=0"]
OF_A_PAPER = ["fedavg_lojasiewicz.theorem_f2", "--variant", "amended", "--set", *POINT]


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    from reports.command_line import run

    file = tmp_path_factory.mktemp("worst") / "worst.json"
    assert run(["worst", *USUAL, "--out", str(file)]) == 0
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def replayed(fedbounds: Any, tmp_path: Path, data: Any) -> Any:
    file = tmp_path / "again.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    return fedbounds("replay", file, "--json")


def test_replay(fedbounds: Any, tmp_path: Path, answer: dict[str, Any]) -> None:
    done = replayed(fedbounds, tmp_path, answer)
    assert (done.code, done.json["agrees"]) == (0, True)
    (tmp_path / "again.json").write_text(json.dumps(answer), encoding="utf-8")
    assert "agrees" in fedbounds("replay", tmp_path / "again.json").out


def test_replay_of_a_noisy_run(fedbounds: Any, tmp_path: Path) -> None:
    """Its lower end is computed again from the setting, and a forged one is refused."""
    data = fedbounds("worst", *USUAL, "sigma=1", "--json").json
    assert replayed(fedbounds, tmp_path, data).code == 0
    assert "second moments alone" in data["sentence"]
    assert replayed(fedbounds, tmp_path, data | {"lower": 0.2, "lower_exact": "1/5"}).code == 1
    assert data["instance"]["measured"] == pytest.approx(data["lower"], rel=0.1)
    for key, value in (("measured", 0.2), ("standard_error", 1.0), ("replicates", 1), ("curvature", "1/2")):
        forged = data["instance"] | {key: value}
        assert replayed(fedbounds, tmp_path, data | {"instance": forged}).code == 1
    less = data["setting"] | {"sigma": "1/2"}
    assert replayed(fedbounds, tmp_path, data | {"setting": less}).code == 1


def test_replay_of_bounded_gradients(fedbounds: Any, tmp_path: Path) -> None:
    data = fedbounds("worst", *STEPS, "G=1", "--json").json
    assert data["instance"]["measured"] == pytest.approx(data["lower"], rel=1e-9)
    assert replayed(fedbounds, tmp_path, data).code == 0
    for measured in (None, data["lower"] * 1.001):
        forged = data["instance"] | {"measured": measured}
        assert replayed(fedbounds, tmp_path, data | {"instance": forged}).code in (1, 2)


def _smaller(text: str) -> str:
    return str(Fraction(text) * Fraction(999, 1000))


def _forge_upper(data: Any) -> None:
    data["upper_exact"] = _smaller(data["upper_exact"])


def _forge_upper_in_print(data: Any) -> None:
    data["upper"] *= 0.999


def _forge_multiplier(data: Any) -> None:
    entry = next(e for e in data["certificate"]["multipliers"] if e["constraint"] == "distance at the start")
    entry["multiplier"] = _smaller(entry["multiplier"])


def _forge_sign(data: Any) -> None:
    entry = data["certificate"]["multipliers"][0]
    entry["multiplier"] = str(-Fraction(entry["multiplier"]))


def _forge_name(data: Any) -> None:
    data["certificate"]["multipliers"][0]["constraint"] = "class at x* from x*"


def _forge_twice(data: Any) -> None:
    data["certificate"]["multipliers"].append(data["certificate"]["multipliers"][0])


def _forge_removal(data: Any) -> None:
    del data["certificate"]["multipliers"][0]


def _forge_setting(data: Any) -> None:
    data["setting"]["zeta_star"] = "1/2"


def _forge_step(data: Any) -> None:
    data["setting"]["local_step"] = "1/4"


def _forge_lower(data: Any) -> None:
    data["lower_exact"], data["lower"] = data["upper_exact"], data["upper"]


def _forge_value(data: Any) -> None:
    data["instance"]["values"][-1] = "2"


def _forge_vector(data: Any) -> None:
    data["instance"]["vectors"][0][0][0] = "9/8"


def _forge_run(data: Any) -> None:
    data["instance"]["measured"] *= 1.001


def _forge_sentence(data: Any) -> None:
    data["sentence"] = data["sentence"].replace("at most", "at least")


def _forge_block(data: Any) -> None:
    data["certificate"]["block_sizes"][0] += 1


def _forge_no_instance(data: Any) -> None:
    data["instance"] = None


def _forge_given(data: Any) -> None:
    data["given"]["zeta"] = "1/100"


def _forge_bound(data: Any) -> None:
    data["bound_exact"], data["bound"] = "2", 2.0


def _forge_verdict(data: Any) -> None:
    data["verdict"] = "violated"


def _forge_ratio(data: Any) -> None:
    data["ratio"] *= 2


def _forge_term(data: Any) -> None:
    data["terms"][0]["value"] *= 2


def _forge_absence_of_the_bound(data: Any) -> None:
    """Without the exact bound nothing of the statement was compared."""
    data["bound_exact"], data["verdict"] = None, "violated"


OF_A_STATEMENT = [_forge_given, _forge_bound, _forge_verdict, _forge_ratio, _forge_term]
OF_A_STATEMENT += [_forge_absence_of_the_bound]


def test_a_forged_bound_is_refused(fedbounds: Any, tmp_path: Path) -> None:
    file = tmp_path / "worst.json"
    fedbounds("worst", *OF_A_PAPER, "--out", file)
    text = file.read_text(encoding="utf-8")
    assert replayed(fedbounds, tmp_path, json.loads(text)).code == 0
    for forge in OF_A_STATEMENT:
        data = json.loads(text)
        forge(data)
        assert replayed(fedbounds, tmp_path, data).code == 1, forge.__name__


FORGERIES = [value for name, value in sorted(globals().items()) if name.startswith("_forge_")]
FORGERIES = [forge for forge in FORGERIES if forge not in OF_A_STATEMENT]


@pytest.mark.thinned(2)
@pytest.mark.parametrize("forge", FORGERIES, ids=lambda f: f.__name__)
def test_forged_answers_are_refused(fedbounds: Any, tmp_path: Path, answer: Any, forge: Any) -> None:
    data = json.loads(json.dumps(answer))
    forge(data)
    done = replayed(fedbounds, tmp_path, data)
    assert done.code == 1
    assert done.json["agrees"] is False


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("setting", None),
        ("setting", {"clients": 2}),
        ("setting", {"clients": True}),
        ("certificate", []),
        ("certificate", {}),
        ("certificate", {"multipliers": [{"constraint": ["x"], "multiplier": "1"}], "block_sizes": []}),
        ("seconds", -1.0),
        ("new", 1),
        ("exact_class", "yes"),
        ("instance", {"vectors": 3}),
        ("answered", False),
    ],
)
def test_broken_files_are_misuse(
    misuse: Callable[..., str], tmp_path: Path, answer: dict[str, Any], key: str, value: Any
) -> None:
    file = tmp_path / "broken.json"
    file.write_text(json.dumps(answer | {key: value}), encoding="utf-8")
    misuse("replay", file)


@pytest.mark.thinned(3)
@pytest.mark.parametrize("text", ["1e9", "__import__('os')", "0.5", "2/4", " 1", "1/0", "9" * 30_000])
def test_numbers_in_files_are_exact_text(
    misuse: Callable[..., str], tmp_path: Path, answer: dict[str, Any], text: str
) -> None:
    data = json.loads(json.dumps(answer))
    data["setting"]["local_step"] = text
    file = tmp_path / "strange.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    assert "lowest terms" in misuse("replay", file)
