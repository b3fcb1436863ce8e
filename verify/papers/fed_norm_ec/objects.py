"""Fed-alpha-NormEC: memory updates, walks, descent, heterogeneity, local passes."""

import itertools
from typing import Any

import numpy as np

from bounds.language.statement import AMENDED, Statement
from verify.objects.draw import Draw
from verify.objects.functions import SLACK, clients, function, half_square

Objects = dict[str, Any]


def memory(draw: Draw, _: Statement) -> Objects:
    """The memory at most C from the gradient; smoothing and memory step on either side of each other."""
    d, L = draw.dimension(3), draw.decades(-2, 2)
    client = function(draw, d, L, convex=True)
    gamma = draw.share() / L
    C, rho = draw.decades(-2, 1), 1.0 + draw.count(0, 1)
    alpha = C * draw.decades(-3, 0.3)
    beta = alpha * draw.share() if draw.chance(0.3) else (alpha + C) * draw.between(0.5, 1)
    beta = min(beta, 0.999 * (alpha + C))
    eta = gamma * beta * C / ((1 + rho) * (alpha + C)) * (1 - 1e-9)
    x = draw.points(d)
    v = draw.moved(client.gradient(x), C * (draw.share() if draw.chance(0.3) else draw.decades(-2, 0)))
    return {
        **{"local": lambda y: y - gamma * client.gradient(y), "v": v, "x": x, "x_next": draw.moved(x, eta)},
        **{"alpha": alpha, "beta": beta, "gamma": gamma, "eta": eta, "rho": rho * SLACK, "C": C * SLACK},
    }


def walk(draw: Draw, _: Statement) -> Objects:
    """Independent signs times fixed vectors: every outcome of the joint law, with equal weights."""
    rounds, clients, d = draw.count(1, 3), draw.count(1, 2), draw.dimension(3)
    lengths = np.full((rounds, clients), draw.length())
    if draw.family.share is None:
        lengths = lengths * draw.random.random((rounds, clients))
    directions = draw.directions(d, rounds, clients)
    if draw.family.agents == "identical":
        directions = np.broadcast_to(directions[:1, :1], directions.shape)
    signs = np.array(list(itertools.product([-1, 1], repeat=rounds * clients)))
    z = signs.reshape(-1, rounds, clients, 1) * (lengths[..., None] * directions)
    return {
        **{"start": draw.points(d, 1)[0] * draw.count(0, 1), "z": z, "weights": np.full(len(z), 1 / len(z))},
        **{"beta": draw.decades(-1, 0), "sigma": float(lengths.max() * SLACK)},
    }


def sequences(draw: Draw, _: Statement) -> Objects:
    """V is as large as the inequality allows, W as large as V >= 0 allows."""
    b_1, b_2, b_3 = 3 * draw.random.random(), draw.random.random() + 0.1, draw.random.random()
    gamma = draw.decades(-2, 0)
    V, W = [draw.length()], []
    for _round in range(draw.count(1, 30)):
        grown = (1 + b_1 * gamma**2) * V[-1] + b_3 * gamma
        W.append(grown / (b_2 * gamma) * draw.random.choice([0.01, 0.5, 0.999]))
        V.append(max(0.0, grown - b_2 * gamma * W[-1]) * (1 - 1e-12))
    named = {"b_1": b_1, "b_2": b_2, "b_3": b_3, "gamma_sequence": gamma}
    return {"V": np.array(V), "W": np.array(W)} | named


def gradients_at_a_point(draw: Draw, _: Statement) -> Objects:
    """Half squares of one curvature, whose mean has its infimum at the mean of the centres."""
    M, d, L = draw.count(2, 5), draw.dimension(3), draw.decades(-2, 2)
    half_squares = [half_square(draw, d, L) for _ in range(M)]
    if draw.family.agents == "one apart":
        half_squares = half_squares[:1] + half_squares[-1:] * (M - 1)
    centres = np.array([client.minimizer for client in half_squares])
    x = draw.points(d)
    spread = L / 2 * ((centres - centres.mean(axis=0)) ** 2).sum(axis=-1).mean()
    return {
        "gradients": np.stack([client.gradient(x) for client in half_squares], axis=-2),
        "f": spread + L / 2 * ((x - centres.mean(axis=0)) ** 2).sum(axis=-1),
        **{"f_inf": float(spread), "f_i_inf": np.zeros(M), "L": L * SLACK},
    }


def smooth_on_average(draw: Draw, L: float) -> list[Any]:
    """Two data points 50 times as curved as their mean, an L-smooth bowl: all that is asked of a client."""
    steep = 50 * L * draw.share()
    return [lambda x: L * x + steep * np.cos(x), lambda x: L * x - steep * np.cos(x)]


def local_pass(draw: Draw, statement: Statement) -> Objects:
    """The printed lemma asks smoothness of the clients alone, an amended one also of their data points."""
    d, L, M, N, eta = draw.dimension(3), draw.decades(-2, 2), 3, draw.count(1, 5), draw.length()
    if statement.variant != AMENDED and draw.chance(0.3):
        gradients = [smooth_on_average(draw, L) for _ in range(M)]
    else:
        gradients = [[client.gradient for client in clients(draw, N, d, L)] for _ in range(M)]
    x = draw.points(d)
    return {
        **{"gradients": gradients, "x": x, "x_next": draw.moved(x, eta)},
        **{"gamma": draw.share() / (2 * L * SLACK), "L": L * SLACK, "eta": eta},
    }


def full_pass(draw: Draw, _: Statement) -> Objects:
    """Half squares in one dimension of one curvature; any length of the pass that the conditions leave."""
    M, N, L = draw.count(2, 4), draw.count(1, 5), draw.decades(-1, 1)
    centres = draw.points(1, M, N)[..., 0]
    if draw.family.agents == "identical":
        centres = np.broadcast_to(centres[:, :1], centres.shape)
    mean = centres.mean(axis=1)
    x = draw.points(1)
    lowest = L / 2 * ((centres - centres.mean()) ** 2).mean()
    return {
        "gradients": [[lambda y, c=c: L * (y - c) for c in row] for row in centres],
        **{"x": x, "f": lowest + L / 2 * (x[:, 0] - centres.mean()) ** 2, "f_inf": float(lowest)},
        "f_i_inf": L / 2 * ((centres - mean[:, None]) ** 2).mean(axis=1),
        "f_ij_inf": np.zeros((M, N)),
        **{"gamma": draw.decades(-2, 4) / L if draw.chance(0.3) else draw.share() / (2 * L * SLACK)},
        "L": L * SLACK,
    }


INSTANCES = {
    "fed_norm_ec.lemma_1": memory,
    "fed_norm_ec.lemma_2": walk,
    "fed_norm_ec.lemma_5": sequences,
    "fed_norm_ec.lemma_6": gradients_at_a_point,
    "fed_norm_ec.lemma_8": full_pass,
    **{f"fed_norm_ec.lemma_9.c{n}": local_pass for n in (1, 2, 3, 4)},
}
