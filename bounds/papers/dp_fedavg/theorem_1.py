"""Theorem 1: the noise with which Algorithm 1 is private."""

from sympy import log

from bounds.language.condition import at_most, below
from bounds.language.mechanism import AssumedMechanism
from bounds.language.statement import Edge, EdgeOutcome, Kind, Setting, Statement, Term
from bounds.language.vanishing import Grows
from bounds.papers.dp_fedavg import PAPER
from bounds.papers.dp_fedavg.notation import C, K, c_epsilon, d, delta, epsilon, n, q, r, sigma

THEOREM = Statement(
    locator="B.thm1",
    kind=Kind.RULE,
    paper=PAPER,
    title="Theorem 1: noise for privacy, eq. (5)",
    algorithm="dp_fedavg",
    mechanism=AssumedMechanism(
        unit="client",
        relation=None,
        sampling="independent",
        rate=r / n,
        placement="server",
        spread="per coordinate",
        deviation=r * sigma,
        contribution=C,
        rounds=K,
        clients=n,
        dimension=d,
        said={
            "unit": "Algorithm 1 is private (B.thm1), and it clips clients; eq. (2) speaks of samples (B.dp)",
            "relation": "data sets that differ in exactly one sample (B.dp): added, removed or replaced",
            "sampling": "sampling each client with probability r/n (B.alg1)",
            "placement": "the cited theorem adds one noise to the sum over the drawn; listed at the clients "
            "(B.alg1, line 10)",
            "spread": "N(0, r sigma^2 I) per message, so sigma^2 per coordinate of the average over r",
            "contribution": "updates are clipped to C (B.clip)",
        },
    ),
    printed=(
        r"\sigma^{2}=qKC^{2}\frac{\log({1}/{\delta})}{n^{2}\varepsilon^{2}}",
        r"$0<\varepsilon<\mathcal{O}\Big(\frac{r^{2}K}{n^{2}}\Big)$",
    ),
    reading=(
        "sigma^2 is the variance per coordinate of the averaged noise, and every client adds N(0, r sigma^2 "
        "I) as the listing prints; q is an absolute constant that exists and is not given. With eq. (3) the "
        "rule says sigma^2 = K C^2 rho^2/d. The last iterate is private by the cited theorem, and an earlier "
        "one because its privacy cost is smaller."
    ),
    left=sigma**2,
    terms=(
        Term(
            "noise",
            q * K * C**2 * log(1 / delta) / (n**2 * epsilon**2),
            "hiding one client in K rounds",
            (Grows(n),),
        ),
    ),
    setting=(
        Setting("B.alg1", "the mechanism is DP-FedAvg, whose clients are drawn with probability r/n"),
        Setting("B.dp", "privacy is that of eq. (2)"),
    ),
    conditions=(
        at_most(
            r,
            n,
            locator="B.alg1",
            printed=r"sampling each client $\in[n]$ with probability $r/n$",
            part="sampling",
        ),
        below(
            epsilon,
            c_epsilon * r**2 * K / n**2,
            locator="B.thm1",
            printed=r"0<\varepsilon<\mathcal{O}\Big(\frac{r^{2}K}{n^{2}}\Big)",
            part="range",
        ),
    ),
    example={
        "q": 1,
        "K": 500,
        "C": 1,
        "delta": 1e-5,
        "n": 1000,
        "epsilon": 1,
        "r": 200,
        "c_epsilon": 1,
    },
    increasing=(q, K, C),
    decreasing=(delta, n, epsilon),
    edges=(
        Edge(epsilon, 0, EdgeOutcome.OUT_OF_DOMAIN, "infinite noise"),
        Edge(delta, 0, EdgeOutcome.OUT_OF_DOMAIN, "infinite noise"),
        Edge(delta, 1, EdgeOutcome.OUT_OF_DOMAIN, "the vacuous regime: no noise"),
        Edge(r, 1, EdgeOutcome.REGULAR, "one client a round: the noise does not depend on r"),
        Edge(K, 1, EdgeOutcome.REGULAR, "one round"),
    ),
)
