"""Equation (2): DP-FedAvg, the baseline."""

from bounds.language.statement import Kind, Setting, Statement
from bounds.papers.fed_norm_ec import PAPER

BASELINE = Statement(
    locator="A.eq2",
    kind=Kind.DEFINITION,
    paper=PAPER,
    title="Equation (2): DP-FedAvg",
    algorithm="dp_fedavg_smoothed",
    printed=(
        r"x^{k+1}=x^{k}-\frac{\eta}{B}\left[\sum_{i\in S^{k}}\Psi(x^{k}-\mathcal{T}_{i}(x^{k}))"
        r"+z_{i}^{k}\right],",
    ),
    reading="B clients a round; the sum runs over what each of them sends, noise included.",
    other_readings=("as bracketed, the noise of one client alone is added, outside the sum.",),
    setting=(
        Setting(
            "A.eq2.exp", "in the experiments: smoothed normalization, one local step, eta = gamma, p = 1"
        ),
    ),
)
