"""Functions of other kinds than usual: short, falling and long gradients, long steps, coupled coordinates.

Code that leaves out what is short, ends where gradients are, bounds what is long, refuses a step that raises
the value or moves coordinates in turn is the listing wherever nothing of that happens. Asked once every other
line agrees.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.bounding import BOUNDED, add_to_norm
from verify.conformance.instance import Instance, instance, of_data, turned
from verify.conformance.lab import Lab, is_near
from verify.conformance.listing import Part, Point, length
from verify.conformance.other_movements import SLOPE, server_part
from verify.conformance.slips import OTHERS
from verify.conformance.verdict import Observation, Verdict, differs

DRAWN = (Part.SAMPLING, Part.NOISE, Part.OUTPUT)
SHORT, LONG = 1e-4, 1e8
GUARD = 1e-12  # the largest constant against 0/0 in a divisor that counts as rounding
MANY = 1e12  # a threshold that clips nothing
APART = 0.3  # of a slope: the gradients of the data points of one client
MOST = 23  # clients: no multiple of a usual chunk
FALLING, RAISING = 0.9, 2.5  # the step times the curvature: gradients fall tenfold, values rise
BENDS = np.linspace(0.1, 0.8, len(SLOPE))  # the curvatures of coupled coordinates, times the steps
SMALL = 1e-3  # a threshold below what a norm may count as at least, against division by zero
Regime = Callable[[Lab], list[Observation]]


def read_regimes(lab: Lab, before: Sequence[Observation]) -> list[Observation]:
    """The first regime in which the code moves otherwise than the listing; none if another line differs."""
    if any(one.verdict is Verdict.DIFFERS and one.part not in DRAWN for one in before):
        return []
    regimes: list[Regime] = [
        _read_falling,
        _read_short,
        _read_small,
        _read_raising,
        _read_long,
        _read_coupled,
    ]
    if not any(one.verdict is Verdict.DIFFERS and one.part is Part.SAMPLING for one in before):
        regimes.append(_read_many)
    if lab.listing.gaussian:  # elsewhere a sample of the data may be the noise that the listing names
        regimes.append(_read_data)
    if lab.listing.law == "full":  # elsewhere the experiment of the average tells where clients start
        regimes.append(_read_clients)
    return next((found for regime in regimes if (found := regime(lab))), [])


def _read_short(lab: Lab) -> list[Observation]:
    at = lab.listing.point()
    moved, expected = _both(lab, at, instance(SHORT * SLOPE))
    if is_near(moved, expected):
        return []
    part = Part.UPDATE if lab.listing.line(Part.UPDATE) else server_part(lab)
    part = (
        Part.BOUNDING if lab.listing.bounding == "normalize" else part
    )  # which removes factors of the update
    because = f"one client with a linear function whose slope has length {SHORT * length(SLOPE):.1g}"
    slip = "short_left_out" if (moved == 0).any() else None
    found = differs(part, length(moved), length(expected), because, slip)
    return [found] if lab.listing.bounding != "normalize" else _name_guard(lab, found, at, moved, expected)


def _name_guard(
    lab: Lab, found: Observation, at: Point, moved: Floats, expected: Floats
) -> list[Observation]:
    """A constant in the divisor shows where the update is short; one against 0/0 alone is no difference."""
    size, shorter = SHORT * length(SLOPE) * at.E, length(moved) / length(expected)
    if not (0 < shorter < 1 and is_near(moved, shorter * expected)):
        return [found]
    constant = size * (1 / shorter - 1)
    smaller = length(lab.movement(instance(SHORT / 2 * SLOPE), at)) / length(expected)
    if is_near(smaller, shorter / 2):
        if is_near(size / shorter, at.C):  # divided by what it is multiplied with
            return [replace(found, cause=OTHERS["short_as_it_is"], slip="short_as_it_is")]
        cause = f"the norm in the divisor is at least {size / shorter:.3g}, however short the update is"
        return [replace(found, cause=cause, slip="least_divisor")]
    if constant * at.eta < GUARD * 1.01:  # it may be in the norm of the difference of the models
        return []
    return [replace(found, cause=add_to_norm(constant, "normalize").cause, slip="small_constant")]


def _read_small(lab: Lab) -> list[Observation]:
    """A small threshold: a norm that counts as some length at least leaves longer updates too short."""
    if lab.listing.bounding != "clip":
        return []
    at, size = lab.listing.point(C=SMALL, eta=1.0), 4 * SMALL
    moved, expected = _both(lab, at, instance(size / at.E * SLOPE / length(SLOPE)))
    if is_near(moved, expected):
        return []
    because = f"one client with a linear function, and the threshold {SMALL:g}"
    found = differs(Part.BOUNDING, length(moved), length(expected), because)
    least = size * length(expected) / max(length(moved), 1e-300)
    if not is_near(moved * least, expected * size):
        return [found]
    cause = f"a norm counts as {least:.3g} at least where the threshold is divided by it"
    return [replace(found, cause=cause, slip="least_norm")]


def _read_falling(lab: Lab) -> list[Observation]:
    """Local steps until gradients are rounding; in one coordinate slower, so that directions change."""
    if not lab.listing.several_steps:
        return []
    at = lab.listing.point(E=40, C=MANY if lab.listing.bounding == "clip" else 2.9)
    curvature = np.array([1.0, 1.0, 1.0, 1.0, 0.5]) * FALLING / at.eta
    shown = instance(SLOPE, curvature)
    moved, expected = _both(lab, at, shown)
    if is_near(moved, expected):
        return []
    because = f"one client with a curved function: {at.E} local steps along falling gradients"
    fewer = [_listed(lab, at, shown, steps) for steps in range(1, at.E)]
    slip = "ended_early" if any(is_near(moved, one) for one in fewer) else None
    if slip and is_near(lab.movement(replace(shown, sizes=(at.E,)), at), expected):
        slip = "of_few_data"
    return [differs(Part.LOCAL_COUNT, length(moved), length(expected), because, slip)]


def _read_raising(lab: Lab) -> list[Observation]:
    at = lab.listing.point(C=MANY if lab.listing.bounding == "clip" else 2.9)
    moved, expected = _both(lab, at, instance(SLOPE, RAISING / _step(lab, at)))
    if is_near(moved, expected):
        return []
    part = Part.LOCAL_STEP if lab.listing.several_steps else Part.SERVER_STEP
    because = f"one client with a curved function: the step is {RAISING:g} over the curvature"
    slip = None if moved.any() else "descent_only"
    return [differs(part, length(moved), length(expected), because, slip)]


def _read_long(lab: Lab) -> list[Observation]:
    """Long gradients below the threshold; a second constant bounds each of them, or their sum."""
    at = lab.listing.point(C=MANY if lab.listing.bounding == "clip" else 2.9)
    curvature = np.linspace(0.0, 0.8, len(SLOPE)) / (at.eta * at.E)
    moved, expected = _both(lab, at, instance(LONG * SLOPE, curvature))
    if is_near(moved, expected):
        return []
    because = f"one client with slopes of length {LONG * length(SLOPE):.1g}, below the threshold"
    part = Part.LOCAL_STEP if lab.listing.several_steps else server_part(lab)
    slip = find_bound(lab)
    part = Part.UPDATE if slip == "update_bounded" else part
    return [differs(part, length(moved), length(expected), because, slip)]


def find_bound(lab: Lab) -> str | None:
    """What a constant bounds besides: movements that no longer gradient makes longer, but more steps may.

    A gradient that is divided by its length moves the state by as much where it is short.
    """
    if lab.listing.bounding == "normalize":
        return None
    at = lab.listing.point(C=MANY)
    once, longer, twice = (
        length(lab.movement(instance(size * LONG * SLOPE), replace(at, E=at.E * more)))
        for size, more in ((1, 1), (10, 1), (1, 2))
    )
    if not is_near(once, longer):
        return None
    if is_near(once, length(lab.movement(instance(SHORT * SLOPE), at))):
        return "gradient_normalized"
    return "update_bounded" if lab.listing.several_steps and is_near(once, twice) else "gradient_bounded"


def _read_coupled(lab: Lab) -> list[Observation]:
    """A Hessian without zeros: each coordinate of the gradient depends on every coordinate of the point."""
    at = lab.listing.point(C=MANY if lab.listing.bounding == "clip" else 2.9)
    shown = turned(instance(SLOPE, BENDS / (_step(lab, at) * at.E)))
    moved, expected = _both(lab, at, shown)
    if is_near(moved, expected):
        return []
    part = Part.LOCAL_STEP if lab.listing.several_steps else Part.SERVER_STEP
    apart = float(np.abs(moved - expected).max())
    because = f"one client, a Hessian that is not diagonal; the movements are up to {apart:.2g} apart"
    forth = range(len(SLOPE))
    swept = [_swept(lab, at, shown, [[j] for j in order]) for order in (forth, forth[::-1])]
    slip = "coordinate_by_coordinate" if any(is_near(moved, one) for one in swept) else None
    halves = [(forth[:cut], forth[cut:]) for cut in forth[1:]]
    turns = [_swept(lab, at, shown, one[::way]) for one in halves for way in (1, -1)]
    slip = "layer_by_layer" if slip is None and any(is_near(moved, one) for one in turns) else slip
    return [differs(part, length(moved), length(expected), because, slip)]


def _read_many(lab: Lab) -> list[Observation]:
    """Clients by the dozen that all take part: what is left out of a chunk or as an outlier shows."""
    at = lab.listing.point(n=MOST, r=MOST, C=MANY if lab.listing.bounding == "clip" else 2.9)
    slopes = SLOPE * np.linspace(0.5, 1.5, MOST)[:, None] * np.cos(np.arange(MOST))[:, None]
    moved = lab.movement(instance(slopes), at)
    bounded = [_moved(lab, at, at.E * slope, at.E) for slope in slopes]
    expected = np.mean(bounded, axis=0)
    if is_near(moved, expected, float(np.abs(bounded).max())):
        return []
    part = Part.AVERAGE if lab.listing.line(Part.AVERAGE) else server_part(lab)
    because = f"{MOST} clients that all take part, and four at most in the other experiments"
    return [differs(part, length(moved), length(expected), because, "some_left_out")]


def _read_data(lab: Lab) -> list[Observation]:
    """A client whose data points have other gradients: those of some of them are not the client's."""
    at = lab.listing.point(C=MANY if lab.listing.bounding == "clip" else 2.9)
    rows = np.array([SLOPE + APART * np.roll(SLOPE, i) for i in range(1, len(SLOPE))])
    moved, expected = _both(lab, at, of_data((rows,)))
    if is_near(moved, expected):
        return []
    part = Part.LOCAL_STEP if lab.listing.several_steps else server_part(lab)
    because = f"one client, {len(rows)} data points with different gradients"
    return [differs(part, length(moved), length(expected), because, "minibatch")]


def _read_clients(lab: Lab) -> list[Observation]:
    """Several curved clients: the gradient of each is one at the state, not where another one has led."""
    n = 3
    at = lab.listing.point(n=n, r=n)
    slopes = np.array([np.roll(SLOPE, i) for i in range(n)])
    shown = turned(instance(slopes, BENDS / at.beta))
    moved, expected = lab.movement(shown, at), lab.listing.server(at) * slopes.mean(axis=0)
    if is_near(moved, expected):
        return []
    because = f"{n} clients with curved functions"
    led = [_led(shown, lab.listing.server(at) / n, order) for order in permutations(range(n))]
    slip = "client_by_client" if any(is_near(moved, one) for one in led) else None
    return [differs(Part.SERVER_STEP, length(moved), length(expected), because, slip)]


def _step(lab: Lab, at: Point) -> float:
    return at.eta if lab.listing.several_steps else at.beta


def _both(lab: Lab, at: Point, shown: Instance) -> tuple[Floats, Floats]:
    """The movement of one client with this function, measured and as listed."""
    return lab.movement(shown, at), _listed(lab, at, shown, at.E)


def _listed(lab: Lab, at: Point, shown: Instance, steps: int) -> Floats:
    y, total = np.zeros(shown.dimension), np.zeros(shown.dimension)
    for _ in range(steps):
        gradient = _gradient(shown, 0, y)
        y, total = y - at.eta * gradient, total + gradient
    return _moved(lab, at, total, steps)


def _swept(lab: Lab, at: Point, shown: Instance, order: Sequence[Sequence[int]]) -> Floats:
    """The movement if each of these groups of coordinates moves where those before it have led."""
    y, step = np.zeros(shown.dimension), _step(lab, at)
    for _ in range(at.E):
        for group in order:
            y[list(group)] -= step * _gradient(shown, 0, y)[list(group)]
    return _moved(lab, at, -y / step, at.E)


def _led(shown: Instance, step: float, order: Sequence[int]) -> Floats:
    """The movement if every client's gradient is taken where the clients before it have led."""
    y = np.zeros(shown.dimension)
    for i in order:
        y -= step * _gradient(shown, i, y)
    return -y


def _gradient(shown: Instance, client: int, away: Floats) -> Floats:
    gradient: Floats = shown.slopes[client] + shown.bend(shown.curvatures[client], away)
    return gradient


def _moved(lab: Lab, at: Point, total: Floats, steps: int) -> Floats:
    """How the server moves after one client's local gradients with this sum."""
    u = total * lab.listing.update(at)
    movement: Floats = lab.listing.server(at) * BOUNDED[lab.listing.bounding].value(u, at, u / steps)
    return movement
