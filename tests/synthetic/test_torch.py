"""The same code on tensors: torch on the cpu against numpy, and every round on a device that only pretends.

On the fake device nothing is computed, but arrays of two devices do not mix, and whatever leaves the
device for the host is an error here, also where torch would copy it silently.
"""

import importlib
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
import torch
from every_algorithm import EXAMPLES, PROBLEMS, START
from torch._subclasses.fake_tensor import DataDependentOutputException, FakeTensor, FakeTensorMode

from synthetic import Plan, run
from synthetic.algorithms import (
    _common,
    _local_steps_search,
    gradient_descent,
)
from synthetic.engine.arithmetic import _converted, like, namespace
from synthetic.engine.client_vectors import table
from synthetic.engine.trace import Recorder
from synthetic.errors import BadValue, WrongPlan
from synthetic.oracles import Gaussian, StudentT, TwoPoint
from synthetic.participation import Full
from synthetic.run import algorithm_names

# torch built without cuda cannot index even a fake cuda tensor; "lazy" is a device that no build computes on
FAKE = "cuda" if torch.version.cuda else "lazy"
ORACLES = (Gaussian(scale=0.3), TwoPoint(scale=0.3), StudentT(scale=0.3, degrees=3))
CASES = [
    *EXAMPLES.items(),
    ("dp_fedavg", replace(EXAMPLES["dp_fedavg"], noise_placement="server")),
    ("alpha_norm_ec", replace(EXAMPLES["alpha_norm_ec"], noise_placement="server")),
    *(("fedavg", replace(EXAMPLES["fedavg"], participation=Full(), oracle=oracle)) for oracle in ORACLES),
]
# its rounds ask the host how many steps the longest replicate takes
ASKS_THE_HOST = {"als_dpfl"}
every_case = pytest.mark.parametrize(("name", "made"), CASES)
every_problem = pytest.mark.parametrize("problem", PROBLEMS, ids=["quadratic", "huber"])


def everything(name):
    module = importlib.import_module(f"synthetic.algorithms.{name}")
    return [*module.OBSERVABLES, *module.ON_REQUEST, "gap/running_minimum/replicate_mean", "gap/last"]


def test_every_algorithm_is_here():
    assert {name for name, _ in CASES} == set(algorithm_names())


@every_case
@every_problem
def test_torch_on_the_cpu_agrees_with_numpy(name, made, problem):
    common = {"replicates": 67, "seed": 3, "stream": "backends", "observe": everything(name)}
    numpy_trace = run(name, problem, made, **common)
    torch_trace = run(name, problem, made, plan=Plan(backend="torch"), **common)
    assert set(torch_trace.measurements) == set(numpy_trace.measurements)
    for key, expected in numpy_trace.measurements.items():
        got = torch_trace.measurements[key]
        assert type(got) is np.ndarray
        assert got.dtype == expected.dtype
        np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-12, err_msg=key)
    np.testing.assert_allclose(torch_trace.final_state, numpy_trace.final_state, rtol=1e-10, atol=1e-12)
    np.testing.assert_array_equal(torch_trace.diverged_round, numpy_trace.diverged_round)


class LeftTheDevice(AssertionError):
    pass


class FakeDevice(FakeTensorMode):
    """Copies from the device to the host fail, though torch would allow them."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = super().__torch_dispatch__(func, types, args, kwargs)
        copied = func in (torch.ops.aten._to_copy.default, torch.ops.aten.copy_.default)
        if copied and any(_device(a) == FAKE for a in args) and _device(result) == "cpu":
            raise LeftTheDevice(str(func))
        return result


def _device(value):
    return value.device.type if isinstance(value, torch.Tensor) else None


class FakeNumbers:
    """Fake draws that are born on the device; data still come from numpy and are moved."""

    replicates, wanted = 8, 5
    first, of_run = 0, 5
    together = False

    def normals(self, place, width, clients=None):
        shape = (self.replicates, width) if clients is None else (clients, self.replicates, width)
        return torch.empty(shape, dtype=torch.float64, device=FAKE)

    uniforms = normals

    def array(self, data):
        return torch.as_tensor(data.copy(), dtype=getattr(torch, str(data.dtype)), device=FAKE)


def on_a_fake_device(name, problem, made):
    module = importlib.import_module(f"synthetic.algorithms.{name}")
    recorder = Recorder(algorithm=name, replicates=5, requests=tuple(everything(name)))
    finished = []
    with FakeDevice(), pytest.MonkeyPatch.context() as patch:
        # the one place where a run goes back to the host
        patch.setattr(Recorder, "finish", lambda self, final_state: finished.append(final_state))
        getattr(module, name)(problem, made, FakeNumbers(), recorder)
    (final,) = finished
    assert isinstance(final, FakeTensor)
    assert (final.device.type, final.dtype, tuple(final.shape)) == (FAKE, torch.float64, (8, 2))
    assert _device(recorder.diverged) == FAKE
    for column in recorder.columns.values():
        assert all(_device(values) == FAKE for values in column.rounds)


STAYING = [(name, made) for name, made in CASES if name not in ASKS_THE_HOST]


@pytest.mark.thinned(3)
@pytest.mark.sampled
@pytest.mark.parametrize(("name", "made"), STAYING)
@every_problem
def test_every_round_stays_on_its_device(name, made, problem):
    on_a_fake_device(name, problem, made)


def test_what_chooses_the_local_steps_stays_on_its_device():
    problem, numbers = PROBLEMS[0], FakeNumbers()
    made = next(made for name, made in CASES if name == "als_dpfl")
    with FakeDevice():
        average = numbers.normals(None, 2)
        known = _local_steps_search.estimates(problem, numbers.normals(None, 2, 3), average, average)
        current = numbers.array(np.ones(8))
        chosen = _local_steps_search.best_local_steps(made.objective(2), known, current)
    assert (_device(chosen), tuple(chosen.shape)) == (FAKE, (8,))


@pytest.mark.parametrize(
    ("planted", "caught"),
    [
        (lambda x: x.cpu().to(FAKE), LeftTheDevice),  # a silent copy to the host and back
        (lambda x: x.cpu(), LeftTheDevice),
        (lambda x: np.sqrt(x), RuntimeError),  # numpy on a tensor
        (lambda x: x.numpy(), RuntimeError),
        (lambda x: x + torch.ones(2, dtype=torch.float64), Exception),  # made on the host by mistake
        (lambda x: x if (x > 0).any() else -x, DataDependentOutputException),  # a question to the device
    ],
)
def test_a_planted_transfer_is_caught(planted, caught, monkeypatch):
    original = _common.local_updates

    def spoiled(*args, **kwargs):
        return planted(table(original(*args, **kwargs)))

    monkeypatch.setattr("synthetic.algorithms._averaging.local_updates", spoiled)
    name = "dp_fedavg"
    made = EXAMPLES[name]
    with pytest.raises(caught):
        on_a_fake_device(name, PROBLEMS[0], made)


def test_data_are_converted_once_and_forgotten_with_their_problem():
    data, points = np.arange(6.0), torch.zeros(2, 6, dtype=torch.float64)
    first = like(data, points)
    assert like(data, points) is first
    assert like(data, points.numpy()) is data
    assert namespace(first) is torch
    held = len(_converted)
    del data
    assert len(_converted) == held - 1


def test_an_unknown_or_absent_device_is_refused():
    with pytest.raises(BadValue, match="backend"):
        Plan(backend="jax")
    with pytest.raises(WrongPlan, match="numpy computes on the cpu"):
        Plan(device=FAKE)
    absent = "cuda:99" if torch.cuda.is_available() else "cuda"
    for device in (absent, "no such device"):
        with pytest.raises(WrongPlan, match="torch cannot use it") as refused:
            run(*_smallest(), replicates=1, seed=0, stream="x", plan=Plan(backend="torch", device=device))
        assert "\n" not in str(refused.value)


def _smallest():
    return "gradient_descent", PROBLEMS[0], gradient_descent.Settings(start=START, steps=1, step=0.5)


def test_a_numpy_run_never_loads_torch():
    code = (
        "import sys\nfrom synthetic import run\nfrom synthetic.problems import quadratic\n"
        "from synthetic.algorithms import dp_fedavg\n"
        "s = dp_fedavg.Settings(start=(1.0,) * 4, rounds=2, local_steps=2, local_step=0.1,"
        " clip_threshold=1.0, clients_per_round=2, noise_scale=0.1)\n"
        "run('dp_fedavg', quadratic.small(), s, replicates=3, seed=0, stream='x')\n"
        "print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
