"""`fedbounds worst`: documents, exit codes and refusals."""

import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import bounds
from reports.verbs.worst import _run
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
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


def test_a_setting_that_is_called_as_a_constant_is_named(fedbounds: Any) -> None:
    def heavy_ball(state: Any, clients: Any, settings: Any, random: Any) -> Any:
        moved = clients.gradient(state["x"]) - settings.mu * (state["x"] - state["before"])
        return {"x": state["x"] - moved, "before": state["x"]}

    usual = {"begin": lambda x0, clients, settings: {"x": x0, "before": x0}}
    name = adopt(Algorithm(round=heavy_ball, settings={"mu": REQUIRED}, **usual))
    out = fedbounds("worst", name, "--set", "rounds=2", "L=1", "D0=1", "mu=0.5").out
    assert "given to the algorithm and to the class of problems: mu" in out


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


def test_an_algorithm_that_is_not_installed_has_no_program(
    fedbounds: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
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


@pytest.mark.parametrize(
    ("sizes", "words"),
    [([2], "dimension 2;"), ([2, 1], "dimension 2 and 1 along a direction of each client;")],
)
def test_an_instance_says_what_its_clients_share(sizes: list[int], words: str) -> None:
    measured = {"measured": 0.5, "standard_error": 0.0, "replicates": 1}
    assert words in _run({"dimensions": sizes, **measured})
