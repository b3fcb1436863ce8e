"""ALS-DPFL: noisy steps of the auxiliary sequence, the mean loss, laws with finitely many outcomes."""

import itertools
from typing import Any

import numpy as np

from bounds.language.statement import AMENDED, Statement
from verify.objects.draw import CASES, Draw, Points
from verify.objects.functions import SLACK, Function, function

Objects = dict[str, Any]


def objective(draw: Draw) -> tuple[int, Function]:
    """As Theorem 2 has it: convex, Lipschitz, smooth, with a minimizer."""
    d = draw.dimension()
    return d, function(draw, d, draw.decades(-2, 2), convex=True, lipschitz=True)


def _make_objects(F: Function, draw: Draw) -> Objects:
    beta = F.L * SLACK
    return {"gradient": F.gradient, "minimizer": F.minimizer, "eta": draw.share() / beta, "beta": beta}


def step_in_mean(draw: Draw, statement: Statement) -> Objects:
    return _step_in_mean(draw, *objective(draw), amended=statement.variant == AMENDED)


def _step_in_mean(draw: Draw, d: int, F: Function, amended: bool) -> Objects:
    """As much noise as the second hypothesis of Lemma 4 allows, or a part of it.

    Of the amended one also half as much again: such a case counts where the hypothesis is forgotten.
    """
    beta = F.L * SLACK
    eta = draw.between(0.05, 0.999) / beta
    named = {"gradient": F.gradient, "minimizer": F.minimizer, "eta": eta, "beta": beta}
    v = draw.points(d, CASES, draw.count(1, 3))
    square = (F.gradient(v) ** 2).sum(axis=-1).mean(axis=-1)
    noise = draw.centred(2 * draw.count(1, 3), d, CASES)
    share = draw.share()
    if amended:
        allowed = share * (2 / beta - eta) / eta * (1.5 if draw.chance(0.3) else 1.0) * square
    else:
        allowed = share * eta * max(0.0, 1 / beta - eta) * square
    length = (noise**2).sum(axis=-1).mean(axis=-1)
    factor = np.sqrt(allowed / np.where(length > 0, length, 1)) * (1 - 1e-12)
    return named | {"v": v, "noise": noise * factor[:, None, None]}


def valued_step_in_mean(draw: Draw, _: Statement) -> Objects:
    d, F = objective(draw)
    found = _step_in_mean(draw, d, F, amended=True)
    return found | {"loss": F.value}


def reciprocal_gap(draw: Draw, _: Statement) -> Objects:
    """One step from the start of an interval of one step; lambda as large as the outcomes allow."""
    d = draw.dimension() * draw.count(1, 12)
    F = function(draw, d, draw.decades(-2, 2), convex=True, lipschitz=True)
    named = _make_objects(F, draw)
    assert F.minimizer is not None
    assert F.lowest is not None
    start = F.minimizer + draw.directions(d, CASES, 1) * 0.1 * draw.family.scale
    axes = np.concatenate([np.eye(d), -np.eye(d)])
    noise = axes * np.linalg.norm(F.gradient(start), axis=-1, keepdims=True) * draw.decades(-2, 0.3)
    ends = start - named["eta"] * (F.gradient(start) + noise)
    lowest = (F.value(ends) - F.lowest).min(axis=-1)
    lam = np.where(lowest > 0, lowest, 1.0) * draw.share() * (1 - 1e-12)
    return named | {"loss": F.value, "v": start, "noise": noise, "starts": start, "ends": ends, "lam": lam}


def gaps_of_an_interval(draw: Draw, _: Statement) -> Objects:
    """One of at most two steps of an interval; lambda as large as the mean gap at its end allows."""
    d, steps, steps_before = draw.dimension(), draw.count(1, 2), draw.count(0, 1)
    gap = np.zeros(CASES)
    while gap.min() <= 0:  # on a plateau a gap has no reciprocal: another function, another start
        F = function(draw, d, draw.decades(-2, 2), convex=True, lipschitz=True)
        named = _make_objects(F, draw)
        assert F.minimizer is not None
        assert F.lowest is not None
        start = F.minimizer + draw.directions(d, CASES, draw.count(1, 3)) * draw.share() * draw.family.scale
        half = draw.directions(d, CASES, draw.count(1, 3)) * draw.decades(-2, 0.3)
        half = half * np.linalg.norm(F.gradient(start[:, :1]), axis=-1)[..., None]
        noise, ends = np.concatenate([half, -half], axis=-2), start
        for _step in range(steps):
            moved = (ends - named["eta"] * F.gradient(ends))[:, :, None]
            ends = (moved - named["eta"] * noise[:, None]).reshape(CASES, -1, d)
        gap = (F.value(ends) - F.lowest).mean(axis=-1)
    before = min(steps_before, steps - 1)
    interval = {"starts": start, "noise": noise, "made": before, "left": steps - 1 - before}
    return named | {"loss": F.value, "lam": gap * draw.share() * (1 - 1e-9)} | interval


def sizes(draw: Draw) -> list[float]:
    return [float(draw.count(1, 20)) for _ in range(draw.count(1, 5))]


def clients(draw: Draw, d: int, count: int) -> list[Function]:
    functions = [function(draw, d, draw.decades(-1, 1), convex=True) for _ in range(count)]
    return functions[:1] * count if draw.family.agents == "identical" else functions


def between(draw: Draw, _: Statement) -> Objects:
    """Every loss is moved so that its minimizer is 0, and so that of their mean."""
    d, weights = draw.dimension(), sizes(draw)
    functions = clients(draw, d, len(weights))
    losses = [lambda x, f=f: f.value(x + f.minimizer) for f in functions]
    share = draw.random.choice([0.0, 1.0, draw.random.random()], size=CASES)
    return {
        **{"losses": losses, "sizes": weights, "w": draw.points(d), "w_prime": draw.points(d)},
        **{"share": share, "minimizer": np.zeros(d)},
    }


def divergence(draw: Draw, _: Statement) -> Objects:
    """Half squares of one curvature: the client's gradient is as far from the mean one at every point."""
    d, weights, L = draw.dimension(), sizes(draw), draw.decades(-1, 1)
    centres = draw.points(d, len(weights))
    client = draw.count(0, len(weights) - 1)
    mean = np.average(centres, axis=0, weights=weights)
    xi = L * float(np.linalg.norm(centres[client] - mean)) * (1 + 1e-6) + 1e-6 * draw.family.scale
    gradients = [lambda x, c=c: L * (x - c) for c in centres]
    return {"gradients": gradients, "sizes": weights, "client": client, "w": draw.points(d), "xi_i": xi}


def noisy_gradient(draw: Draw, _: Statement) -> Objects:
    """Every batch of B samples, clipped one by one, with noise of exactly the variance of the listing."""
    d, C, sigma, N = (
        draw.dimension(3),
        draw.length(),
        draw.decades(-2, 1) * draw.count(0, 1),
        draw.count(1, 4),
    )
    B = draw.count(1, N)
    of_samples = draw.directions(d, N) * C * draw.share()
    if draw.family.agents == "identical":
        of_samples = np.broadcast_to(of_samples[:1], of_samples.shape)
    batches = [of_samples[list(chosen)].mean(axis=0) for chosen in itertools.combinations(range(N), B)]
    axes = np.sqrt(d) * sigma * C / B * np.concatenate([np.eye(d), -np.eye(d)])
    noisy = (np.array(batches)[:, None] + axes).reshape(-1, d)
    return {"noisy": noisy, "gradient": of_samples.mean(axis=0), "sigma": sigma, "C": C, "B": B}


def law(draw: Draw, count: int) -> Points:
    weights = draw.random.dirichlet(np.full(count, 0.5), size=CASES)
    return np.asarray(weights)


def mechanism(draw: Draw, _: Statement) -> Objects:
    """delta is the least with which the mechanism is (epsilon, delta)-private; the worst set attains it."""
    outcomes, epsilon = draw.count(2, 6), draw.decades(-2, 1)
    here, there = law(draw, outcomes), law(draw, outcomes)
    if draw.family.agents == "identical":
        there = here
    apart = here - np.exp(epsilon) * there
    chosen = apart > 0 if draw.chance(0.5) else draw.random.random(apart.shape) < 0.5
    delta = np.minimum(np.maximum(apart, 0).sum(axis=-1) * (1 + 1e-12) + 1e-12, 1 - 1e-12)
    named = {"outputs": here, "neighbour_outputs": there, "output_set": chosen}
    return named | {"epsilon": epsilon, "delta": delta}


def unit_points(draw: Draw, _: Statement) -> Objects:
    others = draw.random.random((CASES, draw.count(1, 20)))
    return {"points": np.concatenate([others, np.full((CASES, 1), 1 / np.sqrt(3))], axis=-1)}


def equal_rounds(draw: Draw, _: Statement) -> Objects:
    steps = draw.random.integers(1, 50, size=(CASES, 1))
    return {"rounds": np.repeat(steps, draw.count(1, 40), axis=1)}


INSTANCES = {
    **{
        f"als_dpfl.claims.{name} {AMENDED}": valued_step_in_mean
        for name in ("loss_decreases", "gap_decreases", "noise_lengthens")
    },
    f"als_dpfl.lemma_6 {AMENDED}": gaps_of_an_interval,
    "als_dpfl.claims.max_difference": unit_points,
    "als_dpfl.claims.steps_of_all_rounds": equal_rounds,
    "als_dpfl.definition_1.equation_4": mechanism,
    "als_dpfl.equation_9": divergence,
    "als_dpfl.lemma_1.convex": between,
    "als_dpfl.lemma_2": noisy_gradient,
    "als_dpfl.lemma_4": step_in_mean,
    "als_dpfl.lemma_6": reciprocal_gap,
}
