"""constants: every number with its provenance, and the way back in through `eval --constants`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from synthetic.data import bundled
from synthetic.problems import build

Fedbounds = Callable[..., Any]
Misused = Callable[..., str]
Process = Callable[..., Any]

CSV = "height,weight,sex\n" + "".join(f"{i % 7},{(i * i) % 11},{'fm'[i % 3 == 0]}\n" for i in range(40))


@pytest.fixture
def people(tmp_path: Path) -> Path:
    (tmp_path / "people.csv").write_text(CSV, encoding="utf-8")
    return tmp_path / "people.csv"


@pytest.mark.parametrize(
    "name",
    ["quadratic.small", "huber.small", "logistic.small", "softmax.small", "nonconvex_logistic.small"],
)
def test_a_problem_by_name_has_the_constants_of_the_library(fedbounds: Fedbounds, name: str) -> None:
    done = fedbounds("constants", name, "--set", "clients=3", "seed=5", "--json")
    assert done.code == 0
    problem, document = build(name, clients=3, seed=5), done.json
    assert (document["clients"], document["dimension"]) == (3, problem.dimension)
    assert document["arguments"]["clients"] == 3
    expected = problem.constants()
    assert document["constants"].keys() == expected.keys()
    for each, constant in expected.items():
        entry = document["constants"][each]
        if constant is None:
            assert entry["value"] is None
            assert entry["reason"]
            continue
        assert entry["provenance"] == constant.provenance
        for side in ("value", "lower", "upper"):
            value = getattr(constant, side)
            assert entry[side] == (list(map(float, value)) if isinstance(value, tuple) else value)


def test_what_an_argument_implies_is_printed(fedbounds: Fedbounds, people: Path) -> None:
    """The labels of least squares are numbers, not what `auto` would take them for."""
    chosen = ["target=weight", "client=sex", "model=least_squares", "l2=0.1"]
    assert fedbounds("constants", people, "--set", *chosen, "--json").json["arguments"]["task"] == "numbers"


@pytest.mark.parametrize("name", bundled.NAMES)
def test_bundled_data_sets(fedbounds: Fedbounds, name: str) -> None:
    quick = ["model=least_squares", "l2=0.1"] if name == "digits" else ["split=shards", "l2=0.1"]
    document = fedbounds("constants", name, "--set", "clients=4", *quick, "--json").json
    assert document["constants"]["strong_convexity"]["lower"] >= 0.1 - 1e-12
    minimum = document["constants"]["minimum"]
    assert 0 < minimum["lower"] <= minimum["value"] <= minimum["upper"] < minimum["lower"] + 1e-9


def test_a_file_of_ones_own(fedbounds: Fedbounds, people: Path) -> None:
    arguments = ["clients=3", "split=dirichlet", "concentration=5", "target=sex", "l2=1/4"]
    document = fedbounds("constants", people, "--set", *arguments, "--json").json
    assert document["dimension"] == 3
    assert document["constants"]["strong_convexity"]["value"] == 0.25
    chosen = {"target": "sex", "header": "auto", "model": "logistic"}  # two words are two classes
    assert document["arguments"] | chosen == document["arguments"]
    numbers = fedbounds("constants", people, "--set", "target=weight", "clients=2", "--json")
    assert numbers.code == 2, "sex is a word and no number"


def test_a_value_without_proof_or_without_meaning_has_a_reason(fedbounds: Fedbounds) -> None:
    open_ = fedbounds(
        "constants", "nonconvex_logistic.small", "--set", "strength=0.01", "seed=1", "--json"
    ).json
    assert open_["constants"]["minimiser"]["provenance"] == "estimated"
    assert open_["constants"]["minimiser"]["lower"] is None
    assert open_["quantities"]["dp_fedavg"]["Delta_star_max"]["value"] is None
    assert "certified" in open_["quantities"]["dp_fedavg"]["Delta_star_max"]["reason"]
    separable = fedbounds("constants", "breast_cancer", "--json").json
    assert separable["constants"]["minimum"]["value"] == 0
    assert separable["constants"]["minimiser"]["value"] is None


def test_what_was_written_can_be_evaluated_with(fedbounds: Fedbounds, tmp_path: Path) -> None:
    path = tmp_path / "wine.json"
    path.write_text(fedbounds("constants", "wine", "--set", "l2=0.1", "--json").out, encoding="utf-8")
    written = json.loads(path.read_text())["quantities"]["dp_fedavg"]
    point = ["K=100", "E=2", "C_hat=4", "D0=1", "alpha=2", "rho=1/20"]
    from_file = fedbounds("eval", "dp_fedavg.theorem_2", "--constants", path, "--set", *point, "--json")
    assert from_file.code == 0
    names = ("L", "Delta_star_max", "Delta_star_mean")
    given = [f"{name}={written[name]['upper']!r}" for name in names]
    by_hand = fedbounds("eval", "dp_fedavg.theorem_2", "--set", *point, *given, "--json")
    assert from_file.json["value"] == by_hand.json["value"]
    assert {n: from_file.json["inputs"][n] for n in names} == {n: written[n]["upper"] for n in names}
    # beta is a smoothness constant in one paper and a step size in the other
    lemma = fedbounds("eval", "fed_norm_ec.theorem_1.main", "--constants", path, "--set", "K=9")
    assert lemma.code == 2
    assert "beta" in lemma.err


def test_an_unproved_constant_is_refused_where_it_is_needed(
    fedbounds: Fedbounds, misuse: Misused, tmp_path: Path
) -> None:
    path = tmp_path / "open.json"
    arguments = ["--set", "strength=0.01", "seed=1", "--json"]
    path.write_text(fedbounds("constants", "nonconvex_logistic.small", *arguments).out, encoding="utf-8")
    point = ["K=100", "E=2", "C_hat=4", "D0=1", "alpha=2", "rho=1/20"]
    assert "Delta_star_max" in misuse("eval", "dp_fedavg.theorem_2", "--constants", path, "--set", *point)
    overridden = ["Delta_star_max=0.3"]
    done = fedbounds("eval", "dp_fedavg.theorem_2", "--constants", path, "--set", *point, *overridden)
    assert done.code in (0, 3)


def test_a_file_without_the_paper_is_refused(misuse: Misused, tmp_path: Path) -> None:
    for number, quantities in enumerate(["{}", "[]", '{"dp_fedavg": 1}', "null"]):
        path = tmp_path / f"{number}.json"
        path.write_text(f'{{"schema": "fedbounds/constants/1", "quantities": {quantities}}}')
        said = misuse("eval", "dp_fedavg.theorem_2", "--constants", path, "--set", "K=1")
        assert "no constants under the names of the paper dp_fedavg" in said


def test_the_table_for_a_person(fedbounds: Fedbounds) -> None:
    done = fedbounds("constants", "logistic.small", "--set", "l2=0.25")
    assert done.code == 0
    words = done.out.split()
    after = {word: words[words.index(word) + 1 : words.index(word) + 4] for word in words}
    assert after["strong_convexity"] == ["0.25", "F/X^2", "exact"]
    assert after["minimum"][1:] == ["F", "enclosed,"]
    assert after["lipschitz"][0] == "none"
    assert "In statements of dp_fedavg" in done.out
    assert "l2 = 0.25" in done.out
    assert max(map(len, done.out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "needs PROBLEM"),
        (["logistic.smal"], "did you mean logistic.small?"),
        (["breast_cancr"], "did you mean breast_cancer?"),
        (["nowhere.csv"], "no such file"),
        (["people.txt"], "no problem is named people.txt"),
        (["wine", "--jsn"], "--json"),
        (["wine", "extra"], "extra"),
        (["wine", "--set"], "NAME=VALUE"),
        (["wine", "--set", "clients"], "NAME=VALUE"),
        (["wine", "--set", "clients=2", "clients=3"], "names clients twice"),
        (["wine", "--set", "clint=2"], "did you mean clients?"),
        (["wine", "--set", "clients=two"], "clients as int"),
        (["wine", "--set", "clients=2.5"], "clients as int"),
        (["wine", "--set", "clients=true"], "clients"),
        (["wine", "--set", "clients=0"], "clients"),
        (["wine", "--set", "clients=200"], "left without samples"),
        (["wine", "--set", "clients=1000000000"], "left without samples"),
        (["wine", "--set", "split=shards", "shards_per_client=1000000000"], "more shards than samples"),
        (["wine", "--set", "l2=-1"], "l2"),
        (["wine", "--set", "l2=nan"], "l2"),
        (["wine", "--set", "l2=much"], "l2"),
        (["wine", "--set", "intercept=3"], "intercept as bool"),
        (["wine", "--set", "split=random"], "split"),
        (["wine", "--set", "model=logistic"], "3 classes"),
        (["wine", "--set", "target=2"], "takes no target"),
        (["diabetes", "--set", "split=dirichlet"], "no labels"),
        (["logistic.small", "--set", "clients=[1"], "not valid JSON"),
        (["logistic.small", "--set", "seed=abc"], "seed"),
        (["quadratic.small", "--set", "seed=abc"], "seed"),
        (["quadratic.small", "--set", "smoothness=inf"], "smoothness"),
        (["quadratic.small", "--set", "colour=red"], "colour"),
        (["quadratic.diagonal"], "curvatures"),
    ],
)
def test_misuse(misuse: Misused, arguments: list[str], said: str) -> None:
    for form in ([], ["--json"]):
        assert said in misuse("constants", *arguments, *(form if "--set" not in arguments[-1:] else []))


@pytest.mark.parametrize(
    ("problem", "word", "said"),
    [
        ("quadratic.small", "dimension=100000000", "is too large for this machine: it needs at least"),
        ("quadratic.small", f"dimension={10**23}", "dimension must be at most 9,223,372,036,854,775,807"),
        ("quadratic.small", f"clients={10**9}", "clients=1000000000, dimension=4 is too large"),
        ("logistic.small", f"samples={10**13}", "is too large for this machine: it needs at least"),
        ("lojasiewicz.small", f"clients={10**12}", "is too large for this machine: it needs at least"),
    ],
)
def test_a_problem_that_no_memory_holds(misuse: Misused, problem: str, word: str, said: str) -> None:
    """Before anything is built: clients are built one by one, until memory is gone."""
    assert said in misuse("constants", problem, "--set", word)


def test_lists_are_arguments_too(fedbounds: Fedbounds) -> None:
    arguments = ["curvatures=[[1, 2], [3, 4]]", "centers=[[0, 0], [1, 1]]"]
    document = fedbounds("constants", "quadratic.diagonal", "--set", *arguments, "--json").json
    assert document["constants"]["smoothness"]["value"] == 4


def test_a_missing_extra_is_one_sentence(misuse: Misused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sklearn", None)
    assert "fedbounds[data]" in misuse("constants", "wine")


def test_a_reader_that_leaves_early_is_no_error(process: Process) -> None:
    running = process("constants", "logistic.small")
    running.stdout.close()
    with running.stderr:
        assert (running.stderr.read(), running.wait(timeout=60)) == ("", 0)
