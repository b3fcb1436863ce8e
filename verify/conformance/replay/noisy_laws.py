"""The laws of noisy clipped local steps: the noise of each step, the batches, and who takes part."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.dependence import describe_noticed, find_dependence, list_wrong, name_sign
from verify.conformance.instance import Instance, instance, of_data
from verify.conformance.lab import Lab
from verify.conformance.laws import Mean, first_rejected
from verify.conformance.listing import Part
from verify.conformance.noise_law import (
    FINE,
    FINE_ROUNDS,
    Noise,
    fits,
    is_cut,
    name_law,
    name_ratio,
    name_size,
    other_size,
    repetition,
    slip_of,
    wrong_law,
    wrong_size,
)
from verify.conformance.participation import claims_on_sets, name_slip, rate_noticed
from verify.conformance.replay.noisy_cases import MANY, ROUNDS, SIZES, WANTED, random_batches
from verify.conformance.replay.noisy_slips import NOISES
from verify.conformance.replay.noisy_steps import Lines, Values, states
from verify.conformance.slips import Slip
from verify.conformance.verdict import Observation, Verdict, agrees, differs, not_observable

NOISE_ROUNDS, DIMENSION = 240, 40
DENSE = min(SIZES) - 1  # the batch size at which a probability that is 10% off is noticed soonest
EQUAL_SIZES = (6, 6)
LONG = 30.0  # a slope, ten times the threshold
SIZE = 5  # data points of a client when the noise is measured
# Settings with one local step and with several: a factor that is 1 in one of them shows in the other.
NOISE_SETTINGS: tuple[dict[str, Any], ...] = (
    {"local_steps": 1, "step": 0.13, "clip_threshold": 3.0, "noise_multiplier": 0.6},
    {"local_steps": 3, "step": 0.3, "clip_threshold": 0.5, "noise_multiplier": 1.7},
)
UNKNOWN = "a difference that no known slip explains hides it"
STALE = "clients that receive an average of before hide it"
NO_POINTS = "the code takes each client's function whole: it never asks for data points"


def read_clients(lab: Lab, lines: Lines | None, example: Mapping[str, Any]) -> list[Observation]:
    """Whether every client takes part in every round, from orthogonal gradients."""
    if lines is not None and _is_stale(lines):
        return [not_observable(Part.SAMPLING, STALE)]
    shown, rounds = instance(np.diag(np.linspace(0.8, 1.6, 5)), sizes=(4,) * 5), 12
    settings = {**example, "clip_threshold": MANY, "batch_size": 4, "noise_multiplier": 0.0}
    found = lab.run(shown, settings, rounds)
    moved = np.abs(found[:-1] - found[1:]) > 1e-9
    because = f"{rounds} rounds of 5 clients with orthogonal gradients"
    measured = f"{moved.sum(axis=1).min()} to {moved.sum(axis=1).max()} clients"
    if moved.all():
        return [agrees(Part.SAMPLING, measured, "5 clients", because)]
    if not moved.any() or (moved == moved[0]).all():
        # clients that are always left out are a matter of the average
        return [not_observable(Part.SAMPLING, "the same clients, or none, move the state in every round")]
    return [differs(Part.SAMPLING, measured, "5 clients", because, "some_clients")]


def _is_stale(lines: Lines) -> bool:
    """Whether clients receive an average of before."""
    right = Lines()
    return lines.given is not right.given or lines.behind is not right.behind


def read_batches(lab: Lab, lines: Lines | None, example: Mapping[str, Any]) -> list[Observation]:
    """The law of the batches: independent draws, each data point with probability B/N, new in every step."""
    if lines is None:
        return [not_observable(Part.BATCH, UNKNOWN)]
    right = Lines()
    if (
        any(
            getattr(lines, name) is not getattr(right, name)
            for name in ("given", "behind", "count", "weights", "start", "along")
        )
        or lines.search.least > right.search.least
    ):
        return [not_observable(Part.BATCH, "another difference hides who was drawn")]
    drawn = {wanted: _draw_batches(lab, example, wanted) for wanted in (WANTED, DENSE)}
    each = [_read_draws(times, wanted) for wanted, of_clients in drawn.items() for times in of_clients]
    # numbers of two generators with one seed stay side by side where the clients have as many data points
    pairs = [*drawn.items(), (WANTED, _draw_batches(lab, example, WANTED, EQUAL_SIZES))]
    each += [one for wanted, of_clients in pairs if (one := _read_pair(of_clients, wanted))]
    wrong = [one for one in each if one.verdict is Verdict.DIFFERS]
    if wrong and lines.bounded is not right.bounded:
        return [not_observable(Part.BATCH, "the difference at the line of the bounded update hides it")]
    if not wrong and lines.step is right.step and (difference := _read_steps(lab, example)) is not None:
        return [difference]
    return [*wrong, each[-1]][:1]


def _draw_batches(
    lab: Lab, example: Mapping[str, Any], wanted: int, sizes: tuple[int, int] = SIZES
) -> list[Floats]:
    """How often each data point of each client was counted in every round."""
    case = random_batches(example, wanted, sizes)
    found = lab.run(case.shown, case.settings, ROUNDS)
    assert case.drawn is not None
    times = case.drawn(found)
    return [np.array([row[i] for row in times]) for i in range(len(sizes))]


def _read_draws(times: Floats, wanted: int) -> Observation:
    """The batches of one client, from how often each of its data points was counted in every round."""
    counts, size = (times > 0).sum(axis=1), times.shape[1]
    because = f"{ROUNDS} batches of {size} data points with orthogonal gradients, batch_size {wanted}"
    measured = f"{counts.min()} to {counts.max()} data points, {counts.mean():.4g} in the mean"
    expected = f"each with probability {wanted / size:.4g}, independently"
    slip = _batch_slip(times, wanted)
    if slip is None:
        return agrees(Part.BATCH, measured, expected, f"{because}; {rate_noticed(times, wanted / size)}")
    return differs(Part.BATCH, measured, expected, because, slip)


def _read_pair(of_clients: Sequence[Floats], wanted: int) -> Observation | None:
    """The difference of two clients whose batches depend on each other; nothing if they do not."""
    one, other = ((times > 0).astype(np.float64) for times in of_clients)
    both, common = wanted**2 / (one.shape[1] * other.shape[1]), min(one.shape[1], other.shape[1])
    products = {
        "draws at one place": (one[:, :common] * other[:, :common]).mean(axis=1),
        "the shares that are drawn": one.mean(axis=1) * other.mean(axis=1),
    }
    claims = (
        Mean(name=name, samples=samples, mean=both, low=0, high=1, slip="batch_common")
        for name, samples in products.items()
    )
    wrong = first_rejected(claims)
    if wrong is None:
        return None
    because = f"{ROUNDS} batches of two clients, batch_size {wanted}: the mean product of {wrong.name}"
    return differs(Part.BATCH, wrong.measured(), both, because, wrong.slip)


def _batch_slip(times: Floats, wanted: int) -> str | None:
    bits = np.asarray(times > 0, dtype=np.float64)
    if bits.all():
        return "whole_batch"
    if times.max() > 1:
        return "batch_replacement"
    if (bits.sum(axis=1) == wanted).all():
        wrong = first_rejected(claims_on_sets(bits, wanted, fixed=True))
        return "batch_fixed_size" if wrong is None else _BATCHES[name_slip(wrong, bits)]
    wrong = first_rejected(claims_on_sets(bits, wanted, fixed=False))
    return None if wrong is None else _BATCHES[name_slip(wrong, bits)]


_BATCHES = {
    "rate": "batch_rate",
    "same_clients": "batch_uneven",
    "passes": "batch_passes",
    "same_round": "batch_same",
    "blocks": "batch_blocks",
    "never_empty": "batch_never_empty",
    "capped": "batch_capped",
}


def _read_steps(lab: Lab, example: Mapping[str, Any]) -> Observation | None:
    """Two local steps: a data point that is drawn in one of the two alone shows that batches are new."""
    if "local_steps" not in example:
        return None
    case = random_batches({**example, "local_steps": 2})
    found = lab.run(case.shown, case.settings, 60)
    shares = np.abs(found[:-1] - found[1:])
    levels = shares / shares.max(axis=0)
    if ((levels > 0.4) & (levels < 0.6)).any():
        return None
    because = "60 rounds of two local steps: every data point is in both batches or in none"
    return differs(Part.BATCH, "one batch a round", "a new batch in every local step", because, "batch_kept")


def read_noise(lab: Lab, lines: Lines | None, example: Mapping[str, Any]) -> list[Observation]:
    """The noise of zero functions, beside what the code's own lines make of the noise of the listing."""
    if lines is None:
        return [not_observable(Part.NOISE, UNKNOWN)]
    if _is_stale(lines):
        return [not_observable(Part.NOISE, STALE)]
    if lines.along is not Lines().along:
        return [not_observable(Part.NOISE, "an optimizer that does more than descent hides it")]
    if abs(lines.weights(np.ones(3)).sum() - 1) > 1e-9:
        return [not_observable(Part.NOISE, "weights that do not add up to 1 move the state without noise")]
    # a divisor that is the number of drawn points is known only if all are drawn
    batches = (SIZE, SIZE) if lines.divisor(example, 1.0, 2) == 1.0 else (2, 3)
    one, several = (
        _settings(example, values | {"batch_size": size})
        for values, size in zip(NOISE_SETTINGS, batches, strict=True)
    )
    seen = [_measured(lab, lines, one, 3, DIMENSION), _measured(lab, lines, several, 1, DIMENSION)]
    if not all(noise.expected for noise in seen):
        return [not_observable(Part.NOISE, "the code makes no local step that could have noise")]
    single_record = _settings(example, NOISE_SETTINGS[1] | {"local_steps": 1, "batch_size": 1})
    if (
        wrong := _find_wrong_noise(lab, lines, seen, single_record, adaptive="local_steps" not in example)
    ) is not None:
        return [wrong]
    fine = _measured(lab, lines, one, 1, FINE, FINE_ROUNDS)
    known = next((slip for slip in NOISES if fits([fine], slip.factor)), None)
    for slip in list_wrong(fine, known):
        return [_differs([fine], slip)]
    if is_cut(fine, _measured(lab, lines, one, 1, FINE, FINE_ROUNDS)):
        return [_differs([fine], "noise_cut")]
    if wrong_size([_measured(lab, lines, one, 1, DIMENSION, slope=LONG)]) is not None:
        return [_differs(seen, "noise_by_gradient")]
    because = f"{NOISE_ROUNDS} rounds of zero functions, three settings; {describe_noticed(fine)}"
    return [agrees(Part.NOISE, seen[0].measured, seen[0].expected, because)]


def _find_wrong_noise(
    lab: Lab, lines: Lines, seen: list[Noise], single_record: Mapping[str, Any], *, adaptive: bool
) -> Observation | None:
    """The first thing about the noise that is not as in the listing."""
    if all(noise.measured < 1e-6 * noise.expected for noise in seen):
        return _differs(seen, NOISES[0])
    if (repeated := repetition(seen)) is not None:
        return _differs(seen, repeated)
    if _is_clipped(lab, single_record):
        return _differs(seen, "noise_bounded")
    full_batch = {**single_record, "batch_size": SIZE}  # an empty batch may go without noise
    if repetition([_measured(lab, lines, full_batch, 1, DIMENSION)]) == "noise_rounded":
        return _differs(seen, "noise_rounded")  # a sum of several rounded numbers has more values
    if (one_sided := name_sign(seen)) is not None:
        return _differs(seen, one_sided)
    if (dependent := find_dependence(seen)) is not None:
        return _differs(seen, dependent)
    if wrong_size(seen) is not None:
        return _differs(seen, name_size(seen, slip_of(seen, _known(adaptive))))
    broken = wrong_law(seen)
    return None if broken is None else _differs(seen, name_law(seen, broken.slip))


def _known(adaptive: bool) -> tuple[Slip, ...]:
    """If there is one local step only, slips of the number of steps cannot be told from right code."""
    return tuple(slip for slip in NOISES if not (adaptive and slip.name in ("once_a_round", "kept_in_round")))


def _settings(example: Mapping[str, Any], point: Mapping[str, Any]) -> dict[str, Any]:
    """At this point; an adaptive number of local steps is held at 1 and its budgets are large."""
    settings = {**example, **point}
    if "local_steps" not in example:
        del settings["local_steps"]
        settings |= {"search_limit": 1, "communication_budget": 1e6, "privacy_budget": 1e6}
    return settings


def _measured(
    lab: Lab,
    lines: Lines,
    settings: Values,
    n: int,
    d: int,
    rounds: int = NOISE_ROUNDS,
    slope: float = 0.0,
) -> Noise:
    """slope: of all data points, in a coordinate beside those whose noise is measured."""
    rows = np.zeros((SIZE, d + bool(slope)))
    rows[:, d // 2] = slope
    found = lab.run(of_data((rows,) * n), settings, rounds)
    found = np.delete(found, d // 2, axis=1) if slope else found
    tau = settings.get("local_steps", 1)
    values = {
        "eta": settings["step"],
        "C": settings["clip_threshold"],
        "sigma": settings["noise_multiplier"],
        "B": settings["batch_size"],
        "tau": tau,
        "n": n,
        "d": d,
        "N": SIZE,
    }
    return Noise(values=values, moves=found[:-1] - found[1:], expected=_deviation(lines, settings, n, tau))


def _deviation(lines: Lines, settings: Values, n: int, tau: int) -> float:
    """Per coordinate: the norm of what the lines make of orthonormal noises."""
    steps = max(1, lines.count(settings, max(tau, lines.search.first), SIZE))
    unit = np.eye(n * steps)
    zero: Instance = instance(np.zeros((n, n * steps)), sizes=(SIZE,) * n)
    path = states(lines, zero, settings, 1, noise=lambda k, i, j: unit[i * steps + j])
    return float(np.linalg.norm(path[1] - path[0]))


def _is_clipped(lab: Lab, settings: Values) -> bool:
    """Whether noise that is longer than the threshold moves the state by one and the same length."""
    found = lab.run(of_data((np.zeros((1, DIMENSION)),)), settings, 20)
    lengths = np.linalg.norm(found[:-1] - found[1:], axis=1)
    return bool(np.ptp(lengths) <= 1e-6 * lengths.max())


def _differs(seen: Sequence[Noise], slip: Slip | str | None) -> Observation:
    rounds, d = seen[0].moves.shape
    because = f"{rounds} rounds of zero functions in dimension {d}"
    sized = slip is None or (isinstance(slip, Slip) and slip.factor(seen[0].values))
    conversion = other_size(seen, "sigma") if sized else None
    return name_ratio(differs(Part.NOISE, seen[0].measured, seen[0].expected, because, slip, conversion))
