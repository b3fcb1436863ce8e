"""The mean of functions of an index as a function, as in federated learning, and where it is lowest."""

from dataclasses import dataclass
from typing import Any, Final, final

from bounds.errors import MalformedStatement
from bounds.language.dimension import Dimension, X
from bounds.language.lemmas.expressions import Atom, Known, Scalar, World, measured
from bounds.language.lemmas.indices import Index
from bounds.language.lemmas.linear import Vector
from bounds.language.lemmas.measures import mean
from bounds.language.lemmas.objects import FunctionObject

# A function of these classes is in none of them after a linear one is added.
NOT_ADDED_TO: Final = {
    "lojasiewicz": "Lojasiewicz",
    "curvature_growth": "of a curvature that grows",
    "quasi_convex": "quasi-convex",
    "self_concordant": "self-concordant",
}


@final
@dataclass(frozen=True, slots=True)
class Average:
    """`of` is a function for each entry of an index; the mean has a value and a gradient at every point."""

    of: FunctionObject
    over: Index

    @property
    def text(self) -> str:
        return f"mean_{self.over.name}({self.of.text})"

    @property
    def latex(self) -> str:
        return rf"\overline{{{self.of.name}}}"

    def __call__(self, at: Vector) -> Scalar:
        value: Scalar = mean(self.of(at), self.over)
        return value

    def gradient(self, at: Vector) -> Vector:
        gradient: Vector = mean(self.of.gradient(at), self.over)
        return gradient

    @property
    def lowest(self) -> Scalar:
        self._check_class()
        return measured(LowestOfMean(self))

    @property
    def minimizer(self) -> Vector:
        self._check_class()
        return MinimizerOfMean(self)

    def _check_class(self) -> None:
        if self.of.bounded_below:
            raise MalformedStatement(
                f"bounded_below=True says of each {self.of.text} that it has a lowest value: leave it out, "
                f"since {self.text} has one where the lemma names it"
            )
        if not (self.of.has_lowest or self.of.smooth is not None or self.of.convex):
            raise MalformedStatement(f"{self.text} need not have a lowest value: say convex=True or smooth=L")
        for part, words in NOT_ADDED_TO.items():
            if getattr(self.of, part) not in (None, False):
                raise MalformedStatement(
                    f"nothing is drawn for the minimum of {self.text}, whose functions are {words}: say "
                    "convex, smooth, strongly or weakly convex, or Lipschitz"
                )


def average(f: Any) -> Average:
    """The mean of the functions of an index; where its lowest value is named, it has one."""
    if not isinstance(f, FunctionObject) or f.over is None:
        raise MalformedStatement(
            f"average is of a function for each entry of an index, not of {getattr(f, 'text', f)}: "
            "declare it with over=i"
        )
    return Average(f, f.over)


@final
@dataclass(frozen=True, eq=False)
class LowestOfMean(Atom):
    mean: Average

    @property
    def closes(self) -> Index:
        """The index on which it does not depend, though what it is made of does."""
        return self.mean.over

    @property
    def text(self) -> str:
        return f"min {self.mean.text}"

    @property
    def latex(self) -> str:
        return rf"{self.mean.latex}^{{*}}"

    def dimension(self, known: Known) -> Dimension:
        return self.mean.of.unit

    def value(self, world: World) -> Any:
        """The mean of the values there, in as many digits as all else."""
        axis = world.position(self.mean.over.name)
        each = world.given(lowest_of_mean(self.mean.of), self.mean.over.name)
        return each.sum(axis=axis, keepdims=True) / world.counts[self.mean.over.name]


@final
@dataclass(frozen=True, eq=False)
class MinimizerOfMean(Vector):
    mean: Average

    @property
    def closes(self) -> Index:
        """The index on which it does not depend, though what it is made of does."""
        return self.mean.over

    @property
    def text(self) -> str:
        return f"argmin {self.mean.text}"

    @property
    def latex(self) -> str:
        return rf"x^{{*}}_{{{self.mean.latex}}}"

    def dimension(self, known: Known) -> Dimension:
        return X

    def value(self, world: World) -> Any:
        return world.given(minimizer_of_mean(self.mean.of), own=1)


def lowest_of_mean(f: FunctionObject) -> str:
    return f"values_at_minimizer_of_mean_of_{f.name}"


def minimizer_of_mean(f: FunctionObject) -> str:
    return f"minimizer_of_mean_of_{f.name}"
