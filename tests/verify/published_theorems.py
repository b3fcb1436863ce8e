"""More theorems of strangers, on published methods, each derived in a line or two, with false twins by cell.

Of 22 methods that were tried those stand here whose twins fall in a cell of their own.
"""

from typing import Any

import numpy as np
from sharp_theorems import (
    ANY,
    APART,
    AT_KINK,
    CONVEX,
    EXAMPLE,
    KINKED,
    NOTATION,
    SLOPES,
    STRONG,
    D,
    Delta,
    G,
    K,
    L,
    Trial,
    batch,
    consensus,
    d,
    distance,
    eta,
    gap,
    k,
    mean_gap,
    most,
    mu,
    n,
    observable,
    p,
    q,
    s,
    slope,
    theorem,
)
from strangers import enter
from sympy import Rational, Sum, sqrt

from bounds.language.assumptions import LIPSCHITZ_CLIENTS, QUADRATIC_CLIENTS
from bounds.language.condition import below
from bounds.language.dimension import F, X
from bounds.language.part import INDEX, at_start, setting
from bounds.language.quantity import NATURAL, NON_NEGATIVE, OPEN_UNIT, POSITIVE, PROBABILITY, Over

rho = q("rho", r"\rho", "radius", POSITIVE, X, part=setting("radius"))
trigger = q("trigger", "t", "trigger", POSITIVE, (F / X**2) ** 2, part=setting("trigger"))
skew = q("skew", "a", "how far weights are from 1/n", PROBABILITY, part=setting("skew"))
scale = q("scale", "c", "first scale", POSITIVE, F / X**2, part=setting("scale"))
w = q("w", "w", "weight of a neighbor", POSITIVE, part=setting("weight"))
b = q("heavy", r"\beta", "momentum", OPEN_UNIT, part=setting("heavy"))
lam = q("lam", r"\lambda", "second eigenvalue", NON_NEGATIVE, part=at_start("second_eigenvalue"))
G_0 = q("G_0", "G_0", "error of the first compression", NON_NEGATIVE, (F / X) ** 2, part=at_start("lost"))
j = q("j", "j", "number of a round", NATURAL, part=INDEX)
(mu_i,) = enter(NOTATION, "mu_i")
root = observable("root", Over.LAST, "root_distance", X)
EXAMPLE |= {"rho": 0.1, "trigger": 1, "skew": 0.3, "scale": 1, "w": 0.25, "heavy": 0.5, "lam": 0.5, "G_0": 1}
EXAMPLE |= {"mu_i": 0.1}


def power_of_two(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """Every client rounds to a power of two, on either side, without bias."""
    g = clients.gradients(x)
    share, exponent = np.frexp(np.abs(g))
    up = random.random(g.shape) < 2 * share - 1
    return x - settings.step * (np.sign(g) * np.ldexp(0.5, exponent) * (1 + up)).mean(axis=1)


def who_comes(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """The mean over the clients that came; nothing where nobody did."""
    came = random.random((len(x), len(clients))) < settings.probability
    total = (came[:, :, None] * clients.gradients(x)).sum(axis=1)
    return x - settings.step * total / np.maximum(came.sum(axis=1), 1)[:, None]


def heavy_ball(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    x, before = state["x"], state["before"]
    return {"x": x - settings.step * clients.gradient(x) + settings.heavy * (x - before), "before": x}


def twice(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """Extragradient."""
    return x - settings.step * clients.gradient(x - settings.step * clients.gradient(x))


def lazy(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    """A client sends only if its gradient has changed more than the point."""
    x, g, new = state["x"], state["g"], clients.gradients(state["x"])
    stale = ((new - g) ** 2).sum(axis=2) <= settings.trigger * ((x - state["before"]) ** 2).sum(axis=1)[
        :, None
    ]
    g = np.where(stale[:, :, None], g, new)
    return {"x": x - settings.step * g.mean(axis=1), "before": x, "g": g}


def sharpness_aware(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    g = clients.gradient(x)
    size = np.linalg.norm(g, axis=1, keepdims=True)
    return x - settings.step * clients.gradient(x + settings.radius * g / np.maximum(size, 1e-300))


def weighted(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """Weights (1 + a)/n and (1 - a)/n in turns, 1/n for an odd last client."""
    sides = np.where(np.arange(len(clients)) % 2 == 0, 1.0, -1.0)
    sides[len(clients) - len(clients) % 2 :] = 0
    return x - settings.step * ((1 + settings.skew * sides)[:, None] * clients.gradients(x)).mean(axis=1)


def root_distance(x: Any, clients: Any, settings: Any) -> Any:
    return np.linalg.norm(x - clients.minimizer, axis=1)


def dual_averaging(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    rows, t = np.arange(len(state["x"])), state["t"] + 1
    drawn = clients.gradients(state["x"])[rows, random.integers(len(clients), size=len(rows))]
    total = state["total"] + drawn
    x = state["first"] - total / (settings.scale * np.sqrt(t + 1))[:, None]
    return {"x": x, "first": state["first"], "total": total, "t": t}


def mixed(points: Any, weight: float) -> Any:
    """On a ring."""
    beside = np.roll(points, 1, axis=1) + np.roll(points, -1, axis=1)
    return (1 - 2 * weight) * points + weight * beside


def ring(points: Any, clients: Any, settings: Any, random: Any) -> Any:
    return mixed(points, settings.weight) - settings.step * clients.gradients(points)


def second_eigenvalue(points: Any, clients: Any, settings: Any) -> Any:
    matrix = mixed(np.eye(len(clients))[None], settings.weight)[0]
    return np.abs(np.linalg.eigvalsh(matrix - 1 / len(clients))).max()


def away_from_the_mean(points: Any, clients: Any, settings: Any) -> Any:
    return ((points - points.mean(axis=1, keepdims=True)) ** 2).sum(axis=-1).mean(axis=-1)


def cut(g: Any, sent: int) -> Any:
    """The largest coordinates."""
    order = np.argsort(np.argsort(-np.abs(g), axis=-1), axis=-1)
    return np.where(order < sent, g, 0.0)


def feedback(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    """EF21."""
    x = state["x"] - settings.step * state["g"].mean(axis=1)
    return {"x": x, "g": state["g"] + cut(clients.gradients(x) - state["g"], settings.sent)}


def lost(state: Any, clients: Any, settings: Any) -> Any:
    return ((state["g"] - clients.gradients(state["x"])) ** 2).sum(axis=-1).mean(axis=-1)


def steepest(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """Exact line search on quadratics."""
    g = clients.gradient(x)
    along = (g * (clients.gradient(x + g) - g)).sum(axis=1, keepdims=True)
    return x - (g**2).sum(axis=1, keepdims=True) / np.where(along > 0, along, 1.0) * g


# omega = 1/8: E||g||^2 <= 2 L gap + (4 L gap + 2 s^2)/(8 n)
def rounded(noise: Any) -> Any:
    return theorem(distance, (1 - eta * mu) ** K * D**2 + noise, STRONG, most(eta, 4 * n / (L * (4 * n + 1))))


# with probability P = 1 - (1 - p)^n somebody comes, and who comes is uniform given how many
def coming(rate: Any, noise: Any) -> Any:
    return theorem(distance, rate**K * D**2 + noise, STRONG, most(eta, 1 / (2 * L)), names="p")


# z = x + b/(1 - b) (x - x_-): z+ = z - eta/(1 - b) grad f(x), and the sum telescopes [Ghadimi et al. 2015]
def with_momentum(right: Any) -> Any:
    return theorem(mean_gap, right, CONVEX, most(eta, (1 - b) / L))


# r+ <= r - 2 eta <grad f(y), y - x*> - (1 - eta^2 L^2) ||x - y||^2 for y = x - eta grad f(x)
def extra(rate: Any) -> Any:
    return theorem(distance, rate**K * D**2, STRONG, most(eta, 1 / (4 * L)))


# f+ <= f - eta/2 ||grad f||^2 - (1/(2 eta) - L/2) ||x+ - x||^2 + eta/2 t ||x - x_-||^2
def triggered(limit: Any) -> Any:
    return theorem(slope, 2 * Delta / (eta * K), ANY, most(eta, limit), names="trigger")


# f+ <= f - eta/2 ||grad f(x)||^2 + eta/2 ||grad f(x) - grad f(y)||^2 with ||x - y|| = rho
def aware(floor: Any) -> Any:
    return theorem(slope, 2 * Delta / (eta * K) + floor, ANY, most(eta, 1 / L), names="rho")


# a step contracts by 1 - eta mu_i, and the weighted gradient at x* is at most a s long
def skewed(bias: Any) -> Any:
    return theorem(root, (1 - eta * mu_i) ** K * D + bias, CONVEX, most(eta, 1 / L), names="skew")


# follow the regularized leader with c sqrt(k + 1)/2 ||x - x_0||^2
def averaging(noise: Any) -> Any:
    return theorem(mean_gap, scale * D**2 / (2 * sqrt(K)) + noise, KINKED, names="scale")


# r+ <= r - 2 eta gap + eta L C, where C <= (eta G/(1 - lam))^2 is how far points are from their mean
def on_a_ring(drift: Any, first: Any = 1) -> Any:
    fits = below(lam, 1, locator="ring", printed="x"), most(w, Rational(1, 4)), most(eta, 1 / L)
    right = first * D**2 / (2 * eta * K) + drift
    return theorem(mean_gap, right, (*CONVEX, LIPSCHITZ_CLIENTS), *fits, names="lam w")


def kept_apart(right: Any) -> Any:
    fits = below(lam, 1, locator="ring", printed="x"), most(w, Rational(1, 4))
    return theorem(consensus, right, (*CONVEX, LIPSCHITZ_CLIENTS), *fits, names="lam w eta K")


# E||g - grad f||^2 falls by r^2 = 1 - k/d a round and grows by what moves [Richtarik et al. 2021]
def fed_back(start: Any) -> Any:
    step = most(eta, (1 - LEFT) / L)
    return theorem(slope, 2 * Delta / (eta * K) + start, ANY, step, most(k, d))


# Kantorovich: a step contracts the gap by ((L - mu)/(L + mu))^2, reached across the curvatures
def searched(first: Any) -> Any:
    ratio = ((L - mu) / (L + mu)) ** 2
    return theorem(gap, first * ratio**K * Delta, (QUADRATIC_CLIENTS, *STRONG))


LEFT = sqrt(1 - k / d)
SOMEBODY = 1 - (1 - p) ** n
FLOOR = eta * s**2 / (4 * n * mu)
NOISE = 2 * eta * s**2 / mu
MOMENTUM = (1 - b) * D**2 / (2 * eta * K), b * Delta / ((1 - b) * K)
BIAS = skew * s / mu_i
STEPS = G**2 * Sum(1 / sqrt(j + 1), (j, 0, K - 1)) / (2 * scale * K)
FASTER = G**2 * Sum(1 / (j + 1), (j, 0, K - 1)) / (2 * scale * K)
DRIFT = L * (eta * G / (1 - lam)) ** 2 / 2
FLAT = "quadratics apart where they are flat"
RING = batch(
    ring,
    "step",
    "weight",
    begin=lambda x0, clients, settings: np.repeat(x0[:, None], len(clients), axis=1),
    iterate=lambda points: points.mean(axis=1),
    observables={"second_eigenvalue": second_eigenvalue, "consensus": away_from_the_mean},
)
PUBLISHED = {
    "powers of two": Trial(
        batch(power_of_two, "step"),
        rounded(FLOOR),
        ((APART, rounded(FLOOR / n)), (APART, rounded(FLOOR / 4))),
    ),
    "clients that come": Trial(
        batch(who_comes, "step", "probability"),
        coming(1 - SOMEBODY * eta * mu, NOISE),
        (
            (APART, coming(1 - SOMEBODY * eta * mu, NOISE / n)),
            ("few clients near the minimizer", coming(1 - SOMEBODY * eta * mu, 0)),
            ("small p", coming(1 - eta * mu, NOISE)),
        ),
    ),
    "heavy ball": Trial(
        batch(heavy_ball, "step", "heavy", begin=lambda x0, clients, settings: {"x": x0, "before": x0}),
        with_momentum(sum(MOMENTUM)),
        (
            ("huber, flat as far as a run comes", with_momentum(Rational(7, 10) * sum(MOMENTUM))),
            ("edge of its conditions", with_momentum(MOMENTUM[0])),
        ),
    ),
    "extragradient": Trial(batch(twice, "step"), extra(1 - eta * mu), ((APART, extra((1 - eta * mu) ** 2)),)),
    "lazy clients": Trial(
        batch(
            lazy,
            "step",
            "trigger",
            begin=lambda x0, clients, settings: {"x": x0, "before": x0, "g": clients.gradients(x0)},
        ),
        triggered(1 / (L + sqrt(trigger))),
        (("edge of its conditions", triggered(1 / L)),),
    ),
    "sharpness": Trial(
        batch(sharpness_aware, "step", "radius"),
        aware(L**2 * rho**2),
        (
            ("large rho at the edge near the minimizer", aware(L**2 * rho**2 / 8)),
            ("large rho at the edge near the minimizer", aware(0)),
        ),
    ),
    "weights": Trial(
        batch(weighted, "step", "skew", observables={"root_distance": root_distance}),
        skewed(BIAS),
        ((FLAT, skewed(BIAS / 2)), (FLAT, skewed(skew * BIAS)), (FLAT, skewed(skew * s / L))),
    ),
    "dual averaging": Trial(
        batch(
            dual_averaging,
            "scale",
            begin=lambda x0, clients, settings: {
                "x": x0,
                "first": x0,
                "total": 0 * x0,
                "t": np.zeros(len(x0)),
            },
        ),
        averaging(STEPS),
        ((AT_KINK, averaging(STEPS / 4)), (AT_KINK, averaging(FASTER))),
    ),
    "a ring": Trial(
        RING,
        on_a_ring(DRIFT),
        (("huber, flat as far as a run comes", on_a_ring(DRIFT, Rational(3, 5))),),
    ),
    "consensus on a ring": Trial(
        RING,
        kept_apart((eta * G / (1 - lam)) ** 2),
        ((SLOPES, kept_apart((eta * G) ** 2 / (1 - lam))), (SLOPES, kept_apart((eta * G) ** 2))),
    ),
    "error feedback": Trial(
        batch(
            feedback,
            "step",
            "sent",
            begin=lambda x0, clients, settings: {"x": x0, "g": cut(clients.gradients(x0), settings.sent)},
            observables={"lost": lost},
        ),
        fed_back(G_0 / ((1 - LEFT) * K)),
        ((SLOPES, fed_back(0)),),
    ),
    "steepest descent": Trial(
        batch(steepest),
        searched(1),
        (("quadratics alike, started across the curvatures", searched(Rational(1, 2))),),
    ),
}
