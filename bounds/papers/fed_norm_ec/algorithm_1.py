"""Algorithm 1: Fed-alpha-NormEC, with the facts that section 4 adds to its listing."""

from bounds.language.statement import Kind, Setting, Statement
from bounds.papers.fed_norm_ec import PAPER

LISTING = Statement(
    locator="A.alg1",
    kind=Kind.DEFINITION,
    paper=PAPER,
    title="Algorithm 1: (private) Fed-alpha-NormEC",
    algorithm="fed_alpha_norm_ec",
    printed=(
        r"Select $S^{k}$ with sampling probability $p$",
        r"\Delta_{i}^{k}={\rm Norm}_{\alpha}"
        r"\left(\frac{x^{k}-\mathcal{T}_{i}(x^{k})}{\gamma}-v_{i}^{k}\right)",
        r"v_{i}^{k+1}=v_{i}^{k}+\beta\Delta_{i}^{k}",
        r"\hat{\Delta}_{i}^{k}=q_{i}^{k}\Delta_{i}^{k}",
        r"\hat{\Delta}_{i}^{k}=q_{i}^{k}(\Delta_{i}^{k}+z_{i}^{k})",
        r"\hat{v}^{k+1}=\hat{v}^{k}+\frac{\beta}{M}\sum_{i=1}^{M}\hat{\Delta}_{i}^{k}",
        r"x^{k+1}=x^{k}-\frac{\eta}{\left\|\hat{v}^{k+1}\right\|}\hat{v}^{k+1}",
    ),
    reading=(
        "K+1 rounds, k = 0 to K; the memories of all clients move, also of those that do not transmit; the "
        "variance sigma_DP^2 of z is total, E||z||^2; where the server's memory is exactly zero, the listing "
        "divides by zero and the engine names what it does."
    ),
    other_readings=(
        "sigma_DP^2 per coordinate, as an accountant of the Gaussian mechanism counts.",
        "step 1 of Section 4 sends x^k to the participants alone, and who has no x^k cannot move: then only "
        "the memories of drawn clients move.",
    ),
    setting=(
        Setting("A.alg1.n1", "clients take part independently with probability p; q_i^k is 1/p or 0"),
        Setting("A.alg1.n2", "all clients compute and keep their memory; those in S^k transmit"),
        Setting("A.alg1.n3", "the memory update as displayed in section 4: the same"),
        Setting("A.alg1.n4", "the messages as displayed in section 4: the same"),
        Setting("A.alg1.n5", "the server's steps as displayed in section 4: the same"),
        Setting("A.alg1.n6", "alpha-NormEC does the same to gradients, with full participation"),
    ),
)

VARIATION = Statement(
    locator="A.alg1.exp",
    kind=Kind.DEFINITION,
    paper=PAPER,
    title="Algorithm 1 as run in the paper's experiments",
    algorithm="fed_alpha_norm_ec",
    printed=(
        r"x^{k+1}=x^{k}-\eta\hat v^{k+1}",
        r"p\beta\sqrt{K\log(1/\delta)}\epsilon^{-1}",
        r'Server normalization ("Line 12 in Algorithm 1") is not used',
    ),
    reading=(
        "without the server's normalization, so that Theorems 1 and 2 do not speak of it; the noise is "
        "called a variance and has the form of a standard deviation."
    ),
)
