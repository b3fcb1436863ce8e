"""What a mechanism must state, and what its sum contains."""

from dataclasses import fields, replace
from math import sqrt

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
