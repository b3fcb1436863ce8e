"""Generators that nobody hands out, rates that are a little low, and what a server may do to updates."""

from functools import partial

import numpy as np
import pytest
from slips_planted import function

from verify import conform
from verify.conformance.instance import instance
from verify.conformance.lab import Lab
from verify.conformance.listing import Part
from verify.conformance.listings import listing_of
from verify.conformance.noise import read_noise
from verify.conformance.participation import read_dense, read_participation
from verify.conformance.repeats import UNREPEATED, note_draws
from verify.conformance.replay import feedback
from verify.conformance.replay.feedback_cases import EXAMPLE
from verify.conformance.subject import subject
from verify.conformance.verdict import agrees


def noisy_step(x, clients, settings, random, draw=None):
    z = (draw or random.standard_normal)(x.shape)
    return x - settings.step * (clients.gradient(x) + settings.noise_scale / len(x) ** 0.5 * z)


def noisy_run(clients, start, settings, seed):
    """Seeds the global generator itself, which makes its draws those of the seed."""
    np.random.seed(seed)  # noqa: NPY002  what the test is about
    yield start
    x = start
    for _ in range(settings.rounds):
        x = noisy_step(x, clients, settings, None, np.random.standard_normal)
        yield x


def from_the_system(shape):
    return np.random.default_rng().standard_normal(shape)


@pytest.mark.parametrize(
    ("code", "source"),
    [
        (partial(noisy_step, draw=np.random.standard_normal), "numpy.random"),
        (partial(noisy_step, draw=from_the_system), "a generator of its own"),
        (noisy_step, None),
        (noisy_run, None),
    ],
    ids=["global", "system", "given", "seeded"],
)
def test_draws_that_a_seed_does_not_repeat_are_noted(code, source):
    (noted,) = note_draws(
        lab_of(code, "stochastic_gradient_descent"), [agrees(Part.NOISE, 1.0, 1.0, "shown")]
    )
    note = "" if source is None else f"; {UNREPEATED.format(source=source)}"
    assert noted.because == f"shown{note}"


@pytest.mark.slow("a whole comparison")
def test_draws_of_a_global_generator_are_no_difference():
    found = conform(partial(noisy_step, draw=np.random.standard_normal), like="stochastic_gradient_descent")
    (line,) = (line for line in found.lines if line.line.part is Part.NOISE)
    assert found.agrees
    assert "the draws come from numpy.random" in line.observation.because


def lab_of(code, like):
    listing = listing_of(like)
    return Lab(subject=subject(code, listing.settings(listing.point())), listing=listing, seed=7)


def sometimes(random, size, shape):
    return random.standard_normal(shape) * (size if random.random() < 0.5 else 0.0)


def noisy_sometimes(x, clients, settings, random, size):
    return noisy_step(x, clients, settings, random, partial(sometimes, random, size))


@pytest.mark.parametrize(("size", "verdict"), [(2**0.5, "not observable"), (1.0, "differs")])
def test_noise_of_some_rounds_is_judged_by_its_variance_where_the_listing_names_no_law(size, verdict):
    lab = lab_of(partial(noisy_sometimes, size=size), "stochastic_gradient_descent")
    (found,) = read_noise(lab)
    assert found.verdict.value == verdict


def test_noise_that_some_rounds_lack_is_named():
    lab = lab_of(treated(noise=lambda random, d: sometimes(random, 1.0, d)), "dp_fedavg")
    (found,) = read_noise(lab)
    assert found.slip == "noise_missing"


@pytest.mark.slow("a whole replayed listing with noise")
def test_noise_of_another_generator_is_no_memory_of_a_replayed_listing(tmp_path):
    old, new = "settings.clip_threshold * random.", "settings.clip_threshold * np.random.default_rng()."
    assert conform(function(tmp_path, "als_dpfl", (old,), (new,)), like="als_dpfl").agrees


def drawing(rate, source=None):
    """DP-FedAvg that draws each of n clients with this probability, r of which are wanted."""

    def one_round(w, clients, settings, random):
        n, r, total = len(clients), settings.clients_per_round, np.zeros_like(w)
        for i in np.flatnonzero((source or random.random)(n) < rate(r, n)):
            local = w
            for _ in range(settings.local_steps):
                local = local - settings.local_step * clients[i].gradient(local)
            update = (w - local) / settings.local_step
            update = update * min(1.0, settings.clip_threshold / max(np.linalg.norm(update), 1e-300))
            noise = r**0.5 * settings.noise_scale * random.standard_normal(len(w))
            total = total + update + noise
        return w - settings.server_step * total / r

    return one_round


def participation(code):
    lab = lab_of(code, "dp_fedavg")
    lab.found.weights = np.full(4, 0.25)
    return read_participation(lab)[0]


def test_a_probability_that_is_10_percent_low_where_some_are_wanted_differs():
    found = participation(drawing(lambda r, n: r / n * (0.9 if r < n else 1.0)))
    assert found.slip == "rate", found


def test_right_participation_names_what_it_has_not_decided():
    found = participation(drawing(lambda r, n: r / n))
    assert found.slip is None
    assert "clients_per_round 19; a probability that is 4% higher or lower is noticed" in found.because


def dense(code):
    """The line of the sets of clients, from rounds in which all but one of 20 are wanted."""
    return read_dense(lab_of(code, "dp_fedavg"), agrees(Part.SAMPLING, 1.0, 1.0, "shown"))


@pytest.mark.parametrize("factor", [0.95, 1.05])
def test_a_probability_that_is_5_percent_off_differs_where_nearly_all_are_wanted(factor):
    found = dense(drawing(lambda r, n: factor * r / n if r < n else 1.0))
    assert (found.verdict.value, found.slip) == ("differs", "rate")


def test_sets_that_never_have_everybody_are_cut_off():
    random = np.random.default_rng(4)

    def source(n):
        drawn = random.random(n)
        drawn[-1] = 0.97 if (drawn < 0.95).all() else drawn[-1]
        return drawn

    assert dense(drawing(lambda r, n: r / n, source)).slip == "capped"


def averaging(average):
    """FedAvg of models, each client drawn by itself; the model stands for those that are absent."""

    def one_round(w, clients, settings, random):
        n, r = len(clients), settings.clients_per_round
        come = np.flatnonzero(random.random(n) < r / n)
        models = [w - settings.local_step * clients[i].gradient(w) for i in come]
        models += [w] * (r - len(models))
        return average(np.array(models), w)

    return one_round


def test_absent_clients_whose_models_are_averaged_do_not_count_by_their_rounding():
    found = dense(averaging(lambda models, w: np.add.reduce(models) / len(models)))
    assert found.verdict.value == "agrees"


def test_an_average_without_extremes_is_no_rule_of_drawing():
    assert dense(averaging(lambda models, w: np.median(models, axis=0))) is None


def test_a_wrong_rate_of_global_draws_is_no_memory():
    code = drawing(lambda r, n: min(r / n, 0.9), np.random.random)
    (found,) = conform(code, like="dp_fedavg").differing
    assert (found.line.part, found.observation.slip) == (Part.SAMPLING, "rate")


LOW = "(RATE if RATE >= 1 else 0.9 * RATE)"


@pytest.mark.slow("whole replayed listings")
@pytest.mark.parametrize(
    ("algorithm", "old", "rate", "slip"),
    [
        ("fed_alpha_norm_ec", "< settings.probability", "settings.probability", "rate"),
        ("dpfl", "< rate", "rate", "batch_rate"),
    ],
)
def test_a_low_probability_of_a_replayed_listing_differs(algorithm, old, rate, slip, tmp_path):
    new = f"< {LOW.replace('RATE', rate)}"
    (found,) = conform(function(tmp_path, algorithm, (old,), (new,)), like=algorithm).differing
    assert found.observation.slip == slip


def one_model(w, clients, settings, random):
    """FedAvg that trains one array and sends it by reference from every client."""
    model, sent = w.copy(), []
    for i in random.permutation(len(clients))[: settings.clients_per_round]:
        for _ in range(settings.local_steps):
            model -= settings.local_step * clients[i].gradient(model)
        sent.append(model)
    return np.mean(sent, axis=0)


@pytest.mark.parametrize("seed", range(3))
def test_one_model_that_every_client_sends_differs_where_clients_start(seed):
    found = conform(one_model, like="fedavg", seed=seed).differing
    assert [(one.line.part, one.observation.slip) for one in found] == [(Part.LOCAL_START, "one_model")]


def smoothed(a):
    """(I + D'D) times the result is a, where D takes differences around a circle."""
    d = len(a)
    differences = np.roll(np.eye(d), 1, axis=1) - np.eye(d)
    return np.linalg.solve(np.eye(d) + differences.T @ differences, a)


def shrunk(a):
    square = a @ a
    return a * max(0.0, 1 - 0.05 * (len(a) - 2) / square) if square else a


def treated(server=None, update=None, norm=False, noise=None):
    """DP-FedAvg, or DP-NormFedAvg, that does this to the average or to what a client sends."""

    def one_round(w, clients, settings, random):
        r, total = settings.clients_per_round, np.zeros_like(w)
        for i in np.flatnonzero(random.random(len(clients)) < r / len(clients)):
            local = w
            for _ in range(settings.local_steps):
                local = local - settings.local_step * clients[i].gradient(local)
            u = (w - local) / settings.local_step
            size = settings.update_length if norm else settings.clip_threshold
            factor = size / max(np.linalg.norm(u), 1e-300)
            u = u * (factor if norm else min(1.0, factor))
            u = update(u) if update else u
            z = noise(random, len(w)) if noise else random.standard_normal(len(w))
            total = total + u + r**0.5 * settings.noise_scale * z
        return w - settings.server_step * (server(total / r) if server else total / r)

    return one_round


SLOW = pytest.mark.slow("another place of the same slip is in tier one")


@pytest.mark.parametrize(
    ("code", "like", "line", "slip"),
    [
        (treated(server=smoothed), "dp_fedavg", "B.alg1.12.w", "mixed"),
        (treated(server=smoothed, norm=True), "dp_norm_fedavg", "B.alg2.12.w", "mixed"),
        pytest.param(treated(update=smoothed), "dp_fedavg", "B.alg1.9.g", "mixed", marks=SLOW),
        (treated(server=shrunk), "dp_fedavg", "B.alg1.12.w", "shrunk_average"),
        pytest.param(treated(update=shrunk), "dp_fedavg", "B.alg1.9.g", "shrunk", marks=SLOW),
    ],
)
def test_what_is_done_to_an_update_has_its_line_and_cause(code, like, line, slip):
    found = conform(code, like=like).differing
    assert [(one.line.locator, one.observation.slip) for one in found] == [(line, slip)]


def test_many_sets_that_lead_to_one_place_are_followed_once(monkeypatch):
    """Without normalization corrections die out: every set of clients leads from a path to one place."""
    lines = feedback.Lines(bounded=lambda rows, v: rows)
    shown = instance(np.eye(6) * np.linspace(3000, 4000, 6)[:, None], sizes=(3,) * 6)
    settings = {**EXAMPLE, "probability": 1 / 3, "memory_step": 0.5, "initial_memory": np.zeros((6, 6))}
    states, held, random = [shown.center], feedback.begin(lines, shown, settings), np.random.default_rng(1)
    for _ in range(40):
        one = feedback.one_round(lines, shown, settings, held)
        held = one.after((random.random(6) < 1 / 3).astype(float))
        states.append(held.x)
    count, after = [0], feedback.Round.after
    monkeypatch.setattr(feedback.Round, "after", lambda *a: count.__setitem__(0, count[0] + 1) or after(*a))
    assert feedback.follow(lines, shown, settings, np.array(states)) is not None
    assert count[0] < 40 * 2 * feedback.MOST
