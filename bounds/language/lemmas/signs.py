"""The signs of the coordinates of a vector."""

from dataclasses import dataclass
from typing import Any, final

from bounds.language.dimension import ONE, Dimension
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.expressions import Known, World
from bounds.language.lemmas.linear import OfLinear, Vector, as_vector
from bounds.language.lemmas.magnitudes import is_sure, magnitude_of


def sign(u: Vector) -> Vector:
    """One, zero or minus one for each coordinate; a case with one that may be a rounding is not counted."""
    return Signs(as_vector(u))


@final
@dataclass(frozen=True, eq=False)
class Signs(OfLinear, Vector):
    body: Vector

    @property
    def text(self) -> str:
        return f"sign({self.body.text})"

    @property
    def latex(self) -> str:
        return rf"\mathrm{{sign}}\left({self.body.latex}\right)"

    def dimension(self, known: Known) -> Dimension:
        return ONE

    def value(self, world: World) -> Any:
        """Not a number where a coordinate may be a rounding of zero."""
        u = world.compute(self.body)
        sure = is_sure(u, magnitude_of(world, self.body))
        return np.where(sure, (u > 0) * 1.0 - (u < 0) * 1.0, np.nan) * world.one
