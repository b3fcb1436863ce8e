"""plan: one command from a problem and a privacy target to a setting, and what is refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fedbounds as facade
from verify.cell import build_problem

Fedbounds = Callable[..., Any]

CLIPPED = "dp_fedavg.theorem_2"
SMALL = ["problem.clients=40", "problem.dimension=4", "problem.heterogeneity=0.05", "problem.seed=2"]
PRIVATE = ["--epsilon", "4", "--delta", "1e-5", "--relation", "add-or-remove"]
WORDS = ["--problem", "quadratic.small", "--rounds", "30", "--start", "1.5", *PRIVATE]


TASK = ["--problem", "breast_cancer", "--rounds", "200", *PRIVATE]
SET = ["clients=10", "l2=0.1"]


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


def test_a_target_outside_its_range_is_misuse_whatever_the_data_are(fedbounds: Fedbounds) -> None:
    """breast_cancer without a penalty has no minimizer, which is a refusal."""
    asked = ["plan", "dp_fedavg.theorem_2", "--problem", "breast_cancer", "--relation", "add-or-remove"]
    for epsilon, delta, code in ((-4, 1e-5, 2), (4, 2, 2), (4, 1e-5, 3)):
        answer = fedbounds(*asked, "--rounds", "5", "--epsilon", f"{epsilon}", "--delta", f"{delta}")
        assert answer.code == code, answer


def test_a_refusal_is_3_with_its_reason(fedbounds: Fedbounds) -> None:
    done = fedbounds("plan", "dp_fedavg.equation_8", *_small("--json"))
    assert (done.code, done.json["setting"]) == (3, None)
    assert "Lipschitz" in done.json["reason"]
    page = fedbounds("plan", "dp_fedavg.equation_8", *_small())
    assert page.code == 3
    assert "Lipschitz" in page.out


KNOWN = ["L=0.5", "D0=2", "Delta_star_max=0.01", "Delta_star_mean=0.005"]


def test_constants_alone(fedbounds: Fedbounds, tmp_path: Path) -> None:
    """The same numbers by hand, from a file, and from the problem that has them make the same plan."""
    words = ["--rounds", "200", "--epsilon", "40", "--delta", "1e-5", "--relation", "add-or-remove", "--json"]
    done = fedbounds("plan", CLIPPED, *words, "--set", *KNOWN, "clients=100", "dimension=31")
    body = done.json
    assert (done.code, body["problem"], body["run"], body["algorithm"]["settings"]) == (0, None, None, {})
    assert (body["clients"], body["dimension"], body["informative"]) == (100, 31, True)
    assert 39.6 <= body["privacy"]["guarantee"]["epsilon"] <= 40
    path = tmp_path / "known.toml"
    path.write_text("\n".join([*KNOWN, "n=100", "d=31"]), encoding="utf-8")
    from_file = fedbounds("plan", CLIPPED, *words, "--constants", str(path)).json
    assert from_file["bound"] == body["bound"]
    assert from_file["free_bound"] == body["free_bound"]
    more_noise = fedbounds("plan", CLIPPED, *words, "--set", *KNOWN, "clients=50", "dimension=31").json
    assert more_noise["bound"]["value"] > body["bound"]["value"]


def test_constants_of_a_problem_plan_as_the_problem_does(fedbounds: Fedbounds, tmp_path: Path) -> None:
    own = [word.removeprefix("problem.") for word in SMALL]
    path = tmp_path / "c.json"
    told = fedbounds("constants", "quadratic.small", "--start", "1.5", "--json", "--set", *own)
    path.write_text(told.out, encoding="utf-8")
    alone = fedbounds("plan", CLIPPED, "--rounds", "30", *PRIVATE, "--json", "--constants", str(path)).json
    whole = fedbounds("plan", CLIPPED, *_small("--run", "off", "--json")).json
    assert set(alone["setting"]) == set(whole["setting"])
    assert alone["bound"]["value"] == pytest.approx(whole["bound"]["value"], rel=1e-4)
    assert alone["free_bound"]["value"] == pytest.approx(whole["free_bound"]["value"], rel=1e-4)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--set", "L=0.5", "clients=10", "dimension=3"], 3, "needs values for D0 (initial distance"),
        (["--set", *KNOWN, "clients=10"], 3, "needs a value for dimension (of the parameters): give it"),
        (["--set", "L=1"], 3, "values for clients (how many there are), dimension (of the parameters), D0"),
        (["--set", *KNOWN, "clients=1.5", "dimension=3"], 2, "clients must be an integer >= 1, not 1.5"),
        (["--set", "D1=2"], 2, "no statement takes D1; did you mean D0?"),
        (["--start", "1", "--set", *KNOWN], 2, "--start needs --problem"),
        (["--problem", "quadratic.small", "--constants", "x.toml"], 2, "--constants goes without --problem"),
    ],
)
def test_constants_that_do_not_do(fedbounds: Fedbounds, words: list[str], code: int, said: str) -> None:
    done = fedbounds("plan", CLIPPED, "--rounds", "30", *PRIVATE, *words)
    assert done.code == code
    assert said in " ".join((done.out + done.err).split())


def test_the_page_says_which_participation_it_takes(fedbounds: Fedbounds) -> None:
    words = ("fed_norm_ec.theorem_1.main", "--rounds", "30", "--set", "clients=10", "dimension=3", "L=1")
    done = fedbounds("plan", *words, "f0_gap=1", "Delta_inf=0.1", "R=0.1", "T=1", "sigma_DP=0.1")
    assert done.code == 0
    assert "p 1 by the sampling" in " ".join(done.out.split())


def test_the_start_is_chosen(fedbounds: Fedbounds) -> None:
    words = [*WORDS[:4], *PRIVATE, "--run", "off", "--json"]
    usual = fedbounds("plan", CLIPPED, *words, "--set", *SMALL).json
    chosen = fedbounds("plan", CLIPPED, *words, "--start", "choose", "--set", *SMALL).json
    assert usual["start"] == 0
    assert chosen["bound"]["value"] < usual["bound"]["value"]
    page = fedbounds("plan", CLIPPED, *words[:-1], "--start", "choose", "--set", *SMALL).out
    assert f"every coordinate {chosen['start']:.6g}" in " ".join(page.split())


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
    "one_class": (["a,b,y", *(row[:-1] + "1" for row in ROWS)], 2, "found 1 class,"),
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


def test_a_packed_file_is_no_problem(fedbounds: Fedbounds, tmp_path: Path) -> None:
    path = tmp_path / "mine.csv.gz"
    path.write_bytes(b"")
    done = fedbounds("plan", CLIPPED, "--problem", str(path), "--rounds", "5")
    assert done.code == 2
    assert "cannot be read as data; a data file ends in .csv" in done.err
    assert done.err.endswith("unpack or rename it [F011]\n")


@pytest.mark.parametrize(
    ("words", "said"), [(["L=1e-6"], "L = 1e-06 is below"), (["D0=0.001"], "D0 = 0.001 is below")]
)
def test_a_number_that_the_data_contradict_is_refused(
    fedbounds: Fedbounds, words: list[str], said: str
) -> None:
    done = fedbounds("plan", "dp_fedavg.theorem_2", *TASK, "--run", "off", "--set", *SET, *words)
    assert (done.code, said in " ".join(done.out.split())) == (3, True), done.out


def test_the_start_makes_the_numerator_of_the_memory_error(fedbounds: Fedbounds) -> None:
    """D_1 = (K+1)^(1/6) times the largest gradient of a client, since memories start at zero."""
    done = fedbounds("plan", "fed_norm_ec.corollary_4", *TASK, "--run", "off", "--json", "--set", *SET)
    assert done.code == 0, done.err
    problem = build_problem("breast_cancer", {"clients": 10, "l2": 0.1})
    slopes = problem.client_gradients(np.zeros((1, problem.dimension)))[:, 0]
    found = float(np.linalg.norm(slopes, axis=1).max()) * 200 ** (1 / 6)
    assert done.json["known"]["D_1"] == pytest.approx(found, rel=1e-9)


def test_a_constant_column_is_one_sentence(fedbounds: Fedbounds, tmp_path: Path) -> None:
    rows = [f"{i % 4},7,{i * i % 5},{i % 2}" for i in range(12)]
    file = tmp_path / "mine.csv"
    file.write_text("\n".join(["a,b,c,y", *rows]))
    done = fedbounds("constants", str(file), "--set", "clients=2")
    assert (done.code, " ".join(done.err.split()).count("feature column 2 is left out")) == (0, 1)
    silent = fedbounds("constants", str(file), "--set", "clients=2", "standardise=false")
    assert "left out" not in silent.err


def test_a_statement_about_bounded_gradients_is_refused_in_words(fedbounds: Fedbounds) -> None:
    """Its bound C is chosen by the plan, and the assumptions are judged before that."""
    words = ("--problem", "logistic.small", "--set", "problem.l2=0", "--rounds", "30", "--run", "off")
    done = fedbounds("plan", "als_dpfl.theorem_2.theorem_omega", *words, *PRIVATE)
    assert done.code == 3
    refused = " ".join(done.out.split())
    # what nobody knows, and all the rest that is missing, at once
    assert "(smallest mean gap of the auxiliary sequence at the end of an interval)" in refused
    assert (
        "which nobody knows before the run; and a value for lam (lower bound on optimality gaps)" in refused
    )
    assert "or plan with als_dpfl.best_aggregation, which needs nothing of a run" in refused


@pytest.mark.parametrize("penalty", ["l2=0", "l2=0.1"])
def test_a_penalty_that_heals_one_assumption_and_breaks_another_is_no_advice(
    fedbounds: Fedbounds, penalty: str
) -> None:
    """Without l2 no minimizer is certified, with it no gradient is bounded: a user would walk in a circle."""
    words = ["--problem", "breast_cancer", "--rounds", "5", "--run", "off", *PRIVATE, "--set", penalty]
    done = fedbounds("plan", "als_dpfl.best_aggregation", *words)
    assert done.code == 3
    said = " ".join(done.out.split())
    assert "minimum attained" in said
    assert "lipschitz clients" in said
    assert "no l2 is certified to meet all of them: plan with constants alone" in said
    healed = " ".join(fedbounds("plan", CLIPPED, *words).out.split())
    assert ("with l2 above 0 it is met" in healed) == (penalty == "l2=0")


def test_fewer_rounds_are_no_advice_against_too_much_noise(fedbounds: Fedbounds) -> None:
    """The noise grows as the root of the rounds if every client takes part in each, so that rho stays."""
    sizes = ["--set", *KNOWN, "clients=10", "dimension=1000"]
    few, many = (fedbounds("plan", CLIPPED, "--rounds", k, *PRIVATE, *sizes) for k in ("3", "3000"))
    assert (few.code, many.code) == (3, 3)
    assert "more clients or a larger epsilon lower the noise" in " ".join(few.out.split())
