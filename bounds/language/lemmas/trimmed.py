"""Trimmed means over an index: what is left when the smallest and the largest entries are dropped."""

from dataclasses import dataclass
from typing import Any, Final, final

from bounds.errors import MalformedStatement
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.expressions import OfNumber, Scalar, World, as_scalar, measured
from bounds.language.lemmas.indices import Index
from bounds.language.lemmas.linear import OfLinear, Vector
from bounds.language.lemmas.matrices import Matrix
from bounds.language.lemmas.measures import Reduced, find_index
from bounds.language.lemmas.sequences import SequenceObject

KIND: Final = "trimmed mean"


class Trimmed(Reduced):
    """The mean of the entries that are left in each coordinate."""

    cut: Scalar

    @property
    def text(self) -> str:
        return f"trimmed_mean_{self.index.name}({self.body.text}, {self.cut.text})"

    @property
    def latex(self) -> str:
        return rf"\mathrm{{trim}}_{{{self.index.name}, {self.cut.latex}}}\left[{self.body.latex}\right]"

    def reduce(self, world: World, body: Any) -> Any:
        axis = world.position(self.index.name)
        ordered = np.sort(world.every(body, self.index.name), axis=axis)
        count = ordered.shape[axis]
        cut = world.number(self.cut)
        cut = cut.reshape((*cut.shape, *[1] * (ordered.ndim - cut.ndim)))
        place = np.arange(count).reshape([count if a == axis else 1 for a in range(ordered.ndim)])
        left = (place >= cut) & (place < count - cut)
        kept = left.sum(axis=axis, keepdims=True)  # of none there is no mean: the case is not defined
        return np.where(left, ordered, 0 * ordered).sum(axis=axis, keepdims=True) / (kept * world.one)


@final
@dataclass(frozen=True, eq=False)
class TrimmedNumber(Trimmed, OfNumber):
    body: Scalar
    index: Index
    cut: Scalar
    kind: str = KIND


@final
@dataclass(frozen=True, eq=False)
class TrimmedVector(Trimmed, OfLinear, Vector):
    body: Vector
    index: Index
    cut: Scalar
    kind: str = KIND


def trimmed_mean(body: Any, cut: Any, over: Index | None = None) -> Any:
    """The mean without the `cut` smallest and the `cut` largest ones; of vectors, in each coordinate."""
    if isinstance(body, SequenceObject | Matrix):
        raise MalformedStatement("a trimmed mean is of numbers or vectors over an index")
    index, count = find_index(body, over, KIND), as_scalar(cut)
    if not (count.formula.is_integer and count.formula.is_nonnegative):
        raise MalformedStatement(
            f"a trimmed mean drops a whole number at each end, not {count.text}: declare it NATURAL or "
            "POSITIVE_INTEGER"
        )
    if isinstance(body, Vector):
        return TrimmedVector(body, index, count)
    return measured(TrimmedNumber(as_scalar(body), index, count))
