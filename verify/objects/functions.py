"""Functions whose constants are known in closed form: instances meet their hypotheses by construction."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, final

import numpy as np

from bounds.language.lemmas.spectra import inverted
from verify.objects import formulas
from verify.objects.draw import Draw, Points

Values = Callable[[Points], Any]
# Constants are given this much too large, so that rounding of a matrix breaks no hypothesis.
SLACK: Final = 1 + 2.0**-40


@final
@dataclass(frozen=True, slots=True)
class Described:
    """A callable that a record can name."""

    call: Values
    description: str

    def __call__(self, x: Points) -> Any:
        return self.call(x)


@final
@dataclass(frozen=True, slots=True)
class Written:
    """A callable with a formula, which is written when somebody reads it."""

    call: Callable[..., Any]
    formula: Callable[[], str]

    @property
    def description(self) -> str:
        return self.formula()

    def __call__(self, *given: Any) -> Any:
        return self.call(*given)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """`lowest` and `minimizer` are None where there is none, `lipschitz` where gradients are unbounded.

    `formula` has every number of the function, where `description` names its kind. `prox` takes points and a
    step, `nearest` points; both are None where no closed form is known. `telling` is a point near which the
    class shows most. `hessian` is None where no lemma can ask for it.
    """

    description: str
    value: Values
    gradient: Values
    L: float
    lowest: float | None
    minimizer: Points | None
    convex: bool
    lipschitz: float | None = None
    formula: Callable[[], str] = str
    prox: Callable[[Points, Any], Any] | None = None
    nearest: Values | None = None
    telling: Points | None = None
    hessian: Values | None = None


def half_square(draw: Draw, d: int, L: float) -> Function:
    """L/2 ||x - c||^2, where many inequalities are equalities."""
    centre = draw.points(d, 1, scale=1.0)[0]
    return Function(
        description=f"{L:.6g}/2 ||x - c||^2",
        value=lambda x: L / 2 * ((x - centre) ** 2).sum(axis=-1),
        gradient=lambda x: L * (x - centre),
        L=L,
        lowest=0.0,
        minimizer=centre,
        convex=True,
        formula=lambda: formulas.half_square(L, centre),
        prox=lambda x, step: centre + (x - centre) / (1 + step * L),
        nearest=lambda x: centre + 0 * x,
    )


def quadratic(draw: Draw, d: int, L: float, least: float = 0.0) -> Function:
    """Eigenvalues from `least` to L, which is one of them; no minimum where `least` is negative."""
    basis = draw.basis(d)
    spectrum = np.concatenate([[L], least + (L - least) * draw.random.random(d - 1)])
    hessian, centre = (basis * spectrum) @ basis.T, draw.points(d, 1, scale=1.0)[0]
    bounded = bool(spectrum.min() >= 0)

    def prox(x: Points, step: Any) -> Any:
        inverse = inverted(np.eye(d, dtype=int) + step[..., None] * hessian)
        return centre + (inverse * (x - centre)[..., None, :]).sum(axis=-1)

    return Function(
        description=f"a quadratic with eigenvalues {', '.join(f'{s:.6g}' for s in spectrum)}",
        value=lambda x: ((x - centre) @ hessian * (x - centre)).sum(axis=-1) / 2,
        gradient=lambda x: (x - centre) @ hessian,
        L=L,
        lowest=0.0 if bounded else None,
        minimizer=centre if bounded else None,
        convex=bounded,
        formula=lambda: formulas.quadratic(hessian, centre),
        prox=prox if bounded else None,
        nearest=(lambda x: centre + 0 * x) if spectrum.min() > 0 else None,
    )


def saddle(draw: Draw, d: int, L: float) -> Function:
    """Eigenvalues from -L on; in one dimension -L/2 x^2."""
    if d > 1:
        return quadratic(draw, d, L, least=-L)
    return Function(
        description=f"-{L:.6g}/2 x^2",
        value=lambda x: -L / 2 * (x**2).sum(axis=-1),
        gradient=lambda x: -L * x,
        L=L,
        lowest=None,
        minimizer=None,
        convex=False,
        formula=lambda: f"-{formulas.half_square(L, np.zeros(1))}",
    )


def log_cosh(t: Points) -> Points:
    """Without cancellation near zero and without overflow far out."""
    size = np.abs(t)
    near = np.log1p(2 * np.sinh(np.minimum(size, 1) / 2) ** 2)
    return np.asarray(np.where(size < 1, near, size + np.log1p(np.exp(-2 * size)) - np.log(t.dtype.type(2))))


def hyperbola(draw: Draw, d: int, L: float) -> Function:
    """The sum of L log cosh(x_j - c_j): its gradient levels off."""
    centre = draw.points(d, 1, scale=1.0)[0]
    return Function(
        description=f"{L:.6g} times the sum of log cosh (x_j - c_j)",
        value=lambda x: L * log_cosh(x - centre).sum(axis=-1),
        gradient=lambda x: L * np.tanh(x - centre),
        L=L,
        lowest=0.0,
        minimizer=centre,
        convex=True,
        lipschitz=L * np.sqrt(d),
        formula=lambda: formulas.summed(L, "log(cosh({}))", centre),
        nearest=lambda x: centre + 0 * x,
    )


def wave(_: Draw, d: int, L: float) -> Function:
    """The sum of L (1 - cos x_j)."""
    return Function(
        description=f"{L:.6g} times the sum of 1 - cos x_j",
        value=lambda x: L * (2 * np.sin(x / 2) ** 2).sum(axis=-1),
        gradient=lambda x: L * np.sin(x),
        L=L,
        lowest=0.0,
        minimizer=np.zeros(d),
        convex=False,
        lipschitz=L * np.sqrt(d),
        formula=lambda: formulas.summed(L, "1 - cos({})", np.zeros(d)),
    )


def huber(draw: Draw, d: int, L: float) -> Function:
    """A half square around c and linear from a distance on, in every coordinate: a kink in the gradient."""
    centre, reach = draw.points(d, 1, scale=1.0)[0], 2.0 ** draw.count(-2, 2) * draw.family.scale

    def value(x: Points) -> Any:
        away = np.abs(x - centre)
        inside = np.minimum(away, reach)
        return L * (inside * (away - inside / 2)).sum(axis=-1)

    return Function(
        description=f"{L:.6g} times the sum of Huber functions with kinks {reach:.6g} from c",
        value=value,
        gradient=lambda x: L * np.clip(x - centre, -reach, reach),
        L=L,
        lowest=0.0,
        minimizer=centre,
        convex=True,
        lipschitz=L * reach * np.sqrt(d),
        formula=lambda: formulas.huber(L, reach, centre),
        prox=lambda x, step: x - step * L * np.clip((x - centre) / (1 + step * L), -reach, reach),
        nearest=lambda x: centre + 0 * x,
    )


def hinge(_: Draw, d: int, L: float) -> Function:
    """The sum of L/2 max(0, x_j)^2: a plateau with an edge at zero."""
    return Function(
        description=f"{L:.6g}/2 times the sum of max(0, x_j)^2",
        value=lambda x: L / 2 * (np.maximum(x, 0) ** 2).sum(axis=-1),
        gradient=lambda x: L * np.maximum(x, 0),
        L=L,
        lowest=0.0,
        minimizer=np.zeros(d),
        convex=True,
        formula=lambda: formulas.summed(L / 2, "max(0, {})^2", np.zeros(d)),
        prox=lambda x, step: x - step * L * np.maximum(x, 0) / (1 + step * L),
        nearest=lambda x: np.minimum(x, 0),
    )


def constant(_: Draw, d: int, L: float) -> Function:
    return Function(
        description="a constant",
        value=lambda x: 0 * x.sum(axis=-1),
        gradient=lambda x: 0 * x,
        L=L,
        lowest=0.0,
        minimizer=np.zeros(d),
        convex=True,
        lipschitz=0.0,
        formula=lambda: "0",
        prox=lambda x, step: x + 0 * step,
        nearest=lambda x: x,
    )


CURVES: Final[dict[str, Callable[[Draw, int, float], Function]]] = {
    "quadratic": quadratic,
    "half square": half_square,
    "hyperbola": hyperbola,
    "huber": huber,
    "hinge": hinge,
    "wave": wave,
    "saddle": saddle,
    "constant": constant,
}
_CONVEX = ("quadratic", "half square", "hyperbola", "huber", "hinge", "constant")
_LIPSCHITZ = ("hyperbola", "huber", "wave", "constant")
_UNBOUNDED = ("saddle",)


def function(draw: Draw, d: int, L: float, *, convex: bool = False, lipschitz: bool = False) -> Function:
    """A function, bounded below, of a kind with these properties; the kinds of the family come first."""
    fit = [
        name
        for name in CURVES
        if not (convex and name not in _CONVEX)
        and not (lipschitz and name not in _LIPSCHITZ)
        and name not in _UNBOUNDED
    ]
    kinds = [name for name in fit if name in draw.family.curves] or [n for n in fit if n != "constant"]
    curve = CURVES[kinds[int(draw.random.integers(len(kinds)))]](draw, d, L)
    gradient = Described(curve.gradient, f"the gradient of {curve.description}")
    return replace(curve, value=Described(curve.value, curve.description), gradient=gradient)


def clients(draw: Draw, count: int, d: int, L: float, *, convex: bool = False) -> list[Function]:
    """Clients of smoothness at most L; all alike, or all but one, where the family says so."""
    functions = [function(draw, d, L * (draw.share() if i else 1.0), convex=convex) for i in range(count)]
    if draw.family.agents == "identical":
        return functions[:1] * count
    return functions[:1] + functions[-1:] * (count - 1) if draw.family.agents == "one apart" else functions
