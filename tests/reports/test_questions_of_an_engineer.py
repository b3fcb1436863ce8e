"""A plan on a user's own file, and what follows from it: its constants, the largest term, the better run."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

Fedbounds = Callable[..., Any]

CLIPPED = "dp_fedavg.theorem_2"
PRIVATE = ["--epsilon", "16", "--delta", "1e-5", "--relation", "add-or-remove"]
DATA = ["client=hospital", "l2=0.1"]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rows of four hospitals that differ in their features and in the sign of a slope."""
    random = np.random.default_rng(4)
    lines = ["age,dose,hospital,outcome"]
    for row in range(120):
        x, place = random.standard_normal(2), row % 4
        ill = x[0] + (place - 1.5) * x[1] + random.logistic() > 0
        lines.append(f"{x[0]:.3f},{x[1] + place:.3f},h{place},{'ill' if ill else 'well'}")
    path = tmp_path_factory.mktemp("data") / "mine.csv"
    path.write_text("\n".join(lines))
    return path


def test_a_plan_says_from_where_on_heterogeneity_dominates(
    fedbounds: Fedbounds, data: Path, tmp_path: Path
) -> None:
    asked = ["--problem", str(data), "--rounds", "60", *PRIVATE, "--run", "off", "--out", str(tmp_path)]
    done = fedbounds("plan", CLIPPED, *asked, "--set", *DATA)
    assert "4 clients" in done.out
    assert "F/X" in done.out
    plan = tmp_path / "plan.json"
    body = json.loads(plan.read_text())
    assert body["units"]["eta"] == "X^2/F"
    over = fedbounds("compare", "terms", CLIPPED, "--constants", str(plan), "--over", "E=1:64", "--json")
    (named,) = [note for note in over.json["notes"] if note.startswith("the largest term: ")]
    values = {s["name"]: s["points"] for s in over.json["series"]}
    usable = [i for i, p in enumerate(values["initialization"]) if p["usable"]]
    largest = [max(values, key=lambda name: values[name][i]["value"]) for i in usable]
    assert named.startswith(f"the largest term: {largest[0]} at E = 1 to ")
    assert [part.split(" at ")[0] for part in named.removeprefix("the largest term: ").split(", ")] == [
        name for place, name in enumerate(largest) if place == 0 or largest[place - 1] != name
    ]


def test_a_plan_is_that_of_its_statement(fedbounds: Fedbounds, tmp_path: Path) -> None:
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps({"schema": "fedbounds/plan/1", "id": CLIPPED, "known": {}, "setting": {}}))
    done = fedbounds("eval", "dp_fedavg.theorem_4", "--constants", str(plan))
    assert done.code == 2
    assert f"is a plan with {CLIPPED}, not with dp_fedavg.theorem_4" in done.err
    plan.write_text(json.dumps({"schema": "fedbounds/plan/1", "id": CLIPPED, "setting": None}))
    assert "a plan without a setting" in fedbounds("eval", CLIPPED, "--constants", str(plan)).err


def test_constants_of_a_start_serve_comparisons_of_bounds(
    fedbounds: Fedbounds, data: Path, tmp_path: Path
) -> None:
    """The gap at the start is known to the free bound alone."""
    printed = fedbounds("constants", str(data), "--start", "0", "--json", "--set", *DATA)
    (tmp_path / "c.json").write_text(printed.out)
    numbers = ["K=200", "C_hat=2", "alpha=2", "rho=0.1"]
    asked = ["--constants", str(tmp_path / "c.json"), "--over", "E=1:4", "--json", "--set", *numbers]
    done = fedbounds("compare", "bounds", CLIPPED, *asked)
    assert done.code == 0, done.err
    gap = printed.json["quantities"]["dp_fedavg"]["f0_gap"]["value"]
    first = done.json["series"][0]["points"][0]
    assert first["free_bound"] == pytest.approx((2 - 0.05 - 0.05**2) * gap)


def test_a_private_bound_without_a_target_asks_for_one(fedbounds: Fedbounds) -> None:
    done = fedbounds("plan", CLIPPED, "--problem", "quadratic.small", "--rounds", "9")
    assert done.code == 3
    words = " ".join(done.out.split())
    assert "is about private runs and needs delta: give a privacy target by --epsilon, --delta" in words


def test_all_statements_without_a_target_are_those_without_noise(fedbounds: Fedbounds) -> None:
    asked = ["--problem", "quadratic.small", "--rounds", "9", "--run", "off", "--json"]
    done = fedbounds("plan", "--statements", "all", *asked, "--set", "problem.clients=3")
    planned = {plan["id"] for plan in done.json["plans"]}
    assert "textbook.gradient_descent_convex" in planned
    assert not any(plan["id"].startswith("dp_fedavg") for plan in done.json["plans"])


def test_a_sampling_that_no_run_of_the_statement_has_is_named_first(fedbounds: Fedbounds) -> None:
    asked = ["--rounds", "9", *PRIVATE, "--sampling", "fixed_size:5/100"]
    done = fedbounds("plan", CLIPPED, *asked, "--set", "clients=100", "dimension=3", "L=1", "D0=1")
    assert "the sampling of its runs is full or independent" in " ".join(done.out.split())


def test_the_end_of_each_run_is_named(fedbounds: Fedbounds) -> None:
    asked = ["fedavg", "dp_fedavg", "--problem", "quadratic.small", "--replicates", "2", "--json", "--set"]
    numbers = ["rounds=5", "local_steps=2", "local_step=0.1", "participation=full", "clients_per_round=5"]
    done = fedbounds("compare", "algorithms", *asked, *numbers, "clip_threshold=1e-3", "noise_scale=0")
    (named,) = [note for note in done.json["notes"] if note.startswith("after the last round")]
    ends = {s["name"]: s["points"][-1]["value"] for s in done.json["series"]}
    assert ends["fedavg"] < ends["dp_fedavg"]
    assert (
        named
        == f"after the last round, means: fedavg {ends['fedavg']:.4g} F, dp_fedavg {ends['dp_fedavg']:.4g} F"
    )


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Written as `plan --out` writes it, once for the file."""
    import fedbounds as facade

    folder = tmp_path_factory.mktemp("planned")
    task: dict[str, Any] = {"epsilon": 16, "delta": 1e-5, "relation": "add-or-remove", "start": "0.5"}
    of_problem = {"problem.clients": 100}
    facade.plan(CLIPPED, problem="quadratic.small", rounds=5, run="off", out=folder, set=of_problem, **task)
    return folder


def test_what_was_planned_runs_beside_another_algorithm(fedbounds: Fedbounds, planned: Path) -> None:
    """The same runs as with every number of the plan typed; another algorithm takes what it has too."""
    settings = json.loads((planned / "plan.json").read_text())["algorithm"]["settings"]
    typed = [f"dp_fedavg.{name}={value}" for name, value in settings.items()]
    shared = {"rounds", "local_steps", "local_step", "participation"} & settings.keys()
    typed += [f"fedavg.{name}={settings[name]}" for name in shared]
    asked = ["compare", "algorithms", "dp_fedavg", "fedavg", "--replicates", "2", "--json"]
    by_hand = ["--problem", "quadratic.small", "--set", "problem.clients=100", "start=0.5", *typed]
    expected = fedbounds(*asked, *by_hand).json
    for path in (planned, planned / "plan.json"):
        found = fedbounds(*asked, "--from", str(path)).json
        assert found["series"] == expected["series"]
    note = "fedavg takes from the plan: rounds, local_steps, local_step, participation, start"
    assert found["notes"] == [note, *expected["notes"]]
    alone = fedbounds("compare", "algorithms", "--from", str(planned), "--replicates", "2", "--json").json
    assert [series["name"] for series in alone["series"]] == ["dp_fedavg"]
    shorter = fedbounds(*asked, "--from", str(planned), "--set", "rounds=2").json
    assert {len(series["points"]) for series in shorter["series"]} == {3}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["--from", "{planned}", "--problem", "wine"],
            "has a plan on quadratic.small, and --problem names wine",
        ),
        (["--from", "{planned}/figure.svg"], "must end in .json or .toml"),
        (["--from", "{planned}/none.json"], "none.json"),
        (["--from", "{other}"], "is no plan: `fedbounds plan ... --out DIR` writes DIR/plan.json"),
        (["--from", "{alone}"], "planned from constants alone"),
        (["--from", "{edited}"], "settings: expected table"),
        (["fedavg"], "needs --problem, or a plan after --from"),
        (["--problem", "wine"], "at least one ALGORITHM, or a plan after --from"),
    ],
)
def test_a_plan_that_cannot_be_run_is_one_sentence(
    fedbounds: Fedbounds, planned: Path, tmp_path: Path, words: list[str], said: str
) -> None:
    body = json.loads((planned / "plan.json").read_text())
    files = {
        "other": {"schema": "fedbounds/constants/1"},
        "alone": {**body, "problem": None, "start": None},
        "edited": {**body, "algorithm": {"name": "dp_fedavg", "settings": 3}},
    }
    places = {"planned": planned} | {name: tmp_path / f"{name}.json" for name in files}
    for name, content in files.items():
        places[name].write_text(json.dumps(content))
    done = fedbounds("compare", "algorithms", *(word.format(**places) for word in words))
    assert done.code == 2
    assert said in " ".join(done.err.split())


def test_a_run_that_goes_nowhere_says_so(fedbounds: Fedbounds) -> None:
    asked = ["--problem", "quadratic.small", "--rounds", "3", *PRIVATE, "--replicates", "2"]
    still = ["problem.clients=100", "problem.heterogeneity=0", "E=1", "alpha=1e6"]
    done = fedbounds("plan", CLIPPED, *asked, "--start", "1", "--set", *still)
    assert "the run makes no progress: the gap changes by less than 1%" in " ".join(done.out.split())


GIVEN = [
    "L=1",
    "E=2",
    "C_hat=1",
    "D0=1",
    "alpha=2",
    "rho=0.1",
    "Delta_star_max=0.01",
    "Delta_star_mean=0.005",
]


def test_measured_curves_stand_beside_a_bound(fedbounds: Fedbounds, tmp_path: Path) -> None:
    """A curve below the bound, one above it at two of its three places, and one elsewhere."""
    file = tmp_path / "mine.csv"
    rows = ["b,10,0.01,0.005,0.02", "b,20,0.01,,", "a,10,9,,", "a,30,0.01,,", "a,20,9,8,10", "c,11,1,,"]
    file.write_text("\n".join(["series,K,value,lower,upper", *rows]))
    asked = ["compare", "bounds", CLIPPED, "--over", "K=10:30:3", "--measured", str(file)]
    done = fedbounds(*asked, "--out", str(tmp_path / "o"), "--json", "--set", *GIVEN)
    assert done.code == 0, done.err
    notes = done.json["notes"]
    assert f"b: above {CLIPPED} at 0 of 2 places that both have" in notes
    assert f"a: above {CLIPPED} at 2 of 3 places that both have" in notes
    assert f"c: no place in common with {CLIPPED}" in notes
    curve = next(s for s in done.json["series"] if s["name"] == "a")
    assert curve["kind"] == "measured"
    assert [p["at"]["K"] for p in curve["points"]] == [10, 20, 30]
    assert (curve["points"][1]["lower"], curve["points"][1]["upper"]) == (8, 10)
    assert (tmp_path / "o" / "figure.svg").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rounds,value\n1,2\n", "has no column K: needed are K and value"),
        ("K,value\n1,high\n", "value in"),
        ("K,value\n1\n", "value in"),
        ('K,value\n1,"2\n', "unexpected end of data"),
        ("", "has no column K"),
    ],
)
def test_a_file_of_curves_that_cannot_be_read_is_one_sentence(
    fedbounds: Fedbounds, tmp_path: Path, text: str, said: str
) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(text)
    asked = ["compare", "bounds", CLIPPED, "--over", "K=10:30:3", "--measured", str(file)]
    done = fedbounds(*asked, "--set", *GIVEN)
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err


@pytest.mark.slow("calibrates two noises; each accountant has cases of its own in tier one")
def test_a_fixed_size_is_counted_by_the_accountant_that_can(fedbounds: Fedbounds) -> None:
    target = ["--epsilon", "2", "--delta", "1e-5", "--rounds", "20", "--relation", "replace-one", "--json"]
    asked = ["privacy", "calibrate", *target, "--sampling"]
    assert fedbounds(*asked, "fixed_size:5/100").json["accountant"] == "rdp"
    assert fedbounds(*asked, "independent:0.05").json["accountant"] == "pld"
    refused = fedbounds(*asked, "fixed_size:5/100", "--accountant", "pld")
    assert refused.code == 3


@pytest.mark.slow("a plan on data and its verification; test_planning_in_a_ball plans in tier one")
def test_federated_averaging_is_planned_and_judged_on_own_data(fedbounds: Fedbounds, data: Path) -> None:
    """Theorem F.2 applies to data with a ridge; zeta holds on a ball, and the noise of a gradient is set."""
    asked = ["fedavg_lojasiewicz.theorem_f2", "--problem", str(data)]
    rests = fedbounds(
        "plan", *asked, "--rounds", "50", "--run", "off", "--json", "--set", *DATA, "sigma=0"
    ).json
    assert rests["known"]["mu_1"] == 0.2
    assert rests["sources"]["zeta"] == "enclosed, on a ball that no iterate leaves"
    assert rests["sources"]["sigma"] == "given"
    assert len(rests["assumptions"]) == 5
    missing = fedbounds("plan", *asked, "--rounds", "50", "--set", "client=hospital", "sigma=0")
    assert missing.code == 3
    assert "client_strong_convexity is not certified positive" in " ".join(missing.out.split())
    judged = fedbounds("verify", *asked, "--quick", "--json", "--set", *DATA, "sigma=0").json["cells"]
    by_form = {cell["variant"]: cell for cell in judged}
    assert by_form["amended"]["verdict"] == "holds"
    assert by_form["amended"]["parameters"]["zeta"] == rests["known"]["zeta"]
    # the printed form asks for a zeta of the whole space, which logistic clients have
    assert by_form["printed"]["parameters"]["zeta"] > rests["known"]["zeta"]
