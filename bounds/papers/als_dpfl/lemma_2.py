"""Lemma 2: how far a clipped and noised gradient is from the gradient (quoted from Noble et al. 2022)."""

from typing import Any

from sympy import sqrt

from bounds.language.lazy_numpy import np
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Statement, Term, amend
from bounds.language.vanishing import Equal, Grows
from bounds.papers.als_dpfl import PAPER
from bounds.papers.als_dpfl.assumptions import bounded_gradients
from bounds.papers.als_dpfl.notation import B, C, d, noise_deviation, sigma
from bounds.papers.als_dpfl.shared.vectors import mean, norm


def _measure_outcomes(noisy: Any, gradient: Any, sigma: Any, C: Any, B: Any) -> dict[str, Any]:
    noisy, gradient = np.asarray(noisy, dtype=float), np.asarray(gradient, dtype=float)
    return {
        "noise_deviation": mean(norm(noisy - gradient[..., None, :])),
        "d": noisy.shape[-1],
        "sigma": sigma,
        "C": C,
        "B": B,
    }


LEMMA = Statement(
    locator="C.lem2",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Lemma 2: deviation of the noisy gradient",
    algorithm="dpfl",
    printed=(r"\mathbb{E} [\|\tilde{g}_i(t) - g_i(t)\|] \leq \frac{2\sqrt{d}\sigma C}{B} \quad (14)",),
    reading=(
        "the noisy gradient is that of the listings: of a random batch, clipped per sample, with noise of "
        "standard deviation sigma C/B per coordinate at the client, d sigma^2 C^2/B^2 in total; g_i(t) is "
        "the gradient of the client's whole loss, as the notation has it."
    ),
    other_readings=(
        "g_i(t) is the clipped gradient of the same batch: the deviation is then noise alone, and half of "
        "the bound suffices.",
        "the noise of section 3.3, N(0, sigma^2 C^2) on the gradient, not divided by B.",
    ),
    left=noise_deviation,
    terms=(Term("noise", 2 * sqrt(d) * sigma * C / B, "private noise", (Equal(sigma, 0),)),),
    assumptions=(bounded_gradients,),
    example={"d": 100, "sigma": 1.1, "C": 1, "B": 64},
    concrete=Concrete(
        objects={
            "noisy": "equally likely outcomes of the noisy gradient, on the axis before the last",
            "gradient": "the gradient of the client's loss",
            "sigma": "the noise multiplier",
            "C": "the clipping bound",
            "B": "the batch size",
        },
        numbers=_measure_outcomes,
    ),
    increasing=(d, sigma, C),
    decreasing=(B,),
    edges=(
        Edge(sigma, 0, EdgeOutcome.REGULAR, "no noise: the batch gradient is claimed to be the gradient"),
        Edge(B, 1, EdgeOutcome.REGULAR, "batches of one sample"),
    ),
)

AMENDED = amend(
    LEMMA,
    change="C/sqrt(B) + sqrt(d) sigma C/B in place of 2 sqrt(d) sigma C/B",
    because=(
        "the batch is random too: its variance is at most C^2/B, and that of the noise d sigma^2 C^2/B^2"
    ),
    derivation="docs/amended/als_dpfl.md#lemma-2",
    printed=(
        r"\mathbb{E} [\|\tilde{g}_i(t) - g_i(t)\|] \leq \frac{C}{\sqrt{B}} + \frac{\sqrt{d}\sigma C}{B}",
    ),
    terms=(
        Term("sampling", C / sqrt(B), "the random batch", (Grows(B),)),
        Term("noise", sqrt(d) * sigma * C / B, "private noise", (Equal(sigma, 0),)),
    ),
    edges=(
        Edge(sigma, 0, EdgeOutcome.REGULAR, "no noise: the batch remains"),
        Edge(B, 1, EdgeOutcome.REGULAR, "batches of one sample"),
    ),
)
