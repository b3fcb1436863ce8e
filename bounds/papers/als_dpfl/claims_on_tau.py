"""Claims in prose about the best number of local steps: G is smallest at tau = 1."""

from dataclasses import replace
from typing import Any

from bounds.language.condition import at_least
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Statement, amend, defined_by
from bounds.papers.als_dpfl import PAPER, budgets, control_objective
from bounds.papers.als_dpfl.assumptions import FEDERATED, STANDING
from bounds.papers.als_dpfl.notation import NOTATION, R_C, R_S, G_one, T, sigma, tau
from bounds.papers.als_dpfl.theorem_2 import (
    BOUND,
    BOUND_AMENDED,
    CONDITIONS,
    CONDITIONS_AMENDED,
    CONTROL,
    CONTROL_AMENDED,
    LENGTH,
    LENGTH_AMENDED,
    PRINTED_AMENDED,
    PRINTED_LENGTH,
    RUN,
    RUN_AMENDED,
)

_WITHOUT_T = ("tau", "eta", "beta", "rho", "d", "xi", "C", "B", "sigma", "lam", "omega")
_POINT = {name: value for name, value in (RUN | {"omega": 30}).items() if name in _WITHOUT_T}


def _objects(*names: str) -> dict[str, str]:
    return {name: NOTATION.quantities[name].meaning for name in names}


def _with_steps_given(**point: Any) -> dict[str, Any]:
    return point | {"G_one": control_objective.DEFINITION.evaluate(**point | {"tau": 1}).value}


def _with_budgets(R_S: Any, R_C: Any, **point: Any) -> dict[str, Any]:
    steps = budgets.LOCAL_STEPS.evaluate(R_S=R_S, R_C=R_C, tau=1).value
    at_one = control_objective.DEFINITION.evaluate(**point | {"tau": 1, "T": steps}).value
    return point | {"R_S": R_S, "R_C": R_C, "G_one": at_one}


MINIMIZER = Statement(
    locator="C.claim.min1",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="The bound of Theorem 2 is smallest at tau = 1",
    algorithm="als_dpfl",
    printed=(r"at $\tau=1$ the convergence bound (12) is minimized",),
    reading=(
        "G(1) is at most G(tau) for every tau at which the first two hypotheses of Theorem 2 hold; T, omega "
        "and everything else does not depend on tau."
    ),
    other_readings=("T grows with tau, T = min(R_S tau, R_C), with no relation between the budgets.",),
    left=G_one,
    terms=BOUND,
    setting=FEDERATED,
    assumptions=STANDING,
    where=(*CONTROL, LENGTH),
    conditions=CONDITIONS[:2],
    example=_POINT | {"T": 100},
    concrete=Concrete(objects=_objects("T", *_WITHOUT_T), numbers=_with_steps_given),
    decreasing=(T,),
    edges=(
        Edge(tau, 1, EdgeOutcome.REGULAR, "equality"),
        Edge(sigma, 0, EdgeOutcome.REGULAR, "no noise: divergence alone speaks for tau = 1"),
    ),
)

OPTIMAL = replace(
    MINIMIZER,
    locator="C.claim.tau1",
    title="tau = 1 is optimal where communication is not the scarcer resource",
    printed=(r"when $R_s \ge R_c$, $\tau=1$ is the optimal choice",),
    reading=(
        "optimal means that G(1) is at most G(tau) for every tau at which the first two hypotheses of "
        "Theorem 2 hold, T = min(R_S tau, R_C). What experiments are said to have proved is no part of it."
    ),
    other_readings=("optimal means the highest accuracy in the experiments.",),
    where=(*CONTROL, LENGTH, defined_by(budgets.LOCAL_STEPS, locator="C.claim.tau1")),
    conditions=(
        *MINIMIZER.conditions,
        at_least(R_S, R_C, locator="C.claim.tau1", printed=r"R_s \ge R_c"),
    ),
    example=_POINT | {"R_S": 317, "R_C": 317},
    concrete=Concrete(objects=_objects("R_S", "R_C", *_WITHOUT_T), numbers=_with_budgets),
    decreasing=(R_C,),
)

_AMENDED_WITHOUT_T = (*_WITHOUT_T[:-1], "f0_gap", "omega_mean")
_AMENDED_POINT = {name: RUN_AMENDED[name] for name in _AMENDED_WITHOUT_T}


def _amended_with_steps_given(**point: Any) -> dict[str, Any]:
    return point | {"G_one": control_objective.AMENDED.evaluate(**point | {"tau": 1}).value}


def _amended_with_budgets(R_S: Any, R_C: Any, **point: Any) -> dict[str, Any]:
    steps = budgets.LOCAL_STEPS.evaluate(R_S=R_S, R_C=R_C, tau=1).value
    at_one = control_objective.AMENDED.evaluate(**point | {"tau": 1, "T": steps}).value
    return point | {"R_S": R_S, "R_C": R_C, "G_one": at_one}


MINIMIZER_AMENDED = amend(
    MINIMIZER,
    change="of the bound of Theorem 2 amended",
    because="h(tau)/tau grows with tau, as h is convex with h(0) = 0, and nothing else depends on tau",
    derivation="docs/amended/als_dpfl.md#the-best-tau",
    printed=(
        r"G(\tau) \triangleq " + PRINTED_AMENDED,
        PRINTED_LENGTH,
        r"G(1) \leq G(\tau)",
    ),
    terms=BOUND_AMENDED,
    where=(*CONTROL_AMENDED, LENGTH_AMENDED),
    conditions=CONDITIONS_AMENDED[:2],
    example=_AMENDED_POINT | {"T": 100},
    concrete=Concrete(objects=_objects("T", *_AMENDED_WITHOUT_T), numbers=_amended_with_steps_given),
)
OPTIMAL_AMENDED = replace(
    MINIMIZER_AMENDED,
    locator=OPTIMAL.locator,
    title=OPTIMAL.title,
    reading=OPTIMAL.reading,
    other_readings=OPTIMAL.other_readings,
    where=(*CONTROL_AMENDED, LENGTH_AMENDED, OPTIMAL.where[-1]),
    conditions=(*MINIMIZER_AMENDED.conditions, OPTIMAL.conditions[-1]),
    example=_AMENDED_POINT | {"R_S": 317, "R_C": 317},
    concrete=Concrete(objects=_objects("R_S", "R_C", *_AMENDED_WITHOUT_T), numbers=_amended_with_budgets),
    decreasing=OPTIMAL.decreasing,
)
