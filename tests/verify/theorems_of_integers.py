"""Theorems on integers that clients send, on local descent and on clients in turn, with twins by cell."""

from typing import Any

import numpy as np
from sharp_theorems import (
    BEFORE,
    CONVEX,
    EXAMPLE,
    KINKED,
    D,
    G,
    K,
    L,
    Trial,
    batch,
    d,
    eta,
    mean_gap,
    most,
    n,
    observable,
    q,
    s,
    theorem,
)

from bounds.language.dimension import F, X
from bounds.language.part import setting
from bounds.language.quantity import POSITIVE, POSITIVE_INTEGER, Over
from synthetic.outside.algorithm import REQUIRED, Algorithm

EVERYWHERE, DRIFT = "quadratics apart along all axes", "quadratics that drift"
LAST = "huber, the last clients apart"
alpha = q("alpha", r"\alpha", "scale", POSITIVE, X / F, part=setting("scale"))
H = q("H", "H", "rounds between averages", POSITIVE_INTEGER, part=setting("period"))
least_gap = observable("least_gap", Over.MINIMUM_OF_MEANS, "gap", F, states=BEFORE)
EXAMPLE |= {"alpha": 1, "H": 5}


def integers(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """Every client rounds each coordinate to a neighboring integer, without bias."""
    g = clients.gradients(x) * settings.scale
    return x - settings.step * np.floor(g + random.random(g.shape)).mean(axis=1) / settings.scale


def locally(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    points = state["points"] - settings.step * clients.gradients(state["points"])
    if (state["k"] + 1) % settings.period == 0:
        points = np.broadcast_to(points.mean(axis=0), points.shape)
    return {"points": points, "k": state["k"] + 1}


def in_turn(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    for client in clients:
        x = x - settings.step * client.gradient(x)
    return x


def everywhere(x0: Any, clients: Any, settings: Any) -> Any:
    return {"points": np.tile(x0, (len(clients), 1)), "k": 0}


# a coordinate that is rounded has the variance 1/(4 alpha^2) at most:
# r_{k+1} <= r_k - 2 eta gap + eta^2 (2 L gap + d/(4 n alpha^2))
def rounded(noise: Any) -> Any:
    return theorem(mean_gap, D**2 / (eta * K) + noise, CONVEX, most(eta, 1 / (2 * L)), names="alpha")


# r_{k+1} <= r_k - eta gap + 3/2 eta L V_k, where V_k, the mean squared distance from the mean point, adds up
# to at most 16/13 (eta (H - 1))^2 (6 L times the sum of the gaps + 3 K s^2)  [Khaled et al. 2019]
def drifting(*noise: Any) -> Any:
    right = sum(noise, start=4 * D**2 / (eta * K))
    return theorem(mean_gap, right, CONVEX, most(eta, 1 / (4 * L * H)), names="H")


# r_{k+1} <= r_k - 2 eta n gap + (eta n G)^2  [Nedic and Bertsekas 2001]
def turning(noise: Any) -> Any:
    return theorem(least_gap, D**2 / (2 * eta * n * K) + noise, KINKED, names="eta")


INTEGERS = {
    "integers": Trial(
        batch(integers, "step", "scale"),
        rounded(eta * d / (4 * n * alpha**2)),
        (
            (EVERYWHERE, rounded(eta / (4 * n * alpha**2))),
            (EVERYWHERE, rounded(eta * d / (4 * n**2 * alpha**2))),
        ),
    ),
    "local descent": Trial(
        Algorithm(
            round=locally,
            begin=everywhere,
            iterate=lambda state: state["points"].mean(axis=0),
            settings={"step": REQUIRED, "period": REQUIRED},
        ),
        drifting(18 * L * (eta * (H - 1) * s) ** 2),
        ((DRIFT, drifting()),),
    ),
    "clients in turn": Trial(
        Algorithm(round=in_turn, settings={"step": REQUIRED}),
        turning(eta * n * G**2 / 2),
        ((LAST, turning(eta * G**2 / 2)),),
    ),
}
