"""The scale of the noise for client-level privacy, up to the constant c that the paper leaves open."""

from sympy import Integer, log, sqrt

from bounds.language.mechanism import AssumedMechanism
from bounds.language.statement import Edge, EdgeOutcome, Kind, Statement, Term
from bounds.language.vanishing import Grows
from bounds.papers.fed_norm_ec import PAPER
from bounds.papers.fed_norm_ec.notation import K, M, c, d, delta, epsilon, p, sigma_DP

RULE = Statement(
    locator="A.disc.sigma",
    kind=Kind.RULE,
    paper=PAPER,
    title="Noise scale for (epsilon, delta) privacy of clients",
    algorithm="fed_alpha_norm_ec",
    mechanism=AssumedMechanism(
        unit="client",
        relation=None,
        sampling="independent",
        rate=p,
        placement="server",
        spread="total",
        deviation=sigma_DP,
        contribution=Integer(1),
        rounds=K + 1,
        clients=M,
        dimension=d,
        said={
            "unit": "client-level (A.def1)",
            "relation": "client-neighboring datasets, which are not defined (A.def1)",
            "sampling": "the same partial participation protocol as in DP-SGD (A.disc.sens)",
            "placement": "noise is injected to the aggregated update (A.disc.sens); listed at the clients "
            "(A.alg1, line 12)",
            "spread": "sigma_DP^2 is E||z||^2 in the proof of Lemma 3",
            "contribution": "the normalization gives every client update a sensitivity of 1 (A.disc.sens)",
        },
    ),
    printed=(r"\sigma_{\rm DP}=c\cdot\frac{p\sqrt{(K+1)\log(1/\delta)}}{\epsilon}",),
    reading=(
        "the scaling of the moments accountant with its constant c as an input: no value of c is printed. "
        "sigma_DP^2 is the total variance E||z||^2, as the proof of Lemma 3 uses it."
    ),
    other_readings=(
        "sigma_DP per coordinate: an accountant of the Gaussian mechanism counts so, and no total variance "
        "that is free of d is private in every dimension.",
    ),
    left=sigma_DP,
    terms=(
        Term(
            "privacy",
            c * p * sqrt((K + 1) * log(1 / delta)) / epsilon,
            "privacy over K+1 rounds, amplified by sampling with probability p",
            (Grows(epsilon),),
        ),
    ),
    example={"c": 1.5, "p": 0.1, "K": 499, "delta": 1e-5, "epsilon": 5},
    increasing=(c, p, K),
    decreasing=(epsilon, delta),
    edges=(
        Edge(K, 0, EdgeOutcome.REGULAR, "one round"),
        Edge(p, 1, EdgeOutcome.REGULAR, "every client in every round: no amplification"),
        Edge(epsilon, 0, EdgeOutcome.OUT_OF_DOMAIN, "perfect privacy needs unbounded noise"),
        Edge(delta, 0, EdgeOutcome.OUT_OF_DOMAIN, "a Gaussian mechanism is never purely epsilon-private"),
        Edge(delta, 1, EdgeOutcome.OUT_OF_DOMAIN, "no privacy is asked: the logarithm vanishes"),
    ),
)
