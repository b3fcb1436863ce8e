"""Algorithm 2: DP-NormFedAvg, which normalizes where Algorithm 1 clips."""

from dataclasses import replace

from bounds.language.statement import Setting
from bounds.papers.dp_fedavg import algorithm_1

LISTING = replace(
    algorithm_1.LISTING,
    locator="B.alg2",
    title="Algorithm 2: DP-NormFedAvg",
    algorithm="dp_norm_fedavg",
    printed=(
        *algorithm_1.LISTING.printed[:3],
        r"$\bm{u}^{(i)}_{k}=\frac{\bm{w}_{k}-\bm{w}_{k,E}^{(i)}}{\eta_{k}}$ and $\bm{g}^{(i)}_{k}="
        r"\text{norm}\big(\bm{u}^{(i)}_{k},C\big)=\frac{C\bm{u}^{(i)}_{k}}{\|\bm{u}^{(i)}_{k}\|}$",
        *algorithm_1.LISTING.printed[4:],
    ),
    reading=algorithm_1.LISTING.reading + " It is not defined where the update of a client is zero.",
    setting=(
        Setting("B.norm", "g is the normalized update, and C the scaling factor"),
        Setting("B.thm1", "sigma^2 is the noise that privacy asks for"),
    ),
)
