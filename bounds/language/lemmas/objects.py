"""What a lemma speaks of: functions of a class, vectors, matrices, sequences, random vectors, numbers.

A declaration says what is known of the object. What is drawn for it has that property by construction, so a
constant of a class, as the L of `function("f", smooth=L)`, is tied to the object by being named in it.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, final

from bounds.errors import MalformedStatement
from bounds.language.dimension import ONE, Dimension, F, X
from bounds.language.lemmas.expressions import (
    Atom,
    Known,
    Scalar,
    World,
    measured,
    optional_scalar,
)
from bounds.language.lemmas.indices import Index, about, axes_of_indices
from bounds.language.lemmas.linear import Sizes, Vector, as_point, optional_size
from bounds.language.lemmas.numbers_over import Entry, number_each
from bounds.language.quantity import REAL, Domain, Notation, Quantity


@final
@dataclass(frozen=True, eq=False)
class Number(Atom):
    """A quantity of the notation table; `given` where it is drawn rather than computed."""

    quantity: Quantity
    stated: bool

    @property
    def text(self) -> str:
        return self.quantity.name

    @property
    def latex(self) -> str:
        return self.quantity.latex

    def dimension(self, known: Known) -> Dimension:
        return known.get(self.quantity.name, self.quantity.dimension)

    def value(self, world: World) -> Any:
        return world.given(self.quantity.name)


def number(
    name: str,
    domain: Domain = REAL,
    dimension: Dimension | None = None,
    *,
    over: Index | None = None,
    weights: bool = False,
    increasing: bool = False,
    latex: str = "",
    meaning: str = "",
) -> Scalar:
    """A number that the lemma holds for, in its domain; a constant of a class needs no dimension.

    With `over`, one for each entry of the index; `weights` add up to one, `increasing` ones may be equal.
    """
    if over is not None or weights or increasing:
        return measured(Entry(number_each(name, domain, over, weights, increasing, dimension or ONE)))
    table = Notation()
    dimensions = ONE if dimension is None else dimension
    symbol = table.quantity(name, latex or name, meaning or f"the number {name}", domain, dimensions)
    return Scalar(symbol, {symbol: Number(table.quantities[name], dimension is not None)})


@final
@dataclass(frozen=True, eq=False)
class VectorObject(Vector):
    is_object: ClassVar[bool] = True
    name: str
    over: Index | None
    unit: bool
    longest: Scalar | None
    centered: bool
    deviation: Scalar | None
    dimensions: Dimension
    each: Index | None = None
    coordinates: Scalar | None = None

    @property
    def sizes(self) -> Sizes:
        return (None if self.coordinates is None else self.coordinates.text,)

    @property
    def numbered(self) -> Index | None:
        """What a reader sees it numbered by: outcomes are not."""
        return self.over if self.over is not None and not self.over.weighted else self.each

    @property
    def text(self) -> str:
        return about(self.name, self.numbered or self.over)

    @property
    def latex(self) -> str:
        return f"{self.name}_{{{self.numbered.name}}}" if self.numbered is not None else self.name

    def dimension(self, known: Known) -> Dimension:
        return self.dimensions

    def value(self, world: World) -> Any:
        return world.given(self.name, *axes_of_indices(self.over, self.each), own=1)


def vector(
    name: str,
    *,
    over: Index | None = None,
    unit: bool = False,
    longest: Any = None,
    size: Any = None,
    dimension: Dimension = X,
) -> Vector:
    """Any vector, or one for each entry of `over`; of length one, or at most as long as `longest`.

    Of `size` coordinates, a whole number of the lemma; without it, of as many as every other one without it.
    """
    coordinates = optional_size(name, size)
    return VectorObject(
        name, over, unit, optional_scalar(longest), False, None, dimension, coordinates=coordinates
    )


@final
@dataclass(frozen=True, eq=False)
class FunctionObject:
    """A function of points, of the class that its constants name; of several, one for each of `over`."""

    is_object: ClassVar[bool] = True
    name: str
    over: Index | None
    convex: bool
    smooth: Scalar | None
    strongly_convex: Scalar | None
    lipschitz: Scalar | None
    lojasiewicz: Scalar | None
    bounded_below: bool
    curvature_growth: Scalar | None = None
    weakly_convex: Scalar | None = None
    exponent: Scalar | None = None
    quasi_convex: bool = False
    self_concordant: bool = False

    def __post_init__(self) -> None:
        if self.smooth is None and self.exponent is not None:
            raise MalformedStatement(f"{self.name} has an exponent of its smoothness: say smooth=H, too")
        if self.smooth is None and self.curvature_growth is not None:
            raise MalformedStatement(
                f"{self.name} has a curvature that grows: say smooth=L0 of where it is flat, too"
            )

    @property
    def text(self) -> str:
        return about(self.name, self.over)

    @property
    def unit(self) -> Dimension:
        """That of its values; self-concordance compares derivatives of other orders, and fixes it."""
        return ONE if self.self_concordant else F

    @property
    def latex(self) -> str:
        return self.name if self.over is None else f"{self.name}_{{{self.over.name}}}"

    def __call__(self, at: Vector) -> Scalar:
        return measured(Value(self, as_point(at)))

    def gradient(self, at: Vector) -> Vector:
        return Gradient(self, as_point(at))

    @property
    def lowest(self) -> Scalar:
        if not self.has_lowest:
            raise MalformedStatement(
                f"{self.name} need not have a lowest value: say bounded_below=True, or a class that has one"
            )
        return measured(Lowest(self))

    @property
    def minimizer(self) -> Vector:
        if not self.has_lowest:
            raise MalformedStatement(
                f"{self.name} need not have a minimizer: say bounded_below=True, or a class that has one"
            )
        return Minimizer(self)

    @property
    def has_lowest(self) -> bool:
        return self.bounded_below or self.strongly_convex is not None or self.lojasiewicz is not None

    def describe(self) -> str:
        plain = self.convex and self.strongly_convex is None and not self.self_concordant
        parts = ["convex"] if plain else ["self-concordant"] if self.self_concordant else []
        parts += ["quasi-convex"] if self.quasi_convex else []
        smooth = "" if self.smooth is None else self.smooth.text
        if self.curvature_growth is not None:
            smooth = f"({smooth}, {self.curvature_growth.text})"
        if self.exponent is not None:
            smooth = f"({smooth}, {self.exponent.text})-Hölder"
        for what, constant in (
            ("strongly convex", self.strongly_convex),
            ("weakly convex", self.weakly_convex),
            ("smooth", smooth),
            ("Lipschitz", self.lipschitz),
            ("Lojasiewicz", self.lojasiewicz),
        ):
            parts += [f"{getattr(constant, 'text', constant)}-{what}"] if constant not in (None, "") else []
        parts += ["with a minimum"] if self.bounded_below else []
        return " and ".join(parts) or "differentiable"


def function(
    name: str,
    *,
    over: Index | None = None,
    convex: bool = False,
    smooth: Any = None,
    strongly_convex: Any = None,
    lipschitz: Any = None,
    lojasiewicz: Any = None,
    bounded_below: bool = False,
    curvature_growth: Any = None,
    weakly_convex: Any = None,
    exponent: Any = None,
    quasi_convex: bool = False,
    self_concordant: bool = False,
) -> FunctionObject:
    """A function of a class. `gradient` is a subgradient where the class has functions with kinks.

    Lojasiewicz with constant mu: ||grad f(x)||^2 >= 2 mu (f(x) - f^*) for every x. A function that is bounded
    below attains its lowest value. (L0, L1)-smooth, with `curvature_growth=L1`: no curvature at x is above
    L0 + L1 ||grad f(x)||. Weakly convex with constant rho: f + rho/2 ||.||^2 is convex. With an `exponent` nu
    of at most one, ||grad f(x) - grad f(y)|| <= smooth ||x - y||^nu. Quasi-convex: between two points f is
    nowhere above the larger one of its values there. Self-concordant: along a line |f'''| <= 2 f''^(3/2).
    """
    return FunctionObject(
        name,
        over,
        convex or strongly_convex is not None or self_concordant,
        optional_scalar(smooth),
        optional_scalar(strongly_convex),
        optional_scalar(lipschitz),
        optional_scalar(lojasiewicz),
        bounded_below,
        optional_scalar(curvature_growth),
        optional_scalar(weakly_convex),
        optional_scalar(exponent),
        quasi_convex,
        self_concordant,
    )


@final
@dataclass(frozen=True, eq=False)
class Value(Atom):
    function: FunctionObject
    at: Vector

    @property
    def text(self) -> str:
        return f"{self.function.text}({self.at.text})"

    @property
    def latex(self) -> str:
        return rf"{self.function.latex}({self.at.latex})"

    def dimension(self, known: Known) -> Dimension:
        return self.function.unit

    def value(self, world: World) -> Any:
        return applied(world, self.function, self.function.name, world.compute(self.at))


@final
@dataclass(frozen=True, eq=False)
class Gradient(Vector):
    function: FunctionObject
    at: Vector

    @property
    def text(self) -> str:
        return f"grad {self.function.text}({self.at.text})"

    @property
    def latex(self) -> str:
        return rf"\nabla {self.function.latex}({self.at.latex})"

    def dimension(self, known: Known) -> Dimension:
        return self.function.unit / X

    def value(self, world: World) -> Any:
        return applied(world, self.function, f"gradient_of_{self.function.name}", world.compute(self.at))


def applied(world: World, function: FunctionObject, name: str, *given: Any) -> Any:
    from bounds.language.lazy_numpy import np

    called = world.objects[name]
    if function.over is None:
        return np.asarray(called(*given)) * world.one
    axis = world.position(function.over.name)
    arrays = [world.every(points, function.over.name) for points in given]
    several = enumerate(world.entries(called, function.over.name))
    each = [np.asarray(f(*(np.take(w, i, axis=axis) for w in arrays))) for i, f in several]
    return np.stack(each, axis=axis) * world.one


@final
@dataclass(frozen=True, eq=False)
class Lowest(Atom):
    function: FunctionObject

    @property
    def text(self) -> str:
        return f"min {self.function.text}"

    @property
    def name(self) -> str:
        return f"lowest_of_{self.function.name}"

    @property
    def latex(self) -> str:
        return rf"{self.function.latex}^{{*}}"

    def dimension(self, known: Known) -> Dimension:
        return self.function.unit

    def value(self, world: World) -> Any:
        return world.given(f"lowest_of_{self.function.name}", *axes_of_indices(self.function.over))


@final
@dataclass(frozen=True, eq=False)
class Minimizer(Vector):
    function: FunctionObject

    @property
    def text(self) -> str:
        return f"argmin {self.function.text}"

    @property
    def latex(self) -> str:
        return rf"x^{{*}}_{{{self.function.latex}}}"

    def dimension(self, known: Known) -> Dimension:
        return X

    def value(self, world: World) -> Any:
        return world.given(f"minimizer_of_{self.function.name}", *axes_of_indices(self.function.over), own=1)
