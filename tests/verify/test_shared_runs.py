"""A run of an author's algorithm is made once for all statements that ask for it."""

from collections.abc import Iterator
from typing import Any

import pytest
from strangers import enter, paper
from sympy import Rational

from bounds import discovery
from bounds.language.assumptions import SMOOTH_CLIENTS
from bounds.language.dimension import X
from bounds.language.finding import Verdict
from bounds.language.quantity import Notation, Over
from bounds.language.statement import Kind, Statement, Term
from synthetic.errors import AuthorMistake
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from verify.cell import Cell
from verify.matching.measurements import shared_runs as shared
from verify.runs import check
from verify.runs.check import CellResult, run_cell
from verify.runs.judge import Interval, Judged
from verify.runs.rounding import TURNS

NOTATION = Notation()
K, eta, D = enter(NOTATION, "K", "eta", "D")
distance = NOTATION.observable("far", "f", "", X**2, Over.LAST, measured="squared_distance")
PAPER = paper("shared", NOTATION)


@pytest.fixture(autouse=True)
def calls() -> Iterator[list[int]]:
    """The number of calls of the round, and a memory that holds nothing else."""
    shared._measured.clear()
    made: list[int] = []

    def walk(x: Any, clients: Any, settings: Any, random: Any) -> Any:
        made.append(1)
        return x - settings.step * (clients.gradient(x) + random.uniform(-1, 1, x.shape))

    adopt(Algorithm(round=walk, settings={"step": REQUIRED}))
    yield made
    shared._measured.clear()


def stated(name: str, factor: Any) -> Statement:
    return discovery.adopt(
        Statement(
            locator=name,
            kind=Kind.UPPER_BOUND,
            paper=PAPER,
            title="",
            algorithm="here.walk",
            printed=("x",),
            reading="",
            left=distance,
            terms=(Term("start", factor * D**2, ""),),
            assumptions=(SMOOTH_CLIENTS,),
            example={"K": 2, "D": 2},
        )
    )


def judged(statement: Statement, step: float = 0.1, seed: int = 1, replicates: int = 128) -> CellResult:
    cell = Cell(
        statement=statement.id,
        variant=statement.variant,
        algorithm="here.walk",
        role="heterogeneous",
        problem="quadratic.small",
        problem_arguments={"clients": 2, "dimension": 2, "seed": 1},
        parameters={"K": 2, "D": 3.0},
        engine={"start": [1.0, 1.0], "step": step},
    )
    return run_cell(cell, level=1e-5, seed=seed, replicates=replicates)


def test_a_twin_makes_no_call_of_its_own(calls: list[int]) -> None:
    """The same numbers, another verdict, and as if the twin were alone."""
    true, called = judged(stated("theorem", 10)), len(calls)
    twin = judged(stated("twin", Rational(1, 10**6)))
    assert called > 2 * 128
    assert len(calls) == called
    assert (true.verdict, twin.verdict) == (Verdict.HOLDS, Verdict.VIOLATED)
    assert true.measured is not None
    assert twin.measured is not None
    assert twin.measured.estimate == true.measured.estimate
    shared._measured.clear()
    assert judged(stated("twin", Rational(1, 10**6))) == twin
    assert len(calls) == 2 * called


def test_what_differs_in_the_run_is_run(calls: list[int]) -> None:
    theorem = stated("theorem", 10)
    first = judged(theorem)
    for other in ({"step": 0.2}, {"seed": 2}, {"replicates": 192}):
        called = len(calls)
        again = judged(theorem, **other)
        assert len(calls) > called
        assert again.measured != first.measured


def test_an_algorithm_that_takes_a_name_is_run_itself(calls: list[int]) -> None:
    first = judged(stated("theorem", 10))

    def walk(x: Any, clients: Any, settings: Any, random: Any) -> Any:
        return x + random.uniform(0, 1, x.shape)

    adopt(Algorithm(round=walk, settings={"step": REQUIRED}))
    again = judged(stated("theorem", 10))
    assert first.measured is not None
    assert again.measured is not None
    assert abs(again.measured.estimate - first.measured.estimate) > 0.1


def test_a_round_that_draws_nothing_is_run_once_and_again_for_its_roundings(calls: list[int]) -> None:
    def walk(x: Any, clients: Any, settings: Any, random: Any) -> Any:
        calls.append(1)
        return x - settings.step * clients.gradient(x)

    adopt(Algorithm(round=walk, settings={"step": REQUIRED}))
    found = judged(stated("theorem", 10))
    assert found.verdict is Verdict.HOLDS
    pure, rounds, verdict_under_rounding = 2, 2, 1
    assert len(calls) == pure + rounds * (1 + verdict_under_rounding + TURNS)


def test_a_mistake_in_a_longer_run_undoes_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first run leans against its bound, and the author's function breaks in a later replicate."""
    interval = Interval(estimate=0.3, lower=-0.1, upper=None)
    leaning = Judged(
        measured=interval, excess=interval, verdict=Verdict.INCONCLUSIVE, method="", sentence="leans"
    )

    def judge(bound: Any, run: Any, replicates: int, level: float) -> Judged:
        if replicates > 128:
            raise AuthorMistake(
                asked="run", failed="a rare draw", found="0/0", needed="a number", change="it"
            )
        return leaning

    monkeypatch.setattr(check, "judge", judge)
    found = judged(stated("theorem", 10))
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.replicates == 128
    assert "a run of more replicates broke off: " in found.sentence
    assert "a rare draw" in found.sentence
