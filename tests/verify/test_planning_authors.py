"""Plans with an author's theorem: its own measure of the start, and a bound with no smallest value."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sympy import Expr, Symbol

import bounds
from bounds import discovery
from bounds.language.assumptions import CONVEX_CLIENTS, SMOOTH_CLIENTS
from bounds.language.condition import at_most
from bounds.language.dimension import ONE, F, X
from bounds.language.part import FREE, at_start, constant, lower_constant, setting
from bounds.language.quantity import NON_NEGATIVE, OPEN_UNIT, POSITIVE, POSITIVE_INTEGER, Notation, Over
from bounds.language.statement import Kind, Paper, Statement, Term
from synthetic.errors import NotCertified
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from synthetic.outside.claims import given_at_least, given_at_most
from synthetic.outside.own_problem import OwnProblem
from synthetic.outside.problems import adopt_problem
from verify.planning.as_statement import as_statement
from verify.planning.choose import TIDY, Unattained, choose
from verify.planning.own_cells import own_cells
from verify.planning.planned import plan
from verify.planning.task import NotPlanned, Task
from verify.privacy.mechanism import Full

NOTATION = Notation()
q = NOTATION.quantity
K = q("K", "K", "rounds", POSITIVE_INTEGER, part=setting("rounds"))
eta = q("eta", r"\eta", "step", POSITIVE, X**2 / F, part=setting("step"))
L = q("L", "L", "smoothness", POSITIVE, F / X**2, part=constant("smoothness"))
mu = q("mu", r"\mu", "strong convexity", POSITIVE, F / X**2, part=lower_constant("strong_convexity"))
s = q(
    "s",
    "s",
    "a slope",
    NON_NEGATIVE,
    F / X,
    part=constant("mean_squared_client_gradient_at_minimiser", root=True),
)
V_0 = q("V_0", "V_0", "the function at the start", NON_NEGATIVE, X**2, part=at_start("lyapunov"))
smoothing = q("c", "c", "a smoothing", POSITIVE, ONE, part=FREE)
share = q("r", "r", "a share", OPEN_UNIT, ONE, part=FREE)
psi = NOTATION.observable("psi", r"\Psi", "Lyapunov function", X**2, Over.LAST, measured="lyapunov")
PAPER = Paper(key="planned", title="", authors="", bibtex="", package=__name__, notation=NOTATION)
EXAMPLE = {"K": 10, "eta": 0.1, "L": 1, "mu": 0.1, "s": 1, "V_0": 3, "c": 1}
TASK = Task(
    problem="quadratic.small",
    arguments={"clients": 5, "dimension": 3, "seed": 2},
    start=(1.5,) * 3,
    rounds=12,
    sampling=Full(),
    target=None,
)


def descend(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - settings.step * clients.gradients(x).mean(axis=0)


def lyapunov(x: Any, clients: Any, settings: Any) -> Any:
    """Grows with the step, so that no number found before the choice fits it."""
    return float(((x - clients.minimizer) ** 2).sum() * (1 + settings.step * 10))


ALGORITHM = Algorithm(round=descend, settings={"step": REQUIRED}, observables={"lyapunov": lyapunov})


def stated(right: Expr, *conditions: Any) -> Statement:
    names = {symbol.name for symbol in right.free_symbols} | {"L", "eta"}
    return discovery.adopt(
        Statement(
            locator="planned",
            kind=Kind.UPPER_BOUND,
            paper=PAPER,
            title="of an author",
            printed=("x",),
            reading="",
            algorithm=adopt(ALGORITHM),
            left=psi,
            terms=(Term("right side", right, "distance"),),
            assumptions=(CONVEX_CLIENTS, SMOOTH_CLIENTS),
            conditions=(at_most(eta, 1 / (2 * L), locator="x", printed="x"), *conditions),
            example={name: value for name, value in EXAMPLE.items() if name in names},
        )
    )


def measure_at(step: float) -> float:
    problem = TASK.build()
    away = np.asarray(TASK.start) - np.asarray(problem.minimiser(), dtype=np.float64)
    return float((away**2).sum() * (1 + 10 * step))


@pytest.mark.slow("a plan that measures the start at every setting it tries")
def test_the_measure_of_the_start_is_that_of_the_setting() -> None:
    """The value of the example (3) would make another bound; with the measure, a run is below it."""
    made = plan(stated((1 - eta * mu) ** K * V_0), TASK, run=True, search=False, replicates=2)
    step = made.choice.values["eta"]
    assert made.fixed["V_0"] == pytest.approx(measure_at(step), rel=1e-9)
    assert made.fixed["V_0"] >= measure_at(step) * (1 - 1e-15)
    assert made.evaluation.value == pytest.approx((1 - step * made.fixed["mu"]) ** 12 * made.fixed["V_0"])
    assert made.simulated is not None
    assert made.simulated.left is not None
    assert made.simulated.left[0] <= float(made.evaluation.value)
    assert not made.choice.certified


def test_a_measure_that_is_given_is_kept() -> None:
    given = 2 * measure_at(1.0)
    made = plan(stated((1 - eta * mu) ** K * V_0), TASK, {"V_0": given}, run=False)
    assert made.fixed["V_0"] == given


def test_a_run_in_the_words_of_the_statement_measures_it_too() -> None:
    told = as_statement(stated((1 - eta * mu) ** K * V_0), TASK, {"eta": 0.01, "K": 12})
    assert told.parameters["V_0"] == pytest.approx(measure_at(0.01), rel=1e-9)


def test_a_bound_that_vanishes_with_the_step_chooses_none() -> None:
    """A limit on a side effect is smallest where nothing moves; a step that is given is planned with."""
    drift = stated(eta**2 * K**2 * s**2)
    with pytest.raises(Unattained, match=r"chooses no eta: its bound falls for as long as eta falls"):
        plan(drift, TASK, run=False)
    assert plan(drift, TASK, {"eta": 0.01}, run=False).fixed["eta"] == 0.01


def test_a_bound_that_wants_no_largest_number_chooses_none() -> None:
    with pytest.raises(Unattained, match="its bound falls for as long as c grows"):
        plan(stated(V_0 / smoothing), TASK, {"eta": 0.1, "V_0": 100.0}, run=False)


@pytest.mark.parametrize("small", [smoothing, share], ids=str)
def test_what_costs_nothing_near_an_end_is_moved_inwards(small: Symbol) -> None:
    """It would be as small as the search allows; a condition ties the step to it, which has to move along."""
    tied = at_most(eta, 1 / (2 * L + small * L), locator="x", printed="x")
    statement = stated((1 - eta * mu) ** K * V_0, tied)
    known, name = {"K": 12.0, "L": 1.0, "mu": 0.1, "V_0": 2.0}, small.name
    found = choose(statement, known, ("eta", name))
    least = choose(statement, known, ("eta", name), tidy=False)
    assert least.values[name] < 1e-8 < 1e-4 <= found.values[name]
    assert least.value < found.value <= least.value * (1 + TIDY)
    assert f"moving {name} inwards" in found.how
    assert "moving" not in least.how


@pytest.mark.slow("runs on data; other bounds on data are in tier one")
def test_own_data_judge_a_bound_without_a_smallest_value_well_inside_its_conditions() -> None:
    problem = TASK.build()
    (cell,) = own_cells(stated(eta**2 * K**2 * s**2), "quadratic.small", TASK.arguments, problem)
    share = float(cell.parameters["eta"]) * 2 * float(cell.parameters["L"])
    assert 0.4 < share <= 0.6


@pytest.mark.slow("a long search; plans of our theorems choose by a smallest value in tier one")
def test_a_bound_with_a_smallest_value_is_chosen_by_it() -> None:
    """Progress against drift: V_0/(eta K L) + eta^2 K^2 s^2 has its minimum inside."""
    made = plan(stated(V_0 / (eta * K * L) + eta**2 * K**2 * s**2 / 10), replace(TASK, rounds=400), run=False)
    assert made.choice.values["eta"] > 1e-6


def half_squares(**more: Any) -> Task:
    """Half squares that nothing calls quadratic."""
    centers = np.array([[-1.0, 0.0], [1.0, 0.0]])
    own = OwnProblem(
        clients=2,
        dimension=2,
        value=lambda i, x: float(((x - centers[i]) ** 2).sum() / 2),
        gradient=lambda i, x: x - centers[i],
        minimizer=np.zeros(2),
        constants={
            "smoothness": given_at_most(1.0, because="a half square"),
            "client_strong_convexity": given_at_least(1.0, because="a half square"),
            "mean_squared_gradient_divergence": given_at_most(1.0, because="the centers"),
            "gradient_divergence": given_at_most(1.0, because="the centers"),
            **more,
        },
        convex=True,
        bounded_below=True,
    )
    return replace(TASK, problem=adopt_problem(own, "half_squares"), arguments={}, start=(1.0, 1.0))


def test_theorem_f2_is_run_on_clients_that_nothing_calls_quadratic() -> None:
    """F - F* starts at 3/2: f(1, 1) = 3/2 and every client's minimum is 0."""
    task = half_squares(infimum_gap=given_at_most(0.5, because="f* is 1/2 and the f_i* are 0"))
    made = plan(bounds.get("fedavg_lojasiewicz.theorem_f2"), task, {"sigma": 0.0}, search=False, replicates=2)
    assert made.fixed["f0_gap"] == pytest.approx(1.5, rel=1e-8)
    assert made.simulated is not None
    assert made.simulated.left is not None
    assert 0.5 <= made.simulated.left[0] <= float(made.evaluation.value)


def test_a_measure_of_the_start_that_the_problem_does_not_know_is_named() -> None:
    with pytest.raises(NotPlanned, match="gap_to_client_minima at the start is not known"):
        plan(
            bounds.get("fedavg_lojasiewicz.theorem_f2"),
            half_squares(),
            {"f0_gap": 10.0, "sigma": 0.0},
            run=False,
        )


def test_numbers_of_a_round_are_computed_on_quadratics_alone() -> None:
    """(37) bounds an error by the drift of a round, which is computed in fractions."""
    with pytest.raises(NotCertified, match="in fractions, on quadratic clients"):
        as_statement(bounds.get("fedavg_lojasiewicz.equation_37"), half_squares(), {"drift": 1.0})
