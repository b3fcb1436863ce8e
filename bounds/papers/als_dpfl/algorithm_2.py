"""Algorithm 2: ALS-DPFL, which chooses tau anew in every round."""

from bounds.language.statement import Kind, Setting, Statement, amend
from bounds.papers.als_dpfl import PAPER
from bounds.papers.als_dpfl.algorithm_1 import RESOURCES

LISTING = Statement(
    locator="C.alg2",
    kind=Kind.RULE,
    paper=PAPER,
    title="Algorithm 2: ALS-DPFL",
    algorithm="als_dpfl",
    printed=(
        r"while c_b < C_b  &  p_b < P_b do",
        r"Estimate rho_i, beta_i according to Assumption 1;",
        r"gtilde_i(t)    <- (1/B) ( sum_{s in B_i(t)} gbar_i^s(t) + N(0, sigma^2 C^2) );",
        r"Estimate privacy consumption pc and  P_b <- P_b + pc;",
        r"Weighted to get rho, beta, xi;",
        r"Find tau*: traverse tau to minimize (13);",
        r"Estimate communication consumption cc and  C_b <- C_b + cc",
        r"Initialize k = 1, t = 0, w_0 = Initial(), tau* = 1, r_s = 0, r_c = 0;",
        r"t = t + 1;",
    ),
    reading=(
        "consumption is added to the counters c_b and p_b, which start at 0 and which the loop compares with "
        "the inputs C_b and P_b; t counts the local steps of one client. Sampling and noise are those of "
        "Algorithm 1, with tau* in the place of tau."
    ),
    other_readings=(
        "consumption is added to the budgets C_b and P_b, as printed: the loop then never ends.",
        "t is raised once per client and local step, as the printed nesting has it.",
        "batches of one sample, as the text beside the listing has it.",
    ),
    setting=(
        Setting("C.alg2.goal", "tau is chosen to make the bound of Theorem 2 small"),
        Setting("C.alg2.init", "the first round has tau* = 1"),
        Setting("C.alg2.client", "a client estimates rho_i and beta_i and takes tau* local steps"),
        Setting("C.alg2.clip", "gradients are clipped per sample, averaged over the batch, and noised"),
        Setting("C.alg2.server", "the server averages models, estimates xi_i and weights the estimates"),
        Setting("C.alg2.estimates", "rho_i, beta_i and xi_i are quotients and norms at the present models"),
        Setting("C.alg2.resources", "the loop ends when either budget is used up"),
        RESOURCES,
    ),
)

AMENDED = amend(
    LISTING,
    change="consumption is added to the counters p_b and c_b, not to the budgets P_b and C_b",
    because="the text beside the listing has two counters; with growing budgets the loop never ends",
    derivation="docs/amended/als_dpfl.md#algorithm-2",
    printed=(
        *LISTING.printed[:3],
        r"Estimate privacy consumption pc and  p_b <- p_b + pc;",
        *LISTING.printed[4:6],
        r"Estimate communication consumption cc and  c_b <- c_b + cc",
    ),
    reading=(
        "the counters c_b and p_b start at 0; t counts the local steps of one client. Sampling and noise are "
        "those of Algorithm 1, with tau* in the place of tau."
    ),
    other_readings=LISTING.other_readings[1:],
)
