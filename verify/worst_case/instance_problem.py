"""The attaining instance as a problem of the engine."""

from math import cos, pi, sin, sqrt

import numpy as np

from synthetic.problems._directed_quadratics import DirectedQuadratics
from synthetic.problems._largest_of_affine import LargestOfAffine, largest_of_affine
from synthetic.problems._through_points import ThroughPoints, through_points
from verify.worst_case.equal_quadratics import EqualQuadratics
from verify.worst_case.federated_averaging import federated_run
from verify.worst_case.instance import Attained, Quadratic, floats
from verify.worst_case.setting import Setting
from verify.worst_case.solver import Array
from verify.worst_case.vectors import Vector

Problem = ThroughPoints | DirectedQuadratics | LargestOfAffine


def instance_problem(setting: Setting, attained: Attained) -> tuple[Problem, Array]:
    """The clients' functions in the units of the user, and x_0."""
    if attained.quadratic is not None:
        return _quadratic_problem(setting, attained.quadratic)
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
    scale = float(setting.scale)
    places = length * np.stack([placed(p.x) for p in points], axis=1)
    gradients = scale * length * np.stack([placed(p.gradient) for p in points], axis=1)
    heights = scale * length**2 * np.tile(values, (setting.clients, 1))
    start = length * placed(formal.states[0])[0]
    if setting.G is not None:
        return largest_of_affine(places, gradients, heights, lipschitz=float(setting.G)), start
    curvature = float(setting.curvature)
    problem = through_points(places, gradients, heights, smoothness=scale, curvature=curvature, lowest=0.0)
    return problem, start


def _quadratic_problem(setting: Setting, quadratic: Quadratic) -> tuple[Problem, Array]:
    assert setting.L is not None
    L, length = float(setting.L), sqrt(setting.squared_length)
    problem = DirectedQuadratics(
        hessian=L * floats(quadratic.hessian),
        slope=L * length * np.array([float(entry) for entry in quadratic.spread]),
        directions=client_directions(setting),
        curvature=float(setting.curvature),
        smoothness=L,
    )
    start = np.zeros(problem.dimension)
    start[: problem.shared] = [length * float(entry) for entry in quadratic.start]
    return problem, start


def equal_problem(setting: Setting, equal: EqualQuadratics) -> tuple[Problem, Array]:
    """Clients c/2 x^2 on the line, and x_0."""
    problem = DirectedQuadratics(
        hessian=np.array([[float(equal.curvature)]]),
        slope=np.zeros(0),
        directions=np.zeros((setting.clients, 0)),
        curvature=float(equal.curvature),
        smoothness=float(equal.curvature),
    )
    return problem, np.array([sqrt(equal.squared_start)])


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
