"""Random numbers of a device's own generator, and what tensors compute in another way than arrays.

The generator of the cpu stands for that of a device: it is asked in the same way.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import torch
from scipy import stats

from synthetic import Plan, run
from synthetic.algorithms import dp_fedavg, gradient_descent
from synthetic.engine.randomness import Place, PlacedNumbers, SingleNumbers
from synthetic.engine.recorded_plan import record
from synthetic.engine.tensors import DeviceNumbers
from synthetic.errors import WrongPlan
from synthetic.participation import Full
from synthetic.problems import quadratic
from synthetic.problems.quadratics import local_pass

LEVEL = 1e-6
PLACE = Place(purpose="noise", round=3)
LOW_RANK = quadratic.low_rank(
    np.random.default_rng(1).standard_normal((3, 5, 2)), np.random.default_rng(2).standard_normal((3, 5))
)
MADE = dp_fedavg.Settings(
    start=np.ones(5),
    rounds=4,
    local_steps=3,
    local_step=0.1,
    clip_threshold=2.0,
    clients_per_round=3,
    noise_scale=0.1,
    participation=Full(),
)


def numbers(*, first=0, replicates=256, seed=5, rows=128, single=False):
    placed = PlacedNumbers(seed=seed, stream="device", replicates=replicates, first=first)
    source = SingleNumbers(source=placed) if single else placed
    return DeviceNumbers(source=source, placed=placed, device=torch.device("cpu"), rows=rows)


def test_the_numbers_of_a_replicate_do_not_depend_on_the_block_that_it_runs_in():
    whole, second = numbers().normals(PLACE, 4), numbers(first=128, replicates=128).normals(PLACE, 4)
    assert torch.equal(whole[128:], second)
    assert not torch.equal(whole[:128], second)


def test_the_numbers_of_a_client_do_not_depend_on_how_many_there_are():
    three, client = numbers().normals(PLACE, 4, 3), replace(PLACE, client=1)
    assert three.shape == (3, 256, 4)
    assert torch.equal(three[1], numbers().normals(client, 4))
    assert torch.equal(numbers().uniforms(PLACE, 4, 2)[1], numbers().uniforms(client, 4))


@pytest.mark.parametrize(
    "other", [{"purpose": "coins"}, {"round": 4}, {"client": 0}, {"local_step": 1}, {"seed": 6}], ids=str
)
def test_every_part_of_a_place_has_numbers_of_its_own(other):
    seed = other.pop("seed", 5)
    drawn = numbers(seed=seed).normals(replace(PLACE, **other), 4)
    assert not torch.equal(drawn, numbers().normals(PLACE, 4))


def test_they_have_the_law_of_the_numbers_of_the_host():
    many = numbers(replicates=12_800)
    normals, uniforms = many.normals(PLACE, 4), many.uniforms(PLACE, 4)
    assert stats.kstest(normals.numpy().ravel(), "norm").pvalue > LEVEL
    assert stats.kstest(1.05 * normals.numpy().ravel(), "norm").pvalue < LEVEL
    assert stats.kstest(uniforms.numpy().ravel(), "uniform").pvalue > LEVEL
    assert 0 <= uniforms.min() <= uniforms.max() < 1


def test_single_precision_is_drawn_as_such_but_for_uniforms():
    one = numbers(single=True)
    assert one.normals(PLACE, 4).dtype == one.array(np.ones(2)).dtype == torch.float32
    assert one.uniforms(PLACE, 4).dtype == torch.float64


@pytest.mark.parametrize("made", [{}, {"backend": "torch"}, {"backend": "torch", "device": "cpu"}])
def test_only_a_generator_of_cuda_is_asked_for(made):
    with pytest.raises(WrongPlan, match="seed of 64 bits"):
        Plan(draws="device", **made)


def test_what_no_other_machine_repeats_is_not_recorded(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    with pytest.raises(WrongPlan, match="draws"):
        record(Plan(backend="torch", device="cuda", draws="device"))


def test_fractions_are_computed_without_torch(monkeypatch, tmp_path):
    problem = quadratic.diagonal([[Fraction(1, 3)]], [[Fraction(2)]])
    made = gradient_descent.Settings(start=[Fraction(0)], steps=1, step=Fraction(1))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    record(Plan(backend="torch"))
    asked = {"replicates": 1, "seed": 0, "stream": "exact"}
    assert run("gradient_descent", problem, made, **asked).final_state[0, 0] == Fraction(2, 3)
    with pytest.raises(WrongPlan, match="no fractions"):
        run("gradient_descent", problem, made, plan=Plan(backend="torch"), **asked)


OBSERVED = ["gap", "client_update_norm", "clipped", "signal_norm"]


@pytest.mark.parametrize("step", [0.1, 40.0])
def test_one_product_has_the_updates_and_lengths_of_numpy(step):
    """At the long step the updates of numpy grow to 1e9 within the four rounds."""
    asked = {"replicates": 70, "seed": 1, "stream": "updates", "observe": OBSERVED}
    made = replace(MADE, local_step=step, server_step=0.1, clip_threshold=1e6)
    ours = run("dp_fedavg", LOW_RANK, made, plan=Plan(backend="torch", rows=64), **asked)
    theirs = run("dp_fedavg", LOW_RANK, made, **asked)
    assert theirs.measurements["client_update_norm"].max() > (1 if step < 1 else 1e6)
    for name in OBSERVED:
        np.testing.assert_allclose(ours.measurements[name], theirs.measurements[name], rtol=1e-9, atol=1e-12)


def test_gains_that_may_overflow_are_kept_out_of_the_product():
    points = torch.ones((3, LOW_RANK.dimension), dtype=torch.float64)
    for step, fits in ((0.1, True), (1e60, False)):
        gains, _ = local_pass._gains(LOW_RANK, step, 3)
        assert local_pass._fits_one_product(points, gains) is fits
        assert not local_pass._fits_one_product(points.numpy(), gains)


def test_centers_that_are_forgotten_are_noticed(monkeypatch):
    wrong = local_pass._columns(LOW_RANK).copy()
    wrong[LOW_RANK.dimension] = 0.0
    asked = {"replicates": 70, "seed": 1, "stream": "updates", "observe": ["gap"]}
    monkeypatch.setattr(local_pass, "_columns", lambda _: wrong)
    ours = run("dp_fedavg", LOW_RANK, MADE, plan=Plan(backend="torch"), **asked)
    theirs = run("dp_fedavg", LOW_RANK, MADE, **asked)
    assert not np.allclose(ours.measurements["gap"], theirs.measurements["gap"], rtol=1e-3)
