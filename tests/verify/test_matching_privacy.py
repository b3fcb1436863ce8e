"""What a run releases, counted as a mechanism; what a rule for noise assumes has its sources."""

from dataclasses import replace

import numpy as np
import pytest
from usual_settings import private

import bounds
from synthetic.algorithms import dp_fedavg, dpfl, fed_alpha_norm_ec
from synthetic.participation import Independent
from synthetic.problems import build
from synthetic.releases import noisy_sum
from verify.matching.privacy import STANDARD, done, spent
from verify.privacy.errors import Unaccountable
from verify.privacy.mechanism import Relation
from verify.privacy.release import release

CLIENTS, DIMENSION = 10, 4
PROBLEM = build("quadratic.small", clients=CLIENTS, dimension=DIMENSION, heterogeneity=0.0, seed=1)
START = np.zeros(DIMENSION)


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


def test_noise_at_the_server_is_over_the_clipping_threshold() -> None:
    told = noisy_sum(clipping(), PROBLEM)
    assert release(done(told, RELATION)).multiplier == pytest.approx(0.3 * 5 / 1.5, rel=1e-15)


def test_one_total_noise_on_the_sum_is_what_the_first_paper_says() -> None:
    """sigma_DP^2 in total on the sum: r = p M clients' noises of a share sigma_DP^2/r each, at the server."""
    told = noisy_sum(memories(), PROBLEM)
    assert release(done(told, RELATION)).multiplier == pytest.approx(0.8 / 2, rel=1e-15)


def test_memories_in_the_open_protect_nothing() -> None:
    given = memories(initial_memory=np.ones((CLIENTS, DIMENSION)))
    with pytest.raises(Unaccountable, match="shown without noise"):
        spent(noisy_sum(given, PROBLEM), STANDARD)


def test_a_run_that_bounds_no_record_has_no_unit_of_privacy() -> None:
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
    with pytest.raises(Unaccountable, match="nobody states the unit of privacy"):
        spent(noisy_sum(settings, PROBLEM), STANDARD)


def test_every_rule_for_noise_says_where_each_of_its_facts_is_from() -> None:
    rules = [s for s in bounds.statements() if s.mechanism is not None]
    assert {s.paper.key for s in rules} == {"fed_norm_ec", "dp_fedavg", "als_dpfl"}
    for statement in rules:
        assert statement.mechanism is not None
        assert {"unit", "relation", "sampling", "placement", "spread", "contribution"} <= set(
            statement.mechanism.said
        ), statement.id
