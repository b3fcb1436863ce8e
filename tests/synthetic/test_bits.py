"""The bits of a replicate: a function of its data, its numbers, its place and the plan, on any processor.

No habit of a library is tested. What is ours is the shape of every product: `arithmetic.multiply` is the
one place where a library multiplies in a round, so it is replaced by a library whose order of summation
depends on every size, as those of OpenBLAS with AVX-512 do, and the runs must not notice.
"""

import ast
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from every_algorithm import WITHOUT_REPLICATES, examples_from

import synthetic
from synthetic import Plan, run
from synthetic.batched_configurations import run_grid
from synthetic.engine import accelerated, arithmetic, client_vectors
from synthetic.oracles import Minibatch
from synthetic.participation import Full
from synthetic.problems import huber, log_sum_exp, logistic, quadratic, softmax
from synthetic.problems.linear_models import model
from synthetic.run import algorithm_names

# a count near MOST takes as long as MOST itself
COUNTS = (1, 3, 64, 65, *((1000,) if os.environ.get("EVERY_EXAMPLE") else ()))
MOST = 1024
PLANS = (
    Plan(),
    Plan(rows=4, block=64),
    Plan(rows=64, block=128, threads=2),
    Plan(rows=256, block=512, noise="together"),
)
TORCH = (Plan(exponentials="torch"), Plan(backend="torch", block=64), Plan(backend="torch", rows=64))

random = np.random.default_rng(7)
LOW_RANK = quadratic.low_rank(
    random.standard_normal((60, 23, 20)) / 6, random.standard_normal((60, 23))
)  # 1,200 coefficients a row: two panels
PROBLEMS = {
    "low rank": LOW_RANK,
    "dense": quadratic.small(clients=9, dimension=7),
    "logistic": logistic.small(clients=4, samples=11, dimension=6),
    "softmax": softmax.small(),
    "huber": huber.small(clients=9, dimension=3),
    "log_sum_exp": log_sum_exp.small(),
}
LISTINGS = examples_from(0)


def library(rows, matrix):
    """A product whose order of summation depends on every size, and at the edges on the row."""
    count, inner, columns = rows.shape[-2], rows.shape[-1], matrix.shape[-1]
    shapes.append((count, inner, columns))
    forth = rows @ matrix
    back = np.ascontiguousarray(rows[..., ::-1]) @ np.ascontiguousarray(matrix[..., ::-1, :])
    if (count * inner * columns) % 7 < 4:
        forth, back = back, forth
    product = np.where(np.isfinite(forth), forth, back)
    edge = count - count % 3 - 1
    product[..., edge:, :] = back[..., edge:, :]
    return product


shapes = []


def starts(problem, count=MOST):
    return np.random.default_rng(11).standard_normal((MOST, problem.dimension))[:count]


def settings_of(listing, problem, count):
    return replace(LISTINGS[listing], start=starts(problem, count))


def measured(listing, problem, count, plan, **more):
    asked = {"replicates": count, "seed": 4, "stream": "bits", "plan": plan} | more
    return run(listing, problem, settings_of(listing, problem, count), **asked)


def assert_same_rows(one, whole, count):
    for name, values in one.measurements.items():
        # a run that ends by what it measures is as long as its longest replicate
        among = whole.measurements[name][:count, : values.shape[1]]
        np.testing.assert_array_equal(values, among, err_msg=name)
    np.testing.assert_array_equal(one.final_state, whole.final_state[:count])
    np.testing.assert_array_equal(one.diverged_round, whole.diverged_round[:count])


@pytest.fixture
def other_library(monkeypatch):
    for module in (arithmetic, model):
        monkeypatch.setattr(module, "multiply", library)
    shapes.clear()


def test_every_algorithm_is_asked():
    assert set(LISTINGS) == set(algorithm_names()) - WITHOUT_REPLICATES


@pytest.mark.thinned(3)
@pytest.mark.parametrize("plan", PLANS, ids=str)
@pytest.mark.usefixtures("other_library")
def test_replicates_have_the_same_bits_however_many_run_beside_them(plan):
    for listing in ("dp_fedavg", "als_dpfl"):
        assert_same_bits(listing, PROBLEMS["dense"], plan)
    assert_same_bits("dp_fedavg", LOW_RANK, plan)


@pytest.mark.thinned(3)
@pytest.mark.parametrize("listing", sorted(LISTINGS))
@pytest.mark.usefixtures("other_library")
def test_so_they_have_by_every_algorithm(listing):
    assert_same_bits(listing, PROBLEMS["dense"], Plan())


def assert_same_bits(listing, problem, plan):
    measured(listing, problem, 1, plan)  # a problem computes what it keeps once, with products of its own
    shapes.clear()
    whole = measured(listing, problem, MOST, plan)
    asked = set(shapes)
    for count in COUNTS:
        shapes.clear()
        assert_same_rows(measured(listing, problem, count, plan), whole, count)
        assert set(shapes) == asked


@pytest.mark.thinned(3)
@pytest.mark.parametrize("listing", ["fedavg", "dp_fedavg", "fed_alpha_norm_ec"])
@pytest.mark.parametrize("name", sorted(PROBLEMS.keys() - {"low rank", "dense"}))
@pytest.mark.usefixtures("other_library")
def test_so_they_have_on_every_kind_of_problem(name, listing):
    assert_same_bits(listing, PROBLEMS[name], Plan())


@pytest.mark.parametrize("replacement", [True, False])
@pytest.mark.usefixtures("other_library")
def test_so_they_have_with_samples_of_their_own(replacement, monkeypatch):
    oracle = Minibatch(size=3, replacement=replacement)
    original = LISTINGS["fedavg"]
    monkeypatch.setitem(LISTINGS, "fedavg", replace(original, oracle=oracle))
    whole = measured("fedavg", PROBLEMS["logistic"], MOST, Plan())
    for count in COUNTS:
        assert_same_rows(measured("fedavg", PROBLEMS["logistic"], count, Plan()), whole, count)


@pytest.mark.thinned(3)
@pytest.mark.parametrize("plan", TORCH, ids=str)
@pytest.mark.parametrize("name", ["low rank", "logistic", "softmax"])
def test_so_they_have_by_torch(name, plan):
    whole = measured("dp_fedavg", PROBLEMS[name], MOST, plan)
    for count in COUNTS:
        assert_same_rows(measured("dp_fedavg", PROBLEMS[name], count, plan), whole, count)


@pytest.mark.thinned(2)
@pytest.mark.parametrize("name", ["logistic", "low rank"])
def test_so_they_have_by_compiled_passes_and_in_single_precision(name):
    plans = [Plan(precision="single")]
    if accelerated.available():
        plans += [Plan(backend="numba"), Plan(backend="numba", normals="single")]
    for plan in plans:
        whole = measured("dp_fedavg", PROBLEMS[name], MOST, plan)
        for count in COUNTS:
            assert_same_rows(measured("dp_fedavg", PROBLEMS[name], count, plan), whole, count)


@pytest.mark.thinned(2)
@pytest.mark.parametrize("name", ["low rank", "logistic"])
@pytest.mark.usefixtures("other_library")
def test_what_is_cut_threaded_or_observed_besides_changes_no_bit(name):
    observe = ["gap", "state", "gap/replicate_mean", "gap/replicate_mean/running_minimum/last"]
    plain = measured("dp_fedavg", PROBLEMS[name], 1000, Plan(block=1024), observe=observe)
    more = [*observe, "client_update_norm", "clipped"]
    others = [
        measured("dp_fedavg", PROBLEMS[name], 1000, plan, observe=asked)
        for plan in (Plan(block=64), Plan(block=192, threads=2), Plan(block=320))
        for asked in (observe, more)
    ]
    for other in others:
        for request in observe:
            np.testing.assert_array_equal(other.measurements[request], plain.measurements[request])


@pytest.mark.usefixtures("other_library")
def test_a_configuration_of_a_batch_has_the_bits_of_its_own_run():
    problem, asked = LOW_RANK, {"replicates": 6, "seed": 1, "stream": "bits", "plan": Plan(rows=8)}
    several = [replace(settings_of("dp_fedavg", problem, 6), local_step=step) for step in (0.05, 0.1, 0.2)]
    for made, trace in zip(several, run_grid("dp_fedavg", problem, several, **asked), strict=True):
        assert_same_rows(run("dp_fedavg", problem, made, **asked), trace, 6)


def test_a_product_of_as_many_rows_as_there_are_is_caught(monkeypatch):
    """The planted defect: with the rows that there are, the promise depends on the library."""
    monkeypatch.setattr(client_vectors, "stacked_product", library)
    few, whole = (measured("dp_fedavg", LOW_RANK, count, Plan()) for count in (3, MOST))
    with pytest.raises(AssertionError):
        assert_same_rows(few, whole, 3)


def test_clients_at_rest_stay_there_whatever_the_library_does(monkeypatch):
    for module in (arithmetic, model):
        monkeypatch.setattr(module, "multiply", library)
    for client in (0, 7, 59):
        made = replace(LISTINGS["dp_norm_fedavg"], start=LOW_RANK.centers[client], participation=Full())
        asked = {"replicates": 65, "seed": 1, "stream": "rest", "observe": ["client_update_norm"]}
        lengths = run("dp_norm_fedavg", LOW_RANK, made, **asked).measurements["client_update_norm"][:, 0]
        assert (lengths[:, client] == 0).all()
        assert (np.delete(lengths, client, axis=1) > 0).all()


# Matrix products elsewhere are made once for a problem, whatever is run on it, or outside of runs.
ONCE = {
    "certified/balls.py": "certified enclosures",
    "certified/enclosures.py": "eigenvalues of the data",
    "engine/arithmetic.py": "the one place, and exact fractions",
    "moments/fedavg.py": "moments, without replicates",
    "outside/false_gradients.py": "an author's claims, before any run",
    "moments/gradient_descent.py": "moments, without replicates",
    "problems/_log_sum_exp_constants.py": "constants of the data",
    "problems/_through_points.py": "one point at a time, in sizes of the data alone",
    "problems/least_squares.py": "data that are made up",
    "problems/linear_models/constants.py": "constants of the data",
    "problems/linear_models/infimum.py": "minima of the data",
    "problems/linear_models/objective.py": "minima of the data",
    "problems/linear_models/spread.py": "constants of the data",
    "problems/logistic.py": "data that are made up",
    "problems/quadratic.py": "data that are made up",
    "problems/quadratics/curvature.py": "matrices of the data",
    "problems/softmax.py": "data that are made up",
}
PRODUCTS = {"matmul", "dot", "einsum", "tensordot", "inner", "mm", "bmm", "addmm", "baddbmm"}


def products_in(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.MatMult):
            yield node.lineno
        if isinstance(node, ast.Attribute) and node.attr in PRODUCTS:
            yield node.lineno


def test_no_round_multiplies_anywhere_else():
    folder = Path(synthetic.__file__).parent
    found = {
        path.relative_to(folder).as_posix()
        for path in sorted(folder.rglob("*.py"))
        if any(products_in(ast.parse(path.read_text(encoding="utf-8"))))
    }
    assert found == set(ONCE)
