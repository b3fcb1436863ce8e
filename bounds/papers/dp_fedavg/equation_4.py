"""Eq. (4): clipping."""

from bounds.language.statement import Kind, Statement
from bounds.papers.dp_fedavg import PAPER

CLIP = Statement(
    locator="B.clip",
    kind=Kind.DEFINITION,
    paper=PAPER,
    title="Clipping function, eq. (4)",
    printed=(r"\text{clip}(\bm{z},c):=\bm{z}\min\Big(1,\frac{c}{\|\bm{z}\|}\Big)",),
    reading="the projection onto the ball of radius c; at z = 0, where c/||z|| is not defined, it is 0.",
)
