"""Algorithm 1: differential privacy federated learning."""

from bounds.language.statement import Kind, Setting, Statement
from bounds.papers.als_dpfl import PAPER
from bounds.papers.als_dpfl.assumptions import INTERVALS, SYNCHRONIZED

RESOURCES = Setting("C.resource", "every local step costs privacy, every round costs communication")

LISTING = Statement(
    locator="C.alg1",
    kind=Kind.RULE,
    paper=PAPER,
    title="Algorithm 1: differential privacy federated learning",
    algorithm="dpfl",
    printed=(
        r"while k < K do",
        r"sample a batch B_i(t) at random with probability B/|D_i|;",
        r"gbar_i^s(t)   <- g_i^s(t) / max(1, ||g_i^s(t)|| / C);",
        r"gtilde_i(t)     <- (1/B) ( sum_{s in B_i(t)} gbar_i^s(t) + N(0, sigma^2 C^2) );",
        r"w^_i(t+1) = w^_i(t) - eta * gtilde_i(t);",
        r"w^(k) = sum_{i=1}^N |D_i| w^_i(k-1) / |D|;",
        r"t = (k-1) tau + j;",
    ),
    reading=(
        "K aggregations are carried out. Every client takes part in every round; a sample is in the batch "
        "with probability B/|D_i|, each on its own, and the sum is divided by B, not by the batch's size. "
        "Noise at the client, at every local step: standard deviation sigma C/B per coordinate of the "
        "gradient, so d sigma^2 C^2/B^2 in total; sigma is a noise multiplier."
    ),
    other_readings=(
        "K-1 aggregations, as `while k < K` from k = 1 counts.",
        "batches of exactly B samples.",
    ),
    setting=(RESOURCES, INTERVALS, SYNCHRONIZED),
)
