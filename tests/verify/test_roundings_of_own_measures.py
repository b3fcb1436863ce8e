"""What an author adds up in an observable is rounded, also where no product is disturbed.

Twenty clients hold the same point, and their distance from its mean is 0 but for the mean of twenty floats: a
few last bits, which recur at many points. Without a step the bound is 0 as well.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from strangers import enter, paper, state
from sympy import Expr

from bounds import discovery
from bounds.language.assumptions import CONVEX_CLIENTS, LIPSCHITZ_CLIENTS
from bounds.language.dimension import F, X
from bounds.language.part import constant, setting
from bounds.language.quantity import NATURAL, POSITIVE, Notation, Over
from bounds.language.statement import Statement, Term
from synthetic.engine.disturbance import disturbed
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from synthetic.outside.states import read_only, shifted
from verify.cell import Cell
from verify.falsify.fresh_run import confirm_run, instance_of

NOTATION = Notation()
eta, n = enter(NOTATION, "eta", "n")
K = NOTATION.quantity("K", "K", "rounds", NATURAL, part=setting("rounds"))
G = NOTATION.quantity("G", "G", "Lipschitz", POSITIVE, F / X, part=constant("lipschitz"))
apart = NOTATION.observable("apart", "a", "from the mean", X**2, Over.LAST, measured="apart")
PAPER = paper("mixed", NOTATION)
CLIENTS, START = 20, -15.52147158327111


def begin(x0: Any, clients: Any, settings: Any) -> Any:
    return {"points": np.repeat(x0[:, None], len(clients), axis=1)}


def own_steps(at: Any, clients: Any, settings: Any, random: Any) -> Any:
    return {"points": at["points"] - settings.step * clients.gradients(at["points"])}


def measure(at: Any, clients: Any, settings: Any) -> Any:
    return ((at["points"] - at["points"].mean(axis=1, keepdims=True)) ** 2).sum(axis=(1, 2))


def stated(bound: Expr) -> Statement:
    algorithm = Algorithm(
        round=own_steps,
        begin=begin,
        iterate=lambda at: at["points"].mean(axis=1),
        settings={"step": REQUIRED},
        observables={"apart": measure},
        batched=True,
    )
    example = {"eta": 0.1, "K": 3, "G": 1, "n": CLIENTS}
    of = state(
        PAPER,
        apart,
        Term("steps", bound, "steps of length eta G"),
        assumptions=(CONVEX_CLIENTS, LIPSCHITZ_CLIENTS),
        example={name: example[name] for name in (s.name for s in bound.free_symbols)},
    )
    return discovery.adopt(replace(of, algorithm=adopt(algorithm)))


def refutes(
    statement: Statement, rounds: int, centers: list[list[float]], start: float = START, seed: int = 1
) -> bool:
    arguments = {"curvature": 0.0855, "threshold": 1.336, "centers": centers}
    values = {"G": 0.115, "n": CLIENTS, "K": rounds, "eta": 0.0037}
    cell = Cell(
        statement=statement.id,
        variant=statement.variant,
        role="x",
        problem="huber.huber",
        problem_arguments=arguments,
        algorithm=str(statement.algorithm),
        parameters={name: values[name] for name in statement.example},
        engine={"start": [start]},
    )
    return confirm_run(statement, instance_of(cell, seed), 1e-7).refutes


ALIKE = [[0.0]] * CLIENTS
BOUND = (eta * K * G) ** 2 * n


def test_the_rounding_of_a_mean_refutes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    statement = stated(BOUND)
    assert not refutes(statement, 0, ALIKE)
    # the planted defect: an observable sees what no rounding moves
    monkeypatch.setattr("synthetic.outside.execution.shifted", read_only)
    assert refutes(statement, 0, ALIKE, seed=2)  # a run that is not kept yet


def test_clients_that_are_apart_refute_a_bound_that_is_too_small() -> None:
    pulled = [[(-1.0) ** i] for i in range(CLIENTS)]
    assert not refutes(stated(BOUND), 3, pulled, 0.3)
    assert refutes(stated(BOUND / 1000), 3, pulled, 0.3)


def test_whole_numbers_and_what_is_no_float_are_seen_as_they_are() -> None:
    count, flags = np.arange(5.0), np.array([True, False])
    at = {"count": count, "flags": flags, "k": 3, "t": 2.0, "chosen": (1, 2), "x": np.array([0.1, 7.0])}
    with disturbed():
        seen = shifted(at)
        tensor = shifted(torch.tensor([0.1, 7.0], dtype=torch.float64))
        share = shifted(0.3)
    assert np.array_equal(seen["count"], count)
    assert np.array_equal(seen["flags"], flags)
    assert (seen["k"], seen["t"], seen["chosen"]) == (3, 2.0, (1, 2))
    for x, here in ((0.1, float(seen["x"][0])), (0.1, float(tensor[0])), (0.3, share)):
        assert 0 < abs(here - x) < 1e-14
    assert seen["x"][1] == float(tensor[1]) == 7.0
