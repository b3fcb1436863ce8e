"""Whether a bound says more than is known without it: controls, planted empty bounds, what is said of K."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from sympy import Integer, sqrt

import bounds
from bounds.discovery import variants
from bounds.language.statement import AMENDED, Kind, Statement, Term
from bounds.papers.textbook.notation import D0, L, N, final_gap
from verify.audit.informative.judge import Verdict, judge
from verify.audit.satisfiable import judge as satisfiability
from verify.audit.satisfiable import recorded_runs
from verify.infeasibility.checker import refutes

CONVEX = bounds.get("textbook.gradient_descent_convex")
(INITIALIZATION,) = CONVEX.terms
LIMIT = L * D0**2 / 2


def with_term(expression):
    return replace(CONVEX, terms=(replace(INITIALIZATION, expression=expression),), decreasing=())


def test_a_control_is_informative_from_the_first_step_on() -> None:
    judged = judge(CONVEX)
    assert judged.verdict is Verdict.INFORMATIVE
    assert judged.from_on == {"N": 1}
    assert judged.point is not None
    assert judged.ratio == pytest.approx(1 / (2 * judged.point["N"] + 1))


def test_a_bound_that_never_falls_below_what_is_known_is_found_with_a_certificate() -> None:
    for expression in (LIMIT, LIMIT * (N + 1), LIMIT + L * D0**2 / (N + 1)):
        judged = judge(with_term(expression))
        assert judged.verdict is Verdict.UNINFORMATIVE
        assert judged.proof is not None
        assert refutes(*judged.proof)


def test_a_bound_that_falls_below_it_somewhere_is_not_called_empty() -> None:
    late = judge(with_term(LIMIT * 1000 / (N + 1)))
    assert late.verdict is Verdict.INFORMATIVE
    assert late.point is not None
    assert late.point["N"] + 1 > 1000


def test_from_which_count_on_is_the_first_one() -> None:
    statement = replace(with_term(LIMIT * 1000 / (N + 1)), decreasing=(N,))
    assert judge(statement).from_on == {"N": 1000}
    assert judge(replace(with_term(LIMIT * 2), decreasing=(N,))).from_on == {"N": None}


def test_a_constant_term_is_a_floor_with_a_certificate() -> None:
    floored = replace(CONVEX, terms=(INITIALIZATION, Term("floor", sqrt(3) / 3, "nothing")))
    (floor,) = judge(floored).floors
    assert refutes(floor.system, floor.certificate)
    # Beside a term that may be negative it is none.
    sunk = replace(floored, terms=(*floored.terms, Term("sink", -L * D0**2, "nothing")))
    assert judge(sunk).floors == ()


def test_what_a_left_side_does_not_speak_of_is_named() -> None:
    told = judge(replace(CONVEX, left=(2 - D0) * final_gap)).silent
    assert len(told) == 1
    assert "final_gap" in told[0]
    assert judge(replace(CONVEX, left=(2 + D0) * final_gap)).silent == ()


def test_the_random_coefficient_of_theorem_5_may_be_negative_and_that_of_theorem_2_may_not() -> None:
    """2 - x - x^2 with x = 2 eta L E: at most 0 from eta L E = 1/2 on, which E <= alpha/(2 rho) excludes."""
    assert judge(bounds.get("dp_fedavg.theorem_5.general")).silent != ()
    assert judge(bounds.get("dp_fedavg.theorem_2")).silent == ()
    share = np.linspace(0, 0.5, 11)
    assert (2 - share - share**2 >= 1.25).all()


ADAPTIVE = ("als_dpfl.theorem_2.theorem_omega", "als_dpfl.theorem_2.lemma_6_omega")


def test_a_share_that_underflows_is_not_said_to_be_zero() -> None:
    """((L - mu)/(L + mu))^(2 N) is above 0 where mu < L, however many rounds there are."""
    judged = judge(bounds.get("textbook.gradient_descent_strongly_convex"))
    assert judged.ratio == 0
    assert judged.point is not None
    assert judged.point["mu"] < judged.point["L"]
    assert "it is less than 1e-300 of D0^2" in judged.sentence


@pytest.mark.parametrize("form", variants("fedavg_lojasiewicz.theorem_f2"), ids=lambda form: form.variant)
def test_the_point_of_a_bound_has_a_lojasiewicz_constant_that_smoothness_allows(form: Statement) -> None:
    """mu (f - f*) <= ||grad f||^2 <= 2 L (f - f*): beyond 2 L every iterate is a minimizer."""
    judged = judge(form)
    assert judged.verdict is Verdict.INFORMATIVE
    assert judged.point is not None
    assert judged.point["mu_1"] <= 2 * judged.point["L"]


@pytest.mark.parametrize("identity", ADAPTIVE)
def test_the_adaptive_bound_is_informative_on_a_run(identity: str) -> None:
    """Ten halvings from 1: omega = 1, a speed of 1/2 times 3/4, and sqrt(3)/3, below which it never is."""
    judged = judge(bounds.get(identity))
    assert judged.verdict is Verdict.INFORMATIVE
    assert judged.ratio == pytest.approx(1 / (10 * 0.5 * 0.75) + 3**-0.5)
    assert [floor.quantity for floor in judged.floors] == ["floor"]
    assert judged.point is not None
    gap = Fraction(1, 2**10) ** 2 / 2
    assert judged.point["lam"] == judged.point["final_gap"] == judged.point["auxiliary_gap"] == float(gap)
    assert judged.point["gradient_square"] == float(2 * gap)


def test_quantities_of_a_run_are_not_made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run with too large a bound, one that meets not every condition, and none: nothing is said."""
    entry = recorded_runs.of(bounds.get(ADAPTIVE[0]))
    assert entry is not None
    for change in ({"T": 1.0}, {"lam": 1.0}):
        point = entry.run() | change
        monkeypatch.setattr(recorded_runs, "CARRIED_OUT", (replace(entry, run=point.copy),))
        assert judge(bounds.get(ADAPTIVE[0])).verdict is Verdict.INCONCLUSIVE
    monkeypatch.setattr(recorded_runs, "CARRIED_OUT", ())
    judged = judge(bounds.get(ADAPTIVE[0]))
    assert (judged.verdict, judged.point) == (Verdict.INCONCLUSIVE, None)


def test_constants_of_an_order_are_not_judged() -> None:
    assert judge(bounds.get("dp_fedavg.theorem_3")).verdict is Verdict.CONSTANTS_OPEN
    assert judge(bounds.get("als_dpfl.algorithm_1")).verdict is Verdict.NO_BOUND
    assert judge(replace(CONVEX, kind=Kind.EQUALITY)).sentence == "an equality"
    assert (
        judge(replace(CONVEX, left=D0, terms=(Term("one", Integer(1), ""),))).verdict is Verdict.NO_FREE_BOUND
    )


@pytest.mark.parametrize(
    "name",
    [pytest.param("theorem_2", marks=pytest.mark.slow("a long search for the point")), "corollary_5"],
)
def test_the_point_of_a_bound_is_one_that_infima_can_have(name: str) -> None:
    """f_i^inf is at least the mean of the f_ij^inf, and so Delta^inf at most that of the Delta_i^inf."""
    judged = judge(bounds.get(f"fed_norm_ec.{name}"))
    assert judged.verdict is Verdict.INFORMATIVE
    assert judged.point is not None
    assert judged.point["Delta_i_inf_mean"] >= judged.point["Delta_inf"] > 0


@pytest.mark.parametrize("identity", ADAPTIVE)
def test_the_example_of_the_amended_adaptive_bound_is_a_run(identity: str) -> None:
    """Two clients, 1.1 and 0.9 times a function of x_1 with slope 1 far away, full batches, from 101.

    Gaussian noise leaves all means as they are where the gradient is constant. A point made up fails the
    class: with omega = 30 and beta = 1 the start is within 0.19 of w*, and no gap is above 1/60.
    """
    (form,) = (f for f in variants(identity) if f.variant == AMENDED)
    point = form.example
    slopes, steps, x = np.array([1.1, 0.9]), int(point["T"]), 101.0
    clients, gaps = np.array([x, x]), []
    for t in range(1, steps + 1):
        clients = clients - point["eta"] * slopes
        if t % point["tau"] == 0:
            clients[:] = clients.mean()
            gaps.append(clients[0] - 0.5)
    assert point["xi"] == pytest.approx(np.mean(abs(slopes - 1)))
    assert point["C"] == point["rho"] == point["beta"] == slopes.max()
    assert (point["f0_gap"], point["omega_mean"]) == (x - 0.5, 1 / x**2)
    assert point["averaged_gap_mean"] == point["auxiliary_gap_mean"] == pytest.approx(min(gaps))
    assert point["lam"] <= min(gaps)
    bound = form.evaluate(**point).value
    assert gaps[-1] <= bound < point["f0_gap"]


def test_the_amended_adaptive_bound_is_informative_on_a_long_run() -> None:
    """x^2/2 up to 1 and x - 1/2 beyond: 1000 steps of 1/8 from 1000 move by 125 and never reach the bend."""
    (form,) = (f for f in variants(ADAPTIVE[0]) if f.variant == AMENDED)
    judged, satisfied = judge(form), satisfiability.judge(form, ends=False)
    x, gaps = 1000.0, []
    for _ in range(1000):
        x -= 0.125 * min(x, 1.0)
        gaps.append(x - 0.5)
    assert judged.point is not None
    assert satisfied.point == judged.point
    assert judged.point["lam"] == judged.point["averaged_gap_mean"] == min(gaps) == 874.5
    speed = 0.125 * ((1 - 0.125 / 2) / 1000**2 - 0.125 / 2 / 874.5**2)
    assert judged.verdict is Verdict.INFORMATIVE
    assert judged.ratio == pytest.approx(1 / (1 / 999.5 + 1000 * speed) / 999.5)
    assert 874.5 / 999.5 <= judged.ratio < 0.91


FLAT = "fedavg_lojasiewicz.theorem_f2"


@pytest.mark.parametrize("identity", [FLAT, "fedavg_lojasiewicz.lemma_f3", "fedavg_lojasiewicz.theorem_f4"])
def test_a_last_gap_is_compared_with_the_gap_at_the_start(identity: str) -> None:
    """Noise may raise a gap; a method that returns its start has the gap of the start, without a round."""
    for form in variants(identity):
        judged = judge(form)
        assert judged.verdict is Verdict.INFORMATIVE
        assert judged.point is not None
        value = form.evaluate(**judged.point).value
        assert 0 <= value < judged.point["f0_gap"]


def test_the_smallest_of_what_is_known_at_the_start_counts() -> None:
    statement = bounds.get("dp_fedavg.equation_8")
    judged = judge(statement)
    assert judged.point is not None
    least = min(judged.point["L"] * judged.point["D0"] ** 2 / 2, judged.point["G"] * judged.point["D0"])
    assert judged.ratio == pytest.approx(statement.evaluate(**judged.point).value / least)


def test_a_bound_that_is_never_below_the_gap_at_the_start_says_nothing() -> None:
    """And one that is below 0 says nothing of a gap either: its point belongs to no problem."""
    statement = bounds.get(FLAT, AMENDED)
    first, *rest = statement.terms
    gap = statement.notation.quantities["f0_gap"]
    start = next(s for s in first.expression.free_symbols if s.name == gap.name)
    empty = judge(replace(statement, terms=(replace(first, expression=start), *rest), decreasing=()))
    assert empty.verdict is Verdict.UNINFORMATIVE
    assert empty.proof is not None
    assert refutes(*empty.proof)
    sunk = replace(first, expression=-start, non_negative=False)
    nothing = judge(replace(statement, terms=(sunk,), decreasing=()))
    assert (nothing.verdict, nothing.point) == (Verdict.INCONCLUSIVE, None)
