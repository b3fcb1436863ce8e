"""Growth that is refuted for all instances: its certificate, what is refused, the bound on actual runs."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.random import default_rng

import bounds
from verify.falsify.attempt import falsify_statement
from verify.falsify.outcome import NotAnInstance
from verify.falsify.witness_file import replay
from verify.infeasibility.checker import Constraint
from verify.papers.als_dpfl import growth_certificates
from verify.papers.als_dpfl.growth_certificates import AVERAGED_FROM_AUXILIARY as GROWTH

CLAIM = "als_dpfl.claims.h_grows_exponentially"


@pytest.fixture(scope="module")
def witness() -> dict[str, Any]:
    found = falsify_statement(bounds.get(CLAIM))
    assert found.refuted
    assert found.witness is not None
    return dict(found.witness)


def test_the_smallest_increment_is_found(witness: dict[str, Any]) -> None:
    """2 eta C + 2 eta s: one of each for either sequence, and both may move against each other."""
    assert witness["instance"]["adds"] == ["2", "2"]


@pytest.mark.parametrize("dropped", range(len(GROWTH.facts)))
def test_a_step_of_which_less_is_known_has_no_certificate(dropped: int) -> None:
    """Without the clipping of one sequence, say: then nothing bounds what a step adds."""
    facts = tuple(fact for place, fact in enumerate(GROWTH.facts) if place != dropped)
    assert growth_certificates.refutation(replace(GROWTH, facts=facts))[0] is None


def test_growth_in_proportion_is_not_refuted() -> None:
    """D(t+1) <= (1 + eta beta) D(t) alone allows exponential growth."""
    more = {(("D", 1),): Fraction(1), (("D_next", 1),): Fraction(-1), (("D", 1), ("eta", 1)): Fraction(1)}
    facts = (Constraint("smoothness", more, False),)
    assert growth_certificates.refutation(replace(GROWTH, facts=facts))[0] is None


def test_a_certificate_of_something_else_is_refused(witness: dict[str, Any]) -> None:
    instance = witness["instance"]
    assert replay(witness).agrees
    less = instance | {"adds": ["1", "2"]}
    assert not replay(witness | {"instance": less}).agrees
    certificate = instance["certificate"]
    for changed in (
        {"products": certificate["products"][1:]},
        {"signs": certificate["signs"] | {"D": "real"}},
        {"constraints": certificate["constraints"][1:]},
    ):
        other = instance | {"certificate": certificate | changed}
        assert not replay(witness | {"instance": other}).agrees
    with pytest.raises(NotAnInstance, match="no certificate"):
        replay(witness | {"instance": {"kind": "bound for all", "adds": ["2", "2"]}})
    with pytest.raises(NotAnInstance, match="claims of nothing"):
        replay(witness | {"id": "als_dpfl.lemma_4"})


def clipped(gradients: Any, bound: float) -> Any:
    lengths = np.linalg.norm(gradients, axis=-1, keepdims=True)
    return gradients / np.maximum(1, lengths / bound)


def test_actual_steps_add_no_more() -> None:
    """Algorithm 1 beside eq. (8), line by line: samples steep and far apart, mean over replicates."""
    rng, eta, C, sigma, B, steps = default_rng(3), 0.3, 2.0, 0.4, 2, 12
    replicates, clients, samples, d = 4000, 3, 5, 2
    centers = rng.normal(0, 30, (clients, samples, d))
    w = np.zeros((replicates, clients, d))
    v, before = np.zeros((replicates, d)), 0.0
    for _ in range(steps):
        per_sample = clipped(5 * (w[:, :, None] - centers), C)
        batch = rng.random((replicates, clients, samples, 1)) < B / samples
        noise = rng.normal(0, sigma * C, (replicates, clients, d))
        w = w - eta * ((per_sample * batch).sum(axis=2) + noise) / B
        mean = clipped(5 * (v[:, None, None] - centers), C).mean(axis=(1, 2))
        v = v - eta * (mean + rng.normal(0, sigma * C, (replicates, d)))
        now = float(np.linalg.norm(w.mean(axis=1) - v, axis=-1).mean())
        assert now - before <= 2 * eta * C + 2 * eta * np.sqrt(d) * sigma * C
        before = now
    assert before > 0
