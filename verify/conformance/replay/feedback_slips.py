"""Known slips of error feedback with smoothed normalization: each replaces functions of the lines."""

# ruff: noqa: E501  a table is read by its rows

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.listing import Part
from verify.conformance.own_constants import Own, own, say_in_words
from verify.conformance.replay.family import Variant
from verify.conformance.replay.feedback import Values, smoothed
from verify.conformance.slips import Slip

P = Part


def _slip(part: Part, name: str, cause: str, conversion: Own | None = None, **changes: Any) -> Variant:
    return Variant(part=part, name=name, cause=cause, changes=changes, conversion=conversion)


def _lengths(rows: Floats) -> Floats:
    lengths: Floats = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
    return lengths


def _moved_by(length: Any) -> Any:
    """The server's step along its memory, with this length of the memory's own length and the values."""

    def move(memory: Floats, v: Values) -> Floats:
        size = float(np.linalg.norm(memory))
        return memory / size * length(size, v) if size > 0 else memory

    return move


def _with_smoothing(change: Any) -> Any:
    return lambda rows, v: smoothed(rows, {**v, "smoothing": change(v)})


def _select_taking(new: Floats, old: Floats, taking: Floats) -> Floats:
    return np.where(taking[:, None] > 0, new, old)


LOCAL = (
    _slip(P.LOCAL_START, "chained", "a client starts where the client before it has ended", start=lambda x, own, last: last),
    _slip(P.LOCAL_START, "own_model", "a client starts from its own last model, not from the server's", start=lambda x, own, last: own),
    _slip(P.LOCAL_START, "stale", "the clients receive the model of the round before", given=lambda x, before: before),
    _slip(P.LOCAL_COUNT, "one_too_few", "one local step too few", count=lambda v, size: v["local_steps"] - 1),
    _slip(P.LOCAL_COUNT, "one_too_many", "one local step too many", count=lambda v, size: v["local_steps"] + 1),
    _slip(P.LOCAL_COUNT, "single", "a single local step of length gamma/T", count=lambda v, size: 1),
    _slip(P.LOCAL_COUNT, "epochs", "local steps are counted as epochs", count=lambda v, size: v["local_steps"] * size),
    _slip(P.LOCAL_COUNT, "twice", "every local step is made twice", count=lambda v, size: 2 * v["local_steps"]),
    _slip(P.LOCAL_STEP, "not_divided_by_steps", "the local step is gamma, not gamma/T", say_in_words("replace gamma by gamma*T and keep gamma in line 6"), step=lambda v, j: v["local_step"]),
    _slip(P.LOCAL_STEP, "half", "the local step is half of its value", step=lambda v, j: v["local_step"] / v["local_steps"] / 2),
    _slip(P.LOCAL_STEP, "server_step_in_its_place", "the server step is in the place of the local step", step=lambda v, j: v["server_step"] / v["local_steps"]),
    _slip(P.LOCAL_STEP, "decreasing", "the local step falls as 1/j within a round", step=lambda v, j: v["local_step"] / v["local_steps"] / (j + 1)),
    _slip(P.LOCAL_STEP, "gradient_kept", "the gradient at the start is used in every local step", point=lambda model, x: x),
    _slip(P.UPDATE, "not_divided_by_step", "the update is the difference of the models, not divided by gamma", own(alpha={"alpha": 1, "gamma": -1}, beta={"beta": 1, "gamma": -1}, v_i={"v_i": 1, "gamma": -1}), scale=lambda v: 1.0),
    _slip(P.UPDATE, "divided_by_local", "the update is divided by gamma/T, the length of one local step", say_in_words("replace gamma by gamma/T in line 6"), scale=lambda v: v["local_steps"] / v["local_step"]),
    _slip(P.UPDATE, "divided_by_steps", "the update is divided by the number of local steps once more", scale=lambda v: 1 / (v["local_step"] * v["local_steps"])),
    _slip(P.UPDATE, "wrong_sign", "the update is the model's gain, of the opposite sign", scale=lambda v: -1 / v["local_step"]),
)  # fmt: skip
MEMORIES = (
    _slip(P.CORRECTION, "memory_left_out", "the memory is not subtracted from the update", error=lambda updates, memories: updates),
    _slip(P.CORRECTION, "memory_added", "the memory is added to the update", error=lambda updates, memories: updates + memories),
    _slip(P.CORRECTION, "clipped", "the correction is clipped to length 1, not normalized", bounded=lambda rows, v: rows * np.minimum(1.0, 1 / _lengths(rows))),
    _slip(P.CORRECTION, "normalized", "the correction is normalized without alpha", own(alpha={0: 1}), bounded=_with_smoothing(lambda v: 0.0)),
    _slip(P.CORRECTION, "not_normalized", "the correction is not normalized", bounded=lambda rows, v: rows),
    _slip(P.CORRECTION, "alpha_squared", "alpha and the norm are added as squares under a root", bounded=lambda rows, v: rows / np.maximum(np.sqrt(v["smoothing"] ** 2 + _lengths(rows) ** 2), 1e-300)),
    _slip(P.CORRECTION, "alpha_as_maximum", "the larger of alpha and the norm is the divisor, not their sum", bounded=lambda rows, v: rows / np.maximum(v["smoothing"], _lengths(rows))),
    _slip(P.CORRECTION, "alpha_numerator", "the correction is scaled by alpha/(alpha + norm)", own(beta={"alpha": 1, "beta": 1}), bounded=lambda rows, v: v["smoothing"] * smoothed(rows, v)),
    _slip(P.CORRECTION, "each_coordinate", "every coordinate is normalized by itself", bounded=lambda rows, v: rows / (v["smoothing"] + np.abs(rows))),
    _slip(P.CORRECTION, "squared_length", "the squared norm is in the place of the norm", bounded=lambda rows, v: rows / (v["smoothing"] + _lengths(rows) ** 2)),
    _slip(P.CORRECTION, "one_for_alpha", "1 is in the place of alpha", own(alpha={}), bounded=_with_smoothing(lambda v: 1.0)),
    _slip(P.CORRECTION, "sum_norm", "the sum of absolute values is used as the norm", bounded=lambda rows, v: rows / (v["smoothing"] + np.abs(rows).sum(axis=1, keepdims=True))),
    _slip(P.CORRECTION, "largest_coordinate", "the largest coordinate is used as the norm", bounded=lambda rows, v: rows / (v["smoothing"] + np.abs(rows).max(axis=1, keepdims=True))),
    _slip(P.CORRECTION, "of_update", "the update is normalized before the memory is subtracted", error=lambda updates, memories: updates / (1e-300 + _lengths(updates)) - memories),
    _slip(P.MEMORY, "taking_part_only", "only clients that take part move their memories", memory=lambda old, delta, v, taking: _select_taking(old + v["memory_step"] * delta, old, taking)),
    _slip(P.MEMORY, "never", "the memories stay as they are", memory=lambda old, delta, v, taking: old),
    _slip(P.MEMORY, "without_beta", "the memory moves by the correction, without beta", memory=lambda old, delta, v, taking: old + delta),
    _slip(P.MEMORY, "replaced", "the correction replaces the memory", memory=lambda old, delta, v, taking: v["memory_step"] * delta),
    _slip(P.MEMORY, "subtracted", "the correction is subtracted from the memory", memory=lambda old, delta, v, taking: old - v["memory_step"] * delta),
    _slip(P.MEMORY, "averaged", "the memory is (1 - beta) times itself and beta times the correction", memory=lambda old, delta, v, taking: (1 - v["memory_step"]) * old + v["memory_step"] * delta),
    _slip(P.MEMORY, "over_probability", "the memory moves by beta/p, as the server's does", memory=lambda old, delta, v, taking: old + v["memory_step"] / v["probability"] * delta),
    _slip(P.MEMORY, "update_kept", "the update itself becomes the memory", kept=lambda memories, updates: updates),
    _slip(P.MEMORY, "half", "the memory moves by half of beta", memory=lambda old, delta, v, taking: old + v["memory_step"] / 2 * delta),
    _slip(P.MEMORY, "common", "all clients share one memory", memory=lambda old, delta, v, taking: old + v["memory_step"] * delta.mean(axis=0)),
)  # fmt: skip
SERVER = (
    _slip(P.WEIGHT, "not_weighted", "what clients send is not divided by p", q=lambda v, came, M: 1.0),
    _slip(P.WEIGHT, "times_probability", "what clients send is multiplied by p, not divided", q=lambda v, came, M: v["probability"]),
    _slip(P.WEIGHT, "divided_twice", "what clients send is divided by p twice", q=lambda v, came, M: 1 / v["probability"] ** 2),
    _slip(P.WEIGHT, "root", "what clients send is divided by the square root of p", q=lambda v, came, M: 1 / sqrt(v["probability"])),
    _slip(P.WEIGHT, "came", "the sum is divided by the number of clients that came, not by p M", q=lambda v, came, M: M / came if came else 0.0),
    _slip(P.SERVER_DIVISOR, "sum", "the sum is not divided by M", factor=lambda v, came, M: v["memory_step"]),
    _slip(P.SERVER_DIVISOR, "without_beta", "the sum is not multiplied by beta", factor=lambda v, came, M: 1 / M),
    _slip(P.SERVER_DIVISOR, "beta_twice", "the sum is multiplied by beta twice", factor=lambda v, came, M: v["memory_step"] ** 2 / M),
    _slip(P.SERVER_DIVISOR, "came", "the sum is divided by the number of clients that came, not by M", factor=lambda v, came, M: v["memory_step"] / max(1.0, came)),
    _slip(P.SERVER_DIVISOR, "root", "the sum is divided by the square root of M", factor=lambda v, came, M: v["memory_step"] / sqrt(M)),
    _slip(P.SERVER_MEMORY, "not_kept", "the server has no memory: it takes the sum of the round", server=lambda held, total, v: total),
    _slip(P.SERVER_MEMORY, "forgets", "the server keeps nine tenths of its memory", server=lambda held, total, v: 0.9 * held + total),
    _slip(P.SERVER_MEMORY, "averaged", "the server keeps 1 - beta of its memory", server=lambda held, total, v: (1 - v["memory_step"]) * held + total),
    _slip(P.SERVER_MEMORY, "memories_sent", "clients send their memories, and the server adds them", sent=lambda delta, old, new, updates: new),
    _slip(P.SERVER_MEMORY, "old_memories_sent", "clients send their memories of before the round", sent=lambda delta, old, new, updates: old),
    _slip(P.SERVER_MEMORY, "updates_sent", "clients send their updates, not the corrections", sent=lambda delta, old, new, updates: updates),
    _slip(P.SERVER_STEP, "not_normalized", "the step is eta times the memory, which is not normalized", move=_moved_by(lambda size, v: v["server_step"] * size)),
    _slip(P.SERVER_STEP, "smoothed", "the step is normalized with alpha", move=_moved_by(lambda size, v: v["server_step"] * size / (v["smoothing"] + size))),
    _slip(P.SERVER_STEP, "clipped", "the memory is clipped to length 1, not normalized", move=_moved_by(lambda size, v: v["server_step"] * min(1.0, size))),
    _slip(P.SERVER_STEP, "wrong_sign", "the server goes along its memory, not against it", move=_moved_by(lambda size, v: -v["server_step"])),
    _slip(P.SERVER_STEP, "local_step_in_its_place", "the local step is in the place of the server step", own(eta={"gamma": 1}), move=_moved_by(lambda size, v: v["local_step"])),
    _slip(P.SERVER_STEP, "both_steps", "the server step is multiplied by the local step", own(eta={"eta": 1, "gamma": 1}), move=_moved_by(lambda size, v: v["server_step"] * v["local_step"])),
    _slip(P.SERVER_STEP, "memory_step_in_its_place", "the memory step is in the place of the server step", own(eta={"beta": 1}), move=_moved_by(lambda size, v: v["memory_step"])),
    _slip(P.SERVER_STEP, "half", "the step is half of its value", own(eta={"eta": 1, 2: -1}), move=_moved_by(lambda size, v: v["server_step"] / 2)),
    _slip(P.INITIAL_MEMORY, "server_at_zero", "the server's memory starts at zero, not at the mean of the clients'", first=lambda memories: 0 * memories.mean(axis=0)),
    _slip(P.INITIAL_MEMORY, "server_sum", "the server's memory starts at the sum of the clients'", first=lambda memories: memories.sum(axis=0)),
)  # fmt: skip
SLIPS = (*LOCAL, *MEMORIES, *SERVER)


def _scale_noise(
    name: str, cause: str, factor: Callable[[Values], float], conversion: Own | None = None
) -> Slip:
    return Slip(name=name, part=Part.NOISE, cause=cause, factor=factor, conversion=conversion)


NOISES = (
    _scale_noise("none", "no noise is added", lambda v: 0.0),
    _scale_noise("per_coordinate", "every coordinate has the variance sigma^2, not all together", lambda v: sqrt(v["d"]), own(sigma_DP={"sigma_DP": 1, "d": 0.5})),
    _scale_noise("total_twice", "the noise is divided by the square root of the dimension once more", lambda v: 1 / sqrt(v["d"]), own(sigma_DP={"sigma_DP": 1, "d": -0.5})),
    _scale_noise("not_weighted", "the noise is not divided by p", lambda v: v["p"], own(sigma_DP={"p": 1, "sigma_DP": 1})),
    _scale_noise("weighted_twice", "the noise is divided by p twice", lambda v: 1 / v["p"], own(sigma_DP={"sigma_DP": 1, "p": -1})),
    _scale_noise("without_beta", "the noise is not multiplied by beta", lambda v: 1 / v["beta"], own(sigma_DP={"sigma_DP": 1, "beta": -1})),
    _scale_noise("beta_twice", "the noise is multiplied by beta twice", lambda v: v["beta"], own(sigma_DP={"beta": 1, "sigma_DP": 1})),
    _scale_noise("not_averaged", "the noise is not divided by M", lambda v: v["M"], own(sigma_DP={"M": 1, "sigma_DP": 1})),
    _scale_noise("averaged_twice", "the noise is divided by M twice", lambda v: 1 / v["M"], own(sigma_DP={"sigma_DP": 1, "M": -1})),
    _scale_noise("noise_common", "all clients add the same noise vector", lambda v: sqrt(v["p"] * v["M"] / (1 - (1 - v["p"]) ** v["M"]))),
    _scale_noise("all_clients", "clients that do not take part add noise as well", lambda v: 1 / sqrt(v["p"])),
    _scale_noise("variance_for_deviation", "the variance sigma^2 is used as the standard deviation", lambda v: v["sigma"]),
    _scale_noise("root_too_many", "the square root of sigma is used as the standard deviation", lambda v: 1 / sqrt(v["sigma"])),
    _scale_noise("times_local_step", "the noise is multiplied by gamma", lambda v: v["gamma"], own(sigma_DP={"gamma": 1, "sigma_DP": 1})),
    _scale_noise("over_local_step", "the noise is divided by gamma", lambda v: 1 / v["gamma"], own(sigma_DP={"sigma_DP": 1, "gamma": -1})),
    _scale_noise("times_server_step", "the noise is multiplied by eta", lambda v: v["eta"], own(sigma_DP={"eta": 1, "sigma_DP": 1})),
    _scale_noise("every_local_step", "noise is added in every local step", lambda v: sqrt(v["T"])),
    _scale_noise("twice", "the noise is added twice, independently", lambda v: sqrt(2), own(sigma_DP={2: 0.5, "sigma_DP": 1})),
    _scale_noise("doubled", "the noise has twice its standard deviation", lambda v: 2.0, own(sigma_DP={2: 1, "sigma_DP": 1})),
    _scale_noise("half", "the noise has half of its standard deviation", lambda v: 0.5, own(sigma_DP={"sigma_DP": 1, 2: -1})),
)  # fmt: skip
