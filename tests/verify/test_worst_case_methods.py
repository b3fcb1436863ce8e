"""Worst cases of an author's own linear method, whose points are read from runs of its code."""

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import count
from re import search
from typing import Any

import numpy as np
import pytest
from strangers import enter, paper, state
from sympy import Expr

from bounds import discovery
from bounds.language.assumptions import CONVEX_CLIENTS, LIPSCHITZ_CLIENTS, SMOOTH_CLIENTS, STRONGLY_CONVEX
from bounds.language.condition import at_most
from bounds.language.dimension import F, X
from bounds.language.part import at_start, constant, lower_constant, setting
from bounds.language.quantity import NON_NEGATIVE, POSITIVE, Notation, Over, States
from bounds.language.statement import Statement, Term
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from verify.worst_case.answer import Answer, reread_answer, worst
from verify.worst_case.document import SCHEMA
from verify.worst_case.errors import BadSetting, NotAWorstCase, NoWorstCase
from verify.worst_case.instance_run import measured
from verify.worst_case.methods.linear import LinearMethod, Place, Question, read_method
from verify.worst_case.methods.setting import MethodSetting
from verify.worst_case.setting import DISTANCE, Setting
from verify.worst_case.solver import solve
from verify.worst_case.worst import solved_program, worst_case

pytest.importorskip("clarabel", reason="worst cases are solved with clarabel, of the extra tight")

ONE, HALF = Fraction(1), Fraction(1, 2)
CLOSE = 1e-6


def descent(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - settings.step * clients.gradient(x)


def nesterov(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    x = state["y"] - settings.step * clients.gradient(state["y"])
    return {"x": x, "y": x + state["k"] / (state["k"] + 3) * (x - state["x"]), "k": state["k"] + 1}


def local_steps(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    own = np.tile(x, (len(clients), 1))
    for _ in range(settings.local_steps):
        own = own - settings.step * clients.gradients(own)
    return own.mean(axis=0)


def adopted(round_: Callable[..., Any], **more: Any) -> str:
    return adopt(Algorithm(round=round_, **({"settings": {"step": REQUIRED}} | more)))


def nesterov_of_a_package() -> str:
    return adopted(nesterov, begin=lambda x0, clients, settings: {"x": x0, "y": x0, "k": 0})


def ask(name: str, **given: Any) -> Answer:
    more = {key: given.pop(key) for key in ("observable", "convex") if key in given}
    return worst(name, {key: Fraction(value) for key, value in given.items()}, **more)


def ends(answer: Answer) -> tuple[float, float]:
    assert answer.found is not None, answer.sentence
    assert answer.found.lower is not None
    assert answer.found.lower <= answer.found.upper
    return float(answer.found.lower), float(answer.found.upper)


@pytest.mark.parametrize(
    ("name", "given", "known"),
    [
        (adopted(descent), {"rounds": 4, "step": 1, "L": 1, "D0": 1}, 1 / 18),
        (adopted(descent), {"rounds": 4, "step": Fraction(1, 3), "L": 3, "D0": 2}, 12 / 18),
        (nesterov_of_a_package(), {"rounds": 5, "step": 1, "L": 1, "D0": 1}, 2 / (25 + 25 + 6)),
        (adopted(descent), {"rounds": 3, "step": 1, "L": 1, "D0": 1, "n": 3}, 1 / 14),
        (
            adopted(descent),
            {"rounds": 3, "step": 1, "L": 1, "mu": Fraction(1, 10), "D0": 1, "observable": DISTANCE},
            0.9**6,
        ),
        (
            adopted(descent),
            {"rounds": 3, "step": 1, "L": 1, "f0_gap": 1, "convex": False}
            | {"observable": "min_squared_gradient_norm"},
            4 / 11,
        ),
        (
            adopted(descent),
            {"rounds": 3, "step": 1, "L": 1, "f0_gap": 1, "convex": False, "n": 2}
            | {"observable": "min_squared_gradient_norm"},
            4 / 11,
        ),
        (adopted(descent), {"rounds": 3, "step": HALF, "G": 1, "D0": 1, "observable": "min_gap"}, 1 / 2),
    ],
)
def test_known_worst_cases(name: str, given: dict[str, Any], known: float) -> None:
    answer = ask(name, **given)
    lower, upper = ends(answer)
    assert (lower, upper) == (pytest.approx(known, rel=CLOSE), pytest.approx(known, rel=CLOSE))
    assert answer.found is not None
    assert answer.found.lower is not None
    assert measured(answer.found.setting, answer.found.attained).confirms(
        answer.found.setting, answer.found.lower
    )


def tell_apart(method: LinearMethod, n: int) -> LinearMethod:
    """The same method with a question to each client, and means written out."""

    def place(at: Place, client: int) -> Place:
        found = {q * n + i: times / n for q, times in at.of_mean.items() for i in range(n)}
        for q, times in at.own.items():
            found[q * n + client] = found.get(q * n + client, Fraction(0)) + times
        return Place(found, {})

    every = [Question(client=i, at=place(question.at, i)) for question in method.asked for i in range(n)]
    return LinearMethod(asked=tuple(every), iterates=tuple(place(at, 0) for at in method.iterates))


def variates(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    """SCAFFOLD with two local steps."""
    x, controls = state["x"], state["controls"]
    own = np.tile(x, (len(clients), 1))
    for _ in range(2):
        own = own - settings.step * (clients.gradients(own) - controls + controls.mean(axis=0))
    new = controls - controls.mean(axis=0) + (x - own) / (2 * settings.step)
    return {"x": own.mean(axis=0), "controls": new}


def start_variates(x0: Any, clients: Any, settings: Any) -> Any:
    return {"x": x0, "controls": np.zeros((len(clients), len(x0)))}


@pytest.mark.parametrize(
    ("of_class", "observable"),
    [
        ({"L": 1, "D0": 1, "zeta_star": Fraction(2, 3)}, "gap"),
        ({"L": 2, "mu": Fraction(1, 3), "f0_gap": 1, "zeta_star": 1}, DISTANCE),
        ({"G": 1, "D0": 1}, "mean_gap"),
        ({"L": 1, "f0_gap": 1, "convex": False}, "min_squared_gradient_norm"),
    ],
)
@pytest.mark.parametrize("n", [2, 3])
def test_one_client_stands_for_all_that_play_the_same_part(
    n: int, of_class: dict[str, Any], observable: str
) -> None:
    """The program of one client among several, and that in which every client has vectors of its own."""
    # variates need a limit on heterogeneity, and without convexity no x* is assumed
    name = adopted(descent) if "convex" in of_class else adopted(variates, begin=start_variates)
    found = ask(name, n=n, rounds=2, step=Fraction(1, 4), observable=observable, **of_class).found
    assert found is not None
    assert isinstance(found.setting, MethodSetting)
    assert found.setting.method.is_alike
    apart = replace(found.setting, method=tell_apart(found.setting.method, n))
    value = solve(solved_program(apart)).value * float(apart.unit)  # a certificate of it may lie higher
    assert value == pytest.approx(float(found.upper), rel=CLOSE)
    assert found.lower is not None
    assert measured(found.setting, found.attained).confirms(found.setting, found.lower)


@pytest.mark.parametrize("n", [2, 10])
def test_local_steps_are_federated_averaging(n: int) -> None:
    name = adopted(local_steps, settings={"step": REQUIRED, "local_steps": 2})
    ours = Setting(
        clients=n, local_steps=2, rounds=2, local_step=HALF, L=ONE, D0=ONE, zeta_star=Fraction(2, 3)
    )
    given = {"n": n, "rounds": 2, "step": HALF, "L": 1, "D0": 1, "zeta_star": Fraction(2, 3)}
    assert ends(ask(name, **given))[1] == pytest.approx(
        float(worst_case(ours, with_instance=False).upper), rel=CLOSE
    )


def test_points_are_read_from_the_code() -> None:
    """Two rounds of steps 1/4 for two clients, alternating, worked out by hand."""

    def alternating(state: Any, clients: Any, settings: Any, random: Any) -> Any:
        client = clients[state["k"] % 2]
        return {"x": state["x"] - 0.25 * client.gradient(state["x"]), "k": state["k"] + 1}

    name = adopted(alternating, settings={}, begin=lambda x0, clients, settings: {"x": x0, "k": 0})
    quarter = Fraction(-1, 4)
    found = read_method(name, 2, {"rounds": 2})
    assert [question.client for question in found.asked] == [0, 1]
    assert [question.at.own for question in found.asked] == [{}, {0: quarter}]
    assert [at.own for at in found.iterates] == [{}, {0: quarter}, {0: quarter, 1: quarter}]


def test_numpy_torch_and_batches_are_one_method() -> None:
    def of_a_batch(x: Any, clients: Any, settings: Any, random: Any) -> Any:
        return x - settings.step * clients.gradients(x).mean(axis=1)

    def in_torch(x: Any, clients: Any, settings: Any, random: Any) -> Any:
        return x - settings.step * sum(client.gradient(x) for client in clients) / len(clients)

    def read(name: str) -> LinearMethod:
        return read_method(name, 2, {"rounds": 3, "step": 0.1})

    plain = read(adopted(descent))
    assert plain.iterates[1] == Place({}, {0: Fraction(-1, 10)})
    assert plain == read(adopted(of_a_batch, batched=True)) == read(adopted(in_torch, library="torch"))


def clipped(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    gradient = clients.gradient(x)
    return x - gradient * min(1, 1000 / np.linalg.norm(gradient))


def signed(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - np.sign(clients.gradient(x))


def restarted(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    gradient = clients.gradient(state["x"])
    speed = 0.5 * state["speed"] * (gradient @ state["speed"] <= 0) - gradient
    return {"x": state["x"] + speed, "speed": speed}


def shrinking(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return 0.9 * x - clients.gradient(x)


def shifted(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - clients.gradient(x) + 1


def shifted_in_one_coordinate(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - clients.gradient(x) + (np.arange(len(x)) == len(x) - 1)


def along_values(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - clients.value(x) * clients.gradient(x)


def drawing(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - random.random() * clients.gradient(x)


def long(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    for _ in range(21):
        x = x - 0.1 * clients.gradient(x)
    return x


@pytest.mark.parametrize(
    ("round_", "why"),
    [
        (clipped, "lengths, angles or dimension"),
        (signed, "lengths, angles or dimension"),
        (restarted, "lengths, angles or dimension"),
        (shrinking, "where the origin is"),
        (shifted, "where the origin is"),
        (shifted_in_one_coordinate, "where the origin is"),
        (along_values, "asks for values"),
        (drawing, "draws random numbers"),
        (long, "more than 60 gradients of a client"),
    ],
)
def test_what_is_no_linear_method_is_refused(round_: Callable[..., Any], why: str) -> None:
    begin = None
    if round_ is restarted:

        def begin(x0: Any, clients: Any, settings: Any) -> Any:
            return {"x": x0, "speed": 0 * x0}

    name = adopted(round_, settings={}, begin=begin)
    with pytest.raises(NoWorstCase, match=why):
        read_method(name, 1, {"rounds": 3})


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"step": 1, "L": 1, "D0": 1}, "needed rounds"),
        ({"rounds": HALF, "step": 1, "L": 1, "D0": 1}, "rounds"),
        ({"rounds": 2, "stepp": 1, "L": 1, "D0": 1}, "did you mean step"),
        ({"rounds": 2, "step": 1, "L": 1, "mu": 1, "D0": 1}, "mu must be below L"),
        (
            {"rounds": 2, "step": 1, "L": 1, "D0": 1, "observable": "squared_distance_to_central"},
            "no observable",
        ),
        ({"rounds": 0, "step": 1, "L": 1, "D0": 1, "observable": "mean_gap"}, "there is none"),
    ],
)
def test_bad_settings_are_refused(given: dict[str, Any], why: str) -> None:
    with pytest.raises(BadSetting, match=why):
        ask(adopted(descent), **given)


def test_a_worst_case_that_nothing_limits_has_no_certificate() -> None:
    name = adopted(local_steps, settings={"step": REQUIRED, "local_steps": 2})
    assert "zeta_star" in ask(name, n=2, rounds=2, step=HALF, L=1, D0=1).sentence


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
        (claim(TRUE, early), POINT | {"K": 5}, "not one of the observables"),
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
    given = {"K": Fraction(2), "eta": ONE, "L": ONE, "D": ONE}
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
