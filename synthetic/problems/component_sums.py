"""Clients that are means of quadratic components, f_i = mean over j of f_ij, for incremental gradients.

The components are the quadratics of quadratic.py, N for each client; f_i is a quadratic again.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, final

import numpy as np

from synthetic.arguments import index_below, inside_float64, integer_at_least
from synthetic.certified.enclosures import functions_for
from synthetic.certified.facts import Constant, Facts
from synthetic.engine.arithmetic import Array, as_numbers, holds_fractions, on_grid
from synthetic.errors import BadShape
from synthetic.problem import ComponentProblem, mean_gradient, mean_value, per_client
from synthetic.problems._component_constants import constants_of
from synthetic.problems.quadratic import quadratic
from synthetic.problems.quadratic import small as small_quadratic
from synthetic.problems.quadratics.data import Quadratic, facts_of_quadratics


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ComponentSum(ComponentProblem):
    """parts: all components as the clients of one quadratic problem, those of client 0 first."""

    parts: Quadratic
    components: int

    @property
    def clients(self) -> int:
        return self.parts.clients // self.components

    @property
    def dimension(self) -> int:
        return self.parts.dimension

    @property
    def exact(self) -> bool:
        return self.parts.exact

    def client_value(self, client: int, points: Array) -> Array:
        return mean_value(self.client_parts(client), points)

    def client_gradient(self, client: int, points: Array) -> Array:
        return mean_gradient(self.client_parts(client), points)

    def client_values(self, points: Array) -> Array:
        return self._means(self.parts.client_values, points)

    def client_gradients(self, points: Array) -> Array:
        return self._means(self.parts.client_gradients, points)

    def component_gradients(self, component: int, points: Array) -> Array:
        return _component(self, component).client_gradients(points)

    def data_points(self, client: int) -> int:
        index_below("client", client, self.clients)
        return self.components

    def data_point_gradients(self, client: int, points: Array) -> Array:
        """The gradient of each component of one client at points (R, d), (R, N, d)."""
        return self.client_parts(client).client_gradients(points).swapaxes(0, 1)

    def client_parts(self, client: int) -> Quadratic:
        """The components of one client."""
        index_below("client", client, self.clients)
        return self.parts.chosen(slice(client * self.components, (client + 1) * self.components))

    def minimiser(self) -> Array:
        return self.parts.minimiser()

    def minimum(self) -> Any:
        return self.parts.minimum()

    def constants(self) -> dict[str, Constant | None]:
        return dict(_known(self))

    def facts(self) -> Facts:
        return facts_of_quadratics(self)

    def _means(self, of_parts: Callable[[Array], Array], points: Array) -> Array:
        rows = per_client(points, self.clients, self.dimension)
        if rows.shape[0] == 1:
            answers = of_parts(rows[0])
        else:
            shape = (self.clients, self.components, *rows.shape[1:])
            repeated = functions_for(rows).broadcast_to(rows[:, None], shape)
            answers = of_parts(repeated.reshape(-1, *rows.shape[1:]))
        grouped = answers.reshape(self.clients, self.components, *answers.shape[1:])
        return grouped.sum(axis=1) / self.components


@lru_cache(maxsize=32)
def _known(problem: ComponentSum) -> dict[str, Constant | None]:
    with inside_float64("a sum of quadratic components"):
        return constants_of(problem)


# a run asks for each component again and again, and tensors are converted once for each array
@lru_cache(maxsize=1024)
def _component(problem: ComponentSum, component: int) -> Quadratic:
    index_below("component", component, problem.components)
    return problem.parts.chosen(slice(component, None, problem.components))


def component_sum(hessians: object, centers: object, offsets: object = None) -> ComponentSum:
    """From hessians (n, N, d, d), centers (n, N, d) and offsets (n, N), checked as quadratics are."""
    exact = holds_fractions(hessians, centers, [] if offsets is None else offsets)
    middles, matrices = as_numbers(centers, exact=exact), as_numbers(hessians, exact=exact)
    heights = None if offsets is None else as_numbers(offsets, exact=exact)
    fits = middles.ndim == 3 and matrices.shape == (*middles.shape, middles.shape[-1])
    if not fits or 0 in middles.shape or (heights is not None and heights.shape != middles.shape[:2]):
        raise BadShape(
            asked="component_sum",
            failed="shapes disagree",
            found=f"hessians {matrices.shape}, centers {middles.shape}",
            needed="(n, N, d, d), (n, N, d), offsets (n, N)",
            change="give one quadratic for each component of each client",
        )
    dimension = middles.shape[-1]
    parts = quadratic(
        matrices.reshape(-1, dimension, dimension),
        middles.reshape(-1, dimension),
        None if heights is None else heights.reshape(-1),
    )
    return ComponentSum(parts=parts, components=middles.shape[1])


def small(
    *,
    clients: int = 3,
    components: int = 4,
    dimension: int = 3,
    heterogeneity: float = 1.0,
    spread: float = 1.0,
    smoothness: float = 1.0,
    strong_convexity: float = 0.1,
    seed: int = 0,
) -> ComponentSum:
    """Random components with spectra within [strong_convexity, smoothness].

    `heterogeneity` is that between clients, `spread` that between the components of a client.
    """
    integer_at_least("components", components, 1)
    like_these = partial(
        small_quadratic, dimension=dimension, smoothness=smoothness, strong_convexity=strong_convexity
    )
    between_clients = like_these(clients=clients, heterogeneity=heterogeneity, seed=seed)
    within = [
        like_these(clients=components, heterogeneity=spread, seed=seed + 1 + client)
        for client in range(clients)
    ]
    hessians = np.stack([part.hessians for part in within])
    deviations = np.stack([part.centers - part.centers.mean(axis=0) for part in within])
    centers = on_grid(between_clients.centers[:, None] + deviations)
    return component_sum(hessians, centers, np.stack([part.offsets for part in within]))
