"""Clients drawn by coins, as the listings print: what their average scatters, and who may be drawn.

For independent draws with probability p = r/n and vectors g_i,
    E||(1/r) sum over the drawn of g_i||^2 = ||mean g_i||^2 + (1 - p)/r mean ||g_i||^2,
so that Fact 2, which needs exactly r summands, is off by the factor 1 + SCATTER.
"""

from bounds.language.condition import at_most
from bounds.papers.dp_fedavg.notation import n, r

SCATTER = (1 - r / n) / r
PRINTED_SCATTER = r"s:=\frac{1}{r}\Big(1-\frac{r}{n}\Big)"


DRAWN_BY_COINS = at_most(
    r,
    n,
    locator="B.alg2",
    printed=r"sampling each client $\in[n]$ with probability $r/n$",
    part="sampling",
)
