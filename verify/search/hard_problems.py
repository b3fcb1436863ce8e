"""Problems that are hard on bounds, from coordinates: clients alike, one apart, flat, ill-conditioned.

Every shape has a scale of f (its curvature) and of x (how far the start and the minima are), from tiny to
huge. Exact algorithms get fractions of few binary digits, so that exact runs stay short.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, frexp
from typing import Any, Final, final

CLIENTS: Final = (1, 2, 3, 5, 10, 20)
FEW_CLIENTS: Final = CLIENTS[:3]  # of exact runs, whose time grows with their number
DIMENSIONS: Final = (1, 3)
BITS: Final = 10  # of a fraction
COMPONENTS: Final = 4

Coordinates = Sequence[float]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Arguments for a family of `synthetic.problems`, and where a run on it starts."""

    name: str
    arguments: dict[str, Any]
    start: list[Any]
    clients: int
    smoothness: Any


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """`make(coordinates, exact)` for `size` coordinates; `counted`: the first chooses how many clients."""

    name: str
    size: int
    make: Callable[[Coordinates, bool], Problem]
    counted: bool = True


def decades(u: float, low: float, high: float, exact: bool) -> Any:
    """Between 10^low and 10^high."""
    return few_bits(10 ** (low + (high - low) * u)) if exact else 10 ** (low + (high - low) * u)


def few_bits(value: float, *, up: bool = False) -> Fraction:
    """The nearest number of few binary digits on that side."""
    mantissa, exponent = frexp(value)
    numerator = ceil(mantissa * 2**BITS) if up else floor(mantissa * 2**BITS)
    return Fraction(numerator, 2**BITS) * Fraction(2) ** exponent


def chosen(u: float, among: Sequence[Any]) -> Any:
    return among[min(int(u * len(among)), len(among) - 1)]


def _clients(u: float, exact: bool) -> int:
    return int(chosen(u, FEW_CLIENTS if exact else CLIENTS))


def _spread(u: float, exact: bool) -> Any:
    """Half of the range is no spread at all: clients that are alike."""
    return Fraction(0) if u < 0.25 else decades((u - 0.25) / 0.75, -3, 3, exact)


def _number(value: float | Fraction, exact: bool) -> Any:
    return Fraction(value) if exact else float(value)


def _rows(one: Any, others: Any, clients: int, d: int, exact: bool) -> list[list[Any]]:
    """`one` for the first client and `others` for the rest, along the first axis."""
    zeros = [_number(0, exact)] * (d - 1)
    return [[_number(one if c == 0 else others, exact), *zeros] for c in range(clients)]


def quadratic_apart(u: Coordinates, exact: bool) -> Problem:
    """One client's minimum away from all others', with another curvature or the same."""
    n, d = _clients(u[0], exact), 1 if exact else chosen(u[1], DIMENSIONS)
    steep, away = decades(u[2], -2, 2, exact), _spread(u[3], exact)
    own = steep if u[4] < 0.5 else steep * decades(2 * (1 - u[4]), -4, 0, exact)
    curvatures = [[_number(own if c == 0 else steep, exact)] * d for c in range(n)]
    start = decades(u[5], -3, 3, exact) * (1 if u[6] < 0.5 else -1)
    centers = _rows(away, 0, n, d, exact)
    return Problem(
        name="quadratic.diagonal",
        arguments={"curvatures": curvatures, "centers": centers},
        start=_along(start, d, exact),
        clients=n,
        smoothness=steep,
    )


def quadratic_near(u: Coordinates, exact: bool) -> Problem:
    """As above, and started near the minimizer, where only noise and the clients' differences are left."""
    apart = quadratic_apart(u[:7], exact)
    curvatures, centers = apart.arguments["curvatures"], apart.arguments["centers"]
    d = len(centers[0])
    total = [sum(row[j] for row in curvatures) for j in range(d)]
    pulled = [sum(h[j] * c[j] for h, c in zip(curvatures, centers, strict=True)) for j in range(d)]
    off = apart.start[0] if u[7] < 0.5 else apart.start[0] / 1000
    offsets = [off] * d if u[8] < 0.5 else [off, *[_number(0, exact)] * (d - 1)]
    start = [p / t + o for p, t, o in zip(pulled, total, offsets, strict=True)]
    return replace(apart, start=start)


def quadratic_conditioned(u: Coordinates, exact: bool) -> Problem:
    """Clients alike, of two curvatures mu and L; the start in any direction of the plane."""
    n = _clients(u[0], exact)
    steep = decades(u[1], -2, 2, exact)
    flat = steep * decades(u[2], -5, 0, exact)
    x, y = decades(u[3], -3, 3, exact), decades(u[4], -3, 3, exact)
    if u[5] < 0.25:
        x = _number(0, exact)
    elif u[5] > 0.75:
        y = _number(0, exact)
    zeros = [_number(0, exact)] * 2
    return Problem(
        name="quadratic.diagonal",
        arguments={"curvatures": [[steep, flat]] * n, "centers": [zeros] * n},
        start=[x, y],
        clients=n,
        smoothness=steep,
    )


def huber_apart(u: Coordinates, exact: bool) -> Problem:
    """A bowl that turns flat, in the middle or far out, with one client's minimum away from the others'."""
    n, d = _clients(u[0], exact), 1 if exact else chosen(u[1], DIMENSIONS)
    curvature, distance = decades(u[2], -2, 2, exact), decades(u[5], -3, 3, exact)
    threshold = distance * decades(u[3], -3, 1, exact)
    # If centers are further apart than the threshold, the minimum is not known.
    away = Fraction(0) if u[4] < 0.25 else threshold * decades((u[4] - 0.25) / 0.75, -3, 0, exact)
    start = distance * (1 if u[6] < 0.5 else -1)
    centers = _rows(away, 0, n, d, exact)
    return Problem(
        name="huber.huber",
        arguments={"curvature": curvature, "threshold": threshold, "centers": centers},
        start=_along(start, d, exact),
        clients=n,
        smoothness=curvature,
    )


def curved(u: Coordinates, exact: bool) -> Problem:
    """Alike, convex on the line, with curvatures that jump between mu and L where a run passes, or mu = 0."""
    n, steep = _clients(u[0], exact), decades(u[1], -2, 2, True)
    flat = Fraction(0) if u[2] < 0.2 else steep * decades((u[2] - 0.2) / 0.8, -4, 0, True)
    start, first = decades(u[3], -3, 3, True), int(u[4] * 4)
    ends, reached = [], Fraction(0)
    for width in u[5:8]:
        reached += start * few_bits(max(width, 2.0**-BITS))
        ends.append(reached)
    ends = ends[: 2 if u[8] < 0.5 else 3]
    # the middle is flat only where a minimum is left in it
    bends = [flat if (j + first) % 2 and (j or flat) else steep for j in range(len(ends) + 1)]
    if first >= 2:  # the same on the other side
        bends, ends = [*bends[:0:-1], *bends], [*(-t for t in ends[::-1]), *ends]
    return Problem(
        name="piecewise_quadratic.curved",
        arguments={
            "curvatures": [_number(bend, exact) for bend in bends],
            "breaks": [_number(end, exact) for end in ends],
            "clients": n,
        },
        start=[_number(start, exact)],
        clients=n,
        smoothness=_number(steep, exact),
    )


def components_apart(u: Coordinates, exact: bool) -> Problem:
    """Clients of four data points in one dimension; one data point or one client away from the others."""
    n, steep, away = chosen(u[0], CLIENTS[:4]), decades(u[1], -2, 2, False), float(_spread(u[2], False))
    of_client = u[3] < 0.5
    start = decades(u[4], -3, 3, False)
    flat = steep * decades(u[5], -4, 0, False)
    moved = [[c == 0 if of_client else j == 0 for j in range(COMPONENTS)] for c in range(n)]
    centers = [[[away if apart else 0.0] for apart in row] for row in moved]
    hessians = [[[[flat if j == 0 else steep]] for j in range(COMPONENTS)] for _ in range(n)]
    return Problem(
        name="component_sums.component_sum",
        arguments={"hessians": hessians, "centers": centers},
        start=[start],
        clients=n,
        smoothness=steep,
    )


def power_core_apart(u: Coordinates, exact: bool) -> Problem:
    """A flat bottom around every center, certified in a ball; one agent away from the others."""
    n, core = chosen(u[0], CLIENTS), decades(u[1], -1, 1, False)
    start = core * decades(u[2], -2, 1.2, False)
    away = 0.0 if u[3] < 0.25 else core * decades((u[3] - 0.25) / 0.75, -3, 0, False)
    arguments = {
        "centers": [[away if c == 0 else 0.0, 0.0] for c in range(n)],
        "power": 4.0,
        "core": core,
        "smoothness": decades(u[4], -2, 2, False),
        "set_radius": (start + away) * decades(u[5], 0.01, 2, False),
    }
    return Problem(
        name="lojasiewicz.power_core",
        arguments=arguments,
        start=[start, 0.0],
        clients=n,
        smoothness=arguments["smoothness"],
    )


def _along(start: Any, d: int, exact: bool) -> list[Any]:
    return [_number(start, exact), *([_number(0, exact)] * (d - 1))]


APART = Shape(name="quadratics, one client apart", size=7, make=quadratic_apart)
NEAR = Shape(name="quadratics, started near the minimizer", size=9, make=quadratic_near)
CONDITIONED = Shape(name="quadratics of two curvatures", size=6, make=quadratic_conditioned)
FLAT = Shape(name="Huber functions, one client apart", size=7, make=huber_apart)
CURVED = Shape(name="piecewise quadratics on the line", size=9, make=curved)
DATA_POINTS = Shape(name="data points apart", size=6, make=components_apart)
POWER_CORES = Shape(name="power cores, one agent apart", size=6, make=power_core_apart)
