"""Normals in single precision: the counter's known answers, their law, and that they stay out of verdicts."""

import numpy as np
import pytest
from scipy import stats
from usual_settings import private

from synthetic import Plan, run
from synthetic.engine import accelerated
from synthetic.engine.randomness import Place, PlacedNumbers
from synthetic.engine.recorded_plan import record
from synthetic.errors import WrongPlan
from synthetic.participation import Full
from synthetic.problems import quadratic

pytestmark = pytest.mark.skipif(not accelerated.available(), reason="the extra fast is not installed")

LEVEL, SIZE = 1e-6, 4_000_000
PLACE = Place(purpose="test", round=0)


def numbers(replicates=64, **changed):
    return PlacedNumbers(**{"seed": 1, "stream": "s", "replicates": replicates, "rough": True} | changed)


@pytest.fixture(scope="module")
def many():
    return numbers(SIZE // 500).normals(PLACE, 500).ravel()


def test_the_counter_gives_the_known_answer():
    """Of the authors' file of known answers, for ten rounds: counter and key all zero."""
    from synthetic.engine import compiled

    zeros = (np.uint32(0), np.uint32(0))
    found = tuple(int(word) for word in compiled.words(np.uint32(0), zeros, zeros))
    assert found == (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)


@pytest.mark.parametrize("word", [0, 1, 2**31, 2**32 - 1])
def test_every_word_gives_a_normal_of_the_length_that_it_stands_for(word):
    """Box and Muller: the squared length is -2 log u, and a u of zero would have no logarithm."""
    from synthetic.engine import compiled

    one, two = compiled._pair(np.uint32(word), np.uint32(123_456_789))
    assert one**2 + two**2 == pytest.approx(-2 * np.log((word + 0.5) / 2**32), rel=1e-5, abs=1e-6)


def test_two_words_give_a_length_and_a_direction():
    """The upper two bits of the second word are the quarter of the circle, the others the angle in it."""
    from synthetic.engine import compiled

    for word, turn in np.random.default_rng(0).integers(0, 2**32, (500, 2), dtype=np.uint64).tolist():
        length = np.sqrt(-2 * np.log((word + 0.5) / 2**32))
        inside = (turn * 4 % 2**32 + 2**31) % 2**32 - 2**31
        angle = np.pi / 2 * ((turn >> 30) + inside / 2**32)
        found = compiled._pair(np.uint32(word), np.uint32(turn))
        assert found == pytest.approx((length * np.cos(angle), length * np.sin(angle)), rel=0, abs=2e-6)


def test_the_counter_agrees_with_another_implementation():
    """Plain integers, written from the paper."""
    from synthetic.engine import compiled

    def philox(counter, key):
        a, b, c, d = counter
        one, two = key
        for _ in range(10):
            p, q = a * 0xD2511F53, c * 0xCD9E8D57
            a, b, c, d = (q >> 32) ^ b ^ one, q % 2**32, (p >> 32) ^ d ^ two, p % 2**32
            one, two = (one + 0x9E3779B9) % 2**32, (two + 0xBB67AE85) % 2**32
        return a, b, c, d

    for row in np.random.default_rng(0).integers(0, 2**32, (50, 5), dtype=np.uint64).tolist():
        count, *rest = row
        upper, key = (tuple(np.uint32(word) for word in rest[i : i + 2]) for i in (0, 2))
        found = compiled.words(np.uint32(count), upper, key)
        assert tuple(int(word) for word in found) == philox((count, 0, *rest[:2]), tuple(rest[2:]))


def test_the_law_is_the_normal_one(many):
    assert stats.kstest(many, "norm").pvalue > LEVEL
    far = stats.norm.isf(LEVEL / 8)
    for power, mean, variance in ((1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96)):
        assert abs((many**power).mean() - mean) < far * np.sqrt(variance / SIZE), power
    for threshold in (2.0, 3.0, 4.0):
        expected = 2 * stats.norm.sf(threshold)
        low, high = stats.binom.ppf([LEVEL / 2, 1 - LEVEL / 2], SIZE, expected)
        assert low <= (np.abs(many) > threshold).sum() <= high
    assert np.abs(many).max() < 6.8


def test_a_wrong_law_would_be_seen(many):
    assert stats.kstest(1.005 * many, "norm").pvalue < LEVEL
    assert abs((many * 1.005) ** 2).mean() - 1 > stats.norm.isf(LEVEL / 8) * np.sqrt(2 / SIZE)


def test_pairs_and_neighbours_are_independent(many):
    """Of one draw of the counter, and of draws that follow each other; also of the squares."""
    blocks = many.reshape(-1, 4, 64 * 500 // 4).swapaxes(0, 1).reshape(4, -1)
    far = stats.norm.isf(LEVEL / 40) / np.sqrt(blocks.shape[1] - 1)
    for table in (blocks, blocks**2, np.sign(blocks)):
        correlations = np.corrcoef(table)[np.triu_indices(4, 1)]
        assert np.abs(correlations).max() < far
        for row in table:
            assert abs(np.corrcoef(row[:-1], row[1:])[0, 1]) < far
    planted = np.concatenate([blocks[:1] + 0.01 * blocks[1:2], blocks[1:]])
    assert np.abs(np.corrcoef(planted)[np.triu_indices(4, 1)]).max() > far


def test_a_place_has_its_numbers_whoever_else_draws():
    whole = numbers(200).normals(PLACE, 7)
    np.testing.assert_array_equal(numbers(130).normals(PLACE, 7), whole[:130])
    np.testing.assert_array_equal(numbers(72, first=128).normals(PLACE, 7), whole[128:])
    each = numbers(10).normals(PLACE, 7, clients=3)
    assert each.shape == (3, 10, 7)
    for client, own in enumerate(each):
        place = Place(purpose="test", round=0, client=client)
        np.testing.assert_array_equal(numbers(10).normals(place, 7), own)
    others = [
        numbers().normals(Place(purpose="test", round=1), 7),
        numbers().normals(Place(purpose="other", round=0), 7),
        numbers(seed=2).normals(PLACE, 7),
        numbers(stream="t").normals(PLACE, 7),
        numbers(rough=False).normals(PLACE, 7),
        numbers(first=256).normals(PLACE, 7),
    ]
    for drawn in others:
        assert np.isin(drawn, whole).mean() < 0.01  # of 1,400 numbers of 32 bits a pair may be equal


def test_uniforms_stay_what_they_were():
    np.testing.assert_array_equal(numbers().uniforms(PLACE, 5), numbers(rough=False).uniforms(PLACE, 5))


def test_a_run_has_the_same_law_with_them():
    problem = quadratic.small(clients=3, dimension=2)
    made = private(
        start=(1.0, -1.0),
        rounds=2,
        local_step=0.2,
        clients_per_round=3,
        noise_scale=0.5,
        participation=Full(),
    )
    asked = {"replicates": 20_000, "stream": "law", "observe": ["gap/last"]}
    plain = run("dp_fedavg", problem, made, seed=1, plan=Plan(block=2048), **asked)
    rough = run("dp_fedavg", problem, made, seed=2, plan=Plan(block=2048, normals="single"), **asked)
    one, other = (trace.measurements["gap/last"].ravel() for trace in (plain, rough))
    assert stats.ks_2samp(one, other).pvalue > LEVEL
    assert stats.ks_2samp(one, 1.1 * other).pvalue < LEVEL


def test_they_are_never_recorded(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    with pytest.raises(WrongPlan, match="normals"):
        record(Plan(normals="single"))
    record(Plan(backend="numba"))
