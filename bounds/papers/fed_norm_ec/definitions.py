"""What section 3 defines without a number: the problem, privacy, the memory error and the local update."""

from functools import partial

from bounds.language.statement import Kind, Statement
from bounds.papers.fed_norm_ec import PAPER

_definition = partial(Statement, kind=Kind.DEFINITION, paper=PAPER)

FEDERATED_PROBLEM = _definition(
    locator="A.eq1",
    title="Equation (1): the federated problem",
    printed=(
        r"\underset{x\in\mathbb{R}^{d}}{\text{minimize}}\quad f(x)=\frac{1}{M}\sum_{i=1}^{M}f_{i}(x),",
        r"f_{i}(x):=\frac{1}{N}\sum_{j=1}^{N}f_{i,j}(x)",
    ),
    reading="clients and data points have equal weights.",
)

CLIENT_LEVEL_PRIVACY = _definition(
    locator="A.def1",
    title="Definition 1: privacy of clients",
    printed=(
        r"{\rm Pr}(\mathcal{M}(D)\in S)\leq e^{\epsilon}{\rm Pr}(\mathcal{M}(D^{\prime})\in S)+\delta.",
    ),
    reading=(
        "for all events S, subsets of the range though S is printed as an element of it; neighbours differ "
        "in one client, and whether that client is added or replaced is not printed."
    ),
)

MEMORY_ERROR = _definition(
    locator="A.def.R",
    title="Initial memory error R",
    printed=(r"R=\max_{i\in[1,M]}\left\|v_{i}^{0}-\frac{x^{0}-\mathcal{T}_{i}(x^{0})}{\gamma}\right\|",),
    reading="of the clients' memories before the first round, for the statement's operator and gamma.",
)

LOCAL_UPDATE = _definition(
    locator="A.def.P",
    title="Local update divided by the local step",
    printed=(r"P_{i}(x)=(x-\mathcal{T}_{i}(x))/\gamma",),
    reading="a gradient averaged along the local path; for one local step, grad f_i(x).",
)
