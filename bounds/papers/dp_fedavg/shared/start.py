"""What the left-hand sides of the paper are at w_0, which costs neither a round nor privacy.

x_i = f_i(w_0) - f_i(w*) >= -Delta_i*, g_i the gradient of f_i at w_0, u_i its update from w_0. With
eta L <= 1/2 lengths of gradients do not grow along the local steps of a convex client, so
||u_i|| <= E ||g_i||, and ||g_i||^2 <= 2 L (x_i + Delta_i*).

Clipping. A clipped client has C_hat E < ||u_i||, so that
C_hat/(L E) ||u_i|| <= ||u_i||^2/(L E^2) <= ||g_i||^2/L <= 2 (x_i + Delta_i*), and 3/8 of it is at most
3/4 (x_i + Delta_i*). With C_hat >= 4 sqrt(L Delta_i*) it also has 2 L (x_i + Delta_i*) >= C_hat^2
>= 16 L Delta_i*, so x_i >= 7 Delta_i*, and 3/4 (x_i + Delta_i*) <= 6/7 x_i. A coefficient a >= 6/7 of the
unclipped gaps therefore leaves the left side at most a times the mean of the x_i: a (f(w_0) - f(w*)).

Normalization. Convexity gives x_i <= ||g_i|| D_0, and ||u_i|| >= E ||g_i|| (1 - eta L (E - 1)/2): an
unclipped client adds at most a C_hat D_0/(1 - eta L (E - 1)/2). A clipped one has
||g_i|| > C_hat >= 4 sqrt(L Delta_i*), so ||g_i|| <= L D_0 + sqrt(2 L Delta_i*) gives
||g_i|| <= L D_0/(1 - sqrt(2)/4) < 1.55 L D_0, and it adds at most 3/8 C_hat 1.55 D_0: less for a >= 7/4.
"""

from sympy import Expr

from bounds.language.before_any_run import BeforeAnyRun, before
from bounds.papers.dp_fedavg.notation import D0, C_hat, E, G, L, f0_gap

AT_W0 = (
    before(f0_gap, "f(w_0) - f(w*), the gap at the start"),
    before(L * D0**2 / 2, "the gap at the start, by smoothness"),
)
AT_W0_LIPSCHITZ = (*AT_W0, before(G * D0, "the gap at the start, by the Lipschitz constant"))


def clipped(coefficient: Expr) -> tuple[BeforeAnyRun, ...]:
    """For coefficient >= 6/7 of the unclipped gaps, inside the conditions of Theorem 2."""
    return tuple(
        before(coefficient * known.expression, f"the left side at w_0: its coefficient times {known.because}")
        for known in AT_W0
    )


def normalized(coefficient: Expr, one_step: Expr) -> tuple[BeforeAnyRun, ...]:
    """For coefficient >= 7/4; `one_step` is eta L."""
    return (
        before(
            coefficient * C_hat * D0 / (1 - one_step * (E - 1) / 2),
            "the left side at w_0: its coefficient times C_hat D_0, by convexity",
        ),
    )
