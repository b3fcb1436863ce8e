"""The catalogue of known slips: data. Each names a line, a cause, and what the line computes with that slip.

A slip explains an observation only if its formula gives the measured numbers at every point that was
measured; the points are generic, so that two slips of a line give different numbers at one of them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import final

from verify.conformance.listing import Part, Point
from verify.conformance.own_constants import Own, own

Values = Mapping[str, float]
Formula = Callable[[Values], float]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """A factor on a line's right value. conversion: constants under which the theorems apply again."""

    name: str
    part: Part
    cause: str
    factor: Formula
    conversion: Own | None = None

    def at(self, point: Point) -> float:
        return self.factor(point.values)


def _slip(part: Part, name: str, cause: str, factor: Formula, conversion: Own | None = None) -> Slip:
    return Slip(name=name, part=part, cause=cause, factor=factor, conversion=conversion)


_U, _W, _A, _T = Part.UPDATE, Part.SERVER_STEP, Part.AVERAGE, Part.LOCAL_STEP

UPDATES = (
    _slip(
        _U,
        "not_divided_by_step",
        "the update is the difference of the models, not divided by the local step",
        lambda v: v["eta"],
        own(beta={"beta": 1, "eta": 1}, C={"C": 1, "eta": -1}, sigma={"sigma": 1, "eta": -1}),
    ),
    _slip(_U, "divided_by_steps", "the update is divided by the number of local steps", lambda v: 1 / v["E"]),
    _slip(_U, "divided_twice", "the update is divided by the local step twice", lambda v: 1 / v["eta"]),
    _slip(
        _U,
        "divided_by_server_step",
        "the update is divided by the server step, not by the local step",
        lambda v: v["eta"] / v["beta"],
    ),
    _slip(
        _U,
        "root_of_step",
        "the update is divided by the square root of the local step",
        lambda v: sqrt(v["eta"]),
    ),
    _slip(_U, "times_steps", "the update is multiplied by the number of local steps", lambda v: v["E"]),
    _slip(
        _U,
        "not_divided_and_averaged",
        "the update is the difference of the models over the number of local steps",
        lambda v: v["eta"] / v["E"],
    ),
)
PLAIN_UPDATES = (
    _slip(
        _U,
        "divided_by_step",
        "the difference of the models is divided by the local step",
        lambda v: 1 / v["eta"],
    ),
    _slip(_U, "divided_by_steps", "the update is divided by the number of local steps", lambda v: 1 / v["E"]),
    _slip(_U, "times_step", "the update is multiplied by the local step once more", lambda v: v["eta"]),
)
SERVER_STEPS = (
    _slip(_W, "ignored", "the server step is ignored", lambda v: 1 / v["beta"], own(beta={})),
    _slip(
        _W,
        "local_step_in_its_place",
        "the local step is in the place of the server step",
        lambda v: v["eta"] / v["beta"],
        own(beta={"eta": 1}),
    ),
    _slip(
        _W,
        "times_local_step",
        "the server step is multiplied by the local step",
        lambda v: v["eta"],
        own(beta={"beta": 1, "eta": 1}),
    ),
    _slip(
        _W, "applied_twice", "the server step is applied twice", lambda v: v["beta"], own(beta={"beta": 2})
    ),
    _slip(_W, "wrong_sign", "the server adds the average where it should subtract it", lambda v: -1.0),
    _slip(
        _W,
        "times_steps",
        "the server step is multiplied by the number of local steps",
        lambda v: v["E"],
        own(beta={"beta": 1, "E": 1}),
    ),
    _slip(_W, "half", "the step is half of its value", lambda v: 0.5, own(beta={"beta": 1, 2: -1})),
)
LOCAL_STEPS = (
    _slip(
        _T, "divided_by_steps", "the local step is divided by the number of local steps", lambda v: 1 / v["E"]
    ),
    _slip(
        _T,
        "server_step_in_its_place",
        "the server step is in the place of the local step",
        lambda v: v["beta"] / v["eta"],
    ),
    _slip(_T, "times_server_step", "the local step is multiplied by the server step", lambda v: v["beta"]),
    _slip(_T, "times_steps", "the local step is multiplied by the number of local steps", lambda v: v["E"]),
    _slip(
        _T,
        "divided_by_root",
        "the local step is divided by the square root of the number of local steps",
        lambda v: 1 / sqrt(v["E"]),
    ),
    _slip(_T, "half", "the local step is half of its value", lambda v: 0.5),
)
COUNTS: tuple[tuple[str, str, Callable[[Point, int], float]], ...] = (
    ("one_too_few", "one local step too few", lambda at, size: at.E - 1),
    ("one_too_many", "one local step too many", lambda at, size: at.E + 1),
    ("single", "a single local step", lambda at, size: 1),
    (
        "epochs",
        "local steps are counted as epochs: E passes over the client's data",
        lambda at, size: at.E * size,
    ),
    ("data", "one pass over the client's data, whatever E is", lambda at, size: size),
    ("twice", "every local step is made twice", lambda at, size: 2 * at.E),
)
# on the weight 1/r of each client when all n = r clients take part; N is the client's number of data points
WEIGHTS = (
    _slip(
        _A, "sum", "the updates are summed and not divided", lambda v: v["r"], own(beta={"beta": 1, "r": 1})
    ),
    _slip(
        _A, "data_sizes", "clients are weighted by their data sizes", lambda v: v["r"] * v["N"] / v["N_total"]
    ),
    _slip(_A, "root", "the sum is divided by the square root of r", lambda v: sqrt(v["r"])),
    _slip(_A, "divided_twice", "the sum is divided by r twice", lambda v: 1 / v["r"]),
    _slip(_A, "one_less", "the sum is divided by r - 1", lambda v: v["r"] / (v["r"] - 1)),
    _slip(_A, "one_more", "the sum is divided by r + 1", lambda v: v["r"] / (v["r"] + 1)),
)
# slips of the order of operations, of memory and of laws, which are no factors
OTHERS = {
    "switched": "updates are set to the length of the threshold from another length on than the threshold",
    "escapes": "updates beyond some length are not bounded",
    "bound_in_common": "how an update is bounded depends on the updates of the other clients",
    "averaged_first": "the average is bounded, not each update",
    "projected": "local models are kept within the threshold of the start after every local step",
    "another_norm": "the norm is not the Euclidean one: how an update is bounded depends on its direction",
    "before_noise": "the bounded update is multiplied by a factor that the noise is not multiplied by",
    "pairwise": "the average is made two at a time, (mean + next)/2: later clients weigh more",
    "step_of_data": "the local step depends on the number of data points, as by their sum and not their mean",
    "divided_first": "the updates are divided by r before they are bounded",
    "no_sum": "the updates do not add up: a median or another choice among them is taken",
    "some_left_out": "some updates are left out, or weighted otherwise, once many clients take part",
    "data_sizes_apart": "clients are weighted by their data sizes, and the weights do not add up to 1",
    "averaged_steps": "clients start every local step from the average of their points",
    "chained": "a client starts where the client before it has ended",
    "in_place": "local steps change the server's own model: clients go on from one another and send zero",
    "one_model": "all clients train one model, each from where the one before it has ended, and all send it",
    "own_model": "a client starts from its own last model, not from the server's",
    "batches": "the number of local steps depends on the client's data, as passes over its batches",
    "minibatch": "the gradient is that of some of the client's data points, not of the client",
    "gradient_kept": "the gradient at the start is used in every local step",
    "stale": "the clients start from the model of the round before",
    "client_by_client": "clients move the state in turn, each from the point that the last one led to",
    "coordinate_by_coordinate": "coordinates move in turn, each from the point that the last one led to",
    "elsewhere": "the gradient is taken at another point than the state",
    "last_two": "the states are means of the last two iterates, or the first step is halved",
    "moving_average": "the states are moving averages of the iterates, not the iterates",
    "rounded": "numbers are rounded to fewer digits than float64 has",
    "averaged_output": "the states are averages of the iterates, not the iterates",
    "local_momentum": "local steps keep momentum",
    "local_mean": "the update ends at the mean of the local points, not at the last",
    "local_ahead": "the update is the sum of the gradients where local steps end, not where they start",
    "local_first": "the first local step of a round is shorter than the others",
    "local_late": "a local step uses the gradient of the point before",
    "local_schedule": "the local step, or the number of local steps, changes from round to round",
    "weight_decay": "local steps decay the model",
    "proximal": "local steps have a proximal term",
    "local_decay": "the local step falls as 1/t within a round",
    "local_power": "the local step falls as a power of t within a round, with the constant as its exponent",
    "local_geometric": "the local step is multiplied by a constant after every local step",
    "local_accumulated": "local gradients add up, as without zero_grad()",
    "adaptive_local": "local steps divide every coordinate by its own size, as in Adam or RMSprop",
    "ended_early": "local steps end early, where gradients are short",
    "descent_only": "a step that raises the value is not taken",
    "gradient_bounded": "each gradient is bounded by a constant besides",
    "gradient_normalized": "each gradient is divided by its length",
    "state_bounded": "the state is bounded, as by a projection",
    "update_bounded": "the update is bounded by a constant besides",
    "short_as_it_is": "an update that is short is sent as it is, not normalized",
    "short_left_out": "updates, or coordinates of them, that are short are left out",
    "frozen": "some coordinates never move, as those of a layer that is frozen or left out",
    "shrunk_average": "a part of the length of the average is taken off, as by James and Stein's shrinkage",
    "added": "something is added to what clients move by: the state moves where every gradient is zero",
    "mixed": "a movement is multiplied by a matrix that mixes its coordinates, as by Laplacian smoothing",
    "uneven_steps": "some coordinates move by another step than others, as a layer with a step of its own",
    "permuted": "the coordinates of the state change places, as layers in another order",
    "of_state": "a movement depends on the model and not on the update alone, as by a norm of the model",
    "local_last": "the update is the last gradient alone, not the sum of all",
    "mean_gradient": "every client uses the gradient of the mean of all clients, not its own",
    "uneven_average": "clients have other weights in some coordinates than in others, as by a layer left out",
    "updates_add_up": "the updates of a round add up: a client sends its own and those before it",
    "sent_late": "clients send the models of the round before, or every second round moves nothing",
    "some_stale": "some clients start from the model of the round before, and others from the last one",
    "layer_by_layer": "two layers move in turn, the second from the point that the first one led to",
    "weights_rounded": "the weights of the clients are rounded to the digits of float32 or float16",
    "of_few_data": "the number of local steps depends on the client's data: no more than it has data points",
    "noise_recurs": "the noise of a round comes back after a fixed number of rounds",
    "by_rank": "a client counts by how many came before it, as where all share one schedule of steps",
    "ordered": "the weights of the clients depend on the order in which they are drawn",
    "models_over_all": "the sum of the models is divided by the number n of all clients: the model shrinks",
    "scaled_model": "the weights of the averaged models do not add up to 1, or the server decays the model",
    "no_model": "the new state is what the clients moved by, without the model that they moved from",
    "left_out": "the update of one client is left out of the average",
    "one_client": "the update of a single client is taken, not the average",
    "momentum": "the server keeps momentum from round to round",
    "decay": "the step changes from round to round",
    "decays": "every step decays the model, as weight decay does",
    "kept": "a round depends on the rounds before it, or on its number, not on the state alone",
    "stale_gradient": "a local step depends on the rounds before it, as by a gradient at an earlier point",
    "bound_schedule": "the threshold changes from round to round",
    "accumulated": "gradients add up from round to round, as without zero_grad()",
    "last_round": "the last round of a run does not move the state: one round too few is carried out",
    "late": "the state before the round is returned: every step appears one round late",
    "adaptive": "every coordinate is divided by its own size, as in Adam, RMSprop or sign descent",
    "came": "the sum is divided by the number of clients that came",
    "all_clients": "the sum is divided by the number n of all clients",
    "everybody": "every client takes part in every round",
    "fixed_size": "a set of fixed size is drawn, where each client is to be drawn independently",
    "independent": "each client is drawn independently, where a set of fixed size is to be drawn",
    "one_less": "a set of r - 1 clients is drawn",
    "one_more": "a set of r + 1 clients is drawn",
    "replacement": "clients are drawn with replacement",
    "passes": "clients take turns: a client that took part is left out until the others have",
    "same_clients": "some clients take part more often than others",
    "same_set": "the same clients take part in every round",
    "same_round": "the same clients take part in successive rounds",
    "blocks": "neighboring clients are drawn together",
    "never_empty": "a round always has a client, where it may have none",
    "rate": "the probability of taking part is not r/n",
    "capped": "a set is cut off: more clients than a certain number never take part",
    "nobody": "no client takes part where all are wanted: a comparison is the wrong way round",
    "draws_repeated": "the seed is fixed in the code: every run draws the same clients",
    "noise_seeded": "the seed is fixed in the code: every run adds the same noise",
    "noise_bounded": "the noise is added before the update is bounded",
    "noise_repeated": "the noise of a round is used again in the next round",
    "noise_shared": "the coordinates of the noise are not independent",
    "noise_of_wanted": "the noise is that of r clients, however many have come",
    "noise_of_absent": "clients that do not take part add noise as well",
    "noise_changing": "the size of the noise changes from round to round",
    "noise_of_gradient": "the noise is multiplied by the gradient",
    "noise_by_gradient": "the size of the noise depends on the gradient",
    "noise_cancels": "the noise of the clients adds up to zero where all take part, as centered noise does",
    "came_or_wanted": "the sum is divided by the number of clients that came, or by r if that is larger",
    "first_model": "clients start from the first model of the run in every round",
    "old_state": "the server goes on from the state of the round before, not from the last one",
    "noise_in_point": "noise moves the point at which a gradient is taken, and is not added to the gradient",
    "noise_sometimes": "noise is added where gradients are long, as where updates are clipped, not elsewhere",
    "noise_of_number": "the noise does not grow as the square root of the number of clients that have come",
    "noise_common": "all clients add the same noise vector",
    "noise_uneven": "the noise is not of one size in all coordinates",
    "noise_missing": "some rounds are without noise, as where a shrinkage sets short movements to zero",
    "noise_rounded": "the noise is rounded to few values",
    "noise_law": "the noise is not Gaussian",
    "noise_cut": "the noise is cut off: no value is far from zero",
    "noise_skewed": "the noise is not symmetric",
    "noise_mean": "the noise does not have mean zero",
    "noise_not_kept": "the noise is added to the step alone and not kept in the server's memory",
    "noise_in_memory": "the noise enters the memories of the clients",
    "some_clients": "not every client takes part in every round",
    "whole_batch": "every data point is in every batch",
    "batch_fixed_size": "a batch of fixed size is drawn, where each data point is to be drawn independently",
    "batch_replacement": "data points are drawn with replacement",
    "batch_passes": "data points take turns: a point that was drawn is left out until the others have been",
    "batch_uneven": "some data points are drawn more often than others",
    "batch_same": "the same data points are drawn in successive rounds",
    "batch_blocks": "neighboring data points are drawn together",
    "batch_never_empty": "a batch always has a data point, where it may have none",
    "batch_rate": "the probability of a data point is not B/N",
    "batch_common": "two clients draw batches that depend on each other, as by one random number for both",
    "batch_capped": "a batch is cut off: it never has more than a certain number of data points",
    "batch_nobody": "no data point is drawn where all are wanted: a comparison is the wrong way round",
    "batch_kept": "one batch is used in all local steps of a round",
}
