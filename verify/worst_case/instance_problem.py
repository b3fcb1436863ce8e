"""Build the attaining instance as a problem of the engine."""

from dataclasses import dataclass
from math import cos, pi, sin, sqrt
from typing import Any, final

import numpy as np

from synthetic.problems._directed_quadratics import DirectedQuadratics
from synthetic.problems._largest_of_affine import LargestOfAffine, largest_of_affine
from synthetic.problems._through_points import ThroughPoints, through_points
from verify.worst_case.equal_quadratics import EqualQuadratics
from verify.worst_case.federated_averaging import federated_run
from verify.worst_case.instance import Attained, Quadratic, floats
from verify.worst_case.interpolation import Point
from verify.worst_case.methods.program import MethodRun, method_run
from verify.worst_case.methods.setting import MethodSetting
from verify.worst_case.setting import ProblemClass, Setting
from verify.worst_case.solver import Array
from verify.worst_case.vectors import Vector

Problem = ThroughPoints | DirectedQuadratics | LargestOfAffine


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    """Points and gradients (n, m, d) and values (n, m) of every client, and x_0, in the units of the user.

    The first point is x*, where there is one.
    """

    points: Array
    gradients: Array
    values: Array
    start: Array


def instance_problem(setting: ProblemClass, attained: Attained) -> tuple[Problem, Array]:
    """The clients' functions, and x_0."""
    if attained.quadratic is not None:
        assert isinstance(setting, Setting)
        return _quadratic_problem(setting, attained.quadratic)
    data = _data(setting, attained)
    given = (data.points, data.gradients, data.values)
    if setting.G is not None:
        return largest_of_affine(*given, lipschitz=float(setting.G)), data.start
    curvature, smoothness = float(setting.curvature), float(setting.scale)
    return through_points(*given, smoothness=smoothness, curvature=curvature, lowest=0.0), data.start


def envelope_of(setting: ProblemClass, attained: Attained) -> tuple[dict[str, Any], list[float]] | None:
    """The arguments of `envelope.envelope` that make the clients' functions, and x_0.

    None where they are no convex and smooth functions through points.
    """
    if attained.quadratic is not None or setting.G is not None or not setting.has_minimizer:
        return None
    return envelope_through(setting, _data(setting, attained))


def envelope_through(setting: ProblemClass, data: Data) -> tuple[dict[str, Any], list[float]]:
    """Heights below that of x*, and tilts that do not add up to 0, are so by rounding, and are moved."""
    smoothness, curvature = float(setting.scale), float(setting.curvature)
    tilts = _add_up_to_nothing(data.gradients[:, 0])
    width = smoothness - curvature
    slopes = data.gradients - tilts[:, None] - curvature * data.points
    bottoms = data.points - slopes / width
    heights = data.values - curvature / 2 * (data.points**2).sum(-1) - (tilts[:, None] * data.points).sum(-1)
    heights = np.maximum(heights - (slopes**2).sum(-1) / (2 * width), 0.0)
    bottoms[:, 0], heights[:, 0] = 0.0, 0.0
    arguments = {"bottoms": bottoms.tolist(), "heights": heights.tolist(), "tilts": tilts.tolist()}
    return arguments | {"smoothness": smoothness, "curvature": curvature}, data.start.tolist()


def _add_up_to_nothing(vectors: Array) -> Array:
    """The vectors on a grid on which sums are exact, the last one minus the sum of the others."""
    grid = 2.0 ** (np.frexp(np.abs(vectors).max() or 1.0)[1] - 40)
    rounded: Array = np.round(vectors / grid) * grid
    rounded[-1] = -rounded[:-1].sum(axis=0) + 0.0  # no -0.0
    return rounded


def _data(setting: ProblemClass, attained: Attained) -> Data:
    if isinstance(setting, MethodSetting):
        run = method_run(setting)
        if setting.method.is_alike:
            return _data_of_alike_clients(setting, attained, run.points_of(0), run.start)
        return _data_of_every_client(setting, attained, run)
    assert isinstance(setting, Setting)
    formal = federated_run(setting)
    return _data_of_alike_clients(setting, attained, formal.all_points, formal.states[0])


def _data_of_alike_clients(
    setting: ProblemClass, attained: Attained, points: list[Point], start: Vector
) -> Data:
    """Each client has what all share, and its deviations along a direction of its own."""
    common, *rest = [floats(rows) for rows in attained.coordinates]
    spread = rest[0] if rest else np.zeros((0, 0))
    directions = client_directions(setting)

    def placed(vector: Vector) -> Array:
        """The vector of every client, (n, d)."""
        shared = _combined(vector, 0, common)
        own = _combined(vector, 1, spread) if rest else np.zeros(0)
        deviations = (directions[:, :, None] * own).reshape(setting.clients, -1)
        return np.hstack([np.tile(shared, (setting.clients, 1)), deviations])

    values = [_height(point, attained) for point in points]
    return _convert_units(
        setting,
        np.stack([placed(p.x) for p in points], axis=1),
        np.stack([placed(p.gradient) for p in points], axis=1),
        np.tile(values, (setting.clients, 1)),
        placed(start)[0],
    )


def _data_of_every_client(setting: MethodSetting, attained: Attained, run: MethodRun) -> Data:
    """A client with fewer points than another one has its last one again."""
    rows = floats(attained.coordinates[0])
    each = [run.points_of(client) for client in range(setting.clients)]
    most = max(map(len, each))
    filled = [own + own[-1:] * (most - len(own)) for own in each]
    return _convert_units(
        setting,
        np.array([[_combined(point.x, 0, rows) for point in own] for own in filled]),
        np.array([[_combined(point.gradient, 0, rows) for point in own] for own in filled]),
        np.array([[_height(point, attained) for point in own] for own in filled]),
        _combined(run.start, 0, rows),
    )


def _height(point: Point, attained: Attained) -> float:
    return 0.0 if point.value is None else float(attained.values[point.value])


def _convert_units(
    setting: ProblemClass, points: Array, gradients: Array, values: Array, start: Array
) -> Data:
    """Go from the units of the program to those of the user."""
    scale, length = float(setting.scale), sqrt(setting.squared_length)
    return Data(
        points=length * points,
        gradients=scale * length * gradients,
        values=scale * length**2 * values,
        start=length * start,
    )


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


def client_directions(setting: ProblemClass) -> Array:
    """Unit vectors (n, k) with sum 0; only where every two clients matter must they be a simplex."""
    n = setting.clients
    if n == 1:
        return np.zeros((1, 0))
    if isinstance(setting, Setting) and setting.xi is not None and n > 2:
        corners = np.linalg.svd(np.eye(n) - 1.0 / n)[0][:, : n - 1]
        simplex: Array = corners / np.linalg.norm(corners, axis=1)[:, None]
        return simplex
    if n % 2 == 0:
        return np.array([[1.0], [-1.0]] * (n // 2))
    three = [[cos(2 * pi * k / 3), sin(2 * pi * k / 3)] for k in range(3)]
    return np.array(three + [[1.0, 0.0], [-1.0, 0.0]] * ((n - 3) // 2))
