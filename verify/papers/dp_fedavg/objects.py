"""DP-FedAvg and DP-NormFedAvg: local steps, clipping, thresholds, mechanisms."""

from typing import Any

import numpy as np

from bounds.language.assumptions import CONVEX_CLIENTS, MINIMUM_ATTAINED
from bounds.language.statement import Assumption, Statement
from verify.objects.draw import CASES, Draw
from verify.objects.functions import SLACK, Function, function, quadratic

Objects = dict[str, Any]


def asks(statement: Statement, assumption: Assumption) -> bool:
    return any(a.name == assumption.name for a in statement.assumptions)


def client(draw: Draw, statement: Statement) -> tuple[int, Function]:
    """A client with no more properties than the statement asks."""
    d, L = draw.dimension(3), draw.decades(-1, 1)
    convex, bounded = asks(statement, CONVEX_CLIENTS), asks(statement, MINIMUM_ATTAINED)
    return d, function(draw, d, L, convex=convex, bounded=bounded)


def one_step(draw: Draw, statement: Statement) -> Objects:
    """Steps may be too long to descend."""
    d, objective = client(draw, statement)
    eta = draw.decades(-2, 1) / objective.L
    return {"gradient": objective.gradient, "L": objective.L * SLACK, "w": draw.points(d), "eta": eta}


def thresholds(draw: Draw, _: Statement) -> Objects:
    """Updates on both sides of the threshold and at it."""
    n, E, L = draw.count(1, 6), draw.count(1, 8), draw.decades(-1, 1)
    gaps = draw.numbers(n)
    gaps[:, 0] += 0.01 * draw.family.scale
    c = 4 + float(draw.random.choice([0.0, 0.1, 3.0]))
    C = c * np.sqrt(L * gaps.max(axis=-1, keepdims=True)) * E
    lengths = C * (0.01 + 2 * draw.random.random((CASES, n)))
    return {
        **{"gaps": gaps, "update_norms": lengths, "c": c, "L": L, "E": E},
        **{"alpha": 1 + 4 * draw.random.random(), "rho": draw.between(0.001, 0.99)},
    }


def gaps_of_either_sign(draw: Draw, _: Statement) -> Objects:
    """f_i(w) - f_i(w*) from -Delta_i* on, with C_hat as large as the largest Delta_i* asks."""
    n, E, L, rho = draw.count(1, 6), draw.count(1, 8), draw.decades(-1, 1), draw.between(0.001, 0.99)
    gaps = draw.numbers(n) - draw.numbers(n) * draw.count(0, 1)
    C_hat = 4 * float(np.sqrt(L * max(1e-3, -gaps.min()))) * (1 + draw.share()) * SLACK
    lengths = C_hat * E * (0.01 + 2 * draw.random.random((CASES, n)))
    alpha = max(1.0, 2 * rho * E) / draw.share() * SLACK
    given = {"C_hat": C_hat, "L": L, "E": E, "alpha": alpha, "rho": rho}
    # No object: with gaps of at least -Delta_i* this is the least that Delta_star_max can be.
    return given | {"gaps": gaps, "update_norms": lengths, "Delta_star_max": max(0.0, -float(gaps.min()))}


def long_updates(draw: Draw, _: Statement) -> Objects:
    C_low = draw.decades(-2, 2)
    u = draw.directions(draw.dimension()) * C_low * (1 + 1e-9 + draw.random.random((CASES, 1)))
    return {"u": u, "C": C_low * draw.share(), "C_low": C_low}


def long_update(draw: Draw, statement: Statement) -> Objects:
    found = long_updates(draw, statement)
    return {"u": found["u"], "C": found["C"]}


def updates(draw: Draw, _: Statement) -> Any:
    return draw.agents(draw.count(1, 5), draw.dimension(3)) + draw.decades(-9, -3)


def two_thresholds(draw: Draw, statement: Statement) -> Objects:
    C = draw.decades(-2, 1)
    return {"updates": updates(draw, statement), "C": C, "larger_C": C * draw.between(1.01, 10)}


def round_with_noise(draw: Draw, statement: Statement) -> Objects:
    u = updates(draw, statement)
    return {"updates": u, "noise": draw.random.standard_normal(u.shape), "C": draw.decades(-2, 1)}


def neighbours(draw: Draw, _: Statement) -> Objects:
    d = draw.dimension()
    value = draw.points(d)
    delta = draw.decades(-12, -1) if draw.chance(0.7) else draw.between(0.1, 0.99)
    move = draw.directions(d) * draw.length()
    return {"value": value, "neighbour": value + move, "epsilon": draw.decades(-2, 1.5), "delta": delta}


def local_steps(draw: Draw, statement: Statement) -> Objects:
    """The step of Theorem 2: eta L <= 1/2."""
    d, objective = client(draw, statement)
    fewer = draw.count(1, 20)
    return {
        **{"gradient": objective.gradient, "w": draw.points(d), "eta": draw.share() / (2 * objective.L)},
        **{"E_1": fewer, "E_2": fewer + draw.count(1, 20)},
    }


def curved_on_the_way(draw: Draw, _: Statement) -> Objects:
    """Eigenvalues of at least lambda give Assumption 1 (i); G is the largest gradient on the way."""
    d, L, rho = draw.dimension(3), draw.decades(-2, 2), draw.between(0.01, 0.5)
    lam = L * draw.between(0.05, 1) if draw.family.share is None else L
    objective = quadratic(draw, d, L, lam)
    w = draw.points(d, 1)[0]
    G = float(np.linalg.norm(objective.gradient(w))) + 1e-6 * draw.family.scale
    E = draw.count(1, int(1 / (2 * rho)))
    given = {"gradient": objective.gradient, "w": w, "E": E, "L": L, "lam": lam, "G": G, "rho": rho}
    return given | {"Delta_star_max": 0.0}  # no object: all clients are this one


def normalized(draw: Draw, _: Statement) -> Objects:
    return {"z": draw.directions(draw.dimension()) * draw.length(), "c": draw.decades(-3, 3)}


def unclipped_coefficients(draw: Draw, _: Statement) -> Objects:
    """Numbers, not objects: the left side is the coefficient of eq. (15), the right one that of eq. (16)."""
    E, rho, C_hat = draw.count(1, 8), draw.between(0.001, 0.99), draw.decades(-1, 1)
    alpha = 2 * rho * E / draw.share() * SLACK
    ratio = rho * E / alpha
    update = C_hat * E * draw.share()
    return {
        **{"clipping_coefficient": 2 - ratio - ratio**2, "client_update_norm": update},
        **{"E": E, "rho": rho, "C_hat": C_hat, "alpha": alpha},
    }


INSTANCES = {
    "dp_fedavg.claims.bias": two_thresholds,
    "dp_fedavg.claims.signal_to_noise": round_with_noise,
    "dp_fedavg.claims.update_per_step": local_steps,
    "dp_fedavg.definitions.privacy": neighbours,
    "dp_fedavg.equation_12.length": normalized,
    "dp_fedavg.equation_16_comparison.left_sides": gaps_of_either_sign,
    "dp_fedavg.equation_17": thresholds,
    "dp_fedavg.equation_17_comparison.terms_b": thresholds,
    "dp_fedavg.equivalence.all_updates": long_updates,
    "dp_fedavg.equivalence.one_update": long_update,
    "dp_fedavg.lemma_3": one_step,
    "dp_fedavg.proposition_1": curved_on_the_way,
}
NUMBERS_OF = {
    "dp_fedavg.equation_16_comparison.coefficients": unclipped_coefficients,
    "dp_fedavg.signal_to_noise_ratio.amplification": unclipped_coefficients,
}
