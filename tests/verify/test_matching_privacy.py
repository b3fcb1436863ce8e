"""What a rule for noise assumes against what a run releases: every difference named, by both sides."""

from dataclasses import replace

import numpy as np
import pytest
from usual_settings import private

import bounds
from bounds.language.mechanism import AssumedMechanism
from synthetic.algorithms import dp_fedavg, dpfl, fed_alpha_norm_ec
from synthetic.participation import FixedSize, Full, Independent
from synthetic.problems import build
from synthetic.releases import noisy_sum
from verify.matching.privacy import assumed, done, refusal
from verify.privacy.mechanism import Mechanism, Relation
from verify.privacy.release import release

CLIENTS, DIMENSION = 10, 4
PROBLEM = build("quadratic.small", clients=CLIENTS, dimension=DIMENSION, heterogeneity=0.0, seed=1)
START = np.zeros(DIMENSION)
OF_B = {"C": 1.5, "K": 20, "r": 5, "n": CLIENTS, "d": DIMENSION, "sigma": 0.3}
OF_A = {"K": 19, "M": CLIENTS, "d": DIMENSION, "p": 0.5, "sigma_DP": 0.8}


def rule(identity: str, quantities: dict[str, float]) -> Mechanism:
    mechanism = bounds.get(identity).mechanism
    assert isinstance(mechanism, AssumedMechanism)
    # both papers leave the relation open; who asks names it
    return replace(assumed(mechanism, quantities), relation=Relation.ADD_OR_REMOVE)


def clipping(**changes: object) -> dp_fedavg.Settings:
    settings = private(
        start=START,
        rounds=20,
        clip_threshold=1.5,
        clients_per_round=5.0,
        noise_scale=0.3,
        noise_placement="server",
    )
    return replace(settings, **changes)


def memories(**changes: object) -> fed_alpha_norm_ec.Settings:
    settings = fed_alpha_norm_ec.Settings(
        start=START,
        last_round=19,
        local_steps=1,
        local_step=0.1,
        memory_step=0.1,
        server_step=0.1,
        smoothing=1.0,
        participation=Independent(probability=0.5),
        private=True,
        noise_scale=0.8 / np.sqrt(0.5 * CLIENTS),
        noise_placement="server",
    )
    return replace(settings, **changes)


RELATION = Relation.ADD_OR_REMOVE


def test_noise_at_the_server_is_what_the_cited_theorem_counts() -> None:
    theorem = rule("dp_fedavg.theorem_1", OF_B)
    told = noisy_sum(clipping(), PROBLEM)
    assert refusal(theorem, told, RELATION) is None
    assert release(done(told, RELATION)).multiplier == pytest.approx(0.3 * 5 / 1.5, rel=1e-15)


def test_one_total_noise_on_the_sum_is_what_the_first_paper_says() -> None:
    """sigma_DP^2 in total on the sum: r = p M clients' noises of a share sigma_DP^2/r each, at the server."""
    told = noisy_sum(memories(), PROBLEM)
    assert refusal(rule("fed_norm_ec.noise_rule", OF_A), told, RELATION) is None
    assert release(done(told, RELATION)).multiplier == pytest.approx(0.8 / 2, rel=1e-15)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            clipping(noise_placement="clients"),
            "assumed at the server, done at the clients (the noise of the sum",
        ),
        (clipping(participation=FixedSize(count=5)), "done fixed size, 5 of 10"),
        (clipping(participation=Full()), "sampling: assumed independent with probability 0.5, done full"),
        (clipping(noise_scale=0.2), "standard deviation of the noise: assumed at least 1.5, done 1"),
        (clipping(clip_threshold=2.0), "largest contribution: assumed at most 1.5, done 2"),
        (clipping(rounds=21), "rounds: assumed at most 20, done 21"),
        (clipping(clip_threshold=np.inf), "largest contribution: assumed 1.5, done unknown"),
    ],
)
def test_a_mismatch_is_named_with_both_sides(settings: dp_fedavg.Settings, said: str) -> None:
    found = refusal(rule("dp_fedavg.theorem_1", OF_B), noisy_sum(settings, PROBLEM), RELATION)
    assert found is not None
    assert said in found


def test_memories_in_the_open_protect_nothing() -> None:
    given = memories(initial_memory=np.ones((CLIENTS, DIMENSION)))
    found = refusal(rule("fed_norm_ec.noise_rule", OF_A), noisy_sum(given, PROBLEM), RELATION)
    assert found is not None
    assert "shown without noise" in found


def test_a_relation_that_the_paper_leaves_open_is_unknown() -> None:
    mechanism = bounds.get("dp_fedavg.theorem_1").mechanism
    assert mechanism is not None
    found = refusal(assumed(mechanism, OF_B), noisy_sum(clipping(), PROBLEM), RELATION)
    assert found == "the neighboring relation: assumed unknown, done add-or-remove"


def test_a_run_that_bounds_no_record_is_unknown_to_a_rule_for_records() -> None:
    settings = dpfl.Settings(
        start=START,
        rounds=1,
        local_steps=1,
        step=0.1,
        clip_threshold=1.0,
        noise_multiplier=1.0,
        batch_size=8,
        auxiliary_noise="independent",
    )
    mechanism = bounds.get("als_dpfl.gaussian_mechanism").mechanism
    assert mechanism is not None
    theorem = assumed(mechanism, {"sigma_mechanism": 1.0, "sensitivity": 2.0})
    found = refusal(theorem, noisy_sum(settings, PROBLEM), Relation.REPLACE_ONE)
    assert found is not None
    assert "the unit: assumed record, done unknown" in found


def test_every_rule_for_noise_says_where_each_of_its_facts_is_from() -> None:
    rules = [s for s in bounds.statements() if s.mechanism is not None]
    assert {s.paper.key for s in rules} == {"fed_norm_ec", "dp_fedavg", "als_dpfl"}
    for statement in rules:
        assert statement.mechanism is not None
        assert {"unit", "relation", "sampling", "placement", "spread", "contribution"} <= set(
            statement.mechanism.said
        ), statement.id
