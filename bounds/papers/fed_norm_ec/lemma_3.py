"""Lemma 3: the gap between the mean of the clients' memories and the server's memory.

The variance proxy B is the one printed in this lemma, which is also that of the appendix form of Theorem 1.
"""

from sympy import sqrt

from bounds.language.statement import Edge, EdgeOutcome, Kind, Setting, Statement, Term, defined_by
from bounds.language.vanishing import Equal, together
from bounds.papers.fed_norm_ec import PAPER, variance
from bounds.papers.fed_norm_ec.assumptions import ASSUMPTION_1
from bounds.papers.fed_norm_ec.notation import B, K, M, beta, memory_gap, p, sigma_DP

LEMMA = Statement(
    locator="A.lem3",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Lemma 3: gap between the memories of clients and server",
    algorithm="fed_alpha_norm_ec",
    printed=(
        r"{\rm E}\left[\left\|\frac{1}{M}\sum_{i=1}^{M}v_{i}^{k+1}-\hat{v}^{k+1}\right\|\right]"
        r"\leq\sqrt{\frac{\beta^{2}B}{M}(K+1)},",
        r"B=2p(1-1/p)^{2}+2(1-p)+2\sigma^{2}_{\rm DP}/p",
    ),
    reading=(
        "for every k in [0, K] and any local operator; sigma_DP^2 is the total variance E||z||^2, as the "
        "proof uses it; clients take part independently with probability p; the memories start as in "
        "Algorithm 1, so that the gap is zero before the first round."
    ),
    other_readings=(
        "sigma_DP^2 per coordinate, as the noise rule A.disc.sigma needs it: then the lemma is false, and B "
        "has to carry d sigma_DP^2.",
        "the memories of drawn clients alone move, as step 1 of Section 4 can be read (A.alg1.n2): then the "
        "lemma is false.",
    ),
    left=memory_gap,
    terms=(
        Term(
            "sampling_and_noise",
            sqrt(beta**2 * B * (K + 1) / M),
            "partial participation and private noise",
            (together(Equal(p, 1), Equal(sigma_DP, 0)),),
        ),
    ),
    setting=(
        Setting("A.lem3.h1", "Fed-alpha-NormEC with any local operator, for problem (1)"),
        Setting("A.lem3.h2", "Assumption 1"),
    ),
    assumptions=ASSUMPTION_1,
    where=(defined_by(variance.APPENDIX, locator="A.lem3"),),
    example={"K": 100, "M": 10, "beta": 0.01, "p": 0.5, "sigma_DP": 0.1},
    increasing=(beta, K, sigma_DP),
    decreasing=(M, p),
    edges=(
        Edge(
            p, 0, EdgeOutcome.OUT_OF_DOMAIN, "no client ever transmits: B has the pole 2 (1 + sigma_DP^2)/p"
        ),
        Edge(p, 1, EdgeOutcome.REGULAR, "full participation: B = 2 sigma_DP^2"),
        Edge(sigma_DP, 0, EdgeOutcome.REGULAR, "no private noise: B is the variance of sampling alone"),
        Edge(K, 0, EdgeOutcome.REGULAR, "one round"),
        Edge(beta, 0, EdgeOutcome.OUT_OF_DOMAIN, "Algorithm 1 asks beta > 0"),
    ),
    proof=("A.lem3.s1..A.lem3.s12",),
)
