"""The claim that Hessians are Lipschitz, compared with second differences of gradients.

With h half of y - x and m the middle, ||grad f(m + h) - 2 grad f(m) + grad f(m - h)|| is at most M ||h||^2 if
the Hessian H is M-Lipschitz: it is the integral over t in (0, 1) of (H(m + t h) - H(m - t h)) h, which is no
longer than the integral of 2 t M ||h||^2.
"""

from typing import Any, Final

import numpy as np

from synthetic.certified.facts import Constant
from synthetic.engine.arithmetic import norm
from synthetic.engine.randomness import Floats
from synthetic.errors import FalseClaim
from synthetic.outside.false_gradients import show
from synthetic.outside.probe import MEAN, Function, Pairs, Probe, generator

NAME: Final = "hessian_lipschitz"
LENGTHS: Final = (3.0, 1.0, 0.3, 0.1, 0.03)  # of h, where the third derivative is seen and roundings are not
AGAIN: Final = 3  # a contradiction must persist as often at points nearby
NEARBY: Final = 1e-6  # of the length of h


def refuse_false_hessians(probe: Probe, stated: dict[str, Constant]) -> None:
    if NAME not in stated:
        return
    limit: Any = stated[NAME].upper
    for index in range(probe.problem.clients):
        function = probe.function(index)
        for pairs in (probe.pairs(function), _short_pairs(function, probe)):
            _refuse(function, float(limit[index] if isinstance(limit, tuple) else limit), pairs)


def _short_pairs(function: Function, probe: Probe) -> Pairs:
    """Steps of a few lengths along axes and random directions, around the points that are near."""
    near = probe.points[norm(probe.points - probe.center) <= 10 * (1 + norm(probe.center))]
    random = generator(5)
    aside = random.standard_normal((2, probe.problem.dimension))
    directions = np.concatenate([np.eye(probe.problem.dimension)[:4], aside / norm(aside)[:, None]])
    moves = np.array(LENGTHS)[:, None, None] * directions
    first = (near[:, None, None] + moves).reshape(-1, probe.problem.dimension)
    second = (near[:, None, None] - moves).reshape(-1, probe.problem.dimension)
    return function.pairs(first, second)


def _refuse(function: Function, limit: float, pairs: Pairs) -> None:
    excess = _excess(function, limit, pairs)
    worst = int(np.argmax(excess)) if len(excess) else MEAN
    if worst < 0 or excess[worst] <= 0:
        return
    found = pairs.chosen(slice(worst, worst + 1))
    if _persists(function, limit, found):
        shown = float(_changes(function, found)[0] / (found.distance[0] / 2) ** 2)
        raise FalseClaim(
            asked=f"claim {NAME} of {function.name}",
            failed="the functions contradict it",
            found=f"{shown:.10g} around the middle of x = {show(found.x[0])}, y = {show(found.y[0])}",
            needed=f"<= {limit:.10g}",
            change="correct the claim or the functions",
        )


def _changes(function: Function, pairs: Pairs) -> Floats:
    """The second differences of the gradient."""
    return norm(pairs.gx + pairs.gy - 2 * function.gradient((pairs.x + pairs.y) / 2))


def _excess(function: Function, limit: float, pairs: Pairs) -> Floats:
    with np.errstate(all="ignore"):
        allowed = limit * (1 + 1e-9) * (pairs.distance / 2) ** 2 + 4 * pairs.gradient_noise
        return np.nan_to_num(_changes(function, pairs) - allowed, nan=-np.inf)


def _persists(function: Function, limit: float, pairs: Pairs) -> bool:
    random, reach = generator(3), NEARBY * pairs.distance[0]
    for _ in range(AGAIN):
        away = random.standard_normal((2, *pairs.x.shape))
        away *= reach / norm(away)[..., None]
        excess = _excess(function, limit, function.pairs(pairs.x + away[0], pairs.y + away[1]))
        if not len(excess) or excess[0] <= 0:
            return False
    return True
