"""Known slips of noisy clipped local steps: each replaces functions of the lines. Data, one slip an entry."""

# ruff: noqa: E501  a table is read by its rows

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.listing import Part
from verify.conformance.own_constants import own, say_in_words
from verify.conformance.replay.family import BEHIND, optimizer_slips, scale_noise, slip
from verify.conformance.replay.local_steps_search import by_size
from verify.conformance.replay.noisy_steps import Values, clip_each
from verify.conformance.slips import OTHERS

P = Part


def _scaled_by(factor: Callable[[Floats, Values], Floats]) -> Callable[[Floats, Values], Floats]:
    """Each row times its factor, which sees the lengths of the rows."""

    def bounded(rows: Floats, v: Values) -> Floats:
        return rows * factor(rows, v)

    return bounded


def _length(rows: Floats, order: Any = 2) -> Floats:
    lengths: Floats = np.linalg.norm(rows, ord=order, axis=1, keepdims=True)
    return np.maximum(lengths, 1e-300)


def _clipped_to(threshold: Callable[[Values, int], float], power: float = 1.0, order: Any = 2) -> Any:
    return _scaled_by(
        lambda rows, v: np.minimum(1.0, threshold(v, rows.shape[1]) / _length(rows, order)) ** power
    )


def _clipped_beside(constant: float, *, if_long: bool = False) -> Callable[[Floats, Values], Floats]:
    """Rows clipped with this constant added to their lengths, or to those above the threshold alone."""

    def factors(rows: Floats, v: Values) -> Floats:
        found = np.minimum(1.0, v["clip_threshold"] / (_length(rows) + constant))
        return np.where(_length(rows) > v["clip_threshold"], found, 1.0) if if_long else found

    return _scaled_by(factors)


def _clipped_from(least: float) -> Callable[[Floats, Values], Floats]:
    """Rows clipped with lengths that count as this one at least."""
    return _scaled_by(lambda rows, v: np.minimum(1.0, v["clip_threshold"] / np.maximum(_length(rows), least)))


def _mean_clipped(rows: Floats, v: Values) -> Floats:
    """Rows whose sum is that of the clipped mean, counted once for each of them."""
    mean = rows.mean(axis=0)
    return np.repeat(
        (mean * min(1.0, v["clip_threshold"] / max(np.linalg.norm(mean), 1e-300)))[None], len(rows), 0
    )


def _sum_clipped(rows: Floats, v: Values) -> Floats:
    total = rows.sum(axis=0)
    return np.repeat(
        (total * min(1.0, v["clip_threshold"] / max(np.linalg.norm(total), 1e-300)))[None] / len(rows),
        len(rows),
        0,
    )


def _layers_clipped(cut: int) -> Callable[[Floats, Values], Floats]:
    """Two layers, each clipped by itself."""

    def bounded(rows: Floats, v: Values) -> Floats:
        layers = [layer for layer in (rows[:, :cut], rows[:, cut:]) if layer.shape[1]]
        return np.hstack([rows_ * np.minimum(1.0, v["clip_threshold"] / _length(rows_)) for rows_ in layers])

    return bounded


def _in_pairs(share: float, weight: float) -> Callable[[Floats, Values], Floats]:
    """Data points in pairs, as they come: each pair's sum times the share is clipped, then weighted."""

    def bounded(rows: Floats, v: Values) -> Floats:
        pairs = [share * rows[i : i + 2].sum(axis=0) for i in range(0, len(rows), 2)]
        return weight * clip_each(np.array(pairs), v)

    return bounded


def _threshold(v: Values, d: int) -> float:
    return float(v["clip_threshold"])


PAIRS = (
    ("sums", "each sum of two", 1.0, 1.0),
    ("means", "each mean of two, and their sum is divided by B", 0.5, 1.0),
    ("averaged", "each mean of two, and their sum is divided by B/2", 0.5, 2.0),
)
_HALVING = own(eta={"eta": 1, 2: -1})

STEPS = (
    slip(P.LOCAL_STEP, "half", "the local step is half of its value", _HALVING, step=lambda v, j, tau: v["step"] / 2),
    slip(P.LOCAL_STEP, "divided_by_steps", "the local step is divided by the number of local steps", step=lambda v, j, tau: v["step"] / tau),
    slip(P.LOCAL_STEP, "times_steps", "the local step is multiplied by the number of local steps", step=lambda v, j, tau: v["step"] * tau),
    slip(P.LOCAL_STEP, "decreasing", "the local step falls as 1/j within a round", step=lambda v, j, tau: v["step"] / (j + 1)),
    slip(P.LOCAL_STEP, "decreasing_root", "the local step falls as 1/sqrt(j) within a round", step=lambda v, j, tau: v["step"] / sqrt(j + 1)),
    slip(P.LOCAL_STEP, "wrong_sign", "the step goes along the gradient, not against it", step=lambda v, j, tau: -v["step"]),
    slip(P.LOCAL_STEP, "gradient_kept", "the gradient at the start is used in every local step", point=lambda x, w: w),
    slip(P.LOCAL_COUNT, "one_too_few", "one local step too few", count=lambda v, tau, size: tau - 1),
    slip(P.LOCAL_COUNT, "one_too_many", "one local step too many", count=lambda v, tau, size: tau + 1),
    slip(P.LOCAL_COUNT, "single", "a single local step", count=lambda v, tau, size: 1),
    slip(P.LOCAL_COUNT, "twice", "every local step is made twice", count=lambda v, tau, size: 2 * tau),
    slip(P.LOCAL_COUNT, "epochs", "local steps are counted as epochs: tau passes over the client's batches", count=lambda v, tau, size: tau * -(-size // v["batch_size"])),
    slip(P.LOCAL_COUNT, "epochs_of_points", "local steps are counted as epochs: tau steps for each data point", count=lambda v, tau, size: tau * size),
    slip(P.LOCAL_START, "chained", "a client starts where the client before it has ended", start=lambda w, own, last: last),
    slip(P.LOCAL_START, "stale", "the clients receive the average of the round before", given=lambda w, before: before),
    *(slip(P.LOCAL_START, f"stale_{which}", f"{words} receives the average of the round before", behind=behind) for which, words, behind in BEHIND),
    slip(P.LOCAL_START, "own_model", "a client starts from its own last model, not from the average", start=lambda w, own, last: own),
    slip(P.LOCAL_START, "one_model", OTHERS["one_model"], start=lambda w, own, last: last, weights=lambda sizes: np.eye(len(sizes))[-1]),
    *optimizer_slips("along"),
)  # fmt: skip
BOUNDS = (
    slip(P.BOUNDING, "none", "the gradients are not clipped", bounded=lambda rows, v: rows),
    slip(P.BOUNDING, "normalize", "each gradient is normalized, also when it is short", bounded=_scaled_by(lambda rows, v: v["clip_threshold"] / _length(rows))),
    slip(P.BOUNDING, "mean_clipped", "the mean of the batch is clipped, not each gradient", bounded=_mean_clipped),
    slip(P.BOUNDING, "sum_clipped", "the sum over the batch is clipped, not each gradient", bounded=_sum_clipped),
    slip(P.BOUNDING, "unit_clip", "each gradient is clipped to length 1, not to the threshold", bounded=_clipped_to(lambda v, d: 1.0)),
    slip(P.BOUNDING, "unit_if_long", "a gradient that is longer than the threshold is divided by its norm, without the threshold", bounded=lambda rows, v: np.where(_length(rows) > v["clip_threshold"], rows / _length(rows), rows)),
    slip(P.BOUNDING, "compared_with_one", "the norm is compared with 1, not with the threshold, and the gradient is then set to length C", bounded=lambda rows, v: np.where(_length(rows) > 1, rows * v["clip_threshold"] / _length(rows), rows)),
    slip(P.BOUNDING, "turned_round", "the factor is norm/C, the wrong way round: short gradients are shortened, and long ones left", bounded=_scaled_by(lambda rows, v: np.minimum(1.0, _length(rows) / v["clip_threshold"]))),
    slip(P.BOUNDING, "longest", "all gradients of a batch have the factor of the longest one", bounded=lambda rows, v: rows / max(1.0, float(_length(rows).max(initial=0.0)) / v["clip_threshold"])),
    slip(P.BOUNDING, "common_norm", "all gradients of a batch have one factor, from the norm of all of them together", bounded=lambda rows, v: rows / max(1.0, float(np.linalg.norm(rows)) / v["clip_threshold"])),
    slip(P.BOUNDING, "unit", "each gradient is divided by its norm, without the threshold", bounded=_scaled_by(lambda rows, v: 1 / _length(rows))),
    slip(P.BOUNDING, "divided_by_threshold", "each clipped gradient is divided by the threshold", own(eta={"eta": 1, "C": 1}, sigma={"sigma": 1, "C": -1}), bounded=_scaled_by(lambda rows, v: 1 / np.maximum(v["clip_threshold"], _length(rows)))),
    slip(P.BOUNDING, "each_coordinate", "every coordinate is clipped by itself", bounded=lambda rows, v: np.clip(rows, -v["clip_threshold"], v["clip_threshold"])),
    slip(P.BOUNDING, "smooth", "each gradient is scaled by C/(C + norm)", bounded=_scaled_by(lambda rows, v: v["clip_threshold"] / (v["clip_threshold"] + _length(rows)))),
    slip(P.BOUNDING, "small_constant", "1e-6 is added to the norm before it is compared with the threshold", say_in_words("none is needed: lengths stay below C, and long ones are shorter by 1e-6 of C/norm"), bounded=_scaled_by(lambda rows, v: np.minimum(1.0, v["clip_threshold"] / (_length(rows) + 1e-6)))),
    *(slip(P.BOUNDING, f"constant_{constant:g}", f"{constant:g} is added to the norm before the threshold is divided by it", bounded=_clipped_beside(constant)) for constant in (1e-2, 1e-3, 1e-4, 1e-5, 1e-8)),
    *(slip(P.BOUNDING, f"constant_{constant:g}_if_long", f"{constant:g} is added to a norm above the threshold before the threshold is divided by it", bounded=_clipped_beside(constant, if_long=True)) for constant in (1e-2, 1e-3, 1e-4, 1e-5, 1e-8)),
    *(slip(P.BOUNDING, f"least_{least:g}", f"a norm counts as {least:g} at least where the threshold is divided by it", bounded=_clipped_from(least)) for least in (1.0, 0.1, 1e-2, 1e-3)),
    slip(P.BOUNDING, "dropped", "a gradient that is longer than the threshold is left out, not shortened", bounded=_scaled_by(lambda rows, v: (_length(rows) <= v["clip_threshold"]).astype(np.float64))),
    slip(P.BOUNDING, "root", "the factor is the square root of C/norm", bounded=_clipped_to(_threshold, 0.5)),
    slip(P.BOUNDING, "square", "the factor is the square of C/norm", bounded=_clipped_to(_threshold, 2.0)),
    slip(P.BOUNDING, "squared_length", "the threshold is compared with the squared norm", bounded=_scaled_by(lambda rows, v: np.minimum(1.0, v["clip_threshold"] / _length(rows) ** 2))),
    slip(P.BOUNDING, "sum_norm", "the sum of absolute values is used as the norm", bounded=_clipped_to(_threshold, order=1)),
    slip(P.BOUNDING, "largest_coordinate", "the largest coordinate is used as the norm", bounded=_clipped_to(_threshold, order=np.inf)),
    slip(P.BOUNDING, "threshold_over_batch", "the threshold is divided by the batch size", bounded=_clipped_to(lambda v, d: v["clip_threshold"] / v["batch_size"])),
    slip(P.BOUNDING, "threshold_by_dimension", "the threshold is divided by the square root of the dimension", bounded=_clipped_to(lambda v, d: v["clip_threshold"] / sqrt(d))),
    slip(P.BOUNDING, "threshold_times_step", "the threshold is multiplied by the local step", bounded=_clipped_to(lambda v, d: v["clip_threshold"] * v["step"])),
    slip(P.BOUNDING, "twice_threshold", "the threshold is twice its value", own(C={2: 1, "C": 1}, sigma={"sigma": 1, 2: -1}), bounded=_clipped_to(lambda v, d: 2 * v["clip_threshold"])),
    slip(P.BOUNDING, "half_threshold", "the threshold is half of its value", own(C={"C": 1, 2: -1}, sigma={2: 1, "sigma": 1}), bounded=_clipped_to(lambda v, d: v["clip_threshold"] / 2)),
    *(slip(P.BOUNDING, f"pairs_{what}", f"data points are clipped in pairs, as microbatches of two: {words}", bounded=_in_pairs(share, weight)) for what, words, share, weight in PAIRS),
    *(slip(P.BOUNDING, f"layers_{cut}", f"two layers, the first of {cut} coordinates, are clipped by themselves, not the whole gradient", bounded=_layers_clipped(cut)) for cut in range(1, 6)),
)  # fmt: skip
AVERAGES = (
    slip(P.BATCH_DIVISOR, "drawn", "the sum is divided by the number of data points that were drawn", divisor=lambda v, drawn, size: drawn),
    slip(P.BATCH_DIVISOR, "size", "the sum is divided by the number of the client's data points", divisor=lambda v, drawn, size: size),
    slip(P.BATCH_DIVISOR, "sum", "the sum over the batch is not divided", own(eta={"eta": 1, "B": 1}, sigma={"sigma": 1, "B": -1}), divisor=lambda v, drawn, size: 1.0),
    slip(P.BATCH_DIVISOR, "divided_twice", "the sum is divided by the batch size twice", own(eta={"eta": 1, "B": -1}), divisor=lambda v, drawn, size: v["batch_size"] ** 2),
    slip(P.BATCH_DIVISOR, "root", "the sum is divided by the square root of the batch size", divisor=lambda v, drawn, size: sqrt(v["batch_size"])),
    slip(P.BATCH_DIVISOR, "one_less", "the sum is divided by the batch size minus one", divisor=lambda v, drawn, size: v["batch_size"] - 1),
    slip(P.AVERAGE, "uniform", "all clients have the same weight, whatever their numbers of data points", say_in_words("define F with equal weights"), weights=lambda sizes: np.full(len(sizes), 1 / len(sizes))),
    slip(P.AVERAGE, "sum", "the models are summed and not divided", weights=lambda sizes: np.ones(len(sizes))),
    slip(P.AVERAGE, "not_normalized", "the weights are the numbers of data points, not divided by their sum", weights=lambda sizes: sizes),
    slip(P.AVERAGE, "one_less", "the sum is divided by N - 1", weights=lambda sizes: by_size(sizes) * len(sizes) / max(1, len(sizes) - 1)),
    slip(P.AVERAGE, "moving", "the average is mixed in equal parts with the last one", server=lambda w, mean: (w + mean) / 2),
    slip(P.AVERAGE, "squared_sizes", "clients are weighted by the squares of their numbers of data points", weights=lambda sizes: by_size(sizes**2)),
    slip(P.AVERAGE, "root_sizes", "clients are weighted by the roots of their numbers of data points", weights=lambda sizes: by_size(np.sqrt(sizes))),
    slip(P.AVERAGE, "last_model", "the last client's model is taken, not the average", weights=lambda sizes: np.eye(len(sizes))[-1]),
    slip(P.AVERAGE, "first_left_out", "one client's model is left out of the average", weights=lambda sizes: by_size(np.where(np.arange(len(sizes)) < len(sizes) - 1, sizes, 0.0)) if len(sizes) > 1 else np.ones(1)),
)  # fmt: skip
SLIPS = (*STEPS, *BOUNDS, *AVERAGES)


NOISES = (
    scale_noise("none", "no noise is added", lambda v: 0.0),
    scale_noise("without_threshold", "the noise lacks the factor C", lambda v: 1 / v["C"], own(sigma={"sigma": 1, "C": -1})),
    scale_noise("threshold_twice", "the noise has the factor C twice", lambda v: v["C"], own(sigma={"sigma": 1, "C": 1})),
    scale_noise("not_divided", "the noise is not divided by the batch size", lambda v: v["B"], own(sigma={"sigma": 1, "B": 1})),
    scale_noise("divided_twice", "the noise is divided by the batch size twice", lambda v: 1 / v["B"], own(sigma={"sigma": 1, "B": -1})),
    scale_noise("per_data_point", "noise is added for every data point of the batch", lambda v: sqrt(v["B"])),
    scale_noise("root_of_batch", "the noise is divided by the square root of the batch size once more", lambda v: 1 / sqrt(v["B"])),
    scale_noise("size_for_batch", "the noise is divided by the number of data points, not by the batch size", lambda v: v["B"] / v["N"], own(sigma={"sigma": 1, "B": 1, "N": -1})),
    scale_noise("variance_for_deviation", "the variance sigma^2 C^2 is used as the standard deviation", lambda v: v["sigma"] * v["C"]),
    scale_noise("squared_multiplier", "sigma^2 is in the place of sigma", lambda v: v["sigma"], own(sigma={"sigma": 2})),
    scale_noise("root_too_many", "the square root of sigma C is used as the standard deviation", lambda v: 1 / sqrt(v["sigma"] * v["C"])),
    scale_noise("root_of_multiplier", "the square root of sigma is in the place of sigma", lambda v: 1 / sqrt(v["sigma"])),
    scale_noise("once_a_round", "noise is added in one local step of a round only", lambda v: 1 / sqrt(v["tau"])),
    scale_noise("kept_in_round", "the same noise is added in every local step of a round", lambda v: sqrt(v["tau"])),
    scale_noise("after_the_step", "the noise is added after the local step, not multiplied by it", lambda v: 1 / v["eta"], own(sigma={"sigma": 1, "eta": -1})),
    scale_noise("step_twice", "the noise is multiplied by the local step once more", lambda v: v["eta"], own(sigma={"sigma": 1, "eta": 1})),
    scale_noise("noise_common", "all clients add the same noise vector, or the server adds one", lambda v: sqrt(v["n"])),
    scale_noise("divided_by_clients", "the noise is divided by the square root of the number of clients once more", lambda v: 1 / sqrt(v["n"])),
    scale_noise("total_variance", "the variance is taken as the total over the coordinates", lambda v: 1 / sqrt(v["d"]), own(sigma={"sigma": 1, "d": -0.5})),
    scale_noise("per_coordinate", "the noise is multiplied by the square root of the dimension", lambda v: sqrt(v["d"]), own(sigma={"sigma": 1, "d": 0.5})),
    scale_noise("empty_without", "a batch without data points has no noise", lambda v: sqrt(1 - (1 - v["B"] / v["N"]) ** v["N"])),
    scale_noise("at_server", "the noise is added to the average of the models, not in the local steps", lambda v: v["B"] * sqrt(v["n"] / v["tau"]) / v["eta"]),
    scale_noise("twice", "the noise is added twice, independently", lambda v: sqrt(2), own(sigma={2: 0.5, "sigma": 1})),
    scale_noise("doubled", "the noise has twice its standard deviation", lambda v: 2.0, own(sigma={2: 1, "sigma": 1})),
    scale_noise("half", "the noise has half of its standard deviation", lambda v: 0.5, own(sigma={"sigma": 1, 2: -1})),
)  # fmt: skip
