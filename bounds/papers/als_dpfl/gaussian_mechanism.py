"""The Gaussian mechanism (section 3.2 of the paper, attributed to Dwork and Roth 2014)."""

from sympy import Integer, Rational, log, sqrt

from bounds.language.condition import at_least, below
from bounds.language.mechanism import AssumedMechanism
from bounds.language.statement import Edge, EdgeOutcome, Kind, Statement, Term
from bounds.papers.als_dpfl import PAPER
from bounds.papers.als_dpfl.notation import c, delta, epsilon, sensitivity, sigma_mechanism

RULE = Statement(
    locator="C.mech",
    kind=Kind.RULE,
    paper=PAPER,
    title="Gaussian mechanism: the smallest noise scale for (epsilon, delta)-DP",
    mechanism=AssumedMechanism(
        unit="record",
        relation="replace-one",
        sampling="full",
        rate=Integer(1),
        placement="server",
        spread="per coordinate",
        deviation=sigma_mechanism,
        contribution=sensitivity / 2,
        rounds=Integer(1),
        clients=None,
        dimension=None,
        said={
            "unit": "databases that differ in only a single entry (C.def1)",
            "relation": "two databases of which neither contains the other differ in an entry (C.def1)",
            "sampling": "one function of the whole database (C.mech)",
            "placement": "one noise on the value of the function (C.mech)",
            "spread": "s is real-valued, and n ~ N(0, sigma^2) (C.mech)",
            "contribution": "replacing an entry moves s by at most its sensitivity: two contributions",
        },
    ),
    printed=(
        r"\sigma \geq c\Delta s/\epsilon",
        r"\Delta s = \max_{\mathcal{D}_i, \mathcal{D}'_i} \|s(\mathcal{D}_i) - s(\mathcal{D}'_i)\|",
    ),
    reading=(
        "the number is the smallest sigma that the rule allows; here sigma is the standard deviation of the "
        "noise n ~ N(0, sigma^2), per coordinate where s is a vector, and not a multiple of C; one release."
    ),
    left=sigma_mechanism,
    terms=(
        Term("noise", c * sensitivity / epsilon, "one entry of the database", remark="where s is constant"),
    ),
    conditions=(
        at_least(
            c,
            sqrt(2 * log(Rational(5, 4) / delta)),
            locator="C.mech",
            printed=r"c \geq \sqrt{2\ln(1.25/\delta)}",
            part="constant",
        ),
        below(epsilon, Integer(1), locator="C.mech", printed=r"\epsilon \in (0, 1)", part="epsilon"),
    ),
    example={"c": 5, "sensitivity": 1, "epsilon": 0.5, "delta": 1e-5},
    increasing=(c, sensitivity),
    decreasing=(epsilon,),
    edges=(
        Edge(sensitivity, 0, EdgeOutcome.REGULAR, "a constant query needs no noise"),
        Edge(epsilon, 1, EdgeOutcome.NOT_APPLICABLE, "the rule is for epsilon below 1"),
        Edge(delta, 1, EdgeOutcome.OUT_OF_DOMAIN, "delta is below 1"),
    ),
)
