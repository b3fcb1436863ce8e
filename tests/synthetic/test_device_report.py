"""`make device` on the cpu: it passes as it is, and fails where the device computes another thing."""

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from synthetic.engine import tensors

pytestmark = pytest.mark.slow("every algorithm is run, and timed")


@pytest.fixture
def device(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    import device as module

    yield module
    for name in ("device", "device_cells", "engine", "engine_rivals", "machine"):
        sys.modules.pop(name, None)


def test_the_cpu_agrees_with_itself(device):
    cells = partial(device.device_cells.verification, workers=1, seconds=600)
    lines, failures = device.report("cpu", cells, quick=True)
    assert failures == []
    text = "\n".join(lines)
    for part in (
        "agreement: 32 runs",
        "law: the noise of 5",
        "transfers",
        "of the double rate",
        "verification: 7 of 7",
    ):
        assert part in text


def test_another_result_and_another_noise_are_named(device, monkeypatch):
    right = device.run

    def wrong(name, problem, made, *, plan=None, **asked):
        trace = right(name, problem, made, plan=plan, **asked)
        return trace if plan is None else replace(trace, final_state=1.05 * np.asarray(trace.final_state))

    monkeypatch.setattr(device, "run", wrong)
    assert any("dp_fedavg is" in failure for failure in device.agreement("cpu")[1])
    assert len(device.law("cpu")[1]) == 5


def test_another_verification_and_one_that_is_cut_are_named(device, monkeypatch, tmp_path):
    cells = device.device_cells
    assert cells.verification("cpu", quick=True, workers=1, seconds=0)[1] == [
        "only 0 of 7 cells began within 0 s"
    ]
    (cell, *_) = cells.standard_cells([cells.bounds.get("dp_fedavg.theorem_2")])
    with cells._plans_in(tmp_path):
        cells.recorded_plan.record(cells.Plan(backend="torch"))
    judged = partial(cells._judged_twice, tmp_path, 1e-6, 256, float("inf"))
    assert judged(cell)[0] != cells.DIFFER
    right = tensors.moved_to

    def wrong(place, data):
        tensor = right(place, data)
        return 1.001 * tensor if tensor.is_floating_point() else tensor

    monkeypatch.setattr(tensors, "moved_to", wrong)
    assert judged(cell)[0] == cells.DIFFER
