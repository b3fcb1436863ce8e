"""An author's own implementation, judged by the theorems of the four papers in the place of our listing.

One file in spite of its length: every test judges one of the implementations that it begins with.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np
import pytest
from usual_settings import private

import bounds
from bounds import discovery
from bounds.errors import Misuse
from bounds.language.statement import Statement
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.participation import FixedSize, Full, Independent
from synthetic.problems import build
from verify.answer import Answer, check
from verify.cell import NAMED
from verify.matching.cells_elsewhere import _between
from verify.matching.in_place import settings_of_another
from verify.matching.joined import find_runs, get_runs, written_runs
from verify.matching.run_settings import settings_of_a_function
from verify.matching.settings_in_place import needed, translate_settings

Round = Callable[[Any, Any, Any, Any], Any]
TOLD = ("local_steps", "local_step", "clients_per_round", "noise_scale")
THEOREM_2 = "dp_fedavg.theorem_2"


def averaging(
    *, threshold: str = "clip_threshold", cut: bool = True, server_step: float | None = None
) -> Any:
    """DP-FedAvg by hand, 64 replicates at once; under `update_length` every update gets one length."""

    def own(x: Any, clients: Any, settings: Any, random: Any) -> Any:
        r, step, most = settings.clients_per_round, settings.local_step, getattr(settings, threshold)
        local = np.repeat(x[:, None], len(clients), axis=1)
        for _ in range(settings.local_steps):
            local = local - step * clients.gradients(local)
        update = (x[:, None] - local) / step
        scale = most / np.linalg.norm(update, axis=2, keepdims=True)
        if cut:
            update = update * (scale if threshold == "update_length" else np.minimum(1, scale))
        noise = np.sqrt(r) * settings.noise_scale * random.standard_normal(update.shape)
        taking = random.random((len(x), len(clients), 1)) < r / len(clients)
        return x - (server_step or step) * (taking * (update + noise)).sum(axis=1) / r

    return Algorithm(round=own, settings=dict.fromkeys((*TOLD, threshold), REQUIRED), batched=True)


def steps(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """FedAvg with noisy gradients, 64 replicates at once."""
    local = np.repeat(x[:, None], len(clients), axis=1)
    for _ in range(settings.local_steps):
        noise = random.standard_normal(local.shape) if settings.noise_scale > 0 else np.ones(local.shape)
        noise = settings.noise_scale * noise / np.linalg.norm(noise, axis=2, keepdims=True)
        local = local - settings.local_step * (clients.gradients(local) + noise)
    return local.mean(axis=1)


def clipped_steps(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """DPFL, 64 replicates at once."""
    local, scale = np.repeat(x[:, None], len(clients), axis=1), settings.noise_multiplier
    for _ in range(settings.local_steps):
        slopes = clients.gradients(local)
        size = np.linalg.norm(slopes, axis=2, keepdims=True)
        noise = scale * settings.clip_threshold / settings.batch_size * random.standard_normal(local.shape)
        sent = slopes * np.minimum(1, settings.clip_threshold / np.maximum(size, 1e-300)) + noise
        local = local - settings.step * sent
    return local.mean(axis=1)


def with_memories(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    """Fed-alpha-NormEC, one replicate, without noise and with everybody in every round."""
    x, memories = state["x"], state["memories"]
    local = np.tile(x, (len(clients), 1))
    for _ in range(settings.local_steps):
        local = local - settings.local_step / settings.local_steps * clients.gradients(local)
    error = (x - local) / settings.local_step - memories
    move = settings.memory_step * error
    move = move / (settings.smoothing + np.linalg.norm(error, axis=1, keepdims=True))
    server = state["server"] + move.mean(axis=0)
    following = x - settings.server_step * server / np.linalg.norm(server)
    return {"x": following, "memories": memories + move, "server": server}


def first_memories(x0: Any, clients: Any, settings: Any) -> Any:
    memories = np.array(settings.initial_memory)
    return {"x": x0, "memories": memories, "server": memories.mean(axis=0)}


MEMORY_SETTINGS = (
    *("local_steps", "local_step", "memory_step", "server_step", "smoothing"),
    *("probability", "noise_scale", "initial_memory"),
)
NORM_EC = Algorithm(
    round=with_memories, begin=first_memories, settings=dict.fromkeys(MEMORY_SETTINGS, REQUIRED)
)
FEDAVG = Algorithm(
    round=steps, settings=dict.fromkeys(("local_steps", "local_step", "noise_scale"), REQUIRED), batched=True
)
DPFL = Algorithm(
    round=clipped_steps,
    settings=dict.fromkeys(
        ("local_steps", "step", "clip_threshold", "noise_multiplier", "batch_size"), REQUIRED
    ),
    batched=True,
)


def judged(theorem: str | Statement, algorithm: Any, **more: Any) -> Answer:
    return check(theorem, algorithm=algorithm, quick=True, search=0, **more)


def roles(answer: Answer, verdict: str) -> set[str]:
    return {entry["role"] for entry in answer.cells if entry["verdict"] == verdict}


def times(identity: str, factor: Fraction) -> Statement:
    statement = bounds.get(identity)
    terms = (replace(t, expression=factor * t.expression) for t in statement.terms)
    return replace(statement, terms=tuple(terms))


def estimates(answer: Answer) -> dict[str, float]:
    """Of the named reading, by role."""
    named = [entry for entry in answer.cells if entry["reading"] == NAMED]
    return {entry["role"]: entry["measured"]["estimate"] for entry in named}


def only(monkeypatch: pytest.MonkeyPatch, identity: str, *kept: str) -> None:
    """Leave these roles of a paper's runs, so that a test judges no more than it looks at."""
    runs = written_runs(bounds.get(identity))
    assert runs is not None
    some = replace(
        runs,
        cells=lambda statement: tuple(c for c in runs.cells(statement) if c.role in kept),
        private_cells=lambda statement, target: (),
    )
    monkeypatch.setattr("verify.matching.joined.written_runs", lambda _: some)


# ---- verdicts


def test_a_right_implementation_is_not_refuted_and_is_told_in_one_line() -> None:
    answer = judged(THEOREM_2, averaging())
    assert roles(answer, "holds") == {
        "homogeneous",
        "heterogeneous",
        "edge of its conditions",
        "strong noise",
        "partial participation",
    }
    assert re.search(r"nearest \(.*\): bound [\d.]+, measured [\d.]+, .*known", answer.sentence)


def test_a_slip_falls_and_our_own_listing_beside_it_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """No clipping, and the server makes the whole move in place of a step of it."""
    only(monkeypatch, THEOREM_2, "homogeneous")
    answer = judged(THEOREM_2, averaging(cut=False, server_step=1.0))
    assert roles(answer, "violated") == {"homogeneous"}
    assert "our own dp_fedavg does not violate it in this cell (holds" in answer.sentence


def test_a_bound_that_is_too_small_falls_with_ours_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, THEOREM_2, "homogeneous")
    answer = judged(times(THEOREM_2, Fraction(1, 40)), averaging())
    assert answer.refuted
    assert "our own dp_fedavg violates it in this cell too" in answer.sentence


def test_a_changed_statement_is_judged_and_not_the_one_that_has_its_id(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The planted defect was real: without an algorithm the unchanged theorem was run."""
    only(monkeypatch, THEOREM_2, "homogeneous")
    assert check(times(THEOREM_2, Fraction(1, 40)), quick=True, search=0).refuted


@pytest.mark.slow("a theorem in two forms, beside our listing; the others here judge one form")
@pytest.mark.parametrize("identity", ["dp_fedavg.theorem_4", "dp_fedavg.theorem_6.general"])
def test_normalization_is_false_as_printed_and_holds_as_amended(
    identity: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    only(monkeypatch, identity, "heterogeneous", "overshoot, partial participation")
    algorithm = averaging(threshold="update_length")
    printed = judged(identity, algorithm)
    assert roles(printed, "violated") == {"overshoot, partial participation"}
    assert "our own dp_norm_fedavg violates it in this cell too" in printed.sentence
    assert not judged(identity, algorithm, variant="amended").refuted


def test_local_steps_in_a_ball(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, "fedavg_lojasiewicz.theorem_f4", "homogeneous, exact gradients")
    assert roles(judged("fedavg_lojasiewicz.theorem_f4", FEDAVG), "holds")


@pytest.mark.slow("eighty local steps of 512 replicates, twice")
def test_local_steps_where_ours_has_exact_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Theorem F.2, whose cells are in fractions: another algorithm runs on the nearest floats."""
    only(monkeypatch, "fedavg_lojasiewicz.theorem_f2", "homogeneous")
    ours = judged("fedavg_lojasiewicz.theorem_f2", None).cells[0]["measured"]["estimate"]
    own = judged("fedavg_lojasiewicz.theorem_f2", FEDAVG).cells[0]["measured"]
    assert own["lower"] < ours
    assert own["estimate"] == pytest.approx(ours, rel=0.01)
    assert judged(times("fedavg_lojasiewicz.theorem_f2", Fraction(1, 2)), FEDAVG).refuted


def test_distances_from_the_companion_are_those_of_our_listing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Theorem 1 of ALS-DPFL, false as printed for large batches; the companion's noise is our own."""
    kept = ("homogeneous", "one step, large batch")
    only(monkeypatch, "als_dpfl.theorem_1.distance", *kept)
    ours, own = (judged("als_dpfl.theorem_1.distance", a) for a in (None, DPFL))
    assert roles(own, "holds") == {"homogeneous"}
    assert roles(own, "violated") == {"one step, large batch"}
    assert estimates(own) == pytest.approx(estimates(ours), rel=0.1)


def test_memories_are_handed_over_by_the_joining(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, "fed_norm_ec.theorem_1.main", "heterogeneous")
    ours, own = (judged("fed_norm_ec.theorem_1.main", a) for a in (None, NORM_EC))
    assert roles(own, "holds") == {"heterogeneous"}
    assert estimates(own) == pytest.approx(estimates(ours), rel=1e-9)


def test_cells_move_to_a_problem_that_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """Constants are those of the problem; an understated one would be refused, a wrong one seen."""
    only(monkeypatch, THEOREM_2, "homogeneous", "heterogeneous")
    problem = build("quadratic.small", clients=3, dimension=2, seed=5)
    answer = judged(THEOREM_2, averaging(), problem=problem)
    assert roles(answer, "holds") == {"heterogeneous"}
    smoothness = problem.constants()["smoothness"]
    assert smoothness is not None
    for cell in answer.cells:
        assert cell["problem"].startswith("here.")
        assert cell["parameters"]["L"] == pytest.approx(float(smoothness.upper or 0), rel=1e-9)
    assert judged(THEOREM_2, averaging(cut=False, server_step=1.0), problem=problem).refuted


def test_our_own_algorithm_runs_on_a_problem_that_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, THEOREM_2, "heterogeneous")
    answer = judged(THEOREM_2, None, problem=build("quadratic.small", clients=3, dimension=2))
    assert roles(answer, "holds") == {"heterogeneous"}


def test_a_problem_of_another_class_is_named() -> None:
    with pytest.raises(Misuse, match=r"dp_fedavg.equation_8 has no cell on here\.\w+: lipschitz clients"):
        judged("dp_fedavg.equation_8", averaging(), problem=build("quadratic.small", clients=2, dimension=2))


@pytest.mark.parametrize(
    ("value", "low", "high", "whole", "expected"),
    [
        (3, 1, 4, False, 3),
        (9, 1, 4, False, 2),
        (9, 3, 4, False, 3),
        (1, 2, inf, False, 4),
        (9.0, 1, 5, True, 2),
    ],
)
def test_what_a_condition_does_not_allow_moves_inside_it(
    value: float, low: float, high: float, whole: bool, expected: float
) -> None:
    assert _between(value, low, high, integral=whole) == expected


# ---- what is missing is named

MISSING: dict[str, tuple[str, Any, str]] = {
    "a setting": (
        THEOREM_2,
        averaging(threshold="update_length"),
        r"no setting clip_threshold, .* settings=\{\"clip_threshold\": REQUIRED\}",
    ),
    "a value": (
        THEOREM_2,
        Algorithm(round=steps, settings=dict.fromkeys((*TOLD, "clip_threshold", "mood"), REQUIRED)),
        "needs the setting mood, which nothing gives; the statement gives rounds, local_steps",
    ),
    "an observable": (
        "fed_norm_ec.lemma_3",
        NORM_EC,
        r"does not measure server_memory_error .* observables=\{\"server_memory_error\": function\}",
    ),
    "a declaration": ("fedavg_lojasiewicz.lemma_f1", FEDAVG, "nothing says what of a run mean_drift"),
}


@pytest.mark.parametrize("case", MISSING)
def test_what_is_missing_is_named_with_what_to_write(case: str) -> None:
    identity, algorithm, sentence = MISSING[case]
    with pytest.raises(Misuse, match=sentence):
        judged(identity, algorithm)


def test_a_cell_that_nobody_judges_is_no_success(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, "als_dpfl.theorem_1.distance", "quadratic clients")
    assert "nothing was judged: refused" in judged("als_dpfl.theorem_1.distance", DPFL).sentence


def test_a_bare_function_is_told_everything_that_any_cell_says() -> None:
    statement = bounds.get(THEOREM_2)
    names = settings_of_another(statement, get_runs(statement))
    assert {*TOLD, "clip_threshold"} <= names
    assert "rounds" not in names


def test_a_bare_function_stands_in_for_an_algorithm_that_does_not_exist() -> None:
    """A script of its own may name its theorem's algorithm as its paper does; that was refused as unknown."""
    named = replace(bounds.get("textbook.gradient_descent_convex"), algorithm="ours", id="")
    assert settings_of_a_function(named) == {"step"}


def test_what_an_algorithm_is_told_are_numbers_and_words() -> None:
    ours = private(start=[0.0], rounds=3, clients_per_round=2.0, participation=Independent(probability=0.5))
    assert translate_settings(ours)["probability"] == 0.5
    assert "start" not in translate_settings(ours)
    # without noise the scale may be left out; the probability is said by the number of clients
    assert needed(ours).keys() == {"local_steps", "local_step", "clip_threshold", "clients_per_round"}
    everyone = replace(ours, participation=Full())
    assert translate_settings(everyone)["probability"] == 1.0
    assert translate_settings(replace(ours, participation=FixedSize(count=3)))["clients_per_round"] == 3


def test_the_runs_of_a_statement_under_its_own_id_stay_the_written_ones() -> None:
    statement = bounds.get(THEOREM_2)
    adopted = discovery.adopt(replace(statement, algorithm="dp_norm_fedavg"))
    assert discovery.origin_of(adopted.id) == THEOREM_2
    assert find_runs(statement) is written_runs(statement)
    assert find_runs(adopted) is not written_runs(statement)


# ---- measures of states
@pytest.mark.slow("a search of seconds")
def test_a_counterexample_of_the_search_runs_on_ours_too(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, "als_dpfl.theorem_1.distance", "homogeneous", "one step, large batch")
    monkeypatch.setattr("verify.answer.run_campaign", lambda jobs, *_, **__: [])
    monkeypatch.setattr("verify.answer._beside", lambda *_: {})
    monkeypatch.setattr("verify.answer._known_without", lambda *_: None)
    answer = check("als_dpfl.theorem_1.distance", algorithm=DPFL, quick=True, search=5)
    assert answer.sentence.startswith("here.als_dpfl_theorem_1_distance: refuted by the search")
    assert "our own dpfl violates it in this cell too" in answer.sentence
