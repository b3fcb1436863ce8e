"""The signal-to-noise ratio of a round, and what normalization is said to gain from it."""

from dataclasses import replace

from bounds.language.statement import Edge, EdgeOutcome, Kind, Setting, Statement, Term
from bounds.papers.dp_fedavg import PAPER, equation_16_comparison
from bounds.papers.dp_fedavg.notation import (
    SNR,
    clipping_coefficient,
    noise_norm,
    signal_norm,
    z,
)

RATIO = Statement(
    locator="B.snr",
    kind=Kind.DEFINITION,
    paper=PAPER,
    title="Signal-to-noise ratio of a round",
    printed=(
        r"\text{SNR}:=\frac{\big\|\frac{1}{r}\sum_{i\in\mathcal{S}_{k}}\bm{g}^{(i)}_{k}\big\|}"
        r"{\big\|\frac{1}{r}\sum_{i\in\mathcal{S}_{k}}\bm{\zeta}^{(i)}_{k}\big\|}",
    ),
    reading="for every realisation of a round in which some client takes part; no expectation is printed.",
    left=SNR,
    terms=(
        Term(
            "ratio",
            signal_norm / noise_norm,
            "updates against noise",
            remark="when the bounded updates cancel",
        ),
    ),
    setting=(
        Setting("B.alg1", "bounded updates and noise of Algorithm 1"),
        Setting("B.alg2", "bounded updates and noise of Algorithm 2"),
    ),
    example={"signal_norm": 2, "noise_norm": 4},
    increasing=(signal_norm,),
    decreasing=(noise_norm,),
    edges=(
        Edge(signal_norm, 0, EdgeOutcome.REGULAR, "the bounded updates cancel"),
        Edge(noise_norm, 0, EdgeOutcome.OUT_OF_DOMAIN, "no noise, or no client in the round: 0/0"),
    ),
)

AMPLIFICATION = replace(
    equation_16_comparison.COEFFICIENTS,
    locator="B.snr",
    title="Amplification: the coefficient of eq. (16) against the gain times that of eq. (15)",
    printed=(
        r"the coefficient on the left of eq. (16) is at least $\frac{\hat{C}E}{\|\bm{u}_{\tilde{k}}^{(i)}\|}$"
        r" ($\geq 1$) times that of eq. (15)",
    ),
    reading=(
        "for one client in one round, on the event that its update is not clipped; on the complement the two "
        "coefficients are printed to be the same, 3 C_hat/(8 L E)."
    ),
    left=z * clipping_coefficient,
)

SHORT_UPDATES = Statement(
    locator="B.snr",
    kind=Kind.CLAIM,
    paper=PAPER,
    title="Short updates drown in the noise of clipping, and not in that of normalization",
    printed=(
        r"the noise norm (constant expectation, proportional to the threshold) can become arbitrarily larger "
        r"than the client update norms",
        r"with normalization it cannot become arbitrarily larger than the normalized update's norm",
    ),
    reading=(
        "for the update of one client against the mean noise norm of its round, at the K of the run, as the "
        "updates shrink."
    ),
    other_readings=(
        "as K grows, on which the section ends: the noise of each round grows with K, and C does not.",
    ),
    refuted_by=(
        "a problem on which the mean noise norm over the norm of the shortest clipped update stays bounded "
        "though the update norms tend to zero; or, at one K, the same quotient unbounded for normalized "
        "updates."
    ),
)

EVENTUALLY = Statement(
    locator="B.snr",
    kind=Kind.CLAIM,
    paper=PAPER,
    title="The SNR of clipping eventually falls below that of normalization",
    printed=(r"So the SNR of clipping eventually falls below that of normalization.",),
    reading="for averaged updates, as the SNR is defined, from some round on, with the same noise in both.",
    other_readings=("for one client's own update, where that of clipping is never the larger one.",),
    refuted_by=(
        "runs with the same noise in which the SNR of clipping stays above that of normalization, however "
        "many rounds there are: normalized updates of clients that disagree may cancel where clipped ones do "
        "not. Mean ratios say nothing in one dimension, where 1/||zeta|| has none."
    ),
)
