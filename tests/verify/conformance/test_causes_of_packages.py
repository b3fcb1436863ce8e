"""Causes beside an algorithm of a package: exchanged settings, draws, and no cause that fits by chance."""

import numpy as np

from fedbounds import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from verify import conform


def begin(x, clients, settings):
    return {"x": x, "mean": 0 * x, "square": 0 * x, "k": 0}


def adam(state, clients, s, random):
    """Adam on the mean function, with bias correction."""
    k, g = state["k"] + 1, clients.gradient(state["x"])
    mean = s.beta_1 * state["mean"] + (1 - s.beta_1) * g
    square = s.beta_2 * state["square"] + (1 - s.beta_2) * g**2
    size = np.sqrt(square / (1 - s.beta_2**k)) + s.adaptivity
    x = state["x"] - s.step * mean / (1 - s.beta_1**k) / size
    return {"x": x, "mean": mean, "square": square, "k": k}


SETTINGS = {"step": REQUIRED, "beta_1": 0.9, "beta_2": 0.99, "adaptivity": 0.01}
ADAM = Algorithm(round=adam, begin=begin, settings=SETTINGS)


def written(clients, start, s, seed, betas=None, corrected=True, draws=False):
    """The same as a whole run, with planted slips."""
    random, (first, second) = np.random.default_rng(seed), betas or (s.beta_1, s.beta_2)
    x, mean, square, states = start, 0 * start, 0 * start, [start]
    for k in range(1, s.rounds + 1):
        chosen = random.integers(len(clients), size=len(clients)) if draws else range(len(clients))
        g = sum(clients[i].gradient(x) for i in chosen) / len(clients)
        mean, square = first * mean + (1 - first) * g, second * square + (1 - second) * g**2
        by = (1 - first**k, 1 - second**k) if corrected else (1.0, 1.0)
        x = x - s.step * mean / by[0] / (np.sqrt(square / by[1]) + s.adaptivity)
        states.append(x)
    return states


def exchanged(clients, start, settings, seed):
    return written(clients, start, settings, seed, betas=(settings.beta_2, settings.beta_1))


def drawing(clients, start, settings, seed):
    return written(clients, start, settings, seed, draws=True)


def uncorrected(clients, start, settings, seed):
    return written(clients, start, settings, seed, corrected=False)


def causes(code):
    found = conform(code, like=adopt(ADAM), settings={"step": 0.1})
    return [line.observation.cause for line in found.differing]


def test_the_same_algorithm_has_no_difference():
    assert causes(written) == []


def test_two_settings_that_are_exchanged_are_the_cause():
    assert "the states are those of the reference with beta_1 and beta_2 exchanged" in causes(exchanged)


def test_draws_where_the_reference_has_none_are_the_cause():
    assert "the code draws random numbers where the reference draws none" in causes(drawing)


def test_a_formula_that_fits_at_one_value_alone_is_no_cause():
    """Without corrections the first round has ten times the constant, by chance its root or over the step."""
    found = causes(uncorrected)
    assert found
    assert not any("adaptivity" in (cause or "") for cause in found)
