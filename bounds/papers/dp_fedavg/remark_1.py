"""Remark 1: when to expect more of normalization than of clipping."""

from functools import partial

from bounds.language.statement import Kind, Setting, Statement
from bounds.papers.dp_fedavg import PAPER

_claim = partial(Statement, kind=Kind.CLAIM, paper=PAPER)

_RATES = (
    Setting("B.eq15", "the rate of clipping"),
    Setting("B.eq16", "the rate of normalization"),
)

INITIALIZATION = _claim(
    locator="B.rem1",
    title="Remark 1: effect of initialization",
    printed=(r"Normalization has the smaller effect of initialization.",),
    reading="the effect is that of term A, which eqs. (15) and (16) share.",
    not_checkable=(
        "term A is the same number in both rates; the smaller effect is read off the left sides, whose "
        "comparison is stated by itself (B.eq16.cmp) and is false where some client's gap is negative."
    ),
    setting=_RATES,
)

HETEROGENEITY = _claim(
    locator="B.rem1",
    title="Remark 1: effect of heterogeneity",
    printed=(
        r"Whether the effect of heterogeneity is smaller for normalization or for clipping is in general "
        r"difficult to characterize.",
    ),
    reading="the effects are B in eq. (15) and B_2 in eq. (16).",
    not_checkable="that something is difficult to characterize is no relation that a run could contradict.",
    setting=_RATES,
)

MANY_ROUNDS = _claim(
    locator="B.rem1",
    title="Remark 1: many rounds",
    printed=(
        r"For both, the effect of heterogeneity vanishes as the number of rounds $K$ tends to $\infty$.",
    ),
    reading="of B and B_2: K grows with alpha, at a fixed gamma, rho, C_hat and E.",
    other_readings=(
        "of all that the right sides have of the gaps: term A is proportional to C_hat, which grows with the "
        "largest of them.",
    ),
    refuted_by="a problem on which B or B_2 stays above a positive number as K grows with alpha.",
    setting=_RATES,
)

ADVICE = _claim(
    locator="B.rem1",
    title="Remark 1: when normalization does better",
    printed=(
        r"for problems without a high degree of heterogeneity and with a more severe effect of "
        r"initialization",
        r"and/or with a very large number of rounds, expect normalization to do better",
    ),
    reading=(
        "to do better is to have the smaller gap f(w) - f(w*) after the same rounds, noise and choices. It "
        "is advice: no degree of heterogeneity, distance or number of rounds is named."
    ),
    refuted_by=(
        "a problem with a distant start and as many rounds as one likes on which clipping keeps the smaller "
        "mean gap."
    ),
    setting=_RATES,
)
