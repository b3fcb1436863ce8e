"""Points that are nearest to something: projections on convex sets, proximal points, nearest minimizers."""

from dataclasses import dataclass
from typing import Any, ClassVar, final

from bounds.errors import MalformedStatement
from bounds.language.dimension import Dimension
from bounds.language.lemmas.expressions import Known, Scalar, World, as_scalar, optional_scalar
from bounds.language.lemmas.linear import Vector, as_point
from bounds.language.lemmas.objects import FunctionObject, applied


@final
@dataclass(frozen=True, eq=False)
class ConvexSet:
    """A closed convex set that is not empty; no two of its points are further apart than `diameter`."""

    is_object: ClassVar[bool] = True
    name: str
    diameter: Scalar | None

    @property
    def text(self) -> str:
        return self.name

    latex = text


def convex_set(name: str, *, diameter: Any = None) -> ConvexSet:
    """A closed convex set; `project(x, S)` is a point of it."""
    return ConvexSet(name, optional_scalar(diameter))


def project(x: Vector, onto: ConvexSet) -> Vector:
    """The point of the set that is nearest to x."""
    if not isinstance(onto, ConvexSet):
        raise MalformedStatement(f"{getattr(onto, 'text', onto)} is no convex set: write convex_set(...)")
    return Projection(as_point(x), onto)


def prox(f: Any, x: Vector, step: Any) -> Vector:
    """The point z that minimizes f(z) + ||z - x||^2 / (2 step).

    A weakly convex f has one where step < 1 / rho, which is a condition of the lemma.
    """
    if not isinstance(f, FunctionObject) or not (f.convex or f.weakly_convex is not None):
        raise MalformedStatement(
            f"prox is of a convex function: say convex=True or weakly_convex=rho of {getattr(f, 'text', f)}"
        )
    return Proximal(f, as_point(x), as_scalar(step))


def nearest_minimizer(f: Any, x: Vector) -> Vector:
    """The minimizer of f that is nearest to x."""
    if not isinstance(f, FunctionObject) or not f.has_lowest:
        raise MalformedStatement(f"{getattr(f, 'text', f)} need not have a minimizer: say bounded_below=True")
    return NearestMinimizer(f, as_point(x))


@final
@dataclass(frozen=True, eq=False)
class Projection(Vector):
    at: Vector
    onto: ConvexSet

    @property
    def text(self) -> str:
        return f"P_{self.onto.name}({self.at.text})"

    @property
    def latex(self) -> str:
        return rf"P_{{{self.onto.name}}}\left({self.at.latex}\right)"

    def dimension(self, known: Known) -> Dimension:
        return self.at.dimension(known)

    def value(self, world: World) -> Any:
        return world.objects[self.onto.name](world.compute(self.at)) * world.one


@final
@dataclass(frozen=True, eq=False)
class Proximal(Vector):
    function: FunctionObject
    at: Vector
    step: Scalar

    @property
    def text(self) -> str:
        return f"prox of {self.step.text} {self.function.text}({self.at.text})"

    @property
    def latex(self) -> str:
        return rf"\mathrm{{prox}}_{{{self.step.latex} {self.function.latex}}}\left({self.at.latex}\right)"

    def dimension(self, known: Known) -> Dimension:
        return self.at.dimension(known)

    def value(self, world: World) -> Any:
        name = f"prox_of_{self.function.name}"
        return applied(world, self.function, name, world.compute(self.at), world.number(self.step)[..., None])


@final
@dataclass(frozen=True, eq=False)
class NearestMinimizer(Vector):
    function: FunctionObject
    at: Vector

    @property
    def text(self) -> str:
        return f"argmin {self.function.text} nearest to {self.at.text}"

    @property
    def latex(self) -> str:
        return rf"P_{{\arg\min {self.function.latex}}}\left({self.at.latex}\right)"

    def dimension(self, known: Known) -> Dimension:
        return self.at.dimension(known)

    def value(self, world: World) -> Any:
        name = f"nearest_minimizer_of_{self.function.name}"
        return applied(world, self.function, name, world.compute(self.at))
