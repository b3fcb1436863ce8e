"""The mean gradient over b samples of the client's data, uniformly drawn with or without replacement."""

from dataclasses import dataclass
from typing import Protocol, final

import numpy as np

from synthetic.arguments import integer_at_least
from synthetic.engine.arithmetic import Array, namespace
from synthetic.engine.randomness import Numbers, Place
from synthetic.errors import BadValue, WrongProblem
from synthetic.problem import Problem


class Sizes(Protocol):
    @property
    def sizes(self) -> tuple[int, ...]:
        """How many samples each client has."""
        ...


class SampledProblem(Problem, Protocol):
    """A problem made of samples: what a minibatch needs."""

    @property
    def samples(self) -> Sizes: ...

    def minibatch_gradients(self, points: Array, indices: Array) -> Array:
        """Means over the samples `indices` (n, R, b), which count from 0 at every client; (n, R, d)."""
        ...

    def minibatch_variance(self, points: Array, size: int, *, replacement: bool) -> Array:
        """E||error||^2 of each client, (n, R)."""
        ...


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Minibatch:
    """The error depends on the point, so no one number is its variance or its bound; see `variance`."""

    size: int
    replacement: bool = True

    def __post_init__(self) -> None:
        integer_at_least("size", self.size, 1)

    def variance(self, problem: Problem, points: Array) -> Array:
        """E||error||^2 of each client at these points, (n, R), exactly."""
        return _sampled(problem).minibatch_variance(points, self.size, replacement=self.replacement)

    def gradients(self, problem: Problem, points: Array, numbers: Numbers, place: Place) -> Array:
        sampled = _sampled(problem)
        self._fits(min(sampled.samples.sizes))
        sizes = numbers.array(np.array(sampled.samples.sizes))[:, None, None]
        indices = (
            self._with(numbers, place, sizes) if self.replacement else self._without(numbers, place, sizes)
        )
        return sampled.minibatch_gradients(points, indices)

    def _with(self, numbers: Numbers, place: Place, sizes: Array) -> Array:
        uniforms = numbers.uniforms(place, self.size, len(sizes))
        xp = namespace(uniforms)
        # floor(u m) is below m: u is at most 1 - 2^-53, and m is far below 2^53
        return xp.asarray(xp.floor(uniforms * sizes), dtype=xp.int64)

    def _without(self, numbers: Numbers, place: Place, sizes: Array) -> Array:
        """The first of a random order; places beyond a client's own samples come last in it."""
        tickets = numbers.uniforms(place, int(sizes.max()), len(sizes))
        xp = namespace(tickets)
        positions = numbers.array(np.arange(tickets.shape[-1]))
        order: Array = xp.argsort(xp.where(positions < sizes, tickets, 2.0), axis=-1)
        return order[..., : self.size]

    def _fits(self, smallest: int) -> None:
        if not self.replacement and self.size > smallest:
            raise BadValue(
                asked="size",
                failed="more samples than a client has",
                found=self.size,
                needed=f"at most {smallest} without replacement",
                change="draw fewer samples, or with replacement",
            )


def _sampled(problem: Problem) -> SampledProblem:
    if not hasattr(problem, "minibatch_gradients"):
        raise WrongProblem(
            asked="minibatch oracle",
            failed="the problem is not made of samples",
            found=type(problem).__name__,
            needed="a problem with minibatch_gradients",
            change="use a problem made of data, or an additive oracle",
        )
    return problem  # type: ignore[return-value]  # it offers what a sampled problem offers
