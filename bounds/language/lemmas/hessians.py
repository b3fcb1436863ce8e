"""The Hessian of a self-concordant function, a symmetric matrix at every point of its domain."""

from dataclasses import dataclass
from typing import Any, final

from bounds.errors import MalformedStatement
from bounds.language.dimension import Dimension, X
from bounds.language.lemmas.expressions import Known, World
from bounds.language.lemmas.linear import Sizes, Vector, as_point
from bounds.language.lemmas.matrices import Matrix
from bounds.language.lemmas.objects import FunctionObject, applied


def hessian(f: Any, x: Vector) -> Matrix:
    """The matrix of the second derivatives of f at x."""
    if not isinstance(f, FunctionObject) or not f.self_concordant:
        raise MalformedStatement(
            f"hessian is of a self-concordant function: say self_concordant=True of {getattr(f, 'text', f)}, "
            "or write a quadratic with a matrix"
        )
    return Hessian(f, as_point(x))


@final
@dataclass(frozen=True, eq=False)
class Hessian(Matrix):
    function: FunctionObject
    at: Vector

    @property
    def sizes(self) -> Sizes:
        return (self.at.sizes[0], self.at.sizes[0])

    @property
    def text(self) -> str:
        return f"hess {self.function.text}({self.at.text})"

    @property
    def latex(self) -> str:
        return rf"\nabla^2 {self.function.latex}({self.at.latex})"

    @property
    def T(self) -> Matrix:
        return self

    def dimension(self, known: Known) -> Dimension:
        return self.function.unit / X**2

    def value(self, world: World) -> Any:
        return applied(world, self.function, f"hessian_of_{self.function.name}", world.compute(self.at))
