"""Theorems of strangers, each with a false twin: the true one is never refuted, the twin is.

Every theorem is textbook or proved in a line; the algorithms are written as docs/your_algorithm.md says. Runs
without draws are exact up to rounding; sampled cells err with probability at most LEVEL together.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from strangers import enter, paper, state
from sympy import Expr, Max, Rational, sqrt

from bounds import discovery
from bounds.errors import MalformedStatement
from bounds.evaluation.resolve import resolve
from bounds.language.assumptions import (
    BOUNDED_BELOW,
    CONVEX_CLIENTS,
    GRADIENT_DIVERGENCE,
    MINIMUM_ATTAINED,
    QUADRATIC_CLIENTS,
    SMOOTH_CLIENTS,
    STRONGLY_CONVEX,
)
from bounds.language.condition import at_least, at_most, below
from bounds.language.dimension import F, X
from bounds.language.part import setting
from bounds.language.quantity import NON_NEGATIVE, POSITIVE, POSITIVE_INTEGER, Notation, Over, States
from bounds.language.statement import Assumption, Kind, Statement, Term, sets
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.problems import build
from verify.answer import check
from verify.falsify.attempt import falsify_statement
from verify.matching.cells.grounds import why_no_cell
from verify.matching.cells.standard import cells
from verify.matching.declared import why_not_declared
from verify.matching.measurements.point_rounding import rounding_of
from verify.parameters.solved import with_limits
from verify.search.hard_problems import NEAR

LEVEL = 1e-4
NOTATION = Notation()
q = NOTATION.quantity
N = q("N", "N", "steps", POSITIVE_INTEGER, part=setting("steps"))
beta = q("beta", r"\beta", "momentum", NON_NEGATIVE, part=setting("momentum"))
local = q("local", r"\gamma", "local step", POSITIVE, X**2 / F, part=setting("local_step"))
kept = q("kept", "k", "coordinates that are sent", POSITIVE_INTEGER, part=setting("kept"))
length = q("length", r"\ell", "length of a step", POSITIVE, X, part=setting("length"))
K, E, eta, sigma, n, d = enter(NOTATION, "K", "E", "eta", "sigma", "n", "d")
L, mu, mu_i, D, Delta, s = enter(NOTATION, "L", "mu", "mu_i", "D", "Delta", "s")
EXAMPLE = {
    **{"K": 20, "N": 20, "E": 3, "eta": 0.1, "local": 0.05, "sigma": 0.5, "kept": 2, "length": 0.1, "L": 1},
    **{"mu": 0.1, "mu_i": 0.1, "n": 5, "d": 4, "D": 2, "Delta": 2, "s": 1},
}
BEFORE = States.BEFORE_A_ROUND


def observable(name: str, over: Over, measured: str, dimension: Any, **more: Any) -> Any:
    return NOTATION.observable(name, name, name, dimension, over, measured=measured, **more)


distance = observable("distance", Over.LAST, "squared_distance", X**2)
gap = observable("gap", Over.LAST, "gap", F)
mean_gap = observable("mean_gap", Over.UNIFORM_ROUND, "gap", F, states=BEFORE)
gradient = observable("gradient", Over.MINIMUM_OF_MEANS, "gradient_norm", F / X, states=BEFORE)
# A squared length of a Gaussian vector has a mean square of at most 3 times the square of its mean.
WANDERED = D**2 + K * d * (eta * sigma) ** 2
squared = observable("squared", Over.LAST, "squared_distance", X**2, second_moment=3 * WANDERED**2)
PAPER = paper("stranger", NOTATION)
CONVEX = (CONVEX_CLIENTS, SMOOTH_CLIENTS, MINIMUM_ATTAINED)
STRONG = (CONVEX_CLIENTS, SMOOTH_CLIENTS, STRONGLY_CONVEX)
ANY = (SMOOTH_CLIENTS, BOUNDED_BELOW)


def most(value: Any, limit: Any) -> Any:
    return at_most(value, limit, locator="stranger", printed="x", part=str(value))


def theorem(
    left: Any, right: Any, assumptions: Any, *conditions: Any, kind: Kind = Kind.UPPER_BOUND, **more: Any
) -> Statement:
    made = state(
        PAPER,
        left,
        Term("right side", right, "everything"),
        kind=kind,
        assumptions=assumptions,
        conditions=conditions,
        **more,
    )
    resolved = resolve(made)
    names = resolved.required | resolved.optional
    return replace(made, example={name: value for name, value in EXAMPLE.items() if name in names})


def descent(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - settings.step * clients.gradient(x)


def noisy(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - settings.step * (clients.gradient(x) + settings.noise * random.standard_normal(x.shape))


def wander(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x + settings.step * settings.noise * random.standard_normal(x.shape)


def heavy_ball(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    x, before = state["x"], state["before"]
    return {
        "x": x - settings.step * clients.gradient(x) + settings.momentum * (x - before),
        "before": x,
    }


def momentum(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    x, y, t = state["x"], state["y"], state["t"]
    new, after = y - settings.step * clients.gradient(y), (1 + np.sqrt(1 + 4 * t * t)) / 2
    return {"x": new, "y": new + (t - 1) / after * (new - x), "t": after}


def sparse(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """Random-k: as many coordinates as are kept, scaled to be unbiased; 64 replicates at once."""
    order = random.random(x.shape).argsort(axis=1)
    return x - settings.step * (order < settings.kept) * (x.shape[1] / settings.kept) * clients.gradient(x)


def reshuffled(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """Every client once, in random order; 64 replicates at once."""
    rows = np.arange(len(x))
    for chosen in random.random((len(x), len(clients))).argsort(axis=1).T:
        x = x - settings.step * clients.gradients(x)[rows, chosen]
    return x


def drawn(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """As many clients, drawn with replacement."""
    rows = np.arange(len(x))
    for _ in range(len(clients)):
        x = x - settings.step * clients.gradients(x)[rows, random.integers(len(clients), size=len(x))]
    return x


def normalized(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    g = clients.gradient(x)
    size = np.linalg.norm(g)
    return x if size == 0 else x - settings.length * g / size


def batch(round: Callable[..., Any], *settings: str) -> Algorithm:
    return Algorithm(round=round, settings=dict.fromkeys(settings, REQUIRED), batched=True)


ACCELERATED = Algorithm(
    round=momentum,
    begin=lambda x0, clients, settings: {"x": x0, "y": x0, "t": 1.0},
    settings={"step": REQUIRED},
)
shrunk = (1 - eta * mu) ** 2
NOISE = eta**2 * sigma**2 * (1 - shrunk**K) / (1 - shrunk)
SHUFFLED = (1 - eta * mu_i) ** (n * K) * D**2
STEP = most(eta, 1 / L)
FULL = {"participation": "full"}
AT_ONE_OVER_L = (sets(eta, 1 / L, locator="stranger"),)
DRIFT = L * local**2 * E**2 * s**2

# algorithm, theorem, false twin
PAIRS: dict[str, tuple[Any, Statement, Statement]] = {
    "an equality near the minimizer": (
        "gradient_descent",
        theorem(
            distance,
            Max((1 - eta * mu) ** 2, (1 - eta * L) ** 2) ** N * D**2,
            STRONG,
            below(eta, 2 / L, locator="stranger", printed="x"),
        ),
        theorem(
            distance, (1 - eta * mu) ** (2 * N) * D**2, STRONG, below(eta, 2 / L, locator="s", printed="x")
        ),
    ),
    "two observables, with rounds as a factor": (
        "gradient_descent",
        theorem(eta * N * gap + distance / 2, D**2 / 2, CONVEX, most(eta * L, 1)),
        theorem(eta * N * gap + distance / 2, D**2 / 4, CONVEX, most(eta * L, 1)),
    ),
    "a lower bound": (
        "gradient_descent",
        theorem(-distance, -((1 - eta * L) ** (2 * N)) * D**2, CONVEX, STEP),
        theorem(-distance, -((1 - eta * L / 2) ** (2 * N)) * D**2, CONVEX, STEP),
    ),
    "an equality whose twin is too large": (
        batch(wander, "step", "noise"),
        theorem(squared, WANDERED, (MINIMUM_ATTAINED,), kind=Kind.EQUALITY),
        theorem(squared, 2 * WANDERED - D**2, (MINIMUM_ATTAINED,), kind=Kind.EQUALITY),
    ),
    "a complex limit where a condition fails": (
        batch(sparse, "step", "kept"),
        theorem(
            distance,
            (1 - eta * mu) ** K * D**2,
            STRONG,
            most(eta, kept / (L * d * (1 + sqrt(d / kept - 1)))),
            most(kept, d),
        ),
        theorem(distance, (1 - eta * mu) ** (4 * K) * D**2, STRONG, most(eta, 1 / (L * d)), most(kept, d)),
    ),
    "acceleration": (
        ACCELERATED,
        theorem(gap, 2 * L * D**2 / (K + 1) ** 2, CONVEX, choices=AT_ONE_OVER_L),
        theorem(gap, 2 * L * D**2 / (K + 1) ** 3, CONVEX, choices=AT_ONE_OVER_L),
    ),
    "noise in every coordinate": (
        batch(noisy, "step", "noise"),
        theorem(distance, shrunk**K * D**2 + d * NOISE, STRONG, STEP),
        theorem(distance, shrunk**K * D**2 + NOISE, STRONG, STEP),
    ),
    "a root": (
        Algorithm(round=noisy, settings={"step": REQUIRED, "noise": 0.5}, batched=True),
        theorem(gradient, sqrt(2 * Delta / (eta * K) + eta * L * d * sigma**2), ANY, STEP),
        theorem(gradient, sqrt(2 * Delta / (eta * K)), ANY, STEP),
    ),
    "compression that needs shorter steps": (
        batch(sparse, "step", "kept"),
        theorem(distance, (1 - eta * mu) ** K * D**2, STRONG, most(eta, kept / (L * d)), most(kept, d)),
        theorem(distance, (1 - eta * mu) ** K * D**2, STRONG, STEP, most(kept, d)),
    ),
    "reshuffling": (
        batch(reshuffled, "step"),
        theorem(distance, SHUFFLED + eta**2 * L * n * s**2 / (2 * mu_i), STRONG, STEP),
        theorem(distance, SHUFFLED, STRONG, STEP),
    ),
    "normalized steps": (
        Algorithm(round=normalized, settings={"length": REQUIRED}),
        theorem(gradient, Delta / (length * K) + length * L / 2, ANY),
        theorem(gradient, Delta / (length * K), ANY),
    ),
    "local steps": (
        "fedavg",
        theorem(
            mean_gap, D**2 / (local * E * K) + 12 * DRIFT, CONVEX, most(4 * L * E * local, 1), run_with=FULL
        ),
        theorem(mean_gap, D**2 / (local * E * K**2) + 12 * DRIFT, CONVEX, most(4 * L * E * local, 1)),
    ),
}


@pytest.mark.thinned(14)
@pytest.mark.parametrize("pair", [*PAIRS][::-1])
def test_a_true_theorem_stays_and_its_twin_falls(pair: str) -> None:
    algorithm, true, false = PAIRS[pair]
    false = replace(false, run_with=true.run_with)
    assert not check(true, algorithm=algorithm, quick=True, search=0, level=LEVEL).refuted
    assert check(false, algorithm=algorithm, quick=True, search=0, level=LEVEL).refuted


@pytest.mark.slow("random runs; other twins fall in the first tier")
def test_sampling_with_replacement_is_not_reshuffling() -> None:
    """The bound has one power of the step too many, which small steps near the minimizer show."""
    true = PAIRS["reshuffling"][1]
    answer = check(true, algorithm=batch(drawn, "step"), quick=True, search=0, level=LEVEL)
    fallen = {entry["role"] for entry in answer.cells if entry["verdict"] == "violated"}
    assert "small steps near the minimizer" in fallen


def test_half_a_tight_rate_falls_where_functions_turn_flat() -> None:
    """Half the rate of descent is never seen on quadratics."""
    algorithm = Algorithm(round=descent, settings={"step": REQUIRED})
    false = theorem(gap, L * D**2 / (8 * K + 4), CONVEX, choices=AT_ONE_OVER_L)
    answer = check(false, algorithm=algorithm, quick=True, search=0)
    fallen = {entry["role"] for entry in answer.cells if entry["verdict"] == "violated"}
    assert fallen == {
        "heterogeneous, huber, flat from 0.05 on",
        "huber, a kink",
        "huber, flat twice as far",
        "huber, the last clients apart",
    }


@pytest.mark.slow("a search")
def test_the_search_finds_what_no_standard_cell_shows() -> None:
    """The bound of normalized steps is tight where their length fits the start and the curvature."""
    algorithm = PAIRS["normalized steps"][0]
    false = theorem(gradient, Rational(991, 1000) * (Delta / (length * K) + length * L / 2), ANY)
    answer = check(false, algorithm=algorithm, quick=True, search=0)
    assert not answer.refuted
    assert falsify_statement(answer.statement, evaluations=600).refuted


@pytest.mark.slow("a search")
def test_a_rate_of_quadratics_falls_on_functions_of_three_pieces() -> None:
    """Heavy ball with its optimal constants runs in a cycle there [Lessard, Recht, Packard 2016, 4.6]."""
    roots = sqrt(L) + sqrt(mu)
    ratio = (sqrt(L) - sqrt(mu)) / roots
    prescribed = (
        sets(eta, 4 / roots**2, locator="stranger"),
        sets(beta, ratio**2, locator="stranger"),
    )
    rate = 4 * (2 * K + 1) ** 2 * ratio ** (2 * K) * D**2
    algorithm = Algorithm(
        round=heavy_ball,
        begin=lambda x0, clients, settings: {"x": x0, "before": x0},
        settings={"step": REQUIRED, "momentum": REQUIRED},
    )
    for assumptions, budget, falls in (((*STRONG, QUADRATIC_CLIENTS), 200, False), (STRONG, 1500, True)):
        statement = theorem(distance, rate, assumptions, choices=prescribed)
        adopted = check(statement, algorithm=algorithm, quick=True, search=0).statement
        assert falsify_statement(adopted, evaluations=budget).refuted == falls


@pytest.mark.thinned(2)
@pytest.mark.parametrize("right", [(1 + K * eta * mu) * D**2, (1 - eta * mu) ** (2 * K) * D**2 / 4])
def test_the_search_breaks_an_equality_from_either_side(right: Expr) -> None:
    """Descent ends nearer than it began, and at least as far away as with the smallest curvature alone."""
    false = theorem(distance, right, (*STRONG, QUADRATIC_CLIENTS), most(eta, 1 / L), kind=Kind.EQUALITY)
    algorithm = Algorithm(round=descent, settings={"step": REQUIRED})
    answer = check(false, algorithm=algorithm, quick=True, search=0)
    assert falsify_statement(answer.statement, evaluations=60).refuted


def test_the_search_starts_near_minimizers_too() -> None:
    """What is left of a bound there pays for noise and drift; a start that is far away hides it."""
    made = NEAR.make([0.5, 0.9, 0.5, 0.9, 0.5, 0.3, 0.2, 0.9, 0.2], False)
    problem = build(made.name, **made.arguments)
    away = np.asarray(made.start) - np.asarray(problem.minimiser())
    assert np.allclose(away, away[0])
    assert 0 < np.linalg.norm(away) < 1e-3 * np.linalg.norm(problem.minimiser())


def test_conditions_as_they_are_written_limit_the_cells() -> None:
    """eta L <= 1 is a limit on eta, n >= 2 is none on any input, and a power is taken apart."""
    conditions = (
        most(eta * L, 1),
        at_least(n, 2, locator="stranger", printed="x", part="n"),
        most(L**2 * eta**2, 1),
        most(sigma - 3 * eta * L * sigma, 5 * s),  # of no known sign: left out
    )
    limited = with_limits(theorem(distance, D**2 + n * sigma * D / L, STRONG, *conditions), ["eta", "sigma"])
    solved = [c.constructive for c in limited.conditions]
    assert [(x.symbol, x.limit) for x in solved if x is not None][:2] == [(eta, 1 / L), (eta, 1 / L)]
    assert n not in {x.symbol for x in solved if x is not None}


def test_limits_never_go_round_in_a_circle() -> None:
    both = (most(eta, sigma), at_least(eta, sigma / 2, locator="stranger", printed="x"))
    circle = (most(eta, 1 / sigma), most(sigma, 1 / eta))
    for conditions in (both, circle):
        limited = with_limits(theorem(distance, D**2, STRONG, *conditions), ["eta", "sigma"])
        assert {c.constructive.symbol for c in limited.conditions if c.constructive} == {eta}


@pytest.mark.slow("a search along whole numbers")
def test_the_edge_of_a_whole_number_is_that_number() -> None:
    algorithm, true, _ = PAIRS["compression that needs shorter steps"]
    answer = check(true, algorithm=algorithm, quick=True, search=0, level=LEVEL)
    by_role = {cell.role: cell.parameters["kept"] for cell in cells(answer.statement)}
    assert (by_role["edge of its conditions"], by_role["smallest kept"]) == (4, 1)


def why(statement: Statement) -> str:
    adopted = discovery.adopt(replace(statement, algorithm=statement.algorithm or "gradient_descent"))
    return why_not_declared(adopted) or why_no_cell(adopted)


def test_the_reason_is_that_of_the_problem_that_comes_nearest() -> None:
    plain: Expr = (1 - eta * mu) ** N * D**2
    own = Assumption("mine", "x", "here")
    assert "nothing certifies it" in why(theorem(distance, plain, (*STRONG, own), STEP))
    assert "needs the setting steps, but the statement has no N in its formulas: give N in `example`" in why(
        theorem(distance, eta * D**2, STRONG)
    )
    sgd = replace(theorem(distance, plain, STRONG), algorithm="stochastic_gradient_descent")
    assert 'part=setting("oracle.gaussian")' in why(sgd)
    assert "distance**2 is not linear in distance" in why(theorem(distance**2, plain, STRONG))
    assert "the part -D**2 without an observable: move it" in why(theorem(distance - D**2, plain, STRONG))
    assert "no parameters" in why(theorem(distance, plain, (*STRONG, QUADRATIC_CLIENTS), most(L, mu / 2)))


def test_clients_apart_are_found_where_only_quadratics_of_one_hessian_fit() -> None:
    five: dict[str, Any] = {"algorithm": "gradient_descent", "run_with": {"steps": 5}}
    statement = theorem(distance, D**2, (*STRONG, GRADIENT_DIVERGENCE), STEP, **five)
    assert [c.problem for c in cells(statement) if c.role == "heterogeneous"] == ["quadratic.diagonal"]


def test_what_rounding_may_hide_is_small() -> None:
    """Of a squared distance of 1e-19 beside a minimizer of size 1 a millionth; of a distance of 1 nothing."""
    problem = build("quadratic.diagonal", curvatures=((1.0,), (0.05,)), centers=((1.0,), (-1.0,)))
    start = [2.9]
    near = rounding_of("squared_distance", 1.6e-19, problem, start, 0.0)
    assert 1e-26 < near < 1e-21
    assert rounding_of("squared_distance", 1.0, problem, start, 0.0) < 1e-11
    assert rounding_of("staleness", 1.0, problem, start, 0.0) == 0.0


def test_a_decimal_number_in_a_formula_is_named() -> None:
    with pytest.raises(MalformedStatement, match=r"the number 0\.5 is rounded; write a fraction"):
        theorem(gap, 0.5 * L * D**2, CONVEX)
