"""The choice of tau*: the tau of the search range that minimizes G.

The conditions of Theorem 2 stand here too: outside them G is no bound, and a negative bracket would make it
small. Where no tau meets them, the search has no answer.
"""

from bounds.language.condition import at_most
from bounds.language.statement import SUFFICIENT, Edge, EdgeOutcome, Kind, Statement, amend, defined_by
from bounds.papers.als_dpfl import PAPER, budgets, search_range
from bounds.papers.als_dpfl.assumptions import FEDERATED, STANDING
from bounds.papers.als_dpfl.notation import R_C, R_S, G_tau, sigma, tau, tau_m, tau_star, xi
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

_RANGE = (
    defined_by(budgets.LOCAL_STEPS, locator="C.alg2.tau"),
    defined_by(search_range.UPPER_END, locator="C.alg2.tau"),
)
_IN_RANGE = at_most(tau, tau_m, locator="C.alg2.tau", printed=r"$\tau$ in $[1,\tau_m]$")

RULE = Statement(
    locator="C.alg2.tau",
    kind=Kind.RULE,
    paper=PAPER,
    title="tau*: the minimizer of G in the search range",
    algorithm="als_dpfl",
    printed=(r"iterate over $\tau$ in $[1,\tau_m]$ for the $\tau$ minimizing (13)",),
    reading=(
        "the number is G at one tau; tau* is the whole number that makes it smallest (`solve --minimize-over "
        "tau`) among those at which the conditions of Theorem 2 hold. T is the number of local steps that "
        "the budgets allow at this tau."
    ),
    other_readings=("any tau of the range, also where the bracket is negative and G is below sqrt(3)/3.",),
    left=G_tau,
    terms=BOUND,
    setting=FEDERATED,
    assumptions=STANDING,
    where=(*CONTROL, LENGTH, *_RANGE),
    conditions=(*CONDITIONS, _IN_RANGE),
    example={name: value for name, value in RUN.items() if name != "T"}
    | {"omega": 30, "R_S": 50, "R_C": 317, "tau_star": 3},
    increasing=(xi,),
    decreasing=(R_S, R_C),
    edges=(
        Edge(tau, 1, EdgeOutcome.REGULAR, "every local step is followed by a round"),
        Edge(tau_star, 1, EdgeOutcome.REGULAR, "the first round: 1 and 2 are tried"),
        Edge(sigma, 0, EdgeOutcome.REGULAR, "no noise"),
        Edge(R_C, 0, EdgeOutcome.OUT_OF_DOMAIN, "the privacy budget allows no step"),
    ),
)

AMENDED = amend(
    RULE,
    change="G and the conditions of Theorem 2, both as amended",
    because="the rule minimizes G, and G is a bound where the conditions hold",
    derivation="docs/amended/als_dpfl.md#control-objective",
    needed=SUFFICIENT,
    printed=(
        *RULE.printed,
        r"G(\tau) \triangleq " + PRINTED_AMENDED,
        PRINTED_LENGTH,
    ),
    other_readings=(),
    terms=BOUND_AMENDED,
    where=(*CONTROL_AMENDED, LENGTH_AMENDED, *_RANGE),
    conditions=(*CONDITIONS_AMENDED, _IN_RANGE),
    example={name: value for name, value in RUN_AMENDED.items() if name != "T"}
    | {"R_S": 2, "R_C": 4, "tau_star": 3},
)
