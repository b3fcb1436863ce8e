"""One round of a memory, as A.lem1 of the fed_norm_ec transcription has it (h1, h4, both conclusions)."""

import numpy as np
from listings.fed_alpha_norm_ec import local_gd, norm_alpha


def memory_update(x, moved, v, *, gamma, beta, alpha, T, gradient):
    """The error of h3 before the round, the larger of the conclusions, and the norms of h2."""
    before, _ = local_gd(0, x, gamma=gamma, T=T, gradient=gradient)
    after, _ = local_gd(0, moved, gamma=gamma, T=T, gradient=gradient)
    error = (x - before) / gamma - v
    v_next = v + beta * norm_alpha(error, alpha)
    at_new = np.linalg.norm((moved - after) / gamma - v_next)
    at_old = np.linalg.norm((x - before) / gamma - v_next)
    return {
        "memory_error": np.linalg.norm(error),
        "next_memory_error": max(at_new, at_old),
        "server_move": np.linalg.norm(moved - x),
        "operator_move": np.linalg.norm(after - before),
    }
