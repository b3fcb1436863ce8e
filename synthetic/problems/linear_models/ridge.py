"""The penalty strength/2 ||w||^2; with strength 0, no penalty."""

from dataclasses import dataclass
from typing import final

from synthetic.certified.enclosures import Ball, ball
from synthetic.engine.arithmetic import Array, squared_norm
from synthetic.problems.linear_models.infimum import lowest
from synthetic.problems.linear_models.objective import Minimum, Objective


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Ridge:
    strength: float

    @property
    def curvatures(self) -> tuple[float, float]:
        return self.strength, self.strength

    @property
    def slope(self) -> float | None:
        return None if self.strength else 0.0

    @property
    def third_derivative(self) -> float:
        return 0.0

    def values(self, points: Array) -> Array:
        return self.strength / 2 * squared_norm(points)

    def gradients(self, points: Array) -> Array:
        return self.strength * points

    def enclosed_value(self, point: Array) -> Ball:
        return (ball(point) * point).sum(axis=-1) * (self.strength / 2)

    def enclosed_gradient(self, point: Array) -> Ball:
        return ball(point) * self.strength

    def lowest(self, objective: Objective) -> Minimum:
        return lowest(objective)


NO_PENALTY = Ridge(strength=0.0)
