"""Assumption 1 (B.asm1)."""

from bounds.language.assumptions import CURVATURE_ALONG_GRADIENTS, LIPSCHITZ_CLIENTS, as_stated

ASSUMPTION_1 = (
    as_stated(
        CURVATURE_ALONG_GRADIENTS,
        "(i) ||grad f_i(w - eta grad f_i(w)) - grad f_i(w)|| >= eta lambda ||grad f_i(w)|| for every w and i",
        "B.asm1",
    ),
    as_stated(LIPSCHITZ_CLIENTS, "(ii) each f_i is G-Lipschitz everywhere", "B.asm1"),
)
