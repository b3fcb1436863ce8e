"""Code beside an algorithm of a package: slips that the usual run does not reach, and odd right code."""

from functools import cache

import numpy as np
import pytest

from fedbounds import Algorithm
from synthetic.errors import AuthorMistake
from synthetic.outside.algorithms import adopt
from verify import conform
from verify.conformance.lab import Lab
from verify.conformance.packages import in_law
from verify.conformance.packages.compare import Readers
from verify.conformance.packages.pair import Pair
from verify.conformance.packages.reference import reference
from verify.conformance.packages.scenes import Maker
from verify.conformance.repeats import UNREPEATED
from verify.conformance.subject import subject


@pytest.fixture
def few_runs(monkeypatch):
    """Laws from few runs, where states without random numbers decide."""
    monkeypatch.setattr(in_law, "MANY", 40)
    monkeypatch.setattr(in_law, "FEW", 20)


@cache
def beside_steps(code):
    return conform(code, like=adopt(STEPS))


def parts(found):
    return {line.line.locator.rpartition(".")[2] for line in found.differing}


def local(x, client, settings, change=lambda g: g):
    y, speed = x, 0 * x
    for _ in range(settings.local_steps):
        speed = settings.momentum * speed + change(client.gradient(y))
        y = y - settings.step * speed
    return y


def steps(x, clients, settings, random):
    return np.mean([local(x, client, settings) for client in clients], axis=0)


def far_clip(x, clients, settings, random):
    def change(g):
        return g * min(1.0, 400 / np.linalg.norm(g))

    return np.mean([local(x, client, settings, change) for client in clients], axis=0)


def floor(x, clients, settings, random):
    def change(g):
        return np.where(np.abs(g) < 1e-5, 0.0, g)

    return np.mean([local(x, client, settings, change) for client in clients], axis=0)


def dampened(x, clients, settings, random):
    def change(g):
        return (1 - settings.momentum) * g

    return np.mean([local(x, client, settings, change) for client in clients], axis=0)


def one_step_less(clients, start, settings, seed):
    """As with a loop from 1: found as the reference with another number of steps."""
    states = [start]
    for _ in range(settings.rounds):
        models = []
        for client in clients:
            y = states[-1]
            for _ in range(1, settings.local_steps):
                y = y - settings.step * client.gradient(y)
            models.append(y)
        states.append(sum(models) / len(models))
    return states


def divided_by_two(x, clients, settings, random):
    return sum(local(x, client, settings) for client in clients) / min(len(clients), 3)


def spread_over_one(x, clients, settings, random):
    """Right for several clients; of a single one it has no value."""
    models = np.array([local(x, client, settings) for client in clients])
    return models.mean(axis=0) + 0 * models[0] / (len(models) - 1)


STEPS = Algorithm(round=steps, settings={"step": 0.1, "local_steps": 3, "momentum": 0.0})


@pytest.mark.thinned(2)
@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        (steps, set()),
        (far_clip, {"lengths"}),
        (floor, {"lengths"}),
        (dampened, {"momentum"}),
        (one_step_less, {"first_round"}),
        (divided_by_two, {"clients"}),
        (spread_over_one, {"clients"}),
    ],
)
def test_what_the_usual_run_does_not_reach_is_found_at_its_line(code, wrong):
    assert parts(beside_steps(code)) == wrong


def test_the_cause_is_the_value_that_a_setting_has_in_the_code():
    (line,) = beside_steps(one_step_less).differing
    assert (
        line.observation.cause == "the states are those of the reference with local_steps = local_steps - 1"
    )


def test_the_lengths_at_which_nothing_differs_are_named():
    (line,) = beside_steps(far_clip).differing
    assert line.observation.because.endswith("no difference at 1e-06, 0.001, 0.03, 0.3, 3, 30")


def test_the_answer_says_what_was_run_and_what_is_not_seen():
    found = beside_steps(steps)
    (run,) = found.tried
    assert "numbers of clients 1, 2, 5, 9" in run
    assert "local_steps 1, 2, 4, 7" in run
    assert any("beyond these numbers" in sentence for sentence in found.untried)


def refusing(x, clients, settings, random):
    if settings.local_steps > 4:
        raise ValueError("at most four steps")
    return steps(x, clients, settings, random)


def test_settings_that_the_code_refuses_are_no_difference_and_are_named():
    found = conform(refusing, like=adopt(STEPS))
    assert not found.differing
    assert any("local_steps = 7" in words and "at most four steps" in words for words in found.untried)


def private(x, clients, settings, random):
    """Local steps of clients that come with a probability, and noise."""
    total = np.zeros_like(x)
    for client in clients:
        if random.random() < settings.probability:
            noise = settings.noise * random.standard_normal(len(x))
            total = total + settings.step * client.gradient(x) + noise
    return x - total / (settings.probability * len(clients))


PRIVATE = Algorithm(round=private, settings={"step": 0.1, "noise": 0.2, "probability": 0.5})


def bernoulli(x, clients, settings, random, kind=np.float64, longest=np.inf):
    """The same with all draws at once, which are those of the reference at some probabilities alone."""
    come = random.binomial(1, settings.probability, size=len(clients))
    noises = settings.noise * random.standard_normal((len(clients), len(x)))
    gradients = np.array([client.gradient(x) for client in clients])
    gradients *= np.minimum(1, longest / np.linalg.norm(gradients, axis=1, keepdims=True))
    moves = (settings.step * gradients + noises).astype(kind).astype(np.float64)
    return x - come @ moves / (settings.probability * len(clients))


def of_float32(x, clients, settings, random):
    return bernoulli(x, clients, settings, random, kind=np.float32)


def clipped_far_away(x, clients, settings, random):
    return bernoulli(x, clients, settings, random, longest=300.0)


OWN = np.random.default_rng()


def own_generator(x, clients, settings, random):
    return bernoulli(x, clients, settings, OWN)


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        (private, set()),
        (bernoulli, set()),
        pytest.param(own_generator, set(), marks=pytest.mark.slow("right code")),
        (of_float32, {"digits"}),
        (clipped_far_away, {"lengths"}),
    ],
)
def test_a_noisy_round_is_compared_where_nothing_is_random(code, wrong, few_runs):
    found = conform(code, like=adopt(PRIVATE))
    assert parts(found) == wrong
    if code in (bernoulli, clipped_far_away):
        assert "at noise = 0, probability = 1" in found.tried[0]


@pytest.mark.parametrize(("code", "noted"), [(own_generator, True), (bernoulli, False)])
def test_what_is_not_seen_names_draws_that_the_seed_does_not_repeat(code, noted):
    wanted = reference(adopt(PRIVATE), {})
    labs = [
        Lab(subject=one, listing=wanted, seed=7) for one in (subject(code, wanted.settings), wanted.subject)
    ]
    pair = Pair(code=labs[0], right=labs[1])
    law = in_law.InLaw(pair=pair, maker=Maker(settings=wanted.settings, usual=3))
    words = list(Readers(exact=None, law=law, drawn=True).untried(pair))
    assert (UNREPEATED.format(source="a generator of its own") in words) is noted


def test_states_of_float32_are_refused_as_beside_a_listing():
    def single(x, clients, settings, random):
        return steps(x, clients, settings, random).astype(np.float32).astype(np.float64)

    with pytest.raises(AuthorMistake, match="precision of float32"):
        conform(single, like=adopt(STEPS))


def chosen(x, clients, settings, random):
    r, n = settings.clients_per_round, len(clients)
    of_round = range(n) if r == n else random.choice(n, size=r, replace=False)
    return sum(x - settings.step * clients[i].gradient(x) for i in of_round) / r


def shuffled(clients, start, settings, seed):
    """The same law from other draws; equal outcomes differ by rounding, always to one side."""
    random, states = np.random.RandomState(seed % 2**32), [start]
    for _ in range(settings.rounds):
        of_round = random.permutation(len(clients))[: settings.clients_per_round]
        moves = [-settings.step * clients[i].gradient(states[-1]) for i in of_round]
        states.append(states[-1] + np.mean(moves, axis=0))
    return states


def twice(clients, start, settings, seed):
    """Draw with replacement, so that a client may come twice."""
    random, states = np.random.RandomState(seed % 2**32), [start]
    for _ in range(settings.rounds):
        of_round = random.randint(len(clients), size=settings.clients_per_round)
        states.append(
            np.mean([states[-1] - settings.step * clients[i].gradient(states[-1]) for i in of_round], 0)
        )
    return states


CHOSEN = Algorithm(round=chosen, settings={"step": 0.1, "clients_per_round": 2})


@pytest.mark.parametrize("code", [pytest.param(shuffled, marks=pytest.mark.slow("thousands of runs"))])
def test_equal_outcomes_of_few_are_ties(code):
    assert conform(code, like=adopt(CHOSEN)).agrees


def test_clients_that_come_twice_are_found_where_all_are_wanted(few_runs):
    assert parts(conform(twice, like=adopt(CHOSEN))) == {"first_round"}


@pytest.mark.slow("right code, thousands of runs")
def test_a_reference_that_needs_more_clients_is_shown_them():
    found = conform(chosen, like=adopt(CHOSEN), settings={"clients_per_round": 7})
    assert found.agrees


@pytest.mark.thinned(5)
@pytest.mark.parametrize("seed", range(5))
def test_a_few_equal_draws_are_no_certainty(seed, few_runs):
    """All three clients come at the default, and one or two at other values, which two runs may share."""
    assert conform(shuffled, like=adopt(CHOSEN), settings={"clients_per_round": 3}, seed=seed).agrees


def sometimes(x, clients, settings, random, size=1.0):
    """Nothing is random at the default of the noise."""
    noise = size * settings.noise * random.standard_normal(len(x))
    return x - settings.step * (clients.gradient(x) + noise)


def doubled(clients, start, settings, seed, size=2.0):
    random, states = np.random.default_rng(seed), [start]
    for _ in range(settings.rounds):
        states.append(sometimes(states[-1], clients, settings, random, size=size))
    return states


def same(clients, start, settings, seed):
    return doubled(clients, start, settings, seed, size=1.0)


@pytest.mark.parametrize(("code", "wrong"), [(same, set()), (doubled, {"noise"})])
def test_a_setting_whose_other_values_draw_is_compared_in_law(code, wrong):
    like = Algorithm(round=sometimes, settings={"step": 0.1, "noise": 0.0})
    assert parts(conform(code, like=adopt(like))) == wrong


def batched(x, clients, settings, random):
    return x - settings.step * (clients.gradient(x) + settings.noise * random.standard_normal(x.shape))


def alone(x, clients, settings, random, size=1.0):
    return x - settings.step * (clients.gradient(x) + size * settings.noise * random.normal(size=len(x)))


def tenth_more(x, clients, settings, random):
    return alone(x, clients, settings, random, size=1.12)


BATCHED = Algorithm(round=batched, settings={"step": 0.2, "noise": 1.0}, batched=True)


def test_noise_of_a_reference_of_64_replicates_at_once_is_compared():
    assert parts(conform(tenth_more, like=adopt(BATCHED))) == {"draws"}


@pytest.mark.slow("right code, thousands of runs")
def test_right_code_beside_64_replicates_at_once_agrees():
    assert conform(alone, like=adopt(BATCHED)).agrees


def over_all_replicates(x, clients, settings, random):
    g = clients.gradient(x)
    return x - settings.step * g / np.linalg.norm(g)


def each_replicate(x, clients, settings, random):
    g = clients.gradient(x)
    return x - settings.step * g / np.linalg.norm(g, axis=1, keepdims=True)


def normalized(x, clients, settings, random):
    g = clients.gradient(x)
    return x - settings.step * g / np.linalg.norm(g)


@pytest.mark.parametrize(("code", "right"), [(each_replicate, True), (over_all_replicates, False)])
def test_code_of_64_replicates_at_once_is_examined(code, right):
    examined = Algorithm(round=code, settings={"step": 0.2}, batched=True)
    like = Algorithm(round=normalized, settings={"step": 0.2})
    assert conform(examined, like=adopt(like)).agrees == right
