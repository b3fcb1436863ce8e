"""`fedbounds worst`: documents, exit codes and refusals, and what `replay` finds in forged files.

One file in spite of its length: its tests share the certificates that the first of them finds.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import bounds
from verify.worst_case import answer as answer_module
from verify.worst_case.question import NAMES, REFUSED

pytest.importorskip("clarabel", reason="worst cases are solved with clarabel, of the extra tight")

SMALL = ["n=2", "E=2", "K=1", "local_step=0.5", "L=1", "D0=1"]
USUAL = ["fedavg", "--set", *SMALL, "zeta_star=1"]
LOJASIEWICZ = "fedavg_lojasiewicz.theorem_f2"
POINT = ["M=2", "H=2", "R=2", "L=1", "eta=1/36", "mu_1=1/2", "f0_gap=1", "zeta=0.1", "sigma=0"]


def test_an_algorithm(fedbounds: Any) -> None:
    done = fedbounds("worst", *USUAL, "--json")
    found = done.json
    assert (done.code, found["answered"], found["verdict"]) == (0, True, None)
    assert 0.1919172 < found["lower"] <= found["upper"] < 0.1919173
    assert Fraction(found["upper_exact"]) <= Fraction(found["upper"])
    assert Fraction(found["lower_exact"]) >= Fraction(found["lower"])
    assert found["instance"]["measured"] == pytest.approx(found["lower"], rel=1e-9)
    assert "certified at most  0.19191722" in fedbounds("worst", *USUAL).out
    assert "runs measure 0.11" in fedbounds("worst", *USUAL, "sigma=1").out


@pytest.mark.parametrize(
    ("statement", "point"),
    [
        ("gradient_descent_convex", ["L=2", "D0=3", "N=4"]),
        ("gradient_descent_nonconvex", ["L=2", "f0_gap=3", "N=4"]),
        ("gradient_descent_strongly_convex", ["L=2", "mu=1/3", "D0=3", "N=4"]),
        ("federated_averaging_one_client", ["L=2", "D0=3", "rounds=2", "E=2"]),
        ("stochastic_gradient_descent", ["L=1", "mu=0.1", "eta=0.5", "sigma=0.5", "D0=2", "K=20"]),
    ],
)
def test_textbook_bounds_are_tight(fedbounds: Any, statement: str, point: list[str]) -> None:
    done = fedbounds("worst", f"textbook.{statement}", "--set", *point, "--json")
    assert done.code == 0
    assert done.json["verdict"] in ("tight", "holds")
    assert done.json["ratio"] == pytest.approx(1, abs=1e-6)


def test_a_loose_bound(fedbounds: Any) -> None:
    done = fedbounds("worst", LOJASIEWICZ, "--variant", "amended", "--set", *POINT, "--json")
    found = done.json
    assert (done.code, found["verdict"], found["exact_class"]) == (0, "holds", False)
    assert 1.01 < found["ratio"] <= found["ratio_at_most"]
    assert sum(term["value"] for term in found["terms"]) == pytest.approx(found["bound"])


def of_half_the_bound(identity: str, variant: str) -> Any:
    """The statement with half of each term, which is false where the bound is tight."""
    statement = bounds.get(identity, variant)
    return replace(statement, terms=tuple(replace(t, expression=t.expression / 2) for t in statement.terms))


@pytest.mark.parametrize(
    ("statement", "point"),
    [
        ("gradient_descent_convex", ["L=2", "D0=3", "N=2"]),
        ("gradient_descent_nonconvex", ["L=2", "f0_gap=3", "N=2"]),
        ("stochastic_gradient_descent", ["L=1", "mu=0.1", "eta=0.5", "sigma=0.5", "D0=2", "K=5"]),
    ],
)
def test_half_of_a_tight_bound_is_false(
    fedbounds: Any, monkeypatch: pytest.MonkeyPatch, statement: str, point: list[str]
) -> None:
    monkeypatch.setattr(answer_module, "bounds", SimpleNamespace(get=of_half_the_bound))
    done = fedbounds("worst", f"textbook.{statement}", "--set", *point, "--json")
    assert (done.code, done.json["verdict"]) == (1, "violated")
    assert "it is false" in done.json["sentence"]


def test_an_algorithm_of_an_author_has_no_program(fedbounds: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    own = replace(bounds.get("textbook.gradient_descent_convex"), algorithm="mine.descent")
    monkeypatch.setattr(answer_module, "bounds", SimpleNamespace(get=lambda *_: own))
    done = fedbounds("worst", "textbook.gradient_descent_convex", "--set", "L=1", "D0=1", "N=1", "--json")
    assert done.code == 3
    assert "only fedavg, gradient_descent" in done.json["sentence"]


def test_over_an_axis(fedbounds: Any) -> None:
    asked = ("worst", "textbook.gradient_descent_convex", "--over", "N=0:3", "--set", "L=1", "D0=1")
    found = fedbounds(*asked, "--json").json
    assert [point["at"] for point in found["points"]] == [{"N": str(n)} for n in range(4)]
    assert [point["upper"] for point in found["points"]] == pytest.approx([1 / (4 * n + 2) for n in range(4)])
    assert "0.16666667" in fedbounds(*asked).out  # rounded up


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["fedavg", "--set", *SMALL], "without a bound on heterogeneity"),
        (["fedavg", "--set", *SMALL[:4], "D0=1", "zeta_star=1"], "without a bound on smoothness"),
        (["fedavg", "--set", *SMALL[:5], "zeta_star=1"], "without a bound on the start"),
        (["fedavg", "--set", "n=2", "E=3", "K=20", *SMALL[3:], "zeta_star=1", "sigma=1"], "40 local steps"),
        (["fedavg", "--set", *SMALL[:4], "G=1", "f0_gap=1"], "bounded by D0"),
        (["fedavg", "--set", *SMALL[:4], "G=1", "D0=1", "cohort=1"], "smooth clients only"),
        (["fedavg", "--set", "n=2", "E=1", "K=41", *SMALL[3:], "server_noise=1"], "a value after noise"),
        (["fedavg", "--nonconvex", "--set", *SMALL], "bounded by f0_gap"),
        (
            [
                "gradient_descent",
                "--observe",
                "squared_distance",
                "--set",
                "K=1",
                "step=1",
                "L=1",
                "f0_gap=1",
            ],
            "D0 or",
        ),
        (["fed_alpha_norm_ec"], "local steps alone, as full gradients, are those of fedavg with K = 1"),
        (["memory_update"], "`fedbounds prove fed_norm_ec.lemma_1 --variant amended`"),
        (["dp_fedavg.theorem_2"], "it clips"),
        (["dp_fedavg.theorem_4"], "divides by a norm"),
        (["fed_norm_ec.theorem_1.main"], "divides by a norm"),
        (["fedavg_lojasiewicz.theorem_f4"], "exponent other than 1"),
        (["fedavg_lojasiewicz.lemma_f1"], "not one of the observables"),
        ([LOJASIEWICZ, "--set", *POINT[:2], "R=21", *POINT[3:-1], "sigma=1"], "40 local steps"),
        ([LOJASIEWICZ, "--set", *[w.replace("1/36", "1/2") for w in POINT]], "claims nothing here"),
    ],
)
def test_without_a_worst_case(fedbounds: Any, words: list[str], sentence: str) -> None:
    done = fedbounds("worst", *words, "--json")
    found = done.json
    assert (done.code, found["answered"], found["upper"]) == (3, False, None)
    assert sentence in found["sentence"]
    assert "Traceback" not in done.err


@pytest.mark.thinned(3)
@pytest.mark.parametrize("algorithm", sorted(REFUSED))
def test_clipping_and_normalization_are_refused_by_name(fedbounds: Any, algorithm: str) -> None:
    done = fedbounds("worst", algorithm)
    assert done.code == 3
    assert "norm" in done.out


def test_every_algorithm_is_modeled_or_refused() -> None:
    from synthetic.run import algorithm_names

    assert set(algorithm_names()) == NAMES.keys() | REFUSED.keys()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["fedavgg"], "no statement"),
        ([*USUAL, "zeta_sta=1"], "did you mean zeta_star"),
        ([*USUAL, "K=2"], "names K twice"),
        (["fedavg", "--set", "n=1.5", *SMALL[1:]], "n must be a whole number"),
        (["fedavg", "--set", "n=0", *SMALL[1:]], "n must be a whole number >= 1"),
        (["fedavg", "--set", "E=2"], "needs a value for n, K, local_step"),
        ([*USUAL, "mu=1"], "mu must be below L"),
        ([*USUAL, "mu=nan"], "mu must be a finite number"),
        ([*USUAL, "mu=1e-99"], "powers of ten"),
        ([*USUAL, "f0_gap=1"], "keep one"),
        ([*USUAL, "cohort=3"], "cohort must be at most n = 2"),
        ([*USUAL, "mu_1=1"], "mu_1 is for the class without convexity"),
        ([*USUAL, "G=1"], "leave out L, mu"),
        ([*USUAL, "--observe", "gaps"], "did you mean gap"),
        ([*USUAL, "--over", "K=1:3"], "K is given by --set"),
        (["fedavg", "--set", *SMALL, "--over", "zeta_star=1"], "from 2 to"),
        (["fedavg", "--set", *[w.replace("K=1", "K=101") for w in SMALL], "zeta_star=1"], "too long"),
        (["fedavg", "--nonconvex", "--set", *SMALL[:5], "f0_gap=1", "zeta_star=1"], "no x* is assumed"),
        ([*USUAL, "sigma=1", "--observe", "squared_distance_to_central"], "without noise"),
        (["textbook.gradient_descent_convex", "--nonconvex", "--set", "L=1", "D0=1", "N=1"], "says itself"),
        (["textbook.gradient_descent_convex", "--set", "L=1", "D0=1"], "needs a value for N"),
    ],
)
def test_misuse(misuse: Callable[..., str], words: list[str], sentence: str) -> None:
    assert sentence in misuse("worst", *words)


def test_without_the_extra(
    fedbounds: Any, misuse: Callable[..., str], monkeypatch: Any, tmp_path: Path
) -> None:
    file = tmp_path / "worst.json"
    fedbounds("worst", *USUAL, "--out", file)
    monkeypatch.setitem(sys.modules, "clarabel", None)
    assert "pip install 'fedbounds[tight]'" in misuse("worst", *USUAL)
    assert fedbounds("replay", file).code == 0


# ---- replay


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
    data = fedbounds("worst", "fedavg", "--set", *SMALL[:4], "G=1", "D0=1", "--json").json
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
    fedbounds("worst", LOJASIEWICZ, "--variant", "amended", "--set", *POINT, "--out", file)
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


# ---- axes and figures


@pytest.mark.parametrize(
    ("word", "values"),
    [
        ("K=1:3", ["1", "2", "3"]),
        ("eta=0.1:0.2:3", ["1/10", "3/20", "1/5"]),
        ("eta=1/3,0.5", ["1/3", "1/2"]),
    ],
)
def test_axes_are_exact(word: str, values: list[str]) -> None:
    from reports.inputs.rationals import axis

    assert [str(value) for value in axis(word).values] == values


@pytest.mark.parametrize(
    "word",
    ["K", "K=", "=1:2", "K=1", "K=3:1", "K=0.5:2", "K=1:2:1", "K=1:2:1.5", "K=1:2:3:4", "K=1,1", "K=1:9999"],
)
def test_broken_axes_are_misuse(misuse: Callable[..., str], word: str) -> None:
    assert "--over" in misuse(
        "worst", "textbook.gradient_descent_convex", "--set", "L=1", "D0=1", "--over", word
    )


def test_a_figure_needs_an_axis(misuse: Callable[..., str], tmp_path: Path) -> None:
    assert "--figure needs --over" in misuse("worst", *USUAL, "--figure", tmp_path)


@pytest.mark.slow("matplotlib draws in two formats")
def test_a_figure(fedbounds: Any, tmp_path: Path) -> None:
    asked = ("worst", "textbook.gradient_descent_convex", "--over", "N=1:2", "--figure", tmp_path / "new")
    assert fedbounds(*asked, "--set", "L=1", "D0=1").code == 0
    assert {file.name for file in (tmp_path / "new").iterdir()} == {"figure.svg", "figure.pdf", "figure.csv"}
    assert "certified worst case" in (tmp_path / "new" / "figure.csv").read_text(encoding="utf-8")


def test_in_python() -> None:
    import fedbounds

    found = fedbounds.worst("gradient_descent", set={"K": 1, "step": 1, "L": 1, "D0": 1})
    assert found["upper"] == pytest.approx(1 / 6, abs=1e-8)


@pytest.mark.parametrize("name", REFUSED)
def test_a_sentence_keeps_the_name_that_it_begins_with(fedbounds: Any, name: str) -> None:
    done = fedbounds("worst", name)
    assert done.code == 3
    assert f"{name} has no worst-case program" in " ".join(done.out.split())
