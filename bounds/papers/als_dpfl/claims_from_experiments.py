"""Claims in prose about privacy, the experiments and other papers, and settings that contradict others."""

from dataclasses import replace
from functools import partial

from bounds.language.statement import Kind, Statement
from bounds.papers.als_dpfl import PAPER

_claim = partial(Statement, kind=Kind.CLAIM, paper=PAPER)

PRIVACY = _claim(
    locator="C.claim.dp",
    title="The noise gives differential privacy",
    printed=(r"the Gaussian noise $\mathcal{N}(0, \sigma^2 C^2)$ is added into each gradient",),
    reading=(
        "standard deviation sigma C per coordinate, at the client, at every local step; epsilon and delta "
        "are those of one release, as in the Gaussian mechanism, at the sigma that it asks for."
    ),
    other_readings=("epsilon and delta are those of the whole run.",),
    refuted_by=(
        "two neighboring databases and a set of outputs at which one release with this noise breaks eq. (4)"
    ),
)

EARLIER_ANALYSES = _claim(
    locator="C.claim.denoms",
    title="Accuracy and local steps stand together in denominators",
    printed=(r"accuracy and the local iteration count always appear together in the denominator",),
    reading="a remark on formulas of cited papers, which are not quoted.",
    not_checkable="it speaks of formulas of other papers and does not say which",
)

FIRST_USE = replace(
    EARLIER_ANALYSES,
    locator="C.claim.first",
    title="First adaptive DPFL algorithm driven by convergence analysis",
    printed=(r"first use of convergence analysis to drive an adaptive DPFL algorithm",),
    reading="a remark on priority.",
    not_checkable="a remark on priority among papers: no run and no formula bears on it",
)

FIRST_ANALYSIS = replace(
    FIRST_USE,
    locator="C.claim.first.analysis",
    title="First convergence analysis of DPFL under resource constraints",
    printed=(r"first convergence analysis of DPFL under resource constraints",),
)

HALF = _claim(
    locator="C.claim.half",
    title="177 is approximately half of 317",
    printed=(r"177 is approximately half of 317",),
    reading="half of 317 is 158.5, and 177 is 11.7% more.",
    not_checkable="no tolerance is printed: what counts as approximately is not said",
)

BEST_TAU_VARIES = _claim(
    locator="C.claim.fig2",
    title="The most accurate tau varies from case to case",
    algorithm="als_dpfl",
    printed=(r"the $\tau$ of best accuracy is very different from case to case",),
    reading="over budgets epsilon and R_s, of the fixed tau that was most accurate in the experiments.",
    refuted_by="runs over these budgets in which one fixed tau is always the most accurate",
)

ADAPTIVE_WHERE_SCARCE = replace(
    BEST_TAU_VARIES,
    locator="C.claim.adaptive",
    title="ALS-DPFL beats every fixed tau where communication is scarce",
    printed=(r"when $R_s < R_c$ ALS-DPFL has higher accuracy than any fixed $\tau$",),
    reading="mean accuracy over the randomness of training, with one and the same budget for all.",
    other_readings=("of the printed experiments alone, in which 2 R_s = R_c = 317.",),
    refuted_by="a task with R_s < R_c and a fixed tau whose mean accuracy is at least that of ALS-DPFL",
)

ADAPTIVE_EVERYWHERE = replace(
    ADAPTIVE_WHERE_SCARCE,
    locator="C.claim.fixed",
    title="ALS-DPFL beats a fixed tau",
    printed=(r"ALS-DPFL achieves higher accuracy than the algorithm with a fixed $\tau$",),
    other_readings=(
        "of the printed experiments alone, in three allocations: true, every largest number is its own.",
    ),
    refuted_by=(
        "a task and a fixed tau whose mean accuracy is at least that of ALS-DPFL; where ALS-DPFL chooses "
        "tau = 1 in every round, the fixed tau = 1 is the same algorithm"
    ),
)

ANY_ALLOCATION = replace(
    ADAPTIVE_WHERE_SCARCE,
    locator="C.claim.anyresource",
    title="ALS-DPFL is effective under any allocation of resources",
    printed=(r"the adaptive approach is effective under any resource allocation scenario",),
    reading="effective is read as not less accurate than the best fixed tau.",
    other_readings=(
        "effective says no more than that training succeeds.",
        "of the printed experiments alone, in three allocations.",
    ),
    refuted_by="an allocation with a fixed tau whose mean accuracy is above that of ALS-DPFL",
)

ALL_ONES = replace(
    BEST_TAU_VARIES,
    locator="C.claim.taulist1",
    title="Chosen tau where privacy is the scarcer resource",
    printed=(r"the list of chosen $\tau$ is all 1, and $\tau=1$ has the highest accuracy",),
    reading="of the two printed experiments; the accuracies are those of Tables 2 and 3, among fixed tau.",
    refuted_by="a repetition that chooses another tau, or a fixed tau with a higher printed accuracy",
)

THREE_AND_TWO = replace(
    ALL_ONES,
    locator="C.claim.taulist2",
    title="Chosen tau where communication is the scarcer resource",
    printed=(
        r"for $2R_s = R_c = 317$ the method finds, after several iterations, "
        r"$\tau$ values 3 (FashionMNIST) and 2 (CIFAR-10)",
        r"described as the most accurate among the fixed $\tau$",
    ),
    reading="of the printed experiment; the most accurate among the fixed tau is read off Tables 2 and 3.",
    refuted_by="a repetition that settles on another tau, or a fixed tau with a higher printed accuracy",
)

FEW_LABELS = _claim(
    locator="C.exp.fmnist.split",
    title="Few labels at a client",
    printed=(r"resulting in most clients having samples with three or four labels",),
    reading="of a random split as described: a fragment has one label, and a client gets any 40 of the 400.",
    refuted_by="the law of the number of labels in 40 of 400 fragments, 40 of each label",
)

IMAGES = _claim(
    locator="C.exp.cifar",
    title="Number of images in CIFAR-10",
    printed=(
        r"10 categories, 6,000 image samples per category, resulting in a total of 60,000 training samples "
        r"and 10,000 testing samples",
    ),
    reading="the samples of all categories are those for training and those for testing.",
    refuted_by="the two totals, where their sum is another than ten times 6,000",
)

BATCH = _claim(
    locator="C.exp.optim",
    title="Batch size of the experiments",
    printed=(r"batch size 64",),
    reading="of the experiments with ALS-DPFL, and so that of Algorithm 2.",
    refuted_by="another batch size for Algorithm 2 elsewhere in the paper",
)
