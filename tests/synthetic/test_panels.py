"""Clients in panels, and the passes that the extra `fast` compiles: the same numbers as without either."""

import os
import subprocess
import sys

import numpy as np
import pytest

from synthetic import Plan, run
from synthetic.algorithms import _averaging, dp_fedavg, dp_norm_fedavg
from synthetic.batched_configurations import run_grid
from synthetic.engine import accelerated, client_vectors
from synthetic.engine.client_vectors import InPanels, InSpans
from synthetic.errors import WrongPlan
from synthetic.participation import FixedSize, Full, Independent
from synthetic.problems import logistic, quadratic
from synthetic.problems.quadratics import local_pass, spectrum

CLIENTS, DIMENSION, RANK, REPLICATES = 120, 30, 10, 192
random = np.random.default_rng(5)
# 1,200 coefficients a row: two panels, the second one smaller
PROBLEM = quadratic.low_rank(
    random.standard_normal((CLIENTS, DIMENSION, RANK)) / 6, random.standard_normal((CLIENTS, DIMENSION))
)
STARTS = random.standard_normal((REPLICATES, DIMENSION))
COMPILED = Plan(backend="numba")


def averaging(**changed):
    made = {"start": STARTS, "rounds": 4, "local_steps": 5, "local_step": 0.1, "noise_scale": 0.05}
    return made | {"clients_per_round": CLIENTS / 2, "clip_threshold": 1.5} | changed


def clipped(**changed):
    return "dp_fedavg", dp_fedavg.Settings(**averaging(**changed))


def scaled(**changed):
    made = averaging(**changed)
    return "dp_norm_fedavg", dp_norm_fedavg.Settings(update_length=made.pop("clip_threshold"), **made)


def ran(name, made, observe=("gap", "state"), problem=PROBLEM, **more):
    asked = {"replicates": REPLICATES, "seed": 1, "stream": "panels", "observe": list(observe)} | more
    return run(name, problem, made, **asked)


@pytest.fixture
def divided(monkeypatch):
    """How many panels were made."""
    made, original = [], _averaging.updates_to_sum

    def watched(*args, **kwargs):
        updates = original(*args, **kwargs)
        made.append(len(updates.panels) if isinstance(updates, InPanels) else 0)
        return updates

    monkeypatch.setattr(_averaging, "updates_to_sum", watched)
    return made


@pytest.mark.thinned(3)
@pytest.mark.parametrize("rule", [Full(), Independent(probability=0.3), FixedSize(count=7)])
@pytest.mark.parametrize("algorithm", [clipped, scaled])
@pytest.mark.parametrize("plan", [Plan(), COMPILED], ids=["numpy", "numba"])
def test_a_sum_in_panels_is_the_sum(algorithm, rule, plan, divided, monkeypatch):
    _needs(plan)
    name, made = algorithm(participation=rule)
    in_panels = ran(name, made, plan=plan)
    assert divided == [2] * 4
    assert "client_update_norm" not in in_panels.measurements
    # what is observed beside it changes no bit
    observed = ran(name, made, ("gap", "state", "client_update_norm"), plan=plan)
    monkeypatch.setattr(spectrum, "COLUMNS", 10**6)
    whole = ran(name, made, plan=Plan())
    assert divided == [2] * 8 + [1] * 4
    for request in ("gap", "state"):
        found = in_panels.measurements[request]
        np.testing.assert_array_equal(found, observed.measurements[request])
        np.testing.assert_allclose(found, whole.measurements[request], rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize(
    ("rows", "dimension", "panels"), [(4, 30, 1), (4, 200, 2), (8, 200, 1), (16, 200, 2)]
)
def test_few_rows_are_multiplied_in_panels_where_these_are_not_copied(rows, dimension, panels, divided):
    factors = np.random.default_rng(8).standard_normal((CLIENTS, dimension, RANK)) / 6
    problem = quadratic.low_rank(factors, np.zeros((CLIENTS, dimension)))
    name, made = clipped(start=np.ones(dimension), rounds=1)
    ran(name, made, problem=problem, plan=Plan(rows=rows), replicates=3)
    assert divided == [panels]


def test_a_run_leaves_the_buffers_of_numpy_as_they_were():
    before = np.getbufsize()
    ran(*clipped(rounds=1))
    assert np.getbufsize() == before


@pytest.mark.parametrize("plan", [Plan(), COMPILED], ids=["numpy", "numba"])
@pytest.mark.parametrize("replicates", [1, 3, 64, REPLICATES])
def test_clients_at_rest_send_nothing(plan, replicates, divided):
    """What is not exactly zero would be stretched to its full length. The first client is elsewhere."""
    _needs(plan)
    centers = np.tile(PROBLEM.centers[3], (CLIENTS, 1))
    centers[0] = PROBLEM.centers[0]
    problem = quadratic.low_rank(PROBLEM.curvature.factors, centers)
    name, made = scaled(start=PROBLEM.centers[3], noise_scale=0, participation=Full(), rounds=1)
    whole = ran(name, made, ("client_update_norm",), problem=problem, plan=plan, replicates=replicates)
    assert (whole.measurements["client_update_norm"][:, 0, 0] > 0).all()
    assert (whole.measurements["client_update_norm"][:, 0, 1:] == 0).all()
    in_panels = ran(name, made, problem=problem, plan=plan, replicates=replicates)
    assert divided == [2, 2]
    moved = np.linalg.norm(in_panels.final_state - PROBLEM.centers[3], axis=-1)
    alone = made.local_step * made.update_length / made.clients_per_round  # what one client moves the server
    np.testing.assert_allclose(moved, alone, rtol=1e-12)


@pytest.mark.slow("large products in a process of two threads; test_bits.py has the small ones")
def test_what_was_asked_before_a_run_changes_none_of_its_bits():
    """With the threads that BLAS has outside a plan, where the machine has more than one core."""
    code = """
import numpy as np
from synthetic import run
from synthetic.algorithms import dp_norm_fedavg
from synthetic.participation import Full
from synthetic.problems import quadratic
random = np.random.default_rng(0)
factors, start = random.standard_normal((64, 300, 10)) / 20, random.standard_normal(300)
centers = np.tile(start, (64, 1))
centers[0] += 1
def ran(first):
    problem = quadratic.low_rank(factors, centers)
    if first:
        problem.local_updates(start[None], step=0.1, steps=3)
    made = dp_norm_fedavg.Settings(start=start, rounds=1, local_steps=3, local_step=0.1, update_length=1.0,
        clients_per_round=64, noise_scale=0, participation=Full())
    return run("dp_norm_fedavg", problem, made, replicates=64, seed=0, stream="x").final_state
print((ran(False) == ran(True)).all(), np.linalg.norm(ran(True)[0] - start) < 0.0016)
"""
    threads = {"OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ | threads
    )
    assert done.stdout.split() == ["True", "True"]


@pytest.mark.slow("starts workers, each of which loads torch")
def test_exponentials_by_torch_have_one_thread_in_every_worker():
    code = """
import torch
from synthetic import Plan
seen = Plan(exponentials="torch", threads=2).carried_out(lambda _: torch.get_num_threads(), [0, 1, 2, 3])
alone = Plan(exponentials="torch").carried_out(lambda _: torch.get_num_threads(), [0])
print(*sorted({*seen, *alone}))
"""
    threads = {"OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"}
    for first in ("", "import torch\n"):
        text = first + code.replace("import torch\n", "", 1).replace("torch.get", "__import__('torch').get")
        done = subprocess.run(
            [sys.executable, "-c", text], capture_output=True, text=True, check=True, env=os.environ | threads
        )
        assert done.stdout.split() == ["1"]


def test_each_client_rests_at_its_own_centre_in_its_panel():
    points = np.repeat(PROBLEM.centers, 3, axis=0)
    made = local_pass.local_updates_in_panels(PROBLEM, points, step=0.1, steps=7)
    assert isinstance(made, InPanels)
    for panel, clients in enumerate(made.panels):
        lengths = np.linalg.norm(made.of(panel).coefficients, axis=-1)
        for place, client in enumerate(range(clients.start, clients.stop)):
            at_its_centre = np.arange(3 * CLIENTS) // 3 == client
            assert (lengths[at_its_centre, place] == 0).all()
            assert (lengths[~at_its_centre, place] > 0).all()


FLAT = np.diag([2.0, 0.5, *[0.0] * (DIMENSION - 2)])


@pytest.mark.parametrize("compiled", [False, True], ids=["numpy", "numba"])
@pytest.mark.parametrize("count", [5, REPLICATES])
@pytest.mark.parametrize(
    "problem",
    [
        quadratic.low_rank(PROBLEM.curvature.factors, PROBLEM.centers, offsets=random.random(CLIENTS)),
        quadratic.small(clients=40, dimension=DIMENSION),
        quadratic.quadratic(FLAT[None], PROBLEM.centers[:1]),
    ],
    ids=["low rank", "dense", "flat directions"],
)
def test_the_value_that_comes_with_the_updates_is_the_value(problem, count, compiled):
    if compiled:
        _needs(COMPILED)
    points = STARTS[:count]
    with accelerated.passes(compiled=compiled):
        updates = local_pass.local_updates_in_panels(problem, points, step=0.1, steps=7)
        assert isinstance(updates, InPanels)
        assert updates.value is not None
        client_vectors.sum_of_taking(None, updates)
    hessians, away = problem.hessians, points[None] - problem.centers[:, None]
    bowls = np.einsum("nri,nij,nrj->nr", away, hessians, away) / 2 + problem.offsets[:, None]
    np.testing.assert_allclose(updates.value(), bowls.mean(axis=0), rtol=1e-13)


def test_no_value_comes_with_updates_that_do_not_know_it():
    """g(s) = 0 where the step times s is 2 and the steps are even: nobody moves there, but f is not flat."""
    shifted = quadratic.low_rank(PROBLEM.curvature.factors, PROBLEM.centers, shift=1.0)
    updates = local_pass.local_updates_in_panels(shifted, STARTS, step=2.0, steps=2)
    assert isinstance(updates, InPanels)
    assert updates.value is None
    single = local_pass.local_updates_in_panels(PROBLEM, STARTS.astype(np.float32), step=0.1, steps=2)
    assert isinstance(single, InPanels)
    assert single.value is None


def test_few_clients_and_products_of_few_rows_are_not_divided(divided):
    name, made = clipped(start=np.zeros(DIMENSION), participation=Full())
    few = quadratic.low_rank(PROBLEM.curvature.factors[:20], PROBLEM.centers[:20])
    ran(name, made, problem=few)
    ran(name, made, plan=Plan(rows=4))
    assert divided == [1] * 8


@pytest.mark.thinned(3)
@pytest.mark.parametrize("plan", [Plan(), COMPILED], ids=["numpy", "numba"])
@pytest.mark.parametrize("threshold", [np.inf, 30.0, 1.5], ids=["none", "few", "most"])
def test_leaving_alone_what_is_not_clipped_changes_no_bit(threshold, plan, monkeypatch):
    _needs(plan)
    name, made = clipped(clip_threshold=threshold, participation=Full())
    shares = ran(name, made, ("clipped",)).measurements["clipped"].mean(axis=(0, 2))
    assert {np.inf: max(shares) == 0, 30.0: 0 < max(shares) < 1 / 32, 1.5: min(shares) > 1 / 2}[threshold]
    chosen = ran(name, made, plan=plan)
    monkeypatch.setattr(client_vectors, "_mostly_one", lambda _: False)
    np.testing.assert_array_equal(chosen.final_state, ran(name, made, plan=plan).final_state)


def test_configurations_of_one_batch_are_divided_too(divided):
    several = [clipped(local_step=step, participation=Full())[1] for step in (0.05, 0.1, 0.15)]
    asked = {"replicates": 64, "seed": 2, "stream": "batch", "observe": ["gap"]}
    for made in several:
        object.__setattr__(made, "start", STARTS[:64])
    together = run_grid("dp_fedavg", PROBLEM, several, plan=Plan(), **asked)
    assert 2 in divided
    for made, trace in zip(several, together, strict=True):
        alone = run("dp_fedavg", PROBLEM, made, **asked)
        np.testing.assert_allclose(trace.measurements["gap"], alone.measurements["gap"], rtol=1e-11)


@pytest.mark.parametrize("spoiled", ["centred", "scaled"])
def test_a_planted_defect_of_a_compiled_pass_shows(spoiled, monkeypatch):
    _needs(COMPILED)
    original = getattr(accelerated, spoiled)

    def wrong(first, *rest, **more):
        answer = original(first, *rest, **more)
        first[:, 0, 0] += 1e-6
        return answer

    name, made = clipped(participation=Full())
    right = ran(name, made, plan=COMPILED)
    monkeypatch.setattr(accelerated, spoiled, wrong)
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(
            ran(name, made, plan=COMPILED).final_state, right.final_state, rtol=1e-11, atol=1e-12
        )


def test_compiled_passes_keep_what_is_no_number():
    _needs(COMPILED)
    raw = np.array([[[np.inf, 1.0], [np.nan, 0.0]], [[0.0, -0.0], [1e200, 1e200]]])
    places, gains = np.zeros((2, 2)), np.array([[1.0, 0.5], [1.0, 2.0]])
    expected = (raw - places) * gains
    with np.errstate(over="ignore"):
        squares = accelerated.centred(raw, places, gains)
    np.testing.assert_array_equal(raw, expected)
    np.testing.assert_array_equal(squares, [[np.inf, np.nan], [0.0, np.inf]])
    sized = accelerated.scaled(raw, np.array([[0.0, 1.0], [2.0, 0.5]]))
    np.testing.assert_array_equal(sized, [[[np.nan, 0.0], [np.nan, 0.0]], [[0.0, -0.0], [5e199, 1e200]]])


def test_compiled_lengths_are_those_of_the_vectors():
    _needs(COMPILED)
    with accelerated.passes(compiled=True):
        compiled = local_pass.local_updates(PROBLEM, STARTS, step=0.1, steps=5)
    plain = local_pass.local_updates(PROBLEM, STARTS, step=0.1, steps=5)
    assert isinstance(compiled, InSpans)
    assert compiled.squares is not None
    assert plain.squares is None
    np.testing.assert_array_equal(compiled.coefficients, plain.coefficients)
    np.testing.assert_allclose(compiled.squares, (plain.coefficients**2).sum(axis=-1), rtol=1e-14)
    assert (compiled + compiled).squares is (2 * compiled).squares is None


def test_single_precision_goes_through_the_compiled_passes_too():
    _needs(COMPILED)
    name, made = clipped(participation=Full())
    plain, compiled = (
        ran(name, made, plan=Plan(backend=backend, precision="single")) for backend in ("numpy", "numba")
    )
    assert compiled.final_state.dtype == np.float32
    np.testing.assert_allclose(compiled.final_state, plain.final_state, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("threshold", [1e-3, 1e6], ids=["all clipped", "none clipped"])
@pytest.mark.parametrize("kept", [False, True], ids=["summed", "kept"])
@pytest.mark.parametrize("problem", [PROBLEM, logistic.small(clients=4, samples=6, dimension=DIMENSION)])
def test_single_precision_stays_single_whatever_is_clipped(problem, kept, threshold):
    made = clipped(clip_threshold=threshold, participation=Full(), clients_per_round=problem.clients)[1]
    observe = ("state", "client_update_norm") if kept else ("state",)
    trace = ran("dp_fedavg", made, observe, problem=problem, plan=Plan(precision="single"))
    assert trace.final_state.dtype == np.float32


def test_without_numba_a_plan_that_needs_it_is_refused_in_one_sentence(monkeypatch):
    monkeypatch.setattr(accelerated, "available", lambda: False)
    for asked in ({"backend": "numba"}, {"normals": "single"}):
        with pytest.raises(WrongPlan, match=r"pip install 'fedbounds\[fast\]'") as refused:
            Plan(**asked)
        assert "\n" not in str(refused.value)
    Plan()


def _needs(plan):
    if plan.backend == "numba" and not accelerated.available():
        pytest.skip("the extra fast is not installed")


def test_numba_is_loaded_by_nobody_who_did_not_ask():
    modules = "synthetic, synthetic.engine.accelerated, synthetic.batched_configurations"
    code = f"import sys, {modules}; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
