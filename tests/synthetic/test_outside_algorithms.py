"""An author's round, run by name: against loops by hand, the same bits however cut, and mistakes named."""

import math
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch

from synthetic import Plan, run
from synthetic.errors import (
    AmbiguousName,
    AuthorMistake,
    BadValue,
    BrokenPackage,
    NotDeterministic,
    UnknownAlgorithm,
    WrongPlan,
    WrongSettings,
)
from synthetic.outside import algorithms, packages, problems
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt, outside_names
from synthetic.outside.settings import make_settings
from synthetic.participation import Full
from synthetic.problems import build
from synthetic.run import runnable

PROBLEM = build("quadratic.small", clients=3, dimension=4)
START = np.array([1.0, -2.0, 0.5, 3.0])


def average(state, clients, settings, random):
    """FedAvg with full participation."""
    models = []
    for client in clients:
        x = state
        for _ in range(settings.local_steps):
            x = x - settings.local_step * client.gradient(x)
        models.append(x)
    return np.mean(models, axis=0)


def begin_scaffold(x0, clients, settings):
    return {"x": x0, "server": np.zeros_like(x0), "controls": np.zeros((len(clients), len(x0)))}


def scaffold(state, clients, settings, random):
    x, server, controls = state["x"], state["server"], state["controls"]
    local = np.tile(x, (len(clients), 1))
    for _ in range(settings.local_steps):
        local = local - settings.local_step * (clients.gradients(local) - controls + server)
    new = controls - server + (x - local) / (settings.local_steps * settings.local_step)
    return {
        "x": x + (local - x).mean(axis=0),
        "server": server + (new - controls).mean(axis=0),
        "controls": new,
    }


def noisy(state, clients, settings, random):
    return state - settings.step * (clients.gradient(state) + settings.noise * random.standard_normal(4))


def noisy_rows(state, clients, settings, random):
    noise = settings.noise * random.standard_normal((64, 4))
    return state - settings.step * (clients.gradient(state) + noise)


def descent(state, clients, settings, random):
    return state - settings.step * clients.gradient(state)


def descent_in_torch(state, clients, settings, random):
    return state - settings.step * clients.gradients(state).mean(dim=0)


def noisy_in_torch(state, clients, settings, random):
    noise = torch.randn(4, generator=random, dtype=torch.float64)
    return state - settings.step * (clients.gradient(state) + noise)


LOCAL = {"local_step": 0.2, "local_steps": 3}
NOISY = {"step": 0.1, "noise": 0.5}


def traced(algorithm, *, replicates=1, rounds=5, start=START, problem=PROBLEM, observe=("state",), **options):
    name, plan = adopt(algorithm), options.pop("plan", None)
    made = make_settings(name, runnable(name).settings, {"start": start, "rounds": rounds, **options})
    observed = None if observe is None else list(observe)
    return run(name, problem, made, replicates=replicates, seed=3, stream="a", observe=observed, plan=plan)


def states(*arguments, **options):
    return traced(*arguments, **options).measurements["state"]


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


# mistakes


def rounds_that_are_wrong():
    def raising(state, clients, settings, random):
        return state / clients[7].value(state)

    def leaving(state, clients, settings, random):
        sys.exit(0)

    def nothing(state, clients, settings, random):
        state += 1.0

    def narrow(state, clients, settings, random):
        return state.astype(np.float32)

    def whole(state, clients, settings, random):
        return state.astype(int)

    def objects(state, clients, settings, random):
        return state.astype(object)

    def listed(state, clients, settings, random):
        return state.tolist()

    def short(state, clients, settings, random):
        return state[:2]

    def nan(state, clients, settings, random):
        return state * np.nan

    def elsewhere(state, clients, settings, random):
        return state + np.random.normal()  # noqa: NPY002  # what an author may do

    def misspelled(state, clients, settings, random):
        return state * settings.stepp

    def wide_point(state, clients, settings, random):
        return clients[0].gradient(state[None])

    def no_x(state, clients, settings, random):
        return {"y": state}

    def narrow_memory(state, clients, settings, random):
        return {"x": state["x"] if isinstance(state, dict) else state, "m": np.zeros(4, np.float32)}

    return {
        raising: "IndexError",
        leaving: "SystemExit",
        nothing: "found None",
        narrow: "float32",
        whole: "int64",
        objects: "object",
        listed: "list",
        short: r"\(2,\)",
        nan: "NaN of a finite state",
        elsewhere: "two results",
        misspelled: "did you mean step",
        wide_point: "wrong shape",
        no_x: "without x",
        narrow_memory: "state\\['m'\\]",
    }


@pytest.mark.parametrize(
    ("function", "message"), rounds_that_are_wrong().items(), ids=lambda v: getattr(v, "__name__", "")
)
def test_a_mistake_names_file_line_and_contract(function, message):
    with pytest.raises(AuthorMistake, match=message) as caught:
        traced(Algorithm(round=function, settings={"step": 0.1}))
    assert f"{__file__}, line " in str(caught.value)
    assert "\n" not in str(caught.value)
    line = int(str(caught.value).split(", line ")[1].split(")")[0])
    assert abs(line - function.__code__.co_firstlineno) <= 2


def test_the_line_of_an_exception_is_the_last_of_the_author():
    def deep(state, clients, settings, random):
        return inner(state)

    def inner(state):
        return np.linalg.cholesky(-np.eye(2))

    with pytest.raises(AuthorMistake, match=f"line {inner.__code__.co_firstlineno + 1}"):
        traced(Algorithm(round=deep))


def test_a_call_that_hangs_is_ended():
    def hanging(state, clients, settings, random):
        while True:
            try:
                time.sleep(0.01)
            except Exception:
                continue

    begun = time.monotonic()
    with pytest.raises(AuthorMistake, match=r"longer than 0\.3 seconds"):
        traced(Algorithm(round=hanging, seconds=0.3))
    assert time.monotonic() - begun < 10


def test_short_calls_may_take_long_together():
    def slow(state, clients, settings, random):
        time.sleep(0.1)
        return state

    assert traced(Algorithm(round=slow, seconds=0.3), rounds=6).drew is False


def test_writing_into_the_state_harms_nothing():
    def in_place(state, clients, settings, random):
        state -= 0.1 * clients.gradient(state)
        state += random.standard_normal(4)
        return state

    start = START.copy()
    found = states(Algorithm(round=in_place), replicates=70, start=start)
    np.testing.assert_array_equal(start, START)
    np.testing.assert_array_equal(found[0, 0], START)
    np.testing.assert_array_equal(found[:3], states(Algorithm(round=in_place), replicates=3))


def test_a_buffer_that_is_returned_again_and_again_harms_nothing():
    buffer = np.zeros(4)

    def buffered(state, clients, settings, random):
        buffer[:] = state + random.standard_normal(4)
        return buffer

    found = states(Algorithm(round=buffered), replicates=3)
    assert len(np.unique(found[:, 1, 0])) == 3
    np.testing.assert_array_equal(found[0], states(Algorithm(round=buffered))[0])


def test_an_observable_cannot_change_the_run():
    def greedy(state, clients, settings):
        state += 1.0
        return 0.0

    with pytest.raises(AuthorMistake, match="read-only"):
        traced(Algorithm(round=descent, settings=NOISY, observables={"greedy": greedy}), observe=["greedy"])


@pytest.mark.parametrize("value", ["word", None, [1.0, 2.0], 1j, object()])
def test_an_observable_is_a_number(value):
    algorithm = Algorithm(round=descent, settings=NOISY, observables={"own": lambda *_: value})
    with pytest.raises(AuthorMistake, match="one real number"):
        traced(algorithm, observe=["own"])


@pytest.mark.parametrize("rows", [False, True])
def test_divergence_is_recorded_and_is_no_mistake(rows):
    algorithm = Algorithm(round=descent, settings={"step": 1e60}, batched=rows)
    trace = traced(algorithm, rounds=20, replicates=2, observe=["gap", "state"])
    assert (trace.diverged_round > 0).all()
    assert np.isinf(trace.measurements["gap"][:, -1]).all()


def test_an_overflow_of_python_is_a_divergence():
    def exponential(state, clients, settings, random):
        return state * math.exp(1000 * abs(state[0]))

    trace = traced(Algorithm(round=exponential), observe=["gap"])
    assert trace.diverged_round.tolist() == [1]


def test_one_replicate_diverges_alone():
    def sometimes(state, clients, settings, random):
        return state * (1e200 if random.random() < 0.2 else 1.0)

    trace = traced(Algorithm(round=sometimes), replicates=100, rounds=4, observe=["gap", "state"])
    gone = trace.diverged_round >= 0
    assert 0 < gone.sum() < 100
    assert np.isfinite(trace.measurements["gap"][~gone]).all()


def test_plans_and_problems_that_do_not_fit():
    algorithm = Algorithm(round=descent, settings=NOISY)
    for plan in (Plan(backend="torch"), Plan(precision="single")):
        with pytest.raises(WrongPlan, match="its own library"):
            traced(algorithm, plan=plan)
    from fractions import Fraction

    exact = build("quadratic.diagonal", curvatures=[[Fraction(1)]], centers=[[Fraction(0)]])
    with pytest.raises(NotDeterministic, match="exact"):
        traced(algorithm, problem=exact, start=[1])


# packages

ALGORITHM = """
from fedbounds import REQUIRED, Algorithm

def {name}(state, clients, settings, random):
    return state - settings.step * clients.gradient(state)

{variable} = Algorithm(round={name}, settings={{"step": REQUIRED}})
"""
PROBLEM_OF = """
import numpy as np
from fedbounds import OwnProblem

def {name}(*, clients: int = 2) -> OwnProblem:
    return OwnProblem(clients=clients, dimension=1, value=lambda i, x: x @ x, gradient=lambda i, x: 2 * x)
"""


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder on the import path; call it with a key, a package and the texts of its modules."""
    caches = (
        packages._registered,
        packages.modules_of,
        algorithms._of_package,
        algorithms._runnable,
        problems._of_package,
    )

    def install(key: str, package: str, **modules: str) -> Path:
        folder = tmp_path / package
        folder.mkdir(exist_ok=True)
        for name, text in {"__init__": "", **modules}.items():
            (folder / f"{name}.py").write_text(text, encoding="utf-8")
        info = tmp_path / f"{package}-1.0.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[fedbounds.papers]\n{key} = {package}\n")
        for cache in caches:
            cache.cache_clear()
        return folder

    monkeypatch.syspath_prepend(str(tmp_path))
    yield install
    for cache in caches:
        cache.cache_clear()
    for name in [n for n in sys.modules if n.partition(".")[0].startswith("its_")]:
        del sys.modules[name]


def test_a_package_is_found_and_run_by_name(site):
    site(
        "mine", "its_a", steps=ALGORITHM.format(name="go", variable="GO"), own=PROBLEM_OF.format(name="bowl")
    )
    assert "mine.go" in outside_names()
    settings = runnable("mine.go").settings(start=[3.0], rounds=2, step=0.25)
    trace = run("mine.go", build("mine.bowl"), settings, replicates=2, seed=0, stream="a", observe=["state"])
    assert trace.measurements["state"][0, :, 0].tolist() == [3.0, 1.5, 0.75]
    with pytest.raises(UnknownAlgorithm, match=r"did you mean mine\.go"):
        runnable("mine.goo")


def test_the_same_algorithm_in_two_modules_is_one(site):
    again = "from its_b.steps import GO"
    site("mine", "its_b", steps=ALGORITHM.format(name="go", variable="GO"), more=again, __init__=again)
    assert [name for name in outside_names() if name.startswith("mine.")] == ["mine.go"]


def test_two_algorithms_of_one_name_are_refused(site):
    text = ALGORITHM.format(name="go", variable="GO")
    site("mine", "its_c", one=text, two=text)
    with pytest.raises(AmbiguousName, match=r"mine\.go: two algorithms .*one\.py.* and .*two\.py"):
        runnable("mine.go")


def test_two_packages_of_one_key_are_refused_and_others_are_not(site):
    text = ALGORITHM.format(name="go", variable="GO")
    site("mine", "its_d", steps=text)
    site("mine", "its_e", steps=text)
    site("other", "its_f", steps=text)
    with pytest.raises(
        AmbiguousName, match=r"package mine: two installed packages .* its_(d and its_e|e and its_d)"
    ):
        runnable("mine.go")
    assert [n for n in outside_names() if not n.startswith("here.")] == ["other.go"]


@pytest.mark.parametrize("key", ["here", "quadratic"])
def test_a_key_that_is_taken(site, key):
    site(key, "its_g", steps=ALGORITHM.format(name="go", variable="GO"))
    with pytest.raises((AmbiguousName, UnknownAlgorithm)):
        runnable(f"{key}.go")
    assert build("quadratic.small").clients == 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("raise RuntimeError('half\\ndone')", "RuntimeError: half done"),
        ("import sys; sys.exit()", "SystemExit"),
        ("def f(:", "SyntaxError"),
        ("import not_there", "ModuleNotFoundError"),
    ],
)
def test_a_package_that_does_not_import_leaves_the_others_usable(site, text, message):
    site("bad", "its_h", steps=text)
    site("good", "its_i", steps=ALGORITHM.format(name="go", variable="GO"))
    with pytest.raises(BrokenPackage, match=message) as caught:
        runnable("bad.go")
    assert "steps.py, line 1" in str(caught.value)
    assert "\n" not in str(caught.value)
    with pytest.raises(BrokenPackage):
        build("bad.bowl")
    assert "good.go" in outside_names()
    assert runnable("good.go").outside


def test_a_builder_that_fails_is_its_authors(site):
    text = PROBLEM_OF.format(name="bowl").replace("return Own", "1 / 0\n    return Own")
    site("mine", "its_j", own=text)
    with pytest.raises(AuthorMistake, match=r"own\.py, line 6.*ZeroDivisionError"):
        build("mine.bowl")


def test_a_builder_that_hangs_is_ended(site, monkeypatch):
    monkeypatch.setattr(problems, "SECONDS", 0.3)
    text = PROBLEM_OF.format(name="bowl").replace("return Own", "while True: pass\n    return Own")
    site("mine", "its_k", own=text)
    with pytest.raises(AuthorMistake, match=r"own\.py, line 6.*longer than 0\.3 seconds"):
        build("mine.bowl")


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
