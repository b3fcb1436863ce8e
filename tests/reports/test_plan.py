"""plan: one command from a problem and a privacy target to a setting, and what is refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fedbounds as facade

Fedbounds = Callable[..., Any]

CLIPPED = "dp_fedavg.theorem_2"
SMALL = ["problem.clients=40", "problem.dimension=4", "problem.heterogeneity=0.05", "problem.seed=2"]
PRIVATE = ["--epsilon", "4", "--delta", "1e-5", "--relation", "add-or-remove"]
WORDS = ["--problem", "quadratic.small", "--rounds", "30", "--start", "1.5", *PRIVATE]


def _small(*more: str) -> list[str]:
    return [*WORDS, *more, "--set", *SMALL]


def test_one_command(fedbounds: Fedbounds, tmp_path: Path) -> None:
    done = fedbounds("plan", CLIPPED, *_small("--replicates", "4", "--out", str(tmp_path / "o"), "--json"))
    assert done.code == 0
    body = done.json
    assert set(body["setting"]) == {"E", "C_hat", "alpha"}
    assert body["certified"] is True
    settings = body["algorithm"]["settings"]
    threshold = body["setting"]["C_hat"] * body["setting"]["E"]
    assert settings["clip_threshold"] == pytest.approx(threshold)
    assert settings["noise_scale"] == pytest.approx(
        body["privacy"]["noise_multiplier"] * threshold / 40, rel=1e-9
    )
    assert settings["local_step"] == pytest.approx(body["prescribed"]["eta"])
    assert 3.96 <= body["privacy"]["guarantee"]["epsilon"] <= 4
    assert body["bound"]["value"] == pytest.approx(sum(t["value"] for t in body["bound"]["terms"]))
    assert body["informative"] is (body["bound"]["value"] < body["free_bound"]["value"])
    assert body["run"]["gap"]["lower"] <= body["run"]["gap"]["mean"] <= body["run"]["gap"]["upper"]
    assert sorted(p.name for p in (tmp_path / "o").iterdir()) == ["figure.pdf", "figure.svg", "plan.json"]


def test_the_bound_alone(fedbounds: Fedbounds) -> None:
    done = fedbounds("plan", CLIPPED, *_small("--run", "off", "--json"))
    assert (done.code, done.json["run"], done.json["best_by_simulation"]) == (0, None, None)
    page = fedbounds("plan", CLIPPED, *_small("--run", "off"))
    assert "Setting, in the words of the statement" in page.out
    assert "informative:" in page.out
    assert "Run," not in page.out


def test_what_is_set_is_kept(fedbounds: Fedbounds) -> None:
    done = fedbounds("plan", CLIPPED, *_small("--run", "off", "--json"), "E=2")
    assert "E" not in done.json["setting"]
    assert done.json["known"]["E"] == 2
    assert done.json["algorithm"]["settings"]["local_steps"] == 2


def test_several_statements_are_ranked(fedbounds: Fedbounds) -> None:
    words = _small("--replicates", "2", "--json")
    done = fedbounds("plan", CLIPPED, "fed_norm_ec.theorem_1.main", "dp_fedavg.equation_8", *words)
    assert done.code == 0
    gaps = [body["run"]["gap"]["mean"] for body in done.json["plans"]]
    assert len(gaps) == 2
    assert gaps == sorted(gaps)
    assert [entry["id"] for entry in done.json["refused"]] == ["dp_fedavg.equation_8"]


def test_a_refusal_is_3_with_its_reason(fedbounds: Fedbounds) -> None:
    done = fedbounds("plan", "dp_fedavg.equation_8", *_small("--json"))
    assert (done.code, done.json["setting"]) == (3, None)
    assert "Lipschitz" in done.json["reason"]
    page = fedbounds("plan", "dp_fedavg.equation_8", *_small())
    assert page.code == 3
    assert "Lipschitz" in page.out


def test_in_python() -> None:
    options = {"problem": "quadratic.small", "rounds": 30, "start": 1.5, "epsilon": 4, "delta": 1e-5}
    values = {word.partition("=")[0]: word.partition("=")[2] for word in SMALL}
    body = facade.plan(CLIPPED, **options, relation="add-or-remove", run="off", set=values)
    assert body["id"] == CLIPPED
    assert body["informative"] is True


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([*WORDS[:4], "--epsilon", "4"], "--epsilon needs --delta"),
        ([*WORDS[:4], "--epsilon", "4", "--delta", "1e-5"], "--epsilon needs --relation"),
        ([*WORDS[:4], "--delta", "1e-5"], "--delta goes with --epsilon"),
        ([*WORDS, "--set", "nonsense=1"], "neither quadratic.small nor a statement takes nonsense"),
        ([*WORDS, "--set", "E=many"], "E must be a finite number, not 'many'"),
        ([*WORDS, "--set", "rho=0.1"], ""),
        (["--problem", "quadratic.small", "--rounds", "0", *PRIVATE], "--rounds must be an integer >= 1"),
        ([*WORDS, "--replicates", "1"], "--replicates must be at least 2"),
        ([*WORDS, "--statements", "all"], "takes the ID of a statement, or --statements all"),
        (["--problem", "no_such_problem", "--rounds", "5", *PRIVATE], "no problem is named no_such_problem"),
        ([*WORDS, "--sampling", "some"], "--sampling takes full"),
    ],
)
def test_misuse(fedbounds: Fedbounds, words: list[str], said: str) -> None:
    done = fedbounds("plan", CLIPPED, *words)
    assert done.code == (2 if said else 3)
    assert done.out == "" or not said
    assert said in done.err
    assert done.err.count("Traceback") == 0


ROWS = [f"{x},{y},{int(x + y > 0)}" for x, y in ((-1, 0.5), (2, 1), (0.3, -2), (1, 1), (-3, 1), (0.2, 0.1))]
BAD = {
    "nan": (["a,b,y", *ROWS, "nan,1,1"], 2, "is not a number; found 'nan'"),
    "one_class": (["a,b,y", *(row[:-1] + "1" for row in ROWS)], 2, "found 1 classes"),
    "few_rows": (["a,b,y", *ROWS[:3]], 4, ""),
    "text": (["a,b,y", *ROWS, "one,1,1"], 2, "is not a number; found 'one'"),
    "constant": (["a,b,y", *("5,7," + row[-1] for row in ROWS)], 2, "every column holds one value only"),
}


MODEL = ("model=logistic", "intercept=false")


@pytest.mark.parametrize("name", BAD)
def test_bad_data_is_one_sentence(fedbounds: Fedbounds, tmp_path: Path, name: str) -> None:
    lines, clients, said = BAD[name]
    path = tmp_path / f"{name}.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = ["--problem", str(path), "--rounds", "5", *PRIVATE, "--run", "off"]
    done = fedbounds("plan", CLIPPED, *words, "--set", f"clients={clients}", "l2=0.1", *MODEL)
    assert done.code == 2
    assert done.out == ""
    assert said in done.err
    assert len(done.err.strip().splitlines()) == 1
