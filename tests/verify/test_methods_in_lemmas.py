"""Paths of vectors, the mean of functions and its minimum, conditional means, and how each is refused."""

import re
from typing import Any

import numpy as np
import pytest

from bounds.errors import MalformedStatement
from bounds.language.quantity import Notation
from bounds.language.statement import Paper, Statement
from fedbounds import (
    POSITIVE,
    F,
    X,
    average,
    equals,
    expected,
    function,
    index,
    lemma,
    mean,
    norm,
    number,
    path,
    place,
    random_vector,
    total,
    vector,
)
from verify.objects.certainty import survives
from verify.objects.check import judged
from verify.objects.declared import draw_declared, why_not_drawn
from verify.objects.draw import FAMILIES, FOR_DECLARED, Draw
from verify.objects.recipes import draws
from verify.proofs.prove import prove

L, mu, eta = number("L", POSITIVE), number("mu", POSITIVE), number("eta", POSITIVE, X**2 / F)
x0, i, t = vector("x0"), index("i"), index("t")
f, g = function("f", smooth=L), function("g", over=i, convex=True, smooth=L)


def state(claim: Any, conditions: Any = ()) -> Statement:
    paper = Paper(key="k", title="t", authors="a", bibtex="", package="k", notation=Notation())
    made: Statement = lemma(paper, "own", claim, conditions=conditions)
    return made


def descend(name: str, *, over: Any = t, first: Any = x0) -> Any:
    return path(name, over=over, first=first, next_equal_to=lambda x: x - eta * f.gradient(x))


def numbers_on(statement: Statement, **objects: Any) -> dict[str, Any]:
    assert statement.concrete is not None
    found: dict[str, Any] = statement.concrete.numbers(**objects)
    return found


def test_the_iterates_are_those_of_a_loop() -> None:
    """x - eta A x by hand, three steps, the sum of all of them, the end, and the weights of their places."""
    x = descend("x")
    statement = state(norm(total((place(t) + 1) * x, t) + x.end + total(x.next, t)) <= 0)
    slopes, start = np.array([3.0, 1.0]), np.array([[1.0, -2.0]])
    now, said = start[0], np.zeros(2)
    for step in range(3):
        said = said + (step + 1) * now
        now = now - 0.5 * slopes * now
        said = said + now
    found = numbers_on(statement, gradient_of_f=lambda x: slopes * x, x0=start, x=np.zeros(3), eta=0.5, L=3.0)
    (name,) = found.keys() - {"eta", "L"}
    assert found[name] == pytest.approx(np.linalg.norm(said + now))


def test_each_step_has_its_own_noise_and_its_own_function() -> None:
    N, o = random_vector("N", over=t), function("o", over=t, smooth=L)
    x = path("x", over=t, first=x0, next_equal_to=lambda x: x - eta * o.gradient(x) + N)
    statement = state(norm(expected(x.end)) <= 0)
    outcomes = np.arange(8.0).reshape(1, 4, 2, 1)  # four outcomes of two steps
    weights = np.array([1.0, 2.0, 3.0, 4.0])
    found = numbers_on(
        statement,
        gradient_of_o=[lambda x: x, lambda x: 2 * x],
        x0=np.array([[1.0]]),
        x=np.zeros(2),
        N=outcomes,
        weights_of_outcomes_of_N=weights,
        eta=0.25,
        L=2.0,
    )
    (name,) = found.keys() - {"eta", "L"}
    ends = [(0.75 + a) * 0.5 + b for a, b in outcomes[0, :, :, 0]]
    assert found[name] == pytest.approx(np.average(ends, weights=weights))


def test_the_minimum_of_the_mean_is_where_it_is_said_to_be() -> None:
    """The values around it decide, for every family: this oracle calls nothing of the drawing."""
    F_ = average(g)
    statement = state(F_(x0) - F_.lowest >= norm(x0 - F_.minimizer))
    for family in (*FAMILIES, *FOR_DECLARED):
        drawn = draw_declared(Draw(family, np.random.default_rng(3)), statement)
        at, each = drawn["minimizer_of_mean_of_g"], drawn["g"]
        value = np.mean([h(at) for h in each])
        scale = 1 + np.mean([abs(h(at)) for h in each])
        assert np.mean(drawn["values_at_minimizer_of_mean_of_g"]) == pytest.approx(value, rel=1e-9)
        random = np.random.default_rng(5)
        for size_ in (1e-3, 1.0, 1e3):
            around = at + size_ * random.standard_normal((20, at.size))
            assert np.all(np.mean([h(around) for h in each], axis=0) >= value - 1e-9 * scale)


def test_clients_differ_where_their_mean_is_lowest() -> None:
    statement = state(mean(norm(g.gradient(average(g).minimizer)) ** 2, i) <= 0)
    assert (
        judged(statement, list(draws(statement, seed=1, trials=1)), seed=1, trials=1)["verdict"] == "violated"
    )


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: average(f), "average is of a function for each entry of an index, not of f"),
        (lambda: average(function("h", over=i)).lowest, "need not have a lowest value: say convex=True"),
        (
            lambda: average(function("h", over=i, smooth=L, lojasiewicz=mu)).minimizer,
            "whose functions are Lojasiewicz",
        ),
        (lambda: average(function("h", over=i, smooth=L, bounded_below=True)).lowest, "leave it out"),
        (lambda: descend("x", first=descend("y")), "y_t is a start, and depends on the step t"),
        (lambda: path("x", over=t, first=x0, next_equal_to=lambda x: mean(x, t)), "goes over all steps"),
        (
            lambda: path(("x", "y"), over=t, first=(x0, x0), next_equal_to=lambda x, y: (x,)),
            "gives 1 vectors",
        ),
        (lambda: path(("x", "y"), over=t, first=(x0,), next_equal_to=lambda x, y: (x, y)), "as many starts"),
        (lambda: path("x", over="t", first=x0, next_equal_to=lambda x: x), "are an index of its own"),
        (lambda: place(x0), "place is of an index, not of x0"),
        (lambda: state(norm(descend("x0").end) <= 0), "two objects are named x0"),
        (lambda: state(norm(descend("x")) <= 0), "still depends on t: take"),
        (lambda: expected(x0, given=random_vector("V")), "nothing in x0 is random"),
    ],
)
def test_a_slip_is_named_with_what_to_write(wrong: Any, said: str) -> None:
    with pytest.raises(MalformedStatement, match=re.escape(said)):
        wrong()


def test_the_minima_of_the_mean_and_of_each_are_not_drawn_together() -> None:
    s = function("s", over=i, strongly_convex=mu)
    statement = state(mean(s.lowest, i) <= average(s).lowest)
    assert "both the minimum of their mean and the lowest of each is named" in str(why_not_drawn(statement))


def test_a_proof_names_what_it_has_no_words_for() -> None:
    detail = prove(state(norm(descend("x").end - x0) <= 0 * norm(x0))).detail
    assert "no words for the path x" in detail
    detail = prove(state(average(g)(x0) >= average(g).lowest)).detail
    assert "minimizer of mean of g" in detail


def test_a_conditional_mean_leaves_what_is_given() -> None:
    """E ||V||^2 is that of E[V | W], and what is left; of independent ones E[V | W] is E V."""
    V, W = random_vector("V"), random_vector("W")
    sum_ = f.gradient(V + W)
    inside = expected(sum_, given=W)
    parts = expected(norm(inside) ** 2) + expected(norm(sum_ - inside) ** 2)
    for claim, verdict in (
        (equals(expected(norm(sum_) ** 2), parts), "holds"),
        (equals(expected(norm(sum_) ** 2), expected(norm(inside) ** 2)), "violated"),
        (expected(norm(inside) ** 2) <= expected(norm(expected(sum_, given=V)) ** 2), "violated"),
        (equals(norm(expected(V, given=W)), norm(expected(V))), "holds"),
    ):
        statement = state(claim)
        drawn = list(draws(statement, seed=2, trials=2))
        assert judged(statement, drawn, seed=2, trials=2)["verdict"] == verdict


def test_a_rounding_of_one_that_breaks_a_condition_refutes_nothing() -> None:
    """With eta = 1/L and mu = L a rounding makes (1 - eta mu)^3 negative; the excess is no one inside."""
    s = function("s", strongly_convex=mu, smooth=L)
    claim = norm(s.gradient(x0)) ** 2 * (1 - eta * mu) ** 3 >= 0
    statement = state(claim, [eta <= 1 / L])
    most = np.nextafter(1.0, 2.0)
    objects = {
        "gradient_of_s": lambda x: x,
        "x0": np.ones((11, 1)),
        "L": 1.0,
        "mu": 1.0,
        "eta": float(most),
    }
    excess = float((most - 1.0) ** 3)
    assert not survives(statement, objects, 0, excess)
