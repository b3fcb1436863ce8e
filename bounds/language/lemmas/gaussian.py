"""The standard normal distribution: its tail, its density and its quantile, of a number."""

from dataclasses import dataclass
from typing import Any, Final, final

from bounds.language.dimension import ONE, Dimension
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.expressions import Atom, Known, Scalar, World, as_scalar, measured


def gaussian_tail(t: Any) -> Scalar:
    """The probability that a standard normal number is above t."""
    return measured(GaussianOf(as_scalar(t), "tail"))


def gaussian_density(t: Any) -> Scalar:
    """exp(-t^2/2) over the root of 2 pi."""
    return measured(GaussianOf(as_scalar(t), "density"))


def gaussian_quantile(p: Any) -> Scalar:
    """The number that a standard normal one is below with probability p."""
    return measured(GaussianOf(as_scalar(p), "quantile"))


def chi_square_tail(t: Any, d: Any) -> Scalar:
    """The probability that the squared norm of a standard Gaussian vector of d coordinates is above t."""
    return measured(OfGaussianNorm("chi_square_tail", as_scalar(d), as_scalar(t)))


def gaussian_length(d: Any) -> Scalar:
    """The expected norm of a standard Gaussian vector of d coordinates."""
    return measured(OfGaussianNorm("gaussian_length", as_scalar(d), as_scalar(0)))


MOST_COORDINATES: Final = 1000  # of more the value is not computed, and the case not counted
LATEX: Final = {"tail": r"\bar{\Phi}", "density": r"\varphi", "quantile": r"\Phi^{-1}"}


@final
@dataclass(frozen=True, eq=False)
class GaussianOf(Atom):
    """One of them. scipy has those of float64; numbers with more digits have methods of these names."""

    of: Scalar
    which: str

    @property
    def non_negative(self) -> bool:  # type: ignore[override]  # the base stores it
        return self.which != "quantile"

    @property
    def text(self) -> str:
        return f"gaussian_{self.which}({self.of.text})"

    @property
    def latex(self) -> str:
        return rf"{LATEX[self.which]}\left({self.of.latex}\right)"

    def dimension(self, known: Known) -> Dimension:
        return ONE

    def value(self, world: World) -> Any:
        given = world.number(self.of)
        if given.dtype == object:
            return np.vectorize(lambda a: getattr(a, f"gaussian_{self.which}")(), otypes=[object])(given)
        return _compute_floats(self.which, np.asarray(given, dtype=np.float64))


@final
@dataclass(frozen=True, eq=False)
class OfGaussianNorm(Atom):
    """Numbers with more digits have methods of the names, which take the number of coordinates."""

    which: str
    coordinates: Scalar
    at: Scalar
    non_negative = True

    @property
    def text(self) -> str:
        at = "" if self.which == "gaussian_length" else f"{self.at.text}, "
        return f"{self.which}({at}{self.coordinates.text})"

    @property
    def latex(self) -> str:
        if self.which == "gaussian_length":
            return rf"\mathbb{{E}}\|Z\|,\ Z\sim N(0, I_{{{self.coordinates.latex}}})"
        return rf"P\left(\chi^2_{{{self.coordinates.latex}}}>{self.at.latex}\right)"

    def dimension(self, known: Known) -> Dimension:
        return ONE

    def value(self, world: World) -> Any:
        d, t = np.broadcast_arrays(world.number(self.coordinates), world.number(self.at))
        if d.dtype == object:
            return np.vectorize(lambda n, a: getattr(n, self.which)(a), otypes=[object])(d, t)
        d, t = np.asarray(d, dtype=np.float64), np.asarray(t, dtype=np.float64)
        return np.where(d <= MOST_COORDINATES, _compute_floats_of_norm(self.which, d, t), np.nan)


def _compute_floats_of_norm(which: str, d: Any, t: Any) -> Any:
    from scipy.special import gammaincc, poch

    return (
        np.sqrt(2) * poch(d / 2, 0.5)
        if which == "gaussian_length"
        else gammaincc(d / 2, np.maximum(t, 0) / 2)
    )


def _compute_floats(which: str, given: Any) -> Any:
    # Here: who lists statements does not wait for scipy.
    from scipy.special import ndtr, ndtri

    if which == "density":
        return np.exp(-(given**2) / 2) / np.sqrt(2 * np.pi)
    return ndtr(-given) if which == "tail" else ndtri(given)
