"""Fact 3: the sum of the first m powers of a number just below one."""

from typing import Any

from sympy import Rational

from bounds.language.condition import at_most, solved_at_most
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.drawn import drawn
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Statement, Term
from bounds.language.vanishing import Equal
from bounds.papers.dp_fedavg import PAPER
from bounds.papers.dp_fedavg.notation import geometric_sum, m_exponent, x


def _numbers(x: Any, m: Any) -> dict[str, Any]:
    # expm1 and log1p keep the digits that 1 - (1 - x)^m loses when x is small.
    return {"x": x, "m_exponent": m, "geometric_sum": -np.expm1(m * np.log1p(-np.asarray(x))) / x}


FACT = Statement(
    locator="B.fact3",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Fact 3: sum of the first powers of 1 - x",
    printed=(r"\frac{1-(1-x)^{m}}{x}\leq m\Big(1-\frac{11(m-1)}{24}x\Big)",),
    reading="for numbers: x is a pure number, m an integer, and neither is a sample or a count of samples.",
    left=geometric_sum,
    terms=(
        Term("count", m_exponent, "number of powers"),
        Term(
            "decrease",
            -Rational(11, 24) * m_exponent * (m_exponent - 1) * x,
            "powers below one",
            (Equal(m_exponent, 1),),
            non_negative=False,
        ),
    ),
    conditions=(
        at_most(
            m_exponent * x,
            Rational(1, 4),
            locator="B.fact3",
            printed=r"mx\leq\frac{1}{4}",
            solved=solved_at_most(x, 1 / (4 * m_exponent)),
        ),
    ),
    example={"x": 0.02, "m_exponent": 10},
    concrete=Concrete(
        objects={"x": "number in (0, 1)", "m": "positive integer"},
        numbers=_numbers,
        drawn=drawn(x=x, m=m_exponent),
    ),
    increasing=(m_exponent,),
    decreasing=(x,),
    edges=(
        Edge(x, 0, EdgeOutcome.OUT_OF_DOMAIN, "0/0 on the left; the limit is m"),
        Edge(x, 1, EdgeOutcome.OUT_OF_DOMAIN, "m x is above 1/4 for every m"),
        Edge(m_exponent, 1, EdgeOutcome.REGULAR, "both sides are 1"),
    ),
    proof=("B.fact3.eq105..B.fact3.eq108",),
)
