"""Functions with bounded slopes: those that level off, and those with kinks."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from verify.objects import formulas
from verify.objects.constants import Constants, Kind
from verify.objects.draw import Draw, Points
from verify.objects.functions import Function, log_cosh

Shape = tuple[Callable[[Points], Any], Callable[[Points], Any], str]


def make_levelling(shape: str) -> Kind:
    """Gradients that grow with slope L and level off at G: s^2 L phi(t/s) with s = G/L."""

    def make(draw: Draw, d: int, constants: Constants) -> Function:
        G = constants.lipschitz
        assert G is not None
        L = constants.smooth if constants.smooth is not None else draw.decades(-1, 1)
        s, centre = G / (L * np.sqrt(d)), draw.points(d, 1, scale=1.0)[0]
        value, slope, form = SHAPES[shape]
        return Function(
            description=shape,
            value=lambda x: L * s * s * value((x - centre) / s).sum(axis=-1),
            gradient=lambda x: L * s * slope((x - centre) / s),
            L=L,
            lowest=0.0,
            minimizer=centre,
            convex=shape != "slow wave",
            formula=lambda: formulas.levelling(L * s * s, form, s, centre),
            prox=(lambda x, step: x - step * L * np.clip((x - centre) / (1 + step * L), -s, s))
            if shape == "huber"
            else None,
            nearest=None if shape == "slow wave" else lambda x: centre + 0 * x,
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


def sign(t: Points) -> Any:
    return np.where(t > 0, 1.0, np.where(t < 0, -1.0, 0.0))


def make_kinked(shape: str) -> Kind:
    """A sum over coordinates with slopes of at most G/sqrt(d)."""

    def make(draw: Draw, d: int, constants: Constants) -> Function:
        G = constants.lipschitz if constants.lipschitz is not None else draw.decades(-1, 1)
        g, centre = G / np.sqrt(d), draw.points(d, 1, scale=1.0)[0]
        value, slope, form = KINKS[shape]
        return Function(
            description=shape,
            value=lambda x: g * value(x - centre).sum(axis=-1),
            gradient=lambda x: g * slope(x - centre),
            L=np.inf,
            lowest=0.0,
            minimizer=centre,
            convex=shape != "ripple",
            formula=lambda: formulas.summed(g, form, centre),
            prox=PROX.get(shape, lambda _, __: None)(g, centre),
            nearest=NEAREST.get(shape, lambda _: None)(centre),
        )

    return make


KINKS: Final[dict[str, Shape]] = {
    "absolute value": (lambda t: np.abs(t), lambda t: sign(t), "|{}|"),
    "ramp": (lambda t: np.maximum(t, 0.0), lambda t: np.where(t > 0, 1.0, 0.0), "max(0, {})"),
    "ripple": (
        lambda t: np.abs(np.sin(t)),
        lambda t: sign(np.sin(t)) * np.cos(t),
        "|sin({})|",
    ),
}


# v - clip(v, -step g, step g) shrinks v by so much; a ramp is flat below its edge.
PROX: Final[dict[str, Callable[[float, Points], Callable[[Points, Any], Any]]]] = {
    "absolute value": lambda g, c: lambda x, step: x - np.minimum(np.maximum(x - c, -step * g), step * g),
    "ramp": lambda g, c: lambda x, step: x - np.minimum(np.maximum(x - c, 0.0), step * g),
}
NEAREST: Final[dict[str, Callable[[Points], Callable[[Points], Any]]]] = {
    "absolute value": lambda c: lambda x: c + 0 * x,
    "ramp": lambda c: lambda x: np.minimum(x, c),
}


def cone(draw: Draw, d: int, constants: Constants) -> Function:
    """G ||x - c||, with subgradient zero at its tip."""
    G = constants.lipschitz if constants.lipschitz is not None else draw.decades(-1, 1)
    centre = draw.points(d, 1, scale=1.0)[0]

    def gradient(x: Points) -> Any:
        away = np.sqrt(((x - centre) ** 2).sum(axis=-1, keepdims=True))
        return G * (x - centre) / np.where(away > 0, away, 1.0)

    def prox(x: Points, step: Any) -> Any:
        away = np.sqrt(((x - centre) ** 2).sum(axis=-1, keepdims=True))
        return centre + (x - centre) * (1 - step * G / np.maximum(away, step * G))

    return Function(
        description="a cone",
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
        prox=prox,
        nearest=lambda x: centre + 0 * x,
    )
