"""Assumption 1 and Definition 2 (C.asm1, C.def2)."""

from bounds.assumptions import (
    BOUNDED_GRADIENTS,
    CONVEX_CLIENTS,
    GRADIENT_DIVERGENCE,
    LIPSCHITZ_CLIENTS,
    MINIMUM_ATTAINED,
    SMOOTH_CLIENTS,
    as_stated,
)

STANDING = (
    as_stated(CONVEX_CLIENTS, "every F_i is convex", "C.asm1"),
    as_stated(LIPSCHITZ_CLIENTS, "every F_i is rho-Lipschitz", "C.asm1"),
    as_stated(SMOOTH_CLIENTS, "every F_i is beta-smooth", "C.asm1"),
    as_stated(BOUNDED_GRADIENTS, "no per-sample gradient is longer than C", "C.asm1"),
    as_stated(GRADIENT_DIVERGENCE, "||grad F_i - grad F|| <= xi_i everywhere", "C.def2"),
    as_stated(MINIMUM_ATTAINED, "w* minimizes F", "C.eq2"),
)
