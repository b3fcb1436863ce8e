"""Numbers, vectors and functions as a person writes them: short fractions, else every digit."""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from typing import Any, Final

import numpy as np

LARGEST: Final = 4096  # denominator of a fraction that is written as one
ALIKE: Final = 4  # equal entries in a row from which on they are counted


def number(value: Any) -> str:
    """The shortest text that is exactly this float."""
    given = float(value)
    if not np.isfinite(given):
        return str(given)
    near = Fraction(given).limit_denominator(LARGEST)
    if float(near) == given and abs(near.numerator) < 10**6:
        return str(near)
    mantissa, exponent = np.frexp(abs(given))
    return f"{'-' if given < 0 else ''}2^{int(exponent) - 1}" if mantissa == 0.5 else repr(given)


def vector(value: Any) -> str:
    entries = np.asarray(value)
    if entries.ndim == 0:
        return number(entries)
    if entries.shape == (1,):
        return number(entries[0])
    return f"({', '.join(_counted([vector(entry) for entry in entries]))})"


def _counted(entries: list[str]) -> Iterator[str]:
    """Equal entries in a row once, with their number."""
    for text, run in groupby(entries):
        count = len(list(run))
        yield from [f"{text} ({count} times)"] if count >= ALIKE else [text] * count


def matrix(value: Any) -> str:
    """Write its rows, or its diagonal where that is all of it."""
    entries = np.asarray(value)
    diagonal = np.diag(entries)
    if entries.shape[0] == entries.shape[1] > 2 and not np.any(entries - np.diag(diagonal)):
        return f"diag{vector(diagonal)}"
    return vector(entries)


def shifted(centre: Any, name: str = "x") -> str:
    """x - c in one dimension, as `(x - 1)`."""
    c = float(centre)
    if c == 0:
        return name
    return f"({name} {'-' if c > 0 else '+'} {number(abs(c))})"


def times(factor: Any, what: str) -> str:
    shown = number(factor)
    if shown == "0":
        return "0"
    return {"1": what, "-1": f"-{what}"}.get(shown, f"{shown} {what}")


def half_square(L: Any, centre: Any) -> str:
    if len(centre) == 1:
        return times(L / 2, f"{shifted(centre[0])}^2")
    away = "||x||^2" if not np.any(centre) else f"||x - {vector(centre)}||^2"
    return times(L / 2, away)


def quadratic(hessian: Any, centre: Any) -> str:
    if len(centre) == 1:
        return half_square(hessian[0, 0], centre)
    if np.count_nonzero(hessian - np.diag(np.diag(hessian))) == 0:
        parts = [
            half_square_of(h, c, j) for j, (h, c) in enumerate(zip(np.diag(hessian), centre, strict=True), 1)
        ]
        return " + ".join(part for part in parts if part) or "0"
    away = "x" if not np.any(centre) else f"(x - {vector(centre)})"
    return f"1/2 <{away}, H {away}> with H = {matrix(hessian)}"


def half_square_of(h: Any, c: Any, j: int) -> str:
    return "" if h == 0 else times(h / 2, f"{shifted(c, f'x_{j}')}^2")


def summed(factor: Any, shape: str, centre: Any) -> str:
    """The sum over the coordinates of a function of one variable."""
    d = len(centre)
    names = ["x"] if d == 1 else [f"x_{j}" for j in range(1, d + 1)]
    parts = [shape.format(shifted(c, name)) for name, c in zip(names, centre, strict=True)]
    inside = " + ".join(parts)
    grouped = d > 1 or " - " in shape
    return inside if number(factor) == "1" else times(factor, f"({inside})" if grouped else inside)


def plus(formula: str, offset: float) -> str:
    if formula == "0":
        return number(offset)
    body, where, meaning = formula.partition(" with ")
    return f"{body} {'-' if offset < 0 else '+'} {number(abs(offset))}{where}{meaning}"


def placed(formula: str, shift: Any, slope: Any, bend: float, at: Any) -> str:
    """A function that is moved by a shift, with a linear one and a square that are zero at a point."""
    body, where, meaning = formula.partition(" with ")
    if np.any(shift) and set(body) & {"x", "t"}:
        body, where, meaning = f"h({_away(shift)})", " with ", f"h(x) = {formula}"
    parts = ["" if body == "0" else body]
    if np.any(slope):
        parts.append(f"<{vector(slope)}, {_away(at)}>" if len(slope) > 1 else times(slope[0], shifted(at[0])))
    if bend:
        parts.append(half_square(bend, at))
    shown = " + ".join(part for part in parts if part).replace("+ -", "- ")
    return f"{shown or '0'}{where}{meaning}"


def _away(centre: Any) -> str:
    if len(centre) == 1:
        return shifted(centre[0]).strip("()")
    return f"x - {vector(centre)}" if np.any(centre) else "x"


def power(H: Any, nu: Any, centre: Any) -> str:
    bar, away = "||", f"x - {vector(centre)}" if np.any(centre) else "x"
    if len(centre) == 1:
        bar, away = "|", shifted(centre[0]).strip("()")
    return times(H / (1 + nu), f"2^({number(nu - 1)}) {bar}{away}{bar}^({number(1 + nu)})")


def ramp(H: Any, nu: Any, width: Any, centre: Any) -> str:
    away = f"max({shifted(centre[0], 'x' if len(centre) == 1 else 'x_1').strip('()')}, 0)"
    w, more = number(width), number(1 + nu)
    whole, steep = ("1", away) if w == "1" else (f"({w})^({more})", f"({w})^({number(nu)}) {away}")
    return times(H, f"({steep} - ({whole} - max({w} - {away}, 0)^({more})) / ({more}))")


def uneven(slopes: Any, centre: Any) -> str:
    names = ["x"] if len(centre) == 1 else [f"x_{j}" for j in range(1, len(centre) + 1)]
    each = zip(slopes, centre, names, strict=True)
    return " + ".join(
        times(g, f"|{shifted(c, name)}|".replace("|(", "|").replace(")|", "|")) for g, c, name in each
    )


def steepest(slopes: Any, centre: Any) -> str:
    away = "x" if not np.any(centre) else f"x - {vector(centre)}"
    if len(centre) == 1:
        parts = [times(g[0], shifted(centre[0])) for g in slopes]
    else:
        parts = [f"<{vector(g)}, {away}>" for g in slopes]
    return f"max({', '.join(dict.fromkeys(parts))})"


def bent(L: Any, least: Any, a: Any, w: Any, centre: Any) -> str:
    b = 2 * a - w
    far = f"(|t| - {number(b)})"
    return (
        summed(1.0, "h({})", centre).replace("((", "(").replace("))", ")")
        + f" with h(t) = {times(L / 2, 't^2')} for |t| <= {number(a)}, "
        + f"{number(L * a * a)} - {times(L / 2, f'({number(2 * a)} - |t|)^2')} for |t| <= {number(b)}, else "
        + f"{number(L * a * a - L * w * w / 2)} + {times(L * w, far)} + {times(least / 2, f'{far}^2')}"
    )


def huber(L: Any, reach: Any, centre: Any) -> str:
    return (
        summed(L, "h({})", centre)
        + f" with h(t) = t^2/2 for |t| <= {number(reach)}, else "
        + times(reach, f"(|t| - {number(reach / 2)})")
    )


def levelling(factor: Any, shape: str, width: Any, centre: Any) -> str:
    """The formula in x over its width, which is often a power of two: `2 x` stands there, and not `x/1/2`."""
    inside = times(1 / width, "{}") if 1 / (1 / width) == width else f"{{}}/{number(width)}"
    body = summed(factor, shape.format(inside), centre)
    with_huber = shape.startswith("huber")
    return body + (" with huber(t) = t^2/2 for |t| <= 1, else |t| - 1/2" if with_huber else "")


def valley(factor: Any, least: Any, bend: Any, scale: Any, centre: Any) -> str:
    others = [f"t_{j}^2" for j in range(3, len(centre) + 1)]
    body = times(scale * scale * factor / 2, f"(t_2 - {times(bend, 'sin(t_1) exp(-t_2^2/2)')})^2")
    if others:
        body += f" + {times(scale * scale * least / 2, '(' + ' + '.join(others) + ')')}"
    away = "x" if not np.any(centre) else f"(x - {vector(centre)})"
    return f"{body} with t = {away if scale == 1 else times(1 / scale, away)}"


def rising(formula: str, rise: Any, centre: Any) -> str:
    body, where, meaning = formula.partition(" with ")
    first = f"{shifted(centre, 'x_1')}^2"
    return f"{body} + {times(rise / 2, first)}{where}{meaning}"


def steepening(flat: Any, growth: Any, centre: Any) -> str:
    s = times(growth, "|{0}|")
    return summed(flat / growth**2, f"exp({s}) - {s} - 1", centre).replace("|(", "|").replace(")|", "|")


def cosh(factor: Any, growth: Any, centre: Any) -> str:
    return _without_double_brackets(summed(factor, f"cosh({times(growth, '{}')}) - 1", centre))


def _without_double_brackets(formula: str) -> str:
    return re.sub(r"\(\(([^()]*)\)\)", r"(\1)", formula)


def turning(flat: Any, growth: Any, turn: Any, centre: Any, *, falls: bool) -> str:
    near, m = f"exp(s) - s - 1 for s <= {number(turn)}", number(turn)
    far = f"exp({m}) - 1 - {m} + (exp({m}) - 1) (s - {m})"
    if falls:
        top = times(2, f"exp({m})")
        far = f"{top} - 1 - s - exp({number(2 * turn)} - s) for s <= {number(2 * turn)}, else "
        far = f"{far}{top} - {number(2 + 2 * turn)}"
    else:
        far = f"else {far}"
    body = summed(flat / growth**2, f"h({times(growth, '|{0}|')})", centre)
    return f"{body.replace('|(', '|').replace(')|', '|')} with h(s) = {near}, {far}"


def dented(weak: Any, width: Any, centre: Any) -> str:
    return summed(weak / 2, f"|{{}}^2 - {number(width * width)}|", centre)


def _squared_distance(centre: Any) -> str:
    return half_square(2.0, centre)


def crater(L: Any, w: Any, centre: Any) -> str:
    return f"{times(L * w * w / 2, 's')}/({number(w * w)} + s) with s = {_squared_distance(centre)}"


def terrace(L: Any, w: Any, centre: Any) -> str:
    """Its slope says all of it."""
    one, two = number(w), number(2 * w)
    return (
        f"h(r) with r^2 = {_squared_distance(centre)}, h(0) = 0, h'(r) = {times(L, 'r')} up to {one}, "
        f"then {times(L, f'({two} - r)')} up to {two}, then {times(L, f'(r - {two})')}"
    )


def along(factor: Any, form: str, direction: Any, centre: Any) -> str:
    if len(centre) == 1:
        return f"{times(factor, f'({form})')} with t = {times(direction[0], shifted(centre[0]))}"
    return f"{times(factor, f'({form})')} with t = <{vector(direction)}, x - {vector(centre)}>"


def folded(slope: Any, weak: Any, centre: Any) -> str:
    end = slope / weak
    return (
        _without_double_brackets(summed(1.0, "h({})", centre))
        + f" with h(t) = {times(slope, '|t|')} - {times(weak / 2, 't^2')} for |t| <= {number(end)}, else "
        + number(slope * end / 2)
    )
