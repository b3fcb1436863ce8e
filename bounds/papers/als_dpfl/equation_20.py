"""Eq. (20): the auxiliary sequence never reaches the minimum."""

from bounds.language.statement import Kind, Statement
from bounds.papers.als_dpfl import PAPER
from bounds.papers.als_dpfl.assumptions import CENTRALIZED, STANDING

POSITIVITY = Statement(
    locator="C.pos",
    kind=Kind.CLAIM,
    paper=PAPER,
    title="Eq. (20): the gap of the auxiliary sequence is positive",
    algorithm="dpfl",
    printed=(r"\theta_{[k]}(t) > 0 \tag{20}",),
    reading="for every realisation, every interval and every step; strict.",
    refuted_by="a problem of Assumption 1 and a step size with which an auxiliary iterate is a minimizer",
    setting=CENTRALIZED,
    assumptions=STANDING,
)
