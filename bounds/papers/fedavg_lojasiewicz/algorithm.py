"""FedAVG with stochastic gradients, as listed."""

from bounds.language.statement import Kind, Statement
from bounds.papers.fedavg_lojasiewicz import PAPER

FEDAVG = Statement(
    locator="D.alg",
    kind=Kind.RULE,
    paper=PAPER,
    title="FedAVG, stochastic setting",
    algorithm="fedavg",
    printed=(
        r"\theta_{r,h+1}^c = \theta_{r,h}^c - \eta \nabla f_c^{Z_{r,h}^c}(\theta_{r,h}^c)"
        r" , \quad \text{for } h = 0, \dots, H-1 ,",
    ),
    reading=(
        "in every round each agent starts from theta_{r,0}^c = theta_r, makes H steps with a fresh sample "
        "each, and the server averages theta_{r,H}^c over all M agents into theta_{r+1}; the last theta_R is "
        "returned."
    ),
)
