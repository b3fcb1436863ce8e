"""Claims about lowest values: the minimum, the minimizer, infimum gaps, and that there is a bound."""

from collections.abc import Callable
from typing import Any

import numpy as np

from synthetic.certified.divergence import DIVERGENCES
from synthetic.certified.facts import Constant
from synthetic.engine.arithmetic import norm
from synthetic.engine.randomness import Floats
from synthetic.errors import FalseClaim
from synthetic.outside.false_gradients import show
from synthetic.outside.probe import MEAN, Probe, generator

STARTS = 3
STEPS, FEWEST_STEPS = 60, 5
CALLS = 6_000
STATIONARY = 1e-6  # of the sizes of gradients nearby: a minimizer is known to a few digits
VALUES = 1e-9
FAR = tuple(10.0**power for power in range(2, 101, 7))
BOTTOMLESS = -1e50  # no value of a function in float64 is as low near its lower bound


def refuse_false_minima(probe: Probe, minimum: float | None, minimizer: Floats | None) -> None:
    """Refuse a minimum above a value, a minimizer with a gradient, and a minimum that is not its value."""
    if minimizer is not None:
        _refuse_moving(probe, minimizer)
        own = float(probe.problem.value(minimizer[None])[0])
        if minimum is not None and abs(own - minimum) > _margin(probe, minimum):
            raise _false(
                "minimum", f"{own:.12g} at x = {show(minimizer)}", f"{minimum:.12g} at the minimizer"
            )
    if minimum is None and minimizer is None:
        return
    lowest = probe.problem.minimum()
    values, _ = probe.known(MEAN)
    points = np.concatenate([probe.points, _descended(probe, probe.problem.value, probe.problem.gradient)])
    values = np.concatenate([values, probe.problem.value(points[len(values) :])])
    values = np.where(np.isfinite(values), values, np.inf)
    best = int(np.argmin(values))
    if values[best] < lowest - _margin(probe, lowest):
        stated = f">= {lowest:.12g}, the {'minimum' if minimum is not None else 'value at the minimizer'}"
        raise _false("minimum", f"{values[best]:.12g} at x = {show(points[best])}", stated)


def _margin(probe: Probe, minimum: float) -> float:
    mean = probe.function(MEAN)
    largest = max(probe.function(i).level for i in probe.searched)
    reach = float(norm(probe.center))
    return VALUES * (largest + abs(minimum) + mean.rate * reach**2)


def _refuse_moving(probe: Probe, minimizer: Floats) -> None:
    gradients = probe.problem.client_gradients(minimizer[None])[:, 0]
    found, mean = norm(gradients.mean(axis=0)), probe.function(MEAN)
    scale = float(norm(gradients).max()) + mean.base + mean.rate * float(norm(minimizer))
    if not found <= STATIONARY * scale:
        raise _false("minimizer", f"gradient norm {found:.10g} at x = {show(minimizer)}", "gradient zero")


def refuse_false_gaps(probe: Probe, stated: dict[str, Constant], lowest: float | None) -> None:
    """Refuse a gap that is too small: every value of a client is above its infimum."""
    minimizer = probe.problem.minimiser() if probe.problem.facts().minimum_attained else None
    if (gap := stated.get("infimum_gap")) is not None and lowest is not None:
        found = _lowest_of_clients(probe)
        mean = lowest - float(np.mean([value for value, _ in found]))
        where = f"from values such as {found[0][0]:.10g} of client 0 at x = {show(found[0][1])}"
        _refuse_gap(probe, "infimum_gap", mean, gap, where)
    largest = stated.get("largest_client_gap_at_minimiser")
    if largest is not None and minimizer is not None:
        at = probe.problem.client_values(minimizer[None])[:, 0]
        found = _lowest_of_clients(probe)
        gaps = at - np.array([value for value, _ in found])
        worst = int(np.argmax(gaps))
        where = f"client {worst} at x = {show(minimizer)}, y = {show(found[worst][1])}"
        _refuse_gap(probe, "largest_client_gap_at_minimiser", float(gaps[worst]), largest, where)


def _refuse_gap(probe: Probe, name: str, found: float, claim: Constant, where: str) -> None:
    limit: Any = claim.upper
    if found > limit + 1e-9 * abs(limit) + _margin(probe, 0.0):
        raise _false(name, f"at least {found:.10g}, {where}", f"<= {limit:.10g}")


def _lowest_of_clients(probe: Probe) -> list[tuple[float, Floats]]:
    """The lowest value that was found of every client, and where."""
    out = []
    for client in range(probe.problem.clients):
        function = probe.function(client)
        points, (values, _) = probe.points, probe.known(client)
        if client in probe.searched:
            low = _descended(probe, function.value, function.gradient, clients=1)
            points = np.concatenate([points, low])
            values = np.concatenate([values, function.value(low)])
        values = np.where(np.isfinite(values), values, np.inf)
        best = int(np.argmin(values))
        out.append((float(values[best]), points[best]))
    return out


def _descended(
    probe: Probe, value: Callable[[Any], Any], gradient: Callable[[Any], Any], clients: int = 0
) -> Floats:
    """The points that gradient descent with adaptive steps reaches from the center and random points."""
    each, random = clients or probe.problem.clients, generator(5)
    steps = int(np.clip(CALLS // (2 * STARTS * each), FEWEST_STEPS, STEPS))
    away = random.standard_normal((STARTS, probe.problem.dimension))
    away[0] = 0.0
    points = probe.center + away
    rate = probe.function(MEAN).rate or 1.0
    lengths = np.full(STARTS, 1 / rate)
    with np.errstate(all="ignore"):
        values = value(points)
        for _ in range(steps):
            tried = points - lengths[:, None] * gradient(points)
            reached = value(tried)
            lower = np.isfinite(reached) & (reached < values)
            points = np.where(lower[:, None], tried, points)
            values = np.where(lower, reached, values)
            lengths = np.where(lower, 1.5 * lengths, lengths / 3)
    return points


def refuse_bottomless(probe: Probe) -> None:
    """Refuse a lower bound of a client whose values fall without end along a ray."""
    dimension, random = probe.problem.dimension, generator(6)
    rays = np.concatenate([random.standard_normal((2, dimension)), np.eye(dimension)[:2]])
    for index in probe.searched:
        function = probe.function(index)
        downhill = -function.gradient(probe.center[None])
        for ray in np.concatenate([rays, -rays, downhill]):
            with np.errstate(all="ignore"):
                points = probe.center + np.array(FAR)[:, None] * ray
                values = function.value(points)
            values = values[np.isfinite(values)]
            if len(values) > 1 and (np.diff(values) < 0).all() and values[-1] < BOTTOMLESS:
                where = f"{values[0]:.4g} to {values[-1]:.4g} from x = {show(points[0])} along {show(ray)}"
                raise _false(f"bounded_below of {function.name}", where, "values with a lower bound")


def refuse_false_divergences(probe: Probe, stated: dict[str, Constant]) -> None:
    """Refuse a claimed distance of client gradients from their mean that some point exceeds."""
    if not set(DIVERGENCES) & set(stated):
        return
    with np.errstate(all="ignore"):
        away = norm(probe.gradients - probe.gradients.mean(axis=0))
        noise = 1e-10 * (
            norm(probe.gradients).max(axis=0) + max(probe.function(i).base for i in probe.searched)
        )
        measured = {
            "gradient_divergence": away.mean(axis=0),
            "mean_squared_gradient_divergence": (away**2).mean(axis=0),
            "largest_gradient_divergence": away.max(axis=0),
        }
        squares = noise**2 + 2 * noise * away.max(axis=0)
    own = stated.get("client_gradient_divergence")
    for name, found in measured.items():
        if (claim := stated.get(name)) is not None:
            margin = squares if name.startswith("mean_squared") else noise
            _refuse_divergence(probe, name, found - margin, found, claim.upper)
    if own is not None:
        limits: Any = own.upper
        for client, distances in enumerate(away):
            limit = limits[client] if isinstance(limits, tuple) else limits
            name = f"client_gradient_divergence of client {client}"
            _refuse_divergence(probe, name, distances - noise, distances, limit)


def _refuse_divergence(probe: Probe, name: str, safe: Floats, found: Floats, limit: Any) -> None:
    safe = np.where(np.isfinite(safe), safe, -np.inf)
    worst = int(np.argmax(safe))
    if safe[worst] > limit * (1 + 1e-9):
        raise _false(name, f"{found[worst]:.10g} at x = {show(probe.points[worst])}", f"<= {limit:.10g}")


def _false(name: str, found: str, needed: str) -> FalseClaim:
    return FalseClaim(
        asked=f"claim {name}",
        failed="the functions contradict it",
        found=found,
        needed=needed,
        change="correct the claim or the functions",
    )
