"""What the paper reads off eq. (17): heterogeneity weighs more on normalization, and dies down in both."""

from functools import partial

from sympy import Rational

from bounds.language.statement import Kind, Setting, Statement
from bounds.papers.dp_fedavg import PAPER
from bounds.papers.dp_fedavg.equation_17 import CONCRETE, CONDITIONS, EDGES, EXAMPLE, TERMS, THRESHOLD
from bounds.papers.dp_fedavg.notation import (
    Delta_star_max,
    E,
    alpha,
    c,
    rho,
    unclipped_delta,
    unclipped_scaled_delta,
)

_claim = partial(Statement, kind=Kind.CLAIM, paper=PAPER)

TERMS_B = Statement(
    locator="B.eq17.cmp",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Comparison after eq. (17): term B of clipping against term B_2 of normalization",
    printed=(r"\textup{B}<\textup{B}_{2}",),
    reading=(
        "at the same iterates; B is the term of eq. (6), with Delta_i*, which eq. (15) leaves out; B_2 is "
        "eq. (17); less is not asked strictly where every update is clipped and both are zero."
    ),
    other_readings=(
        "B as eq. (15) prints it, without Delta_i*: then B and B_2 have different units.",
        "each over the run of its own algorithm: then B may be the larger one.",
    ),
    left=Rational(3, 2) * E / alpha * unclipped_delta * rho,
    terms=TERMS,
    setting=(
        Setting("B.thm2", "B is the effect of heterogeneity in eq. (6)"),
        Setting("B.eq17", "B_2 for this threshold"),
    ),
    choices=(THRESHOLD,),
    conditions=CONDITIONS,
    example=EXAMPLE,
    concrete=CONCRETE,
    increasing=(c, E, rho, Delta_star_max, unclipped_scaled_delta),
    decreasing=(alpha,),
    edges=EDGES,
)

EITHER = _claim(
    locator="B.eq17.cmp",
    title="Comparison after eq. (17): which effect of heterogeneity is smaller",
    printed=(r"it is in general difficult to predict",),
    reading=(
        "the left side of eq. (16) is said to be the larger one, which is B.eq16.cmp, and its heterogeneity "
        "term is."
    ),
    not_checkable="that something is difficult to predict is no relation that a run could contradict.",
)

VANISHING = _claim(
    locator="B.eq17.cmp",
    title="Comparison after eq. (17): heterogeneity dies down as alpha grows",
    printed=(
        r"for both algorithms the effect of heterogeneity can be made arbitrarily small by raising $\alpha$",
        r"$K=\big(\frac{2\alpha\gamma}{\hat{C}E}\big)\frac{1}{\rho^{2}}$",
    ),
    reading=(
        "B and B_2 at a fixed gamma, rho, C_hat and E; for B it is a matter of the factor 1/alpha; in B_2 "
        "the mean of the gain times Delta_i* depends on alpha through the run."
    ),
    other_readings=(
        "of all that the right sides have of the gaps: term A is proportional to C_hat, which grows with the "
        "largest of them.",
    ),
    refuted_by=(
        "a problem on which B_2, measured at growing alpha and the K that goes with it, stays above a "
        "positive number: the mean of (C_hat E/||u||) Delta_i* would grow at least like alpha^2."
    ),
    setting=(
        Setting("B.eq15", "the effect of heterogeneity on clipping"),
        Setting("B.eq16", "the effect of heterogeneity on normalization"),
    ),
)

INITIALIZATION = _claim(
    locator="B.eq17.cmp",
    title="Comparison after eq. (17): only the initialization matters in the end",
    printed=(
        r"as $\alpha\to\infty$ or $K\to\infty$ only the initialization matters, where normalization is "
        r"expected to outperform clipping",
    ),
    reading="a comparison of f(w) - f(w*) at a random round of the two algorithms, with the same choices.",
    other_readings=("of the bounds: as B and B_2 vanish, term A is left on both right sides.",),
    refuted_by=(
        "runs of both algorithms with the same problem, noise law and choices, at growing K, in which "
        "clipping keeps the smaller mean gap."
    ),
)

CENTRALIZED = _claim(
    locator="B.eq17.cmp",
    title="Comparison after eq. (17): the centralized setting",
    printed=(r"it also applies to the centralized setting ($E=1$)",),
    reading="E = 1 meets the hypotheses of eqs. (15) and (16).",
    not_checkable="it extends a discussion to E = 1 and adds no relation to those that hold for every E.",
)
