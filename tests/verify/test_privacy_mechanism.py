"""What a mechanism must state, what its sum contains, and when a guarantee does not cover another one."""

from dataclasses import fields, replace
from math import sqrt
from typing import Any

import pytest

from verify.privacy.errors import BadRequest, Unaccountable
from verify.privacy.mechanism import (
    FixedSize,
    Full,
    Independent,
    Mechanism,
    Placement,
    Relation,
    Sampling,
    Spread,
    Unit,
)
from verify.privacy.mismatch import refusal
from verify.privacy.release import Release, release

SERVER = Mechanism(
    unit=Unit.CLIENT,
    relation=Relation.ADD_OR_REMOVE,
    sampling=Independent(probability=0.2),
    placement=Placement.SERVER,
    spread=Spread.PER_COORDINATE,
    deviation=6.0,
    contribution=2.0,
    rounds=500,
    clients=100,
    dimension=9,
)
DECIDE = {f.name for f in fields(Mechanism)} - {"clients", "dimension"}


def at_clients(sampling: Sampling, relation: Relation = Relation.REPLACE_ONE) -> Mechanism:
    return replace(SERVER, placement=Placement.CLIENTS, sampling=sampling, relation=relation)


def test_noise_over_contribution() -> None:
    assert release(SERVER) == Release(
        multiplier=3.0, relation=Relation.ADD_OR_REMOVE, sampling=Independent(probability=0.2), rounds=500
    )


def test_a_total_variance_is_spread_over_the_coordinates() -> None:
    assert release(replace(SERVER, spread=Spread.TOTAL)).multiplier == 1.0


def test_noises_of_clients_add_up() -> None:
    assert release(at_clients(Full())).multiplier == pytest.approx(3 * sqrt(100), rel=1e-15)
    drawn = FixedSize(drawn=25, units=100)
    assert release(at_clients(drawn)).multiplier == pytest.approx(3 * sqrt(25), rel=1e-15)


def test_a_record_is_protected_by_the_one_noise_of_its_client() -> None:
    of_record = replace(SERVER, unit=Unit.RECORD, placement=Placement.CLIENTS)
    assert release(of_record).multiplier == 3.0


def test_a_number_of_noises_that_tells_who_took_part_is_refused() -> None:
    with pytest.raises(Unaccountable, match="depends on how many clients were drawn"):
        release(at_clients(Independent(probability=0.2)))
    with pytest.raises(Unaccountable, match="takes its noise along"):
        release(at_clients(Full(), Relation.ADD_OR_REMOVE))


@pytest.mark.parametrize("name", sorted(DECIDE))
def test_unknown_means_refuse(name: str) -> None:
    with pytest.raises(Unaccountable, match="nobody states"):
        release(replace(SERVER, **{name: None}))


def test_sizes_are_needed_only_where_they_decide() -> None:
    bare = replace(SERVER, clients=None, dimension=None)
    assert release(bare) == release(SERVER)
    for needing in (replace(bare, spread=Spread.TOTAL), replace(at_clients(Full()), clients=None)):
        with pytest.raises(Unaccountable, match="nobody states"):
            release(needing)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Independent(probability=0.0),
        lambda: Independent(probability=1.1),
        lambda: Independent(probability=float("nan")),
        lambda: FixedSize(drawn=0, units=5),
        lambda: FixedSize(drawn=6, units=5),
        lambda: release(replace(SERVER, deviation=0.0)),
        lambda: release(replace(SERVER, deviation=float("nan"))),
        lambda: release(replace(SERVER, contribution=0.0)),
        lambda: release(replace(SERVER, rounds=0)),
    ],
)
def test_bad_values(make: object) -> None:
    with pytest.raises(BadRequest):
        make()


# ---- one guarantee, another mechanism


def test_the_same_mechanism_is_covered() -> None:
    assert refusal(SERVER, SERVER) is None


@pytest.mark.parametrize(
    "better", [{"deviation": 7.0}, {"rounds": 499}, {"contribution": 1.5}, {"deviation": 6.0 * (1 - 1e-12)}]
)
def test_more_protection_than_assumed_is_covered(better: dict[str, float]) -> None:
    assert refusal(SERVER, replace(SERVER, **better)) is None


@pytest.mark.parametrize(
    ("done", "said"),
    [
        ({"unit": Unit.RECORD}, ["assumed client", "done record"]),
        ({"relation": Relation.REPLACE_ONE}, ["assumed add-or-remove", "done replace-one"]),
        (
            {"sampling": FixedSize(drawn=20, units=100)},
            ["assumed independent with probability 0.2", "done fixed size, 20 of 100"],
        ),
        ({"sampling": Independent(probability=0.3)}, ["probability 0.2", "probability 0.3"]),
        (
            {"placement": Placement.CLIENTS},
            ["assumed at the server", "done at the clients", "depends on how many clients were drawn"],
        ),
        ({"spread": Spread.TOTAL}, ["assumed per coordinate", "done total"]),
        ({"deviation": 5.0}, ["standard deviation of the noise", "at least 6", "done 5"]),
        ({"deviation": float("nan")}, ["standard deviation of the noise", "at least 6", "done nan"]),
        ({"contribution": 3.0}, ["largest contribution", "at most 2", "done 3"]),
        ({"rounds": 501}, ["rounds", "at most 500", "done 501"]),
    ],
)
def test_a_mismatch_names_both(done: dict[str, object], said: list[str]) -> None:
    reason = refusal(SERVER, replace(SERVER, **done))
    assert reason is not None
    assert [word for word in said if word not in reason] == []
    assert ";" not in reason, "one difference, one reason"


OF_ALL = at_clients(Full())
TOTAL = replace(SERVER, spread=Spread.TOTAL)


@pytest.mark.parametrize(
    ("assumed", "done", "said"),
    [
        (OF_ALL, {"clients": 10}, ["clients", "at least 100", "done 10"]),
        (OF_ALL, {"clients": None}, ["clients", "assumed 100", "unknown"]),
        (TOTAL, {"dimension": 10}, ["dimension", "at most 9", "done 10"]),
        (TOTAL, {"dimension": None}, ["dimension", "assumed 9", "unknown"]),
    ],
)
def test_the_noise_of_fewer_clients_or_over_more_coordinates_is_less(
    assumed: Mechanism, done: dict[str, Any], said: list[str]
) -> None:
    reason = refusal(assumed, replace(assumed, **done))
    assert reason is not None
    assert [word for word in said if word not in reason] == []
    assert refusal(assumed, assumed) is None
    assert refusal(assumed, replace(assumed, clients=101, dimension=8)) is None


@pytest.mark.parametrize("name", sorted(DECIDE))
@pytest.mark.parametrize("side", ["assumed", "done", "both"])
def test_an_unknown_is_no_agreement(name: str, side: str) -> None:
    unknown = replace(SERVER, **{name: None})
    reason = refusal(
        SERVER if side == "done" else unknown,
        SERVER if side == "assumed" else unknown,
    )
    assert reason is not None
    assert "unknown" in reason


def test_agreement_on_what_nothing_counts_is_refused_too() -> None:
    both = at_clients(Independent(probability=0.2), Relation.ADD_OR_REMOVE)
    reason = refusal(both, both)
    assert reason is not None
    assert "depends on how many clients were drawn" in reason
