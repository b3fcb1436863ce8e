"""The lemmas of the fed_norm_ec transcription in literal loops: vector by vector, entry by entry, in mpmath.

Stands alone: it needs nothing of this project. TRUTH turns the objects that a statement is about into all
numbers that it speaks of, and both its sides.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, final

import numpy as np
from mpmath import mp, mpf

Vector = list[mpf]
Truth = dict[str, Any]


# ---- vectors, entry by entry


def vector(entries: Any) -> Vector:
    return [mpf(float(entry)) for entry in entries]


def plus(a: Vector, b: Vector, times: Any = 1) -> Vector:
    return [p + times * q for p, q in zip(a, b, strict=True)]


def length(a: Vector) -> mpf:
    return mp.sqrt(sum(entry * entry for entry in a))


def distance(a: Vector, b: Vector) -> mpf:
    return length(plus(a, b, -1))


def mean(numbers: Sequence[mpf]) -> mpf:
    return sum(numbers) / len(numbers)


@final
@dataclass(frozen=True, slots=True)
class Loss:
    """x'Ax/2 + b'x + s sum_l sqrt(1 + x_l^2), whose gradient is not linear.

    Called with arrays it is its gradient: as such it serves for any map. The oracle asks for the exact ones.
    """

    A: Any
    b: Any
    s: float

    def value(self, points: Any) -> Any:
        quadratic = np.einsum("...i,ij,...j->...", points, self.A, points) / 2
        return quadratic + points @ self.b + self.s * np.sqrt(1 + points**2).sum(-1)

    def __call__(self, points: Any) -> Any:
        return points @ self.A + self.b + self.s * points / np.sqrt(1 + points**2)

    def exact_value(self, x: Vector) -> mpf:
        total = mpf(0)
        for i in range(len(x)):
            for j in range(len(x)):
                total += x[i] * mpf(float(self.A[i, j])) * x[j] / 2
            total += mpf(float(self.b[i])) * x[i] + mpf(self.s) * mp.sqrt(1 + x[i] ** 2)
        return total

    def exact_gradient(self, x: Vector) -> Vector:
        out = []
        for i in range(len(x)):
            entry = mpf(float(self.b[i])) + mpf(self.s) * x[i] / mp.sqrt(1 + x[i] ** 2)
            for j in range(len(x)):
                entry += mpf(float(self.A[i, j])) * x[j]
            out.append(entry)
        return out


def named(objects: Mapping[str, Any]) -> Any:
    return SimpleNamespace(**{n: mpf(o) if isinstance(o, float) else o for n, o in objects.items()})


def normalized(v: Vector, alpha: mpf) -> Vector:
    return [entry / (alpha + length(v)) for entry in v]


def truth_of_normalization(o: Any) -> Truth:
    size = length(normalized(vector(o.v), o.alpha))
    return {"normalized_length": size, "left": size, "right": mpf(1)}


def truth_of_lemma_1(o: Any) -> Truth:
    x, x_next, v = vector(o.x), vector(o.x_next), vector(o.v)
    image, image_next = o.local.exact_gradient(x), o.local.exact_gradient(x_next)
    P = [(a - b) / o.gamma for a, b in zip(x, image, strict=True)]
    P_next = [(a - b) / o.gamma for a, b in zip(x_next, image_next, strict=True)]
    v_next = plus(v, normalized(plus(P, v, -1), o.alpha), o.beta)
    left = max(distance(P_next, v_next), distance(P, v_next))
    return {
        "memory_error": distance(P, v),
        "server_move": distance(x_next, x),
        "operator_move": distance(image_next, image),
        "next_memory_error": left,
        "left": left,
        "right": o.C,
    }


def truth_of_lemma_2(o: Any) -> Truth:
    _, rounds, clients, _ = o.z.shape
    weights = vector(o.weights)
    walks = []
    for outcome in o.z:
        e = vector(o.start)
        for increments in outcome:
            for increment in increments:
                e = plus(e, vector(increment), o.beta / len(increments))
        walks.append(length(e))
    moments = [
        sum(w * length(vector(outcome[k, i])) ** 2 for w, outcome in zip(weights, o.z, strict=True))
        for k in range(rounds)
        for i in range(clients)
    ]
    left = sum(w * size for w, size in zip(weights, walks, strict=True))
    start = length(vector(o.start))
    return {
        "M": mpf(clients),
        "K": mpf(rounds - 1),
        "initial_walk_norm": start,
        "increment_second_moment": max(moments),
        "walk_norm": left,
        "left": left,
        "right": start + mp.sqrt(o.beta**2 * rounds * o.sigma**2 / clients),
    }


def truth_of_lemma_4(o: Any) -> Truth:
    x, G = vector(o.x), vector(o.G)
    x_next = plus(x, G, -o.gamma_step / length(G))
    slope = o.gradient.exact_gradient(x)
    gap, left = o.gradient.exact_value(x) - o.f_inf, o.gradient.exact_value(x_next) - o.f_inf
    descent = -o.gamma_step * length(slope) + 2 * o.gamma_step * distance(slope, G)
    return {
        "gap": gap,
        "gradient_norm": length(slope),
        "direction_error": distance(slope, G),
        "next_gap": left,
        "left": left,
        "right": gap + descent + o.L * o.gamma_step**2 / 2,
    }


def truth_of_lemma_5(o: Any) -> Truth:
    V, W = vector(o.V), vector(o.W)
    K, step = len(W) - 1, o.gamma_sequence
    excesses = [
        V[k + 1] - ((1 + o.b_1 * step**2) * V[k] - o.b_2 * step * W[k] + o.b_3 * step) for k in range(K + 1)
    ]
    # The descent holds in every round if it holds in the one that comes nearest to breaking it.
    worst = excesses.index(max(excesses))
    rate = mp.exp(o.b_1 * step**2 * (K + 1)) / (K + 1) * V[0] / (o.b_2 * step)
    return {
        "K": mpf(K),
        "V_0": V[0],
        "V_k": V[worst],
        "V_next": V[worst + 1],
        "W_k": W[worst],
        "min_W": min(W),
        "left": min(W),
        "right": rate + o.b_3 / o.b_2,
    }


def truth_of_lemma_6(o: Any) -> Truth:
    left = mean([length(vector(gradient)) for gradient in o.gradients])
    gap = mpf(float(o.f)) - o.f_inf
    lowest = mean(vector(o.f_i_inf))
    Delta = o.f_inf - lowest
    return {
        "gap_x": gap,
        "f_i_inf_mean": lowest,
        "mean_client_gradient_norm": left,
        "left": left,
        "right": mp.sqrt(2 * o.L / Delta) * gap + mp.sqrt(2 * o.L * Delta),
    }


def local_pass(start: Vector, gradients: Sequence[Callable[[Vector], Vector]], gamma: mpf) -> list[Vector]:
    """x^{k,0}, ..., x^{k,n}: one step of length gamma/n along each of the n gradients."""
    path = [start]
    for gradient in gradients:
        path.append(plus(path[-1], gradient(path[-1]), -gamma / len(gradients)))
    return path


def truth_of_lemma_7(o: Any) -> Truth:
    x, x_next = vector(o.x), vector(o.x_next)
    steps = [o.gradient.exact_gradient] * o.T
    path, path_next = local_pass(x, steps, o.gamma), local_pass(x_next, steps, o.gamma)
    slope = o.gradient.exact_gradient(x)
    return {
        "server_move": distance(x_next, x),
        "client_gradient_norm": length(slope),
        "unrolling_error": mpf(0),
        "local_path_move": mean([distance(path_next[j], path[j]) for j in range(o.T)]),
        "local_drift": mean([distance(x, path[j]) for j in range(o.T)]),
        "local_result_move": distance(path_next[o.T], path[o.T]),
        "operator_error": distance(plus(x, slope, -o.gamma), path[o.T]),
    }


def truth_of_lemma_8(o: Any) -> Truth:
    x = vector(o.x)
    drifts = []
    for losses in o.gradients:
        path = local_pass(x, [loss.exact_gradient for loss in losses], o.gamma)
        drifts.append(mean([distance(point, x) for point in path[:-1]]))
    gap = mpf(float(o.f)) - o.f_inf
    clients, components = mean(vector(o.f_i_inf)), mean([mean(vector(row)) for row in o.f_ij_inf])
    Delta, inside = o.f_inf - clients, o.f_inf - components
    first = 2 * mp.sqrt(2) * o.L * o.gamma * gap / mp.sqrt(o.L * Delta)
    return {
        "gap": gap,
        "f_i_inf_mean": clients,
        "f_ij_inf_mean": components,
        "mean_ig_drift": mean(drifts),
        "left": mean(drifts),
        "right": first + mp.sqrt(2) * o.gamma * mp.sqrt(o.L * Delta) + 2 * o.gamma * mp.sqrt(o.L * inside),
    }


def truth_of_lemma_9(o: Any) -> Truth:
    x, x_next = vector(o.x), vector(o.x_next)
    path_moves, result_moves, drifts, errors = [], [], [], []
    for losses in o.gradients:
        slopes = [loss.exact_gradient for loss in losses]
        path, path_next = local_pass(x, slopes, o.gamma), local_pass(x_next, slopes, o.gamma)
        one_step = x
        for slope in slopes:
            one_step = plus(one_step, slope(x), -o.gamma / len(slopes))
        path_moves.append(mean([distance(a, b) for a, b in zip(path_next[:-1], path[:-1], strict=True)]))
        result_moves.append(distance(path_next[-1], path[-1]))
        drifts.append(mean([distance(point, x) for point in path[:-1]]))
        errors.append(distance(path[-1], one_step))
    # Statements 1 to 3 are about any client: the one that comes nearest to breaking them decides.
    return {
        "server_move": distance(x_next, x),
        "unrolling_error": mpf(0),
        "ig_path_move": max(path_moves),
        "local_result_move": max(result_moves),
        "drift": max(drifts),
        "operator_error": max(errors),
        "ig_drift": mean(drifts),
        "mean_ig_operator_error": mean(errors),
    }


def part(
    lemma: Callable[[Any], Truth], left: str, right: Callable[[Any, Truth], mpf]
) -> Callable[[Any], Truth]:
    def truth(o: Any) -> Truth:
        numbers = lemma(o)
        return numbers | {"left": numbers[left], "right": right(o, numbers)}

    return truth


LEMMA_7 = {
    "c1": part(truth_of_lemma_7, "unrolling_error", lambda o, n: mpf(0)),
    "c2": part(truth_of_lemma_7, "local_path_move", lambda o, n: 2 * o.eta),
    "c3": part(truth_of_lemma_7, "local_drift", lambda o, n: 2 * o.gamma * n["client_gradient_norm"]),
    "c4": part(truth_of_lemma_7, "local_result_move", lambda o, n: 2 * o.eta),
    "c5": part(
        truth_of_lemma_7, "operator_error", lambda o, n: 2 * o.L * o.gamma**2 * n["client_gradient_norm"]
    ),
}
LEMMA_9 = {
    "c1": part(truth_of_lemma_9, "unrolling_error", lambda o, n: mpf(0)),
    "c2": part(truth_of_lemma_9, "ig_path_move", lambda o, n: 2 * o.eta),
    "c3": part(truth_of_lemma_9, "local_result_move", lambda o, n: 2 * o.eta),
    "c4": part(truth_of_lemma_9, "mean_ig_operator_error", lambda o, n: o.gamma * o.L * n["ig_drift"]),
}
TRUTH = {
    "smoothed_normalization": truth_of_normalization,
    "lemma_1": truth_of_lemma_1,
    "lemma_2": truth_of_lemma_2,
    "lemma_4": truth_of_lemma_4,
    "lemma_5": truth_of_lemma_5,
    "lemma_6": truth_of_lemma_6,
    "lemma_8": truth_of_lemma_8,
    **{f"lemma_7.{part}": truth for part, truth in LEMMA_7.items()},
    **{f"lemma_9.{part}": truth for part, truth in LEMMA_9.items()},
}
