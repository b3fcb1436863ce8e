"""Slips that a sixth trial showed: sums of other gradients, norms compared with others, and shared draws."""

from functools import partial

import numpy as np
import pytest

from verify import conform
from verify.conformance.average import read_average
from verify.conformance.dependence import name_sign
from verify.conformance.lab import Lab
from verify.conformance.listing import Part
from verify.conformance.listings import listing_of
from verify.conformance.local_steps import read_local_steps
from verify.conformance.noise_law import Noise, uniform
from verify.conformance.regimes import read_regimes
from verify.conformance.replay.noisy_laws import _read_pair
from verify.conformance.rounds import read_rounds
from verify.conformance.subject import subject
from verify.conformance.update import read_update


def lab_of(code, like):
    listing = listing_of(like)
    example = listing.settings(listing.point())
    return Lab(subject=subject(code, example), listing=listing, seed=1)


def gradients_sent(x, clients, settings, random, kind):
    """One client that sends a sum of gradients, of clients that all take part; each kind is another sum."""
    y, held, total = x, 0 * x, 0 * x
    for _ in range(settings.local_steps):
        g = clients[0].gradient(y)
        held = held + g if kind == "held" else 0.6 * held + g if kind == "momentum" else g
        way = held if kind in ("held", "momentum") else g + 0.2 * y if kind == "decay" else g
        total = total + g
        y = y - settings.local_step * way
        if kind == "after":
            total = total - g + clients[0].gradient(y)
    return x - settings.server_step * settings.update_length * total / np.linalg.norm(total)


@pytest.mark.parametrize(
    ("kind", "slip"),
    [
        ("after", "local_ahead"),
        ("held", "local_accumulated"),
        ("momentum", "local_momentum"),
        ("decay", "weight_decay"),
    ],
)
def test_a_sum_of_gradients_on_another_way_has_its_cause(kind, slip):
    found, _ = read_local_steps(lab_of(partial(gradients_sent, kind=kind), "dp_norm_fedavg"))
    assert [(one.part, one.slip) for one in found] == [(Part.LOCAL_STEP, slip)]


def test_the_sum_of_the_gradients_on_the_way_is_the_update():
    found, _ = read_local_steps(lab_of(partial(gradients_sent, kind=""), "dp_norm_fedavg"))
    assert {one.verdict for one in found} == {"agrees"}


def clipped(x, clients, settings, random, is_long):
    """The update of one client, of length C where this says that it is long."""
    y = x
    for _ in range(settings.local_steps):
        y = y - settings.local_step * clients[0].gradient(y)
    u = (x - y) / settings.local_step
    size = np.linalg.norm(u)
    return x - settings.server_step * (u * settings.clip_threshold / size if is_long(size, settings) else u)


@pytest.mark.parametrize(
    ("is_long", "slip"),
    [
        (lambda size, s: size > 1, "compared_with_one"),
        (lambda size, s: size * s.local_step > s.clip_threshold, "models_compared"),
        (lambda size, s: size**2 > s.clip_threshold, "square_compared"),
        (lambda size, s: size > s.local_steps * s.clip_threshold, "gradient_compared"),
        (lambda size, s: size > 1.5 * s.clip_threshold, "switched"),
    ],
)
def test_a_threshold_that_another_number_is_compared_with_has_its_cause(is_long, slip):
    lab = lab_of(partial(clipped, is_long=is_long), "dp_fedavg")
    _, fits = read_local_steps(lab)
    found = [one for one in read_update(lab, fits) if one.verdict == "differs"]
    assert [(one.part, one.slip) for one in found] == [(Part.BOUNDING, slip)]


def clipped_by(x, clients, settings, random, least=0.0, added=0.0):
    y = x
    for _ in range(settings.local_steps):
        y = y - settings.local_step * clients[0].gradient(y)
    u = (x - y) / settings.local_step
    size = max(np.linalg.norm(u), least) + added
    return x - settings.server_step * u * min(1.0, settings.clip_threshold / size if size else 1.0)


def test_a_norm_that_counts_as_a_constant_at_least_is_seen_at_a_small_threshold(monkeypatch):
    lab = lab_of(partial(clipped_by, least=0.05), "dp_fedavg")
    (found,) = read_regimes(lab, [])
    assert (found.part, found.slip) == (Part.BOUNDING, "least_norm")
    assert "counts as 0.05 at least" in found.cause
    monkeypatch.setattr("verify.conformance.regimes._read_many", lambda lab: [])  # of several clients
    assert read_regimes(lab_of(partial(clipped_by, added=1e-12), "dp_fedavg"), []) == []


def drawn_noise(draw):
    return Noise(values={}, moves=draw(np.random.default_rng(3)), expected=1.0)


def correlated(random):
    """A common part whose mean is 4 standard errors from 0, and 40 times as many if coordinates counted."""
    common = random.standard_normal((240, 1))
    return random.standard_normal((240, 40)) * 0.1**0.5 + (common - common.mean() + 0.25) * 0.9**0.5


@pytest.mark.parametrize(
    ("draw", "slip"),
    [
        (lambda random: random.standard_normal((240, 40)), None),
        (correlated, "noise_shared"),
        (lambda random: random.standard_normal((240, 40)) + 0.3, "noise_mean"),
        (lambda random: random.exponential(size=(240, 40)) - 1, "noise_skewed"),
    ],
    ids=["right", "correlated", "shifted", "skewed"],
)
def test_noise_that_leans_to_one_side_has_a_mean_or_depends_or_is_skewed(draw, slip):
    found = name_sign([drawn_noise(draw)])
    assert getattr(found, "name", found) == slip


@pytest.mark.parametrize("seed", range(5))
def test_batches_of_two_clients_from_one_random_number_differ(seed):
    random = np.random.default_rng(seed)
    common = random.random((500, 7))
    one, other, apart = common < 2 / 7, common[:, :5] < 2 / 5, random.random((500, 5)) < 2 / 5
    (first, second, right) = (bits.astype(float) for bits in (one, other, apart))
    assert _read_pair([first, second], 2).slip == "batch_common"
    assert _read_pair([first, right], 2) is None


def averaged(x, clients, settings, random, weight):
    n = len(clients)
    rows = np.array([client.gradient(x) for client in clients])
    return x - settings.step * sum(weight(i, n) * row for i, row in enumerate(rows))


@pytest.mark.parametrize(
    ("weight", "slip"),
    [
        (lambda i, n: 0.25 if n > 1 else 1.0, "constant_divisor"),
        (lambda i, n: (i == n - 1) / n, "one_client"),
        (lambda i, n: 1 / n, None),
    ],
    ids=["constant", "last", "right"],
)
def test_weights_of_one_client_and_constant_divisors_have_their_cause(weight, slip):
    lab = lab_of(partial(averaged, weight=weight), "gradient_descent")
    assert getattr(read_average(lab), "slip", None) == slip


class Kept:
    """A client whose model goes on from round to round; the whole run, so that it starts anew."""

    def __call__(self, clients, start, settings, seed):
        y, x, states = start, start, [start]
        for _ in range(settings.rounds):
            for _ in range(settings.local_steps):
                y = y - settings.local_step * clients[0].gradient(y)
            u = x - y
            x = x - settings.server_step * settings.update_length * u / np.linalg.norm(u)
            states.append(x)
        return states


def test_a_model_that_a_client_keeps_is_seen_where_its_update_is_normalized():
    (found,) = read_rounds(lab_of(Kept(), "dp_norm_fedavg"))
    assert (found.part, found.slip) == (Part.LOCAL_START, "own_model")


def decaying(x, clients, settings, random):
    w = x.copy()
    for _ in range(settings.local_steps):
        w = w - settings.local_step * clients[0].gradient(w)
    u = (x - w) / settings.local_step
    g = u * min(1.0, settings.clip_threshold / max(np.linalg.norm(u), 1e-300))
    return x - settings.server_step * (g + 1e-3 * x)


def test_a_server_that_decays_the_model_differs_at_its_step():
    found, _ = read_local_steps(lab_of(decaying, "dp_fedavg"))
    assert [(one.part, one.slip) for one in found] == [(Part.SERVER_STEP, "decays")]


def partly_frozen(x, clients, settings, random, at_server):
    r, total = settings.clients_per_round, np.zeros_like(x)
    mask = np.arange(len(x)) < len(x) - 1
    for client in clients:
        if random.random() < r / len(clients):
            w = x
            for _ in range(settings.local_steps):
                w = w - settings.local_step * client.gradient(w)
            u = (x - w) / settings.local_step * (1 if at_server else mask)
            total = total + u * min(1.0, settings.clip_threshold / max(np.linalg.norm(u), 1e-300))
            total = total + r**0.5 * settings.noise_scale * random.standard_normal(len(x))
    return x - settings.server_step / r * total * (mask if at_server else 1)


@pytest.mark.parametrize(("at_server", "line"), [(True, "B.alg1.12.w"), (False, "B.alg1.9.u")])
def test_coordinates_that_even_noise_does_not_move_are_left_out_by_the_server(at_server, line):
    found = conform(partial(partly_frozen, at_server=at_server), like="dp_fedavg")
    assert [(one.line.locator, one.observation.slip) for one in found.differing][:1] == [(line, "frozen")]


def layered(x, clients, settings, random, place):
    """DP-FedAvg of one client with shorter steps in two coordinates: at the client or at the server."""
    scale = np.where(np.arange(len(x)) < len(x) - 2, 1.0, 0.7)
    w = x
    for _ in range(settings.local_steps):
        w = w - settings.local_step * (scale if place == "step" else 1) * clients[0].gradient(w)
    u = (x - w) / settings.local_step
    u = u * min(1.0, settings.clip_threshold / max(np.linalg.norm(u), 1e-300))
    return x - settings.server_step * (scale if place == "server" else 1) * u


@pytest.mark.parametrize(("place", "part"), [("step", Part.LOCAL_STEP), ("server", Part.SERVER_STEP)])
def test_a_layer_with_a_step_of_its_own_differs_where_it_moves(place, part):
    found, _ = read_local_steps(lab_of(partial(layered, place=place), "dp_fedavg"))
    assert [(one.part, one.slip) for one in found] == [(part, "uneven_steps")]


def gradient_noise(x, clients, settings, random, by):
    """SGD whose noise grows with the gradient, by this much of its length."""
    g = clients.gradient(x)
    z = random.standard_normal(len(x)) * settings.noise_scale / len(x) ** 0.5
    return x - settings.step * (g + z * (1 + by * np.linalg.norm(g)))


@pytest.mark.parametrize(("by", "slip"), [(0.1, "noise_by_gradient"), (0.0, None)])
def test_noise_that_grows_with_the_gradient_differs(by, slip):
    found = conform(partial(gradient_noise, by=by), like="stochastic_gradient_descent").differing
    assert [one.observation.slip for one in found] == [slip] * bool(slip)


def test_noise_of_no_size_has_no_number_that_is_not_finite():
    still = Noise(values={}, moves=np.zeros((240, 40)), expected=0.0)
    large = Noise(values={}, moves=np.full((240, 40), 1e200), expected=1.0)
    assert np.isfinite(uniform(still)).all()
    assert large.measured == pytest.approx(1e200)
