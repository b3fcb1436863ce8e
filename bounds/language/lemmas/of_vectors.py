"""Numbers that are measured on vectors, and vectors that are made of one: norms, clipping."""

from dataclasses import dataclass
from typing import Any, Final, final

from bounds.language.dimension import Dimension
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.expressions import Atom, Known, Scalar, World, named_after
from bounds.language.lemmas.linear import OfLinear, Sizes, Vector


@final
@dataclass(frozen=True, eq=False)
class Inner(Atom):
    u: Vector
    v: Vector

    @property
    def text(self) -> str:
        return f"<{self.u.text}, {self.v.text}>"

    @property
    def name(self) -> str:
        return named_after(f"inner {self.u.text} {self.v.text}")

    @property
    def latex(self) -> str:
        return rf"\langle {self.u.latex}, {self.v.latex}\rangle"

    def dimension(self, known: Known) -> Dimension:
        return self.u.dimension(known) * self.v.dimension(known)

    def value(self, world: World) -> Any:
        return (world.compute(self.u) * world.compute(self.v)).sum(axis=-1)


NORMS: Final = {"2": "", "1": "_1", "max": "_max"}


@final
@dataclass(frozen=True, eq=False)
class Norm(Atom):
    u: Vector
    order: str
    non_negative = True

    @property
    def text(self) -> str:
        return f"||{self.u.text}||{NORMS[self.order]}"

    @property
    def name(self) -> str:
        return named_after(f"norm{NORMS[self.order]} {self.u.text}")

    @property
    def latex(self) -> str:
        sub = {"2": "", "1": "_{1}", "max": r"_{\infty}"}[self.order]
        return rf"\left\|{self.u.latex}\right\|{sub}"

    def dimension(self, known: Known) -> Dimension:
        return self.u.dimension(known)

    def value(self, world: World) -> Any:
        return length(world.compute(self.u), self.order)


def length(u: Any, order: str = "2") -> Any:
    if order == "2":
        return np.sqrt((u * u).sum(axis=-1))
    sizes = np.abs(u)
    return sizes.sum(axis=-1) if order == "1" else sizes.max(axis=-1)


@final
@dataclass(frozen=True, eq=False)
class Clipped(OfLinear, Vector):
    body: Vector
    longest: Scalar

    @property
    def text(self) -> str:
        return f"clip({self.body.text}, {self.longest.text})"

    @property
    def latex(self) -> str:
        return rf"\mathrm{{clip}}_{{{self.longest.latex}}}({self.body.latex})"

    def value(self, world: World) -> Any:
        u, most = world.compute(self.body), world.number(self.longest)
        return u * (most / (np.maximum(length(u), most) * world.one))[..., None]


@final
@dataclass(frozen=True, eq=False)
class PositivePart(OfLinear, Vector):
    body: Vector

    @property
    def text(self) -> str:
        return f"({self.body.text})_+"

    @property
    def latex(self) -> str:
        return rf"\left({self.body.latex}\right)_{{+}}"

    def value(self, world: World) -> Any:
        u = world.compute(self.body)
        return np.maximum(u, 0 * u) * world.one


@final
@dataclass(frozen=True, eq=False)
class Top(OfLinear, Vector):
    body: Vector
    count: Scalar

    @property
    def text(self) -> str:
        return f"top({self.body.text}, {self.count.text})"

    @property
    def latex(self) -> str:
        return rf"\mathrm{{top}}_{{{self.count.latex}}}({self.body.latex})"

    def value(self, world: World) -> Any:
        """Keep the first ones of equal size."""
        u, count = world.compute(self.body), world.number(self.count)
        place = np.argsort(np.argsort(-np.abs(u), axis=-1, kind="stable"), axis=-1)
        return u * (place < count[..., None])


@final
@dataclass(frozen=True, eq=False)
class Hadamard(Vector):
    """The products of the coordinates."""

    u: Vector
    v: Vector

    @property
    def sizes(self) -> Sizes:
        return self.u.sizes

    @property
    def text(self) -> str:
        return f"hadamard({self.u.text}, {self.v.text})"

    @property
    def latex(self) -> str:
        return rf"\left({self.u.latex}\right)\odot\left({self.v.latex}\right)"

    def dimension(self, known: Known) -> Dimension:
        return self.u.dimension(known) * self.v.dimension(known)

    def value(self, world: World) -> Any:
        return world.compute(self.u) * world.compute(self.v)
