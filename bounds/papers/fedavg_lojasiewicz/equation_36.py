"""Equation (36): one round of any number of local steps, split into a mean direction and a spread."""

from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Statement, Term, defined_by
from bounds.papers.fedavg_lojasiewicz import PAPER, definitions
from bounds.papers.fedavg_lojasiewicz.assumptions import FL_1, ITERATES
from bounds.papers.fedavg_lojasiewicz.notation import (
    L,
    beta,
    direction_error,
    gap,
    gradient_norm,
    mean_move,
    mean_next_gap,
    mean_square_move,
)
from bounds.papers.fedavg_lojasiewicz.shared.one_round import VALUED_ROUND, one_valued_round

BOUND = Statement(
    locator="D.eq36",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="(36): one round, split into (A) and (B)",
    algorithm="fedavg",
    printed=(
        r"\mathbb{E}[F(\theta_{r+1})|\theta_r] - F(\theta_r) &\leq",
        r"\underbrace{\frac{1}{2\beta^2}\|\nabla F(\theta_r) - \beta^2\mathbb{E}[\theta_r"
        r" - \theta_{r+1}|\theta_r]\|_2^2 - \frac{1}{2\beta^2}\|\nabla F(\theta_r)\|_2^2}_{(\mathbf{A})}"
        r" + \underbrace{\frac{L}{2}\mathbb{E}[\|\theta_{r+1} - \theta_r\|_2^2|\theta_r]"
        r" - \frac{\beta^2}{2}\|\mathbb{E}[\theta_{r+1} - \theta_r|\theta_r]\|_2^2}_{(\mathbf{B})}."
        r" \quad (36)",
    ),
    reading="the chain from end to end; F(theta_r) - F* is added to both sides: the numbers are gaps.",
    left=mean_next_gap,
    terms=(
        Term("gap", gap, "gap before the round", remark="at F*"),
        Term("direction", direction_error**2 / (2 * beta**2), "(A): error of the mean direction"),
        Term(
            "descent",
            -(gradient_norm**2) / (2 * beta**2),
            "(A): progress along the gradient",
            remark="at a stationary point",
            non_negative=False,
        ),
        Term("move", L * mean_square_move / 2, "(B): curvature along the move", remark="as the move shrinks"),
        Term(
            "mean_move",
            -(beta**2) * mean_move**2 / 2,
            "(B): the mean move, which polarization takes off",
            remark="as the move shrinks",
            non_negative=False,
        ),
    ),
    setting=(ITERATES,),
    assumptions=(FL_1,),
    where=(defined_by(definitions.WEIGHT, locator="D.F2.s5"),),
    example={
        "gap": 2,
        "gradient_norm": 1,
        "direction_error": 0.2,
        "mean_square_move": 0.02,
        "mean_move": 0.1,
        "L": 4,
        "eta": 0.02,
        "H": 5,
    },
    concrete=Concrete(objects=VALUED_ROUND, numbers=one_valued_round),
    increasing=(gap, direction_error, mean_square_move, L),
    decreasing=(gradient_norm, mean_move),
    edges=(
        Edge(direction_error, 0, EdgeOutcome.REGULAR, "the mean move is eta H times the gradient"),
        Edge(gradient_norm, 0, EdgeOutcome.REGULAR, "a stationary point"),
        Edge(mean_move, 0, EdgeOutcome.REGULAR, "the move is pure noise"),
    ),
)
