"""run --as, the privacy that a run keeps, constants of a start, and verify on a user's own data."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from synthetic.problems import build

Fedbounds = Callable[..., Any]

CLIPPED = "dp_fedavg.theorem_2"
RUN = ["run", "--as", CLIPPED, "--problem", "quadratic.small", "--replicates", "4", "--json", "--set"]
POINT = ["K=20", "E=2", "C_hat=5", "alpha=4", "rho=0.5", "start=1.5", "problem.heterogeneity=0.3"]
DP = ["run", "dp_fedavg", "--problem", "quadratic.small", "--replicates", "2", "--json", "--set", "rounds=20"]
DP += ["local_steps=1", "local_step=0.1", "clip_threshold=2", "clients_per_round=5", "participation=full"]


def test_settings_follow_from_the_quantities(fedbounds: Fedbounds) -> None:
    done = fedbounds(*RUN, *POINT)
    assert done.code == 0
    settings, known = done.json["settings"], done.json["parameters"]
    assert (done.json["algorithm"], done.json["as"]) == ("dp_fedavg", CLIPPED)
    assert settings["clip_threshold"] == 10
    assert settings["local_step"] == pytest.approx(0.5 / (2 * 4 * known["L"]))
    assert settings["noise_scale"] == pytest.approx(np.sqrt(20) * 10 * 0.5 / np.sqrt(4))
    assert known["D0"] == pytest.approx(
        np.linalg.norm(1.5 - build("quadratic.small", heterogeneity=0.3).minimiser())
    )


@pytest.mark.parametrize(
    ("change", "said", "code"),
    [
        (["C_hat=0.001"], "B.thm2.threshold (C_hat >= 4*sqrt(Delta_star_max)*sqrt(L)) fails", 3),
        (["C_hat="], "--set takes NAME=VALUE", 2),
        (["K=0"], "must be integer >= 1", 2),
        (["Khat=3"], "no quantity Khat", 2),
        (["start=far"], "start must be a finite number", 2),
    ],
)
def test_what_the_statement_does_not_allow_is_refused(
    fedbounds: Fedbounds, change: list[str], said: str, code: int
) -> None:
    names = {word.partition("=")[0] for word in change}
    done = fedbounds(*RUN, *(w for w in POINT if w.partition("=")[0] not in names), *change)
    assert (done.code, done.out) == (code, "")
    assert said in done.err


def test_what_is_free_must_be_set(fedbounds: Fedbounds) -> None:
    done = fedbounds(*RUN, *(w for w in POINT if not w.startswith(("alpha", "E="))))
    assert done.code == 2
    assert "leaves E, alpha free" in done.err


def test_a_run_says_what_privacy_it_keeps(fedbounds: Fedbounds) -> None:
    """sigma C/r of the server is s = 4 contributions of the sum: mu = sqrt(20)/4 of a Gaussian mechanism."""
    done = fedbounds(*DP, "noise_placement=server", f"noise_scale={4 * 2 / 5}")
    by_relation = {g["relation"]: g["guarantee"] for g in done.json["privacy"]["guarantees"]}
    words = ["--sigma", "4", "--delta", "1e-5", "--rounds", "20", "--sampling", "full"]
    words += ["--relation", "add-or-remove", "--accountant", "exact"]
    asked = fedbounds("privacy", "epsilon", *words, "--json")
    assert by_relation["add-or-remove"]["epsilon"] == pytest.approx(asked.json["epsilon"], rel=1e-6)
    assert by_relation["replace-one"]["epsilon"] > 1.9 * by_relation["add-or-remove"]["epsilon"]
    assert done.json["privacy"]["placement"] == "server"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["noise_placement=server", "noise_scale=0"], "must be positive"),
        (["noise_placement=clients", "noise_scale=1"], "a client takes its noise along"),
    ],
)
def test_a_run_without_a_guarantee_says_why(fedbounds: Fedbounds, words: list[str], said: str) -> None:
    done = fedbounds(*DP, *words)
    first = done.json["privacy"]["guarantees"][0]
    assert first["guarantee"] is None
    assert said in first["reason"]


def test_constants_of_a_start_serve_eval(fedbounds: Fedbounds, tmp_path: Path) -> None:
    done = fedbounds("constants", "quadratic.small", "--start", "1.5", "--json")
    known = done.json["quantities"]["dp_fedavg"]
    gap, distance = known["f0_gap"]["value"], known["D0"]["value"]
    problem = build("quadratic.small")
    start = np.full((1, 4), 1.5)
    assert gap == pytest.approx(float(problem.value(start)[0] - problem.minimum()))
    assert distance == pytest.approx(np.linalg.norm(start - problem.minimiser()))
    (tmp_path / "c.json").write_text(done.out, encoding="utf-8")
    words = ["--constants", str(tmp_path / "c.json"), "--set", "K=9", "E=1", "C_hat=9", "alpha=2", "rho=0.5"]
    evaluated = fedbounds("eval", CLIPPED, *words, "--json")
    assert evaluated.err == ""  # what the tool wrote itself is no reason for a warning
    cost = 0.5 / 2
    assert evaluated.json["free_bound"]["value"] == pytest.approx((2 - cost - cost**2) * gap)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A table with ten rows for each of four clients."""
    random = np.random.default_rng(3)
    lines = [f"{x:.4f},{y:.4f},{'yes' if x + y > 0 else 'no'}" for x, y in random.normal(size=(40, 2))]
    path = tmp_path / "mine.csv"
    path.write_text("\n".join(["a,b,label", *lines]) + "\n", encoding="utf-8")
    return path


def test_a_statement_is_judged_on_data(fedbounds: Fedbounds, data: Path, tmp_path: Path) -> None:
    path = data
    words = ["--problem", str(path), "--quick", "--out", str(tmp_path / "r")]
    done = fedbounds("verify", CLIPPED, *words, "--json", "--set", "clients=4", "l2=0.1")
    assert done.code == 0
    assert {cell["role"] for cell in done.json["cells"]} == {"own data", "own data, more noise"}
    assert {cell["verdict"] for cell in done.json["cells"]} == {"holds"}
    replayed = fedbounds("replay", tmp_path / "r")
    assert replayed.code == 0
    refused = fedbounds(
        "verify", "dp_fedavg.equation_8", "--problem", str(path), "--set", "clients=4", "l2=0.1"
    )
    assert refused.code == 3
    assert "no Lipschitz constant" in refused.err
    astray = fedbounds("verify", CLIPPED, "--problem", "quadratic.small", "--set", "clients=4")
    assert (astray.code, "--set gives arguments of a data set" in astray.err) == (2, True)


OWN = ["--set", "clients=4", "l2=0.1"]


@pytest.mark.slow("another algorithm on the same data")
def test_error_feedback_is_judged_on_data(fedbounds: Fedbounds, data: Path) -> None:
    """Delta_inf is safe on neither side; a local pass takes one step for each row of a client."""
    words = ["--problem", str(data), "--quick", "--variant", "amended", "--json", *OWN]
    done = fedbounds("verify", "fed_norm_ec.theorem_2", *words)
    assert {cell["verdict"] for cell in done.json["cells"]} == {"holds"}
    assert len(done.json["cells"]) == 2


@pytest.mark.slow("a plan with its search by simulation")
def test_a_pass_over_the_rows_is_planned(fedbounds: Fedbounds, data: Path) -> None:
    words = ["--rounds", "4", "--epsilon", "8", "--delta", "1e-3", "--relation", "add-or-remove"]
    done = fedbounds(
        "plan", "fed_norm_ec.theorem_2", "--problem", str(data), *words, "--replicates", "2", "--json", *OWN
    )
    assert done.code == 0
    assert done.json["algorithm"]["settings"]["local_steps"] == 10
    assert done.json["best_by_simulation"]["settings"]["local_steps"] == 10


@pytest.mark.parametrize(
    ("identity", "said"),
    [
        ("fed_norm_ec.lemma_7.c2", "needs a value for server_move"),
        ("dp_fedavg.theorem_4", "printed and amended: dp_fedavg.theorem_4 needs unclipped_scaled_delta"),
    ],
)
def test_a_number_that_no_run_of_the_data_has_is_named_once(
    fedbounds: Fedbounds, data: Path, identity: str, said: str
) -> None:
    done = fedbounds("verify", identity, "--problem", str(data), "--quick", *OWN)
    assert (done.code, done.out) == (3, "")  # refused, as `plan` refuses it
    assert done.err.count(said) == 1
    assert "--set" not in done.err
    assert len(done.err.strip().splitlines()) == 1


def test_a_plan_at_a_privacy_is_carried_to_a_verdict(
    fedbounds: Fedbounds, data: Path, tmp_path: Path
) -> None:
    """The setting and the noise of the plan, and the privacy is counted from what the run released."""
    private = ["--epsilon", "4", "--delta", "1e-5", "--relation", "add-or-remove"]
    words = ["--problem", str(data), *private, "--json"]
    planned = fedbounds("plan", CLIPPED, *words, "--rounds", "7", "--run", "off", *OWN).json
    done = fedbounds("verify", CLIPPED, *words, "--quick", "--out", str(tmp_path / "r"), *OWN, "K=7")
    assert done.code == 0
    (cell,) = done.json["cells"]
    assert (cell["role"], cell["engine"]["rounds"]) == ("own data, private: epsilon 4 at delta 1e-05", 7)
    assert cell["parameters"]["rho"] == pytest.approx(planned["known"]["rho"], rel=1e-9)
    assert cell["bound"]["value"] > 0
    assert cell["privacy"]["epsilon"] == pytest.approx(4, rel=1e-4)
    assert fedbounds("replay", tmp_path / "r").code == 0
    refused = fedbounds("verify", "fedavg_lojasiewicz.theorem_f2", *words, *OWN)
    assert (refused.code, "has no noise that an accountant could set" in refused.err) == (3, True)


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (["noise_placement=server"], None),
        (["noise_placement=clients"], "the noise: assumed at the server, done at the clients (the noise of"),
        (["noise_placement=server", "clients_per_round=4", "participation=fixed_size:4"], "done fixed size"),
        (["noise_placement=server", "clip_threshold=inf"], "largest contribution: assumed unknown"),
    ],
)
def test_a_run_names_what_the_rule_of_its_paper_does_not_cover(
    fedbounds: Fedbounds, words: list[str], refusal: str | None
) -> None:
    given = {word.partition("=")[0] for word in words}
    usual = [word for word in DP if word.partition("=")[0] not in given]
    done = fedbounds(*usual, "noise_scale=1", *words)
    (rule,) = done.json["privacy"]["rules"]
    assert (rule["id"], rule["locator"]) == ("dp_fedavg.theorem_1", "B.thm1")
    assert (rule["refusal"] is None) == (refusal is None)
    assert refusal is None or refusal in rule["refusal"]
