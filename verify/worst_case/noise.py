"""Noise by its second moments: each draw is a basis vector that is orthogonal to every older one.

The program is then one in mean inner products. Noise of mean 0 given the past has a mean product of 0 with
all that was there before it, and with n independent clients its mean has 1/n of the second moment of each.
Later points depend on it in ways that the program does not restrict, so the value can only be too large.
"""

from fractions import Fraction

from verify.worst_case.checker import Form
from verify.worst_case.setting import Setting
from verify.worst_case.space import DEVIATION, MEAN, Space
from verify.worst_case.vectors import Sum, Vector


class Noise:
    """Draws the noise of a run in the order of its steps; `moments` are the constraints on all draws."""

    def __init__(self, setting: Setting, space: Space) -> None:
        self.setting, self.space = setting, space
        self.moments: list[Form] = []

    def disturb(self, gradient: Vector) -> Vector:
        """The gradients that the clients take a step along: each with its own noise."""
        if not (self.setting.follows_moments and self.setting.sigma):
            return gradient
        unit = (self.setting.sigma / self.setting.scale) ** 2 / self.setting.squared_length
        share = Fraction(1, self.setting.clients)
        mean = self._draw(MEAN, Sum(unit * share))
        apart = self._draw(DEVIATION, Sum(unit * (1 - share))) if self.space.blocks > 1 else self.space.zero
        return gradient + mean + apart

    def move(self, state: Vector, update: Vector) -> Vector:
        """The next state, from the updates of the clients that are drawn, with the noise of the server."""
        state = state.plus(update.part(MEAN), self.setting.server_step)
        if not self.setting.follows_moments:
            return state
        if self.setting.left_out:
            spread = update.plus(update.part(MEAN), -1)
            limit = Sum().add_inner(spread, spread, self.setting.left_out)
            state = state.plus(self._draw(MEAN, limit), self.setting.server_step)
        if self.setting.server_noise:
            state = state + self._draw(MEAN, Sum(self.setting.server_noise**2 / self.setting.squared_length))
        return state

    def _draw(self, block: int, limit: Sum) -> Vector:
        """A new basis vector with at most this second moment."""
        vector = self.space.common() if block == MEAN else self.space.deviation()
        last = self.space.sizes[block] - 1
        name = f"noise {block},{last}"
        self.moments.append(limit.add_inner(vector, vector, -1).form(name))
        for older in range(last):
            apart = Sum()
            apart.entries[block, older, last] = Fraction(1)
            self.moments.append(apart.form(f"{name} from {older}", is_equation=True))
        return vector
