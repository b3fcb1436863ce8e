"""Update, bounding and server step, from one round of one client with linear functions of several lengths.

The three factors are found together: the explanation with the fewest slips that gives every measured vector.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.average import is_average
from verify.conformance.bounding import (
    BOUNDED,
    FAR,
    Bounding,
    add_to_norm,
    add_to_squares,
    bound_by,
    bound_layers,
    bound_some,
    boundings,
    norms_of_layers,
    shrink,
)
from verify.conformance.instance import instance
from verify.conformance.lab import Lab, is_near
from verify.conformance.listing import Listing, Part, Point, length
from verify.conformance.local_steps import changes_path, is_projected
from verify.conformance.other_movements import is_adaptive, name_dependence, server_part
from verify.conformance.regimes import find_bound
from verify.conformance.slips import OTHERS, PLAIN_UPDATES, SERVER_STEPS, UPDATES, Slip
from verify.conformance.updates_seen import (
    DIRECTION,
    LENGTHS,
    OTHER,
    Explanation,
    Fits,
    Seen,
    measure_updates,
    see_update,
)
from verify.conformance.verdict import Observation, agrees, differs, not_observable

SIZE, MORE = 3, 60  # data points of the client, and more than any number of local steps
BECAUSE = "one client, linear functions of five lengths, three settings"
ONE_GRADIENT = ("each_step", "threshold_times_steps")  # the same where every local gradient is


def read_update(lab: Lab, fits: Fits | None) -> list[Observation]:
    """Observations of update, bounding and server step; the server's factor is kept in the lab."""
    seen = measure_updates(lab, fits)
    if not any(one.moved.any() for one in seen):
        lab.found.still = True
        because = "a client alone, of one client that is wanted, does not move the state"
        return [differs(Part.AVERAGE, 0.0, 1.0, because)]
    single = fits is not None and all(count == 1 for count, _ in fits)
    for explanation in _explanations(lab.listing, seen, single=single):
        if all(is_near(explanation.predicts(lab.listing, one), one.moved) for one in seen):
            if explanation.server is not None:
                lab.found.server = explanation.server.at
            if explanation.bounding in ONE_GRADIENT and lab.listing.bounding == "clip":
                explanation = _name_path(lab, explanation)
            if explanation.bounding == "shrunk" and not is_average(lab, (DIRECTION, OTHER)):
                return _shrunk_by_server(lab, explanation, seen)
            right = explanation.bounding == lab.listing.bounding
            path = read_path(lab) if right and lab.listing.bounding == "clip" else []
            far = _read_far(lab, explanation, fits) if right and lab.listing.bounding != "none" else []
            return [*_explained(lab.listing, explanation, seen), *path, *far]
    lab.found.trusted = False
    return _unexplained(lab, seen, fits)


def _name_path(lab: Lab, found: Explanation) -> Explanation:
    """Where gradients are equal, bounding each of them and a threshold times their number are one thing."""
    name = "each_step" if changes_path(lab) else "threshold_times_steps"
    return replace(found, bounding=name, bound=BOUNDED[name])


def _shrunk_by_server(lab: Lab, found: Explanation, seen: Sequence[Seen]) -> list[Observation]:
    """The difference of a server that shortens what the clients have sent together."""
    listing, last, part = lab.listing, seen[len(LENGTHS) - 1], server_part(lab)
    right = replace(found, bounding=listing.bounding, bound=BOUNDED[listing.bounding])
    measured, expected = length(last.moved), length(right.predicts(listing, last))
    wrong = replace(_observe_bound(part, found, measured, expected), cause=OTHERS["shrunk_average"])
    return [replace(wrong, slip="shrunk_average"), *_hidden(listing, part)]


def _read_far(lab: Lab, found: Explanation, fits: Fits | None) -> list[Observation]:
    """Updates far beyond the threshold: if one of them escapes it, the movement has no bound."""
    for size in FAR:
        one = see_update(lab, fits, lab.listing.point(), size)
        expected = found.predicts(lab.listing, one)
        if not is_near(one.moved, expected):
            because = f"one client with a linear function, whose update is {size:.0e} times as long as C"
            slip = "escapes" if length(one.moved) > length(expected) else None
            return [differs(Part.BOUNDING, length(one.moved), length(expected), because, slip)]
    return []


def read_path(lab: Lab) -> list[Observation]:
    """A threshold below one gradient's length changes only the length of the movement, not its direction."""
    if not changes_path(lab):
        return []
    because = "a small threshold changes the path of the local steps, not only their sum"
    observation = differs(Part.BOUNDING, "another movement", "the same direction", because)
    if is_projected(lab):
        return [replace(observation, cause=OTHERS["projected"], slip="projected")]
    return [replace(observation, cause=BOUNDED["each_step"].cause, slip="each_step")]


def _explanations(listing: Listing, seen: Sequence[Seen], *, single: bool) -> Iterator[Explanation]:
    """Every combination, those with the fewest slips first."""
    updates: tuple[Slip | None, ...] = (None,)
    if listing.several_steps:
        updates = (None, *(PLAIN_UPDATES if listing.bounding == "none" else UPDATES))
    bounds = boundings(listing.bounding) | _fit_boundings(listing, seen[len(LENGTHS) - 1])
    bounds |= _find_shrinkage(listing, seen[1])
    reused = (False, True) if single and listing.several_steps else (False,)
    every = [
        Explanation(update=u, bounding=b, bound=bounds[b], server=w, reuses_gradient=k)
        for u, b, w, k in product(updates, bounds, (None, *SERVER_STEPS), reused)
    ]
    yield from sorted(every, key=lambda one: one.slips(listing))


def _fit_boundings(listing: Listing, long: Seen) -> dict[str, Bounding]:
    """The ways of bounding whose constants a movement far beyond the threshold shows."""
    if listing.bounding == "none" or not long.moved.any():
        return {}
    found = _small_constant(listing, long) | _find_layers(listing, long) | _find_unbounded(listing, long)
    return found | _find_norm(listing, long)


def _find_shrinkage(listing: Listing, short: Seen) -> dict[str, Bounding]:
    """A shrinkage: the part of an unclipped update's length that is taken off, times that length."""
    if listing.bounding == "none":
        return {}
    u = short.update * listing.update(short.at)
    size = length(u) if listing.bounding == "clip" else short.at.C
    constant = size**2 * (1 - length(short.moved) / (listing.server(short.at) * size))
    if not 0 < constant < size**2:
        return {}
    after, first = (shrink(constant, listing.bounding, first=first) for first in (False, True))
    return {"shrunk": after, "shrunk_first": first}


def _find_norm(listing: Listing, long: Seen) -> dict[str, Bounding]:
    """Another norm of the coordinates, as of some of them or of layers, that gives this movement."""
    update = long.update * listing.update(long.at)
    measured = listing.server(long.at) * long.at.C * length(update) / length(long.moved)
    return {
        name: bound_by(cause, norm, listing.bounding)
        for name, cause, norm in norms_of_layers(len(update))
        if is_near(norm(update), measured)
    }


def _find_unbounded(listing: Listing, long: Seen) -> dict[str, Bounding]:
    """Coordinates that move by the whole update, as those of a layer that is left out of the clipping."""
    factors = long.moved / (listing.server(long.at) * listing.update(long.at) * long.update)
    bounded = np.array([not is_near(factor, 1.0) for factor in factors])
    if listing.bounding != "clip" or bounded.all() or not bounded.any():
        return {}
    return {"some_coordinates": bound_some(bounded)}


def _find_layers(listing: Listing, long: Seen) -> dict[str, Bounding]:
    """Layers of equal length, each along its part of the update."""
    bounded = long.moved / listing.server(long.at)
    factors = bounded / long.update
    cuts = [i for i in range(1, len(factors)) if not is_near(factors[i], factors[i - 1])]
    layers = [slice(a, b) for a, b in zip((0, *cuts), (*cuts, len(factors)), strict=True)]
    sizes = [length(bounded[layer]) for layer in layers]
    if not cuts or not is_near(sizes, sizes[0]):
        return {}
    name = "coordinates" if len(layers) == len(factors) and listing.bounding == "normalize" else "layers"
    return {name: bound_layers(layers, sizes[0] / long.at.C, listing.bounding)}


def _small_constant(listing: Listing, long: Seen) -> dict[str, Bounding]:
    """What a constant in the divisor would be, from a movement that is shorter than the listing's."""
    size = length(long.update * listing.update(long.at))
    constant = size * (listing.server(long.at) * long.at.C / length(long.moved) - 1)
    if not constant > 0:
        return {}
    of, squares = listing.bounding, constant * (constant + 2 * size)
    return {
        "small_constant": add_to_norm(constant, of),
        "small_constant_of_models": add_to_norm(constant * long.at.eta, of, models=True),
        "small_square": add_to_squares(squares, of),
    }


def _explained(listing: Listing, found: Explanation, seen: Sequence[Seen]) -> list[Observation]:
    first, last = seen[0], seen[len(LENGTHS) - 1]
    observations = []
    if listing.line(Part.UPDATE) is not None:
        observations.append(_update_observation(listing, found, first))
    if listing.bounding == "none" and found.bounding != "none":
        part = Part.UPDATE if listing.line(Part.UPDATE) is not None else Part.SERVER_STEP
        observations.append(_observe_bound(part, found, length(last.moved), length(last.update)))
    if listing.line(Part.BOUNDING) is not None:
        right = replace(found, bounding=listing.bounding, bound=BOUNDED[listing.bounding])
        measured, expected = length(last.moved), length(right.predicts(listing, last))
        if found.bounding == listing.bounding:
            tried = f"{BECAUSE}; updates of {LENGTHS[0]:g} to {FAR[-1]:.0e} times C were tried"
            observations.append(agrees(Part.BOUNDING, measured, expected, tried))
        else:
            observations.append(_observe_bound(Part.BOUNDING, found, measured, expected))
    if (line := listing.line(Part.SERVER_STEP)) is not None:
        expected = listing.server(first.at)
        factor = 1.0 if found.server is None else found.server.factor(first.at.values)
        if found.server is None:
            observations.append(agrees(line.part, expected, expected, BECAUSE))
        else:
            observations.append(differs(line.part, factor * expected, expected, BECAUSE, found.server))
    elif found.server is not None:
        factor = found.server.factor(first.at.values)
        observations.append(differs(Part.AVERAGE, factor, 1.0, BECAUSE, found.server))
    if found.reuses_gradient:
        observations.append(
            differs(
                Part.LOCAL_STEP, "the gradient at w_k", "the gradient at w_{k,t}", BECAUSE, "gradient_kept"
            )
        )
    return observations


def _observe_bound(part: Part, found: Explanation, measured: float, expected: float) -> Observation:
    observation = differs(part, measured, expected, BECAUSE, conversion=found.bound.conversion)
    return replace(observation, cause=found.bound.cause, slip=found.bounding)


def _update_observation(listing: Listing, found: Explanation, seen: Seen) -> Observation:
    if listing.bounding == "normalize":
        because = "normalization removes every factor of the update; the code would have to expose u"
        return not_observable(Part.UPDATE, because)
    expected = listing.update(seen.at) / seen.at.eta
    if found.update is None:
        return agrees(Part.UPDATE, expected, expected, BECAUSE)
    return differs(
        Part.UPDATE, expected * found.update.factor(seen.at.values), expected, BECAUSE, found.update
    )


def _server_factor(lab: Lab, at: Point) -> float:
    """The factor on the server step at a point, from a client whose update is far beyond any bound."""
    far = DIRECTION / length(DIRECTION) * 100 * at.C
    moved = lab.alone(far, replace(at, d=len(far)), SIZE)
    bounded = length(far) if lab.listing.bounding == "none" else at.C
    return float(length(moved) / (lab.listing.server(at) * bounded))


def _unexplained(lab: Lab, seen: Sequence[Seen], fits: Fits | None) -> list[Observation]:
    """No slip of the catalogue fits: the line is named by which lengths are wrong."""
    listing = lab.listing
    last = seen[len(LENGTHS) - 1]
    if (of_state := name_dependence(lab, instance(last.update / last.steps), last.at)) is not None:
        part = Part.BOUNDING if listing.bounding != "none" else server_part(lab)
        because = f"{BECAUSE}; another start moves the state otherwise"
        found = differs(part, "another movement", "the same movement", because, of_state)
        return [found, *_hidden(listing, part)]
    if listing.bounding == "none" and is_adaptive(lab, seen[0].at):
        part = Part.UPDATE if listing.line(Part.UPDATE) else Part.SERVER_STEP
        return [differs(part, "equal sizes", "the slopes", BECAUSE, "adaptive")]
    if (bound := find_bound(lab)) not in (None, "update_bounded"):
        part = Part.LOCAL_STEP if listing.several_steps else Part.SERVER_STEP
        return [differs(part, "bounded gradients", "gradients", BECAUSE, bound), *_hidden(listing, part)]
    own = BOUNDED[listing.bounding]
    right = Explanation(update=None, bounding=listing.bounding, bound=own, server=None, reuses_gradient=False)
    if _ends_early(listing, seen, right):
        fewer = _name_fewer(lab, seen, right)
        return [differs(Part.LOCAL_COUNT, "fewer local steps", "E local steps", BECAUSE, fewer)]
    if listing.bounding == "clip" and all(_is_switched(listing, one) for one in seen):
        one = _list_wrong(listing, seen, right)[0]
        measured, expected = length(one.moved), length(right.predicts(listing, one))
        found = differs(Part.BOUNDING, measured, expected, BECAUSE, "switched")
        return [found, *_hidden(listing, Part.BOUNDING)]
    pairs = [(length(one.moved), length(right.predicts(listing, one))) for one in seen[: len(LENGTHS)]]
    return _name_by_lengths(lab, seen, pairs, fits, right)


def _name_by_lengths(
    lab: Lab,
    seen: Sequence[Seen],
    pairs: Sequence[tuple[float, float]],
    fits: Fits | None,
    right: Explanation,
) -> list[Observation]:
    """The line by which short updates, long ones or all move too far or not far enough."""
    listing = lab.listing
    short, long = (measured / expected for measured, expected in (pairs[0], pairs[-1]))
    shown = pairs[0] if is_near(long, 1.0) and listing.bounding == "clip" else pairs[-1]
    if listing.bounding == "none":
        part = Part.UPDATE if listing.line(Part.UPDATE) else Part.SERVER_STEP
        if part is Part.SERVER_STEP and is_near(short, long):
            lab.found.server = lambda at: _server_factor(lab, at)
    elif not is_near(long, _ratio_along(lab, fits, right, OTHER)):
        shown_parts = differs(Part.BOUNDING, *pairs[-1], BECAUSE, "another_norm")
        return [shown_parts, *_hidden(listing, Part.BOUNDING)]
    elif is_near((short, long), 1.0):
        # the clearest of the lengths between, or of the directions, is wrong
        part, shown = Part.BOUNDING, max(pairs, key=lambda pair: abs(np.log(pair[0] / pair[1])))
    elif is_near(short, long):
        part = Part.SERVER_STEP
        lab.found.server = lambda at: _server_factor(lab, at)
    elif is_near(long, 1.0) and listing.bounding == "clip":
        part = Part.UPDATE
    else:
        part = Part.BOUNDING
    return [*_name_multiple(lab, differs(part, *shown, BECAUSE), seen, right), *_hidden(listing, part)]


def _ends_early(listing: Listing, seen: Sequence[Seen], right: Explanation) -> bool:
    """Whether every movement that is not the listing's is that of fewer local steps."""
    wrong = _list_wrong(listing, seen, right)
    return len(wrong) < len(seen) and all(_is_shorter(listing, one, right) for one in wrong)


def _is_switched(listing: Listing, one: Seen) -> bool:
    """Whether an update moves the server as it is, or at the length of the threshold."""
    moved, u = one.moved / listing.server(one.at), one.update * listing.update(one.at)
    return is_near(moved, u) or is_near(moved, u * one.at.C / length(u))


def _list_wrong(listing: Listing, seen: Sequence[Seen], right: Explanation) -> list[Seen]:
    return [one for one in seen if not is_near(one.moved, right.predicts(listing, one))]


def _name_fewer(lab: Lab, seen: Sequence[Seen], right: Explanation) -> str:
    """Fewer local steps end where gradients are short, unless a client with many data points makes all."""
    every = all(
        is_near(lab.alone(one.update / one.steps, one.at, MORE), right.predicts(lab.listing, one))
        for one in _list_wrong(lab.listing, seen, right)
    )
    return "of_few_data" if every else "ended_early"


def _is_shorter(listing: Listing, one: Seen, right: Explanation) -> bool:
    fewer = (replace(one, update=one.update * k / one.steps, steps=k) for k in range(1, one.steps))
    return any(is_near(one.moved, right.predicts(listing, less)) for less in fewer)


def _ratio_along(lab: Lab, fits: Fits | None, right: Explanation, along: Floats) -> float:
    """The length of a long update's movement along this direction over that of the listing."""
    one = see_update(lab, fits, lab.listing.point(), LENGTHS[-1], along)
    return length(one.moved) / length(right.predicts(lab.listing, one))


def _name_multiple(
    lab: Lab, wrong: Observation, seen: Sequence[Seen], right: Explanation
) -> list[Observation]:
    """The difference; one number that multiplies every movement at every setting is its cause."""
    listing = lab.listing
    expected = [right.predicts(listing, one) for one in seen]
    multiple = length(seen[0].moved) / length(expected[0])
    if not all(is_near(one.moved, multiple * moved) for one, moved in zip(seen, expected, strict=True)):
        return [wrong]
    lab.found.server = lambda at: multiple
    cause = f"every movement is {multiple:.6g} times that of the listing, whatever the settings"
    server = Part.SERVER_STEP if listing.line(Part.SERVER_STEP) else Part.AVERAGE
    return [replace(wrong, part=server, cause=cause, slip="multiple")]


def _hidden(listing: Listing, by: Part) -> list[Observation]:
    because = f"the difference at the line of the {by.noun} hides it"
    others = (other for other in (Part.UPDATE, Part.BOUNDING, Part.SERVER_STEP) if other is not by)
    return [not_observable(other, because) for other in others if listing.line(other) is not None]
