"""Algorithm 1: DP-FedAvg with clipping."""

from bounds.language.statement import Kind, Setting, Statement
from bounds.papers.dp_fedavg import PAPER

LISTING = Statement(
    locator="B.alg1",
    kind=Kind.DEFINITION,
    paper=PAPER,
    title="Algorithm 1: DP-FedAvg (with clipping)",
    algorithm="dp_fedavg",
    printed=(
        r"Server sends $\bm{w}_{k}$ to a random set $\mathcal{S}_{k}$ of clients, formed by sampling each "
        r"client $\in[n]$ with probability $r/n$.",
        r"Set $\bm{w}_{k,0}^{(i)}=\bm{w}_{k}$.",
        r"Update $\bm{w}_{k,\tau+1}^{(i)}\leftarrow \bm{w}_{k,\tau}^{(i)}-\eta_{k}\nabla f_{i}("
        r"\bm{w}_{k,\tau}^{(i)})$.",
        r"Let $\bm{u}^{(i)}_{k}=\frac{\bm{w}_{k}-\bm{w}_{k,E}^{(i)}}{\eta_{k}}$ and $\bm{g}^{(i)}_{k}="
        r"\text{clip}\big(\bm{u}^{(i)}_{k},C\big)=\bm{u}^{(i)}_{k}\min\Big(1,"
        r"\frac{C}{\|\bm{u}^{(i)}_{k}\|}\Big)$.",
        r"Send $(\bm{g}^{(i)}_{k}+\bm{\zeta}^{(i)}_{k})$ to the server, where "
        r"$\bm{\zeta}^{(i)}_{k}\sim\mathcal{N}(\vec{0}_{d},r\sigma^{2}\bm{\textup{I}}_{d})$.",
        r"Update $\bm{w}_{k+1}\leftarrow \bm{w}_{k}-\beta_{k}\bm{a}_{k}$, where "
        r"$\bm{a}_{k}=\frac{1}{r}\sum_{i\in\mathcal{S}_{k}}(\bm{g}^{(i)}_{k}+\bm{\zeta}^{(i)}_{k})$.",
        r"Return $\bm{w}_{\text{priv}}=\bm{w}_{\tilde{k}}$, where $\tilde{k}\sim\text{unif}[0,K-1]$.",
    ),
    reading=(
        "clients are drawn independently of each other, so that their number varies from round to round "
        "while the sum is always divided by r; the averaged noise has the variance sigma^2 per coordinate in "
        "mean over that number. The result is returned once, after the last round, though line 13 stands "
        "inside the loop. Round 0 starts at the initial point, which the random round may return."
    ),
    other_readings=(
        "exactly r clients, so that the averaged noise is N(0, sigma^2 I), as is said beside the listing.",
    ),
    setting=(
        Setting("B.clip", "g is the clipped update"),
        Setting("B.thm1", "sigma^2 is the noise that privacy asks for"),
    ),
)
