"""Lemma 3: the gap between the mean of the clients' memories and the server's memory.

The variance proxy B is the one printed in this lemma, which is also that of the appendix form of Theorem 1.
"""

from sympy import sqrt

from bounds.language.statement import Edge, EdgeOutcome, Kind, Setting, Statement, Step, Term, defined_by
from bounds.language.vanishing import Equal, together
from bounds.papers.fed_norm_ec import PAPER, variance
from bounds.papers.fed_norm_ec.assumptions import ASSUMPTION_1
from bounds.papers.fed_norm_ec.notation import B, K, M, beta, memory_gap, p, sigma_DP

LEMMA = Statement(
    locator="A.lem3",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    algorithm="fed_alpha_norm_ec",
    title="Lemma 3: gap between the memories of clients and server",
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
    setting=(
        Setting("A.lem3.h1", "Fed-alpha-NormEC with any local operator, for problem (1)"),
        Setting("A.lem3.h2", "Assumption 1"),
    ),
    assumptions=ASSUMPTION_1,
    where=(defined_by(variance.APPENDIX, locator="A.lem3"),),
    left=memory_gap,
    example={"K": 100, "M": 10, "beta": 0.01, "p": 0.5, "sigma_DP": 0.1},
    terms=(
        Term(
            "sampling_and_noise",
            sqrt(beta**2 * B * (K + 1) / M),
            "partial participation and private noise",
            (together(Equal(p, 1), Equal(sigma_DP, 0)),),
        ),
    ),
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
    steps=(
        Step(
            "A.lem3.s1",
            r"e^{k+1} = \frac{1}{M}\sum_{i=1}^{M}v_{i}^{k+1}-\hat{v}^{k+1}",
            "definition of e^k at k+1",
        ),
        Step(
            "A.lem3.s2",
            r"= \frac{1}{M}\sum_{i=1}^{M}v_{i}^{k}-\hat{v}^{k}+\beta n^{k}",
            "updates of v_i^{k+1} and of the server's memory",
            ("A.lem3.s1", "A.lem3.s4", "A.alg1"),
        ),
        Step(
            "A.lem3.s3",
            r"= e^{k}+\beta n^{k},",
            "definition of e^k",
            ("A.lem3.s2",),
        ),
        Step(
            "A.lem3.s4",
            r"n_{i}^{k}=(1-q_{i}^{k}){\rm Norm}_{\alpha}\left(\frac{x^{k}-\mathcal{T}_{i}(x^{k})}{\gamma}"
            r"-v_{i}^{k}\right)-q_{i}^{k}z_{i}^{k}",
            "definition of the increments n_i^k, whose mean over the clients is n^k",
        ),
        Step(
            "A.lem3.s5",
            r"{\rm E}\left[\left\|e^{k+1}\right\|\right]\leq{\rm E}\left[\left\|e^{0}\right\|\right]"
            r"+\sqrt{\frac{\beta^{2}(K+1)\cdot\sigma^{2}}{M}},",
            "Lemma 2 with z^k = n^k, z_i^k = n_i^k, where sigma^2 = E||n_i^k||^2",
            ("A.lem3.s3", "A.lem2"),
        ),
        Step(
            "A.lem3.s6",
            r"{\rm E}\left[\left\|e^{k+1}\right\|\right]\leq\sqrt{\frac{\beta^{2}(K+1)\cdot\sigma^{2}}{M}}.",
            "initialization of the server's memory",
            ("A.lem3.s5", "A.alg1"),
        ),
        Step(
            "A.lem3.s6",
            r"\hat{v}^{0}=\frac{1}{n}\sum_{i=1}^{n}v_{i}^{0}",
            "that initialization",
            ("A.alg1",),
        ),
        Step(
            "A.lem3.s7",
            r"{\rm E}\left[\left\|n_{i}^{k}\right\|^{2}\right] = {\rm E}\left["
            r"\left\|(1-q_{i}^{k}){\rm Norm}_{\alpha}\left(\frac{x^{k}-\mathcal{T}_{i}(x^{k})}{\gamma}"
            r"-v_{i}^{k}\right)-q_{i}^{k}z_{i}^{k}\right\|^{2}\right]",
            "definition of n_i^k",
            ("A.lem3.s4",),
        ),
        Step(
            "A.lem3.s8",
            r"\leq 2{\rm E}\left[(1-q_{i}^{k})^{2}\left\|{\rm Norm}_{\alpha}\left(\frac{x^{k}"
            r"-\mathcal{T}_{i}(x^{k})}{\gamma}-v_{i}^{k}\right)\right\|^{2}\right]"
            r"+2{\rm E}\left[(q_{i}^{k})^{2}\left\|z_{i}^{k}\right\|^{2}\right]",
            "||x+y||^2 <= 2||x||^2 + 2||y||^2",
            ("A.lem3.s7",),
        ),
        Step(
            "A.lem3.s9",
            r"\leq 2{\rm E}\left[(1-q_{i}^{k})^{2}\right]+2{\rm E}\left[(q_{i}^{k})^{2}"
            r"\left\|z_{i}^{k}\right\|^{2}\right]",
            "||Norm_alpha(.)|| <= 1",
            ("A.lem3.s8", "A.def.norm"),
        ),
        Step(
            "A.lem3.s10",
            r"= 2{\rm E}\left[(1-q_{i}^{k})^{2}\right]+2{\rm E}\left[(q_{i}^{k})^{2}\right]{\rm E}\left["
            r"\left\|z_{i}^{k}\right\|^{2}\right]",
            "q_i^k and z_i^k are independent",
            ("A.lem3.s9",),
        ),
        Step(
            "A.lem3.s11",
            r"\leq 2p(1-1/p)^{2}+2(1-p)+2p/p^{2}\cdot\sigma^{2}_{\rm DP},",
            "moments of q_i^k and z_i^k",
            ("A.lem3.s10",),
        ),
        Step(
            "A.lem3.s12",
            r"insert s11 in s6: the conclusion",
            "sigma^2 is at most B; gives the conclusion",
            ("A.lem3.s6", "A.lem3.s11"),
        ),
    ),
)
