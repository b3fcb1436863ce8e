"""Random numbers depend on their place and on nothing else; their laws."""

import hashlib
import itertools
from dataclasses import replace

import numpy as np
import pytest

from synthetic.engine.randomness import BLOCK, Place, PlacedNumbers, directions, signs
from synthetic.errors import BadValue

HERE = Place(purpose="test", round=3, client=1, local_step=2)


def numbers(replicates, seed=1, stream="cell"):
    return PlacedNumbers(seed=seed, stream=stream, replicates=replicates)


@pytest.mark.parametrize("few", [1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK])
@pytest.mark.parametrize("kind", ["normals", "uniforms"])
def test_a_replicate_has_the_same_numbers_however_many_there_are(few, kind):
    many = getattr(numbers(300), kind)(HERE, 5)
    assert many.shape == (300, 5)
    np.testing.assert_array_equal(getattr(numbers(few), kind)(HERE, 5), many[:few])


def test_every_part_of_the_place_matters():
    places = [
        HERE,
        Place(purpose="other", round=3, client=1, local_step=2),
        Place(purpose="test", round=4, client=1, local_step=2),
        Place(purpose="test", round=3, client=0, local_step=2),
        Place(purpose="test", round=3, client=1, local_step=0),
    ]
    draws = [numbers(130).normals(place, 2) for place in places]
    draws += [numbers(130, seed=2).normals(HERE, 2), numbers(130, stream="cell2").normals(HERE, 2)]
    for one, other in itertools.combinations(draws, 2):
        assert not (one == other).any()
    assert not (draws[0][:BLOCK] == draws[0][BLOCK : 2 * BLOCK]).any()  # nor do blocks repeat


def test_two_places_never_spell_the_same_key():
    # joined by slashes without their lengths, these two would be the same text
    one = numbers(1, stream="a").normals(Place(purpose="0/0/-1/0/q", round=0), 1)
    other = numbers(1, stream="a/0/0/-1/0").normals(Place(purpose="q", round=0), 1)
    assert one[0, 0] != other[0, 0]


def test_the_order_of_questions_does_not_matter():
    asked = numbers(10)
    first = asked.normals(HERE, 3)
    asked.uniforms(Place(purpose="between", round=0), 7)
    np.testing.assert_array_equal(first, asked.normals(HERE, 3))


def test_normals_have_mean_zero_and_unit_covariance():
    size = 40_000
    draws = numbers(size).normals(HERE, 3)
    assert np.abs(draws.mean(axis=0)).max() < 5 / np.sqrt(size)
    covariance = draws.T @ draws / size
    assert np.abs(covariance - np.eye(3)).max() < 5 * np.sqrt(2 / size)
    assert abs((draws**4).mean() - 3) < 5 * np.sqrt(96 / (3 * size))


def test_uniforms_fill_the_unit_interval():
    draws = numbers(40_000).uniforms(HERE, 1)
    assert draws.min() >= 0
    assert draws.max() < 1
    counts = np.histogram(draws, bins=10, range=(0, 1))[0]
    assert np.abs(counts - 4000).max() < 5 * np.sqrt(3600)


@pytest.mark.parametrize("kind", ["normals", "uniforms"])
def test_clients_draw_together_what_each_draws_alone(kind):
    together = getattr(numbers(70), kind)(HERE, 3, 4)
    assert together.shape == (4, 70, 3)
    for client in range(4):
        alone = getattr(numbers(70), kind)(replace(HERE, client=client), 3)
        np.testing.assert_array_equal(together[client], alone)


def test_the_key_is_the_hash_of_the_place():
    # written out once more, with a generator made for this place alone
    text = f"1/4:cell/0/{HERE.round}/{HERE.client}/{HERE.local_step}/{HERE.purpose}"
    key = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=16).digest(), "little")
    expected = np.random.Generator(np.random.Philox(key=key)).standard_normal((BLOCK, 2))
    np.testing.assert_array_equal(numbers(BLOCK).normals(HERE, 2), expected)


def test_directions_and_signs_have_unit_length_and_mean_zero():
    size = 40_000
    drawn = directions(numbers(size).normals(HERE, 3))
    np.testing.assert_allclose(np.linalg.norm(drawn, axis=1), 1, rtol=1e-14)
    assert np.abs(drawn.mean(axis=0)).max() < 5 / np.sqrt(3 * size)
    second = drawn.T @ drawn / size
    assert np.abs(second - np.eye(3) / 3).max() < 5 / np.sqrt(size)
    coins = signs(numbers(size).uniforms(HERE, 1))
    assert set(coins.ravel()) == {-1.0, 1.0}
    assert abs(coins.mean()) < 5 / np.sqrt(size)


@pytest.mark.parametrize(("seed", "replicates"), [(-1, 5), (0, 0), (1.5, 5), (True, 5), (0, 2.0)])
def test_bad_seeds_and_counts_are_refused(seed, replicates):
    with pytest.raises(BadValue):
        PlacedNumbers(seed=seed, stream="s", replicates=replicates)
