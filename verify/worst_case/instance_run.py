"""The attaining instance as a problem of the engine, and its run."""

from collections.abc import Callable
from math import cos, pi, sin, sqrt

import numpy as np

from synthetic import run
from synthetic.algorithms import fedavg
from synthetic.participation import Full
from synthetic.problems._through_points import ThroughPoints, through_points
from verify.worst_case.federated_averaging import federated_run
from verify.worst_case.instance import Attained, floats
from verify.worst_case.setting import (
    DISTANCE,
    GAP,
    GRADIENT,
    MEAN_GAP,
    SMALLEST_GAP,
    SMALLEST_GRADIENT,
    Setting,
)
from verify.worst_case.solver import Array
from verify.worst_case.vectors import Vector

# The measures that the engine takes at x_0..x_K, and how the observable follows from them.
MEASURED: dict[str, tuple[str, Callable[[Array], float]]] = {
    GAP: ("gap", lambda along: float(along[-1])),
    SMALLEST_GAP: ("gap", lambda along: float(np.min(along))),
    MEAN_GAP: ("gap", lambda along: float(np.mean(along[:-1]))),
    DISTANCE: ("squared_distance", lambda along: float(along[-1])),
    GRADIENT: ("squared_gradient_norm", lambda along: float(along[-1])),
    SMALLEST_GRADIENT: ("squared_gradient_norm", lambda along: float(np.min(along))),
}


def measured(setting: Setting, attained: Attained) -> float:
    """Run the algorithm on the functions of the instance and measure the observable."""
    problem, start = instance_problem(setting, attained)
    asked = fedavg.Settings(
        start=start,
        rounds=setting.rounds,
        local_steps=setting.local_steps,
        local_step=float(setting.local_step),
        server_step=float(setting.server_step),
        participation=Full(),
    )
    name, reduced = MEASURED[setting.observable]
    trace = run("fedavg", problem, asked, replicates=1, seed=0, stream="worst case", observe=(name,))
    return reduced(trace.measurements[name][0])


def instance_problem(setting: Setting, attained: Attained) -> tuple[ThroughPoints, Array]:
    """The clients' functions in the units of the user, and x_0."""
    formal = federated_run(setting)
    common, *rest = [floats(rows) for rows in attained.coordinates]
    spread = rest[0] if rest else np.zeros((0, 0))
    directions = client_directions(setting)
    length = sqrt(setting.squared_length)

    def placed(vector: Vector) -> Array:
        """The vector of every client, (n, d)."""
        shared = _combined(vector, 0, common)
        own = _combined(vector, 1, spread) if rest else np.zeros(0)
        deviations = (directions[:, :, None] * own).reshape(setting.clients, -1)
        return np.hstack([np.tile(shared, (setting.clients, 1)), deviations])

    points = formal.all_points
    values = [0.0 if p.value is None else float(attained.values[p.value]) for p in points]
    assert setting.L is not None  # nothing else is run
    L = float(setting.L)
    problem = through_points(
        length * np.stack([placed(p.x) for p in points], axis=1),
        L * length * np.stack([placed(p.gradient) for p in points], axis=1),
        L * length**2 * np.tile(values, (setting.clients, 1)),
        smoothness=L,
        curvature=float(setting.curvature),
        lowest=0.0,
    )
    return problem, length * placed(formal.states[0])[0]


def _combined(vector: Vector, block: int, rows: Array) -> Array:
    total = np.zeros(rows.shape[1])
    for index, coefficient in vector.parts[block].items():
        total += float(coefficient) * rows[index]
    return total


def client_directions(setting: Setting) -> Array:
    """Unit vectors (n, k) with sum 0; only where every two clients matter must they be a simplex."""
    n = setting.clients
    if n == 1:
        return np.zeros((1, 0))
    if setting.xi is not None and n > 2:
        corners = np.linalg.svd(np.eye(n) - 1.0 / n)[0][:, : n - 1]
        simplex: Array = corners / np.linalg.norm(corners, axis=1)[:, None]
        return simplex
    if n % 2 == 0:
        return np.array([[1.0], [-1.0]] * (n // 2))
    three = [[cos(2 * pi * k / 3), sin(2 * pi * k / 3)] for k in range(3)]
    return np.array(three + [[1.0, 0.0], [-1.0, 0.0]] * ((n - 3) // 2))
