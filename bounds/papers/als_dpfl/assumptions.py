"""Assumption 1 and Definition 2 (C.asm1, C.def2), and the updates behind every statement."""

from bounds.language.assumptions import (
    BOUNDED_GRADIENTS,
    CONVEX_CLIENTS,
    GRADIENT_DIVERGENCE,
    LIPSCHITZ_CLIENTS,
    MINIMUM_ATTAINED,
    SMOOTH_CLIENTS,
    as_stated,
)
from bounds.language.statement import Setting

convex = as_stated(CONVEX_CLIENTS, "every F_i is convex", "C.asm1.1")
lipschitz = as_stated(LIPSCHITZ_CLIENTS, "every F_i is rho-Lipschitz", "C.asm1.2")
smooth = as_stated(SMOOTH_CLIENTS, "every F_i is beta-smooth", "C.asm1.3")
bounded_gradients = as_stated(BOUNDED_GRADIENTS, "no per-sample gradient is longer than C", "C.asm1.4")
divergence = as_stated(GRADIENT_DIVERGENCE, "||grad F_i - grad F|| <= xi_i everywhere", "C.def2")
minimum_attained = as_stated(MINIMUM_ATTAINED, "w* minimizes F", "C.eq2")

ASSUMPTION_1 = (convex, lipschitz, smooth, bounded_gradients)
STANDING = (*ASSUMPTION_1, divergence, minimum_attained)

INTERVALS = Setting("C.intervals", "T steps in K intervals of tau; only the ends of an interval aggregate")
SYNCHRONIZED = Setting("C.sync", "all client models and v_[k] start an interval at the averaged model")
NOISY_STEP = Setting("C.eq6", "client models move by -eta times the clipped and noised gradient")
AVERAGING = Setting("C.eq7", "the averaged model is the mean of the client models, weighted by |D_i|")
AUXILIARY = Setting("C.eq8", "v_[k] moves by -eta times the clipped and noised gradient of F")
FEDERATED = (INTERVALS, SYNCHRONIZED, NOISY_STEP, AVERAGING, AUXILIARY)
CENTRALIZED = (INTERVALS, SYNCHRONIZED, AUXILIARY)
