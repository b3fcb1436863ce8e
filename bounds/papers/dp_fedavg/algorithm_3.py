"""Algorithm 3: FedAvg with full-gradient local steps."""

from bounds.language.statement import Kind, Statement
from bounds.papers.dp_fedavg import PAPER

LISTING = Statement(
    locator="B.alg3",
    kind=Kind.DEFINITION,
    paper=PAPER,
    title="Algorithm 3: FedAvg (full-gradient local steps)",
    algorithm="fedavg",
    printed=(
        r"Server sends $\bm{w}_{k}$ to a random set $\mathcal{S}_{k}$ of $r$ clients chosen uniformly at "
        r"random.",
        r"Set $\bm{w}_{k,0}^{(i)}=\bm{w}_{k}$.",
        r"Update $\bm{w}_{k,\tau+1}^{(i)}\leftarrow \bm{w}_{k,\tau}^{(i)}-\eta_{k}\nabla f_{i}("
        r"\bm{w}_{k,\tau}^{(i)})$.",
        r"Send $\bm{w}_{k}-\bm{w}_{k,E}^{(i)}$ to the server.",
        r"Update $\bm{w}_{k+1}\leftarrow \bm{w}_{k}-\frac{1}{r}\sum_{i\in\mathcal{S}_{k}}("
        r"\bm{w}_{k}-\bm{w}_{k,E}^{(i)})$.",
    ),
    reading=(
        "exactly r clients, drawn without replacement, where Algorithms 1 and 2 draw a random number of "
        "them; no separate rate at the server, and nothing is returned at random."
    ),
)
