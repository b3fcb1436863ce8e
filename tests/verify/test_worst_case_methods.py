"""Worst cases of an author's own linear method, whose points are read from runs of its code."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from linear_methods import adopted, ask, descent, ends, local_steps, nesterov_of_a_package

from synthetic.outside.algorithm import REQUIRED
from verify.worst_case.errors import BadSetting, NoWorstCase
from verify.worst_case.instance_run import measured
from verify.worst_case.methods.linear import LinearMethod, Place, Question, read_method
from verify.worst_case.methods.setting import MethodSetting
from verify.worst_case.setting import DISTANCE, Setting
from verify.worst_case.solver import solve
from verify.worst_case.worst import solved_program, worst_case

pytest.importorskip("clarabel", reason="worst cases are solved with clarabel, of the extra tight")

ONE, HALF = Fraction(1), Fraction(1, 2)
CLOSE = 1e-6


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
