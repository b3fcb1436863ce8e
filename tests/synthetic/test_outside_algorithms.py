"""An author's round, run by name: against loops by hand, and the same bits however cut."""

import math

import numpy as np
import pytest
from rounds_from_outside import (
    LOCAL,
    NOISY,
    PROBLEM,
    START,
    average,
    begin_scaffold,
    descent,
    descent_in_torch,
    noisy,
    noisy_in_torch,
    noisy_rows,
    scaffold,
    states,
    traced,
)

from synthetic import Plan, run
from synthetic.engine.disturbance import disturbed
from synthetic.errors import (
    BadValue,
    WrongSettings,
)
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from synthetic.outside.settings import make_settings
from synthetic.outside.states import shifted
from synthetic.participation import Full
from synthetic.problems import build
from synthetic.run import runnable


def test_fedavg_by_hand_is_the_engines_fedavg():
    from synthetic.algorithms import fedavg

    ours = fedavg.Settings(start=START, rounds=5, participation=Full(), **LOCAL)
    wanted = run("fedavg", PROBLEM, ours, replicates=1, seed=0, stream="a", observe=["state"])
    found = states(Algorithm(round=average, settings=LOCAL))
    np.testing.assert_allclose(found, wanted.measurements["state"], rtol=1e-12, atol=1e-12)


def test_scaffold_is_its_literal_loop():
    """x, c and c_i of Karimireddy et al., option II, over the data of the problem and no code of ours."""
    hessians, centers, n = PROBLEM.hessians, PROBLEM.centers, PROBLEM.clients
    x, c, own = START.copy(), np.zeros(4), [np.zeros(4) for _ in range(n)]
    path = [x]
    for _ in range(5):
        moves, changes = np.zeros(4), np.zeros(4)
        for i in range(n):
            y = x.copy()
            for _ in range(3):
                y = y - 0.2 * (hessians[i] @ (y - centers[i]) - own[i] + c)
            new = own[i] - c + (x - y) / (3 * 0.2)
            moves, changes, own[i] = moves + (y - x) / n, changes + (new - own[i]) / n, new
        x, c = x + moves, c + changes
        path.append(x)
    found = states(Algorithm(round=scaffold, settings=LOCAL, begin=begin_scaffold))
    np.testing.assert_allclose(found[0], path, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("function", "kind"),
    [(noisy, {}), (noisy_rows, {"batched": True}), (noisy_in_torch, {"library": "torch"})],
)
def test_no_bit_depends_on_the_number_of_replicates_or_on_blocks(function, kind):
    algorithm = Algorithm(round=function, settings=NOISY, **kind)
    all_of_them = traced(algorithm, replicates=200, observe=["state", "gap", "squared_distance"])
    assert len(np.unique(all_of_them.measurements["state"][:, -1, 0])) == 200
    cuts = [(count, None) for count in (1, 3, 64, 65)]
    cuts += [(200, Plan(block=64)), (200, Plan(block=128, threads=2))]
    for count, plan in cuts:
        some = traced(algorithm, replicates=count, plan=plan, observe=["state", "gap", "squared_distance"])
        for name, values in some.measurements.items():
            np.testing.assert_array_equal(values, all_of_them.measurements[name][:count], err_msg=name)
        assert some.drew is True


def test_starts_of_their_own():
    random = np.random.default_rng(0)
    starts = random.standard_normal((70, 4))
    found = states(Algorithm(round=descent, settings=NOISY), replicates=70, start=starts)
    for row in (0, 5, 69):
        np.testing.assert_array_equal(
            found[row], states(Algorithm(round=descent, settings=NOISY), start=starts[row])[0]
        )


def test_other_seeds_and_streams_draw_other_numbers():
    name = adopt(Algorithm(round=noisy, settings=NOISY))
    made = make_settings(name, runnable(name).settings, {"start": START, "rounds": 2})
    ends = [
        run(name, PROBLEM, made, replicates=1, seed=seed, stream=stream).final_state
        for seed, stream in ((0, "a"), (1, "a"), (0, "b"))
    ]
    assert len(np.unique(np.concatenate(ends)[:, 0])) == 3


def test_an_algorithm_without_draws_is_computed_once():
    calls = []

    def counted(state, clients, settings, random):
        calls.append(1)
        return state - 0.1 * clients.gradient(state)

    trace = traced(Algorithm(round=counted), replicates=300, rounds=7)
    assert trace.drew is False
    assert len(calls) == 7 + 2 * len(range(0, 300, 300))  # two more calls compare a round with itself
    assert (trace.measurements["state"] == trace.measurements["state"][0]).all()


def test_a_late_draw_is_each_replicates_own():
    def late(state, clients, settings, random):
        drawn = random.standard_normal() if state["k"] >= 3 else 0.0
        return {"x": state["x"] + drawn, "k": state["k"] + 1}

    algorithm = Algorithm(round=late, begin=lambda x0, clients, settings: {"x": x0, "k": 0})
    found = traced(algorithm, replicates=65)
    assert found.drew is True
    values = found.measurements["state"]
    assert (values[:, 3] == START).all()
    assert len(np.unique(values[:, 4, 0])) == 65


def test_measurements_of_the_authors_own():
    algorithm = Algorithm(
        round=noisy,
        settings=NOISY,
        observables={"length": lambda x, clients, settings: np.linalg.norm(x)},
        iterate=lambda state: state,
    )
    trace = traced(algorithm, replicates=3, observe=["length", "state", "length/running_minimum"])
    wanted = np.linalg.norm(trace.measurements["state"], axis=2)
    np.testing.assert_allclose(trace.measurements["length"], wanted, rtol=1e-15)
    lowest = np.minimum.accumulate(trace.measurements["length"], axis=1)
    np.testing.assert_array_equal(trace.measurements["length/running_minimum"], lowest)
    assert "length" in traced(algorithm, observe=None).measurements


def test_what_is_kept_of_the_last_state_alone_is_measured_there_alone():
    seen = []

    def length(x, clients, settings):
        seen.append(1)
        return np.linalg.norm(x)

    algorithm = Algorithm(round=noisy, settings=NOISY, observables={"length": length})
    whole = traced(algorithm, replicates=3, observe=["length"]).measurements["length"]
    assert len(seen) == 1 + 5 * 3  # the start is one and the same
    seen.clear()
    last = traced(algorithm, replicates=3, observe=["length/last"]).measurements["length/last"]
    assert len(seen) == 3
    np.testing.assert_array_equal(last, whole[:, -1])
    both = traced(algorithm, replicates=3, observe=["length/last", "length/first"]).measurements
    np.testing.assert_array_equal(both["length/first"], whole[:, 0])


def test_a_diverged_replicate_is_measured_no_more_and_the_others_are():
    def leaps(x, clients, settings, random):
        return x * (1e200 if random.random() < 0.5 else 1.0)

    algorithm = Algorithm(round=leaps, observables={"one": lambda x, clients, settings: 1})
    ones = traced(algorithm, replicates=64, observe=["one/last"]).measurements["one/last"]
    assert {*ones} == {1.0, np.inf}


@pytest.mark.parametrize("number", [0.1, np.float64(0.1), np.full(3, 0.1), [0.1]], ids=repr)
def test_every_number_of_a_state_is_moved_by_what_its_rounding_may_be(number):
    assert np.all(shifted(number) == number)
    with disturbed():
        state = shifted({"sum": number, "count": 3.0, "far": np.inf, "k": 2})
    away = np.abs(np.asarray(state["sum"]) - 0.1)
    assert (away > 0).all()
    assert (away <= 64 * 2.0**-53 * 0.1).all()
    assert (state["count"], state["far"], state["k"]) == (3.0, np.inf, 2)


def test_torch_and_batches_agree_with_numpy():
    plain = states(Algorithm(round=descent, settings=NOISY))
    rows = states(Algorithm(round=descent, settings=NOISY, batched=True), replicates=2)
    tensor = states(Algorithm(round=descent_in_torch, settings=NOISY, library="torch"))
    np.testing.assert_allclose(rows, np.repeat(plain, 2, axis=0), rtol=1e-13)
    np.testing.assert_allclose(tensor, plain, rtol=1e-13)


@pytest.mark.parametrize("batched", [False, True])
def test_clients_answer_for_every_shape(batched):
    from synthetic.outside.clients import Clients

    problem = build("component_sums.small", clients=3, components=2, dimension=4)
    clients, random = Clients(problem, batched=batched), np.random.default_rng(1)
    rows = random.standard_normal((5, 4))
    x = rows if batched else rows[0]
    own = random.standard_normal((5, 3, 4))
    each = own if batched else own[0]
    for i, client in enumerate(clients):
        wanted = problem.client_gradients(rows)[i]
        np.testing.assert_allclose(client.gradient(x), wanted if batched else wanted[0], rtol=1e-12)
        np.testing.assert_allclose(clients.gradients(x)[..., i, :], client.gradient(x), rtol=1e-12)
        np.testing.assert_allclose(clients.gradients(each)[..., i, :], client.gradient(each[..., i, :]))
        of_data = client.gradients_of_data(x)
        assert of_data.shape == ((5, 2, 4) if batched else (2, 4))
        np.testing.assert_allclose(of_data.mean(axis=-2), client.gradient(x), rtol=1e-12)
        assert client.data_points == 2
    np.testing.assert_allclose(clients.gradient(x), clients.gradients(x).mean(axis=-2), rtol=1e-12)
    np.testing.assert_allclose(clients.value(x), np.mean([c.value(x) for c in clients], axis=0), rtol=1e-12)


def test_data_points_of_clients_of_unequal_size():
    from synthetic.outside.clients import Clients
    from synthetic.problems.least_squares import least_squares

    random = np.random.default_rng(2)
    tables = [random.standard_normal((size, 3)) for size in (2, 5)]
    problem = least_squares(tables, [random.standard_normal(len(t)) for t in tables], l2=0.1)
    for client, size in zip(Clients(problem, batched=False), (2, 5), strict=True):
        gradients = client.gradients_of_data(np.ones(3))
        assert gradients.shape == (size, 3)
        np.testing.assert_allclose(gradients.mean(axis=0), client.gradient(np.ones(3)), rtol=1e-12)


# settings


def test_settings_are_checked():
    name = adopt(Algorithm(round=descent, settings={"step": REQUIRED, "count": 3, "on": True, "rate": 1.0}))
    kind = runnable(name).settings
    made = make_settings(name, kind, {"start": START, "rounds": 1, "step": [0.1, 0.2], "rate": 2})
    assert (made.step, made.count, made.on, made.rate) == ((0.1, 0.2), 3, True, 2.0)
    with pytest.raises(AttributeError):
        made.step = 1
    with pytest.raises(AttributeError, match="did you mean step"):
        made.stp  # noqa: B018  # what an author's typing error does
    given = {"start": START, "rounds": 1, "step": 0.1}
    for wrong, message in (
        ({"stp": 1}, "use step"),
        ({"count": 2.5}, "whole number"),
        ({"on": 1}, "True or False"),
        ({"rate": math.nan}, "finite"),
        ({"step": math.inf}, "finite"),
        ({"rounds": -1}, "too small"),
    ):
        with pytest.raises((WrongSettings, BadValue), match=message):
            make_settings(name, kind, given | wrong)
    with pytest.raises(WrongSettings, match="set step"):
        make_settings(name, kind, {"start": START, "rounds": 1})


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"round": 3}, "not a function"),
        ({"round": lambda *_: 0}, "no public name"),
        ({"settings": {"rounds": 3}}, "every algorithm"),
        ({"settings": {"a b": 3}}, "identifier"),
        ({"observables": {"gap": len}}, "name it otherwise"),
        ({"observables": {"mine": 3}}, "not a function"),
        ({"library": "jax"}, "numpy"),
        ({"batched": 1}, "True or False"),
        ({"seconds": 0}, "not positive"),
    ],
)
def test_an_algorithm_that_is_none(wrong, message):
    with pytest.raises(BadValue, match=message):
        Algorithm(**({"round": descent} | wrong))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("quadratic.small", {}),
        (
            "quadratic.diagonal",
            {"curvatures": [[1.0, 0.5], [0.0, 2.0]], "centers": [[1.0, 2.0], [3.0, -1.0]]},
        ),
        ("quadratic.gaussian_factors", {"clients": 3, "dimension": 6, "rank": 2, "shift": 0.3}),
        ("logistic.small", {}),
        ("nonconvex_logistic.small", {}),
        ("softmax.small", {}),
        ("least_squares.small", {}),
    ],
)
def test_a_single_point_has_the_gradient_of_a_row(name, arguments):
    from synthetic.outside.clients import Clients

    problem = build(name, **arguments)
    point = np.random.default_rng(4).standard_normal(problem.dimension)
    for i, client in enumerate(Clients(problem, batched=False)):
        wanted = problem.client_gradient(i, point[None])[0]
        np.testing.assert_allclose(client.gradient(point), wanted, rtol=1e-12, atol=1e-14)
