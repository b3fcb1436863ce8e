"""The maps and conventions of the paper that give no number by themselves."""

from functools import partial

from bounds.language.statement import Kind, Statement
from bounds.papers.als_dpfl import PAPER
from bounds.papers.als_dpfl.assumptions import ASSUMPTION_1, divergence, minimum_attained

_definition = partial(Statement, kind=Kind.DEFINITION, paper=PAPER)

AGGREGATION = _definition(
    locator="C.eq1",
    title="Eq. (1): aggregation",
    printed=(
        r"\mathbf{w}(t) = \frac{\sum_{i=1}^N |\mathcal{D}_i| \mathbf{w}_i(t)}"
        r"{|\mathcal{D}|} \quad (1)",
    ),
    reading="the average at t is of the models at t, as in eq. (16); the sizes of the databases are equal.",
    other_readings=("as eq. (7) prints it for the noisy models: the average at t is of the models at t-1.",),
)

TRAINING = _definition(
    locator="C.fl",
    title="Training process: the four steps of a round",
    printed=("local training", "model aggregation", "broadcasting", "model updating"),
    reading="all N clients take part in every round; what they send is not encrypted in the analysis.",
)

OPTIMUM = _definition(
    locator="C.eq2",
    title="Eq. (2): the optimal model",
    printed=(r"\mathbf{w}^* \triangleq \arg \min F(\mathbf{w}) \quad (2)",),
    reading="some minimizer of F, the same one throughout, where there are several.",
    assumptions=(minimum_attained,),
)

GLOBAL_LOSS = _definition(
    locator="C.eq3",
    title="Eq. (3): global loss",
    printed=(
        r"F(\mathbf{w}) \triangleq \frac{\sum_{i=1}^N |\mathcal{D}_i| F_i(\mathbf{w})}"
        r"{|\mathcal{D}|} \quad (3)",
    ),
    reading="the mean of the clients' losses, weighted by the sizes of their databases.",
)

NOISE_FREE_STEP = _definition(
    locator="C.eq5",
    title="Eq. (5): noise-free local step",
    printed=(
        r"\mathbf{w}_i(t) = \mathbf{w}_i(t-1) - \eta \nabla F_i(\mathbf{w}_i(t-1)) \quad (5)",
        r"The local update is performed on the parameter after possible global aggregation in the previous"
        " iteration.",
    ),
    reading="w_i(t-1) on the right is the averaged model where t-1 is the end of an interval.",
)

CLIPPING = _definition(
    locator="C.clip",
    title="Clipping of a gradient",
    printed=(r"\bar{g}_i(t) \leftarrow g_i(t) / \max(1, \frac{\|g_i(t)\|}{C})",),
    reading="of the whole gradient of the client here; the listings clip the gradient of each sample.",
)

NOISE = _definition(
    locator="C.addnoise",
    title="Noise on a clipped gradient",
    printed=(r"\tilde{g}_i(t) \leftarrow \bar{g}_i(t) + \mathcal{N}(0, \sigma^2 C^2)",),
    reading=(
        "at the client, at every local step: standard deviation sigma C per coordinate, so d sigma^2 C^2 in "
        "total; sigma is a noise multiplier. Nothing is divided by B here."
    ),
    other_readings=("as the listings have it, divided by B: standard deviation sigma C/B per coordinate.",),
)

NOISY_STEP = _definition(
    locator="C.eq6",
    title="Eq. (6): noisy local step",
    printed=(r"\hat{\mathbf{w}}_i(t+1) = \hat{\mathbf{w}}_i(t) - \eta \cdot \tilde{g}_i(t) \quad (6)",),
    reading="the clipped and noised gradient is that of the listings: of a batch, with noise divided by B.",
    other_readings=("the gradient of the client's whole loss, with undivided noise, as section 3.3 has it.",),
)

AVERAGING = _definition(
    locator="C.eq7",
    title="Eq. (7): averaging of the noisy local models",
    printed=(
        r"\hat{\mathbf{w}}(t) = \frac{\sum_{i=1}^N |\mathcal{D}_i| \hat{\mathbf{w}}_i(t-1)}"
        r"{|\mathcal{D}|} \quad (7)",
    ),
    reading="t-1 on the right counts rounds, as in the listings: the average is of the models that came in.",
    other_readings=("t counts local steps, as everywhere else: the last local step is then left out.",),
)

INTERVALS = _definition(
    locator="C.intervals",
    title="Intervals between aggregations",
    printed=(r"$[k]$ denotes the integers of $[(k-1)\tau, k\tau]$",),
    reading="both ends belong to the interval, so that its last integer is the first of the next.",
)

TWO_STEPS = _definition(
    locator="C.gap",
    title="Plan of the analysis",
    printed=(r"the gap between $\hat{\mathbf{w}}(k\tau)$ and $\hat{\mathbf{v}}_{[k]}(k\tau)$ for each $k$",),
    reading="Theorem 1 bounds the gap of one interval; Theorem 2 adds the progress of v_[k].",
)

SYNCHRONIZATION = _definition(
    locator="C.sync",
    title="Start of an interval",
    printed=(
        r"\hat{\mathbf{v}}_{[k]}((k-1)\tau) \triangleq \hat{\mathbf{w}}((k-1)\tau)",
        r"\hat{\mathbf{w}}_i((k-1)\tau) = \hat{\mathbf{w}}((k-1)\tau)",
    ),
    reading="for every k and i; for k = 1 the common point is the initial model.",
)

AUXILIARY_SEQUENCE = _definition(
    locator="C.eq8",
    title="Eq. (8): auxiliary centralized sequence",
    printed=(
        r"\hat{\mathbf{v}}_{[k]}(t) = \begin{cases} \hat{\mathbf{v}}_{[k]}(t-1) - \eta \cdot "
        r"\tilde{g}_{[k]}(t-1), & t > k\tau \\ \hat{\mathbf{w}}(t), & t = k\tau \end{cases} \quad (8)",
        r"\tilde{g}_{[k]}(t) \leftarrow \bar{g}_{[k]}(t) + \mathcal{N}(0, \sigma^2 C^2)",
    ),
    reading=(
        "the case distinction is at (k-1)tau instead of k tau, as the definition of the start of an interval "
        "and every proof have it; noise of standard deviation sigma C per coordinate, drawn apart from the "
        "clients' noise and not divided by B."
    ),
    other_readings=("at k tau as printed: v_[k] is then undefined inside its own interval.",),
)

GRADIENT_DIVERGENCE = _definition(
    locator="C.def2",
    title="Definition 2: gradient divergence",
    printed=(r"$\xi_i$ is an upper bound of",),
    reading="xi_i is any bound that holds at all w, not the smallest one; eq. (9) displays it.",
    assumptions=(divergence,),
)

ASSUMPTION = _definition(
    locator="C.asm1",
    title="Assumption 1: the clients' losses",
    printed=(
        r"$F_i(\mathbf{w})$ is convex",
        r"\|F_i(\mathbf{w}) - F_i(\mathbf{w}')\| \leq \rho\|\mathbf{w} - \mathbf{w}'\|",
        r"\|\nabla F_i(\mathbf{w}) - \nabla F_i(\mathbf{w}')\| \leq \beta\|\mathbf{w} - \mathbf{w}'\|",
        r"\|g_i^s(t)\| \leq C",
    ),
    reading=(
        "for every client, with the same rho, beta and C; item 4 binds along the run, at the clients' "
        "models. Clipping then changes no client gradient."
    ),
    assumptions=ASSUMPTION_1,
)
