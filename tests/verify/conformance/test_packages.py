"""Code beside an algorithm of a package: its own round is the reference."""

from functools import partial

import numpy as np
import pytest

from fedbounds import REQUIRED, Algorithm
from synthetic.errors import BadValue
from synthetic.outside.algorithms import adopt
from verify import conform
from verify.conformance.listing import Part


def begin(x0, clients, settings):
    return {"x": x0, "server": np.zeros_like(x0), "controls": np.zeros((len(clients), clients.dimension))}


def scaffold(state, clients, settings, random):
    x, server, controls = state["x"], state["server"], state["controls"]
    local = np.tile(x, (len(clients), 1))
    for _ in range(settings.local_steps):
        local = local - settings.local_step * (clients.gradients(local) - controls + server)
    new = controls - server + (x - local) / (settings.local_steps * settings.local_step)
    return {
        "x": x + settings.server_step * (local - x).mean(axis=0),
        "server": server + (new - controls).mean(axis=0),
        "controls": new,
    }


def one_by_one(clients, start, settings, seed, kept=1.0, server=1.0):
    """The same, client by client, as a whole run; kept, server: planted factors."""
    x, c, own, states = start, 0 * start, [0 * start] * len(clients), [start]
    for _ in range(settings.rounds):
        models, fresh = [], []
        for i, client in enumerate(clients):
            y = x
            for _ in range(settings.local_steps):
                y = y - settings.local_step * (client.gradient(y) - own[i] + c)
            models.append(y)
            fresh.append(own[i] - c + (x - y) / (settings.local_steps * settings.local_step))
        x = x + settings.server_step**server * (sum(models) / len(models) - x)
        c = c + kept * sum(a - b for a, b in zip(fresh, own, strict=True)) / len(own)
        own = fresh
        states.append(x)
    return states


def forgets(clients, start, settings, seed):
    return one_by_one(clients, start, settings, seed, kept=0.5)


def squares_the_server_step(clients, start, settings, seed):
    return one_by_one(clients, start, settings, seed, server=2.0)


SCAFFOLD = Algorithm(
    round=scaffold,
    begin=begin,
    settings={"local_step": REQUIRED, "local_steps": 3, "server_step": 1.0, "name": "plain"},
)
GIVEN = {"local_step": 0.1}


def parts(found):
    return {line.line.locator.rpartition(".")[2] for line in found.differing}


def test_another_form_of_the_same_algorithm_agrees():
    found = conform(one_by_one, like=adopt(SCAFFOLD), settings=GIVEN)
    assert found.agrees
    seen = [line.line.part for line in found.lines]
    about = [Part.ROUND, Part.LATER_ROUNDS, Part.LENGTHS, Part.CURVATURES, Part.CLIENTS, Part.DIMENSION]
    assert seen == [*about, Part.DIGITS, *[Part.SETTING] * 4, Part.SETTINGS]


def test_what_a_round_keeps_differs_in_later_rounds():
    assert "first_round" not in parts(conform(forgets, like=adopt(SCAFFOLD), settings=GIVEN))
    assert "later_rounds" in parts(conform(forgets, like=adopt(SCAFFOLD), settings=GIVEN))


def test_the_effect_of_a_setting_differs_where_one_value_hides_it():
    """At server_step = 1 its square is the same: only another value shows it."""
    found = conform(squares_the_server_step, like=adopt(SCAFFOLD), settings=GIVEN)
    assert parts(found) == {"server_step"}


def clipping(x, clients, settings, random, threshold=None):
    g = clients.gradient(x)
    bound = settings.threshold if threshold is None else threshold
    return x - settings.step * g * min(1.0, bound / max(np.linalg.norm(g), 1e-300))


CLIPPING = Algorithm(round=clipping, settings={"step": 0.1, "threshold": 2.0})


@pytest.mark.parametrize(("threshold", "cause"), [(None, None), (1e300, "threshold = unlimited")])
def test_a_threshold_that_is_not_applied_is_named_though_it_is_given_as_a_whole_number(threshold, cause):
    code = partial(clipping, threshold=threshold)
    found = conform(code, like=adopt(CLIPPING), settings={"threshold": 1})
    causes = {line.observation.cause for line in found.differing}
    assert causes == (set() if cause is None else {f"the states are those of the reference with {cause}"})


def noisy(x, clients, settings, random):
    return x - settings.step * (clients.gradient(x) + settings.noise * random.standard_normal(len(x)))


def noise_first(clients, start, settings, seed, size=1.0):
    random, states = np.random.default_rng(seed), [start]
    noise = size * settings.noise * random.normal(size=(settings.rounds, len(start)))
    for row in noise:
        states.append(states[-1] - settings.step * (clients.gradient(states[-1]) + row))
    return states


def more_noise(clients, start, settings, seed):
    return noise_first(clients, start, settings, seed, size=1.3)


def same_noise(clients, start, settings, seed):
    row = settings.noise * np.random.default_rng(seed).normal(size=len(start))
    states = [start]
    for _ in range(settings.rounds):
        states.append(states[-1] - settings.step * (clients.gradient(states[-1]) + row))
    return states


def one_draw(clients, start, settings, seed):
    """Two coordinates share their noise: each of them alone has the right law."""
    random, states = np.random.default_rng(seed), [start]
    for _ in range(settings.rounds):
        row = settings.noise * random.normal(size=len(start))
        row[1] = row[0]
        states.append(states[-1] - settings.step * (clients.gradient(states[-1]) + row))
    return states


NOISY = Algorithm(round=noisy, settings={"step": 0.2, "noise": 1.0})


@pytest.mark.slow("a thousand runs of each")
@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        (noise_first, set()),
        (more_noise, {"first_round"}),
        (same_noise, {"later_rounds"}),
        (one_draw, {"first_round"}),
    ],
)
def test_random_code_is_compared_in_law(code, wrong):
    assert parts(conform(code, like=adopt(NOISY))) == wrong


@pytest.mark.parametrize(
    ("like", "settings", "words"),
    [
        (SCAFFOLD, {}, "found no --set, needed local_step; add --set local_step=..."),
        (SCAFFOLD, {**GIVEN, "lr": 1.0}, "no such setting"),
        ("dp_fedavg", GIVEN, "leave them out"),
    ],
)
def test_misuse_of_settings_is_refused(like, settings, words):
    name = like if isinstance(like, str) else adopt(like)
    with pytest.raises(BadValue, match=words):
        conform(one_by_one, like=name, settings=settings)
