"""The variance proxy B in its printed forms, and the two parts that the utility corollaries split it into.

The main text writes B twice in the same form and the appendix in another; the numbers are the same.
"""

from dataclasses import replace

from sympy import log

from bounds.language.statement import Definition, Edge, EdgeOutcome, Kind, Statement, Term, define
from bounds.language.vanishing import Equal
from bounds.papers.fed_norm_ec import PAPER
from bounds.papers.fed_norm_ec.notation import B_1, B_2, B, B_hat, M, c, delta, epsilon, p, sigma_DP

_MISSING = Term("missing", 2 * (1 - p), "clients whose correction the server does not hear", (Equal(p, 1),))
_NOISE = Term("noise", 2 * sigma_DP**2 / p, "private noise of those who transmit", (Equal(sigma_DP, 0),))

MAIN_TEXT = Statement(
    locator="A.disc.B",
    kind=Kind.DEFINITION,
    paper=PAPER,
    title="Variance proxy B, main text",
    printed=(
        r"B=2\frac{(p-1)^{2}}{p}+2(1-p)+2\sigma^{2}_{\rm DP}/p",
        r"B=2\frac{(p-1)^{2}}{p}+2(1-p)+\frac{2\sigma^{2}_{\rm DP}}{p}",
    ),
    reading="sigma_DP^2 is the total variance E||z||^2, as the proof of Lemma 3 uses it.",
    other_readings=("sigma_DP^2 per coordinate: B then carries d sigma_DP^2 instead of sigma_DP^2.",),
    left=B,
    terms=(
        Term("weights", 2 * (p - 1) ** 2 / p, "corrections enlarged by 1/p", (Equal(p, 1),)),
        _MISSING,
        _NOISE,
    ),
    example={"p": 0.5, "sigma_DP": 0.1},
    increasing=(sigma_DP,),
    decreasing=(p,),
    edges=(
        Edge(p, 0, EdgeOutcome.OUT_OF_DOMAIN, "no client ever transmits: the pole 2 (1 + sigma_DP^2)/p"),
        Edge(p, 1, EdgeOutcome.REGULAR, "full participation: B = 2 sigma_DP^2"),
        Edge(sigma_DP, 0, EdgeOutcome.REGULAR, "no private noise: B is the variance of sampling alone"),
    ),
)

APPENDIX = replace(
    MAIN_TEXT,
    title="Variance proxy B, appendix",
    follows_from="fed_norm_ec.variance.main_text",
    printed=(r"B=2p(1-1/p)^{2}+2(1-p)+2\sigma^{2}_{\rm DP}/p",),
    terms=(
        Term("weights", 2 * p * (1 - 1 / p) ** 2, "corrections enlarged by 1/p", (Equal(p, 1),)),
        _MISSING,
        _NOISE,
    ),
)


SAMPLING_PART = define(B_1, 2 * B_hat / M * ((1 - M / B_hat) ** 2 + M / B_hat - 1), locator="A.cor3.s4")


def noise_part(locator: str) -> Definition:
    return define(B_2, 2 * c**2 * B_hat / M * log(1 / delta) / epsilon**2, locator=locator)
