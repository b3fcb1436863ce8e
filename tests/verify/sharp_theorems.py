"""Theorems of strangers, each derived in a line or two, and false twins by the cell in which they fall.

A twin loses a factor, a term or a condition, as published ones do.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from strangers import enter, paper, state_with_example
from sympy import Max, sqrt

from bounds.language.assumptions import (
    BOUNDED_BELOW,
    CONVEX_CLIENTS,
    LIPSCHITZ_CLIENTS,
    MINIMUM_ATTAINED,
    SMOOTH_CLIENTS,
    STRONGLY_CONVEX,
)
from bounds.language.condition import at_least, at_most
from bounds.language.dimension import F, X
from bounds.language.part import constant, setting
from bounds.language.quantity import (
    NON_NEGATIVE,
    OPEN_UNIT,
    POSITIVE,
    POSITIVE_INTEGER,
    PROBABILITY,
    Notation,
    Over,
    States,
)
from bounds.language.statement import Statement
from synthetic.outside.algorithm import REQUIRED, Algorithm

NOTATION = Notation()
q = NOTATION.quantity
b = q("b", "b", "clients that are drawn", POSITIVE_INTEGER, part=setting("batch"))
k = q("k", "k", "coordinates that are sent", POSITIVE_INTEGER, part=setting("sent"))
S = q("S", "S", "clients of a round", POSITIVE_INTEGER, part=setting("clients_per_round"))
chance = q("chance", "q", "probability of a full gradient", PROBABILITY, part=setting("chance"))
mixing = q("mixing", "a", "weight of the mean", PROBABILITY, part=setting("mixing"))
beta = q("beta", r"\beta", "momentum", OPEN_UNIT, part=setting("momentum"))
C = q("C", "C", "threshold", POSITIVE, F / X, part=setting("clip"))
z = q("z", "z", "noise by the threshold", NON_NEGATIVE, part=setting("multiplier"))
offset = q("offset", "k_0", "round at which the steps begin", POSITIVE, part=setting("offset"))
m = q("m", "m", "strong convexity as it is told", POSITIVE, F / X**2, part=setting("convexity"))
G = q("G", "G", "longest gradient", POSITIVE, F / X, part=constant("lipschitz"))
K, eta, sigma, p, n, d = enter(NOTATION, "K", "eta", "sigma", "p", "n", "d")
L, mu, D, Delta, s = enter(NOTATION, "L", "mu", "D", "Delta", "s")
EXAMPLE = {
    "K": 20,
    "eta": 0.05,
    "sigma": 0.5,
    "p": 0.5,
    "n": 5,
    "d": 4,
    "L": 1,
    "mu": 0.1,
    "D": 2,
    "Delta": 2,
}
EXAMPLE |= {"s": 1, "b": 2, "k": 2, "S": 2, "chance": 0.3, "mixing": 0.3, "beta": 0.5, "C": 1, "z": 1, "G": 1}
EXAMPLE |= {"offset": 50, "m": 0.1}
PAPER = paper("sharp", NOTATION)


def observable(name: str, over: Over, measured: str, dimension: Any, **more: Any) -> Any:
    return NOTATION.observable(name, name, name, dimension, over, measured=measured, **more)


BEFORE = States.BEFORE_A_ROUND
distance = observable("distance", Over.LAST, "squared_distance", X**2)
gap = observable("gap", Over.LAST, "gap", F)
mean_gap = observable("mean_gap", Over.UNIFORM_ROUND, "gap", F, states=BEFORE)
slope = observable("slope", Over.UNIFORM_ROUND, "squared_gradient_norm", (F / X) ** 2, states=BEFORE)
consensus = observable("consensus", Over.LAST, "consensus", X**2)
STRONG = (CONVEX_CLIENTS, SMOOTH_CLIENTS, STRONGLY_CONVEX)
CONVEX = (CONVEX_CLIENTS, SMOOTH_CLIENTS, MINIMUM_ATTAINED)
ANY = (SMOOTH_CLIENTS, BOUNDED_BELOW)
KINKED = (CONVEX_CLIENTS, MINIMUM_ATTAINED, LIPSCHITZ_CLIENTS)


def most(value: Any, limit: Any) -> Any:
    return at_most(value, limit, locator="sharp", printed="x", part=str(value))


def least(value: Any, limit: Any) -> Any:
    return at_least(value, limit, locator="sharp", printed="x", part=str(value))


theorem = partial(state_with_example, PAPER, EXAMPLE)


def batch(round: Callable[..., Any], *settings: str, **more: Any) -> Algorithm:
    return Algorithm(round=round, settings=dict.fromkeys(settings, REQUIRED), batched=True, **more)


def over_clients(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """The mean gradient of clients that are drawn with replacement."""
    chosen = random.integers(len(clients), size=(len(x), settings.batch))
    return x - settings.step * np.take_along_axis(clients.gradients(x), chosen[:, :, None], axis=1).mean(
        axis=1
    )


def without_replacement(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    order = random.random((len(x), len(clients))).argsort(axis=1)[:, : settings.clients_per_round]
    return x - settings.step * np.take_along_axis(clients.gradients(x), order[:, :, None], axis=1).mean(
        axis=1
    )


def compressed(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """Every client sends some of its coordinates, scaled to be unbiased."""
    g = clients.gradients(x)
    sent = random.random(g.shape).argsort(axis=-1) < settings.sent
    return x - settings.step * (sent * (x.shape[1] / settings.sent) * g).mean(axis=1)


def decreasing(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    x, t = state["x"], state["t"]
    g = clients.gradients(x)[np.arange(len(x)), random.integers(len(clients), size=len(x))]
    return {"x": x - 2 / (settings.convexity * (t[:, None] + settings.offset)) * g, "t": t + 1}


def page(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    """A full gradient with some probability, else the last estimate and the difference of one client."""
    x, g, rows = state["x"], state["g"], np.arange(len(state["x"]))
    new = x - settings.step * g
    i, full = random.integers(len(clients), size=len(x)), random.random(len(x)) < settings.chance
    moved = g + clients.gradients(new)[rows, i] - clients.gradients(x)[rows, i]
    return {"x": new, "g": np.where(full[:, None], clients.gradient(new), moved)}


def coordinate(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    rows, j, new = np.arange(len(x)), random.integers(x.shape[1], size=len(x)), x.copy()
    new[rows, j] -= settings.step * clients.gradient(x)[rows, j]
    return new


def noisy(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - settings.step * (clients.gradient(x) + settings.noise * random.standard_normal(x.shape))


def averaged(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    x, t = state["x"], state["t"][:, None]
    return {
        "x": noisy(x, clients, settings, random),
        "t": state["t"] + 1,
        "mean": (t * state["mean"] + x) / (t + 1),
    }


def with_momentum(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    x, part = state["x"], settings.momentum
    g = clients.gradient(x) + settings.noise * random.standard_normal(x.shape)
    moving = part * state["m"] + (1 - part) * g
    return {"x": x - settings.step * moving, "m": moving}


def gossip(points: Any, clients: Any, settings: Any, random: Any) -> Any:
    mean = points.mean(axis=1, keepdims=True)
    return points + settings.mixing * (mean - points) - settings.step * clients.gradients(points)


def away_from_the_mean(points: Any, clients: Any, settings: Any) -> Any:
    return ((points - points.mean(axis=1, keepdims=True)) ** 2).sum(axis=-1).mean(axis=-1)


def one_reversed(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """A client that sends the opposite of its gradient."""
    g = clients.gradients(x)
    g[:, 0] *= -1
    return x - settings.step * g.mean(axis=1)


def private(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """Clients that are drawn by a coin, each clipped; noise on their sum."""
    g = clients.gradients(x)
    g *= np.minimum(1, settings.clip / np.maximum(np.linalg.norm(g, axis=-1, keepdims=True), 1e-300))
    drawn = random.random(g.shape[:2]) < settings.probability
    noise = settings.multiplier * settings.clip * random.standard_normal(x.shape)
    return x - settings.step * ((drawn[:, :, None] * g).sum(axis=1) + noise) / (
        settings.probability * len(clients)
    )


class Trial(NamedTuple):
    """A true theorem, its false twins by the cell in which each falls."""

    algorithm: Algorithm
    true: Statement
    twins: tuple[tuple[str, Statement], ...]


APART, FLAT = "quadratics apart", "quadratics apart where they are flat"
KINK, AT_KINK, SLOPES = "huber, a kink", "huber, at a kink", "huber, clients apart"
SMALL_STEPS = f"{APART}, small steps"


# E||g||^2 <= 2 L gap + c (4 L gap + 2 s^2), where c is 1/b, or (n - S)/(S (n - 1)) without replacement:
# r_{k+1} <= (1 - eta mu) r_k + 2 eta^2 c s^2 where eta <= 1/(L (1 + 2 c)).
def drawn(noise: Any, c: Any, *conditions: Any) -> Statement:
    right = (1 - eta * mu) ** K * D**2 + noise
    return theorem(distance, right, STRONG, most(eta, 1 / (L * (1 + 2 * c))), *conditions)


def few(noise: Any) -> Statement:
    return drawn(noise, LEFT_OUT, most(S, n), least(n, 2))


LEFT_OUT = (n - S) / (S * (n - 1))


# with omega = d/k - 1, E||g||^2 <= 2 L gap + omega/n (4 L gap + 2 s^2)
def sent(noise: Any) -> Statement:
    omega = d / k - 1
    step = most(eta, 1 / (2 * L * (1 + 2 * omega / n)))
    return theorem(mean_gap, D**2 / (eta * K) + noise, CONVEX, most(k, d), step)


# r_{k+1} <= (1 - eta_k mu) r_k + 2 eta_k^2 s^2 with eta_k = 2/(m (k + k_0)), by induction
def slowing(right: Any) -> Statement:
    return theorem(distance, right, STRONG, least(offset, 4 * L / m), most(m, mu))


# E||g_k - grad f(x_k)||^2 <= (1 - q)(that before + L^2 ||x_{k+1} - x_k||^2)  [Li et al. 2021]
def refreshed(limit: Any) -> Statement:
    return theorem(slope, 2 * Delta / (eta * K), ANY, most(eta, limit), names="chance")


# E f(x+) <= f - eta/(2 d) ||grad f||^2 for eta <= 1/L
def by_coordinates(rate: Any) -> Statement:
    return theorem(gap, rate**K * Delta, STRONG, most(eta, 1 / L))


# r_{k+1} <= r_k - 2 eta gap + eta^2 (G^2 + d sigma^2)
def subgradients(right: Any) -> Statement:
    return theorem(mean_gap, right, KINKED, names="eta sigma")


# r_{k+1} <= r_k - 2 eta gap + eta^2 d sigma^2 for eta <= 1/L, and Jensen
def of_the_mean(right: Any) -> Statement:
    return theorem(gap, right, CONVEX, most(eta, 1 / L), names="sigma")


# e_k = m_k - grad f(x_k) of the gradient without noise, a convex combination of e_{k-1} and of the last step:
# E||e_k||^2 <= beta E||e_{k-1}||^2 + (beta L eta)^2/(1 - beta) E||m_{k-1}||^2 + (1 - beta)^2 d sigma^2
def moving(noise: Any) -> Statement:
    step = most(eta, (1 - beta) / L)
    return theorem(slope, 2 * Delta / (eta * K) + noise, ANY, step, names="beta sigma")


# ||X_{k+1} - mean|| <= (1 - a) ||X_k - mean|| + eta sqrt(n) G
def apart(right: Any) -> Statement:
    return theorem(consensus, right, (SMOOTH_CLIENTS, LIPSCHITZ_CLIENTS), names="K eta mixing")


# f(x+) <= f - eta/2 ||grad f||^2 + eta/2 (2 G/n)^2
def one_liar(floor: Any) -> Statement:
    return theorem(slope, 2 * Delta / (eta * K) + floor, (*ANY, LIPSCHITZ_CLIENTS), most(eta, 1 / L))


# E||g||^2 <= G^2 (1 + (1 - p)/(p n)) + d (z C/(p n))^2
def cut(noise: Any, *conditions: Any) -> Statement:
    right = D**2 / (2 * eta * K) + eta * G**2 * (1 + (1 - p) / (p * n)) / 2 + noise
    return theorem(mean_gap, right, KINKED, *conditions, names="eta C z p")


FLOOR, START, NOISE = 8 * s**2 / m**2, D**2 / (2 * eta * K), d * sigma**2
CUT = eta * d * (z * C / (p * n)) ** 2 / 2
TRIALS = {
    "a batch of clients": Trial(
        batch(over_clients, "step", "batch"),
        drawn(2 * eta * s**2 / (b * mu), 1 / b),
        (
            (APART, drawn(eta * s**2 / (2 * b * mu), 1 / b)),
            (SMALL_STEPS, drawn(2 * eta * s**2 / (b**2 * mu), 1 / b)),
            (FLAT, drawn(2 * eta * s**2 / (b * L), 1 / b)),
        ),
    ),
    "clients without replacement": Trial(
        batch(without_replacement, "step", "clients_per_round"),
        few(2 * eta * LEFT_OUT * s**2 / mu),
        (
            (SMALL_STEPS, few(2 * eta * LEFT_OUT * s**2 / (mu * S))),
            (APART, few(2 * eta * LEFT_OUT * s**2 / (mu * n))),
        ),
    ),
    "compressed gradients": Trial(
        batch(compressed, "step", "sent"),
        sent(2 * eta * (d / k - 1) * s**2 / n),
        (
            (APART, sent(2 * eta * (d / k - 1) * s**2 / n**2)),
            (APART, sent(2 * eta * (1 - k / d) * s**2 / n)),
            (SMALL_STEPS, sent(2 * eta**2 * L * (d / k - 1) * s**2 / n)),
        ),
    ),
    "decreasing steps": Trial(
        batch(
            decreasing,
            "offset",
            "convexity",
            begin=lambda x0, clients, settings: {"x": x0, "t": np.zeros(len(x0))},
        ),
        slowing(Max(offset * D**2, FLOOR) / (K + offset)),
        (
            (FLAT, slowing(Max(offset * D**2, FLOOR / 8) / (K + offset))),
            (FLAT, slowing(Max(offset * D**2, FLOOR * m / L) / (K + offset))),
            (APART, slowing(offset * Max(offset * D**2, FLOOR) / (K + offset) ** 2)),
        ),
    ),
    "page": Trial(
        batch(
            page, "step", "chance", begin=lambda x0, clients, settings: {"x": x0, "g": clients.gradient(x0)}
        ),
        refreshed(1 / (L * (1 + sqrt((1 - chance) / chance)))),
        (("small chance at the edge near the minimizer", refreshed(1 / L)),),
    ),
    "coordinates": Trial(
        batch(coordinate, "step"),
        by_coordinates(1 - eta * mu / d),
        ((APART, by_coordinates(1 - eta * mu / sqrt(d))),),
    ),
    "noisy subgradients": Trial(
        batch(noisy, "step", "noise"),
        subgradients(START + eta * (G**2 + NOISE) / 2),
        (
            (KINK, subgradients(START / 2 + eta * (G**2 + NOISE) / 2)),
            (AT_KINK, subgradients(START + eta * (G**2 + NOISE) / 4)),
            (AT_KINK, subgradients(START + eta * (G**2 + sigma**2) / 2)),
            (AT_KINK, subgradients(START + eta * NOISE / 2)),
        ),
    ),
    "an average": Trial(
        batch(
            averaged,
            "step",
            "noise",
            begin=lambda x0, clients, settings: {"x": x0, "t": np.zeros(len(x0)), "mean": x0},
            iterate=lambda state: state["mean"],
        ),
        of_the_mean(START + eta * NOISE / 2),
        ((SMALL_STEPS, of_the_mean(START + eta * sigma**2 / 2)),),
    ),
    "momentum": Trial(
        batch(
            with_momentum,
            "step",
            "momentum",
            "noise",
            begin=lambda x0, clients, settings: {"x": x0, "m": clients.gradient(x0)},
        ),
        moving((1 - beta) * NOISE),
        ((APART, moving((1 - beta) ** 2 * NOISE)), (APART, moving((1 - beta) * eta * L * NOISE))),
    ),
    "gossip": Trial(
        batch(
            gossip,
            "step",
            "mixing",
            begin=lambda x0, clients, settings: np.repeat(x0[:, None], len(clients), axis=1),
            iterate=lambda points: points.mean(axis=1),
            observables={"consensus": away_from_the_mean},
        ),
        apart((eta * G / mixing) ** 2),
        ((SLOPES, apart((eta * G) ** 2 / mixing)), (SLOPES, apart((eta * G / mixing) ** 2 / n))),
    ),
    "a client that lies": Trial(
        batch(one_reversed, "step"),
        one_liar(4 * G**2 / n**2),
        (
            (SLOPES, one_liar(G**2 / n**2)),
            (f"{SLOPES}, small steps", one_liar(4 * eta * L * G**2 / n**2)),
        ),
    ),
    "a private sum": Trial(
        batch(private, "step", "clip", "multiplier", "probability"),
        cut(CUT, least(C, G)),
        ((KINK, cut(CUT)),),
    ),
}
