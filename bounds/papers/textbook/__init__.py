"""Positive controls: statements with known tight constants, derived in their transcription.md.

Every check of this toolkit must pass on them; a check that fails here is wrong.
"""

from bounds.language.statement import Paper
from bounds.papers.textbook.notation import NOTATION

PAPER = Paper(
    key="textbook",
    title="Tight textbook bounds, re-derived as controls",
    authors="see the citations in bounds/papers/textbook/transcription.md",
    bibtex="""@article{drori2014performance,
  title   = {Performance of first-order methods for smooth convex minimization: a novel approach},
  author  = {Drori, Yoel and Teboulle, Marc},
  journal = {Mathematical Programming},
  volume  = {145},
  year    = {2014}
}""",
    package=__name__,
    notation=NOTATION,
    main=(
        "gradient_descent_convex",
        "gradient_descent_strongly_convex",
        "gradient_descent_nonconvex",
        "stochastic_gradient_descent",
        "federated_averaging_one_client",
    ),
)
