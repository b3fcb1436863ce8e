"""Functions of a class that a lemma declares, the extremal ones of the class among them.

Each kind meets its class by construction, with the constants that were drawn before it. All kinds get a
random offset: a lowest value of zero would hide that a lemma forgets it.
"""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any, Final

import numpy as np

from bounds.language.lemmas.objects import FunctionObject
from verify.objects import formulas
from verify.objects.constants import Constants, Kind, curvature, least_of
from verify.objects.draw import Draw, Points
from verify.objects.functions import CURVES, SLACK, Function, Written, half_square, quadratic
from verify.objects.growing import GROWING
from verify.objects.holder import level_within, make_power, ramp
from verify.objects.lipschitz import KINKS, SHAPES, cone, make_kinked, make_levelling, sign
from verify.objects.quasi_convex import QUASI_CONVEX
from verify.objects.self_concordant import SELF_CONCORDANT
from verify.objects.slopes import steepest, uneven
from verify.objects.valley import bend_within, bowl, bowl_within, valley
from verify.objects.weakly_convex import with_hills


def why_none(f: FunctionObject) -> str | None:
    """The sentence on a class of which nothing is drawn."""
    if f.lipschitz is not None and (f.strongly_convex is not None or f.lojasiewicz is not None):
        other = "strongly convex" if f.strongly_convex is not None else "Lojasiewicz"
        return (
            f"no function is drawn for {f.name}, which is {other} and Lipschitz everywhere: drop "
            f"`lipschitz=`, and bound the gradient by a condition, as norm({f.name}.gradient(x)) <= G"
        )
    more = (f.strongly_convex, f.lojasiewicz, f.curvature_growth)
    constants = (*more, f.smooth, f.lipschitz, f.weakly_convex, f.exponent)
    if f.self_concordant and (f.quasi_convex or any(constant is not None for constant in constants)):
        named = f"no function is drawn for {f.name}, {f.describe()}"
        return f"{named}: beside self_concordant= say bounded_below= alone"
    if f.weakly_convex is not None and any(constant is not None for constant in more):
        return f"no function is drawn for {f.name}, which is {f.describe()}: drop weakly_convex="
    beside = (*more, f.lipschitz, f.weakly_convex)
    if f.quasi_convex and any(constant is not None for constant in (*beside, f.exponent)):
        return f"no function is drawn for {f.name}, {f.describe()}: beside quasi_convex= say smooth= alone"
    if f.exponent is not None and any(constant is not None for constant in beside):
        named = f"no function is drawn for {f.name}, which is {f.describe()}"
        return f"{named}: of a class with exponent= name no other"
    if f.curvature_growth is not None and (f.lojasiewicz is not None or f.lipschitz is not None):
        return f"no function is drawn for {f.name}, which is {f.describe()}: drop curvature_growth="
    return None


def drawn_function(
    draw: Draw, d: int, f: FunctionObject, constants: Constants, asked: Collection[str] = ()
) -> Function:
    """One function of the class, moved up or down, that has all parts that are asked for."""
    kinds = _kinds(f, constants)
    preferred = {name: make for name, make in kinds.items() if name in draw.family.curves}
    names = sorted(preferred or kinds)
    while True:
        chosen = names[int(draw.random.integers(len(names)))]
        function = kinds[chosen](draw, d, constants)
        if all(getattr(function, part) is not None for part in asked):
            return written(_moved(function, _offset(draw)))
        names = [name for name in names if name != chosen] or sorted({*kinds} - {chosen})


def _kinds(f: FunctionObject, constants: Constants) -> dict[str, Kind]:
    return {name: make for name, make in _find_kinds_of_class(f, constants).items() if _fits(name, f)}


def _find_kinds_of_class(f: FunctionObject, constants: Constants) -> dict[str, Kind]:
    if f.self_concordant:
        return SELF_CONCORDANT
    if f.quasi_convex:
        found = SMOOTH if constants.smooth is not None else SMOOTH | KINKED
        return {name: make for name, make in found.items() if name not in NOT_CONVEX} | QUASI_CONVEX
    if constants.exponent is not None:
        return HOLDER
    if constants.weak is not None:
        return _weakly_convex(f, constants)
    if constants.lojasiewicz is not None and constants.strong is None:
        return LOJASIEWICZ | (STRONG if f.convex else {"quadratic": _rotated})
    if constants.strong is not None:
        more = STRONG_WITH_KINKS if constants.smooth is None else {}
        return STRONG | more if constants.growth is None else STRONG | STRONG_AND_GROWING
    if constants.lipschitz is not None:
        return LEVELLING if constants.smooth is not None else LEVELLING | KINKED
    if constants.growth is not None:
        return {name: SMOOTH[name] for name in BESIDE_GROWING} | GROWING
    return SMOOTH if constants.smooth is not None else SMOOTH | KINKED | {"quartic": quartic}


def _weakly_convex(f: FunctionObject, constants: Constants) -> dict[str, Kind]:
    """Convex ones of the class, and those with hills."""
    if constants.lipschitz is not None:
        found = LEVELLING if constants.smooth is not None else LEVELLING | KINKED
    else:
        found = SMOOTH if constants.smooth is not None else SMOOTH | KINKED
    return {name: make for name, make in found.items() if name not in NOT_CONVEX} | with_hills(f)


# What stands before the formula of a function in the words of its parts.
OF_GRADIENT, OF_PROX, OF_NEAREST = "the gradient of ", "the proximal point of ", "the nearest minimizer of "
OF_HESSIAN = "the Hessian of "
NOT_CONVEX: Final = {
    *("wave", "saddle", "slow wave", "ripple", "bent", "valley", "bowl"),
    "hill",
    *("plateau", "cosh, upside down", "folded", "dented", "mixed", "down"),
    *QUASI_CONVEX,
}
NOT_BOUNDED: Final = {
    *("hill", "saddle", "linear", "exponential", "cosh, upside down", "mixed", "down", "shelf", "cliff"),
    "barrier",
}
BESIDE_GROWING: Final = ("half square", "quadratic", "saddle", "wave", "linear", "constant")


def _fits(name: str, f: FunctionObject) -> bool:
    return not (f.convex and name in NOT_CONVEX) and not (f.has_lowest and name in NOT_BOUNDED)


def _offset(draw: Draw) -> float:
    return draw.length() * float(draw.random.choice([-1, 1])) if draw.chance(0.5) else 0.0


def _moved(f: Function, offset: float) -> Function:
    if offset == 0:
        return f
    value, formula = f.value, f.formula
    return replace(
        f,
        value=lambda x: value(x) + offset,
        lowest=None if f.lowest is None else f.lowest + offset,
        formula=lambda: formulas.plus(formula(), offset),
    )


def written(f: Function) -> Function:
    """Give each part the formula of the function."""

    def part(called: Callable[..., Any] | None, prefix: str) -> Any:
        return None if called is None else Written(called, lambda: f"{prefix}{f.formula()}")

    return replace(
        f,
        value=part(f.value, ""),
        gradient=part(f.gradient, OF_GRADIENT),
        hessian=part(f.hessian, OF_HESSIAN),
        prox=part(f.prox, OF_PROX),
        nearest=part(f.nearest, OF_NEAREST),
    )


def _make_kind_of_curve(name: str) -> Kind:
    return lambda draw, d, constants: CURVES[name](draw, d, curvature(draw, constants))


def _rotated(draw: Draw, d: int, constants: Constants) -> Function:
    """Away from the ends of the class by what the rounding of a rotated matrix could add."""
    L, least = curvature(draw, constants), least_of(constants)
    if d == 1 or draw.plain:
        return quadratic(draw, d, L, least)
    if least * SLACK > L / SLACK:
        return two_curvatures(draw, d, constants)
    return quadratic(draw, d, L / SLACK, least * SLACK)


def _saddle(draw: Draw, d: int, constants: Constants) -> Function:
    L = curvature(draw, constants)
    return CURVES["saddle"](draw, d, L if d == 1 or draw.plain else L / SLACK)


def linear(draw: Draw, d: int, constants: Constants) -> Function:
    slope = draw.directions(d, 1)[0] * (constants.lipschitz or draw.length())
    return Function(
        description="linear",
        value=lambda x: (slope * x).sum(axis=-1),
        gradient=lambda x: slope + 0 * x,
        L=0.0,
        lowest=None,
        minimizer=None,
        convex=True,
        formula=lambda: formulas.times(slope[0], "x") if d == 1 else f"<{formulas.vector(slope)}, x>",
        prox=lambda x, step: x - step * slope,
    )


def two_curvatures(draw: Draw, d: int, constants: Constants) -> Function:
    """A quadratic with no other curvature than the least and the largest of its class."""
    L, least = curvature(draw, constants), least_of(constants)
    ends = np.where(draw.random.random(d) < 0.5, least, L)
    centre = draw.points(d, 1, scale=1.0)[0]
    return Function(
        description="a quadratic of two curvatures",
        value=lambda x: (ends * (x - centre) ** 2).sum(axis=-1) / 2,
        gradient=lambda x: ends * (x - centre),
        L=L,
        lowest=0.0,
        minimizer=centre,
        convex=True,
        formula=lambda: formulas.quadratic(np.diag(ends), centre),
        prox=lambda x, step: centre + (x - centre) / (1 + step * ends),
        nearest=lambda x: np.where(ends > 0, centre, x),
    )


def _square_and(curve: Kind) -> Kind:
    """The least curvature everywhere, and a curve on top of it with the rest."""

    def make(draw: Draw, d: int, constants: Constants) -> Function:
        L, least = curvature(draw, constants), least_of(constants)
        top = curve(draw, d, replace(constants, smooth=L - least))
        centre = top.minimizer
        assert centre is not None

        def prox(x: Points, step: Any) -> Any:
            assert top.prox is not None
            return top.prox((x + step * least * centre) / (1 + step * least), step / (1 + step * least))

        return replace(
            top,
            value=lambda x: top.value(x) + least / 2 * ((x - centre) ** 2).sum(axis=-1),
            gradient=lambda x: top.gradient(x) + least * (x - centre),
            formula=lambda: (
                f"{formulas.half_square(least, centre)} + {top.formula()}"
                if least < L
                else formulas.half_square(least, centre)
            ),
            prox=None if top.prox is None else prox,
            nearest=lambda x: centre + 0 * x,
        )

    return make


def _flattest(draw: Draw, d: int, constants: Constants) -> Function:
    return half_square(draw, d, least_of(constants))


def degenerate(draw: Draw, d: int, constants: Constants) -> Function:
    """A quadratic that is constant in some directions: Lojasiewicz, not strongly convex."""
    L, least = curvature(draw, constants), least_of(constants)
    curved = two_curvatures(draw, d, replace(constants, smooth=L))
    flat = draw.random.random(d) < 0.5
    centre = curved.minimizer
    assert centre is not None
    curvatures = np.where(flat, 0.0, np.where(draw.random.random(d) < 0.5, least, L))
    return replace(
        curved,
        value=lambda x: (curvatures * (x - centre) ** 2).sum(axis=-1) / 2,
        gradient=lambda x: curvatures * (x - centre),
        formula=lambda: formulas.quadratic(np.diag(curvatures), centre),
        prox=lambda x, step: centre + (x - centre) / (1 + step * curvatures),
        nearest=lambda x: np.where(curvatures > 0, centre, x),
    )


def bent(draw: Draw, d: int, constants: Constants) -> Function:
    """Curvature L, then -L, then mu, in each coordinate: Lojasiewicz, and not convex where mu < L.

    With t = |x_j - c_j| the curvature is L up to a, -L until the slope has fallen to L w, and mu beyond.
    The square of the slope less 2 mu times the value grows, falls to zero where w^2 (L + mu) = 2 mu a^2,
    and stays.
    """
    L, least = curvature(draw, constants), least_of(constants)
    a, centre = draw.length(), draw.points(d, 1, scale=1.0)[0]
    ratio = np.sqrt(2 * least / (L + least)) * SLACK
    w = a * float(min(1.0, np.ceil(16 * ratio) / 16 if draw.plain else ratio))
    b = 2 * a - w

    def pieces(x: Points) -> tuple[Any, Any, Any]:
        t = np.abs(x - centre)
        return np.minimum(t, a), np.minimum(np.maximum(t, a), b) - a, np.maximum(t, b) - b

    def value(x: Points) -> Any:
        near, down, far = pieces(x)
        each = L / 2 * near**2 + L * down * (a - down / 2) + far * (L * w + least / 2 * far)
        return each.sum(axis=-1)

    def gradient(x: Points) -> Any:
        near, down, far = pieces(x)
        return sign(x - centre) * (L * (near - down) + least * far)

    return Function(
        description="bent",
        value=value,
        gradient=gradient,
        L=L,
        lowest=0.0,
        minimizer=centre,
        convex=False,
        formula=lambda: formulas.bent(L, least, a, w, centre),
        nearest=lambda x: centre + 0 * x,
    )


def _valley(draw: Draw, d: int, constants: Constants) -> Function:
    L, least = curvature(draw, constants), least_of(constants)
    bend = bend_within(L / least) if d > 1 else None
    return degenerate(draw, d, constants) if bend is None else valley(draw, d, L, least, bend)


def _bowl(draw: Draw, d: int, constants: Constants) -> Function:
    L, least = curvature(draw, constants), least_of(constants)
    shape = bowl_within(L / least) if d > 1 else None
    return bent(draw, d, constants) if shape is None else bowl(draw, d, L, least, shape)


def quartic(draw: Draw, d: int, _: Constants) -> Function:
    centre = draw.points(d, 1, scale=1.0)[0]
    return Function(
        description="quartic",
        value=lambda x: ((x - centre) ** 4).sum(axis=-1),
        gradient=lambda x: 4 * (x - centre) ** 3,
        L=np.inf,
        lowest=0.0,
        minimizer=centre,
        convex=True,
        formula=lambda: formulas.summed(1.0, "{}^4", centre),
    )


def constant(draw: Draw, d: int, _: Constants) -> Function:
    return CURVES["constant"](draw, d, 0.0)


SMOOTH: Final[dict[str, Kind]] = {name: _make_kind_of_curve(name) for name in CURVES} | {
    "quadratic": _rotated,
    "saddle": _saddle,
    "two curvatures": two_curvatures,
    "linear": linear,
}
STRONG: Final[dict[str, Kind]] = {
    "quadratic": _rotated,
    "two curvatures": two_curvatures,
    "half square": _make_kind_of_curve("half square"),
    "flattest": _flattest,
    **{name: _square_and(_make_kind_of_curve(name)) for name in ("hyperbola", "huber", "hinge")},
}
STRONG_AND_GROWING: Final[dict[str, Kind]] = {
    name: _square_and(GROWING[name]) for name in ("steepening", "cosh", "then straight")
}
LOJASIEWICZ: Final[dict[str, Kind]] = {
    "degenerate": degenerate,
    "bent": bent,
    "valley": _valley,
    "bowl": _bowl,
}
LEVELLING: Final[dict[str, Kind]] = {shape: make_levelling(shape) for shape in SHAPES} | {
    "linear": linear,
    "constant": constant,
}
KINKED: Final[dict[str, Kind]] = {shape: make_kinked(shape) for shape in KINKS} | {
    "cone": cone,
    "uneven": uneven,
    "steepest": steepest,
    "linear": linear,
}
STRONG_WITH_KINKS: Final[dict[str, Kind]] = {
    name: _square_and(KINKED[name]) for name in ("absolute value", "cone", "uneven", "steepest")
}
HOLDER: Final[dict[str, Kind]] = {shape: level_within(shape) for shape in SHAPES} | {
    "power": make_power(1),
    "hill": make_power(-1),
    "ramp": ramp,
    "linear": linear,
    "constant": constant,
}
