"""The lemmas, facts and comparisons of the dp_fedavg transcription in literal loops, in mpmath.

Needs nothing of this project but the vectors of concrete_by_hand.py. TRUTH turns the objects that a statement
is about into all numbers that it speaks of, and both its sides.
"""

from collections.abc import Callable
from typing import Any

from concrete_by_hand import distance, length, mean, plus, vector
from mpmath import mp, mpf

Truth = dict[str, Any]


def gradient_descent(o: Any, steps: int) -> list[list[Any]]:
    path = [vector(o.w)]
    for _ in range(steps):
        path.append(plus(path[-1], o.gradient.exact_gradient(path[-1]), -o.eta))
    return path


def client_gap(o: Any, point: Any) -> Any:
    return o.gradient.exact_value(vector(point)) - o.f_star


def truth_of_lemma_1(o: Any) -> Truth:
    path, target = gradient_descent(o, o.E), vector(o.w_star)
    start, end = distance(path[0], target), distance(path[-1], target) ** 2
    squares = sum(length(o.gradient.exact_gradient(point)) ** 2 for point in path[:-1])
    Delta = client_gap(o, o.w_star)
    return {
        "round_distance": start,
        "Delta_i_star": Delta,
        "local_gradients_squared": squares,
        "local_distance_squared": end,
        "left": end,
        "right": start**2 - o.eta / (2 * o.L) * squares + 2 * o.eta * o.E * Delta,
    }


def both_parts_of_lemma_2(o: Any) -> Truth:
    update = [(a - b) / o.eta for a, b in zip(vector(o.w), gradient_descent(o, o.E)[-1], strict=True)]
    return {
        "client_gap": client_gap(o, o.w),
        "local_move_squared": distance(vector(o.w), gradient_descent(o, o.tau)[-1]) ** 2,
        "update_norm_squared": length(update) ** 2,
    }


def truth_of_lemma_2_move(o: Any) -> Truth:
    numbers = both_parts_of_lemma_2(o)
    right = 2 * o.eta**2 * o.L * o.tau**2 * numbers["client_gap"]
    return numbers | {"left": numbers["local_move_squared"], "right": right}


def truth_of_lemma_2_update(o: Any) -> Truth:
    numbers = both_parts_of_lemma_2(o)
    return numbers | {
        "left": numbers["update_norm_squared"],
        "right": 2 * o.L * o.E**2 * numbers["client_gap"],
    }


def truth_of_lemma_3(o: Any) -> Truth:
    before, after = (o.gradient.exact_gradient(point) for point in gradient_descent(o, 1))
    return {
        "step_gradient_norm": length(before),
        "step_gradient_move": distance(after, before),
        "next_gradient_norm_squared": length(after) ** 2,
        "left": length(after) ** 2,
        "right": length(before) ** 2 - (2 / (o.eta * o.L) - 1) * distance(after, before) ** 2,
    }


def truth_of_lemma_4_distance(o: Any) -> Truth:
    slope = length(o.gradient.exact_gradient(vector(o.w)))
    move = distance(vector(o.w), gradient_descent(o, o.tau)[-1])
    return {
        "round_gradient_norm": slope,
        "local_move": move,
        "left": move,
        "right": 2 * o.eta * o.tau * slope,
    }


def truth_of_lemma_4_stronger(o: Any) -> Truth:
    slope, gap = length(o.gradient.exact_gradient(vector(o.w))), client_gap(o, o.w)
    return {
        "client_gap": gap,
        "round_gradient_squared": slope**2,
        "left": (2 * o.eta * o.tau * slope) ** 2,
        "right": 2 * o.eta**2 * o.L * o.tau**2 * gap,
    }


def truth_of_fact_1(o: Any) -> Truth:
    gap = o.gradient.exact_value(vector(o.x)) - o.h_star
    square = length(o.gradient.exact_gradient(vector(o.x))) ** 2
    return {"h_gap": gap, "h_gradient_squared": square, "left": square, "right": 2 * o.L * gap}


def truth_of_fact_2(o: Any) -> Truth:
    total, squares = vector(o.y[0]), length(vector(o.y[0])) ** 2
    for y in o.y[1:]:
        total, squares = plus(total, vector(y)), squares + length(vector(y)) ** 2
    p = mpf(len(o.y))
    left = length(total) ** 2
    return {
        "p_vectors": p,
        "vectors_squared": squares,
        "vector_sum_squared": left,
        "left": left,
        "right": p * squares,
    }


def truth_of_fact_3(o: Any) -> Truth:
    left = (1 - (1 - o.x) ** o.m) / o.x
    right = o.m * (1 - mpf(11) * (o.m - 1) / 24 * o.x)
    return {"m_exponent": mpf(o.m), "geometric_sum": left, "left": left, "right": right}


def mean_over(clients: Any, value: Callable[..., Any], counted: Callable[[Any], bool]) -> Any:
    """Clients are tuples that begin with the update norm, which alone decides whether one is counted."""
    return mean([value(*client) if counted(client[0]) else mpf(0) for client in clients])


def truth_of_left_sides(o: Any) -> Truth:
    C = o.C_hat * o.E
    clients = list(zip(vector(o.update_norms), vector(o.gaps), strict=True))
    gap = mean_over(clients, lambda u, gap: gap, lambda u: u <= C)
    scaled = mean_over(clients, lambda u, gap: C / u * gap, lambda u: u <= C)
    clipped = mean_over(clients, lambda u, gap: u, lambda u: u > C)
    step = o.rho * o.E / o.alpha
    long_updates = 3 * o.C_hat / (8 * o.L * o.E) * clipped
    return {
        "unclipped_gap": gap,
        "scaled_gap": scaled,
        "clipped_update_norm": clipped,
        "clipped_norm": clipped,
        "left": (2 - step - step**2) * gap + long_updates,
        "right": (2 - step**2) * scaled + long_updates,
    }


def effects_of_heterogeneity(o: Any) -> Truth:
    Delta = vector(o.gaps)
    C_hat = o.c * mp.sqrt(o.L * max(Delta))
    C = C_hat * o.E
    clients = list(zip(vector(o.update_norms), Delta, strict=True))
    # eq. (16), term by term of its sum over the clients
    B_2 = o.rho * mean_over(
        clients,
        lambda u, D: (C_hat**2 / (2 * o.alpha * o.L) + C / u * D * o.rho * o.E / o.alpha**2) * o.E,
        lambda u: u <= C,
    )
    share = mean_over(clients, lambda u, D: mpf(1), lambda u: u <= C)
    scaled = mean_over(clients, lambda u, D: C / u * D, lambda u: u <= C)
    first = o.c**2 * o.E / (2 * o.alpha) * max(Delta) * share
    return {
        "Delta_star_max": max(Delta),
        "unclipped_share": share,
        "unclipped_scaled_delta": scaled,
        "unclipped_delta": mean_over(clients, lambda u, D: D, lambda u: u <= C),
        "B_2": B_2,
        "left": B_2,
        "right": (first + scaled * o.rho * o.E**2 / o.alpha**2) * o.rho,
    }


def truth_of_terms_b(o: Any) -> Truth:
    numbers = effects_of_heterogeneity(o)
    return numbers | {"left": 3 * mpf(o.E) / (2 * o.alpha) * numbers["unclipped_delta"] * o.rho}


def truth_of_equivalence(o: Any) -> Truth:
    u = vector(o.u)
    clipped = length([entry * min(mpf(1), o.C / length(u)) for entry in u])
    return {
        "client_update_norm": length(u),
        "clipped_update_length": clipped,
        "left": clipped,
        "right": o.C,
    }


def coefficients(o: Any) -> Truth:
    """What multiplies an unclipped gap in eq. (15), and in eq. (16) without its gain."""
    a, b = o.rho * o.E / o.alpha, (o.rho * o.E) ** 2 / mpf(o.alpha) ** 2
    gain = o.C_hat * o.E / o.client_update_norm
    return {"clipping_coefficient": 2 - a - b, "left": 2 - a - b, "right": (2 - b) * gain}


def coefficients_with_the_gain(o: Any) -> Truth:
    gain = o.C_hat * o.E / o.client_update_norm
    return coefficients(o) | {"left": gain * coefficients(o)["left"]}


TRUTH: dict[str, Callable[[Any], Truth]] = {
    "lemma_1": truth_of_lemma_1,
    "lemma_2.move": truth_of_lemma_2_move,
    "lemma_2.update": truth_of_lemma_2_update,
    "lemma_3": truth_of_lemma_3,
    "lemma_4.distance": truth_of_lemma_4_distance,
    "lemma_4.stronger": truth_of_lemma_4_stronger,
    "fact_1": truth_of_fact_1,
    "fact_2": truth_of_fact_2,
    "fact_3": truth_of_fact_3,
    "equation_16_comparison.left_sides": truth_of_left_sides,
    "equation_16_comparison.coefficients": coefficients,
    "signal_to_noise_ratio.amplification": coefficients_with_the_gain,
    "equation_17": effects_of_heterogeneity,
    "equation_17_comparison.terms_b": truth_of_terms_b,
    "equivalence.all_updates": truth_of_equivalence,
    "equivalence.one_update": truth_of_equivalence,
}
