"""Theorems that say what their symbols are in a run are judged without a file of runs."""

import re
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from declared_statements import (
    AT,
    NOTATION,
    D,
    K,
    L,
    S,
    average,
    bare,
    eta,
    fixed,
    gap,
    local,
    n,
    one_client,
    over_clients,
    silent,
    step,
    strange,
    verdicts,
    weight,
)
from sympy import Integer, Rational

from bounds import discovery
from bounds.errors import Misuse
from bounds.language.assumptions import CONVEX_CLIENTS, MINIMUM_ATTAINED, SMOOTH_CLIENTS
from bounds.language.condition import at_most
from bounds.language.finding import Verdict
from bounds.language.quantity import (
    Over,
)
from bounds.language.statement import Assumption, Kind, Statement, Term
from reports.errors import EmptySelection
from reports.inputs.verification import standard_jobs
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt as adopt_algorithm
from synthetic.problems import build
from verify.answer import check
from verify.matching.assumptions import unmet
from verify.matching.cells.standard import cells, excluded
from verify.matching.declared import declared_runs, why_not_declared
from verify.matching.linear_bound import LinearBound
from verify.matching.measurements import observed
from verify.matching.measurements.measurement import Computed
from verify.matching.measurements.measures import Seen
from verify.matching.run_settings import settings_of
from verify.runs.check import run_cell
from verify.runs.judge import judge


def test_the_standard_roles_follow_from_the_declarations() -> None:
    adopted = discovery.adopt(local())
    roles = {cell.role for cell in cells(adopted)}
    wanted = {
        "homogeneous",
        "heterogeneous",
        "edge of its conditions",
        "started near the minimizer",
        "one round",
    }
    assert wanted <= roles
    assert {"strong noise", "partial participation"} == excluded(adopted).keys()
    edge = next(cell for cell in cells(adopted) if cell.role == "edge of its conditions")
    p = {name: float(value) for name, value in edge.parameters.items()}
    assert p["eta"] * 4 * p["L"] * p["E"] == pytest.approx(1, rel=1e-6)


def test_a_true_bound_holds_everywhere_and_twins_fall() -> None:
    """The mean gap needs its drift, and 1/20 of the distance is too little."""
    assert set(verdicts(local()).values()) == {"holds"}
    assert verdicts(local(drift=0))["started near the minimizer"] == "violated"
    assert verdicts(local(first=Rational(1, 20)))["heterogeneous"] == "violated"


@pytest.mark.slow("every measure of ours and of an author's copy")
def test_an_algorithm_of_ones_own_measures_what_ours_does() -> None:
    """The round function against the engine's listing, on the same cells, to rounding."""
    ours = check(local(), quick=True, search=0)
    own = check(local(run_with={}), algorithm=average, quick=True, search=0)
    assert [e["role"] for e in ours.cells] == [e["role"] for e in own.cells]
    for one, other in zip(ours.cells, own.cells, strict=True):
        assert other["measured"]["estimate"] == pytest.approx(
            one["measured"]["estimate"], rel=1e-9, abs=1e-13
        )
    assert not own.refuted
    assert "known without any run" in own.sentence


@pytest.mark.slow("an unbatched random algorithm; tests/verify/test_strangers.py judges cheaper ones")
def test_a_random_algorithm_is_judged_on_samples() -> None:
    problem = build("quadratic.small", clients=2, dimension=1)
    true = check(over_clients(), algorithm=one_client, problem=problem, quick=True, search=0)
    assert {e["verdict"] for e in true.cells} == {"holds"}
    false = check(over_clients(floor=0), algorithm=one_client, problem=problem, quick=True, search=0)
    fallen = {e["role"] for e in false.cells if e["verdict"] == "violated"}
    assert "started near the minimizer" in fallen
    assert false.refuted


def test_one_problem_takes_the_place_of_the_standard_ones() -> None:
    answer = check(local(), problem=build("quadratic.small", clients=2, dimension=1), quick=True, search=0)
    assert {e["problem"].partition(".")[0] for e in answer.cells} == {"here"}
    again = check(local(), problem=build("quadratic.small", clients=3, dimension=1), quick=True, search=0)
    assert answer.cells[0]["measured"] != again.cells[0]["measured"]


MISSING: dict[str, tuple[dict[str, Any], str]] = {
    "a quantity": ({"terms": (Term("t", bare * D**2, "d"),)}, "the quantity bare .* does not say what it is"),
    "an observable": ({"left": gap + silent}, "the observable silent does not say what of a run it is"),
    "every observable": ({"left": silent}, "none of its observables says"),
    "a measure": ({"left": strange}, "fedavg does not measure staleness"),
    "a mean": ({"left": fixed}, "a run is measured over Over.LAST"),
    "an algorithm": ({"algorithm": "scaffold"}, "no algorithm is named scaffold"),
    "no algorithm": ({"algorithm": None}, "it names no algorithm"),
    "a setting": ({"run_with": {"mood": "good"}}, "the algorithm fedavg has no setting mood: "),
    "a kind": ({"kind": Kind.RATE}, "it is a rate"),
}


@pytest.mark.parametrize("case", MISSING)
def test_a_declaration_that_is_missing_is_named(case: str) -> None:
    changes, sentence = MISSING[case]
    statement = local(**changes)
    assert declared_runs(statement) is None
    assert re.search(sentence, why_not_declared(statement) or "")


def test_a_setting_that_nothing_gives_is_named() -> None:
    """The theorem never speaks of local steps, and the algorithm needs them."""
    terms = (Term("t", D**2 / (eta * K), "d"),)
    statement = local(terms=terms, conditions=(), example={"eta": 0.1, "K": 10, "D": 1})
    with pytest.raises(
        Misuse, match="local_steps, but the statement has no E in its formulas: give E in `example`"
    ):
        check(statement, quick=True, search=0)
    given = discovery.adopt(replace(statement, example={**statement.example, "E": 2}))
    assert all(cell.parameters["E"] >= 1 for cell in cells(given))


def test_a_free_number_is_taken_inside_the_conditions() -> None:
    terms = (*local().terms, Term("free", 1 / weight * L * D**2, "freedom"))
    bounded = at_most(weight, Integer(3), locator=AT, printed="x")
    statement = local(terms=terms, conditions=(*local().conditions, bounded))
    taken = {float(cell.parameters["weight"]) for cell in cells(discovery.adopt(statement))}
    assert max(taken) == pytest.approx(3)
    assert 0 < min(taken) < 3


def test_what_understates_the_problem_is_refused() -> None:
    cell = cells(discovery.adopt(local()))[0]
    for name in ("L", "D"):
        listed = float(cell.parameters[name]) * 0.9
        understated = replace(cell, parameters={**cell.parameters, name: listed})
        result = run_cell(understated, level=1e-3, seed=1, replicates=64)
        assert result.verdict is Verdict.REFUSED
        assert name in result.sentence


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (True, ""),
        (np.True_, ""),
        ("too many clients", "too many clients"),
        (False, "predicate says no"),
        (np.array([True, True]), "which is neither True nor a reason"),
    ],
    ids=["yes", "numpy's yes", "why", "no", "several"],
)
def test_an_assumption_of_ones_own_decides(answer: Any, why: str) -> None:
    own = Assumption("own", "own", AT, certified_by=lambda _: answer)
    statement = discovery.adopt(local(assumptions=(*local().assumptions, own)))
    assert bool(cells(statement)) is (not why)
    if why:
        with pytest.raises(Misuse, match=why):
            check(statement, search=0)


@pytest.mark.parametrize(
    "ask",
    [lambda of: of["n"], lambda of: of.get("n", 0), lambda of: "n" in of and of["n"]],
    ids=["entry", "get", "in"],
)
def test_a_predicate_that_needs_the_numbers_of_a_cell_waits_for_it(ask: Callable[[Any], int]) -> None:
    several = Assumption("several clients", "n>1", AT, certified_by=lambda known: ask(known.parameters) > 1)
    statement, problem = local(assumptions=(several,)), build("quadratic.small")
    assert unmet(statement, problem, {}) is None
    assert unmet(statement, problem, {"n": 5}) is None
    assert "predicate says no" in str(unmet(statement, problem, {"n": 1}))


def test_an_assumption_without_a_predicate_costs_the_verdict() -> None:
    own = Assumption("moonlight", "it is night", AT)
    with pytest.raises(Misuse, match=r"moonlight .* nothing certifies it"):
        check(local(assumptions=(own,)), search=0)


def test_a_mistake_of_the_author_refuses_the_cell() -> None:
    def failing(x: Any, clients: Any, settings: Any, random: Any) -> Any:
        raise ValueError("not today")

    algorithm = Algorithm(round=failing, settings={"local_step": REQUIRED, "local_steps": REQUIRED})
    answer = check(local(run_with={}), algorithm=algorithm, quick=True, search=0)
    assert {e["verdict"] for e in answer.cells} == {"refused"}
    assert "not today" in answer.cells[0]["sentence"]
    assert "test_declared.py" in answer.cells[0]["sentence"]


def test_an_unknown_kind_of_algorithm_is_refused() -> None:
    wrong: Callable[..., Any] | int = 3
    with pytest.raises(Misuse, match="algorithm is a name"):
        check(local(), algorithm=wrong)


def test_a_control_judges_an_implementation_of_ones_own() -> None:
    """Gradient descent by hand meets the bound of the control, half of its step does not."""

    def descent(x: Any, clients: Any, settings: Any, random: Any) -> Any:
        return x - settings.step * clients.gradient(x)

    def short(x: Any, clients: Any, settings: Any, random: Any) -> Any:
        return x - settings.step / 2 * clients.gradient(x)

    right = check("textbook.gradient_descent_strongly_convex", algorithm=descent, quick=True, search=0)
    assert right.cells
    assert not right.refuted
    wrong = check("textbook.gradient_descent_strongly_convex", algorithm=short, quick=True, search=0)
    assert wrong.refuted


def test_a_run_that_overflows_when_it_is_disturbed_is_not_taken_as_certain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its rounding is unbounded, so there is no verdict, though the value is above the bound."""
    bound = LinearBound(left={"o": 1.0}, right={}, constant=1.0, lowest={"o": 0.0}, highest={})
    seen = Computed(observables={"o": np.array(5.0)}, rounding=lambda: {"o": float("inf")})
    assert judge(bound, lambda *_: seen, 8, 1e-3).verdict is Verdict.INCONCLUSIVE
    statement = discovery.adopt(local())
    cell = cells(statement)[0]
    amounts = iter([0.0, float("inf")])
    monkeypatch.setattr(observed, "_reduced", lambda *_: np.full(1, 1.0 + next(amounts)))
    measured = observed.measure(statement, cell, settings_of(statement, cell), 8, 0, "s")
    assert isinstance(measured, Computed)
    assert measured.rounding()["gap"] == float("inf")


def one_minimizer(known: Any) -> bool | str:
    spread = known.upper("mean_squared_client_gradient_at_minimiser")
    return True if spread == 0 else "the clients have minimizers of their own"


def test_an_assumption_that_only_alike_clients_meet_has_cells() -> None:
    """Local steps of clients with one minimizer need no drift term; half of what is left falls."""
    alike = Assumption("one minimizer", "x_i^* = x^*", AT, certified_by=one_minimizer)
    with_it = (CONVEX_CLIENTS, SMOOTH_CLIENTS, MINIMUM_ATTAINED, alike)
    adopted = discovery.adopt(local(drift=0, assumptions=with_it))
    roles = {cell.role for cell in cells(adopted)}
    assert "homogeneous" in roles
    assert "heterogeneous" not in roles
    assert excluded(adopted)["heterogeneous"] == "its assumptions are met only where the clients are alike"
    (cell,) = (c for c in cells(adopted) if c.role == "homogeneous")
    assert run_cell(cell, level=1e-4, seed=1, replicates=8).verdict is Verdict.HOLDS
    less = discovery.adopt(local(Rational(1, 20), 0, assumptions=with_it))
    assert (
        run_cell(replace(cell, statement=less.id), level=1e-4, seed=1, replicates=8).verdict
        is Verdict.VIOLATED
    )


def test_rounds_are_the_steps_of_our_descent() -> None:
    """One K serves an algorithm of rounds and gradient descent, which counts steps."""
    descent = over_clients(floor=0)
    assert {c.parameters["K"] for c in cells(discovery.adopt(replace(descent, algorithm="gradient_descent")))}
    assert not check(replace(descent, algorithm="gradient_descent"), quick=True, search=0).refuted


@pytest.mark.parametrize("over", [Over.UNIFORM_ROUND, Over.MINIMUM_OF_MEANS])
def test_a_mean_over_no_round_is_not_defined(over: Over) -> None:
    """A search may ask for K = 0: the mean of no state warned, and its minimum was an error."""
    seen = replace(NOTATION.observables["gap"], over=over)
    trace = SimpleNamespace(measurements={"gap": np.ones((2, 1))})  # two replicates, x_0 alone
    states = Seen(trace=trace, problem=None, listed={}, seed=0, stream="")
    assert np.isnan(observed._reduced(seen, states)).all()


def test_each_statement_that_nothing_runs_has_its_own_reason(capsys: pytest.CaptureFixture[str]) -> None:
    lost = discovery.adopt(local(left=silent, locator="lost"))
    bare_one = discovery.adopt(local(bare * L, locator="unknown"))
    runs = discovery.adopt(local(locator="runs"))
    jobs, not_run = standard_jobs((lost.id, bare_one.id, runs.id), None, None, None, None)
    assert {job.statement for job in jobs} == {runs.id}
    first, second = capsys.readouterr().err.splitlines()
    assert first == f"nothing to run for {lost.id}: none of its observables says what of a run it is"
    assert second.startswith(f"nothing to run for {bare_one.id}: the quantity bare")
    assert first.endswith(not_run[lost.id])
    assert second.endswith(not_run[bare_one.id])
    with pytest.raises(EmptySelection) as refused:
        standard_jobs((lost.id, bare_one.id), None, None, None, None)
    assert f"{lost.id}: none of" in str(refused.value)
    assert f"{bare_one.id}: the quantity bare" in str(refused.value)


def test_an_implementation_that_fails_is_not_taken_as_unrefuted() -> None:
    """Every cell is refused, and one line said `not refuted by 12 results`."""

    def misnamed(x: Any, clients: Any, settings: Any, random: Any) -> Any:
        return x - settings.learning_rate * clients.gradient(x)

    answer = check(over_clients(), algorithm=misnamed, quick=True, search=0)
    assert not answer.refuted
    assert "nothing was judged" in answer.sentence
    assert "no setting learning_rate" in answer.sentence


def some_clients(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """64 replicates; the clients of a round are drawn without replacement."""
    order = random.random((len(x), len(clients))).argsort(axis=1)[:, : settings.clients_per_round]
    chosen = np.take_along_axis(clients.gradients(x), order[:, :, None], axis=1)
    return x - settings.step * chosen.mean(axis=1)


def sampled(factor: Any) -> Statement:
    """E||g_S||^2 = (1 - c)||grad f||^2 + c mean ||grad f_i||^2 with c = (n - S)/(S (n - 1))."""
    several = over_clients(factor * (n - S) / (S * (n - 1)))
    return replace(several, example={**several.example, "n": 5, "S": 2})


AWAY, NEAR = "partial participation", "few clients near the minimizer"
SHORT = "few clients, small steps near the minimizer"


def test_few_clients_near_the_minimizer_show_a_factor_that_is_lost() -> None:
    """Away from it the start hides that 1/n^2 of what the sampling costs is too little."""
    algorithm = Algorithm(
        round=some_clients, settings={"step": REQUIRED, "clients_per_round": 2}, batched=True
    )

    name = adopt_algorithm(algorithm)

    def fallen(statement: Statement) -> set[str]:
        made = cells(discovery.adopt(replace(statement, algorithm=name)))
        few = [cell for cell in made if cell.role in (AWAY, NEAR, SHORT)]
        verdicts = {c.role: run_cell(c, level=1e-4, seed=1, replicates=512).verdict for c in few}
        assert verdicts.keys() == {AWAY, NEAR, SHORT}
        return {role for role, verdict in verdicts.items() if verdict is Verdict.VIOLATED}

    assert fallen(sampled(Integer(2))) == set()
    assert fallen(sampled(2 / n**2)) == {NEAR, SHORT}
    assert fallen(sampled(2 * step * L)) == {SHORT}  # the square of the step in place of the step
