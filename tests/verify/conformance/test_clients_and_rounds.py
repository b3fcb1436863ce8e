"""Clients that are left out or counted twice, and slips that only several rounds show."""

from functools import partial

import numpy as np
import pytest
from slips_planted import function

from verify import conform
from verify.conformance.listing import Part


def some_of_the_clients(x, clients, settings, random):
    taking = [client for client in clients if random.random() < 0.7]
    return x - settings.step * sum((client.gradient(x) for client in taking), 0 * x) / max(1, len(taking))


def one_of_the_clients(x, clients, settings, random):
    return x - settings.step * clients[random.integers(len(clients))].gradient(x)


@pytest.mark.parametrize(
    ("code", "slip"), [(some_of_the_clients, "some_clients"), (one_of_the_clients, "one_client")]
)
def test_clients_that_are_left_out_in_some_rounds_are_no_schedule_of_the_step(code, slip):
    found = [
        (line.line.locator, line.observation.slip)
        for line in conform(code, like="gradient_descent").differing
    ]
    assert found == [("T.gd.f", slip)]


def averaging_states(clients, start, settings, seed, kept=None):
    """FedAvg whose states are means of all iterates, or moving averages."""
    random, w, states, mean = np.random.default_rng(seed), start, [start], start
    for k in range(1, settings.rounds + 1):
        ends = []
        for i in random.permutation(len(clients))[: settings.clients_per_round]:
            local = w
            for _ in range(settings.local_steps):
                local = local - settings.local_step * clients[i].gradient(local)
            ends.append(local)
        w = np.mean(ends, axis=0)
        mean = mean + (w - mean) * (1 / (k + 1) if kept is None else 1 - kept)
        states.append(mean)
    return states


@pytest.mark.parametrize(("kept", "slip"), [(None, "averaged_output"), (0.5, "moving_average")])
def test_states_that_are_means_differ_where_the_listing_has_no_line_of_the_output(kept, slip):
    found = conform(partial(averaging_states, kept=kept), like="fedavg")
    assert [(line.line.locator, line.observation.slip) for line in found.differing] == [("B.alg3.11", slip)]


def before(clients, start, settings, seed):
    """Local steps of DPFL, from the average of the round before."""
    random, last, states = np.random.default_rng(seed), start, [start]
    for _ in range(settings.rounds):
        models = []
        for client in clients:
            x = last
            for _ in range(settings.local_steps):
                rows = client.gradients_of_data(x)[
                    random.random(client.data_points) < settings.batch_size / client.data_points
                ]
                norms = np.linalg.norm(rows, axis=1, keepdims=True)
                total = (rows / np.maximum(1.0, norms / settings.clip_threshold)).sum(axis=0)
                noise = settings.noise_multiplier * settings.clip_threshold * random.standard_normal(len(x))
                x = x - settings.step * (total + noise) / settings.batch_size
            models.append(x)
        last = states[-1]
        states.append(np.average(models, axis=0, weights=[client.data_points for client in clients]))
    return states


def test_an_average_of_before_differs_at_its_line_alone():
    found = [(line.line.locator, line.observation.slip) for line in conform(before, like="dpfl").differing]
    assert found == [("C.alg1.15", "stale")]


def test_local_steps_that_are_none_are_one_too_few_whatever_the_rounding_of_the_average(tmp_path):
    old = (
        "range(settings.local_steps)",
        "return sum(weight * model for weight, model in zip(weights, models))",
    )
    new = (
        "range(settings.local_steps - 1)",
        "return sum(n * m for n, m in zip(sizes, models)) / sizes.sum()",
    )
    found = conform(function(tmp_path, "dpfl", old, new), like="dpfl")
    assert [(line.line.locator, line.observation.slip) for line in found.differing] == [
        ("C.alg1.4", "one_too_few")
    ]


def normalizing_coordinates(w, clients, settings, random):
    """DP-NormFedAvg with `normalize(dim=0)` over the clients: a client alone moves by signs."""
    taking = [client for client in clients if random.random() < settings.clients_per_round / len(clients)]
    updates = np.zeros((len(taking), len(w)))
    for row, client in enumerate(taking):
        local = w
        for _ in range(settings.local_steps):
            local = local - settings.local_step * client.gradient(local)
        updates[row] = (w - local) / settings.local_step
    updates *= settings.update_length / np.maximum(np.linalg.norm(updates, axis=0), 1e-300)
    deviation = settings.noise_scale * settings.clients_per_round**0.5
    sent = updates + deviation * random.standard_normal(updates.shape)
    return w - settings.server_step * sent.sum(axis=0) / settings.clients_per_round


def test_coordinates_that_are_normalized_alone_hide_the_number_of_local_steps():
    found = conform(normalizing_coordinates, like="dp_norm_fedavg")
    assert [(line.line.locator, line.observation.slip) for line in found.differing] == [
        ("B.alg2.9.g", "coordinates")
    ]
    assert found.differing[0].observation.cause.startswith("every coordinate is bounded by itself")


def drawing(times):
    """DP-FedAvg whose n clients, of which r are wanted, count so many times."""

    def one_round(w, clients, settings, random):
        r, total = settings.clients_per_round, np.zeros_like(w)
        for client, count in zip(clients, times(random, len(clients), r), strict=True):
            local = w
            for _ in range(settings.local_steps):
                local = local - settings.local_step * client.gradient(local)
            update = (w - local) / settings.local_step
            update = update * min(1.0, settings.clip_threshold / max(np.linalg.norm(update), 1e-300))
            deviation = r**0.5 * settings.noise_scale
            total = total + count * (update + deviation * random.standard_normal(len(w)))
        return w - settings.server_step * total / r

    return one_round


@pytest.mark.parametrize(
    ("times", "slip"),
    [
        (lambda random, n, r: random.random(n) < 0.5 * r / n, "rate"),
        (lambda random, n, r: random.random(n) < r / (n + 1), "rate"),
        (lambda random, n, r: random.random(n) < 0.3, "rate"),
        (lambda random, n, r: random.poisson(r / n, n), "replacement"),
    ],
    ids=["half", "one client more", "fixed", "Poisson"],
)
def test_another_probability_hides_no_line_behind_the_draws_of_a_client_that_is_alone(times, slip):
    found = [
        (line.line.part, line.observation.slip)
        for line in conform(drawing(times), like="dp_fedavg").differing
    ]
    assert found == [(Part.SAMPLING, slip)]


def one_round_too_few(clients, start, settings, seed):
    yield start
    x = start
    for k in range(settings.rounds):
        x = x - settings.step * clients.gradient(x) if k + 1 < settings.rounds else x
        yield x


def nesterov(clients, start, settings, seed):
    """Gradient descent with a momentum that grows from round to round."""
    yield start
    x = last = start
    for k in range(settings.rounds):
        y = x - settings.step * clients.gradient(x)
        x, last = y + k / (k + 3) * (y - last), y
        yield x


def falling_step(clients, start, settings, seed):
    yield start
    x = start
    for k in range(settings.rounds):
        x = x - settings.step / (k + 1) * clients.gradient(x)
        yield x


def losing_the_model(w, clients, settings, random):
    ends = []
    for i in random.permutation(len(clients))[: settings.clients_per_round]:
        local = w
        for _ in range(settings.local_steps):
            local = local - settings.local_step * clients[i].gradient(local)
        ends.append(local)
    return np.mean(ends, axis=0) - w


def falling_local_step(clients, start, settings, seed):
    """FedAvg with a falling local step: the difference of the models shows the step, not the server's."""
    w = start
    yield w
    for k in range(settings.rounds):
        ends = []
        for client in clients:
            local = w
            for _ in range(settings.local_steps):
                local = local - 0.9**k * settings.local_step * client.gradient(local)
            ends.append(local)
        w = np.mean(ends, axis=0)
        yield w


@pytest.mark.parametrize(
    ("code", "like", "line", "slip"),
    [
        (one_round_too_few, "gradient_descent", "T.gd", "last_round"),
        (nesterov, "gradient_descent", "T.gd", "momentum"),
        (falling_step, "gradient_descent", "T.gd", "decay"),
        (losing_the_model, "fedavg", "B.alg3.11", "no_model"),
        (falling_local_step, "stochastic_fedavg", "D.alg.6", "local_schedule"),
    ],
)
def test_slips_of_whole_runs_have_their_line_and_cause(code, like, line, slip):
    found = {one.line.locator: one.observation.slip for one in conform(code, like=like).differing}
    assert found.get(line) == slip


def written_into(w, clients, settings, random):
    """DP-FedAvg whose clients change the server's model in place, so that every update is zero."""
    r, total, model = settings.clients_per_round, np.zeros_like(w), w.copy()
    for client in clients:
        if random.random() >= r / len(clients):
            continue
        local = model
        for _ in range(settings.local_steps):
            local -= settings.local_step * client.gradient(local)
        update = (model - local) / settings.local_step
        total = total + update + r**0.5 * settings.noise_scale * random.standard_normal(len(w))
    return model - settings.server_step * total / r


def test_a_model_that_clients_write_into_is_one_difference():
    found = conform(written_into, like="dp_fedavg").differing
    assert [(line.line.locator, line.observation.slip) for line in found] == [("B.alg1.5", "in_place")]


def averaged(combine, w, clients, settings, random):
    """FedAvg of two layers whose models, in the order of the clients, are combined so."""
    who = sorted(random.permutation(len(clients))[: settings.clients_per_round])
    ends = []
    for client in (clients[int(i)] for i in who):
        local = w
        for _ in range(settings.local_steps):
            local = local - settings.local_step * client.gradient(local)
        ends.append(local)
    return combine(np.array(ends), w)


def last_layer_of_the_last(ends, w):
    first = sum(end / len(ends) for end in ends)  # whose mean of equal models is another by rounding
    return np.concatenate([first[:2], ends[-1, 2:]])


def adding_up(ends, w):
    return w + np.cumsum(ends - w, axis=0).mean(axis=0)


def late_models(clients, start, settings, seed):
    """FedAvg whose clients answer with the models that they made when they were asked before."""
    random, w, pending = np.random.default_rng(seed), start, {}
    yield w
    for _ in range(settings.rounds):
        who = random.permutation(len(clients))[: settings.clients_per_round].tolist()
        ends = [averaged(lambda made, w: made[0], w, [clients[i]], settings, random) for i in who]
        sent = [pending.get(i, end) for i, end in zip(who, ends, strict=True)]
        pending |= dict(zip(who, ends, strict=True))
        w = np.mean(sent, axis=0)
        yield w


@pytest.mark.parametrize(
    ("code", "line", "slip"),
    [
        (partial(averaged, last_layer_of_the_last), "B.alg3.11", "uneven_average"),
        (partial(averaged, adding_up), "B.alg3.9", "updates_add_up"),
        (late_models, "B.alg3.9", "sent_late"),
    ],
    ids=["layer", "sum", "late"],
)
def test_sums_that_are_no_average_and_late_models_are_one_difference(code, line, slip):
    """They were told as a draw with replacement, an unnamed average and a step that changes."""
    found = [(one.line.locator, one.observation.slip) for one in conform(code, like="fedavg").differing]
    assert found == [(line, slip)]
