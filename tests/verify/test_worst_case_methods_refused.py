"""Worst cases that are refused: code that only seems to be a linear method, theorems about another class."""

import json
from fractions import Fraction
from itertools import count
from re import search
from typing import Any

import numpy as np
import pytest
from strangers import SPREAD, enter, paper, state

from bounds import discovery
from bounds.language.assumptions import (
    CONVEX_CLIENTS,
    ONE_CLIENT,
    SMOOTH_CLIENTS,
    STRONGLY_CONVEX,
)
from bounds.language.condition import at_least
from bounds.language.dimension import F, X
from bounds.language.part import constant, setting
from bounds.language.quantity import NON_NEGATIVE, POSITIVE, POSITIVE_INTEGER, Notation, Over
from bounds.language.statement import Kind, Statement, Term
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from verify.worst_case.answer import reread_answer, worst
from verify.worst_case.document import SCHEMA
from verify.worst_case.errors import BadSetting, NoWorstCase
from verify.worst_case.instance_run import Measurement
from verify.worst_case.methods.linear import read_method
from verify.worst_case.setting import ProblemClass

pytest.importorskip("clarabel", reason="worst cases are solved with clarabel, of the extra tight")


def descent(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - settings.step * clients.gradient(x)


def shorter_in_more_dimensions(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - clients.gradient(x) / clients.dimension**0.5


def stopping(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    gradient = clients.gradient(x)
    return x if np.linalg.norm(gradient) < 1e-8 else x - gradient


def far_clipped(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    gradient = clients.gradient(x)
    return x - gradient * min(1, 1e8 / np.linalg.norm(gradient))


@pytest.mark.parametrize("round_", [shorter_in_more_dimensions, stopping, far_clipped])
def test_dimensions_and_far_thresholds_are_seen(round_: Any) -> None:
    with pytest.raises(NoWorstCase, match="lengths, angles or dimension"):
        read_method(adopt(Algorithm(round=round_)), 1, {"rounds": 3})


def greedy(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """Its points are alike in every run, and which client is asked there is not."""
    gradients = [client.gradient(x) for client in clients]
    y = x - sum(gradients) / len(clients)
    return y - clients[int(np.argmax([np.linalg.norm(g) for g in gradients]))].gradient(y)


def test_a_client_that_is_chosen_by_its_gradient_is_seen() -> None:
    with pytest.raises(NoWorstCase, match="lengths, angles or dimension"):
        read_method(adopt(Algorithm(round=greedy)), 3, {"rounds": 1})


def test_a_run_that_overflows_has_no_coefficients() -> None:
    name = adopt(Algorithm(round=descent, settings={"step": REQUIRED}))
    with pytest.raises(NoWorstCase, match="its run overflows at these settings"):
        read_method(name, 1, {"rounds": 3, "step": 1e308})


@pytest.mark.parametrize("L", [10**13, Fraction(1, 10**13)])
def test_units_do_not_matter(L: Fraction) -> None:
    """Steps 1/L: the largest gap is L D^2/14 after three of them."""
    name = adopt(Algorithm(round=descent, settings={"step": REQUIRED}))
    found = worst(name, {"rounds": Fraction(3), "step": 1 / Fraction(L), "L": Fraction(L), "D0": Fraction(1)})
    assert found.found is not None, found.sentence
    assert float(found.found.upper / Fraction(L)) == pytest.approx(1 / 14, rel=1e-6)


def clipped_beside_gradients_that_are_as_short(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    gradient = clients.gradient(x)
    return x - settings.step * gradient * min(1, 1e7 / np.linalg.norm(gradient))


def test_a_threshold_is_seen_in_every_unit() -> None:
    name = adopt(Algorithm(round=clipped_beside_gradients_that_are_as_short, settings={"step": REQUIRED}))
    with pytest.raises(NoWorstCase, match="lengths, angles or dimension"):
        read_method(name, 1, {"rounds": 3, "step": 1e-10}, Fraction(10**10))


def bolder_where_gradients_turn_around(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    """No two gradients of the runs that are compared are opposite enough; from 1.2/L on those of x^2 are."""
    gradient, before = clients.gradient(state["x"]), state["before"]
    longest = np.linalg.norm(gradient) * np.linalg.norm(before)
    step = settings.step * (10 if gradient @ before < -0.5 * longest else 1)
    return {"x": state["x"] - step * gradient, "before": gradient}


def bolder_along_a_line(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    gradient, before = clients.gradient(state["x"]), state["before"]
    longest = np.linalg.norm(gradient) * np.linalg.norm(before)
    step = settings.step * (1.5 if gradient @ before > 0.9 * longest > 0 else 1)
    return {"x": state["x"] - step * gradient, "before": gradient}


def begin_with_nothing(x0: Any, clients: Any, settings: Any) -> Any:
    return {"x": x0, "before": 0 * x0}


@pytest.mark.parametrize("clients", [1, 3])
@pytest.mark.parametrize("round_", [bolder_where_gradients_turn_around, bolder_along_a_line])
def test_the_code_is_run_on_functions_whose_gradients_stay_on_a_line(round_: Any, clients: int) -> None:
    """After two steps of 1.2/L and 12/L on L x^2/2 the gap is 2.42 L D0^2, where 0.09 was certified."""
    given = {"rounds": 2, "step": "6/5", "L": 1, "D0": 1, "n": clients, "zeta_star": 0}
    name = adopt(Algorithm(round=round_, begin=begin_with_nothing, settings={"step": REQUIRED}))
    answer = worst(name, {key: Fraction(str(value)) for key, value in given.items()})
    assert answer.found is None
    assert "lengths, angles or dimension" in answer.sentence


def bolder_near_a_seventh(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """The worst function of three steps 1/L has a gradient of L D0/7; none that is tried before has."""
    gradient = clients.gradient(x)
    return x - gradient * (1.5 if 0.1425 < np.linalg.norm(gradient) < 0.143 else 1.0)


def test_the_code_has_to_attain_the_worst_case_that_its_points_have() -> None:
    name = adopt(Algorithm(round=bolder_near_a_seventh))
    answer = worst(name, {"rounds": Fraction(3), "L": Fraction(1), "D0": Fraction(1)})
    assert answer.found is None
    assert "its code measures" in answer.sentence


@pytest.mark.parametrize(
    ("observable", "off", "confirmed"),
    [
        ("min_squared_gradient_norm", 5e-8, True),
        ("min_squared_gradient_norm", 2e-6, False),
        ("min_squared_gradient_norm", -2e-6, False),
        ("squared_gradient_norm", 2e-6, False),
    ],
)
def test_a_run_measures_the_lower_end_up_to_its_roundings(
    observable: str, off: float, confirmed: bool
) -> None:
    problems = ProblemClass(clients=1, G=Fraction(1), D0=Fraction(1), observable=observable)
    run = Measurement(mean=1 + off, standard_error=0.0, replicates=1)
    assert run.confirms(problems, Fraction(1)) is confirmed


def test_a_run_without_end_is_refused_at_once() -> None:
    name = adopt(Algorithm(round=descent, settings={"step": REQUIRED}))
    with pytest.raises(NoWorstCase, match="at most 1000 rounds"):
        read_method(name, 1, {"rounds": 10**9, "step": 1})


def test_a_number_without_room_for_its_square_is_refused() -> None:
    name = adopt(Algorithm(round=descent, settings={"step": REQUIRED}))
    given = {"rounds": 1, "step": 1, "L": 10**400, "D0": 1}
    with pytest.raises(BadSetting, match="L must be between 1e-100 and 1e100"):
        worst(name, {key: Fraction(value) for key, value in given.items()})


NOTATION = Notation()
K, L, D, n, mu, eta, s = enter(NOTATION, "K", "L", "D", "n", "mu", "eta", "s")
twice_s = NOTATION.quantity(
    "twice_s", "2s", "", NON_NEGATIVE, F / X, part=constant(SPREAD.name, root=True, times=4)
)
apart = NOTATION.quantity("apart", "d", "", NON_NEGATIVE, F, part=constant("infimum_gap"))
local = NOTATION.quantity("H", "H", "", POSITIVE_INTEGER, X / X, part=setting("local_steps"))
undeclared = NOTATION.quantity("Q", "Q", "", POSITIVE, F / X)
either = NOTATION.quantity(
    "either", "L", "", POSITIVE, F / X**2, part=constant("smoothness", or_else="lipschitz")
)
gap = NOTATION.observable("gap", "g", "", F, Over.LAST, measured="gap")
NUMBERS = count()
CONVEX = (CONVEX_CLIENTS, SMOOTH_CLIENTS)


def claim(bound: Any, **more: Any) -> Statement:
    usual = {
        "algorithm": adopt(Algorithm(round=descent, settings={"step": REQUIRED})),
        "assumptions": CONVEX,
        "example": {"K": 1, "eta": 1},
    }
    of = paper(f"refused{next(NUMBERS)}", NOTATION)
    return discovery.adopt(state(of, gap, Term("start", bound, "distance"), **(usual | more)))


POINT = {"K": 1, "eta": 1, "L": 1, "D": 1}
LONG_ENOUGH = at_least(K * mu / L, 3, locator="refused", printed="x")


def test_the_code_of_a_theorem_has_to_attain_it_too() -> None:
    name = adopt(Algorithm(round=bolder_near_a_seventh))
    stated = claim(L * D**2 / (4 * K + 2), algorithm=name, example={"K": 3})
    answer = worst(stated.id, {"K": Fraction(3), "L": Fraction(1), "D": Fraction(1)})
    assert answer.verdict is None
    assert "its code measures" in answer.sentence


@pytest.mark.parametrize(
    ("statement", "given", "why"),
    [
        (claim(L * D**2 + twice_s**2 / L), POINT | {"twice_s": 2, "n": 2}, "root of 4 times"),
        (claim(L * D**2 + apart), POINT | {"apart": 1, "n": 2}, "apart is the constant infimum_gap"),
        (claim(local * L * D**2), POINT | {"H": 2}, "H is the setting local_steps"),
        (claim(either * D**2), {"K": 1, "eta": 1, "D": 1, "either": 1}, "or else lipschitz"),
        (claim(L * D**2, kind=Kind.EQUALITY), POINT, "it is an equality"),
        (claim(L * D**2 + undeclared * D), POINT | {"Q": 1}, "does not say what Q is"),
        (
            claim(L * D**2, assumptions=(STRONGLY_CONVEX, SMOOTH_CLIENTS)),
            POINT | {"n": 2},
            "convexity of the mean",
        ),
        (claim(L * D**2, conditions=(LONG_ENOUGH,)), POINT, "need more values to be decided: refused"),
        (
            claim(L * D**2, algorithm="fedavg", run_with={"participation": "independent:0.5"}),
            POINT,
            "fixes settings that no worst-case program knows",
        ),
    ],
)
def test_a_theorem_of_another_class_is_refused(statement: Statement, given: dict[str, Any], why: str) -> None:
    answer = worst(statement.id, {key: Fraction(value) for key, value in given.items()})
    assert answer.found is None
    assert search(why, answer.sentence), answer.sentence


@pytest.mark.parametrize(
    ("statement", "given", "why"),
    [
        (
            claim(L * D**2, run_with={"rounds": 1}, example={"eta": 1}),
            {"eta": 1, "L": 1, "D": 1, "rounds": 5},
            "rounds is given",
        ),
        (claim(L * D**2, assumptions=(*CONVEX, ONE_CLIENT)), POINT | {"n": 2}, "one client, and 2 are given"),
        (claim(L * D**2 / n, assumptions=(*CONVEX, ONE_CLIENT)), POINT | {"n": 5}, "and 5 are given"),
    ],
)
def test_what_a_theorem_says_is_not_given_otherwise(
    statement: Statement, given: dict[str, Any], why: str
) -> None:
    with pytest.raises(BadSetting, match=why):
        worst(statement.id, {key: Fraction(value) for key, value in given.items()})


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    name = adopt(Algorithm(round=descent, settings={"step": REQUIRED}))
    answer = worst(name, {key: Fraction(1) for key in ("rounds", "step", "L", "D0")})
    found: dict[str, Any] = json.loads(json.dumps({"schema": SCHEMA, **answer.document}, default=float))
    return found


def test_a_file_that_names_another_algorithm_differs(document: dict[str, Any]) -> None:
    assert reread_answer(document).agrees
    assert "not what was run" in reread_answer(document | {"target": "fedavg"}).sentence


def test_a_file_with_two_starts_is_refused(document: dict[str, Any]) -> None:
    with pytest.raises(BadSetting, match="keep one"):
        reread_answer(document | {"setting": document["setting"] | {"f0_gap": "1"}})


def test_a_file_whose_code_now_clips_differs(document: dict[str, Any]) -> None:
    def clipped(x: Any, clients: Any, settings: Any, random: Any) -> Any:
        gradient = clients.gradient(x)
        return x - settings.step * gradient / np.linalg.norm(gradient)

    clipped.__name__ = "descent"
    adopt(Algorithm(round=clipped, settings={"step": REQUIRED}))
    try:
        found = reread_answer(document)
        assert (found.agrees, "lengths, angles" in found.sentence) == (False, True)
    finally:
        adopt(Algorithm(round=descent, settings={"step": REQUIRED}))


def one_more_where_it_is_far(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """Asks twice in a round once gradients are long: the run that counts sees one question."""
    gradient = clients.gradient(x)
    more = clients.gradient(x - gradient) if np.abs(gradient).max() > 1e6 else gradient
    return x - (gradient + more) / 2


def test_a_number_of_questions_that_depends_on_the_gradients_is_refused() -> None:
    with pytest.raises(NoWorstCase, match="lengths, angles or dimension"):
        read_method(adopt(Algorithm(round=one_more_where_it_is_far)), 1, {"rounds": 3})


def clients_alone(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - settings.step * np.mean([client.gradient(x) for client in clients], axis=0)


def test_many_clients_are_read_in_as_many_dimensions_as_they_ask_for() -> None:
    """Of 100 clients 60 gradients each would be followed; five rounds ask for five."""
    sizes = []

    def noted(x: Any, clients: Any, settings: Any, random: Any) -> Any:
        sizes.append(len(x))
        return clients_alone(x, clients, settings, random)

    method = read_method(
        adopt(Algorithm(round=noted, settings={"step": REQUIRED})), 100, {"rounds": 5, "step": 1}
    )
    assert method.is_alike
    assert len(method.asked) == 5
    assert max(sizes) <= 100 * 5 + 10
