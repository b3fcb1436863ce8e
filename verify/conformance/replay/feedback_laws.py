"""The laws of error feedback: who takes part, and the noise, read from the model's steps.

The server's step has a fixed length, so a state shows the direction of the server's memory only. Noise that
is small beside the memory is read across it: its part along the memory is lost, and with it a share of the
noise over the memory, below 1e-3, of the numbers that are tested.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np

from synthetic.engine.randomness import Floats
from synthetic.errors import NotFinite
from verify.conformance.dependence import describe_noticed, find_dependence, list_wrong, name_sign
from verify.conformance.instance import Instance, instance
from verify.conformance.lab import Lab
from verify.conformance.laws import Mean, first_rejected, successive
from verify.conformance.listing import Part
from verify.conformance.noise_law import (
    DISTINCT,
    FINE,
    FINE_ROUNDS,
    Noise,
    fits,
    name_law,
    name_ratio,
    name_size,
    other_size,
    product,
    repetition,
    slip_of,
    wrong_law,
    wrong_size,
)
from verify.conformance.participation import claim_on_draws, claims_on_sets, name_slip, rate_noticed
from verify.conformance.replay.feedback import Followed, Lines, Values, begin, follow, nearest_set, one_round
from verify.conformance.replay.feedback_cases import EXAMPLE
from verify.conformance.replay.feedback_slips import ALL_UNWEIGHTED, NOISES
from verify.conformance.slips import Slip
from verify.conformance.verdict import Observation, Verdict, agrees, differs, not_observable

ROUNDS, CLIENTS, WANTED = 400, 6, 2
DENSE, NEARLY_ALL = 340, 0.95  # rounds at this probability: 5% more or less was noticed in 200 of 200 trials
NOISE_ROUNDS, DIMENSION = 240, 40
MANY = 2000  # coordinates: noise of half precision has 1 in 6 of a size that another one has
TRIALS, CLEAR = 8, 10.0  # runs until one is clear: sets lead apart by so many times the noise
LARGER = 1.5  # times the listing's: such noise is measured again, since it may hide who has come
SMALL = 2e-3  # sigma_DP: small beside corrections, which are below 1
SAMPLED = {
    "memory_step": 0.25,
    "probability": 0.5,
    "local_steps": 3,
    "noise_scale": 3 * SMALL,
    "local_step": 0.31,
}
NOBODY = "the states are not finite after a round without clients, for want of a memory"
UNKNOWN = "a difference that no known slip explains hides it"


def read_laws(lab: Lab, lines: Lines | None) -> list[Observation]:
    if lines is None:
        return [not_observable(part, UNKNOWN) for part in (Part.SAMPLING, Part.NOISE)]
    try:
        sampling = _read_participation(lab, lines)
    except NotFinite:
        if lines.server is Lines().server:
            raise
        return [not_observable(part, NOBODY) for part in (Part.SAMPLING, Part.NOISE)]
    laws = [sampling, _read_noise(lab, lines, partial=sampling.verdict is Verdict.AGREES)]
    right = Lines()
    if any(getattr(lines, name) is not getattr(right, name) for name in DOMINANT):
        laws = [_hide(one) for one in laws]
    return [*laws, *_silent(lab)]


DOMINANT = (
    "factor",
    "follows",
    "gathered",
    "server",
    "sent",
    "bounded",
    "memory",
    "error",
    "q",
    "next_memories",
    "along",
    "again",
)  # lines whose slips can change what is read


def _hide(one: Observation) -> Observation:
    hidden = one.verdict is Verdict.DIFFERS
    return not_observable(one.part, "another difference hides it") if hidden else one


def _silent(lab: Lab) -> list[Observation]:
    """Lines that no state depends on if the memories start at zero."""
    if lab.found.reads_memories:
        return []
    start = "the code starts with memories of zero, as the listing allows"
    scale = "no state depends on it, because memories start at zero and the server's step has a fixed length"
    return [
        agrees(Part.INITIAL_MEMORY, None, None, start),
        *(not_observable(part, scale) for part in (Part.SERVER_DIVISOR, Part.WEIGHT)),
    ]


def _read_participation(lab: Lab, lines: Lines) -> Observation:
    """The sets of clients of many rounds, each the one that gives the next state."""
    because = (
        f"{ROUNDS} rounds of {CLIENTS} clients with orthogonal gradients, probability {WANTED}/{CLIENTS}"
    )
    followed = _follow_some(lab, lines, WANTED / CLIENTS, ROUNDS)
    if followed is None:
        return differs(Part.SAMPLING, "no set of clients", "a set of clients", because)
    if not followed.told_apart:
        return _read_absent(followed.possible, because)
    slip, p = _sampling_slip(followed.sets), WANTED / CLIENTS
    if slip is None:
        dense = _follow_some(lab, lines, NEARLY_ALL, DENSE)
        if dense is not None and dense.told_apart:
            followed, p = dense, NEARLY_ALL
            because = f"{because}; {DENSE} rounds, probability {NEARLY_ALL}"
            slip = "rate" if claim_on_draws(np.minimum(followed.sets, 1.0), p).is_rejected() else None
    taken = followed.sets
    sizes, expected = taken.sum(axis=1), f"independent, probability {p:.4g}"
    measured = f"{sizes.min():.0f} to {sizes.max():.0f} clients, {sizes.mean():.4g} in the mean"
    lab.found.law = "independent" if slip is None else None
    if slip is None:
        return agrees(Part.SAMPLING, measured, expected, f"{because}; {rate_noticed(taken, p)}")
    return differs(Part.SAMPLING, measured, expected, because, slip)


def _follow_some(lab: Lab, lines: Lines, probability: float, rounds: int) -> Followed | None:
    """The sets of clients of so many rounds in which each of them comes with this probability."""
    shown = instance(np.eye(CLIENTS) * np.linspace(3000, 4000, CLIENTS)[:, None], sizes=(3,) * CLIENTS)
    settings = _settings(shown, probability=probability, memory_step=0.5)
    return follow(lines, shown, settings, lab.run_until_defined(shown, settings, rounds))


def _read_absent(possible: Floats, because: str) -> Observation:
    """Clients of whom no set that gives the states has one, where sets are not told apart."""
    came = int(possible.any(axis=0).sum())
    if came == possible.shape[1]:
        return not_observable(Part.SAMPLING, "other sets of clients would give the same states")
    slip = "same_set" if (possible == possible[0]).all() else "same_clients"
    return differs(Part.SAMPLING, f"{came} clients that ever come", f"{possible.shape[1]}", because, slip)


def _sampling_slip(taken: Floats) -> str | None:
    bits = np.asarray(taken > 0, dtype=np.float64)
    if bits.all():
        return "everybody"
    if (taken == taken[0]).all():
        return "same_set"
    if taken.max() > 1:
        return "replacement"
    fixed = bool((bits.sum(axis=1) == WANTED).all())
    wrong = first_rejected(claims_on_sets(bits, WANTED, fixed=fixed))
    if wrong is None:
        return "fixed_size" if fixed else None
    return name_slip(wrong, bits)


def _settings(shown: Instance, **changes: Any) -> dict[str, Any]:
    zero = np.zeros((shown.clients, shown.dimension))
    return {**EXAMPLE, **changes, "initial_memory": zero}


def _read_noise(lab: Lab, lines: Lines, *, partial: bool) -> Observation:
    """partial: whether rounds in which some clients take part can be read."""
    points = (
        (1, DIMENSION, {"memory_step": 0.4, "noise_scale": SMALL}),
        (5, DIMENSION, SAMPLED),
    )
    seen = [_measured(lab, lines, n, d, changes) for n, d, changes in points if n == 1 or partial]
    if not all(noise.moves.size for noise in seen):
        return not_observable(Part.NOISE, "nothing moves the state in which noise could be seen")
    if all(noise.measured < 1e-6 * noise.expected for noise in seen):
        return _differs(seen, NOISES[0])
    slip = repetition(seen[:1]) or _find_rounding(lab) or _wrong_course(seen)
    if slip is not None:
        return _differs(seen, slip)
    if (dependent := find_dependence(seen)) is not None:
        return _differs(seen, dependent)
    if wrong_size(seen) is not None:
        known = slip_of(seen, NOISES)
        if known is not None and known.name == "root_of_probability" and lab.found.placement == "server":
            known = ALL_UNWEIGHTED
        return _differs(seen, name_size(seen, known))
    if (broken := wrong_law(seen)) is not None:
        return _differs(seen, name_law(seen, broken.slip))
    fine = _measured(lab, lines, 1, FINE, points[0][2], FINE_ROUNDS)
    for named in list_wrong(fine):
        return _differs([fine], named)
    because = (
        f"{NOISE_ROUNDS} rounds at three settings, across the server's memory; "
        f"{describe_noticed(fine)}; "
        f"added at the {lab.found.placement or 'server or at the clients'}"
    )
    return agrees(Part.NOISE, seen[0].measured, seen[0].expected, because)


def _find_rounding(lab: Lab) -> str | None:
    """Noise of few digits, from the first round of one client: coordinates of one size stay of one size.

    Later rounds show the noise up to a share of the memory before it, which blurs its digits.
    """
    shown = instance(np.eye(1, 1 + MANY) * 2.0, sizes=(3,))
    start, after = lab.run_until_defined(shown, _settings(shown, noise_scale=SMALL), 1)
    sizes = np.abs(after - start)[1:]
    different = np.unique((sizes / max(sizes.mean(), 1e-300)).round(6))
    return "noise_rounded" if len(different) < DISTINCT * MANY else None


def _wrong_course(seen: Sequence[Noise]) -> Slip | str | None:
    """The slip of noise with a mean, noise that is taken back, or noise that a memory answers."""
    if (one_sided := name_sign(seen)) is not None:
        return one_sided
    pairs = [successive(np.sign(noise.moves)) for noise in seen]
    again = [product("the signs of two rounds", a * b, "noise_repeated") for a, b in pairs]
    wrong = first_rejected([*again, *(_answer(noise) for noise in seen)])
    if wrong is None or wrong.measured() > 0:
        return None if wrong is None else "noise_repeated"
    # with all clients in every round; where some come, two rounds have unequal noise to take back
    return "noise_not_kept" if fits(seen[:1], lambda v: sqrt(2)) else "noise_in_memory"


def _answer(noise: Noise) -> Mean:
    """Noise is as often along the sum of the noise before it as against it."""
    before = np.cumsum(noise.moves, axis=0)[:-1]
    return product("the sign beside the sum before", np.sign(before * noise.moves[1:]), "noise_in_memory")


def _measured(
    lab: Lab, lines: Lines, n: int, d: int, changes: dict[str, Any], rounds: int = NOISE_ROUNDS
) -> Noise:
    """The noise across the server's memory in every round, per client that took part.

    Sets of clients are told apart beside the listing's noise. The code's own noise hides them if it is
    larger: then it is measured at a smaller scale.
    """
    noise = _measure_at(lab, lines, n, d, changes, rounds)
    wanted, trials = noise.expected, 1
    while n > 1 and noise.moves.size and noise.measured > LARGER * wanted and trials < TRIALS:
        changes = {**changes, "noise_scale": changes["noise_scale"] * wanted / noise.measured}
        noise, trials = _measure_at(lab, lines, n, d, changes, rounds), trials + 1
    return noise


def _measure_at(lab: Lab, lines: Lines, n: int, d: int, changes: dict[str, Any], rounds: int) -> Noise:
    shown = instance(np.eye(n, n + d) * np.linspace(400, 600, n)[:, None], sizes=(3,) * n)
    if n == 1:
        shown = instance(np.eye(1, 1 + d) * 2.0, sizes=(3,))
    settings = _settings(shown, **changes)
    rows, sets = _clear_increments(lab, lines, shown, settings, rounds)
    came = sets.sum(axis=1)
    if n > 1 and rows.size:  # else the sets of no run could be told apart
        lab.found.placement = (
            "server" if np.abs(rows[came == 0]).max(initial=0.0) > 1e-9 * np.abs(rows).max() else "clients"
        )
    at_clients = lab.found.placement != "server"
    p = settings["probability"]
    weight = lines.factor(settings, p * n, n) * lines.q(settings, p * n, n)
    moves = rows[came > 0] / np.sqrt(came[came > 0])[:, None] if at_clients else rows / sqrt(p * n)
    values = {
        "sigma": settings["noise_scale"],
        "beta": settings["memory_step"],
        "eta": settings["server_step"],
        "gamma": settings["local_step"],
        "T": settings["local_steps"],
        "p": p,
        "M": n,
        "d": shown.dimension,
    }
    expected = weight * settings["noise_scale"] / sqrt(shown.dimension)
    return Noise(values=values, moves=moves, expected=expected)


def _clear_increments(
    lab: Lab, lines: Lines, shown: Instance, settings: Values, rounds: int
) -> tuple[Floats, Floats]:
    """The increments of the first run in which every set of clients can be told from the others.

    Sets that add to the server's memory along itself look alike, which depends on the sets and not on noise.
    """
    for _ in range(TRIALS):
        found = lab.run_until_defined(shown, settings, rounds)
        clear = _increments(lines, shown, settings, found)
        if clear is not None:
            return clear
    return np.empty((0, shown.dimension - shown.clients)), np.empty((0, shown.clients))


def _increments(lines: Lines, shown: Instance, v: Values, found: Floats) -> tuple[Floats, Floats] | None:
    """The noise that every round adds to the server's memory, and who took part; None if two sets fit."""
    rows, sets, held, n = [], [], begin(lines, shown, v), shown.clients
    taking, apart = np.ones(n), np.inf
    for k in range(len(found) - 1):
        this = one_round(lines, shown, v, held)
        if v["probability"] < 1:
            taking, _, apart = nearest_set(this, found[k + 1])
        held = this.after(taking)
        size = float(np.linalg.norm(held.server))
        if size == 0:  # nobody has come yet, so the memory has no direction
            held = replace(held, x=found[k + 1])
            continue
        step = float(np.abs(found[k + 1] - found[k]).max())
        if apart < CLEAR * v["noise_scale"] * lines.factor(v, n, n) / size * step:
            return None
        along = found[k] - found[k + 1]
        memory = along * (held.server @ held.server) / (held.server @ along)
        rows.append((memory - held.server)[n:])
        sets.append(taking)
        held = replace(held, x=found[k + 1], server=memory)
    return np.array(rows).reshape(-1, shown.dimension - n), np.array(sets).reshape(-1, n)


def _differs(seen: Sequence[Noise], slip: Slip | str | None) -> Observation:
    because = f"{len(seen[0].moves)} rounds, across the server's memory"
    seen = sorted(seen, key=lambda noise: -abs(np.log(max(noise.measured, 1e-300) / noise.expected)))
    sized = slip is None or (isinstance(slip, Slip) and slip.factor(seen[0].values))
    conversion = other_size(seen, "sigma_DP") if sized else None
    return name_ratio(differs(Part.NOISE, seen[0].measured, seen[0].expected, because, slip, conversion))
