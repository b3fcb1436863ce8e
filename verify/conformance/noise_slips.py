"""The known slips of the noise, each with its factor on the deviation that the listing asks for."""

from math import sqrt

from verify.conformance.own_constants import own
from verify.conformance.replay.family import scale_noise

NOISES = (
    scale_noise("none", "no noise is added", lambda v: 0.0),
    scale_noise(
        "without_r",
        "the noise lacks the factor sqrt(r)",
        lambda v: 1 / sqrt(v["r"]),
        own(sigma={"sigma": 1, "r": -0.5}),
    ),
    scale_noise(
        "r_not_root",
        "the noise has the factor r in the place of sqrt(r)",
        lambda v: sqrt(v["r"]),
        own(sigma={"sigma": 1, "r": 0.5}),
    ),
    scale_noise(
        "not_divided",
        "the noise is added to the average and not divided by r",
        lambda v: v["r"],
        own(sigma={"sigma": 1, "r": 1}),
    ),
    scale_noise(
        "divided_twice",
        "the noise is divided by r once more",
        lambda v: 1 / v["r"],
        own(sigma={"sigma": 1, "r": -1}),
    ),
    scale_noise(
        "times_threshold",
        "the noise is multiplied by the threshold",
        lambda v: v["C"],
        own(sigma={"sigma": 1, "C": 1}),
    ),
    scale_noise("over_threshold", "the noise is divided by the threshold", lambda v: 1 / v["C"]),
    scale_noise(
        "times_local_step",
        "the noise is multiplied by the local step",
        lambda v: v["eta"],
        own(sigma={"sigma": 1, "eta": 1}),
    ),
    scale_noise(
        "over_local_step",
        "the noise is divided by the local step",
        lambda v: 1 / v["eta"],
        own(sigma={"sigma": 1, "eta": -1}),
    ),
    scale_noise(
        "variance_for_deviation",
        "the variance sigma^2 is used as the standard deviation",
        lambda v: v["sigma"],
    ),
    scale_noise(
        "root_too_many",
        "the square root of sigma is used as the standard deviation",
        lambda v: 1 / sqrt(v["sigma"]),
    ),
    scale_noise(
        "variance_of_clients_for_deviation",
        "the variance r sigma^2 is used as the standard deviation",
        lambda v: sqrt(v["r"]) * v["sigma"],
    ),
    scale_noise(
        "total_variance_for_deviation",
        "the variance of a coordinate is used as its standard deviation",
        lambda v: v["sigma"] / sqrt(v["d"]),
    ),
    scale_noise(
        "deviation_for_variance",
        "the standard deviation is given where a variance is asked for",
        lambda v: 1 / sqrt(sqrt(v["r"]) * v["sigma"]),
    ),
    scale_noise(
        "total_deviation_for_variance",
        "the standard deviation is given where a variance is asked for",
        lambda v: (v["d"] ** 0.5 / v["sigma"]) ** 0.5,
    ),
    scale_noise(
        "n_for_r",
        "the number n of clients is in the place of r",
        lambda v: sqrt(v["n"] / v["r"]),
    ),
    scale_noise(
        "over_all_clients",
        "the noise is divided by the number n of all clients",
        lambda v: 1 / v["n"],
    ),
    scale_noise(
        "over_root_of_all",
        "the noise is divided by the square root of the number n of all clients",
        lambda v: 1 / sqrt(v["n"]),
    ),
    scale_noise(
        "twice",
        "the noise is added twice, independently",
        lambda v: sqrt(2),
        own(sigma={2: 0.5, "sigma": 1}),
    ),
    scale_noise("doubled", "the same noise is added twice", lambda v: 2.0, own(sigma={2: 1, "sigma": 1})),
    scale_noise(
        "half",
        "the noise has half of its standard deviation",
        lambda v: 0.5,
        own(sigma={"sigma": 1, 2: -1}),
    ),
    scale_noise(
        "total_variance",
        "the variance is divided by the dimension, as if it were the total over the coordinates",
        lambda v: 1 / sqrt(v["d"]),
        own(sigma={"sigma": 1, "d": -0.5}),
    ),
    scale_noise("per_coordinate", "the total variance is added to every coordinate", lambda v: sqrt(v["d"])),
    scale_noise("every_local_step", "noise is added in every local step", lambda v: sqrt(v["E"])),
    scale_noise(
        "after_the_step",
        "the noise is added after the server step",
        lambda v: 1 / v["beta"],
        own(sigma={"sigma": 1, "beta": -1}),
    ),
)

# noise of every local step of every client, averaged over the clients
STEP_NOISES = (
    scale_noise("none", "no noise is added", lambda v: 0.0),
    scale_noise(
        "per_coordinate",
        "the total variance is added to every coordinate",
        lambda v: sqrt(v["d"]),
        own(sigma={"sigma": 1, "d": 0.5}),
    ),
    scale_noise(
        "total_variance",
        "the variance is divided by the dimension twice",
        lambda v: 1 / sqrt(v["d"]),
        own(sigma={"sigma": 1, "d": -0.5}),
    ),
    scale_noise(
        "one_step_without",
        "one local step of a round, of several, has no noise",
        lambda v: sqrt(max(1, v["E"] - 1) / v["E"]),
    ),
    scale_noise(
        "once_a_round", "noise is added in one local step of a round only", lambda v: 1 / sqrt(v["E"])
    ),
    scale_noise(
        "kept_in_round", "the same noise is added in every local step of a round", lambda v: sqrt(v["E"])
    ),
    scale_noise(
        "common_to_clients",
        "all clients add the same noise vector",
        lambda v: sqrt(v["n"]),
        own(sigma={"sigma": 1, "n": 0.5}),
    ),
    scale_noise(
        "divided_by_clients",
        "the noise is divided by the square root of the number of clients once more",
        lambda v: 1 / sqrt(v["n"]),
        own(sigma={"sigma": 1, "n": -0.5}),
    ),
    scale_noise(
        "after_the_step",
        "the noise is added after the local step, not multiplied by it",
        lambda v: 1 / v["eta"],
        own(sigma={"sigma": 1, "eta": -1}),
    ),
    scale_noise(
        "step_twice",
        "the noise is multiplied by the local step once more",
        lambda v: v["eta"],
        own(sigma={"sigma": 1, "eta": 1}),
    ),
    scale_noise(
        "at_server",
        "the noise is added to the average of the models, not in the local steps",
        lambda v: sqrt(v["n"] / v["E"]) / v["eta"],
    ),
    scale_noise(
        "at_client",
        "the noise is added to the model that is sent, not in the local steps",
        lambda v: 1 / (v["eta"] * sqrt(v["E"])),
    ),
    scale_noise(
        "variance_for_deviation",
        "the variance sigma^2 is used as the standard deviation",
        lambda v: v["sigma"] * sqrt(v["d"]),
    ),
    scale_noise(
        "total_variance_for_deviation",
        "the variance of a coordinate is used as its standard deviation",
        lambda v: v["sigma"] / sqrt(v["d"]),
    ),
    scale_noise(
        "total_deviation_for_variance",
        "the standard deviation is given where a variance is asked for",
        lambda v: (v["d"] ** 0.5 / v["sigma"]) ** 0.5,
    ),
    scale_noise(
        "twice",
        "the noise is added twice, independently",
        lambda v: sqrt(2),
        own(sigma={2: 0.5, "sigma": 1}),
    ),
    scale_noise("doubled", "the same noise is added twice", lambda v: 2.0, own(sigma={2: 1, "sigma": 1})),
    scale_noise(
        "half",
        "the noise has half of its standard deviation",
        lambda v: 0.5,
        own(sigma={"sigma": 1, 2: -1}),
    ),
)
