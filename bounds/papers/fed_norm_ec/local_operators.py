"""The two local operators: gradient steps, and one cyclic pass of incremental-gradient steps."""

from bounds.language.statement import Kind, Setting, Statement
from bounds.papers.fed_norm_ec import PAPER

GRADIENT_STEPS = Statement(
    locator="A.op.gd",
    kind=Kind.DEFINITION,
    paper=PAPER,
    title="Local gradient-descent operator",
    algorithm="fed_alpha_norm_ec",
    printed=(
        r"x^{k,j+1}_{i}=x^{k,j}_{i}-\frac{\gamma}{T}\nabla f_{i}(x^{k,j}_{i})"
        r"\quad\text{for}\quad j=0,1,\ldots,T-1,",
        r"\mathcal{T}_{i}(x^{k})=x^{k}-\gamma\cdot\frac{1}{T}\sum_{j=0}^{T-1}\nabla f_{i}(x_{i}^{k,j})",
        r"\mathcal{T}_{i}(x^{k})=x^{k}-\frac{\gamma}{T}\sum_{j=0}^{T-1}\nabla f_{i}(x_{i}^{k,j}).",
    ),
    reading="T steps of length gamma/T from x^k: gamma is the length of the whole pass.",
    setting=(Setting("A.op.gd1", "with T = 1 the operator is one gradient step of length gamma"),),
)

INCREMENTAL_GRADIENT = Statement(
    locator="A.op.ig",
    kind=Kind.DEFINITION,
    paper=PAPER,
    title="Equation (3): local cyclic incremental-gradient operator",
    algorithm="fed_alpha_norm_ec",
    printed=(
        r"x^{k,j+1}_{i}=x^{k,j}_{i}-\frac{\gamma}{N}\nabla f_{i,j}(x^{k,j}_{i})"
        r"\quad\text{for}\quad j=0,1,\ldots,T-1,",
        r"\mathcal{T}^{IG}_{i}(x^{k})=x^{k}-\gamma\frac{1}{N}\sum_{j=0}^{N-1}\nabla f_{i,j}(x^{k,j}_{i}),",
        r"x_{i}^{k,l+1}=x_{i}^{k,l}-\frac{\gamma}{N}\nabla f_{i,j}(x_{i}^{k,l}),"
        r"\quad\text{for}\quad l=0,1,\ldots,N-1,",
    ),
    reading=(
        "one pass over the N data points in a fixed order, so T = N; step l uses data point l, where Lemma 9 "
        "prints j."
    ),
)
