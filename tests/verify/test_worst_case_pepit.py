"""A second voice: PEPit on the program of all clients, with its own interpolation conditions."""

import runpy
import warnings
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from synthetic.outside.algorithm import Algorithm
from synthetic.outside.algorithms import adopt
from verify.worst_case.answer import worst
from verify.worst_case.setting import DISTANCE, GRADIENT, SMALLEST_GRADIENT, Setting
from verify.worst_case.worst import worst_case

pytest.importorskip("clarabel", reason="worst cases are solved with clarabel, of the extra tight")

BENCHMARK = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "worst_case.py"))
PRINTED = 2e-6  # what PEPit's own numbers are off by, of the larger number


@pytest.fixture(scope="module")
def PEPit() -> Any:
    """Loaded in the one process that runs this file: with what it imports it takes seconds."""
    return pytest.importorskip("PEPit", reason="PEPit is a second voice on worst cases, of the extra bench")


def agrees(theirs: float, ours: Setting) -> None:
    assert theirs == pytest.approx(
        float(worst_case(ours, with_instance=False).upper), rel=PRINTED * 10, abs=PRINTED
    )


@pytest.mark.thinned(2)
@pytest.mark.parametrize("size", [(2, 2, 1), (2, 2, 2), (3, 2, 1), (4, 2, 1), (2, 3, 2)])
@pytest.mark.usefixtures("PEPit")
def test_federated_averaging(size: tuple[int, int, int]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = BENCHMARK["solve_with_pepit"](*size)
    agrees(theirs, BENCHMARK["setting"](*size))


@pytest.mark.parametrize(
    ("kind", "curvature", "step", "observable", "gap_start"),
    [
        ("convex", Fraction(0), Fraction(3, 2), "gap", False),
        ("convex", Fraction(0), Fraction(1), GRADIENT, True),
        ("strongly", Fraction(1, 4), Fraction(7, 4), DISTANCE, False),
        ("strongly", Fraction(1, 4), Fraction(1), "gap", True),
        ("smooth", Fraction(-1), Fraction(1), SMALLEST_GRADIENT, True),
    ],
)
def test_gradient_descent(
    PEPit: Any, kind: str, curvature: Fraction, step: Fraction, observable: str, gap_start: bool
) -> None:
    steps = 3
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = solve_with_pepit(PEPit, kind, float(curvature), float(step), observable, gap_start, steps)
    ours = Setting(
        clients=1,
        local_steps=1,
        rounds=steps,
        local_step=step,
        L=Fraction(1),
        D0=None if gap_start else Fraction(1),
        f0_gap=Fraction(1) if gap_start else None,
        curvature=curvature,
        observable=observable,
    )
    agrees(theirs, ours)


def solve_with_pepit(
    PEPit: Any, kind: str, mu: float, step: float, observable: str, gap_start: bool, steps: int
) -> float:
    functions = PEPit.functions
    problem: Any = PEPit.PEP()
    declared = {
        "convex": lambda: problem.declare_function(functions.SmoothConvexFunction, L=1.0),
        "strongly": lambda: problem.declare_function(functions.SmoothStronglyConvexFunction, L=1.0, mu=mu),
        "smooth": lambda: problem.declare_function(functions.SmoothFunction, L=1.0),
    }
    f = declared[kind]()
    minimizer = f.stationary_point()
    lowest = f(minimizer)
    start = problem.set_initial_point()
    x, gradients = start, []
    for _ in range(steps):
        gradients.append((f.gradient(x), f(x)))
        x = x - step * gradients[-1][0]
    gradients.append((f.gradient(x), f(x)))
    begin = gradients[0][1] - lowest if gap_start else (start - minimizer) ** 2
    problem.set_initial_condition(begin <= 1)
    if kind == "smooth":
        for gradient, value in gradients:
            problem.add_constraint(value - lowest >= 0.5 * gradient**2)
    if observable == SMALLEST_GRADIENT:
        for gradient, _ in gradients:
            problem.set_performance_metric(gradient**2)
    else:
        last = {
            "gap": gradients[-1][1] - lowest,
            GRADIENT: gradients[-1][0] ** 2,
            DISTANCE: (x - minimizer) ** 2,
        }
        problem.set_performance_metric(last[observable])
    return float(problem.solve(wrapper="cvxpy", solver="CLARABEL", verbose=0))


def begin(x0: Any, clients: Any, settings: Any) -> Any:
    return {"x": x0, "before": x0, "k": 0}


def heavy_ball(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    moved = clients[0].gradient(state["x"]) - 0.5 * (state["x"] - state["before"])
    return {"x": state["x"] - moved, "before": state["x"], "k": 0}


def nesterov(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    """From x0 both points are one; after it the state holds y in place of the point before."""
    x = state["before"] - clients[0].gradient(state["before"])
    k = state["k"] + 1
    return {"x": x, "before": x + (k - 1) / (k + 2) * (x - state["x"]), "k": k}


def one_client_after_the_other(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    x = state["x"]
    for client in clients:
        x = x - 0.4 * client.gradient(x)
    return {"x": x, "before": x, "k": 0}


@pytest.mark.parametrize(
    ("round_", "n", "given"),
    [
        (heavy_ball, 1, {"L": 1, "mu": Fraction(1, 10), "D0": 1}),
        (heavy_ball, 1, {"L": 1, "mu": Fraction(1, 10), "f0_gap": 1}),
        (nesterov, 1, {"L": 1, "D0": 1}),
        (one_client_after_the_other, 2, {"L": 1, "D0": 1, "zeta_star": Fraction(1, 2)}),
        (
            one_client_after_the_other,
            2,
            {"L": 1, "mu": Fraction(1, 10), "f0_gap": 1, "zeta_star": Fraction(1, 2)},
        ),
    ],
)
def test_the_same_code_of_an_author(PEPit: Any, round_: Any, n: int, given: dict[str, Any]) -> None:
    """PEPit follows the round with its own points, and the toolkit with numbers."""
    functions, problem = PEPit.functions, PEPit.PEP()
    declared, constants = functions.SmoothConvexFunction, {"L": 1.0}
    if "mu" in given:
        declared, constants = functions.SmoothStronglyConvexFunction, {"L": 1.0, "mu": float(given["mu"])}
    clients = [problem.declare_function(declared, **constants) for _ in range(n)]
    mean = sum(clients[1:], clients[0]) / n
    minimizer = mean.stationary_point()
    start = problem.set_initial_point()
    limited = mean(start) - mean(minimizer) if "f0_gap" in given else (start - minimizer) ** 2
    problem.set_initial_condition(limited <= 1)
    if "zeta_star" in given:
        squares = [client.gradient(minimizer) ** 2 for client in clients]
        problem.add_constraint(sum(squares[1:], squares[0]) / n <= float(given["zeta_star"]) ** 2)
    state = begin(start, clients, SimpleNamespace())
    for _ in range(3):
        state = round_(state, clients, SimpleNamespace(), None)
    problem.set_performance_metric(mean(state["x"]) - mean(minimizer))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = float(problem.solve(wrapper="cvxpy", solver="CLARABEL", verbose=0))
    name = adopt(Algorithm(round=round_, begin=begin))
    asked = {key: Fraction(value) for key, value in (given | {"n": n, "rounds": 3}).items()}
    ours = worst(name, asked)
    assert ours.found is not None, ours.sentence
    assert float(ours.found.upper) == pytest.approx(theirs, rel=PRINTED * 10, abs=PRINTED)
