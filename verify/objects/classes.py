"""Functions of a class that a lemma declares, the extremal ones of the class among them.

Each kind meets its class by construction, with the constants that were drawn before it. All kinds get a
random offset: a lowest value of zero would hide that a lemma forgets it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, final

import numpy as np

from bounds.language.lemmas.objects import FunctionObject
from verify.objects import formulas
from verify.objects.draw import Draw, Points
from verify.objects.functions import CURVES, SLACK, Function, Written, half_square, log_cosh, quadratic


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Constants:
    """What the declaration names, as numbers; None where it names nothing."""

    smooth: float | None
    strong: float | None
    lipschitz: float | None
    lojasiewicz: float | None


def why_none(f: FunctionObject) -> str | None:
    """The sentence on a class of which nothing is drawn."""
    if f.lipschitz is not None and (f.strongly_convex is not None or f.lojasiewicz is not None):
        other = "strongly convex" if f.strongly_convex is not None else "Lojasiewicz"
        return (
            f"no function is drawn for {f.name}, which is {other} and Lipschitz everywhere: drop "
            f"`lipschitz=`, and bound the gradient by a condition, as norm({f.name}.gradient(x)) <= G"
        )
    if f.lojasiewicz is not None and f.smooth is None:
        return f"no function is drawn for {f.name}, which is Lojasiewicz and not smooth: add `smooth=L`"
    return None


def drawn_function(draw: Draw, d: int, f: FunctionObject, constants: Constants) -> Function:
    """One function of the class, moved up or down."""
    kinds = _kinds(f, constants)
    preferred = {name: make for name, make in kinds.items() if name in draw.family.curves}
    names = sorted(preferred or kinds)
    made = kinds[names[int(draw.random.integers(len(names)))]](draw, d, constants)
    return _named(_moved(made, _offset(draw)))


Kind = Callable[[Draw, int, Constants], Function]


def _kinds(f: FunctionObject, constants: Constants) -> dict[str, Kind]:
    if constants.lojasiewicz is not None and constants.strong is None:
        return STRONG | LOJASIEWICZ
    if constants.strong is not None:
        return STRONG
    if constants.lipschitz is not None:
        found = LEVELLING if constants.smooth is not None else LEVELLING | KINKED
    elif constants.smooth is not None:
        found = SMOOTH
    else:
        found = SMOOTH | KINKED | {"quartic": quartic}
    return {name: make for name, make in found.items() if _fits(name, f)}


NOT_CONVEX: Final = {"wave", "saddle", "slow wave", "ripple"}
NOT_BOUNDED: Final = {"saddle", "linear"}


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


def _named(f: Function) -> Function:
    gradient = Written(f.gradient, lambda: f"the gradient of {f.formula()}")
    return replace(f, value=Written(f.value, f.formula), gradient=gradient)


def _curvature(draw: Draw, d: int, constants: Constants) -> float:
    """The largest curvature of the class, or one that is drawn where nothing bounds it."""
    if constants.smooth is not None:
        return constants.smooth
    largest = draw.decades(-1, 1)
    return max(largest, 2 * max(constants.strong or 0, constants.lojasiewicz or 0))


def _make_kind_of_curve(name: str) -> Kind:
    return lambda draw, d, constants: CURVES[name](draw, d, _curvature(draw, d, constants))


def _rotated(draw: Draw, d: int, constants: Constants) -> Function:
    """Away from the ends of the class by what the rounding of a rotated matrix could add."""
    L, least = _curvature(draw, d, constants), _least(constants)
    if d == 1 or draw.plain:
        return quadratic(draw, d, L, least)
    if least * SLACK > L / SLACK:
        return two_curvatures(draw, d, constants)
    return quadratic(draw, d, L / SLACK, least * SLACK)


def _saddle(draw: Draw, d: int, constants: Constants) -> Function:
    L = _curvature(draw, d, constants)
    return CURVES["saddle"](draw, d, L if d == 1 or draw.plain else L / SLACK)


def linear(draw: Draw, d: int, constants: Constants) -> Function:
    slope = draw.directions(d, 1)[0] * (constants.lipschitz or draw.length())
    return Function(
        said="linear",
        value=lambda x: (slope * x).sum(axis=-1),
        gradient=lambda x: slope + 0 * x,
        L=0.0,
        lowest=None,
        minimizer=None,
        convex=True,
        formula=lambda: formulas.times(slope[0], "x") if d == 1 else f"<{formulas.vector(slope)}, x>",
    )


def two_curvatures(draw: Draw, d: int, constants: Constants) -> Function:
    """A quadratic with no other curvature than the least and the largest of its class."""
    L, least = _curvature(draw, d, constants), _least(constants)
    ends = np.where(draw.random.random(d) < 0.5, least, L)
    centre = draw.points(d, 1, scale=1.0)[0]
    return Function(
        said="a quadratic of two curvatures",
        value=lambda x: (ends * (x - centre) ** 2).sum(axis=-1) / 2,
        gradient=lambda x: ends * (x - centre),
        L=L,
        lowest=0.0,
        minimizer=centre,
        convex=True,
        formula=lambda: formulas.quadratic(np.diag(ends), centre),
    )


def _least(constants: Constants) -> float:
    return constants.strong if constants.strong is not None else constants.lojasiewicz or 0.0


def _square_and(name: str) -> Kind:
    """The least curvature everywhere, and a curve on top of it with the rest."""

    def make(draw: Draw, d: int, constants: Constants) -> Function:
        L, least = _curvature(draw, d, constants), _least(constants)
        top = CURVES[name](draw, d, L - least)
        centre = top.minimizer
        assert centre is not None
        return replace(
            top,
            value=lambda x: top.value(x) + least / 2 * ((x - centre) ** 2).sum(axis=-1),
            gradient=lambda x: top.gradient(x) + least * (x - centre),
            formula=lambda: (
                f"{formulas.half_square(least, centre)} + {top.formula()}"
                if least < L
                else formulas.half_square(least, centre)
            ),
        )

    return make


def _flattest(draw: Draw, d: int, constants: Constants) -> Function:
    return half_square(draw, d, _least(constants))


def degenerate(draw: Draw, d: int, constants: Constants) -> Function:
    """A quadratic that is constant in some directions: Lojasiewicz, not strongly convex."""
    L, least = _curvature(draw, d, constants), _least(constants)
    made = two_curvatures(draw, d, replace(constants, smooth=L))
    flat = draw.random.random(d) < 0.5
    centre = made.minimizer
    assert centre is not None
    kept = np.where(flat, 0.0, np.where(draw.random.random(d) < 0.5, least, L))
    return replace(
        made,
        value=lambda x: (kept * (x - centre) ** 2).sum(axis=-1) / 2,
        gradient=lambda x: kept * (x - centre),
        formula=lambda: formulas.quadratic(np.diag(kept), centre),
    )


def bent(draw: Draw, d: int, constants: Constants) -> Function:
    """Curvature L, then -L, then mu, in each coordinate: Lojasiewicz, and not convex where mu < L.

    With t = |x_j - c_j| the curvature is L up to a, -L until the slope has fallen to L w, and mu beyond.
    The square of the slope less 2 mu times the value grows, falls to zero where w^2 (L + mu) = 2 mu a^2,
    and stays.
    """
    L, least = _curvature(draw, d, constants), _least(constants)
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
        return _sign(x - centre) * (L * (near - down) + least * far)

    return Function(
        said="bent",
        value=value,
        gradient=gradient,
        L=L,
        lowest=0.0,
        minimizer=centre,
        convex=False,
        formula=lambda: formulas.bent(L, least, a, w, centre),
    )


Shape = tuple[Callable[[Points], Any], Callable[[Points], Any], str]


def _levelling(shape: str) -> Kind:
    """Gradients that grow with slope L and level off at G: s^2 L phi(t/s) with s = G/L."""

    def make(draw: Draw, d: int, constants: Constants) -> Function:
        G = constants.lipschitz
        assert G is not None
        L = constants.smooth if constants.smooth is not None else draw.decades(-1, 1)
        s, centre = G / (L * np.sqrt(d)), draw.points(d, 1, scale=1.0)[0]
        value, slope, said = SHAPES[shape]
        return Function(
            said=shape,
            value=lambda x: L * s * s * value((x - centre) / s).sum(axis=-1),
            gradient=lambda x: L * s * slope((x - centre) / s),
            L=L,
            lowest=0.0,
            minimizer=centre,
            convex=shape != "slow wave",
            formula=lambda: formulas.summed(
                L * s * s, said.format(f"{{}}/{formulas.number(s)}" if s != 1 else "{}"), centre
            ),
        )

    return make


def _huber(t: Points) -> Any:
    inside = np.minimum(np.abs(t), 1.0)
    return inside * (np.abs(t) - inside / 2)


SHAPES: Final[dict[str, Shape]] = {
    "huber": (_huber, lambda t: np.maximum(np.minimum(t, 1.0), -1.0), "huber({})"),
    "hyperbola": (lambda t: log_cosh(t), lambda t: np.tanh(t), "log(cosh({}))"),
    "slow wave": (lambda t: 2 * np.sin(t / 2) ** 2, lambda t: np.sin(t), "1 - cos({})"),
}


def _sign(t: Points) -> Any:
    return np.where(t > 0, 1.0, np.where(t < 0, -1.0, 0.0))


def _kinked(shape: str) -> Kind:
    """A sum over coordinates with slopes of at most G/sqrt(d)."""

    def make(draw: Draw, d: int, constants: Constants) -> Function:
        G = constants.lipschitz if constants.lipschitz is not None else draw.decades(-1, 1)
        g, centre = G / np.sqrt(d), draw.points(d, 1, scale=1.0)[0]
        value, slope, said = KINKS[shape]
        return Function(
            said=shape,
            value=lambda x: g * value(x - centre).sum(axis=-1),
            gradient=lambda x: g * slope(x - centre),
            L=np.inf,
            lowest=0.0,
            minimizer=centre,
            convex=shape != "ripple",
            formula=lambda: formulas.summed(g, said, centre),
        )

    return make


KINKS: Final[dict[str, Shape]] = {
    "absolute value": (lambda t: np.abs(t), lambda t: _sign(t), "|{}|"),
    "ramp": (lambda t: np.maximum(t, 0.0), lambda t: np.where(t > 0, 1.0, 0.0), "max(0, {})"),
    "ripple": (
        lambda t: np.abs(np.sin(t)),
        lambda t: _sign(np.sin(t)) * np.cos(t),
        "|sin({})|",
    ),
}


def cone(draw: Draw, d: int, constants: Constants) -> Function:
    """G ||x - c||, with subgradient zero at its tip."""
    G = constants.lipschitz if constants.lipschitz is not None else draw.decades(-1, 1)
    centre = draw.points(d, 1, scale=1.0)[0]

    def gradient(x: Points) -> Any:
        away = np.sqrt(((x - centre) ** 2).sum(axis=-1, keepdims=True))
        return G * (x - centre) / np.where(away > 0, away, 1.0)

    return Function(
        said="a cone",
        value=lambda x: G * np.sqrt(((x - centre) ** 2).sum(axis=-1)),
        gradient=gradient,
        L=np.inf,
        lowest=0.0,
        minimizer=centre,
        convex=True,
        formula=lambda: (
            formulas.summed(G, "|{}|", centre)
            if d == 1
            else formulas.times(G, f"||x - {formulas.vector(centre)}||")
        ),
    )


def quartic(draw: Draw, d: int, _: Constants) -> Function:
    centre = draw.points(d, 1, scale=1.0)[0]
    return Function(
        said="quartic",
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
    **{name: _square_and(name) for name in ("hyperbola", "huber", "hinge")},
}
LOJASIEWICZ: Final[dict[str, Kind]] = {"degenerate": degenerate, "bent": bent}
LEVELLING: Final[dict[str, Kind]] = {shape: _levelling(shape) for shape in SHAPES} | {
    "linear": linear,
    "constant": constant,
}
KINKED: Final[dict[str, Kind]] = {shape: _kinked(shape) for shape in KINKS} | {
    "cone": cone,
    "linear": linear,
}
