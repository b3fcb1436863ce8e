"""A plan changes how a run is computed and nothing else: blocks, threads, noise drawn together."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from synthetic import Plan, run
from synthetic.algorithms import _common, als_dpfl, dp_fedavg, fed_alpha_norm_ec, smoothed_dp_fedavg
from synthetic.engine import accelerated
from synthetic.engine.joined_trace import of_a_block
from synthetic.engine.randomness import PlacedNumbers
from synthetic.engine.recorded_plan import place, record, recorded
from synthetic.errors import BadValue, WrongPlan
from synthetic.participation import FixedSize, Full, Independent
from synthetic.problems import quadratic
from synthetic.problems.quadratic import diagonal
from synthetic.run import fitting_plan
from synthetic.tuning import fastest_plan

LEVEL, SIZE = 1e-6, 6_000
PROBLEM = quadratic.low_rank(
    np.random.default_rng(1).standard_normal((3, 6, 2)) / 2, np.random.default_rng(2).standard_normal((3, 6))
)
STARTS = np.random.default_rng(3).standard_normal((300, 6))
REQUESTS = [
    "gap",
    "state",
    "taking_part",
    "client_update_norm",
    "gap/last",
    "gap/running_minimum/first",
    "gap/replicate_mean",
    "gap/last/replicate_mean",
    "gap/running_minimum/replicate_mean/running_average",
    "gap/replicate_mean/running_minimum/last",
    "client_gap/replicate_mean/running_average",
    "taking_part/replicate_mean",
]


def averaging(**changed):
    common = {
        "start": STARTS,
        "rounds": 6,
        "local_steps": 3,
        "local_step": 0.3,
        "clip_threshold": 0.7,
        "clients_per_round": 2,
        "noise_scale": 0.2,
    }
    return dp_fedavg.Settings(**common | changed)


def ran(plan, made=None, replicates=300, observe=REQUESTS):
    return run(
        "dp_fedavg",
        PROBLEM,
        made or averaging(),
        replicates=replicates,
        seed=3,
        stream="plan",
        observe=observe,
        plan=plan,
    )


@pytest.mark.parametrize("plan", [Plan(block=64), Plan(block=128, threads=2), Plan(block=64, threads=5)])
def test_blocks_and_threads_change_no_number_of_a_replicate(plan):
    whole, cut = ran(Plan(block=320)), ran(plan)
    assert list(cut.measurements) == list(whole.measurements) == REQUESTS
    for request, expected in whole.measurements.items():
        found = cut.measurements[request]
        assert found.shape == expected.shape
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(cut.final_state, whole.final_state)
    np.testing.assert_array_equal(cut.diverged_round, whole.diverged_round)
    assert cut.replicates == 300


def test_one_plan_twice_is_bit_identical():
    for plan in (Plan(block=64, threads=2), Plan(noise="together", threads=2, block=64)):
        one, other = ran(plan), ran(plan)
        for request in REQUESTS:
            np.testing.assert_array_equal(one.measurements[request], other.measurements[request])


def test_a_replicate_that_diverges_in_one_block_leaves_the_others_alone():
    starts = STARTS.copy()
    starts[200, 0] = 1e200
    trace = ran(Plan(block=64, threads=2), averaging(start=starts), observe=["gap", "gap/replicate_mean"])
    assert np.flatnonzero(trace.diverged_round != -1).tolist() == [200]
    assert np.isposinf(trace.measurements["gap/replicate_mean"]).all()
    assert np.isfinite(np.delete(trace.measurements["gap"], 200, axis=0)).all()


def test_runs_without_rounds_and_replicates_that_end_when_they_like():
    assert set(ran(Plan(block=64), averaging(rounds=0)).measurements) == {
        request for request in REQUESTS if request.split("/")[0] in ("gap", "state")
    }
    made = als_dpfl.Settings(
        start=STARTS[:130],
        step=0.2,
        clip_threshold=1.0,
        noise_multiplier=0.5,
        batch_size=1,
        auxiliary_noise="independent",
        communication_budget=4,
        privacy_budget=12,
        control=20.0,
        smallest_gap=0.5,
    )
    one, other = (
        run("als_dpfl", PROBLEM, made, replicates=130, seed=0, stream="s", plan=Plan(block=block))
        for block in (64, 192)
    )
    for name, values in one.measurements.items():
        np.testing.assert_array_equal(values, other.measurements[name])


@pytest.mark.parametrize(
    ("request_", "of_block"),
    [
        ("gap/last", "gap/last"),
        ("gap/replicate_mean/last", "gap/sums_of_blocks"),
        ("gap/first/running_minimum/replicate_mean/running_average", "gap/running_minimum/sums_of_blocks"),
    ],
)
def test_what_follows_a_mean_over_replicates_is_left_to_the_whole(request_, of_block):
    assert of_a_block(request_) == of_block


def test_a_block_of_numbers_is_a_part_of_the_numbers_of_the_run():
    blocks = list(Plan(block=128).numbers(seed=1, stream="s", replicates=300))
    assert [(b.first, b.replicates, b.wanted, b.of_run) for b in blocks] == [
        (0, 128, 128, 300),
        (128, 128, 128, 300),
        (256, 48, 44, 300),
    ]
    here = _common.Place(purpose="test", round=2)
    joined = np.concatenate([block.normals(here, 3)[: block.wanted] for block in blocks])
    np.testing.assert_array_equal(joined, PlacedNumbers(seed=1, stream="s", replicates=300).normals(here, 3))


# Noise drawn together, where gradients are zero: given how many clients came, the displacement of a round is
# Gaussian with a known variance.

FLAT = diagonal(np.zeros((4, 3)), np.zeros((4, 3)))
RULES = [Full(), Independent(probability=0.4), FixedSize(count=3)]


def of_averaging(rule):
    made = averaging(
        start=(0.0,) * 3,
        rounds=1,
        server_step=0.3,
        clients_per_round=1.6,
        noise_scale=0.7,
        participation=rule,
    )
    return "dp_fedavg", made, 0.3 / 1.6 * math.sqrt(1.6) * 0.7


def of_feedback(rule):
    made = fed_alpha_norm_ec.Settings(
        start=(0.0,) * 3,
        last_round=0,
        local_steps=2,
        local_step=0.1,
        memory_step=0.5,
        server_step=0.3,
        smoothing=1.0,
        participation=rule,
        private=True,
        noise_scale=0.7,
        normalise_server=False,
    )
    return "fed_alpha_norm_ec", made, 0.3 * 0.5 / 4 * 0.7 / math.sqrt(3) / rule.inclusion(4)


def of_smoothed(rule):
    made = smoothed_dp_fedavg.Settings(
        start=(0.0,) * 3,
        rounds=1,
        local_steps=2,
        local_step=0.1,
        server_step=0.3,
        smoothing=1.0,
        participation=rule,
        noise_scale=0.7,
    )
    return "smoothed_dp_fedavg", made, 0.3 / (4 * rule.inclusion(4)) * 0.7 / math.sqrt(3)


def displacement(case, rule, plan):
    name, made, own = case(rule)
    trace = run(name, FLAT, made, replicates=SIZE, seed=1, stream="law", observe=["taking_part"], plan=plan)
    came = trace.measurements["taking_part"][:, 0].sum(axis=1)
    assert (trace.final_state[came == 0] == 0).all()
    return trace.final_state[came > 0] / (own * np.sqrt(came[came > 0]))[:, None]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
@pytest.mark.parametrize("case", [of_averaging, of_feedback, of_smoothed])
def test_noise_drawn_together_has_the_law_of_the_sum(case, rule):
    values = displacement(case, rule, Plan(noise="together"))
    tail = stats.chi2(values.size).cdf((values**2).sum())
    assert 2 * min(tail, 1 - tail) > LEVEL / 2
    assert stats.kstest(values.ravel(), "norm").pvalue > LEVEL / 2
    apart = displacement(case, rule, Plan())
    assert np.abs(values - apart[: len(values)]).max() > 0.1  # other numbers, the same law


@pytest.mark.parametrize("factor", [1.05, 1 / 1.05])
def test_a_wrong_deviation_of_the_sum_is_noticed(factor):
    values = factor * displacement(of_averaging, Full(), Plan(noise="together"))
    tail = stats.chi2(values.size).cdf((values**2).sum())
    assert 2 * min(tail, 1 - tail) < LEVEL / 2


def test_noise_drawn_together_is_independent_over_coordinates_and_rounds():
    made = averaging(start=(0.0,) * 3, rounds=2, participation=Full())
    states = run(
        "dp_fedavg",
        FLAT,
        made,
        replicates=SIZE,
        seed=2,
        stream="law",
        observe=["state"],
        plan=Plan(noise="together"),
    ).measurements["state"]
    moves = np.concatenate(np.diff(states, axis=1).transpose(1, 2, 0)).T
    correlations = np.corrcoef(moves, rowvar=False) - np.eye(6)
    assert np.abs(correlations).max() < stats.norm.isf(LEVEL / 60) / math.sqrt(SIZE)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ({"block": 100}, "multiple of 64"),
        ({"block": 64, "rows": 128}, "multiple of 128"),
        ({"rows": 24}, "multiple of 64"),
        ({"rows": 2}, "rows"),
        ({"threads": 0}, "threads"),
        ({"noise": "none"}, "noise"),
        ({"block": 0}, "block"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(made, said):
    with pytest.raises(BadValue, match=said):
        Plan(**made)


@pytest.fixture
def home(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path


def test_a_recorded_plan_is_used_and_read_back(home):
    assert recorded() is None
    plan = Plan(block=64, threads=2)
    assert record(plan) == place() == home / "fedbounds" / "plan.json"
    assert recorded() == plan
    np.testing.assert_array_equal(ran(None).final_state, ran(plan).final_state)


@pytest.mark.parametrize("text", ["", "[]", '{"block": 100}', '{"blocks": 64}', '{"backend": "jax"}', "\xff"])
def test_a_file_that_is_no_plan_is_refused_in_one_sentence(home, text):
    place().parent.mkdir()
    place().write_text(text, encoding="latin-1")
    with pytest.raises(WrongPlan, match="doctor --tune") as refused:
        ran(None)
    assert "\n" not in str(refused.value)


def test_tuning_tries_what_changes_no_number_and_takes_turns(monkeypatch):
    monkeypatch.setattr(fastest_plan, "REPLICATES", 64)
    monkeypatch.setattr(fastest_plan, "ROUNDS", 1)
    plans = fastest_plan.candidates()
    assert {(plan.noise, plan.backend, plan.device) for plan in plans} == {("each", "numpy", "cpu")}
    assert len(set(plans)) == len(plans)
    seconds = fastest_plan.measured(plans[:2])
    assert list(seconds) == plans[:2]
    assert all(value > 0 for value in seconds.values())
    assert json.dumps(list(seconds.values()))


def test_tuning_asks_who_computes_exponentials(monkeypatch):
    shared, original = [], accelerated.tensor_on

    def watched(values):
        shared.append(original(values))
        return shared[-1]

    monkeypatch.setattr(accelerated, "tensor_on", watched)
    plan = Plan(block=64)
    plans = fastest_plan.by_exponentials(plan)
    assert {p.exponentials for p in plans} == {"numpy", "torch"}
    assert {replace(p, exponentials="numpy") for p in plans} == {plan}
    by_torch, gaps = [], []
    for tried in plans:
        shared.clear()
        gaps.append(fastest_plan.logistic_work()(tried).measurements["gap"])
        by_torch.append(any(tensor is not None for tensor in shared))
    assert by_torch == [tried.exponentials == "torch" for tried in plans]
    np.testing.assert_allclose(*gaps, rtol=1e-13)


@pytest.mark.parametrize(
    ("problem", "replicates", "threads", "block"),
    [
        (PROBLEM, 2048, 1, 2048),  # n d = 18: as many as there are
        (PROBLEM, 2000, 2, 1024),
        (PROBLEM, 10, 1, 256),
        (quadratic.gaussian_factors(), 2048, 1, 256),
        (diagonal(np.ones((50, 100)), np.ones((50, 100))), 4096, 1, 1024),
    ],
)
def test_blocks_are_larger_on_small_problems_unless_a_plan_is_given(
    home, problem, replicates, threads, block
):
    record(Plan(threads=threads))
    assert fitting_plan("dp_fedavg", problem, None, replicates).block == block
    assert fitting_plan("dp_fedavg", problem, Plan(block=64), replicates).block == 64
    assert fitting_plan("als_dpfl", problem, Plan(block=64), replicates).block >= replicates
