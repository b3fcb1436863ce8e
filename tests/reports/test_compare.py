"""`fedbounds compare`: the numbers are those of formulas written here by hand, and of runs made here."""

import csv
import io
import math
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from usual_settings import private

import bounds
from reports.plots.fitting_bound import own_values
from synthetic import run
from synthetic.algorithms import gradient_descent
from synthetic.problems import build

Fedbounds = Callable[..., Any]
Misused = Callable[..., str]

CONVEX = "textbook.gradient_descent_convex"
THEOREM_2 = "dp_fedavg.theorem_2"
POINT = ["L=1", "K=100", "D0=1", "alpha=2", "rho=1/10", "Delta_star_max=0.05", "Delta_star_mean=0.005"]

# A point at which some tau meet the conditions and some do not.
CONTROL = {"R_S": 50, "R_C": 317, "tau_star": 20, "eta": 0.1, "beta": 1, "rho": 1, "d": 4, "xi": 0.1}
CONTROL |= {"C": 1, "B": 10, "sigma": 0.01, "lam": 0.1, "omega": 30}
CONTROL |= {"auxiliary_gap": 0.2, "final_gap": 0.5, "gradient_square": 0.01}


def words(numbers: dict[str, float]) -> list[str]:
    return [f"{name}={value}" for name, value in numbers.items()]


def values(series: dict[str, Any]) -> list[float]:
    return [point["value"] for point in series["points"]]


# ---- bounds over one parameter and two


def test_curves_are_the_formula(fedbounds: Fedbounds) -> None:
    call = ["compare", "bounds", CONVEX, "--over", "N=1:100:7:log", "--set", "L=2", "D0=3", "--json"]
    document = fedbounds(*call).json
    places = document["axes"][0]["values"]
    assert (places[0], places[-1], len(places)) == (1, 100, 7)
    assert all(n == int(n) for n in places)
    (curve,) = document["series"]
    assert values(curve) == pytest.approx([2 * 9 / (4 * n + 2) for n in places])


def test_a_curve_for_each_value_and_for_each_statement(fedbounds: Fedbounds) -> None:
    each = ["--each", "L=1,2,4"]
    document = fedbounds(
        "compare", "bounds", CONVEX, "--over", "N=1,5", *each, "--set", "D0=1", "--json"
    ).json
    assert [s["name"] for s in document["series"]] == ["L = 1", "L = 2", "L = 4"]
    for series, smoothness in zip(document["series"], (1, 2, 4), strict=True):
        assert values(series) == pytest.approx([smoothness / 6, smoothness / 22])
    names = ["als_dpfl.h.main", "als_dpfl.theorem_1.distance"]
    given = ["eta=0.1", "beta=1", "xi=0.5", "d=100", "sigma=1.1", "C=1", "B=64", "tau=10"]
    asked = ["compare", "bounds", *names, "--variant", "amended", "--over", "x=0:20"]
    both = fedbounds(*asked, "--set", *given, "--json")
    h, distance = both.json["series"]
    assert [h["name"], distance["name"]] == names
    assert values(h) == values(distance)
    # tau is known to the theorem alone, whose interval ends at 10
    assert all(p["usable"] for p in h["points"])
    assert [p["usable"] for p in distance["points"]] == [x <= 10 for x in range(21)]
    assert "x <= tau" in distance["points"][11]["reason"]
    assert any("10 of 21 points" in note for note in both.json["notes"])


def test_an_expectation_on_the_right_is_an_axis_too(fedbounds: Fedbounds) -> None:
    given = [w for w in POINT if not w.startswith("Delta_star_mean")] + ["E=2", "C_hat=1"]
    call = ["compare", "bounds", THEOREM_2, "--over", "unclipped_delta=0,0.01", "--set", *given, "--json"]
    low, high = values(fedbounds(*call).json["series"][0])
    assert high - low == pytest.approx(3 * 2 * 0.1 / 4 * 0.01)


def test_a_heat_map_marks_where_conditions_fail(fedbounds: Fedbounds) -> None:
    over = ["--over", "E=1:12", "C_hat=0.5:2:4"]
    document = fedbounds("compare", "bounds", THEOREM_2, *over, "--set", *POINT, "--json").json
    local, thresholds = (axis["values"] for axis in document["axes"])
    points = iter(document["series"][0]["points"])
    alpha, rho, rounds = 2, 0.1, 100
    for steps in local:
        for threshold in thresholds:
            point = next(points)
            assert point["at"] == {"E": steps, "C_hat": threshold}
            gamma = rounds * threshold * steps * rho**2 / (2 * alpha)
            bound = threshold * (1 / gamma + gamma) * rho + 3 * steps * rho / (2 * alpha) * 0.005
            assert point["value"] == pytest.approx(bound)
            assert point["usable"] is (threshold >= 4 * math.sqrt(0.05) and steps <= alpha / (2 * rho))


def test_terms_are_those_of_the_theorem(fedbounds: Fedbounds) -> None:
    given = [w for w in POINT if not w.startswith("K=")] + ["E=3", "C_hat=1"]
    document = fedbounds("compare", "terms", THEOREM_2, "--over", "K=10:40:4", "--set", *given, "--json").json
    start, spread = document["series"]
    assert [s["kind"] for s in (start, spread)] == ["term", "term"]
    gammas = [k * 3 * 0.01 / 4 for k in document["axes"][0]["values"]]
    assert values(start) == pytest.approx([(1 / g + g) * 0.1 for g in gammas])
    assert values(spread) == pytest.approx([3 * 3 * 0.1 / 4 * 0.005] * 4)


def test_constants_of_a_file_serve_and_set_overrides(fedbounds: Fedbounds, tmp_path: Path) -> None:
    path = tmp_path / "constants.toml"
    path.write_text("L = 2\nD0 = 5\nN = 7\n")
    call = ["compare", "bounds", CONVEX, "--over", "N=1,2", "--constants", path, "--set", "D0=1", "--json"]
    assert values(fedbounds(*call).json["series"][0]) == pytest.approx([2 / 6, 2 / 10])


# ---- the control of ALS-DPFL


def h_and_g(tau: int, p: dict[str, float]) -> tuple[float, float | None]:
    """h(tau), and G(tau) where the bracket is positive and tau is in the range, from the paper's formulas."""
    noise = 2 * math.sqrt(p["d"]) * p["sigma"] * p["C"]
    growth = (p["xi"] + noise / p["B"]) / p["beta"] * ((p["eta"] * p["beta"] + 1) ** tau - 1)
    h = growth + p["eta"] * (p["xi"] + noise) / p["B"] * tau
    phi = p["omega"] * (1 - p["beta"] * p["eta"] / 2) - p["sigma"] ** 2 * p["d"] / p["lam"] ** 2
    bracket = p["eta"] * phi - p["rho"] * h / (tau * p["lam"] ** 2)
    if bracket <= 0 or tau > min(2 * p["tau_star"], 100):
        return h, None
    return h, 1 / (min(p["R_S"] * tau, p["R_C"]) * bracket) + math.sqrt(3) / 3


@pytest.mark.parametrize("tau_star", [20, 2])
def test_tau_star_is_the_minimizer_among_those_that_qualify(fedbounds: Fedbounds, tau_star: int) -> None:
    given = CONTROL | {"tau_star": tau_star}
    done = fedbounds("compare", "control", "--set", *words(given), "--longest", "24", "--json")
    h, g = done.json["series"]
    expected = [h_and_g(tau, given) for tau in range(1, 25)]
    assert values(h) == pytest.approx([e[0] for e in expected])
    assert [p["usable"] for p in g["points"]] == [e[1] is not None for e in expected]
    for point, (_, value) in zip(g["points"], expected, strict=True):
        assert value is None or point["value"] == pytest.approx(value)
    allowed = {tau: e[1] for tau, e in enumerate(expected, start=1) if e[1] is not None}
    assert done.json["tau_star"] == min(allowed, key=lambda tau: allowed[tau])
    assert done.code == 0


def test_an_empty_domain_of_tau_star_is_said(fedbounds: Fedbounds) -> None:
    given = CONTROL | {"omega": 3}
    assert all(h_and_g(tau, given)[1] is None for tau in range(1, 31))
    done = fedbounds("compare", "control", "--set", *words(given), "--json")
    assert (done.code, done.json["tau_star"]) == (3, None)
    assert "no tau meets the conditions" in done.json["notes"][0]
    assert "C.thm2.2" in done.json["notes"][0]


def test_what_is_undecided_is_told_beside_tau_star(fedbounds: Fedbounds) -> None:
    given = {n: v for n, v in CONTROL.items() if n not in ("final_gap", "gradient_square")}
    done = fedbounds("compare", "control", "--set", *words(given), "--json")
    assert done.json["tau_star"] is not None
    assert "undecided without final_gap" in done.json["notes"][0]


# ---- bounds against runs


def test_every_point_is_a_run_of_its_own(fedbounds: Fedbounds) -> None:
    call = ["compare", "run", CONVEX, "--over", "N=1:6", "--cell", "quadratic"]
    done = fedbounds(*call, "--json")
    bound, measured = done.json["series"]
    assert values(bound) == pytest.approx([2 * 2.25 / (4 * n + 2) for n in range(1, 7)])
    # curvature 2/11 along the axis on which the start is 3/2 away, step 1/2
    gaps = [(1 / 11) * (1.5 * (10 / 11) ** n) ** 2 for n in range(1, 7)]
    assert values(measured) == pytest.approx(gaps)
    assert all(p["lower"] == p["upper"] == p["value"] for p in measured["points"])  # exact: no band
    assert done.code == 0


def test_a_violated_bound_is_1_and_the_band_lies_above_it(fedbounds: Fedbounds) -> None:
    printed = ["als_dpfl.theorem_1.distance", "--variant", "printed"]
    call = ["compare", "run", *printed, "--over", "B=1,16", "--set", "x=1", "--json"]
    done = fedbounds(*call)
    assert done.code == 1
    bound, measured = (series["points"] for series in done.json["series"])
    assert measured[0]["upper"] < bound[0]["value"]
    assert measured[1]["lower"] > bound[1]["value"]
    assert fedbounds(*call).out == done.out
    assert fedbounds(*call, "--seed", "1").out != done.out


def test_points_that_are_refused_say_why(fedbounds: Fedbounds) -> None:
    done = fedbounds("compare", "run", THEOREM_2, "--over", "E=1,6", "--replicates", "64", "--json")
    _, measured = (series["points"] for series in done.json["series"])
    assert [p["usable"] for p in measured] == [True, False]
    assert "B.thm2.local_steps" in measured[1]["reason"]
    assert any(note.startswith("random part") for note in done.json["notes"])


# ---- algorithms on one problem

ALGORITHMS = ["compare", "algorithms", "gradient_descent", "dp_fedavg", "--problem", "quadratic.small"]
SETTINGS = ["--set", "problem.clients=3", "start=2", "step=0.5", "steps=6", "rounds=4", "local_steps=2"]
SETTINGS += ["local_step=0.1", "dp_fedavg.clip_threshold=1", "clients_per_round=3", "noise_scale=0.1"]


def test_means_and_bands_are_those_of_the_runs(fedbounds: Fedbounds) -> None:
    document = fedbounds(*ALGORITHMS, *SETTINGS, "--replicates", "40", "--seed", "7", "--json").json
    problem, start = build("quadratic.small", clients=3), np.full(4, 2.0)
    settings: dict[str, Any] = {
        "gradient_descent": gradient_descent.Settings(start=start, steps=6, step=0.5),
        "dp_fedavg": private(start=start, rounds=4, clients_per_round=3.0, noise_scale=0.1),
    }
    assert document["axes"][0]["values"] == list(range(7))
    for series in document["series"]:
        name = series["name"]
        trace = run(
            name, problem, settings[name], replicates=40, seed=7, stream=f"compare {name}", observe=["gap"]
        )
        gaps = np.sort(trace.measurements["gap"], axis=0)
        assert values(series) == pytest.approx(gaps.mean(axis=0).tolist())
        assert [p["lower"] for p in series["points"]] == gaps[3].tolist()  # the 4th and the 36th of 40
        assert [p["upper"] for p in series["points"]] == gaps[35].tolist()


def test_a_bound_beside_them_has_the_constants_of_the_problem(fedbounds: Fedbounds) -> None:
    problem = build("quadratic.small")
    distance = float(np.linalg.norm(np.ones(4) - problem.minimiser())) * (1 + 1e-9)
    constant = problem.constants()["mean_smoothness"]  # of F, which the theorem is about
    assert constant is not None
    step = 1 / float(constant.upper)
    call = ["compare", "algorithms", "gradient_descent", "--problem", "quadratic.small", "--json"]
    call += ["--bound", f"{CONVEX}:N", "--set", "steps=5", f"step={step!r}", f"bound.D0={distance!r}"]
    measured, bound = fedbounds(*call).json["series"]
    assert values(bound) == pytest.approx([distance**2 / step / (4 * n + 2) for n in range(6)])
    assert all(m <= b for m, b in zip(values(measured), values(bound), strict=True))


def test_runs_on_data_of_ones_own_are_those_of_the_normal_equations(
    fedbounds: Fedbounds, tmp_path: Path
) -> None:
    """Theorem F.2 on least squares, H = 1 and exact gradients: gradient descent on the mean, by hand."""
    rng = np.random.default_rng(3)
    features, owners = rng.standard_normal((90, 2)), np.repeat([0, 1, 2], 30)
    targets = features @ [1.0, -0.5] + 0.2 * rng.standard_normal(90) + 0.1 * owners
    rows = [
        f"{x[0]!r},{x[1]!r},c{c},{y!r}"
        for x, c, y in zip(features.tolist(), owners, targets.tolist(), strict=True)
    ]
    (tmp_path / "mine.csv").write_text("a,b,whose,y\n" + "\n".join(rows))
    given = ["client=whose", "standardise=false", "intercept=false", "sigma=0", "H=1", "eta=0.03"]
    asked = ["compare", "run", "fedavg_lojasiewicz.theorem_f2", "--over", "R=10,40", "--json"]
    document = fedbounds(*asked, "--problem", tmp_path / "mine.csv", "--set", *given).json
    hessians = np.array([features[owners == c].T @ features[owners == c] / 30 for c in range(3)])
    sides = np.array([features[owners == c].T @ targets[owners == c] / 30 for c in range(3)])
    lowest = np.mean([b @ np.linalg.solve(a, b) for a, b in zip(hessians, sides, strict=True)])
    a, b, best = (
        hessians.mean(axis=0),
        sides.mean(axis=0),
        np.linalg.solve(hessians.mean(axis=0), sides.mean(axis=0)),
    )
    apart = hessians - a
    growth = np.linalg.eigvalsh((apart @ apart).mean(axis=0))[-1] ** 0.5
    zeta = ((hessians @ best - sides) ** 2).sum(axis=1).mean() ** 0.5 + growth * np.linalg.norm(best)
    mu = 2 * np.linalg.eigvalsh(hessians)[:, 0].min()
    bounded, measured = {}, {}
    for rounds in (10, 40):
        at = np.zeros(2)
        for _ in range(rounds):
            at = at - 0.03 * (a @ at - b)
        measured[rounds] = at @ a @ at / 2 - b @ at + lowest / 2
        bounded[rounds] = (1 - 0.0225 * mu) ** rounds * lowest / 2 + 61 * zeta**2 / (60 * mu)
    by_name = {series["name"]: values(series) for series in document["series"]}
    assert by_name["bound"] == pytest.approx(list(bounded.values()), rel=1e-6)
    (run_,) = [found for name, found in by_name.items() if name != "bound"]
    assert run_ == pytest.approx(list(measured.values()), rel=1e-6)


def test_a_run_on_data_that_lack_a_number_is_refused_with_its_name(fedbounds: Fedbounds) -> None:
    done = fedbounds(
        "compare",
        "run",
        "fedavg_lojasiewicz.theorem_f2",
        "--over",
        "R=5,9",
        "--problem",
        "least_squares.small",
    )
    assert done.code == 3
    assert "needs a value for sigma" in done.err


def test_a_bound_of_what_a_run_does_not_record_names_the_verb_that_measures_it(misuse: Misused) -> None:
    told = misuse(
        "compare", "algorithms", "fedavg", "--problem", "quadratic.small", "--bound",
        "fedavg_lojasiewicz.theorem_f2:R", "--set", "rounds=3", "local_steps=1", "local_step=0.01",
        "participation=full",
    )  # fmt: skip
    assert "`compare run fedavg_lojasiewicz.theorem_f2` measures it" in told


def test_a_diverged_run_has_no_number_and_says_so(fedbounds: Fedbounds) -> None:
    call = ["compare", "algorithms", "gradient_descent", "--problem", "quadratic.small"]
    done = fedbounds(*call, "--set", "steps=3", "step=1e200", "--json")
    points = done.json["series"][0]["points"]
    assert points[0]["value"] > 0
    assert points[3]["value"] is None
    assert "diverged" in points[3]["reason"]


# ---- files

BOUNDS = ["compare", "bounds", CONVEX, "--over", "N=1:9:5", "--set", "L=1", "D0=1"]


def test_the_table_is_on_stdout_or_beside_the_figure(fedbounds: Fedbounds, tmp_path: Path) -> None:
    table = fedbounds(*BOUNDS).out
    read = list(csv.DictReader(io.StringIO(table)))
    assert [float(row["N"]) for row in read] == [1, 3, 5, 7, 9]
    assert [float(row["value"]) for row in read] == pytest.approx([1 / (4 * n + 2) for n in (1, 3, 5, 7, 9)])
    folder = tmp_path / "new" / "folder"
    done = fedbounds(*BOUNDS, "--out", folder)
    names = ["figure.svg", "figure.pdf", "figure.csv"]
    assert done.out.splitlines() == [str(folder / name) for name in names]
    assert sorted(p.name for p in folder.iterdir()) == sorted(names)
    assert (folder / "figure.csv").read_text() == table
    document = fedbounds(*BOUNDS, "--out", folder, "--json").json
    assert document["files"] == [str(folder / name) for name in names]


def test_nothing_is_written_where_a_file_is_in_the_way(misuse: Misused, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    assert "cannot write" in misuse(*BOUNDS, "--out", tmp_path / "taken" / "folder")
    assert [p.name for p in tmp_path.iterdir()] == ["taken"]


PAGE = Path(__file__).resolve().parents[2] / "docs" / "compare.md"
COMMANDS = [
    line.split()[1:] for line in PAGE.read_text().splitlines() if line.startswith("fedbounds compare")
]


@pytest.mark.thinned(4)
@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c[1])
def test_the_commands_of_the_page_draw(fedbounds: Fedbounds, tmp_path: Path, command: list[str]) -> None:
    assert command[-2] == "--out"
    few = ["--replicates", "64"] if command[1] in ("run", "algorithms") else []
    done = fedbounds(*command[:-1], tmp_path, *few)
    assert done.code == (1 if "printed" in command else 0), done.err
    assert (tmp_path / "figure.svg").stat().st_size > 10_000


def test_the_page_shows_every_way_to_compare() -> None:
    assert {command[1] for command in COMMANDS} == {"run", "algorithms", "bounds", "control", "terms"}


def test_a_bound_beside_an_authors_run_has_its_probability() -> None:
    """An author's algorithm has the plain number, where ours has a rule of participation."""
    statement, problem = bounds.get("fed_norm_ec.theorem_1.main"), build("quadratic.small")
    settings = SimpleNamespace(start=np.ones(problem.dimension), probability=0.25)
    assert own_values(statement, "K", {}, settings, problem)["p"] == 0.25
