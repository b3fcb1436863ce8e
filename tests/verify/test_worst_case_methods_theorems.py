"""Theorems on an author's own linear method, and documents of the answers."""

import copy
import json
from dataclasses import replace
from fractions import Fraction
from itertools import count
from re import search
from typing import Any

import pytest
from linear_methods import adopted, ask, descent, nesterov_of_a_package
from strangers import enter, paper, state
from sympy import Expr, Sum

from bounds import discovery
from bounds.language.assumptions import CONVEX_CLIENTS, LIPSCHITZ_CLIENTS, SMOOTH_CLIENTS, STRONGLY_CONVEX
from bounds.language.condition import at_most
from bounds.language.dimension import F, X
from bounds.language.part import INDEX, at_start, constant, lower_constant, setting
from bounds.language.quantity import NATURAL, NON_NEGATIVE, POSITIVE, Notation, Over, States
from bounds.language.statement import Statement, Term
from verify.worst_case.answer import reread_answer, worst
from verify.worst_case.document import SCHEMA
from verify.worst_case.errors import BadSetting, NotAWorstCase
from verify.worst_case.instance_run import Measurement

pytest.importorskip("clarabel", reason="worst cases are solved with clarabel, of the extra tight")

HALF = Fraction(1, 2)
NOTATION = Notation()
K, L, D, n, mu = enter(NOTATION, "K", "L", "D", "n", "mu")
step = NOTATION.quantity("eta", r"\eta", "step", POSITIVE, X**2 / F, part=setting("step"))
D2 = NOTATION.quantity("D2", "D^2", "", NON_NEGATIVE, X**2, part=at_start("squared_distance"))
twice = NOTATION.quantity("twice", "2L", "", POSITIVE, F / X**2, part=constant("smoothness", times=2))
at_least_L = NOTATION.quantity("at_least_L", "L", "", POSITIVE, F / X**2, part=lower_constant("smoothness"))
last = NOTATION.observable("last", "g", "", F, Over.LAST, measured="gap")
mean = NOTATION.observable(
    "mean", "g", "", F, Over.UNIFORM_ROUND, states=States.BEFORE_A_ROUND, measured="gap"
)
early = NOTATION.observable(
    "early", "g", "", F, Over.MINIMUM_OF_MEANS, states=States.BEFORE_A_ROUND, measured="gap"
)
away = NOTATION.observable("away", "g", "", X**2, Over.LAST, measured="squared_distance")
i, j = (NOTATION.quantity(name, name, "", NATURAL, part=INDEX) for name in "ij")
NUMBERS = count()
CONVEX = (CONVEX_CLIENTS, SMOOTH_CLIENTS)
POINT = {"eta": Fraction(1, 2), "L": 2, "D": 3}


def claim(
    bound: Expr, left: Any = last, algorithm: str | None = None, assumptions: Any = CONVEX
) -> Statement:
    limit = at_most(step, 1 / L, locator="nesterov", printed="x")
    return discovery.adopt(
        state(
            paper(f"nesterov{next(NUMBERS)}", NOTATION),
            left,
            Term("start", bound, "distance"),
            algorithm=algorithm or nesterov_of_a_package(),
            assumptions=assumptions,
            conditions=(limit,),
        )
    )


TRUE = 2 * D**2 / (step * (K + 1) ** 2)


@pytest.mark.parametrize(
    ("left", "bound", "rounds", "verdict"),
    [
        (last, TRUE, "K", "holds"),
        (last, TRUE / 2, "K", "violated"),
        (last, 2 * D**2 / (step * (K**2 + 5 * K + 6)), "K", "tight"),
        (last, 2 * D**2 / (step * Sum(2 * j + 2, (j, 0, K + 1))), "K", "tight"),  # the same, as a sum
        (last, 2 * D**2 / (step * Sum(Sum(2, (i, 0, j)), (j, 0, K + 1))), "K", "tight"),
        (last, 2 * D**2 / (step * Sum(2 * j + 2, (j, 0, K + 2))), "K", "violated"),
        (mean, D**2 / (2 * step), "rounds", "holds"),
        (mean, D**2 / (2 * step * K), "K", "violated"),  # the first gap is L D^2/2, and stays in the mean
        (away, D**2, "rounds", "tight"),  # where f is flat nothing moves
    ],
)
def test_a_theorem_on_the_method_is_decided(left: Any, bound: Expr, rounds: str, verdict: str) -> None:
    answer = ask(claim(bound, left).id, **POINT, **{rounds: 5})
    assert answer.verdict == verdict, answer.sentence


smallest = NOTATION.observable("smallest", "g", "", F, Over.MINIMUM_OF_MEANS, measured="gap")
G = NOTATION.quantity("G", "G", "", POSITIVE, F / X, part=constant("lipschitz"))


@pytest.mark.parametrize(
    ("bound", "assumptions", "verdict"),
    [
        ((D**2 / (step * (K + 1)) + step * G**2) / 2, (CONVEX_CLIENTS, LIPSCHITZ_CLIENTS), "tight"),
        ((D**2 / (step * (K + 1)) + step * G**2) / 3, (CONVEX_CLIENTS, LIPSCHITZ_CLIENTS), "violated"),
        ((D**2 / (step * (K + 1)) + step * G**2) / 2, (*CONVEX, LIPSCHITZ_CLIENTS), None),
    ],
)
def test_a_theorem_on_subgradients(bound: Expr, assumptions: Any, verdict: str | None) -> None:
    """The smallest gap of steps along subgradients, where D = G step (K + 1)^(1/2)."""
    stated = claim(bound, smallest, algorithm=adopted(descent), assumptions=assumptions)
    stated = discovery.adopt(replace(stated, conditions=()))
    answer = ask(stated.id, K=3, eta=HALF, D=1, G=1)
    assert answer.verdict == verdict, answer.sentence


def test_a_setting_that_a_quantity_sets_is_not_given_beside_it() -> None:
    with pytest.raises(BadSetting, match="step is given"):
        ask(claim(TRUE).id, K=2, eta=1, L=1, D=1, step=2)


def test_a_multiple_of_a_constant_is_divided() -> None:
    """Steps 1/L, where 2L is given: the largest gap is 2L D^2/(K^2 + 5 K + 6)."""
    stated = replace(claim(twice * D**2 / (K**2 + 5 * K + 6)), conditions=())
    answer = ask(discovery.adopt(stated).id, K=2, step=HALF, twice=4, D=3)
    assert answer.verdict == "tight", answer.sentence


@pytest.mark.parametrize(
    ("statement", "given", "why"),
    [
        (claim(TRUE, early), POINT | {"K": 5}, "observables of a worst case: gap, squared_distance"),
        (claim(2 * D2 / (step * (K + 1) ** 2)), {"K": 5, "eta": 1, "L": 1, "D2": 1}, "D2 is the measure"),
        (claim(twice * D**2), POINT | {"twice": 5}, "by (L and by twice|twice and by L)"),
        (
            claim(TRUE * (1 + mu / (n * L)), assumptions=(*CONVEX, STRONGLY_CONVEX)),
            POINT | {"K": 5, "n": 2, "mu": 1},
            "mean of the clients by mu",
        ),
        (claim(at_least_L * D**2), POINT | {"at_least_L": 2}, "at_least_L is the constant smoothness"),
        (claim(TRUE, assumptions=(SMOOTH_CLIENTS,)), {"K": 5, "eta": 1, "L": 1, "D": 1}, "f0_gap"),
    ],
)
def test_a_theorem_of_another_class_is_refused(statement: Statement, given: dict[str, Any], why: str) -> None:
    answer = ask(statement.id, **given)
    assert answer.found is None
    assert search(why, answer.sentence), answer.sentence


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    given = {"K": Fraction(2), "eta": Fraction(1), "L": Fraction(1), "D": Fraction(1)}
    return json.loads(json.dumps({"schema": SCHEMA, **worst(claim(TRUE).id, given).document}, default=float))


def test_a_document_is_reread(document: dict[str, Any]) -> None:
    found = reread_answer(document)
    assert found.agrees, found.sentence
    assert document["method"]["iterates"][2]["own"] == {"0": "-1", "1": "-1"}


def change(document: dict[str, Any], *path: Any, to: Any) -> dict[str, Any]:
    forged = copy.deepcopy(document)
    place = forged
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    return forged


@pytest.mark.parametrize(
    ("path", "to"),
    [
        (("method", "values", "step"), 0.5),
        (("method", "values", "rounds"), 3),
        (("method", "asked", 1, "own", "0"), "-9/10"),
        (("method", "iterates", 2, "own", "1"), "-1/2"),
        (("upper_exact",), "1/100"),
        (("bound",), 0.5),
        (("verdict",), "tight"),
        (("setting", "D0"), "2"),
        (("given", "K"), "3"),
    ],
)
def test_a_forged_document_differs(document: dict[str, Any], path: Any, to: Any) -> None:
    assert not reread_answer(change(document, *path, to=to)).agrees


@pytest.mark.parametrize(
    ("path", "to", "why"),
    [
        (("method", "algorithm"), "here.nobody", "no installed package has"),
        (("method", "asked", 0, "own"), {"1": "1"}, "not given before"),
        (("method", "asked", 1, "own"), {"1": "1"}, "not given before"),
        (("method", "asked", 0, "client"), 1, "a client that does not exist"),
        (("method", "asked", 0, "client"), None, "a client that does not exist"),
        (("method", "iterates"), [], "no iterate"),
        (("method", "iterates", 1, "of_mean"), {"0": "1"}, "not a point of all clients"),
        (("method", "iterates", 1, "own", "0"), "1e9", "must be text"),
    ],
)
def test_a_document_that_makes_no_sense_is_refused(
    document: dict[str, Any], path: Any, to: Any, why: str
) -> None:
    with pytest.raises(NotAWorstCase, match=why):
        reread_answer(change(document, *path, to=to))


def test_a_run_that_measures_what_is_recorded_has_to_attain_the_lower_end_too(
    document: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    twice = 2 * document["lower"]
    run = Measurement(mean=twice, standard_error=0.0, replicates=1)
    monkeypatch.setattr("verify.worst_case.document.measured", lambda *_: run)
    found = reread_answer(change(document, "instance", "measured", to=twice))
    assert not found.agrees
    assert "and it attains" in found.sentence


def test_code_that_has_changed_differs(document: dict[str, Any]) -> None:
    def nesterov(state: Any, clients: Any, settings: Any, random: Any) -> Any:
        x = state["y"] - settings.step * clients.gradient(state["y"])
        return {"x": x, "y": x + (state["k"] - 1) / (state["k"] + 2) * (x - state["x"]), "k": state["k"] + 1}

    adopted(nesterov, begin=lambda x0, clients, settings: {"x": x0, "y": x0, "k": 1})
    try:
        assert reread_answer(document).agrees  # the same numbers, written differently

        def slipped(state: Any, clients: Any, settings: Any, random: Any) -> Any:
            return nesterov(state, clients, settings, random) | {"y": state["x"]}

        slipped.__name__ = "nesterov"
        adopted(slipped, begin=lambda x0, clients, settings: {"x": x0, "y": x0, "k": 1})
        assert "no longer makes the recorded points" in reread_answer(document).sentence
    finally:
        nesterov_of_a_package()
