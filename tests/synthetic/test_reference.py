"""The batched algorithms against literal ones that go client by client, on the same supplied numbers.

Relative to max(1, norm of the state): one round from the same state agrees within 1e-12, a whole trajectory
within 1e-10. Normalisation at the server amplifies rounding, so there every round starts from the same state.

One file in spite of its length: the same comparison is made for every algorithm.
"""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from example_count import count_examples
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import als_dpfl as literal_als_dpfl
from reference import dp_fedavg as literal_dp_fedavg
from reference import dp_norm_fedavg as literal_dp_norm_fedavg
from reference import dpfl as literal_dpfl
from reference import fed_alpha_norm_ec as literal_fed_alpha_norm_ec
from reference import fedavg as literal_fedavg
from reference import smoothed_dp_fedavg as literal_smoothed_dp_fedavg

from synthetic import run
from synthetic.algorithms import (
    _averaging,
    _error_feedback,
    _local_steps_search,
    alpha_norm_ec,
    als_dpfl,
    dp_fedavg,
    dp_norm_fedavg,
    dpfl,
    fed_alpha_norm_ec,
    fedavg,
    smoothed_dp_fedavg,
)
from synthetic.algorithms._common import to_length
from synthetic.engine.randomness import PlacedNumbers
from synthetic.errors import BadValue, WrongProblem
from synthetic.measures import yardstick
from synthetic.oracles import Gaussian, Sphere, StudentT, TwoPoint
from synthetic.participation import FixedSize, Full, Independent
from synthetic.problems import component_sums, huber, quadratic

ROUND, TRAJECTORY = 1e-12, 1e-10


def numbers_of(case, replicates=None):
    return PlacedNumbers(seed=case["seed"], stream="reference", replicates=replicates or case["replicates"])


def agree(engine, literal, tolerance):
    scale = np.maximum(1.0, np.linalg.norm(literal, axis=-1, keepdims=True))
    assert engine.shape == literal.shape
    assert (np.abs(engine - literal) <= tolerance * scale).all(), (np.abs(engine - literal) / scale).max()


def runs(name, case, made, **more):
    return run(
        name,
        case["problem"],
        made,
        replicates=case["replicates"],
        seed=case["seed"],
        stream="reference",
        observe=["state"],
        **more,
    )


@st.composite
def cases(draw, longest=200):
    clients, dimension = draw(st.integers(1, 4)), draw(st.sampled_from([1, 2, 5]))
    build = draw(st.sampled_from([quadratic.small, huber.small]))
    problem = build(
        clients=clients,
        dimension=dimension,
        heterogeneity=draw(st.sampled_from([0.0, 0.4, 0.9])),
        seed=draw(st.integers(0, 5)),
    )
    rules = [
        Full(),
        Independent(probability=draw(st.sampled_from([0.05, 0.3, 0.8, 1.0]))),
        FixedSize(count=draw(st.integers(1, clients))),
    ]
    # from the minimiser of identical clients every update is exactly zero
    start = draw(st.sampled_from([[1.0] * dimension, [-3.0] * dimension, problem.minimiser().tolist()]))
    return {
        "problem": problem,
        "start": start,
        "rule": draw(st.sampled_from(rules)),
        "local_steps": draw(st.sampled_from([1, 2, 7, longest])),
        "local_step": draw(st.sampled_from([0.02, 0.3, 1.5])),
        "noise": draw(st.sampled_from([0.0, 0.1, 3.0])),
        "placement": draw(st.sampled_from(["clients", "server"])),
        "replicates": draw(st.sampled_from([1, 5, 66])),
        "seed": draw(st.integers(0, 1000)),
    }


def averaging(case, rounds, **bound):
    return {
        "start": case["start"],
        "rounds": rounds,
        "local_steps": case["local_steps"],
        "local_step": case["local_step"],
        "server_step": 0.3,
        "clients_per_round": max(1.0, case["problem"].clients / 2),
        "noise_scale": case["noise"],
        "noise_placement": case["placement"],
        "participation": case["rule"],
        **bound,
    }


@settings(max_examples=count_examples(35))
@given(case=cases(), threshold=st.sampled_from([0.05, 1.0, 4.0, 1e9]))
def test_clipped_averaging(case, threshold):
    for rounds, tolerance in ((1, ROUND), (8, TRAJECTORY)):
        made = dp_fedavg.Settings(**averaging(case, rounds, clip_threshold=threshold))
        expected, seen = literal_dp_fedavg.dp_fedavg(case["problem"], made, numbers_of(case))
        trace = runs("dp_fedavg", case, made)
        agree(trace.final_state, expected, tolerance)
        agree(trace.measurements["state"][:, :-1], np.stack(seen["state"], axis=1), tolerance)


def test_the_thresholds_above_clip_none_some_and_all_of_the_clients_of_a_round():
    problem = quadratic.small(clients=4, dimension=5, heterogeneity=0.9, seed=1)
    case = {"problem": problem, "start": [1.0] * 5, "rule": Full(), "noise": 0.0, "placement": "clients"}
    case |= {"local_steps": 7, "local_step": 0.3, "replicates": 1, "seed": 0}
    made = dp_fedavg.Settings(**averaging(case, 1, clip_threshold=1.0))
    norms = literal_dp_fedavg.dp_fedavg(problem, made, numbers_of(case))[1]["client_update_norm"][0][0]
    assert (norms > 0.05).all()
    assert norms.min() < 4.0 < norms.max()
    assert (norms < 1e9).all()


@settings(max_examples=count_examples(25))
@given(case=cases(), length=st.sampled_from([0.05, 2.0]))
def test_averaging_of_updates_of_one_length(case, length):
    problem, rounds = case["problem"], 5
    made = dp_norm_fedavg.Settings(**averaging(case, rounds, update_length=length))
    final, seen = literal_dp_norm_fedavg.dp_norm_fedavg(problem, made, numbers_of(case))
    agree(runs("dp_norm_fedavg", case, made).measurements["state"][:, 0], seen["state"][0], ROUND)
    for k, expected in enumerate([*seen["state"][1:], final]):
        before, norms = seen["state"][k], seen["client_update_norm"][k]
        got, _ = _averaging.one_round(
            yardstick(problem), made, numbers_of(case), k, before, lambda u: to_length(u, length)
        )
        scale = np.maximum(1, np.linalg.norm(before, axis=1))
        # the direction of a short update carries the rounding of w - w_E, and no more than that
        rounding = 1e-14 * scale / case["local_step"]
        directions = np.where(norms == 0, 0.0, rounding[:, None] / np.where(norms == 0, 1, norms))
        slack = 0.3 * length * directions.sum(axis=1) / made.clients_per_round
        assert (np.linalg.norm(got - expected, axis=1) <= ROUND * scale + slack).all()


@settings(max_examples=count_examples(25))
@given(
    case=cases(longest=20),
    oracle=st.sampled_from([None, Gaussian, Sphere, TwoPoint, partial(StudentT, degrees=3)]),
)
def test_plain_and_stochastic_averaging(case, oracle):
    made = fedavg.Settings(
        start=case["start"],
        rounds=8,
        local_steps=case["local_steps"],
        local_step=(case["local_step"],) * 8,
        participation=case["rule"],
        oracle=oracle and oracle(scale=case["noise"]),
        server_step=0.7,
    )
    expected, seen = literal_fedavg.fedavg(case["problem"], made, numbers_of(case))
    trace = runs("fedavg", case, made)
    agree(trace.final_state, expected, TRAJECTORY)
    agree(trace.measurements["state"][:, 1], [*seen["state"], expected][1], ROUND)


@settings(max_examples=count_examples(25))
@given(case=cases(longest=20), variance=st.sampled_from(["total", "per_coordinate"]))
def test_smoothed_averaging(case, variance):
    made = smoothed_dp_fedavg.Settings(
        start=case["start"],
        rounds=8,
        local_steps=case["local_steps"],
        local_step=case["local_step"],
        server_step=0.4,
        smoothing=0.3,
        participation=case["rule"],
        noise_scale=case["noise"],
        noise_variance=variance,
        noise_placement=case["placement"],
    )
    expected, seen = literal_smoothed_dp_fedavg.smoothed_dp_fedavg(case["problem"], made, numbers_of(case))
    trace = runs("smoothed_dp_fedavg", case, made)
    agree(trace.final_state, expected, TRAJECTORY)
    agree(trace.measurements["state"][:, 1], [*seen["state"], expected][1], ROUND)


@pytest.mark.slow("a literal run of many rounds; test_listings.py compares the listing in the first tier")
@settings(max_examples=count_examples(35))
@given(
    case=cases(),
    variance=st.sampled_from(["total", "per_coordinate"]),
    normalise=st.booleans(),
    private=st.booleans(),
)
def test_error_feedback_round_by_round(case, variance, normalise, private):
    made = fed_alpha_norm_ec.Settings(
        start=case["start"],
        last_round=6,
        local_steps=case["local_steps"],
        local_step=case["local_step"],
        memory_step=0.4,
        server_step=0.2,
        smoothing=0.3,
        participation=case["rule"],
        private=private,
        noise_scale=case["noise"],
        noise_variance=variance,
        noise_placement=case["placement"],
        normalise_server=normalise,
    )
    by_rounds_of_error_feedback(case["problem"], made, numbers_of(case))


def by_rounds_of_error_feedback(problem, made, numbers):
    state = literal_fed_alpha_norm_ec.first_state(problem, made, numbers)
    local = fed_alpha_norm_ec.local_of(problem, made)
    for k in range(made.last_round + 1):
        given = _error_feedback.State(x=state[0], memories=np.stack(state[1]), server=state[2])
        state, seen = literal_fed_alpha_norm_ec.one_round(problem, made, numbers, k, state)
        got, measured = _error_feedback.one_round(problem, made.feedback(), local, numbers, k, given)
        agree(got.memories, np.stack(state[1]), ROUND)
        agree(got.server, state[2], ROUND)
        if made.normalise_server:
            # the direction of a short memory carries its rounding, and no more than that
            lengths = np.linalg.norm(state[2], axis=1, keepdims=True)
            slack = made.server_step * 1e-14 / np.maximum(lengths, 1e-300)
            assert (np.abs(got.x - state[0]) <= 1e-12 * np.maximum(1, np.abs(state[0])) + slack).all()
        else:
            agree(got.x, state[0], ROUND)
        for name, expected in seen.items():
            np.testing.assert_allclose(measured[name](), expected, rtol=1e-10, atol=1e-12)


@settings(max_examples=count_examples(25))
@given(
    components=st.sampled_from([1, 2, 5]),
    clients=st.integers(1, 3),
    rule=st.sampled_from([Full(), Independent(probability=0.4)]),
    seed=st.integers(0, 100),
)
def test_incremental_passes(components, clients, rule, seed):
    problem = component_sums.small(clients=clients, components=components, dimension=2, seed=seed)
    common = {"start": [1.0, -2.0], "local_steps": components, "smoothing": 0.3, "participation": rule}
    common |= {"local_step": 0.8, "noise_scale": 0.2, "local_operator": "incremental", "server_step": 0.3}
    made = fed_alpha_norm_ec.Settings(**common, last_round=5, memory_step=0.4, private=True)
    numbers = PlacedNumbers(seed=seed, stream="reference", replicates=5)
    by_rounds_of_error_feedback(problem, made, numbers)
    made = smoothed_dp_fedavg.Settings(**common, rounds=5)
    expected, _ = literal_smoothed_dp_fedavg.smoothed_dp_fedavg(problem, made, numbers)
    case = {"problem": problem, "replicates": 5, "seed": seed}
    agree(runs("smoothed_dp_fedavg", case, made).final_state, expected, TRAJECTORY)


def test_an_incremental_pass_of_one_component_is_a_gradient_step():
    problem = component_sums.small(components=1, dimension=2)
    common = {"start": [1.0, -2.0], "last_round": 4, "local_steps": 1, "local_step": 0.8, "memory_step": 0.4}
    common |= {"server_step": 0.3, "smoothing": 0.3, "participation": Full(), "private": False}
    one, other = (
        fed_alpha_norm_ec.Settings(**common, local_operator=operator)
        for operator in ("incremental", "gradient_descent")
    )
    case = {"problem": problem, "replicates": 1, "seed": 0}
    ends = [runs("fed_alpha_norm_ec", case, made).final_state for made in (one, other)]
    np.testing.assert_allclose(*ends, rtol=1e-12)


def test_an_incremental_pass_needs_components_and_visits_each_once():
    made = {"start": [1.0, -2.0], "last_round": 0, "local_steps": 3, "local_step": 0.8, "memory_step": 0.4}
    made |= {"server_step": 0.3, "smoothing": 0.3, "participation": Full(), "private": False}
    wrong = fed_alpha_norm_ec.Settings(**made, local_operator="incremental")
    for problem, error, said in (
        (quadratic.small(dimension=2), WrongProblem, "component_gradients"),
        (component_sums.small(components=2, dimension=2), BadValue, "needed 2"),
    ):
        with pytest.raises(error, match=said):
            runs("fed_alpha_norm_ec", {"problem": problem, "replicates": 1, "seed": 0}, wrong)


@settings(max_examples=count_examples(25))
@given(case=cases(longest=3))
def test_gradients_with_error_feedback_are_one_local_step_of_everyone(case):
    common = {"start": case["start"], "last_round": 0, "memory_step": 0.4, "server_step": 0.2}
    common |= {"smoothing": 0.3, "noise_scale": case["noise"]}
    whole = fed_alpha_norm_ec.Settings(
        **common, local_steps=1, local_step=1.0, participation=Full(), private=True, normalise_server=False
    )
    one = alpha_norm_ec.Settings(**common, normalise_server=False)
    state = literal_fed_alpha_norm_ec.first_state(case["problem"], whole, numbers_of(case))
    expected, _ = literal_fed_alpha_norm_ec.one_round(case["problem"], whole, numbers_of(case), 0, state)
    agree(runs("alpha_norm_ec", case, one).final_state, expected[0], ROUND)


def noisy(case, **more):
    return {
        "start": case["start"],
        "step": min(case["local_step"], 0.3),
        "clip_threshold": 1.0,
        "noise_multiplier": case["noise"],
        "batch_size": 3,
        **more,
    }


@settings(max_examples=count_examples(25))
@given(case=cases(longest=20), noise=st.sampled_from(dpfl.AuxiliaryNoise.__args__))
def test_noisy_local_steps_and_their_companion(case, noise):
    made = dpfl.Settings(**noisy(case, rounds=4, local_steps=case["local_steps"], auxiliary_noise=noise))
    expected, seen = literal_dpfl.dpfl(case["problem"], made, numbers_of(case))
    trace = run(
        "dpfl", case["problem"], made, replicates=case["replicates"], seed=case["seed"], stream="reference"
    )
    agree(trace.final_state, expected, TRAJECTORY)
    apart = trace.measurements["distance_to_auxiliary"][:, :, -1]
    np.testing.assert_allclose(apart, np.stack(seen["distance_to_auxiliary"], axis=1), rtol=0, atol=1e-10)


@settings(max_examples=count_examples(35))
@given(
    known=st.tuples(*[st.sampled_from([0.0, 1e-4, 0.3, 4.0])] * 3),
    noise=st.sampled_from([0.0, 0.2, 5.0]),
    batch=st.sampled_from([1, 7]),
    control=st.sampled_from([0.1, 3.0, 100.0]),
    current=st.sampled_from([1, 3, 9, 40]),
)
def test_the_objective_of_the_local_steps_and_its_minimiser(known, noise, batch, control, current):
    made = als_dpfl.Settings(
        start=(0.0,),
        step=0.4,
        clip_threshold=2.0,
        noise_multiplier=noise,
        batch_size=batch,
        auxiliary_noise="independent",
        communication_budget=30,
        communication_cost=2,
        privacy_budget=120,
        control=control,
        smallest_gap=0.6,
        search_limit=50,
    )
    found = _local_steps_search.Estimates(
        lipschitz=np.array([known[0]]),
        smoothness=np.array([known[1]]),
        divergence=np.array([known[2]]),
        known=np.array([True]),
    )
    taus = np.arange(1.0, 51.0)
    values = _local_steps_search.bound_after(made.objective(3), found, taus)[0]
    expected = [literal_als_dpfl.objective(made, 3, known, int(tau)) for tau in taus]
    np.testing.assert_allclose(values, expected, rtol=1e-8)  # the literal power loses digits near 1
    best = _local_steps_search.best_local_steps(made.objective(3), found, np.array([float(current)]))
    allowed = values[: min(2 * current, 50)]
    assert best == (1 if np.isinf(allowed).all() else 1 + np.argmin(allowed))
    unknown = replace(found, known=np.array([False]))
    assert _local_steps_search.best_local_steps(made.objective(3), unknown, np.array([4.0])) == 4


@settings(max_examples=count_examples(25))
@given(case=cases(longest=1), control=st.sampled_from([0.5, 5.0, 60.0]), batch=st.sampled_from([1, 40]))
def test_adaptive_local_steps(case, control, batch):
    made = als_dpfl.Settings(
        **noisy(case) | {"batch_size": batch},
        auxiliary_noise="independent_divided",
        communication_budget=6,
        privacy_budget=40,
        control=control,
        smallest_gap=0.7,
        search_limit=12,
    )
    trace = run(
        "als_dpfl",
        case["problem"],
        made,
        replicates=case["replicates"],
        seed=case["seed"],
        stream="reference",
        observe=[*als_dpfl.OBSERVABLES, "state"],
    )
    m = trace.measurements
    for replicate in {0, case["replicates"] - 1}:
        states, rounds = literal_als_dpfl.als_dpfl(case["problem"], made, numbers_of(case), replicate)
        agree(m["state"][replicate, : len(states)], np.stack(states), TRAJECTORY)
        agree(trace.final_state[replicate], states[-1], TRAJECTORY)
        assert m["active"][replicate].sum() == len(rounds)
        columns = [name for name in m if name.startswith("estimated")]
        for k, (tau, *known, apart) in enumerate(rounds):
            assert m["local_steps"][replicate, k] == tau
            estimated = [m[name][replicate, k] for name in columns]
            np.testing.assert_allclose(estimated, known, rtol=1e-6, atol=1e-8)
            assert m["distance_to_auxiliary"][replicate, k] == pytest.approx(apart, abs=1e-9)
        assert m["privacy_spent"][replicate, -1] == sum(r[0] for r in rounds)
