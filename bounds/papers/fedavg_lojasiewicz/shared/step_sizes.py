"""The step-size hypotheses, each printed once and used by all that follows from it."""

from bounds.language.condition import at_most
from bounds.papers.fedavg_lojasiewicz.notation import H, L, M, eta

OF_LEMMA_F1 = at_most(eta, 1 / (L * H), locator="D.F1", printed=r"\eta \leq \frac{1}{LH}")
OF_THEOREM_F2 = at_most(eta, 1 / (18 * L * H), locator="D.F2", printed=r"\eta \leq \frac{1}{18LH}")
OF_LEMMA_F3 = at_most(eta, 1 / L, locator="D.F3", printed=r"\eta \leq 1/L")
OF_THEOREM_F4 = at_most(eta, 1 / (18 * M * L * H), locator="D.F4", printed=r"\eta \leq \frac{1}{18MLH}")
HALF = at_most(eta, 1 / (2 * L), locator="D.F2.s3", printed=r"\eta \leq 1/2L")
