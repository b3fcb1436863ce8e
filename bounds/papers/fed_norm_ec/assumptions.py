"""Assumption 1 (A.asm1)."""

from bounds.assumptions import BOUNDED_BELOW, SMOOTH_CLIENTS, as_stated

smooth = as_stated(SMOOTH_CLIENTS, "every f_ij is L-smooth, hence every f_i and f", "A.asm1")
bounded_below = as_stated(BOUNDED_BELOW, "every f_ij, every f_i and f are bounded below", "A.asm1")
ASSUMPTION_1 = (smooth, bounded_below)
