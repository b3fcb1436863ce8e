"""Forms that code of strangers has, and what conform must tell them beyond the planted slips."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch
from slips_planted import function

import fedbounds
from synthetic.errors import AuthorMistake, BadValue
from verify import conform
from verify.conformance.listing import Part


def descent(x, clients, settings, random, scale=1.0):
    return x - scale * settings.step * clients.gradient(x)


class Descent:
    def __call__(self, x, clients, settings, random):
        return descent(x, clients, settings, random)

    def round(self, x, clients, settings, random=None):
        return descent(x, clients, settings, random)


def states(clients, start, settings, seed=0):
    """A generator that hands out one array, which it changes afterwards."""
    x = start.copy()
    yield x
    for _ in range(settings.rounds):
        x -= settings.step * clients.gradient(x)
        yield x


def _private(x, clients, settings, random):
    return descent(x, clients, settings, random)


FORMS = {
    "object": Descent(),
    "method": Descent().round,
    "partial": partial(descent, scale=1.0),
    "lambda": lambda *arguments: descent(*arguments),
    "private": _private,
    "generator": states,
    "iterator": lambda clients, start, settings, seed: iter(
        list(map(np.copy, states(clients, start, settings)))
    ),
}


@pytest.mark.thinned(2)
@pytest.mark.parametrize("form", FORMS)
def test_what_can_be_called_is_read_as_it_is(form):
    found = conform(FORMS[form], like="gradient_descent")
    assert found.agrees, found.differing


@pytest.mark.parametrize("form", ["object", "partial", "lambda", "private"])
def test_what_can_be_called_is_judged_by_a_theorem(form):
    theorem, problem = "textbook.gradient_descent_convex", _small()
    answer = fedbounds.check(theorem, algorithm=FORMS[form], problem=problem, quick=True, search=0)
    assert answer.cells
    assert not answer.refuted
    assert "`fedbounds conform`" in answer.sentence


def _small():
    return fedbounds.build("quadratic.small", clients=2, dimension=2)


def test_an_exception_in_a_called_object_names_its_line():
    class Broken:
        def __call__(self, x, clients, settings, random):
            return x - settings.step * clients.gradientt(x)

    with pytest.raises(AuthorMistake, match=r"Broken \(.*test_strangers.py, line \d+\).*gradientt"):
        conform(Broken(), like="gradient_descent")


def test_a_class_in_the_place_of_its_object_is_refused():
    with pytest.raises(BadValue, match="a class"):
        conform(Descent, like="gradient_descent")


def too_many(clients, start, settings, seed):
    while True:
        yield start


def one_short(clients, start, settings, seed):
    return np.array(list(map(np.copy, states(clients, start, settings)))[1:])


@pytest.mark.parametrize("code", [too_many, one_short])
def test_another_number_of_states_is_told_with_the_right_one(code):
    with pytest.raises(AuthorMistake, match="the start and the state after every round"):
        conform(code, like="gradient_descent")


def test_code_that_keeps_something_between_runs_is_refused():
    class Momentum:
        speed = 0.0

        def __call__(self, x, clients, settings, random):
            self.speed = 0.9 * self.speed + clients.gradient(x)
            return x - settings.step * self.speed

    with pytest.raises(AuthorMistake, match="keeps nothing from one run to the next"):
        conform(Momentum(), like="gradient_descent")


def undefined_at_zero(w, clients, settings, random):
    """The normalization of the listing, which has no value where an update is zero."""
    r, n = settings.clients_per_round, len(clients)
    total = np.zeros_like(w)
    for client in (c for c in clients if random.random() < r / n):
        local = w
        for _ in range(settings.local_steps):
            local = local - settings.local_step * client.gradient(local)
        u = (w - local) / settings.local_step
        noise = random.normal(scale=settings.noise_scale * r**0.5, size=w.shape)
        total += settings.update_length * u / np.linalg.norm(u) + noise
    return w - settings.server_step / r * total


@pytest.mark.slow("another right implementation")
def test_an_update_that_is_divided_by_its_length_needs_no_guard():
    found = conform(undefined_at_zero, like="dp_norm_fedavg")
    assert found.agrees, found.differing


def guarded(w, clients, settings, random):
    """A constant against 0/0 below any update, and noise of torch, which raises at deviation 0."""
    r, n = settings.clients_per_round, len(clients)
    torch.manual_seed(int(torch.randint(2**62, (), generator=random)))
    noise = torch.distributions.Normal(torch.zeros_like(w), settings.noise_scale * r**0.5)
    total = torch.zeros_like(w)
    for client in clients:
        if torch.rand((), generator=random, dtype=torch.float64) < r / n:
            local = w
            for _ in range(settings.local_steps):
                local = local - settings.local_step * client.gradient(local)
            total += settings.update_length * (w - local) / ((w - local).norm() + 1e-12) + noise.sample()
    return w - settings.server_step / r * total


@pytest.mark.slow("torch draws for each client; the normalization without a guard is in tier one")
def test_a_constant_against_a_division_by_zero_is_rounding_and_noise_need_not_be_zero():
    found = conform(guarded, like="dp_norm_fedavg", library="torch")
    assert found.agrees, found.differing


def test_code_that_raises_at_any_noise_is_refused_with_what_it_raised():
    def broken(x, clients, settings, random):
        raise ValueError("no noise suits me")

    with pytest.raises(AuthorMistake, match="no noise suits me"):
        conform(broken, like="stochastic_gradient_descent")


def scheduled(clients, start, settings, seed):
    """The local step falls from round to round, which the division by it hides on linear functions."""
    random, x = np.random.default_rng(seed), start
    for k in range(settings.rounds + 1):
        yield x
        step = settings.local_step / np.sqrt(k + 1)
        x = private(x, clients, replace(settings, local_step=step), random)


def test_a_local_step_that_falls_over_the_rounds_has_its_line_and_cause():
    (found,) = conform(scheduled, like="dp_fedavg").differing
    assert (found.line.locator, found.observation.slip) == ("B.alg1.7", "local_schedule")


def repeated(clients, start, settings, seed):
    """A generator that is made anew in every round, so that every round draws the same."""
    x = start
    for _ in range(settings.rounds + 1):
        yield x
        x = private(x, clients, settings, np.random.default_rng(seed))


@pytest.mark.slow("both slips have cases in tier one")
def test_a_seed_that_is_used_again_in_every_round_has_its_lines_and_causes():
    found = {
        line.line.locator: line.observation.slip for line in conform(repeated, like="dp_fedavg").differing
    }
    assert found == {"B.alg1.3": "same_set", "B.alg1.10": "noise_repeated"}


def feedback(clients, start, settings, seed):
    """In torch, with the memories as they are handed out."""
    random, x = torch.Generator().manual_seed(seed), start
    memories, server = settings.initial_memory.clone(), settings.initial_memory.mean(dim=0)
    yield x
    for _ in range(settings.rounds):
        total = torch.zeros_like(x)
        for i, client in enumerate(clients):
            model = x
            for _ in range(settings.local_steps):
                model = model - settings.local_step / settings.local_steps * client.gradient(model)
            error = (x - model) / settings.local_step - memories[i]
            delta = error / (settings.smoothing + error.norm())
            memories[i] += settings.memory_step * delta
            if torch.rand((), generator=random) < settings.probability:
                z = torch.randn(len(x), generator=random, dtype=torch.float64) / len(x) ** 0.5
                total += (delta + settings.noise_scale * z) / settings.probability
        server = server + settings.memory_step / len(clients) * total
        x = x - settings.server_step * server / (server.norm() + 1e-12)  # against 0/0
        yield x


def test_memories_are_given_as_an_array_of_the_library():
    assert conform(feedback, like="fed_alpha_norm_ec", library="torch").agrees


U = "u = (w - local) / settings.local_step"


def test_an_update_of_single_precision_is_named_as_rounding(tmp_path):
    code = function(tmp_path, "dp_fedavg", (U,), (U + "; u = u.astype(np.float32).astype(np.float64)",))
    found = conform(code, like="dp_fedavg")
    assert {line.observation.slip for line in found.differing} == {"rounded"}


def falling_noise(clients, start, settings, seed):
    random, x = np.random.default_rng(seed), start
    for k in range(settings.rounds + 1):
        yield x
        noise = random.normal(0, settings.noise_scale / len(x) ** 0.5 / (k + 1), len(x))
        x = x - settings.step * (clients.gradient(x) + noise)


def test_noise_that_falls_over_the_rounds_has_its_cause():
    (found,) = conform(falling_noise, like="stochastic_gradient_descent").differing
    assert (found.line.part, found.observation.slip) == (Part.NOISE, "noise_changing")


def private(x, clients, settings, random):
    """DP-FedAvg with the server's step under its own name."""
    r, total = settings.clients_per_round, np.zeros_like(x)
    for client in (c for c in clients if random.random() < r / len(clients)):
        local = x
        for _ in range(settings.local_steps):
            local = local - settings.local_step * client.gradient(local)
        update = (x - local) / settings.local_step
        update = update * min(1, settings.clip_threshold / np.linalg.norm(update))
        total += update + np.sqrt(r) * settings.noise_scale * random.standard_normal(x.shape)
    return x - settings.server_step * total / r


@pytest.mark.slow("a comparison, and a verification of what it gives")
def test_code_that_conforms_is_judged_with_the_settings_that_conform_gives():
    theorem, problem = "dp_fedavg.theorem_2", _small()
    answer = fedbounds.check(theorem, algorithm=private, problem=problem, quick=True, search=0)
    assert not answer.refuted
    assert all(entry["verdict"] == "holds" for entry in answer.cells), answer


def averaging(x, clients, settings, random):
    """FedAvg with every client, under the names of its listing."""
    models = np.tile(x, (len(clients), 1))
    for _ in range(settings.local_steps):
        models = models - settings.local_step * clients.gradients(models)
    return models.mean(axis=0)


@pytest.mark.parametrize(("clients", "verdict"), [(1, "holds"), (2, "refused")])
def test_a_function_is_given_the_names_of_the_listing_that_the_theorem_names(clients, verdict):
    theorem = "textbook.federated_averaging_one_client"
    problem = fedbounds.build("quadratic.small", clients=clients, dimension=2)
    answer = fedbounds.check(theorem, algorithm=averaging, problem=problem, quick=True, search=0)
    assert {entry["verdict"] for entry in answer.cells} == {verdict}, answer
