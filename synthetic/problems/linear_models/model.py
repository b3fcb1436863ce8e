"""Clients whose functions are means over samples of a loss of linear scores, plus a penalty.

f_i(W) = sum_j p_ij loss(W x_ij, y_ij) + penalty(W), with k scores W x for a sample x of R^d; a point is W row
after row, k d numbers. The weights p_ij are 1/m_i, so every client is the mean over its own samples and the
clients count alike whatever their sizes are.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import final

import numpy as np

from synthetic.arguments import index_below, integer_at_least
from synthetic.certified.facts import Constant, Facts, known, single
from synthetic.data.samples import Samples
from synthetic.engine.arithmetic import Array, like, multiply, namespace, squared_norm, stacked_product
from synthetic.errors import BadShape, BadValue, NotAttained, UnknownMinimum
from synthetic.problem import Problem, per_client
from synthetic.problems.linear_models.constants import constants_of, facts_of
from synthetic.problems.linear_models.minima import Solution, solved
from synthetic.problems.linear_models.objective import Loss, Penalty

EVERYONE = slice(None)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LinearModel(Problem):
    samples: Samples
    loss: Loss
    penalty: Penalty

    @property
    def clients(self) -> int:
        return self.samples.clients

    @property
    def outputs(self) -> int:
        return int(self.samples.answers.shape[1])

    @property
    def dimension(self) -> int:
        return self.outputs * int(self.samples.features.shape[2])

    def client_value(self, client: int, points: Array) -> Array:
        return self._values(points[None], self._alone(client))[0]

    def client_gradient(self, client: int, points: Array) -> Array:
        return self._gradients(points[None], self._alone(client))[0]

    def point_gradient(self, client: int, point: Array) -> Array:
        """The gradient of one client at a single point (k d,) of numpy."""
        index_below("client", client, self.clients)
        features, answers, weights = self.samples.of(client)
        scores = multiply(point.reshape(self.outputs, -1), features.T)
        slopes = self.loss.slopes(scores, answers) * weights
        return multiply(slopes, features).reshape(-1) + self.penalty.gradients(point)

    def client_values(self, points: Array) -> Array:
        return self._values(per_client(points, self.clients, self.dimension), EVERYONE)

    def client_gradients(self, points: Array) -> Array:
        return self._gradients(per_client(points, self.clients, self.dimension), EVERYONE)

    def minibatch_gradients(self, points: Array, indices: Array) -> Array:
        """The mean gradient over the samples indices (n, R, b) of each client, (n, R, d)."""
        rows = per_client(points, self.clients, self.dimension)
        drawn = self._drawn(rows, indices)
        features = like(self.samples.features, rows)[drawn]
        answers = like(self.samples.answers, rows).swapaxes(1, 2)[drawn].swapaxes(-1, -2)
        return self._gradients_of(features, answers, rows)

    def _alone(self, client: int) -> slice:
        index_below("client", client, self.clients)
        return slice(client, client + 1)

    @property
    def components(self) -> int:
        """Samples as components; refused where the clients have unequal numbers of them."""
        sizes = set(self.samples.sizes)
        if len(sizes) > 1:
            raise BadShape(
                asked="components",
                failed="the clients have unequal numbers of samples",
                found=f"{min(sizes)} to {max(sizes)}",
                needed="the same number for each client",
                change="split the data evenly",
            )
        return self.samples.sizes[0]

    def component_gradients(self, component: int, points: Array) -> Array:
        """The gradient of sample j of every client, (n, R, d)."""
        index_below("component", component, self.components)
        rows = per_client(points, self.clients, self.dimension)
        features = like(self.samples.features, rows)[:, None, component : component + 1]
        answers = like(self.samples.answers, rows)[:, None, :, component : component + 1]
        return self._gradients_of(features, answers, rows)

    def data_points(self, client: int) -> int:
        index_below("client", client, self.clients)
        return self.samples.sizes[client]

    def data_point_gradients(self, client: int, points: Array) -> Array:
        """The gradient of each sample of one client at points (R, d), (R, m_i, d)."""
        one, size, rows = self._alone(client), self.samples.sizes[client], points[None]
        slopes = self.loss.slopes(self._scores(rows, one), self._answers(rows, one))[0, ..., :size]
        features = like(self.samples.features, points)[client, :size, None]
        each = slopes.swapaxes(1, 2)[..., None] * features
        gradients: Array = each.reshape(len(points), size, self.dimension)
        return gradients + self.penalty.gradients(points)[:, None]

    def minibatch_variance(self, points: Array, size: int, *, replacement: bool = True) -> Array:
        """E||minibatch gradient - gradient of the client||^2, (n, R), for uniform draws of `size` samples."""
        integer_at_least("size", size, 1)
        smallest = min(self.samples.sizes)
        if not replacement and size > smallest:
            raise BadValue(
                asked="size",
                failed="more samples than a client has",
                found=size,
                needed=f"at most {smallest} without replacement",
                change="draw fewer samples, or with replacement",
            )
        rows = per_client(points, self.clients, self.dimension)
        slopes = self.loss.slopes(self._scores(rows, EVERYONE), self._answers(rows, EVERYONE))
        weights = like(self.samples.weights, rows)[:, None, :]
        lengths = like(squared_norm(self.samples.features), rows)[:, None, :]
        second = ((slopes * slopes).sum(axis=-2) * lengths * weights).sum(axis=-1)
        spread = second - squared_norm(self._spread(slopes * weights[:, :, None], rows, EVERYONE))
        counts = np.array(self.samples.sizes, dtype=np.float64)[:, None]
        # without replacement the draws repel each other; a lone sample has no variance to share
        share = np.ones_like(counts) if replacement else (counts - size) / np.maximum(counts - 1, 1)
        return spread.clip(0.0) * like(share / size, rows)

    def minimiser(self) -> Array:
        solution = _solution(self)
        if solution.mean.attained is False:
            raise NotAttained(
                asked="minimiser",
                failed="the infimum is not attained",
                found="data that some parameters answer rightly, every sample",
                needed="a penalty, or data that no parameters separate",
                change="set l2 above 0",
            )
        if solution.mean.attained is None:
            raise UnknownMinimum(
                asked="minimiser",
                failed="no minimizer is certified",
                found=f"a point with value {solution.mean.upper:.6g}",
                needed="a Hessian certified positive definite there",
                change="set l2 above 0",
            )
        return solution.mean.point

    def minimum(self) -> float:
        return float(single(known(self.constants(), "minimum").value))

    def constants(self) -> dict[str, Constant | None]:
        return dict(_constants(self))

    def facts(self) -> Facts:
        return _facts(self)

    def _values(self, rows: Array, chosen: slice) -> Array:
        losses = self.loss.values(self._scores(rows, chosen), self._answers(rows, chosen))
        weights = like(self.samples.weights, rows)[chosen, None, :]
        weighted: Array = (losses * weights).sum(axis=-1)
        return weighted + self.penalty.values(rows)

    def _gradients(self, rows: Array, chosen: slice) -> Array:
        slopes = self.loss.slopes(self._scores(rows, chosen), self._answers(rows, chosen))
        slopes *= like(self.samples.weights, rows)[chosen, None, None, :]
        return self._spread(slopes, rows, chosen) + self.penalty.gradients(rows)

    def _scores(self, rows: Array, chosen: slice) -> Array:
        """(n, R, k, m) from points (n or 1, R, k d)."""
        across = like(_across(self.samples), rows)[chosen]
        parameters = rows.reshape(rows.shape[0], -1, across.shape[-2])
        scores = stacked_product(parameters, across)
        return scores.reshape(across.shape[0], rows.shape[1], self.outputs, -1)

    def _spread(self, slopes: Array, rows: Array, chosen: slice) -> Array:
        """Slopes (n, R, k, m) times the features, (n, R, k d)."""
        stacked = slopes.reshape(slopes.shape[0], -1, slopes.shape[-1])
        product = stacked_product(stacked, like(self.samples.features, rows)[chosen])
        return product.reshape(slopes.shape[0], slopes.shape[1], self.dimension)

    def _gradients_of(self, features: Array, answers: Array, rows: Array) -> Array:
        """Means over the samples given, features (n, R or 1, b, d) and answers (n, R or 1, k, b)."""
        parameters = rows.reshape(*rows.shape[:2], self.outputs, -1)
        # a product for each replicate, as its samples are its own
        slopes = self.loss.slopes(multiply(parameters, features.swapaxes(-1, -2)), answers)
        spread = multiply(slopes, features) / features.shape[-2]
        mean: Array = spread.reshape(self.clients, -1, self.dimension)
        return mean + self.penalty.gradients(rows)

    def _answers(self, rows: Array, chosen: slice) -> Array:
        return like(self.samples.answers, rows)[chosen, None]

    def _drawn(self, rows: Array, indices: Array) -> tuple[Array, Array]:
        shape = tuple(indices.shape)
        if len(shape) != 3 or shape[:2] != (self.clients, rows.shape[1]) or shape[2] == 0:
            raise BadShape(
                asked="indices",
                failed="wrong shape",
                found=shape,
                needed=f"({self.clients}, {rows.shape[1]}, b) with b >= 1",
                change="give b sample numbers per client and replicate",
            )
        sizes = np.array(self.samples.sizes)[:, None, None]
        if namespace(indices) is np and not ((indices >= 0) & (indices < sizes)).all():
            raise BadValue(
                asked="indices",
                failed="no such sample",
                found=f"{indices.min()}..{indices.max()}",
                needed=f"0..m_i - 1 with client sizes {self.samples.sizes}",
                change="draw among the samples of each client",
            )
        # counted from the indices, so that a tensor stays on their device
        clients = namespace(indices).ones_like(indices[:, :1, :1]).cumsum(0) - 1
        return clients, indices


# in the layout of a product's second factor: as a view of the features it takes half as long again
@lru_cache(maxsize=32)
def _across(samples: Samples) -> Array:
    """The features as columns, (n, d, m)."""
    columns = np.ascontiguousarray(samples.features.swapaxes(-1, -2))
    columns.flags.writeable = False
    return columns


# Solving is the costly part, and a run asks for the minimiser, the minimum and the constants one by one.
@lru_cache(maxsize=32)
def _solution(problem: LinearModel) -> Solution:
    return solved(problem.samples, problem.loss, problem.penalty)


@lru_cache(maxsize=32)
def _facts(problem: LinearModel) -> Facts:
    return facts_of(
        problem.samples, problem.loss, problem.penalty, lambda: _solution(problem).mean.attained is True
    )


@lru_cache(maxsize=32)
def _constants(problem: LinearModel) -> dict[str, Constant | None]:
    return constants_of(problem.samples, problem.loss, problem.penalty, _solution(problem))
