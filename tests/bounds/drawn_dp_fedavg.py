"""Random objects of the lemmas, facts and comparisons of the dp_fedavg transcription."""

from typing import Any

import numpy as np
from numbers_on_objects import DIMENSION, Draw, points, random_loss, scalars

CLIENTS, VECTORS, STEPS, MORE_STEPS = 5, 4, 3, 5


# ---- drawn at random; of the hypotheses only the domains are met


def of_a_client(*asked: str) -> Draw:
    def draw(rng: np.random.Generator) -> dict[str, Any]:
        loss = random_loss(rng)
        known = {"f": loss.value, "gradient": loss, "f_star": -10.3, "E": MORE_STEPS, "tau": STEPS}
        return {name: known[name] for name in asked} | dict(scalars(rng, "eta", "L"))

    return draw


def at_points(*names: str) -> Draw:
    return lambda rng: dict(points(rng, *names))


def a_function(rng: np.random.Generator) -> dict[str, Any]:
    loss = random_loss(rng)
    return {"h": loss.value, "gradient": loss, "h_star": -10.3} | dict(scalars(rng, "L"))


def constants(rng: np.random.Generator) -> dict[str, Any]:
    return {"alpha": float(rng.uniform(1, 3)), "rho": float(rng.uniform(0.1, 0.9)), "L": 1.2, "E": 2}


# Thresholds in the middle of the update norms: C is 4, and 9 for a largest gap of 0.85.
def a_round(rng: np.random.Generator) -> dict[str, Any]:
    return {"gaps": rng.normal(size=CLIENTS), "update_norms": rng.uniform(0.5, 7, size=CLIENTS)}


def gaps_and_updates(rng: np.random.Generator) -> dict[str, Any]:
    return {"gaps": rng.uniform(size=CLIENTS), "update_norms": rng.uniform(1, 18, size=CLIENTS)}


LOCAL = of_a_client("f", "gradient", "f_star", "E", "tau")
HETEROGENEITY = (lambda rng: constants(rng) | {"c": 4.5}, gaps_and_updates)
COEFFICIENTS = (
    lambda rng: {name: x for name, x in constants(rng).items() if name != "L"} | {"C_hat": 2.0},
    lambda rng: {"client_update_norm": float(rng.uniform(0.5, 4))},
)
# What all cases share, and what differs between them.
CHECKED: dict[str, tuple[Draw, Draw]] = {
    "lemma_1": (of_a_client("f", "gradient", "f_star", "E"), at_points("w", "w_star")),
    "lemma_2.move": (LOCAL, at_points("w")),
    "lemma_2.update": (LOCAL, at_points("w")),
    "lemma_3": (of_a_client("gradient"), at_points("w")),
    "lemma_4.distance": (of_a_client("gradient", "E", "tau"), at_points("w")),
    "lemma_4.stronger": (LOCAL, at_points("w")),
    "fact_1": (a_function, at_points("x")),
    "fact_2": (lambda rng: {}, lambda rng: {"y": rng.normal(size=(VECTORS, DIMENSION))}),
    "fact_3": (lambda rng: {"m": 7}, lambda rng: {"x": float(rng.uniform(0.1, 0.9))}),
    "equation_16_comparison.left_sides": (lambda rng: constants(rng) | {"C_hat": 2.0}, a_round),
    "equation_16_comparison.coefficients": COEFFICIENTS,
    "signal_to_noise_ratio.amplification": COEFFICIENTS,
    "equation_17": HETEROGENEITY,
    "equation_17_comparison.terms_b": HETEROGENEITY,
    "equivalence.all_updates": (lambda rng: {"C": 0.8, "C_low": 0.7}, at_points("u")),
    "equivalence.one_update": (lambda rng: {"C": 0.8}, at_points("u")),
}
# The statements on objects that are definitions, prose claims or about privacy.
APART = {
    "claims.bias",
    "claims.signal_to_noise",
    "claims.update_per_step",
    "definitions.privacy",
    "definitions.quadratic_bound",
    "equation_12.length",
    "proposition_1",
}
