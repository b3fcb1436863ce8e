"""Runs that diverge: too large where they are added, and nothing is said where they are subtracted."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from strangers import enter, paper, state

from bounds import discovery
from bounds.language.assumptions import SMOOTH_CLIENTS
from bounds.language.dimension import F, X
from bounds.language.finding import Verdict
from bounds.language.quantity import Notation, Over
from bounds.language.statement import Statement, Term
from synthetic.engine.trace import Trace
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from synthetic.problems import build
from verify.cell import Cell
from verify.falsify.confirm import confirm
from verify.falsify.fresh_run import instance_of
from verify.matching.constants.certified import Requirement, unfit
from verify.matching.linear_bound import LinearBound
from verify.matching.measurements import measures
from verify.matching.measurements.means import measure_changes
from verify.matching.measurements.measurement import Computed, Measurement, Sampled
from verify.matching.measurements.measures import Seen
from verify.objects.both_sides import _share
from verify.runs.check import CellResult, run_cell
from verify.runs.judge import Judged, judge

COUNT, LEVEL = 512, 1e-4
NAN, INF = float("nan"), float("inf")
ADDED = LinearBound(left={"o": 1.0}, right={}, constant=1.0, lowest={"o": 0.0}, highest={})
SUBTRACTED = replace(ADDED, left={"o": 1.0, "p": -0.25}, lowest={"o": 0.0, "p": 0.0}, highest={"p": INF})
ON_THE_RIGHT = replace(SUBTRACTED, left={"o": 1.0}, right={"p": 1.0})

Made = Callable[..., Measurement]


def computed(**values: float) -> Measurement:
    return Computed(
        observables={name: np.array(value) for name, value in values.items()},
        rounding=lambda: dict.fromkeys(values, 1e-9),
    )


def sampled(**values: float) -> Measurement:
    """One replicate that is so, among others that are far below the bound."""
    others = {name: np.full(COUNT, 0.25) for name in values}
    for name, value in values.items():
        others[name][17] = value
    return Sampled(observables=others)


def measure_by_rounds(**values: float) -> Measurement:
    """A computed minimum over rounds, of which the last diverges."""
    return Computed(
        observables={name: np.array([0.25, value]) for name, value in values.items()},
        rounding=lambda: dict.fromkeys(values, 1e-9),
    )


def judged_of(bound: LinearBound, measured: Measurement) -> Judged:
    return judge(bound, lambda *_: measured, COUNT, LEVEL)


@pytest.mark.parametrize("equality", [False, True])
@pytest.mark.parametrize("made", [computed, sampled, measure_by_rounds])
@pytest.mark.parametrize(
    ("bound", "values", "told"),
    [
        (ADDED, {"o": NAN}, "o, on the left, has no value in this run"),
        (SUBTRACTED, {"o": INF, "p": INF}, "p, on the left, is infinite, and subtracted"),
        (SUBTRACTED, {"o": 0.5, "p": INF}, "p, on the left, is infinite, and subtracted"),
        (ON_THE_RIGHT, {"o": INF, "p": INF}, "p, on the right, is infinite"),
        (ON_THE_RIGHT, {"o": 0.5, "p": INF}, "p, on the right, is infinite"),
        (ON_THE_RIGHT, {"o": INF, "p": NAN}, "p, on the right, has no value in this run"),
        (replace(ADDED, constant=INF), {"o": INF}, "both sides are"),
        (replace(ADDED, constant=NAN), {"o": 0.5}, "its constant part is NaN"),
        (replace(ADDED, left={"o": 0.0}), {"o": INF}, "o, on the left, has no value in this run"),
    ],
)
def test_nothing_is_said_where_a_side_has_no_value(
    bound: LinearBound, values: dict[str, float], told: str, made: Made, equality: bool
) -> None:
    judged = judged_of(replace(bound, equality=equality), made(**values))
    assert judged.verdict is Verdict.INCONCLUSIVE
    assert told in judged.sentence


@pytest.mark.parametrize("made", [computed, sampled])
@pytest.mark.parametrize("bound", [ADDED, replace(ON_THE_RIGHT, highest={"p": 10.0})])
def test_a_left_side_that_is_infinite_alone_is_violated(bound: LinearBound, made: Made) -> None:
    values = {"o": INF} | ({"p": 0.5} if bound.right else {})
    assert judged_of(bound, made(**values)).verdict is Verdict.VIOLATED
    within = dict.fromkeys(values, 0.25)
    assert judged_of(bound, made(**within)).verdict is Verdict.HOLDS


def test_a_minimum_over_rounds_is_that_of_the_rounds_before_a_run_diverges() -> None:
    assert judged_of(ADDED, measure_by_rounds(o=INF)).verdict is Verdict.HOLDS


def test_a_pilot_without_a_value_chooses_no_round() -> None:
    """Only the pilot diverges, on randomness of its own: it ended the cell with an error."""

    def run(purpose: str, count: int) -> Measurement:
        rows = np.full((2, count), 0.25)
        rows[1, 0] = NAN if purpose == "pilot" else 0.25
        return Sampled(observables={"o": rows}, ceiling=np.full(2, 0.5))

    judged = judge(ADDED, run, COUNT, LEVEL)
    assert judged.verdict is Verdict.INCONCLUSIVE
    assert "has no value" in judged.sentence


@pytest.mark.parametrize(
    ("one", "other", "changed"),
    [
        ([INF], [INF], 0.0),  # both overflow: they agree
        ([INF], [1.0], INF),
        ([1.0], [INF], INF),
        ([NAN], [NAN], INF),  # was 0, as if two runs without a value agreed
        ([1.0, INF], [1.5, INF], 0.5),
    ],
)
@pytest.mark.parametrize("observables", [1, 2])
def test_what_a_disturbed_run_changes(
    one: list[float], other: list[float], changed: float, observables: int
) -> None:
    names = [f"o{number}" for number in range(observables)]
    found = measure_changes(
        dict.fromkeys(names, np.array(one)), dict.fromkeys(names, np.array(other)), dict.fromkeys(names, 0.0)
    )
    assert found == dict.fromkeys(names, changed)


# ---- from the statement on

NOTATION = Notation()
K, eta, D = enter(NOTATION, "K", "eta", "D")
gap = NOTATION.observable("gap", "g", "", F, Over.LAST, measured="gap")
distance = NOTATION.observable("far", "f", "", X**2, Over.LAST, measured="squared_distance")
PAPER = paper("diverging", NOTATION)


def blow_up(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x + settings.step * 1e160 * clients.gradient(x)


def blow_up_with_noise(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return blow_up(x + 1e-9 * random.standard_normal(x.shape), clients, settings, random)


def stated_of(left: Any, round: Any) -> tuple[Statement, Cell]:
    adopt(Algorithm(round=round, settings={"step": REQUIRED}))
    algorithm = f"here.{round.__name__}"
    start = Term("start", D**2, "")
    example = {"K": 4, "eta": 1, "D": 2}
    more: dict[str, Any] = {"algorithm": algorithm, "assumptions": (SMOOTH_CLIENTS,), "example": example}
    statement = discovery.adopt(state(PAPER, left, start, **more))
    cell = Cell(
        statement=statement.id,
        variant=statement.variant,
        algorithm=algorithm,
        role="heterogeneous",
        problem="quadratic.small",
        problem_arguments={"clients": 2, "dimension": 2, "seed": 1},
        parameters={"K": 4, "eta": 1.0, "D": 3.0},
        engine={"start": [1.0, 1.0]},
    )
    return statement, cell


def judged_cell(left: Any, round: Any) -> CellResult:
    _, cell = stated_of(left, round)
    return run_cell(cell, level=1e-5, seed=1, replicates=64)


@pytest.mark.parametrize("round", [blow_up, blow_up_with_noise])
def test_a_run_without_an_excess_does_not_hold(round: Any) -> None:
    """It was certified, with `computed nan, which is equal to the bound`; samples ended with an error."""
    found = judged_cell(gap - distance / 4, round)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.sentence.startswith("the run diverges: far, on the left, is infinite, and subtracted")
    assert found.rounding is None
    assert judged_cell(gap, round).verdict is Verdict.VIOLATED


def test_a_run_that_diverges_wherever_its_data_are_refutes() -> None:
    """Infinity less infinity was taken for an excess that moved data change, and so for rounding."""
    statement, cell = stated_of(gap, blow_up)
    found = confirm(statement, instance_of(cell, 1))
    assert found.refutes, found.sentence
    assert found.left == INF


def test_what_is_made_of_a_diverged_round_is_not_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mask, as of the clients whose updates are short, made zeros of what is infinite."""
    problem = build("quadratic.small", clients=2, dimension=2, seed=1)
    norms = np.array([[[0.5, 2.0], [INF, INF]]])
    trace = Trace(
        algorithm="dp_fedavg",
        replicates=1,
        measurements={
            "client_update_norm": norms,
            "client_gap": np.array([[[0.25, 0.5], [INF, INF]]]),
            "state": np.array([[[1.0, 1.0], [INF, INF], [INF, INF]]]),
        },
        diverged_round=np.array([1]),
        final_state=np.full((1, 2), INF),
    )
    seen = Seen(trace=trace, problem=problem, listed={"clip_threshold": 1.0}, seed=0, stream="s")
    for name, first in (("unclipped_client_gap", [0.25, 0.0]), ("unclipped_share", [1.0, 0.0])):
        assert seen(name).tolist() == [[first, [INF, INF]]]
    # one part without a value is enough
    trace.measurements["client_update_norm"] = np.array([[[0.5, 2.0], [0.5, 2.0]]])
    assert seen("unclipped_client_gap").tolist() == [[[0.25, 0.0], [INF, INF]]]
    with np.errstate(all="ignore"):
        slopes = seen("client_slope")
    assert np.isfinite(slopes[0, 0]).all()
    assert slopes[0, 1].tolist() == [INF, INF]
    # of the last state alone
    monkeypatch.setitem(measures.OF_STATES, "distance_to_auxiliary", lambda seen: np.array([[0.5]]))
    assert seen("distance_to_auxiliary").tolist() == [[INF]]


@pytest.mark.parametrize(("value", "low", "high"), [(NAN, 0.0, 2.0), (1.0, NAN, 2.0), (1.0, 0.0, NAN)])
def test_what_has_no_value_is_on_the_safe_side_of_nothing(value: float, low: float, high: float) -> None:
    assert unfit([Requirement("L", 1.0, 0.0, 2.0)]) is None
    assert unfit([Requirement("L", value, low, high)]) is not None


def test_an_excess_that_overflows_hides_no_other_case() -> None:
    """Its share was NaN, which a search for the largest finds first; of an infinite magnitude it was 0."""
    left, right = np.array([-1e308, 2.0, 2.0]), np.array([1e308, 1.0, 1.0])
    share = _share(left, right, np.array([INF, 3.0, INF]), np.full(3, True), equality=False)
    assert share.tolist() == [-INF, 1 / 3, -INF]
