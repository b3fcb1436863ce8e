"""The attaining instance as a problem of the engine."""

from collections.abc import Callable
from math import cos, pi, sin, sqrt

import numpy as np

from synthetic.problems._directed_quadratics import DirectedQuadratics
from synthetic.problems._largest_of_affine import LargestOfAffine, largest_of_affine
from synthetic.problems._through_points import ThroughPoints, through_points
from verify.worst_case.equal_quadratics import EqualQuadratics
from verify.worst_case.federated_averaging import federated_run
from verify.worst_case.instance import Attained, Quadratic, floats
from verify.worst_case.interpolation import Point
from verify.worst_case.methods.program import method_run
from verify.worst_case.methods.setting import MethodSetting
from verify.worst_case.setting import ProblemClass, Setting
from verify.worst_case.solver import Array
from verify.worst_case.vectors import Vector

Problem = ThroughPoints | DirectedQuadratics | LargestOfAffine


def instance_problem(setting: ProblemClass, attained: Attained) -> tuple[Problem, Array]:
    """The clients' functions in the units of the user, and x_0."""
    if isinstance(setting, MethodSetting):
        return _method_problem(setting, attained)
    assert isinstance(setting, Setting)
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
    places = np.stack([placed(p.x) for p in points], axis=1)
    gradients = np.stack([placed(p.gradient) for p in points], axis=1)
    heights = np.tile(values, (setting.clients, 1))
    return _functions(setting, places, gradients, heights), length * placed(formal.states[0])[0]


def _functions(setting: ProblemClass, places: Array, gradients: Array, heights: Array) -> Problem:
    """Clients through points and gradients (n, m, d) and values (n, m), in the units of the user."""
    scale, length = float(setting.scale), sqrt(setting.squared_length)
    places, gradients, heights = length * places, scale * length * gradients, scale * length**2 * heights
    if setting.G is not None:
        return largest_of_affine(places, gradients, heights, lipschitz=float(setting.G))
    curvature = float(setting.curvature)
    return through_points(places, gradients, heights, smoothness=scale, curvature=curvature, lowest=0.0)


def _method_problem(setting: MethodSetting, attained: Attained) -> tuple[Problem, Array]:
    """A client with fewer points than another one has its last one again."""
    run, rows = method_run(setting), floats(attained.coordinates[0])
    each = [run.points_of(client) for client in range(setting.clients)]
    most = max(map(len, each))
    filled = [own + own[-1:] * (most - len(own)) for own in each]

    def stacked(of: Callable[[Point], Array]) -> Array:
        return np.stack([np.stack([of(point) for point in own]) for own in filled])

    def height(point: Point) -> Array:
        return np.array(0.0 if point.value is None else float(attained.values[point.value]))

    problem = _functions(
        setting,
        stacked(lambda point: _combined(point.x, 0, rows)),
        stacked(lambda point: _combined(point.gradient, 0, rows)),
        stacked(height),
    )
    return problem, sqrt(setting.squared_length) * _combined(run.start, 0, rows)


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
