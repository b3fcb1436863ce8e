"""Known slips of error feedback with smoothed normalization: each replaces functions of the lines."""

# ruff: noqa: E501  a table is read by its rows

from math import sqrt
from typing import Any

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.listing import Part
from verify.conformance.own_constants import own, say_in_words
from verify.conformance.replay.family import BEHIND, optimizer_slips, scale_noise, slip
from verify.conformance.replay.feedback import Lines, Values, fixed_length, smoothed
from verify.conformance.slips import OTHERS

P = Part


def _lengths(rows: Floats) -> Floats:
    lengths: Floats = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
    return lengths


def _moved_by(length: Any) -> Any:
    """The server's step along its memory, with this length of the memory's own length and the values."""

    def move(memory: Floats, v: Values) -> Floats:
        sizes = np.linalg.norm(memory, axis=-1, keepdims=True)
        sizes = np.where(sizes > 0, sizes, 1.0)
        moved: Floats = memory / sizes * length(sizes, v)
        return moved

    return move


def _with_smoothing(change: Any) -> Any:
    return lambda rows, v: smoothed(rows, {**v, "smoothing": change(v)})


def _select_taking(new: Floats, old: Floats, taking: Floats) -> Floats:
    return np.where(taking[:, None] > 0, new, old)


def _correct_in_turn(lines: Lines, updates: Floats, memories: Floats, v: Values) -> Floats:
    """Each client subtracts the one memory as the clients before it have left it."""
    memory, rows = memories[0], []
    for update in updates:
        delta = lines.bounded(lines.error(update[None], memory[None]), v)
        memory = memory + v["memory_step"] * delta[0]
        rows.append(delta[0])
    return np.array(rows)


def _move_in_turn(old: Floats, delta: Floats, v: Values, taking: Floats) -> Floats:
    moved: Floats = old + v["memory_step"] * delta.sum(axis=0)
    return moved


def _over_increment(before: Floats, after: Floats) -> Floats:
    sizes = np.linalg.norm(after - before, axis=-1, keepdims=True)
    along: Floats = np.where(sizes > 0, after / np.where(sizes > 0, sizes, 1.0), 0 * after)
    return along


ABSENT = (
    ("reset", "set their memories to zero", 0.0, 0.0),
    ("decay", "keep nine tenths of their memories, which they do not move", 0.9, 0.0),
    ("decay_moved", "move their memories and keep nine tenths of them", 0.9, 1.0),
    ("half", "move their memories by half of the correction", 1.0, 0.5),
)


def _last_alone(weights: Floats, sent: Floats) -> Floats:
    """The last message that came, with its weight, for each row of weights."""
    last = len(sent) - 1 - np.argmax(weights[..., ::-1] != 0, axis=-1)
    gathered: Floats = np.take_along_axis(weights, last[..., None], axis=-1) * sent[last]
    return gathered


def _layers_smoothed(cut: int) -> Any:
    """Two layers, each normalized by itself."""
    return lambda rows, v: np.hstack([smoothed(rows[:, :cut], v), smoothed(rows[:, cut:], v)])


def _layers_moved(cut: int) -> Any:
    """Two layers of the server's memory, each normalized by itself."""
    return lambda memory, v: np.concatenate(
        [fixed_length(memory[..., :cut], v), fixed_length(memory[..., cut:], v)], axis=-1
    )


LOCAL = (
    slip(P.LOCAL_START, "chained", "a client starts where the client before it has ended", start=lambda x, own, last: last),
    slip(P.LOCAL_START, "own_model", "a client starts from its own last model, not from the server's", start=lambda x, own, last: own),
    slip(P.LOCAL_START, "in_place", OTHERS["in_place"], start=lambda x, own, last: last, left=lambda x, last: last, scale=lambda v: 0.0),
    slip(P.LOCAL_START, "stale", "the clients receive the model of the round before", given=lambda x, before: before),
    *(slip(P.LOCAL_START, f"stale_{which}", f"{words} receives the model of the round before", behind=behind) for which, words, behind in BEHIND),
    slip(P.LOCAL_COUNT, "one_too_few", "one local step too few", count=lambda v, size: v["local_steps"] - 1),
    slip(P.LOCAL_COUNT, "one_too_many", "one local step too many", count=lambda v, size: v["local_steps"] + 1),
    slip(P.LOCAL_COUNT, "single", "a single local step of length gamma/T", count=lambda v, size: 1),
    slip(P.LOCAL_COUNT, "epochs", "local steps are counted as epochs", count=lambda v, size: v["local_steps"] * size),
    slip(P.LOCAL_COUNT, "twice", "every local step is made twice", count=lambda v, size: 2 * v["local_steps"]),
    slip(P.LOCAL_STEP, "not_divided_by_steps", "the local step is gamma, not gamma/T", say_in_words("replace gamma by gamma*T and keep gamma in line 6"), step=lambda v, j: v["local_step"]),
    slip(P.LOCAL_STEP, "mean_gradient_of_long_steps", "the local step is gamma, not gamma/T, and the update is the mean of the gradients", step=lambda v, j: v["local_step"], scale=lambda v: 1 / (v["local_step"] * v["local_steps"])),
    slip(P.LOCAL_STEP, "half", "the local step is half of its value", step=lambda v, j: v["local_step"] / v["local_steps"] / 2),
    slip(P.LOCAL_STEP, "server_step_in_its_place", "the server step is in the place of the local step", step=lambda v, j: v["server_step"] / v["local_steps"]),
    slip(P.LOCAL_STEP, "decreasing", "the local step falls as 1/j within a round", step=lambda v, j: v["local_step"] / v["local_steps"] / (j + 1)),
    slip(P.LOCAL_STEP, "gradient_kept", "the gradient at the start is used in every local step", point=lambda model, x: x),
    *optimizer_slips("follows"),
    slip(P.UPDATE, "not_divided_by_step", "the update is the difference of the models, not divided by gamma", own(alpha={"alpha": 1, "gamma": -1}, beta={"beta": 1, "gamma": -1}, v_i={"v_i": 1, "gamma": -1}), scale=lambda v: 1.0),
    slip(P.UPDATE, "divided_by_local", "the update is divided by gamma/T, the length of one local step", say_in_words("replace gamma by gamma/T in line 6"), scale=lambda v: v["local_steps"] / v["local_step"]),
    slip(P.UPDATE, "divided_by_steps", "the update is divided by the number of local steps once more", scale=lambda v: 1 / (v["local_step"] * v["local_steps"])),
    slip(P.UPDATE, "wrong_sign", "the update is the model's gain, of the opposite sign", scale=lambda v: -1 / v["local_step"]),
)  # fmt: skip
MEMORIES = (
    slip(P.CORRECTION, "memory_left_out", "the memory is not subtracted from the update, or is set to zero before every round", error=lambda updates, memories: updates),
    slip(P.CORRECTION, "memory_added", "the memory is added to the update", error=lambda updates, memories: updates + memories),
    slip(P.CORRECTION, "wrong_sign", "the update is subtracted from the memory, not the memory from the update", error=lambda updates, memories: memories - updates),
    slip(P.CORRECTION, "clipped", "the correction is clipped to length 1, not normalized", bounded=lambda rows, v: rows * np.minimum(1.0, 1 / _lengths(rows))),
    slip(P.CORRECTION, "clipped_at_alpha", "the correction is clipped to length alpha, not normalized", bounded=lambda rows, v: rows * np.minimum(1.0, v["smoothing"] / _lengths(rows))),
    slip(P.CORRECTION, "normalized", "the correction is normalized without alpha", own(alpha={0: 1}), bounded=_with_smoothing(lambda v: 0.0)),
    slip(P.CORRECTION, "not_normalized", "the correction is not normalized", bounded=lambda rows, v: rows),
    slip(P.CORRECTION, "alpha_squared", "alpha and the norm are added as squares under a root", bounded=lambda rows, v: rows / np.maximum(np.sqrt(v["smoothing"] ** 2 + _lengths(rows) ** 2), 1e-300)),
    slip(P.CORRECTION, "square_of_alpha", "alpha^2 is in the place of alpha", own(alpha={"alpha": 2}), bounded=_with_smoothing(lambda v: v["smoothing"] ** 2)),
    slip(P.CORRECTION, "twice_alpha", "alpha is twice its value", own(alpha={2: 1, "alpha": 1}), bounded=_with_smoothing(lambda v: 2 * v["smoothing"])),
    slip(P.CORRECTION, "half_alpha", "alpha is half of its value", own(alpha={"alpha": 1, 2: -1}), bounded=_with_smoothing(lambda v: v["smoothing"] / 2)),
    slip(P.CORRECTION, "alpha_root_dimension", "alpha is multiplied by the square root of the dimension, as where norms are means", bounded=lambda rows, v: smoothed(rows, {**v, "smoothing": v["smoothing"] * sqrt(rows.shape[1])})),
    slip(P.CORRECTION, "alpha_under_root", "alpha is added to the squared norm under the root", bounded=lambda rows, v: rows / np.maximum(np.sqrt(v["smoothing"] + _lengths(rows) ** 2), 1e-300)),
    slip(P.CORRECTION, "alpha_times_norm", "alpha is multiplied by the norm, not added to it", bounded=lambda rows, v: rows / np.maximum(v["smoothing"] * _lengths(rows), 1e-300)),
    slip(P.CORRECTION, "alpha_as_maximum", "the larger of alpha and the norm is the divisor, not their sum", bounded=lambda rows, v: rows / np.maximum(v["smoothing"], _lengths(rows))),
    slip(P.CORRECTION, "alpha_numerator", "the correction is scaled by alpha/(alpha + norm)", own(beta={"alpha": 1, "beta": 1}), bounded=lambda rows, v: v["smoothing"] * smoothed(rows, v)),
    slip(P.CORRECTION, "each_coordinate", "every coordinate is normalized by itself", bounded=lambda rows, v: rows / (v["smoothing"] + np.abs(rows))),
    slip(P.CORRECTION, "squared_length", "the squared norm is in the place of the norm", bounded=lambda rows, v: rows / (v["smoothing"] + _lengths(rows) ** 2)),
    slip(P.CORRECTION, "one_for_alpha", "1 is in the place of alpha", own(alpha={}), bounded=_with_smoothing(lambda v: 1.0)),
    slip(P.CORRECTION, "sum_norm", "the sum of absolute values is used as the norm", bounded=lambda rows, v: rows / (v["smoothing"] + np.abs(rows).sum(axis=1, keepdims=True))),
    slip(P.CORRECTION, "largest_coordinate", "the largest coordinate is used as the norm", bounded=lambda rows, v: rows / (v["smoothing"] + np.abs(rows).max(axis=1, keepdims=True))),
    slip(P.CORRECTION, "common_length", "all corrections are divided by alpha plus the norm of all of them together", bounded=lambda rows, v: rows / (v["smoothing"] + np.linalg.norm(rows))),
    slip(P.CORRECTION, "averaged_first", "the average of the clients is normalized, not each correction", sent=lambda delta, old, new, updates, v: np.repeat(smoothed((updates - old).mean(axis=0)[None], v), len(old), axis=0)),
    *(slip(P.CORRECTION, f"layers_{cut}", f"two layers, the first of {cut} coordinates, are normalized by themselves, not the whole correction", bounded=_layers_smoothed(cut)) for cut in range(1, 5)),
    slip(P.CORRECTION, "of_update", "the update is normalized before the memory is subtracted", error=lambda updates, memories: updates / (1e-300 + _lengths(updates)) - memories),
    slip(P.MEMORY, "taking_part_only", "only clients that take part move their memories", memory=lambda old, delta, v, taking: _select_taking(old + v["memory_step"] * delta, old, taking)),
    *(slip(P.MEMORY, f"absent_{name}", f"clients that do not take part {words}", memory=lambda old, delta, v, taking, share=share, moved=moved: _select_taking(old + v["memory_step"] * delta, share * (old + moved * v["memory_step"] * delta), taking)) for name, words, share, moved in ABSENT),
    slip(P.MEMORY, "never", "the memories stay as they are", memory=lambda old, delta, v, taking: old),
    slip(P.MEMORY, "without_beta", "the memory moves by the correction, without beta", memory=lambda old, delta, v, taking: old + delta),
    slip(P.MEMORY, "replaced", "the correction replaces the memory", memory=lambda old, delta, v, taking: v["memory_step"] * delta),
    slip(P.MEMORY, "subtracted", "the correction is subtracted from the memory", memory=lambda old, delta, v, taking: old - v["memory_step"] * delta),
    slip(P.MEMORY, "averaged", "the memory is (1 - beta) times itself and beta times the correction", memory=lambda old, delta, v, taking: (1 - v["memory_step"]) * old + v["memory_step"] * delta),
    *(slip(P.MEMORY, f"decays_{share:g}", f"a client keeps {share:g} of its memory, besides what it adds", memory=lambda old, delta, v, taking, share=share: share * old + v["memory_step"] * delta) for share in (0.5, 0.9, 0.99, 0.999)),
    slip(P.MEMORY, "over_probability", "the memory moves by beta/p, as the server's does", memory=lambda old, delta, v, taking: old + v["memory_step"] / v["probability"] * delta),
    slip(P.MEMORY, "taking_part_weighted", "only clients that take part move their memories, by beta/p", memory=lambda old, delta, v, taking: _select_taking(old + v["memory_step"] / v["probability"] * delta, old, taking)),
    slip(P.MEMORY, "update_kept", "the update itself becomes the memory", next_memories=lambda memories, updates, old, v: updates),
    slip(P.MEMORY, "average_of_updates", "the memory is (1 - beta) times itself and beta times the update", next_memories=lambda memories, updates, old, v: (1 - v["memory_step"]) * old + v["memory_step"] * updates),
    slip(P.MEMORY, "reset", "the memories are set to zero after every round", next_memories=lambda memories, updates, old, v: 0 * old),
    slip(P.MEMORY, "moved_before", "the memory moves before the correction is sent, which is computed with the new memory", sent=lambda delta, old, new, updates, v: smoothed(updates - new, v)),
    slip(P.MEMORY, "half", "the memory moves by half of beta", memory=lambda old, delta, v, taking: old + v["memory_step"] / 2 * delta),
    slip(P.MEMORY, "of_the_first", "every memory goes on from that of the first client", memory=lambda old, delta, v, taking: np.vstack([old[:1], np.tile(old[0] + v["memory_step"] * delta[0], (len(old) - 1, 1))]) + v["memory_step"] * delta),
    slip(P.MEMORY, "one_for_all", "all clients write into one memory, each after the client before it", corrections=_correct_in_turn, memory=_move_in_turn),
    slip(P.MEMORY, "common", "all clients share one memory", memory=lambda old, delta, v, taking: old + v["memory_step"] * delta.mean(axis=0)),
)  # fmt: skip
SERVER = (
    slip(P.WEIGHT, "not_weighted", "what clients send is not divided by p", q=lambda v, came, M: 1.0),
    slip(P.WEIGHT, "times_probability", "what clients send is multiplied by p, not divided", q=lambda v, came, M: v["probability"]),
    slip(P.WEIGHT, "divided_twice", "what clients send is divided by p twice", q=lambda v, came, M: 1 / v["probability"] ** 2),
    slip(P.WEIGHT, "root", "what clients send is divided by the square root of p", q=lambda v, came, M: 1 / sqrt(v["probability"])),
    slip(P.WEIGHT, "came", "the sum is divided by the number of clients that came, not by p M", q=lambda v, came, M: M / came if came else 0.0),
    slip(P.SERVER_DIVISOR, "sum", "the sum is not divided by M", factor=lambda v, came, M: v["memory_step"]),
    slip(P.SERVER_DIVISOR, "without_beta", "the sum is not multiplied by beta", factor=lambda v, came, M: 1 / M),
    slip(P.SERVER_DIVISOR, "beta_twice", "the sum is multiplied by beta twice", factor=lambda v, came, M: v["memory_step"] ** 2 / M),
    slip(P.SERVER_DIVISOR, "came", "the sum is divided by the number of clients that came, not by M", factor=lambda v, came, M: v["memory_step"] / max(1.0, came)),
    slip(P.SERVER_DIVISOR, "root", "the sum is divided by the square root of M", factor=lambda v, came, M: v["memory_step"] / sqrt(M)),
    slip(P.SERVER_MEMORY, "of_memories", "the server goes on from the mean of the clients' memories, not from its own", kept=lambda server, memories: memories.mean(axis=0)),
    slip(P.SERVER_MEMORY, "not_kept", "the server has no memory: it takes the sum of the round", server=lambda held, total, v: total),
    slip(P.SERVER_MEMORY, "last_alone", "what the last client sends replaces the server's memory", gathered=_last_alone, server=lambda held, total, v: np.where(total.any(axis=-1, keepdims=True), total, held)),
    slip(P.SERVER_MEMORY, "last_added", "of what the clients send, the last message alone is added to the server's memory", gathered=_last_alone),
    slip(P.SERVER_MEMORY, "forgets", "the server keeps nine tenths of its memory", server=lambda held, total, v: 0.9 * held + total),
    slip(P.SERVER_MEMORY, "sent_again", "what came in the rounds before is added again in every round", again=1.0),
    slip(P.SERVER_MEMORY, "averaged", "the server keeps 1 - beta of its memory", server=lambda held, total, v: (1 - v["memory_step"]) * held + total),
    slip(P.SERVER_MEMORY, "memories_sent", "clients send their memories, and the server adds them", sent=lambda delta, old, new, updates, v: new),
    slip(P.SERVER_MEMORY, "old_memories_sent", "clients send their memories of before the round", sent=lambda delta, old, new, updates, v: old),
    slip(P.SERVER_MEMORY, "updates_sent", "clients send their updates, not the corrections", sent=lambda delta, old, new, updates, v: updates),
    slip(P.SERVER_STEP, "not_normalized", "the step is eta times the memory, which is not normalized", move=_moved_by(lambda size, v: v["server_step"] * size)),
    *(slip(P.SERVER_STEP, f"layers_{cut}", f"two layers, the first of {cut} coordinates, of the server's memory are normalized by themselves", move=_layers_moved(cut)) for cut in range(1, 5)),
    slip(P.SERVER_STEP, "sum_norm", "the sum of absolute values is used as the norm of the server's memory", move=lambda memory, v: v["server_step"] * memory / np.maximum(np.abs(memory).sum(axis=-1, keepdims=True), 1e-300)),
    slip(P.SERVER_STEP, "largest_coordinate", "the largest coordinate is used as the norm of the server's memory", move=lambda memory, v: v["server_step"] * memory / np.maximum(np.abs(memory).max(axis=-1, keepdims=True), 1e-300)),
    slip(P.SERVER_STEP, "smoothed", "the step is normalized with alpha", move=_moved_by(lambda size, v: v["server_step"] * size / (v["smoothing"] + size))),
    *(slip(P.SERVER_STEP, f"small_constant_{constant:g}", f"{constant:g} is added to the norm of the server's memory", move=_moved_by(lambda size, v, constant=constant: v["server_step"] * size / (constant + size))) for constant in (1e-6, 1e-8)),
    *(slip(P.SERVER_STEP, f"least_{least:g}", f"the norm of the server's memory counts as {least:g} at least", move=_moved_by(lambda size, v, least=least: v["server_step"] * size / np.maximum(least, size))) for least in (0.1, 1e-2, 1e-3, 1e-6, 1e-8)),
    slip(P.SERVER_STEP, "clipped", "the memory is clipped to length 1, not normalized", move=_moved_by(lambda size, v: v["server_step"] * np.minimum(1.0, size))),
    slip(P.SERVER_STEP, "wrong_sign", "the server goes along its memory, not against it", move=_moved_by(lambda size, v: -v["server_step"])),
    slip(P.SERVER_STEP, "over_increment", "the step is divided by the norm of what the round adds, not of the memory", along=_over_increment, move=lambda memory, v: v["server_step"] * memory),
    slip(P.SERVER_STEP, "stale_memory", "the step goes along the server's memory of before the round", along=lambda before, after: before),
    slip(P.SERVER_STEP, "stays_alone", "a round without clients leaves the model where it is", along=lambda before, after: np.where((after == before).all(axis=-1, keepdims=True), 0.0, after)),
    slip(P.SERVER_STEP, "local_step_in_its_place", "the local step is in the place of the server step", own(eta={"gamma": 1}), move=_moved_by(lambda size, v: v["local_step"])),
    slip(P.SERVER_STEP, "both_steps", "the server step is multiplied by the local step", own(eta={"eta": 1, "gamma": 1}), move=_moved_by(lambda size, v: v["server_step"] * v["local_step"])),
    slip(P.SERVER_STEP, "memory_step_in_its_place", "the memory step is in the place of the server step", own(eta={"beta": 1}), move=_moved_by(lambda size, v: v["memory_step"])),
    slip(P.SERVER_STEP, "exchanged", "the memory step and the server step are exchanged", own(eta={"beta": 1}, beta={"eta": 1}), move=_moved_by(lambda size, v: v["memory_step"]), memory=lambda old, delta, v, taking: old + v["server_step"] * delta, factor=lambda v, came, M: v["server_step"] / M),
    slip(P.SERVER_STEP, "half", "the step is half of its value", own(eta={"eta": 1, 2: -1}), move=_moved_by(lambda size, v: v["server_step"] / 2)),
    slip(P.INITIAL_MEMORY, "server_at_zero", "the server's memory starts at zero, not at the mean of the clients'", first=lambda memories: 0 * memories.mean(axis=0)),
    slip(P.INITIAL_MEMORY, "server_first", "the server's memory starts at that of the first client", first=lambda memories: memories[0]),
    slip(P.INITIAL_MEMORY, "server_last", "the server's memory starts at that of the last client", first=lambda memories: memories[-1]),
    slip(P.INITIAL_MEMORY, "server_sum", "the server's memory starts at the sum of the clients'", first=lambda memories: memories.sum(axis=0)),
)  # fmt: skip
SLIPS = (*LOCAL, *MEMORIES, *SERVER)


NOISES = (
    scale_noise("none", "no noise is added", lambda v: 0.0),
    scale_noise("per_coordinate", "every coordinate has the variance sigma^2, not all together", lambda v: sqrt(v["d"]), own(sigma_DP={"sigma_DP": 1, "d": 0.5})),
    scale_noise("total_twice", "the noise is divided by the square root of the dimension once more", lambda v: 1 / sqrt(v["d"]), own(sigma_DP={"sigma_DP": 1, "d": -0.5})),
    scale_noise("not_weighted", "the noise is not divided by p", lambda v: v["p"], own(sigma_DP={"p": 1, "sigma_DP": 1})),
    scale_noise("root_of_probability", "the noise is divided by the square root of p, not by p", lambda v: sqrt(v["p"])),
    scale_noise("weighted_twice", "the noise is divided by p twice", lambda v: 1 / v["p"], own(sigma_DP={"sigma_DP": 1, "p": -1})),
    scale_noise("without_beta", "the noise is not multiplied by beta", lambda v: 1 / v["beta"], own(sigma_DP={"sigma_DP": 1, "beta": -1})),
    scale_noise("beta_twice", "the noise is multiplied by beta twice", lambda v: v["beta"], own(sigma_DP={"beta": 1, "sigma_DP": 1})),
    scale_noise("not_averaged", "the noise is not divided by M", lambda v: v["M"], own(sigma_DP={"M": 1, "sigma_DP": 1})),
    scale_noise("averaged_twice", "the noise is divided by M twice", lambda v: 1 / v["M"], own(sigma_DP={"sigma_DP": 1, "M": -1})),
    scale_noise("noise_common", "all clients add the same noise vector", lambda v: sqrt(v["p"] * v["M"] / (1 - (1 - v["p"]) ** v["M"]))),
    scale_noise("all_clients", "clients that do not take part add noise as well", lambda v: 1 / sqrt(v["p"])),
    scale_noise("variance_for_deviation", "the variance sigma^2 is used as the standard deviation", lambda v: v["sigma"]),
    scale_noise("root_too_many", "the square root of sigma is used as the standard deviation", lambda v: 1 / sqrt(v["sigma"])),
    scale_noise("times_local_step", "the noise is multiplied by gamma", lambda v: v["gamma"], own(sigma_DP={"gamma": 1, "sigma_DP": 1})),
    scale_noise("over_local_step", "the noise is divided by gamma", lambda v: 1 / v["gamma"], own(sigma_DP={"sigma_DP": 1, "gamma": -1})),
    scale_noise("times_server_step", "the noise is multiplied by eta", lambda v: v["eta"], own(sigma_DP={"eta": 1, "sigma_DP": 1})),
    scale_noise("one_noise", "the server adds the noise of a single client, not weighted by 1/p", lambda v: sqrt(v["p"] / v["M"])),
    scale_noise("every_local_step", "noise is added in every local step", lambda v: sqrt(v["T"])),
    scale_noise("twice", "the noise is added twice, independently", lambda v: sqrt(2), own(sigma_DP={2: 0.5, "sigma_DP": 1})),
    scale_noise("doubled", "the noise has twice its standard deviation", lambda v: 2.0, own(sigma_DP={2: 1, "sigma_DP": 1})),
    scale_noise("half", "the noise has half of its standard deviation", lambda v: 0.5, own(sigma_DP={"sigma_DP": 1, 2: -1})),
)  # fmt: skip
# as large as noise over the root of p, and there if nobody takes part
ALL_UNWEIGHTED = scale_noise(
    "all_unweighted",
    "clients that do not take part add noise as well, and none of it is divided by p",
    lambda v: sqrt(v["p"]),
)
