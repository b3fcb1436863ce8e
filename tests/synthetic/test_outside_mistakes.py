"""Every mistake in an author's round is one sentence that names file, line and contract."""

import math
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import numpy as np
import pytest
from rounds_from_outside import NOISY, START, descent, states, traced

from synthetic import Plan
from synthetic.errors import (
    AuthorMistake,
    NotDeterministic,
    WrongPlan,
)
from synthetic.outside.algorithm import Algorithm
from synthetic.outside.calls import call, limited
from synthetic.problems import build

WRONG_ROUNDS = {}


def expect(message):
    """Note what is said of the round that follows."""

    def note(function):
        WRONG_ROUNDS[function] = message
        return function

    return note


@expect("IndexError")
def raising(state, clients, settings, random):
    return state / clients[7].value(state)


@expect("SystemExit")
def leaving(state, clients, settings, random):
    sys.exit(0)


@expect("found None")
def nothing(state, clients, settings, random):
    state += 1.0


@expect("float32")
def narrow(state, clients, settings, random):
    return state.astype(np.float32)


@expect("int64")
def use_whole(state, clients, settings, random):
    return state.astype(int)


@expect("object")
def objects(state, clients, settings, random):
    return state.astype(object)


@expect("list")
def listed(state, clients, settings, random):
    return state.tolist()


@expect(r"\(2,\)")
def short(state, clients, settings, random):
    return state[:2]


@expect("NaN of a finite state")
def nan(state, clients, settings, random):
    return state * np.nan


@expect("two results")
def elsewhere(state, clients, settings, random):
    return state + np.random.normal()  # noqa: NPY002  # what an author may do


@expect("did you mean step")
def misspelled(state, clients, settings, random):
    return state * settings.stepp


@expect("wrong shape")
def wide_point(state, clients, settings, random):
    return clients[0].gradient(state[None])


@expect("without x")
def no_x(state, clients, settings, random):
    return {"y": state}


@expect("state\\['m'\\]")
def narrow_memory(state, clients, settings, random):
    return {"x": state["x"] if isinstance(state, dict) else state, "m": np.zeros(4, np.float32)}


@pytest.mark.parametrize(
    ("function", "message"), WRONG_ROUNDS.items(), ids=lambda v: getattr(v, "__name__", "")
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


def run_here(work):
    work()


def run_in_a_thread(work):
    """As a worker of Dask does."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(work).result()


@pytest.mark.parametrize("where", [run_here, run_in_a_thread])
def test_a_call_that_hangs_is_ended(where):
    def hanging(state, clients, settings, random):
        while True:
            try:
                time.sleep(0.01)
            except Exception:
                continue

    begun = time.monotonic()
    with pytest.raises(AuthorMistake, match=r"longer than 0\.3 seconds"):
        where(lambda: traced(Algorithm(round=hanging, seconds=0.3)))
    assert time.monotonic() - begun < 10


@pytest.mark.parametrize("where", [run_here, run_in_a_thread])
def test_short_calls_may_take_long_together(where):
    def slow(state, clients, settings, random):
        time.sleep(0.1)
        return state

    found = []
    where(lambda: found.append(traced(Algorithm(round=slow, seconds=0.3), rounds=6).drew))
    assert found == [False]


def test_an_interruption_that_comes_late_is_a_sentence_or_nothing():
    """Calls that end as their time does: no other exception leaves the limit, and none comes after it."""

    def work():
        for _ in range(300):
            with suppress(AuthorMistake), limited(0.001):
                call("x", time.sleep, 0.00101)

    run_in_a_thread(work)


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
