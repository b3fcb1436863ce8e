"""What a code keeps from round to round, from runs of one client.

A round of these listings depends on the state alone: each round of a run moves as a run of one round that
starts there. Code that does not may keep momentum, use a model of an earlier round, or return averages.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.bounding import BOUNDED
from verify.conformance.instance import Instance, instance
from verify.conformance.lab import ROUNDING, Lab, is_near, iterates_of, unpaired, unsmoothed
from verify.conformance.listing import Part, Point
from verify.conformance.local_steps import CURVATURES, MANY, fit_of
from verify.conformance.other_movements import name_dependence, server_part
from verify.conformance.verdict import Observation, differs

ROUNDS = 3
ALIKE = (
    1e-3  # shares of a decay are alike up to rounding, which is a part of their size if the decay is small
)
SLOPE = np.array([0.7, -0.2, 0.4, 0.1, 0.5])
CURVATURE = np.array([0.9, 0.3, 1.4, 0.6, 0.2])


def read_rounds(lab: Lab) -> list[Observation]:
    """Three rounds of one client, with a linear and with a curved function: nothing if each is as alone."""
    return _read_schedule(lab) or _read_linear(lab) or _read_curved(lab) or _read_gradients(lab)


def _read_schedule(lab: Lab) -> list[Observation]:
    """Number and size of the local steps of three rounds: a linear function shows their product at most."""
    if not lab.listing.several_steps:
        return []
    at = lab.listing.point(C=MANY if lab.listing.bounding == "clip" else 2.9)
    shown = instance(np.ones_like(CURVATURES), CURVATURES / (at.eta * at.E))
    states = lab.states(shown, at, rounds=ROUNDS)
    gradients = 1 + shown.curvatures[0] * (states[:-1] - shown.center)
    with np.errstate(all="ignore"):
        fits = [fit_of(moved / moved[0], at) for moved in (states[:-1] - states[1:]) / gradients]
    known = [fit for fit in fits if fit is not None and fit[0] > 1]
    if len(known) < ROUNDS or all(is_near(fit, fits[0]) for fit in known):
        return []
    steps, counts = [step for _, step in known], [count for count, _ in known]
    alike = is_near(steps, steps[0])
    shown_numbers = ([float(count) for count in counts], [float(at.E)] * ROUNDS)
    measured, expected = shown_numbers if alike else (steps, [at.eta] * ROUNDS)
    part = Part.LOCAL_COUNT if alike else Part.LOCAL_STEP
    because = "three rounds of one client with a curved function"
    return [differs(part, measured, expected, because, "local_schedule")]


def _read_linear(lab: Lab) -> list[Observation]:
    at = lab.listing.point(C=40.0)
    states = lab.states(instance(SLOPE), at, rounds=ROUNDS)
    moves = np.linalg.norm(states[:-1] - states[1:], axis=1)
    if is_near(moves, moves[0]) or not moves[0]:
        return []
    because = "three rounds of one client with a linear function"
    measured, expected = float(moves[1]), float(moves[0])
    stale = 2 - at.beta / at.eta if lab.listing.several_steps else 0.0
    if lab.listing.line(Part.LOCAL_START) is not None and is_near(measured / expected, abs(stale)):
        return [differs(Part.LOCAL_START, measured, expected, because, "own_model")]
    if lab.listing.several_steps and is_near(moves / moves[0], [1.0, 0.0, 1.0]):
        if lab.listing.line(Part.SERVER_STEP) is not None:
            return [differs(Part.SERVER_STEP, measured, expected, because, "old_state")]
        return [differs(Part.UPDATE, measured, expected, because, "sent_late")]
    if lab.listing.line(Part.LOCAL_START) is not None and is_near(moves / moves[0], [1.0, 0.0, 0.0]):
        return [differs(Part.LOCAL_START, measured, expected, because, "first_model")]
    if (of_state := _name_dependence(lab, states)) is not None:
        return [differs(server_part(lab), measured, expected, because, of_state)]
    slip = "momentum" if _is_momentum(moves) or _leaves_gradient(lab) else "decay"
    if is_near(moves, moves[0] * np.arange(1, ROUNDS + 1)):
        slip = "accumulated"
    return [differs(server_part(lab), measured, expected, because, slip)]


def _name_dependence(lab: Lab, states: Floats) -> str | None:
    """The slip of code whose rounds move as each of them does alone, but not from every start alike."""
    at, shown = lab.listing.point(C=40.0), instance(SLOPE)
    alone = [lab.states(shown, at, start=state)[1] for state in states[:-1]]
    if not is_near(states[1:], alone, np.abs(states[-1] - states[0]).max()):
        return None
    return name_dependence(lab, shown, at)


def _is_momentum(moves: Floats) -> bool:
    """Moves that grow, and less in each round: those of a schedule that warms up stop growing."""
    first, second = np.diff(moves)
    return bool(first > 0 and ROUNDING * first < second < first * (1 - ROUNDING))


def _leaves_gradient(lab: Lab) -> bool:
    """Whether a round of one step moves along another direction than the gradient, as no schedule does."""
    if lab.listing.several_steps:
        return False
    shown = instance(SLOPE, CURVATURE)
    states = lab.states(shown, lab.listing.point(), rounds=ROUNDS)
    shares = (states[:-1] - states[1:]) / (SLOPE + CURVATURE * (states[:-1] - shown.center))
    return not is_near(shares, shares[:, :1])


def _read_curved(lab: Lab) -> list[Observation]:
    at = lab.listing.point(C=2.0)
    shown = instance(SLOPE, CURVATURE)
    states = lab.states(shown, at, rounds=ROUNDS)
    alone = [lab.states(shown, at, start=state)[1] for state in states[:-1]]
    if is_near(states[1:], alone, np.abs(states[-1] - states[0]).max()):
        return []
    because = "three rounds of one client with a curved function, and each of them as a run of its own"
    moves, own = states[1:] - states[:-1], np.array(alone) - states[:-1]
    apart = int(np.abs(moves - own).max(axis=1).argmax())
    measured, expected = (float(np.linalg.norm(rows[apart])) for rows in (moves, own))
    if is_near(moves[1], moves[0]):
        part = Part.LOCAL_START if lab.listing.line(Part.LOCAL_START) else server_part(lab)
        return [differs(part, measured, expected, because, "stale")]
    if lab.listing.line(Part.LOCAL_START) is not None and is_near(states, _own_models(lab, at, shown)):
        return [differs(Part.LOCAL_START, measured, expected, because, "own_model")]
    if _depends_on_threshold(lab, shown):
        return [differs(Part.BOUNDING, measured, expected, because, "bound_schedule")]
    # a linear function has shown that no round moves otherwise for what was moved before
    if lab.listing.several_steps:
        return [differs(Part.LOCAL_STEP, measured, expected, because, "stale_gradient")]
    return [differs(server_part(lab), measured, expected, because, "kept")]


def _own_models(lab: Lab, at: Point, shown: Instance) -> Floats:
    """The states if the client goes on from its own last model, and sends its distance from the server's."""
    bound = BOUNDED[lab.listing.bounding].value
    model, states = shown.center, [shown.center]
    for _ in range(ROUNDS):
        for _ in range(at.E):
            model = model - at.eta * shown.point_gradient(0, model)
        u = (states[-1] - model) / at.eta * lab.listing.update(at)
        states.append(states[-1] - lab.listing.server(at) * bound(u, at, u / at.E))
    return np.array(states)


def _depends_on_threshold(lab: Lab, shown: Instance) -> bool:
    """Whether the rounds of a run are as alone where the threshold is so large that it clips nothing."""
    if lab.listing.bounding != "clip":
        return False
    at = lab.listing.point(C=MANY)
    states = lab.states(shown, at, rounds=ROUNDS)
    alone = [lab.states(shown, at, start=state)[1] for state in states[:-1]]
    return is_near(states[1:], alone, np.abs(states[-1] - states[0]).max())


def _read_gradients(lab: Lab) -> list[Observation]:
    """Whether a listing of one step takes its gradient at the state: local steps have their own experiment.

    A linear function has one gradient everywhere, so that it shows the step and not the point.
    """
    if lab.listing.several_steps:
        return []
    at, curved = lab.listing.point(), instance(SLOPE, CURVATURE)
    flat = lab.states(instance(SLOPE), at)
    states = lab.states(curved, at, rounds=ROUNDS)
    gradients = SLOPE + CURVATURE * (states[:-1] - curved.center)
    expected = (flat[1] - flat[0]) / SLOPE * gradients
    moves = states[1:] - states[:-1]
    if is_near(moves, expected, np.abs(states).max()):
        return []
    measured, wanted = (float(np.linalg.norm(rows[1])) for rows in (moves, expected))
    because = "three rounds of one client with a curved function, at the step that a linear one shows"
    return [differs(server_part(lab), measured, wanted, because, "elsewhere")]


def writes_into_states(lab: Lab) -> bool:
    """Whether a round changes the state before it, as where clients write into it: moves 2, 1, 0."""
    states = lab.states(instance(SLOPE), lab.listing.point(C=40.0), rounds=ROUNDS)
    moves = np.linalg.norm(np.diff(states, axis=0), axis=1)
    return bool(moves[1]) and is_near(moves / moves[1], [2.0, 1.0, 0.0])


def find_means(lab: Lab) -> tuple[str, Callable[[Floats], Floats]] | None:
    """Find the means of iterates that the states are: the slip, and what gives the iterates.

    A run of one round then gives the next iterate by the same rule.
    """
    at, shown = lab.listing.point(C=2.0), instance(SLOPE, CURVATURE)
    states = lab.states(shown, at, rounds=ROUNDS)
    lab.subject.refuse_single([states])
    if (states == states[0]).all():
        return None
    for slip, rule in _rules_of_means(lab):
        iterates = rule(states)
        following = [rule(lab.states(shown, at, start=one))[1] for one in iterates[:-1]]
        if is_near(iterates[1:], following, np.abs(iterates[-1] - iterates[0]).max()):
            return slip, rule
    return None


def _rules_of_means(lab: Lab) -> list[tuple[str, Callable[[Floats], Floats]]]:
    """A moving average moves, on a linear function, by 1 - b, 1 - b^2, ... of a step."""
    rules = [("averaged_output", iterates_of), ("last_two", unpaired)]
    states = lab.states(instance(SLOPE), lab.listing.point(C=40.0), rounds=2)
    first, second = np.linalg.norm(states[1:] - states[:-1], axis=1)
    share = float(second / first - 1) if first else 0.0
    if ROUNDING < share < 1 - ROUNDING:
        rules.append(("moving_average", partial(unsmoothed, share=share)))
    return rules
